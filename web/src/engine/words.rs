//! The panels speak of a search in the words of the model, which are made here.
//!
//! A log is ids; [`Words`] has the names for them. It is made once, beside the log, and is small: nothing in it is as long
//! as the number of processes, so that a million of them are written as `client[2..999999]`.

use orbitscope_core::automaton::{Ap, AutomatonState, Label};
use orbitscope_core::draw::Compact;
use orbitscope_core::group::{Perm, Process};
use orbitscope_core::product::Product;
use orbitscope_core::program::{Domain, FamilyId, LocalPlace, Program, View};
use orbitscope_core::property::{AtomValue, Obligation};
use orbitscope_core::search::log::{Entry, Log, LoggedStep};
use orbitscope_core::text::LineIndex;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::ops::Range;

/// A state of more values than this is told by its classes of like processes.
const FLAT: u32 = 4_096;
/// The most classes of a large state, runs of a set and cycles of a permutation that are written; the rest is counted.
const PARTS: usize = 12;
/// The most characters of a state that are kept.
const STATE: usize = 400;
/// The most states of an automaton that are told, and the most moves of each.
const AUTOMATON: usize = 24;

/// The names that a log's ids stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// The property.
    pub property: String,
    /// The choice that was searched, as `c = client[0]`; empty where nothing is chosen.
    pub instance: String,
    /// How many choices it stands for.
    pub alike: u64,
    /// The families, in the order of their processes.
    pub families: Vec<FamilyWords>,
    /// The actions, by their ids.
    pub actions: Vec<ActionWords>,
    /// The names of the tracked processes: a name of the property, or the process.
    pub tracked: Vec<String>,
    /// The state of each entry of the log, as short as in a picture.
    pub states: Vec<String>,
    /// The automaton, as far as it can be read.
    pub automaton: Vec<AutomatonWords>,
}

/// A family of processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FamilyWords {
    /// Its name.
    pub name: String,
    /// Its first process.
    pub first: u32,
    /// How many it has.
    pub size: u32,
    /// Whether it is one process, which has no number.
    pub single: bool,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionWords {
    /// Its name.
    pub name: String,
    /// Its line in the text, from 1.
    pub line: u32,
    /// For each parameter the family that it ranges over; none where it is a number.
    pub params: Vec<Option<u32>>,
}

/// A state of the automaton of wrong runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonWords {
    /// Its moves: what must hold, where it leads, and the marks it carries.
    pub moves: Vec<(String, u32, Vec<u32>)>,
}

impl Words {
    /// The words for a search's log.
    pub fn new(
        source: &str,
        property: &str,
        obligation: &Obligation,
        product: &Product<'_>,
        log: &Log,
    ) -> Words {
        let program = product.program();
        let lines = LineIndex::new(source);
        let family = |domain: Domain| match domain {
            Domain::Family(family) => Some(family.0),
            Domain::Range(..) => None,
        };
        let mut words = Words {
            property: property.into(),
            instance: obligation.instance(program),
            alike: obligation.orbit,
            families: families(program),
            actions: program
                .actions
                .iter()
                .map(|action| ActionWords {
                    name: action.name.clone(),
                    line: lines.position(action.span.start).line,
                    params: action.params.iter().map(|param| family(param.domain)).collect(),
                })
                .collect(),
            tracked: (0..obligation.tracked.len()).map(|k| tracked_name(program, obligation, k)).collect(),
            states: Vec::new(),
            automaton: automaton(program, obligation),
        };
        let compact = Compact::new(program);
        words.states = log.entries().iter().map(|entry| state(product, log, &compact, entry)).collect();
        words
    }

    /// A process as the model writes it.
    pub fn process(&self, process: Process) -> String {
        let (family, range) = self.piece(process.0..process.0 + 1);
        run(family, &range)
    }

    /// A set of processes, those next to each other as one: `client[0], client[2..99]`.
    pub fn set(&self, ranges: impl IntoIterator<Item = Range<u32>>) -> String {
        let mut parts = Vec::new();
        let mut left = 0;
        for mut range in ranges {
            while !range.is_empty() {
                let (family, piece) = self.piece(range.clone());
                if parts.len() < PARTS {
                    parts.push(run(family, &piece));
                } else {
                    left += piece.len();
                }
                range.start = piece.end;
            }
        }
        if left > 0 {
            parts.push(format!("{left} more"));
        }
        parts.join(", ")
    }

    /// The family of the first process of a range, and the part of the range that is of this family.
    fn piece(&self, range: Range<u32>) -> (&FamilyWords, Range<u32>) {
        let after = self.families.partition_point(|family| family.first <= range.start);
        let family = &self.families[after.saturating_sub(1)];
        (family, range.start..range.end.min(family.first + family.size).max(range.start + 1))
    }

