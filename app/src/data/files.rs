//! The index, and what the tables need of a snapshot, from parsed JSON. The field names are those of
//! `schemas/`, and a test compares with what serde reads.

use shared::deployment::Parallelism;
use shared::index::IndexEntry;
use shared::metric::Metric;
use shared::outcome::{CommitSource, OutcomeCounts, Reason, ScorerIdentity, SettingsProfile};
use shared::outline::{Coverage, Outline, Simulator, SweepOutline, VerdictCount};
use shared::rules::Grading;
use shared::summary::{Aggregate, AggregateKey, Figures, Grade, GroupBy, Interval, Label};
use shared::tier::{Tier, Verdict};

use super::json::{Reader, Value};

/// The snapshots of an `index.v1`.
pub fn index<V: Value>(file: &Reader<'_, V>) -> Vec<IndexEntry> {
    file.at("snapshots").known(entry)
}

fn entry<V: Value>(of: &Reader<'_, V>) -> Option<IndexEntry> {
    Some(IndexEntry {
        id: of.at("id").parse()?,
        primary: of.at("primary").parse()?,
        sha256: of.at("sha256").parse()?,
        label: of.at("label").one_of(&Label::ALL, Label::name)?,
        settings: of.at("settings").one_of(&SettingsProfile::ALL, SettingsProfile::key)?,
        generated_at: of.at("generated_at").text(),
        simulator: of.at("simulator").name(),
        measurements: of.at("measurements").name(),
        sweeps: of.at("sweeps").count(),
        points: of.at("points").count(),
        scored: of.at("scored").count(),
        // The page shows the figures of the snapshot itself.
        headline: Vec::new(),
        bytes: of.at("bytes").count(),
    })
}

/// The outline of a `summary.v1`.
pub fn outline<V: Value>(file: &Reader<'_, V>) -> Option<Outline> {
    let run = file.at("run");
    let primary = run.at("primary").parse()?;
    let scorer = scorer(&run.at("scorer"))?;
    let rules = file.at("rules");
    Some(Outline {
        primary,
        scorer,
        simulators: file.at("simulators").known(simulator),
        bootstrap_min_sweeps: rules.at("rules").at("bootstrap_min_sweeps").count(),
        grading: grading(&file.at("grading")),
        coverage: coverage(&file.at("coverage")),
        verdicts: file.at("verdicts").known(verdict_count),
        aggregates: file.at("aggregates").known(aggregate),
        sweeps: file.at("sweeps").known(sweep),
    })
}

fn scorer<V: Value>(of: &Reader<'_, V>) -> Option<ScorerIdentity> {
    Some(ScorerIdentity {
        commit_source: of.at("commit_source").one_of(&CommitSource::ALL, CommitSource::key)?,
        version: of.at("version").text(),
        commit: of.find("commit").map(|commit| commit.text()),
    })
}

fn simulator<V: Value>(of: &Reader<'_, V>) -> Option<Simulator> {
    Some(Simulator { id: of.at("id").parse()?, name: of.at("name").name(), version: of.at("version").name() })
}

fn grading<V: Value>(of: &Reader<'_, V>) -> Grading {
    let limit = |name| of.at(name).number();
    Grading { a: limit("a"), b: limit("b"), c: limit("c"), d: limit("d") }
}

fn coverage<V: Value>(of: &Reader<'_, V>) -> Coverage {
    let rows = of.at("rows");
    Coverage {
        rows_read: rows.at("read").count(),
        rows_kept: rows.at("kept").count(),
        rows_skipped: rows
            .at("skipped")
            .list(|skipped| (skipped.at("reason").name(), skipped.at("count").count())),
        sweeps: of.at("sweeps").count(),
        points: of.at("points").count(),
        estimators: of.at("estimators").map(outcome_counts),
    }
}

