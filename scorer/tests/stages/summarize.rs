//! `summarize`: only the outcomes of exactly this corpus make a snapshot.

use crate::kit::Bench;

#[test]
fn a_snapshot_and_its_table_have_the_same_bytes_every_time() {
    let bench = Bench::summarized(5);
    let arguments =
        ["summarize", "corpus.json", "outcomes.jsonl", "-o", "again.json", "--points", "points.csv"];
    let mut command = bench.command(&arguments);
    // 1796000000 s after 1970: see `date -u -d @1796000000`.
    assert!(command.env("SOURCE_DATE_EPOCH", "1796000000").status().unwrap().success());
    let (first, again) = (bench.json("summary.json"), bench.json("again.json"));
    assert_eq!(again["run"]["generated_at"], "2026-11-30T00:53:20Z");
    assert_eq!(first["run"]["id"], again["run"]["id"]);
    bench.summarize("third.json", "2026-11-30T00:00:00Z");
    assert_eq!(bench.read("summary.json"), bench.read("third.json"));
    let points = first["coverage"]["points"].as_u64().unwrap();
    let table = String::from_utf8(bench.read("points.csv")).unwrap();
    assert_eq!(table.lines().count() as u64, 1 + 2 * points);
}

#[test]
fn the_table_of_points_has_the_errors_of_the_formula() {
    let bench = Bench::run(5);
    bench.done(&["summarize", "corpus.json", "outcomes.jsonl", "-o", "s.json", "--points", "points.csv"]);
    let mut table = csv::Reader::from_path(bench.path("points.csv")).unwrap();
    let mut anchor = None;
    let mut shapes = 0;
    for row in table.deserialize::<std::collections::BTreeMap<String, String>>() {
        let row = row.unwrap();
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        let error = 100.0 * (number("predicted_tpot_ms") / number("measured_tpot_ms") - 1.0);
        assert!((error - number("tpot_error_percent")).abs() < 1e-9, "{row:?}");
        let curve = (row["sweep"].clone(), row["estimator"].clone());
        match &anchor {
            Some((of, predicted, measured)) if *of == curve => {
                let growth: f64 =
                    (number("predicted_ttft_ms") / predicted) / (number("measured_ttft_ms") / measured);
                assert!(
                    (100.0 * (growth - 1.0) - number("ttft_shape_error_percent")).abs() < 1e-9,
                    "{row:?}"
                );
                shapes += 1;
            }
            _ => {
                assert_eq!(row["ttft_shape_error_percent"], "");
                anchor = Some((curve, number("predicted_ttft_ms"), number("measured_ttft_ms")));
            }
        }
    }
    assert!(shapes > 10);
}

#[test]
fn outcomes_that_are_missing_twice_or_foreign_are_named() {
    let bench = Bench::run(4);
    let text = String::from_utf8(bench.read("outcomes.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let with = |lines: &[&str]| {
        bench.put("changed.jsonl", lines.join("\n") + "\n");
        bench.ends(&["summarize", "corpus.json", "changed.jsonl", "-o", "s.json"])
    };
    let key: serde_json::Value = serde_json::from_str(lines[3]).unwrap();
    let sweep = key["sweep"].as_str().unwrap();
    let without = [&lines[..3], &lines[4..]].concat();
    with(&without).refused(7, &["1 outcome is missing:", &format!("of sweep {sweep} at concurrency")]);
    with(&[&lines[..], &lines[3..4]].concat()).refused(4, &["1 outcome is there twice", sweep]);
    let other = lines[3].replacen(sweep, "0123456789abcdef", 1);
    with(&[&without[..], &[other.as_str()]].concat()).refused(4, &["0123456789abcdef"]);
    with(&lines[..1]).refused(7, &["outcomes are missing", "more"]);
    assert!(!bench.path("s.json").exists());
}

#[test]
fn outcomes_of_another_corpus_are_refused() {
    let bench = Bench::run(4);
    bench.edit("corpus.json", |corpus| corpus["sweeps"][0]["points"][0]["ttft_ms"] = 1.5.into());
    bench
        .ends(&["summarize", "corpus.json", "outcomes.jsonl"])
        .refused(7, &["the outcomes are of the corpus"]);
}

#[test]
fn the_primary_estimator_is_one_of_the_outcomes() {
    let bench = Bench::run(3);
    let arguments = ["summarize", "corpus.json", "outcomes.jsonl", "-o", "s.json", "--primary"];
    bench.done(&[&arguments[..], &["aisimulate"]].concat());
    let id = bench.json("s.json")["run"]["id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("2026-09-28_aisimulate-"), "{id}");
    bench.ends(&[&arguments[..], &["blis"]].concat()).refused(2, &["no estimator `blis`", "aic, aisimulate"]);
}

#[test]
fn a_commit_is_recorded_as_asserted_and_only_when_it_is_one() {
    let bench = Bench::run(3);
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let arguments = ["summarize", "corpus.json", "outcomes.jsonl", "-o", "s.json"];
    assert!(bench.command(&arguments).env("HARNESS_COMMIT", commit).status().unwrap().success());
    let scorer = &bench.json("s.json")["run"]["scorer"];
    assert_eq!((&scorer["commit"], &scorer["commit_source"]), (&commit.into(), &"asserted".into()));
    let refused = crate::kit::ended(bench.command(&arguments).env("HARNESS_COMMIT", "main"));
    refused.refused(2, &["`main` is no full commit", "HARNESS_COMMIT"]);
    // What a CI system makes of a variable that it does not have.
    assert!(bench.command(&arguments).env("HARNESS_COMMIT", "").status().unwrap().success());
    assert_eq!(bench.json("s.json")["run"]["scorer"]["commit_source"], "unknown");
}

#[test]
fn an_outcome_that_cannot_be_is_refused_by_name() {
    let bench = Bench::run(3);
    let text = String::from_utf8(bench.read("outcomes.jsonl")).unwrap();
    let with = |edit: fn(&mut serde_json::Value)| {
        let (head, rest) = text.split_at(text.find('\n').unwrap() + 1);
        let (first, rest) = rest.split_at(rest.find('\n').unwrap() + 1);
        let mut record: serde_json::Value = serde_json::from_str(first).unwrap();
        edit(&mut record["outcome"]);
        bench.put("changed.jsonl", format!("{head}{record}\n{rest}"));
        let named = format!(
            "{} of sweep {} at concurrency {}",
            record["estimator"].as_str().unwrap(),
            record["sweep"].as_str().unwrap(),
            record["concurrency"]
        );
        let found = bench.ends(&["validate", "changed.jsonl", "--plan", "plan.json"]);
        assert_eq!(found.code, Some(4), "{found:?}");
        (bench.ends(&["summarize", "corpus.json", "changed.jsonl", "-o", "s.json"]), named)
    };
    let (faster, named) = with(|outcome| {
        let tpot = outcome["scored"]["tpot_ms"].as_f64().unwrap();
        outcome["scored"]["tpot_ms"] = (tpot * 0.8).into();
    });
    faster.refused(4, &[&named, "was published with the measurements"]);
    let (lost, named) =
        with(|outcome| *outcome = serde_json::json!({ "not_scored": { "reason": "timeout", "detail": "" } }));
    lost.refused(4, &[&named, "the prediction is none"]);
    let (short, named) = with(|outcome| outcome["scored"]["completed"] = 1.into());
    short.refused(4, &[&named, "1 requests are completed, but the client sends"]);
    assert!(!bench.path("s.json").exists());
}
