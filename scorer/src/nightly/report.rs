//! What is told of a night in the morning: a document that GitHub shows as the summary of a job. Numbers are rounded
//! here; every one of them is in the snapshot, or computed by [`shared::compare`] and [`shared::gate`].

use shared::aggregate::everything;
use shared::format;
use shared::gate::{self, Options};
use shared::metric::Metric;
use shared::night::Stage;
use shared::summary::{GroupBy, Summary};
use shared::tier::Tier;

use crate::comparison::document::{self as comparison, Shown};
use crate::exit::CommandError;
use crate::report::document::{Column, Document, Section, Table};
use crate::resolve::Resolved;

/// How many sweeps of a list are named.
const LISTED: usize = 20;

const fn words(name: &'static str) -> Column {
    Column { name, is_number: false }
}

const fn number(name: &'static str) -> Column {
    Column { name, is_number: true }
}

/// A night on which nothing was new.
#[must_use]
pub fn unchanged(resolved: &Resolved) -> Document {
    let mut facts = releases(resolved);
    if let Some(id) = &resolved.published {
        facts.push(("published already".to_owned(), id.to_string()));
    }
    Document { title: "Nothing new tonight".to_owned(), facts, sections: Vec::new() }
}

/// A night that failed: what, why, what to do, and what the site shows all the same.
#[must_use]
pub fn failed(stage: Stage, error: &CommandError, resolved: Option<&Resolved>) -> Document {
    let mut facts = vec![("error".to_owned(), error.to_string())];
    facts.extend(error.causes().into_iter().map(|cause| ("cause".to_owned(), cause)));
    facts.extend(error.advice().map(|advice| ("advice".to_owned(), advice)));
    facts.extend(resolved.map(releases).unwrap_or_default());
    let stands = resolved.and_then(|resolved| resolved.last.as_ref()).map(|last| last.snapshot.to_string());
    let stands = stands.unwrap_or_else(|| "what was published before, if anything was".to_owned());
    facts.push(("nothing was published; still shown".to_owned(), stands));
    Document { title: format!("The night failed: {}", stage.key()), facts, sections: Vec::new() }
}

/// A snapshot that was published: its headline and coverage, and what changed since the one before, the worst first.
#[must_use]
pub fn published(resolved: &Resolved, before: Option<&Summary>, summary: &Summary) -> Document {
    let mut facts = releases(resolved);
    facts.push(("snapshot".to_owned(), summary.run.id.to_string()));
    let previous = before.map_or_else(|| "none".to_owned(), |before| before.run.id.to_string());
    facts.push(("the one before".to_owned(), previous));
    let mut sections = vec![Section::Table(headline(summary)), Section::Table(coverage(summary))];
    if let Some(before) = before {
        sections.extend(changes(before, summary));
    }
    Document { title: format!("Published {}", summary.run.id), facts, sections }
}

fn releases(resolved: &Resolved) -> Vec<(String, String)> {
    let of = |newest: &crate::resolve::Newest| format!("{} of {}", newest.tag, newest.repository);
    vec![
        ("simulator".to_owned(), of(&resolved.simulator)),
        ("measurements".to_owned(), of(&resolved.measurements)),
    ]
}

/// The primary estimator's figures over everything.
fn headline(summary: &Summary) -> Table {
    let mut rows = Vec::new();
    for tier in Tier::ALL {
        for metric in Metric::ALL {
            let key = everything(tier, &summary.run.primary, metric);
            let found = summary.aggregates.iter().find(|aggregate| aggregate.of == key);
            let Some(figures) = found.map(|aggregate| &aggregate.figures) else { continue };
            rows.push(vec![
                tier.name().to_owned(),
                metric.name().to_owned(),
                format::count(figures.points),
                format::percent(figures.mape),
                format::interval(figures.mape_interval),
                format::signed_percent(figures.signed_mean),
                format::percent(figures.shape),
                figures.grade.map(|grade| grade.letter().to_owned()).unwrap_or_default(),
            ]);
        }
    }
    Table {
        title: format!("{}: errors in percent", summary.run.primary),
        columns: vec![
            words("tier"),
            words("metric"),
            number("points"),
            number("MAPE"),
            number("95 % interval"),
            number("signed mean"),
            number("shape"),
            words("grade"),
        ],
        rows,
        is_grouped: true,
    }
}

/// What became of every point.
fn coverage(summary: &Summary) -> Table {
    let rows = summary.coverage.estimators.iter().map(|(estimator, counts)| {
        let reasons: Vec<String> =
            counts.reasons.iter().map(|(reason, count)| format!("{} {count}", reason.key())).collect();
        vec![
            estimator.to_string(),
            format::count(counts.scored),
            format::count(counts.not_scored),
            reasons.join(", "),
        ]
    });
    let coverage = &summary.coverage;
    Table {
        title: format!(
            "Coverage: {} of {}, from {} of {} read",
            format::counted(coverage.points, "point"),
            format::counted(coverage.sweeps, "sweep"),
            format::count(coverage.rows.kept()),
            format::counted(coverage.rows.read(), "row")
        ),
        columns: vec![words("estimator"), number("scored"), number("not scored"), words("why not")],
        rows: rows.collect(),
        is_grouped: false,
    }
}

