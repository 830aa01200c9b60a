//! Against a local server with the shapes of the real API.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use serde_json::{Value, json};
use shared::corpus::{Corpus, SourceKind};

use super::*;
use crate::console::Console;
use crate::exit::Failure as _;
use crate::measurements::http::Retry;
use crate::measurements::inferencex::tests::kit::Database;

/// What the server has, and how it misbehaves.
#[derive(Default)]
struct Server {
    rows: Vec<Value>,
    logs: BTreeMap<i64, String>,
    /// How many characters a chunk has.
    chunk: usize,
    /// How often it asks for patience before it answers.
    refuses: usize,
    /// Answers with a chunk that does not go on.
    loops: bool,
    /// Keys of the answers about logs that are others from some offset on.
    other: Option<(usize, Value)>,
    asked: AtomicUsize,
}

impl Server {
    fn of(database: &Database) -> Self {
        let rows = database.results.iter().map(|result| {
            let config = database.configs.iter().find(|config| config.id == result.config).unwrap();
            let run = database.runs.iter().find(|run| Some(run.id) == result.run).unwrap();
            let mut metrics = serde_json::to_value(result.metrics).unwrap();
            metrics["offload_mode"] = json!("off");
            json!({
                "id": result.id.to_string(), "hardware": config.hardware, "framework": config.framework, "model": config.model,
                "precision": config.precision, "spec_method": config.spec_method, "disagg": config.disagg,
                "is_multinode": config.is_multinode, "prefill_tp": config.tp, "decode_tp": config.tp, "decode_ep": config.ep,
                "decode_dp_attention": config.dp_attention, "num_decode_gpu": config.tp * config.ep,
                "benchmark_type": result.benchmark_type, "offload_mode": if result.offloaded { "on" } else { "off" },
                "isl": result.isl, "osl": result.osl, "conc": result.concurrency, "image": result.image,
                "recipe_fingerprint": result.fingerprint, "metrics": metrics, "workers": null,
                "date": format!("{}T00:00:00.000Z", result.date),
                "run_url": format!("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/{}/attempts/{}", run.github_run, run.attempt),
                "curve_date": result.date, "curve_workflow_run_id": result.run,
            })
        });
        let log = |result: &crate::measurements::inferencex::ResultRow| {
            let log = database.logs.iter().find(|(id, _)| Some(*id) == result.log)?;
            Some((result.id, log.1.clone()))
        };
        Self {
            rows: rows.collect(),
            logs: database.results.iter().filter_map(log).collect(),
            chunk: 50,
            ..Self::default()
        }
    }

    async fn start(self) -> (Arc<Self>, Url) {
        let server = Arc::new(self);
        let router = Router::new()
            .route("/api/v1/benchmarks", get(benchmarks))
            .route("/api/v1/server-log", get(server_log))
            .with_state(Arc::clone(&server));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        (server, Url::parse(&format!("http://{address}/api/v1/")).unwrap())
    }
}

/// What stands behind the question mark of an address.
fn asked(query: Option<String>) -> BTreeMap<String, String> {
    let url = Url::parse(&format!("http://example.invalid/?{}", query.unwrap_or_default())).unwrap();
    url.query_pairs().into_owned().collect()
}

async fn benchmarks(State(server): State<Arc<Server>>, RawQuery(query): RawQuery) -> Response {
    let asked = asked(query);
    match asked["model"].as_str() {
        "gpt-oss-120b" => Value::from(server.rows.clone()).to_string().into_response(),
        "Kimi-K3" => (StatusCode::BAD_REQUEST, "unknown model").into_response(),
        _ => "[]".into_response(),
    }
}

async fn server_log(State(server): State<Arc<Server>>, RawQuery(query): RawQuery) -> Response {
    let asked = asked(query);
    if server.asked.fetch_add(1, Ordering::SeqCst) < server.refuses {
        return (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "0")]).into_response();
    }
    let Some(log) = server.logs.get(&asked["id"].parse().unwrap()) else {
        return (StatusCode::NOT_FOUND, "no log").into_response();
    };
    let offset: usize = asked["offset"].parse().unwrap();
    let limit: usize = asked["limit"].parse().unwrap();
    let text: String = log.chars().skip(offset).take(server.chunk.min(limit)).collect();
    let end = offset + text.chars().count();
    let next = if server.loops { Some(offset) } else { (end < log.chars().count()).then_some(end) };
    let mut answer = json!({"id": asked["id"], "serverLog": text, "offset": offset, "nextOffset": next});
    if let Some((from, other)) = &server.other
        && offset >= *from
    {
        match other.get("error") {
            Some(_) => answer = other.clone(),
            None => answer.as_object_mut().unwrap().extend(other.as_object().unwrap().clone()),
        }
    }
    answer.to_string().into_response()
}

