//! The marks that a search has left on the nodes and edges of a picture, up to some step.

use super::places::Places;
use orbitscope_core::draw::{EdgeId, EdgeStyle, Graph, NodeId};
use orbitscope_core::ids::IdVec;
use orbitscope_core::search::log::{ComponentId, End, Log, Snapshot};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The number of hues that tell components apart; beyond, they repeat, and the letters do not.
pub const HUES: u32 = 8;

/// How far the search is with a node; of several nodes that are one in the picture, the last of these that holds of any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Phase {
    /// Not found yet.
    #[default]
    Fresh,
    /// Done, alone: its component has no cycle. Or done several times, in different components.
    Done,
    /// Done, in the component with this number; components without a cycle are not counted.
    Popped(u32),
    /// Done: the formula that is evaluated holds in it.
    Holds,
    /// Done itself, but its component is not complete.
    Stacked,
    /// The search is in it.
    Entered,
}

/// The marks of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NodeMark {
    /// How far the search is with it.
    pub phase: Phase,
    /// Whether it is in the fair component that was found.
    pub fair: bool,
    /// Whether the run goes through it.
    pub run: bool,
}

/// The marks of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct EdgeMark {
    /// How far the search is with it.
    pub phase: Phase,
    /// Whether it is inside the fair component that was found.
    pub fair: bool,
    /// Whether the run takes it.
    pub run: bool,
}

/// The marks of a picture's nodes and edges.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    /// Those of the nodes.
    pub nodes: IdVec<NodeId, NodeMark>,
    /// Those of the edges. An edge that is followed is entered while the search is behind it, afterwards stacked, and
    /// popped with its two ends.
    pub edges: IdVec<EdgeId, EdgeMark>,
    /// The node that the search is in.
    pub current: Option<NodeId>,
    /// The edge that the last step followed.
    pub followed: Option<EdgeId>,
    /// The selected step of a run: the node it leads to.
    pub run_at: Option<NodeId>,
    /// The meaning of the marks.
    pub legend: Legend,
}

/// Words of the style sheet, and what they mean.
pub type Legend = &'static [(&'static str, &'static str)];

/// The marks of a search for a fair component.
const PHASES: Legend = &[
    ("entered", "the search is in it"),
    ("stacked", "on the stack"),
    ("done", "done"),
    ("popped hue-0", "component"),
    ("fair", "fair component"),
];

impl Marks {
    /// The marks after the steps that a snapshot has seen.
    pub fn new(log: &Log, snapshot: &Snapshot, places: &Places) -> Marks {
        let mut marks = Marks::blank(places.size());
        let numbers = numbers(log, snapshot);
        marks.visited(log, snapshot, places, &numbers);
        marks.path(log, snapshot, places);
        if matches!(snapshot.end, Some(End::Yes(_))) {
            marks.fair(log, places);
        }
        marks
    }

    /// The nodes and edges of what was visited.
    fn visited(&mut self, log: &Log, snapshot: &Snapshot, places: &Places, numbers: &Numbers) {
        let phase = |component: Option<ComponentId>| match component {
            None => Phase::Stacked,
            Some(component) => numbers.get(&component).map_or(Phase::Done, |&number| Phase::Popped(number)),
        };
        let frames: BTreeMap<u32, u32> =
            snapshot.frames.iter().map(|frame| (frame.dfnum, frame.next)).collect();
        let component_of: BTreeMap<_, _> =
            snapshot.visited.iter().map(|visited| (visited.node, visited.component)).collect();
        for (dfnum, visited) in (0..).zip(&snapshot.visited) {
            for &node in places.nodes(dfnum) {
                merge(&mut self.nodes[node].phase, phase(visited.component));
            }
            let entry = &log.entries()[dfnum as usize];
            let followed = frames.get(&dfnum).copied().unwrap_or(entry.edges.len() as u32);
            for position in 0..followed {
                let target = component_of.get(&entry.edges[position as usize].target).copied().flatten();
                let phase = match visited.component {
                    Some(component) if target != Some(component) => Phase::Done,
                    component => phase(component),
                };
                for &edge in places.edges(dfnum, position) {
                    merge(&mut self.edges[edge].phase, phase);
                }
            }
        }
    }

    /// The path from the root to where the search is.
    fn path(&mut self, log: &Log, snapshot: &Snapshot, places: &Places) {
        for (number, frame) in snapshot.frames.iter().enumerate() {
            for &node in places.nodes(frame.dfnum) {
                self.nodes[node].phase = Phase::Entered;
            }
            // The search is behind the last edge that the frame followed, if another frame is on top of it.
            let behind = number + 1 < snapshot.frames.len();
            let last = frame.next.checked_sub(1).filter(|_| behind);
            for &edge in last.map_or(&[][..], |position| places.edges(frame.dfnum, position)) {
                self.edges[edge].phase = Phase::Entered;
            }
        }
        self.current = snapshot.frames.last().and_then(|frame| places.node(frame.dfnum));
        self.followed = snapshot.edge.and_then(|(from, position, _)| {
            let dfnum = snapshot.visited.iter().position(|visited| visited.node == from)? as u32;
            debug_assert!((position as usize) < log.entries()[dfnum as usize].edges.len());
            places.edge(dfnum, position)
        });
    }

