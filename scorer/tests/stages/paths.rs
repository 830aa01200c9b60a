//! What names on the command line mean: an output is no input, `-` is stdin or stdout.

use std::io::Write as _;
use std::process::Stdio;

use crate::kit::{Bench, Ended};

#[test]
fn no_output_destroys_an_input_or_another_output() {
    let bench = Bench::summarized(3);
    let before: Vec<(String, Vec<u8>)> =
        bench.names().into_iter().map(|name| (name.clone(), bench.read(&name))).collect();
    let input = "this is an input, and the output would replace it";
    for arguments in [
        &["plan", "corpus.json", "-o", "corpus.json"][..],
        &["plan", "corpus.json", "-o", "./corpus.json"],
        &["run", "plan.json", "-o", "plan.json"],
        &["merge", "outcomes.jsonl", "-o", "outcomes.jsonl"],
        &["summarize", "corpus.json", "outcomes.jsonl", "-o", "corpus.json"],
        &["summarize", "corpus.json", "outcomes.jsonl", "-o", "s.json", "--points", "outcomes.jsonl"],
        &["report", "corpus.json", "-o", "corpus.json"],
        &["compare", "summary.json", "summary.json", "-o", "summary.json"],
    ] {
        bench.ends(arguments).refused(2, &[input, "advice: name another file"]);
    }
    let twice = ["summarize", "corpus.json", "outcomes.jsonl", "-o", "x.json", "--points", "x.json"];
    bench.ends(&twice).refused(2, &["x.json: two outputs would be written there"]);
    let stdout = ["summarize", "corpus.json", "outcomes.jsonl", "--points", "-"];
    bench.ends(&stdout).refused(2, &["two outputs would be written to stdout"]);
    for (name, bytes) in before {
        assert_eq!(bench.read(&name), bytes, "{name}");
    }
    assert!(!bench.path("x.json").exists());
}

fn piped(bench: &Bench, file: &str, arguments: &[&str]) -> Ended {
    let mut child = bench.command(arguments);
    let mut child =
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&bench.read(file)).unwrap();
    let output = child.wait_with_output().unwrap();
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_dash_is_stdin_where_a_file_is_read_and_stdout_where_one_is_written() {
    let bench = Bench::summarized(3);
    for (file, arguments) in [
        ("corpus.json", &["report", "-"][..]),
        ("corpus.json", &["plan", "-", "-o", "again.json"]),
        ("corpus.json", &["validate", "-"]),
        ("plan.json", &["run", "-", "-o", "again.jsonl"]),
        ("outcomes.jsonl", &["summarize", "corpus.json", "-", "-o", "again-summary.json", "--points", "-"]),
        ("summary.json", &["compare", "-", "summary.json"]),
    ] {
        let ended = piped(&bench, file, arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
    }
    assert_eq!(bench.read("again.jsonl"), bench.read("outcomes.jsonl"));
    bench.ends(&["summarize", "-", "-"]).refused(2, &["stdin can be read only once"]);
    bench.ends(&["run", "plan.json", "-o", "-"]).refused(2, &["stdout is not possible here"]);
    bench.ends(&["plan", "corpus.json", "-o", ""]).refused(2, &["an empty name is no file"]);
    assert!(!bench.path("-").exists());
}
