//! The writer.

use crate::automaton::{Cube, Tgba};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

/// The automaton as text. Propositions beyond the given names are called p and their number.
///
/// ```
/// use orbitscope_core::automaton::{hoa, Ap, AutomatonState, Label, Tgba};
/// let q = AutomatonState(0);
/// let tgba = Tgba::from_accepting_states([q], &[true], [(q, Label::literal(Ap(0), false), q)]).unwrap();
/// let text = hoa::write(&tgba, "never \"crit\"", &["c.st == C"]);
/// assert!(text.contains("name: \"never \\\"crit\\\"\""));
/// assert!(text.contains("[!0] 0 {0}"));
/// assert_eq!(hoa::read(&text).unwrap().automaton, tgba);
/// ```
pub fn write<S: AsRef<str>>(automaton: &Tgba, name: &str, propositions: &[S]) -> String {
    let mut out = String::from("HOA: v1\n");
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    if !name.is_empty() {
        line(format!("name: {}", quoted(name)));
    }
    line("tool: \"orbitscope\"".to_string());
    line(format!("States: {}", automaton.state_count()));
    for q in automaton.initial() {
        line(format!("Start: {}", q.0));
    }
    let count = automaton.ap_bound().max(propositions.len());
    let mut aps = format!("AP: {count}");
    for i in 0..count {
        let named = propositions.get(i).map_or_else(|| format!("p{i}"), |p| p.as_ref().to_string());
        let _ = write!(aps, " {}", quoted(&named));
    }
    line(aps);
    let sets = automaton.sets();
    line(match sets {
        0 => "acc-name: all".to_string(),
        1 => "acc-name: Buchi".to_string(),
        n => format!("acc-name: generalized-Buchi {n}"),
    });
    let all: Vec<String> = (0..sets).map(|m| format!("Inf({m})")).collect();
    line(format!("Acceptance: {sets} {}", if sets == 0 { "t".to_string() } else { all.join("&") }));
    line("properties: trans-labels explicit-labels trans-acc".to_string());
    if automaton.statistics().deterministic {
        line("properties: deterministic".to_string());
    }
    line("--BODY--".to_string());
    for q in automaton.states() {
        line(format!("State: {}", q.0));
        for t in automaton.transitions(q) {
            let cubes: Vec<String> = t.label.cubes().iter().map(cube).collect();
            let mut edge = format!("[{}] {}", cubes.join(" | "), t.target.0);
            let marks: Vec<String> = t.marks.iter().map(|m| m.to_string()).collect();
            if !marks.is_empty() {
                let _ = write!(edge, " {{{}}}", marks.join(" "));
            }
            line(edge);
        }
    }
    line("--END--".to_string());
    out
}

fn cube(cube: &Cube) -> String {
    let literals = cube.literals();
    if literals.is_empty() {
        return "t".to_string();
    }
    let signed = |&(ap, positive): &(crate::automaton::Ap, bool)| {
        if positive { ap.0.to_string() } else { format!("!{}", ap.0) }
    };
    literals.iter().map(signed).collect::<Vec<_>>().join("&")
}

fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for c in text.chars() {
        if c == '"' || c == '\\' {
            result.push('\\');
        }
        result.push(c);
    }
    result.push('"');
    result
}
