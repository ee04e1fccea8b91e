//! Fair cycles by sets of states: whether some fair computation is accepted by the automaton of wrong ones.
//!
//! Y. Kesten, A. Pnueli, L. Raviv: Algorithmic verification of linear temporal logic specifications, ICALP 1998.
//!
//! A *node* is a state that the automaton has read, with a note of the marks of that move and of whose step comes next (`beside`). So
//! each duty of a fair accepted computation is a set of nodes that has to be met infinitely often, or as often as another. Nodes that
//! cannot go on to meet a duty are removed until none is left, or all that are left can meet every duty: then a component out of
//! which no step leads is fair, and the run is walked through it.
//!
//! No symmetry is used here: which process is which has to be known along a fair cycle, and representatives forget it.

mod prune;
mod walk;

use super::beside::{Beside, Executor, Mover};
use super::encoding::{Encoding, Side};
use super::model::Model;
use super::observer::Observer;
use super::reach::{Asked, Question, Reach, ReachStop, left};
use super::safety::label_function;
use super::{Generators, SymbolicOptions, Unsupported};
use crate::automaton::{AutomatonState, Label, Transition};
use crate::bdd::{Bdd, Budget};
use crate::group::Process;
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf};
use crate::program::Program;
use crate::property::{Atom, AtomValue, Obligation, process_value};
use crate::search::Lasso;
use alloc::boxed::Box;
use alloc::vec::Vec;
use prune::{Prune, Settle};
use walk::Walk;

/// Something that a fair accepted computation does.
#[derive(Clone, Debug)]
enum Duty {
    /// It meets these nodes infinitely often.
    Meet(Bdd),
    /// If it meets the first nodes infinitely often, it meets the second ones infinitely often too.
    MeetIf(Bdd, Bdd),
}

/// How a search for a fair cycle ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FairOutcome {
    /// There is none.
    Nothing,
    /// A run that goes round one.
    Run(Lasso),
    /// The states could not all be reached; the search for them says why.
    Unreached,
    /// The limit of nodes was reached.
    NodeLimit,
    /// There is a fair cycle and no run was made of it: an error of this program.
    Internal,
}

#[derive(Debug)]
enum Stage {
    Reach,
    Prune(Prune),
    Settle(Settle),
    Walk(Box<Walk>),
    Done(FairOutcome),
}

/// The search for a fair computation that an automaton accepts.
///
/// ```
/// use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf};
/// use orbitscope_core::symbolic::{FairCycles, FairOutcome, SymbolicOptions};
/// use orbitscope_core::{ltl, program, property, symmetry, syntax::parse};
/// let parsed = parse("process p[3] { var x: bool = false action go: not x -> x := true }
///     ltl all: F forall q in p: q.x");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let (id, symmetry) = (program.property("all").unwrap(), symmetry::detect(&program));
/// let obligations = property::obligations(&program, id, &symmetry, &ltl::Limits::default()).unwrap();
/// let fairness = FairnessOf::new(&program, FairnessChoice::Model);
/// let options = SymbolicOptions::default();
/// let mut search =
///     FairCycles::new(&program, &obligations[0], &fairness, Deadlock::Stutter, &options, 1_000_000).unwrap();
/// assert_eq!(search.run(), &FairOutcome::Nothing);
/// ```
#[derive(Debug)]
pub struct FairCycles<'p> {
    /// The search for all states.
    pub reach: Reach<'p>,
    obligation: Obligation,
    duties: Vec<Duty>,
    drops: bool,
    stage: Stage,
}

