//! What the page and its worker tell each other: plain texts and choices, no figures.
//!
//! The page gives each snapshot's bytes to the worker, which keeps them, checks them, and answers
//! questions about any two that it has. A request is a few words, a reply is JSON.

use serde::Serialize;
use shared::digest::Digest;
use shared::id::{EstimatorId, SnapshotId};
use shared::summary::GroupBy;
use shared::tier::Tier;

use crate::views::overview::model::cell::Table;
use crate::views::overview::model::lead::Piece;

/// What the page asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// To keep a snapshot, whose file comes with the message, and to check it.
    Hold {
        /// Under which id.
        id: SnapshotId,
        /// The digest of its file, by the index.
        sha256: Digest,
    },
    /// To compare two snapshots that it holds.
    Compare(Question),
}

impl Request {
    /// The request in words.
    pub fn words(&self) -> [&str; 5] {
        match self {
            Self::Hold { id, sha256 } => [id.as_str(), sha256.as_str(), "", "", ""],
            Self::Compare(Question { a, b, estimator, tier, by }) => {
                [a.as_str(), b.as_str(), estimator.as_str(), tier.key(), by.key()]
            }
        }
    }

    /// The request that the words say.
    pub fn of_words([first, second, estimator, tier, by]: [String; 5]) -> Option<Self> {
        let first = SnapshotId::new(first).ok()?;
        if estimator.is_empty() {
            return Some(Self::Hold { id: first, sha256: Digest::try_from(second).ok()? });
        }
        Some(Self::Compare(Question {
            a: first,
            b: SnapshotId::new(second).ok()?,
            estimator: EstimatorId::new(estimator).ok()?,
            tier: Tier::from_key(&tier)?,
            by: GroupBy::from_key(&by)?,
        }))
    }
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Reply {
    /// It has started, and listens.
    Ready,
    /// How far checking a snapshot has come.
    Checked {
        /// The snapshot.
        id: SnapshotId,
        /// What is known.
        check: Check,
    },
    /// Two snapshots compared: first without telling differences from noise, then again with it.
    Compared(Comparison),
}

/// How a difference begins that is one of the file's bytes.
pub const OTHER_BYTES: &str = "the file's SHA-256";

/// What checking a snapshot has shown so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Check {
    /// It has not begun.
    Waiting,
    /// It is under way.
    Running {
        /// Steps taken.
        done: usize,
        /// Steps in all.
        of: usize,
    },
    /// Bytes and figures are as they should be.
    Verified {
        /// How many sets of figures were computed again.
        figures: usize,
    },
    /// Something is not, and what.
    Differs(String),
    /// It could not be checked, and why.
    Failed(String),
}

impl Check {
    /// Whether nothing more will be known.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Verified { .. } | Self::Differs(_) | Self::Failed(_))
    }
}

/// Which two runs are compared, on which points, and how these are grouped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The run that is shown.
    pub a: SnapshotId,
    /// The run that it is compared against.
    pub b: SnapshotId,
    /// The estimator, the same in both runs.
    pub estimator: EstimatorId,
    /// The tier.
    pub tier: Tier,
    /// What the rows stand for.
    pub by: GroupBy,
}

/// What is said of two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What was asked.
    pub question: Question,
    /// Why nothing is compared; then there are no tables.
    pub obstacle: Option<String>,
    /// What went into the runs that differs.
    pub facts: String,
    /// What the comparison says on the whole.
    pub answer: Vec<Piece>,
    /// The tables of TPOT and TTFT.
    pub tables: Vec<Table>,
    /// The line of what only one run scored or has.
    pub line: String,
    /// The same, by list.
    pub lists: Vec<List>,
}

/// A list with its title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct List {
    /// The title.
    pub title: String,
    /// What is in it.
    pub lines: Vec<String>,
}

impl List {
    /// A list.
    pub fn new(title: &str, lines: Vec<String>) -> Self {
        Self { title: title.to_owned(), lines }
    }
}

impl Comparison {
    /// No comparison, and why.
    pub fn refused(question: Question, obstacle: String) -> Self {
        let answer = vec![Piece::Text(obstacle.clone())];
        Self {
            question,
            obstacle: Some(obstacle),
            facts: String::new(),
            answer,
            tables: Vec::new(),
            line: String::new(),
            lists: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_understood_as_it_was_meant() {
        let id = |text| SnapshotId::new(text).unwrap();
        let question = Question {
            a: id("a"),
            b: id("b"),
            estimator: EstimatorId::new("sim").unwrap(),
            tier: Tier::MeasuredOrResolved,
            by: GroupBy::EngineVersion,
        };
        for request in
            [Request::Hold { id: id("a"), sha256: Digest::of_bytes(b"abc") }, Request::Compare(question)]
        {
            let words = request.words().map(str::to_owned);
            assert_eq!(Request::of_words(words), Some(request));
        }
        assert_eq!(Request::of_words([const { String::new() }; 5]), None);
    }
}
