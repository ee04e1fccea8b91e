//! From bytes to a small program: a text that is a model is taken as it is, other bytes choose the parts of one.

use crate::choices::Choices;
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::program::{Program, Settings, build};
use orbitscope_core::syntax::parse;
use std::fmt::Write as _;

/// Programs with more processes or states are passed over: every engine has to go through all of them.
const MAX_PROCESSES: u32 = 6;
const MAX_STATES: u32 = 250;
/// Longer texts have more properties than can be checked in a moment.
const MAX_LENGTH: usize = 2_000;

/// A small program, and its text. The model's steps have no error.
pub(crate) fn program(bytes: &[u8]) -> Option<(Program, String)> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if text.contains("process") => text.to_owned(),
        _ => Draft::new(bytes).text(),
    };
    if text.len() > MAX_LENGTH {
        return None;
    }
    let parsed = parse(&text);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let program = build(&parsed.file, &Settings { max_slots: 1_000, ..Settings::default() }).ok()?;
    if program.process_count() > MAX_PROCESSES || program.layout.slots > 64 {
        return None;
    }
    let mut states =
        Exploration::new(&program, Limits { states: MAX_STATES, bytes: 1 << 20, ..Limits::default() }, &[]);
    (*states.run() == StopReason::Complete).then_some(())?;
    Some((program, text))
}

/// A program that is written choice by choice.
struct Draft<'a> {
    choices: Choices<'a>,
    /// Names that stand for a process of the family.
    names: Vec<&'static str>,
}

