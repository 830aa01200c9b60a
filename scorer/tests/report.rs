//! `scorer report`: the published figures in what people read, the same in what programs read, and
//! files that cannot be reported on.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use scorer::validate;
use serde_json::{Value, json};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample/corpus.json")
}

struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

fn report(file: &Path, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scorer"));
    command.arg("report").arg(file).args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    let done = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: done.status.code().unwrap(), stdout: text(done.stdout), stderr: text(done.stderr) }
}

fn of_corpus(format: &str) -> String {
    let run = report(&corpus(), &["--format", format]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.stdout
}

/// Words of a line, so that the width of columns does not matter.
fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_published_table_stands_in_the_text() {
    let text = of_corpus("text");
    let table = text.split("Estimators by tier").nth(1).unwrap();
    let lines: Vec<String> = table.lines().skip(3).map(words).collect();
    assert_eq!(
        lines,
        [
            "STRICT",
            "AIC 0 -- -- -- --",
            "AISimulate 0 -- -- -- --",
            "MEASURED-OR-RESOLVED",
            "AIC 360 12.00 (+6.85) 19.88 (+11.32) 31.28 (-26.28) 39.03 (+4.56)",
            "AISimulate 360 11.91 (+7.35) 19.72 (+11.32) 31.54 (+15.18) 45.07 (-19.25)",
            "ALL (approximate)",
            "AIC 573 10.56 (+4.71) 15.71 (+8.55) 30.12 (-26.64) 36.66 (+8.63)",
            "AISimulate 573 10.43 (+4.68) 15.39 (+7.70) 23.05 (+9.94) 37.86 (-21.65)",
        ]
    );
    let lines: Vec<String> = text.lines().map(words).collect();
    for line in [
        "EXACT 0 0 --",
        "PARTIAL 68 360 deepseek-v4, gpt-oss, kimi, minimax",
        "NOT_REPRODUCIBLE 45 213 llama",
        "block_size 48",
        "enable_prefix_caching 1",
        "max_num_batched_tokens 11",
        "max_num_seqs 31",
        "gpt-oss-120b-h200-fp4-vllm-tp2.yaml 8k1k c=32",
    ] {
        assert!(lines.iter().any(|found| found == line), "`{line}` is not in:\n{text}");
    }
}

#[test]
fn the_text_fits_a_terminal() {
    let text = of_corpus("text");
    let longest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(longest.chars().count() <= 80, "{} characters: {longest}", longest.chars().count());
    insta::assert_snapshot!("text", text);
}

#[test]
fn the_markdown_has_tables_with_as_many_cells_in_every_row() {
    let markdown = of_corpus("markdown");
    let mut columns = 0;
    for line in markdown.lines() {
        let cells = line.matches(" | ").count();
        if line.starts_with("| ") {
            assert!(line.ends_with(" |"), "{line}");
            assert!(columns == 0 || cells == columns, "{line}");
            columns = cells;
        } else {
            columns = 0;
        }
    }
    insta::assert_snapshot!("markdown", markdown);
}

#[test]
fn json_is_the_model_and_csv_has_the_same_figures_in_full() {
    let json: Value = serde_json::from_str(&of_corpus("json")).unwrap();
    assert_eq!(json["schema"], "report.v1");
    assert_eq!(validate::problems(&validate::schemas()["report.v1.json"], &json), []);
    let measured = json["tiers"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["tier"] == "measured-or-resolved" && row["estimator"] == "aisimulate");
    let figures = &measured.unwrap()["ttft"];
    assert_eq!((&figures["points"], &figures["shape_points"]), (&json!(356), &json!(288)));

    let text = of_corpus("csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let cell = |row: &csv::StringRecord, name: &str| {
        row.get(names.iter().position(|found| found == name).unwrap()).unwrap().to_owned()
    };
    let row = rows.iter().find(|row| {
        ["table", "tier", "estimator", "metric"].map(|name| cell(row, name))
            == ["tier", "measured-or-resolved", "aisimulate", "ttft"]
    });
    for (name, field) in
        [("mape_percent", "mape"), ("shape_percent", "shape"), ("signed_mean_percent", "signed_mean")]
    {
        let value: f64 = cell(row.unwrap(), name).parse().unwrap();
        assert_eq!(Some(value), figures[field].as_f64(), "{name}");
    }
    let count = |table: &str| rows.iter().filter(|row| cell(row, "table") == table).count();
    assert_eq!((count("verdict"), count("unpassed"), count("ttft_spike"), count("dropped")), (3, 4, 4, 0));
    // 3 tiers × 2 estimators × 2 metrics; 5 families likewise.
    assert_eq!((count("tier"), count("family")), (12, 20));
}

#[test]
fn colours_are_asked_for() {
    assert!(!of_corpus("text").contains('\u{1b}'));
    let colored = report(&corpus(), &["--color", "always"]).stdout;
    assert!(colored.starts_with("\u{1b}[1mHow accurately"), "{}", &colored[..40]);
    let file = tempfile::tempdir().unwrap();
    let output = file.path().join("report.txt");
    let run = report(&corpus(), &["--color", "always", "-o", output.to_str().unwrap()]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(output).unwrap(), of_corpus("text"));
}

/// Runs a report on a changed corpus.
fn changed(format: &str, change: impl FnOnce(&mut Value)) -> Run {
    let mut value: Value = serde_json::from_slice(&fs::read(corpus()).unwrap()).unwrap();
    change(&mut value);
    written(value.to_string().as_bytes(), format)
}

fn written(bytes: &[u8], format: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file.json");
    fs::write(&file, bytes).unwrap();
    report(&file, &["--format", format])
}

#[test]
fn a_sweep_that_is_not_predicted_whole_is_left_out_for_everybody_and_named() {
    let run = changed("text", |corpus| {
        let points = corpus["sweeps"][0]["points"].as_array_mut().unwrap();
        points[1]["predictions"].as_object_mut().unwrap().remove("aic");
    });
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.contains("Left out whole: 1 sweep that some estimator does not predict at every point")
    );
    assert!(words(&run.stdout).contains("1k1k: AIC misses c=8 (not_published)"), "{}", run.stdout);
    let lines: Vec<String> = run.stdout.lines().map(words).collect();
    // The sweep has 5 of the 573 points.
    assert!(lines.iter().any(|line| line.starts_with("AISimulate 568 ")), "{}", run.stdout);
}

