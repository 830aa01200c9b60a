//! `scorer ingest dump`, `postgres` and `api`: the same rows give the same corpus, whatever they come through, and whatever is
//! wrong with a source is told before anything is written.
#![expect(clippy::unwrap_used, reason = "a test that cannot prepare its files has failed")]
#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod api;
#[path = "../../benches/dump/archive.rs"]
mod archive;
mod corpora;
mod damaged;
mod download;
mod files;
mod fixtures;
mod kit;
mod mini_dump;
#[path = "../../benches/dump/random.rs"]
mod random;
mod server;
#[path = "../../benches/dump/synthetic.rs"]
mod synthetic;
mod three_sources;
