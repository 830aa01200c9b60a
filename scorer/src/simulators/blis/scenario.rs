//! Dialect C: the scenario file of a deployment, with the settings of a point written into its pool.
//!
//! Which coefficients a deployment takes is decided by the registry's scenarios, so one must be there; it is not made up.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use shared::deployment::{Deployment, EngineSettings};
use shared::outcome::{Outcome, Reason};

use super::yaml;
use crate::simulators::not_scored;

/// The largest scenario file, in bytes.
const LIMIT: u64 = 1 << 20;

/// The name of a deployment's scenario file, without its ending.
#[must_use]
pub fn stem(deployment: &Deployment) -> String {
    let layout = deployment.parallelism;
    let mut stem = format!(
        "{}-{}-{}-{}-tp{}",
        deployment.model, deployment.hardware, deployment.precision, deployment.framework, layout.tp
    );
    for (name, size) in [("pp", layout.pp), ("ep", layout.ep), ("dp", layout.dp)] {
        if size > 1 {
            // Writing to a string cannot fail.
            let _ = write!(stem, "-{name}{size}");
        }
    }
    stem
}

/// The scenario of a deployment with the settings of a point, as a stream of JSON documents, which is YAML.
///
/// # Errors
/// The outcome that says why there is none.
pub fn of_point(folder: &Path, deployment: &Deployment, engine: &EngineSettings) -> Result<String, Outcome> {
    let stem = stem(deployment);
    let text = read(folder, &stem)?;
    with_settings(&text, deployment, engine)
        .map_err(|problem| not_scored(Reason::UnsupportedLayout, format!("scenario {stem}: {problem}")))
}

fn read(folder: &Path, stem: &str) -> Result<String, Outcome> {
    // A name from a corpus must not lead out of the folder.
    if stem.contains(['/', '\\', '\0']) || stem.starts_with('.') {
        let detail = format!("`{stem}` cannot be the name of a scenario");
        return Err(not_scored(Reason::UnsupportedModel, detail));
    }
    for ending in ["yaml", "yml"] {
        let path = folder.join(format!("{stem}.{ending}"));
        if fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= LIMIT) {
            return fs::read_to_string(&path).map_err(|error| {
                not_scored(Reason::RunError, format!("scenario {stem}.{ending} cannot be read: {error}"))
            });
        }
    }
    Err(not_scored(Reason::UnsupportedLayout, format!("there is no scenario {stem}.yaml")))
}

fn with_settings(text: &str, deployment: &Deployment, engine: &EngineSettings) -> Result<String, String> {
    let mut documents = yaml::documents(text)?;
    let kinds: Vec<&str> = documents.iter().filter_map(|document| document["kind"].as_str()).collect();
    if kinds != ["Scenario", "Deployment"] {
        return Err("it is not a Scenario followed by a Deployment".to_owned());
    }
    let pools = documents[1]["pools"].as_array_mut().ok_or("its deployment has no pools")?;
    let [pool] = pools.as_mut_slice() else {
        return Err(format!("its deployment has {} pools, and one is needed", pools.len()));
    };
    check_layout(pool, deployment)?;
    let settings = pool.as_object_mut().ok_or("its pool has no parts")?.entry("engine").or_insert(json!({}));
    let settings = settings.as_object_mut().ok_or("its pool's engine has no settings")?;
    let mut set = |name: &str, value: Value| settings.insert(name.to_owned(), value);
    set("max_num_seqs", engine.max_num_seqs.into());
    set("max_num_batched_tokens", engine.max_num_batched_tokens.into());
    set("block_size", engine.block_size.into());
    set("enable_prefix_caching", engine.enable_prefix_caching.into());
    set("gpu_memory_utilization", engine.gpu_memory_utilization.into());
    if let Some(length) = engine.max_model_len {
        set("max_model_len", length.into());
    }
    let texts: Vec<String> = documents.iter().map(Value::to_string).collect();
    Ok(format!("{}\n", texts.join("\n---\n")))
}

