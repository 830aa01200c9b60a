//! How the figures of a snapshot came about, as plain texts: its rules, its estimators, its measurements.

use shared::corpus::MeasurementSource;
use shared::format;
use shared::outcome::{SimulatorData, SimulatorIdentity};
use shared::summary::Summary;

use crate::views::grid::model::{Grid, Head, Item, Line, Mark, name};
use crate::views::overview::model::facts;

/// More terms than the guide of the Overview has: those of the other views.
pub const MORE_DEFINITIONS: [(&str, &str); 9] = [
    (
        "Estimator",
        "Whatever predicts latencies: a simulator that is run here, or predictions that somebody published.",
    ),
    (
        "Verdict",
        "How far the measured run is known. EXACT: all four admission settings stand on the engine's command line and \
         the sent lengths are verified. PARTIAL: there is an arguments line, but not all of that. NOT REPRODUCIBLE: \
         there is none.",
    ),
    (
        "Admission settings",
        "The four engine settings that decide which requests are processed together. A value is passed (on the \
         command line), resolved (from the log or the engine's defaults) or absent.",
    ),
    (
        "Simulator, measured again, coverage",
        "The three parts of a change between two runs: new predictions of the same measurements, new measurements of \
         the same points, and points that only one of the runs scored. They add up to the whole change.",
    ),
    (
        "Noise",
        "A change whose 95 % interval contains 0: had other sweeps been measured, it might have gone the other way. \
         Both runs are resampled with the same draws.",
    ),
    (
        "Wins",
        "Sweeps of which an estimator has the least MAPE, on the points that every estimator scored. Whoever is within \
         0.05 percentage points of the least shares the win.",
    ),
    (
        "Skill over roofline",
        "1 − MAPE / MAPE of the roofline, on the same points: how much of the error of a simple bound by arithmetic \
         and memory traffic is done away with. 100 % is without error, 0 as wrong as the roofline, below 0 worse.",
    ),
    (
        "Spike",
        "A measured TTFT more than so many times both its neighbours (see the thresholds), at neither end of the \
         sweep. It is marked, and scored like any other point.",
    ),
    (
        "Verified",
        "This browser took the SHA-256 of the snapshot's bytes and computed every figure again from the points in the \
         file, by the code that made them.",
    ),
];

/// A page of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its file below `docs/`.
    pub file: &'static str,
    /// What is in it.
    pub title: &'static str,
}

impl Page {
    /// Where it is read.
    pub fn address(self) -> String {
        format!("{}/blob/main/docs/{}", env!("CARGO_PKG_REPOSITORY"), self.file)
    }
}

/// Where to read more.
pub const PAGES: [Page; 7] = [
    Page { file: "scoring.md", title: "How accuracy is scored: every definition with its formula" },
    Page { file: "measurements.md", title: "Where the measurements come from" },
    Page { file: "workload.md", title: "The requests that the benchmark client sent" },
    Page { file: "simulators.md", title: "How simulators are driven" },
    Page { file: "roofline.md", title: "The roofline" },
    Page { file: "reproducing.md", title: "Computing a figure again on your own machine" },
    Page { file: "files.md", title: "The files of a snapshot" },
];

/// The rules and thresholds of a snapshot.
pub fn thresholds(summary: &Summary) -> Grid {
    let (rules, grading) = (&summary.rules.rules, &summary.grading);
    let percent = |limit: f64| format!("up to {} %", format::full(Some(limit)));
    let line = |key: &str, shown: &str, value: String, meaning: &str| Line {
        key: key.to_owned(),
        name: shown.to_owned(),
        link: None,
        cells: vec![Item::words(value).marked(Mark::Strong), Item::words(meaning)],
    };
    let count = |count: u32| format::count(u64::from(count));
    let rows = vec![
        line(
            "grade-a",
            "Grade A",
            percent(grading.a),
            "of absolute error, of a point or as the MAPE of a group",
        ),
        line("grade-b", "Grade B", percent(grading.b), ""),
        line("grade-c", "Grade C", percent(grading.c), ""),
        line("grade-d", "Grade D", percent(grading.d), "F is above"),
        line("confidence", "Confidence", format::share(Some(rules.confidence)), "of every interval"),
        line(
            "rounds",
            "Bootstrap rounds",
            count(rules.bootstrap_rounds),
            "draws of whole sweeps for an interval",
        ),
        line(
            "least",
            "Sweeps for an interval",
            format!("at least {}", count(rules.bootstrap_min_sweeps)),
            "fewer: no interval",
        ),
        line(
            "most",
            "Clusters of a draw",
            format!("at most {}", count(rules.bootstrap_max_clusters)),
            "more sweeps are pooled into that many first",
        ),
        line("spike", "Spike factor", format::full(Some(rules.spike_factor)), "times both neighbours' TTFT"),
        line(
            "concurrencies",
            "Concurrencies of a sweep",
            format!("at least {}", count(rules.min_concurrencies)),
            "fewer: the sweep is not taken",
        ),
        line(
            "admission",
            "Admission settings",
            name(&rules.admission_settings.join(", ")),
            "decide the verdict",
        ),
        line(
            "definitions",
            "Version of the definitions",
            count(rules.definitions),
            "raised when a formula changes",
        ),
        line(
            "digest",
            "Digest of the rules",
            summary.rules.digest.to_string(),
            "snapshots with the same digest may be compared",
        ),
    ];
    Grid {
        key: "thresholds",
        title: "Thresholds of this snapshot".to_owned(),
        about: "they stand in its file, and a comparison refuses two snapshots with others".to_owned(),
        columns: vec![
            Head::new("rule", "Rule", "", ""),
            Head::new("value", "Value", "", "What this snapshot says"),
            Head::new("meaning", "What it is", "", ""),
        ],
        rows,
        total: None,
    }
}

