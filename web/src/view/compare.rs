//! The table of methods: what each needs for the property that is looked at.

use super::properties::{Badge, badge};
use super::text;
use crate::engine::{Checked, Why};
use crate::session::{Background, Cell, Method};

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The method.
    pub method: Method,
    /// The verdict as far as it is known.
    pub badge: Badge,
    /// The counts under the heads of the columns; empty where they are not known.
    pub counts: [String; 4],
    /// Whether the counts are of a part.
    pub partial: bool,
    /// Why there is nothing to count.
    pub note: Option<String>,
}

/// The heads of the columns. The algorithms for branching time are told apart by how often they look at a state, and by
/// what they keep beside the graph.
pub fn heads(background: &Background) -> [&'static str; 4] {
    let ctl = background.table.keys().any(|method| matches!(method, Method::Ctl { .. }));
    if ctl { ["states", "visits", "time", "beside"] } else { ["states", "edges", "time", "memory"] }
}

/// How many states and edges a check went through.
pub fn size(checked: &Checked) -> (u64, u64) {
    let stats = &checked.stats;
    (stats.product_states.or(stats.states).unwrap_or(0), stats.product_edges.or(stats.edges).unwrap_or(0))
}

/// The rows of the table, in the order of the methods.
pub fn rows(background: &Background) -> Vec<Row> {
    let rows = background.table.iter().map(|(&method, cell)| match cell {
        Cell::Waiting => empty(method, Badge::Waiting),
        Cell::LeftOut => empty(method, Badge::Unchecked),
        Cell::Running(progress, time) => Row {
            counts: [
                text::count(progress.nodes),
                text::count(progress.edges),
                text::time(*time),
                text::bytes(progress.bytes),
            ],
            partial: true,
            ..empty(method, Badge::Running)
        },
        Cell::Done(checked) => {
            let refused = match &checked.why {
                Some(why @ (Why::Explored(_) | Why::Refused(_) | Why::Fault(_) | Why::Internal(_))) => {
                    Some(why.words())
                }
                _ => None,
            };
            let (states, edges) = size(checked);
            let effort = checked.effort.filter(|_| matches!(method, Method::Ctl { .. }));
            let counts = [
                text::count(states),
                text::count(effort.map_or(edges, |effort| effort.visits)),
                text::time(checked.time),
                effort.map_or_else(
                    || text::bytes(checked.stats.peak_bytes),
                    |effort| text::small_bytes(effort.memory.bytes()),
                ),
            ];
            Row {
                counts: if refused.is_some() { Default::default() } else { counts },
                partial: checked.is_partial(),
                note: refused,
                ..empty(method, badge(checked))
            }
        }
    });
    rows.collect()
}

fn empty(method: Method, badge: Badge) -> Row {
    Row { method, badge, counts: Default::default(), partial: false, note: None }
}
