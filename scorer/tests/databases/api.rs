//! The small database behind a server in the shapes of the InferenceX API, and the command run on it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use scorer::measurements::http::Url;
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use super::kit::{Run, SMALL, parts_of};
use super::synthetic::TABLES;

/// The names by which the API is asked for the models of the small database.
const DISPLAYS: [(&str, &str); 4] = [
    ("dsr1", "DeepSeek-R1-0528"),
    ("dsv4", "DeepSeek-V4-Pro"),
    ("gptoss120b", "gpt-oss-120b"),
    ("minimaxm2.5", "MiniMax-M2.5"),
];

/// What the server has: rows by the model's name, logs by the row; and how often it does not answer before it does.
#[derive(Default)]
struct Served {
    stumbles: AtomicUsize,
    rows: BTreeMap<&'static str, Vec<Value>>,
    logs: BTreeMap<String, Vec<char>>,
}

/// A row of a table, its columns by name; NULL is not there.
type Row = BTreeMap<String, String>;

fn table(name: &str) -> Vec<Row> {
    let table = *TABLES.iter().find(|table| table.name == name).unwrap();
    let columns: Vec<&str> = table.columns.split(", ").map(|column| column.trim_matches('"')).collect();
    let mut rows = Vec::new();
    SMALL
        .rows(table, &mut |line| {
            let fields = columns.iter().zip(line.split('\t')).filter(|(_, text)| *text != "\\N");
            rows.push(fields.map(|(column, text)| ((*column).to_owned(), plain(text))).collect());
            Ok(())
        })
        .unwrap();
    rows
}

/// A text as it was before PostgreSQL escaped it.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        plain.push(match (c, c == '\\') {
            (_, true) => match rest.next().unwrap() {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                other => other,
            },
            (c, false) => c,
        });
    }
    plain
}

impl Served {
    /// The database as the API shows it. The real one leaves rows with errors out; here they are there, so that
    /// the rows are the same.
    fn small() -> Self {
        let by_id = |name: &str| -> BTreeMap<String, Row> {
            table(name).into_iter().map(|row| (row["id"].clone(), row)).collect()
        };
        let (configs, runs, logs) = (by_id("configs"), by_id("workflow_runs"), by_id("server_logs"));
        let mut served = Self::default();
        for result in table("benchmark_results") {
            let config = &configs[&result["config_id"]];
            let run = &runs[&result["workflow_run_id"]];
            let mut row = Map::new();
            for (name, text) in config.iter().chain(&result) {
                let value = match text.as_str() {
                    "t" => json!(true),
                    "f" => json!(false),
                    text if name == "metrics" => serde_json::from_str(text).unwrap(),
                    text => text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number)),
                };
                row.insert(name.clone(), value);
            }
            for name in ["config_id", "workflow_run_id", "server_log_id"] {
                row.remove(name);
            }
            let (run, attempt) = (&run["github_run_id"], &run["run_attempt"]);
            let url =
                format!("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/{run}/attempts/{attempt}");
            row.insert("id".to_owned(), json!(result["id"]));
            row.insert("run_url".to_owned(), json!(url));
            if let Some(log) = result.get("server_log_id") {
                served.logs.insert(result["id"].clone(), logs[log]["server_log"].chars().collect());
            }
            let (_, display) = DISPLAYS.into_iter().find(|(key, _)| *key == config["model"]).unwrap();
            served.rows.entry(display).or_default().push(Value::Object(row));
        }
        served
    }

    /// Serves it; the address is that of its version.
    fn start(self) -> (Runtime, String) {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}/api/v1", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/api/v1/benchmarks", get(benchmarks))
            .route("/api/v1/server-log", get(server_log))
            .with_state(Arc::new(self));
        runtime.spawn(async move { axum::serve(listener, router).await });
        (runtime, url)
    }
}

/// What stands behind the question mark of an address.
fn asked(query: Option<String>) -> BTreeMap<String, String> {
    let url = Url::parse(&format!("http://example.invalid/?{}", query.unwrap_or_default())).unwrap();
    url.query_pairs().into_owned().collect()
}

async fn benchmarks(State(served): State<Arc<Served>>, RawQuery(query): RawQuery) -> Response {
    let asked = asked(query);
    let stumble = |left: usize| left.checked_sub(1);
    if served.stumbles.fetch_update(Ordering::SeqCst, Ordering::SeqCst, stumble).is_ok() {
        return (StatusCode::SERVICE_UNAVAILABLE, "later").into_response();
    }
    match served.rows.get(asked["model"].as_str()) {
        Some(rows) => Value::from(rows.clone()).to_string().into_response(),
        None => (StatusCode::BAD_REQUEST, "unknown model").into_response(),
    }
}

async fn server_log(State(served): State<Arc<Served>>, RawQuery(query): RawQuery) -> Response {
    let asked = asked(query);
    let Some(log) = served.logs.get(&asked["id"]) else {
        return (StatusCode::NOT_FOUND, "no log").into_response();
    };
    let offset: usize = asked["offset"].parse().unwrap();
    let end = log.len().min(offset + 200);
    let text: String = log[offset..end].iter().collect();
    let next = (end < log.len()).then_some(end);
    let answer = json!({ "id": asked["id"], "serverLog": text, "offset": offset, "nextOffset": next });
    answer.to_string().into_response()
}

#[test]
fn the_api_gives_the_corpus_of_the_dump() {
    let (_runtime, url) = Served::small().start();
    let folder = tempfile::tempdir().unwrap();
    parts_of(&SMALL, folder.path());
    let dump = Run::of_folder(folder.path()).corpus();
    let cache = tempfile::tempdir().unwrap();
    let words = ["api", "--base-url", &url, "--cache-dir", cache.path().to_str().unwrap()];
    let first = Run::of(&words);
    assert!(first.corpus() == dump);
    let source: Value = serde_json::from_slice(first.written.as_deref().unwrap()).unwrap();
    assert_eq!(source["source"]["kind"], "inferencex_api");
    assert!(first.stderr.contains("the API does not know the model GLM-5"), "{}", first.stderr);
    assert!(Run::of(&words).corpus() == dump, "with logs that were kept");
}

#[test]
fn an_api_that_does_not_answer_at_first_is_tried_again_and_that_is_told() {
    let (_runtime, url) = Served { stumbles: AtomicUsize::new(1), ..Served::small() }.start();
    let run = Run::of(&["api", "--no-cache", "--base-url", &url]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let told =
        "the server answers 503 (an error of its own); in 0.5 s it is tried again, 8 more times at most";
    assert!(run.stderr.contains(told), "{}", run.stderr);
}

#[test]
fn an_api_that_is_not_there_is_told() {
    let (runtime, url) = Served::default().start();
    let nothing = Run::of(&["api", "--no-cache", "--base-url", &url]);
    nothing.refuses(4, "no sweep is left of 0 rows");
    let elsewhere = url.replace("/api/v1", "/api/v2");
    Run::of(&["api", "--no-cache", "--base-url", &elsewhere]).refuses(3, "the server answers 404");
    drop(runtime);
    Run::of(&["api", "--no-cache", "--base-url", "ftp//x"]).refuses(2, "--base-url");
}
