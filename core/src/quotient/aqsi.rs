//! The quotient with tracked processes (section 3.1): states (s, l⃗) up to the permutations that fix s.

use super::aqs::{Aqs, AqsEdge, AqsId, EdgeStorage, Prune};
use crate::cache::IdCache;
use crate::define_id;
use crate::group::{Perm, Process};
use crate::ids::{Id, IdVec};
use crate::numbers::Index;
use crate::program::{ActionId, StepFault};
use crate::rows;
use alloc::rc::Rc;
use alloc::vec::Vec;

define_id!(
    /// A state of the quotient with its tracked processes.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    AqsiId
);

/// An edge `(s, l⃗) —(π, i)→ (t, l⃗')`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AqsiEdge {
    /// i: the process that executes in s.
    pub process: Process,
    /// The action.
    pub action: ActionId,
    /// Its arguments.
    pub arguments: Vec<i64>,
    /// π∘ρ: the true successor is (π∘ρ)·t, and (π∘ρ)(l⃗') = l⃗. With π the permutation to t's representative and ρ the
    /// one that fixes t and takes l⃗' to π⁻¹(l⃗).
    pub perm: Perm,
    /// ρ alone.
    pub rho: Perm,
    /// (t, l⃗').
    pub target: AqsiId,
    /// How many steps it stands for.
    pub weight: u64,
}

/// The annotated quotient structure with tracked processes, on demand.
#[derive(Clone, Debug)]
pub struct Aqsi<'p> {
    aqs: Aqs<'p>,
    states: IdVec<AqsiId, AqsId>,
    /// The tracked processes of all nodes, one row behind the other: each has the same number of them.
    tracked: Vec<Process>,
    width: usize,
    ids: Index,
    /// As far as they are remembered.
    edges: IdCache<AqsiId, Rc<[AqsiEdge]>>,
    roots: Vec<(AqsiId, Perm)>,
    storage: EdgeStorage,
    /// The edges that were made ahead, and what they take beside the table.
    ahead: IdVec<AqsiId, Option<Rc<[AqsiEdge]>>>,
    ahead_bytes: u64,
    /// The most bytes that edges took, without the tables that hold them.
    most_stored_bytes: u64,
    /// How often the edges of a state were made.
    expansions: u64,
    /// The next state whose edges are made ahead.
    built: AqsiId,
}

