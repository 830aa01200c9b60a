//! `site` and `serve`, as a browser finds them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::kit::Bench;

#[cfg(unix)]
#[test]
fn a_site_is_served_at_the_printed_address_until_an_interrupt() {
    let bench = Bench::summarized(3);
    bench.done(&["publish", "summary.json", "--data", "data"]);
    std::fs::create_dir(bench.path("dist")).unwrap();
    bench.put("dist/index.html", "<noscript><!-- noscript-table --></noscript>");
    bench.done(&["site", "--page", "dist", "--data", "data", "-o", "site"]);
    let mut child = bench
        .command(&["serve", "site", "--port", "0", "--base-path", "/accuracy/"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let address = url.trim().strip_prefix("http://").unwrap().strip_suffix("/accuracy/").unwrap().to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{url}");
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(b"GET /accuracy/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("<caption>TPOT"), "{answer}");
    // Somebody who does not hang up does not hold it.
    let _open = TcpStream::connect(&address).unwrap();
    let start = Instant::now();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn what_cannot_be_served_or_put_together_is_named() {
    let bench = Bench::with_sweeps(1);
    bench.ends(&["serve", "nowhere"]).refused(3, &["nowhere: has no index.html"]);
    bench.ends(&["site", "--page", "nowhere", "--data", "data", "-o", "s"]).refused(3, &["make page"]);
    std::fs::create_dir(bench.path("dist")).unwrap();
    bench.put("dist/index.html", "<noscript><!-- noscript-table --></noscript>");
    bench.ends(&["serve", "dist", "--base-path", "/a b/"]).refused(2, &["is no base path"]);
    bench
        .ends(&["site", "--page", "dist", "--data", "data", "-o", "s"])
        .refused(3, &["data/index.json: no such file"]);
}
