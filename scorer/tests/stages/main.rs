//! The stages as a person or a script uses them: the real binary, its files and its exit codes, also
//! when it is killed, when the disk is full, and when the input is not what it should be.
#![expect(clippy::unwrap_used, reason = "a test that cannot prepare its files has failed")]

mod cache;
mod commands;
mod compare;
mod demo;
mod fake;
mod inputs;
mod kills;
mod kit;
mod ledger;
mod misbehaving;
mod paths;
mod publish;
mod publish_kills;
mod run;
mod serve;
mod shards;
mod summarize;
#[path = "../support/tree.rs"]
mod tree;
mod validate;
