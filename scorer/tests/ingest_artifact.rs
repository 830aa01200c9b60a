//! `scorer ingest artifact`: what it makes of three files, of the published ones and of broken ones.
//!
//! The small files here are of one sweep, three points and one log; each test changes what it is
//! about.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use shared::corpus::Corpus;
use shared::setting::Origin;
use shared::sweep::Flag;
use shared::tier::Verdict;
use shared::verdict;

const FILES: [&str; 3] =
    ["aisimulate_e2e.json", "inferencex_absolutes.json", "inferencex_engine_settings.json"];

/// Three files that can be read, before a test breaks one of them.
struct Files {
    corpus: Value,
    absolutes: Value,
    settings: Value,
}

fn point(concurrency: u32, relative: f64) -> Value {
    json!({
        "concurrency": concurrency, "status": "success",
        "measured_tpot_relative": relative, "measured_ttft_relative": relative,
        "aisimulate_tpot_relative": 1.1 * relative, "aisimulate_tpot_error_pct": 10.0,
        "aisimulate_ttft_relative": relative, "aisimulate_ttft_error_pct": 0.0,
        "aic_tpot_relative": 0.5 * relative, "aic_tpot_error_pct": 50.0,
        "aic_ttft_relative": relative, "aic_ttft_error_pct": 0.0,
    })
}

impl Files {
    fn new() -> Self {
        let head = |kind: &str| {
            json!({
                "source": kind, "source_url": "https://example.org/releases/tag/db-dump/2026-09-28",
                "release_tag": "db-dump/2026-09-28",
            })
        };
        let mut absolutes = head("a database dump");
        absolutes["metrics"] = json!("mean_tpot and mean_ttft, microseconds");
        absolutes["anchors"] = json!([{
            "scenario": "gpt.yaml", "label": "1k1k", "framework": "vllm", "gpu": "h100",
            "source_config_id": 7, "source_run_date": "2026-07-12", "anchor_concurrency": 1,
            "absolute_tpot_us": {"1": 1000.0, "2": 2000.0, "4": 4000.0, "8": 8000.0},
            "absolute_ttft_us": {"1": 50000.0, "2": 100_000.0, "4": 200_000.0},
            "anchor_tpot_us": 1000.0, "anchor_ttft_us": 50000.0,
        }]);
        let mut settings = head("server logs");
        let log = json!({
            "passed": {"max_num_seqs": 256, "model": "/models/gpt", "enable_prefix_caching": false},
            "resolved": {"engine_version": "0.22.0", "resolved_gpu_kv_tokens": 44129, "resolved_max_concurrency": 19.2},
        });
        settings["settings"] = json!([{
            "scenario": "gpt.yaml", "label": "1k1k", "framework": "vllm", "gpu": "h100",
            "source_config_id": 7, "source_run_date": "2026-07-12",
            "by_concurrency": {"1": log, "2": log, "4": log},
        }]);
        let corpus = json!({
            "source": "an artifact", "measurement_source": "somebody",
            "sweeps": [{
                "scenario": "gpt.yaml", "model": "gpt-oss-120b", "gpu": "h100", "label": "1k1k",
                "workload": "1024:1024", "framework": "vllm", "precision": "fp4",
                "serving": "aggregated", "spec_method": "none", "topology_id": "c50e22132bb76a08",
                "parallelism": {"tp_size": 2, "pp_size": 1, "attention_dp_size": 2, "moe_ep_size": 4, "moe_tp_size": 1},
                "points": [point(1, 1.0), point(2, 2.0), point(4, 4.0)],
            }],
        });
        Self { corpus, absolutes, settings }
    }

    fn sweep(&mut self) -> &mut Value {
        &mut self.corpus["sweeps"][0]
    }

    fn anchor(&mut self) -> &mut Value {
        &mut self.absolutes["anchors"][0]
    }

    fn record(&mut self) -> &mut Value {
        &mut self.settings["settings"][0]
    }

