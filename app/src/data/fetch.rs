//! Files of the site, by their address below the page.

use js_sys::ArrayBuffer;
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestCache, RequestInit, Response};

use super::failure::Failure;
use crate::browser::words;

/// Fetches a file that never changes once it is there: a snapshot.
pub async fn immutable(file: &str) -> Result<ArrayBuffer, Failure> {
    fetch(file, RequestCache::Default).await
}

/// Fetches a file that changes: the browser asks the server whether its copy is still the newest.
pub async fn current(file: &str) -> Result<ArrayBuffer, Failure> {
    fetch(file, RequestCache::NoCache).await
}

async fn fetch(file: &str, cache: RequestCache) -> Result<ArrayBuffer, Failure> {
    let network = |error: JsValue| Failure::Network { file: file.to_owned(), detail: words(&error) };
    let options = RequestInit::new();
    options.set_cache(cache);
    let answer = JsFuture::from(window().fetch_with_str_and_init(file, &options)).await.map_err(network)?;
    let response: Response = answer.unchecked_into();
    match response.status() {
        200..=299 => {
            let buffer = response.array_buffer().map_err(network)?;
            Ok(JsFuture::from(buffer).await.map_err(network)?.unchecked_into())
        }
        404 | 410 => Err(Failure::Missing { file: file.to_owned() }),
        status => Err(Failure::Status { file: file.to_owned(), status }),
    }
}

/// Reads bytes as JSON with the browser's own parser, or says why that fails.
pub async fn json(bytes: &ArrayBuffer) -> Result<JsValue, String> {
    let parsing = Response::new_with_opt_buffer_source(Some(bytes)).and_then(|body| body.json());
    let parsed = match parsing {
        Ok(parsing) => JsFuture::from(parsing).await,
        Err(error) => Err(error),
    };
    parsed.map_err(|error| words(&error))
}
