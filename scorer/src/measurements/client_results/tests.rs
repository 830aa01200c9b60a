use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use shared::setting::{Origin, Setting};
use shared::sweep::{LengthCheck, Sweep};
use shared::tier::Verdict;

use super::*;
use crate::reference::Reference;
use crate::workload::{ClientParameters, RequestList};

const DEPLOYMENT: &str = "model = 'gpt-oss-120b'\nhardware = 'h200'\nprecision = 'fp4'\nengine_version = '0.22.0'\n\
    [workload]\nisl = 1024\nosl = 1024\n";

const SETTINGS: &str = "[settings]\nmax_num_seqs = 256\nmax_num_batched_tokens = 8192\nblock_size = 16\n\
    enable_prefix_caching = false\n";

/// A folder with a deployment file and results, before a test changes them.
struct Bench {
    folder: tempfile::TempDir,
    deployment: String,
    results: Vec<(String, Value)>,
    logs: Vec<(Option<u32>, String)>,
}

fn result(concurrency: u32) -> Value {
    let list = RequestList::draw(&ClientParameters::ordinary(1024, 1024, concurrency).unwrap()).unwrap();
    json!({
        "date": format!("2026060{}-055658", concurrency % 9 + 1), "request_rate": "inf", "max_concurrency": concurrency,
        "num_prompts": 10 * concurrency, "completed": 10 * concurrency,
        "total_input_tokens": list.total_input_tokens(), "total_output_tokens": list.total_output_tokens(),
        "mean_ttft_ms": 30.0 * f64::from(concurrency), "mean_tpot_ms": 4.0 + f64::from(concurrency),
    })
}

impl Bench {
    fn new() -> Self {
        let results = [1, 4, 16].map(|concurrency| (format!("c{concurrency}.json"), result(concurrency)));
        Self {
            folder: tempfile::tempdir().unwrap(),
            deployment: format!("{DEPLOYMENT}{SETTINGS}"),
            results: results.into(),
            logs: Vec::new(),
        }
    }

    fn read(&self) -> Result<Ingested, ClientResultsError> {
        let folder = self.folder.path().join("results");
        fs::create_dir_all(&folder).unwrap();
        for (name, result) in &self.results {
            fs::write(folder.join(name), result.to_string()).unwrap();
        }
        self.read_from(&[folder])
    }

    fn read_from(&self, results: &[PathBuf]) -> Result<Ingested, ClientResultsError> {
        let deployment = self.folder.path().join("deployment.toml");
        fs::write(&deployment, &self.deployment).unwrap();
        let logs: Vec<ConcurrencyLog> = self
            .logs
            .iter()
            .enumerate()
            .map(|(index, (concurrency, text))| {
                let path = self.folder.path().join(format!("server{index}.log"));
                fs::write(&path, text).unwrap();
                ConcurrencyLog { concurrency: *concurrency, path }
            })
            .collect();
        let results = &ResultFiles::find(results)?;
        let inputs = ClientInputs { results, deployment: &deployment, logs: &logs };
        read(&inputs, &Reference::embedded().unwrap())
    }

    fn sweep(&self) -> Sweep<shared::corpus::PublishedRatio> {
        let corpus = self.read().unwrap().corpus;
        assert_eq!(crate::validate::corpus_problems(&corpus), []);
        corpus.sweeps.into_iter().next().unwrap()
    }

    fn error(&self) -> String {
        self.read().unwrap_err().to_string()
    }
}

fn log(arguments: &str) -> String {
    format!(
        "(APIServer pid=1) INFO [x.py:1]   version 0.22.0\n(APIServer pid=1) INFO [x.py:2] non-default args: {{'model': 'm', {arguments}}}\n\
         (EngineCore pid=2) INFO x GPU KV cache size: 886,768 tokens\n"
    )
}

