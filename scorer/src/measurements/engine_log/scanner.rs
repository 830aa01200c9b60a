//! The scanner: every line is looked at once, and only those with a marker are read.

use std::collections::BTreeMap;

use memchr::memmem::Finder;
use shared::format::shortened;
use shared::setting::SettingValue;

use super::acceptance::{self, Acceptance};
use super::arguments::{self, Arguments};
use super::facts::{KvPool, LineKind, LogFacts, Stated};
use super::lines::{Line, Lines};
use super::literal::Literal;
use super::message::{Message, leading_number};

const ENGINE_CONFIG: &str = "LLM engine (v";
const MAX_MODEL_LEN: &str = "Using max model len ";
const BATCHED_TOKENS: &str = "max_num_batched_tokens=";
const BLOCK_SIZE: &str = "kv cache block size to ";
const KV_CACHE_SIZE: &str = "GPU KV cache size:";
const VERSION: &str = "version ";

/// The markers, those of lines that begin a server first, and what their lines are.
const MARKERS: [(&str, LineKind); 8] = [
    (arguments::MARKER, LineKind::Arguments),
    (ENGINE_CONFIG, LineKind::EngineConfig),
    (MAX_MODEL_LEN, LineKind::MaxModelLen),
    (BATCHED_TOKENS, LineKind::BatchedTokens),
    (BLOCK_SIZE, LineKind::BlockSize),
    (KV_CACHE_SIZE, LineKind::KvCacheSize),
    (acceptance::MARKER, LineKind::SpecDecoding),
    (VERSION, LineKind::Banner),
];

/// The settings that the engine's configuration resolves: its name, and that of the argument.
const RESOLVED: [(&str, &str); 3] = [
    ("enable_prefix_caching", "enable_prefix_caching"),
    ("enable_chunked_prefill", "enable_chunked_prefill"),
    ("max_seq_len", "max_model_len"),
];

/// The most engines whose KV pools are told apart.
const MOST_ENGINES: usize = 4096;
/// The longest version, in characters.
const LONGEST_VERSION: usize = 60;

/// Scans a log that comes in pieces.
///
/// When a log shows several servers, one after another, the facts are those of the last: the one that
/// was measured.
#[derive(Clone, Debug)]
pub struct LogScanner {
    lines: Lines,
    facts: FactsSoFar,
}

impl Default for LogScanner {
    fn default() -> Self {
        Self { lines: Lines::default(), facts: FactsSoFar::new() }
    }
}

impl LogScanner {
    /// Takes in the next bytes of the log.
    pub fn push(&mut self, bytes: &[u8]) {
        let Self { lines, facts } = self;
        lines.push(bytes, |line| facts.line(&line));
    }

    /// What the log says.
    #[must_use]
    pub fn finish(self) -> LogFacts {
        let Self { lines, mut facts } = self;
        lines.finish(|line| facts.line(&line));
        facts.finish()
    }
}

