//! Where the nodes and edges of a search are in a picture: of the product itself, or of a quotient, where several nodes of
//! the product are one.

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
    nodes: Vec<Option<NodeId>>,
    edges: Vec<Vec<Option<EdgeId>>>,
    /// How many nodes and edges the picture has.
    size: (usize, usize),
}

impl Places {
    /// The places of a log's nodes and edges. The states of the program and the older product have none: the search knows
    /// nothing of them.
    pub fn new(log: &Log, graph: &Graph, of: GraphKind) -> Places {
        let index = Index::new(graph, of);
        let size = (graph.nodes.len(), graph.edges.len());
        let nodes: Vec<Option<NodeId>> = log.entries().iter().map(|entry| index.node(entry)).collect();
        let by_node: BTreeMap<_, _> =
            log.entries().iter().zip(&nodes).map(|(entry, &node)| (entry.node, node)).collect();
        let edges = log.entries().iter().zip(&nodes).map(|(entry, &node)| {
            let edge = |position: usize| {
                // A target that was never entered is not in the log; its place follows from its number.
                let target = entry.edges[position].target;
                let to = by_node.get(&target).copied().unwrap_or_else(|| index.unvisited(target));
                index.edge(entry, node?, position, to)
            };
            (0..entry.edges.len()).map(edge).collect()
        });
        let edges = edges.collect();
        Places { nodes, edges, size }
    }

    /// The place of the node with this dfnum.
    pub fn node(&self, dfnum: u32) -> Option<NodeId> {
        *self.nodes.get(dfnum as usize)?
    }

    /// The place of an edge of the node with this dfnum.
    pub fn edge(&self, dfnum: u32, position: u32) -> Option<EdgeId> {
        *self.edges.get(dfnum as usize)?.get(position as usize)?
    }

    /// The number of nodes and edges in the picture.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }
}

struct Index<'a> {
    graph: &'a Graph,
    of: GraphKind,
    states: BTreeMap<(AqsId, &'a [Process]), NodeId>,
    leaving: IdVec<NodeId, Vec<EdgeId>>,
}

impl<'a> Index<'a> {
    fn new(graph: &'a Graph, of: GraphKind) -> Index<'a> {
        let mut states = BTreeMap::new();
        if matches!(of, GraphKind::Aqs | GraphKind::Aqsi) {
            for (id, node) in graph.nodes.iter_enumerated() {
                if let Some((state, tracked)) = &node.state {
                    states.insert((*state, tracked.as_slice()), id);
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

    fn node(&self, entry: &Entry) -> Option<NodeId> {
        match self.of {
            GraphKind::Product => self.unvisited(entry.node),
            GraphKind::Aqs => self.states.get(&(entry.state, &[][..])).copied(),
            GraphKind::Aqsi => self.states.get(&(entry.state, entry.tracked.as_slice())).copied(),
            GraphKind::States | GraphKind::Threaded | GraphKind::Part(_) | GraphKind::Every => None,
        }
    }

    /// A node of the product has the same number in its picture.
    fn unvisited(&self, node: orbitscope_core::product::NodeId) -> Option<NodeId> {
        let id = NodeId(node.0);
        (self.of == GraphKind::Product && id.index() < self.graph.nodes.len()).then_some(id)
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
