//! Fair paths: from which states does one lead through states of a set only?
//!
//! Fair CTL after E. M. Clarke, E. A. Emerson & A. P. Sistla (1986): with `fair` for "a fair path starts here",
//!
//! ```text
//! EX f = EX (f ∧ fair)      E[f U g] = E[f U (g ∧ fair)]      A[f U g] = ¬EG ¬g ∧ ¬E[¬g U (¬f ∧ ¬g)]
//! ```
//!
//! and `EG f` along a fair path is what is left to find: the states from which a path through f leads into a component of
//! f whose computations are fair. On the quotient a component is judged as in the fair search, by the permutations
//! along its edges (Gyuris & Sistla, theorem 3; `search::component`).

use super::bitmap::Bitmap;
use super::graph::Vertex;
use super::space::{Place, Space};
use crate::automaton::Marks;
use crate::automaton::scc::components;
use crate::group::{Group, Partition, Perm, Process};
use crate::product::{FairnessOf, NodeId, ProcessSet, ProductEdge, ProductFault};
use crate::program::{ActionId, Program};
use crate::quotient::AqsiId;
use crate::search::{Component, Ground, Lasso, fair_component_on, lasso_on};
use alloc::vec::Vec;

/// The part of a space that lies inside of a set of vertices.
struct Inside<'a, 'p> {
    space: &'a mut Space<'p>,
    set: &'a Bitmap,
    /// Where a run starts.
    root: Option<(NodeId, Perm)>,
}

impl<'p> Ground<'p> for Inside<'_, 'p> {
    fn program(&self) -> &'p Program {
        self.space.aqsi().aqs().program()
    }

    fn all_marks(&self) -> Marks {
        Marks::EMPTY
    }

    fn len(&self) -> u32 {
        self.space.len()
    }

    fn roots(&self) -> &[(NodeId, Perm)] {
        self.root.as_slice()
    }

    fn edges(&mut self, id: NodeId) -> Result<Vec<ProductEdge>, ProductFault> {
        let vertex = vertex(id);
        let steps = self.space.edges(vertex).map_err(|fault| ProductFault::Step(AqsiId(id.0), fault))?;
        let edge =
            |step: Option<u32>, by: Option<(Process, ActionId)>, perm: &Perm, target: NodeId| ProductEdge {
                step,
                process: by.map(|by| by.0),
                action: by.map(|by| by.1),
                perm: perm.clone(),
                marks: Marks::EMPTY,
                target,
                turn: Perm::identity(),
            };
        // The graph has no edges to where no infinite path starts, and a loop where a state without steps repeats.
        let targets = self.space.graph().successors(vertex);
        if steps.is_empty() {
            let repeats = targets.contains(&vertex) && self.set.get(vertex);
            return Ok(repeats.then(|| edge(None, None, &Perm::identity(), id)).into_iter().collect());
        }
        let kept = (0..).zip(&steps).filter(|(_, step)| {
            let target = Vertex(step.target.0);
            self.set.get(target) && targets.binary_search(&target).is_ok()
        });
        Ok(kept
            .map(|(n, step)| {
                let by = Some((step.process, step.action));
                edge(Some(n), by, &step.perm, NodeId(step.target.0))
            })
            .collect())
    }

    fn enabled(&mut self, id: NodeId) -> Result<ProcessSet, ProductFault> {
        let steps = self.space.edges(vertex(id)).map_err(|fault| ProductFault::Step(AqsiId(id.0), fault))?;
        Ok(self.space.enabled(vertex(id), &steps))
    }

    fn offering(&mut self, id: NodeId, action: ActionId) -> Result<ProcessSet, ProductFault> {
        let steps = self.space.edges(vertex(id)).map_err(|fault| ProductFault::Step(AqsiId(id.0), fault))?;
        let own: Vec<_> = steps.into_iter().filter(|step| step.action == action).collect();
        Ok(self.space.enabled(vertex(id), &own))
    }

    fn stabiliser(&mut self, id: NodeId) -> Result<Group, ProductFault> {
        Ok(self.space.stabiliser(vertex(id)))
    }

    fn orbits(&mut self, id: NodeId) -> Result<Partition, ProductFault> {
        Ok(self.space.stabiliser(vertex(id)).orbits())
    }

    fn flat(&self, id: NodeId) -> Vec<i32> {
        let (state, _) = self.space.aqsi().node(AqsiId(id.0));
        self.space.aqsi().aqs().flat(state)
    }

    fn step(&mut self, id: NodeId, number: u32) -> Result<(Process, ActionId, Vec<i64>), ProductFault> {
        let mut steps =
            self.space.edges(vertex(id)).map_err(|fault| ProductFault::Step(AqsiId(id.0), fault))?;
        let step = steps.swap_remove(number as usize);
        Ok((step.process, step.action, step.arguments))
    }
}

/// A vertex is a node of a graph without an automaton.
fn node(vertex: Vertex) -> NodeId {
    NodeId(vertex.0)
}

fn vertex(node: NodeId) -> Vertex {
    Vertex(node.0)
}

/// The vertices from which a fair path leads through vertices of a set only. Every state has been expanded, so nothing
/// faults any more.
pub(super) fn fair_globally(space: &mut Space<'_>, inside: &Bitmap, fairness: &FairnessOf) -> Bitmap {
    let mut holds = Bitmap::filled(space.graph().len(), false);
    for members in parts(space, inside) {
        let leads = |v: &Vertex| space.graph().successors(*v).iter().any(|&to| holds.get(to));
        if members.iter().any(leads) || component(space, inside, &members, fairness).is_some() {
            for vertex in members {
                holds.set(vertex, true);
            }
        }
    }
    holds
}

/// The components inside of a set of vertices, each after all that it can reach.
fn parts(space: &Space<'_>, inside: &Bitmap) -> Vec<Vec<Vertex>> {
    let graph = space.graph();
    let found = components(graph.len() as usize, |v| {
        let own = inside.get(Vertex(v));
        let targets = graph.successors(Vertex(v)).iter().filter(move |&&to| own && inside.get(to));
        targets.map(|to| to.0)
    });
    let parts = found.members.into_iter().map(|part| part.into_iter().map(Vertex).collect::<Vec<_>>());
    parts.filter(|part| inside.get(part[0])).collect()
}

/// A fair component among the vertices of a component.
fn component(
    space: &mut Space<'_>,
    inside: &Bitmap,
    members: &[Vertex],
    fairness: &FairnessOf,
) -> Option<Component> {
    let repeats = |v: Vertex| space.graph().successors(v).contains(&v);
    if members.len() == 1 && !repeats(members[0]) {
        return None;
    }
    let nodes = members.iter().map(|&v| node(v)).collect();
    fair_component_on(&mut Inside { space, set: inside, root: None }, nodes, fairness).ok()?
}

/// A fair run from a place through vertices of a set only.
pub(super) fn fair_run(
    space: &mut Space<'_>,
    inside: &Bitmap,
    place: Place,
    fairness: &FairnessOf,
) -> Option<Lasso> {
    let mut reached = Bitmap::filled(space.graph().len(), false);
    let mut stack = alloc::vec![place.vertex];
    while let Some(vertex) = stack.pop() {
        if inside.get(vertex) && !reached.get(vertex) {
            reached.set(vertex, true);
            stack.extend_from_slice(space.graph().successors(vertex));
        }
    }
    let found =
        parts(space, &reached).into_iter().find_map(|part| component(space, &reached, &part, fairness));
    let root = Some((node(place.vertex), place.perm));
    lasso_on(&mut Inside { space, set: &reached, root }, &found?, fairness).ok()
}
