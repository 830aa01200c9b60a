//! How many bytes of a source were read, as a person wants to know it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use indicatif::DecimalBytes;

use crate::console::{Console, LiveLine, span};

/// The progress of reading; threads may share it.
#[derive(Debug)]
pub(super) struct ByteProgress<'console> {
    line: LiveLine<'console>,
    start: Instant,
    total: Option<u64>,
}

impl<'console> ByteProgress<'console> {
    /// At the start of a source of `total` bytes, where that is known.
    pub(super) fn new(console: &'console Console, total: Option<u64>) -> Self {
        Self { line: console.live_line(total.unwrap_or_default()), start: Instant::now(), total }
    }

    /// Tells that so many bytes were read, if it is time to tell again.
    pub(super) fn tell(&self, bytes: u64) {
        self.line.update(bytes, || text(bytes, self.total, self.start.elapsed()));
    }
}

fn text(bytes: u64, total: Option<u64>, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-3);
    let speed = bytes as f64 / seconds;
    let mut text = DecimalBytes(bytes).to_string();
    // Writing to a string cannot fail.
    if let Some(total) = total {
        let _ = write!(text, " of {}", DecimalBytes(total));
    }
    let _ = write!(text, " read, {:.0} MB/s", speed / 1e6);
    if let Some(left) = total.map(|total| total.saturating_sub(bytes)).filter(|left| *left > 0 && bytes > 0) {
        let _ = write!(text, ", about {} to go", span(left as f64 / speed));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_told_how_much_was_read_how_fast_and_what_is_left() {
        let told = |total| text(2_000_000_000, total, Duration::from_secs(10));
        assert_eq!(told(Some(26_000_000_000)), "2.00 GB of 26.00 GB read, 200 MB/s, about 2 min 0 s to go");
        assert_eq!(told(Some(2_000_000_000)), "2.00 GB of 2.00 GB read, 200 MB/s");
        assert_eq!(told(None), "2.00 GB read, 200 MB/s");
        assert_eq!(text(0, Some(9), Duration::ZERO), "0 B of 9 B read, 0 MB/s");
    }
}
