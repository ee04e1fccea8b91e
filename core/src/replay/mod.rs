//! Whether a log of an implementation is a behaviour of the program.
//!
//! A log is a row of [`Observation`]s in the order in which they were seen: who moved, which action, and some values afterwards; each
//! part may be missing. [`Replay`] keeps every pair of a state and a binding of the log's names to processes that the lines
//! read so far allow. A line that no pair allows is where log and program part.
//!
//! # Invariants
//!
//! - A binding is injective, and never forgotten: a name is one process for the whole log.
//! - Names are bound when they are first needed. Of unbound processes that a transposition of the program's group exchanges
//!   without changing the state, one is tried: the futures of the others are the same with the names exchanged.
//! - A line with an action is one step, after at most [`Options::hidden`] steps that the log does not tell of. A line without
//!   an action but with a process is one step of that process or none; one with neither is no step.

mod line;

pub use line::{LineError, Observation, Seen};

use crate::group::{Perm, Process};
use crate::program::{ActionId, FamilyId, Machine, Program, StepFault, Type};
use crate::symmetry::{ProgramSymmetry, Structure, state_structure};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use hashbrown::HashSet;
use line::{Line, NameId, Names};
use rustc_hash::FxBuildHasher;

/// Of larger programs no processes are taken for alike: every pair of them would be looked at.
const MANY: u32 = 1_000;
/// For an impossible line, the possible steps are listed for this many states, and this many of them.
const SHOWN_STATES: usize = 200;
const SHOWN_STEPS: usize = 40;

/// The parts that a log may leave out.
#[derive(Clone, Debug)]
pub struct Options {
    /// At most this many steps before each line that the log does not tell of.
    pub hidden: u32,
    /// The actions that these steps may have; all where it is empty.
    pub hide: Vec<ActionId>,
    /// Whether names such as `client[0]` are the model's own names, and not just names. Then no processes are taken for alike.
    pub own_names: bool,
    /// At most this many pairs of a state and a binding are kept.
    pub limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { hidden: 0, hide: Vec::new(), own_names: false, limit: 100_000 }
    }
}

/// A state that the log allows so far, and what its names stand for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Node {
    state: Box<[u64]>,
    binding: Binding,
}

/// By name: the process that it is, where that is known.
type Binding = Vec<Option<Process>>;

/// Nodes in the order in which they were found, each once.
#[derive(Clone, Debug, Default)]
struct Nodes {
    list: Vec<Node>,
    known: HashSet<Node, FxBuildHasher>,
}

impl Nodes {
    fn insert(&mut self, node: Node) {
        if self.known.insert(node.clone()) {
            self.list.push(node);
        }
    }
}

/// How reading a line ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is possible, in this many states.
    Possible(usize),
    /// It is not; the log ends here.
    Impossible(Box<Impossible>),
    /// More states are possible than are allowed to be kept.
    TooMany,
    /// The program has an error in a state that the log leads to.
    Fault(StepFault),
}

/// Why a line is not possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impossible {
    /// How many states were possible before it, counted with the hidden steps that may come first.
    pub before: usize,
    /// One of them, in the words of the model.
    pub state: String,
    /// The steps that were possible there, in the log's names where these are known, ascending.
    pub steps: Vec<String>,
    /// How many there are, listed or not.
    pub step_count: usize,
    /// Steps that the line could mean if its values were others, with the first difference, ascending.
    pub near: Vec<(String, String)>,
    /// The processes that the names stand for in that state.
    pub names: Vec<(String, String)>,
}

/// Reads a log, line by line.
#[derive(Debug)]
pub struct Replay<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    options: Options,
    structure: Structure,
    /// By process: the first one that a transposition of the group exchanges it with.
    like: Vec<Process>,
    names: Names,
    nodes: Vec<Node>,
    ended: bool,
}

