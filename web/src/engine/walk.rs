//! Walks by hand: a state, the steps that can be taken in it, and where they lead. One state at a time is looked at, so a
//! walk works where the states are too many to explore.
//!
//! A walk is where it starts and the numbers of its steps, each counted among the steps of its state in the fixed order of
//! [`orbitscope_core::program::Stepper`]: it can be sent, and is taken anew by whoever reads it.

use super::choices::Choices;
use super::condition::{Condition, judge};
use super::film::Studio;
use super::model::{CheckedModel, Question};
use super::orbit;
use super::picture::GraphKind;
use super::run::{Run, Source};
use super::steps::{Kind, Offered, offered};
use orbitscope_core::draw::short_states;
use orbitscope_core::explore::{Path, PathStep, changes_between};
use orbitscope_core::group::Process;
use orbitscope_core::program::{
    ActionId, FormulaKind, Machine, Predicate, Program, PropertyId, PropertyKind, Slot, Successor,
};
use orbitscope_core::quotient::{Aqs, EdgeStorage};
use orbitscope_core::syntax::ast::Logic;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::rc::Rc;

/// A walk has at most so many steps.
pub const MAX_STEPS: usize = 2_000;
/// The search for the nodes of a walk reads at most this many values.
const EFFORT: usize = 4_000_000;
/// The most states that are looked at for one in which a condition holds.
const LOOKED_AT: usize = 20_000;
/// The most values of states that are kept while one is looked for.
const KEPT: usize = 20_000_000;

/// Where a walk starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// The first initial state.
    First,
    /// The state that a node of a graph is, or its representative.
    Node(GraphKind, u32),
    /// These values.
    State(Vec<i32>),
}

/// A walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walk {
    /// Where it starts.
    pub start: Start,
    /// The numbers of its steps.
    pub picks: Vec<u32>,
    /// The fingerprint of its states, where it comes from elsewhere or is known.
    pub seen: Option<u32>,
}

impl Walk {
    /// A walk of these steps, whatever states they lead to.
    pub fn new(start: Start, picks: Vec<u32>) -> Walk {
        Walk { start, picks, seen: None }
    }
}

/// How a walk shall go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Go {
    /// Not at all.
    Stay,
    /// By so many steps, chosen at random with this seed.
    Random(u32, u64),
    /// By the fewest steps to a state in which this holds.
    Until(String),
}

/// A walk as far as it goes, and what can be done at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walked {
    /// The walk, with the values of its start.
    pub walk: Walk,
    /// Its lanes.
    pub run: Rc<Run>,
    /// For each state of it the lines of a node: of the state itself, and of its representative where that is known.
    pub places: Vec<(Vec<String>, Option<Vec<String>>)>,
    /// The steps of its last state.
    pub kinds: Vec<Kind>,
    /// How many steps more there are.
    pub more: u32,
    /// How many processes can move at its end, and how many there are.
    pub enabled: (u32, u32),
    /// The invariants by their numbers, and whether each holds at its end; none where it has an error there.
    pub invariants: Vec<(u32, Option<bool>)>,
    /// A note on why it did not go as was asked.
    pub note: Option<String>,
}

/// A step that can be taken.
struct Taking {
    process: Process,
    action: ActionId,
    arguments: Vec<i64>,
    next: Vec<i32>,
}

/// Takes a walk, and lets it go on.
pub(super) fn walk<'m>(
    model: &'m CheckedModel,
    studio: &mut Studio<'m>,
    choices: Choices,
    question: &Question,
    walk: &Walk,
    go: &Go,
) -> Result<Walked, String> {
    let program = &model.program;
    let start = start(model, studio, choices, &walk.start)?;
    let mut hand = Hand {
        machine: Machine::new(program),
        path: Path { start: start.clone(), steps: Vec::new() },
        now: start,
        picks: Vec::new(),
    };
    let mut note = None;
    for &pick in walk.picks.iter().take(MAX_STEPS) {
        if let Err(why) = hand.take(pick) {
            note = Some(format!(
                "The walk ends after {} of its {} steps: {why}",
                hand.picks.len(),
                walk.picks.len()
            ));
            break;
        }
    }
    // Numbers may fit another model, or another order of steps, and would be another walk there.
    if walk.seen.is_some_and(|seen| seen != fingerprint(program, &hand.path)) {
        return Err(
            "The walk was made in another model, or with another version of this page: a new one begins."
                .into(),
        );
    }
    let gone = match go {
        Go::Stay => Ok(()),
        Go::Random(steps, seed) => hand.random(*steps, *seed),
        Go::Until(condition) => {
            Condition::new(question, program, condition).and_then(|until| hand.until(&until))
        }
    };
    if let Err(why) = gone {
        note = Some(why);
    }
    Ok(told(model, choices, hand, note))
}

