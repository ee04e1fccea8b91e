//! Symmetry_MC (Fig. 1) and Hints_Sym (Fig. 3): reachable representatives, iteration by iteration, and what is asked of them.
//!
//! Differences from the figures, none of which changes what is found:
//! - full_reach is kept and grows by σ_Step of what is new (orbits of a union are the union of orbits).
//! - When the frontier is empty, the representatives whose successors were not computed are taken up: those that a hint held
//!   back, where line 14 of Fig. 3 takes up all representatives, and those that an under-approximation left aside, where Fig. 1
//!   ends. So an under-approximation delays states and loses none.

use super::generators::{chosen, invariance};
use super::log::{Iteration, Kind, Summary};
use super::model::Model;
use super::observer::Observer;
use super::path::{Ring, connect, point, trace};
use super::{Generators, SymbolicOptions, Unsupported};
use crate::bdd::{Bdd, Substitution};
use crate::explore::Path;
use crate::group::Perm;
use crate::natural::Natural;
use crate::program::{Machine, StepFault, TermId};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// Something that must not be reached.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Where it is violated.
    pub bad: Bdd,
    /// Where it has an error.
    pub undefined: Bdd,
}

/// The states that a search looks for, and the automaton that runs along.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The states that must not be reached.
    pub asked: Vec<Asked>,
    /// Sets that a generator must also leave as they are to be used.
    pub atoms: Vec<Bdd>,
    /// An automaton that runs along.
    pub observer: Option<Observer>,
    /// Whether runs that end in a deadlock are left out; otherwise the automaton reads its state for ever.
    pub drops: bool,
}

/// The answer to one of the questions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A violation, and a shortest path to it as far as states were not left aside.
    Bad(Path),
    /// An error of the expression in this state.
    Undefined(Path),
}

/// Why a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReachStop {
    /// Every representative has been looked at.
    Complete,
    /// Nothing is left to find out.
    AllViolated,
    /// The limit of nodes was reached.
    NodeLimit,
    /// The model has an error in the last state of the path.
    Fault(Box<StepFault>, Path),
    /// The question with this number has an error in the last state of the path.
    Undefined(u32, Path),
    /// A state was found to which no path could be made: an error of this program.
    Internal,
}

/// The phases of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Looks at the frontier and chooses what to expand.
    Look,
    /// Computes successors by one part of the relation.
    Image,
    /// Applies one generator.
    Sigma,
    /// Nothing: the search has ended.
    Done,
}

#[derive(Debug)]
enum Work {
    Look,
    /// `source` is what is expanded, as the automaton that runs along has read it.
    Image {
        part: usize,
        source: Bdd,
        image: Bdd,
    },
    /// `added` is what is new, `orbits` the states symmetric to it so far, `before` what they were when this round began.
    Sigma {
        added: Bdd,
        orbits: Bdd,
        before: Bdd,
        generator: usize,
        rounds: u32,
    },
    Done(ReachStop),
}

/// A search for representatives of all reachable states.
///
/// ```
/// use orbitscope_core::symbolic::{Model, Question, Reach, ReachStop, SymbolicOptions};
/// use orbitscope_core::{program, symmetry, syntax::parse};
/// let parsed = parse("process p[40] { var x: 0..3 = 0 action go: x < 3 -> x := x + 1 }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let symmetry = symmetry::detect(&program);
/// let model = Model::new(&program, 0, 1_000_000).unwrap();
/// let options = SymbolicOptions::default();
/// let mut reach = Reach::new(model, symmetry.group.generators(), &options, Question::default()).unwrap();
/// assert_eq!(reach.run(), &ReachStop::Complete);
/// // 4^40 states
/// assert_eq!(reach.summary().covered.to_string(), "1208925819614629174706176");
/// ```
#[derive(Debug)]
pub struct Reach<'p> {
    model: Model<'p>,
    options: SymbolicOptions,
    claimed: u32,
    generators: Vec<(Perm, Substitution)>,
    hints: Vec<Bdd>,
    hint: usize,
    observer: Option<Observer>,
    drops: bool,
    asked: Vec<Asked>,
    found: Vec<Option<Found>>,
    /// These four are S_i, under, reach_rep and full_reach in the paper's figures.
    frontier: Bdd,
    under: Bdd,
    representatives: Bdd,
    covered: Bdd,
    /// The representatives whose successors were computed.
    expanded: Bdd,
    rings: Vec<Ring>,
    deadlocks: Bdd,
    kind: Kind,
    iterations: Vec<Iteration>,
    /// The iteration under way.
    current: Option<Iteration>,
    work: Work,
}

