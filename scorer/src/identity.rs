//! Which program this is: its version, and the commit of its sources as far as it is known.

use shared::outcome::{CommitSource, ScorerIdentity};

/// A commit that is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no full commit: give all 40 hexadecimal digits, in lower case, in --commit or HARNESS_COMMIT"
)]
pub struct CommitError(String);

/// A full commit, as `--commit` and `HARNESS_COMMIT` state it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit(String);

impl std::str::FromStr for Commit {
    type Err = CommitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hexadecimal = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if text.len() == 40 && hexadecimal {
            Ok(Self(text.to_owned()))
        } else {
            Err(CommitError(text.chars().take(60).collect()))
        }
    }
}

/// A commit, or an empty text in its place: what CI systems make of a variable that they do not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedCommit(Option<Commit>);

impl StatedCommit {
    /// The commit.
    #[must_use]
    pub fn commit(&self) -> Option<&Commit> {
        self.0.as_ref()
    }
}

impl std::str::FromStr for StatedCommit {
    type Err = CommitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() { Ok(Self(None)) } else { text.parse().map(|commit| Self(Some(commit))) }
    }
}

/// This program, with the commit that somebody states, if somebody does.
#[must_use]
pub fn scorer(commit: Option<&Commit>) -> ScorerIdentity {
    ScorerIdentity {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: commit.map(|commit| commit.0.clone()),
        commit_source: if commit.is_some() { CommitSource::Asserted } else { CommitSource::Unknown },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_commit_is_one() {
        let full = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(scorer(full.parse().ok().as_ref()).commit_source, CommitSource::Asserted);
        for text in ["", "main", &full[1..], &format!("{full}0"), &full.to_uppercase()] {
            assert!(text.parse::<Commit>().is_err(), "{text}");
        }
        assert_eq!(scorer(None).commit, None);
        assert_eq!("".parse::<StatedCommit>().unwrap().commit(), None);
        assert_eq!(full.parse::<StatedCommit>().unwrap().commit(), full.parse().ok().as_ref());
        assert!("main".parse::<StatedCommit>().is_err());
    }
}
