//! Releases and folders on a server of our own, which answers as GitHub does, and as a bad day does.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use futures_util::StreamExt as _;
use futures_util::stream::once;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use scorer::console::Console;
use scorer::github::Server;
use scorer::measurements::dump;
use scorer::measurements::dump::location::DumpLocation;
use scorer::measurements::dump::open::{OpenOptions, Opened, open};
use scorer::measurements::http::Retry;
use scorer::measurements::inferencex::Collector;
use scorer::reference::Reference;

use super::kit::{Run, SMALL, part_paths, parts_of};

/// How the server behaves.
#[derive(Clone, Debug, Default)]
struct Behaviour {
    /// A connection breaks after so many bytes of a part.
    cut: Option<usize>,
    /// The server always begins at the first byte.
    no_ranges: bool,
    /// What is answered first, in turn, before anything right is.
    first: VecDeque<(u16, Vec<(&'static str, String)>)>,
}

#[derive(Debug)]
struct Site {
    folder: std::path::PathBuf,
    releases: Mutex<Vec<Value>>,
    behaviour: Mutex<Behaviour>,
    asked: Mutex<Vec<(String, HeaderMap)>>,
}

struct Served {
    site: Arc<Site>,
    url: String,
    _runtime: Runtime,
    _folder: tempfile::TempDir,
}

impl Served {
    /// Serves a small dump, and the list of releases that has it among others.
    fn start(behaviour: Behaviour) -> Self {
        let folder = tempfile::tempdir().unwrap();
        parts_of(&SMALL, folder.path());
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let site = Arc::new(Site {
            folder: folder.path().to_owned(),
            releases: Mutex::new(releases(folder.path(), &url)),
            behaviour: Mutex::new(behaviour),
            asked: Mutex::default(),
        });
        let router = Router::new().fallback(answer).with_state(site.clone());
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { site, url, _runtime: runtime, _folder: folder }
    }

    fn asked(&self) -> Vec<String> {
        self.site.asked.lock().unwrap().iter().map(|(path, _)| path.clone()).collect()
    }

    fn environment(&self) -> [(&'static str, &str); 3] {
        [("GITHUB_API_URL", &self.url), ("GITHUB_TOKEN", ""), ("GH_TOKEN", "")]
    }

    fn run(&self, words: &[&str]) -> Run {
        Run::with(words, &self.environment(), None)
    }

    /// Reads in this process, with short waits.
    fn read(&self, keep: Option<&Path>) -> Result<Vec<shared::corpus::SourcePart>, String> {
        let millisecond = std::time::Duration::from_millis(1);
        let options = OpenOptions {
            repository: "SemiAnalysisAI/InferenceX-app".to_owned(),
            server: Server {
                api: self.url.clone(),
                repositories: self.url.clone(),
                token: None,
                retry: Retry { attempts: 4, first: millisecond, longest: 2 * millisecond },
            },
            keep: keep.map(Path::to_owned),
            sums: None,
            part_size: None,
        };
        let reference = Reference::embedded().unwrap();
        let mut collector = Collector::new(&reference);
        let Opened { mut parts, .. } =
            open(&[DumpLocation::Latest], &options, &Console::quiet()).map_err(|error| error.to_string())?;
        dump::read(&mut *parts, &mut collector, &|_| {}).map_err(|error| error.to_string())
    }
}

/// As GitHub describes releases: other tags, other forms, and drafts among them.
fn releases(folder: &Path, url: &str) -> Vec<Value> {
    let asset = |name: &str| {
        let bytes = fs::read(folder.join(name)).unwrap();
        json!({
            "name": name, "size": bytes.len(), "state": "uploaded", "content_type": "application/octet-stream",
            "digest": format!("sha256:{}", shared::digest::Digest::of_bytes(&bytes)),
            "browser_download_url": format!("{url}/files/{name}"),
        })
    };
    let mut assets: Vec<Value> =
        part_paths(folder).iter().map(|path| asset(path.file_name().unwrap().to_str().unwrap())).collect();
    assets.push(asset("SHA256SUMS"));
    assets.reverse();
    let other = json!({ "name": "inferencex-dump-2026-03-28.zip", "size": 9, "browser_download_url": format!("{url}/files/x") });
    vec![
        json!({ "tag_name": "v1.2.3", "draft": false, "assets": [] }),
        json!({ "tag_name": "db-dump/2026-10-05", "draft": true, "assets": [] }),
        json!({ "tag_name": "db-dump/2026-03-28", "draft": false, "assets": [other] }),
        json!({ "tag_name": "db-dump/2026-09-28", "draft": false, "prerelease": false, "assets": assets }),
    ]
}

async fn answer(State(site): State<Arc<Site>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    site.asked.lock().unwrap().push((path.clone(), request.headers().clone()));
    if let Some((status, headers)) = site.behaviour.lock().unwrap().first.pop_front() {
        let mut answer = Response::builder().status(status);
        for (name, value) in headers {
            answer = answer.header(name, value);
        }
        return answer.body(Body::from("not now")).unwrap();
    }
    if path == "/repos/SemiAnalysisAI/InferenceX-app/releases" {
        let releases = Value::Array(site.releases.lock().unwrap().clone());
        return Response::new(Body::from(releases.to_string()));
    }
    let name = path.strip_prefix("/files/").unwrap_or_default();
    match fs::read(site.folder.join(name)) {
        Ok(bytes) if !name.is_empty() => file(&site, &bytes, request.headers(), name.contains(".part")),
        _ => Response::builder().status(StatusCode::NOT_FOUND).body(Body::empty()).unwrap(),
    }
}

fn file(site: &Site, bytes: &[u8], headers: &HeaderMap, is_part: bool) -> Response {
    let Behaviour { cut, no_ranges, .. } = *site.behaviour.lock().unwrap();
    let asked = headers.get(header::RANGE).map(|range| {
        let range = range.to_str().unwrap();
        range.strip_prefix("bytes=").unwrap().strip_suffix('-').unwrap().parse::<usize>().unwrap()
    });
    let from = asked.filter(|_| !no_ranges).unwrap_or(0);
    let rest = Bytes::from(bytes[from..].to_vec());
    let mut answer = Response::builder().header(header::CONTENT_LENGTH, rest.len());
    if from > 0 {
        let range = format!("bytes {from}-{}/{}", bytes.len() - 1, bytes.len());
        answer = answer.status(StatusCode::PARTIAL_CONTENT).header(header::CONTENT_RANGE, range);
    }
    let body = match cut.filter(|cut| is_part && *cut < rest.len()) {
        None => Body::from(rest),
        Some(cut) => {
            let piece = once(async move { Ok(rest.slice(..cut)) });
            // A moment later, so that what was given is on its way.
            let end = once(async {
                tokio::time::sleep(std::time::Duration::from_millis(3)).await;
                Err(std::io::Error::other("the connection is cut"))
            });
            Body::from_stream(piece.chain(end))
        }
    };
    answer.body(body).unwrap()
}

#[test]
fn the_newest_release_and_one_by_its_tag_are_downloaded_while_they_are_read() {
    let served = Served::start(Behaviour::default());
    let local = tempfile::tempdir().unwrap();
    parts_of(&SMALL, local.path());
    let expected = Run::of_folder(local.path());
    for words in [["dump", "latest"], ["dump", "db-dump/2026-09-28"]] {
        let run = served.run(&words);
        assert_eq!(run.written, expected.written, "{}", run.stderr);
        assert!(run.stderr.contains("release db-dump/2026-09-28"), "{}", run.stderr);
    }
    let folder = format!("{}/files/", served.url);
    assert_eq!(served.run(&["dump", &folder]).written, expected.written, "a folder on a server");
}

#[test]
fn a_release_that_cannot_be_read_is_told() {
    let served = Served::start(Behaviour::default());
    let run = |tag: &str| served.run(&["dump", tag]);
    run("db-dump/2026-01-01")
        .refuses(3, "has no release db-dump/2026-01-01; its newest dump is db-dump/2026-09-28");
    run("db-dump/2026-03-28").refuses(4, "older dumps had other forms");
    served.run(&["dump", "latest", "--repository", "no-slash"]).refuses(2, "OWNER/NAME");
    served.run(&["dump", "latest", "--repository", "a/b"]).refuses(3, "the server answers 404 (not found)");

    let change = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut releases = served.site.releases.lock().unwrap();
        *releases = super::download::releases(&served.site.folder, &served.url);
        change(releases[3]["assets"].as_array_mut().unwrap());
    };
    change(&|assets| assets.retain(|asset| !asset["name"].as_str().unwrap().ends_with("part01")));
    assert!(run("latest").stderr.contains("part01 is missing"));
    change(&|assets| assets.retain(|asset| asset["name"] != "SHA256SUMS"));
    assert!(run("latest").stderr.contains("SHA256SUMS is missing"));
    change(&|assets| assets[1]["digest"] = json!(format!("sha256:{}", "0".repeat(64))));
    run("latest").refuses(4, "is another in SHA256SUMS than on GitHub");
    change(&|assets| assets[1]["size"] = json!(17));
    run("latest").refuses(4, "bytes, but 17 were announced");
}

#[test]
fn a_connection_that_is_cut_after_every_byte_goes_on_at_the_next() {
    let served = Served::start(Behaviour { cut: Some(1), ..Behaviour::default() });
    let bytes = 400;
    shrink(&served, bytes);
    // So little is no dump, but all of it came, and is what it must be.
    let told = served.read(None).unwrap_err();
    assert!(told.contains("ends too early, at byte 400"), "{told}");
    let asked = served.asked().iter().filter(|path| path.contains(".part00")).count();
    assert_eq!(asked, bytes);
}

#[test]
fn a_connection_that_is_cut_wherever_it_is_gives_the_same_parts() {
    let whole = Served::start(Behaviour::default()).read(None).unwrap();
    for cut in [100, 1000, 4095] {
        let served = Served::start(Behaviour { cut: Some(cut), ..Behaviour::default() });
        assert_eq!(served.read(None).unwrap(), whole, "{cut}");
    }
    // This server begins again each time, so that nothing is gained after as many attempts.
    let stubborn = Served::start(Behaviour { cut: Some(3000), no_ranges: true, ..Behaviour::default() });
    assert!(stubborn.read(None).unwrap_err().contains("or it broke"));
    let patient = Served::start(Behaviour { cut: Some(4096), no_ranges: true, ..Behaviour::default() });
    assert_eq!(patient.read(None).unwrap(), whole);
}

/// Leaves of the dump one part of so many bytes.
fn shrink(served: &Served, bytes: usize) {
    let paths = part_paths(&served.site.folder);
    for path in &paths[1..] {
        fs::remove_file(path).unwrap();
    }
    let first = fs::read(&paths[0]).unwrap();
    fs::write(&paths[0], &first[..bytes]).unwrap();
    super::kit::write_sums(&served.site.folder);
    *served.site.releases.lock().unwrap() = releases(&served.site.folder, &served.url);
}

#[test]
fn what_passes_on_another_try_is_tried_again_and_what_does_not_is_given_up() {
    let busy = |times: usize| Behaviour {
        first: std::iter::repeat_n((503, Vec::new()), times).collect(),
        ..Behaviour::default()
    };
    assert!(Served::start(busy(3)).read(None).is_ok());
    let told = Served::start(busy(9)).read(None).unwrap_err();
    assert!(told.contains("the server answers 503"), "{told}");
}

#[test]
fn a_server_that_is_asked_too_often_is_told_with_what_to_do() {
    let limited = |status| Behaviour {
        first: std::iter::repeat_n((status, vec![("retry-after", "3600".to_owned())]), 9).collect(),
        ..Behaviour::default()
    };
    for status in [403, 429] {
        let run = Served::start(limited(status)).run(&["dump", "latest"]);
        run.refuses(3, "wants to be asked again in 1 h 0 min");
        assert!(run.stderr.contains("set GITHUB_TOKEN"), "{}", run.stderr);
    }
    let forbidden = Behaviour { first: [(403, Vec::new())].into(), ..Behaviour::default() };
    let served = Served::start(forbidden);
    served.run(&["dump", "latest"]).refuses(3, "the server answers 403 (forbidden)");
    assert_eq!(served.asked().len(), 1, "nobody asks again");
}

#[test]
fn a_token_is_shown_to_the_api_alone_and_never_printed() {
    let served = Served::start(Behaviour::default());
    let other = Served::start(Behaviour::default());
    *served.site.releases.lock().unwrap() = releases(&other.site.folder, &other.url);
    let environment = [("GITHUB_API_URL", served.url.as_str()), ("GITHUB_TOKEN", "secret-123")];
    let run = Run::with(&["dump", "latest"], &environment, None);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let shown = |site: &Site| {
        site.asked.lock().unwrap().iter().all(|(_, headers)| headers.contains_key(header::AUTHORIZATION))
    };
    assert!(shown(&served.site) && !shown(&other.site));
    assert!(!run.stderr.contains("secret-123"));
}

#[test]
fn parts_are_kept_and_used_again_and_a_download_goes_on_where_it_ended() {
    let served = Served::start(Behaviour::default());
    let kept = tempfile::tempdir().unwrap();
    let folder = kept.path().join("new/folder");
    let expected = served.read(None).unwrap();
    assert_eq!(served.read(Some(&folder)).unwrap(), expected);
    let names: Vec<String> = part_paths(&folder)
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, expected.iter().map(|part| part.name.clone()).collect::<Vec<_>>());

    served.site.asked.lock().unwrap().clear();
    assert_eq!(served.read(Some(&folder)).unwrap(), expected);
    assert!(served.asked().iter().all(|path| !path.contains(".part")), "{:?}", served.asked());

    let second = &part_paths(&folder)[1];
    let bytes = fs::read(second).unwrap();
    let partial = folder.join(format!(".{}.partial", second.file_name().unwrap().to_str().unwrap()));
    fs::remove_file(second).unwrap();
    fs::write(&partial, &bytes[..1000]).unwrap();
    assert_eq!(served.read(Some(&folder)).unwrap(), expected);
    let ranges = served
        .site
        .asked
        .lock()
        .unwrap()
        .iter()
        .filter_map(|(_, headers)| headers.get(header::RANGE).cloned())
        .collect::<Vec<_>>();
    assert_eq!(ranges, ["bytes=1000-"]);
    assert_eq!(fs::read(second).unwrap(), bytes);

    fs::remove_file(second).unwrap();
    fs::write(&partial, [0; 1000]).unwrap();
    assert!(served.read(Some(&folder)).unwrap_err().contains("is damaged"));
    assert!(!partial.exists());
    assert_eq!(served.read(Some(&folder)).unwrap(), expected);
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_of_parts_is_told() {
    let served = Served::start(Behaviour::default());
    let kept = tempfile::tempdir().unwrap();
    let output = kept.path().join("corpus.json");
    let mut command = std::process::Command::new("sh");
    // A limit of one block a file, and its signal ignored: writing fails as on a full disk.
    command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_scorer")]);
    command.args(["ingest", "dump", "latest", "--keep-parts"]).arg(kept.path()).arg("-o").arg(&output);
    let done = command.envs(served.environment()).output().unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(5), "{told}");
    assert!(told.contains(".partial: cannot be written"), "{told}");
    assert!(!output.exists());
}