fn http(attempts: u32) -> Http {
    let wait = Duration::from_millis(1);
    Http::new(Retry { attempts, first: wait, longest: wait }, &Console::quiet()).unwrap()
}

async fn ask(url: &Url, cache: Option<PathBuf>) -> Result<Ingested, ApiError> {
    let options = ApiOptions { base_url: url.clone(), date: None, jobs: 3, cache };
    let reference = Reference::embedded().unwrap();
    read(http(3), &options, &SelectionOptions::default(), &reference, &Console::quiet()).await
}

/// A database with repeats, a row without a log, and rows that are not kept.
fn database() -> Database {
    let mut database = Database::new();
    database.sweep(201, |row| row.log = None);
    database.sweep(301, |row| row.image = Some("vllm/vllm-openai:minimax-m3".to_owned()));
    database.sweep(401, |row| row.date = "2026-09-05".to_owned());
    database.logs.push((999, "of no row".to_owned()));
    database
}

#[tokio::test]
async fn the_same_rows_give_the_same_corpus_as_a_database() {
    let database = database();
    let (_, url) = Server::of(&database).start().await;
    let ingested = ask(&url, None).await.unwrap();
    let mut expected: Corpus = database.corpus();
    expected.source.kind = SourceKind::InferencexApi;
    assert_eq!(ingested.corpus, expected);
    let expected = [
        "the API does not know the model Kimi-K3, so it has no rows",
        "the API has no log of 3 rows that may become points",
    ];
    assert_eq!(ingested.notes, expected);
}

#[tokio::test]
async fn logs_that_were_kept_are_not_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let (server, url) = Server::of(&database()).start().await;
    let first = ask(&url, Some(folder.path().to_owned())).await.unwrap();
    let asked = server.asked.load(Ordering::SeqCst);
    assert!(asked > 9, "{asked}");
    let second = ask(&url, Some(folder.path().to_owned())).await.unwrap();
    assert_eq!(first, second);
    // Only those that are not there, which may come to be.
    assert_eq!(server.asked.load(Ordering::SeqCst) - asked, 3);
}

#[tokio::test]
async fn a_server_that_asks_for_patience_gets_it_within_bounds() {
    let (_, url) = Server { refuses: 2, ..Server::of(&database()) }.start().await;
    assert!(ask(&url, None).await.is_ok());
    let (_, url) = Server { refuses: usize::MAX, ..Server::of(&database()) }.start().await;
    let error = ask(&url, None).await.unwrap_err();
    assert!(matches!(error, ApiError::Http(_)), "{error}");
    assert!(error.advice().unwrap().contains("--jobs 1"), "{:?}", error.advice());
}

#[tokio::test]
async fn chunks_that_do_not_go_on_are_refused() {
    let (_, url) = Server { loops: true, ..Server::of(&database()) }.start().await;
    let error = ask(&url, None).await.unwrap_err();
    assert!(matches!(error, ApiError::Chunks { offset: 0, next: 0, .. }), "{error}");
}

#[tokio::test]
async fn an_answer_that_is_not_the_log_that_was_asked_for_is_refused() {
    for (from, other, expected) in [
        (0, json!({"error": "later"}), "the answer is not the JSON that is expected"),
        (0, json!({"id": "7"}), "answers with another or with none"),
        (1, json!({"offset": 0}), "from 50 on, and answers with another"),
        (1, json!({"serverLog": null}), "from 50 on, and answers with another"),
    ] {
        let (_, url) = Server { other: Some((from, other)), ..Server::of(&database()) }.start().await;
        let error = ask(&url, None).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[tokio::test]
async fn old_answers_without_ids_and_runs_are_read() {
    let mut server = Server::of(&Database::new());
    for row in &mut server.rows {
        let row = row.as_object_mut().unwrap();
        for key in ["id", "benchmark_type", "offload_mode", "recipe_fingerprint", "run_url"] {
            row.remove(key);
        }
    }
    let (_, url) = server.start().await;
    let corpus = ask(&url, None).await.unwrap().corpus;
    assert_eq!((corpus.rows.kept(), corpus.sweeps[0].source.rows.len()), (3, 3));
    assert_eq!(corpus.sweeps[0].source.runs, Vec::<i64>::new());
}

#[tokio::test]
async fn answers_of_another_shape_are_refused() {
    for (row, expected) in [
        (json!({"hardware": "h200"}), "the API sends a row that cannot be read"),
        (json!([]), "the API sends a row that is no JSON object of columns"),
    ] {
        let server = Server { rows: vec![row], ..Server::default() };
        let (_, url) = server.start().await;
        let error = ask(&url, None).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
