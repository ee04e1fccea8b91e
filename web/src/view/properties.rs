//! The list of properties with their verdicts.

use super::{elsewhere, every, text};
use crate::engine::protocol::Request;
use crate::engine::{Checked, Logic, SO_FAR, Verdict, Why};
use crate::session::Session;

/// The verdict of a property, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Badge {
    /// It holds.
    Holds,
    /// It is violated.
    Violated,
    /// The state that it asks for is reached.
    Covered,
    /// The state that it asks for is never reached.
    Never,
    /// It was not decided: stopped, or a limit was reached.
    Partial,
    /// It cannot be decided.
    Unknown,
    /// It is being checked.
    Running,
    /// It will be checked.
    Waiting,
    /// It was not checked, since all was stopped.
    Unchecked,
}

impl Badge {
    /// The word on the badge.
    pub fn word(self) -> &'static str {
        match self {
            Badge::Holds => "holds",
            Badge::Violated => "violated",
            Badge::Covered => "covered",
            Badge::Never => "never",
            Badge::Partial => "partial",
            Badge::Unknown => "unknown",
            Badge::Running => "checking",
            Badge::Waiting => "waiting",
            Badge::Unchecked => "not checked",
        }
    }

    /// The sign before the word: verdicts differ by more than colour.
    pub fn sign(self) -> &'static str {
        match self {
            Badge::Holds | Badge::Covered => "✓",
            Badge::Violated | Badge::Never => "✗",
            Badge::Partial => "◐",
            Badge::Unknown => "?",
            Badge::Running | Badge::Waiting => "…",
            Badge::Unchecked => "–",
        }
    }

    /// The style's class.
    pub fn class(self) -> &'static str {
        match self {
            Badge::Holds | Badge::Covered => "is-good",
            Badge::Violated | Badge::Never => "is-bad",
            Badge::Partial => "is-partial",
            Badge::Unknown | Badge::Unchecked => "is-unknown",
            Badge::Running | Badge::Waiting => "is-waiting",
        }
    }
}

/// A property in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// Its logic.
    pub logic: Logic,
    /// The property as the model writes it.
    pub text: String,
    /// Its verdict.
    pub badge: Badge,
    /// More of that, in a line; empty where there is no more to say.
    pub note: String,
    /// A wrong answer elsewhere.
    pub elsewhere: Option<String>,
    /// The answer for every size: a word, and the style's class.
    pub every: Option<(String, &'static str)>,
    /// Whether it is the one that is looked at.
    pub selected: bool,
    /// Whether the verdict is about an earlier text.
    pub old: bool,
}

/// The rows of the list.
pub fn rows(session: &Session) -> Vec<Row> {
    let Some(info) = &session.found.info else { return Vec::new() };
    let rows = (0..).zip(&info.properties).map(|(number, property)| {
        let checked = session.found.checked.get(&number);
        Row {
            number,
            name: property.name.clone(),
            logic: property.logic,
            text: property.text.clone(),
            badge: checked
                .map_or_else(|| open_badge(session, number), |checked| badge_in(checked, property.logic)),
            note: checked.map_or_else(String::new, |checked| note(checked, property.logic)),
            elsewhere: elsewhere::note(session, &property.name),
            every: session
                .known_everywhere(number)
                .and_then(|known| known.as_ref().ok())
                .map(|known| every::badge(known)),
            selected: session.property == Some(number),
            old: session.is_old(),
        }
    });
    rows.collect()
}

/// The badge of an answer, in the words of its logic.
fn badge_in(checked: &Checked, logic: Logic) -> Badge {
    match (badge(checked), logic) {
        (Badge::Holds, Logic::Cover) => Badge::Covered,
        (Badge::Violated, Logic::Cover) => Badge::Never,
        (badge, _) => badge,
    }
}

/// The badge of an answer.
pub fn badge(checked: &Checked) -> Badge {
    match (checked.verdict, &checked.why) {
        (Verdict::Holds, _) => Badge::Holds,
        (Verdict::Violated, _) => Badge::Violated,
        (Verdict::Unknown, Some(why)) if why.is_partial() => Badge::Partial,
        (Verdict::Unknown, _) => Badge::Unknown,
    }
}

