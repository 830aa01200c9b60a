//! `scorer ingest`, as its users run it: what it makes of files, of the published ones and of broken ones, and how it
//! explains what became of them.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]

mod client_results;
mod joined;
mod kit;
mod published;
mod refused;
