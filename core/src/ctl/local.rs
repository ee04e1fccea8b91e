//! The local algorithm: only what the answer in some states needs.
//!
//! Vergauwen & Lewi, "A linear local model checking algorithm for CTL" (1993), as Heljanko (1997) writes it in section 3.3.
//! For `E[f U g]` there are two searches: the first looks for a witness and evaluates f and g on its way, the second goes
//! over the same states in the same order and tells which of them reach it. So the searches of nested formulas, which
//! run inside of the first, can share one row of depth-first numbers.

use super::bitmap::Bitmap;
use super::graph::{Graph, Vertex};
use super::label::{Effort, Leaves, Memory};
use super::normal::Path;
use super::part::{Sub, SubId};
use crate::ids::{Id, IdVec};
use alloc::vec::Vec;

/// The truth of a subformula in the vertices, as far as it is known: two bits for each.
#[derive(Clone, Debug)]
struct Info {
    known: Bitmap,
    /// The truth value where it is known; elsewhere whether the vertex is being visited.
    value: Bitmap,
}

/// A formula `A[f U g]` or `E[f U g]`, and the graph in which it is asked about.
#[derive(Clone, Copy)]
struct Until<'a> {
    graph: &'a Graph,
    subs: &'a IdVec<SubId, Sub>,
    id: SubId,
    f: SubId,
    g: SubId,
}

/// A labelling on demand.
///
/// ```
/// use orbitscope_core::ctl::{Bitmap, Graph, LocalCheck, Path, Sub, SubId, Vertex};
/// let mut graph = Graph::default();
/// for to in [1, 2, 2] {
///     graph.push([Vertex(to)]);
/// }
/// let subs = [Sub::Const(true), Sub::Atom(0), Sub::Until(Path::All, SubId(0), SubId(1))];
/// let subs = subs.into_iter().collect();
/// let mut check = LocalCheck::new(&graph, &subs, vec![(SubId(1), Bitmap::filled(3, false))]);
/// assert!(!check.holds(&graph, &subs, SubId(2), Vertex(1)));
/// ```
#[derive(Clone, Debug)]
pub struct LocalCheck {
    info: IdVec<SubId, Info>,
    /// The depth-first numbers of the second search for `E[f U g]`; 0 for all that it has not visited.
    numbers: Vec<u32>,
    effort: Effort,
}

impl LocalCheck {
    /// Starts with the rows of the leaves.
    pub fn new(graph: &Graph, subs: &IdVec<SubId, Sub>, leaves: Leaves) -> Self {
        let unknown =
            || Info { known: Bitmap::filled(graph.len(), false), value: Bitmap::filled(graph.len(), false) };
        let mut info: IdVec<SubId, Info> = subs.ids().map(|_| unknown()).collect();
        for (id, value) in leaves {
            info[id] = Info { known: Bitmap::filled(graph.len(), true), value };
        }
        let numbers = alloc::vec![0; graph.len() as usize];
        let rows: u64 = info.iter().map(|info| info.known.bytes() + info.value.bytes()).sum();
        let memory = Memory {
            bitmaps: rows,
            numbers: (numbers.capacity() * size_of::<u32>()) as u64,
            ..Memory::default()
        };
        LocalCheck { info, numbers, effort: Effort { memory, ..Effort::default() } }
    }

    /// Takes the truth values of a subformula that it cannot evaluate itself.
    pub fn give(&mut self, id: SubId, value: Bitmap) {
        self.info[id] = Info { known: Bitmap::filled(value.len(), true), value };
    }

    /// The work done so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Whether a subformula holds in a vertex. It recurses as deep as the formula is nested, which the parser bounds.
    pub fn holds(&mut self, graph: &Graph, subs: &IdVec<SubId, Sub>, id: SubId, vertex: Vertex) -> bool {
        if let Some(value) = self.known(id, vertex) {
            return value;
        }
        let value = match &subs[id] {
            Sub::Const(value) => *value,
            // Leaves are known, and fixed points are not evaluated here.
            Sub::Atom(_) | Sub::Link(_) | Sub::FairGlobally(_) | Sub::Fixpoint(..) | Sub::Variable(_) => {
                false
            }
            Sub::Not(a) => !self.holds(graph, subs, *a, vertex),
            Sub::And(list) => list.iter().all(|&part| self.holds(graph, subs, part, vertex)),
            Sub::Or(list) => list.iter().any(|&part| self.holds(graph, subs, part, vertex)),
            Sub::Next(path, a) => {
                let mut successors = graph.successors(vertex).iter();
                match path {
                    Path::All => successors.all(|&v| self.holds(graph, subs, *a, v)),
                    Path::Some => successors.any(|&v| self.holds(graph, subs, *a, v)),
                }
            }
            Sub::Until(_, _, _) if !graph.is_live(vertex) => matches!(subs[id], Sub::Until(Path::All, ..)),
            Sub::Until(path, f, g) => {
                let until = Until { graph, subs, id, f: *f, g: *g };
                // Where f and g decide it, there is nothing to search for.
                if self.direct(until, vertex).is_none() {
                    self.visit(id, vertex);
                    match path {
                        Path::All => self.search_all(until, vertex),
                        Path::Some => self.search_some(until, vertex),
                    }
                }
                return self.info[id].value.get(vertex);
            }
        };
        self.decide(id, vertex, value);
        value
    }