fn start<'m>(
    model: &'m CheckedModel,
    studio: &mut Studio<'m>,
    choices: Choices,
    start: &Start,
) -> Result<Vec<i32>, String> {
    let program = &model.program;
    match start {
        Start::First => Ok(program.initial.values.clone()),
        Start::Node(of, node) => orbit::values(model, studio, *of, *node, choices).ok_or_else(|| {
            "The graph has no such node any more: the walk starts at an initial state instead.".into()
        }),
        Start::State(values) => {
            let machine = Machine::new(program);
            let fits = |(slot, &value): (usize, &i32)| {
                let var = machine.packing().var(Slot(slot as u32));
                program.vars[var].ty.contains(value.into())
            };
            let sound = values.len() == program.layout.slots as usize && values.iter().enumerate().all(fits);
            if sound {
                Ok(values.clone())
            } else {
                Err("The walk starts in a state that this model does not have.".into())
            }
        }
    }
}

/// A walk under way.
struct Hand<'p> {
    machine: Machine<'p>,
    path: Path,
    now: Vec<i32>,
    picks: Vec<u32>,
}

impl Hand<'_> {
    /// The steps of a state, or what is wrong there.
    fn steps(
        &mut self,
        values: &[i32],
        mut each: impl FnMut(u32, &Successor<'_>) -> ControlFlow<()>,
    ) -> Result<(), String> {
        let mut number = 0;
        let program = self.machine.program();
        let ended = self.machine.steps(values, &mut |step: Successor<'_>| {
            let flow = each(number, &step);
            number += 1;
            flow
        });
        ended.map(|_| ()).map_err(|fault| format!("there is an error here: {}", program.show_fault(&fault)))
    }

    fn push(&mut self, pick: u32, step: Taking) {
        let changes = changes_between(&self.now, &step.next);
        let Taking { process, action, arguments, next } = step;
        self.path.steps.push(PathStep { process, action, arguments, changes });
        self.picks.push(pick);
        self.now = next;
    }

    /// Takes the step with this number.
    fn take(&mut self, pick: u32) -> Result<(), String> {
        let now = self.now.clone();
        let mut found = None;
        self.steps(&now, |number, step| {
            if number < pick {
                return ControlFlow::Continue(());
            }
            found = Some(owned(step, &now));
            ControlFlow::Break(())
        })?;
        self.push(pick, found.ok_or("there is no such step in the state it has come to.")?);
        Ok(())
    }

    fn random(&mut self, steps: u32, seed: u64) -> Result<(), String> {
        let mut random = seed | 1;
        for taken in 0..steps {
            let now = self.now.clone();
            let mut count = 0;
            self.steps(&now, |_, _| {
                count += 1;
                ControlFlow::Continue(())
            })?;
            if count == 0 {
                return Err(format!("After {taken} of {steps} steps nothing can move: this is a deadlock."));
            }
            if self.picks.len() >= MAX_STEPS {
                return Err(format!("A walk has at most {MAX_STEPS} steps."));
            }
            // Xorshift, after Marsaglia: the same seed walks the same way.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            self.take((random >> 11) as u32 % count)?;
        }
        Ok(())
    }

    /// The fewest steps to a state in which the condition holds; the present one does not count.
    fn until(&mut self, until: &Condition) -> Result<(), String> {
        let mut seen: BTreeSet<Vec<i32>> = BTreeSet::from([self.now.clone()]);
        let mut found: Vec<(Vec<i32>, usize, u32)> = vec![(self.now.clone(), 0, 0)];
        let mut waiting: VecDeque<usize> = VecDeque::from([0]);
        let most = LOOKED_AT.min(KEPT / self.now.len().max(1)).max(16);
        while let Some(at) = waiting.pop_front() {
            let values = found[at].0.clone();
            let mut goal = None;
            let mut wrong = None;
            self.steps(&values, |pick, step| {
                let next = step.apply(&values);
                if found.len() >= most || !seen.insert(next.clone()) {
                    return ControlFlow::Continue(());
                }
                let holds = until.holds(&next);
                found.push((next, at, pick));
                waiting.push_back(found.len() - 1);
                match holds {
                    Ok(false) => return ControlFlow::Continue(()),
                    Ok(true) => goal = Some(found.len() - 1),
                    Err(why) => wrong = Some(why),
                }
                ControlFlow::Break(())
            })?;
            if let Some(why) = wrong {
                return Err(why);
            }
            if let Some(goal) = goal {
                let mut picks = Vec::new();
                let mut at = goal;
                while at != 0 {
                    picks.push(found[at].2);
                    at = found[at].1;
                }
                return picks.into_iter().rev().try_for_each(|pick| self.take(pick));
            }
        }
        Err(if found.len() >= most {
            format!("Among the nearest {} states there is none in which this holds.", found.len())
        } else {
            format!("None of the {} states that can be reached from here makes this true.", found.len())
        })
    }
}

