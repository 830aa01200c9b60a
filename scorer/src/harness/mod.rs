//! The harness: units of a ledger scored with one build of the simulator, on a pull request or by hand.
//!
//! The stages are the commands' own; [`commands::harness`](crate::commands) calls them. Here stands what only the harness needs: the
//! proof of which commit this program is built from ([`checkout`], by the digest of its [`sources`]).

pub mod checkout;
mod error;
pub mod sources;

pub use error::CheckoutError;
