//! Answers that are wrong elsewhere: what TLC says of three properties where the clients are declared symmetric, beside
//! what is so.
//!
//! TLC keeps one state of each orbit and forgets who became whom on the way, and it warns that this is dangerous for liveness.
//! A violation that it misses is shown by a run of the program. A violation that is none is shown by TLC's own
//! counterexample: each of its steps is one of the program but the last, which does not lead where TLC says.

use super::{Model, find};

/// In which way an answer is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// The property is violated, and TLC finds no error.
    Missed,
    /// The property holds, and TLC reports a violation.
    FalseAlarm,
}

/// A run with its states, and where it claims to close.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The variables whose values a state lists.
    pub lanes: &'static [&'static str],
    /// The steps with the values they lead to; the first is the initial state, and has no step.
    pub states: &'static [(&'static str, &'static [&'static str])],
    /// The state that the last one is said to be.
    pub back: usize,
}

/// A wrong answer.
///
/// ```
/// use orbitscope_core::models::elsewhere::{TLC, Wrong};
/// let missed: Vec<_> = TLC.iter().filter(|answer| answer.wrong == Wrong::Missed).collect();
/// assert_eq!(missed[0].formula(), "G F count(c in client: c.st != I) >= 2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongAnswer {
    /// The name of the built-in model.
    pub model: &'static str,
    /// The property it is about.
    pub property: &'static str,
    /// In which way it is wrong.
    pub wrong: Wrong,
    /// With how many clients `claim` is; the answer is wrong with two and with three.
    pub clients: i64,
    /// The run that violates the property, or else the one that TLC prints.
    pub claim: Claim,
    /// The reason in a sentence or two.
    pub why: &'static str,
}

impl WrongAnswer {
    /// The model.
    pub fn model(&self) -> &'static Model {
        find(self.model).expect("it is built in")
    }

    /// The property's formula, as it stands in the model.
    pub fn formula(&self) -> &'static str {
        let mut lines = self.model().source.lines();
        let says = |line: &'static str| {
            line.strip_prefix("ltl ")?.strip_prefix(self.property)?.strip_prefix(':').map(str::trim)
        };
        lines.find_map(says).unwrap_or_default()
    }
}

/// The wrong answers of TLC's symmetry.
pub const TLC: &[WrongAnswer] = &[
    WrongAnswer {
        model: "one_requests_first",
        property: "two_at_work",
        wrong: Wrong::Missed,
        clients: 2,
        claim: Claim {
            lanes: &["started", "client[0]", "client[1]"],
            states: &[
                ("", &["false", "I", "I"]),
                ("starter.choose(client[0])", &["true", "R", "I"]),
                ("client[0].withdraw", &["true", "I", "I"]),
                ("client[1].request", &["true", "I", "R"]),
                ("client[1].withdraw", &["true", "I", "I"]),
                ("client[0].request", &["true", "R", "I"]),
            ],
            back: 1,
        },
        why: "The clients take turns, so the run is fair to both, and never are two of them at work. Up to symmetry it is one \
              client that requests and withdraws again and again, which is not fair to the other one: TLC throws the run away.",
    },
    WrongAnswer {
        model: "one_requests_first",
        property: "always_idle_again",
        wrong: Wrong::FalseAlarm,
        clients: 2,
        claim: Claim {
            lanes: &["started", "client[0]", "client[1]"],
            states: &[
                ("", &["false", "I", "I"]),
                ("starter.choose(client[0])", &["true", "R", "I"]),
                ("client[0].enter", &["true", "C", "I"]),
                ("client[1].request", &["true", "C", "R"]),
                ("client[0].release", &["true", "I", "R"]),
            ],
            back: 1,
        },
        why: "The last step leads to a state in which client 1 requests. TLC takes it for the one in which client 0 does: the \
              clients have changed places, and what it calls a loop in which client 0 is never idle is none.",
    },
    WrongAnswer {
        model: "idle_in_between",
        property: "idle_in_between",
        wrong: Wrong::FalseAlarm,
        clients: 2,
        claim: Claim {
            lanes: &["turn", "client[0]", "client[1]"],
            states: &[
                ("", &["clients_turn", "I", "I"]),
                ("client[0].request", &["server_turn", "R", "I"]),
                ("server.grant(client[0])", &["clients_turn", "C", "I"]),
                ("client[1].request", &["server_turn", "C", "R"]),
                ("server.skip", &["clients_turn", "C", "R"]),
                ("client[0].release", &["server_turn", "I", "R"]),
            ],
            back: 1,
        },
        why: "Client 0 releases and is idle, and client 1 requests. TLC takes the state for the one in which client 0 requests: \
              only because the clients have changed places is client 0 critical again without having been idle.",
    },
];
