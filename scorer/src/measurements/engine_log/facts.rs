//! The facts of a log, each with the line that states it.

use std::collections::BTreeMap;

use serde::Serialize;
use shared::setting::SettingValue;

use super::acceptance::Acceptance;
use super::arguments::{Arguments, Unreadable};

/// A value that a log states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stated<T> {
    /// The value.
    pub value: T,
    /// The line, counted from 1.
    pub line: u64,
    /// What kind of line it is.
    pub kind: LineKind,
}

impl<T> Stated<T> {
    /// The same statement with what was made of its value.
    #[must_use]
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Stated<U> {
        Stated { value: make(self.value), line: self.line, kind: self.kind }
    }
}

/// The kinds of lines that state something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// The banner of the API server, with the version.
    Banner,
    /// `non-default args:` with what was passed.
    Arguments,
    /// `Initializing a V1 LLM engine (v…) with config:`.
    EngineConfig,
    /// `Using max model len …`.
    MaxModelLen,
    /// `… max_num_batched_tokens=…`.
    BatchedTokens,
    /// `Setting` or `Forcing kv cache block size to …`.
    BlockSize,
    /// `GPU KV cache size: … tokens`.
    KvCacheSize,
    /// `SpecDecoding metrics: …`.
    SpecDecoding,
}

/// What a log says of the last server that it shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LogFacts {
    /// The engine's version.
    pub engine_version: Option<Stated<String>>,
    /// The arguments that were passed, or why their line cannot be read.
    pub arguments: Option<Stated<Result<Arguments, Unreadable>>>,
    /// Settings as the engine resolved them, by their names as arguments.
    pub resolved: BTreeMap<&'static str, Stated<SettingValue>>,
    /// The KV pools.
    pub kv_pool: Option<KvPool>,
    /// How many draft tokens were accepted.
    pub acceptance: Option<Acceptance>,
    /// How many servers the log shows, by their arguments lines; what is known is of the last one.
    pub servers: u32,
}

impl LogFacts {
    /// The arguments, when there is a line and it can be read.
    #[must_use]
    pub fn passed(&self) -> Option<&Arguments> {
        self.arguments.as_ref()?.value.as_ref().ok()
    }

    /// The KV pool of one engine, and so of one data-parallel rank, in tokens: what all of them have is shared
    /// out evenly.
    #[must_use]
    pub fn kv_tokens_of_a_rank(&self) -> Option<u64> {
        let pool = self.kv_pool?;
        pool.tokens.checked_div(u64::from(pool.engines)).filter(|tokens| *tokens > 0)
    }

    /// About how much memory the facts take, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let arguments = self.passed().map_or(0, Arguments::size);
        size_of::<Self>() + arguments + self.resolved.len() * 128
    }
}

/// The KV pools of the engines of one deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct KvPool {
    /// All pools together, in tokens.
    pub tokens: u64,
    /// How many engines stated one.
    pub engines: u32,
    /// The first line that states one, counted from 1.
    pub line: u64,
}
