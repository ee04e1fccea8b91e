//! The page's server, asked by a client of its own over a socket.

use crate::support::{Folder, Transcript};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const PAGE: &str = "<meta name=\"orbitscope-offline\" content=\"yes\">\n<meta name=\"orbitscope-program\" data-js=\"a.js\">\n";
const MODEL: &str = "shared x: 0..9 = 0\nprocess p { action go: x < 5 -> x := x + 1 }\n";

struct Served {
    folder: Folder,
    child: Child,
    port: u16,
}

impl Served {
    fn new(args: &[&str]) -> Served {
        let folder = site();
        let all = [&["serve", "--site", "site", "--port", "0"], args].concat();
        let mut child = folder.command(&all).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim_end().trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap();
        assert_eq!(line, format!("The page is at http://127.0.0.1:{port}/\n"));
        Served { folder, child, port }
    }

    /// Sends a request with these lines behind the first, and leaves the answer to be read.
    fn start(&self, first: &str, lines: &[&str]) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        write!(stream, "{first} HTTP/1.1\r\n{}\r\nConnection: close\r\n\r\n", lines.join("\r\n")).unwrap();
        BufReader::new(stream)
    }

    fn ask(&self, first: &str, lines: &[&str]) -> String {
        let mut answer = Vec::new();
        self.start(first, lines).read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    /// Ends the server as Ctrl-C does.
    #[cfg(unix)]
    fn end(mut self) {
        assert!(
            Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap().success()
        );
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder with a built page.
pub(crate) fn site() -> Folder {
    let folder = Folder::with(&[("m.orb", MODEL)]);
    std::fs::create_dir_all(folder.path().join("site/inner")).unwrap();
    folder.write("site/index.html", PAGE.as_bytes());
    folder.write("site/a.js", b"1");
    folder.write("site/inner/b_bg.wasm", b"\0asm");
    folder
}

#[test]
fn files_are_answered_and_nothing_else() {
    let served = Served::new(&[]);
    let host = served.host();
    let ask = |first: &str| served.ask(first, &[&host]);
    let page = ask("GET /?embed=1");
    assert!(page.starts_with("HTTP/1.1 200 ") && page.contains("Content-Type: text/html"), "{page}");
    assert!(
        page.contains("orbitscope-offline\" content=\"no\"") && !page.contains("orbitscope-follow"),
        "{page}"
    );
    assert!(ask("GET /inner/b_bg.wasm").contains("Content-Type: application/wasm"));
    assert!(ask("HEAD /a.js").starts_with("HTTP/1.1 200 "));
    for missing in
        ["GET /../m.orb", "GET /site/../../m.orb", "GET /m.orb", "GET /follow", "GET /%2e%2e/m.orb"]
    {
        assert!(ask(missing).starts_with("HTTP/1.1 404 "), "{missing}");
    }
    assert!(ask("POST /").starts_with("HTTP/1.1 405 "));
    let headers = |line: &str| served.ask("GET /", &[&host, line]);
    assert!(served.ask("GET /", &["Host: evil.example"]).starts_with("HTTP/1.1 403 "));
    assert!(served.ask("GET /", &["Accept: */*"]).starts_with("HTTP/1.1 403 "));
    assert!(headers("Origin: http://evil.example").starts_with("HTTP/1.1 403 "));
    assert!(headers("Sec-Fetch-Site: cross-site").starts_with("HTTP/1.1 403 "));
    assert!(headers("Sec-Fetch-Site: same-origin").starts_with("HTTP/1.1 200 "));
}

#[test]
fn bad_requests_hurt_nobody() {
    let served = Served::new(&["m.orb"]);
    let long = vec![b'x'; 70_000];
    for bytes in [&b"\r\n\r\n"[..], b"\xff\xfe", b"GET / HTTP/9.9\r\n\r\n", &long] {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
        let _ = stream.write_all(bytes);
    }
    let page = served.ask("GET /", &[&served.host()]);
    assert!(
        page.starts_with("HTTP/1.1 200 ") && page.contains("orbitscope-follow\" content=\"m.orb\""),
        "{page}"
    );
    #[cfg(unix)]
    served.end();
}

/// A page that is open hears of every change, also of a file that is away for a while, and one that comes later hears the
/// latest.
#[test]
fn a_file_is_followed() {
    let served = Served::new(&["m.orb"]);
    let listen = || {
        let lines = served.start("GET /follow", &[&served.host()]).lines().map(Result::unwrap);
        lines.filter_map(|line| Some(line.strip_prefix("data: ")?.to_owned()))
    };
    let news = |line: Option<String>| serde_json::from_str::<serde_json::Value>(&line.unwrap()).unwrap();
    let (mut one, mut two) = (listen(), listen());
    assert_eq!(news(one.next())["text"], MODEL);
    assert_eq!(news(two.next())["text"], MODEL);
    let changed = format!("{MODEL}// \"é\"\n");
    served.folder.write("m.orb", changed.as_bytes());
    assert_eq!(news(one.next())["text"], changed);
    assert_eq!(news(two.next())["text"], changed);
    std::fs::remove_file(served.folder.path().join("m.orb")).unwrap();
    assert_eq!(news(one.next())["problem"], "m.orb: no such file");
    served.folder.write("m.orb", b"\xff");
    assert!(news(one.next())["problem"].as_str().unwrap().contains("not UTF-8"));
    served.folder.write("m.orb", b"");
    assert_eq!(news(one.next())["text"], "");
    assert_eq!(news(listen().next())["text"], "");
}

#[test]
fn what_cannot_be_served_is_said() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = site();
    let output = folder.run(&["serve", "--site", "site", "--port", &port], "");
    let words = String::from_utf8_lossy(&output.stderr).replace(&port, "PORT");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        words,
        "orbitscope: port PORT is in use: stop the program that uses it, or let `--port 0` find a free one\n"
    );
    folder.write("page.html", b"");
    Transcript::default()
        .run(&folder, &["serve"])
        .run(&folder, &["serve", "-"])
        .run(&folder, &["serve", "missing.orb", "--site", "site"])
        .run(&folder, &["serve", "--site", "nowhere"])
        .run(&folder, &["serve", "--site", "page.html"])
        .run(&folder, &["serve", "--site", "site/inner"])
        .run(&folder, &["serve", "--site", "site", "--port", "0", "--host", "203.0.113.7"])
        .run(&folder, &["serve", "--site", "site", "--port", "70000"])
        .check("serve");
}
