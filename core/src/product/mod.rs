//! B̄: the product of the quotient with tracked processes and the automaton of wrong computations, on demand.
//!
//! A node is u = (s, l⃗, a). An automaton move a → a' reads the source state s with l⃗ in place of c⃗ (Gyuris & Sistla,
//! section 3.1). A state without steps repeats for ever by a step that no process executes, or is dropped.
//!
//! Acceptance is generalised and on transitions; nothing is degeneralised.

mod action;
mod fairness;
mod moves;
mod process_set;

use crate::error::{Classified, ErrorKind, Limit};
use core::fmt;
pub use fairness::{ActionFairness, FairnessChoice, FairnessOf};
pub use moves::Moves;
pub use process_set::ProcessSet;

use crate::automaton::{Ap, AutomatonState, Marks, Tgba, Valuation};
use crate::cache::IdCache;
use crate::define_id;
use crate::group::{Group, Partition, Perm, Process};
use crate::ids::IdVec;
use crate::limits::MAX_ROOTS;
use crate::numbers::Index;
use crate::program::{ActionId, Fault, Program, Scratch, StepFault};
use crate::property::{Atom, Obligation};
use crate::quotient::{Aqs, Aqsi, AqsiEdge, AqsiId, EdgeStorage, Prune, Pruned};
use crate::rows;
use crate::strain::size;
use action::Action;
use alloc::rc::Rc;
use alloc::vec::Vec;
use moves::Move;

define_id!(
    /// A node of the product; numbers are given in the order of finding.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    NodeId
);

/// The treatment of a state in which no process is enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Deadlock {
    /// It repeats for ever.
    #[default]
    Stutter,
    /// No computation goes on from it.
    Drop,
}

/// Why a product cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProductFault {
    /// The model has an error in this node's state.
    Step(AqsiId, StepFault),
    /// The property has an error in this node's state.
    Atom(AqsiId, Fault),
    /// The edges of this node's state need more memory than is allowed.
    Full(AqsiId),
    /// To find out how the permutation of an edge of this node acts on the automaton's states takes too many nodes of
    /// decision diagrams.
    Automaton(AqsiId),
}

impl fmt::Display for ProductFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProductFault::Step(_, fault) => write!(f, "the model has an error: {fault}"),
            ProductFault::Atom(_, fault) => write!(f, "the property has an error: {fault}"),
            ProductFault::Full(_) => Limit::Bytes.fmt(f),
            ProductFault::Automaton(_) => Limit::Nodes.fmt(f),
        }
    }
}

impl core::error::Error for ProductFault {}

impl Classified for ProductFault {
    fn kind(&self) -> ErrorKind {
        match self {
            ProductFault::Step(..) | ProductFault::Atom(..) => ErrorKind::Fault,
            ProductFault::Full(_) | ProductFault::Automaton(_) => ErrorKind::Limit,
        }
    }
}

/// An edge of the product.
#[derive(Clone, Debug)]
pub struct ProductEdge {
    /// The edge of the quotient that it follows; none where a state without steps repeats.
    pub step: Option<u32>,
    /// The process that executes, in the source's numbering.
    pub process: Option<Process>,
    /// The action that it executes; for one of several with the same effect it stands for them, unless they are to be fair.
    pub action: Option<ActionId>,
    /// μ∘π∘ρ: the true successor is this permutation of the target.
    pub perm: Perm,
    /// The acceptance sets of the automaton's move.
    pub marks: Marks,
    /// The target.
    pub target: NodeId,
    /// For one of the edges that this one stands for: the permutation that fixes the source and takes this edge to it.
    /// It is part of `perm` and `process`; an edge of the product itself has the identity.
    pub turn: Perm,
}

impl ProductEdge {
    /// The edge that a permutation which fixes the source takes this one to.
    #[must_use]
    pub fn turned(&self, by: &Perm) -> ProductEdge {
        ProductEdge {
            process: self.process.map(|process| by.apply(process)),
            perm: by.compose(&self.perm),
            turn: by.compose(&self.turn),
            ..self.clone()
        }
    }
}

