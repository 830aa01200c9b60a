//! What checking a snapshot has shown, for a reader who takes nobody's word for it.

use shared::format;
use shared::index::IndexEntry;

use crate::data::summary_file;
use crate::message::Check;

/// A step of the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub what: String,
    /// What came of it.
    pub state: State,
    /// The result in words.
    pub result: String,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has not been reached.
    Open,
    /// It is under way.
    Running,
    /// All is as it should be.
    Right,
    /// Something is not.
    Wrong,
}

/// What a check is about and what it has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The verdict in a sentence.
    pub verdict: String,
    /// The facts that the check starts from.
    pub facts: Vec<(&'static str, String)>,
    /// The steps, in order.
    pub steps: [Step; 2],
    /// The first difference, where there is one.
    pub difference: Option<String>,
    /// Commands that do the same without this page.
    pub commands: Vec<String>,
}

/// How many numbers a set of figures has, intervals by their ends and the grade among them.
const NUMBERS: usize = 21;

/// The account of a check.
pub fn account(entry: &IndexEntry, check: &Check) -> Account {
    let file = summary_file(&entry.id);
    let bytes = format::bytes(entry.bytes);
    let hash = format!("The SHA-256 of the {bytes} of {file} is the one that the index says");
    let compute = "Everything that follows from the points in the file, computed again in this browser, is the same to \
                   the last bit: order, flags, verdicts, coverage, label, digest of the rules, every figure with its \
                   interval, and the snapshot's id";
    let step = |what: &str, state, result: String| Step { what: what.to_owned(), state, result };
    let (states, verdict, results) = match check {
        Check::Waiting => (
            [State::Running, State::Open],
            "The check has not ended yet.".to_owned(),
            [String::new(), String::new()],
        ),
        Check::Running { done, of } => (
            [State::Right, State::Running],
            "The check is under way.".to_owned(),
            [
                "it is".to_owned(),
                format!("{} of {} steps", format::count(*done as u64), format::count(*of as u64)),
            ],
        ),
        Check::Verified { figures } => (
            [State::Right, State::Right],
            "Verified: the file is the published one, and its figures follow from its points.".to_owned(),
            [
                "it is".to_owned(),
                format!(
                    "it is: {} of figures, up to {NUMBERS} numbers each",
                    format::counted(*figures as u64, "set")
                ),
            ],
        ),
        Check::Differs(difference) if is_of_bytes(difference) => (
            [State::Wrong, State::Open],
            "Do not trust these figures: the file is not the one that was published.".to_owned(),
            ["it is not".to_owned(), "not begun: these are other bytes".to_owned()],
        ),
        Check::Differs(_) => (
            [State::Right, State::Wrong],
            "Do not trust these figures: they do not follow from the points in the file.".to_owned(),
            ["it is".to_owned(), "it is not".to_owned()],
        ),
        Check::Failed(why) => (
            [State::Open, State::Open],
            format!("Not checked, which says nothing against the figures: {}.", format::shortened(why, 300)),
            [String::new(), String::new()],
        ),
    };
    let [hashed, computed] = results;
    Account {
        verdict,
        facts: vec![
            ("File", file.clone()),
            ("Size by the index", format!("{bytes} ({} bytes)", format::count(entry.bytes))),
            ("SHA-256 by the index", entry.sha256.to_string()),
        ],
        steps: [step(&hash, states[0], hashed), step(compute, states[1], computed)],
        difference: match check {
            Check::Differs(difference) => Some(format::shortened(difference, 600)),
            _ => None,
        },
        commands: vec![format!("sha256sum {file}"), format!("scorer validate {file}")],
    }
}

/// Whether the difference is one of the file's bytes: its first step found it.
fn is_of_bytes(difference: &str) -> bool {
    difference.starts_with(crate::message::OTHER_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> IndexEntry {
        crate::views::time::model::tests::entry(3, "v3", "recorded", 1.0)
    }

    fn states(check: &Check) -> [State; 2] {
        account(&entry(), check).steps.map(|step| step.state)
    }

    #[test]
    fn each_step_says_what_came_of_it() {
        use State::{Open, Right, Running, Wrong};
        let text = |text: &str| text.to_owned();
        let of_bytes = format!("{} is 00…, but the index says 11…", crate::message::OTHER_BYTES);
        for (check, expected) in [
            (Check::Waiting, [Running, Open]),
            (Check::Running { done: 3, of: 9 }, [Right, Running]),
            (Check::Verified { figures: 7 }, [Right, Right]),
            (Check::Differs(of_bytes), [Wrong, Open]),
            (Check::Differs(text("mape of all/all/all/blis/tpot: …")), [Right, Wrong]),
            (Check::Failed(text("no memory")), [Open, Open]),
        ] {
            assert_eq!(states(&check), expected, "{check:?}");
        }
    }

    #[test]
    fn the_first_difference_is_named_and_so_is_how_much_was_computed() {
        let difference = "mape of all/all/all/blis/tpot: the file says 1, but 2 follows";
        let wrong = account(&entry(), &Check::Differs(difference.to_owned()));
        assert_eq!(wrong.difference.as_deref(), Some(difference));
        let right = account(&entry(), &Check::Verified { figures: 1_234 });
        assert!(right.steps[1].result.contains("1,234 sets of figures"), "{}", right.steps[1].result);
        assert!(right.steps[0].what.contains("data/snapshots/2026-11-03_blis-v3_00000000/summary.json"));
        assert_eq!(right.commands[0], "sha256sum data/snapshots/2026-11-03_blis-v3_00000000/summary.json");
    }
}
