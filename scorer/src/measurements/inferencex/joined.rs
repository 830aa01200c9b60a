//! A result with the rows that it names.

use std::fmt::Write as _;

use shared::deployment::Workload;

use super::misfit::Misfit;
use super::rows::{ConfigRow, ResultRow, RunRow};
use crate::measurements::engine_log::{Arguments, LogFacts};

/// A row of `benchmark_results`, its deployment, and where there are any its run and its log.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined<'a> {
    pub(super) result: &'a ResultRow,
    pub(super) config: &'a ConfigRow,
    pub(super) run: Option<&'a RunRow>,
    /// Of rows that may become points only.
    pub(super) log: Option<&'a LogFacts>,
    /// In what that log is of another server.
    pub(super) misfit: Option<Misfit>,
}

impl<'a> Joined<'a> {
    /// The log, where it is of the server that was measured.
    pub(super) fn own_log(&self) -> Option<&'a LogFacts> {
        self.log.filter(|_| self.misfit.is_none())
    }

    /// What the engine was passed, when a log says it.
    pub(super) fn passed(&self) -> Option<&'a Arguments> {
        self.own_log().and_then(LogFacts::passed)
    }

    /// The row in words, for people who look for it.
    pub(super) fn name(&self) -> String {
        let Self { result, config, .. } = self;
        let ConfigRow { model, hardware, framework, precision, spec_method, .. } = config;
        let mut name =
            format!("row {:>7}: {model} {hardware} {framework} {precision} tp{}", result.id, config.tp);
        // Writing to a string cannot fail.
        for (said, size) in [("ep", config.ep), ("dp", if config.dp_attention { config.tp } else { 1 })] {
            if size > 1 {
                let _ = write!(name, " {said}{size}");
            }
        }
        if spec_method != "none" {
            let _ = write!(name, " {spec_method}");
        }
        if let (Some(isl), Some(osl)) = (result.isl, result.osl) {
            let _ = write!(name, " {}", Workload::label(isl, osl));
        }
        let image = result.image.as_deref().unwrap_or("no image");
        let _ = write!(name, " c={} {} {image}", result.concurrency, result.date);
        for fault in config.fault.iter().chain(&result.fault) {
            let _ = write!(name, " ({fault})");
        }
        name
    }
}
