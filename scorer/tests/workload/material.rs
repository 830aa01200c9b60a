//! More vectors of the same kinds, where the project's material lies beside the checkout.

use std::fs;
use std::path::{Path, PathBuf};

use scorer::files::read_json;
use scorer::workload::{ClientParameters, RequestList};
use serde::Deserialize;

use super::vectors::digest;

/// A vector drawn with numpy. The long ones have digests and no lists.
#[derive(Deserialize)]
struct Golden {
    isl: u32,
    osl: u32,
    range_ratio: f64,
    num_prompts: u32,
    sum_input: u64,
    sum_output: u64,
    sha256_input_lens: String,
    sha256_output_lens: String,
    input_lens: Option<Vec<u32>>,
    output_lens: Option<Vec<u32>>,
}

#[derive(Deserialize)]
struct GoldenSums {
    cases: Vec<Golden>,
}

/// A result file of the client.
#[derive(Deserialize)]
struct Raw {
    max_concurrency: u32,
    num_prompts: u32,
    total_input_tokens: u64,
    total_output_tokens: u64,
    input_lens: Option<Vec<u32>>,
    output_lens: Option<Vec<u32>>,
}

/// The folder beside the checkout; without it, the embedded vectors are the test.
fn material() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    folder.is_dir().then_some(folder)
}

fn json_files(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(prefix))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "nothing in {}", folder.display());
    paths
}

fn check_golden(golden: &Golden, name: &str) {
    let list = RequestList::draw(&ClientParameters {
        isl: golden.isl,
        osl: golden.osl,
        range_ratio: golden.range_ratio,
        num_prompts: golden.num_prompts,
        template_k: 0,
    })
    .unwrap();
    assert_eq!(list.total_input_tokens(), golden.sum_input, "{name}");
    assert_eq!(list.total_output_tokens(), golden.sum_output, "{name}");
    assert_eq!(digest(list.inputs()), golden.sha256_input_lens, "{name}");
    assert_eq!(digest(list.outputs()), golden.sha256_output_lens, "{name}");
    assert!(golden.input_lens.as_deref().is_none_or(|lengths| lengths == list.inputs()), "{name}");
    assert!(golden.output_lens.as_deref().is_none_or(|lengths| lengths == list.outputs()), "{name}");
}

fn check_raw(path: &Path, isl: u32, osl: u32, template_k: u32) {
    let name = path.display();
    let raw: Raw = read_json(path).unwrap();
    let ordinary = ClientParameters::ordinary(isl, osl, raw.max_concurrency).unwrap();
    assert_eq!(ordinary.num_prompts, raw.num_prompts, "{name}");
    let list = RequestList::draw(&ClientParameters { template_k, ..ordinary }).unwrap();
    assert_eq!(list.total_input_tokens(), raw.total_input_tokens, "{name}");
    assert_eq!(list.total_output_tokens(), raw.total_output_tokens, "{name}");
    assert!(raw.input_lens.is_none_or(|lengths| lengths == list.inputs()), "{name}");
    assert!(raw.output_lens.is_none_or(|lengths| lengths == list.outputs()), "{name}");
}

#[test]
fn every_golden_vector_beside_the_checkout_agrees() {
    let Some(material) = material() else { return };
    let folder = material.join("client-lengths");
    for path in json_files(&folder, "lens_") {
        check_golden(&read_json(&path).unwrap(), &path.display().to_string());
    }
    let index: Vec<Golden> = read_json(&folder.join("index.json")).unwrap();
    let sums: GoldenSums = read_json(&folder.join("sums.json")).unwrap();
    for (position, golden) in index.iter().chain(&sums.cases).enumerate() {
        check_golden(golden, &format!("case {position} of index.json and sums.json"));
    }
}

#[test]
fn every_real_run_beside_the_checkout_agrees() {
    let Some(material) = material() else { return };
    for path in json_files(&material.join("raw-client"), "sglang_") {
        check_raw(&path, 8192, 1024, 12);
    }
    for path in json_files(&material.join("measured-gptoss-h200"), "sweep_") {
        check_raw(&path, 8000, 1000, 0);
    }
}
