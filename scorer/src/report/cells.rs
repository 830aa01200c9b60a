//! Text from files, made safe for where it is shown: it must not steer a terminal, break a Markdown
//! table or mention somebody, or be run by a spreadsheet.

use crate::console::printable;

/// Text for a Markdown table on GitHub: it stands for itself, on one line.
#[must_use]
pub fn markdown(text: &str) -> String {
    let text = printable(text);
    let characters: Vec<char> = text.chars().collect();
    let mut shown = String::with_capacity(text.len());
    for (index, character) in characters.iter().enumerate() {
        let is_inside_word = || {
            let is_word = |index: usize| characters.get(index).is_some_and(|c| c.is_alphanumeric());
            index > 0 && is_word(index - 1) && is_word(index + 1)
        };
        match character {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            // An entity is shown as the character and mentions nobody, links to no issue.
            '@' => shown.push_str("&#64;"),
            '#' => shown.push_str("&#35;"),
            '_' if is_inside_word() => shown.push('_'),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' | '!' => {
                shown.push('\\');
                shown.push(*character);
            }
            other => shown.push(*other),
        }
    }
    shown
}

/// Text for a cell of a CSV file: a spreadsheet must not take it for a formula.
///
/// Source: OWASP, "CSV Injection": `=`, `+`, `-`, `@`, tab and carriage return at the start.
#[must_use]
pub fn csv(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_text_stands_for_itself() {
        assert_eq!(markdown("max_num_seqs"), "max_num_seqs");
        assert_eq!(markdown("a|b\nc"), "a\\|b\\\\nc");
        assert_eq!(markdown("_x_ *y* `z`"), "\\_x\\_ \\*y\\* \\`z\\`");
        assert_eq!(markdown("<img src=x> @team #1 &"), "&lt;img src=x&gt; &#64;team &#35;1 &amp;");
        assert_eq!(markdown("![x](y)"), "\\!\\[x\\](y)");
    }

    #[test]
    fn a_spreadsheet_is_given_no_formula() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(csv(text), format!("'{text}"));
        }
        assert_eq!(csv("gpt-oss"), "gpt-oss");
        assert_eq!(csv(""), "");
    }
}
