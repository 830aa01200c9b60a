//! The dashboard.

fn main() {}