#[test]
fn results_with_all_settings_stated_are_exact() {
    let sweep = Bench::new().sweep();
    assert_eq!((sweep.verdict, sweep.verdict_reasons), (Verdict::Exact, Vec::new()));
    assert_eq!((sweep.dates.first.as_str(), sweep.dates.last.as_str()), ("2026-06-02", "2026-06-08"));
    let concurrencies: Vec<u32> = sweep.points.iter().map(|point| point.concurrency).collect();
    assert_eq!(concurrencies, [1, 4, 16]);
    assert_eq!(sweep.points[1].ttft_ms.get(), 120.0);
    assert!(
        matches!(&sweep.points[0].lengths, LengthCheck::Verified(text) if text.starts_with("by the sums"))
    );
}

#[test]
fn without_settings_and_logs_nothing_is_known() {
    let bench = Bench { deployment: DEPLOYMENT.to_owned(), ..Bench::new() };
    assert_eq!(bench.sweep().verdict, Verdict::NotReproducible);
}

#[test]
fn a_log_says_what_the_deployment_file_does_not() {
    let mut bench =
        Bench { deployment: DEPLOYMENT.replace("engine_version = '0.22.0'\n", ""), ..Bench::new() };
    bench.logs.push((None, log("'max_num_seqs': 64")));
    bench.logs.push((Some(4), log("'max_num_seqs': 4, 'block_size': 32")));
    let sweep = bench.sweep();
    assert_eq!(sweep.engine_version.as_deref(), Some("0.22.0"));
    assert_eq!(sweep.points[0].settings["max_num_seqs"], Setting::passed(64_u32));
    assert_eq!(sweep.points[1].settings["max_num_seqs"], Setting::passed(4_u32));
    assert_eq!(sweep.points[0].settings["block_size"].origin, Origin::Resolved);
    assert_eq!(sweep.points[0].kv_tokens, Some(886_768));
}

#[test]
fn what_equals_a_default_may_be_stated_beside_the_log() {
    let mut bench = Bench::new();
    bench.logs.push((
        None,
        log("'max_num_seqs': 256, 'max_num_batched_tokens': 8192, 'enable_prefix_caching': False"),
    ));
    assert_eq!(bench.sweep().verdict, Verdict::Exact);
}

#[test]
fn a_log_that_says_another_thing_is_refused() {
    for (arguments, expected) in [
        ("'max_num_seqs': 4", "says that max_num_seqs is `4`, but the deployment file says `256`"),
        (
            "'tensor_parallel_size': 2",
            "says that tensor_parallel_size is `2`, but the deployment file says `1`",
        ),
        (
            "'decode_context_parallel_size': 2",
            "says that decode_context_parallel_size is `2`, but the deployment file says `1`",
        ),
        (
            "'speculative_config': {'method': 'mtp', 'num_speculative_tokens': 2}",
            "says that speculative_method is `mtp`, but the deployment file says `none`",
        ),
        (
            "'speculative_config': {'model': 'x/eagle', 'num_speculative_tokens': 2}",
            "says that num_speculative_tokens is `2`, but the deployment file says `none`",
        ),
    ] {
        let mut bench = Bench::new();
        bench.logs.push((None, log(arguments)));
        assert!(bench.error().contains(expected), "{}", bench.error());
    }
    let mut bench = Bench::new();
    bench.logs.push((None, log("'block_size': 16").replace("0.22.0", "0.24.0")));
    assert!(bench.error().contains("the engine's version is `0.24.0`"), "{}", bench.error());
    bench.logs = vec![(Some(8), log("'block_size': 16"))];
    assert!(bench.error().contains("is the log of concurrency 8, which no result has"), "{}", bench.error());
    bench.logs = vec![(None, log("")), (None, log(""))];
    assert!(bench.error().contains("is the second log"), "{}", bench.error());
    bench.logs = vec![(None, "nothing".to_owned())];
    assert!(bench.error().contains("this is not the log of a vLLM server"), "{}", bench.error());
}

