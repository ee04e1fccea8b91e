//! The recorded search of a property, and the search itself, kept for the pictures of what it has found.
//!
//! A check decides; the film is of the same search, done once more with a recorder. Two runs are alike, so what is seen is
//! what was decided, and a film ends at its own limit while a check may go on for long.

use super::choices::Choices;
use super::model::CheckedModel;
use super::picture;
use super::problem::Problem;
use super::run::{Numbering, Run, Source};
use super::words::Words;
use orbitscope_core::check::{Progress, Stepping};
use orbitscope_core::draw::Graph;
use orbitscope_core::explore::{Exploration, StateId};
use orbitscope_core::ltl;
use orbitscope_core::product::{Deadlock, FairnessOf, NodeId, Product};
use orbitscope_core::program::Program;
use orbitscope_core::property::{Obligation, obligations};
use orbitscope_core::quotient::{Aqs, AqsId, EdgeStorage, Prune};
use orbitscope_core::search::log::{Log, RecordLimits, Recorder};
use orbitscope_core::search::{Outcome, Search, ThreadedSearch, lasso_of, replay};
use orbitscope_core::symmetry::ProgramSymmetry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How much of a search is recorded.
const LIMITS: RecordLimits = RecordLimits { steps: 20_000, ghosts: 64 };

/// At most so many values are looked at to find the drawn states again in a search.
const NAMED: usize = 4_000_000;

/// A node of the log knows a class of each process: a film has so many of these at most. Nobody plays a longer one, and it
/// would take longer than the check.
const ROOM: usize = 2_000_000;

/// The states of a searched quotient by their values, its symmetry, and the product that was searched.
type Searched<'a, 'm> = (BTreeMap<Vec<i32>, AqsId>, &'a ProgramSymmetry, &'a Product<'m>);

/// The recorded search of a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Film {
    /// The steps; their log says whether they are all.
    pub log: Log,
    /// Which of the property's searches it is, counted from 0.
    pub search: u32,
    /// How many searches the property has.
    pub searches: u32,
    /// The names for what is in the log.
    pub words: Words,
    /// The run that the search found, with the nodes that it goes through.
    pub run: Option<Rc<Run>>,
}

/// Where films are made; it keeps the search of the last one.
#[derive(Debug, Default)]
pub(super) struct Studio<'m> {
    name: String,
    searches: u32,
    number: u32,
    deadlock: Deadlock,
    kept: Option<(Obligation, Recording<'m>)>,
}

/// A search with its recorder.
#[derive(Debug)]
pub(super) struct Recording<'m> {
    search: Search<'m>,
    recorder: Recorder,
}

impl<'m> Studio<'m> {
    /// Prepares the film of a property's search with this number; false where there is none to be made.
    pub(super) fn prepare(
        &mut self,
        model: &'m CheckedModel,
        property: u32,
        search: u32,
        choices: Choices,
    ) -> Result<bool, Problem> {
        *self = Studio::default();
        let Some((id, info)) = model.property(property) else { return Ok(false) };
        self.name.clone_from(&info.name);
        // The symbolic engine searches in another way, which its check records.
        if !info.logic.has_search() || choices.is_symbolic() {
            return Ok(false);
        }
        let symmetry = choices.symmetry_of(model);
        let all = obligations(&model.program, id, &symmetry, &ltl::Limits::default())
            .map_err(|error| model.problem(&error.diagnostic()))?;
        self.searches = all.len() as u32;
        self.number = search;
        self.deadlock = choices.deadlock;
        let Some(obligation) = all.into_iter().nth(search as usize) else { return Ok(false) };
        let product = Product::new(&model.program, &obligation, choices.prune, choices.deadlock);
        let fairness = FairnessOf::new(&model.program, choices.fairness);
        let search = Search::new(product, fairness, super::choices::CHECK_LIMITS.states);
        let recorder = Recorder::new(&search, LIMITS);
        self.kept = Some((obligation, Recording { search, recorder }));
        Ok(true)
    }

