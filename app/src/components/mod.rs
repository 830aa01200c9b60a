//! Widgets that know nothing of snapshots: they are given texts and say what the reader does.

pub mod card;
pub mod copy_link;
pub mod icon;
pub mod notice;
pub mod picker;
pub mod segmented;
pub mod select;
pub mod theme;