fn outcome_counts<V: Value>(of: &Reader<'_, V>) -> OutcomeCounts {
    let mut counts = OutcomeCounts {
        scored: of.at("scored").count(),
        not_scored: of.at("not_scored").count(),
        ..OutcomeCounts::default()
    };
    let by_reason = of.at("reasons");
    for reason in Reason::ALL {
        if let Some(count) = by_reason.find(reason.key()) {
            counts.reasons.insert(reason, count.count());
        }
    }
    counts
}

fn verdict_count<V: Value>(of: &Reader<'_, V>) -> Option<VerdictCount> {
    Some(VerdictCount {
        verdict: verdict(&of.at("verdict"))?,
        sweeps: of.at("sweeps").count(),
        points: of.at("points").count(),
    })
}

fn verdict<V: Value>(of: &Reader<'_, V>) -> Option<Verdict> {
    of.one_of(&Verdict::ALL, Verdict::name)
}

fn aggregate<V: Value>(of: &Reader<'_, V>) -> Option<Aggregate> {
    let key = of.at("of");
    Some(Aggregate {
        of: AggregateKey {
            by: key.at("by").one_of(&GroupBy::ALL, GroupBy::key)?,
            tier: key.at("tier").one_of(&Tier::ALL, Tier::key)?,
            metric: key.at("metric").one_of(&Metric::ALL, Metric::key)?,
            estimator: key.at("estimator").parse()?,
            key: key.at("key").name(),
        },
        figures: figures(&of.at("figures")),
    })
}

fn figures<V: Value>(of: &Reader<'_, V>) -> Figures {
    let count = |name| of.at(name).count();
    let number = |name| of.find(name).map(|number| number.number());
    let interval = |name| {
        let interval = of.find(name)?;
        Some(Interval { low: interval.at("low").number(), high: interval.at("high").number() })
    };
    Figures {
        sweeps: count("sweeps"),
        points: count("points"),
        not_scored: count("not_scored"),
        shape_points: count("shape_points"),
        mape: number("mape"),
        signed_mean: number("signed_mean"),
        shape: number("shape"),
        signed_shape: number("signed_shape"),
        at_lowest: number("at_lowest"),
        at_highest: number("at_highest"),
        median: number("median"),
        p90: number("p90"),
        share_over: number("share_over"),
        cancellation: number("cancellation"),
        mape_interval: interval("mape_interval"),
        signed_interval: interval("signed_interval"),
        shape_interval: interval("shape_interval"),
        grade: of.find("grade").and_then(|grade| grade.one_of(&Grade::ALL, Grade::letter)),
    }
}

fn sweep<V: Value>(of: &Reader<'_, V>) -> Option<SweepOutline> {
    let outcomes = of.at("points").list(|point| point.find("predictions").map(|all| all.map(outcome)));
    Some(SweepOutline {
        verdict: verdict(&of.at("verdict"))?,
        model: of.at("model").name(),
        family: of.at("family").name(),
        hardware: of.at("hardware").name(),
        precision: of.at("precision").name(),
        parallelism: parallelism(&of.at("parallelism")),
        isl: of.at("isl").small_count(),
        osl: of.at("osl").small_count(),
        engine_version: of.find("engine_version").map(|version| version.name()),
        outcomes: outcomes.into_iter().flatten().flatten().collect(),
    })
}

fn parallelism<V: Value>(of: &Reader<'_, V>) -> Parallelism {
    let size = |name| of.at(name).small_count();
    // Which kind of attention it is decides no group.
    Parallelism { tp: size("tp"), pp: size("pp"), dp: size("dp"), ep: size("ep"), dp_attention: false }
}