    /// The component that answers the question.
    fn fair(&mut self, log: &Log, places: &Places) {
        let mut members = log.fair_component().to_vec();
        members.sort_unstable();
        for (dfnum, entry) in (0..).zip(log.entries()) {
            if members.binary_search(&entry.node).is_err() {
                continue;
            }
            for &node in places.nodes(dfnum) {
                self.nodes[node].fair = true;
            }
            for (position, edge) in (0..).zip(&entry.edges) {
                let inside = members.binary_search(&edge.target).is_ok();
                for &edge in places.edges(dfnum, position).iter().filter(|_| inside) {
                    self.edges[edge].fair = true;
                }
            }
        }
    }

    /// No marks, for a picture of this size.
    pub fn blank((nodes, edges): (usize, usize)) -> Marks {
        Marks {
            nodes: vec![NodeMark::default(); nodes].into(),
            edges: vec![EdgeMark::default(); edges].into(),
            legend: PHASES,
            ..Marks::default()
        }
    }

    /// Marks the nodes that a run goes through and the edges between them, and where its selected state is. Where a state of
    /// the run has no place, the run has a gap.
    #[must_use]
    pub fn with_run(mut self, graph: &Graph, nodes: &[Option<NodeId>], selected: Option<NodeId>) -> Marks {
        let known = |node: &NodeId| graph.nodes.get(*node).is_some();
        let mut first: BTreeMap<(NodeId, NodeId), EdgeId> = BTreeMap::new();
        for (id, edge) in graph.edges.iter_enumerated().filter(|(_, edge)| edge.style == EdgeStyle::Solid) {
            first.entry((edge.from, edge.to)).or_insert(id);
        }
        for &node in nodes.iter().flatten().filter(|node| known(node)) {
            self.nodes[node].run = true;
        }
        for pair in nodes.windows(2) {
            let ends = pair[0].zip(pair[1]);
            if let Some(&edge) = ends.and_then(|ends| first.get(&ends)) {
                self.edges[edge].run = true;
            }
        }
        self.run_at = selected.filter(known);
        self
    }
}

/// The numbers of the components with more than one node, or with an edge inside, in the order of popping.
type Numbers = BTreeMap<ComponentId, u32>;

fn numbers(log: &Log, snapshot: &Snapshot) -> Numbers {
    let mut sizes: BTreeMap<ComponentId, (u32, bool)> = BTreeMap::new();
    for (entry, visited) in log.entries().iter().zip(&snapshot.visited) {
        let Some(component) = visited.component else { continue };
        let (size, inner) = sizes.entry(component).or_default();
        *size += 1;
        *inner |= entry.edges.iter().any(|edge| edge.target == entry.node);
    }
    let cyclic = sizes.into_iter().filter(|&(_, (size, inner))| size > 1 || inner);
    cyclic.zip(0..).map(|((component, _), number)| (component, number)).collect()
}

/// Of several nodes that are one in the picture.
fn merge(known: &mut Phase, phase: Phase) {
    *known = match (*known, phase) {
        (Phase::Popped(a), Phase::Popped(b)) if a != b => Phase::Done,
        (Phase::Done, Phase::Popped(_)) | (Phase::Popped(_), Phase::Done) => Phase::Done,
        (known, phase) => known.max(phase),
    };
}

/// The letter of a component: A to Z, then A2 to Z2.
pub fn letter(number: u32) -> String {
    let round = number / 26;
    let mut letter = String::from(char::from(b'A' + (number % 26) as u8));
    if round > 0 {
        let _ = write!(letter, "{}", round + 1);
    }
    letter
}

impl Phase {
    /// Its name, as the style sheet knows it.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Fresh => "fresh",
            Phase::Done => "done",
            Phase::Popped(_) => "popped",
            Phase::Holds => "holds",
            Phase::Stacked => "stacked",
            Phase::Entered => "entered",
        }
    }

    fn words(self) -> String {
        match self {
            Phase::Popped(number) => format!("popped hue-{}", number % HUES),
            phase => phase.name().into(),
        }
    }
}

impl NodeMark {
    /// The words that the style sheet knows, as `popped hue-2 fair`.
    pub fn words(self) -> String {
        words(self.phase, self.fair, self.run)
    }

    /// The letter that is written beside the node, if it has one.
    pub fn letter(self) -> String {
        match self.phase {
            Phase::Popped(number) => letter(number),
            Phase::Holds => "✓".into(),
            _ => String::new(),
        }
    }
}

impl EdgeMark {
    /// The words that the style sheet knows.
    pub fn words(self) -> String {
        words(self.phase, self.fair, self.run)
    }
}

fn words(phase: Phase, fair: bool, run: bool) -> String {
    let mut words = phase.words();
    for (set, word) in [(fair, " fair"), (run, " run")] {
        if set {
            words.push_str(word);
        }
    }
    words
}
