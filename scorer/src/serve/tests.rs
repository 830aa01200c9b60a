//! Answers of the server, asked over a real socket.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use super::*;

struct Server {
    address: SocketAddr,
    _runtime: tokio::runtime::Runtime,
    folder: tempfile::TempDir,
}

fn server(base_path: &str) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    let files = [
        ("index.html", "<!doctype html><title>page</title>"),
        ("app-0123456789abcdef_bg.wasm", "\0asm"),
        ("data/index.json", "{\"schema\": \"index.v1\", \"snapshots\": []}"),
        ("data/snapshots/a/summary.json", "{}"),
    ];
    for (name, content) in files {
        let path = site.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content.repeat(if name.ends_with("html") { 50 } else { 1 })).unwrap();
    }
    fs::write(folder.path().join("outside-of-the-site"), "secret").unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let Listening { listener, base_path } =
        listen(ServeOptions { port: Some(0), base_path: base_path.parse().unwrap() }).unwrap();
    let address = listener.local_addr().unwrap();
    let router = router(&site, &base_path);
    runtime.spawn(
        async move { axum::serve(tokio::net::TcpListener::from_std(listener).unwrap(), router).await },
    );
    Server { address, _runtime: runtime, folder }
}

impl Server {
    /// The head of the answer in lower case, and its body.
    fn ask(&self, method: &str, path: &str, headers: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n")
            .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
        let body = answer.split_off(end + 4);
        (String::from_utf8(answer).unwrap().to_lowercase(), body)
    }

    fn get(&self, path: &str) -> (String, Vec<u8>) {
        self.ask("GET", path, "")
    }
}

#[test]
fn files_have_their_types_and_the_headers_that_keep_others_out() {
    let server = server("/");
    for (path, kind) in [
        ("/", "text/html"),
        ("/app-0123456789abcdef_bg.wasm", "application/wasm"),
        ("/data/index.json", "application/json"),
    ] {
        let (head, body) = server.get(path);
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(head.contains(&format!("content-type: {kind}")), "{path}: {head}");
        for header in
            ["x-content-type-options: nosniff", "x-frame-options: deny", "referrer-policy: no-referrer"]
        {
            assert!(head.contains(header), "{path}: {head}");
        }
        assert!(!body.is_empty());
    }
}

#[test]
fn what_can_change_is_asked_for_again_and_what_cannot_is_kept() {
    let server = server("/");
    let cached = |path: &str| server.get(path).0.contains("immutable");
    assert!(cached("/app-0123456789abcdef_bg.wasm"));
    assert!(cached("/data/snapshots/a/summary.json"));
    assert!(!cached("/"));
    assert!(!cached("/data/index.json"));
    assert!(server.get("/data/index.json").0.contains("cache-control: no-cache"));
}

#[test]
fn text_is_compressed_for_those_who_ask() {
    let server = server("/");
    let (head, body) = server.ask("GET", "/", "Accept-Encoding: gzip\r\n");
    assert!(head.contains("content-encoding: gzip"), "{head}");
    assert!(body.len() < server.get("/").1.len());
}

#[test]
fn a_missing_page_has_words_and_no_caching() {
    let server = server("/");
    for path in ["/nothing", "/data/snapshots/b/summary.json"] {
        let (head, body) = server.get(path);
        assert!(head.starts_with("http/1.1 404"), "{head}");
        assert!(!head.contains("immutable"));
        assert!(String::from_utf8(body).unwrap().contains("There is nothing here"));
    }
}

#[test]
fn nothing_outside_of_the_site_is_answered() {
    let server = server("/");
    for path in [
        "/../outside-of-the-site",
        "/..%2foutside-of-the-site",
        "/%2e%2e/outside-of-the-site",
        "//etc/passwd",
    ] {
        let (head, body) = server.get(path);
        assert!(!head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(!body.starts_with(b"secret"));
    }
    let (head, _) = server.ask("POST", "/", "Content-Length: 0\r\n");
    assert!(head.starts_with("http/1.1 405"), "{head}");
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_as_far_as_the_site_goes() {
    use std::os::unix::fs::symlink;
    let server = server("/");
    let site = server.folder.path().join("site");
    symlink(server.folder.path().join("outside-of-the-site"), site.join("file.txt")).unwrap();
    symlink(server.folder.path(), site.join("folder")).unwrap();
    symlink("data/index.json", site.join("inside.json")).unwrap();
    for path in ["/file.txt", "/folder", "/folder/", "/folder/outside-of-the-site"] {
        assert!(server.get(path).0.starts_with("http/1.1 404"), "{path}");
        assert!(server.ask("HEAD", path, "").0.starts_with("http/1.1 404"), "{path}");
    }
    assert!(server.get("/inside.json").0.starts_with("http/1.1 200"));
}

#[test]
fn a_site_below_a_path_is_found_there_and_nowhere_else() {
    let server = server("/accuracy");
    assert!(server.get("/accuracy/").0.starts_with("http/1.1 200"));
    assert!(server.get("/accuracy/data/index.json").0.contains("no-cache"));
    assert!(server.get("/accuracy/data/snapshots/a/summary.json").0.contains("immutable"));
    let (head, _) = server.get("/accuracy");
    assert!(head.starts_with("http/1.1 308") && head.contains("location: /accuracy/"), "{head}");
    let (head, _) = server.get("/accuracy/data");
    assert!(head.starts_with("http/1.1 307") && head.contains("location: /accuracy/data/\r"), "{head}");
    assert!(server.get("/").0.starts_with("http/1.1 404"));
    assert!(server.get("/data/index.json").0.starts_with("http/1.1 404"));
}

#[test]
fn the_next_free_port_is_taken_only_when_none_was_asked_for() {
    let listen = |port| listen(ServeOptions { port, base_path: "/".parse().unwrap() });
    let port = |listening: &Listening| listening.listener.local_addr().unwrap().port();
    let (first, second) = (listen(None).unwrap(), listen(None).unwrap());
    assert_ne!(port(&first), port(&second));
    let refused = listen(Some(port(&first))).unwrap_err();
    assert!(matches!(refused, ServeError::Taken(_)), "{refused}");
    assert_eq!(refused.exit_code(), ExitCode::PortTaken);
}

#[test]
fn a_folder_without_a_page_is_no_site() {
    let folder = tempfile::tempdir().unwrap();
    let options = ServeOptions { port: Some(0), base_path: "/".parse().unwrap() };
    let refused = serve(folder.path(), listen(options).unwrap(), |_| Ok(()));
    assert!(matches!(refused, Err(ServeError::NoSite(_))));
}
