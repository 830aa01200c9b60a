//! What a step of a workflow tells GitHub: outputs and a summary, each in a file that is added to.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use crate::files::FileError;

/// Adds a text to a file of GitHub's, which is made when it is missing.
///
/// # Errors
/// When the system refuses.
pub fn append(path: &Path, text: &str) -> Result<(), FileError> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|source| FileError::NotWritten { path: path.to_owned(), source })
}

/// Outputs, a line each. A value is a tag, an id or a word; whatever would end the line or begin another is left out.
#[must_use]
pub fn outputs(values: &[(&str, String)]) -> String {
    let line = |(name, value): &(&str, String)| {
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        format!("{name}={value}\n")
    };
    values.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_lines_that_no_value_can_break() {
        let values = [("tag", "v1\nunchanged=true".to_owned()), ("id", String::new())];
        assert_eq!(outputs(&values), "tag=v1unchanged=true\nid=\n");
    }

    #[test]
    fn a_file_is_added_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output");
        append(&path, "a\n").unwrap();
        append(&path, "b\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a\nb\n");
        assert!(append(&folder.path().join("no/such"), "a").is_err());
    }
}
