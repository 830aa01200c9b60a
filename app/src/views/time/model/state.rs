//! Whether the site is fresh: figures that are old because nothing has changed are told from figures that are old
//! because the nights fail.

use shared::format;
use shared::index::IndexEntry;
use shared::night::LastFailure;

use crate::components::notice::Weight;
use crate::views::grid::model::name;
use crate::views::overview::model::facts::ago;

/// What is known of the nights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nights {
    /// None has failed since the last that succeeded.
    Fine,
    /// The newest one failed.
    Failing(LastFailure),
    /// Nobody knows, and why.
    Unknown(String),
}

/// A message about the state of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How much it matters.
    pub weight: Weight,
    /// The headline.
    pub headline: String,
    /// The rest.
    pub text: String,
}

/// What a reader has to know of the age of the figures; `now` is the present instant, RFC 3339.
pub fn messages(newest: Option<&IndexEntry>, nights: &Nights, now: &str) -> Vec<Message> {
    let age = newest.and_then(|newest| format::days_between(&newest.generated_at, now));
    let is_stale = age.is_some_and(|days| days > format::STALE_AFTER_DAYS);
    let made = match (newest, age) {
        (Some(newest), Some(days)) => {
            format!(
                "The newest snapshot was made {} ({}).",
                ago(days),
                format::day(&name(&newest.generated_at))
            )
        }
        _ => "It is not known when the newest snapshot was made.".to_owned(),
    };
    let message =
        |weight, headline: &str, text: String| Message { weight, headline: headline.to_owned(), text };
    let mut messages = Vec::new();
    match nights {
        Nights::Failing(failure) => {
            messages.push(message(Weight::Failure, "The nightly run fails.", failing(failure)));
        }
        Nights::Unknown(why) => messages.push(message(
            Weight::Caution,
            "Whether the nightly run fails is not known.",
            format!("Its note could not be read: {}", name(why)),
        )),
        Nights::Fine => {}
    }
    if is_stale {
        let why = match nights {
            Nights::Fine => {
                "No failed night is on record: either nothing was released since, or the nightly run does not run at all."
            }
            Nights::Failing(_) => "Newer releases may exist; the figures here do not know them.",
            Nights::Unknown(_) => "",
        };
        let text = format!("{made} {why}");
        messages.push(message(Weight::Caution, "The figures are stale.", text.trim_end().to_owned()));
    } else if *nights == Nights::Fine {
        let text = format!("{made} No failed night is on record.");
        messages.push(message(Weight::Information, "The figures are fresh.", text));
    }
    messages
}

fn failing(failure: &LastFailure) -> String {
    let code = failure.exit_code.map_or_else(String::new, |code| format!(", exit code {code}"));
    let of: Vec<String> = [("simulator", &failure.simulator), ("measurements", &failure.measurements)]
        .into_iter()
        .filter_map(|(what, release)| Some(format!("{what} {}", name(release.as_deref()?))))
        .collect();
    let of = if of.is_empty() { String::new() } else { format!(" With {}.", of.join(" and ")) };
    format!(
        "Since {} it stops in the stage “{}” ({}{code}).{of} What is shown is the last that succeeded.",
        format::day(&name(&failure.since)),
        failure.stage.key(),
        name(&failure.meaning)
    )
}

#[cfg(test)]
mod tests {
    use shared::night::Stage;

    use super::super::tests::entry;
    use super::*;

    fn failure() -> LastFailure {
        LastFailure {
            schema: "last-failure.v1".to_owned(),
            since: "2026-11-20T02:00:00Z".to_owned(),
            stage: Stage::Ingest,
            exit_code: Some(5),
            meaning: "a server did not answer".to_owned(),
            simulator: Some("v0.7.15".to_owned()),
            measurements: None,
        }
    }

    fn headlines(nights: &Nights, now: &str) -> Vec<String> {
        let newest = entry(10, "v1", "recorded", 1.0);
        messages(Some(&newest), nights, now).into_iter().map(|message| message.headline).collect()
    }

    #[test]
    fn stale_and_failing_are_told_apart() {
        let (soon, late) = ("2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z");
        assert_eq!(headlines(&Nights::Fine, soon), ["The figures are fresh."]);
        assert_eq!(headlines(&Nights::Fine, late), ["The figures are stale."]);
        let failing = Nights::Failing(failure());
        assert_eq!(headlines(&failing, soon), ["The nightly run fails."]);
        assert_eq!(headlines(&failing, late), ["The nightly run fails.", "The figures are stale."]);
        let unknown = Nights::Unknown("status 500".to_owned());
        assert_eq!(headlines(&unknown, soon), ["Whether the nightly run fails is not known."]);
    }

    #[test]
    fn a_failure_says_since_when_where_and_with_what() {
        assert_eq!(
            failing(&failure()),
            "Since 2026-11-20 it stops in the stage “ingest” (a server did not answer, exit code 5). With simulator \
             v0.7.15. What is shown is the last that succeeded."
        );
    }
}
