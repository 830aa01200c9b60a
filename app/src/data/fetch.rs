//! Files of the site, by their address below the page.

use js_sys::{Reflect, Uint8Array};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestCache, RequestInit, Response};

use super::failure::Failure;

/// Fetches a file that never changes once it is there: a snapshot.
pub async fn immutable(file: &str) -> Result<Vec<u8>, Failure> {
    fetch(file, RequestCache::Default).await
}

/// Fetches a file that changes: the browser asks the server whether its copy is still the newest.
pub async fn current(file: &str) -> Result<Vec<u8>, Failure> {
    fetch(file, RequestCache::NoCache).await
}

async fn fetch(file: &str, cache: RequestCache) -> Result<Vec<u8>, Failure> {
    let network = |error: JsValue| Failure::Network { file: file.to_owned(), detail: words(&error) };
    let options = RequestInit::new();
    options.set_cache(cache);
    let answer = JsFuture::from(window().fetch_with_str_and_init(file, &options)).await.map_err(network)?;
    let response: Response = answer.unchecked_into();
    match response.status() {
        200..=299 => {
            let buffer = response.array_buffer().map_err(network)?;
            let buffer = JsFuture::from(buffer).await.map_err(network)?;
            Ok(Uint8Array::new(&buffer).to_vec())
        }
        404 | 410 => Err(Failure::Missing { file: file.to_owned() }),
        status => Err(Failure::Status { file: file.to_owned(), status }),
    }
}

/// What a JavaScript error says.
fn words(error: &JsValue) -> String {
    Reflect::get(error, &JsValue::from_str("message"))
        .ok()
        .and_then(|message| message.as_string())
        .unwrap_or_else(|| "the browser does not say why".to_owned())
}