    /// One more sweep like the first, with other names and values.
    fn add_sweep(&mut self, changes: &[(&str, Value)]) {
        let mut sweep = self.sweep().clone();
        for (name, value) in changes {
            sweep[*name] = value.clone();
        }
        self.corpus["sweeps"].as_array_mut().unwrap().push(sweep);
    }

    fn ingest(&self) -> Run {
        Self::ingest_texts([self.corpus.to_string(), self.absolutes.to_string(), self.settings.to_string()])
    }

    fn ingest_texts(texts: [String; 3]) -> Run {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in FILES.iter().zip(texts) {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Run::of(folder.path())
    }

    fn corpus_of(&self) -> Corpus {
        let run = self.ingest();
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_slice(run.written.as_deref().unwrap()).unwrap()
    }

    /// The message with which the files are refused, as invalid and without writing anything.
    fn refusal(&self) -> String {
        let run = self.ingest();
        assert_eq!((run.code, run.written), (4, None), "{}", run.stderr);
        run.stderr
    }
}

struct Run {
    code: i32,
    stderr: String,
    written: Option<Vec<u8>>,
}

impl Run {
    fn of(folder: &Path) -> Self {
        let output = folder.join("corpus.json");
        let [corpus, absolutes, settings] = FILES.map(|name| folder.join(name));
        let mut command = Command::new(env!("CARGO_BIN_EXE_scorer"));
        command.args(["ingest", "artifact", "--verbose", "--corpus"]).arg(corpus);
        command.arg("--absolutes").arg(absolutes).arg("--settings").arg(settings).arg("-o").arg(&output);
        let done = command.env("NO_COLOR", "1").output().unwrap();
        assert!(done.stdout.is_empty());
        Self {
            code: done.status.code().unwrap(),
            stderr: String::from_utf8(done.stderr).unwrap(),
            written: fs::read(output).ok(),
        }
    }
}

fn assert_says(text: &str, expected: &str) {
    assert!(text.contains(expected), "`{expected}` is not in:\n{text}");
}

#[test]
fn a_sweep_has_what_all_three_files_say_of_it() {
    let corpus = Files::new().corpus_of();
    let [sweep] = corpus.sweeps.as_slice() else { panic!("{} sweeps", corpus.sweeps.len()) };
    assert_eq!(
        (sweep.model.as_str(), sweep.family.as_str(), sweep.hardware.as_str()),
        ("gpt-oss-120b", "gpt-oss", "h100")
    );
    assert_eq!(sweep.parallelism.to_string(), "tp2 dp2 ep4");
    assert!(sweep.parallelism.dp_attention);
    assert_eq!(
        (sweep.isl, sweep.osl, sweep.range_ratio, sweep.prompts_per_concurrency),
        (1024, 1024, 0.8, 10)
    );
    assert_eq!((sweep.dates.first.as_str(), sweep.source.configs.as_slice()), ("2026-07-12", &[7][..]));
    assert_eq!(sweep.source.name.as_deref(), Some("gpt.yaml 1k1k"));
    assert_eq!(sweep.engine_version.as_deref(), Some("0.22.0"));
    let known: Vec<(&str, Origin, String)> = sweep
        .settings
        .iter()
        .map(|(name, setting)| (name.as_str(), setting.origin, setting.value.as_ref().unwrap().to_string()))
        .collect();
    // The defaults are those of an H100; the path of the served model is left out.
    assert_eq!(
        known,
        [
            ("block_size", Origin::Resolved, "16".to_owned()),
            ("enable_prefix_caching", Origin::Passed, "false".to_owned()),
            ("max_num_batched_tokens", Origin::Resolved, "8192".to_owned()),
            ("max_num_seqs", Origin::Passed, "256".to_owned()),
        ]
    );
    assert_eq!(sweep.verdict, Verdict::Partial);
    let point = &sweep.points[1];
    assert_eq!((point.concurrency, point.tpot_ms.get(), point.ttft_ms.get()), (2, 2.0, 100.0));
    assert_eq!(point.kv_tokens, Some(44_129));
    let ratios: Vec<(&str, f64, f64)> =
        point.predictions.iter().map(|(id, ratio)| (id.as_str(), ratio.tpot, ratio.ttft)).collect();
    assert_eq!(ratios, [("aic", 1.0, 2.0), ("aisimulate", 2.2, 2.0)]);
}

#[test]
fn the_source_is_the_release_with_the_digests_of_the_files() {
    let corpus = Files::new().corpus_of();
    let source = &corpus.source;
    assert_eq!(source.name, "somebody");
    assert_eq!((source.tag.as_deref(), source.release), (Some("db-dump/2026-09-28"), true));
    assert_eq!(source.date, "2026-09-28");
    assert_eq!(source.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), FILES);
    let mut files = Files::new();
    for file in [&mut files.absolutes, &mut files.settings] {
        file["release_tag"] = json!("mine");
        file["source_url"] = json!("https://example.org");
    }
    let own = files.corpus_of().source;
    // Without a dated release, the date is that of the newest run.
    assert_eq!((own.release, own.date.as_str()), (false, "2026-07-12"));
}

