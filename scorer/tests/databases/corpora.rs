//! The functions that are fuzzed (fuzz/src/lib.rs), run over the committed corpora and their neighbours by the compiler of
//! the project.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

#[path = "../../../fuzz/src/lib.rs"]
mod fuzzed;

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 4] = [
    ("archive", fuzzed::archive),
    ("copy_text", fuzzed::copy_text),
    ("python_literal", fuzzed::python_literal),
    ("log_lines", fuzzed::log_lines),
];

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "nothing in {}", folder.display());
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn every_committed_case_is_read_without_a_panic() {
    for (name, target) in TARGETS {
        for bytes in corpus(name) {
            target(&bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A case with some bytes replaced, a piece taken out, and another case after it.
    #[test]
    fn no_neighbour_of_a_case_makes_a_reader_panic(
        target in 0..TARGETS.len(),
        case in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        replaced in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        taken in any::<(prop::sample::Index, u8)>(),
        joined in any::<bool>(),
    ) {
        let (name, target) = TARGETS[target];
        let cases = corpus(name);
        let mut bytes = case.get(&cases).clone();
        for (place, byte) in replaced {
            if !bytes.is_empty() {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
        }
        let from = taken.0.index(bytes.len() + 1);
        let to = bytes.len().min(from + usize::from(taken.1));
        if taken.1 < 32 {
            bytes.drain(from..to);
        }
        if joined {
            let other: &Vec<u8> = other.get(&cases);
            bytes.extend_from_slice(other);
        }
        target(&bytes);
    }
}
