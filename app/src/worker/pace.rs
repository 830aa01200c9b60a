//! Long work in short stretches, so that the worker hears what the page asks meanwhile.

use js_sys::{Date, Promise, global};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::WorkerGlobalScope;

/// Lets waiting messages be heard, then goes on.
async fn pause() {
    let promise = Promise::new(&mut |resolve, _| {
        let scope: WorkerGlobalScope = global().unchecked_into();
        let _handle = scope.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, 0);
    });
    // A timeout's promise is never rejected.
    let _done = JsFuture::from(promise).await;
}

/// A stretch of work.
pub struct Slice {
    began: f64,
}

impl Slice {
    /// How long a message may have to wait, in milliseconds.
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
        pause().await;
        self.began = Date::now();
        true
    }
}
