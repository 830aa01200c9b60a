//! Whether a snapshot may follow the one before it. It may be as accurate or as inaccurate as it is, but it must be
//! one of the simulator: a build that answers nothing, or a night on which most replays failed, is an accident, and
//! the earlier snapshot tells more.

use std::collections::BTreeSet;

use shared::format::counted;
use shared::id::{EstimatorId, SweepId};
use shared::outcome::Outcome;
use shared::summary::Summary;

use crate::exit::{ExitCode, Failure};

/// A snapshot is not published.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Disqualified {
    /// There is no figure in it.
    #[error("`{primary}` has no scored point among {}", counted(*points, "point"))]
    NothingScored {
        /// The estimator that the snapshot is about.
        primary: EstimatorId,
        /// The points.
        points: u64,
    },
    /// Too much of what was scored is not any more.
    #[error(
        "of {} that the snapshot before scored and that are still measured, `{primary}` scores {kept}: less than {least} %",
        counted(*before, "point")
    )]
    Lost {
        /// The estimator that the snapshot is about.
        primary: EstimatorId,
        /// Points that were scored and are still measured.
        before: u64,
        /// How many of them are scored now.
        kept: u64,
        /// The least share, in percent.
        least: f64,
    },
}

impl Failure for Disqualified {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Refused
    }

    fn advice(&self) -> Option<String> {
        let advice = match self {
            Self::NothingScored { .. } => "`scorer report` on the snapshot in the work directory says why",
            Self::Lost { .. } => {
                "find out why; if it is meant to be so, give a lower --least-scored and run the night again"
            }
        };
        Some(advice.to_owned())
    }
}

/// Holds a snapshot against the one before it: at least `least` percent of the points that it scored, as far as they
/// are still measured, must be scored again.
///
/// # Errors
/// When they are not, or nothing is scored at all.
pub fn qualify(before: Option<&Summary>, summary: &Summary, least: f64) -> Result<(), Disqualified> {
    let primary = &summary.run.primary;
    let scored = points(summary, |outcome| matches!(outcome, Some(Outcome::Scored(_))));
    if scored.is_empty() {
        return Err(Disqualified::NothingScored {
            primary: primary.clone(),
            points: summary.coverage.points,
        });
    }
    let Some(before) = before.filter(|before| before.run.primary == *primary) else { return Ok(()) };
    let measured = points(summary, |_| true);
    let scored_before = points(before, |outcome| matches!(outcome, Some(Outcome::Scored(_))));
    let asked: BTreeSet<_> = scored_before.intersection(&measured).copied().collect();
    let kept = asked.intersection(&scored).count() as u64;
    let before = asked.len() as u64;
    if (kept as f64) < least / 100.0 * before as f64 {
        return Err(Disqualified::Lost { primary: primary.clone(), before, kept, least });
    }
    Ok(())
}

/// The points of which the primary estimator's outcome is as wanted.
fn points(summary: &Summary, wanted: impl Fn(Option<&Outcome>) -> bool) -> BTreeSet<(&SweepId, u32)> {
    let primary = &summary.run.primary;
    let of_sweep = |sweep: &'_ shared::sweep::Sweep<Outcome>| {
        let wanted = sweep.points.iter().filter(|point| wanted(point.predictions.get(primary)));
        wanted.map(|point| point.concurrency).collect::<Vec<_>>()
    };
    let sweeps = summary.sweeps.iter();
    sweeps.flat_map(|sweep| of_sweep(sweep).into_iter().map(|concurrency| (&sweep.id, concurrency))).collect()
}

#[cfg(test)]
mod tests {
    use shared::outcome::{NotScored, Reason};

    use super::*;
    use crate::testing;

    fn summary() -> Summary {
        testing::snapshot(testing::corpus(3), "2026-11-30T00:00:00Z")
    }

    /// The same, with the first points of the primary estimator failed.
    fn failing(count: usize) -> Summary {
        let mut summary = summary();
        let primary = summary.run.primary.clone();
        let points = summary.sweeps.iter_mut().flat_map(|sweep| &mut sweep.points);
        for point in points.take(count) {
            let why = NotScored { reason: Reason::RunError, detail: "it crashed".to_owned() };
            point.predictions.insert(primary.clone(), Outcome::NotScored(why));
        }
        summary
    }

    #[test]
    fn a_snapshot_may_follow_itself_and_may_be_the_first() {
        assert_eq!(qualify(None, &summary(), 50.0), Ok(()));
        assert_eq!(qualify(Some(&summary()), &summary(), 100.0), Ok(()));
    }

    #[test]
    fn a_snapshot_without_a_scored_point_is_refused_even_as_the_first() {
        let none = failing(usize::MAX);
        assert!(matches!(qualify(None, &none, 0.0), Err(Disqualified::NothingScored { .. })));
    }

    #[test]
    fn a_night_on_which_too_much_failed_is_refused() {
        let all = points(&summary(), |_| true).len();
        let half = all / 2;
        assert_eq!(qualify(Some(&summary()), &failing(half), 50.0), Ok(()));
        let refused = qualify(Some(&summary()), &failing(half + 1), 50.0).unwrap_err();
        let (before, kept) = (all as u64, (all - half - 1) as u64);
        let primary = summary().run.primary;
        assert_eq!(refused, Disqualified::Lost { primary, before, kept, least: 50.0 });
        assert_eq!(qualify(Some(&summary()), &failing(half + 1), 10.0), Ok(()));
    }

    #[test]
    fn a_point_that_is_no_longer_measured_is_not_lost() {
        let mut fewer = summary();
        fewer.sweeps.truncate(1);
        assert_eq!(qualify(Some(&summary()), &fewer, 100.0), Ok(()));
    }
}
