//! As much of HTTP as one page needs: a request has a head and no body, and each has a connection of its own.

use super::guard::Guard;
use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A request's head is no longer than this.
const HEAD: usize = 16 << 10;
/// It has no more headers than this.
const HEADERS: usize = 64;
/// As many connections are open at a time.
const MOST: usize = 256;
/// A browser that says nothing, or does not listen, is let go.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request, as far as it matters here.
#[derive(Debug)]
pub(super) struct Request {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
}

impl Request {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub(super) fn is_get(&self) -> bool {
        self.method == "GET"
    }

    pub(super) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    /// The name of the file that is asked for.
    pub(super) fn name(&self) -> Option<&str> {
        let path = self.target.split(['?', '#']).next().unwrap_or_default();
        path.strip_prefix('/').map(|name| if name.is_empty() { "index.html" } else { name })
    }
}

/// Accepts connections on a thread of its own. Requests that the guard admits come to the handler, each on its own thread.
pub(super) fn accept(
    listener: TcpListener,
    guard: Guard,
    handler: impl Fn(&Request, &TcpStream) -> io::Result<()> + Send + Sync + 'static,
) {
    let (guard, handler, open) = (Arc::new(guard), Arc::new(handler), Arc::new(AtomicUsize::new(0)));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if open.fetch_add(1, Ordering::Relaxed) >= MOST {
                open.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let (guard, handler, open) = (guard.clone(), handler.clone(), open.clone());
            thread::spawn(move || {
                // A browser that goes away before its answer does no harm.
                let _ = converse(&stream, &guard, &*handler);
                open.fetch_sub(1, Ordering::Relaxed);
            });
        }
    });
}

fn converse(
    stream: &TcpStream,
    guard: &Guard,
    handler: &impl Fn(&Request, &TcpStream) -> io::Result<()>,
) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = match read(stream) {
        Ok(request) => request,
        Err(words) => return refuse(stream, "400 Bad Request", words),
    };
    match guard.admits(|name| request.header(name)) {
        Err(words) => refuse(stream, "403 Forbidden", words),
        Ok(()) if request.is_get() || request.is_head() => handler(&request, stream),
        Ok(()) => refuse(stream, "405 Method Not Allowed", "Files can be read only."),
    }
}

/// Reads the head of a request.
fn read(mut stream: &TcpStream) -> Result<Request, &'static str> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(&bytes) {
            Ok(httparse::Status::Complete(_)) => {
                let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
                return Ok(Request {
                    method: request.method.unwrap_or_default().to_owned(),
                    target: request.path.unwrap_or_default().to_owned(),
                    headers: request
                        .headers
                        .iter()
                        .map(|header| (header.name.to_owned(), text(header.value)))
                        .collect(),
                });
            }
            Ok(httparse::Status::Partial) if bytes.len() < HEAD => {}
            Ok(httparse::Status::Partial) => return Err("The head of the request is too long."),
            Err(_) => return Err("This is no request that can be understood."),
        }
        match stream.read(&mut part) {
            Ok(read) if read > 0 => bytes.extend_from_slice(&part[..read]),
            _ => return Err("The request does not end."),
        }
    }
}

/// Answers with a body.
pub(super) fn answer(
    mut stream: &TcpStream,
    status: &str,
    kind: &str,
    body: &[u8],
    with_body: bool,
) -> io::Result<()> {
    let length = body.len();
    // Other pages do not frame this one, so that they cannot lend it clicks; the editor's extension does.
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nContent-Security-Policy: frame-ancestors 'self' vscode-webview:\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(if with_body { body } else { &[] })
}

/// Answers with a reason why not.
pub(super) fn refuse(stream: &TcpStream, status: &str, words: &str) -> io::Result<()> {
    answer(stream, status, "text/plain; charset=utf-8", format!("{words}\n").as_bytes(), true)
}
