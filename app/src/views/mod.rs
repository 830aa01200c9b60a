//! The views, one folder each: a pure model of what is said, and components that only draw it.

pub mod overview;
