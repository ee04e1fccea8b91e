//! A file whose text is told to every page that is open, again whenever it changes: as events that the server sends.

use crate::commands::watch::{POLL, stamp};
use crate::model::Source;
use serde_json::json;
use std::io::{self, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A page that hears nothing for so long is asked whether it is still there.
const PULSE: Duration = Duration::from_secs(15);
const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
                    X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\nretry: 500\n\n";

/// The latest news of the file, and how many there were.
struct News {
    number: u64,
    line: String,
}

pub(super) struct Follower {
    news: Mutex<News>,
    bell: Condvar,
}

impl Follower {
    /// Follows a file from now on.
    pub(super) fn start(file: &str) -> Arc<Follower> {
        let path = PathBuf::from(file);
        let mut seen = stamp(&path);
        let news = Mutex::new(News { number: 1, line: line(file) });
        let follower = Arc::new(Follower { news, bell: Condvar::new() });
        let (own, file) = (follower.clone(), file.to_owned());
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(POLL);
                let mut now = stamp(&path);
                if now == seen {
                    continue;
                }
                // An editor may write a file in several pieces, or move it away first.
                loop {
                    std::thread::sleep(POLL);
                    let later = stamp(&path);
                    if later == now {
                        break;
                    }
                    now = later;
                }
                seen = now;
                own.publish(line(&file));
            }
        });
        follower
    }

    fn publish(&self, line: String) {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        if news.line != line {
            *news = News { number: news.number + 1, line };
            self.bell.notify_all();
        }
    }

    /// The news after the one with this number; none where there were none for a while.
    fn after(&self, seen: u64) -> Option<(u64, String)> {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.bell.wait_timeout_while(news, PULSE, |news| news.number == seen);
        let (news, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (news.number != seen).then(|| (news.number, news.line.clone()))
    }

    /// Tells a page the text of the file, and goes on until the page is gone.
    pub(super) fn tell(&self, mut page: &TcpStream) -> io::Result<()> {
        page.write_all(HEAD.as_bytes())?;
        let mut seen = 0;
        loop {
            match self.after(seen) {
                Some((number, line)) => {
                    seen = number;
                    page.write_all(format!("data: {line}\n\n").as_bytes())?;
                }
                None => page.write_all(b":\n\n")?,
            }
        }
    }
}

/// The text of the file, or why there is none, in one line.
fn line(file: &str) -> String {
    match Source::read(file) {
        Ok(source) => json!({ "text": source.text }).to_string(),
        Err(failure) => json!({ "problem": failure.to_string() }).to_string(),
    }
}