/// Why a point was not scored; none when it was.
fn outcome<V: Value>(of: &Reader<'_, V>) -> Option<Reason> {
    of.find("not_scored")?.at("reason").one_of(&Reason::ALL, Reason::key)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use shared::group;
    use shared::index::Index;
    use shared::outcome::SimulatorIdentity;
    use shared::outline::Outline;

    use crate::data::json::{Fault, Reader};
    use crate::testing;

    fn outline(value: Value) -> Result<Outline, String> {
        let fault = Fault::default();
        let outline = super::outline(&Reader::new(value, &fault));
        fault.or(outline)
    }

    #[test]
    fn an_outline_says_what_the_whole_snapshot_says() {
        let whole = testing::mixed();
        let outline = outline(serde_json::to_value(&whole).unwrap()).unwrap();
        assert_eq!((&outline.primary, &outline.scorer), (&whole.run.primary, &whole.run.scorer));
        assert_eq!((outline.grading, &outline.aggregates), (whole.grading, &whole.aggregates));
        let titles: Vec<String> = whole.simulators.iter().map(SimulatorIdentity::title).collect();
        assert_eq!(
            outline.simulators.iter().map(shared::outline::Simulator::title).collect::<Vec<_>>(),
            titles
        );
        assert_eq!(outline.bootstrap_min_sweeps, u64::from(whole.rules.rules.bootstrap_min_sweeps));
        let coverage = &outline.coverage;
        assert_eq!(
            (coverage.rows_read, coverage.rows_kept),
            (whole.coverage.rows.read(), whole.coverage.rows.kept())
        );
        assert_eq!(coverage.rows_skipped, [("other_framework".to_owned(), 2)]);
        let estimators: Vec<_> = whole.coverage.estimators.clone().into_iter().collect();
        assert_eq!((coverage.points, &coverage.estimators), (whole.coverage.points, &estimators));
        let verdicts = outline.verdicts.iter().map(|count| (count.verdict, count.sweeps, count.points));
        assert!(verdicts.eq(whole.verdicts.iter().map(|count| (count.verdict, count.sweeps, count.points))));
    }

    #[test]
    fn the_counts_of_every_group_are_those_of_its_figures() {
        let whole = testing::mixed();
        let outline = outline(serde_json::to_value(&whole).unwrap()).unwrap();
        for aggregate in &whole.aggregates {
            let counts = outline.counts(&aggregate.of);
            let figures = aggregate.figures;
            assert_eq!(
                (counts.scored, counts.not_scored),
                (figures.points, figures.not_scored),
                "{}",
                aggregate.of
            );
        }
        for (sweep, whole) in outline.sweeps.iter().zip(&whole.sweeps) {
            for by in shared::summary::GroupBy::ALL {
                assert_eq!(group::key(by, sweep), group::key(by, whole));
            }
        }
    }

    #[test]
    fn what_is_not_as_it_should_be_is_named() {
        let fault = |place: &str, value: Value| {
            let mut whole = serde_json::to_value(testing::mixed()).unwrap();
            *whole.pointer_mut(place).unwrap() = value;
            outline(whole).unwrap_err()
        };
        let text = fault("/aggregates/0/figures/points", json!("many"));
        assert_eq!(text, "the file · aggregates · 1 · figures · points is not a whole number");
        let text = fault("/run/primary", json!("NO ID"));
        assert_eq!(text, "the file · run · primary is not a valid name");
        let text = fault("/sweeps/1/verdict", json!("GOOD"));
        assert_eq!(text, "the file · sweeps · 2 · verdict is not a known name");
    }

    #[test]
    fn an_index_says_what_serde_reads_of_it() {
        let entry = json!({
            "id": "2026-09-28_sim-1.0_00000000", "generated_at": "2026-11-30T08:00:00Z", "label": "released",
            "primary": "sim", "simulator": "Sim 1.0", "settings": "recorded", "measurements": "db-dump/2026-09-28",
            "sweeps": 113, "points": 1573, "scored": 1, "headline": [], "sha256": "0".repeat(64), "bytes": 1,
        });
        let file = json!({ "schema": "index.v1", "snapshots": [entry] });
        let by_serde: Index = serde_json::from_value(file.clone()).unwrap();
        let fault = Fault::default();
        let read = super::index(&Reader::new(file, &fault));
        assert_eq!(fault.or(Some(read)), Ok(by_serde.snapshots));
    }
}
