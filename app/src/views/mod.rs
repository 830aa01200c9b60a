//! The views, one folder each: a pure model of what is said, and components that only draw it.
//!
//! The Overview is the first program's; all others are the explorer's, whose parts `figure`, `grid`, `losses`, `scene` and `verify`
//! they share.

pub mod compare;
pub mod coverage;
pub mod estimators;
pub mod export;
pub mod figure;
pub mod grid;
pub mod losses;
pub mod method;
pub mod overview;
pub mod scene;
pub mod sweeps;
pub mod time;
pub mod verify;