impl<'p> Aqsi<'p> {
    /// Tracks these processes from the initial states on.
    pub fn new(aqs: Aqs<'p>, tracked: &[Process]) -> Aqsi<'p> {
        let mut aqsi = Aqsi::without_roots(aqs);
        for root in aqsi.aqs.roots().to_vec() {
            for local in aqsi.root_places(root.state, tracked) {
                // The initial states are closed under G: with s also g·s is one, and g takes l⃗ to c⃗.
                let (id, rho) = aqsi.find_equiv(root.state, &local);
                if let Some(g) = aqsi.aqs.reduction().group().transporter(&local, tracked) {
                    aqsi.roots.push((id, g.compose(&rho)));
                }
            }
        }
        aqsi
    }

    /// No state yet: those of interest are [found](Self::find_equiv).
    pub fn without_roots(aqs: Aqs<'p>) -> Aqsi<'p> {
        Aqsi {
            aqs,
            states: IdVec::new(),
            tracked: Vec::new(),
            width: 0,
            ids: Index::new(Some(1)),
            edges: IdCache::default(),
            roots: Vec::new(),
            storage: EdgeStorage::Stored,
            ahead: IdVec::new(),
            ahead_bytes: 0,
            most_stored_bytes: 0,
            expansions: 0,
            built: AqsiId(0),
        }
    }

    /// Holds edges in this way from now on.
    pub fn hold_edges(&mut self, storage: EdgeStorage) {
        self.storage = storage;
    }

    /// How often the edges of a state were made.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The most bytes that stored edges took at one time.
    pub fn most_stored_bytes(&self) -> u64 {
        self.most_stored_bytes
    }

    /// Makes the edges of one more state ahead; says whether there are more to make. A state in which the model has an error
    /// has none: whoever asks for them is told.
    pub fn build_next(&mut self) -> bool {
        if self.built.0 < self.len() {
            let _ = self.edges(self.built);
            self.built = AqsiId(self.built.0 + 1);
        }
        self.built.0 < self.len()
    }

    /// Where the tracked processes may be in an initial representative: all images of c⃗ under G, up to the permutations
    /// that fix the representative. If G fixes it, as it does where there is one initial state, that is one place.
    fn root_places(&self, state: AqsId, tracked: &[Process]) -> Vec<Vec<Process>> {
        let group = self.aqs.reduction().group();
        let stabiliser = self.aqs.stabiliser(state);
        let mut places: Vec<Vec<Process>> = alloc::vec![Vec::new()];
        for (k, &c) in tracked.iter().enumerate() {
            let mut longer = Vec::new();
            for place in places {
                let fixing = stabiliser.stabiliser(&place).orbits();
                let orbit = group.orbit_of(c);
                for candidate in fixing.names().filter(|&p| orbit.contains(p)) {
                    let mut with = place.clone();
                    with.push(candidate);
                    if group.transporter(&with, &tracked[..=k]).is_some() {
                        longer.push(with);
                    }
                }
            }
            places = longer;
        }
        places
    }

    /// `FindEquiv`: the representative (t, l⃗') of (t, l⃗), entered if it is new, and ρ with ρ·t = t and ρ(l⃗') = l⃗. All
    /// sequences of tracked processes have one length.
    pub fn find_equiv(&mut self, state: AqsId, tracked: &[Process]) -> (AqsiId, Perm) {
        if self.states.is_empty() {
            self.width = tracked.len();
            self.ids = Index::new(self.degree().checked_pow(self.width as u32));
        }
        assert_eq!(tracked.len(), self.width, "one length of sequences");
        let to_least = self.aqs.least_image_by(state, tracked);
        let start = self.tracked.len();
        // The row is put behind the others, and stays there if it is new.
        self.tracked.extend(tracked.iter().map(|&p| to_least.apply(p)));
        let degree = self.degree();
        let Aqsi { states, tracked, ids, width, .. } = self;
        let row = |n: u32| {
            let id = AqsiId(n);
            (states[id], &tracked[id.index() * *width..(id.index() + 1) * *width])
        };
        let least = (state, &tracked[start..]);
        let column = || least.1.iter().fold(0, |column, process| column * degree + u64::from(process.0));
        // The new row has its number's place already, and its state is told before there is a place for it.
        let hash_of = |n: u32| hash(if n as usize == states.len() { least } else { row(n) });
        let (number, new) = ids.number((state.0, column), || hash(least), |n| row(n) == least, hash_of);
        let id = AqsiId(number);
        if new {
            states.push(state);
        } else {
            tracked.truncate(start);
        }
        (id, to_least.inverse())
    }

    fn degree(&self) -> u64 {
        u64::from(self.aqs.program().process_count())
    }

    /// The quotient without tracked processes.
    pub fn aqs(&self) -> &Aqs<'p> {
        &self.aqs
    }

    /// The quotient without tracked processes, to ask for more of it.
    pub fn aqs_mut(&mut self) -> &mut Aqs<'p> {
        &mut self.aqs
    }

    /// The number of states found.
    pub fn len(&self) -> u32 {
        self.states.len() as u32
    }

