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
    use crate::measurements::explain::Reason;

    pub(crate) const ABSOLUTE_WITHOUT_POINT: &str = "absolute_without_point";
    pub(crate) const FEWER_THAN_THREE: &str = "fewer_than_three_concurrencies";
    pub(crate) const NO_ABSOLUTES: &str = "no_absolutes";
    pub(crate) const NO_MEASUREMENT: &str = "no_measurement";
    pub(crate) const NOT_AGGREGATED: &str = "not_aggregated";
    pub(crate) const NOT_SUCCESS: &str = "not_success";
    pub(crate) const OTHER_FRAMEWORK: &str = "other_framework";

    /// All of them, in the order in which they are asked.
    pub const ALL: [Reason; 7] = [
        Reason {
            name: ABSOLUTE_WITHOUT_POINT,
            meaning: "absolute latencies without a point of the artifact",
        },
        Reason { name: OTHER_FRAMEWORK, meaning: "of another engine than vLLM" },
        Reason { name: NOT_AGGREGATED, meaning: "with separate GPUs for prefill and decode" },
        Reason { name: NO_ABSOLUTES, meaning: "of a sweep without absolute latencies" },
        Reason { name: NOT_SUCCESS, meaning: "with another status than `success`" },
        Reason { name: NO_MEASUREMENT, meaning: "without an absolute TPOT and TTFT above 0" },
        Reason { name: FEWER_THAN_THREE, meaning: "of a sweep with fewer than three concurrencies" },
    ];
}

/// The name of a file without its folder.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
