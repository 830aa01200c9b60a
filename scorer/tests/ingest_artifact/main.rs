//! `scorer ingest artifact`: what it makes of three files, of the published ones and of broken ones.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]

mod joined;
mod kit;
mod published;
mod refused;