/// The pool must be laid out as the point is.
fn check_layout(pool: &Value, deployment: &Deployment) -> Result<(), String> {
    let layout = deployment.parallelism;
    for (name, size) in [("tp", layout.tp), ("pp", layout.pp), ("dp", layout.dp)] {
        let found = pool["parallel"][name].as_u64().unwrap_or(1);
        if found != u64::from(size) {
            return Err(format!("its pool has {name} {found}, and the point has {size}"));
        }
    }
    let spread = pool["parallel"]["enable_expert_parallel"].as_bool().unwrap_or(false);
    if spread != (layout.ep > 1) {
        return Err(format!("its pool has enable_expert_parallel {spread}, and the point is {layout}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use shared::deployment::Parallelism;

    use super::*;
    use crate::testing::request;

    const SCENARIO: &str = "\
# a scenario of the registry
kind: Scenario
name: gpt-oss-120b-h200-fp4-vllm-tp1
model: gpt-oss-120b
coefficients: [cost-model-primitives]
---
kind: Deployment
name: gpt-oss-120b-h200-fp4-vllm-tp1
pools:
  - role: colocated
    parallel: { tp: 1, pp: 1, dp: 1, enable_expert_parallel: false }
    engine: { quantization: nvfp4, max_num_seqs: 512, block_size: 16 }
";

    fn written(text: &str) -> Result<String, Outcome> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("gpt-oss-120b-h200-fp4-vllm-tp1.yaml"), text).unwrap();
        let request = request(4);
        of_point(folder.path(), &request.deployment, &request.engine)
    }

    #[test]
    fn the_settings_of_the_point_replace_those_of_the_pool_and_the_rest_stays() {
        let documents = yaml::documents(&written(SCENARIO).unwrap()).unwrap();
        assert_eq!(documents[0]["coefficients"], json!(["cost-model-primitives"]));
        let engine = &documents[1]["pools"][0]["engine"];
        assert_eq!(engine["max_num_seqs"], 256);
        assert_eq!(engine["max_num_batched_tokens"], 8192);
        assert_eq!(engine["enable_prefix_caching"], true);
        assert_eq!(engine["quantization"], "nvfp4");
        assert!(engine["max_model_len"].is_null());
    }

    #[track_caller]
    fn refused(text: &str, said: &str) {
        match written(text).unwrap_err() {
            Outcome::NotScored(why) => assert!(why.detail.contains(said), "{}", why.detail),
            Outcome::Scored(_) => panic!("scored"),
        }
    }

    #[test]
    fn a_scenario_of_another_shape_or_layout_is_refused() {
        refused(&SCENARIO.replace("tp: 1", "tp: 2"), "tp 2");
        refused(&SCENARIO.replace("parallel: false", "parallel: true"), "enable_expert_parallel true");
        refused(&SCENARIO.replace("  - role: colocated", "  - role: x\n  - role: colocated"), "2 pools");
        refused("kind: Scenario\n", "followed by a Deployment");
        refused("{", "scenario gpt-oss-120b-h200-fp4-vllm-tp1");
    }

    #[test]
    fn a_deployment_without_a_scenario_is_not_scored() {
        let folder = tempfile::tempdir().unwrap();
        let mut request = request(4);
        request.deployment.parallelism = Parallelism { tp: 2, pp: 1, dp: 2, ep: 4, dp_attention: true };
        let Err(Outcome::NotScored(why)) = of_point(folder.path(), &request.deployment, &request.engine)
        else {
            panic!("scored")
        };
        assert_eq!(why.reason, Reason::UnsupportedLayout);
        assert_eq!(why.detail, "there is no scenario gpt-oss-120b-h200-fp4-vllm-tp2-ep4-dp2.yaml");
        request.deployment.model = "../secret".to_owned();
        assert!(of_point(folder.path(), &request.deployment, &request.engine).is_err());
    }
}