/// What exactly each estimator is.
pub fn estimators(summary: &Summary) -> Grid {
    let line = |simulator: &SimulatorIdentity| {
        let short = |digest: &shared::digest::Digest| format!("{}…", digest.short(12));
        let text = |value: Option<String>| {
            Item::words(value.map_or_else(|| format::NONE.to_owned(), |value| name(&value)))
        };
        let data = |data: &SimulatorData| {
            let version =
                data.tag.clone().or_else(|| data.commit.clone()).or_else(|| data.sha256.as_ref().map(short));
            format!("{} {}", data.name, version.unwrap_or_default()).trim_end().to_owned()
        };
        let data: Vec<String> = simulator.data.iter().map(data).collect();
        let full = |digest: &Option<shared::digest::Digest>| {
            digest.as_ref().map(ToString::to_string).unwrap_or_default()
        };
        Line {
            key: simulator.id.to_string(),
            name: name(&simulator.title()),
            link: None,
            cells: vec![
                Item::words(name(&simulator.kind)),
                Item::words(if simulator.release { "release" } else { "not a release" }),
                Item::words(facts::settings(simulator.settings)),
                text(simulator.commit.clone()),
                text(simulator.binary_sha256.as_ref().map(short)).titled(full(&simulator.binary_sha256)),
                text((!data.is_empty()).then(|| data.join("; "))),
            ],
        }
    };
    Grid {
        key: "estimators",
        title: "Estimators of this snapshot".to_owned(),
        about: String::new(),
        columns: vec![
            Head::new("estimator", "Estimator", "", "Whatever predicts latencies"),
            Head::new("kind", "Driven as", "", "How it is asked for its predictions"),
            Head::new("release", "Release", "", "Whether it is a published release"),
            Head::new("settings", "Engine settings", "", "Which engine settings it was given"),
            Head::new("commit", "Commit", "", "What it was built from"),
            Head::new("binary", "SHA-256 of its binary", "", ""),
            Head::new("data", "Data", "", "The data that it rests on"),
        ],
        rows: summary.simulators.iter().map(line).collect(),
        total: None,
    }
}

/// Where the measurements come from: facts with their names.
pub fn measurements(summary: &Summary) -> Vec<(&'static str, String)> {
    let MeasurementSource { name: whose, tag, release, date, digest, parts, retrieved_at, .. } =
        &summary.measurements;
    let mut facts = vec![
        ("Measured by", name(whose)),
        ("Release", tag.as_deref().map_or_else(|| "none".to_owned(), name)),
        ("Published", if *release { "yes" } else { "no" }.to_owned()),
        ("Date", name(date)),
        ("Digest of the input files", digest.to_string()),
        ("Digest of the corpus", summary.corpus.to_string()),
    ];
    if let Some(retrieved_at) = retrieved_at {
        facts.push(("Fetched", name(retrieved_at)));
    }
    facts.extend(parts.iter().take(12).map(|part| {
        (
            "Input file",
            format!("{}, {}, SHA-256 {}", name(&part.name), format::bytes(part.bytes), part.sha256),
        )
    }));
    if parts.len() > 12 {
        facts.push(("Input files", format!("and {} more", format::count(parts.len() as u64 - 12))));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_thresholds_are_those_of_the_snapshot() {
        let mut summary = testing::mixed();
        summary.grading.b = 25.5;
        summary.rules.rules.spike_factor = 12.0;
        let grid = thresholds(&summary);
        let value =
            |key: &str| grid.rows.iter().find(|line| line.key == key).unwrap().cells[0].cell.text.clone();
        assert_eq!(value("grade-b"), "up to 25.5 %");
        assert_eq!(value("spike"), "12");
        assert_eq!(value("rounds"), "1,000");
        assert_eq!(value("confidence"), "95 %");
        assert_eq!(value("digest"), summary.rules.digest.to_string());
    }

    #[test]
    fn every_estimator_and_the_source_of_the_measurements_are_named() {
        let summary = testing::mixed();
        let names: Vec<String> = estimators(&summary).rows.into_iter().map(|line| line.name).collect();
        assert_eq!(names, ["Rival", "Sim 1.0"]);
        assert_eq!(measurements(&summary)[0], ("Measured by", "InferenceX".to_owned()));
    }

    #[test]
    fn the_tie_of_a_win_is_that_of_the_contest() {
        let (_, meaning) = MORE_DEFINITIONS.iter().find(|(term, _)| *term == "Wins").unwrap();
        assert!(meaning.contains(&format!(" {} percentage points ", shared::contest::TIE)), "{meaning}");
    }

    #[test]
    fn every_page_that_is_linked_is_there() {
        for page in PAGES {
            let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page.file);
            assert!(file.exists(), "{}", page.file);
        }
    }
}
