//! The arguments line: what was passed to the engine and differs from its defaults.

use std::collections::BTreeMap;

use serde::Serialize;
use shared::setting::SettingValue;

use super::literal::{Literal, LiteralError};

/// The text before the arguments.
pub(super) const MARKER: &str = "non-default args: ";

/// The most arguments that are kept.
const MOST: usize = 200;
/// The longest name of an argument, and the longest text as its value, in bytes.
const LONGEST: (usize, usize) = (64, 256);
/// What is kept of nested values, and what we call it: of the speculation the names of the reference's extractor.
const NESTED: [(&str, &str, &str); 4] = [
    ("speculative_config", "method", "speculative_method"),
    ("speculative_config", "num_speculative_tokens", "num_speculative_tokens"),
    ("speculative_config", "model", "draft_model"),
    ("kv_transfer_config", "kv_connector", "kv_connector"),
];

/// What was passed to the engine: every argument with a plain value, by its name with underscores.
///
/// Of `speculative_config` the method, the number of tokens and the draft model are kept, of
/// `kv_transfer_config` the connector; other nested values say nothing that a simulator knows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Arguments(BTreeMap<String, SettingValue>);

/// The arguments line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Unreadable {
    /// It is longer than the part of a line that is kept.
    #[error("the line is longer than what is read of one")]
    TooLong,
    /// No dict stands there.
    #[error("no dict stands there")]
    NoDict,
    /// The dict is none.
    #[error("{0}")]
    Broken(String),
}

impl Arguments {
    /// Reads what follows the marker.
    pub(super) fn read(text: &str, cut: bool) -> Result<Self, Unreadable> {
        if !text.starts_with('{') {
            return Err(Unreadable::NoDict);
        }
        let broken = |error: LiteralError| Unreadable::Broken(error.to_string());
        let dict = match Literal::read(text) {
            Ok((dict, _)) => dict,
            Err(LiteralError::Ends) if cut => return Err(Unreadable::TooLong),
            Err(error) => return Err(broken(error)),
        };
        let Literal::Dict(entries) = dict else { return Err(Unreadable::NoDict) };
        let mut arguments = Self::default();
        for (key, value) in &entries {
            let Literal::Text(name) = key else { continue };
            let members = NESTED.iter().filter(|(nested, ..)| nested == name);
            members.for_each(|(_, member, called)| arguments.keep(called, value.get(member)));
            arguments.keep(name, Some(value));
        }
        Ok(arguments)
    }

    fn keep(&mut self, name: &str, value: Option<&Literal>) {
        let value = match value {
            Some(Literal::Flag(value)) => SettingValue::Flag(*value),
            Some(Literal::Integer(value)) => SettingValue::Integer(*value),
            Some(Literal::Number(value)) if value.is_finite() => SettingValue::Number(*value),
            Some(Literal::Text(value) | Literal::Symbol(value)) if value.len() <= LONGEST.1 => {
                SettingValue::Text(value.clone())
            }
            _ => return,
        };
        if name.len() <= LONGEST.0 && self.0.len() < MOST {
            self.0.insert(name.to_owned(), value);
        }
    }

    /// The value that was passed.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&SettingValue> {
        self.0.get(name)
    }

    /// All that was passed, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &SettingValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// About how much memory they take, in bytes.
    pub(super) fn size(&self) -> usize {
        let text = |value: &SettingValue| match value {
            SettingValue::Text(text) => text.len(),
            _ => 0,
        };
        self.0.iter().map(|(name, value)| 96 + name.len() + text(value)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_values_and_the_speculation_are_kept() {
        for config in [
            "{'method': 'mtp', 'num_speculative_tokens': 2}",
            "SpeculativeConfig(method='mtp', num_speculative_tokens=2)",
        ] {
            let text = format!(
                "{{'model': 'a', 'max_num_seqs': 4, 'gpu_memory_utilization': 0.9, 'enable_prefix_caching': False, \
                 'served_model_name': ['b'], 'compilation_config': {{'mode': 3}}, 'speculative_config': {config}, 7: 8}} and more"
            );
            let arguments = Arguments::read(&text, false).unwrap();
            let names: Vec<&str> = arguments.iter().map(|(name, _)| name).collect();
            let expected = [
                "enable_prefix_caching",
                "gpu_memory_utilization",
                "max_num_seqs",
                "model",
                "num_speculative_tokens",
                "speculative_method",
            ];
            assert_eq!(names, expected);
            assert_eq!(arguments.get("num_speculative_tokens"), Some(&SettingValue::Integer(2)));
        }
    }

    #[test]
    fn a_line_that_cannot_be_read_says_why() {
        assert_eq!(Arguments::read("Namespace(a=1)", false), Err(Unreadable::NoDict));
        assert_eq!(Arguments::read("{1, 2}", false), Err(Unreadable::NoDict));
        assert_eq!(Arguments::read("{'a': ", true), Err(Unreadable::TooLong));
        let broken = Arguments::read("{'a': ", false).unwrap_err();
        assert_eq!(broken.to_string(), "it ends in the middle of a value");
    }

    #[test]
    fn endless_arguments_are_not_kept() {
        let many: Vec<String> = (0..1000).map(|index| format!("'a{index}': '{}'", "x".repeat(300))).collect();
        let text = format!("{{{}, 'b': 1}}", many.join(", "));
        assert_eq!(Arguments::read(&text, false).unwrap().iter().count(), 1);
        let many: Vec<String> = (0..1000).map(|index| format!("'a{index}': 1")).collect();
        assert_eq!(Arguments::read(&format!("{{{}}}", many.join(", ")), false).unwrap().iter().count(), MOST);
    }
}
