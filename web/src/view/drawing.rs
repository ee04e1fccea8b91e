//! A state graph as shapes: boxes with text and curves with arrows, in units of the drawing.

use super::layering;
use super::routing::{Cell, Grid, Route, Router};
use super::text;
use super::viewport::{Point, Rect};
use crate::engine::{Next, StateGraph, StateId};
use orbitscope_core::ids::{Id, IdVec};

/// The width of a character of a label; the labels' font is monospaced.
const CHARACTER: f64 = 6.65;
/// The height of a line of a label.
pub const LINE: f64 = 14.0;
/// The space between a label and the border of its box.
const PADDING: Point = Point::new(11.0, 6.0);
/// The least width of a box.
const LEAST_WIDTH: f64 = 40.0;
/// The most characters in a line of a label, and the most lines.
const LABEL: (usize, usize) = (20, 3);
/// The width of a character of an edge's label, on average, and the space on both sides of the label.
const EDGE_CHARACTER: f64 = 5.4;
const EDGE_PADDING: f64 = 28.0;
/// The least and the greatest space between columns and between the nodes of a column.
const COLUMN_GAP: (f64, f64) = (88.0, 176.0);
const ROW_GAP: (f64, f64) = (20.0, 72.0);
/// The height of a drawing against its width, as far as the gaps allow.
const ASPECT: f64 = 0.72;
/// The length of the arrow into an initial state, and its distance from the box.
pub const INITIAL_MARK: (f64, f64) = (16.0, 4.0);

/// A state as a box.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeShape {
    /// The state.
    pub state: StateId,
    /// The middle of the box.
    pub centre: Point,
    /// The lines of its label.
    pub lines: Vec<String>,
    /// Whether it is an initial state.
    pub initial: bool,
    /// What can happen next.
    pub next: Next,
}

/// A step as a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeShape {
    /// The state before.
    pub from: StateId,
    /// The state after.
    pub to: StateId,
    /// The process and its action.
    pub label: String,
    /// The curve.
    pub route: Route,
}

/// A way to go from a node of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the column before.
    Left,
    /// To the column after.
    Right,
    /// To the node above.
    Up,
    /// To the node below.
    Down,
}

/// A drawn state graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The boxes, by state.
    pub nodes: IdVec<StateId, NodeShape>,
    /// The curves.
    pub edges: Vec<EdgeShape>,
    /// The width of every box.
    pub width: f64,
    /// The height of every box.
    pub height: f64,
    /// The rectangle that holds all boxes and the arrows into initial states.
    pub bounds: Rect,
    columns: Vec<Vec<StateId>>,
    cells: IdVec<StateId, Cell>,
}

impl Drawing {
    /// Draws the first `limit` states and the steps between them.
    pub fn of(graph: &StateGraph, limit: u32) -> Drawing {
        let columns = layering::columns(graph, limit);
        let drawn = columns.iter().map(Vec::len).sum::<usize>();
        let labels: IdVec<StateId, Vec<String>> =
            graph.nodes.iter().take(drawn).map(|node| text::wrap(&node.label, LABEL.0, LABEL.1)).collect();
        let longest_step = graph.edges.iter().map(|edge| edge.label.chars().count()).max().unwrap_or(0);
        let grid = grid(&columns, &labels, longest_step);
        let mut cells: IdVec<StateId, Cell> = vec![Cell { column: 0, row: 0 }; drawn].into();
        for (column, states) in (0..).zip(&columns) {
            for (row, &state) in (0..).zip(states) {
                cells[state] = Cell { column, row };
            }
        }
        let mut router = Router::new(&grid);
        let edges = graph.edges.iter().filter(|edge| edge.from.index().max(edge.to.index()) < drawn);
        let edges = edges
            .map(|edge| EdgeShape {
                from: edge.from,
                to: edge.to,
                label: edge.label.clone(),
                route: router.route(cells[edge.from], cells[edge.to]),
            })
            .collect();
        let nodes = labels
            .iter_enumerated()
            .map(|(state, lines)| NodeShape {
                state,
                centre: grid.centre(cells[state]),
                lines: lines.clone(),
                initial: graph.nodes[state].depth == 0,
                next: graph.nodes[state].next,
            })
            .collect();
        let (width, height) = (grid.width, grid.height);
        Drawing { nodes, edges, width, height, bounds: bounds(&grid), columns, cells }
    }

    /// The node that one comes to from another, or the first where there is no other.
    pub fn step(&self, from: Option<StateId>, direction: Direction) -> Option<StateId> {
        let Some(from) = from.filter(|from| from.index() < self.nodes.len()) else {
            return self.nodes.ids().next();
        };
        let Cell { column, row } = self.cells[from];
        let (column, row) = (column as usize, row as usize);
        let beside = |column: usize| {
            let distance = |state: &StateId| (self.nodes[*state].centre.y - self.nodes[from].centre.y).abs();
            let states = self.columns.get(column)?.iter();
            states.copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
        };
        match direction {
            Direction::Left => beside(column.checked_sub(1)?),
            Direction::Right => beside(column + 1),
            Direction::Up => Some(self.columns[column][row.checked_sub(1)?]),
            Direction::Down => self.columns[column].get(row + 1).copied(),
        }
    }
}

