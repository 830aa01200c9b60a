//! SHA256SUMS, as `sha256sum` writes it: on each line a digest, two spaces (or a space and `*`) and a name.

use shared::digest::Digest;

use super::error::PartsError;

/// The largest SHA256SUMS that is read, in bytes: a line a part, some hundred bytes each.
pub(in crate::measurements::dump) const LARGEST_SUMS: u64 = 1 << 20;

/// The digests by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::measurements::dump) struct Sums(Vec<(String, Digest)>);

impl Sums {
    /// Reads the text of a file of that name.
    pub(in crate::measurements::dump) fn parse(name: &str, text: &str) -> Result<Self, PartsError> {
        let mut sums = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.is_empty() {
                continue;
            }
            let entry =
                entry(line).ok_or_else(|| PartsError::Sums { name: name.to_owned(), line: index + 1 })?;
            if sums.iter().any(|(name, _)| *name == entry.0) {
                return Err(PartsError::Twice(entry.0));
            }
            sums.push(entry);
        }
        Ok(Self(sums))
    }

    /// What the digest of a part must be.
    pub(in crate::measurements::dump) fn of(&self, name: &str) -> Result<Digest, PartsError> {
        let found = self.0.iter().find(|(listed, _)| listed == name);
        found.map(|(_, digest)| digest.clone()).ok_or_else(|| PartsError::Unlisted(name.to_owned()))
    }

    /// The names, in the order of the file.
    pub(in crate::measurements::dump) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

fn entry(line: &str) -> Option<(String, Digest)> {
    let (digest, name) = line.split_once(' ')?;
    let name = name.strip_prefix([' ', '*'])?;
    let digest = Digest::try_from(digest.to_owned()).ok()?;
    (!name.is_empty() && !name.contains('/')).then(|| (name.to_owned(), digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_found_by_name() {
        let digest = Digest::of_bytes(b"x");
        let text = format!("{digest}  a.part00\n{digest} *a.part01\n\n");
        let sums = Sums::parse("SHA256SUMS", &text).unwrap();
        assert_eq!(sums.names().collect::<Vec<_>>(), ["a.part00", "a.part01"]);
        assert_eq!(sums.of("a.part01").unwrap(), digest);
        assert!(sums.of("a.part02").unwrap_err().to_string().contains("not of one release"));
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        let digest = Digest::of_bytes(b"x");
        for line in
            ["abc  a", "<html>", &format!("{digest} a"), &format!("{digest}  "), &format!("{digest}  ../a")]
        {
            let told = Sums::parse("SHA256SUMS", &format!("{digest}  b\n{line}\n")).unwrap_err();
            assert!(matches!(told, PartsError::Sums { line: 2, .. }), "{line}: {told}");
        }
        let twice = Sums::parse("SHA256SUMS", &format!("{digest}  b\n{digest}  b\n")).unwrap_err();
        assert!(matches!(twice, PartsError::Twice(_)));
    }
}