    /// The search to be recorded.
    pub(super) fn recording(&mut self) -> Option<&mut Recording<'m>> {
        self.kept.as_mut().map(|(_, recording)| recording)
    }

    /// The film as far as it has been recorded.
    pub(super) fn film(&mut self, model: &CheckedModel) -> Option<Film> {
        let (obligation, Recording { search, recorder }) = self.kept.as_mut()?;
        let log = recorder.log().clone();
        let words = Words::new(&model.source, &self.name, obligation, search.product(), &log);
        let run = run(model, obligation, search, &log, self.deadlock).map(Rc::new);
        Some(Film { log, search: self.number, searches: self.searches, words, run })
    }

    /// Says of each drawn state which state of the searched quotient stands for it. The search is left as it is: its
    /// representatives are looked for among those of another quotient by the same symmetry.
    pub(super) fn name_states(&mut self, program: &Program, states: &Exploration<'_>, graph: &mut Graph) {
        let Some((known, symmetry, _)) = self.known(program, graph) else { return };
        let mut other = Aqs::without_roots(program, symmetry, Prune::None, EdgeStorage::Recomputed);
        for (id, node) in (0..).map(StateId).zip(graph.nodes.iter_mut()) {
            let (found, _) = other.enter(&states.values(id));
            node.state = known.get(&other.flat(found)).map(|&state| (state, Vec::new()));
        }
    }

    /// Says of each node of the older method's product which state of the searched quotient it has, and where the search
    /// would put the tracked processes: it knows one of all places that what fixes the state takes to each other.
    pub(super) fn name_threaded(
        &mut self,
        program: &Program,
        threaded: &ThreadedSearch<'_>,
        graph: &mut Graph,
    ) {
        for node in &mut graph.nodes {
            node.state = None;
        }
        let Some((known, _, product)) = self.known(program, graph) else { return };
        // Where permutations move the automaton's states, a node is told by more than this.
        if product.moves_automaton() {
            return;
        }
        for (id, node) in (0..).map(NodeId).zip(graph.nodes.iter_mut()) {
            let (state, tracked, _) = threaded.node(id);
            node.state = known.get(&threaded.aqs().flat(*state)).map(|&state| {
                let to_least = product.aqsi().aqs().stabiliser(state).to_least_image(tracked);
                (state, tracked.iter().map(|&process| to_least.apply(process)).collect())
            });
        }
    }

    /// The states of the searched quotient by their values, with its symmetry; none where looking at this graph's nodes for
    /// them would take long.
    fn known(&mut self, program: &Program, graph: &Graph) -> Option<Searched<'_, 'm>> {
        let (obligation, Recording { search, recorder }) = self.kept.as_mut()?;
        let entries = recorder.log().entries();
        let slots = program.layout.slots as usize;
        if (entries.len() + graph.nodes.len()) * slots > NAMED {
            return None;
        }
        let product = search.product_mut();
        let searched = product.aqsi().aqs();
        let known = entries.iter().map(|entry| (searched.flat(entry.state), entry.state)).collect();
        Some((known, &obligation.symmetry, product))
    }

    /// The product that was searched.
    pub(super) fn product(&mut self) -> Option<&mut Product<'m>> {
        self.kept.as_mut().map(|(_, recording)| recording.search.product_mut())
    }

    /// The obligation that was searched.
    pub(super) fn obligation(&self) -> Option<&Obligation> {
        self.kept.as_ref().map(|(obligation, _)| obligation)
    }

    /// The name of the property.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// The run through the component that the search found.
fn run(
    model: &CheckedModel,
    obligation: &Obligation,
    search: &mut Search<'_>,
    log: &Log,
    deadlock: Deadlock,
) -> Option<Run> {
    let Some(Outcome::Violated(component)) = search.outcome().cloned() else { return None };
    let fairness = search.fairness().clone();
    // A component without a run, or with one that does not replay, is not shown: the check says so.
    let lasso = lasso_of(search.product_mut(), &component, &fairness).ok()?;
    let ledger = replay(&model.program, obligation, &fairness, deadlock, &lasso).ok()?;
    let mut numbering = Numbering::of_search(search.product_mut(), log, &obligation.tracked);
    Some(Run::new(&model.program, &model.source, Source::Lasso(&lasso, &ledger), Some(&mut numbering)))
}

impl Stepping for Recording<'_> {
    fn step(&mut self) -> bool {
        let log = self.recorder.log();
        log.len() < LIMITS.steps
            && log.entries().len() * (log.degree() as usize) < ROOM
            && self.search.product().aqsi().bytes() < picture::LIMITS.bytes * 8
            && self.recorder.step(&mut self.search).is_some()
    }

    fn progress(&self) -> Progress {
        Progress {
            search: 0,
            searches: 1,
            nodes: self.search.visited().into(),
            edges: self.search.product().edge_count(),
            depth: self.search.frames().len() as u32,
            bytes: self.search.product().bytes(),
            making: 0,
        }
    }
}
