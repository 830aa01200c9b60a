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

impl std::fmt::Display for Commit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

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

/// What is known of the commit of this program's sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Provenance {
    /// Nothing.
    #[default]
    Unknown,
    /// Somebody states it.
    Asserted(Commit),
    /// The checkout that it was built from shows it.
    Checked(Commit),
}

/// This program, with what is known of its commit.
#[must_use]
pub fn scorer(provenance: &Provenance) -> ScorerIdentity {
    let (commit, commit_source) = match provenance {
        Provenance::Unknown => (None, CommitSource::Unknown),
        Provenance::Asserted(commit) => (Some(commit.0.clone()), CommitSource::Asserted),
        Provenance::Checked(commit) => (Some(commit.0.clone()), CommitSource::Checked),
    };
    ScorerIdentity { version: env!("CARGO_PKG_VERSION").to_owned(), commit, commit_source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_commit_is_one() {
        let full = "0123456789abcdef0123456789abcdef01234567";
        let commit: Commit = full.parse().unwrap();
        for (provenance, source) in [
            (Provenance::Asserted(commit.clone()), CommitSource::Asserted),
            (Provenance::Checked(commit), CommitSource::Checked),
        ] {
            let scorer = scorer(&provenance);
            assert_eq!((scorer.commit.as_deref(), scorer.commit_source), (Some(full), source));
        }
        for text in ["", "main", &full[1..], &format!("{full}0"), &full.to_uppercase()] {
            assert!(text.parse::<Commit>().is_err(), "{text}");
        }
        assert_eq!(scorer(&Provenance::Unknown).commit, None);
        assert_eq!("".parse::<StatedCommit>().unwrap().commit(), None);
        assert_eq!(full.parse::<StatedCommit>().unwrap().commit(), full.parse().ok().as_ref());
        assert!("main".parse::<StatedCommit>().is_err());
    }
}
