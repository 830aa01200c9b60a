//! The trace that `blis replay` is given: `TraceV2`, a header in YAML and a row per request in CSV.
//!
//! A point is a closed loop: so many requests in flight, and the next one sent when one completes.
//! With a pool every request is a session of its own and the build admits them in the order of the
//! file, which is what the client's semaphore does. Without one, request *i* is round *i div
//! concurrency* of session *i mod concurrency*: the same load, except that the next request is bound
//! to a slot.

use crate::workload::RequestList;

/// The header. Builds refuse a key that they do not know, so it has only what all of them want.
pub const HEADER: &str = "trace_version: 3\ntime_unit: microseconds\nmode: generated\nwarm_up_requests: 0\n";

/// The columns, in the order in which builds read them.
const COLUMNS: [&str; 27] = [
    "request_id",
    "client_id",
    "tenant_id",
    "slo_class",
    "session_id",
    "round_index",
    "prefix_group",
    "prefix_length",
    "streaming",
    "input_tokens",
    "output_tokens",
    "text_tokens",
    "image_tokens",
    "audio_tokens",
    "video_tokens",
    "reason_ratio",
    "model",
    "deadline_us",
    "server_input_tokens",
    "arrival_time_us",
    "send_time_us",
    "first_chunk_time_us",
    "last_chunk_time_us",
    "num_chunks",
    "status",
    "error_message",
    "finish_reason",
];

/// How a closed loop is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedLoop {
    /// A session per request, admitted by the build.
    Pool,
    /// So many sessions of consecutive rounds.
    Rounds {
        /// Requests in flight.
        concurrency: u32,
    },
}

impl ClosedLoop {
    /// The session and the round of the request at `index`.
    #[must_use]
    pub fn place(self, index: usize) -> (usize, usize) {
        match self {
            Self::Pool => (index, 0),
            Self::Rounds { concurrency } => {
                let sessions = concurrency.max(1) as usize;
                (index % sessions, index / sessions)
            }
        }
    }

    /// The request at a session's round; none when there is no such place.
    #[must_use]
    pub fn index(self, session: usize, round: usize) -> Option<usize> {
        match self {
            Self::Pool => (round == 0).then_some(session),
            Self::Rounds { concurrency } => {
                let sessions = concurrency.max(1) as usize;
                (session < sessions).then(|| round.checked_mul(sessions)?.checked_add(session)).flatten()
            }
        }
    }
}

/// The id of a session.
#[must_use]
pub fn session_id(session: usize) -> String {
    format!("s{session}")
}

/// The session behind an id.
#[must_use]
pub fn session_of(id: &str) -> Option<usize> {
    id.strip_prefix('s')?.parse().ok()
}

/// The rows of a request list.
///
/// # Errors
/// Never, as long as rows have the columns of the header.
pub fn data(requests: &RequestList, form: ClosedLoop) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for (index, (input, output)) in requests.requests().enumerate() {
        let (session, round) = form.place(index);
        let input = input.to_string();
        writer.write_record([
            index.to_string().as_str(),
            "client",
            "tenant",
            "",
            session_id(session).as_str(),
            round.to_string().as_str(),
            "",
            "0",
            "true",
            input.as_str(),
            output.to_string().as_str(),
            input.as_str(),
            "0",
            "0",
            "0",
            "0",
            "",
            // No deadline, and everything arrives at once: the loop decides when it is sent.
            "0",
            "0",
            "0",
            "0",
            "0",
            "0",
            "0",
            "ok",
            "",
            "",
        ])?;
    }
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::ClientParameters;

    fn lines(form: ClosedLoop) -> Vec<String> {
        let requests = RequestList::draw(&ClientParameters::ordinary(1024, 1024, 4).unwrap()).unwrap();
        let bytes = data(&requests, form).unwrap();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    /// The first rows are those of a trace that a real build has replayed.
    #[test]
    fn rounds_bind_a_request_to_a_slot() {
        let lines = lines(ClosedLoop::Rounds { concurrency: 4 });
        assert_eq!(lines.len(), 41);
        assert_eq!(lines[1], "0,client,tenant,,s0,0,,0,true,991,851,991,0,0,0,0,,0,0,0,0,0,0,0,ok,,");
        assert_eq!(lines[4], "3,client,tenant,,s3,0,,0,true,1011,1004,1011,0,0,0,0,,0,0,0,0,0,0,0,ok,,");
        assert_eq!(lines[5], "4,client,tenant,,s0,1,,0,true,886,946,886,0,0,0,0,,0,0,0,0,0,0,0,ok,,");
    }

    #[test]
    fn a_pool_has_a_session_per_request_so_that_no_round_gets_a_deadline_of_the_builds() {
        let lines = lines(ClosedLoop::Pool);
        assert_eq!(lines[5], "4,client,tenant,,s4,0,,0,true,886,946,886,0,0,0,0,,0,0,0,0,0,0,0,ok,,");
    }

    #[test]
    fn every_row_has_the_columns_of_the_header() {
        let lines = lines(ClosedLoop::Pool);
        assert!(lines.iter().all(|line| line.split(',').count() == 27));
        assert!(lines[0].starts_with("request_id,client_id,") && lines[0].ends_with(",finish_reason"));
    }

    #[test]
    fn a_place_leads_back_to_its_request() {
        for form in [ClosedLoop::Pool, ClosedLoop::Rounds { concurrency: 7 }] {
            for index in 0..70 {
                let (session, round) = form.place(index);
                assert_eq!(form.index(session, round), Some(index));
            }
        }
        assert_eq!(ClosedLoop::Pool.index(3, 1), None);
        assert_eq!(ClosedLoop::Rounds { concurrency: 4 }.index(4, 0), None);
        assert_eq!(ClosedLoop::Rounds { concurrency: 4 }.index(3, usize::MAX), None);
        assert_eq!(session_of(&session_id(12)), Some(12));
        assert_eq!(session_of("user-1"), None);
    }
}
