//! The workflows of .github/workflows, played: every shell step of their jobs is run as GitHub would run it, against local
//! repositories and stand-ins for the actions.
//!
//! [`runner`] is the machine, [`stage`] a job on it, [`workflow`] the file, [`expression`] its `${{ … }}`, [`actions`] what stands in for actions, and
//! [`called`] a workflow that another one calls. The other
//! modules are the tests of one workflow each, and of the commands and scripts that it calls: for nights [`world`] has what they meet
//! outside, and [`github`] is a server that answers as GitHub does. [`project`] is a checkout of this project, for the harness.
#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]
#![expect(clippy::unwrap_used, reason = "a test that cannot prepare its files has failed")]

mod actions;
mod called;
mod ci;
mod expression;
mod gating;
mod github;
mod harness;
mod kit;
mod nightly;
mod nights;
mod project;
mod pushing;
mod resolving;
mod runner;
mod stage;
#[path = "../support/tree.rs"]
mod tree;
mod workflow;
mod world;
