//! Which answers are accepted, and what is made of them.
//!
//! Every request that was sent must have been completed, nothing timed out, dropped or cut off; every row must be of another
//! request and have the token counts that were sent; every latency must be finite and above zero. Only then are the client's
//! means taken.

use shared::millis::Millis;
use shared::outcome::{Basis, Outcome, Prediction, Reason};

use super::result::counts::Counts;
use super::result::means::Means;
use super::result::rows::Row;
use crate::simulators::not_scored;
use crate::workload::RequestList;

/// Makes a prediction of rows.
///
/// # Errors
/// The outcome that says why the answer is not accepted.
pub fn rows(counts: Counts, rows: &[Row], requests: &RequestList) -> Result<Outcome, Outcome> {
    complete(counts, requests)?;
    let mut taken = crate::simulators::Means::default();
    // In the order of the requests, so that the sums do not depend on the order of the rows.
    for (row, &output) in placed(rows, requests)?.into_iter().zip(requests.outputs()) {
        taken.add(row.ttft_ms, row.e2e_ms - row.ttft_ms, output);
    }
    taken.prediction(1.0).map(Outcome::Scored)
}

/// Makes a prediction of a build's own means.
///
/// # Errors
/// The outcome that says why the answer is not accepted.
pub fn means(counts: Counts, means: &Means, requests: &RequestList) -> Result<Outcome, Outcome> {
    complete(counts, requests)?;
    let sent = (requests.total_input_tokens(), requests.total_output_tokens());
    let found = (means.input_tokens, means.output_tokens);
    if found != sent {
        let detail = format!(
            "{} input and {} output tokens were replayed, but {} and {} were sent",
            found.0, found.1, sent.0, sent.1
        );
        return Err(not_scored(Reason::BadResult, detail));
    }
    aggregate(means.ttft_ms, means.itl_ms, u32::try_from(requests.len()).ok())
}

/// Whether every request was completed.
///
/// # Errors
/// The outcome that says what became of the others.
pub fn complete(counts: Counts, requests: &RequestList) -> Result<(), Outcome> {
    let shortfall = counts.shortfall(requests.len() as u64);
    shortfall.map_or(Ok(()), |detail| Err(not_scored(Reason::IncompleteRun, detail)))
}

/// The rows in the order of the requests, each checked.
fn placed<'a>(rows: &'a [Row], requests: &RequestList) -> Result<Vec<&'a Row>, Outcome> {
    let bad = |detail: String| not_scored(Reason::BadResult, detail);
    let sent: Vec<(u32, u32)> = requests.requests().collect();
    let mut placed: Vec<Option<&Row>> = vec![None; sent.len()];
    for row in rows {
        let index = row.index;
        let slot = placed
            .get_mut(index)
            .ok_or_else(|| bad(format!("a row is of request {index}, which was not sent")))?;
        if slot.replace(row).is_some() {
            return Err(bad(format!("request {index} has two rows")));
        }
        let (input, output) = sent[index];
        if (row.input, row.output) != (u64::from(input), u64::from(output)) {
            return Err(bad(format!(
                "request {index} has {} input and {} output tokens, but {input} and {output} were sent",
                row.input, row.output
            )));
        }
        let is_latency = |value: f64| value.is_finite() && value > 0.0;
        if !(is_latency(row.ttft_ms) && is_latency(row.e2e_ms) && row.e2e_ms >= row.ttft_ms) {
            return Err(bad(format!(
                "request {index} has its first token after {} ms and its last after {} ms",
                row.ttft_ms, row.e2e_ms
            )));
        }
    }
    let missing = placed.iter().filter(|row| row.is_none()).count();
    if missing > 0 {
        return Err(bad(format!("{missing} of {} requests have no row", sent.len())));
    }
    Ok(placed.into_iter().flatten().collect())
}

/// Makes a prediction of the means of an agentic scenario, in milliseconds.
///
/// # Errors
/// The outcome that says why the answer is not accepted.
pub fn agentic(ttft: f64, tpot: f64) -> Result<Outcome, Outcome> {
    aggregate(ttft, tpot, None)
}