/// Facts about a quotient state with its tracked processes.
#[derive(Clone, Debug)]
pub struct Place {
    /// The processes that are enabled.
    pub enabled: ProcessSet,
    /// The permutations that fix the state and the tracked processes.
    pub stabiliser: Group,
    /// Its orbits: the processes that are alike.
    pub orbits: Partition,
}

/// Which atoms hold in a quotient state with its tracked processes.
enum Letters {
    /// The same ones, whichever process executes.
    One(Valuation),
    /// For each step, and at the end where nobody executes.
    Each(Vec<Valuation>),
}

impl Letters {
    fn of(&self, step: Option<usize>) -> &Valuation {
        match self {
            Letters::One(valuation) => valuation,
            Letters::Each(all) => &all[step.unwrap_or(all.len() - 1)],
        }
    }
}

/// The product of a program and an obligation.
#[derive(Clone, Debug)]
pub struct Product<'p> {
    aqsi: Aqsi<'p>,
    automaton: Rc<Tgba>,
    live: IdVec<AutomatonState, bool>,
    atoms: Rc<[Atom]>,
    /// Whether some atom asks who executes, or who is enabled.
    asks_executed: bool,
    asks_enabled: bool,
    deadlock: Deadlock,
    nodes: IdVec<NodeId, (AqsiId, AutomatonState)>,
    ids: Index,
    /// As far as they are remembered.
    places: IdCache<AqsiId, Rc<Place>>,
    /// Where permutations move the automaton's states.
    action: Option<Action>,
    roots: Vec<(NodeId, Perm)>,
    /// Whether none was left out here; the quotient may have left out some.
    all_roots: bool,
    scratch: Scratch,
    edge_count: u64,
    /// The quotient may take this many bytes.
    max_bytes: u64,
}

