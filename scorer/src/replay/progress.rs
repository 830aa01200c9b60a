//! How far a run is, as a person wants to know it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use shared::outcome::Outcome;

use super::dispatcher::{Running, Underway};
use crate::console::{Console, LiveLine, span};

/// How many of the points under way are named, the slowest first.
const NAMED: usize = 2;

/// A point that has been under way for less is not worth naming.
const WORTH_NAMING: Duration = Duration::from_secs(2);

/// The progress of a run: points and their modelled cost.
#[derive(Debug)]
pub struct RunProgress<'console> {
    line: LiveLine<'console>,
    start: Instant,
    total: usize,
    done: usize,
    /// Done in this process; the others were in the journal.
    computed: usize,
    scored: usize,
    cost_total: f64,
    cost_computed: f64,
}

impl<'console> RunProgress<'console> {
    /// At the start of a run of `total` points, of which `missing_cost` is still to be done.
    #[must_use]
    pub fn new(console: &'console Console, total: usize, missing_cost: f64) -> Self {
        Self {
            line: console.live_line(total as u64),
            start: Instant::now(),
            total,
            done: 0,
            computed: 0,
            scored: 0,
            cost_total: missing_cost,
            cost_computed: 0.0,
        }
    }

    /// Counts an outcome that the journal had already.
    pub fn found(&mut self, outcome: &Outcome) {
        self.done += 1;
        self.scored += usize::from(matches!(outcome, Outcome::Scored(_)));
    }

    /// Counts an outcome that came from the cache, which says nothing about the time that others take.
    pub fn cached(&mut self, outcome: &Outcome, cost: f64) {
        self.found(outcome);
        self.cost_total -= cost;
    }

    /// Counts an outcome that was computed now.
    pub fn computed(&mut self, outcome: &Outcome, cost: f64) {
        self.found(outcome);
        self.computed += 1;
        self.cost_computed += cost;
    }

    /// Tells, if it is time to tell again.
    pub fn tell(&self, running: &Running) {
        let elapsed = self.start.elapsed();
        self.line.update(self.done as u64, || self.text(elapsed, running.slowest()));
    }

    fn text<'run>(&self, elapsed: Duration, slowest: impl Iterator<Item = &'run Underway>) -> String {
        let seconds = elapsed.as_secs_f64();
        let mut text = format!(
            "{}/{} points, {} scored, {} not, {:.1} points/s",
            self.done,
            self.total,
            self.scored,
            self.done - self.scored,
            self.computed as f64 / seconds.max(1e-3),
        );
        let left = (self.cost_total - self.cost_computed).max(0.0);
        if self.cost_computed > 0.0 && self.done < self.total {
            // Writing to a string cannot fail.
            let _ = write!(text, ", about {} to go", span(seconds * left / self.cost_computed));
        }
        let named = slowest.filter(|point| point.since.elapsed() >= WORTH_NAMING).take(NAMED);
        for (index, Underway { task, since }) in named.enumerate() {
            let _ = write!(
                text,
                "{} {} of {} at concurrency {} ({})",
                if index == 0 { "; slowest:" } else { "," },
                task.simulator.identity().id,
                task.request.sweep,
                task.request.concurrency,
                span(since.elapsed().as_secs_f64()),
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shared::outcome::Reason;

    use super::super::executor::Task;
    use super::super::work;
    use super::*;
    use crate::reference::Reference;
    use crate::simulators::{Roofline, not_scored};
    use crate::testing;

    fn underway(concurrency: u32, seconds: u64) -> Underway {
        let request = testing::request(concurrency);
        let digest = work::digest(&request).unwrap();
        let identity = testing::identity("mine");
        let reference = Arc::new(Reference::embedded().unwrap());
        let simulator = Arc::new(Roofline::new(identity.id, reference, identity.settings));
        let since = Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        Underway { task: Task { index: 0, request, digest, simulator }, since }
    }

    #[test]
    fn a_person_is_told_how_far_it_is_how_fast_and_what_holds_it_up() {
        let console = Console::quiet();
        let mut progress = RunProgress::new(&console, 10, 8.0);
        let outcome = not_scored(Reason::UnsupportedModel, "no");
        progress.found(&outcome);
        progress.cached(&outcome, 4.0);
        progress.computed(&outcome, 1.0);
        let points = [underway(64, 90), underway(8, 3), underway(4, 3), underway(2, 0)];
        assert_eq!(
            progress.text(Duration::from_secs(2), points.iter()),
            "3/10 points, 0 scored, 3 not, 0.5 points/s, about 6 s to go; slowest: mine of 0123456789abcdef \
             at concurrency 64 (1 min 30 s), mine of 0123456789abcdef at concurrency 8 (3 s)"
        );
    }
}