    fn known(&self, id: SubId, vertex: Vertex) -> Option<bool> {
        let info = &self.info[id];
        info.known.get(vertex).then(|| info.value.get(vertex))
    }

    fn decide(&mut self, id: SubId, vertex: Vertex, value: bool) {
        let info = &mut self.info[id];
        info.known.set(vertex, true);
        info.value.set(vertex, value);
    }

    fn is_visited(&self, id: SubId, vertex: Vertex) -> bool {
        let info = &self.info[id];
        !info.known.get(vertex) && info.value.get(vertex)
    }

    fn visit(&mut self, id: SubId, vertex: Vertex) {
        self.effort.visits += 1;
        self.info[id].value.set(vertex, true);
    }

    /// The value where f and g decide it, or where it is known.
    fn direct(&mut self, Until { graph, subs, id, f, g }: Until<'_>, vertex: Vertex) -> Option<bool> {
        if let Some(value) = self.known(id, vertex) {
            return Some(value);
        }
        let value = if self.holds(graph, subs, g, vertex) {
            true
        } else if self.holds(graph, subs, f, vertex) {
            return None;
        } else {
            false
        };
        self.decide(id, vertex, value);
        Some(value)
    }

    /// Looks for a way from a visited vertex on which f holds and g never does.
    fn search_all(&mut self, until: Until<'_>, root: Vertex) {
        let Until { graph, id, .. } = until;
        let mut stack: Vec<(Vertex, u32)> = alloc::vec![(root, 0)];
        let mut wrong = false;
        while let Some((vertex, edge)) = stack.last_mut() {
            let vertex = *vertex;
            let Some(&target) = graph.successors(vertex).get(*edge as usize) else {
                self.decide(id, vertex, true);
                stack.pop();
                continue;
            };
            *edge += 1;
            self.effort.edges += 1;
            // A visited vertex that is not decided is on the stack: a loop without g.
            if self.is_visited(id, target) {
                wrong = true;
                break;
            }
            match self.direct(until, target) {
                Some(true) => {}
                Some(false) => {
                    wrong = true;
                    break;
                }
                None => {
                    self.visit(id, target);
                    stack.push((target, 0));
                }
            }
        }
        self.note(stack.capacity() * size_of::<(Vertex, u32)>());
        if wrong {
            for (vertex, _) in stack {
                self.decide(id, vertex, false);
            }
        }
    }

    /// Looks for a way from a visited vertex on which f holds until g does.
    fn search_some(&mut self, until: Until<'_>, root: Vertex) {
        let Until { graph, id, .. } = until;
        let mut visited = alloc::vec![root];
        let mut stack: Vec<(Vertex, u32)> = alloc::vec![(root, 0)];
        let mut witness = false;
        while let Some((vertex, edge)) = stack.last_mut() {
            let Some(&target) = graph.successors(*vertex).get(*edge as usize) else {
                stack.pop();
                continue;
            };
            *edge += 1;
            self.effort.edges += 1;
            if self.is_visited(id, target) {
                continue;
            }
            match self.direct(until, target) {
                Some(true) => {
                    witness = true;
                    break;
                }
                Some(false) => {}
                None => {
                    self.visit(id, target);
                    visited.push(target);
                    stack.push((target, 0));
                }
            }
        }
        self.note(stack.capacity() * size_of::<(Vertex, u32)>() + visited.capacity() * size_of::<Vertex>());
        if witness {
            self.label_witnesses(graph, id, root);
        } else {
            for vertex in visited {
                self.decide(id, vertex, false);
            }
        }
    }

    /// The second search: Tarjan's, over the visited vertices, up to the first that satisfies the formula. What is on the
    /// stack of components then reaches it; what has left that stack does not.
    fn label_witnesses(&mut self, graph: &Graph, id: SubId, root: Vertex) {
        let mut count = 1;
        self.numbers[root.index()] = count;
        let mut stack: Vec<(Vertex, u32, u32)> = alloc::vec![(root, 0, count)];
        let mut component = alloc::vec![root];
        while let Some((vertex, edge, low)) = stack.last_mut() {
            let vertex = *vertex;
            if let Some(&target) = graph.successors(vertex).get(*edge as usize) {
                *edge += 1;
                self.effort.edges += 1;
                match (self.known(id, target), self.is_visited(id, target), self.numbers[target.index()]) {
                    (Some(true), _, _) => break,
                    (None, true, 0) => {
                        count += 1;
                        self.numbers[target.index()] = count;
                        stack.push((target, 0, count));
                        component.push(target);
                    }
                    (None, true, number) => *low = (*low).min(number),
                    _ => {}
                }
                continue;
            }
            let low = *low;
            stack.pop();
            if low == self.numbers[vertex.index()] {
                while let Some(wrong) = component.pop() {
                    self.numbers[wrong.index()] = 0;
                    self.decide(id, wrong, false);
                    if wrong == vertex {
                        break;
                    }
                }
            }
            if let Some((_, _, above)) = stack.last_mut() {
                *above = (*above).min(low);
            }
        }
        for vertex in component {
            self.numbers[vertex.index()] = 0;
            self.decide(id, vertex, true);
        }
    }

    fn note(&mut self, stacks: usize) {
        self.effort.memory.stacks = self.effort.memory.stacks.max(stacks as u64);
    }
}
