//! The global algorithm that needs no predecessor relation (Heljanko 1997, section 4), one move a step.
//!
//! `A[f U g]`: a depth-first search from each undecided state for a counterexample, a path of states with f and without
//! g into a state that is decided to be wrong, or into itself. What is left without one satisfies the formula; the path
//! of a counterexample, which is the stack St, does not.
//!
//! `E[f U g]`: the same search for a witness; but a state that is left may still reach one through a state that is not
//! left yet. So a second stack FSt keeps, as Tarjan's algorithm does, the visited states from which the current state
//! can be reached. When a witness is found these and no others satisfy the formula. One number a state is enough: it is
//! the depth-first number at first and then the smallest that can be reached, and `modified` tells whether it has become
//! smaller.

use super::bitmap::Bitmap;
use super::graph::{Graph, Vertex};
use super::label::{Effort, Leaves, Memory, Rows, initial_bitmaps, leaf, plain_row, rows_bytes};
use super::normal::Path;
use super::part::{Sub, SubId};
use crate::ids::{Id, IdVec};
use alloc::vec::Vec;

/// The events of the search, one a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The row of a subformula that needs no search is made.
    Row(SubId),
    /// The search for an `U` begins.
    Begin(SubId),
    /// A search starts from an undecided vertex.
    Root(Vertex),
    /// It goes on to an undecided vertex.
    Enter(Vertex),
    /// An edge leads to a vertex that does not help: one that is decided, or one that is visited already.
    Pass(Vertex, Vertex),
    /// An edge leads to a vertex on FSt with a smaller number.
    Lower(Vertex, Vertex),
    /// All edges of a vertex are done: nothing is wrong with `A[f U g]` there, or it waits on FSt.
    Leave(Vertex),
    /// All edges of a vertex are done, and it and what is behind it on FSt reach no witness.
    Close(Vertex),
    /// This edge ends a counterexample: what is on St does not satisfy the formula.
    Counterexample(Vertex, Vertex),
    /// This edge ends a witness: what is on FSt satisfies the formula.
    Witness(Vertex, Vertex),
    /// The row of an `U` is complete.
    End(SubId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The next subformula is to be begun.
    Next,
    /// An undecided vertex is looked for.
    Scan(Path),
    /// A search is under way.
    Search(Path),
}

/// The search under way.
///
/// ```
/// use orbitscope_core::ctl::{Bitmap, GlobalSearch, Graph, Path, Sub, SubId, Vertex};
/// // 0 → 1 → 2 → 2, and the expression holds in 2: EF holds everywhere.
/// let mut graph = Graph::default();
/// for to in [1, 2, 2] {
///     graph.push([Vertex(to)]);
/// }
/// let mut atom = Bitmap::filled(3, false);
/// atom.set(Vertex(2), true);
/// let subs = [Sub::Const(true), Sub::Atom(0), Sub::Until(Path::Some, SubId(0), SubId(1))];
/// let subs = subs.into_iter().collect();
/// let mut search = GlobalSearch::new(&graph, vec![(SubId(1), atom)]);
/// while search.step(&graph, &subs).is_some() {}
/// assert_eq!(search.rows()[SubId(2)].count(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct GlobalSearch {
    rows: Rows,
    leaves: Leaves,
    phase: Phase,
    scan: Vertex,
    marked: Bitmap,
    modified: Bitmap,
    /// The depth-first number of a vertex on FSt, or the smallest one that it reaches; 0 for all others.
    min: Vec<u32>,
    st: Vec<(Vertex, u32)>,
    fst: Vec<Vertex>,
    numbers: u32,
    effort: Effort,
}

impl GlobalSearch {
    /// Starts with the rows of the leaves.
    pub fn new(graph: &Graph, leaves: Leaves) -> Self {
        GlobalSearch {
            rows: IdVec::new(),
            leaves,
            phase: Phase::Next,
            scan: Vertex(0),
            marked: Bitmap::default(),
            modified: Bitmap::filled(graph.len(), false),
            min: alloc::vec![0; graph.len() as usize],
            st: Vec::new(),
            fst: Vec::new(),
            numbers: 0,
            effort: Effort::default(),
        }
    }

    /// The rows made so far; the last one may be under way.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The rows, when everything is done.
    pub fn into_rows(self) -> Rows {
        self.rows
    }

    /// Which vertices are decided or visited, of the `U` under way.
    pub fn marked(&self) -> &Bitmap {
        &self.marked
    }

    /// St: the path of the search, with the number of the next edge of each vertex.
    pub fn st(&self) -> &[(Vertex, u32)] {
        &self.st
    }

    /// FSt: the visited vertices from which the current one can be reached.
    pub fn fst(&self) -> &[Vertex] {
        &self.fst
    }

    /// The number of a vertex on FSt: the smallest one that it is known to reach.
    pub fn number(&self, vertex: Vertex) -> Option<u32> {
        Some(self.min[vertex.index()]).filter(|&number| number > 0)
    }

    /// Takes the truth values of a subformula that it cannot evaluate itself.
    pub fn give(&mut self, id: SubId, row: Bitmap) {
        self.leaves.push((id, row));
    }

    /// Whether a search is under way; if not, the next step begins the next subformula.
    pub fn is_searching(&self) -> bool {
        self.phase != Phase::Next
    }

