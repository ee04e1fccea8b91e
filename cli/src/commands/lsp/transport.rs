//! The protocol's messages over standard input and output.
//!
//! `lsp-server` has this too, but ends with the first message that is no JSON, and takes any length that it is told. Here such a
//! message is answered and the next one is read; only a head that cannot be understood ends the connection, since nobody knows
//! where the next message would begin.

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read as _, Write as _};
use std::thread::{self, JoinHandle};

/// A message is no longer than this: a text may be 64 MiB, and JSON writes some characters as several.
const MAX_BYTES: u64 = 256 << 20;
/// A line of a head is no longer than this.
const MAX_LINE: u64 = 8 << 10;

/// The threads that read and write.
pub(super) struct Threads {
    reader: JoinHandle<Result<(), String>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits for the end of both; says why nothing more could be read, or written.
    pub(super) fn join(self) -> Result<(), String> {
        let broken = |_| "a thread broke down".to_owned();
        self.reader.join().map_err(broken)??;
        self.writer.join().map_err(broken)?.map_err(|error| error.to_string())
    }
}

/// The connection to whoever started this program. Messages wait in its channel, so that one can see whether there are more.
pub(super) fn start() -> (Connection, Threads) {
    let (to_server, receiver): (Sender<Message>, Receiver<Message>) = unbounded();
    let (sender, to_client): (Sender<Message>, Receiver<Message>) = unbounded();
    let writer = thread::spawn(move || {
        to_client.into_iter().try_for_each(|message| message.write(&mut io::stdout().lock()))
    });
    let reader = thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(body) = read(&mut input)? {
            match parse(&body) {
                Ok(message) => {
                    let exits = matches!(&message, Message::Notification(told) if told.method == "exit");
                    if to_server.send(message).is_err() || exits {
                        break;
                    }
                }
                Err(answer) => {
                    let text = answer.to_string();
                    let mut output = io::stdout().lock();
                    let written = write!(output, "Content-Length: {}\r\n\r\n{text}", text.len());
                    written.and_then(|()| output.flush()).map_err(|error| error.to_string())?;
                }
            }
        }
        Ok(())
    });
    (Connection { sender, receiver }, Threads { reader, writer })
}

/// The next message's body; none where the client is gone.
fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let failed = |error: io::Error| error.to_string();
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(failed)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.strip_suffix('\n').map(|line| line.trim_end_matches('\r'));
        let wrong = || "a message does not begin with a line `Content-Length: N`".to_owned();
        match line.ok_or_else(wrong)? {
            "" => break,
            line => {
                let (name, value) = line.split_once(':').ok_or_else(wrong)?;
                if name.eq_ignore_ascii_case("content-length") {
                    length = Some(value.trim().parse::<u64>().map_err(|_| wrong())?);
                }
            }
        }
    }
    let length = length.ok_or("a message does not say how long it is")?;
    if length > MAX_BYTES {
        return Err(format!("a message of {length} bytes is too long"));
    }
    let mut body = Vec::new();
    // The client's word for its length is believed as far as bytes come.
    let read = input.by_ref().take(length).read_to_end(&mut body).map_err(failed)?;
    if (read as u64) < length {
        return Err("the client was gone in the middle of a message".into());
    }
    Ok(Some(body))
}

/// A message, or the answer to what is none.
fn parse(body: &[u8]) -> Result<Message, Value> {
    let answer = |id: Value, code: ErrorCode, words: String| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": words } });
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| answer(Value::Null, ErrorCode::ParseError, format!("this is no JSON: {error}")))?;
    let id = Some(value["id"].clone()).filter(|id| id.is_number() || id.is_string()).unwrap_or_default();
    serde_json::from_value(value).map_err(|_| {
        answer(id, ErrorCode::InvalidRequest, "this is neither a request nor a notification".into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> (Vec<String>, Result<(), String>) {
        let mut bodies = Vec::new();
        loop {
            match read(&mut bytes) {
                Ok(None) => return (bodies, Ok(())),
                Ok(Some(body)) => bodies.push(String::from_utf8(body).unwrap()),
                Err(words) => return (bodies, Err(words)),
            }
        }
    }

    #[test]
    fn messages_are_cut_out_by_their_lengths() {
        let two = b"Content-Length: 2\r\nContent-Type: x\r\n\r\n{}content-length:3\n\n[1]";
        assert_eq!(all(two), (vec!["{}".into(), "[1]".into()], Ok(())));
        for (bytes, words) in [
            (&b"hello\r\n\r\n"[..], "does not begin"),
            (b"Content-Length: -1\r\n\r\n", "does not begin"),
            (b"Content-Length: 99999999999999999999\r\n\r\n", "does not begin"),
            (b"Content-Length: 9999999999999\r\n\r\n", "too long"),
            (b"Content-Type: x\r\n\r\n", "does not say how long"),
            (b"Content-Length: 10\r\n\r\n{}", "in the middle"),
            (b"Content-Length: 10", "does not begin"),
            (&vec![b'x'; 20_000], "does not begin"),
        ] {
            let (bodies, end) = all(bytes);
            assert!(bodies.is_empty() && end.as_ref().unwrap_err().contains(words), "{end:?}");
        }
    }

    #[test]
    fn what_is_no_message_has_an_answer() {
        let code = |body: &[u8]| {
            parse(body).map(|_| ()).map_err(|answer| (answer["error"]["code"].clone(), answer["id"].clone()))
        };
        assert_eq!(code(b"{"), Err((json!(-32700), Value::Null)));
        assert_eq!(code(b"\xff"), Err((json!(-32700), Value::Null)));
        assert_eq!(code(b"[]"), Err((json!(-32600), Value::Null)));
        assert_eq!(code(br#"{"id": 7}"#), Err((json!(-32600), json!(7))));
        assert_eq!(code(br#"{"id": 7, "result": null}"#), Ok(()));
        assert_eq!(code(br#"{"id": 7, "method": 3}"#), Err((json!(-32600), json!(7))));
        assert_eq!(code(br#"{"method": "x", "params": null}"#), Ok(()));
    }
}