#[test]
fn text_from_a_file_cannot_steer_the_reader() {
    let hostile = |corpus: &mut Value| {
        let count = corpus["sweeps"].as_array().unwrap().len();
        for index in 0..count {
            if corpus["sweeps"][index]["family"] == "llama" {
                corpus["sweeps"][index]["family"] = json!("=cmd|'/c calc'!A1\u{1b}[2J");
            }
        }
    };
    let text = changed("text", hostile).stdout;
    assert!(text.contains("=cmd|'/c calc'!A1\\u{1b}[2J") && !text.contains('\u{1b}'), "{text}");
    let markdown = changed("markdown", hostile).stdout;
    assert!(markdown.contains("=cmd\\|'/c calc'\\!A1\\\\u{1b}\\[2J"), "{markdown}");
    let csv = changed("csv", hostile).stdout;
    assert!(csv.contains(",'=cmd|") || csv.contains(",\"'=cmd|"), "{csv}");
    assert!(!csv.lines().any(|line| line.contains(",=cmd")));
}

#[test]
fn what_cannot_be_reported_on_is_refused_with_reason() {
    let corpus_bytes = fs::read(corpus()).unwrap();
    let cut = &corpus_bytes[..corpus_bytes.len() / 2];
    let cases: [(&[u8], i32, &str); 8] = [
        (b"", 4, "is empty"),
        (cut, 4, "ends in the middle of its JSON"),
        (b"{\"schema\":\"plan.v1\"}", 4, "its `schema` is `plan.v1`, but a report is made of a corpus"),
        (b"{\"schema\":\"corpus.v2\"}", 4, "schema `corpus.v2` is newer than `corpus.v1`"),
        (b"{\"schema\":\"summary.v1\"}", 4, "missing field `run`"),
        (b"{\"sweeps\":[]}", 4, "missing field `schema`"),
        (b"[1]", 4, "does not have the expected content"),
        (b"\xff\xfe", 4, "is not UTF-8 text"),
    ];
    for (bytes, code, expected) in cases {
        let run = written(bytes, "text");
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{}", run.stderr);
        assert!(run.stderr.contains(expected), "`{expected}` is not in:\n{}", run.stderr);
        assert!(run.stderr.contains("file.json"), "{}", run.stderr);
    }
    let missing = report(Path::new("no/such/file.json"), &[]);
    assert_eq!(missing.code, 3);
    assert!(missing.stderr.contains("no/such/file.json: no such file"), "{}", missing.stderr);
}

#[test]
fn points_that_cannot_be_are_refused() {
    type Case = (fn(&mut Value), &'static str);
    let cases: [Case; 5] = [
        (
            |corpus| corpus["sweeps"][0]["points"][0]["ttft_ms"] = json!(-1.0),
            "at sweeps[0].points[0].ttft_ms",
        ),
        (
            |corpus| corpus["sweeps"][0]["points"][0]["tpot_ms"] = Value::Null,
            "at sweeps[0].points[0].tpot_ms",
        ),
        (
            |corpus| corpus["sweeps"][0]["points"][1] = corpus["sweeps"][0]["points"][0].clone(),
            "twice or out of order",
        ),
        (|corpus| corpus["sweeps"][1] = corpus["sweeps"][0].clone(), "is there twice"),
        (
            |corpus| corpus["sweeps"][0]["id"] = json!("../../etc/passwd"),
            "invalid sweep id `../../etc/passwd`",
        ),
    ];
    for (change, expected) in cases {
        let run = changed("text", change);
        assert_eq!((run.code, run.stdout.as_str()), (4, ""), "{}", run.stderr);
        assert!(run.stderr.contains(expected), "`{expected}` is not in:\n{}", run.stderr);
    }
}