impl<'p> Product<'p> {
    /// The product, with its initial nodes.
    pub fn new(
        program: &'p Program,
        obligation: &Obligation,
        prune: Prune,
        deadlock: Deadlock,
    ) -> Product<'p> {
        let action = obligation.symmetric.clone().map(Action::new);
        // A permutation that fixes a state need not fix the automaton's state with it: then no edge stands for another.
        let prune = if action.is_some() { Prune::None } else { prune };
        let roots = size("product: roots", MAX_ROOTS, 2);
        let aqs = Aqs::new(program, &obligation.symmetry, prune, EdgeStorage::Recomputed, roots);
        let aqsi = match &action {
            Some(action) => Aqsi::new(aqs, &action.automaton().tracked(&obligation.tracked)),
            None => Aqsi::new(aqs, &obligation.tracked),
        };
        let mut product = Product {
            aqsi,
            automaton: obligation.automaton.clone(),
            live: obligation.automaton.live_states(),
            atoms: obligation.atoms.clone(),
            asks_executed: obligation.atoms.iter().any(|atom| atom.on_edges),
            asks_enabled: obligation.atoms.iter().any(|atom| atom.asks_enabled(program)),
            deadlock,
            nodes: IdVec::new(),
            ids: Index::new(Some(obligation.automaton.state_count() as u64)),
            places: IdCache::default(),
            action,
            roots: Vec::new(),
            all_roots: true,
            scratch: Scratch::default(),
            edge_count: 0,
            max_bytes: u64::MAX,
        };
        let roots = product.aqsi.roots().to_vec();
        let initial: Vec<AutomatonState> = product.automaton.initial().to_vec();
        for (place, perm) in roots {
            for &state in initial.iter().filter(|&&q| obligation.automaton.live_states()[q]) {
                let Some((state, perm)) = product.carried(&perm, place, state) else {
                    product.all_roots = false;
                    continue;
                };
                let node = product.node_id(place, state);
                product.roots.push((node, perm));
            }
        }
        product
    }

    /// Sets how many bytes each kind of result may take that is remembered though it could be found again.
    pub fn set_cache_bytes(&mut self, bytes: u64) {
        self.aqsi.set_cache_bytes(bytes);
        self.places.set_limit(bytes);
    }

    fn node_id(&mut self, place: AqsiId, state: AutomatonState) -> NodeId {
        let Product { nodes, ids, .. } = self;
        let hash = |node: (AqsiId, AutomatonState)| rows::hash([node.0.0.into(), node.1.0.into()]);
        let node = (place, state);
        // A new node is told before there is a place for it.
        let hash_of = |n: u32| hash(nodes.get(NodeId(n)).copied().unwrap_or(node));
        let column = || u64::from(state.0);
        let (number, new) =
            ids.number((place.0, column), || hash(node), |n| nodes[NodeId(n)] == node, hash_of);
        if new {
            nodes.push(node);
        }
        NodeId(number)
    }

    /// Lets the quotient take this many bytes: of a large program one state has more successors than fit into memory.
    pub fn limit_bytes(&mut self, bytes: u64) {
        self.max_bytes = bytes;
    }

    /// The steps of a quotient state.
    fn steps_at(&mut self, id: AqsiId) -> Result<Rc<[AqsiEdge]>, ProductFault> {
        let max = self.max_bytes;
        let edges = self.aqsi.edges_while(id, |aqsi| aqsi.bytes() <= max);
        edges.map_err(|fault| ProductFault::Step(id, fault))?.ok_or(ProductFault::Full(id))
    }

    /// Whether permutations move the automaton's states.
    pub fn moves_automaton(&self) -> bool {
        self.action.is_some()
    }

    /// Whether a permutation is known to leave a node's automaton state as it is; one that moves no state does.
    pub(crate) fn fixes_automaton_state(&mut self, node: NodeId, perm: &Perm) -> bool {
        let (_, state) = self.nodes[node];
        self.action.as_mut().is_none_or(|action| action.image(perm, state) == Some(state))
    }

    /// A state of the automaton at a place that a permutation leads to: with the permutation undone, and the least of those
    /// that what fixes the place takes to each other; and the permutation that leads there.
    fn carried(
        &mut self,
        perm: &Perm,
        place: AqsiId,
        state: AutomatonState,
    ) -> Option<(AutomatonState, Perm)> {
        let Some(action) = &mut self.action else { return Some((state, perm.clone())) };
        let (id, tracked) = self.aqsi.node(place);
        let stabiliser = self.aqsi.aqs().stabiliser_of(id, tracked);
        let back = action.image(&perm.inverse(), state)?;
        let (state, rho) = action.least(&stabiliser, back)?;
        Some((state, perm.compose(&rho)))
    }

    /// The quotient with tracked processes.
    pub fn aqsi(&self) -> &Aqsi<'p> {
        &self.aqsi
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.aqsi.aqs().program()
    }

    /// The automaton of wrong computations.
    pub fn automaton(&self) -> &Tgba {
        &self.automaton
    }

    /// The initial nodes, each with the permutation that takes it to an initial state of the program.
    pub fn roots(&self) -> &[(NodeId, Perm)] {
        &self.roots
    }

    /// Whether all initial states were taken in.
    pub fn has_all_roots(&self) -> bool {
        self.all_roots && self.aqsi.aqs().has_all_roots()
    }

    /// The number of nodes found.
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Whether there is no node: then no computation is wrong.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of edges made.
    pub fn edge_count(&self) -> u64 {
        self.edge_count
    }

    /// The quotient with tracked processes, to ask for more of it.
    pub fn aqsi_mut(&mut self) -> &mut Aqsi<'p> {
        &mut self.aqsi
    }

    /// About how many bytes the product takes, with the quotient that it is made from.
    pub fn bytes(&self) -> u64 {
        self.aqsi.bytes() + self.own_bytes()
    }

    /// About how many bytes the product's own tables take: its nodes, and what is known of their places.
    pub fn own_bytes(&self) -> u64 {
        let nodes = self.nodes.len() * size_of::<(AqsiId, AutomatonState)>();
        self.places.bytes() + self.ids.bytes() + nodes as u64
    }

    /// A node: its quotient state with tracked processes, and its automaton state.
    pub fn node(&self, id: NodeId) -> (AqsiId, AutomatonState) {
        self.nodes[id]
    }

    /// The facts about a node's quotient state.
    pub fn place(&mut self, id: NodeId) -> Result<Rc<Place>, ProductFault> {
        let (place, _) = self.nodes[id];
        if let Some(known) = self.places.get(place) {
            return Ok(known);
        }
        let steps = self.steps_at(place)?;
        Ok(self.new_place(place, &steps))
    }

    /// The same, of a node whose edges are at hand.
    pub(crate) fn place_with(&mut self, id: NodeId, edges: &Moves) -> Rc<Place> {
        let (place, _) = self.nodes[id];
        self.places.get(place).unwrap_or_else(|| self.new_place(place, &edges.steps))
    }

    fn new_place(&mut self, id: AqsiId, steps: &[AqsiEdge]) -> Rc<Place> {
        let made = Rc::new(self.make_place(id, steps));
        self.places.keep(id, made.bytes(), &made);
        made
    }

    /// The processes that are alike at a node.
    pub fn orbits(&mut self, id: NodeId) -> Partition {
        let (place, _) = self.nodes[id];
        match self.places.peek(place) {
            Some(known) => known.orbits.clone(),
            None => self.symmetry_of(place).orbits(),
        }
    }

    /// The permutations that fix a quotient state and its tracked processes, as far as edges stand for others.
    fn symmetry_of(&self, id: AqsiId) -> Group {
        let (state, tracked) = self.aqsi.node(id);
        match &self.action {
            Some(_) => Group::trivial(self.program().process_count()),
            None => self.aqsi.aqs().stabiliser_of(state, tracked),
        }
    }

    /// The processes that can execute an action at a node; the action is to be fair by itself.
    pub fn offering(&mut self, node: NodeId, action: ActionId) -> Result<ProcessSet, ProductFault> {
        let orbits = self.place(node)?.orbits.clone();
        let mut found = ProcessSet::default();
        for edge in self.steps(node)?.iter().filter(|edge| edge.action == action) {
            if !found.contains(edge.process) {
                found.insert_all(&orbits.members(orbits.class_of(edge.process)));
            }
        }
        Ok(found)
    }

    fn make_place(&self, id: AqsiId, steps: &[AqsiEdge]) -> Place {
        let stabiliser = self.symmetry_of(id);
        // Of like processes one has edges: the others are enabled with it.
        let orbits = stabiliser.orbits();
        if stabiliser.is_trivial() {
            let enabled = steps.iter().map(|edge| edge.process).collect();
            return Place { enabled, stabiliser, orbits };
        }
        let mut enabled = ProcessSet::default();
        let mut seen: Vec<Process> = Vec::new();
        for edge in steps {
            let class = orbits.class_of(edge.process);
            if !seen.contains(&class) {
                seen.push(class);
                enabled.insert_all(&orbits.members(class));
            }
        }
        Place { enabled, stabiliser, orbits }
    }

    /// The letters that the automaton reads at a quotient state with these steps.
    fn letters(&mut self, node: NodeId, steps: &Rc<[AqsiEdge]>) -> Result<Letters, ProductFault> {
        let (id, _) = self.nodes[node];
        let set = self.asks_enabled.then(|| {
            let place = self.places.get(id).unwrap_or_else(|| self.new_place(id, steps));
            place.enabled.to_point_set()
        });
        let Product { aqsi, atoms, scratch, action, .. } = self;
        let (state_id, tracked) = aqsi.node(id);
        let own;
        let tracked = match action {
            Some(action) => {
                own = action.automaton().places(tracked);
                &own[..]
            }
            None => tracked,
        };
        let state = aqsi.aqs().state(state_id);
        let reduction = aqsi.aqs().reduction();
        let program = reduction.program();
        let mut evaluate = |view: &crate::quotient::Seen<'_>, on_edges: bool, valuation: &mut Valuation| {
            for (number, atom) in atoms.iter().enumerate().filter(|(_, atom)| atom.on_edges == on_edges) {
                let holds =
                    atom.holds(program, view, scratch, tracked).map_err(|f| ProductFault::Atom(id, f))?;
                valuation.set(Ap(number as u32), holds);
            }
            Ok(())
        };
        let mut view = reduction.see(&state, tracked);
        view.enabled = set.as_ref();
        let mut valuation = Valuation::default();
        evaluate(&view, false, &mut valuation)?;
        if !self.asks_executed {
            return Ok(Letters::One(valuation));
        }
        // One more for the step that repeats a state without steps: there nobody executes.
        let executing = steps.iter().map(|edge| Some(edge.process)).chain([None]);
        let mut all = Vec::with_capacity(steps.len() + 1);
        for process in executing {
            let apart: Vec<Process> = tracked.iter().copied().chain(process).collect();
            let mut view = reduction.see(&state, &apart);
            view.enabled = set.as_ref();
            view.executed = process;
            let mut own = valuation.clone();
            evaluate(&view, true, &mut own)?;
            all.push(own);
        }
        Ok(Letters::Each(all))
    }

    /// The edges of a node, in the fixed order: steps of the quotient, then moves of the automaton.
    pub fn edges(&mut self, id: NodeId) -> Result<Vec<ProductEdge>, ProductFault> {
        Ok(self.moves(id)?.edges().collect())
    }

    /// The same edges, as small as they are needed to search.
    pub fn moves(&mut self, id: NodeId) -> Result<Moves, ProductFault> {
        let (aqsi_id, state) = self.nodes[id];
        let steps = self.steps_at(aqsi_id)?;
        let letters = self.letters(id, &steps)?;
        let automaton = self.automaton.clone();
        let repeats = steps.is_empty() && self.deadlock == Deadlock::Stutter && {
            let (state, _) = self.aqsi.node(aqsi_id);
            !self.aqsi.aqs_mut().is_cut_off(state)
        };
        let mut moves = Vec::with_capacity(steps.len());
        let mut follow = |step: Option<usize>, target: AqsiId, perm: &Perm| {
            for (marks, next) in automaton.successors(state, letters.of(step)) {
                // From a state that accepts nothing there is nothing to find.
                if !self.live[next] {
                    continue;
                }
                let (next, perm) = match &self.action {
                    Some(_) => {
                        let carried = self.carried(perm, target, next);
                        let (next, perm) = carried.ok_or(ProductFault::Automaton(aqsi_id))?;
                        (next, Some(perm))
                    }
                    None => (next, None),
                };
                let target = self.node_id(target, next);
                moves.push(Move { step: step.map(|number| number as u32), target, marks, perm });
            }
            Ok(())
        };
        for (number, step) in steps.iter().enumerate() {
            follow(Some(number), step.target, &step.perm)?;
        }
        if repeats {
            follow(None, aqsi_id, &Perm::identity())?;
        }
        self.edge_count += moves.len() as u64;
        Ok(Moves { steps, moves })
    }

    /// The steps of a node's state that are not followed because a parallel one is, each with the number of that one.
    pub fn pruned(&mut self, node: NodeId) -> Result<Vec<Pruned>, ProductFault> {
        let (place, _) = self.nodes[node];
        let (state, tracked) = self.aqsi.node(place);
        let tracked = tracked.to_vec();
        self.aqsi.aqs_mut().pruned_at(state, &tracked).map_err(|fault| ProductFault::Step(place, fault))
    }

    /// The steps of a node's state that are followed.
    pub fn steps(&mut self, node: NodeId) -> Result<Rc<[AqsiEdge]>, ProductFault> {
        let (place, _) = self.nodes[node];
        self.steps_at(place)
    }

    /// The edge of the quotient that an edge of a node follows.
    pub fn step(&mut self, node: NodeId, number: u32) -> Result<AqsiEdge, ProductFault> {
        Ok(self.steps(node)?[number as usize].clone())
    }
}

impl Place {
    fn bytes(&self) -> u64 {
        let heap = self.enabled.heap_bytes() + self.stabiliser.heap_bytes() + self.orbits.heap_bytes();
        size_of::<Place>() as u64 + heap
    }
}