    /// The work done so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Takes one step; none where everything is done.
    pub fn step(&mut self, graph: &Graph, subs: &IdVec<SubId, Sub>) -> Option<Event> {
        match self.phase {
            Phase::Next => self.begin(graph, subs),
            Phase::Scan(path) => Some(self.scan(path)),
            Phase::Search(Path::All) => Some(self.search_all(graph)),
            Phase::Search(Path::Some) => Some(self.search_some(graph)),
        }
    }

    fn begin(&mut self, graph: &Graph, subs: &IdVec<SubId, Sub>) -> Option<Event> {
        let id = self.rows.next_id();
        let sub = subs.get(id)?;
        if let Sub::Until(path, f, g) = sub {
            let (marked, labelled) = initial_bitmaps(graph, *path, &self.rows[*f], &self.rows[*g]);
            self.marked = marked;
            self.rows.push(labelled);
            self.scan = Vertex(0);
            self.phase = Phase::Scan(*path);
            return Some(Event::Begin(id));
        }
        let row = plain_row(graph, &self.rows, sub).or_else(|| leaf(&mut self.leaves, id));
        self.rows.push(row.unwrap_or_else(|| Bitmap::filled(graph.len(), false)));
        Some(Event::Row(id))
    }

    fn scan(&mut self, path: Path) -> Event {
        if let Some(vertex) = self.marked.first_unset(self.scan) {
            self.scan = vertex;
            self.numbers = 0;
            self.phase = Phase::Search(path);
            self.enter(path, vertex);
            return Event::Root(vertex);
        }
        self.phase = Phase::Next;
        let stacks =
            self.st.capacity() * size_of::<(Vertex, u32)>() + self.fst.capacity() * size_of::<Vertex>();
        self.effort.memory = self.effort.memory.max(Memory {
            bitmaps: rows_bytes(&self.rows) + self.marked.bytes() + self.modified.bytes(),
            numbers: (self.min.capacity() * size_of::<u32>()) as u64,
            stacks: stacks as u64,
            predecessors: 0,
        });
        Event::End(SubId::from_index(self.rows.len() - 1))
    }

    fn enter(&mut self, path: Path, vertex: Vertex) {
        self.effort.visits += 1;
        self.marked.set(vertex, true);
        self.st.push((vertex, 0));
        if path == Path::Some {
            self.numbers += 1;
            self.min[vertex.index()] = self.numbers;
            self.fst.push(vertex);
        }
    }

    /// The vertex on top of St, and its next edge; the edge counts as taken.
    fn take(&mut self, graph: &Graph) -> (Vertex, Option<Vertex>) {
        let Some((vertex, edge)) = self.st.last_mut() else { return (self.scan, None) };
        let target = graph.successors(*vertex).get(*edge as usize).copied();
        if target.is_some() {
            *edge += 1;
            self.effort.edges += 1;
        }
        (*vertex, target)
    }

    fn label(&mut self, vertex: Vertex) {
        let row = SubId::from_index(self.rows.len() - 1);
        self.rows[row].set(vertex, true);
    }

    fn is_labelled(&self, vertex: Vertex) -> bool {
        self.rows[SubId::from_index(self.rows.len() - 1)].get(vertex)
    }

    fn search_all(&mut self, graph: &Graph) -> Event {
        let (vertex, target) = self.take(graph);
        let Some(target) = target else {
            self.st.pop();
            self.label(vertex);
            if self.st.is_empty() {
                self.phase = Phase::Scan(Path::All);
            }
            return Event::Leave(vertex);
        };
        if !self.marked.get(target) {
            self.enter(Path::All, target);
            return Event::Enter(target);
        }
        if self.is_labelled(target) {
            return Event::Pass(vertex, target);
        }
        // It is decided to be wrong, or it is on St and closes a loop. What is on St is marked and not labelled.
        self.st.clear();
        self.phase = Phase::Scan(Path::All);
        Event::Counterexample(vertex, target)
    }

    fn search_some(&mut self, graph: &Graph) -> Event {
        let (vertex, target) = self.take(graph);
        let Some(target) = target else { return self.leave_some(vertex) };
        if !self.marked.get(target) {
            self.enter(Path::Some, target);
            return Event::Enter(target);
        }
        if self.is_labelled(target) {
            while let Some(found) = self.fst.pop() {
                self.label(found);
                self.min[found.index()] = 0;
                self.modified.set(found, false);
            }
            self.st.clear();
            self.phase = Phase::Scan(Path::Some);
            return Event::Witness(vertex, target);
        }
        if self.lower(vertex, target) { Event::Lower(vertex, target) } else { Event::Pass(vertex, target) }
    }

    /// Takes over the number of a vertex on FSt if it is smaller.
    fn lower(&mut self, vertex: Vertex, to: Vertex) -> bool {
        let smaller = self.min[to.index()] > 0 && self.min[to.index()] < self.min[vertex.index()];
        if smaller {
            self.min[vertex.index()] = self.min[to.index()];
            self.modified.set(vertex, true);
        }
        smaller
    }

    fn leave_some(&mut self, vertex: Vertex) -> Event {
        self.st.pop();
        let closes = !self.modified.get(vertex);
        if closes {
            while let Some(wrong) = self.fst.pop() {
                self.min[wrong.index()] = 0;
                self.modified.set(wrong, false);
                if wrong == vertex {
                    break;
                }
            }
        }
        match self.st.last() {
            Some(&(parent, _)) => {
                self.lower(parent, vertex);
            }
            None => self.phase = Phase::Scan(Path::Some),
        }
        if closes { Event::Close(vertex) } else { Event::Leave(vertex) }
    }
}