/// Columns of equal boxes, each centred on the same line, with room for the labels of steps between columns.
fn grid(columns: &[Vec<StateId>], labels: &IdVec<StateId, Vec<String>>, longest_step: usize) -> Grid {
    let lines = labels.iter().flatten();
    let longest = lines.map(|line| line.chars().count()).max().unwrap_or(0) as f64;
    let most = labels.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let width = (longest * CHARACTER + 2.0 * PADDING.x).max(LEAST_WIDTH);
    let height = most * LINE + 2.0 * PADDING.y;
    let column_gap = (longest_step as f64 * EDGE_CHARACTER + EDGE_PADDING).clamp(COLUMN_GAP.0, COLUMN_GAP.1);
    let whole = columns.len() as f64 * (width + column_gap);
    let tallest = columns.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let row_gap = (ASPECT * whole / tallest - height).clamp(ROW_GAP.0, ROW_GAP.1);
    let row = |index: usize, count: usize| (index as f64 - (count - 1) as f64 / 2.0) * (height + row_gap);
    Grid {
        columns: (0..columns.len()).map(|column| column as f64 * (width + column_gap)).collect(),
        rows: columns
            .iter()
            .map(|states| (0..states.len()).map(|i| row(i, states.len())).collect())
            .collect(),
        width,
        height,
        row_gap,
        column_gap,
    }
}

/// The rectangle of all boxes and of the arrows into the first column.
fn bounds(grid: &Grid) -> Rect {
    let right = grid.columns.last().copied().unwrap_or(0.0);
    let top = grid.rows.iter().flatten().copied().fold(0.0, f64::min);
    let bottom = grid.rows.iter().flatten().copied().fold(0.0, f64::max);
    let mark = INITIAL_MARK.0 + INITIAL_MARK.1;
    Rect {
        origin: Point::new(-grid.width / 2.0 - mark, top - grid.height / 2.0),
        width: right + grid.width + mark,
        height: bottom - top + grid.height,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::layering::tests::random_graph;

    #[test]
    fn boxes_do_not_touch_and_lie_within_the_bounds() {
        for seed in 0..100 {
            let drawing = Drawing::of(&random_graph(seed), u32::MAX);
            let Rect { origin, width, height } = drawing.bounds;
            for a in &drawing.nodes {
                let (left, top) = (a.centre.x - drawing.width / 2.0, a.centre.y - drawing.height / 2.0);
                assert!(
                    left >= origin.x - 1e-9 && left + drawing.width <= origin.x + width + 1e-9,
                    "seed {seed}"
                );
                assert!(
                    top >= origin.y - 1e-9 && top + drawing.height <= origin.y + height + 1e-9,
                    "seed {seed}"
                );
                for b in drawing.nodes.iter().filter(|b| b.state != a.state) {
                    let apart = (a.centre.x - b.centre.x).abs() > drawing.width
                        || (a.centre.y - b.centre.y).abs() > drawing.height;
                    assert!(apart, "seed {seed}: {:?} and {:?} touch", a.state, b.state);
                }
            }
        }
    }

    #[test]
    fn every_step_between_drawn_states_is_drawn() {
        for seed in 0..50 {
            let graph = random_graph(seed);
            let all = Drawing::of(&graph, u32::MAX);
            assert_eq!(all.edges.len(), graph.edges.len(), "seed {seed}");
            let some = Drawing::of(&graph, 4);
            let inside = graph.edges.iter().filter(|edge| edge.from.0.max(edge.to.0) < 4).count();
            assert_eq!(
                (some.nodes.len(), some.edges.len()),
                (graph.nodes.len().min(4), inside),
                "seed {seed}"
            );
        }
    }

    #[test]
    fn arrow_keys_go_from_node_to_node_and_back() {
        for seed in 0..50 {
            let drawing = Drawing::of(&random_graph(seed), u32::MAX);
            assert_eq!(drawing.step(None, Direction::Down), Some(StateId(0)));
            for state in drawing.nodes.ids() {
                let at = drawing.nodes[state].centre;
                if let Some(right) = drawing.step(Some(state), Direction::Right) {
                    assert!(drawing.nodes[right].centre.x > at.x, "seed {seed}");
                }
                if let Some(left) = drawing.step(Some(state), Direction::Left) {
                    assert!(drawing.nodes[left].centre.x < at.x, "seed {seed}");
                }
                if let Some(down) = drawing.step(Some(state), Direction::Down) {
                    assert_eq!(drawing.step(Some(down), Direction::Up), Some(state), "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn longer_labels_of_steps_get_more_room() {
        let mut graph = random_graph(3);
        let narrow = Drawing::of(&graph, u32::MAX);
        for edge in &mut graph.edges {
            edge.label = "process[12].acquire".into();
        }
        let wide = Drawing::of(&graph, u32::MAX);
        assert!(wide.bounds.width > narrow.bounds.width && wide.bounds.height >= narrow.bounds.height);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let drawing = Drawing::of(&StateGraph::default(), 10);
        assert!(drawing.nodes.is_empty());
        assert_eq!(drawing.step(None, Direction::Left), None);
    }
}
