//! The native command-line tool.
//!
//! [`cli`] describes the command line, [`commands`] runs it, one file per command. [`console`],
//! [`files`] and [`exit`] are the edges every command shares: what is printed, what is read and
//! written, and how the process ends.
//!
//! The modules follow the flow of data:
//!
//! | module | subject |
//! | --- | --- |
//! | [`workload`], [`reference`](mod@reference) | the client's requests; facts about models, GPUs and engines |
//! | [`measurements`] | from a source to a corpus |
//! | [`replay`], [`simulators`] | plan, run, merge; the estimators that are asked |
//! | [`process`] | other programs, run within limits |
//! | [`summarize`], [`validate`] | the snapshot, and the proof that a file is what it says it is |
//! | [`data_folder`], [`publish`] | the snapshots of a site, and how one more gets there |
//! | [`site`], [`serve`] | the site, and the site on this machine |
//! | [`report`], [`comparison`] | one snapshot and two, as people read them |
//! | [`github`], [`resolve`] | releases, and which of them are the newest |
//! | [`nightly`] | all stages one after another, by themselves |
//! | [`ledger`], [`harness`] | frozen sweeps; the proof of which commit this program is built from |
//! | [`demo`] | all of it on the embedded corpus |
//! | [`inputs`], [`identity`] | reading our own files; which program this is |

pub mod cli;
pub mod commands;
pub mod comparison;
pub mod console;
pub mod data_folder;
pub mod demo;
pub mod exit;
pub mod files;
pub mod github;
pub mod harness;
pub mod identity;
pub mod inputs;
pub mod ledger;
pub mod measurements;
pub mod nightly;
pub mod process;
pub mod publish;
pub mod reference;
pub mod replay;
pub mod report;
pub mod resolve;
pub mod serve;
pub mod simulators;
pub mod site;
pub mod summarize;
#[cfg(test)]
mod testing;
pub mod validate;
pub mod workload;
