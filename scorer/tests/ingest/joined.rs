//! What becomes of a sweep and of every row.

use serde_json::{Value, json};
use shared::setting::Origin;
use shared::sweep::Flag;
use shared::tier::Verdict;

use crate::kit::{FILES, Files, assert_says, point};

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
    assert_says(&run.stderr, "4 rows read: 3 kept as points of 1 sweep, 1 skipped");
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
