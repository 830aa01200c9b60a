//! The native command-line tool.
//!
//! [`cli`] describes the command line, [`commands`] runs it, one file per command. [`console`],
//! [`files`] and [`exit`] are the edges every command shares: what is printed, what is read and
//! written, and how the process ends.

pub mod cli;
pub mod commands;
pub mod console;
pub mod exit;
pub mod files;
pub mod reference;
pub mod simulators;
pub mod workload;
