//! The few things the page asks of the browser, each in one place.

use js_sys::{Array, Date, Promise, Reflect, global};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url, WorkerGlobalScope};

/// Lets the browser paint and answer its user, or the worker hear the page, then goes on after `milliseconds`.
pub async fn pause(milliseconds: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        // A window has the same method under the same name.
        let scope: WorkerGlobalScope = global().unchecked_into();
        let _handle = scope.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
    });
    // A timeout's promise is never rejected.
    let _done = JsFuture::from(promise).await;
}

/// A text remembered on this machine; storage can be forbidden.
pub fn remembered(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?
}

/// Remembers a text on this machine, where that is allowed.
pub fn remember(key: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _refused = storage.set_item(key, value);
    }
}

/// Puts a text on the clipboard; false where the browser does not allow it.
pub async fn copy(text: &str) -> bool {
    // Outside a secure context there is no clipboard, and calling it would throw.
    if !window().is_secure_context() {
        return false;
    }
    JsFuture::from(window().navigator().clipboard().write_text(text)).await.is_ok()
}

/// Gives the reader a text as a file of this name; false where the browser does not allow it.
pub fn save(name: &str, media_type: &str, text: &str) -> bool {
    let give = || -> Result<(), JsValue> {
        let kind = BlobPropertyBag::new();
        kind.set_type(media_type);
        let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&JsValue::from_str(text)), &kind)?;
        let address = Url::create_object_url_with_blob(&blob)?;
        let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
        link.set_href(&address);
        link.set_download(name);
        link.click();
        wasm_bindgen_futures::spawn_local(async move {
            // By then the browser has begun to read it.
            pause(10_000).await;
            let _done = Url::revoke_object_url(&address);
        });
        Ok(())
    };
    give().is_ok()
}

/// The address of what is on the screen.
pub fn address() -> String {
    window().location().href().unwrap_or_default()
}

/// Now, RFC 3339 in UTC.
pub fn now_text() -> String {
    Date::new_0().to_iso_string().into()
}

/// What a JavaScript error says.
pub fn words(error: &JsValue) -> String {
    Reflect::get(error, &JsValue::from_str("message"))
        .ok()
        .and_then(|message| message.as_string())
        .unwrap_or_else(|| "the browser does not say why".to_owned())
}
