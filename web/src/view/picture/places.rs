//! Where the nodes and edges of a search are in a picture: of the product itself, of a quotient, where several nodes of
//! the product are one, or of the states and of the older method's product, where one node of the product is all that it
//! stands for.

use crate::engine::GraphKind;
use orbitscope_core::draw::{Edge, EdgeId, EdgeStyle, Graph, NodeId};
use orbitscope_core::group::Process;
use orbitscope_core::ids::{Id, IdVec};
use orbitscope_core::quotient::AqsId;
use orbitscope_core::search::log::{Entry, Log};
use std::collections::BTreeMap;

/// For the nodes of a log, by their dfnum, the nodes of a picture, and for their edges its edges. Made once for a log and a
/// picture; nodes and edges that are not drawn have no place.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Places {
    nodes: Vec<Vec<NodeId>>,
    edges: Vec<Vec<Vec<EdgeId>>>,
    /// How many nodes and edges the picture has.
    size: (usize, usize),
}

impl Places {
    /// The places of a log's nodes and edges.
    pub fn new(log: &Log, graph: &Graph, of: GraphKind) -> Places {
        let index = Index::new(graph, of);
        let size = (graph.nodes.len(), graph.edges.len());
        let nodes: Vec<Vec<NodeId>> = log.entries().iter().map(|entry| index.nodes(entry)).collect();
        let by_node: BTreeMap<_, _> =
            log.entries().iter().zip(&nodes).map(|(entry, node)| (entry.node, node.as_slice())).collect();
        let edges = log.entries().iter().zip(&nodes).map(|(entry, nodes)| {
            let edge = |position: usize| -> Vec<EdgeId> {
                // A target that was never entered is not in the log; its place follows from its number.
                let target = entry.edges[position].target;
                let unvisited = index.unvisited(target);
                let to = by_node.get(&target).copied().unwrap_or(unvisited.as_slice());
                if is_many(of) {
                    return index.alike(entry, nodes, position, to);
                }
                let [node] = nodes[..] else { return Vec::new() };
                index.edge(entry, node, position, to.first().copied()).into_iter().collect()
            };
            (0..entry.edges.len()).map(edge).collect()
        });
        let edges = edges.collect();
        Places { nodes, edges, size }
    }

    /// The places of the node with this dfnum: one at most, where the picture does not tell apart what the search does not.
    pub fn nodes(&self, dfnum: u32) -> &[NodeId] {
        self.nodes.get(dfnum as usize).map_or(&[], Vec::as_slice)
    }

    /// The first place of the node with this dfnum.
    pub fn node(&self, dfnum: u32) -> Option<NodeId> {
        self.nodes(dfnum).first().copied()
    }

    /// The places of an edge of the node with this dfnum.
    pub fn edges(&self, dfnum: u32, position: u32) -> &[EdgeId] {
        let edges = self.edges.get(dfnum as usize).and_then(|edges| edges.get(position as usize));
        edges.map_or(&[], Vec::as_slice)
    }

    /// The first place of an edge of the node with this dfnum.
    pub fn edge(&self, dfnum: u32, position: u32) -> Option<EdgeId> {
        self.edges(dfnum, position).first().copied()
    }

    /// Places of nodes of the search that follow each other, given by their dfnums, so that edges of the picture lead from each
    /// to the next where they can: where a node has several places, what fixes its state takes them to each other, and one is
    /// as good as any other.
    pub fn along(&self, graph: &Graph, dfnums: &[Option<u32>]) -> Vec<Option<NodeId>> {
        let mut leaving: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for edge in &graph.edges {
            leaving.entry(edge.from).or_default().push(edge.to);
        }
        let mut now: Option<NodeId> = None;
        let mut path = Vec::new();
        for dfnum in dfnums {
            let places = dfnum.map_or(&[][..], |dfnum| self.nodes(dfnum));
            let behind = now.and_then(|node| leaving.get(&node)).map_or(&[][..], Vec::as_slice);
            now = places.iter().find(|place| behind.contains(place)).or(places.first()).copied();
            path.push(now);
        }
        path
    }

    /// The number of nodes and edges in the picture.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }
}

/// Whether a node of the search may be several of this picture's.
fn is_many(of: GraphKind) -> bool {
    matches!(of, GraphKind::States | GraphKind::Threaded)
}

/// The nodes whose states say these lines. Two states may say the same where values are cut: they have no place.
pub fn of_labels(graph: &Graph, labels: &[Vec<String>]) -> Vec<Option<NodeId>> {
    let mut by_lines: BTreeMap<&[String], Option<NodeId>> = BTreeMap::new();
    for (id, node) in graph.nodes.iter_enumerated() {
        by_lines.entry(node.lines()).and_modify(|known| *known = None).or_insert(Some(id));
    }
    labels.iter().map(|lines| by_lines.get(lines.as_slice()).copied().flatten()).collect()
}