impl<'p> Replay<'p> {
    /// Begins in the initial states; none where there are more than allowed.
    pub fn new(program: &'p Program, symmetry: &ProgramSymmetry, options: Options) -> Option<Self> {
        let machine = Machine::new(program);
        let mut nodes = Nodes::default();
        let mut walk = program.initial.walk();
        loop {
            let mut state = alloc::vec![0; machine.packing().words() as usize];
            machine.packing().pack(&walk.values, &mut state);
            nodes.insert(Node { state: state.into(), binding: Vec::new() });
            if nodes.list.len() > options.limit {
                return None;
            }
            if !program.initial.advance(program, machine.packing(), &mut walk) {
                break;
            }
        }
        Some(Replay {
            program,
            structure: state_structure(program),
            like: alike(program, if options.own_names { None } else { Some(symmetry) }),
            names: Names { own: options.own_names, ..Names::default() },
            machine,
            options,
            nodes: nodes.list,
            ended: false,
        })
    }

    /// Reads the next line.
    pub fn read(&mut self, seen: &Observation) -> Result<Outcome, LineError> {
        if self.ended {
            return Ok(Outcome::TooMany);
        }
        let line = Line::resolve(self.program, &mut self.names, seen)?;
        for node in &mut self.nodes {
            node.binding.resize(self.names.texts.len(), None);
        }
        let outcome = self.advance(&line);
        self.ended = !matches!(outcome, Outcome::Possible(_));
        Ok(outcome)
    }

    /// How many possible states are kept at most.
    pub fn limit(&self) -> usize {
        self.options.limit
    }

    /// The process that each name of the log stands for, where all possible states agree; else none.
    pub fn names(&self) -> Vec<(&str, Option<String>)> {
        let agreed = |at: usize| {
            let first = self.nodes.first()?.binding.get(at).copied().flatten()?;
            let all = self.nodes.iter().all(|node| node.binding.get(at) == Some(&Some(first)));
            all.then(|| self.program.process_name(first))
        };
        self.names.texts.iter().enumerate().map(|(at, name)| (name.as_str(), agreed(at))).collect()
    }

    fn advance(&mut self, line: &Line) -> Outcome {
        let mut before = Nodes::default();
        for node in core::mem::take(&mut self.nodes) {
            before.insert(node);
        }
        match self.hidden_steps(&mut before) {
            Ok(true) => {}
            Ok(false) => return Outcome::TooMany,
            Err(fault) => return Outcome::Fault(fault),
        }
        let mut after = Nodes::default();
        for node in &before.list {
            if let Err(fault) = self.line_from(node, line, &mut after) {
                return Outcome::Fault(fault);
            }
            if after.list.len() > self.options.limit {
                return Outcome::TooMany;
            }
        }
        if after.list.is_empty() {
            return Outcome::Impossible(Box::new(self.explain(&before.list, line)));
        }
        self.nodes = after.list;
        Outcome::Possible(self.nodes.len())
    }

    /// Adds what up to this many hidden steps lead to; says whether there is room for it.
    fn hidden_steps(&mut self, nodes: &mut Nodes) -> Result<bool, StepFault> {
        let mut from = 0;
        for _ in 0..self.options.hidden {
            let until = nodes.list.len();
            for at in from..until {
                let node = nodes.list[at].clone();
                let hide = self.options.hide.clone();
                let leaders = self.leaders(&node);
                for (process, action, _, state) in self.steps_of(&node)? {
                    if (hide.is_empty() || hide.contains(&action)) && leaders[process.0 as usize] {
                        nodes.insert(Node { state, binding: node.binding.clone() });
                    }
                }
                if nodes.list.len() > self.options.limit {
                    return Ok(false);
                }
            }
            from = until;
        }
        Ok(true)
    }

    /// The nodes that the line leads to from one.
    fn line_from(&mut self, node: &Node, line: &Line, after: &mut Nodes) -> Result<(), StepFault> {
        if line.action.is_none() {
            match line.process {
                None => self.checked(node.clone(), None, line, after),
                Some(mover) => {
                    for (process, binding) in self.choices(node, mover, &[]) {
                        let same = Node { state: node.state.clone(), binding };
                        self.checked(same, Some(process), line, after);
                    }
                }
            }
            if line.process.is_none() {
                return Ok(());
            }
        }
        let leaders = self.leaders(node);
        for (process, action, arguments, state) in self.steps_of(node)? {
            let Some(binding) = self.moved(node, line, process, action, &arguments) else { continue };
            // Whoever has a name already is no matter of choice.
            if leaders[process.0 as usize] {
                self.checked(Node { state, binding }, Some(process), line, after);
            }
        }
        Ok(())
    }

