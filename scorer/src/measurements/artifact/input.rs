//! The three files as they were read, and the reasons for which their rows are not kept.

use std::path::Path;

use super::files::{AbsolutesFile, ArtifactFile, ArtifactPaths, SettingsFile};

/// The three files and their names.
pub(super) struct Input<'a> {
    pub(super) paths: &'a ArtifactPaths,
    pub(super) artifact: &'a ArtifactFile,
    pub(super) absolutes: &'a AbsolutesFile,
    pub(super) settings: &'a SettingsFile,
}

/// The reasons for which rows are not kept.
pub(super) mod reason {
    pub(crate) const ABSOLUTE_WITHOUT_POINT: &str = "absolute_without_point";
    pub(crate) const FEWER_THAN_THREE: &str = "fewer_than_three_concurrencies";
    pub(crate) const NO_ABSOLUTES: &str = "no_absolutes";
    pub(crate) const NO_MEASUREMENT: &str = "no_measurement";
    pub(crate) const NOT_AGGREGATED: &str = "not_aggregated";
    pub(crate) const NOT_SUCCESS: &str = "not_success";
    pub(crate) const OTHER_FRAMEWORK: &str = "other_framework";
}

/// The name of a file without its folder.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
