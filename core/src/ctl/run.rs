//! The check of a `ctl` or `mu` property, one step at a time: the states of each part, the whole first; then the truth values,
//! the whole last.

use super::bitmap::Bitmap;
use super::fair::fair_globally;
use super::fixpoint::Fixpoint;
use super::global::{Event, GlobalSearch};
use super::graph::{Graph, Vertex};
use super::label::{Algorithm, Effort, Leaves, Rows};
use super::local::LocalCheck;
use super::mu::MuEvaluation;
use super::part::{Formula, PartId, Sub, SubId};
use super::space::{Place, Space, SpaceFault, link_value};
use crate::error::Limit;
use crate::explore::Limits;
use crate::ids::{Id, IdVec};
use crate::limits::MAX_ROOTS;
use crate::product::{Deadlock, FairnessChoice, FairnessOf};
use crate::program::{Fault, Program, PropertyId, StepFault};
use crate::property::PropertyError;
use crate::quotient::Prune;
use crate::strain::size;
use crate::symmetry::ProgramSymmetry;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The settings of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// How `U` is evaluated.
    pub algorithm: Algorithm,
    /// The treatment of a state in which no process is enabled.
    pub deadlock: Deadlock,
    /// Which paths the path quantifiers of `ctl` range over: those that are fair in this way, or all.
    pub fair_paths: Option<FairnessChoice>,
    /// Which edges of the quotient are kept.
    pub prune: Prune,
    /// How many states a part may have, and how much memory all may take.
    pub limits: Limits,
}

/// How a check ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The formula holds in every initial state.
    Holds,
    /// It does not.
    Violated,
    /// A part has more states than allowed, more memory was needed, or not all initial states could be taken in.
    Limit(Limit),
    /// The model has an error in the state with these values, up to symmetry.
    StepFault(StepFault, Vec<i32>),
    /// The property has one.
    PropertyFault(Fault, Vec<i32>),
}

/// The truth values of a part.
#[derive(Clone, Debug)]
pub(super) enum Truth {
    Rows(Rows, Effort),
    Local(Box<LocalCheck>),
}

#[derive(Clone, Debug)]
enum Labelling {
    Fixpoint(Box<Fixpoint>),
    Global(Box<GlobalSearch>),
}

impl Labelling {
    fn rows(&self) -> &Rows {
        match self {
            Labelling::Fixpoint(fixpoint) => fixpoint.rows(),
            Labelling::Global(search) => search.rows(),
        }
    }

    /// The subformula that comes next, where it is about fair paths: that is found by the components of the space.
    fn wants_fair_paths(&self, subs: &IdVec<SubId, Sub>) -> Option<SubId> {
        let searching = matches!(self, Labelling::Global(search) if search.is_searching());
        let next = self.rows().next_id();
        (!searching && matches!(subs.get(next), Some(Sub::FairGlobally(_)))).then_some(next)
    }

    fn give(&mut self, sub: SubId, row: Bitmap) {
        match self {
            Labelling::Fixpoint(fixpoint) => fixpoint.give(sub, row),
            Labelling::Global(search) => search.give(sub, row),
        }
    }
}

#[derive(Clone, Debug)]
enum Phase {
    /// The states of a part are found.
    Build(PartId),
    /// The vertices of others that its vertices rest on are looked up.
    Ask(PartId, Vertex),
    /// Its vertices are laid over those of the fixed points around it.
    Lay(PartId, Vertex),
    /// Its truth values are found.
    Label(PartId, Option<Labelling>),
    /// The fixed points of a `mu` property are found, over all parts at once.
    Fixpoints(Box<MuEvaluation>),
    Done(Outcome),
}

/// The progress that a step made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// States of this part are being found.
    Build(PartId),
    /// Truth values of this part are being found.
    Label(PartId),
    /// Heljanko's search in this part took a step.
    Search(PartId, Event),
}

/// The check of one `ctl` property under way.
///
/// ```
/// use orbitscope_core::ctl::{CtlCheck, Outcome, Settings};
/// use orbitscope_core::{program, symmetry, syntax::parse};
/// let parsed = parse("process p[9] { var x: bool = false action flip: true -> x := not x }
///     ctl can: AG forall q in p: EF q.x");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let id = program.property("can").unwrap();
/// let symmetry = symmetry::detect(&program);
/// let mut check = CtlCheck::new(&program, id, &symmetry, Settings::default()).unwrap();
/// assert!(matches!(check.run(), Outcome::Holds));
/// // 2⁹ states; up to the exchange of all processes but one there are 18.
/// assert_eq!(check.largest_graph().len(), 18);
/// ```
#[derive(Clone, Debug)]
pub struct CtlCheck<'p> {
    pub(super) program: &'p Program,
    pub(super) formula: Formula,
    pub(super) settings: Settings,
    pub(super) spaces: IdVec<PartId, Space<'p>>,
    pub(super) truths: IdVec<PartId, Truth>,
    phase: Phase,
}