#[test]
fn an_absolute_without_a_point_is_counted_and_named() {
    let run = Files::new().ingest();
    assert_says(&run.stderr, "4 rows read: 3 kept as points of 1 sweeps, 1 skipped");
    assert_says(&run.stderr, "1 absolute_without_point");
    assert_says(&run.stderr, "gpt.yaml 1k1k c=8");
    let corpus = Files::new().corpus_of();
    let [skipped] = corpus.rows.skipped() else { panic!("{:?}", corpus.rows) };
    assert_eq!((corpus.rows.read(), skipped.named.as_slice()), (4, &["gpt.yaml 1k1k c=8".to_owned()][..]));
}

#[test]
fn rows_that_are_not_kept_are_counted_under_one_reason_each() {
    let mut files = Files::new();
    files.add_sweep(&[("scenario", json!("sglang.yaml")), ("framework", json!("sglang"))]);
    files.add_sweep(&[("scenario", json!("disagg.yaml")), ("serving", json!("disaggregated"))]);
    files.add_sweep(&[("scenario", json!("unmeasured.yaml"))]);
    files.add_sweep(&[("scenario", json!("short.yaml")), ("points", json!([point(1, 1.0), point(2, 2.0)]))]);
    let mut short = files.anchor().clone();
    short["scenario"] = json!("short.yaml");
    files.absolutes["anchors"].as_array_mut().unwrap().push(short);
    let mut failed = point(16, 1.0);
    failed["status"] = json!("failed");
    let points = files.sweep()["points"].as_array_mut().unwrap();
    points.push(failed);
    points.push(point(32, 1.0));
    files.anchor()["absolute_tpot_us"]["32"] = json!(0.0);
    let rows = files.corpus_of().rows;
    let counts: Vec<(&str, u64, &str)> = rows
        .skipped()
        .iter()
        .map(|skipped| (skipped.reason.as_str(), skipped.count, skipped.named[0].as_str()))
        .collect();
    assert_eq!(
        counts,
        [
            ("absolute_without_point", 3, "gpt.yaml 1k1k c=8"),
            ("fewer_than_three_concurrencies", 2, "short.yaml 1k1k c=1"),
            ("no_absolutes", 3, "unmeasured.yaml 1k1k c=1"),
            ("no_measurement", 1, "gpt.yaml 1k1k c=32"),
            ("not_aggregated", 3, "disagg.yaml 1k1k c=1"),
            ("not_success", 1, "gpt.yaml 1k1k c=16"),
            ("other_framework", 3, "sglang.yaml 1k1k c=1"),
        ]
    );
    assert_eq!((rows.kept(), rows.read()), (3, 19));
}

