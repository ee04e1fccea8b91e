//! What the page remembers: the text, the parameters, the last answer and what is selected.

use crate::engine::{Analysis, Model, Problem, StateId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Something that several panels show and that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A state: a node of the graph and a row of the table.
    State(StateId),
}

/// The question put to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The text of the model.
    pub source: Rc<str>,
    /// The parameters that differ from the model's own values.
    pub settings: BTreeMap<String, i64>,
}

/// The engine's answer to a [`Question`].
pub type Answer = Result<Rc<Analysis>, Rc<[Problem]>>;

/// The state of the page. A [`Session`] changes only through [`Session::apply`].
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The model that the text started from.
    pub model: Model,
    /// What is asked.
    pub question: Question,
    /// The last model without problems; it stays visible while the text has some.
    pub shown: Option<Rc<Analysis>>,
    /// Whether the question has no answer yet.
    pub pending: bool,
    /// What is wrong with the present text and parameters.
    pub problems: Rc<[Problem]>,
    /// What was chosen.
    pub selected: Option<Item>,
    /// What the pointer is on.
    pub hovered: Option<Item>,
}

/// Everything that can happen to a [`Session`].
#[derive(Clone, Debug)]
pub enum Action {
    /// A model was picked from the gallery.
    Pick(Model),
    /// The text was edited.
    Edit(Rc<str>),
    /// A parameter was set.
    Set(String, i64),
    /// The engine answered.
    Answer(Question, Answer),
    /// Something was chosen, or nothing.
    Select(Option<Item>),
    /// The pointer is on something, or on nothing.
    Hover(Option<Item>),
}

impl Session {
    /// A session that starts with `model` and has no answer yet.
    pub fn new(model: Model) -> Session {
        Session {
            model,
            question: Question { source: model.source.into(), settings: BTreeMap::new() },
            shown: None,
            pending: true,
            problems: Rc::new([]),
            selected: None,
            hovered: None,
        }
    }

    /// Whether the text differs from the gallery's.
    pub fn is_edited(&self) -> bool {
        *self.question.source != *self.model.source
    }

    /// Whether what is shown belongs to an earlier text.
    pub fn is_stale(&self) -> bool {
        !self.problems.is_empty()
    }

    /// The session after `action`.
    #[must_use]
    pub fn apply(&self, action: Action) -> Session {
        let mut next = self.clone();
        match action {
            Action::Pick(model) => {
                let fresh = Session::new(model);
                // The same question has the same answer, and nobody asks it again.
                if fresh.question != self.question {
                    return fresh;
                }
                (next.selected, next.hovered) = (None, None);
            }
            Action::Edit(source) => next.question.source = source,
            Action::Set(name, value) => {
                next.question.settings.insert(name, value);
            }
            Action::Answer(question, answer) => {
                if question == self.question {
                    next.take(answer);
                }
            }
            Action::Select(item) => next.selected = item,
            Action::Hover(item) => next.hovered = item,
        }
        next.pending |= next.question != self.question;
        next
    }

    fn take(&mut self, answer: Answer) {
        self.pending = false;
        match answer {
            Ok(analysis) => {
                self.problems = Rc::new([]);
                if self.shown.as_ref().is_none_or(|shown| shown.graph != analysis.graph) {
                    // State numbers of another graph mean other states.
                    self.selected = None;
                    self.hovered = None;
                }
                self.shown = Some(analysis);
            }
            Err(problems) => self.problems = problems,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Analysis, Next, StateGraph, StateNode};

    const MODEL: Model = Model { name: "m", title: "M", summary: "", source: "one" };

    fn analysis(label: &str) -> Rc<Analysis> {
        let node = StateNode { label: label.into(), depth: 0, next: Next::Deadlock };
        let graph = StateGraph { nodes: vec![node].into(), edges: Vec::new(), complete: true };
        Rc::new(Analysis { params: Vec::new(), graph })
    }

    fn problem() -> Rc<[Problem]> {
        Rc::new([Problem { message: "no".into(), place: None }])
    }

    fn answered(session: &Session, answer: Answer) -> Session {
        session.apply(Action::Answer(session.question.clone(), answer))
    }

    #[test]
    fn an_edit_asks_anew_and_keeps_the_parameters() {
        let session = Session::new(MODEL).apply(Action::Set("n".into(), 4)).apply(Action::Edit("two".into()));
        assert_eq!(&*session.question.source, "two");
        assert_eq!(session.question.settings["n"], 4);
        assert!(session.is_edited());
        assert!(!session.apply(Action::Edit("one".into())).is_edited());
    }

    #[test]
    fn the_last_good_model_stays_while_the_text_has_problems() {
        let good = answered(&Session::new(MODEL), Ok(analysis("a")));
        let bad = answered(&good.apply(Action::Edit("{".into())), Err(problem()));
        assert_eq!(bad.shown, good.shown);
        assert!(bad.is_stale() && !good.is_stale());
        let better = answered(&bad.apply(Action::Edit("three".into())), Ok(analysis("b")));
        assert_eq!(better.shown, Some(analysis("b")));
        assert!(!better.is_stale());
    }

    #[test]
    fn an_answer_to_an_older_question_is_dropped() {
        let first = Session::new(MODEL);
        let second = first.apply(Action::Edit("two".into()));
        let late = Action::Answer(first.question.clone(), Ok(analysis("a")));
        assert_eq!(second.apply(late), second);
        assert!(second.pending);
    }

    #[test]
    fn a_changed_question_waits_for_its_answer() {
        let good = answered(&Session::new(MODEL), Ok(analysis("a")));
        assert!(Session::new(MODEL).pending && !good.pending);
        assert!(good.apply(Action::Set("n".into(), 4)).pending);
        assert!(!good.apply(Action::Edit("one".into())).pending);
        assert!(!good.apply(Action::Select(None)).pending);
        assert!(!answered(&good.apply(Action::Edit("{".into())), Err(problem())).pending);
    }

    #[test]
    fn a_selection_lasts_as_long_as_its_graph() {
        let item = Some(Item::State(StateId(0)));
        let chosen = answered(&Session::new(MODEL), Ok(analysis("a"))).apply(Action::Select(item));
        assert_eq!(answered(&chosen, Ok(analysis("a"))).selected, item);
        assert_eq!(answered(&chosen, Ok(analysis("b"))).selected, None);
        assert_eq!(answered(&chosen, Err(problem())).selected, item);
    }

    #[test]
    fn picking_a_model_starts_over() {
        let other = Model { name: "o", title: "O", summary: "", source: "other" };
        let session = Session::new(MODEL).apply(Action::Set("n".into(), 4)).apply(Action::Pick(other));
        assert_eq!(session, Session::new(other));
        let good = answered(&Session::new(MODEL), Ok(analysis("a")));
        assert_eq!(
            good.apply(Action::Select(Some(Item::State(StateId(0))))).apply(Action::Pick(MODEL)),
            good
        );
    }
}