impl<'p> CtlCheck<'p> {
    /// Prepares the check of a `ctl` property.
    pub fn new(
        program: &'p Program,
        id: PropertyId,
        symmetry: &ProgramSymmetry,
        settings: Settings,
    ) -> Result<Self, PropertyError> {
        let fairness = settings.fair_paths.map(|choice| FairnessOf::new(program, choice));
        let formula = Formula::on_paths(program, id, symmetry, fairness)?;
        let top = formula.top();
        let roots = size("ctl: roots", MAX_ROOTS, 2).min(settings.limits.states);
        let spaces: IdVec<PartId, Space<'p>> = (formula.parts.iter_enumerated())
            .map(|(id, part)| {
                let mut space = if id == top {
                    Space::with_roots(program, part, settings.prune, roots)
                } else {
                    Space::empty(program, part, settings.prune)
                };
                space.aqsi_mut().set_cache_bytes(settings.limits.cache_bytes());
                space
            })
            .collect();
        let phase = if spaces[top].has_all_roots() {
            Phase::Build(top)
        } else {
            Phase::Done(Outcome::Limit(Limit::Roots))
        };
        Ok(CtlCheck { program, formula, settings, spaces, truths: IdVec::new(), phase })
    }

    /// The formula, taken apart.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The graph of a part, as far as it is known.
    pub fn graph(&self, part: PartId) -> &Graph {
        self.spaces[part].graph()
    }

    /// The largest graph of all parts.
    pub fn largest_graph(&self) -> &Graph {
        let graphs = self.spaces.iter().map(Space::graph);
        graphs.max_by_key(|graph| graph.len()).unwrap_or(self.spaces[self.formula.top()].graph())
    }

    /// How many states of the quotient a part has, without the processes that it tracks.
    pub fn quotient_states(&self, part: PartId) -> u32 {
        self.spaces[part].aqsi().aqs().len()
    }

    /// The search under way in a part, and the part.
    pub fn search(&self) -> Option<(PartId, &GlobalSearch)> {
        match &self.phase {
            Phase::Label(part, Some(Labelling::Global(search))) => Some((*part, search)),
            _ => None,
        }
    }

