//! `cargo xtask serve`: the page on this machine, built anew after an edit.

/// The command line serves the same page.
#[path = "../../cli/src/commands/serve/content_type.rs"]
mod content_type;

use crate::args::ServeOptions;
use crate::page::Files;
use crate::{site, workspace};
use content_type::content_type;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// The sources of the page.
const WATCHED: [&str; 7] = ["index.html", "Trunk.toml", "Cargo.toml", "Cargo.lock", "static", "core", "web"];
/// How often they are looked at.
const PAUSE: Duration = Duration::from_millis(400);
/// A request's head is no longer than this.
const HEAD: u64 = 16 * 1024;

/// The site that is served; a new one takes its place as a whole.
type Shared = Arc<RwLock<Arc<Files>>>;

/// `cargo xtask serve`.
pub(crate) fn serve_command(options: &ServeOptions) -> Result<(), String> {
    let port = options.port;
    // Asked first, so that nobody waits for a build that cannot be served. A browser that comes early waits.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        let other = if port < u16::MAX { port + 1 } else { port - 1 };
        format!(
            "port {port} cannot be used ({error}): stop the program that uses it, or choose another with\n  \
             cargo xtask serve --port {other}"
        )
    })?;
    let usual = match options.profile {
        site::Profile::Published => 5,
        site::Profile::Quick | site::Profile::Dev => 4,
    };
    println!(
        "Building the page, usually {usual} minutes the first time; then it is at\n\n  http://127.0.0.1:{port}/\n"
    );
    let mut seen = stamps();
    let shared: Shared = Arc::new(RwLock::new(Arc::new(site::compile(options.profile)?)));
    println!("\nThe page is at http://127.0.0.1:{port}/ and follows what you edit: reload it.");
    let served = shared.clone();
    thread::spawn(move || accept(&listener, &served));
    loop {
        thread::sleep(PAUSE);
        let now = stamps();
        if now == seen {
            continue;
        }
        // An editor, or a change of branch, writes several files: the last one is waited for.
        thread::sleep(PAUSE);
        if stamps() != now {
            continue;
        }
        seen = now;
        let start = Instant::now();
        match site::compile(options.profile) {
            Ok(site) => {
                *shared.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Arc::new(site);
                println!("Built anew in {:.1} s: reload the page.", start.elapsed().as_secs_f64());
            }
            Err(message) => eprintln!("\nerror: {message}\nThe page stays as it was."),
        }
    }
}

/// Every file that the page is made of, with its size and when it was written.
fn stamps() -> Vec<(PathBuf, Option<SystemTime>, u64)> {
    let mut stamps = Vec::new();
    let mut paths: Vec<PathBuf> = WATCHED.iter().map(|name| workspace::root().join(name)).collect();
    while let Some(path) = paths.pop() {
        // A file that goes away while it is looked at has changed.
        let Ok(data) = path.metadata() else { continue };
        if data.is_dir() {
            let entries = path.read_dir().into_iter().flatten();
            paths.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        } else {
            stamps.push((path, data.modified().ok(), data.len()));
        }
    }
    stamps.sort();
    stamps
}

/// Answers every browser that comes.
fn accept(listener: &TcpListener, shared: &Shared) {
    for stream in listener.incoming().flatten() {
        let site = shared.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        // A browser that goes away before its answer does no harm.
        thread::spawn(move || drop(answer(&stream, &site)));
    }
}

/// Reads one request and answers it.
fn answer(mut stream: &TcpStream, site: &Files) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut head = BufReader::new(stream.take(HEAD));
    let mut request = String::new();
    head.read_line(&mut request)?;
    // All of the head is read: a connection that is closed with something unread loses its answer.
    let mut line = String::new();
    while head.read_line(&mut line)? > 2 {
        line.clear();
    }
    let (head, body) = response(&request, site);
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)
}

/// The head and the body of the answer to the first line of a request.
fn response<'a>(request: &str, site: &'a Files) -> (String, &'a [u8]) {
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let name = path.strip_prefix('/').map(|name| if name.is_empty() { "index.html" } else { name });
    let found = name.and_then(|name| Some((content_type(name), site.get(name)?.as_slice())));
    let (status, kind, body): (_, _, &[u8]) = match (method, found) {
        ("GET" | "HEAD", Some((kind, body))) => ("200 OK", kind, body),
        ("GET" | "HEAD", None) => ("404 Not Found", "text/plain; charset=utf-8", b"There is no such file.\n"),
        _ => ("405 Method Not Allowed", "text/plain; charset=utf-8", b"Files can be read only.\n"),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    );
    (head, if method == "HEAD" { &[] } else { body })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Files {
        Files::from([("index.html".into(), b"<p>".to_vec()), ("a_bg.wasm".into(), b"\0asm".to_vec())])
    }

    #[test]
    fn files_are_answered_with_their_types() {
        let site = site();
        for (request, status, kind, body) in [
            ("GET / HTTP/1.1\r\n", "200", "text/html", &b"<p>"[..]),
            ("GET /index.html?embed=1 HTTP/1.1\r\n", "200", "text/html", b"<p>"),
            ("GET /a_bg.wasm?of=page.js HTTP/1.1\r\n", "200", "application/wasm", b"\0asm"),
            ("HEAD /a_bg.wasm HTTP/1.1\r\n", "200", "application/wasm", b""),
            ("GET /../Cargo.toml HTTP/1.1\r\n", "404", "text/plain", b"There is no such file.\n"),
            ("POST / HTTP/1.1\r\n", "405", "text/plain", b"Files can be read only.\n"),
            ("GET\r\n", "404", "text/plain", b"There is no such file.\n"),
            ("\0\r\n", "405", "text/plain", b"Files can be read only.\n"),
            ("", "405", "text/plain", b"Files can be read only.\n"),
        ] {
            let (head, answered) = response(request, &site);
            assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {head}");
            assert!(head.contains(&format!("Content-Type: {kind}")), "{request}: {head}");
            assert_eq!(answered, body, "{request}");
        }
        assert!(response("HEAD / HTTP/1.1", &site).0.contains("Content-Length: 3\r\n"));
    }

    #[test]
    fn a_browser_gets_a_file_and_a_bad_request_hurts_nobody() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared: Shared = Arc::new(RwLock::new(Arc::new(site())));
        thread::spawn(move || accept(&listener, &shared));
        let ask = |request: &[u8]| {
            let mut stream = TcpStream::connect(address).unwrap();
            // The server may hang up on what is too long.
            let _ = stream.write_all(request);
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            answer
        };
        ask(&vec![0xff; 100_000]);
        ask(b"\r\n\r\n");
        let answer = ask(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n");
        assert!(answer.ends_with(b"\r\n\r\n<p>"), "{}", String::from_utf8_lossy(&answer));
    }

    #[test]
    fn what_the_page_is_made_of_is_watched() {
        let seen = stamps();
        for part in ["index.html", "static/sw.js", "web/src/lib.rs", "core/src/lib.rs", "Cargo.lock"] {
            assert!(seen.iter().any(|(path, ..)| *path == workspace::root().join(part)), "{part}");
        }
        assert!(!seen.iter().any(|(path, ..)| path.starts_with(workspace::target())));
    }
}