    /// About how many bytes states and stored edges take.
    pub fn bytes(&self) -> u64 {
        let rows = self.states.len() * size_of::<AqsId>() + self.tracked.capacity() * size_of::<Process>();
        self.aqs.bytes() + self.stored_bytes() + self.ids.bytes() + rows as u64
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The initial states, each with the permutation that takes it to the program's own initial state and its l⃗ to c⃗.
    pub fn roots(&self) -> &[(AqsiId, Perm)] {
        &self.roots
    }

    /// A state: its quotient state and where the tracked processes are in it.
    pub fn node(&self, id: AqsiId) -> (AqsId, &[Process]) {
        (self.states[id], &self.tracked[id.index() * self.width..(id.index() + 1) * self.width])
    }

    /// Sets how many bytes each kind of result may take that is remembered though it could be found again. Edges that
    /// are made ahead are kept, whatever they take.
    pub fn set_cache_bytes(&mut self, bytes: u64) {
        self.aqs.set_cache_bytes(bytes);
        self.edges.set_limit(bytes);
    }

    /// The edges of a state, held as [`Self::hold_edges`] says: if nothing was said, remembered for a while.
    pub fn edges(&mut self, id: AqsiId) -> Result<Rc<[AqsiEdge]>, StepFault> {
        Ok(self.edges_while(id, |_| true)?.unwrap_or_default())
    }

    /// The edges of a state; none where they are not held, and may not be made to the end.
    pub fn edges_while(
        &mut self,
        id: AqsiId,
        goes_on: impl Fn(&Aqsi<'p>) -> bool,
    ) -> Result<Option<Rc<[AqsiEdge]>>, StepFault> {
        let known = match self.storage {
            EdgeStorage::Stored => self.edges.get(id),
            EdgeStorage::Ahead => self.ahead.get(id).cloned().flatten(),
            EdgeStorage::Recomputed => None,
        };
        if known.is_some() {
            return Ok(known);
        }
        let Some(edges) = self.unstored_edges_while(id, goes_on)? else { return Ok(None) };
        let bytes = edges.iter().map(AqsiEdge::bytes).sum();
        let edges: Rc<[AqsiEdge]> = edges.into();
        match self.storage {
            EdgeStorage::Stored => self.edges.keep(id, bytes, &edges),
            EdgeStorage::Ahead => {
                while self.ahead.len() <= id.index() {
                    self.ahead.push(None);
                }
                self.ahead[id] = Some(edges.clone());
                self.ahead_bytes += bytes;
            }
            EdgeStorage::Recomputed => {}
        }
        // The tables are left out, so that the ways of holding edges compare.
        self.most_stored_bytes = self.most_stored_bytes.max(self.edges.heap_bytes() + self.ahead_bytes);
        Ok(Some(edges))
    }

    /// The bytes that edges take now.
    fn stored_bytes(&self) -> u64 {
        let table = self.ahead.len() * size_of::<Option<Rc<[AqsiEdge]>>>();
        self.edges.bytes() + self.ahead_bytes + table as u64
    }

    /// The edges of a state, made anew each time.
    pub fn unstored_edges(&mut self, id: AqsiId) -> Result<Vec<AqsiEdge>, StepFault> {
        Ok(self.unstored_edges_while(id, |_| true)?.unwrap_or_default())
    }

    /// The edges of a state, made anew one by one; none where it may not go on after one of them. One state of a large program
    /// has more successors than there is memory.
    pub fn unstored_edges_while(
        &mut self,
        id: AqsiId,
        goes_on: impl Fn(&Aqsi<'p>) -> bool,
    ) -> Result<Option<Vec<AqsiEdge>>, StepFault> {
        let (state_id, tracked) = self.node(id);
        let tracked = tracked.to_vec();
        if !tracked.is_empty()
            && let Some(steps) = self.aqs.edges_anywhere(state_id)
        {
            let steps = steps?;
            self.expansions += 1;
            let mut edges = Vec::with_capacity(steps.len());
            return Ok(self.track(&tracked, steps, &mut edges, goes_on).then_some(edges));
        }
        let prune: Prune = self.aqs.prune();
        let state = self.aqs.state(state_id);
        let mut steps = self.aqs.kept_steps(state_id, &state, &tracked, prune)?.into_iter();
        self.expansions += 1;
        let mut edges = Vec::with_capacity(steps.len());
        while steps.len() > 0 {
            let some = self.aqs.some_edges(&state, &mut steps);
            if !self.track(&tracked, some, &mut edges, &goes_on) {
                return Ok(None);
            }
        }
        Ok(Some(edges))
    }

    /// Adds edges of the quotient as edges of the state with these tracked processes; says whether it may go on after each of them.
    fn track(
        &mut self,
        tracked: &[Process],
        steps: Vec<AqsEdge>,
        edges: &mut Vec<AqsiEdge>,
        goes_on: impl Fn(&Aqsi<'p>) -> bool,
    ) -> bool {
        let mut local: Vec<Process> = Vec::with_capacity(tracked.len());
        for AqsEdge { process, action, arguments, perm, target, weight } in steps {
            local.clear();
            local.extend(tracked.iter().map(|&l| perm.origin(l)));
            let (target, rho) = self.find_equiv(target, &local);
            let perm = if rho.is_identity() { perm } else { perm.compose(&rho) };
            edges.push(AqsiEdge { process, action, arguments, perm, rho, target, weight });
            if !goes_on(self) {
                return false;
            }
        }
        true
    }

    /// Builds everything reachable, up to `max_states`; says whether that was all.
    pub fn build(&mut self, max_states: u32) -> Result<bool, (AqsiId, StepFault)> {
        let mut next = 0;
        while next < self.states.len() {
            if self.len() > max_states {
                return Ok(false);
            }
            let id = AqsiId::from_index(next);
            self.edges(id).map_err(|fault| (id, fault))?;
            next += 1;
        }
        Ok(true)
    }
}

impl AqsiEdge {
    fn bytes(&self) -> u64 {
        let own = size_of::<AqsiEdge>() + self.arguments.capacity() * size_of::<i64>();
        own as u64 + self.perm.heap_bytes() + self.rho.heap_bytes()
    }
}

fn hash((state, tracked): (AqsId, &[Process])) -> u64 {
    rows::hash([state.0].into_iter().chain(tracked.iter().map(|process| process.0)).map(u64::from))
}
