//! `scorer workload` and the rules that hold for every command: data on stdout, messages on stderr,
//! exit codes, colours.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use assert_cmd::assert::OutputAssertExt as _;

use super::vectors::data;

const POINT: [&str; 7] = ["workload", "--isl", "1024", "--osl", "1024", "--conc", "4"];

fn scorer(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scorer"));
    command.args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn output(arguments: &[&str]) -> (i32, String, String) {
    let output = scorer(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn csv_has_a_header_and_a_line_per_request() {
    let (code, stdout, stderr) = output(&POINT);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout.lines().count(), 41);
    assert!(stdout.starts_with("input_tokens,output_tokens\n991,851\n866,1012\n936,828\n"));
    assert!(stdout.ends_with('\n'));
}

#[test]
fn json_has_parameters_sums_and_lists() {
    let (code, stdout, _) = output(&[&POINT[..], &["--format", "json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let vectors: serde_json::Value =
        serde_json::from_slice(&std::fs::read(data("client-lengths.json")).unwrap()).unwrap();
    assert_eq!(code, 0);
    assert_eq!(json["input_lens"], vectors[0]["input_lens"]);
    assert_eq!(json["output_lens"], vectors[0]["output_lens"]);
    assert_eq!(json["total_input_tokens"], 37_068);
    assert_eq!(json["total_output_tokens"], 36_709);
    assert_eq!(json["concurrency"], 4);
    assert_eq!(json["num_prompts"], 40);
    assert!(stdout.ends_with("]}\n"));
}

#[test]
fn options_reach_the_draw() {
    let arguments = ["--isl", "8192", "--osl", "1024", "--conc", "4", "--template-k", "12"];
    let (_, stdout, _) = output(&[&["workload"], &arguments[..]].concat());
    assert!(stdout.starts_with("input_tokens,output_tokens\n7240,1012\n7115,828\n"), "{stdout}");
    let (_, stdout, _) = output(&[&POINT[..], &["--num-prompts", "2", "--ratio", "1"]].concat());
    assert_eq!(stdout, "input_tokens,output_tokens\n1024,1024\n1024,1024\n");
}

#[test]
fn a_file_has_the_bytes_of_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.csv");
    let (code, stdout, _) = output(&[&POINT[..], &["-o", path.to_str().unwrap()]].concat());
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), output(&POINT).1);
}

#[test]
fn wrong_values_are_usage_errors_that_say_what_is_wrong() {
    for (arguments, expected) in [
        (&["--isl", "0"][..], "the input length is 0"),
        (&["--ratio", "NaN"], "the ratio is NaN, it must be a number from 0 to 1"),
        (&["--ratio", "-0.5"], "the ratio is -0.5"),
        (&["--template-k", "1024"], "leaves nothing of the input length 1024"),
        (&["--num-prompts", "0"], "no requests"),
        (&["--conc", "0"], "0 is not in 1.."),
        (&["--conc", "4294967295"], "at most 10000000 are drawn"),
        (&["--isl", "-3"], "-3 is not in 0.."),
        (&["--isl", "4294967296"], "4294967296 is not in 0.."),
        (&["--format", "xml"], "invalid value 'xml'"),
    ] {
        // A later value of an option would be a repetition, so the earlier one goes.
        let kept: Vec<&str> =
            POINT[1..].chunks(2).filter(|pair| pair[0] != arguments[0]).flatten().copied().collect();
        let (code, stdout, stderr) = output(&[&["workload"], &kept[..], arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.starts_with("error: ") && stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn a_place_where_nothing_can_be_written_is_an_output_error() {
    let (code, _, stderr) = output(&[&POINT[..], &["-o", "no/such/folder/x.csv"]].concat());
    assert_eq!(code, 5);
    assert_eq!(
        stderr,
        "error: no/such/folder/x.csv: its folder does not exist\n  \
         advice: create the folder, or name another one\n"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_output_error_with_its_cause() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = scorer(&POINT).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("error: stdout: cannot be written\n  cause: "), "{stderr}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let arguments = ["workload", "--isl", "1024", "--osl", "1024", "--conc", "100000"];
    let mut child = scorer(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "input_tokens,output_tokens\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn colour_is_for_those_who_ask() {
    let refused = ["workload", "--isl", "0", "--osl", "1", "--conc", "1"];
    let stderr = |color: &[&str]| output(&[color, &refused].concat()).2;
    assert!(!stderr(&[]).contains('\u{1b}'), "a pipe is no terminal");
    assert!(stderr(&["--color", "always"]).contains('\u{1b}'));
    let forced = |name: &str| {
        let output = scorer(&refused).env("CLICOLOR_FORCE", "1").env(name, "1").output();
        String::from_utf8(output.unwrap().stderr).unwrap()
    };
    assert!(forced("UNRELATED").contains('\u{1b}'));
    assert!(!forced("NO_COLOR").contains('\u{1b}'));
}

#[test]
fn details_are_told_only_on_request() {
    let told = |flags: &[&str]| output(&[&POINT[..], flags].concat()).2;
    assert_eq!(told(&["--quiet"]), "");
    assert_eq!(told(&["-v"]), "40 requests, 37068 input tokens, 36709 output tokens\n");
    scorer(&POINT).args(["--quiet", "--verbose"]).assert().code(2);
}

#[test]
fn help_version_and_completions_are_data() {
    let (code, stdout, stderr) = output(&["--help"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("\n   4  an input is invalid"), "{stdout}");
    assert_eq!(output(&["--version"]).1, concat!("scorer ", env!("CARGO_PKG_VERSION"), "\n"));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, stdout, _) = output(&["completions", shell]);
        assert!(code == 0 && stdout.contains("template-k"), "{shell}");
    }
}