impl<'p> FairCycles<'p> {
    /// Starts the search.
    pub fn new(
        program: &'p Program,
        obligation: &Obligation,
        fairness: &FairnessOf,
        deadlock: Deadlock,
        options: &SymbolicOptions,
        budget: impl Into<Budget>,
    ) -> Result<Self, Unsupported> {
        let automaton = &obligation.automaton;
        let beside = Beside {
            automaton: u32::BITS - (automaton.state_count().max(1) as u32 - 1).leading_zeros(),
            marks: automaton.sets(),
            movers: movers(program, obligation, fairness),
        };
        let mut model = Model::new(program, beside, budget)?;
        let drops = deadlock == Deadlock::Drop;
        let letters = Letters::new(&mut model, obligation, drops)?;
        let moves = moves(&mut model, obligation, &letters);
        let (encoding, bdds) = model.parts_of_code();
        let mut start = Bdd::FALSE;
        for q in automaton.initial() {
            let here = Encoding::code(bdds, &encoding.automaton(), q.0, Side::Current);
            start = bdds.or(&start, &here);
        }
        let clear = Encoding::code(bdds, &encoding.note(), 0, Side::Current);
        let start = bdds.and(&start, &clear);
        let memory: Vec<_> = model.encoding().memory().collect();
        let observer = Observer::new(&mut model.bdds, &memory, start, moves);
        let duties = duties(&mut model, obligation, fairness);
        if model.bdds.overflowed() {
            return Err(Unsupported::Nodes(model.bdds.limit()));
        }
        let asked = alloc::vec![Asked { bad: Bdd::FALSE, undefined: letters.undefined }];
        let question = Question { asked, atoms: Vec::new(), observer: Some(observer), drops };
        let options = SymbolicOptions { generators: Generators::Proven, ..*options };
        let reach = Reach::new(model, [], &options, question)?;
        Ok(FairCycles { reach, obligation: obligation.clone(), duties, drops, stage: Stage::Reach })
    }

