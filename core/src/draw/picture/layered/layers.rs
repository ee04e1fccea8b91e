//! Ranks, and the way each edge takes through them.
//!
//! After Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures" (1981), with
//! layers by distance from the initial nodes instead of longest paths: a new node then moves none of the others to
//! another layer, and an edge never leads more than one layer forward. Even ranks hold the nodes of a layer, odd ranks
//! the labels between two layers. Every edge has an item in each rank that it passes, so that it runs over no node and
//! no label.

use crate::define_id;
use crate::draw::text::{clip, width, wrap};
use crate::draw::{Edge, Graph, Node, NodeId};
use crate::ids::IdVec;
use crate::limits::MAX_ROUTED_RANKS;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

/// A graph with more edges than this has no labels on them: they would be all one sees.
const LABELLED: usize = 64;
/// The most lines of a node's label and below it, and the most characters in one.
const LINES: (usize, usize) = (8, 3);
const LINE: usize = 46;
/// The most characters of an edge's label that are written.
const LABEL: usize = 30;

const NODE_CHAR: f64 = 7.25;
pub(super) const NODE_LINE: f64 = 16.0;
const LABEL_CHAR: f64 = 6.65;

define_id!(
    /// Something that takes space in a rank.
    ItemId
);

/// The place of an edge in [`Graph::edges`].
pub(super) type EdgeIndex = usize;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ItemKind {
    Node(NodeId),
    /// The label of an edge that goes on to the other side.
    Label(EdgeIndex),
    /// The label of an edge that turns back here: both its ends are in the rank to the left.
    Turn(EdgeIndex),
    /// An edge that passes.
    Pass,
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub kind: ItemKind,
    pub width: f64,
    /// The room that it needs above and below its line.
    pub above: f64,
    pub below: f64,
}

/// The text in a node.
#[derive(Clone, Debug)]
pub(super) struct NodeText {
    pub label: Vec<String>,
    pub below: Vec<String>,
}

/// The text on an edge.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeText {
    pub over: String,
    pub under: String,
}

impl EdgeText {
    fn new(edge: &Edge) -> EdgeText {
        EdgeText { over: clip(&edge.over, LABEL), under: clip(&edge.under, LABEL) }
    }

    fn width(&self) -> f64 {
        width(&self.over).max(width(&self.under)) as f64 * LABEL_CHAR
    }
}

#[derive(Clone, Debug)]
pub(super) struct Layers {
    pub items: IdVec<ItemId, Item>,
    pub texts: IdVec<NodeId, NodeText>,
    /// The text on the edges; empty where there is none.
    pub labels: Vec<EdgeText>,
    /// The space between two ends of edges on one side of a node.
    pub port: f64,
    /// The items of each rank, from top to bottom.
    pub ranks: Vec<Vec<ItemId>>,
    pub rank_of: IdVec<ItemId, u32>,
    /// For each edge the items on its way, its two nodes included.
    pub routes: Vec<Vec<ItemId>>,
}

impl Layers {
    pub(super) fn new(graph: &Graph) -> Layers {
        let (layer_of, order) = distances(graph);
        let layers = layer_of.iter().max().map_or(0, |&last| last + 1);
        let labelled = graph.edges.len() <= LABELLED;
        let mut this = Layers {
            items: IdVec::new(),
            texts: graph.nodes.iter().map(NodeText::new).collect(),
            labels: if labelled { graph.edges.iter().map(EdgeText::new).collect() } else { Vec::new() },
            port: if labelled { 13.0 } else { 5.0 },
            ranks: alloc::vec![Vec::new(); layers as usize * 2],
            rank_of: IdVec::new(),
            routes: Vec::with_capacity(graph.edges.len()),
        };
        let sides = this.sides(graph, &layer_of);
        let mut items: IdVec<NodeId, ItemId> = alloc::vec![ItemId(0); graph.nodes.len()].into();
        for id in order {
            let ports = sides[id].0.max(sides[id].1) as f64;
            let item = this.texts[id].item(id, ports * this.port);
            items[id] = this.push(layer_of[id] * 2, item);
        }
        let mut passes = 0;
        for (index, edge) in graph.edges.iter().enumerate() {
            let (from, to) = (layer_of[edge.from], layer_of[edge.to]);
            let text = this.labels.get(index).cloned().unwrap_or_default();
            let label = text.width();
            let mut route = alloc::vec![items[edge.from]];
            if from == to {
                let half = match (text.over.is_empty(), text.under.is_empty()) {
                    (true, true) => 6.0,
                    (false, false) => 13.0,
                    _ => 7.5,
                };
                let item = ItemKind::Turn(index);
                let turn = Item { kind: item, width: label + 13.0, above: half, below: half };
                route.push(this.push(from * 2 + 1, turn));
            } else {
                let gap = if from < to { from * 2 + 1 } else { from * 2 - 1 };
                let lane = if labelled { 5.0 } else { 2.5 };
                let above = if text.over.is_empty() { lane } else { 14.0 };
                let below = if text.under.is_empty() { lane } else { 14.0 };
                let item = Item { kind: ItemKind::Label(index), width: label + 8.0, above, below };
                route.push(this.push(gap, item));
                // Only an edge from a node that is not reachable can lead further forward than the next layer.
                let between: Vec<u32> =
                    if from < to { (gap + 1..to * 2).collect() } else { (to * 2 + 1..gap).rev().collect() };
                if passes + between.len() <= MAX_ROUTED_RANKS {
                    passes += between.len();
                    for rank in between {
                        let pass = Item { kind: ItemKind::Pass, width: 0.0, above: lane, below: lane };
                        route.push(this.push(rank, pass));
                    }
                }
            }
            route.push(items[edge.to]);
            this.routes.push(route);
        }
        this
    }

