//! Days and ages. Times in files are RFC 3339 in UTC, so their first ten characters are the day.

/// A snapshot older than this many days is stale: the nightly run has failed for a week.
pub const STALE_AFTER_DAYS: i64 = 8;

/// The day of an RFC 3339 time or of a date; the text itself when it does not begin with a day.
#[must_use]
pub fn day(time: &str) -> &str {
    match time.get(..10) {
        Some(day) if number(day).is_some() => day,
        _ => time,
    }
}

/// How many days lie between two RFC 3339 times or dates, by their days alone; negative when the
/// second is earlier. None when one of them does not begin with a day of the calendar.
#[must_use]
pub fn days_between(from: &str, to: &str) -> Option<i64> {
    Some(number(to.get(..10)?)? - number(from.get(..10)?)?)
}

/// An age in words: `today`, `1 day`, `12 days`; a day in the future (another clock) is `today`.
#[must_use]
pub fn age(days: i64) -> String {
    match u64::try_from(days) {
        Ok(0) | Err(_) => "today".to_owned(),
        Ok(days) => super::counted(days, "day"),
    }
}

/// The number of the day `YYYY-MM-DD` in the Gregorian calendar, counted from 0000-03-01: years begin
/// in March, so that the leap day is a year's last (Richards, *Explanatory Supplement to the
/// Astronomical Almanac*, 3rd edition, §15.11.3).
fn number(day: &str) -> Option<i64> {
    let mut parts = day.split('-').map(|part| {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i64>().ok().filter(|_| digits)
    });
    let (year, month, day_of_month) = (parts.next()??, parts.next()??, parts.next()??);
    if day.len() != 10 || parts.next().is_some() || !(1..=12).contains(&month) {
        return None;
    }
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=days).contains(&day_of_month) {
        return None;
    }
    let year = if month < 3 { year - 1 } else { year };
    let months = (month + 9) % 12;
    Some(
        365 * year + year.div_euclid(4) - year.div_euclid(100)
            + year.div_euclid(400)
            + (153 * months + 2) / 5
            + day_of_month
            - 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        // 2026-11-30 is day 20787 of Unix time (Python: date(2026, 11, 30) - date(1970, 1, 1)).
        assert_eq!(days_between("1970-01-01", "2026-11-30"), Some(20_787));
        assert_eq!(days_between("2024-02-28", "2024-03-01T00:00:00Z"), Some(2));
        assert_eq!(days_between("2023-02-28T23:59:59Z", "2023-03-01"), Some(1));
        assert_eq!(days_between("2000-01-01", "1999-12-31"), Some(-1));
        assert_eq!(days_between("0000-01-01", "0001-01-01"), Some(366));
        // Every day follows the one before.
        let mut last = number("1999-12-31").unwrap();
        for year in 2000..=2100 {
            for month in 1..=12 {
                for day in 1..=31 {
                    if let Some(number) = number(&format!("{year}-{month:02}-{day:02}")) {
                        assert_eq!(number, last + 1, "{year}-{month}-{day}");
                        last = number;
                    }
                }
            }
        }
        assert_eq!(last - number("1999-12-31").unwrap(), 36_890);
    }

    #[test]
    fn what_is_no_day_has_no_age_and_is_shown_as_it_is() {
        for text in
            ["", "today", "2026-13-01", "2026-02-29", "2026-1-1", "2026-01-00", "+026-01-01", "2026–01–01"]
        {
            assert_eq!(days_between(text, "2026-01-01"), None, "{text}");
            assert_eq!(day(text), text);
        }
        assert_eq!(day("2026-11-30T08:30:00Z"), "2026-11-30");
    }

    #[test]
    fn an_age_is_in_whole_days() {
        assert_eq!([age(-3), age(0), age(1), age(12)], ["today", "today", "1 day", "12 days"]);
    }
}