    /// The obligation that is searched.
    pub fn obligation(&self) -> &Obligation {
        &self.obligation
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<&FairOutcome> {
        match &self.stage {
            Stage::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Goes on to the end.
    pub fn run(&mut self) -> &FairOutcome {
        while self.step() {}
        self.outcome().unwrap_or(&FairOutcome::Internal)
    }

    /// Takes the predecessors or successors of one set, at most; says whether there is more to do.
    pub fn step(&mut self) -> bool {
        let mut nodes = Nodes { reach: &mut self.reach, duties: &self.duties, drops: self.drops };
        let next = match core::mem::replace(&mut self.stage, Stage::Done(FairOutcome::Internal)) {
            Stage::Reach if nodes.reach.step() => Some(Stage::Reach),
            Stage::Reach if nodes.reach.stopped() == Some(&ReachStop::Complete) => Prune::begin(&mut nodes),
            Stage::Reach => Some(Stage::Done(FairOutcome::Unreached)),
            Stage::Prune(prune) => prune.step(&mut nodes),
            Stage::Settle(settle) => settle.step(&mut nodes),
            Stage::Walk(walk) => walk.step(&mut nodes),
            done @ Stage::Done(_) => Some(done),
        };
        self.stage = next.unwrap_or(Stage::Done(FairOutcome::Internal));
        let searching = !matches!(self.stage, Stage::Reach | Stage::Done(FairOutcome::Unreached));
        if searching && self.reach.model().bdds.overflowed() {
            // The results of this step mean nothing.
            self.stage = Stage::Done(FairOutcome::NodeLimit);
        }
        !matches!(self.stage, Stage::Done(_))
    }
}

/// The graph of the nodes.
struct Nodes<'s, 'p> {
    reach: &'s mut Reach<'p>,
    duties: &'s [Duty],
    drops: bool,
}

impl<'p> Nodes<'_, 'p> {
    fn model(&mut self) -> &mut Model<'p> {
        self.reach.model_mut()
    }

    /// The nodes that unread states become when they are read.
    fn read(&mut self, unread: &Bdd) -> Option<Bdd> {
        let (model, observer) = self.reach.observed()?;
        Some(observer.reads(&mut model.bdds, unread))
    }

    /// The unread states that may become these nodes.
    fn unread(&mut self, set: &Bdd) -> Option<Bdd> {
        let (model, observer) = self.reach.observed()?;
        Some(observer.read_before(&mut model.bdds, set))
    }

    /// The nodes from which a step leads to these unread states.
    fn leading_to(&mut self, unread: &Bdd) -> Bdd {
        left(self.reach.model_mut(), unread, self.drops)
    }

    /// The nodes from which a step leads into a set.
    fn before(&mut self, set: &Bdd) -> Option<Bdd> {
        let unread = self.unread(set)?;
        Some(self.leading_to(&unread))
    }

    /// The nodes to which a step leads from a set.
    fn after(&mut self, set: &Bdd) -> Option<Bdd> {
        let drops = self.drops;
        let model = self.model();
        let mut moved = model.image(set);
        if !drops {
            let repeated = model.repeated(set);
            moved = model.bdds.or(&moved, &repeated);
        }
        self.read(&moved)
    }
}

/// Those whose steps have to be told apart: whoever is to be treated fairly, and everybody where a proposition asks who executes.
fn movers(program: &Program, obligation: &Obligation, fairness: &FairnessOf) -> Vec<Mover> {
    let everybody = obligation.atoms.iter().any(|atom| atom.on_edges);
    let processes = (0..program.process_count()).map(Process);
    let told = processes.filter(|&process| everybody || !fairness.none.contains(process));
    let own = fairness.actions.iter().flat_map(|fair| {
        fair.members.ranges().flatten().map(|p| Mover { process: Process(p), action: Some(fair.action) })
    });
    told.map(|process| Mover { process, action: None }).chain(own).collect()
}

/// Nobody, and each process in turn.
fn executors(program: &Program) -> impl Iterator<Item = Executor> {
    let processes = (0..program.process_count()).map(|process| Executor::Process(Process(process)));
    core::iter::once(Executor::Nobody).chain(processes)
}

/// The propositions as diagrams.
struct Letters {
    /// For each proposition where it holds; where it asks who executes, for nobody and for each process in turn.
    holds: Vec<Vec<Bdd>>,
    /// Where some proposition that is read has an error.
    undefined: Bdd,
}

impl Letters {
    fn new(model: &mut Model<'_>, obligation: &Obligation, drops: bool) -> Result<Letters, Unsupported> {
        let program = model.program();
        // A state without steps is read only where it repeats.
        let stuck = if drops { Bdd::FALSE } else { model.deadlock().clone() };
        let able: Vec<Bdd> =
            (0..program.process_count()).map(|process| model.enabled(Process(process)).clone()).collect();
        let going_on = able.iter().fold(stuck.clone(), |all, one| model.bdds.or(&all, one));
        let mut letters = Letters { holds: Vec::new(), undefined: Bdd::FALSE };
        for atom in obligation.atoms.iter() {
            let bound = bound(program, obligation, atom);
            let mut each = Vec::new();
            if atom.on_edges {
                for executed in executors(program) {
                    let (holds, error) = model.condition_of_step(atom.term, &bound, Some(executed))?;
                    let read = match executed {
                        Executor::Nobody => &stuck,
                        Executor::Process(process) => &able[process.index()],
                    };
                    let error = model.bdds.and(&error, read);
                    letters.undefined = model.bdds.or(&letters.undefined, &error);
                    each.push(holds);
                }
            } else {
                let (holds, error) = model.condition(atom.term, &bound)?;
                let error = model.bdds.and(&error, &going_on);
                letters.undefined = model.bdds.or(&letters.undefined, &error);
                each.push(holds);
            }
            letters.holds.push(each);
        }
        Ok(letters)
    }

    /// Whether a label asks who executes.
    fn asks(&self, label: &Label) -> bool {
        let literals = label.cubes().iter().flat_map(crate::automaton::Cube::literals);
        literals.into_iter().any(|(ap, _)| self.holds[ap.index()].len() > 1)
    }

