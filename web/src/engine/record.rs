//! The answers to what the page asks first, so that it shows its first picture before its engine is there.

use super::protocol::{Answer, Request, decode};

/// Questions and their answers, as [`super::protocol::encode`] writes them.
static OPENING: &[u8] = include_bytes!("opening.bin");

/// Recorded questions with their answers.
#[derive(Default)]
pub struct Record(Vec<(Request, Answer)>);

impl Record {
    /// The engine's answers about the model that is shown at the start. A test sees to it that it would answer so
    /// today.
    pub fn opening() -> Record {
        Record(decode(OPENING).unwrap_or_default())
    }

    /// The answer to this, if it was asked.
    pub fn take(&mut self, request: &Request) -> Option<Answer> {
        let at = self.0.iter().position(|(asked, _)| asked == request)?;
        Some(self.0.swap_remove(at).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::protocol::encode;
    use crate::engine::{GraphKind, models};
    use crate::session::Session;
    use crate::session::bench::recorded;

    /// The answers to what a visit asks first. Graphs that nobody looks at yet come from the engine.
    fn first_answers() -> Vec<(Request, Answer)> {
        let mut said = recorded(Session::new(models()[0]));
        said.retain(|(request, _)| !matches!(request, Request::Picture { of, .. } if *of != GraphKind::Aqs));
        said
    }

    #[test]
    fn the_record_is_what_the_engine_says() {
        let said = encode(&first_answers());
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/opening.bin");
            std::fs::write(path, &said).unwrap();
        } else {
            assert!(said == OPENING, "the engine answers otherwise; UPDATE_GOLDEN=1 writes opening.bin anew");
        }
    }

    #[test]
    fn everything_that_is_asked_first_is_answered_once() {
        let mut record = Record::opening();
        let (question, _) = recorded(Session::new(models()[0])).swap_remove(0);
        assert!(matches!(record.take(&question), Some(Answer::Model(Ok(_)))));
        assert!(record.take(&question).is_none());
        let mut other = Session::new(models()[1]);
        other.property = None;
        assert!(record.take(&Request::Model(other.question)).is_none());
    }
}
