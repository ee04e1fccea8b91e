//! The algorithm's text, with the running commands lit.
//!
//! The commands and their numbers are those of Gyuris & Sistla, section 4.2, with the ones of sections 4.3 and 4.4 in the
//! place of those they improve; the wording is our own.

use orbitscope_core::search::{Command, Event};

/// A line of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The command; none of a heading.
    pub command: Option<Command>,
    /// How far it is indented.
    pub indent: u32,
    /// The line's text.
    pub text: &'static str,
}

const fn line(command: Command, indent: u32, text: &'static str) -> Line {
    Line { command: Some(command), indent, text }
}

const fn heading(text: &'static str) -> Line {
    Line { command: None, indent: 0, text }
}

/// The algorithm. u, v: nodes. π: a permutation of the processes. Numbers of processes are those of the first node.
pub const LINES: [Line; 23] = {
    use Command as C;
    [
        heading("main"),
        line(C::Start, 1, "for each initial node u that is not visited yet: search(u)"),
        line(C::AnswerNo, 1, "answer no: there is no fair wrong run"),
        heading("search(u)"),
        line(C::Push, 1, "give u the next number, dfnum = lowlink; put it on the stack"),
        line(C::InitPartition, 1, "classes of u := processes that can be exchanged at u"),
        line(C::InitStatus, 1, "fair := classes with a process that is disabled at u"),
        line(C::InitLeaders, 1, "choose one leader in each class: alike ones have alike edges"),
        line(C::NextEdge, 1, "for each edge of a leader, parallel ones once:"),
        line(C::FindEquiv, 2, "move the tracked processes to their equivalent place"),
        line(C::NextMove, 2, "for each move of the automaton that reads the state:"),
        line(C::Target, 3, "v := the node it leads to"),
        line(C::IsOnStack, 3, "if v is on the stack: a cycle closes"),
        line(
            C::JoinOrbits,
            4,
            "join the orbits of π_e into the classes; the process has executed; lower lowlink",
        ),
        line(C::IsNew, 3, "if v is not visited yet:"),
        line(C::SetPerm, 4, "π_v := π_u followed by the edge's permutation"),
        line(C::Descend, 4, "search(v)"),
        line(C::IsStillOnStack, 4, "if v is still on the stack: it is in u's component"),
        line(C::JoinChild, 5, "join v's classes, fairness, marks and lowlink into u's"),
        line(C::Accept, 1, "if all classes are fair and all marks seen: answer yes"),
        line(C::IsRoot, 1, "if lowlink = dfnum: u is the root of a component"),
        line(C::Pop, 2, "take the component off the stack"),
        heading("yes: a fair wrong run exists, the property is violated"),
    ]
};

/// For each line, whether the step ran it.
pub fn lit(event: Option<Event>) -> [bool; LINES.len()] {
    let commands = event.map_or(&[][..], Event::commands);
    LINES.map(|line| line.command.is_some_and(|command| commands.contains(&command)))
}

/// The line that says most about a step: where the eye should go.
pub fn focus(event: Event) -> Option<usize> {
    let command = match event {
        Event::Root(_) => Command::Start,
        Event::Tree { .. } => Command::Descend,
        Event::Back { .. } => Command::JoinOrbits,
        Event::Cross { .. } => Command::IsNew,
        Event::Join { .. } => Command::JoinChild,
        Event::Component { .. } => Command::Pop,
        Event::Yes(_) => Command::Accept,
        Event::No => Command::AnswerNo,
        Event::Stopped(_) => return None,
    };
    LINES.iter().position(|line| line.command == Some(command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixture;

    #[test]
    fn every_command_has_its_line_in_the_order_of_the_paper() {
        let commands: Vec<Command> = LINES.iter().filter_map(|line| line.command).collect();
        assert_eq!(commands, Command::ALL);
    }

    #[test]
    fn what_runs_is_lit_and_has_the_focus() {
        assert_eq!(lit(None), [false; LINES.len()]);
        for case in fixture::cases() {
            for step in case.log.steps() {
                let lit = lit(Some(step.event));
                let count = lit.iter().filter(|&&on| on).count();
                assert_eq!(count, step.event.commands().len(), "{:?}", step.event);
                if let Some(line) = focus(step.event) {
                    assert!(lit[line], "{:?}", step.event);
                }
            }
        }
    }
}