#[test]
fn a_sweep_without_a_log_has_no_settings_and_is_not_reproducible() {
    let mut files = Files::new();
    files.add_sweep(&[("scenario", json!("logless.yaml")), ("precision", json!("fp8"))]);
    let mut anchor = files.anchor().clone();
    anchor["scenario"] = json!("logless.yaml");
    files.absolutes["anchors"].as_array_mut().unwrap().push(anchor);
    let corpus = files.corpus_of();
    let logless = corpus.sweeps.iter().find(|sweep| sweep.precision == "fp8").unwrap();
    assert_eq!((logless.verdict, logless.engine_version.as_deref()), (Verdict::NotReproducible, None));
    assert_eq!(logless.settings.len(), 4);
    assert!(logless.settings.values().all(|setting| setting.origin == Origin::Absent));
}

#[test]
fn settings_that_differ_by_point_stay_at_the_points_and_repeats_that_disagree_are_flagged() {
    let mut files = Files::new();
    files.record()["by_concurrency"]["2"]["passed"]["max_num_seqs"] = json!([256, 512]);
    let corpus = files.corpus_of();
    let sweep = &corpus.sweeps[0];
    let origins: Vec<Origin> =
        sweep.points.iter().map(|point| sweep.setting(point, "max_num_seqs").unwrap().origin).collect();
    assert_eq!(origins, [Origin::Passed, Origin::Resolved, Origin::Passed]);
    assert_eq!(sweep.points[1].flags, [Flag::SettingsDisagree]);
    assert!(!sweep.settings.contains_key("max_num_seqs"));
}

#[test]
fn points_of_several_engine_versions_leave_the_version_unknown_and_say_so() {
    let mut files = Files::new();
    files.record()["by_concurrency"]["4"]["resolved"]["engine_version"] = json!("0.21.0");
    let run = files.ingest();
    assert_says(&run.stderr, "warning: gpt.yaml 1k1k: its points ran engine 0.21.0 and 0.22.0");
    assert_eq!(files.corpus_of().sweeps[0].engine_version, None);
}

#[test]
fn a_dropped_anchor_does_not_shift_the_predictions() {
    let mut files = Files::new();
    files.sweep()["points"] = json!([point(1, 1.0), point(2, 2.0), point(4, 4.0), point(8, 8.0)]);
    files.sweep()["points"][0]["status"] = json!("failed");
    files.anchor()["absolute_ttft_us"]["8"] = json!(400_000.0);
    let corpus = files.corpus_of();
    let points = &corpus.sweeps[0].points;
    // Predicted TPOT of AISimulate at concurrency 4: 4.4 times the anchor's 1 ms.
    let ratio = points[1].predictions.iter().find(|(id, _)| id.as_str() == "aisimulate").unwrap().1;
    assert!((ratio.tpot * points[0].tpot_ms.get() - 4.4).abs() < 1e-12);
    assert!((ratio.ttft * points[0].ttft_ms.get() - 200.0).abs() < 1e-9);
}

#[test]
fn a_point_without_a_prediction_is_kept_without_one() {
    let mut files = Files::new();
    for field in ["aic_tpot_relative", "aic_ttft_relative"] {
        files.sweep()["points"][1][field] = Value::Null;
    }
    let corpus = files.corpus_of();
    let predictions: Vec<usize> =
        corpus.sweeps[0].points.iter().map(|point| point.predictions.len()).collect();
    assert_eq!(predictions, [2, 1, 2]);
    assert_says(&files.ingest().stderr, "predictions of AIC: 2 of 3 points");
    files.sweep()["points"][1]["aic_tpot_relative"] = json!(1.0);
    assert_says(&files.refusal(), "gpt.yaml 1k1k c=2: predicts one of TPOT and TTFT without the other");
}

#[test]
fn relatives_must_agree_with_the_absolutes() {
    let mut files = Files::new();
    files.sweep()["points"][1]["measured_tpot_relative"] = json!(2.000_019);
    assert_eq!(files.ingest().code, 0);
    files.sweep()["points"][1]["measured_tpot_relative"] = json!(2.000_021);
    let refusal = files.refusal();
    assert_says(&refusal, "aisimulate_e2e.json: gpt.yaml 1k1k c=2: `measured_tpot_relative` is 2.000021");
    assert_says(&refusal, "the absolute latencies give 2 (2000 µs over 1000 µs at the anchor)");
}

