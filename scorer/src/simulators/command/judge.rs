//! Whether an answer can be true, and the outcome that it makes.

use shared::contract::{
    ANSWER_SCHEMA, Answer, EstimatedMeans, Refusal, ReplayMeans, RequestRow, SimulatorAnswer,
};
use shared::outcome::{Basis, Outcome, Prediction, Reason};

use crate::console::printable;
use crate::simulators::{Means, not_scored};

/// How much of a broken answer, or of a simulator's own words, is repeated, in characters.
const LONGEST_EXCERPT: usize = 300;

/// The line is no answer to the question.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// It is no answer at all.
    #[error("not an answer: {source}{hint} in `{excerpt}`")]
    NotAnAnswer { source: serde_json::Error, hint: &'static str, excerpt: String },
    /// It is of another version of the contract.
    #[error("an answer of schema `{found}`, but `{ANSWER_SCHEMA}` was asked for")]
    Schema { found: String },
    /// It answers something else.
    #[error("an answer to request `{found}`, but `{asked}` was asked")]
    OtherRequest { found: String, asked: String },
}

/// The outcome that the answer to the request `asked` makes of the point, whose replay sends requests of
/// these input and output lengths.
///
/// # Errors
/// When it is no answer to the question: its sender is out of step and cannot be asked again.
pub(super) fn judge(line: &[u8], asked: &str, sent: &[(u32, u32)]) -> Result<Outcome, Fault> {
    let SimulatorAnswer { schema, id, answer } = serde_json::from_slice(line).map_err(|source| {
        let text = String::from_utf8_lossy(line);
        Fault::NotAnAnswer { source, hint: hint(&text), excerpt: excerpt(&text) }
    })?;
    if schema != ANSWER_SCHEMA {
        return Err(Fault::Schema { found: excerpt(&schema) });
    }
    if id != asked {
        return Err(Fault::OtherRequest { found: excerpt(&id), asked: asked.to_owned() });
    }
    Ok(match answer {
        Answer::Rows(rows) => prediction(&rows, sent).map_or_else(|refusal| refusal, Outcome::Scored),
        Answer::Means(means) => of_means(means, sent),
        Answer::Estimate(EstimatedMeans { ttft_ms, tpot_ms }) => {
            Outcome::Scored(Prediction { ttft_ms, tpot_ms, completed: None, basis: Basis::Estimate })
        }
        Answer::NotScored(Refusal { reason, detail }) => not_scored(reason.into(), excerpt(&detail)),
    })
}

fn hint(text: &str) -> &'static str {
    let numbers = [":NaN", ": NaN", ":Infinity", ": Infinity", ":-Infinity", ": -Infinity", ":nan", ":inf"];
    if numbers.into_iter().any(|number| text.contains(number)) {
        " (NaN and infinities are not JSON, and no latencies)"
    } else {
        ""
    }
}

/// Text of a simulator on one line, cut off when it is long.
fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(LONGEST_EXCERPT).collect();
    printable(&short)
}

fn of_means(means: ReplayMeans, sent: &[(u32, u32)]) -> Outcome {
    let ReplayMeans { ttft_ms, tpot_ms, completed } = means;
    let sent = sent.len();
    if completed as usize != sent {
        return wrong_count(completed as usize, sent);
    }
    Outcome::Scored(Prediction { ttft_ms, tpot_ms, completed: Some(completed), basis: Basis::Aggregate })
}

fn wrong_count(answered: usize, sent: usize) -> Outcome {
    let reason = if answered < sent { Reason::IncompleteRun } else { Reason::BadResult };
    not_scored(reason, format!("{answered} of {sent} requests were completed"))
}

