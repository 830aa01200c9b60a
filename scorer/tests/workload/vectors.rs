//! Embedded vectors: numpy's own draws, lengths that the client saved in real runs, token sums of
//! measured runs. Their origin is in tests/data/README.md.

use std::path::{Path, PathBuf};

use scorer::files::read_json;
use scorer::workload::{ClientParameters, RequestList};
use serde::Deserialize;
use shared::digest::Digest;

/// The path of a file of our own test data.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn rows<T: for<'de> Deserialize<'de>>(name: &str) -> Vec<T> {
    csv::Reader::from_path(data(name)).unwrap().deserialize().map(Result::unwrap).collect()
}

/// SHA-256 of the decimal lengths joined with commas, as the vectors have it.
pub fn digest(lengths: &[u32]) -> String {
    let decimals: Vec<String> = lengths.iter().map(ToString::to_string).collect();
    Digest::of_bytes(decimals.join(",").as_bytes()).to_string()
}

#[derive(Deserialize)]
struct Vector {
    isl: u32,
    osl: u32,
    range_ratio: f64,
    num_prompts: u32,
    #[serde(default)]
    template_k: u32,
    input_lens: Vec<u32>,
    output_lens: Vec<u32>,
}

impl Vector {
    fn check(&self, name: &str) {
        let list = RequestList::draw(&ClientParameters {
            isl: self.isl,
            osl: self.osl,
            range_ratio: self.range_ratio,
            num_prompts: self.num_prompts,
            template_k: self.template_k,
        })
        .unwrap();
        assert_eq!(list.inputs(), self.input_lens, "inputs of {name}");
        assert_eq!(list.outputs(), self.output_lens, "outputs of {name}");
    }
}

#[derive(Deserialize)]
struct Digests {
    isl: u32,
    osl: u32,
    range_ratio: f64,
    concurrency: u32,
    num_prompts: u32,
    total_input_tokens: u64,
    total_output_tokens: u64,
    sha256_inputs: String,
    sha256_outputs: String,
}

#[derive(Deserialize)]
struct Sums {
    isl: u32,
    osl: u32,
    concurrency: u32,
    total_input_tokens: u64,
    total_output_tokens: u64,
}

#[test]
fn whole_lists_equal_numpys_and_the_clients() {
    let vectors: Vec<Vector> = read_json(&data("client-lengths.json")).unwrap();
    assert_eq!(vectors.len(), 8);
    for (index, vector) in vectors.iter().enumerate() {
        vector.check(&format!("list {index}"));
    }
}

#[test]
fn sums_and_digests_equal_numpys_up_to_concurrency_8192() {
    let cases: Vec<Digests> = rows("client-lengths.csv");
    assert_eq!(cases.len(), 74);
    for case in cases {
        let ordinary = ClientParameters::ordinary(case.isl, case.osl, case.concurrency).unwrap();
        assert_eq!(ordinary.num_prompts, case.num_prompts);
        let parameters = ClientParameters { range_ratio: case.range_ratio, ..ordinary };
        let list = RequestList::draw(&parameters).unwrap();
        assert_eq!(list.total_input_tokens(), case.total_input_tokens, "{parameters:?}");
        assert_eq!(list.total_output_tokens(), case.total_output_tokens, "{parameters:?}");
        assert_eq!(digest(list.inputs()), case.sha256_inputs, "{parameters:?}");
        assert_eq!(digest(list.outputs()), case.sha256_outputs, "{parameters:?}");
    }
}

#[test]
fn sums_equal_those_of_measured_runs() {
    let cases: Vec<Sums> = rows("measured-sums.csv");
    assert_eq!(cases.len(), 9);
    for case in cases {
        let parameters = ClientParameters::ordinary(case.isl, case.osl, case.concurrency).unwrap();
        let list = RequestList::draw(&parameters).unwrap();
        assert_eq!(list.total_input_tokens(), case.total_input_tokens, "{parameters:?}");
        assert_eq!(list.total_output_tokens(), case.total_output_tokens, "{parameters:?}");
    }
}
