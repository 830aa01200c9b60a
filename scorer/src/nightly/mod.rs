//! A night: all stages one after another, from the newest releases to a published snapshot.
//!
//! The stages are the commands' own; [`commands::nightly`](crate::commands) calls them. Here stands what only a night
//! needs: the [`Work`] directory, which remembers what is done so that another call goes on ([`work`]), the test that a
//! snapshot has to pass beyond being valid ([`qualify`](mod@qualify)), and what is told of it in the morning ([`report`]).

pub mod qualify;
pub mod report;
pub mod work;

pub use work::{Night, SCHEMA, Work, WorkError};
