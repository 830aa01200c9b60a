//! Whether what was passed to the engine is the deployment that the deployment file describes.

use shared::deployment::Parallelism;
use shared::format::shortened;
use shared::setting::SettingValue;

use super::deployment::DeploymentFile;
use crate::measurements::engine_log::Arguments;

const METHOD: &str = "speculative_method";
const TOKENS: &str = "num_speculative_tokens";
const DRAFT: &str = "draft_model";
const EXPERTS: &str = "enable_expert_parallel";

/// How much of a model's name is shown, in characters.
const SHOWN: usize = 100;

/// A statement that is not that of the deployment file's tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) what: &'static str,
    pub(super) found: String,
    pub(super) stated: String,
}

/// What was found, where it is known, and what the deployment file's tables say.
type Compared = (&'static str, Option<String>, String);

/// In what the arguments of a log differ first. What they do not have has its default.
pub(super) fn with_log(file: &DeploymentFile, passed: &Arguments) -> Option<Difference> {
    let Parallelism { tp, pp, dp, .. } = file.parallelism();
    let sizes = [
        ("tensor_parallel_size", tp),
        ("pipeline_parallel_size", pp),
        ("data_parallel_size", dp),
        ("decode_context_parallel_size", 1),
        ("prefill_context_parallel_size", 1),
    ];
    let sizes = sizes.map(|(name, stated)| {
        let found = passed.get(name).map_or(Some(1), SettingValue::as_count);
        (name, found.map(|found| found.to_string()), stated.to_string())
    });
    let spread = passed.get(EXPERTS).map_or(Some(false), SettingValue::as_flag);
    let text = |name| passed.get(name).map(ToString::to_string);
    // A draft without a method is of one that the engine finds out.
    let speculates = [TOKENS, DRAFT].iter().any(|name| passed.get(name).is_some());
    let method = text(METHOD).or_else(|| (!speculates).then(|| or_none(None)));
    let [experts, method, tokens] = tables(file, spread, method, text(TOKENS));
    first(sizes.into_iter().chain([experts, method, tokens]))
}

/// In what the deployment file's settings differ first from its other tables. What they do not have they do not say.
pub(super) fn with_settings(file: &DeploymentFile) -> Option<Difference> {
    let stated = |name| file.settings.as_ref()?.get(name);
    let text = |name| stated(name).map(ToString::to_string);
    let spread = stated(EXPERTS).and_then(SettingValue::as_flag);
    first(tables(file, spread, text(METHOD), text(TOKENS)).into_iter())
}

fn tables(
    file: &DeploymentFile,
    spread: Option<bool>,
    method: Option<String>,
    tokens: Option<String>,
) -> [Compared; 3] {
    let Parallelism { tp, dp, ep, .. } = file.parallelism();
    let spec = file.spec();
    let experts = spread.map(|spread| if spread { tp.saturating_mul(dp) } else { 1 });
    [
        (
            "the expert-parallel size by enable_expert_parallel",
            experts.map(|size| size.to_string()),
            ep.to_string(),
        ),
        (METHOD, method, spec.method),
        (TOKENS, tokens, or_none(spec.tokens)),
    ]
}

/// A number as a text; without one the word for it.
fn or_none(number: Option<u32>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}

fn first(mut compared: impl Iterator<Item = Compared>) -> Option<Difference> {
    compared.find_map(|(what, found, stated)| {
        let found = found.filter(|found| *found != stated)?;
        Some(Difference { what, found, stated })
    })
}

/// What to tell of a source that names another model; none when the names may be of one.
///
/// A served name is a path or has its maker before it, so one name within the other is enough.
pub(super) fn other_model(source: &str, served: &str, stated: &str) -> Option<String> {
    let plain = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let (one, other) = (plain(served), plain(stated));
    if one.contains(&other) || other.contains(&one) {
        return None;
    }
    let served = shortened(served, SHOWN);
    Some(format!(
        "{source} is of `{served}`, but the deployment file's model is `{stated}`: check that they are the same"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_served_name_may_say_more_than_the_models() {
        for served in ["openai/gpt-oss-120b", "/models/GPT-OSS-120B-fp4/", "gpt_oss_120b", "gpt-oss"] {
            assert_eq!(other_model("server.log", served, "gpt-oss-120b"), None, "{served}");
        }
        let told = other_model("server.log", "meta-llama/Llama-3.1-8B", "gpt-oss-120b").unwrap();
        assert!(told.starts_with("server.log is of `meta-llama/Llama-3.1-8B`, but"), "{told}");
    }
}