    /// The answer, once it is known.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.phase {
            Phase::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.spaces.iter().map(Space::bytes).sum::<u64>() + self.effort().memory.bytes()
    }

    /// The work of the algorithm, over all parts that it has been through.
    pub fn effort(&self) -> Effort {
        self.truths.iter().fold(Effort::default(), |sum, truth| {
            sum.with(match truth {
                Truth::Rows(_, effort) => *effort,
                Truth::Local(check) => check.effort(),
            })
        })
    }

    /// The same check on the same graphs with the truth values found by another algorithm; none while the graphs are not
    /// complete, and for a `mu` property, which knows one algorithm only.
    #[must_use]
    pub fn relabelled(&self, algorithm: Algorithm) -> Option<Self> {
        let complete = self.truths.len() == self.formula.parts.len();
        (complete && !self.formula.mu).then(|| CtlCheck {
            program: self.program,
            formula: self.formula.clone(),
            settings: Settings { algorithm, ..self.settings },
            spaces: self.spaces.clone(),
            truths: IdVec::new(),
            phase: Phase::Label(PartId(0), None),
        })
    }

    /// Checks to the end.
    pub fn run(&mut self) -> &Outcome {
        while self.step().is_some() {}
        self.outcome().unwrap_or(&Outcome::Limit(Limit::States))
    }

    /// Takes one step; none where everything is done.
    pub fn step(&mut self) -> Option<Step> {
        match &mut self.phase {
            Phase::Build(part) => {
                let part = *part;
                self.build(part);
                Some(Step::Build(part))
            }
            Phase::Ask(part, vertex) => {
                let (part, vertex) = (*part, *vertex);
                self.ask(part, vertex);
                Some(Step::Build(part))
            }
            Phase::Lay(part, vertex) => {
                let (part, vertex) = (*part, *vertex);
                self.lay(part, vertex);
                Some(Step::Build(part))
            }
            Phase::Fixpoints(evaluation) => {
                let part = evaluation.part(&self.formula).unwrap_or(self.formula.top());
                if !evaluation.step(&self.formula, &self.spaces) {
                    let (effort, rows) = evaluation.finish();
                    let truths = rows.into_iter().map(|rows| Truth::Rows(rows, Effort::default()));
                    self.truths = truths.collect();
                    if let Some(Truth::Rows(_, whole)) = self.truths.as_mut_slice().last_mut() {
                        *whole = effort;
                    }
                    self.decide();
                }
                Some(Step::Label(part))
            }
            Phase::Label(part, labelling) => {
                let part = *part;
                if let Some(labelling) = labelling
                    && let Some(sub) = labelling.wants_fair_paths(&self.formula.parts[part].subs)
                    && let Some(fairness) = &self.formula.fairness
                {
                    let Sub::FairGlobally(inside) = self.formula.parts[part].subs[sub] else { return None };
                    let inside = labelling.rows()[inside].clone();
                    labelling.give(sub, fair_globally(&mut self.spaces[part], &inside, fairness));
                }
                let (graph, subs) = (self.spaces[part].graph(), &self.formula.parts[part].subs);
                match labelling {
                    None => self.start_label(part),
                    Some(Labelling::Global(search)) => match search.step(graph, subs) {
                        Some(event) => return Some(Step::Search(part, event)),
                        None => self.end_label(part),
                    },
                    Some(Labelling::Fixpoint(fixpoint)) => {
                        if !fixpoint.step(graph, subs) {
                            self.end_label(part);
                        }
                    }
                }
                Some(Step::Label(part))
            }
            Phase::Done(_) => None,
        }
    }

    fn build(&mut self, id: PartId) {
        let (part, space) = (&self.formula.parts[id], &mut self.spaces[id]);
        let Settings { deadlock, limits, .. } = self.settings;
        self.phase = match space.expand(part, deadlock, limits) {
            Ok(true) if space.len() > limits.states => Phase::Done(Outcome::Limit(Limit::States)),
            Ok(true) => {
                // Now and then: a sum over all parts is not free.
                let vertices = space.graph().len();
                let many = space.graph().edge_count() > u32::MAX / 2;
                if many || vertices.is_multiple_of(64) && self.bytes() > limits.bytes {
                    Phase::Done(Outcome::Limit(Limit::Bytes))
                } else {
                    Phase::Build(id)
                }
            }
            Ok(false) => Phase::Ask(id, Vertex(space.asked_len())),
            Err((vertex, fault)) => {
                let (state, _) = space.aqsi().node(crate::quotient::AqsiId(vertex.0));
                let values = space.aqsi().aqs().flat(state);
                Phase::Done(match fault {
                    SpaceFault::Full if space.len() > limits.states => Outcome::Limit(Limit::States),
                    SpaceFault::Full => Outcome::Limit(Limit::Bytes),
                    SpaceFault::Step(fault) => Outcome::StepFault(fault, values),
                    SpaceFault::Atom(fault) => Outcome::PropertyFault(fault, values),
                })
            }
        };
    }

    fn ask(&mut self, id: PartId, vertex: Vertex) {
        let part = &self.formula.parts[id];
        let links = part.subs.iter_enumerated().filter_map(|(sub, kind)| match kind {
            Sub::Link(link) => Some((sub, link)),
            _ => None,
        });
        if vertex.0 < self.spaces[id].graph().len() {
            for (sub, link) in links {
                // Parts come after those that they use.
                let (inner, own) = self.spaces.as_mut_slice().split_at_mut(id.index());
                own[0].ask(vertex, sub, link, &mut inner[link.part.index()]);
                if inner[link.part.index()].len() > self.settings.limits.states {
                    self.phase = Phase::Done(Outcome::Limit(Limit::States));
                    return;
                }
            }
            self.phase = Phase::Ask(id, Vertex(vertex.0 + 1));
            return;
        }
        self.phase = match id.index().checked_sub(1) {
            Some(next) => Phase::Build(PartId::from_index(next)),
            None => Phase::Lay(PartId(0), Vertex(self.spaces[PartId(0)].laid_len())),
        };
    }

    fn lay(&mut self, id: PartId, vertex: Vertex) {
        if vertex.0 < self.spaces[id].graph().len() {
            for outer in &self.formula.parts[id].variables {
                // A fixed point stands in a part that uses this one.
                let (own, home) = self.spaces.as_mut_slice().split_at_mut(id.index() + 1);
                let home = &mut home[outer.home.index() - id.index() - 1];
                own[id.index()].lay_over(vertex, outer, home);
            }
            self.phase = Phase::Lay(id, Vertex(vertex.0 + 1));
            return;
        }
        let next = PartId(id.0 + 1);
        self.phase = if let Some(space) = self.spaces.get(next) {
            Phase::Lay(next, Vertex(space.laid_len()))
        } else if self.spaces.iter().any(|space| space.len() > space.graph().len()) {
            // States that were entered just now have to be expanded, too.
            Phase::Build(self.formula.top())
        } else {
            for (part, space) in self.formula.parts.iter().zip(self.spaces.as_mut_slice()) {
                space.settle(part, self.settings.deadlock);
            }
            if self.formula.mu {
                Phase::Fixpoints(Box::new(MuEvaluation::new(&self.formula, &self.spaces)))
            } else {
                Phase::Label(PartId(0), None)
            }
        };
    }

    /// The rows of a part's expressions and of the parts that it uses.
    pub(super) fn leaves(&mut self, id: PartId) -> Leaves {
        let mut leaves = Vec::new();
        let subs = self.formula.parts[id].subs.clone();
        for (sub, kind) in subs.iter_enumerated() {
            match kind {
                Sub::Atom(number) => leaves.push((sub, self.spaces[id].atom_row(*number).clone())),
                Sub::Link(link) => {
                    let mut row = Bitmap::default();
                    let top = self.formula.parts[link.part].top();
                    for vertex in self.spaces[id].graph().vertices() {
                        let asked = self.spaces[id].asked(sub).map_or(Vec::new(), |a| a.of(vertex).to_vec());
                        let values = asked.into_iter().map(|v| self.value(link.part, top, v));
                        row.push(link_value(link, values));
                    }
                    leaves.push((sub, row));
                }
                _ => {}
            }
        }
        leaves
    }

    fn start_label(&mut self, id: PartId) {
        let leaves = self.leaves(id);
        let (graph, subs) = (self.spaces[id].graph(), &self.formula.parts[id].subs);
        let labelling = match self.settings.algorithm {
            Algorithm::Naive => Labelling::Fixpoint(Box::new(Fixpoint::naive(leaves))),
            Algorithm::Emc => Labelling::Fixpoint(Box::new(Fixpoint::emc(leaves))),
            Algorithm::Global => Labelling::Global(Box::new(GlobalSearch::new(graph, leaves))),
            Algorithm::Local => {
                // Nothing is known until somebody asks, but for fair paths: their components are those of all states.
                let mut check = LocalCheck::new(graph, subs, leaves);
                if let Some(fairness) = &self.formula.fairness {
                    for (sub, kind) in subs.iter_enumerated() {
                        let Sub::FairGlobally(inside) = *kind else { continue };
                        let mut row = Bitmap::default();
                        for vertex in self.spaces[id].graph().vertices() {
                            row.push(check.holds(self.spaces[id].graph(), subs, inside, vertex));
                        }
                        check.give(sub, fair_globally(&mut self.spaces[id], &row, fairness));
                    }
                }
                self.truths.push(Truth::Local(Box::new(check)));
                self.after_label(id);
                return;
            }
        };
        self.phase = Phase::Label(id, Some(labelling));
    }

    fn end_label(&mut self, id: PartId) {
        let phase = core::mem::replace(&mut self.phase, Phase::Label(id, None));
        let Phase::Label(_, Some(labelling)) = phase else { return };
        let (effort, rows) = match labelling {
            Labelling::Fixpoint(fixpoint) => (fixpoint.effort(), fixpoint.into_rows()),
            Labelling::Global(search) => (search.effort(), search.into_rows()),
        };
        self.truths.push(Truth::Rows(rows, effort));
        self.after_label(id);
    }

    fn after_label(&mut self, id: PartId) {
        if id == self.formula.top() {
            self.decide();
        } else {
            self.phase = Phase::Label(PartId(id.0 + 1), None);
        }
    }

    fn decide(&mut self) {
        let wrong = self.wrong_root().is_some();
        self.phase = Phase::Done(if wrong { Outcome::Violated } else { Outcome::Holds });
    }

    /// An initial state in which the formula does not hold.
    pub(super) fn wrong_root(&mut self) -> Option<Place> {
        let top = self.formula.top();
        let whole = self.formula.parts[top].top();
        self.spaces[top].roots().into_iter().find(|root| !self.value(top, whole, root.vertex))
    }

    /// Whether a subformula holds in a vertex.
    pub(super) fn value(&mut self, part: PartId, sub: SubId, vertex: Vertex) -> bool {
        match &mut self.truths[part] {
            Truth::Rows(rows, _) => rows[sub].get(vertex),
            Truth::Local(check) => {
                check.holds(self.spaces[part].graph(), &self.formula.parts[part].subs, sub, vertex)
            }
        }
    }

    /// The truth values of a subformula, where all are known: not so with the local algorithm.
    pub fn row(&self, part: PartId, sub: SubId) -> Option<&Bitmap> {
        match self.truths.get(part)? {
            Truth::Rows(rows, _) => rows.get(sub),
            Truth::Local(_) => None,
        }
    }
}
