//! A build that failed: its last fatal words, and what kind of failure they are.
//!
//! Builds end with code 1 whatever went wrong, so only the words tell a model that is not modelled from a broken run.

use shared::format::shortened;
use shared::outcome::{Outcome, Reason};

use crate::process::{Ended, Finished, last_line};
use crate::simulators::not_scored;

/// The longest detail that is kept, in characters.
const LIMIT: usize = 400;

/// Words by which a failure is known, most specific first.
const KNOWN: [(&str, Reason); 12] = [
    ("unsupported activation", Reason::UnsupportedModel),
    ("intermediate_dim must be > 0", Reason::UnsupportedModel),
    ("could not find config.json", Reason::UnsupportedModel),
    ("not found in hardware config", Reason::UnsupportedHardware),
    ("exceeds available GPU memory", Reason::UnsupportedLayout),
    ("insufficient per-GPU capacity", Reason::UnsupportedLayout),
    ("must be divisible by TP", Reason::UnsupportedLayout),
    ("must be evenly divisible by TP", Reason::UnsupportedLayout),
    ("--dp > 1 is only supported for MoE models", Reason::UnsupportedLayout),
    ("--dp > 1 and --enable-expert-parallel require", Reason::UnsupportedLayout),
    ("--enable-expert-parallel requires a MoE model", Reason::UnsupportedLayout),
    ("invalid roofline config", Reason::UnsupportedModel),
];

/// The outcome of a build that did not end with code 0.
#[must_use]
pub fn outcome(finished: &Finished) -> Outcome {
    let words = fatal(&finished.stderr).or_else(|| last_line(&finished.stderr).map(|line| message(&line)));
    let reason = match (&words, finished.ended) {
        (Some(words), Ended::Code(_)) => KNOWN
            .iter()
            .find(|(known, _)| words.contains(known))
            .map_or(Reason::RunError, |(_, reason)| *reason),
        _ => Reason::RunError,
    };
    let detail = match (words, finished.ended) {
        (Some(words), Ended::Code(1)) => words,
        (Some(words), ended) => format!("{words} ({ended})"),
        (None, ended) => format!("{ended}, and nothing on stderr"),
    };
    not_scored(reason, shortened(&detail, LIMIT))
}

/// The outcome of an answer that is not accepted, with the last fatal words that the build had for it.
#[must_use]
pub fn explained(refused: Outcome, stderr: &str) -> Outcome {
    match (refused, fatal(stderr)) {
        (Outcome::NotScored(mut why), Some(words)) => {
            why.detail = shortened(&format!("{}: {words}", why.detail), LIMIT);
            Outcome::NotScored(why)
        }
        (refused, _) => refused,
    }
}

/// The message of the last fatal line: of the build's own log, or of Go's runtime.
#[must_use]
pub fn fatal(stderr: &str) -> Option<String> {
    stderr.lines().rev().find_map(|line| {
        if line.contains("level=fatal ") || line.contains("level=panic ") {
            return Some(message(line));
        }
        ["panic: ", "fatal error: ", "Error: "]
            .iter()
            .any(|start| line.starts_with(start))
            .then(|| line.trim_end().to_owned())
    })
}

/// What a line of the build's log says, without its time, which would be another in every run.
fn message(line: &str) -> String {
    match line.split_once(" msg=") {
        Some((stamp, text)) if stamp.contains("level=") => unquoted(text.trim_end()),
        _ => line.trim_end().to_owned(),
    }
}

/// A text in Go's quotes, or a bare word.
fn unquoted(text: &str) -> String {
    let Some(inner) = text.strip_prefix('"') else { return text.to_owned() };
    let mut plain = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => match characters.next() {
                Some('n' | 't' | 'r') => plain.push(' '),
                Some(escaped) => plain.push(escaped),
                None => break,
            },
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(ended: Ended, stderr: &str) -> (Reason, String) {
        let finished = Finished { ended, stdout: Vec::new(), stderr: stderr.to_owned(), peak_memory: None };
        match outcome(&finished) {
            Outcome::NotScored(why) => (why.reason, why.detail),
            Outcome::Scored(_) => panic!("scored"),
        }
    }

    /// Lines that real builds have printed.
    #[test]
    fn the_last_fatal_words_decide_what_kind_of_failure_it_is() {
        for (line, reason, said) in [
            (
                r#"time="2026-11-30T13:49:43Z" level=fatal msg="--trace-header file not found: nope""#,
                Reason::RunError,
                "--trace-header file not found: nope",
            ),
            (
                r#"time="2026-11-30T13:49:43Z" level=fatal msg="Failed to load hardware config: GPU \"H2\" not found in hardware config (available: [H200])""#,
                Reason::UnsupportedHardware,
                "Failed to load hardware config: GPU \"H2\" not found in hardware config (available: [H200])",
            ),
            (
                r#"time="x" level=fatal msg="--latency-model: KV capacity auto-calculation failed: CalculateKVBlocks: intermediate_dim must be > 0, got 0""#,
                Reason::UnsupportedModel,
                "--latency-model: KV capacity auto-calculation failed: CalculateKVBlocks: intermediate_dim must be > 0, got 0",
            ),
        ] {
            let stderr = format!("time=\"x\" level=warning msg=\"a remark\"\n{line}\nsomething after it\n");
            assert_eq!(ended(Ended::Code(1), &stderr), (reason, said.to_owned()));
        }
    }

    #[test]
    fn a_panic_a_signal_and_silence_are_run_errors() {
        let panicked =
            "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\nmain.main()\n";
        let (reason, detail) = ended(Ended::Code(2), panicked);
        assert_eq!(reason, Reason::RunError);
        assert_eq!(detail, "panic: runtime error: index out of range [3] (exit code 2)");
        assert_eq!(
            ended(Ended::Signal(9), ""),
            (Reason::RunError, "signal 9, and nothing on stderr".to_owned())
        );
        assert_eq!(ended(Ended::Code(1), "no idea\n"), (Reason::RunError, "no idea".to_owned()));
        let log = "time=\"2026-11-30T13:49:43Z\" level=error msg=\"no idea\"\n";
        assert_eq!(ended(Ended::Code(1), log), (Reason::RunError, "no idea".to_owned()));
    }

    #[test]
    fn a_refused_answer_carries_the_fatal_words_and_no_more_than_fits() {
        let refused = not_scored(Reason::IncompleteRun, "39 of 40 requests completed");
        let stderr = format!("time=x level=fatal msg=\"{}\"\n", "x".repeat(1_000));
        let Outcome::NotScored(why) = explained(refused.clone(), &stderr) else { panic!("scored") };
        assert!(why.detail.starts_with("39 of 40 requests completed: xxx") && why.detail.ends_with('…'));
        assert_eq!(why.detail.chars().count(), LIMIT + 1);
        assert_eq!(explained(refused.clone(), "level=warning msg=\"fatal\"\n"), refused);
    }

    #[test]
    fn no_stderr_makes_the_reader_panic() {
        for text in [
            "level=fatal msg=",
            "level=fatal msg=\"",
            "level=fatal msg=\"\\",
            "level=fatal msg=\"ä\\n\"",
            "\u{0}",
        ] {
            let _ = fatal(text);
        }
    }
}