fn aggregate(ttft: f64, tpot: f64, completed: Option<u32>) -> Result<Outcome, Outcome> {
    let millis = |metric: &str, value: f64| {
        Millis::new(value).map_err(|error| not_scored(Reason::BadResult, format!("mean {metric}: {error}")))
    };
    let (ttft_ms, tpot_ms) = (millis("TTFT", ttft)?, millis("TPOT", tpot)?);
    Ok(Outcome::Scored(Prediction { ttft_ms, tpot_ms, completed, basis: Basis::Aggregate }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::ClientParameters;

    fn requests() -> RequestList {
        RequestList::draw(&ClientParameters::ordinary(1024, 1024, 4).unwrap()).unwrap()
    }

    fn all() -> Counts {
        Counts { injected: 40, completed: 40, ..Counts::default() }
    }

    /// Request i: first token after i + 1 ms, and then one every 10 ms.
    fn good() -> Vec<Row> {
        let list = requests();
        let rows = list.requests().enumerate().map(|(index, (input, output))| {
            let ttft_ms = index as f64 + 1.0;
            let e2e_ms = ttft_ms + 10.0 * f64::from(output - 1);
            Row { index, input: input.into(), output: output.into(), ttft_ms, e2e_ms }
        });
        rows.collect()
    }

    #[track_caller]
    fn refused(result: Result<Outcome, Outcome>, reason: Reason, said: &str) {
        match result.unwrap_err() {
            Outcome::NotScored(why) => {
                assert_eq!(why.reason, reason, "{}", why.detail);
                assert!(why.detail.contains(said), "{}", why.detail);
            }
            Outcome::Scored(_) => panic!("scored"),
        }
    }

    fn changed(change: impl FnOnce(&mut Vec<Row>)) -> Result<Outcome, Outcome> {
        let mut changed = good();
        change(&mut changed);
        rows(all(), &changed, &requests())
    }

    #[test]
    fn the_means_are_the_clients() {
        let Ok(Outcome::Scored(prediction)) = rows(all(), &good(), &requests()) else { panic!("refused") };
        assert_eq!(prediction.ttft_ms.get(), 20.5);
        assert!((prediction.tpot_ms.get() - 10.0).abs() < 1e-9);
        assert_eq!((prediction.completed, prediction.basis), (Some(40), Basis::PerRequest));
    }

    #[test]
    fn the_order_of_the_rows_does_not_change_a_bit() {
        assert_eq!(changed(|rows| rows.reverse()), rows(all(), &good(), &requests()));
    }

    #[test]
    fn rows_of_the_first_round_only_are_not_all_rows() {
        refused(changed(|rows| rows.truncate(4)), Reason::BadResult, "36 of 40 requests have no row");
    }

    #[test]
    fn a_row_that_cannot_be_true_is_refused() {
        refused(changed(|rows| rows[7] = rows[8]), Reason::BadResult, "request 8 has two rows");
        refused(changed(|rows| rows[7].index = 40), Reason::BadResult, "request 40");
        refused(changed(|rows| rows[7].input += 1), Reason::BadResult, "were sent");
        refused(changed(|rows| rows[7].output -= 1), Reason::BadResult, "were sent");
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            refused(changed(|rows| rows[7].ttft_ms = bad), Reason::BadResult, "request 7");
            refused(changed(|rows| rows[7].e2e_ms = bad), Reason::BadResult, "request 7");
        }
        refused(changed(|rows| rows[7].e2e_ms = 1.0), Reason::BadResult, "request 7");
    }

    #[test]
    fn a_run_that_lost_requests_is_incomplete_whatever_its_rows_say() {
        let lost = Counts { completed: 39, still_running: 1, ..all() };
        refused(rows(lost, &good(), &requests()), Reason::IncompleteRun, "1 still running");
    }

    fn aggregate() -> Means {
        Means { ttft_ms: 41.177_425, itl_ms: 16.957_134, input_tokens: 37_068, output_tokens: 36_709 }
    }

    /// The sums are those that a real build replayed of this list.
    #[test]
    fn an_aggregate_says_that_it_is_one() {
        let Ok(Outcome::Scored(prediction)) = means(all(), &aggregate(), &requests()) else {
            panic!("refused")
        };
        assert_eq!((prediction.ttft_ms.get(), prediction.tpot_ms.get()), (41.177_425, 16.957_134));
        assert_eq!((prediction.completed, prediction.basis), (Some(40), Basis::Aggregate));
    }

    #[test]
    fn an_aggregate_of_other_tokens_or_of_no_latency_is_refused() {
        let other = Means { input_tokens: 37_069, ..aggregate() };
        refused(means(all(), &other, &requests()), Reason::BadResult, "were sent");
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let wrong = Means { itl_ms: bad, ..aggregate() };
            refused(means(all(), &wrong, &requests()), Reason::BadResult, "mean TPOT");
        }
    }
}
