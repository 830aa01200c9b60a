//! What the server answers: the files of a site, with the headers that they should have.

use std::path::Path;

use axum::Router;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, HeaderName, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;

use super::BasePath;
use super::contained::Contained;

/// A file that may have another content tomorrow: ask every time, and get it only when it has changed.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// A file whose name changes with its content.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The answers for a site below a path.
pub fn router(site: &Path, base_path: &BasePath) -> Router {
    let stem = base_path.stem();
    let files = ServeDir::with_backend(site, Contained::new(site)).redirect_path_prefix(stem);
    let files = Router::new().fallback_service(files).layer(middleware::from_fn(label));
    let routed = if stem.is_empty() {
        files
    } else {
        // `/accuracy` is what people type; relative links need `/accuracy/`.
        let target = base_path.to_string();
        let redirect = move || async move { (StatusCode::PERMANENT_REDIRECT, [(LOCATION, target)]) };
        Router::new()
            .route(stem, axum::routing::get(redirect))
            .nest_service(&format!("{stem}/"), files)
            .fallback(|| async { StatusCode::NOT_FOUND })
    };
    routed.layer(middleware::from_fn(protect)).layer(CompressionLayer::new())
}

/// Says how long an answer stays true.
async fn label(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    if response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED {
        response.headers_mut().insert(CACHE_CONTROL, caching(&path));
    }
    response
}

/// How long the file of a path stays true: published snapshots never change, nor does a file whose name
/// has a digest in it.
#[must_use]
pub fn caching(path: &str) -> HeaderValue {
    let path = path.trim_start_matches('/');
    let snapshot = path.strip_prefix("data/snapshots/").is_some_and(|rest| rest.contains('/'));
    if snapshot || is_hashed(path.rsplit('/').next().unwrap_or(path)) { FOREVER } else { REVALIDATE }
}

/// Whether a name has a digest as scripts/build-page.mjs writes it: `app-0123456789abcdef.wasm`.
fn is_hashed(name: &str) -> bool {
    let parts = name.split(['-', '_', '.']).skip(1);
    parts.into_iter().any(|part| part.len() >= 14 && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Adds the headers that keep other sites out, and words to a missing page.
async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status() == StatusCode::NOT_FOUND {
        let page = include_str!("not_found.html");
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        response = (StatusCode::NOT_FOUND, [(CONTENT_TYPE, html), (CACHE_CONTROL, REVALIDATE)], page)
            .into_response();
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (OPENER_POLICY, "same-origin"),
        (RESOURCE_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