struct Index<'a> {
    graph: &'a Graph,
    of: GraphKind,
    states: BTreeMap<(AqsId, &'a [Process]), Vec<NodeId>>,
    leaving: IdVec<NodeId, Vec<EdgeId>>,
}

impl<'a> Index<'a> {
    fn new(graph: &'a Graph, of: GraphKind) -> Index<'a> {
        let mut states: BTreeMap<_, Vec<NodeId>> = BTreeMap::new();
        if is_many(of) || matches!(of, GraphKind::Aqs | GraphKind::Aqsi) {
            for (id, node) in graph.nodes.iter_enumerated() {
                if let Some((state, tracked)) = &node.state {
                    states.entry((*state, tracked.as_slice())).or_default().push(id);
                }
            }
        }
        let mut leaving: IdVec<NodeId, Vec<EdgeId>> = graph.nodes.iter().map(|_| Vec::new()).collect();
        for (id, edge) in graph.edges.iter_enumerated() {
            if edge.style == EdgeStyle::Solid {
                leaving[edge.from].push(id);
            }
        }
        Index { graph, of, states, leaving }
    }

    fn nodes(&self, entry: &Entry) -> Vec<NodeId> {
        let tracked = match self.of {
            GraphKind::Product => return self.unvisited(entry.node),
            GraphKind::States | GraphKind::Aqs => &[][..],
            GraphKind::Aqsi | GraphKind::Threaded => entry.tracked.as_slice(),
            GraphKind::Part(_) | GraphKind::Every => return Vec::new(),
        };
        let mut nodes = self.states.get(&(entry.state, tracked)).cloned().unwrap_or_default();
        if self.of == GraphKind::Threaded {
            // The class of a product's node is the state of its automaton.
            nodes.retain(|&node| self.graph.nodes[node].class == Some(entry.automaton.0));
        }
        nodes
    }

    /// The edges between states that a step of the product stands for: of the same action, from any of these states to any
    /// of those.
    fn alike(&self, entry: &Entry, from: &[NodeId], position: usize, to: &[NodeId]) -> Vec<EdgeId> {
        let step = entry.edges[position].step.map(|number| entry.steps[number as usize].action);
        let leaving = from.iter().flat_map(|&node| &self.leaving[node]).copied();
        let same = |id: &EdgeId| {
            let edge = &self.graph.edges[*id];
            edge.step.as_ref().map(|step| step.action) == step && to.contains(&edge.to)
        };
        leaving.filter(same).collect()
    }

    /// A node of the product has the same number in its picture.
    fn unvisited(&self, node: orbitscope_core::product::NodeId) -> Vec<NodeId> {
        let id = NodeId(node.0);
        let drawn = self.of == GraphKind::Product && id.index() < self.graph.nodes.len();
        drawn.then_some(id).into_iter().collect()
    }

    fn edge(&self, entry: &Entry, from: NodeId, position: usize, to: Option<NodeId>) -> Option<EdgeId> {
        let mut leaving = self.leaving[from].iter().copied();
        let edge = |id: EdgeId| &self.graph.edges[id];
        if self.of == GraphKind::Product {
            return leaving.find(|&id| edge(id).position as usize == position);
        }
        // A quotient has fewer edges: where the very step is not among them, a parallel one is, which does the same.
        let step = entry.edges[position].step.map(|number| &entry.steps[number as usize]);
        let drawn = |id: &EdgeId| edge(*id);
        let same = |edge: &Edge| match (step, &edge.step) {
            (Some(a), Some(b)) => (a.process, a.action, &a.arguments) == (b.process, b.action, &b.arguments),
            (None, None) => true,
            _ => false,
        };
        let alike = |edge: &Edge| {
            edge.step.as_ref().map(|step| step.action) == step.map(|step| step.action) && to == Some(edge.to)
        };
        let found = leaving.clone().find(|id| same(drawn(id)));
        found.or_else(|| leaving.find(|id| alike(drawn(id))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::models;
    use crate::session::bench::settled_after;
    use crate::session::{Action, Session};
    use crate::view::picture::marks::{Marks, Phase};
    use std::collections::BTreeSet;

    /// The letters of a state of like clients: those of its orbit have the same.
    fn letters(lines: &[String]) -> String {
        let mut letters: Vec<char> = lines.concat().chars().collect();
        letters.sort_unstable();
        letters.into_iter().collect()
    }

    #[test]
    fn a_search_marks_all_states_that_its_nodes_stand_for() {
        let session =
            settled_after(Session::new(models()[0]), [Action::Property(1), Action::View(GraphKind::States)]);
        let film = session.film().unwrap();
        let graph = session.picture(GraphKind::States).unwrap().graph();
        let quotient = session.picture(GraphKind::Aqs).unwrap().graph();
        let places = Places::new(&film.log, graph, GraphKind::States);
        let known =
            |state| quotient.nodes.iter().find(|node| node.state.as_ref().is_some_and(|(s, _)| *s == state));
        for entry in film.log.entries() {
            let dfnum = film.log.dfnum(entry.node).unwrap();
            let own = known(entry.state).unwrap();
            let size: usize = own.stands_for.as_deref().unwrap().parse().unwrap();
            assert_eq!(places.nodes(dfnum).len(), size, "{:?}", own.lines());
            for &node in places.nodes(dfnum) {
                assert_eq!(letters(graph.nodes[node].lines()), letters(own.lines()));
            }
        }
        for step in 1..=film.log.len() {
            let marks = Marks::new(&film.log, &film.log.at(step).unwrap(), &places);
            assert!(marks.nodes.iter().any(|mark| mark.phase != Phase::Fresh));
            for (id, mark) in marks.edges.iter_enumerated().filter(|(_, mark)| mark.phase != Phase::Fresh) {
                let edge = &graph.edges[id];
                assert_ne!(marks.nodes[edge.from].phase, Phase::Fresh, "{mark:?}");
            }
        }
    }

    /// The older method's product, without symmetry of the tracked process, and the search on the quotient: what the search
    /// has seen at its end is marked, and no node is marked whose letters it has not seen.
    #[test]
    fn a_search_marks_the_older_product_too() {
        let ask = [Action::Set("clients".into(), 3), Action::Property(2), Action::View(GraphKind::Threaded)];
        let session = settled_after(Session::new(models()[0]), ask);
        let film = session.film().unwrap();
        let graph = session.picture(GraphKind::Threaded).unwrap().graph();
        let product = session.picture(GraphKind::Product).unwrap().graph();
        let places = Places::new(&film.log, graph, GraphKind::Threaded);
        // The letters of the tracked client, of the others, and the automaton's state: what no symmetry changes.
        let told = |lines: &[String]| {
            let at: usize = lines[1].strip_prefix("l=").unwrap().parse().unwrap();
            let mut others: Vec<char> = lines[0].chars().collect();
            let own = others.remove(at);
            others.sort_unstable();
            (own, others, lines[2].clone())
        };
        let mut placed = BTreeSet::new();
        for entry in film.log.entries() {
            let own = told(product.nodes[NodeId(entry.node.0)].lines());
            let dfnum = film.log.dfnum(entry.node).unwrap();
            let like: Vec<NodeId> = graph
                .nodes
                .iter_enumerated()
                .filter(|(_, n)| told(n.lines()) == own)
                .map(|(id, _)| id)
                .collect();
            assert_eq!(places.nodes(dfnum), like, "{own:?}");
            placed.extend(like);
        }
        assert!(placed.len() > film.log.entries().len(), "several of its nodes are one of the search");
        let marks = Marks::new(&film.log, &film.log.at(film.log.len()).unwrap(), &places);
        let marked = marks.nodes.iter_enumerated().filter(|(_, mark)| mark.phase != Phase::Fresh);
        assert_eq!(marked.map(|(id, _)| id).collect::<BTreeSet<_>>(), placed);
        assert!(marks.edges.iter().any(|mark| mark.phase != Phase::Fresh));

        let dfnums: Vec<Option<u32>> =
            film.run.as_ref().unwrap().nodes.iter().map(|node| film.log.dfnum((*node)?)).collect();
        let run = places.along(graph, &dfnums);
        assert_eq!(run.len(), dfnums.len());
        for (place, dfnum) in run.iter().zip(&dfnums) {
            assert!(places.nodes(dfnum.unwrap()).contains(&place.unwrap()));
        }
        for pair in run.windows(2) {
            let ends = (pair[0].unwrap(), pair[1].unwrap());
            assert!(graph.edges.iter().any(|edge| (edge.from, edge.to) == ends), "{ends:?}");
        }
    }

    #[test]
    fn the_states_of_a_run_are_found_by_what_they_say() {
        let session =
            settled_after(Session::new(models()[0]), [Action::Property(2), Action::View(GraphKind::States)]);
        let run = session.run().unwrap();
        let graph = session.picture(GraphKind::States).unwrap().graph();
        let nodes = of_labels(graph, &run.labels);
        assert_eq!(nodes.len() as u32, run.columns());
        for (column, pair) in nodes.windows(2).enumerate() {
            let (from, to) = (pair[0].unwrap(), pair[1].unwrap());
            let step = &run.steps[column].words;
            assert!(
                graph.edges.iter().any(|edge| (edge.from, edge.to, &edge.label) == (from, to, step)),
                "{step}"
            );
        }
        let twice = Graph { nodes: vec![graph.nodes[NodeId(0)].clone(); 2].into(), ..Graph::new("") };
        assert_eq!(of_labels(&twice, &run.labels[..1]), [None]);
    }
}