impl<'p> Reach<'p> {
    /// Starts a search with these generators, or those that the model claims where they are to be taken unchecked. Of them only
    /// those are used that leave all that is asked as it is (line 1 of the figures).
    pub fn new(
        mut model: Model<'p>,
        proven: impl IntoIterator<Item = Perm>,
        options: &SymbolicOptions,
        question: Question,
    ) -> Result<Self, Unsupported> {
        let claimed = chosen(model.program(), proven, options.generators)?;
        let Question { asked, mut atoms, observer, drops } = question;
        atoms.extend(asked.iter().flat_map(|asked| [asked.bad.clone(), asked.undefined.clone()]));
        let generators = invariance(&mut model, &claimed, &atoms);
        let mut hints = Vec::new();
        for &(term, _) in model.program().hints.iter().filter(|_| options.hints) {
            // Where a hint has an error it does not hold.
            hints.push(model.condition(term, &[])?.0);
        }
        let mut start = model.initial().clone();
        if let Some(observer) = &observer {
            start = model.bdds.and(&start, &observer.initial);
        }
        let found = alloc::vec![None; asked.len()];
        let mut reach = Reach {
            model,
            options: *options,
            claimed: claimed.len() as u32,
            generators,
            hints,
            hint: 0,
            observer,
            drops,
            asked,
            found,
            frontier: start.clone(),
            under: Bdd::FALSE,
            representatives: start.clone(),
            covered: Bdd::FALSE,
            expanded: Bdd::FALSE,
            rings: alloc::vec![Ring { source: Bdd::FALSE, added: start.clone() }],
            deadlocks: Bdd::FALSE,
            kind: Kind::Start,
            iterations: Vec::new(),
            current: None,
            work: Work::Look,
        };
        reach.work = reach.sigma(start);
        Ok(reach)
    }

