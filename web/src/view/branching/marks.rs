//! Marks on the graph of a part.

use crate::engine::Subformula;
use crate::view::picture::marks::{Legend, Marks, Phase};
use orbitscope_core::ctl::{Event, GlobalSearch, Vertex};
use orbitscope_core::draw::{EdgeId, EdgeStyle, Graph, NodeId};

const SATISFYING: Legend = &[("holds", "it holds here"), ("done", "it does not")];
const SEARCHING: Legend = &[
    ("fresh", "undecided"),
    ("entered", "on St"),
    ("stacked", "waits on FSt"),
    ("holds", "decided: holds"),
    ("done", "decided: does not hold"),
];

/// The states that satisfy a subformula.
pub fn satisfying(subformula: &Subformula, graph: &Graph) -> Marks {
    let mut marks = blank(graph, SATISFYING);
    for (id, mark) in (0..).zip(marks.nodes.as_mut_slice()) {
        let holds = id < subformula.holds.len() && subformula.holds.get(Vertex(id));
        mark.phase = if holds { Phase::Holds } else { Phase::Done };
    }
    for edge in marks.edges.as_mut_slice() {
        edge.phase = Phase::Done;
    }
    marks
}

/// The search's knowledge of the states, and where it is after its last step.
pub fn searching(search: &GlobalSearch, last: Option<Event>, graph: &Graph) -> Marks {
    let mut marks = blank(graph, SEARCHING);
    let drawn = |vertex: Vertex| (vertex.0 < graph.nodes.len() as u32).then_some(NodeId(vertex.0));
    if let Some(row) = search.rows().as_slice().last() {
        for (id, mark) in (0..row.len()).zip(marks.nodes.as_mut_slice()) {
            let vertex = Vertex(id);
            // Between two searches every state is decided.
            let decided = !search.is_searching() || search.marked().get(vertex);
            mark.phase = match (row.get(vertex), decided) {
                (true, _) => Phase::Holds,
                (false, true) => Phase::Done,
                (false, false) => Phase::Fresh,
            };
        }
    }
    for node in search.fst().iter().filter_map(|&vertex| drawn(vertex)) {
        marks.nodes[node].phase = Phase::Stacked;
    }
    let path: Vec<NodeId> = search.st().iter().filter_map(|&(vertex, _)| drawn(vertex)).collect();
    for &node in &path {
        marks.nodes[node].phase = Phase::Entered;
    }
    for pair in path.windows(2) {
        if let Some(edge) = edge(graph, pair[0], pair[1]) {
            marks.edges[edge].phase = Phase::Entered;
        }
    }
    marks.current = path.last().copied();
    let followed = match last {
        Some(
            Event::Pass(from, to)
            | Event::Lower(from, to)
            | Event::Counterexample(from, to)
            | Event::Witness(from, to),
        ) => drawn(from).zip(drawn(to)),
        Some(Event::Enter(_)) => path.len().checked_sub(2).map(|from| (path[from], path[from + 1])),
        _ => None,
    };
    marks.followed = followed.and_then(|(from, to)| edge(graph, from, to));
    marks
}

fn blank(graph: &Graph, legend: Legend) -> Marks {
    Marks { legend, ..Marks::blank((graph.nodes.len(), graph.edges.len())) }
}

/// An edge between two nodes; parallel ones are one to the search.
fn edge(graph: &Graph, from: NodeId, to: NodeId) -> Option<EdgeId> {
    let mut edges = graph.edges.iter_enumerated();
    let is =
        |edge: &orbitscope_core::draw::Edge| (edge.from, edge.to, edge.style) == (from, to, EdgeStyle::Solid);
    edges.find(|(_, edge)| is(edge)).map(|(id, _)| id)
}