fn open_badge(session: &Session, number: u32) -> Badge {
    let running =
        session.line.asked.as_ref().is_some_and(
            |asked| matches!(asked.request, Request::Check { property, .. } if property == number),
        );
    match (running, session.line.halted) {
        (true, _) => Badge::Running,
        (false, true) => Badge::Unchecked,
        (false, false) => Badge::Waiting,
    }
}

/// A line about an answer.
fn note(checked: &Checked, logic: Logic) -> String {
    let stats = &checked.stats;
    let nodes = match logic {
        Logic::Ltl | Logic::Automaton => stats.product_states.map(|n| text::counted(n, "product state")),
        Logic::Ctl | Logic::Mu => stats.product_states.map(|n| text::counted(n, "vertex")),
        Logic::Invariant | Logic::Cover | Logic::Deadlock => {
            stats.product_states.or(stats.states).map(|n| text::counted(n, "state"))
        }
    };
    let found = checked.iterations.as_ref().map(|found| {
        let summary = &found.summary;
        format!(
            "{} representatives of {}",
            text::natural(&summary.representatives),
            text::states(&summary.covered)
        )
    });
    let nodes = nodes.or(found);
    let instance = match (checked.instance.as_str(), checked.alike) {
        ("", _) => None,
        (words, 1) => Some(format!("for {words}")),
        (words, alike) => Some(format!("for {words}, one of {} alike", text::count(alike))),
    };
    let so_far = match (checked.verdict, logic) {
        (Verdict::Violated, _) | (Verdict::Holds, Logic::Cover) => "the run is not complete",
        (_, Logic::Cover) => "it was not reached so far",
        _ => SO_FAR,
    };
    let why = checked.why.as_ref().map(|why| match why {
        Why::Stopped => format!("stopped: {so_far}"),
        Why::Limit(limit) => format!("{limit}: {so_far}"),
        other => other.words(),
    });
    let counted = checked.searches > 0 || checked.is_partial();
    let counts = nodes.filter(|_| counted).map(|nodes| format!("{nodes}, {}", text::time(checked.time)));
    let advice = advice(checked).map(str::to_owned);
    [why, instance, counts, advice].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// A way out where there is no answer.
fn advice(checked: &Checked) -> Option<&'static str> {
    match (checked.verdict, checked.why.as_ref()?) {
        (Verdict::Unknown, Why::Stopped) => Some("try: Check again; or set a parameter to less"),
        (Verdict::Unknown, Why::Limit(_)) => Some(
            "try: a parameter set to less; another engine under Options; the command line, which may use more memory",
        ),
        (Verdict::Unknown, Why::Refused(_)) => Some("try: other options; Reset brings back the usual ones"),
        _ => None,
    }
}

/// The line about deadlocks: a badge, and what there is to say.
pub fn deadlocks(session: &Session) -> (Badge, String) {
    let Some(surveyed) = &session.found.surveyed else {
        let running =
            session.line.asked.as_ref().is_some_and(|asked| matches!(asked.request, Request::Survey { .. }));
        return match (running, session.line.halted) {
            (true, _) => (Badge::Running, String::new()),
            (false, true) => (Badge::Unchecked, String::new()),
            (false, false) => (Badge::Waiting, String::new()),
        };
    };
    let alike = if surveyed.stats.aqs_states.is_some() { " up to symmetry" } else { "" };
    let seen = surveyed.stats.aqs_states.or(surveyed.stats.states).unwrap_or(0);
    let seen = surveyed.covered.as_ref().map_or_else(|| text::counted(seen, "state"), text::states);
    let seen = format!("{seen}{alike}");
    match (&surveyed.why, surveyed.deadlocks) {
        (Some(why), 0) if why.is_partial() => (Badge::Partial, format!("none in the first {seen}")),
        (Some(why), 0) => (Badge::Unknown, why.words()),
        (None, 0) => (Badge::Holds, format!("none in {seen}")),
        (_, some) => {
            let found = format!("{}{alike}", text::counted(some, "state"));
            let path = match surveyed.path.as_slice() {
                [] => "at the start".into(),
                steps => format!("the nearest after {}", steps.join(", ")),
            };
            (Badge::Violated, format!("{found}; {path}"))
        }
    }
}
