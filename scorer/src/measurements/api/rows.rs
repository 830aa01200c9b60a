//! Rows of the API as rows of the database.
//!
//! The API repeats of every result what the database has in three tables, and gives no ids of the other two:
//! equal deployments and equal runs get one each. A result's log is asked for by the result's own id.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::error::ApiError;
use crate::measurements::inferencex::{Collector, ConfigRow, ResultRow, RunRow, of_json};

/// The rows that were read so far.
#[derive(Debug, Default)]
pub(super) struct RowsOfApi {
    configs: BTreeMap<ConfigRow, i64>,
    /// By GitHub's id and the attempt.
    runs: BTreeMap<(i64, u32), i64>,
    results: Vec<ResultRow>,
    /// Results of old answers have no id of their own.
    without_id: i64,
}

impl RowsOfApi {
    /// Takes a row of an answer.
    pub(super) fn take(&mut self, row: &RawValue) -> Result<(), ApiError> {
        let mut fields = of_json(row.get()).map_err(ApiError::NoRow)?;
        let id = fields.remove("id");
        fields.insert("id".to_owned(), "0".to_owned());
        let config = ConfigRow::read(&fields)?;
        let next = one_more(self.configs.len());
        let config = *self.configs.entry(config).or_insert(next);

        if let Some(id) = &id {
            fields.insert("server_log_id".to_owned(), id.clone());
        } else {
            self.without_id -= 1;
        }
        fields.insert("id".to_owned(), id.unwrap_or_else(|| self.without_id.to_string()));
        fields.insert("config_id".to_owned(), config.to_string());
        if let Some(run) = fields.get("run_url").and_then(|url| run_of(url)) {
            let next = one_more(self.runs.len());
            let run = *self.runs.entry(run).or_insert(next);
            fields.insert("workflow_run_id".to_owned(), run.to_string());
        }
        fields.entry("benchmark_type".to_owned()).or_insert_with(|| "single_turn".to_owned());
        // A time instead of a day: `2026-09-03T00:00:00.000Z`.
        if let Some(date) = fields.get_mut("date")
            && let Some((day, _)) = date.split_once('T')
        {
            *date = day.to_owned();
        }
        self.results.push(ResultRow::read(&fields)?);
        Ok(())
    }

    /// Gives all rows to a collector.
    pub(super) fn give(self, collector: &mut Collector<'_>) -> Result<(), ApiError> {
        for (config, id) in self.configs {
            collector.config(ConfigRow { id, ..config })?;
        }
        for ((github_run, attempt), id) in self.runs {
            collector.run(RunRow { id, github_run, attempt })?;
        }
        Ok(self.results.into_iter().try_for_each(|row| collector.result(row))?)
    }
}

/// The id after so many.
fn one_more(ids: usize) -> i64 {
    i64::try_from(ids).unwrap_or(i64::MAX).saturating_add(1)
}

/// GitHub's id of a run and the attempt, from `https://github.com/…/actions/runs/<id>/attempts/<attempt>`.
fn run_of(url: &str) -> Option<(i64, u32)> {
    let (_, rest) = url.split_once("/actions/runs/")?;
    let mut parts = rest.split('/');
    let run = parts.next()?.parse().ok()?;
    let attempt = match (parts.next(), parts.next()) {
        (Some("attempts"), Some(attempt)) => attempt.parse().ok()?,
        _ => 0,
    };
    Some((run, attempt))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_read_from_its_address() {
        let base = "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/33554397154";
        assert_eq!(run_of(&format!("{base}/attempts/2")), Some((33_554_397_154, 2)));
        assert_eq!(run_of(base), Some((33_554_397_154, 0)));
        for url in ["", "https://github.com/x", "https://github.com/x/actions/runs/y"] {
            assert_eq!(run_of(url), None, "{url}");
        }
    }
}
