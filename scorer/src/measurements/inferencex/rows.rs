//! The rows of the tables that are read, each made by one constructor from its columns' texts.
//!
//! Of a deployment or a result only what says whether it matters here must be readable. What else cannot be
//! read is kept as the row's fault: a row that could become a point stops the reading with it, and one of
//! another engine is counted like its neighbours.

use super::fields::{Fields, Reader, RowError, RowFault};
use super::metrics::Metrics;

/// A row of `configs`: one deployment.
///
/// For a deployment whose prefill and decode share their GPUs the `prefill_` columns repeat the
/// `decode_` ones, so only the latter are read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConfigRow {
    /// Its id.
    pub id: i64,
    /// The GPU.
    pub hardware: String,
    /// The engine.
    pub framework: String,
    /// The model by its database key.
    pub model: String,
    /// The precision of the weights.
    pub precision: String,
    /// Speculative decoding: `none` or `mtp`.
    pub spec_method: String,
    /// Whether prefill and decode have their own GPUs.
    pub disagg: bool,
    /// Whether it spans several nodes.
    pub is_multinode: bool,
    /// The recipe's tensor-parallel size.
    pub tp: u32,
    /// The recipe's expert-parallel size.
    pub ep: u32,
    /// Whether the recipe runs data-parallel attention.
    pub dp_attention: bool,
    /// The first column that cannot be read; it and others may then stand empty above.
    pub fault: Option<RowError>,
}

impl ConfigRow {
    /// The table.
    pub const TABLE: &'static str = "configs";
    /// The columns that must be there.
    pub const NEEDED: &'static [&'static str] = &[
        "id",
        "hardware",
        "framework",
        "model",
        "precision",
        "spec_method",
        "disagg",
        "is_multinode",
        "decode_tp",
        "decode_ep",
        "decode_dp_attention",
    ];
    /// The columns that are read where they are there.
    pub const OPTIONAL: &'static [&'static str] = &[];

    /// Reads a row.
    ///
    /// # Errors
    /// When its id or its engine cannot be read.
    pub fn read(fields: &dyn Fields) -> Result<Self, RowError> {
        let row = Reader::new(Self::TABLE, fields);
        Ok(Self {
            id: row.number("id")?,
            hardware: row.or_fault(row.name("hardware")),
            framework: row.name("framework")?,
            model: row.or_fault(row.name("model")),
            precision: row.or_fault(row.name("precision")),
            spec_method: row.or_fault(row.name("spec_method")),
            disagg: row.or_fault(row.flag("disagg")),
            is_multinode: row.or_fault(row.flag("is_multinode")),
            tp: row.or_fault(row.number("decode_tp")),
            ep: row.or_fault(row.number("decode_ep")),
            dp_attention: row.or_fault(row.flag("decode_dp_attention")),
            fault: row.fault(),
        })
    }
}

/// A row of `benchmark_results`: one measured point.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// Its id.
    pub id: i64,
    /// The id of its workflow run's row, where the source has one.
    pub run: Option<i64>,
    /// The id of its deployment's row.
    pub config: i64,
    /// `single_turn` or `agentic_traces`.
    pub benchmark_type: String,
    /// The day of the run, `YYYY-MM-DD`.
    pub date: String,
    /// Input length, in tokens.
    pub isl: Option<u32>,
    /// Output length, in tokens.
    pub osl: Option<u32>,
    /// Requests in flight.
    pub concurrency: u32,
    /// The container image.
    pub image: Option<String>,
    /// What was measured.
    pub metrics: Metrics,
    /// Whether the row reports an error instead of a measurement.
    pub failed: bool,
    /// The id of its server log.
    pub log: Option<i64>,
    /// Whether KV blocks were offloaded to the host.
    pub offloaded: bool,
    /// Which recipe it ran by.
    pub fingerprint: Option<String>,
    /// The first column that cannot be read; it and others may then stand empty above.
    pub fault: Option<RowError>,
}

impl ResultRow {
    /// The table.
    pub const TABLE: &'static str = "benchmark_results";
    /// The columns that must be there.
    pub const NEEDED: &'static [&'static str] = &[
        "id",
        "workflow_run_id",
        "config_id",
        "benchmark_type",
        "date",
        "isl",
        "osl",
        "conc",
        "image",
        "metrics",
        "server_log_id",
    ];
    /// The column of which only whether it has a value is read: it may be an output of megabytes.
    pub const NOTED: &'static str = "error";
    /// The columns that are read where they are there; older databases do not have them.
    pub const OPTIONAL: &'static [&'static str] = &["offload_mode", "recipe_fingerprint"];

    /// Reads a row.
    ///
    /// # Errors
    /// When its id, its deployment or its kind of benchmark cannot be read.
    pub fn read(fields: &dyn Fields) -> Result<Self, RowError> {
        let row = Reader::new(Self::TABLE, fields);
        Ok(Self {
            id: row.number("id")?,
            run: row.or_fault(row.optional_number("workflow_run_id")),
            config: row.number("config_id")?,
            benchmark_type: row.name("benchmark_type")?,
            date: row.or_fault(day(&row)),
            isl: row.or_fault(row.optional_number("isl")),
            osl: row.or_fault(row.optional_number("osl")),
            concurrency: row.or_fault(row.number("conc")),
            image: row.or_fault(row.optional_name("image")),
            metrics: row.or_fault(metrics(&row)),
            failed: row.text(Self::NOTED).is_some(),
            log: row.or_fault(row.optional_number("server_log_id")),
            offloaded: row.text("offload_mode").is_some_and(|mode| mode != "off"),
            fingerprint: row.or_fault(row.optional_name("recipe_fingerprint")),
            fault: row.fault(),
        })
    }
}