    /// The program as diagrams.
    pub fn model(&self) -> &Model<'p> {
        &self.model
    }

    pub(super) fn generators(&self) -> &[(Perm, Substitution)] {
        &self.generators
    }

    pub(super) fn model_mut(&mut self) -> &mut Model<'p> {
        &mut self.model
    }

    /// The answers found so far, in the order of asking.
    pub fn found(&self) -> &[Option<Found>] {
        &self.found
    }

    /// Why the search ended, once it has.
    pub fn stopped(&self) -> Option<&ReachStop> {
        match &self.work {
            Work::Done(stop) => Some(stop),
            _ => None,
        }
    }

    /// The frontier of the iteration under way, or of the next one.
    pub fn frontier(&self) -> &Bdd {
        &self.frontier
    }

    /// The part of the frontier that the iteration under way expands, or the last one did.
    pub fn under(&self) -> &Bdd {
        &self.under
    }

    /// The representatives so far.
    pub fn representatives(&self) -> &Bdd {
        &self.representatives
    }

    /// The states that are symmetric to them, as far as σ_Step was computed.
    pub fn covered(&self) -> &Bdd {
        &self.covered
    }

    /// The states that are covered, or those of them that are in another set.
    pub fn reachable(&mut self, within: Option<&Bdd>) -> Bdd {
        match within {
            None => self.covered.clone(),
            Some(set) => self.model.bdds.and(&self.covered, set),
        }
    }

    /// How many representatives are deadlocks.
    pub fn deadlock_count(&self) -> Natural {
        self.model.count(&self.deadlocks)
    }

    /// A path to a deadlock, to one of the nearest as far as states were not left aside.
    pub fn deadlock_path(&mut self) -> Option<Path> {
        let deadlocks = self.deadlocks.clone();
        if self.stopped() == Some(&ReachStop::NodeLimit) {
            // The results of the last step are gone, and there may be room for a path to what was found before it.
            self.model.bdds.forget_overflow();
        }
        if deadlocks.is_false() { None } else { self.path_into(&deadlocks) }
    }

    /// The phase of the next step.
    pub fn phase(&self) -> Phase {
        match self.work {
            Work::Look => Phase::Look,
            Work::Image { .. } => Phase::Image,
            Work::Sigma { .. } => Phase::Sigma,
            Work::Done(_) => Phase::Done,
        }
    }

    /// The iteration under way: its frontier, what of it is expanded, and what is known of the rest.
    pub fn current(&self) -> Option<&Iteration> {
        self.current.as_ref()
    }

    /// The iterations that have ended.
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// The counts so far.
    pub fn summary(&self) -> Summary {
        Summary {
            bits: self.model.encoding().bits(),
            order: self.model.order(),
            parts: self.model.parts().len() as u32,
            relation_nodes: self.model.relation_size(),
            generators: self.generators.len() as u32,
            generators_left_out: self.claimed - self.generators.len() as u32,
            representatives: self.model.count(&self.representatives),
            covered: self.model.count(&self.covered),
            peak_nodes: self.model.bdds.peak(),
            falsification_only: self.options.generators == Generators::Unchecked,
            iterations: self.iterations.clone(),
        }
    }

    /// Goes on to the end.
    pub fn run(&mut self) -> &ReachStop {
        while self.step() {}
        self.stopped().unwrap_or(&ReachStop::Internal)
    }

    /// Does one operation on diagrams; says whether there is more to do.
    pub fn step(&mut self) -> bool {
        let work = core::mem::replace(&mut self.work, Work::Done(ReachStop::Internal));
        let known = [&self.representatives, &self.covered, &self.expanded, &self.deadlocks].map(Bdd::clone);
        let ended = self.iterations.len();
        let mut next = match work {
            Work::Look => self.look(),
            Work::Image { part, source, image } => self.image(part, source, &image),
            Work::Sigma { added, orbits, before, generator, rounds } => {
                self.sigma_step(added, orbits, before, generator, rounds)
            }
            Work::Done(stop) => {
                self.work = Work::Done(stop);
                return false;
            }
        };
        if self.model.bdds.overflowed() {
            // The results of this step mean nothing.
            [self.representatives, self.covered, self.expanded, self.deadlocks] = known;
            self.iterations.truncate(ended);
            self.current = None;
            next = Work::Done(ReachStop::NodeLimit);
        }
        self.work = next;
        !matches!(self.work, Work::Done(_))
    }

    /// Lines 3, 4 and 9: is there something bad in the frontier, and what of it is expanded?
    fn look(&mut self) -> Work {
        if let Some(stop) = self.judge() {
            return Work::Done(stop);
        }
        let bdds = &mut self.model.bdds;
        loop {
            let hint = self.hints.get(self.hint).cloned().unwrap_or(Bdd::TRUE);
            let mut under = bdds.and(&self.frontier, &hint);
            if let Some(most) = self.options.under {
                under = bdds.dense_subset(&under, most);
            }
            if !under.is_false() {
                self.under = under;
                break;
            }
            // Lines 11 to 14 of Fig. 3: the next hint, and the last one is that everything is allowed.
            let aside = bdds.minus(&self.representatives, &self.expanded);
            if self.frontier == aside {
                if self.hint >= self.hints.len() {
                    return Work::Done(ReachStop::Complete);
                }
                self.hint += 1;
            }
            self.frontier = aside;
            let hint = if self.hints.is_empty() { 0 } else { self.hint as u32 + 1 };
            self.kind = Kind::TakenUp(hint);
        }
        self.current = Some(self.begun());
        let source = match &self.observer {
            Some(observer) => observer.reads(&mut self.model.bdds, &self.under),
            None => self.under.clone(),
        };
        // Where an automaton runs along, a deadlock repeats: the automaton moves on.
        let repeated = match &self.observer {
            Some(_) if !self.drops => self.model.repeated(&source),
            _ => Bdd::FALSE,
        };
        self.expanded = self.model.bdds.or(&self.expanded, &self.under);
        Work::Image { part: 0, source, image: repeated }
    }

    fn begun(&self) -> Iteration {
        let nodes = |set: &Bdd| self.model.bdds.size([set]);
        Iteration {
            kind: self.kind,
            frontier: self.model.count(&self.frontier),
            frontier_nodes: nodes(&self.frontier),
            under: self.model.count(&self.under),
            under_nodes: nodes(&self.under),
            successors: Natural::zero(),
            known: Natural::zero(),
            symmetric: Natural::zero(),
            added: Natural::zero(),
            representatives: Natural::zero(),
            representatives_nodes: 0,
            covered: Natural::zero(),
            covered_nodes: 0,
            sigma_rounds: 0,
            sigma_complete: true,
            nodes: 0,
        }
    }

    /// Looks for what is asked among the states of the frontier, then for errors of the model and for deadlocks.
    fn judge(&mut self) -> Option<ReachStop> {
        for number in 0..self.asked.len() {
            if self.found[number].is_some() {
                continue;
            }
            let Asked { bad, undefined } = &self.asked[number];
            let here = self.model.bdds.and(&self.frontier, bad);
            if !here.is_false() {
                match self.path_into(&here) {
                    Some(path) => self.found[number] = Some(Found::Bad(path)),
                    None => return Some(ReachStop::Internal),
                }
                continue;
            }
            let here = self.model.bdds.and(&self.frontier, undefined);
            if !here.is_false() {
                return Some(match self.path_into(&here) {
                    Some(path) => {
                        self.found[number] = Some(Found::Undefined(path.clone()));
                        ReachStop::Undefined(number as u32, path)
                    }
                    None => ReachStop::Internal,
                });
            }
        }
        let here = self.model.deadlocks_of(&self.frontier);
        self.deadlocks = self.model.bdds.or(&self.deadlocks, &here);
        if !self.asked.is_empty() && self.found.iter().all(Option::is_some) {
            return Some(ReachStop::AllViolated);
        }
        let fault = self.model.fault().clone();
        let here = self.model.bdds.and(&self.frontier, &fault);
        (!here.is_false()).then(|| self.fault_at(&here))
    }

    fn fault_at(&mut self, set: &Bdd) -> ReachStop {
        let Some(path) = self.path_into(set) else { return ReachStop::Internal };
        let last = path.last_state();
        // Executing the state says exactly which error it has.
        let steps = Machine::new(self.model.program()).steps(&last, &mut |_| ControlFlow::Continue(()));
        match steps {
            Err(fault) => ReachStop::Fault(Box::new(fault), path),
            Ok(_) => ReachStop::Internal,
        }
    }

    /// A path to a state of a set of states that were reached, to one of those that were reached first.
    pub(super) fn path_into(&mut self, set: &Bdd) -> Option<Path> {
        let points = self.points_into(set)?;
        let Model { bdds, .. } = &self.model;
        let states: Option<Vec<_>> = points.iter().map(|at| self.model.encoding().pick(bdds, at)).collect();
        // Where the limit was reached on the way, the states mean nothing.
        if bdds.overflowed() { None } else { connect(self.model.program(), &states?) }
    }

    /// The states of such a path, each with what is remembered beside it.
    pub(super) fn points_into(&mut self, set: &Bdd) -> Option<Vec<Bdd>> {
        if self.model.bdds.overflowed() {
            return None;
        }
        let bdds = &mut self.model.bdds;
        let first = self.rings.iter().map(|ring| bdds.and(&ring.added, set)).find(|near| !near.is_false())?;
        let target = point(&mut self.model, &first)?;
        let (observer, drops) = (self.observer.as_ref(), self.drops);
        trace(&mut self.model, &self.rings, target, |model, at| match observer {
            None => model.preimage(at),
            Some(observer) => {
                let before = left(model, at, drops);
                observer.read_before(&mut model.bdds, &before)
            }
        })
    }

    /// The automaton that runs along, with the program that it reads.
    pub(super) fn observed(&mut self) -> Option<(&mut Model<'p>, &Observer)> {
        Some((&mut self.model, self.observer.as_ref()?))
    }

    /// Lines 5 to 8: successors, those away that are symmetric to something known.
    fn image(&mut self, part: usize, source: Bdd, image: &Bdd) -> Work {
        if let Some(relation) = self.model.parts().get(part).cloned() {
            let bdds = &mut self.model.bdds;
            let more = relation.image(bdds, &source);
            return Work::Image { part: part + 1, image: bdds.or(image, &more), source };
        }
        let bdds = &mut self.model.bdds;
        let added = bdds.minus(image, &self.covered);
        let known = bdds.and(image, &self.representatives);
        let symmetric = bdds.minus(image, &added);
        let symmetric = bdds.minus(&symmetric, &known);
        self.representatives = bdds.or(&self.representatives, &added);
        self.rings.push(Ring { source: self.under.clone(), added: added.clone() });
        if let Some(mut iteration) = self.current.take() {
            iteration.successors = self.model.count(image);
            iteration.known = self.model.count(&known);
            iteration.symmetric = self.model.count(&symmetric);
            iteration.added = self.model.count(&added);
            self.current = Some(iteration);
        }
        self.sigma(added)
    }

    fn sigma(&mut self, added: Bdd) -> Work {
        Work::Sigma {
            orbits: added.clone(),
            added,
            before: Bdd::FALSE,
            generator: self.generators.len(),
            rounds: 0,
        }
    }

    /// σ_Step (Fig. 2), one generator at a time.
    fn sigma_step(
        &mut self,
        added: Bdd,
        mut orbits: Bdd,
        before: Bdd,
        generator: usize,
        rounds: u32,
    ) -> Work {
        if let Some((_, by)) = self.generators.get(generator) {
            let image = self.model.bdds.substitute(&orbits, by);
            orbits = self.model.bdds.or(&orbits, &image);
            return Work::Sigma { added, orbits, before, generator: generator + 1, rounds };
        }
        let closed = before == orbits || self.generators.is_empty() || added.is_false();
        if !closed && self.options.sigma_limit.is_none_or(|most| rounds < most) {
            return Work::Sigma { added, before: orbits.clone(), orbits, generator: 0, rounds: rounds + 1 };
        }
        self.covered = self.model.bdds.or(&self.covered, &orbits);
        if let Some(mut iteration) = self.current.take() {
            iteration.sigma_rounds = rounds;
            iteration.sigma_complete = closed;
            iteration.representatives = self.model.count(&self.representatives);
            iteration.representatives_nodes = self.model.bdds.size([&self.representatives]);
            iteration.covered = self.model.count(&self.covered);
            iteration.covered_nodes = self.model.bdds.size([&self.covered]);
            iteration.nodes = self.model.bdds.used();
            self.iterations.push(iteration);
            self.kind = Kind::Forward;
        }
        self.frontier = added;
        Work::Look
    }
}

/// The states in which a step leads into a set, with a note of whose step it is.
pub(super) fn left(model: &mut Model<'_>, set: &Bdd, drops: bool) -> Bdd {
    let before = model.preimage(set);
    let repeated = if drops { Bdd::FALSE } else { model.repeated_before(set) };
    model.bdds.or(&before, &repeated)
}

/// Where an invariant is violated, and where it has an error.
pub fn violations(model: &mut Model<'_>, term: TermId) -> Result<Asked, Unsupported> {
    let (holds, undefined) = model.condition(term, &[])?;
    let valid = model.valid().clone();
    let bad = model.bdds.minus(&valid, &holds);
    let bad = model.bdds.minus(&bad, &undefined);
    Ok(Asked { bad, undefined })
}

/// That there is no deadlock.
pub fn deadlocked(model: &Model<'_>) -> Asked {
    Asked { bad: model.deadlock().clone(), undefined: Bdd::FALSE }
}
