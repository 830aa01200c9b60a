//! The reasons for which results are not kept, in the order in which they are asked.

use crate::measurements::explain::Reason;

pub(super) const NOT_A_RESULT: &str = "not_a_result";
pub(super) const NO_CONCURRENCY: &str = "no_concurrency";
pub(super) const NOT_CLOSED_LOOP: &str = "not_closed_loop";
pub(super) const NO_MEASUREMENT: &str = "no_measurement";
pub(super) const OTHER_WORKLOAD: &str = "other_workload";

/// All of them.
pub const ALL: [Reason; 5] = [
    Reason {
        name: NOT_A_RESULT,
        meaning: "in files of a folder that have no mean TTFT and mean TPOT, or what is read in another form",
    },
    Reason { name: NO_CONCURRENCY, meaning: "without `max_concurrency`: of a client that was not limited" },
    Reason { name: NOT_CLOSED_LOOP, meaning: "of a client that sent at a request rate" },
    Reason {
        name: NO_MEASUREMENT,
        meaning: "without a mean TTFT and a mean TPOT above 0, or without a completed request",
    },
    Reason { name: OTHER_WORKLOAD, meaning: "whose mean lengths are not of the deployment file's workload" },
];