fn day(row: &Reader<'_>) -> Result<String, RowError> {
    let day = row.name("date")?;
    if day.parse::<jiff::civil::Date>().is_ok_and(|date| date.to_string() == day) {
        return Ok(day);
    }
    Err(row.error("date", RowFault::NotA { text: day, expected: "a day as YYYY-MM-DD" }))
}

fn metrics(row: &Reader<'_>) -> Result<Metrics, RowError> {
    Metrics::from_json(row.needed("metrics")?)
        .map_err(|error| row.error("metrics", RowFault::NotJson(error.to_string())))
}

/// A row of `workflow_runs`: one attempt of a run of the benchmark's workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its id.
    pub id: i64,
    /// GitHub's id of the run.
    pub github_run: i64,
    /// Which attempt of the run.
    pub attempt: u32,
}

impl RunRow {
    /// The table.
    pub const TABLE: &'static str = "workflow_runs";
    /// The columns that must be there.
    pub const NEEDED: &'static [&'static str] = &["id", "github_run_id", "run_attempt"];
    /// The columns that are read where they are there.
    pub const OPTIONAL: &'static [&'static str] = &[];

    /// Reads a row.
    ///
    /// # Errors
    /// When a needed column has no value, or one of another kind.
    pub fn read(fields: &dyn Fields) -> Result<Self, RowError> {
        let row = Reader::new(Self::TABLE, fields);
        Ok(Self {
            id: row.number("id")?,
            github_run: row.number("github_run_id")?,
            attempt: row.number("run_attempt")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CONFIG: [(&str, &str); 11] = [
        ("id", "15"),
        ("hardware", "b200"),
        ("framework", "vllm"),
        ("model", "dsv4"),
        ("precision", "fp4"),
        ("spec_method", "none"),
        ("disagg", "f"),
        ("is_multinode", "false"),
        ("decode_tp", "8"),
        ("decode_ep", "8"),
        ("decode_dp_attention", "t"),
    ];

    const RESULT: [(&str, &str); 10] = [
        ("id", "116"),
        ("workflow_run_id", "3"),
        ("config_id", "15"),
        ("benchmark_type", "single_turn"),
        ("date", "2026-09-20"),
        ("isl", "8192"),
        ("osl", "1024"),
        ("conc", "4"),
        ("image", "vllm/vllm-openai:v0.22.0"),
        ("metrics", r#"{"mean_ttft": 0.5}"#),
    ];

    fn with<const N: usize>(
        row: [(&'static str, &'static str); N],
        column: &str,
        text: &'static str,
    ) -> [(&'static str, &'static str); N] {
        row.map(|(name, old)| (name, if name == column { text } else { old }))
    }

    #[test]
    fn flags_are_read_as_copy_and_as_json_write_them() {
        let config = ConfigRow::read(&CONFIG).unwrap();
        assert_eq!((config.disagg, config.is_multinode, config.dp_attention), (false, false, true));
        assert_eq!((config.tp, config.ep), (8, 8));
    }

    #[test]
    fn what_is_null_is_not_there() {
        let result = ResultRow::read(&RESULT).unwrap();
        assert_eq!((result.log, result.failed, result.offloaded), (None, false, false));
        assert_eq!(result.metrics.mean_ttft, Some(0.5));
    }

    #[test]
    fn a_wrong_column_is_named_with_its_row() {
        let shown = |row| ResultRow::read(&row).unwrap().fault.unwrap().to_string();
        let error = shown(with(RESULT, "conc", "99999999999"));
        assert!(error.starts_with("table `benchmark_results`, row 116, column `conc`: `99999999999` is not"));
        assert!(shown(with(RESULT, "date", "2026-9-20")).contains("is not a day"));
        assert!(shown(with(RESULT, "metrics", "[1")).contains("is not the JSON that is needed"));
        assert!(shown(with(RESULT, "image", "a\u{1b}[2J")).contains("control characters"));
        let missing = ConfigRow::read(
            &with(CONFIG, "model", "x")
                .map(|(name, text)| if name == "model" { ("another", text) } else { (name, text) }),
        );
        assert!(missing.unwrap().fault.unwrap().to_string().contains("column `model`: has no value"));
    }

    #[test]
    fn what_a_row_is_must_be_readable() {
        for column in ["id", "config_id", "benchmark_type"] {
            let error = ResultRow::read(&with(RESULT, column, "\t")).unwrap_err().to_string();
            assert!(error.contains(&format!("column `{column}`")), "{error}");
        }
        for column in ["id", "framework"] {
            assert!(ConfigRow::read(&with(CONFIG, column, "\t")).is_err(), "{column}");
        }
    }

    proptest! {
        #[test]
        fn no_text_of_any_column_makes_them_panic(column in 0..10_usize, text in "\\PC{0,40}") {
            let mut row: std::collections::BTreeMap<String, String> =
                RESULT.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
            row.insert(RESULT[column].0.to_owned(), text.clone());
            let _ = ResultRow::read(&row);
            let _ = RunRow::read(&row);
            let mut row: std::collections::BTreeMap<String, String> =
                CONFIG.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
            row.insert(CONFIG[column].0.to_owned(), text);
            let _ = ConfigRow::read(&row);
        }
    }
}
