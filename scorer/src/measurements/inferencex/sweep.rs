//! The rows of one key as a sweep.

use std::collections::{BTreeMap, BTreeSet};

use shared::corpus::PublishedRatio;
use shared::digest::Digest;
use shared::id::SweepId;
use shared::millis::MillisError;
use shared::rules::Rules;
use shared::sweep::{Dates, Sweep, SweepSource};
use shared::tier::Verdict;

use super::candidate::FRAMEWORK;
use super::deployment::Key;
use super::joined::Joined;
use super::point;
use crate::measurements::complete::complete;
use crate::measurements::lengths::{ClientRun, LengthJudge};
use crate::measurements::settings::Facts;
use crate::reference::Version;
use crate::workload::DEFAULT_RANGE_RATIO;

/// What the sweeps of a corpus are made with.
pub(super) struct Maker<'a> {
    pub(super) facts: &'a dyn Facts,
    pub(super) rules: &'a Rules,
    pub(super) lengths: LengthJudge,
}

impl Maker<'_> {
    /// The sweep of some rows, which have one key and are in the order of their ids; none when they have
    /// too few concurrencies.
    ///
    /// # Errors
    /// When a latency is none, which that of a candidate is not.
    pub(super) fn sweep(
        &mut self,
        key: &Key,
        version: Version,
        rows: &[Joined<'_>],
    ) -> Result<Option<Sweep<PublishedRatio>>, MillisError> {
        let mut by_concurrency: BTreeMap<u32, Vec<Joined<'_>>> = BTreeMap::new();
        for row in rows {
            by_concurrency.entry(row.result.concurrency).or_default().push(*row);
        }
        if by_concurrency.len() < self.rules.min_concurrencies as usize {
            return Ok(None);
        }
        let engine_version = version.to_string();
        let defaults = self.facts.admission_defaults(FRAMEWORK, Some(&engine_version), &key.hardware);
        let mut judged = point::judge_lengths(&by_concurrency, key, &mut self.lengths);
        let client = judged.client.unwrap_or(ClientRun::ORDINARY);
        let points = by_concurrency.iter().map(|(concurrency, repeats)| {
            let lengths = judged.checks.remove(concurrency).unwrap_or_default();
            point::of_repeats(*concurrency, repeats, key, lengths, defaults.as_ref())
        });
        let mut sweep = Sweep {
            id: SweepId::of_digest(&Digest::of_bytes(b"")),
            model: key.model.clone(),
            family: self.facts.family(&key.model),
            hardware: key.hardware.clone(),
            framework: FRAMEWORK.to_owned(),
            precision: key.precision.clone(),
            parallelism: key.parallelism,
            spec: key.spec.clone(),
            isl: key.isl,
            osl: key.osl,
            range_ratio: DEFAULT_RANGE_RATIO,
            prompts_per_concurrency: client.prompts_per_concurrency,
            template_tokens: client.template_tokens,
            image: Some(key.image.clone()),
            engine_version: Some(engine_version),
            dates: dates(rows),
            source: source(rows),
            settings: BTreeMap::new(),
            verdict: Verdict::NotReproducible,
            verdict_reasons: Vec::new(),
            points: points.collect::<Result<_, _>>()?,
        };
        complete(&mut sweep, self.rules);
        Ok(Some(sweep))
    }
}

fn dates(rows: &[Joined<'_>]) -> Dates {
    let days = || rows.iter().map(|row| row.result.date.as_str());
    Dates {
        first: days().min().unwrap_or_default().to_owned(),
        last: days().max().unwrap_or_default().to_owned(),
    }
}

/// Only what every source of these rows knows: the ids of results, and GitHub's of the runs.
fn source(rows: &[Joined<'_>]) -> SweepSource {
    let runs: BTreeSet<i64> = rows.iter().filter_map(|row| Some(row.run?.github_run)).collect();
    let results: BTreeSet<i64> = rows.iter().map(|row| row.result.id).collect();
    SweepSource {
        name: None,
        configs: Vec::new(),
        runs: runs.into_iter().collect(),
        rows: results.into_iter().collect(),
    }
}
