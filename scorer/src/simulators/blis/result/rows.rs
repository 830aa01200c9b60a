//! A row per request.

use serde_json::Value;

use super::super::trace::{ClosedLoop, session_of};
use super::{ResultError, count, first, millis};

/// One request of a replay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Its place in the request list.
    pub index: usize,
    /// Input tokens.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Time to its first token, in milliseconds.
    pub ttft_ms: f64,
    /// Time to its last token, in milliseconds.
    pub e2e_ms: f64,
}

/// The rows of a result, from wherever it has them: `result.requests.rows`, `result.requests` or `requests`.
///
/// They come in no order that could be relied on (rows of equal arrival stand in any), so each says which request it is.
///
/// # Errors
/// When there are none, or one cannot be understood.
pub fn read(value: &Value, form: ClosedLoop) -> Result<Vec<Row>, ResultError> {
    let requests = value.get("requests");
    let rows = requests.and_then(|requests| requests.get("rows")).or(requests).and_then(Value::as_array);
    let missing = || ResultError::Missing { place: "the result".to_owned(), name: "requests" };
    rows.ok_or_else(missing)?.iter().enumerate().map(|(index, row)| one(row, index + 1, form)).collect()
}

fn one(row: &Value, number: usize, form: ClosedLoop) -> Result<Row, ResultError> {
    let place = format!("row {number}");
    Ok(Row {
        index: index(row, number, form)?,
        input: count(row, &["input_tokens", "num_prefill_tokens"], &place)?,
        output: count(row, &["output_tokens", "num_decode_tokens"], &place)?,
        ttft_ms: millis(row, "ttft", &place)?,
        e2e_ms: millis(row, "e2e", &place)?,
    })
}

/// Which request a row is of: its session and round tell, else its number.
fn index(row: &Value, number: usize, form: ClosedLoop) -> Result<usize, ResultError> {
    let id = first(row, &["request_id", "requestID", "id"]).map(|(id, _)| id);
    let session = row.get("session_id").and_then(Value::as_str).and_then(session_of);
    let found = match session {
        Some(session) => {
            let round = row.get("round_index").map_or(Some(0), Value::as_u64);
            round.and_then(|round| form.index(session, usize::try_from(round).ok()?))
        }
        None => id.and_then(numbered),
    };
    found.ok_or_else(|| ResultError::UnknownRequest {
        row: number,
        id: id
            .map_or_else(|| "a row without an id".to_owned(), |id| id.to_string().chars().take(60).collect()),
    })
}

/// The number in `7`, `"7"` or `"request_7"`.
fn numbered(id: &Value) -> Option<usize> {
    match id {
        Value::Number(number) => usize::try_from(number.as_u64()?).ok(),
        Value::String(text) => text.strip_prefix("request_").unwrap_or(text).parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ROUNDS: ClosedLoop = ClosedLoop::Rounds { concurrency: 4 };

    /// Two rows of a real build's file, with our session ids.
    fn recorded() -> Value {
        json!([
            {
                "arrived_at": 14.028_045, "requestID": "session_s2_round_1_1", "num_prefill_tokens": 922,
                "num_decode_tokens": 850, "ttft_ms": 39.612, "itl_ms": 16.957_651_354_534_747, "e2e_ms": 14_437.435,
                "session_id": "s2", "round_index": 1
            },
            {
                "arrived_at": 0, "requestID": "request_1", "num_prefill_tokens": 866, "num_decode_tokens": 1012,
                "ttft_ms": 56.162, "itl_ms": 16.958_328_387_734_916, "e2e_ms": 17_201.809, "session_id": "s1",
                "round_index": 0
            }
        ])
    }

    #[test]
    fn rows_are_found_wherever_a_build_puts_them() {
        for value in
            [json!({ "requests": recorded() }), json!({ "requests": { "rows": recorded(), "count": 2 } })]
        {
            let rows = read(&value, ROUNDS).unwrap();
            assert_eq!(rows.iter().map(|row| row.index).collect::<Vec<_>>(), [6, 1]);
            assert_eq!((rows[0].input, rows[0].output), (922, 850));
            assert_eq!((rows[1].ttft_ms, rows[1].e2e_ms), (56.162, 17_201.809));
        }
        assert!(read(&json!({ "requests": { "file": "rows.csv" } }), ROUNDS).is_err());
    }

    #[test]
    fn a_row_without_a_session_is_known_by_its_number() {
        for id in [json!("request_7"), json!("7"), json!(7)] {
            let row =
                json!({ "id": id, "input_tokens": 1, "output_tokens": 2, "ttft_us": 1500, "e2e_us": 2500 });
            let rows = read(&json!({ "requests": [row] }), ClosedLoop::Pool).unwrap();
            assert_eq!((rows[0].index, rows[0].ttft_ms, rows[0].e2e_ms), (7, 1.5, 2.5));
        }
    }

    #[test]
    fn a_row_of_nobody_is_refused() {
        for (id, session) in [("session_s9_round_0_1", "s9"), ("request_x", "other"), ("", "")] {
            let row = json!({ "requestID": id, "session_id": session, "round_index": 0 });
            let refused = read(&json!({ "requests": [row] }), ROUNDS).unwrap_err();
            assert!(matches!(refused, ResultError::UnknownRequest { row: 1, .. }), "{refused}");
        }
    }
}
