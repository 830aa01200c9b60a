//! Grades: an absolute error as one letter.

use crate::rules::Grading;
use crate::summary::Grade;

/// The grade of an absolute error (or of a MAPE) in percent; a limit belongs to the better grade.
///
/// The full number counts, not the one shown: 10.04 is a B although it is shown as 10.0.
#[must_use]
pub fn of(error_percent: f64, grading: &Grading) -> Grade {
    let error = error_percent.abs();
    [(grading.a, Grade::A), (grading.b, Grade::B), (grading.c, Grade::C), (grading.d, Grade::D)]
        .into_iter()
        .find(|(limit, _)| error <= *limit)
        .map_or(Grade::F, |(_, grade)| grade)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_belongs_to_the_better_grade() {
        let grading = Grading::default();
        for (error, letter) in [
            (0.0, "A"),
            (10.0, "A"),
            (-10.0, "A"),
            (10.04, "B"),
            (20.0, "B"),
            (40.0, "C"),
            (80.0, "D"),
            (80.001, "F"),
            (f64::INFINITY, "F"),
            (f64::NAN, "F"),
        ] {
            assert_eq!(of(error, &grading).letter(), letter, "{error}");
        }
    }
}
