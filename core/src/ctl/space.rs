//! The states of one part: of the quotient with the processes that the part tracks, from the states that it is asked
//! about on.

use super::bitmap::Bitmap;
use super::graph::{Graph, Vertex};
use super::normal::{FixId, ProcessQuantifier};
use super::part::{Link, Outer, Part, Sub, SubId};
use crate::explore::Limits;
use crate::group::{Group, Perm, Process};
use crate::ids::Id;
use crate::product::{Deadlock, ProcessSet};
use crate::program::{FamilyId, Fault, Program, Scratch, StepFault};
use crate::quotient::{Aqs, Aqsi, AqsiEdge, AqsiId, EdgeStorage, Prune};
use crate::sort::Sort as _;
use alloc::vec::Vec;

/// Why a state cannot be expanded.
#[derive(Clone, Debug)]
pub(super) enum SpaceFault {
    /// The model has an error there.
    Step(StepFault),
    /// The property has one.
    Atom(Fault),
    /// There are more states than are allowed, or they take more memory.
    Full,
}

/// The states of a part. Vertices are the states of the quotient with tracked processes, by number.
#[derive(Clone, Debug)]
pub(super) struct Space<'p> {
    aqsi: Aqsi<'p>,
    graph: Graph,
    /// A row for each expression.
    atoms: Vec<Bitmap>,
    /// For each use of another part, the vertices of that part that it rests on.
    asked: Vec<(SubId, Asked)>,
    /// For each variable of a fixed point of another part, the vertices of that part that the own ones lie over.
    below: Vec<(FixId, Vec<Vertex>)>,
    scratch: Scratch,
}

/// The vertices of another part that each vertex rests on.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    ends: Vec<u32>,
    vertices: Vec<Vertex>,
}

impl Asked {
    pub(super) fn of(&self, vertex: Vertex) -> &[Vertex] {
        let start = vertex.index().checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.vertices[start..self.ends[vertex.index()] as usize]
    }
}

/// A vertex that stands for a state of the program: σ takes its state to that one, and its tracked processes to those
/// that are meant.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub vertex: Vertex,
    pub perm: Perm,
}

impl<'p> Space<'p> {
    /// The space of the whole formula, with the program's initial states.
    pub(super) fn with_roots(program: &'p Program, part: &Part, prune: Prune, max_roots: u32) -> Self {
        let aqs = Aqs::new(program, &part.symmetry, prune, EdgeStorage::Recomputed, max_roots);
        Space::of(Aqsi::new(aqs, &part.fixed), part)
    }

    /// The space of a part that others use: what they ask about is entered later.
    pub(super) fn empty(program: &'p Program, part: &Part, prune: Prune) -> Self {
        let aqs = Aqs::without_roots(program, &part.symmetry, prune, EdgeStorage::Recomputed);
        Space::of(Aqsi::without_roots(aqs), part)
    }

    fn of(aqsi: Aqsi<'p>, part: &Part) -> Self {
        let links = part.subs.iter_enumerated().filter(|(_, sub)| matches!(sub, Sub::Link(_)));
        Space {
            aqsi,
            graph: Graph::default(),
            atoms: part.atoms.iter().map(|_| Bitmap::default()).collect(),
            asked: links.map(|(id, _)| (id, Asked::default())).collect(),
            below: part.variables.iter().map(|outer| (outer.fix, Vec::new())).collect(),
            scratch: Scratch::default(),
        }
    }

    pub(super) fn has_all_roots(&self) -> bool {
        self.aqsi.aqs().has_all_roots()
    }

