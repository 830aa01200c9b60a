//! A server that answers as GitHub's API does, as far as a night asks it: releases in pages of a hundred, their files, and the
//! start of a workflow.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};
use shared::digest::Digest;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// What the server has, and what it was asked.
#[derive(Debug, Default)]
struct Content {
    releases: BTreeMap<String, Vec<Value>>,
    files: BTreeMap<String, Vec<u8>>,
    asked: Vec<String>,
    started: Vec<(String, Value)>,
    is_down: bool,
}

/// The server; it is gone when this is dropped.
pub struct GitHub {
    content: Arc<Mutex<Content>>,
    pub url: String,
    _runtime: Runtime,
}

impl GitHub {
    pub fn start() -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let content = Arc::new(Mutex::default());
        let router = Router::new().fallback(answer).with_state(Arc::clone(&content));
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { content, url, _runtime: runtime }
    }

    /// The releases of a repository, in the order in which they are listed.
    pub fn list(&self, repository: &str, releases: Vec<Value>) {
        self.content.lock().unwrap().releases.insert(repository.to_owned(), releases);
    }

    /// A file of a release, and what the list says of it.
    pub fn asset(&self, name: &str, bytes: Vec<u8>) -> Value {
        let asset = json!({
            "id": 1, "name": name, "label": "", "state": "uploaded", "content_type": "application/octet-stream",
            "size": bytes.len(), "digest": format!("sha256:{}", Digest::of_bytes(&bytes)), "download_count": 3,
            "browser_download_url": format!("{}/files/{name}", self.url),
        });
        self.content.lock().unwrap().files.insert(name.to_owned(), bytes);
        asset
    }

    /// Whether it answers with errors of its own from now on.
    pub fn is_down(&self, is_down: bool) {
        self.content.lock().unwrap().is_down = is_down;
    }

    /// What was asked for, with queries.
    pub fn asked(&self) -> Vec<String> {
        self.content.lock().unwrap().asked.clone()
    }

    /// The workflows that were started, by their paths, with what they were told.
    pub fn started(&self) -> Vec<(String, Value)> {
        self.content.lock().unwrap().started.clone()
    }
}

/// A release as GitHub lists it.
pub fn release(tag: &str, kind: &str, assets: &[Value]) -> Value {
    json!({
        "url": "https://api.example.invalid/releases/1", "id": 1, "node_id": "RE_1", "tag_name": tag,
        "target_commitish": "main", "name": tag, "draft": kind == "draft", "immutable": false,
        "prerelease": kind == "prerelease", "created_at": "2026-09-28T01:02:03Z", "updated_at": "2026-09-28T01:02:03Z",
        "published_at": "2026-09-28T01:02:03Z", "assets": assets, "body": "What changed",
    })
}

async fn answer(State(content): State<Arc<Mutex<Content>>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let query = request.uri().query().unwrap_or_default().to_owned();
    content.lock().unwrap().asked.push(format!("{path}?{query}"));
    if content.lock().unwrap().is_down {
        return status(StatusCode::BAD_GATEWAY, "Unicorn!");
    }
    if request.method() == Method::POST {
        let is_known = request.headers().get(header::AUTHORIZATION).is_some();
        let body = to_bytes(request.into_body(), 100_000).await.unwrap();
        let told = serde_json::from_slice(&body).unwrap_or_default();
        if !is_known {
            return status(StatusCode::UNAUTHORIZED, "Requires authentication");
        }
        content.lock().unwrap().started.push((path, told));
        return status(StatusCode::NO_CONTENT, "");
    }
    let content = content.lock().unwrap();
    if let Some(file) = path.strip_prefix("/files/").and_then(|name| content.files.get(name)) {
        return Response::new(Body::from(file.clone()));
    }
    let repository = path.strip_prefix("/repos/").and_then(|rest| rest.strip_suffix("/releases"));
    match repository.and_then(|repository| content.releases.get(repository)) {
        Some(releases) => {
            let page: usize = number(&query, "page").unwrap_or(1);
            let size = number(&query, "per_page").unwrap_or(30).min(100);
            let page: Vec<&Value> = releases.iter().skip((page - 1) * size).take(size).collect();
            Response::new(Body::from(json!(page).to_string()))
        }
        None => status(StatusCode::NOT_FOUND, "Not Found"),
    }
}

fn number(query: &str, name: &str) -> Option<usize> {
    let mut values = query.split('&').filter_map(|pair| pair.split_once('='));
    values.find(|(found, _)| *found == name)?.1.parse().ok()
}

fn status(status: StatusCode, message: &str) -> Response {
    Response::builder().status(status).body(Body::from(json!({ "message": message }).to_string())).unwrap()
}
