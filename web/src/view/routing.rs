//! The curves of edges between the columns of a drawing.
//!
//! An edge leaves and enters its nodes level. Where it has to pass a column on its way it goes through a gap
//! between two nodes of that column, never behind one; edges that share a gap get lanes of their own.

use super::viewport::Point;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Half of the distance between an edge's end and that of its opposite.
const PORT: f64 = 4.0;
/// The height of a loop's control points over its node.
const LOOP: f64 = 20.0;
/// The distance between lanes in a gap, and between ends of parallel edges.
const LANE: f64 = 3.5;

/// Where the nodes of a drawing are.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The middle of each column, from left to right.
    pub columns: Vec<f64>,
    /// The middle of each node of each column, from top to bottom.
    pub rows: Vec<Vec<f64>>,
    /// The width of every node.
    pub width: f64,
    /// The height of every node.
    pub height: f64,
    /// The least space between two nodes of a column.
    pub row_gap: f64,
    /// The space between two columns.
    pub column_gap: f64,
}

/// A node's place in a [`Grid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Its column.
    pub column: u32,
    /// Its row in the column.
    pub row: u32,
}

/// Which way an edge goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// To a state further from the initial ones.
    Forward,
    /// To a state nearer to the initial ones.
    Back,
    /// To another state of the same column.
    Level,
    /// To the state it came from.
    Loop,
}

/// An edge's curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Which way it goes.
    pub course: Course,
    /// The curve, as the value of a path's `d`.
    pub path: String,
    /// Where its label belongs.
    pub label_at: Point,
}

impl Grid {
    /// The middle of the node in a cell.
    pub fn centre(&self, cell: Cell) -> Point {
        Point::new(self.columns[cell.column as usize], self.rows[cell.column as usize][cell.row as usize])
    }

    /// The gap of a column nearest to `y`, and its middle. Gap `k` is above row `k`.
    fn gap_near(&self, column: usize, y: f64) -> (usize, f64) {
        let rows = &self.rows[column];
        let half = f64::midpoint(self.height, self.row_gap);
        let gap = rows.partition_point(|&row| row < y);
        let middle = match (gap.checked_sub(1).map(|above| rows[above]), rows.get(gap)) {
            (Some(above), Some(&below)) => f64::midpoint(above, below),
            (Some(above), None) => y.max(above + half),
            (None, Some(&below)) => y.min(below - half),
            (None, None) => y,
        };
        (gap, middle)
    }
}

/// Draws edges one after the other and remembers which lanes are taken.
#[derive(Debug)]
pub struct Router<'a> {
    grid: &'a Grid,
    lanes: BTreeMap<(usize, usize), u32>,
    parallels: BTreeMap<(Cell, Cell), u32>,
}