#[test]
fn a_log_must_say_the_speculation_and_the_experts_of_the_deployment_file() {
    let layout = "[parallelism]\ntp = 2\nep = 2\n[speculation]\nmethod = 'eagle3'\ntokens = 3\n";
    let mut bench = Bench { deployment: format!("{DEPLOYMENT}{layout}{SETTINGS}"), ..Bench::new() };
    let arguments = "'tensor_parallel_size': 2, 'enable_expert_parallel': True, \
        'speculative_config': {'method': 'eagle3', 'num_speculative_tokens': 3}";
    bench.logs.push((None, log(arguments)));
    let sweep = bench.sweep();
    assert_eq!((sweep.spec.method.as_str(), sweep.spec.tokens), ("eagle3", Some(3)));
    for (from, to, expected) in [
        ("'eagle3'", "'mtp'", "speculative_method is `mtp`, but the deployment file says `eagle3`"),
        ("_tokens': 3", "_tokens': 2", "num_speculative_tokens is `2`, but the deployment file says `3`"),
        (
            "'speculative_config'",
            "'x'",
            "speculative_method is `none`, but the deployment file says `eagle3`",
        ),
        ("True", "False", "by enable_expert_parallel is `1`, but the deployment file says `2`"),
    ] {
        bench.logs = vec![(None, log(&arguments.replace(from, to)))];
        assert!(bench.error().contains(expected), "{}", bench.error());
    }
}

#[test]
fn the_image_says_the_version_too() {
    let image = "image = 'vllm/vllm-openai:v0.24.0-cu130'\n";
    let mut bench = Bench { deployment: format!("{image}{DEPLOYMENT}{SETTINGS}"), ..Bench::new() };
    let expected = "says in `image` that the engine's version is `0.24.0`, but elsewhere that it is `0.22.0`";
    assert!(bench.error().contains(expected), "{}", bench.error());
    bench.deployment = bench.deployment.replace("engine_version = '0.22.0'\n", "");
    assert_eq!(bench.sweep().engine_version.as_deref(), Some("0.24.0"));
    bench.deployment = DEPLOYMENT.replace("'0.22.0'", "'v0.22.0'");
    bench.logs = vec![(None, log("'block_size': 16"))];
    assert_eq!(bench.sweep().engine_version.as_deref(), Some("0.22.0"));
}

#[test]
fn another_model_in_a_log_or_a_result_is_told() {
    let mut bench = Bench::new();
    bench.logs.push((None, log("'block_size': 16").replace("'model': 'm'", "'model': 'meta-llama/Llama-3'")));
    for (_, result) in &mut bench.results {
        result["model_id"] = json!("openai/gpt-oss-120b");
    }
    bench.results[1].1["model_id"] = json!("Qwen/Qwen3-8B");
    let notes = bench.read().unwrap().notes;
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("server0.log is of `meta-llama/Llama-3`"), "{notes:?}");
    assert!(notes[1].contains("c4.json is of `Qwen/Qwen3-8B`"), "{notes:?}");
}

#[test]
fn repeats_are_averaged_and_other_files_are_counted() {
    let mut bench = Bench::new();
    let mut again = result(4);
    again["mean_tpot_ms"] = json!(16.0);
    bench.results.push(("c4-again.json".to_owned(), again));
    bench.results.push(("notes.json".to_owned(), json!(["no result"])));
    let mut other = result(4);
    other["request_rate"] = json!(4);
    bench.results.push(("rate.json".to_owned(), other));
    let ingested = bench.read().unwrap();
    let point = &ingested.corpus.sweeps[0].points[1];
    assert_eq!((point.repeats, point.tpot_ms.get(), point.spread), (2, 12.0, Some(2.0)));
    let skipped: Vec<(&str, u64)> =
        ingested.corpus.rows.skipped().iter().map(|entry| (entry.reason.as_str(), entry.count)).collect();
    assert_eq!(skipped, [("not_a_result", 1), ("not_closed_loop", 1)]);
    assert_eq!(ingested.corpus.source.parts.len(), 7);
}

