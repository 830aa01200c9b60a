//! The InferenceX API: the newest rows of every model, and the server logs of those that may become points.
//!
//! [`read`] asks for the rows of one model after another, then for the logs, a few at a time, each in
//! chunks. Logs do not change, so they are kept on disk: a run that was broken off goes on where it was.
//! Addresses and shapes: docs/measurements.md, "The API".

mod cache;
mod client;
mod error;
mod log_text;
mod rows;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::civil::Date;
use shared::corpus::SourceKind;
use shared::format::counted;
use tokio::task::JoinSet;

pub use error::ApiError;

use super::Ingested;
use super::http::{Http, Url};
use super::inferencex::{Collector, SelectionOptions, SourceFacts};
use crate::console::Console;
use crate::reference::Reference;
use cache::LogCache;
use client::Api;
use rows::RowsOfApi;

/// The address of the public API.
pub const BASE_URL: &str = "https://inferencex.semianalysis.com/api/v1";

/// How many logs are asked for at once when nothing else is said.
pub const JOBS: u32 = 4;

/// What is asked for, and how.
#[derive(Clone, Debug)]
pub struct ApiOptions {
    /// Where the API is, up to and with its version.
    pub base_url: Url,
    /// The day whose newest rows are asked for; none: today's.
    pub date: Option<Date>,
    /// How many logs are asked for at once.
    pub jobs: u32,
    /// The folder where logs are kept; none: nowhere.
    pub cache: Option<PathBuf>,
}

/// Reads the rows and logs of the API as a corpus.
///
/// # Errors
/// When the API does not answer as it should, or its rows cannot be made a corpus.
pub async fn read(
    http: Http,
    options: &ApiOptions,
    selection: &SelectionOptions,
    reference: &Reference,
    console: &Console,
) -> Result<Ingested, ApiError> {
    let cache = options.cache.as_deref().map(|folder| LogCache::new(folder, &options.base_url));
    let api = Api::new(http, options.base_url.clone(), cache);
    let mut rows = RowsOfApi::default();
    let mut notes = Vec::new();
    for display in reference.inferencex().displays() {
        match api.benchmarks(display, options.date).await? {
            Some(benchmarks) => {
                console.detail(&format!("{display}: {} rows", benchmarks.len()));
                benchmarks.iter().try_for_each(|row| rows.take(row))?;
            }
            None => notes.push(format!("the API does not know the model {display}, so it has no rows")),
        }
    }
    let mut collector = Collector::new(reference);
    rows.give(&mut collector)?;
    collector.rows_complete()?;
    let logless = logs(api, options.jobs, &mut collector, console).await?;
    if logless > 0 {
        let rows = counted(logless, "row");
        notes.push(format!("the API has no log of {rows} that may become points"));
    }
    let source = SourceFacts {
        kind: SourceKind::InferencexApi,
        tag: None,
        release: false,
        date: options.date.map(|date| date.to_string()),
        parts: Vec::new(),
    };
    let mut ingested = collector.finish(source, selection)?;
    ingested.notes.extend(notes);
    Ok(ingested)
}

/// Asks for all logs that are wanted, a few at a time, and counts those that are not there.
async fn logs(
    api: Api,
    jobs: u32,
    collector: &mut Collector<'_>,
    console: &Console,
) -> Result<u64, ApiError> {
    let wanted: Vec<i64> = collector.wanted_logs().collect();
    let progress = console.progress(wanted.len() as u64, "server logs");
    let queue = Arc::new(Mutex::new(wanted.into_iter()));
    let (sender, mut answers) = tokio::sync::mpsc::channel(1);
    let mut workers = JoinSet::new();
    for _ in 0..jobs {
        let (api, queue, sender) = (api.clone(), Arc::clone(&queue), sender.clone());
        workers.spawn(async move {
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(row) = next else { return };
                let answer = api.log_facts(row).await;
                if sender.send((row, answer)).await.is_err() {
                    return;
                }
            }
        });
    }
    drop(sender);
    let mut logless = 0;
    while let Some((row, answer)) = answers.recv().await {
        // The first error ends all of them: workers stop when they are dropped.
        if let Some(facts) = answer? {
            collector.log(row, facts)?;
        } else {
            collector.without_log(row);
            logless += 1;
        }
        progress.advance(1);
    }
    Ok(logless)
}

#[cfg(test)]
mod tests;
