//! The compiled machine against the interpreter: the same places, states, steps, faults and invariants, in the words of
//! the program.

use super::oracle::{Claim, Graph, Moment, Oracle, Scope, Wrong};
use orbitscope_core::explore::{Exploration, Limits, StateId, StopReason};
use orbitscope_core::ids::Id;
use orbitscope_core::program::{Domain, FaultKind, Misuse, Program, Property, Type};
use orbitscope_core::syntax::ast::{File, ItemKind, Logic};
use std::collections::HashMap;

/// Compares all states and steps; what differs is the error. `Ok` gives the numbers of states and steps.
pub(crate) fn compare(
    file: &File,
    program: &Program,
    settings: &[(&str, i64)],
) -> Result<(usize, usize), String> {
    let oracle = Oracle::new(file, settings);
    let graph = oracle.explore(200_000).ok_or("too many states for the interpreter")?;
    let mut exploration = Exploration::new(program, Limits::default(), &[]).keeping_edges();
    let stopped = exploration.run().clone();
    let numbers = Numbers::new(&oracle, &graph, program)?;
    // For each state of the machine the interpreter's number of it.
    let states = (0..exploration.states().len()).map(StateId);
    let same: Result<Vec<usize>, String> = states.map(|id| numbers.state(&exploration.values(id))).collect();
    let same = same?;
    if let StopReason::Fault(state, fault) = &stopped {
        let wrong = &graph.wrong[same[state.index()]];
        let kind = wrong_of(fault.fault.kind);
        // Where both the value and the place of an assignment are wrong, either may be said.
        // An empty process id is nobody, or nothing: which one is said depends on what it is a part of.
        let place = |w: &Wrong| matches!(w, Wrong::Nobody | Wrong::Index | Wrong::Absent);
        let either = matches!(kind, Wrong::Range | Wrong::Absent | Wrong::Nobody | Wrong::Index)
            && wrong.iter().any(|w| place(w) || kind != Wrong::Range && *w == Wrong::Range);
        // A step may misuse two containers; the interpreter stops at the first, the machine at whichever it writes first.
        let container = |w: &Wrong| matches!(w, Wrong::Empty | Wrong::Full | Wrong::Missing);
        let either = either || container(&kind) && wrong.iter().any(container);
        return if either || wrong.contains(&kind) {
            Ok((graph.states.len(), 0))
        } else {
            Err(format!("the machine finds {fault:?}, the interpreter {wrong:?}"))
        };
    }
    if stopped != StopReason::Complete {
        return Err(format!("the machine stopped: {stopped:?}"));
    }
    if let Some(state) = graph.wrong.iter().position(|w| !w.is_empty()) {
        return Err(format!("only the interpreter finds {:?} in state {state}", graph.wrong[state]));
    }
    if graph.states.len() != same.len() {
        return Err(format!("{} states, the interpreter has {}", same.len(), graph.states.len()));
    }
    steps(program, &graph, &exploration, &same)?;
    let starts = |id: &usize| exploration.is_initial(StateId(*id as u32));
    let mut initial: Vec<usize> = (0..same.len()).filter(starts).map(|id| same[id]).collect();
    initial.sort_unstable();
    let mut expected = graph.initial.clone();
    expected.sort_unstable();
    if initial != expected {
        return Err("different initial states".to_string());
    }
    invariants(file, program, &oracle, &graph)?;
    asserts(file, program, &oracle)?;
    Ok((graph.states.len(), graph.steps.iter().map(Vec::len).sum()))
}

/// The interpreter's numbers of the machine's states.
pub(crate) struct Numbers {
    words: Words,
    known: HashMap<String, usize>,
}

impl Numbers {
    pub(crate) fn new(oracle: &Oracle<'_>, graph: &Graph, program: &Program) -> Result<Numbers, String> {
        let words = Words::new(program);
        let order = places(oracle, &words)?;
        let shown = graph.states.iter().enumerate();
        let known = shown
            .map(|(id, state)| (order.iter().map(|&p| oracle.show(state[p]) + " ").collect(), id))
            .collect();
        Ok(Numbers { words, known })
    }

    /// The number of a state that is given by its values.
    pub(crate) fn state(&self, values: &[i32]) -> Result<usize, String> {
        let shown = self.words.state(values);
        self.known.get(&shown).copied().ok_or_else(|| format!("only the machine reaches {shown}"))
    }
}

/// Whatever the machine says of an invariant, the interpreter says of all its states.
fn invariants(file: &File, program: &Program, oracle: &Oracle<'_>, graph: &Graph) -> Result<(), String> {
    for item in &file.items {
        let ItemKind::Property { logic: Logic::Invariant, name, formula } = &item.kind else { continue };
        let id = program.property(&name.name).ok_or("the property is lost")?;
        let mut exploration = Exploration::new(program, Limits::default(), &[id]);
        let faulty = matches!(exploration.run(), StopReason::Fault(..) | StopReason::PropertyFault(..));
        let held = exploration.violations().is_empty();
        let scope = Scope::default();
        let said = |s| oracle.holds(*formula, &scope, s, Moment::default());
        if faulty {
            if !graph.states.iter().any(|s| said(s).is_err()) {
                return Err(format!("only the machine finds a fault in `{}`", name.name));
            }
            continue;
        }
        let holds = graph.states.iter().all(|s| said(s) == Ok(true));
        if held != holds {
            return Err(format!("the machine says {held} of `{}`, the interpreter {holds}", name.name));
        }
    }
    Ok(())
}

