//! The dialects of `blis replay`, and which of them a build speaks, as its own help tells.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What a build is told and how it answers. docs/blis.md compares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Dialect {
    /// The releases v0.7.5 to v0.7.15: everything by flags, and rows of the first round only.
    #[serde(rename = "0")]
    Zero,
    /// After v0.7.15: engine flags named as vLLM's, and a file with a row per request.
    A,
    /// Later still: a pool of concurrent sessions.
    B,
    /// Everything by a scenario file, and a Result document as the answer.
    C,
}

impl Dialect {
    /// As it stands in files and messages.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Zero => "0",
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }

    /// The flags without which a build cannot be driven in this dialect.
    pub(super) fn required(self) -> Vec<&'static str> {
        let by_flags = ["model", "hardware", "tp"].as_slice();
        let in_rounds = ["session-mode", "horizon"].as_slice();
        let pooled = ["concurrent-sessions"].as_slice();
        let rows = ["max-num-seqs", "max-num-batched-tokens", "metrics-path"].as_slice();
        let parts = match self {
            Self::Zero => {
                vec![by_flags, in_rounds, ["max-num-running-reqs", "max-num-scheduled-tokens"].as_slice()]
            }
            Self::A => vec![by_flags, in_rounds, rows],
            Self::B => vec![by_flags, pooled, rows],
            Self::C => vec![["scenario", "scenarios"].as_slice(), pooled],
        };
        ["trace-header", "trace-data"].into_iter().chain(parts.into_iter().flatten().copied()).collect()
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.key())
    }
}

/// A build cannot be driven.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DialectError {
    /// Its help is not that of `blis replay`.
    #[error("`replay --help` lists no `--trace-header`: this is not a build of BLIS")]
    NotBlis,
    /// It cannot keep a number of requests in flight.
    #[error("`blis replay` of this build has no closed loop (`--session-mode`): use v0.7.5 or newer")]
    NoClosedLoop,
    /// No dialect fits.
    #[error("`replay --help` lists the flags of no known dialect: state one with `dialect`")]
    Unknown,
    /// The stated dialect does not fit.
    #[error("dialect {dialect} was stated, but `replay --help` does not list `--{flag}`")]
    Lacks {
        /// The stated dialect.
        dialect: Dialect,
        /// The first flag that is missing.
        flag: &'static str,
    },
}

/// What `blis replay` of one build understands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    dialect: Dialect,
    flags: BTreeSet<String>,
}

impl Interface {
    /// Reads the help of `blis replay`. A stated dialect is taken if the build has its flags.
    ///
    /// # Errors
    /// When the build cannot be driven.
    pub fn from_help(help: &str, stated: Option<Dialect>) -> Result<Self, DialectError> {
        let flags: BTreeSet<String> = help.lines().filter_map(flag).collect();
        if !flags.contains("trace-header") {
            return Err(DialectError::NotBlis);
        }
        let missing = |dialect: Dialect| dialect.required().into_iter().find(|flag| !flags.contains(*flag));
        let dialect = if let Some(dialect) = stated {
            if let Some(flag) = missing(dialect) {
                return Err(DialectError::Lacks { dialect, flag });
            }
            dialect
        } else {
            // The newest first: a build keeps the flags of earlier dialects for a while.
            let newest = [Dialect::C, Dialect::B, Dialect::A, Dialect::Zero];
            match newest.into_iter().find(|dialect| missing(*dialect).is_none()) {
                Some(dialect) => dialect,
                None if flags.contains("session-mode") || flags.contains("scenario") => {
                    return Err(DialectError::Unknown);
                }
                None => return Err(DialectError::NoClosedLoop),
            }
        };
        Ok(Self { dialect, flags })
    }

    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether `blis replay` has a flag, named without dashes.
    #[must_use]
    pub fn has(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }
}

/// The long flag that a line of the help describes, without dashes.
fn flag(line: &str) -> Option<String> {
    let line = line.trim_start();
    // `  -h, --help   help for replay`
    let long = match line.strip_prefix("--") {
        Some(long) => long,
        None => line.strip_prefix('-')?.split_once(", --")?.1,
    };
    let name: String = long.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(flags: &[&str]) -> String {
        let mut text = String::from("Replay takes a file\n\nFlags:\n  -h, --help     help for replay\n");
        for flag in flags {
            text.push_str("      --");
            text.push_str(flag);
            text.push_str(" string   what it does, such as --other\n");
        }
        text
    }

    #[test]
    fn every_dialect_is_known_by_its_flags() {
        for dialect in [Dialect::Zero, Dialect::A, Dialect::B, Dialect::C] {
            let found = Interface::from_help(&help(&dialect.required()), None).unwrap();
            assert_eq!(found.dialect(), dialect);
            assert!(found.has("help") && !found.has("other"));
        }
    }

    #[test]
    fn a_build_that_kept_older_flags_speaks_its_newest_dialect() {
        let both: Vec<&str> = [Dialect::Zero.required(), Dialect::A.required()].concat();
        assert_eq!(Interface::from_help(&help(&both), None).unwrap().dialect(), Dialect::A);
        let stated = Interface::from_help(&help(&both), Some(Dialect::Zero)).unwrap();
        assert_eq!(stated.dialect(), Dialect::Zero);
    }

    #[test]
    fn a_build_without_a_closed_loop_is_refused() {
        let flags = ["trace-header", "trace-data", "model", "max-num-running-reqs"];
        assert_eq!(Interface::from_help(&help(&flags), None), Err(DialectError::NoClosedLoop));
    }

    #[test]
    fn a_program_that_is_not_blis_is_refused() {
        assert_eq!(Interface::from_help("usage: true [ignored]", None), Err(DialectError::NotBlis));
    }

    #[test]
    fn a_stated_dialect_must_fit_the_build() {
        let refused = Interface::from_help(&help(&Dialect::Zero.required()), Some(Dialect::A));
        assert_eq!(refused, Err(DialectError::Lacks { dialect: Dialect::A, flag: "max-num-seqs" }));
    }
}
