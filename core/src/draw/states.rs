//! The picture of a program's reachable states.

use super::axes::Coordinates;
use super::compact::Compact;
use super::glyph::Glyphs;
use super::{Edge, Graph, Node, NodeId, Step};
use crate::explore::{Exploration, StateId, StopReason};
use crate::program::Program;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The states and edges of an exploration that [keeps its edges](Exploration::keeping_edges).
///
/// ```
/// use orbitscope_core::{draw, explore::{Exploration, Limits}, program, syntax::parse};
/// let parsed = parse("process p[2] { var x: bool = false action go: not x -> x := true }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let mut exploration = Exploration::new(&program, Limits::default(), &[]).keeping_edges();
/// exploration.run();
/// let graph = draw::state_graph(&exploration, "bits");
/// assert_eq!((graph.nodes.len(), graph.edges.len()), (4, 4));
/// ```
pub fn state_graph(exploration: &Exploration<'_>, title: impl Into<String>) -> Graph {
    let program = exploration.program();
    let compact = Compact::new(program);
    let glyphs = Glyphs::new(program);
    let mut coordinates = Coordinates::default();
    let mut graph = Graph::new(title);
    graph.strips = glyphs.names(false);
    graph.actions = program.actions.iter().map(|action| action.name.clone()).collect();
    let complete = exploration.stopped() == Some(&StopReason::Complete);
    for id in (0..exploration.states().len()).map(StateId) {
        let values = exploration.values(id);
        coordinates.node(&compact, &values, &[], None);
        graph.nodes.push(Node {
            label: program.show_state(&values).lines(),
            short: compact.state(&values),
            glyph: glyphs.glyph(&values, &[], None),
            initial: exploration.is_initial(id),
            deadlock: exploration.deadlocks().binary_search(&id).is_ok(),
            open: id.0 >= exploration.expanded(),
            ..Node::new(format!("s{}", id.0))
        });
    }
    coordinates.finish(&compact, 0, &mut graph);
    let mut before = (StateId(0), 0);
    graph.edges = exploration
        .edges()
        .iter()
        .map(|edge| {
            let position = if edge.from == before.0 { before.1 } else { 0 };
            before = (edge.from, position + 1);
            let step = Step::new(edge.process, edge.action, &edge.arguments);
            let label = program.show_step(edge.process, edge.action, &edge.arguments);
            Edge {
                over: compact.step(&step),
                position,
                step: Some(step),
                ..Edge::new(NodeId(edge.from.0), NodeId(edge.to.0), label)
            }
        })
        .collect();
    if !complete {
        graph.partial = Some(format!(
            "only the first {} states, {} of them with all that leaves them",
            graph.nodes.len(),
            exploration.expanded()
        ));
    }
    graph
}

/// States of a program in as few characters as can be, each as the lines of a node.
pub fn short_states<'a>(program: &Program, states: impl IntoIterator<Item = &'a [i32]>) -> Vec<Vec<String>> {
    let compact = Compact::new(program);
    states.into_iter().map(|values| compact.state(values)).collect()
}