    /// A permutation in cycle notation; the identity is `id`.
    pub fn perm(&self, perm: &Perm) -> String {
        if perm.is_identity() {
            return "id".into();
        }
        let (mut text, mut written) = (String::new(), 0);
        for cycle in perm.cycles() {
            if written + cycle.len() > 2 * PARTS {
                let moved = perm.moves().len() - written;
                let _ = write!(text, " … {moved} more");
                break;
            }
            written += cycle.len();
            let names: Vec<String> = cycle.into_iter().map(|p| self.process(p)).collect();
            let _ = write!(text, "({})", names.join(" "));
        }
        text
    }

    /// A step: `server.grant(client[1])`; a state without steps repeats.
    pub fn step(&self, step: Option<&LoggedStep>) -> String {
        let Some(step) = step else { return "nothing can move, the state repeats".into() };
        format!("{}.{}", self.process(step.process), self.action(step))
    }

    /// The action of a step with its arguments.
    pub fn action(&self, step: &LoggedStep) -> String {
        let action = &self.actions[step.action.0 as usize];
        let argument = |(family, value): (&Option<u32>, &i64)| match family {
            Some(family) => self.process(Process(self.families[*family as usize].first + *value as u32)),
            None => value.to_string(),
        };
        let arguments: Vec<String> = action.params.iter().zip(&step.arguments).map(argument).collect();
        if arguments.is_empty() {
            action.name.clone()
        } else {
            format!("{}({})", action.name, arguments.join(", "))
        }
    }

    /// Where the tracked processes are: `c is client[1]`.
    pub fn places(&self, tracked: &[Process]) -> String {
        let one = |(name, &place): (&String, &Process)| {
            let place = self.process(place);
            if *name == place { place } else { format!("{name} is {place}") }
        };
        self.tracked.iter().zip(tracked).map(one).collect::<Vec<_>>().join(", ")
    }
}

/// The families of a program.
pub fn families(program: &Program) -> Vec<FamilyWords> {
    let one = |family: &orbitscope_core::program::Family| FamilyWords {
        name: family.name.clone(),
        first: family.first.0,
        size: family.size,
        single: family.single,
    };
    program.families.iter().map(one).collect()
}

fn run(family: &FamilyWords, range: &Range<u32>) -> String {
    let (first, last) = (range.start - family.first, range.end - 1 - family.first);
    match &family.name {
        name if family.single => name.clone(),
        name if first == last => format!("{name}[{first}]"),
        name => format!("{name}[{first}..{last}]"),
    }
}

fn tracked_name(program: &Program, obligation: &Obligation, k: usize) -> String {
    let named = obligation.names.iter().find(|(_, value)| *value == AtomValue::Tracked(k));
    named.map_or_else(|| program.process_name(obligation.tracked[k]), |(name, _)| name.clone())
}

/// The state of an entry, as short as in a picture.
fn state(product: &Product<'_>, log: &Log, compact: &Compact<'_>, entry: &Entry) -> String {
    let mut text = if product.program().layout.slots <= FLAT {
        compact.state(&product.aqsi().aqs().flat(entry.state)).join(" · ")
    } else {
        large_state(product, log, compact, entry)
    };
    if let Some((at, _)) = text.char_indices().nth(STATE) {
        text.truncate(at);
        text.push('…');
    }
    text
}

/// How many processes are in which local state, from one process of each class of like ones.
fn large_state(product: &Product<'_>, log: &Log, compact: &Compact<'_>, entry: &Entry) -> String {
    let (program, aqs) = (product.program(), product.aqsi().aqs());
    let state = aqs.state(entry.state);
    let seen = aqs.reduction().see(&state, &entry.tracked);
    let alike = log.partition(entry.partition).image(&log.perm(entry.perm).inverse());
    let mut counts: Vec<(FamilyId, String, u32)> = Vec::new();
    let mut classes = alike.classes();
    for class in classes.by_ref().take(PARTS * PARTS) {
        let Some(first) = class.first() else { continue };
        let (family, number) = program.locate(first);
        let record = program.layout.records[family];
        let mut local = Vec::new();
        for &var in program.families[family].vars.iter().filter(|&&var| compact.is_changing(var)) {
            let (slot, count) = program.entries(var, number);
            for slot in slot.0..slot.0 + count.min(PARTS as u32) {
                let offset = slot - record.first - number * record.stride;
                let place = LocalPlace { family, first: record.first, stride: record.stride, offset };
                let value = seen.local(place, number);
                local.push(program.show_value(program.vars[var].ty.ty, value).to_string());
            }
        }
        let local = local.join(",");
        match counts.iter_mut().find(|(of, text, _)| *of == family && *text == local) {
            Some((.., count)) => *count += class.len(),
            None => counts.push((family, local, class.len())),
        }
    }
    let mut parts: Vec<String> = counts
        .iter()
        .filter(|(_, local, _)| !local.is_empty())
        .map(|(family, local, count)| format!("{} {local}×{count}", program.families[*family].name))
        .collect();
    if classes.next().is_some() {
        parts.push("…".into());
    }
    for (id, var) in program.vars.iter_enumerated().filter(|(id, _)| compact.is_changing(*id)) {
        if var.owner.is_none() {
            let (slot, count) = program.entries(id, 0);
            let value = |slot| program.show_value(var.ty.ty, seen.shared(slot)).to_string();
            let values: Vec<String> = (slot.0..slot.0 + count.min(PARTS as u32)).map(value).collect();
            parts.push(format!("{}={}", var.name, values.join(",")));
        }
    }
    parts.join(" · ")
}

