//! What became of the requests: they are injected, and then completed, or not.

use serde_json::Value;

use super::{ResultError, count};

/// Requests by their end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sent.
    pub injected: u64,
    /// Answered.
    pub completed: u64,
    /// Waiting when the simulation ended.
    pub still_queued: u64,
    /// Under way when the simulation ended.
    pub still_running: u64,
    /// Given up by their client.
    pub timed_out: u64,
    /// Refused, because they can never fit.
    pub dropped: u64,
    /// Cut off at the longest sequence.
    pub length_capped: u64,
}

impl Counts {
    /// Reads the counts of a flat document, or of the `conservation` part of a Result document.
    ///
    /// # Errors
    /// When one of them is missing or no count: what is not known is not taken for 0.
    pub fn read(value: &Value) -> Result<Self, ResultError> {
        let (value, place) = match value.get("conservation") {
            Some(part) => (part, "`conservation`"),
            None => (value, "the result"),
        };
        let read = |names| count(value, names, place);
        Ok(Self {
            injected: read(&["injected_requests", "injected"])?,
            completed: read(&["completed_requests", "completed"])?,
            still_queued: read(&["still_queued"])?,
            still_running: read(&["still_running"])?,
            timed_out: read(&["timed_out_requests", "timed_out"])?,
            dropped: read(&["dropped_unservable", "dropped"])?,
            length_capped: read(&["length_capped_requests", "length_capped"])?,
        })
    }

    /// Why these are not `expected` requests that were all completed, or nothing when they are.
    #[must_use]
    pub fn shortfall(&self, expected: u64) -> Option<String> {
        let losses = [
            (self.still_queued, "still queued"),
            (self.still_running, "still running"),
            (self.timed_out, "timed out"),
            (self.dropped, "dropped as unservable"),
            (self.length_capped, "cut off at the longest sequence"),
        ];
        let lost: Vec<String> = losses
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, how)| format!("{count} {how}"))
            .collect();
        if lost.is_empty() && self.injected == expected && self.completed == expected {
            return None;
        }
        let mut text =
            format!("{} of {expected} requests completed, {} injected", self.completed, self.injected);
        for loss in lost {
            text.push_str(", ");
            text.push_str(&loss);
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn flat() -> Value {
        json!({
            "injected_requests": 640, "completed_requests": 640, "still_queued": 0, "still_running": 0,
            "timed_out_requests": 0, "dropped_unservable": 0, "length_capped_requests": 0,
        })
    }

    #[test]
    fn all_must_be_injected_and_completed() {
        let complete = Counts::read(&flat()).unwrap();
        assert_eq!(complete.shortfall(640), None);
        assert!(complete.shortfall(641).is_some());
    }

    /// What a build answers with exit code 0 when its default horizon of 600 s cuts the run off.
    #[test]
    fn a_run_that_was_cut_off_in_silence_is_not_complete() {
        let mut value = flat();
        value["completed_requests"] = json!(128);
        value["injected_requests"] = json!(192);
        value["still_running"] = json!(64);
        assert_eq!(
            Counts::read(&value).unwrap().shortfall(640).unwrap(),
            "128 of 640 requests completed, 192 injected, 64 still running"
        );
    }

    #[test]
    fn every_way_to_lose_a_request_is_seen() {
        for field in [
            "still_queued",
            "still_running",
            "timed_out_requests",
            "dropped_unservable",
            "length_capped_requests",
        ] {
            let mut value = flat();
            value[field] = json!(1);
            assert!(Counts::read(&value).unwrap().shortfall(640).is_some(), "{field}");
            value.as_object_mut().unwrap().remove(field);
            assert!(Counts::read(&value).is_err(), "{field}");
        }
    }

    #[test]
    fn a_result_document_has_them_in_a_part_of_its_own() {
        let value = json!({ "conservation": {
            "injected": 40, "completed": 40, "still_queued": 0, "still_running": 0,
            "dropped": 0, "timed_out": 0, "length_capped": 0,
        }});
        assert_eq!(Counts::read(&value).unwrap().shortfall(40), None);
    }
}