    pub(super) fn roots(&self) -> Vec<Place> {
        let roots = self.aqsi.roots().iter();
        roots.map(|(id, perm)| Place { vertex: Vertex(id.0), perm: perm.clone() }).collect()
    }

    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn aqsi(&self) -> &Aqsi<'p> {
        &self.aqsi
    }

    pub(super) fn aqsi_mut(&mut self) -> &mut Aqsi<'p> {
        &mut self.aqsi
    }

    pub(super) fn atom_row(&self, number: u32) -> &Bitmap {
        &self.atoms[number as usize]
    }

    pub(super) fn asked(&self, sub: SubId) -> Option<&Asked> {
        self.asked.iter().find(|(id, _)| *id == sub).map(|(_, asked)| asked)
    }

    pub(super) fn below(&self, fix: FixId) -> &[Vertex] {
        self.below.iter().find(|(id, _)| *id == fix).map_or(&[], |(_, vertices)| vertices)
    }

    /// How many vertices have been asked for what they rest on.
    pub(super) fn asked_len(&self) -> u32 {
        self.asked.first().map_or(self.graph.len(), |(_, asked)| asked.ends.len() as u32)
    }

    /// How many vertices have been laid over those of other parts.
    pub(super) fn laid_len(&self) -> u32 {
        self.below.first().map_or(self.graph.len(), |(_, vertices)| vertices.len() as u32)
    }

    /// How many states have been found.
    pub(super) fn len(&self) -> u32 {
        self.aqsi.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        let atoms: u64 = self.atoms.iter().map(Bitmap::bytes).sum();
        let asked = self.asked.iter().map(|(_, asked)| asked.ends.capacity() + asked.vertices.capacity());
        let below = self.below.iter().map(|(_, vertices)| vertices.capacity());
        self.aqsi.bytes() + self.graph.bytes() + atoms + (asked.chain(below).sum::<usize>() * 4) as u64
    }

    /// Expands the next state; says whether there was one.
    pub(super) fn expand(
        &mut self,
        part: &Part,
        deadlock: Deadlock,
        limits: Limits,
    ) -> Result<bool, (Vertex, SpaceFault)> {
        let vertex = Vertex(self.graph.len());
        if vertex.0 == self.aqsi.len() {
            return Ok(false);
        }
        let edges = if part.temporal || part.asks_enabled {
            let fits = |aqsi: &Aqsi<'_>| aqsi.len() <= limits.states && aqsi.bytes() <= limits.bytes;
            let edges = self.aqsi.unstored_edges_while(AqsiId(vertex.0), fits);
            let edges = edges.map_err(|fault| (vertex, SpaceFault::Step(fault)))?;
            edges.ok_or((vertex, SpaceFault::Full))?
        } else {
            Vec::new()
        };
        self.evaluate(part, vertex, &edges).map_err(|fault| (vertex, SpaceFault::Atom(fault)))?;
        let mut targets: Vec<Vertex> = Vec::new();
        if part.temporal {
            targets.extend(edges.iter().map(|edge| Vertex(edge.target.0)));
            targets.arrange();
            targets.dedup();
            if targets.is_empty() && deadlock == Deadlock::Stutter && !self.is_cut_off(vertex) {
                targets.push(vertex);
            }
        }
        self.graph.push(targets);
        Ok(true)
    }

    /// Ends the expansion: paths that end are dropped where that is asked for.
    pub(super) fn settle(&mut self, part: &Part, deadlock: Deadlock) {
        let assumed = self.aqsi.aqs().program().assumption.is_some();
        if part.temporal && (deadlock == Deadlock::Drop || assumed) {
            self.graph.drop_finite_paths();
        }
    }

    /// Whether a vertex without steps has some that lead out of what is assumed.
    fn is_cut_off(&mut self, vertex: Vertex) -> bool {
        let (id, _) = self.aqsi.node(AqsiId(vertex.0));
        self.aqsi.aqs_mut().is_cut_off(id)
    }

    pub(super) fn edges(&mut self, vertex: Vertex) -> Result<Vec<AqsiEdge>, StepFault> {
        self.aqsi.unstored_edges(AqsiId(vertex.0))
    }

    /// The permutations that fix a vertex.
    pub(super) fn stabiliser(&self, vertex: Vertex) -> Group {
        let (id, tracked) = self.aqsi.node(AqsiId(vertex.0));
        self.aqsi.aqs().stabiliser(id).stabiliser(tracked)
    }

    /// The processes that are enabled in a vertex. Of like processes one has edges: the others are enabled with it.
    pub(super) fn enabled(&self, vertex: Vertex, edges: &[AqsiEdge]) -> ProcessSet {
        let classes = self.stabiliser(vertex).orbits();
        let mut enabled = ProcessSet::default();
        for edge in edges {
            if !enabled.contains(edge.process) {
                enabled.insert_all(&classes.members(edge.process));
            }
        }
        enabled
    }

    fn evaluate(&mut self, part: &Part, vertex: Vertex, edges: &[AqsiEdge]) -> Result<(), Fault> {
        if part.atoms.is_empty() {
            return Ok(());
        }
        let (id, tracked) = self.aqsi.node(AqsiId(vertex.0));
        let state = self.aqsi.aqs().state(id);
        let reduction = self.aqsi.aqs().reduction();
        let mut view = reduction.see(&state, tracked);
        let enabled = part.asks_enabled.then(|| self.enabled(vertex, edges).to_point_set());
        view.enabled = enabled.as_ref();
        for (atom, row) in part.atoms.iter().zip(&mut self.atoms) {
            row.push(atom.holds(reduction.program(), &view, &mut self.scratch, tracked)?);
        }
        Ok(())
    }

    /// Notes which vertices of another part a vertex rests on.
    pub(super) fn ask(&mut self, vertex: Vertex, sub: SubId, link: &Link, inner: &mut Space<'p>) {
        let (id, own) = self.aqsi.node(AqsiId(vertex.0));
        let flat = self.aqsi.aqs().flat(id);
        let found = inner.instances(&flat, &sources(link, own), link);
        if let Some((_, asked)) = self.asked.iter_mut().find(|(id, _)| *id == sub) {
            asked.vertices.extend(found.into_iter().map(|(_, place)| place.vertex));
            asked.ends.push(asked.vertices.len() as u32);
        }
    }

    /// Notes which vertex of the part of a fixed point a vertex lies over. It is there, or is entered now, as can only
    /// happen where representatives are approximated.
    pub(super) fn lay_over(&mut self, vertex: Vertex, outer: &Outer, home: &mut Space<'p>) {
        let (id, own) = self.aqsi.node(AqsiId(vertex.0));
        let tracked: Vec<Process> = outer.places.iter().map(|&place| own[place as usize]).collect();
        let found = home.enter(&self.aqsi.aqs().flat(id), &tracked).vertex;
        if let Some((_, vertices)) = self.below.iter_mut().find(|(fix, _)| *fix == outer.fix) {
            vertices.push(found);
        }
    }

    /// The vertex for a state of the program with these tracked processes; none where it was never met, as can only
    /// happen where representatives are approximated.
    pub(super) fn place(&mut self, values: &[i32], tracked: &[Process]) -> Option<Place> {
        let place = self.enter(values, tracked);
        (place.vertex.0 < self.graph.len()).then_some(place)
    }

    fn enter(&mut self, values: &[i32], tracked: &[Process]) -> Place {
        let (state, perm) = self.aqsi.aqs_mut().enter(values);
        let back = perm.inverse();
        let local: Vec<Process> = tracked.iter().map(|&p| back.apply(p)).collect();
        let (id, rho) = self.aqsi.find_equiv(state, &local);
        Place { vertex: Vertex(id.0), perm: perm.compose(&rho) }
    }

    /// The vertices for a state of the program: one, or one for each orbit of choices of the process that a quantifier
    /// binds, with that process.
    pub(super) fn instances(
        &mut self,
        values: &[i32],
        tracked: &[Option<Process>],
        link: &Link,
    ) -> Vec<(Option<Process>, Place)> {
        let (state, perm) = self.aqsi.aqs_mut().enter(values);
        let back = perm.inverse();
        let local: Vec<Option<Process>> = tracked.iter().map(|p| p.map(|p| back.apply(p))).collect();
        let choices: Vec<Option<Process>> = match link.over {
            None => alloc::vec![None],
            Some((_, family)) => {
                let known: Vec<Process> = local.iter().copied().flatten().collect();
                let orbits = self.aqsi.aqs().stabiliser(state).stabiliser(&known).orbits();
                let members = members(self.aqsi.aqs().program(), family);
                orbits.names().filter(|p| members.contains(&p.0)).map(Some).collect()
            }
        };
        let place = |chosen: Option<Process>| {
            let tuple: Vec<Process> = local.iter().filter_map(|&p| p.or(chosen)).collect();
            let (id, rho) = self.aqsi.find_equiv(state, &tuple);
            let chosen = chosen.map(|process| perm.apply(process));
            (chosen, Place { vertex: Vertex(id.0), perm: perm.compose(&rho) })
        };
        choices.into_iter().map(place).collect()
    }
}

/// The processes that a part is used with; none for the one that the quantifier binds.
pub(super) fn sources(link: &Link, own: &[Process]) -> Vec<Option<Process>> {
    link.sources.iter().map(|source| source.map(|place| own[place as usize])).collect()
}

/// The processes of a family.
pub(super) fn members(program: &Program, family: FamilyId) -> core::ops::Range<u32> {
    let family = &program.families[family];
    family.first.0..family.first.0 + family.size
}

/// The truth of a link where the other part has these values.
pub(super) fn link_value(link: &Link, mut values: impl Iterator<Item = bool>) -> bool {
    match link.over {
        Some((ProcessQuantifier::Exists, _)) => values.any(|value| value),
        Some((ProcessQuantifier::Forall, _)) | None => values.all(|value| value),
    }
}
