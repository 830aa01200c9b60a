//! How far a run is, as a person wants to know it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use shared::outcome::Outcome;

use crate::console::{Console, LiveLine};

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

    /// Counts an outcome that was computed now, and tells.
    pub fn computed(&mut self, outcome: &Outcome, cost: f64) {
        self.found(outcome);
        self.computed += 1;
        self.cost_computed += cost;
        let elapsed = self.start.elapsed();
        self.line.update(self.done as u64, || self.text(elapsed));
    }

    fn text(&self, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs_f64();
        let mut text = format!(
            "{}/{} points, {} not scored, {:.1} points/s",
            self.done,
            self.total,
            self.done - self.scored,
            self.computed as f64 / seconds.max(1e-3),
        );
        let left = (self.cost_total - self.cost_computed).max(0.0);
        if self.cost_computed > 0.0 && self.done < self.total {
            // Writing to a string cannot fail.
            let _ = write!(text, ", about {} to go", span(seconds * left / self.cost_computed));
        }
        text
    }
}

/// A time span in its two greatest units.
fn span(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor();
    if seconds < 60.0 {
        format!("{seconds:.0} s")
    } else if minutes < 60.0 {
        format!("{minutes} min {:.0} s", (seconds - minutes * 60.0).floor())
    } else {
        let hours = (minutes / 60.0).floor();
        format!("{hours} h {} min", minutes - hours * 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_told_in_its_two_greatest_units() {
        assert_eq!(span(3.2), "3 s");
        assert_eq!(span(61.9), "1 min 1 s");
        assert_eq!(span(7_260.0), "2 h 1 min");
    }
}
