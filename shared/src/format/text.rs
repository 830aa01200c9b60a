//! Texts that others wrote, cut to a length that a message can have.

/// How much is shown of a name that somebody else chose, in characters.
const LONGEST_NAME: usize = 120;

/// The text, or its first `longest` characters and an ellipsis.
#[must_use]
pub fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A name that somebody else chose, cut where it is long.
#[must_use]
pub fn name(text: &str) -> String {
    shortened(text, LONGEST_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_ten_thousand_characters_is_cut() {
        assert_eq!(name(&"x".repeat(10_000)).chars().count(), LONGEST_NAME + 1);
    }

    #[test]
    fn only_what_is_too_long_is_cut_and_says_so() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüß", 3), "äöü…");
        assert_eq!(shortened("", 0), "");
        assert_eq!(shortened("a", 0), "…");
    }
}