#[test]
fn printed_errors_must_be_those_of_the_ratios() {
    let mut files = Files::new();
    files.sweep()["points"][2]["aic_ttft_error_pct"] = json!(0.02);
    assert_says(
        &files.refusal(),
        "gpt.yaml 1k1k c=4: `aic_ttft_error_pct` is 0.02, but the ratios beside it give 0.00",
    );
}

/// A way in which the files can contradict themselves, and what must be said of it.
type Case = (fn(&mut Files), &'static str);

fn assert_refused(cases: &[Case]) {
    for (change, expected) in cases {
        let mut files = Files::new();
        change(&mut files);
        assert_says(&files.refusal(), expected);
    }
}

#[test]
fn contradictions_in_the_sweeps_are_refused_with_file_place_and_fault() {
    assert_refused(&[
        (|files| files.add_sweep(&[]), "aisimulate_e2e.json: gpt.yaml 1k1k: this sweep is there twice"),
        (
            |files| files.sweep()["points"][2]["concurrency"] = json!(2),
            "aisimulate_e2e.json: gpt.yaml 1k1k c=2: this concurrency is there twice",
        ),
        (|files| files.sweep()["points"][0]["concurrency"] = json!(0), "`concurrency` is 0, but must be"),
        (|files| files.sweep()["points"] = json!([]), "gpt.yaml 1k1k: the sweep has no points"),
        (
            |files| files.sweep()["label"] = json!("8k1k"),
            "the label does not fit the workload `1024:1024`, which is called `1k1k`",
        ),
        (
            |files| files.sweep()["workload"] = json!("1024"),
            "the workload `1024` is not `<input tokens>:<output tokens>`",
        ),
        (|files| files.sweep()["workload"] = json!("0:1024"), "two whole numbers above 0"),
        (|files| files.sweep()["parallelism"]["tp_size"] = json!(0), "`tp_size` is 0"),
        (
            |files| files.sweep()["points"][1]["aic_tpot_relative"] = json!(-1.0),
            "gpt.yaml 1k1k c=2: `aic_tpot_relative` is -1, but must be a ratio above 0",
        ),
        (
            |files| files.sweep()["points"][1]["measured_ttft_relative"] = json!(-2.0),
            "`measured_ttft_relative` is -2",
        ),
        (
            |files| files.sweep()["points"][1]["measured_ttft_relative"] = Value::Null,
            "`measured_ttft_relative` is missing at a point with status `success`",
        ),
    ]);
}

#[test]
fn contradictions_in_the_other_files_are_refused_with_file_place_and_fault() {
    assert_refused(&[
        (
            |files| files.anchor()["anchor_tpot_us"] = json!(-1.0),
            "inferencex_absolutes.json: gpt.yaml 1k1k: `anchor_tpot_us` is -1",
        ),
        (
            |files| files.anchor()["anchor_tpot_us"] = json!(1001.0),
            "`anchor_tpot_us` is 1001, but the value at concurrency 1 is 1000",
        ),
        (|files| files.anchor()["anchor_concurrency"] = json!(3), "no latency at its concurrency 3"),
        (|files| files.anchor()["source_run_date"] = json!("12.7.2026"), "`source_run_date` is `12.7.2026`"),
        (
            |files| files.anchor()["gpu"] = json!("h200"),
            "`gpu` is `h200`, but aisimulate_e2e.json says `h100`",
        ),
        (
            |files| {
                let twice = files.anchor().clone();
                files.absolutes["anchors"].as_array_mut().unwrap().push(twice);
            },
            "inferencex_absolutes.json: gpt.yaml 1k1k: this sweep is there twice",
        ),
        (
            |files| files.absolutes["metrics"] = json!("median_tpot, milliseconds"),
            "mean TPOT and TTFT in microseconds are needed",
        ),
        (|files| files.absolutes["benchmark_type"] = json!("agentic_traces"), "`single_turn` is needed"),
        (
            |files| files.settings["release_tag"] = json!("db-dump/2026-09-21"),
            "inferencex_engine_settings.json: is of release `db-dump/2026-09-21`, but inferencex_absolutes.json is of `db-dump/2026-09-28`",
        ),
        (
            |files| {
                files.corpus["measurement_source_url"] =
                    json!("https://example.org/releases/tag/db-dump/2026-09-21");
            },
            "aisimulate_e2e.json: is of release `db-dump/2026-09-21`",
        ),
        (
            |files| files.settings["settings"] = json!([]),
            "inferencex_engine_settings.json: its list `settings` is empty",
        ),
        (|files| files.corpus["sweeps"] = json!([]), "its list `sweeps` is empty"),
        (
            |files| files.record()["scenario"] = json!("other.yaml"),
            "inferencex_engine_settings.json: other.yaml 1k1k: no sweep of aisimulate_e2e.json",
        ),
        (|files| files.record()["by_concurrency"] = json!({}), "lists no concurrency"),
        (
            |files| files.record()["source_config_id"] = json!(8),
            "`source_config_id` is `8`, but inferencex_absolutes.json says `7`",
        ),
        (
            |files| files.record()["source_run_date"] = json!("2026-07-13"),
            "`source_run_date` is `2026-07-13`",
        ),
        (
            |files| {
                files.settings["incomplete"] =
                    json!([{"scenario": "gpt.yaml", "label": "1k1k", "reason": "cut"}]);
            },
            "is among the `incomplete` ones (`cut`) and among the `settings`",
        ),
        (
            |files| files.sweep()["framework"] = json!("trt"),
            "no sweep is left of 4 rows (absolute_without_point 1, other_framework 3)",
        ),
        (|files| files.corpus["sweep"] = json!(1), "unknown field `sweep`"),
        (|files| files.anchor()["median_us"] = json!(1), "at anchors[0].median_us"),
        (
            |files| files.anchor()["absolute_tpot_us"]["04"] = json!(1),
            "`04` is not a concurrency: write a whole number above 0",
        ),
        (
            |files| files.sweep()["points"][0]["concurrency"] = json!(1.5),
            "at sweeps[0].points[0].concurrency",
        ),
        (|files| files.sweep()["scenario"] = json!("\u{1b}[2J"), "is no name: use 1 to 200 characters"),
        (
            |files| files.record()["by_concurrency"]["1"]["passed"]["block_size"] = json!({}),
            "expected a boolean",
        ),
    ]);
}

#[test]
fn two_sweeps_that_a_simulator_cannot_tell_apart_are_refused() {
    let mut files = Files::new();
    files.add_sweep(&[("scenario", json!("copy.yaml"))]);
    for (list, file) in [("anchors", &mut files.absolutes), ("settings", &mut files.settings)] {
        let mut copy = file[list][0].clone();
        copy["scenario"] = json!("copy.yaml");
        file[list].as_array_mut().unwrap().push(copy);
    }
    let refusal = files.refusal();
    assert_says(&refusal, "is the same to a simulator as");
    assert_says(&refusal, "copy.yaml 1k1k");
}

#[test]
fn keys_that_stand_twice_are_refused() {
    let files = Files::new();
    let settings = files.settings.to_string();
    let twice = files.absolutes.to_string().replacen("{\"1\":", "{\"2\":1.0,\"1\":", 1);
    assert_ne!(twice, files.absolutes.to_string());
    let run = Files::ingest_texts([files.corpus.to_string(), twice, settings.clone()]);
    assert_eq!(run.code, 4);
    assert_says(&run.stderr, "at anchors[0].absolute_tpot_us");
    assert_says(&run.stderr, "the key `2` is there twice");
    let twice = settings.replacen("\"max_num_seqs\":256", "\"max_num_seqs\":256,\"max_num_seqs\":512", 1);
    assert_ne!(twice, settings);
    let run = Files::ingest_texts([files.corpus.to_string(), files.absolutes.to_string(), twice]);
    assert_says(&run.stderr, "the key `max_num_seqs` is there twice");
    assert_eq!(run.written, None);
}

#[test]
fn a_file_that_is_missing_empty_cut_or_huge_is_named() {
    let files = Files::new();
    let texts = || [files.corpus.to_string(), files.absolutes.to_string(), files.settings.to_string()];
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(folder.path());
    assert_eq!(run.code, 3);
    assert_says(&run.stderr, "aisimulate_e2e.json: no such file");

    for (index, name) in FILES.iter().enumerate() {
        for (text, code, expected) in [
            (String::new(), 4, "is empty"),
            (texts()[index][..100].to_owned(), 4, "ends in the middle of its JSON"),
            ("{\"schema\":\"corpus.v1\"}".to_owned(), 4, "unknown field `schema`"),
            ("{\"source\":NaN}".to_owned(), 4, "NaN and Infinity are not JSON"),
        ] {
            let mut broken = texts();
            broken[index] = text;
            let run = Files::ingest_texts(broken);
            assert_eq!((run.code, run.written), (code, None), "{name}: {}", run.stderr);
            assert_says(&run.stderr, name);
            assert_says(&run.stderr, expected);
        }
    }

    for (name, text) in FILES.iter().zip(texts()) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    // A sparse file: 65 MiB of nothing.
    let huge = fs::File::create(folder.path().join(FILES[1])).unwrap();
    huge.set_len(65 << 20).unwrap();
    let run = Run::of(folder.path());
    assert_eq!((run.code, run.written), (3, None));
    assert_says(&run.stderr, "inferencex_absolutes.json: is larger than the limit of 67108864 bytes");
}

/// The folder of the published files, where it is at hand.
fn published() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/artifact-corpus");
    folder.join(FILES[0]).exists().then_some(folder)
}

