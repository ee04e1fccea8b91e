//! The picture of a program's reachable states.

use super::{Edge, EdgeStyle, Graph, Node};
use crate::explore::{Exploration, StopReason};
use crate::ids::Id;
use alloc::format;
use alloc::string::String;

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
    let mut graph = Graph::new(title);
    let complete = exploration.stopped() == Some(&StopReason::Complete);
    for id in (0..exploration.states().len()).map(crate::explore::StateId) {
        let values = exploration.values(id);
        graph.nodes.push(Node {
            label: program.show_state(&values).lines(),
            initial: exploration.is_initial(id),
            deadlock: exploration.deadlocks().binary_search(&id).is_ok(),
            open: id.0 >= exploration.expanded(),
            ..Node::new(format!("s{}", id.0))
        });
    }
    graph.edges = exploration
        .edges()
        .iter()
        .map(|edge| Edge {
            from: Id::from_index(edge.from.index()),
            to: Id::from_index(edge.to.index()),
            label: program.show_step(edge.process, edge.action, &edge.arguments),
            style: EdgeStyle::Solid,
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
