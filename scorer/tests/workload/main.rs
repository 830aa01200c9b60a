//! The request list against numbers that this project did not make, and the command around it.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]

mod command;
mod material;
mod parameters;
mod vectors;