    /// The propositions where this process executes, or nobody.
    fn of(&self, executed: Executor) -> Vec<Bdd> {
        let place = match executed {
            Executor::Nobody => 0,
            Executor::Process(process) => process.index() + 1,
        };
        self.holds.iter().map(|each| each.get(place).unwrap_or(&each[0]).clone()).collect()
    }
}

/// The values of an atom's names.
pub(super) fn bound(
    program: &Program,
    obligation: &Obligation,
    atom: &Atom,
) -> Vec<(crate::program::Reg, i64)> {
    let value = |value| match value {
        AtomValue::Tracked(k) => process_value(program, obligation.tracked[k]),
        AtomValue::Number(number) => number,
    };
    atom.bound.iter().map(|&(reg, own)| (reg, value(own))).collect()
}

/// The moves of the automaton: from a state of its own, by what is read, to a state with a note.
fn moves(model: &mut Model<'_>, obligation: &Obligation, letters: &Letters) -> Vec<(Bdd, Bdd, Bdd)> {
    let program = model.program();
    let valid = model.valid().clone();
    let nobody_asked = letters.of(Executor::Nobody);
    let mut moves = Vec::new();
    for q in obligation.automaton.states() {
        let bits = model.encoding().automaton();
        let from = Encoding::code(&mut model.bdds, &bits, q.0, Side::Current);
        for transition in obligation.automaton.transitions(q) {
            let to = target(model, transition);
            if !letters.asks(&transition.label) {
                let reads = label_function(&mut model.bdds, &transition.label, &nobody_asked, &valid);
                moves.push((from.clone(), reads, to));
                continue;
            }
            for executed in executors(program) {
                let reads = label_function(&mut model.bdds, &transition.label, &letters.of(executed), &valid);
                let by = steps_of(model, executed, Side::Next);
                moves.push((from.clone(), reads, model.bdds.and(&to, &by)));
            }
        }
    }
    moves
}

/// The automaton's state after a move, with the move's marks.
fn target(model: &mut Model<'_>, transition: &Transition) -> Bdd {
    let (encoding, bdds) = model.parts_of_code();
    let AutomatonState(number) = transition.target;
    let mut to = Encoding::code(bdds, &encoding.automaton(), number, Side::Next);
    for mark in 0..encoding.beside().marks {
        let has = u32::from(transition.marks.contains(mark));
        let bit = Encoding::code(bdds, &[encoding.mark(mark)], has, Side::Next);
        to = bdds.and(&to, &bit);
    }
    to
}

/// Where the note says that a process takes the step, or nobody.
fn steps_of(model: &mut Model<'_>, executed: Executor, side: Side) -> Bdd {
    let (encoding, bdds) = model.parts_of_code();
    let Executor::Process(process) = executed else {
        return Encoding::code(bdds, &encoding.mover(), 0, side);
    };
    let mut any = Bdd::FALSE;
    for (number, mover) in (1..).zip(&encoding.beside().movers) {
        if mover.process == process {
            let own = Encoding::code(bdds, &encoding.mover(), number, side);
            any = bdds.or(&any, &own);
        }
    }
    any
}

/// The marks of the automaton, and the fairness of processes and of actions.
fn duties(model: &mut Model<'_>, obligation: &Obligation, fairness: &FairnessOf) -> Vec<Duty> {
    let mut duties = Vec::new();
    for mark in 0..obligation.automaton.sets() {
        let bit = model.encoding().mark(mark);
        duties.push(Duty::Meet(Encoding::code(&mut model.bdds, &[bit], 1, Side::Current)));
    }
    let mut owe = |model: &mut Model<'_>, strong: bool, able: &Bdd, does: Bdd| {
        if able.is_false() {
            return;
        }
        duties.push(if strong {
            Duty::MeetIf(able.clone(), does)
        } else {
            let unable = model.bdds.not(able);
            Duty::Meet(model.bdds.or(&unable, &does))
        });
    };
    for process in (0..model.program().process_count()).map(Process) {
        if !fairness.none.contains(process) {
            let (able, does) =
                (model.enabled(process).clone(), steps_of(model, Executor::Process(process), Side::Current));
            owe(model, fairness.strong.contains(process), &able, does);
        }
    }
    for fair in &fairness.actions {
        for process in fair.members.ranges().flatten().map(Process) {
            let number = model.encoding().beside().mover(process, fair.action);
            let able = model.offered()[number as usize - 1].clone();
            let (encoding, bdds) = model.parts_of_code();
            let does = Encoding::code(bdds, &encoding.mover(), number, Side::Current);
            owe(model, fair.strong, &able, does);
        }
    }
    duties
}
