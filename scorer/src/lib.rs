//! The native command-line tool.
//!
//! [`cli`] describes the command line, [`commands`] runs it, one file per command. [`console`],
//! [`files`] and [`exit`] are the edges every command shares: what is printed, what is read and
//! written, and how the process ends.

pub mod cli;
pub mod commands;
pub mod comparison;
pub mod console;
pub mod demo;
pub mod exit;
pub mod files;
pub mod identity;
pub mod inputs;
pub mod measurements;
pub mod publish;
pub mod reference;
pub mod replay;
pub mod report;
pub mod serve;
pub mod simulators;
pub mod site;
pub mod summarize;
#[cfg(test)]
mod testing;
pub mod validate;
pub mod workload;
