//! What a vLLM server says of itself in its log: its version, the arguments that it was given, what it
//! made of them, the size of its KV pool, and how many draft tokens were accepted.
//!
//! [`LogScanner`] takes the bytes of a log in pieces of any size and keeps [`LogFacts`]. A log may have
//! hundreds of megabytes, lines without end, progress bars, colours, and bytes that are no text: memory
//! stays bounded, and nothing in a log is an error. Every fact knows its line.

mod acceptance;
mod arguments;
mod facts;
mod lines;
mod literal;
mod message;
mod scanner;

pub use acceptance::Acceptance;
pub use arguments::{Arguments, Unreadable};
pub use facts::{KvPool, LineKind, LogFacts, Stated};
pub use literal::{Literal, LiteralError};
pub use scanner::LogScanner;

/// The longest log that is read, in bytes; the API counts characters.
pub const LONGEST_LOG: u64 = 1 << 30;
