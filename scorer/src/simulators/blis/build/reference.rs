//! What is built: a release tag or a full commit. Both stay what they are; a branch moves, so it names nothing.

use std::fmt;

use crate::github::Version;

/// A tag or a commit, as somebody writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// A commit, in full.
    Commit(String),
    /// Perhaps a tag: the repository tells.
    Name(String),
}

/// A text names no commit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    /// It is no commit and cannot be a tag.
    #[error("`{0}` is no release tag and no full commit of 40 hexadecimal digits")]
    Neither(String),
    /// It begins a commit.
    #[error("`{0}` begins a commit: give all 40 hexadecimal digits")]
    Short(String),
    /// It is a branch.
    #[error("`{0}` is a branch, and a branch moves: give a release tag or a full commit")]
    Branch(String),
    /// The repository does not have it.
    #[error("the repository has no tag `{0}`")]
    NoTag(String),
}

impl std::str::FromStr for Reference {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let shown = || text.chars().take(60).collect::<String>();
        let hexadecimal = text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if hexadecimal && text.len() == 40 {
            return Ok(Self::Commit(text.to_owned()));
        }
        if hexadecimal && (7..=64).contains(&text.len()) {
            return Err(ReferenceError::Short(shown()));
        }
        let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"._-+/".contains(&byte);
        let valid = (1..=100).contains(&text.len())
            && text.bytes().all(safe)
            && text.as_bytes()[0].is_ascii_alphanumeric()
            && !text.contains("..")
            && !text.contains("//");
        if valid { Ok(Self::Name(text.to_owned())) } else { Err(ReferenceError::Neither(shown())) }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commit(text) | Self::Name(text) => formatter.write_str(text),
        }
    }
}

/// A commit of a repository, and its release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The commit.
    pub commit: String,
    /// The release tag that points at it.
    pub tag: Option<String>,
}

/// Finds the commit in what `git ls-remote` lists.
///
/// # Errors
/// When the name is not a tag there.
pub fn resolve(reference: &Reference, listed: &str) -> Result<Resolved, ReferenceError> {
    let entries: Vec<(&str, &str)> = listed
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(commit, name)| (name, commit))
        .collect();
    match reference {
        Reference::Commit(commit) => {
            let tag = entries
                .iter()
                .filter(|(_, found)| found == commit)
                .filter_map(|(name, _)| name.strip_prefix("refs/tags/"))
                .map(|name| name.strip_suffix("^{}").unwrap_or(name))
                .find(|name| is_release(name));
            Ok(Resolved { commit: commit.clone(), tag: tag.map(str::to_owned) })
        }
        Reference::Name(name) => {
            let of = |full: String| entries.iter().find(|(name, _)| *name == full).map(|(_, commit)| *commit);
            // An annotated tag is listed twice; the second entry is the commit that it is of.
            let tagged = of(format!("refs/tags/{name}^{{}}")).or_else(|| of(format!("refs/tags/{name}")));
            match tagged {
                Some(commit) => {
                    let tag = is_release(name).then(|| name.clone());
                    Ok(Resolved { commit: commit.to_owned(), tag })
                }
                None if of(format!("refs/heads/{name}")).is_some() => {
                    Err(ReferenceError::Branch(name.clone()))
                }
                None => Err(ReferenceError::NoTag(name.clone())),
            }
        }
    }
}

/// Whether a tag names a release, such as `v0.7.15`, rather than a candidate or a mark.
fn is_release(tag: &str) -> bool {
    tag.parse::<Version>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "f90a1e3a6787da17c2cd463dab6fb2660b1b1760";
    const LISTED: &str = "\
1111111111111111111111111111111111111111\trefs/heads/main
2222222222222222222222222222222222222222\trefs/tags/v0.7.15
3333333333333333333333333333333333333333\trefs/tags/v0.7.15^{}
4444444444444444444444444444444444444444\trefs/tags/v0.8.0-rc1
";

    fn resolved(text: &str) -> Result<Resolved, ReferenceError> {
        resolve(&text.parse()?, LISTED)
    }

    #[test]
    fn a_tag_leads_to_its_commit_also_when_it_is_annotated() {
        let found = resolved("v0.7.15").unwrap();
        assert_eq!(found, Resolved { commit: "3".repeat(40), tag: Some("v0.7.15".to_owned()) });
        assert_eq!(resolved("v0.8.0-rc1").unwrap(), Resolved { commit: "4".repeat(40), tag: None });
    }

    #[test]
    fn a_full_commit_is_taken_as_it_is_and_its_release_is_found() {
        assert_eq!(resolved(COMMIT).unwrap(), Resolved { commit: COMMIT.to_owned(), tag: None });
        assert_eq!(resolved(&"3".repeat(40)).unwrap().tag.as_deref(), Some("v0.7.15"));
    }

    #[test]
    fn whatever_moves_or_is_not_all_there_is_refused() {
        assert_eq!(resolved("main"), Err(ReferenceError::Branch("main".to_owned())));
        assert_eq!(resolved("v9"), Err(ReferenceError::NoTag("v9".to_owned())));
        for digits in [&COMMIT[..7], &COMMIT[..39], &format!("{COMMIT}0")] {
            assert_eq!(resolved(digits), Err(ReferenceError::Short(digits.to_owned())));
        }
        let capitals = COMMIT.to_uppercase();
        assert!(matches!(resolved(&capitals), Err(ReferenceError::NoTag(_))));
        for text in ["", "--upload-pack=x", "v1 2", "a..b", "HEAD^", "a//b", "ä", "@{1}"] {
            assert_eq!(resolved(text), Err(ReferenceError::Neither(text.to_owned())));
        }
    }
}