/// What changed since the snapshot before, as `scorer compare --gate` tells it: what got worse comes first. A night
/// decides nothing by it.
fn changes(before: &Summary, summary: &Summary) -> Vec<Section> {
    let options = Options { estimators: vec![summary.run.primary.clone()], ..Options::default() };
    let gate = gate::decide(before, summary, &options);
    let shown = Shown {
        tier: comparison::widest_useful_tier(before, summary),
        by: GroupBy::Family,
        estimators: options.estimators,
        limit: LISTED,
    };
    let compared = comparison::document(before, summary, &shown, Some(&gate));
    let items = compared.facts.into_iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let head = Section::List { title: format!("Since the snapshot before: {}", compared.title), items };
    std::iter::once(head).chain(compared.sections.into_iter().map(shortened)).collect()
}

/// A list of which only the beginning is named: GitHub shows no summary above a megabyte.
fn shortened(section: Section) -> Section {
    match section {
        Section::List { title, mut items } if items.len() > LISTED => {
            let more = items.len() - LISTED;
            items.truncate(LISTED);
            items.push(format!("and {more} more"));
            Section::List { title, items }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use shared::id::SnapshotId;
    use shared::outcome::{Outcome, SettingsProfile};

    use super::*;
    use crate::report::markdown;
    use crate::resolve::{self, Newest};
    use crate::testing;

    fn resolved() -> Resolved {
        let newest = |repository: &str, tag: &str| Newest {
            repository: repository.to_owned(),
            tag: tag.to_owned(),
            published_at: None,
        };
        Resolved {
            schema: resolve::SCHEMA.to_owned(),
            simulator: newest(resolve::SIMULATOR, "v0.8.0"),
            measurements: newest("o/n", "db-dump/2026-09-28"),
            settings: SettingsProfile::Recorded,
            last: None,
            published: None,
            unchanged: false,
        }
    }

    /// A snapshot whose predictions are `factor` times those of the corpus.
    fn snapshot(factor: f64) -> Summary {
        let mut summary = testing::snapshot(testing::corpus(4), "2026-11-30T00:00:00Z");
        let primary = summary.run.primary.clone();
        for point in summary.sweeps.iter_mut().flat_map(|sweep| &mut sweep.points) {
            if let Some(Outcome::Scored(prediction)) = point.predictions.get_mut(&primary) {
                prediction.tpot_ms = shared::millis::Millis::new(prediction.tpot_ms.get() * factor).unwrap();
            }
        }
        summary
    }

    #[test]
    fn what_got_worse_stands_before_what_got_better_and_after_headline_and_coverage() {
        let text = markdown::document(&published(&resolved(), Some(&snapshot(1.0)), &snapshot(3.0)));
        let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("no `{words}` in {text}"));
        assert!(text.starts_with("# Published "), "{text}");
        assert!(place("errors in percent") < place("## Coverage: "));
        assert!(place("## Coverage: ") < place("Since the snapshot before"));
        assert!(place("Since the snapshot before") < place("## Gate: a sweep is worse"));
        assert!(place("## Worse: ") < place("Why the MAPE changed"));
        let better = markdown::document(&published(&resolved(), Some(&snapshot(3.0)), &snapshot(1.0)));
        assert!(better.contains("## Better: ") && !better.contains("## Worse: "), "{better}");
    }

    #[test]
    fn the_first_night_has_nothing_to_compare_with() {
        let text = markdown::document(&published(&resolved(), None, &snapshot(1.0)));
        assert!(
            text.contains("- **the one before**: none") && !text.contains("Since the snapshot"),
            "{text}"
        );
    }

    #[test]
    fn a_night_that_failed_says_where_and_what_is_still_shown() {
        let error = CommandError::from(crate::nightly::WorkError::InUse("work".into()));
        let mut resolved = resolved();
        resolved.published = SnapshotId::new("night-1").ok();
        let text = markdown::document(&failed(Stage::Run, &error, Some(&resolved)));
        for words in [
            "# The night failed: run",
            "somebody else is at work here",
            "- **advice**: wait",
            "nothing was published",
        ] {
            assert!(text.contains(words), "{text}");
        }
        assert!(markdown::document(&unchanged(&resolved)).contains("night-1"));
    }

    #[test]
    fn a_long_list_is_cut_and_says_so() {
        let items = (0..50).map(|number| number.to_string()).collect();
        let Section::List { items, .. } = shortened(Section::List { title: String::new(), items }) else {
            panic!("another section")
        };
        assert_eq!(items.len(), LISTED + 1);
        assert_eq!(items.last().map(String::as_str), Some("and 30 more"));
    }
}
