//! The steps that can be taken in a state; those that are alike stand together.

use super::choices::Choices;
use super::model::CheckedModel;
use orbitscope_core::group::{Group, Perm, Process};
use orbitscope_core::program::{ActionId, Domain, Machine, Program, Successor};
use orbitscope_core::symmetry::{Structure, state_structure};
use orbitscope_core::text::LineIndex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// At most this many kinds of steps are listed.
const KINDS: usize = 200;
/// At most this many steps of a kind are named one by one.
const NAMED: usize = 24;
/// The search for steps that are alike reads at most this many values; the steps after that are only counted.
const EFFORT: usize = 40_000_000;

/// Steps that are alike: a symmetry that leaves the state as it is takes one to the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// The family of the processes that execute.
    pub family: String,
    /// The action.
    pub action: String,
    /// Its line in the text, from 1.
    pub line: u32,
    /// The first of these steps by their numbers, in words.
    pub steps: Vec<(u32, String)>,
    /// How many there are.
    pub count: u32,
}

/// The steps of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// The steps, alike ones once.
    pub kinds: Vec<Kind>,
    /// How many steps more there are.
    pub more: u32,
    /// How many processes can move, and how many there are.
    pub enabled: (u32, u32),
    /// The error that ended the search for steps.
    pub fault: Option<String>,
}

/// The steps of a state with these values.
pub(super) fn offered(model: &CheckedModel, choices: Choices, now: &[i32]) -> Offered {
    let program = &model.program;
    let mut options: Vec<Taken> = Vec::new();
    let mut moving = BTreeSet::new();
    let ended = Machine::new(program).steps(now, &mut |step: Successor<'_>| {
        options.push((step.process, step.action, step.arguments.to_vec()));
        moving.insert(step.process);
        ControlFlow::Continue(())
    });
    let symmetry = choices.symmetry_of(model);
    let alike = Alike { program, structure: state_structure(program), group: &symmetry.group, now };
    let (kinds, more) = kinds(model, &alike, &options);
    Offered {
        kinds,
        more,
        enabled: (moving.len() as u32, program.process_count()),
        fault: ended.err().map(|fault| format!("there is an error here: {}", program.show_fault(&fault))),
    }
}

/// Which steps of a state are alike.
struct Alike<'a> {
    program: &'a Program,
    structure: Structure,
    group: &'a Group,
    now: &'a [i32],
}

/// Who executes, what, and with which arguments.
type Taken = (Process, ActionId, Vec<i64>);

impl Alike<'_> {
    /// The processes of a step: the one that executes, and those among its arguments.
    fn processes(&self, (process, action, arguments): &Taken) -> Vec<Process> {
        let params = &self.program.actions[*action].params;
        let named = params.iter().zip(arguments).filter_map(|(param, &value)| match param.domain {
            Domain::Family(family) => Some(self.program.process(family, u32::try_from(value).ok()?)),
            Domain::Range(..) => None,
        });
        [*process].into_iter().chain(named).collect()
    }

    fn numbers(&self, (_, action, arguments): &Taken) -> Vec<i64> {
        let params = &self.program.actions[*action].params;
        let is_number = |domain: Domain| matches!(domain, Domain::Range(..));
        params
            .iter()
            .zip(arguments)
            .filter(|(param, _)| is_number(param.domain))
            .map(|(_, &value)| value)
            .collect()
    }

    /// Whether exchanging their processes one by one takes one to the other and leaves the state as it is.
    fn are(&self, a: &Taken, b: &Taken) -> bool {
        if a.1 != b.1 || self.numbers(a) != self.numbers(b) {
            return false;
        }
        let (from, to) = (self.processes(a), self.processes(b));
        let mut turn = Perm::identity();
        for (&a, &b) in from.iter().zip(&to) {
            let at = turn.apply(a);
            if at != b {
                turn = Perm::transposition(at, b).compose(&turn);
            }
        }
        from.iter().zip(&to).all(|(&a, &b)| turn.apply(a) == b)
            && self.group.contains(&turn)
            && self.structure.apply(&turn, self.now) == self.now
    }
}

fn kinds(model: &CheckedModel, alike: &Alike<'_>, options: &[Taken]) -> (Vec<Kind>, u32) {
    let program = &model.program;
    let lines = LineIndex::new(&model.source);
    let mut kinds: Vec<(&Taken, Kind)> = Vec::new();
    let (mut effort, mut more) = (0, 0);
    for (number, step) in (0..).zip(options) {
        let words = || program.show_step(step.0, step.1, &step.2);
        let like = kinds.iter().position(|(head, _)| {
            effort += alike.now.len();
            effort <= EFFORT && alike.are(head, step)
        });
        if let Some(at) = like {
            let kind = &mut kinds[at].1;
            kind.count += 1;
            if kind.steps.len() < NAMED {
                kind.steps.push((number, words()));
            }
        } else if kinds.len() < KINDS && effort <= EFFORT {
            let action = &program.actions[step.1];
            let kind = Kind {
                family: program.families[program.locate(step.0).0].name.clone(),
                action: action.name.clone(),
                line: lines.position(action.span.start).line,
                steps: vec![(number, words())],
                count: 1,
            };
            kinds.push((step, kind));
        } else {
            more += 1;
        }
    }
    (kinds.into_iter().map(|(_, kind)| kind).collect(), more)
}
