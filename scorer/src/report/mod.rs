//! The report that mirrors metricscore, as people and programs read it.
//!
//! The figures are in [`shared::report`]; here they become text, Markdown and CSV. [`document`] turns
//! the model into titled tables once; [`text`] and [`markdown`] only draw them, so both say the same.
//! JSON is the model itself.

pub mod cells;
pub mod csv;
pub mod document;
pub mod markdown;
pub mod text;