fn embedded() -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample/corpus.json")).unwrap()
}

#[test]
fn the_published_files_give_the_embedded_corpus_to_the_byte() {
    let Some(folder) = published() else {
        eprintln!("skipped: the three published files are not beside the checkout");
        return;
    };
    let output = tempfile::tempdir().unwrap();
    for name in FILES {
        fs::copy(folder.join(name), output.path().join(name)).unwrap();
    }
    let run = Run::of(output.path());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_says(&run.stderr, "605 rows read: 573 kept as points of 113 sweeps, 32 skipped");
    assert!(
        run.written.unwrap() == embedded(),
        "the embedded corpus is not what the files give: make it again"
    );
}

#[test]
fn the_embedded_corpus_is_valid_and_counted() {
    let bytes = embedded();
    let corpus: Corpus = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(scorer::files::json_bytes(&corpus).unwrap(), bytes, "it is not as this version writes it");
    assert_eq!((corpus.rows.read(), corpus.rows.kept()), (605, 573));
    let [skipped] = corpus.rows.skipped() else { panic!("{:?}", corpus.rows) };
    assert_eq!(
        (skipped.reason.as_str(), skipped.count, skipped.named.len()),
        ("absolute_without_point", 32, 32)
    );
    let points: usize = corpus.sweeps.iter().map(|sweep| sweep.points.len()).sum();
    assert_eq!((corpus.sweeps.len(), points), (113, 573));
    assert!(corpus.sweeps.is_sorted_by(|a, b| a.id < b.id));
    for sweep in &corpus.sweeps {
        assert_eq!(shared::sweep::Identity::of(sweep).id(), sweep.id);
        assert_eq!(verdict::judge(sweep), (sweep.verdict, sweep.verdict_reasons.clone()));
        assert!(sweep.points.is_sorted_by(|a, b| a.concurrency < b.concurrency));
        assert!(sweep.points.iter().all(|point| point.predictions.len() == 2));
    }
    let counts: Vec<(u64, u64)> =
        verdict::counts(&corpus.sweeps).iter().map(|count| (count.sweeps, count.points)).collect();
    assert_eq!(counts, [(0, 0), (68, 360), (45, 213)]);
    let schema = serde_json::to_value(schemars::schema_for!(Corpus)).unwrap();
    let value: Value = serde_json::from_slice(&bytes).unwrap();
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, [""; 0]);
}