fn owned(step: &Successor<'_>, now: &[i32]) -> Taking {
    Taking {
        process: step.process,
        action: step.action,
        arguments: step.arguments.to_vec(),
        next: step.apply(now),
    }
}

fn told(model: &CheckedModel, choices: Choices, hand: Hand<'_>, note: Option<String>) -> Walked {
    let program = &model.program;
    let run = Run::new(program, &model.source, Source::Path(&hand.path), None);
    let seen = Some(fingerprint(program, &hand.path));
    let now = &hand.now;
    let Offered { kinds, more, enabled, fault } = offered(model, choices, now);
    Walked {
        places: places(model, choices, &hand.path),
        invariants: invariants(program, now),
        walk: Walk { start: Start::State(hand.path.start.clone()), picks: hand.picks, seen },
        run: Rc::new(run),
        kinds,
        more,
        enabled,
        note: note.or(fault),
    }
}

/// A number that differs where the states of two walks do, or what their values are called, or who does what. Links keep it:
/// it is computed from names and values alone, in this order for ever.
fn fingerprint(program: &Program, path: &Path) -> u32 {
    // FNV-1a of 32 bits.
    let mut hash = 0x811c_9dc5_u32;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes.iter().chain(&[0xff]) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    };
    for var in &program.vars {
        add(var.name.as_bytes());
    }
    for family in &program.families {
        add(family.name.as_bytes());
        add(&family.size.to_le_bytes());
    }
    for literal in program.enums.iter().flatten() {
        add(literal.as_bytes());
    }
    for value in &path.start {
        add(&value.to_le_bytes());
    }
    for (step, state) in path.steps.iter().zip(path.states()) {
        add(program.actions[step.action].name.as_bytes());
        add(&step.process.0.to_le_bytes());
        for argument in &step.arguments {
            add(&argument.to_le_bytes());
        }
        for value in &state {
            add(&value.to_le_bytes());
        }
    }
    hash
}

fn invariants(program: &Program, now: &[i32]) -> Vec<(u32, Option<bool>)> {
    let told = |(id, property): (PropertyId, &orbitscope_core::program::Property)| {
        let PropertyKind::Formula(Logic::Invariant, formula) = property.kind else { return None };
        let FormulaKind::Atom(term) = program.formulas[formula].kind else { return None };
        let predicate = Predicate::new(program, term, property.regs);
        Some((id.0, judge(&predicate, now).ok()))
    };
    program.properties.iter_enumerated().filter_map(told).collect()
}

/// The lines of the nodes that the states of a path are, and their representatives.
fn places(model: &CheckedModel, choices: Choices, path: &Path) -> Vec<(Vec<String>, Option<Vec<String>>)> {
    let program = &model.program;
    let states: Vec<Vec<i32>> = [path.start.clone()].into_iter().chain(path.states()).collect();
    if states.len() * path.start.len() > EFFORT {
        return Vec::new();
    }
    let symmetry = choices.symmetry_of(model);
    let mut aqs = Aqs::new(program, &symmetry, choices.prune, EdgeStorage::Stored, 1);
    let turned: Vec<Vec<i32>> = states
        .iter()
        .map(|values| {
            let (id, _) = aqs.enter(values);
            aqs.flat(id)
        })
        .collect();
    let lines = short_states(program, states.iter().map(Vec::as_slice));
    let turned = short_states(program, turned.iter().map(Vec::as_slice));
    lines.into_iter().zip(turned.into_iter().map(Some)).collect()
}
