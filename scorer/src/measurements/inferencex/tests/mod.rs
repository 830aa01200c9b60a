//! From rows to a corpus: small databases made by a builder, and the mini dump where it is.

pub(in crate::measurements) mod kit;
mod mini_dump;
mod selected;
mod sweeps;