/// The means of the rows: each request once, with the tokens that were asked for.
fn prediction(rows: &[RequestRow], sent: &[(u32, u32)]) -> Result<Prediction, Outcome> {
    let bad = |detail: String| not_scored(Reason::BadResult, detail);
    let mut by_request: Vec<Option<&RequestRow>> = vec![None; sent.len()];
    for row in rows {
        let place = by_request.get_mut(row.request as usize);
        let place = place.ok_or_else(|| {
            bad(format!("a row of request {}, but there are only {} (from 0)", row.request, sent.len()))
        })?;
        if place.replace(row).is_some() {
            return Err(bad(format!("two rows of request {}", row.request)));
        }
    }
    if rows.len() < sent.len() {
        return Err(wrong_count(rows.len(), sent.len()));
    }
    let mut means = Means::default();
    for (row, &(input, output)) in by_request.into_iter().flatten().zip(sent) {
        check(row, input, output).map_err(bad)?;
        means.add(row.ttft_ms.get(), row.e2e_ms.get() - row.ttft_ms.get(), output);
    }
    means.prediction(1.0)
}

fn check(row: &RequestRow, input: u32, output: u32) -> Result<(), String> {
    let RequestRow { request, input_tokens, output_tokens, ttft_ms, e2e_ms } = *row;
    if (input_tokens, output_tokens) != (input, output) {
        return Err(format!(
            "request {request} has {input_tokens} input and {output_tokens} output tokens, \
             but {input} and {output} were asked for"
        ));
    }
    let (ttft, e2e) = (ttft_ms.get(), e2e_ms.get());
    if e2e < ttft || (output > 1 && e2e == ttft) {
        return Err(format!(
            "request {request} has its last token after {e2e} ms, and its first after {ttft} ms"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use shared::contract::SimulatorRequest;

    use super::*;
    use crate::testing;

    fn question() -> SimulatorRequest {
        SimulatorRequest {
            schema: "simulator-request.v1".to_owned(),
            id: "q1".to_owned(),
            point: testing::request(1),
            requests: vec![(100, 11), (200, 1), (300, 21)],
        }
    }

    fn row(request: u32, input: u32, output: u32, ttft: f64, e2e: f64) -> Value {
        json!({ "request": request, "input_tokens": input, "output_tokens": output, "ttft_ms": ttft, "e2e_ms": e2e })
    }

    fn rows() -> Vec<Value> {
        vec![row(2, 300, 21, 3.0, 43.0), row(0, 100, 11, 1.0, 41.0), row(1, 200, 1, 2.0, 2.0)]
    }

    fn answer(answer: &Value) -> Vec<u8> {
        json!({ "schema": "simulator-answer.v1", "id": "q1", "answer": answer }).to_string().into_bytes()
    }

    fn refused(answered: &Value) -> (Reason, String) {
        match judge(&answer(answered), &question().id, &question().requests).unwrap() {
            Outcome::NotScored(why) => (why.reason, why.detail),
            Outcome::Scored(prediction) => panic!("{prediction:?}"),
        }
    }

    #[test]
    fn the_means_are_taken_over_the_rows_in_the_order_of_the_requests() {
        let Outcome::Scored(found) =
            judge(&answer(&json!({ "rows": rows() })), &question().id, &question().requests).unwrap()
        else {
            panic!("not scored");
        };
        assert_eq!((found.ttft_ms.get(), found.tpot_ms.get()), (2.0, 3.0));
        assert_eq!((found.completed, found.basis), (Some(3), Basis::PerRequest));
    }

    #[test]
    fn means_and_estimates_say_what_they_rest_on() {
        let means = json!({ "means": { "ttft_ms": 5.0, "tpot_ms": 2.5, "completed": 3 } });
        let Outcome::Scored(found) = judge(&answer(&means), &question().id, &question().requests).unwrap()
        else {
            panic!()
        };
        assert_eq!((found.completed, found.basis), (Some(3), Basis::Aggregate));
        let estimate = json!({ "estimate": { "ttft_ms": 5.0, "tpot_ms": 2.5 } });
        let Outcome::Scored(found) = judge(&answer(&estimate), &question().id, &question().requests).unwrap()
        else {
            panic!()
        };
        assert_eq!((found.completed, found.basis), (None, Basis::Estimate));
        let (reason, detail) =
            refused(&json!({ "means": { "ttft_ms": 5.0, "tpot_ms": 2.5, "completed": 2 } }));
        assert_eq!((reason, detail.as_str()), (Reason::IncompleteRun, "2 of 3 requests were completed"));
        let (reason, _) = refused(&json!({ "means": { "ttft_ms": 5.0, "tpot_ms": 2.5, "completed": 4 } }));
        assert_eq!(reason, Reason::BadResult);
    }

    #[test]
    fn a_refusal_keeps_its_reason_and_its_words_are_bounded() {
        let refusal =
            |reason: &str| json!({ "not_scored": { "reason": reason, "detail": "x\n".repeat(9999) } });
        let (reason, detail) = refused(&refusal("unsupported_model"));
        assert_eq!(reason, Reason::UnsupportedModel);
        assert!(detail.starts_with("x\\nx") && detail.len() < 1000, "{detail}");
        assert!(judge(&answer(&refusal("timeout")), &question().id, &question().requests).is_err());
    }

    #[test]
    fn rows_that_cannot_be_true_are_refused() {
        type Change = fn(&mut Vec<Value>);
        let change = |change: Change| {
            let mut rows = rows();
            change(&mut rows);
            refused(&json!({ "rows": rows }))
        };
        let half = change(|rows| rows.truncate(2));
        assert_eq!(half, (Reason::IncompleteRun, "2 of 3 requests were completed".to_owned()));
        let cases: [(Change, &str); 6] = [
            (|rows| rows[0] = rows[1].clone(), "two rows of request 0"),
            (|rows| rows.push(rows[0].clone()), "two rows of request 2"),
            (|rows| rows[0]["request"] = 3.into(), "a row of request 3, but there are only 3"),
            (|rows| rows[0]["output_tokens"] = 20.into(), "300 input and 20 output tokens, but 300 and 21"),
            (|rows| rows[0]["e2e_ms"] = 2.0.into(), "last token after 2 ms, and its first after 3 ms"),
            (|rows| rows[0]["e2e_ms"] = 3.0.into(), "last token after 3 ms, and its first after 3 ms"),
        ];
        for (case, said) in cases {
            let (reason, detail) = change(case);
            assert_eq!(reason, Reason::BadResult);
            assert!(detail.contains(said), "{detail}");
        }
    }

    #[test]
    fn what_is_no_answer_to_the_question_is_a_fault_that_says_so() {
        let fault = |line: &[u8]| judge(line, &question().id, &question().requests).unwrap_err().to_string();
        let valid = String::from_utf8(answer(&json!({ "rows": rows() }))).unwrap();
        let cases = [
            ("\"q1\"", "\"q2\"", "an answer to request `q2`, but `q1` was asked"),
            ("answer.v1", "answer.v2", "schema `simulator-answer.v2`, but `simulator-answer.v1`"),
            ("43.0", "NaN", "NaN and infinities are not JSON"),
            (
                "43.0",
                "-1",
                "a latency must be a number of milliseconds from 0.000001 to 1000000000000, not -1",
            ),
            ("43.0", "0", "to 1000000000000, not 0"),
            ("43.0", "1e999", "number out of range"),
            ("\"ttft_ms\"", "\"ttft_s\"", "unknown field `ttft_s`"),
            ("schema\":", "schema\"", "expected `:`"),
        ];
        for (from, to, said) in cases {
            assert!(valid.contains(from), "{from}");
            let text = fault(valid.replace(from, to).as_bytes());
            assert!(text.contains(said), "{text}");
        }
        assert!(fault(b"").starts_with("not an answer: EOF"));
        assert!(fault(b"\xff\xfe{}").contains("not an answer"));
        assert!(fault("hello \u{1b}[2J".repeat(1000).as_bytes()).len() < 5000);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(line: Vec<u8>) {
            let _ = judge(&line, &question().id, &question().requests);
        }

        #[test]
        fn no_rows_make_it_panic(numbers in prop::collection::vec((0..5_u32, 0..400_u32, 0..30_u32), 0..6)) {
            let rows: Vec<Value> =
                numbers.into_iter().map(|(request, input, output)| row(request, input, output, 1.0, 2.0)).collect();
            let _ = judge(&answer(&json!({ "rows": rows })), &question().id, &question().requests);
        }
    }
}