#[derive(Clone, Debug)]
struct FactsSoFar {
    finders: [(Finder<'static>, LineKind); MARKERS.len()],
    facts: LogFacts,
    /// The pools by engine, the last statement of each; without a name every line is one of its own.
    pools: BTreeMap<String, u64>,
    nameless: (u64, u32),
    pool_line: Option<u64>,
}

impl FactsSoFar {
    fn new() -> Self {
        Self {
            finders: MARKERS.map(|(marker, kind)| (Finder::new(marker), kind)),
            facts: LogFacts::default(),
            pools: BTreeMap::new(),
            nameless: (0, 0),
            pool_line: None,
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        let found = self.finders.iter().find(|(finder, _)| finder.find(line.bytes).is_some());
        if let Some((_, kind)) = found {
            let kind = *kind;
            self.read(kind, &Message::new(line.bytes), line);
        }
    }

    fn read(&mut self, kind: LineKind, message: &Message<'_>, line: &Line<'_>) {
        let stated = |value| Stated { value, line: line.number, kind };
        match kind {
            LineKind::Arguments => {
                let Some(text) = message.after(arguments::MARKER) else { return };
                if self.facts.passed().is_some() && !text.starts_with('{') {
                    return;
                }
                self.another_server();
                let arguments = Arguments::read(text, line.cut);
                self.facts.arguments = Some(Stated { value: arguments, line: line.number, kind });
            }
            LineKind::EngineConfig => self.engine_config(message, line),
            LineKind::Banner => {
                if let Some(version) = banner(message.text()) {
                    self.facts.engine_version = Some(Stated { value: version, line: line.number, kind });
                }
            }
            LineKind::MaxModelLen => self.resolve("max_model_len", message.after(MAX_MODEL_LEN), stated),
            // Later lines that have it in them, such as requests, state nothing.
            LineKind::BatchedTokens if self.facts.resolved.contains_key("max_num_batched_tokens") => {}
            LineKind::BatchedTokens => {
                self.resolve("max_num_batched_tokens", message.after(BATCHED_TOKENS), stated);
            }
            LineKind::BlockSize => self.resolve("block_size", message.after(BLOCK_SIZE), stated),
            LineKind::KvCacheSize => {
                let tokens = message.after(KV_CACHE_SIZE).and_then(leading_number);
                if let Some(tokens) = tokens {
                    self.pool(message.process(), tokens, line.number);
                }
            }
            LineKind::SpecDecoding => {
                let interval = Acceptance::read(message, line.number);
                let before = self.facts.acceptance.take();
                self.facts.acceptance = match (before, interval) {
                    (Some(before), Some(interval)) => Some(before.and(interval)),
                    (before, interval) => before.or(interval),
                };
            }
        }
    }

    /// What was known is of a server that is gone; only the version's line comes before the arguments.
    fn another_server(&mut self) {
        let servers = self.facts.servers.saturating_add(1);
        let banner = self.facts.engine_version.take().filter(|version| version.kind == LineKind::Banner);
        self.facts = LogFacts { engine_version: banner, servers, ..LogFacts::default() };
        self.pools.clear();
        self.nameless = (0, 0);
        self.pool_line = None;
    }

    fn engine_config(&mut self, message: &Message<'_>, line: &Line<'_>) {
        let stated = |value| Stated { value, line: line.number, kind: LineKind::EngineConfig };
        let Some((version, config)) =
            message.after(ENGINE_CONFIG).and_then(|rest| rest.split_once(") with config: "))
        else {
            return;
        };
        if is_version(version) {
            let version = shortened(version, LONGEST_VERSION);
            self.facts.engine_version =
                Some(Stated { value: version, line: line.number, kind: LineKind::EngineConfig });
        }
        for (name, value) in Literal::read_assignments(config) {
            let Some((_, argument)) = RESOLVED.iter().find(|(resolved, _)| *resolved == name) else {
                continue;
            };
            let value = match value {
                Literal::Flag(value) => SettingValue::Flag(value),
                Literal::Integer(value) => SettingValue::Integer(value),
                _ => continue,
            };
            self.facts.resolved.insert(argument, stated(value));
        }
    }

    /// A setting that has a line of its own: a whole number above 0.
    fn resolve(
        &mut self,
        name: &'static str,
        text: Option<&str>,
        stated: impl Fn(SettingValue) -> Stated<SettingValue>,
    ) {
        let count = text.and_then(leading_number).and_then(|number| u32::try_from(number).ok());
        if let Some(count) = count.filter(|count| *count > 0) {
            self.facts.resolved.insert(name, stated(count.into()));
        }
    }

    fn pool(&mut self, process: Option<&str>, tokens: u64, line: u64) {
        self.pool_line.get_or_insert(line);
        match process {
            Some(process) if self.pools.len() < MOST_ENGINES || self.pools.contains_key(process) => {
                self.pools.insert(process.to_owned(), tokens);
            }
            Some(_) => {}
            None => {
                let (sum, lines) = self.nameless;
                self.nameless = (sum.saturating_add(tokens), lines.saturating_add(1));
            }
        }
    }

    fn finish(mut self) -> LogFacts {
        let named = self.pools.values().fold(0_u64, |sum, tokens| sum.saturating_add(*tokens));
        let (tokens, engines) = match u32::try_from(self.pools.len()) {
            Ok(engines) if engines > 0 => (named, engines),
            _ => self.nameless,
        };
        self.facts.kv_pool =
            self.pool_line.filter(|_| engines > 0).map(|line| KvPool { tokens, engines, line });
        self.facts
    }
}

/// The version in a banner of the API server: nothing else stands there but block drawing and names.
fn banner(text: &str) -> Option<String> {
    let text = text.rsplit_once("] ").map_or(text, |(_, text)| text);
    let (before, version) = text.trim_end().rsplit_once(VERSION)?;
    let before = before.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_banner = before.is_empty() || before == "vLLM API server";
    (is_banner && is_version(version)).then(|| shortened(version, LONGEST_VERSION))
}

/// Three numbers with dots, perhaps with more after them.
fn is_version(text: &str) -> bool {
    let mut parts = text.splitn(3, '.');
    let number = |part: Option<&str>| {
        part.is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let plain = !text.chars().any(|c| c.is_whitespace() || c.is_control());
    plain
        && number(parts.next())
        && number(parts.next())
        && parts.next().is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
