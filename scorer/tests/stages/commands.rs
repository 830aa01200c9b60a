//! The simulators of examples/simulators, as docs/simulator-contract.md tells to use them.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::kit::Bench;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/simulators");

fn schema(name: &str) -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas").join(name);
    jsonschema::validator_for(&serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).unwrap()
}

#[test]
fn the_examples_are_planned_run_summarized_and_reported() {
    let bench = Bench::with_sweeps(2);
    let simulators = format!("{EXAMPLES}/simulators.toml");
    bench.done(&["plan", "corpus.json", "--simulators", &simulators, "-o", "plan.json"]);
    let run = ["run", "plan.json", "--simulators", &simulators, "-o", "outcomes.jsonl", "--no-cache"];
    let ended = bench.done(&run);
    for example in ["python-example", "shell-example"] {
        let outcomes = bench.lines_of("outcomes.jsonl", example);
        assert!(
            outcomes.len() > 3 && outcomes.iter().all(|line| line["outcome"]["scored"].is_object()),
            "{ended:?}"
        );
    }
    bench.summarize("summary.json", "2026-11-30T00:00:00Z");
    let report = bench.done(&["report", "summary.json"]).stdout;
    assert!(report.contains("Example in shell"), "{report}");
}

#[test]
fn an_example_answers_what_the_schemas_say() {
    let (requests, answers) = (schema("simulator-request.v1.json"), schema("simulator-answer.v1.json"));
    let request = r#"{"schema":"simulator-request.v1","id":"q","point":{"sweep":"0123456789abcdef","deployment":{"model":"gpt-oss-120b","hardware":"h200","framework":"vllm","precision":"fp4","parallelism":{"tp":1,"pp":1,"dp":1,"ep":1,"dp_attention":false},"spec":{"method":"none"}},"workload":{"isl":1024,"osl":1024,"range_ratio":0.8,"prompts_per_concurrency":10},"concurrency":4,"engine":{"max_num_seqs":256,"max_num_batched_tokens":8192,"block_size":16,"enable_prefix_caching":true,"gpu_memory_utilization":0.9,"enable_expert_parallel":false}},"requests":[[991,851],[866,1012]]}"#;
    assert!(requests.is_valid(&serde_json::from_str(request).unwrap()));
    for command in [["python3", "replay.py"], ["sh", "estimate.sh"]] {
        let mut child = Command::new(command[0])
            .arg(Path::new(EXAMPLES).join(command[1]))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        writeln!(child.stdin.take().unwrap(), "{request}").unwrap();
        let output = child.wait_with_output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answers.is_valid(&answer), "{answer}");
    }
}