impl<'a> Router<'a> {
    /// A router that has drawn nothing yet.
    pub fn new(grid: &'a Grid) -> Router<'a> {
        Router { grid, lanes: BTreeMap::new(), parallels: BTreeMap::new() }
    }

    /// The curve of the next edge.
    pub fn route(&mut self, from: Cell, to: Cell) -> Route {
        let drawn = self.parallels.entry((from, to)).or_default();
        let parallel = f64::from(*drawn);
        *drawn += 1;
        if from == to {
            self.self_loop(from, parallel)
        } else if from.column == to.column {
            self.level(from, to, parallel)
        } else {
            self.across(from, to, parallel)
        }
    }

    fn across(&mut self, from: Cell, to: Cell, parallel: f64) -> Route {
        let grid = self.grid;
        let forward = from.column < to.column;
        let side = if forward { 1.0 } else { -1.0 };
        let port = (PORT + 2.0 * LANE * parallel).min(grid.height / 2.0 - 2.0);
        let (source, target) = (grid.centre(from), grid.centre(to));
        let half = side * grid.width / 2.0;
        let start = Point::new(source.x + half, source.y - side * port);
        let end = Point::new(target.x - half, target.y - side * port);
        let mut path = format!("M{:.1} {:.1}", start.x, start.y);
        let mut at = start;
        let mut first_bend = None;
        let passed: Vec<u32> = if forward {
            (from.column + 1..to.column).collect()
        } else {
            (to.column + 1..from.column).rev().collect()
        };
        for column in passed {
            let middle = grid.columns[column as usize];
            let straight = start.towards(end, (middle - start.x) / (end.x - start.x));
            let y = self.lane(column as usize, straight.y);
            let enter = Point::new(middle - half, y);
            bend(&mut path, at, enter);
            first_bend.get_or_insert(enter);
            at = Point::new(middle + half, y);
            let _ = write!(path, "H{:.1}", at.x);
        }
        bend(&mut path, at, end);
        let label_at = on_bend(start, first_bend.unwrap_or(end), 0.6);
        let course = if forward { Course::Forward } else { Course::Back };
        Route { course, path, label_at: Point::new(label_at.x, label_at.y + 12.0 * parallel) }
    }

    /// The height of the next free lane in the gap of a column nearest to `y`.
    fn lane(&mut self, column: usize, y: f64) -> f64 {
        let (gap, middle) = self.grid.gap_near(column, y);
        let used = self.lanes.entry((column, gap)).or_default();
        // 0, 1, -1, 2, -2 ... from the middle outwards.
        let steps = f64::from(used.div_ceil(2)) * if *used % 2 == 1 { 1.0 } else { -1.0 };
        *used += 1;
        let room = self.grid.row_gap / 2.0 - 1.0;
        middle + (steps * LANE).clamp(-room, room)
    }

    fn level(&self, from: Cell, to: Cell, parallel: f64) -> Route {
        let (source, target) = (self.grid.centre(from), self.grid.centre(to));
        // Downward edges go by the right side and upward ones by the left, so that opposites stay apart.
        let side = if target.y > source.y { 1.0 } else { -1.0 };
        let x = source.x + side * self.grid.width / 2.0;
        let reach =
            (16.0 + 0.2 * (target.y - source.y).abs() + 8.0 * parallel).min(0.8 * self.grid.column_gap);
        let out = x + side * reach;
        let (y, end) = (source.y, target.y);
        let path = format!("M{x:.1} {y:.1}C{out:.1} {y:.1} {out:.1} {end:.1} {x:.1} {end:.1}");
        let label_at =
            Point::new(x + side * reach * 0.75, f64::midpoint(source.y, target.y) + 12.0 * parallel);
        Route { course: Course::Level, path, label_at }
    }

    fn self_loop(&self, cell: Cell, parallel: f64) -> Route {
        let centre = self.grid.centre(cell);
        let reach = 8.0 + 3.0 * parallel;
        let (left, right) = (centre.x - reach / 2.0, centre.x + reach / 2.0);
        let foot = centre.y - self.grid.height / 2.0;
        // The curve itself rises to three quarters of this.
        let top = foot - LOOP - 4.0 * parallel;
        let path = format!(
            "M{left:.1} {foot:.1}C{:.1} {top:.1} {:.1} {top:.1} {right:.1} {foot:.1}",
            left - reach,
            right + reach
        );
        Route { course: Course::Loop, path, label_at: Point::new(centre.x, top) }
    }
}

/// A cubic from `a` to `b` that is level at both ends.
fn bend(path: &mut String, a: Point, b: Point) {
    let middle = f64::midpoint(a.x, b.x);
    let (from, Point { x, y }) = (a.y, b);
    let _ = write!(path, "C{middle:.1} {from:.1} {middle:.1} {y:.1} {x:.1} {y:.1}");
}

/// A point of that cubic.
fn on_bend(a: Point, b: Point, t: f64) -> Point {
    let middle = f64::midpoint(a.x, b.x);
    let s = 1.0 - t;
    let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    let along = |ends: [f64; 4]| weights.iter().zip(ends).map(|(weight, end)| weight * end).sum();
    Point::new(along([a.x, middle, middle, b.x]), along([a.y, a.y, b.y, b.y]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        Grid {
            columns: vec![0.0, 100.0, 200.0, 300.0],
            rows: vec![vec![0.0], vec![-40.0, 0.0, 40.0], vec![-20.0, 20.0], vec![0.0]],
            width: 40.0,
            height: 20.0,
            row_gap: 20.0,
            column_gap: 60.0,
        }
    }

    fn cell(column: u32, row: u32) -> Cell {
        Cell { column, row }
    }

    fn numbers(path: &str) -> Vec<f64> {
        let numbers = path.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
        numbers.filter(|text| !text.is_empty()).map(|text| text.parse().unwrap()).collect()
    }

    fn ends(path: &str) -> (Point, Point) {
        let all = numbers(path);
        (Point::new(all[0], all[1]), Point::new(all[all.len() - 2], all[all.len() - 1]))
    }

    #[test]
    fn edges_go_from_border_to_border_and_opposites_stay_apart() {
        let grid = grid();
        let mut router = Router::new(&grid);
        let there = router.route(cell(0, 0), cell(1, 2));
        assert_eq!(
            (there.course, ends(&there.path)),
            (Course::Forward, (Point::new(20.0, -4.0), Point::new(80.0, 36.0)))
        );
        let back = router.route(cell(1, 2), cell(0, 0));
        assert_eq!(
            (back.course, ends(&back.path)),
            (Course::Back, (Point::new(80.0, 44.0), Point::new(20.0, 4.0)))
        );
        let down = router.route(cell(1, 0), cell(1, 1));
        assert_eq!(
            (down.course, ends(&down.path)),
            (Course::Level, (Point::new(120.0, -40.0), Point::new(120.0, 0.0)))
        );
        let up = router.route(cell(1, 1), cell(1, 0));
        assert_eq!(ends(&up.path).0, Point::new(80.0, 0.0));
        let stay = router.route(cell(1, 1), cell(1, 1));
        assert_eq!(
            (stay.course, ends(&stay.path)),
            (Course::Loop, (Point::new(96.0, -10.0), Point::new(104.0, -10.0)))
        );
    }

    #[test]
    fn long_edges_pass_between_nodes_in_lanes_of_their_own() {
        let grid = grid();
        let mut router = Router::new(&grid);
        let mut heights = Vec::new();
        for _ in 0..5 {
            let path = router.route(cell(3, 0), cell(0, 0)).path;
            let mut parts: Vec<&str> = path.split('H').collect();
            parts.pop();
            // The number before an H is the height at which a column is passed.
            heights.extend(parts.iter().map(|part| *numbers(part).last().unwrap()));
        }
        assert_eq!(heights.len(), 10);
        for pair in heights.chunks(2) {
            for (column, &height) in [2, 1].iter().zip(pair) {
                for &row in &grid.rows[*column] {
                    assert!((height - row).abs() > grid.height / 2.0, "{height} is behind the node at {row}");
                }
            }
        }
        heights.sort_by(f64::total_cmp);
        heights.dedup();
        assert_eq!(heights.len(), 10, "each column has five lanes: {heights:?}");
    }

    #[test]
    fn parallel_edges_and_loops_differ() {
        let grid = grid();
        for to in [cell(0, 0), cell(1, 0), cell(3, 0)] {
            let mut router = Router::new(&grid);
            let (first, second) = (router.route(cell(0, 0), to), router.route(cell(0, 0), to));
            assert_ne!(first.path, second.path);
            assert_ne!(first.label_at, second.label_at);
        }
    }

    #[test]
    fn labels_lie_on_the_curve() {
        let (a, b) = (Point::new(0.0, 0.0), Point::new(10.0, 20.0));
        assert_eq!(on_bend(a, b, 0.0), a);
        assert_eq!(on_bend(a, b, 1.0), b);
        assert_eq!(on_bend(a, b, 0.5), Point::new(5.0, 10.0));
    }
}
