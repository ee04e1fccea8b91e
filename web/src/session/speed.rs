//! How long a session takes to settle.

use super::Session;
use super::bench::timed;
use crate::engine::models;

#[test]
fn profile() {
    for clients in [300i64, 1000] {
        let mut session = Session::new(models()[0]);
        session.question.settings.insert("clients".into(), clients);
        session.property = Some(2);
        for (request, time) in timed(session) {
            let words = format!("{request:?}");
            let name: String = words.chars().take(60).collect();
            eprintln!("{clients} {time:.2} {name}");
        }
    }
}
