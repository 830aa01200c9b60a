//! `scorer ingest client-results`, and `--explain`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;
use shared::corpus::Corpus;

use crate::kit::assert_says;

const DEPLOYMENT: &str =
    "model = 'gpt-oss-120b'\nhardware = 'h200'\nprecision = 'fp4'\n[workload]\nisl = 1024\nosl = 1024\n";

/// A folder with a deployment file, three results and two files that are none.
fn bench() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    fs::create_dir(&results).unwrap();
    fs::write(folder.path().join("deployment.toml"), DEPLOYMENT).unwrap();
    // The sums of the client's seed-0 draws.
    for (concurrency, input, output) in [(1, 9149, 9214), (4, 37_068, 36_709), (16, 148_103, 146_543)] {
        let result = json!({
            "date": "20260607-055658", "request_rate": "inf", "max_concurrency": concurrency,
            "num_prompts": 10 * concurrency, "completed": 10 * concurrency, "total_input_tokens": input,
            "total_output_tokens": output, "mean_ttft_ms": 30.0, "mean_tpot_ms": 5.0,
        });
        fs::write(results.join(format!("c{concurrency}.json")), result.to_string()).unwrap();
    }
    fs::write(results.join("notes.json"), "{}").unwrap();
    fs::write(results.join("more.json"), "[]").unwrap();
    folder
}

fn ingest(folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scorer"));
    command.current_dir(folder).args([
        "ingest",
        "client-results",
        "results",
        "--deployment",
        "deployment.toml",
    ]);
    command.args(more).env("NO_COLOR", "1").output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_folder_of_results_becomes_a_valid_corpus() {
    let folder = bench();
    let done = ingest(folder.path(), &["-o", "corpus.json"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert_says(text(&done.stderr), "5 rows read: 3 kept as points of 1 sweep, 2 skipped");
    let bytes = fs::read(folder.path().join("corpus.json")).unwrap();
    let corpus: Corpus = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(corpus.sweeps[0].title(), "gpt-oss-120b h200 vllm fp4 tp1 1k1k");
    let mut validate = Command::new(env!("CARGO_BIN_EXE_scorer"));
    let valid = validate.current_dir(folder.path()).args(["validate", "corpus.json"]).output().unwrap();
    assert_eq!(valid.status.code(), Some(0), "{}", text(&valid.stderr));
}

#[test]
fn explain_prints_the_way_from_rows_to_points() {
    let folder = bench();
    let done = ingest(folder.path(), &["-o", "corpus.json", "--explain"]);
    let lines: Vec<&str> = text(&done.stdout).lines().map(str::trim).collect();
    let expected = [
        "5  rows read",
        "- 2  not_a_result: in files of a folder that have no mean TTFT and mean TPOT, or what is read in another form",
        "= 3  rows left",
        "3  rows kept, as 3 points of 1 sweep",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn explain_names_the_rows_of_a_reason() {
    let folder = bench();
    let done = ingest(folder.path(), &["-o", "corpus.json", "--explain", "not_a_result"]);
    let named: Vec<&str> = text(&done.stdout).lines().collect();
    assert_eq!(named, ["results/more.json", "results/notes.json"]);
    let unknown = ingest(folder.path(), &["-o", "other.json", "--explain", "late"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert_says(
        text(&unknown.stderr),
        "there is no reason `late`: the reasons are not_a_result, no_concurrency",
    );
    assert!(!folder.path().join("other.json").exists());
    let none = ingest(folder.path(), &["-o", "corpus.json", "--explain", "not_closed_loop"]);
    assert_eq!((none.status.code(), text(&none.stdout)), (Some(0), ""));
    let both = ingest(folder.path(), &["-o", "-", "--explain"]);
    assert_eq!(both.status.code(), Some(2));
    assert_says(text(&both.stderr), "two outputs would be written to stdout");
}

#[test]
fn a_wrong_deployment_file_is_told_and_nothing_is_written() {
    let folder = bench();
    fs::write(folder.path().join("deployment.toml"), format!("{DEPLOYMENT}oops = 1\n")).unwrap();
    let done = ingest(folder.path(), &["-o", "corpus.json"]);
    assert_eq!(done.status.code(), Some(4));
    assert_says(text(&done.stderr), "deployment.toml: is not a deployment file");
    assert_says(text(&done.stderr), "oops");
    assert!(!folder.path().join("corpus.json").exists());
    fs::write(folder.path().join("deployment.toml"), DEPLOYMENT).unwrap();
    let missing = ingest(folder.path(), &["-o", "corpus.json", "--log", "4=none.log"]);
    assert_eq!(missing.status.code(), Some(3));
    assert_says(text(&missing.stderr), "none.log: no such file");
}

#[test]
fn a_result_of_the_folder_is_not_written_over() {
    let folder = bench();
    let before = fs::read(folder.path().join("results/c4.json")).unwrap();
    let done = ingest(folder.path(), &["-o", "results/c4.json"]);
    assert_eq!(done.status.code(), Some(2), "{}", text(&done.stderr));
    assert_says(text(&done.stderr), "results/c4.json: this is an input, and the output would replace it");
    assert_eq!(fs::read(folder.path().join("results/c4.json")).unwrap(), before);
}
