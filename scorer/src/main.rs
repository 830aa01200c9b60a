//! The command `scorer`.

fn main() {}
