//! The workflows of .github/workflows, played: every shell step of their jobs is run as GitHub would run it, against local
//! repositories and stand-ins for the actions.
//!
//! [`runner`] is the machine, [`stage`] a job on it, [`workflow`] the file, [`expression`] its `${{ … }}`, [`actions`] what stands in for actions; the other
//! modules are the tests of one workflow each.
#![expect(clippy::unwrap_used, reason = "a test that cannot prepare its files has failed")]

mod actions;
mod ci;
mod expression;
mod kit;
mod runner;
mod stage;
mod workflow;