/// The assert that a property is about; none where the text declares the property.
pub(crate) fn claim(file: &File, property: &Property) -> Option<Claim> {
    let mut declared = file.items.iter().filter_map(|item| item.kind.name());
    if declared.any(|name| name.name == property.name) {
        return None;
    }
    let step = property.name.strip_prefix("assert_").and_then(|name| name.rsplit_once('_'));
    let (step, _) = step.expect("an assert is called after its action");
    Some((property.span.start, step.to_string()))
}

/// Whatever the machine says of an assert, the interpreter found when it made the steps.
fn asserts(file: &File, program: &Program, oracle: &Oracle<'_>) -> Result<(), String> {
    let mut failed = oracle.failed.borrow().clone();
    for (id, property) in program.properties.iter_enumerated() {
        let Some(claim) = claim(file, property) else { continue };
        let mut exploration = Exploration::new(program, Limits::default(), &[id]);
        exploration.run();
        let held = exploration.violations().is_empty();
        let holds = !failed.remove(&claim);
        if held != holds {
            return Err(format!("the machine says {held} of `{}`, the interpreter {holds}", property.name));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("asserts without a property fail: {failed:?}")) }
}

fn steps(
    program: &Program,
    graph: &Graph,
    exploration: &Exploration<'_>,
    same: &[usize],
) -> Result<(), String> {
    let mut found: Vec<Vec<(String, usize)>> = vec![Vec::new(); same.len()];
    for edge in exploration.edges() {
        let label = program.show_step(edge.process, edge.action, &edge.arguments);
        found[same[edge.from.index()]].push((label, same[edge.to.index()]));
    }
    for (state, found) in found.iter().enumerate() {
        // The order is part of the language: process, action in source order, parameters in order.
        let expected: Vec<(String, usize)> =
            graph.steps[state].iter().map(|(_, label, to)| (label.clone(), *to)).collect();
        let (mut found, mut expected) = (found.clone(), expected);
        if program.actions.iter().any(|action| action.shown.is_some()) {
            // A value taken from a bag is tried kind by kind: the order within an action is another one.
            found.sort();
            expected.sort();
        }
        if found != expected {
            return Err(format!("state {state}: the machine has {found:?}, the interpreter {expected:?}"));
        }
    }
    let deadlocks = graph.steps.iter().filter(|list| list.is_empty()).count();
    if deadlocks != exploration.deadlocks().len() {
        return Err(format!("{} deadlocks, not {deadlocks}", exploration.deadlocks().len()));
    }
    Ok(())
}

fn wrong_of(kind: FaultKind) -> Wrong {
    match kind {
        FaultKind::DivisionByZero => Wrong::Division,
        FaultKind::Overflow => Wrong::Overflow,
        FaultKind::Index { .. } | FaultKind::Misuse(Misuse::Outside) => Wrong::Index,
        FaultKind::NoProcess => Wrong::Nobody,
        FaultKind::Range { .. } => Wrong::Range,
        FaultKind::Literal => Wrong::Literal,
        FaultKind::AssignedTwice => Wrong::Twice,
        FaultKind::Nothing => Wrong::Nothing,
        FaultKind::Misuse(Misuse::Absent) => Wrong::Absent,
        FaultKind::Misuse(Misuse::Empty) => Wrong::Empty,
        FaultKind::Misuse(Misuse::Full) => Wrong::Full,
        FaultKind::Misuse(Misuse::Missing) => Wrong::Missing,
        FaultKind::Endless => Wrong::Endless,
    }
}

/// For each place of the machine the interpreter's position of it.
fn places(oracle: &Oracle<'_>, words: &Words) -> Result<Vec<usize>, String> {
    let names = oracle.place_names();
    if names.len() != words.places.len() {
        return Err(format!("places {:?}, not {names:?}", words.places));
    }
    let find = |name: &String| {
        names.iter().position(|n| n == name).ok_or_else(|| format!("the interpreter has no place {name}"))
    };
    words.places.iter().map(find).collect()
}

/// The machine's places and values in words: a place is an entry of a variable as it was declared, whatever it is made of.
struct Words {
    /// One name per place.
    places: Vec<String>,
    /// For each place how its value is shown.
    shown: Vec<Show>,
}

type Show = Box<dyn Fn(&[i32]) -> String>;

impl Words {
    fn new(program: &Program) -> Words {
        let mut words = Words { places: Vec::new(), shown: Vec::new() };
        let program = std::rc::Rc::new(program.clone());
        for (id, decl) in program.declared.iter_enumerated() {
            let owners = decl.owner.map_or(1, |f| program.families[f].size);
            for owner in 0..owners {
                let prefix = decl.owner.map_or(String::new(), |f| {
                    format!("{}.", program.process_name(program.process(f, owner)))
                });
                for entry in 0..program.declared_entries(decl) {
                    words.places.push(format!(
                        "{prefix}{}{}",
                        decl.name,
                        indices(&program, &decl.index, entry)
                    ));
                    let own = program.clone();
                    words.shown.push(Box::new(move |values| {
                        own.show_declared(&own.declared[id], values, owner, entry)
                    }));
                }
            }
        }
        words
    }

    fn state(&self, values: &[i32]) -> String {
        self.shown.iter().map(|show| show(values) + " ").collect()
    }
}

fn indices(program: &Program, index: &[Domain], entry: u32) -> String {
    let mut rest = entry;
    let mut shown = Vec::new();
    for domain in index.iter().rev() {
        let (size, low, ty) = match domain {
            Domain::Family(family) => {
                (program.families[*family].size, 0, Type::Process { family: *family, optional: false })
            }
            Domain::Range(low, high) => ((high - low + 1) as u32, *low, Type::Int),
        };
        shown.push(program.show_value(ty, low + (rest % size) as i64).to_string());
        rest /= size;
    }
    shown.reverse();
    if shown.is_empty() { String::new() } else { format!("[{}]", shown.join(", ")) }
}
