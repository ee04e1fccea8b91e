//! The page of wrong answers: another checker's answers beside the right ones.

use super::properties::Badge;
use crate::engine::elsewhere::{TLC, Wrong, WrongAnswer};
use crate::engine::{Choices, GraphKind, Question};
use crate::session::{Opening, Session};

/// Who answers wrongly.
pub const WHO: &str = "TLC with SYMMETRY";

/// A state of the run that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number; none where it is not one of the run, but what is said to be.
    pub number: Option<usize>,
    /// The step to it, or what is said of it.
    pub step: String,
    /// Its values, and whether each is another one than in the line before.
    pub values: Vec<(&'static str, bool)>,
    /// Whether it belongs to the loop.
    pub in_loop: bool,
}

/// A wrong answer as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The record.
    pub answer: &'static WrongAnswer,
    /// The kind of mistake.
    pub title: &'static str,
    /// TLC's answer, in short and in its words.
    pub theirs: (Badge, &'static str),
    /// Orbitscope's answer, in short and in a few words.
    pub ours: (Badge, &'static str),
    /// A caption for the run.
    pub caption: &'static str,
    /// The states of the run.
    pub lines: Vec<Line>,
    /// The state that TLC takes the last one for, where that is wrong.
    pub mistaken: Option<Line>,
}

/// All of them.
pub fn accounts() -> Vec<Account> {
    TLC.iter().map(account).collect()
}

fn account(answer: &'static WrongAnswer) -> Account {
    let claim = &answer.claim;
    let values = |at: usize, before: Option<usize>| {
        let before = before.map(|before| claim.states[before].1);
        let value =
            |(lane, &value): (usize, &&'static str)| (value, before.is_some_and(|b| b[lane] != value));
        claim.states[at].1.iter().enumerate().map(value).collect::<Vec<_>>()
    };
    let lines = claim.states.iter().enumerate().map(|(at, (step, _))| Line {
        number: Some(at),
        step: (*step).to_owned(),
        values: values(at, at.checked_sub(1)),
        in_loop: at >= claim.back,
    });
    let lines: Vec<Line> = lines.collect();
    let (title, theirs, ours, caption) = match answer.wrong {
        Wrong::Missed => (
            "A violation that is missed",
            (Badge::Holds, "“No error has been found.”"),
            (Badge::Violated, "with a run that has been replayed on the program"),
            "The run that violates it: its last state is the one in which the loop begins.",
        ),
        Wrong::FalseAlarm => (
            "A violation that is none",
            (Badge::Violated, "“Temporal properties were violated.”"),
            (Badge::Holds, "no fair run violates it, by all three engines"),
            "The counterexample that TLC prints: its last step does not lead where TLC says.",
        ),
    };
    let mistaken = (answer.wrong == Wrong::FalseAlarm).then(|| Line {
        number: None,
        step: format!("TLC: back to state {}", claim.back),
        values: values(claim.back, Some(claim.states.len() - 1)),
        in_loop: true,
    });
    Account { answer, title, theirs, ours, caption, lines, mistaken }
}

/// A click on an answer opens the model, with as many clients as the run has, and the property.
pub fn opening(answer: &WrongAnswer) -> Opening {
    let model = *answer.model();
    let settings = [("clients".to_owned(), answer.clients)].into();
    Opening {
        origin: model,
        question: Question { source: model.source.into(), settings },
        choices: Choices::default(),
        view: GraphKind::Aqs,
        property: Some(answer.property.into()),
        step: 0,
        walk: None,
        by_link: false,
    }
}

/// The answer elsewhere about a property of the model that is shown, as long as the question is the one that was asked
/// there: the gallery's text, with two or three clients, and with the fairness and the deadlocks of the model.
pub fn note(session: &Session, property: &str) -> Option<String> {
    let (chosen, usual) = (session.choices, Choices::default());
    let asked = session.question.settings.get("clients").is_none_or(|clients| (2..=3).contains(clients));
    if session.is_edited() || !asked || (chosen.fairness, chosen.deadlock) != (usual.fairness, usual.deadlock)
    {
        return None;
    }
    let known = |answer: &&WrongAnswer| answer.model == session.model.name && answer.property == property;
    let said = account(TLC.iter().find(known)?).theirs;
    Some(format!("{WHO}: {}, which is wrong", said.0.word()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine;
    use crate::session::Action;
    use orbitscope_core::product::FairnessChoice;
    use orbitscope_core::syntax::ast::Fairness;
    use std::rc::Rc;

    #[test]
    fn what_tlc_takes_the_last_state_for_is_another_one() {
        let all = accounts();
        assert_eq!(all.len(), 3);
        for account in &all {
            let changed = |line: &Line| line.values.iter().filter(|(_, changed)| *changed).count();
            // A client of each of the two that have changed places.
            assert_eq!(account.mistaken.as_ref().map(changed), account.mistaken.as_ref().map(|_| 2));
            assert_eq!(account.mistaken.is_none(), account.answer.wrong == Wrong::Missed);
            assert_ne!(account.theirs.0, account.ours.0);
            assert_eq!(account.lines.iter().filter(|line| !line.in_loop).count(), account.answer.claim.back);
            assert!(account.lines[1..].iter().all(|line| !line.step.is_empty() && changed(line) > 0));
        }
    }

    #[test]
    fn the_note_goes_with_the_gallery_s_text() {
        let model = *engine::models().iter().find(|model| model.name == "one_requests_first").unwrap();
        let session = Session::new(model);
        assert_eq!(
            note(&session, "two_at_work").as_deref(),
            Some("TLC with SYMMETRY: holds, which is wrong")
        );
        assert_eq!(note(&session, "another"), None);
        // The model has three clients where nothing is said.
        assert!(model.source.contains("param clients = 3 "));
        let with = |clients| session.apply(Action::Set("clients".into(), clients));
        assert!(note(&with(2), "two_at_work").is_some());
        assert_eq!([1, 4].map(|clients| note(&with(clients), "two_at_work")), [None, None]);
        let strong = Choices { fairness: FairnessChoice::All(Fairness::Strong), ..session.choices };
        assert_eq!(note(&session.apply(Action::Choose(strong)), "two_at_work"), None);
        let edited = session.apply(Action::Edit(Rc::from("process p { }\n")));
        assert_eq!(note(&edited, "two_at_work"), None);
    }

    #[test]
    fn it_opens_with_the_property_and_the_clients_of_the_run() {
        for account in accounts() {
            let opening = opening(account.answer);
            assert_eq!(opening.question.settings["clients"], account.answer.clients);
            let session = Session::new(engine::models()[0]).apply(Action::Open(Box::new(opening)));
            assert_eq!(session.model.name, account.answer.model);
            assert_eq!(session.property_wanted(), Some(account.answer.property));
            assert!(!session.is_edited());
        }
    }
}
