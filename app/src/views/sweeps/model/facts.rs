//! What is known of a sweep beside its points: its settings with their origin, its verdict, its sources, and how to
//! compute it again.

use std::collections::BTreeMap;

use shared::format;
use shared::outcome::Outcome;
use shared::setting::{Origin, Setting};
use shared::summary::Summary;
use shared::sweep::Sweep;

use crate::views::grid::model::{Grid, Head, Item, Line, concurrencies, name, reason};

/// How many ids of a source are listed.
const LISTED: usize = 40;

/// How long the command may be that is shown, in characters.
const LONGEST_COMMAND: usize = 2000;

/// A fact with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: &'static str,
    /// The fact.
    pub value: String,
}

/// The settings: a row for each value, with the points that it holds at.
pub fn settings(sweep: &Sweep<Outcome>) -> Grid {
    let mut lines = Vec::new();
    for (setting, value) in &sweep.settings {
        lines.push(line(setting, value, "all points".to_owned()));
    }
    // A setting that differs between points: its values, each with the concurrencies.
    let mut own: BTreeMap<&str, Vec<(&Setting, Vec<u32>)>> = BTreeMap::new();
    for point in &sweep.points {
        for (setting, value) in &point.settings {
            let values = own.entry(setting.as_str()).or_default();
            match values.iter_mut().find(|(known, _)| *known == value) {
                Some((_, at)) => at.push(point.concurrency),
                None => values.push((value, vec![point.concurrency])),
            }
        }
    }
    for (setting, values) in own {
        lines.extend(values.into_iter().map(|(value, at)| line(setting, value, concurrencies(&at))));
    }
    lines.sort_by(|a, b| a.name.cmp(&b.name));
    let columns = [
        Head::new("setting", "Setting", "", "The engine's name of it"),
        Head::new("value", "Value", "", "What the engine ran with"),
        Head::new(
            "origin",
            "Origin",
            "",
            "passed: on the engine's command line; resolved: by its log or its defaults",
        ),
        Head::new("at", "At", "", "The points that it holds at"),
    ];
    Grid {
        key: "settings",
        title: "Engine settings".to_owned(),
        about: "passed on the command line, resolved by log or defaults, or absent".to_owned(),
        columns: columns.into(),
        rows: lines,
        total: None,
    }
}

fn line(setting: &str, Setting { value, origin }: &Setting, at: String) -> Line {
    let shown = value.as_ref().map_or_else(|| format::NONE.to_owned(), |value| name(&value.to_string()));
    let meaning = match origin {
        Origin::Passed => "On the engine's command line",
        Origin::Resolved => "By the engine's log, or by the defaults of its version",
        Origin::Absent => "Nothing is known",
    };
    Line {
        key: name(setting),
        name: name(setting),
        link: None,
        cells: vec![Item::words(shown), Item::words(origin.name()).titled(meaning), Item::words(at)],
    }
}

/// What the sweep is and where it comes from.
pub fn sources(sweep: &Sweep<Outcome>) -> Vec<Fact> {
    let fact = |name, value: String| Fact { name, value };
    let dates = &sweep.dates;
    let measured = if dates.first == dates.last {
        name(&dates.first)
    } else {
        format!("{} to {}", name(&dates.first), name(&dates.last))
    };
    let reasons = if sweep.verdict_reasons.is_empty() {
        String::new()
    } else {
        format!(": {}", sweep.verdict_reasons.iter().map(|why| name(why)).collect::<Vec<_>>().join("; "))
    };
    let source = &sweep.source;
    let speculation = match sweep.spec.tokens {
        Some(tokens) => {
            format!("{}, {}", name(&sweep.spec.method), format::counted(tokens.into(), "draft token"))
        }
        None => name(&sweep.spec.method),
    };
    let all = [
        Some(fact("Sweep", sweep.id.to_string())),
        Some(fact("Verdict", format!("{}{reasons}", reason(sweep.verdict.name())))),
        Some(fact("Measured", measured)),
        Some(fact(
            "Engine",
            [name(&sweep.framework), sweep.engine_version.as_deref().map(name).unwrap_or_default()]
                .join(" ")
                .trim()
                .to_owned(),
        )),
        sweep.image.as_ref().map(|image| fact("Image", name(image))),
        (!sweep.spec.is_none()).then(|| fact("Speculation", speculation)),
        Some(fact(
            "Load",
            format!(
                "{} tokens in, {} out, lengths from {} of that; {} a unit of concurrency",
                format::count(sweep.isl.into()),
                format::count(sweep.osl.into()),
                format::share(Some(sweep.range_ratio)),
                format::counted(sweep.prompts_per_concurrency.into(), "request"),
            ),
        )),
        source.name.as_ref().map(|source| fact("Source", name(source))),
        ids(&source.configs).map(|ids| fact("Configurations", ids)),
        ids(&source.runs).map(|ids| fact("Workflow runs", ids)),
        ids(&source.rows).map(|ids| fact("Rows", ids)),
    ];
    all.into_iter().flatten().collect()
}

fn ids(ids: &[i64]) -> Option<String> {
    let listed: Vec<String> = ids.iter().take(LISTED).map(ToString::to_string).collect();
    let more = ids.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and {} more", format::count(more as u64)) } else { String::new() };
    (!ids.is_empty()).then(|| format!("{}{rest}", listed.join(", ")))
}

/// The command that computes the sweep again; none: the snapshot does not say.
pub fn command(summary: &Summary, sweep: &Sweep<Outcome>) -> Option<String> {
    let command = summary.run.repro.replace("{sweep}", sweep.id.as_str());
    (!command.is_empty()).then(|| format::shortened(&command, LONGEST_COMMAND))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_setting_says_its_origin_and_where_it_holds() {
        let mut sweep = testing::mixed().sweeps[0].clone();
        sweep.settings.insert("block_size".to_owned(), Setting::resolved(16_u32));
        for point in &mut sweep.points {
            let seqs = if point.concurrency == 64 { 64_u32 } else { 8 };
            point.settings.insert("max_num_seqs".to_owned(), Setting::passed(seqs));
        }
        sweep.settings.insert("other".to_owned(), Setting::absent());
        let lines: Vec<Vec<String>> = settings(&sweep)
            .rows
            .iter()
            .map(|line| line.cells.iter().map(|item| item.cell.text.clone()).collect())
            .collect();
        assert_eq!(
            lines,
            [
                ["16", "resolved", "all points"],
                ["8", "passed", "c\u{a0}=\u{a0}1, 8"],
                ["64", "passed", "c\u{a0}=\u{a0}64"],
                ["–", "absent", "all points"],
            ]
        );
    }

    #[test]
    fn a_sweep_says_why_its_verdict_is_not_better_and_how_to_compute_it_again() {
        let mut summary = testing::mixed();
        let mut sweep = summary.sweeps[0].clone();
        sweep.verdict_reasons = vec!["block_size not passed".to_owned(), "x".repeat(10_000)];
        sweep.source.rows = (0..50).collect();
        let facts = sources(&sweep);
        let value = |name: &str| facts.iter().find(|fact| fact.name == name).unwrap().value.as_str();
        assert!(value("Verdict").starts_with("PARTIAL: block_size not passed; xxx"));
        assert!(value("Verdict").chars().count() < 200, "a text of others is bounded");
        assert!(value("Rows").ends_with("38, 39 and 10 more"));
        assert_eq!(command(&summary, &sweep), None);
        summary.run.repro = "scorer plan --sweeps {sweep}".to_owned();
        assert_eq!(command(&summary, &sweep).unwrap(), "scorer plan --sweeps aaaaaaaaaaaaaaaa");
    }
}
