//! How long a session takes to settle: `cargo test -p orbitscope-web --lib speed -- --ignored --nocapture` prints it.

use super::Session;
use super::bench::timed;
use crate::engine::models;
use crate::engine::protocol::Request;

#[test]
#[ignore = "prints times, which are nothing to be compared"]
fn times_of_what_is_asked() {
    for clients in [100, 300] {
        let mut session = Session::new(models()[0]);
        session.question.settings.insert("clients".into(), clients);
        for (request, seconds) in timed(session) {
            let name = match request {
                Request::Model(_) => "model".into(),
                Request::Film { property, .. } => format!("film {property}"),
                Request::Check { property, .. } => format!("check {property}"),
                Request::Picture { of, .. } => format!("picture {}", of.name()),
                other => format!("{other:?}").split(' ').next().unwrap_or_default().to_owned(),
            };
            println!("{clients} clients: {seconds:.2} s for {name}");
        }
    }
}
