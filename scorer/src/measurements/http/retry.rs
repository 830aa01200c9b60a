//! How often something is tried, and how long is waited between.

use std::error::Error;
use std::time::Duration;

use shared::format::counted;

use super::error::HttpError;
use crate::console::Console;

/// How often something is tried, and how long is waited between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Attempts in a row that bring nothing, before it is given up.
    pub attempts: u32,
    /// The wait after the first of them; it doubles each time.
    pub first: Duration,
    /// The longest wait, also when a server asks for a longer one.
    pub longest: Duration,
}

impl Default for Retry {
    /// Some four minutes in all.
    fn default() -> Self {
        Self { attempts: 9, first: Duration::from_millis(500), longest: Duration::from_mins(1) }
    }
}

/// The attempts at one thing.
#[derive(Clone, Debug)]
pub(super) struct Attempts {
    retry: Retry,
    console: Console,
    failed: u32,
}

impl Attempts {
    pub(super) fn new(retry: Retry, console: Console) -> Self {
        Self { retry, console, failed: 0 }
    }

    /// One brought something.
    pub(super) fn succeed(&mut self) {
        self.failed = 0;
    }

    /// One failed: tells so and waits before the next, as long as the server asks for, else longer each time.
    ///
    /// # Errors
    /// Gives `error` when it was the last, or the server asks for more patience than we have.
    pub(super) async fn wait(&mut self, asked: Option<Duration>, error: HttpError) -> Result<(), HttpError> {
        let Some(wait) = self.next(asked) else { return Err(error) };
        let cause = innermost(&error).map(|cause| format!(" ({cause})")).unwrap_or_default();
        let left = counted(u64::from(self.retry.attempts - self.failed), "more time");
        self.console.status(&format!(
            "{error}{cause}; in {} s it is tried again, {left} at most",
            wait.as_secs_f64()
        ));
        tokio::time::sleep(wait).await;
        Ok(())
    }

    fn next(&mut self, asked: Option<Duration>) -> Option<Duration> {
        let Retry { attempts, first, longest } = self.retry;
        self.failed += 1;
        if self.failed >= attempts {
            return None;
        }
        match asked {
            Some(asked) => Some(asked).filter(|asked| *asked <= longest),
            None => Some(first.saturating_mul(2_u32.saturating_pow(self.failed - 1)).min(longest)),
        }
    }
}

/// What lies below an error: for a connection, what the system says.
fn innermost(error: &dyn Error) -> Option<&dyn Error> {
    let source = error.source()?;
    Some(innermost(source).unwrap_or(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_end() {
        let retry = Retry { attempts: 6, first: Duration::from_secs(1), longest: Duration::from_secs(5) };
        let mut attempts = Attempts::new(retry, Console::quiet());
        let waits: Vec<_> = std::iter::from_fn(|| attempts.next(None)).map(|wait| wait.as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 5, 5]);
        attempts.succeed();
        assert_eq!(attempts.next(None), Some(Duration::from_secs(1)));
    }

    #[test]
    fn a_server_gets_the_patience_that_it_asks_for_within_reason() {
        let mut attempts = Attempts::new(Retry::default(), Console::quiet());
        assert_eq!(attempts.next(Some(Duration::from_secs(42))), Some(Duration::from_secs(42)));
        assert_eq!(attempts.next(Some(Duration::from_hours(1))), None);
    }

    #[test]
    fn the_default_gives_up_after_some_minutes() {
        let mut attempts = Attempts::new(Retry::default(), Console::quiet());
        let total: Duration = std::iter::from_fn(|| attempts.next(None)).sum();
        assert!((60..300).contains(&total.as_secs()), "{total:?}");
    }
}