#[test]
fn a_file_may_have_several_results() {
    let bench = Bench::new();
    let path = bench.folder.path().join("all.json");
    let lines: Vec<String> = bench.results.iter().map(|(_, result)| result.to_string()).collect();
    fs::write(&path, lines.join("\n")).unwrap();
    assert_eq!(bench.read_from(&[path]).unwrap().corpus.rows.kept(), 3);
}

#[test]
fn what_is_no_result_is_refused_where_it_was_named() {
    let bench = Bench::new();
    let path = bench.folder.path().join("x.json");
    for (text, expected) in [
        ("{}", "it is no result of a benchmark client"),
        ("[]", "it is no result of a benchmark client"),
        ("7", "does not have the expected content"),
        ("{\"mean_ttft_ms\": 1", "ends in the middle of its JSON"),
        ("", "is empty"),
    ] {
        fs::write(&path, text).unwrap();
        let error = bench.read_from(std::slice::from_ref(&path)).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    fs::write(&path, result(4).to_string()).unwrap();
    let copy = bench.folder.path().join("copy.json");
    fs::copy(&path, &copy).unwrap();
    for other in [path.clone(), bench.folder.path().join("./x.json"), copy] {
        let twice = bench.read_from(&[path.clone(), other]).unwrap_err().to_string();
        assert!(twice.contains("would count as a repeat of it"), "{twice}");
    }
    let few = bench.read_from(&[path]).unwrap_err().to_string();
    assert!(few.contains("1 of the 3 concurrencies that a sweep needs"), "{few}");
    let folder = bench.folder.path().join("empty");
    fs::create_dir(&folder).unwrap();
    let empty = bench.read_from(&[folder]).unwrap_err().to_string();
    assert!(empty.contains("has no file that ends in .json"), "{empty}");
}

#[test]
fn a_result_without_a_day_is_refused() {
    let mut bench = Bench::new();
    bench.results[1].1["date"] = json!(null);
    assert!(bench.error().contains("does not say on which day it was measured"), "{}", bench.error());
}

/// The real sweep, where it is: beside the checkout.
#[test]
fn the_measured_sweep_gives_its_nine_points() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("../../shared/data/measured-gptoss-h200");
    if !folder.is_dir() {
        return;
    }
    let deployment = root.join("../examples/deployment.toml");
    let results = ResultFiles::find(std::slice::from_ref(&folder)).unwrap();
    let inputs = ClientInputs { results: &results, deployment: &deployment, logs: &[] };
    let corpus = read(&inputs, &Reference::embedded().unwrap()).unwrap().corpus;
    let sweep = &corpus.sweeps[0];
    let rounded = |values: Vec<f64>, digits: f64| -> Vec<f64> {
        values.into_iter().map(|value| (value * digits).round() / digits).collect()
    };
    let ttft = sweep.points.iter().map(|point| point.ttft_ms.get()).collect();
    let tpot = sweep.points.iter().map(|point| point.tpot_ms.get()).collect();
    // As the measurement's own notes say.
    assert_eq!(
        rounded(ttft, 100.0),
        [342.89, 353.64, 402.85, 476.93, 649.79, 915.55, 1526.22, 2656.00, 25_546.50]
    );
    assert_eq!(rounded(tpot, 1000.0), [4.310, 5.257, 7.127, 10.425, 15.952, 24.983, 41.732, 74.000, 118.322]);
    assert!(sweep.points.iter().all(|point| matches!(point.lengths, LengthCheck::Verified(_))));
    assert_eq!(sweep.verdict_reasons, ["block_size not passed at 9 of 9 points"]);

    // Its logs are of another workload, with other settings: they do not fit this deployment.
    let logs = [ConcurrencyLog { concurrency: Some(4), path: folder.join("server_c4_8k1k.log") }];
    let error = read(&ClientInputs { logs: &logs, ..inputs }, &Reference::embedded().unwrap()).unwrap_err();
    assert!(error.to_string().contains("but the deployment file says"), "{error}");
}