    /// The binding after a step, if the line can mean it.
    fn moved(
        &self,
        node: &Node,
        line: &Line,
        process: Process,
        action: ActionId,
        arguments: &[i64],
    ) -> Option<Binding> {
        let own = &self.program.actions[action];
        if line.action.as_ref().is_some_and(|name| *name != own.name) {
            return None;
        }
        let mut binding = node.binding.clone();
        if let Some(mover) = line.process {
            binding = self.names.bind(binding, mover, process)?;
        }
        if let Some(seen) = &line.arguments {
            if seen.len() != arguments.len() {
                return None;
            }
            for ((seen, &value), param) in seen.iter().zip(arguments).zip(&own.params) {
                binding = self.agrees(binding, seen, line::domain_type(param.domain), value)?;
            }
        }
        Some(binding)
    }

    /// Adds a node for every way to choose the names that the line's values need.
    fn checked(&mut self, node: Node, process: Option<Process>, line: &Line, after: &mut Nodes) {
        let mut open = alloc::vec![(node, 0)];
        while let Some((node, at)) = open.pop() {
            if after.list.len() > self.options.limit {
                return;
            }
            let Some(check) = line.checks.get(at) else {
                after.insert(node);
                continue;
            };
            // Names are chosen one at a time; the check is looked at again with each of them.
            match check.slot(self.program, process, &node.binding) {
                line::Place::Nowhere => {}
                line::Place::Needs(name, families) => {
                    let choices = self.choices(&node, name, &families);
                    let more = choices.into_iter().map(|(_, binding)| (Node { binding, ..node.clone() }, at));
                    open.extend(more.rev());
                }
                line::Place::At(slot, ty) => {
                    self.machine.load(&node.state);
                    let value = self.machine.values()[slot.0 as usize];
                    if let Some(binding) = self.agrees(node.binding, &check.seen, ty, value.into()) {
                        open.push((Node { state: node.state, binding }, at + 1));
                    }
                }
            }
        }
    }

    /// Whether a value is what was seen; a name that is not bound yet is bound to it.
    fn agrees(&self, binding: Binding, seen: &line::Value, ty: Type, value: i64) -> Option<Binding> {
        let same = match (ty, &seen.seen) {
            (Type::Bool, Seen::Bool(expected)) => i64::from(*expected) == value,
            (Type::Int | Type::Error, Seen::Int(expected)) => *expected == value,
            (Type::Enum(id), Seen::Word(word)) => self.program.enums[id].get(value as usize) == Some(word),
            (Type::Process { optional: true, .. } | Type::None, none) if none.is_none() => value < 0,
            (Type::Process { family, .. }, _) if value >= 0 => {
                return self.names.bind(binding, seen.name?, self.program.process(family, value as u32));
            }
            _ => false,
        };
        same.then_some(binding)
    }

    /// The processes that a name may be, with the binding that says so; where families are given, those of them.
    fn choices(&mut self, node: &Node, name: NameId, families: &[FamilyId]) -> Vec<(Process, Binding)> {
        let fits = |program: &Program, process: Process| {
            families.is_empty() || families.contains(&program.locate(process).0)
        };
        let known = node.binding[name.0].or(self.names.fixed[name.0]);
        let leaders = if known.is_some() { Vec::new() } else { self.leaders(node) };
        let all = (0..self.program.process_count()).map(Process);
        let tried = all.filter(|&process| match known {
            Some(known) => process == known,
            None => leaders[process.0 as usize],
        });
        let tried = tried.filter(|&process| fits(self.program, process));
        tried.filter_map(|p| Some((p, self.names.bind(node.binding.clone(), name, p)?))).collect()
    }

    /// By process: whether it is tried. Those with a name are, and of unnamed ones that are alike in the state the first.
    fn leaders(&mut self, node: &Node) -> Vec<bool> {
        self.machine.load(&node.state);
        let values = self.machine.values();
        let mut firsts: Vec<Process> = Vec::new();
        let mut leads = alloc::vec![true; self.like.len()];
        for process in (0..self.like.len() as u32).map(Process) {
            if node.binding.contains(&Some(process)) {
                continue;
            }
            let like = self.like[process.0 as usize];
            let alike = firsts.iter().any(|&first| {
                self.like[first.0 as usize] == like
                    && self.structure.fixes(&Perm::transposition(first, process), values)
            });
            if alike {
                leads[process.0 as usize] = false;
            } else {
                firsts.push(process);
            }
        }
        leads
    }

