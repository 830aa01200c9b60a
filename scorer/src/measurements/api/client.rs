//! The two questions that the API is asked.

use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::cache::LogCache;
use super::error::ApiError;
use super::log_text::LogText;
use crate::measurements::engine_log::{LONGEST_LOG, LogFacts, LogScanner};
use crate::measurements::http::{Http, HttpError, Url};

/// The largest answer with rows: some ten thousand of them.
const LARGEST_ROWS: u64 = 256 << 20;
/// How many characters of a log are asked for at once: the most that the API gives.
const CHUNK: u64 = 256 << 10;
/// The largest answer with a chunk: every character may be escaped.
const LARGEST_CHUNK: u64 = 12 * CHUNK + 4096;

/// An API at one address.
#[derive(Clone, Debug)]
pub(super) struct Api {
    http: Http,
    base_url: Url,
    cache: Option<LogCache>,
}

/// A log, or a chunk of one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    /// Null when there is no log; an answer without it is of another kind.
    #[serde(deserialize_with = "Option::deserialize")]
    server_log: Option<LogText>,
    /// The row, which older answers do not repeat; a text or a number.
    #[serde(default)]
    id: Option<Value>,
    /// Where it begins, which older answers do not repeat.
    #[serde(default)]
    offset: Option<u64>,
    /// Where the next chunk begins; none after the last.
    #[serde(default)]
    next_offset: Option<u64>,
}

impl Chunk {
    /// Whether it is what was asked for, as far as it says so.
    fn answers(&self, row: i64, offset: u64) -> bool {
        let id = self.id.as_ref().is_none_or(|id| match id {
            Value::String(id) => *id == row.to_string(),
            id => id.as_i64() == Some(row),
        });
        id && self.offset.is_none_or(|from| from == offset)
    }
}

impl Api {
    pub(super) fn new(http: Http, base_url: Url, cache: Option<LogCache>) -> Self {
        Self { http, base_url, cache }
    }

    /// The rows of a model, each as its JSON text; none when the API does not know it.
    pub(super) async fn benchmarks(
        &self,
        model: &str,
        date: Option<Date>,
    ) -> Result<Option<Vec<Box<RawValue>>>, ApiError> {
        let mut url = self.url("benchmarks")?;
        url.query_pairs_mut().append_pair("model", model);
        if let Some(date) = date {
            url.query_pairs_mut().append_pair("date", &date.to_string());
        }
        match self.http.get_json(&url, LARGEST_ROWS).await {
            Ok(rows) => Ok(Some(rows)),
            Err(HttpError::Status { status: 400, .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What the log of a row says; none when the row has none.
    pub(super) async fn log_facts(&self, row: i64) -> Result<Option<LogFacts>, ApiError> {
        if let Some(facts) = self.cache.as_ref().and_then(|cache| cache.facts(row)) {
            return Ok(Some(facts));
        }
        let mut kept = self.cache.as_ref().map(|cache| cache.keep(row)).transpose()?;
        let mut scanner = LogScanner::default();
        let mut offset = 0;
        loop {
            let Some(chunk) = self.chunk(row, offset).await? else { return Ok(None) };
            if !chunk.answers(row, offset) {
                return Err(ApiError::OtherChunk { row, offset });
            }
            let next_offset = chunk.next_offset;
            let bytes = match chunk.server_log {
                Some(LogText(bytes)) => bytes,
                None if offset == 0 => return Ok(None),
                None => return Err(ApiError::OtherChunk { row, offset }),
            };
            scanner.push(&bytes);
            if let Some(kept) = &mut kept {
                kept.push(&bytes)?;
            }
            match next_offset {
                None => break,
                Some(next) if next <= offset => return Err(ApiError::Chunks { row, offset, next }),
                Some(next) if next > LONGEST_LOG => {
                    return Err(ApiError::EndlessLog { row, limit: LONGEST_LOG });
                }
                Some(next) => offset = next,
            }
        }
        kept.map_or(Ok(()), super::cache::KeptLog::finish)?;
        Ok(Some(scanner.finish()))
    }

    async fn chunk(&self, row: i64, offset: u64) -> Result<Option<Chunk>, ApiError> {
        let mut url = self.url("server-log")?;
        url.query_pairs_mut()
            .append_pair("id", &row.to_string())
            .append_pair("offset", &offset.to_string())
            .append_pair("limit", &CHUNK.to_string());
        match self.http.get_json(&url, LARGEST_CHUNK).await {
            Ok(chunk) => Ok(Some(chunk)),
            Err(HttpError::Status { status: 404, .. }) if offset == 0 => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The address of a question.
    fn url(&self, question: &str) -> Result<Url, HttpError> {
        let mut url = self.base_url.clone();
        url.path_segments_mut()
            .map_err(|()| HttpError::Url(self.base_url.to_string()))?
            .pop_if_empty()
            .push(question);
        Ok(url)
    }
}
