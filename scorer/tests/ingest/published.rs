//! The published files, where they are at hand, and the embedded corpus that was made of them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use shared::corpus::Corpus;
use shared::verdict;

use crate::kit::{FILES, Run, assert_says};

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
