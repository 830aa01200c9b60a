//! Texts that others wrote, cut to a length that a message can have.

/// The text, or its first `longest` characters and an ellipsis.
#[must_use]
pub fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_too_long_is_cut_and_says_so() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüß", 3), "äöü…");
        assert_eq!(shortened("", 0), "");
        assert_eq!(shortened("a", 0), "…");
    }
}