    fn push(&mut self, rank: u32, item: Item) -> ItemId {
        let id = self.items.push(item);
        self.rank_of.push(rank);
        self.ranks[rank as usize].push(id);
        id
    }

    /// How many ends of edges each node has on its left and on its right.
    fn sides(&self, graph: &Graph, layer_of: &IdVec<NodeId, u32>) -> IdVec<NodeId, (u32, u32)> {
        let mut sides: IdVec<NodeId, (u32, u32)> =
            graph.nodes.iter().map(|node| (u32::from(node.initial), 0)).collect();
        for edge in &graph.edges {
            let (from, to) = (layer_of[edge.from], layer_of[edge.to]);
            if from > to {
                sides[edge.from].0 += 1;
            } else {
                sides[edge.from].1 += 1;
            }
            if from < to {
                sides[edge.to].0 += 1;
            } else {
                sides[edge.to].1 += 1;
            }
        }
        debug_assert_eq!(sides.len(), self.texts.len());
        sides
    }

    /// Whether an edge's end at a node is on the right of it; `next` is the item beside the node on the edge's way.
    pub(super) fn is_right(&self, node: ItemId, next: ItemId) -> bool {
        self.rank_of[next] > self.rank_of[node]
    }
}

impl NodeText {
    fn new(node: &Node) -> NodeText {
        let lines = |lines: &[String], most: usize| {
            let mut wrapped: Vec<String> = lines
                .iter()
                .flat_map(|line| wrap(line))
                .map(|line| clip(&line, LINE))
                .take(most + 1)
                .collect();
            if wrapped.len() > most {
                wrapped.truncate(most - 1);
                wrapped.push("…".into());
            }
            wrapped
        };
        NodeText { label: lines(node.lines(), LINES.0), below: lines(&node.below, LINES.1) }
    }

    fn item(&self, id: NodeId, ports: f64) -> Item {
        let lines = self.label.iter().chain(&self.below);
        let widest = lines.map(|line| width(line)).max().unwrap_or(0).max(1) as f64;
        let half = self.height().max(ports + 4.0) / 2.0;
        Item {
            kind: ItemKind::Node(id),
            width: widest * NODE_CHAR + 20.0,
            above: half + 9.0,
            below: half + 9.0,
        }
    }

    /// The height that the text needs.
    pub(super) fn height(&self) -> f64 {
        let rule = if self.below.is_empty() { 0.0 } else { 7.0 };
        self.label.len().max(1) as f64 * NODE_LINE + self.below.len() as f64 * NODE_LINE + rule + 12.0
    }
}

/// The distance of each node from the initial ones, and the nodes in the order of finding. Nodes that are not
/// reachable start anew at the first layer.
pub(in crate::draw::picture) fn distances(graph: &Graph) -> (IdVec<NodeId, u32>, Vec<NodeId>) {
    let mut successors: IdVec<NodeId, Vec<NodeId>> = graph.nodes.iter().map(|_| Vec::new()).collect();
    for edge in &graph.edges {
        successors[edge.from].push(edge.to);
    }
    let mut distance: IdVec<NodeId, Option<u32>> = graph.nodes.iter().map(|_| None).collect();
    let mut order: Vec<NodeId> = Vec::with_capacity(graph.nodes.len());
    let initial: Vec<NodeId> = graph.nodes.ids().filter(|&id| graph.nodes[id].initial).collect();
    let others = graph.nodes.ids().map(|id| alloc::vec![id]);
    for roots in core::iter::once(initial).chain(others) {
        let mut queue = VecDeque::new();
        for root in roots {
            if distance[root].is_none() {
                distance[root] = Some(0);
                queue.push_back((root, 0));
            }
        }
        while let Some((node, at)) = queue.pop_front() {
            order.push(node);
            for &next in &successors[node] {
                if distance[next].is_none() {
                    distance[next] = Some(at + 1);
                    queue.push_back((next, at + 1));
                }
            }
        }
    }
    let distance = graph.nodes.ids().map(|id| distance[id].unwrap_or(0)).collect();
    (distance, order)
}

/// The item at each position, as positions by item.
pub(super) fn positions(layers: &Layers) -> IdVec<ItemId, u32> {
    let mut positions: IdVec<ItemId, u32> = alloc::vec![0; layers.items.len()].into();
    for rank in &layers.ranks {
        for (position, &item) in rank.iter().enumerate() {
            positions[item] = position as u32;
        }
    }
    positions
}

/// For each item its neighbours in the rank to the left and in the rank to the right, one for each piece of an edge.
pub(super) fn neighbours(layers: &Layers) -> (IdVec<ItemId, Vec<ItemId>>, IdVec<ItemId, Vec<ItemId>>) {
    let empty = || layers.items.iter().map(|_| Vec::new()).collect::<IdVec<ItemId, Vec<ItemId>>>();
    let (mut left, mut right) = (empty(), empty());
    for piece in layers.routes.iter().flat_map(|route| route.windows(2)) {
        let (a, b) = (piece[0], piece[1]);
        let (a, b) = if layers.rank_of[a] < layers.rank_of[b] { (a, b) } else { (b, a) };
        if layers.rank_of[a] + 1 == layers.rank_of[b] {
            right[a].push(b);
            left[b].push(a);
        }
    }
    (left, right)
}
