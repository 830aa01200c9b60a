//! Which rows of a long table are drawn: those in sight and some around them.

use std::ops::Range;

/// What is known of the table, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// How far it is scrolled.
    pub top: f64,
    /// The height of what is in sight.
    pub height: f64,
    /// The height of a row that is not opened.
    pub row: f64,
    /// The row that is opened, and how high what belongs to it is.
    pub open: Option<(usize, f64)>,
}

/// How many rows are drawn beyond either edge.
const AROUND: usize = 8;

impl Sight {
    /// Where a row begins.
    pub fn offset(&self, row: usize) -> f64 {
        let extra = self.open.filter(|(open, _)| *open < row).map_or(0.0, |(_, height)| height);
        row as f64 * self.row + extra
    }

    /// The rows to draw of `count`.
    pub fn rows(&self, count: usize) -> Range<usize> {
        let first = self.at(self.top).saturating_sub(AROUND).min(count);
        let last = self.at(self.top + self.height).saturating_add(AROUND + 1);
        first..last.clamp(first, count)
    }

    /// The row at a height.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a height in rows is small and not below 0"
    )]
    fn at(&self, height: f64) -> usize {
        let plain = |height: f64| (height / self.row.max(1.0)).clamp(0.0, 1e9).floor() as usize;
        match self.open {
            Some((open, extra)) if height >= self.offset(open + 1) => plain(height - extra),
            Some((open, _)) if height >= self.offset(open) => open,
            _ => plain(height),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_rows_in_sight_are_drawn_with_some_around_them() {
        let sight = Sight { top: 4000.0, height: 400.0, row: 40.0, open: None };
        assert_eq!(sight.rows(10_000), 92..119);
        assert_eq!(sight.rows(5), 5..5);
        assert_eq!(Sight { top: 0.0, ..sight }.rows(10_000), 0..19);
        let open = Sight { open: Some((3, 900.0)), ..sight };
        assert_eq!(open.offset(4), 1060.0);
        assert_eq!(open.rows(10_000), 69..96);
    }

    proptest! {
        #[test]
        fn every_row_in_sight_is_drawn(
            top in 0.0..1e6_f64, height in 1.0..3000.0_f64, row in 20.0..80.0_f64, count in 0_usize..20_000,
            open in prop::option::of((0_usize..20_000, 0.0..5000.0_f64)),
        ) {
            let sight = Sight { top, height, row, open };
            let drawn = sight.rows(count);
            prop_assert!(drawn.end <= count);
            prop_assert!(drawn.len() <= 170);
            for row in 0..count {
                let in_sight = sight.offset(row + 1) > top && sight.offset(row) < top + height;
                prop_assert!(!in_sight || drawn.contains(&row), "{row} of {drawn:?}");
            }
        }
    }
}
