//! A name or a version as people write it.

use serde::Deserialize;

/// The longest label, in characters.
const LONGEST: usize = 80;

/// A name or a version as people write it in simulators.toml: 1 to 80 characters, none of them for control.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Label(String);

/// A text is no label.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name or a version has 1 to {LONGEST} characters, of which none is for control")]
pub struct LabelError;

impl TryFrom<String> for Label {
    type Error = LabelError;

    fn try_from(text: String) -> Result<Self, LabelError> {
        let fits = !text.trim().is_empty() && text.chars().count() <= LONGEST;
        if fits && !text.chars().any(char::is_control) { Ok(Self(text)) } else { Err(LabelError) }
    }
}

impl From<Label> for String {
    fn from(label: Label) -> Self {
        label.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_what_can_stand_in_a_table() {
        for text in ["BLIS", "v0.7.15", "模拟器", &"x".repeat(LONGEST)] {
            assert_eq!(Label::try_from(text.to_owned()).map(String::from).as_deref(), Ok(text));
        }
        for text in ["", " ", "two\nlines", "\u{1b}[31m", &"x".repeat(LONGEST + 1)] {
            assert_eq!(Label::try_from(text.to_owned()), Err(LabelError), "{text:?}");
        }
    }
}