impl<'a> Draft<'a> {
    fn new(bytes: &'a [u8]) -> Draft<'a> {
        Draft { choices: Choices::new(bytes), names: Vec::new() }
    }

    fn text(mut self) -> String {
        let size = self.choices.below(4);
        let ring = if self.choices.below(4) == 1 { " ring" } else { "" };
        let start = self.choices.pick(&["= A", "= B", "= any"]);
        let on = self.choices.pick(&["= false", "= true", "= any"]);
        let mut text = format!("shared who: p? = {}\n", self.choices.pick(&["none", "none", "any"]));
        let _ = writeln!(text, "shared n: 0..2 {}", self.choices.pick(&["= 0", "= 2", "= any"]));
        let _ = writeln!(text, "process p[{size}]{ring} {{");
        let _ = writeln!(text, "  var st: {{A, B, C}} {start}\n  var on: bool {on}");
        self.names.push("self");
        for number in 0..=self.choices.below(3) {
            let parameter = self.choices.below(3) == 1;
            if parameter {
                self.names.push("q");
            }
            let guard = self.state(2);
            let effect = self.effects();
            let q = if parameter { "(q in p)" } else { "" };
            let _ = writeln!(text, "  action a{number}{q}: {guard} -> {effect}");
            self.names.truncate(1);
        }
        text.push_str("}\n");
        self.names.clear();
        if self.choices.coin() {
            let _ = writeln!(text, "fairness p: {}", self.choices.pick(&["weak", "strong", "none"]));
        }
        for number in 0..=self.choices.below(3) {
            let (logic, formula) = match self.choices.below(4) {
                0 => ("invariant", self.state(2)),
                1 => ("ctl", self.branching(2)),
                _ => ("ltl", self.temporal(3)),
            };
            let _ = writeln!(text, "{logic} f{number}: {formula}");
        }
        text
    }

    fn effects(&mut self) -> String {
        let mut effects: Vec<String> = Vec::new();
        if self.choices.coin() {
            effects.push(format!("st := {}", self.choices.pick(&["A", "B", "C"])));
        }
        if self.choices.coin() {
            effects.push(format!("on := {}", self.state(1)));
        }
        if self.choices.coin() {
            let who = *self.names.last().unwrap_or(&"self");
            effects.push(format!("who := {}", self.choices.pick(&["none", who, "self"])));
        }
        if self.choices.coin() || effects.is_empty() {
            effects.push(format!("n := {}", self.choices.pick(&["0", "1", "2", "(n + 1) % 3", "2 - n"])));
        }
        effects.join(", ")
    }

    fn process(&mut self) -> String {
        let near = self.names[self.choices.below(self.names.len())];
        near.into()
    }

    /// An expression about one state.
    fn state(&mut self, depth: u32) -> String {
        if depth == 0 || self.choices.below(3) == 0 {
            return self.fact();
        }
        match self.choices.below(6) {
            0 => format!("(not {})", self.state(depth - 1)),
            1 => format!("({} and {})", self.state(depth - 1), self.state(depth - 1)),
            2 => format!("({} or {})", self.state(depth - 1), self.state(depth - 1)),
            3 => format!("({} => {})", self.state(depth - 1), self.state(depth - 1)),
            4 => {
                let quantifier = self.choices.pick(&["forall", "exists"]);
                let name = ["x", "y", "z"][depth as usize % 3];
                self.names.push(name);
                let body = self.state(depth - 1);
                self.names.pop();
                format!("({quantifier} {name} in p: {body})")
            }
            _ => {
                let names = if self.choices.coin() { vec!["k"] } else { vec!["k", "m"] };
                let before = self.names.len();
                self.names.extend(&names);
                let body = self.state(depth - 1);
                self.names.truncate(before);
                let binders: Vec<String> = names.iter().map(|name| format!("{name} in p")).collect();
                format!("(count({}: {body}) <= {})", binders.join(", "), self.choices.below(4))
            }
        }
    }

    fn fact(&mut self) -> String {
        let shared = self.names.is_empty() || self.choices.below(4) == 0;
        if shared {
            return self.choices.pick(&["n == 0", "n < 2", "who == none", "true", "n != 1"]).into();
        }
        let process = self.process();
        match self.choices.below(5) {
            0 => format!("{process}.on"),
            1 => format!("who == {process}"),
            2 => format!("{process}.st != C"),
            3 => format!("{process} == {}", self.process()),
            _ => format!("{process}.st == {}", self.choices.pick(&["A", "B", "C"])),
        }
    }

    fn temporal(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.atom();
        }
        let one = self.choices.pick(&["G", "F", "X", "not"]);
        let two = self.choices.pick(&["U", "W", "R", "and", "or", "=>"]);
        match self.choices.below(5) {
            0 => self.atom(),
            1 | 2 => format!("({one} {})", self.temporal(depth - 1)),
            3 => format!("({} {two} {})", self.temporal(depth - 1), self.temporal(depth - 1)),
            _ => self.quantified(depth, Draft::temporal),
        }
    }

    fn branching(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.state(1);
        }
        let one = self.choices.pick(&["AG", "AF", "AX", "EG", "EF", "EX", "not"]);
        let path = self.choices.pick(&["A", "E"]);
        match self.choices.below(6) {
            0 => self.state(1),
            1 | 2 => format!("({one} {})", self.branching(depth - 1)),
            3 => format!("{path}[{} U {}]", self.branching(depth - 1), self.branching(depth - 1)),
            4 => format!("({} and {})", self.branching(depth - 1), self.branching(depth - 1)),
            _ => self.quantified(depth, Draft::branching),
        }
    }

    fn quantified(&mut self, depth: u32, body: fn(&mut Self, u32) -> String) -> String {
        let quantifier = self.choices.pick(&["forall", "exists"]);
        let name = ["s", "t", "u", "v"][depth as usize % 4];
        self.names.push(name);
        let body = body(self, depth - 1);
        self.names.pop();
        format!("({quantifier} {name} in p: {body})")
    }

    /// An atom that a property of linear time may ask of a state or a step.
    fn atom(&mut self) -> String {
        if self.names.is_empty() || self.choices.below(3) > 0 {
            return self.state(1);
        }
        let process = self.process();
        let asked = self.choices.pick(&["enabled", "executed"]);
        format!("{asked}({process})")
    }
}