    /// All steps of a state.
    fn steps_of(&mut self, node: &Node) -> Result<Vec<Taken>, StepFault> {
        let mut steps = Vec::new();
        self.machine.load(&node.state);
        let _ = self.machine.successors(&node.state, |step, packed| {
            steps.push((step.process, step.action, step.arguments.to_vec(), packed.into()));
            ControlFlow::Continue(())
        })?;
        Ok(steps)
    }

    /// Lists the steps that were possible instead of a line.
    fn explain(&mut self, before: &[Node], line: &Line) -> Impossible {
        let mut steps: BTreeSet<String> = BTreeSet::new();
        let mut near: BTreeMap<String, String> = BTreeMap::new();
        for node in before.iter().take(SHOWN_STATES) {
            for (process, action, arguments, state) in self.steps_of(node).unwrap_or_default() {
                let words = self.words(&node.binding, process, action, &arguments);
                if let Some(binding) = self.moved(node, line, process, action, &arguments) {
                    let difference = self.difference(&Node { state, binding }, process, line);
                    near.entry(words.clone()).or_insert(difference);
                }
                steps.insert(words);
            }
        }
        let first = before.first();
        let state = first.map_or_else(String::new, |node| {
            self.machine.load(&node.state);
            self.program.show_state(self.machine.values()).to_string()
        });
        let names = first.map_or_else(Vec::new, |node| {
            let named = self.names.texts.iter().zip(&node.binding);
            named
                .filter_map(|(name, process)| Some((name.clone(), self.program.process_name((*process)?))))
                .collect()
        });
        let step_count = steps.len();
        Impossible {
            before: before.len(),
            state,
            steps: steps.into_iter().take(SHOWN_STEPS).collect(),
            step_count,
            near: near.into_iter().take(SHOWN_STEPS).collect(),
            names,
        }
    }

    /// The first value that is not as the line says.
    fn difference(&mut self, node: &Node, process: Process, line: &Line) -> String {
        self.machine.load(&node.state);
        let mut binding = node.binding.clone();
        for check in &line.checks {
            let line::Place::At(slot, ty) = check.slot(self.program, Some(process), &binding) else {
                return alloc::format!("`{}` is another process's", check.text);
            };
            let value = self.machine.values()[slot.0 as usize];
            match self.agrees(binding, &check.seen, ty, value.into()) {
                Some(more) => binding = more,
                None => {
                    return alloc::format!("{} = {}", check.text, self.program.show_value(ty, value.into()));
                }
            }
        }
        "the names do not fit".into()
    }

    /// A step in the log's names.
    fn words(&self, binding: &Binding, process: Process, action: ActionId, arguments: &[i64]) -> String {
        let mut words = self.program.show_step(process, action, arguments);
        for (name, bound) in self.names.texts.iter().zip(binding) {
            if let Some(bound) = bound {
                let own = self.program.process_name(*bound);
                if let Some(rest) = words.strip_prefix(&own).filter(|rest| rest.starts_with('.')) {
                    words = name.clone() + rest;
                }
                words = words.replace(&alloc::format!("({own}"), &alloc::format!("({name}"));
                words = words.replace(&alloc::format!(", {own}"), &alloc::format!(", {name}"));
            }
        }
        words
    }
}

/// A step: who, what, with which arguments, and where it leads.
type Taken = (Process, ActionId, Vec<i64>, Box<[u64]>);

/// By process: the first one that a transposition of the group exchanges it with, or itself.
fn alike(program: &Program, symmetry: Option<&ProgramSymmetry>) -> Vec<Process> {
    let count = program.process_count();
    let mut like: Vec<Process> = Vec::with_capacity(count as usize);
    for process in (0..count).map(Process) {
        let firsts = like.iter().enumerate().filter(|(at, first)| first.0 as usize == *at);
        let found = firsts.map(|(_, first)| *first).find(|&first| {
            count <= MANY
                && program.locate(first).0 == program.locate(process).0
                && symmetry.is_some_and(|s| s.group.contains(&Perm::transposition(first, process)))
        });
        like.push(found.unwrap_or(process));
    }
    like
}