fn automaton(program: &Program, obligation: &Obligation) -> Vec<AutomatonWords> {
    let automaton = &obligation.automaton;
    if automaton.state_count() > AUTOMATON {
        return Vec::new();
    }
    let atom = |ap: Ap| {
        let atom = &obligation.atoms[ap.0 as usize];
        program.show_term(atom.term, |reg| {
            let (_, value) = atom.bound.iter().find(|(bound, _)| *bound == reg)?;
            Some(match *value {
                AtomValue::Tracked(k) => tracked_name(program, obligation, k),
                AtomValue::Number(number) => number.to_string(),
            })
        })
    };
    let guard = |label: &Label| {
        let cube = |cube: &orbitscope_core::automaton::Cube| {
            let literal = |(ap, holds)| if holds { atom(ap) } else { format!("not ({})", atom(ap)) };
            let literals: Vec<String> = cube.literals().into_iter().map(literal).collect();
            if literals.is_empty() { "true".into() } else { literals.join(" and ") }
        };
        label.cubes().iter().take(PARTS).map(cube).collect::<Vec<String>>().join(" or ")
    };
    let state = |q: AutomatonState| AutomatonWords {
        moves: automaton
            .transitions(q)
            .iter()
            .take(AUTOMATON)
            .map(|t| (guard(&t.label), t.target.0, t.marks.iter().collect()))
            .collect(),
    };
    automaton.states().map(state).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixture;
    use crate::engine::protocol::{decode, encode};
    use orbitscope_core::models;

    #[test]
    fn sets_and_permutations_are_short() {
        let words = fixture::cases_of(
            models::find("resource_controller").unwrap().source,
            &[],
            Some("eventually_access"),
        )
        .remove(0)
        .words;
        assert_eq!(words.process(Process(0)), "server");
        assert_eq!(words.set(core::iter::once(0..3)), "server, client[0..1]");
        assert_eq!(words.set([1..2, 3..10]), "client[0], client[2..8]");
        assert_eq!(words.perm(&Perm::transposition(Process(1), Process(3))), "(client[0] client[2])");
        assert_eq!(words.perm(&Perm::identity()), "id");
        assert_eq!(words.tracked, ["c"]);
        assert_eq!(words.places(&[Process(4)]), "c is client[3]");
        let line = words.actions.iter().find(|action| action.name == "grant").unwrap().line;
        assert_eq!(line, 11);
        let moves: Vec<&str> =
            words.automaton.iter().flat_map(|q| &q.moves).map(|(guard, ..)| guard.as_str()).collect();
        assert!(moves.iter().any(|guard| guard.contains("c.st == C")), "{moves:?}");
    }

    #[test]
    fn words_are_written_and_read_and_name_every_step() {
        for case in fixture::cases() {
            let bytes = encode(&case.words);
            assert_eq!(decode::<Words>(&bytes).as_ref(), Some(&case.words));
            assert_eq!(case.words.states.len(), case.log.entries().len());
            for (entry, state) in case.log.entries().iter().zip(&case.words.states) {
                assert!(!state.is_empty() && state.chars().count() <= STATE + 1, "{}: {state}", case.name);
                for step in &entry.steps {
                    let text = case.words.step(Some(step));
                    assert!(text.contains('.') && !text.ends_with('.'), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_million_processes_make_few_words() {
        let source = models::ALL[0].source;
        let case = fixture::cases_of(source, &[("clients", 1_000_000)], Some("eventually_access")).remove(0);
        let bytes = encode(&case.words);
        assert!(bytes.len() < 200 * case.words.states.len() + 4_000, "{} bytes", bytes.len());
        assert!(case.words.states[0].contains("I×1000000"), "{}", case.words.states[0]);
    }
}
