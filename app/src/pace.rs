//! Long work in short stretches, so that the worker hears what the page asks meanwhile, and the page its reader.

use js_sys::Date;

use crate::browser::pause;

/// A stretch of work.
pub struct Slice {
    began: f64,
}

impl Slice {
    /// How long a message or a click may have to wait, in milliseconds.
    const LONGEST_MS: f64 = 16.0;

    /// Begins a stretch.
    pub fn begin() -> Self {
        Self { began: Date::now() }
    }

    /// Pauses when the stretch has been long enough; says whether it did.
    pub async fn rest(&mut self) -> bool {
        if Date::now() - self.began < Self::LONGEST_MS {
            return false;
        }
        pause(0).await;
        self.began = Date::now();
        true
    }
}
