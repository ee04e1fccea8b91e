//! Nodes placed by numbers: how many processes are in a local state, the values of shared variables. With many like
//! processes this shows what layers by distance cannot: that the graph is a grid.

use super::geometry::{Pen, length, rounded};
use super::{Course, Layout, Line, Node, Picture, Point, Rect, Route, Side, Tick};
use crate::draw::text::width;
use crate::draw::{Axis, Edge, Graph, NodeId};
use crate::ids::IdVec;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// At most this many nodes share a cell.
const SHARED: usize = 4;
/// With at most this many columns a node has its whole label; with more the number of its column.
const ROOMY: usize = 14;
/// A lattice is clearer than layers from this size on,
const LARGE: usize = 48;
/// if at least this part of its cells is filled,
const FILLED: f64 = 0.3;
/// and an edge goes this many columns and rows far on average, at most.
const SHORT: f64 = 4.0;

/// At this many points a curve is tested against boxes.
const SAMPLES: u32 = 200;
const MARGIN: f64 = 24.0;
const CHAR: f64 = 7.25;
const LINE: f64 = 16.0;
/// How far apart the curves of two edges between the same nodes are in their middle.
const SPREAD: f64 = 14.0;

/// The lattice, if the nodes can be told apart by the graph's axes.
pub(super) fn picture(graph: &Graph) -> Option<Picture> {
    let cells = Cells::new(graph)?;
    let grid = Grid::new(graph, &cells);
    let nodes: IdVec<NodeId, Node> = graph.nodes.ids().map(|id| grid.node(graph, &cells, id)).collect();
    let mut bundles: BTreeMap<(NodeId, NodeId), Vec<usize>> = BTreeMap::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        bundles.entry((edge.from.min(edge.to), edge.from.max(edge.to))).or_default().push(index);
    }
    let routes = graph.edges.iter().enumerate().map(|(index, edge)| {
        let bundle = &bundles[&(edge.from.min(edge.to), edge.from.max(edge.to))];
        let place = bundle.iter().position(|&other| other == index).unwrap_or(0);
        grid.route(&cells, edge, (place, bundle.len()))
    });
    let routes = routes.collect();
    let name = |axes: &[usize]| {
        let names: Vec<&str> = axes.iter().map(|&axis| graph.axes[axis].name.as_str()).collect();
        names.join(", ")
    };
    let ticks = |places: &[f64], labels: &[String]| {
        let tick = |(&at, label): (&f64, &String)| Tick { at: rounded(at), label: label.clone() };
        places.iter().zip(labels).map(tick).collect()
    };
    let sides = alloc::vec![
        Side { name: name(&cells.axes[..1]), ticks: ticks(&grid.columns, &cells.column_labels) },
        Side { name: name(&cells.axes[1..]), ticks: ticks(&grid.rows, &cells.row_labels) },
    ];
    let last = |places: &[f64], size: f64| places.last().copied().unwrap_or(0.0) + size / 2.0 + MARGIN;
    let size = Point::new(last(&grid.columns, grid.size.0), last(&grid.rows, grid.size.1));
    Some(Picture { graph: graph.clone(), layout: Layout::Lattice, nodes, routes, sides, size })
}

/// Whether a lattice shows more than layers would.
pub(super) fn is_clearer(lattice: &Picture) -> bool {
    let nodes = lattice.nodes.len();
    let cells = lattice.sides.iter().map(|side| side.ticks.len()).product::<usize>();
    let far = |edge: &Edge| {
        let ((a, b), (c, d)) = (lattice.nodes[edge.from].cell, lattice.nodes[edge.to].cell);
        f64::from(a.abs_diff(c) + b.abs_diff(d))
    };
    let edges = &lattice.graph.edges;
    nodes >= LARGE
        && nodes as f64 >= FILLED * cells as f64
        && edges.iter().map(far).sum::<f64>() <= SHORT * edges.len() as f64
}

/// Which cell each node is in.
struct Cells {
    /// The axis of the columns, then those of the rows, the first the slowest.
    axes: Vec<usize>,
    /// Column and row of each node.
    of: IdVec<NodeId, (u32, u32)>,
    at: BTreeMap<(u32, u32), NodeId>,
    column_labels: Vec<String>,
    row_labels: Vec<String>,
}

impl Cells {
    fn new(graph: &Graph) -> Option<Cells> {
        let mut axes = choose(graph)?;
        let (across, mut down) = (axes[0], axes.split_off(1));
        let rank = ranks(graph, across, &down)?;
        // Which of the rows' axes is the slowest: as the edges are shortest. There are few of them.
        let mut best: Option<(u64, Vec<usize>)> = None;
        for order in orders(&down) {
            let rows = positions(graph, &order, &rank);
            let long = graph.edges.iter().map(|edge| u64::from(rows.0[edge.from].abs_diff(rows.0[edge.to])));
            let long = long.sum();
            if best.as_ref().is_none_or(|(least, _)| long < *least) {
                best = Some((long, order));
            }
        }
        down = best?.1;
        let none: IdVec<NodeId, i32> = alloc::vec![0; graph.nodes.len()].into();
        let (columns, column_values) = positions(graph, &[across], &none);
        let (rows, row_values) = positions(graph, &down, &rank);
        let of: IdVec<NodeId, (u32, u32)> = graph.nodes.ids().map(|id| (columns[id], rows[id])).collect();
        let at = of.iter_enumerated().map(|(id, &cell)| (cell, id)).collect();
        let number = |values: &Vec<i32>| graph.axes[across].value(values[0]);
        let column_labels = column_values.iter().map(number).collect();
        let row = |values: &Vec<i32>| {
            if values[down.len()] > 0 {
                return String::new();
            }
            let words = down.iter().zip(values).map(|(&axis, &value)| graph.axes[axis].words(value));
            words.collect::<Vec<_>>().join(", ")
        };
        let row_labels = row_values.iter().map(row).collect();
        let axes = core::iter::once(across).chain(down.iter().copied()).collect();
        Some(Cells { axes, of, at, column_labels, row_labels })
    }
}

/// The axes that tell the nodes apart: the one with the most values first, then each time the one that tells the most.
fn choose(graph: &Graph) -> Option<Vec<usize>> {
    let nodes = graph.nodes.len();
    if graph.nodes.iter().any(|node| node.at.len() != graph.axes.len()) {
        return None;
    }
    let told = |axes: &[usize]| -> usize {
        let values = graph.nodes.iter().map(|node| axes.iter().map(|&axis| node.at[axis]).collect());
        values.collect::<BTreeSet<Vec<i32>>>().len()
    };
    let own: Vec<usize> = (0..graph.axes.len()).map(|axis| told(&[axis])).collect();
    let first = graph.nodes.iter().find(|node| node.initial);
    let starts_low = |axis: usize| {
        let least = graph.nodes.iter().map(|node| node.at[axis]).min();
        first.map(|node| node.at[axis]) == least
    };
    let across = (0..own.len()).max_by_key(|&axis| (own[axis], starts_low(axis), usize::MAX - axis))?;
    if own[across] < 3 {
        return None;
    }
    let mut axes = alloc::vec![across];
    let mut known = own[across];
    while known < nodes {
        let more = (0..own.len()).filter(|axis| !axes.contains(axis)).map(|axis| {
            let with: Vec<usize> = axes.iter().copied().chain([axis]).collect();
            (told(&with), usize::MAX - own[axis], usize::MAX - axis)
        });
        let Some((told, _, axis)) = more.max().filter(|&(told, ..)| told > known) else { break };
        axes.push(usize::MAX - axis);
        known = told;
    }
    Some(axes)
}

/// The number of each node among those that the axes do not tell from it; none where there are too many.
fn ranks(graph: &Graph, across: usize, down: &[usize]) -> Option<IdVec<NodeId, i32>> {
    let mut seen: BTreeMap<Vec<i32>, usize> = BTreeMap::new();
    let mut ranks = IdVec::new();
    for node in &graph.nodes {
        let key = core::iter::once(&across).chain(down).map(|&axis| node.at[axis]).collect();
        let count = seen.entry(key).or_default();
        ranks.push(*count as i32);
        *count += 1;
        if *count > SHARED {
            return None;
        }
    }
    Some(ranks)
}

/// All orders of a few axes; only the given one of many.
fn orders(axes: &[usize]) -> Vec<Vec<usize>> {
    if axes.len() > 4 {
        return alloc::vec![axes.to_vec()];
    }
    let mut orders: Vec<Vec<usize>> = alloc::vec![Vec::new()];
    for _ in axes {
        let longer = |order: &Vec<usize>| {
            let rest = axes.iter().filter(|axis| !order.contains(axis));
            rest.map(|&axis| order.iter().copied().chain([axis]).collect()).collect::<Vec<Vec<usize>>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// The place of each node among the values that occur, in ascending order, and these values.
fn positions(
    graph: &Graph,
    axes: &[usize],
    rank: &IdVec<NodeId, i32>,
) -> (IdVec<NodeId, u32>, Vec<Vec<i32>>) {
    let value = |id: NodeId| -> Vec<i32> {
        axes.iter().map(|&axis| graph.nodes[id].at[axis]).chain([rank[id]]).collect()
    };
    let values: BTreeSet<Vec<i32>> = graph.nodes.ids().map(value).collect();
    let values: Vec<Vec<i32>> = values.into_iter().collect();
    let place = |id| values.binary_search(&value(id)).unwrap_or(0) as u32;
    (graph.nodes.ids().map(place).collect(), values)
}

/// Where the cells are.
struct Grid {
    columns: Vec<f64>,
    rows: Vec<f64>,
    /// The size of every box.
    size: (f64, f64),
    roomy: bool,
}

impl Grid {
    fn new(graph: &Graph, cells: &Cells) -> Grid {
        let (columns, rows) = (cells.column_labels.len(), cells.row_labels.len());
        let roomy = columns <= ROOMY;
        let columns_wide =
            |labels: &mut dyn Iterator<Item = &String>| labels.map(|l| width(l)).max().unwrap_or(0);
        let wide = if roomy {
            columns_wide(&mut graph.nodes.iter().flat_map(crate::draw::Node::lines))
        } else {
            columns_wide(&mut cells.column_labels.iter())
        };
        let tall =
            if roomy { graph.nodes.iter().map(|node| node.lines().len()).max().unwrap_or(1) } else { 1 };
        let size = ((wide as f64 * CHAR + 12.0).max(24.0), tall as f64 * LINE + 10.0);
        let across = size.0 + if roomy { 70.0 } else { 16.0 };
        // Tall enough to see the edges between two rows apart, and no taller than the picture is wide.
        let room = across * columns as f64 * 0.5 / rows as f64;
        let down = size.1 + room.clamp(if roomy { 54.0 } else { 40.0 }, 260.0);
        let places = |count: usize, size: f64, pitch: f64| {
            (0..count).map(|place| MARGIN + size / 2.0 + place as f64 * pitch).collect()
        };
        Grid { columns: places(columns, size.0, across), rows: places(rows, size.1, down), size, roomy }
    }

    fn centre(&self, (column, row): (u32, u32)) -> (f64, f64) {
        (self.columns[column as usize], self.rows[row as usize])
    }

    fn node(&self, graph: &Graph, cells: &Cells, id: NodeId) -> Node {
        let cell = cells.of[id];
        let (x, y) = self.centre(cell);
        let node = &graph.nodes[id];
        let lines = if self.roomy {
            node.lines().to_vec()
        } else {
            alloc::vec![cells.column_labels[cell.0 as usize].clone()]
        };
        let first = y + 4.0 - (lines.len().max(1) - 1) as f64 * LINE / 2.0;
        let line =
            |(number, text): (usize, String)| Line { base: rounded(first + number as f64 * LINE), text };
        Node {
            area: Rect::around(x, y, self.size.0, self.size.1),
            label: lines.into_iter().enumerate().map(line).collect(),
            below: Vec::new(),
            rule: None,
            start: node.initial.then(|| Point::new(x - self.size.0 / 2.0 - 20.0, y)),
            cell,
        }
    }

    fn route(&self, cells: &Cells, edge: &Edge, (place, of): (usize, usize)) -> Route {
        let (from, to) = (cells.of[edge.from], cells.of[edge.to]);
        if edge.from == edge.to {
            return self.round(from, place);
        }
        let (a, b) = (self.centre(from), self.centre(to));
        // Seen from the smaller node, so that edges there and back are spread together.
        let side = if edge.from < edge.to { 1.0 } else { -1.0 };
        let offset = (place as f64 - (of as f64 - 1.0) / 2.0) * SPREAD * side;
        let bends = [0.0, 22.0, -22.0, 44.0, -44.0, 80.0, -80.0, 130.0, -130.0];
        let mut curves = bends.iter().map(|bend| Bow::new(a, b, offset + bend));
        let clear = |bow: &Bow| !self.hits(cells, bow, [from, to]);
        let course = match from.0.cmp(&to.0) {
            core::cmp::Ordering::Less => Course::Forward,
            core::cmp::Ordering::Equal => Course::Level,
            core::cmp::Ordering::Greater => Course::Back,
        };
        let Some(bow) = curves.find(clear) else { return self.around(from, to, place, course) };
        let (x, y) = bow.point(0.5);
        let (start, end) = (bow.leaves(self.size, false), bow.leaves(self.size, true));
        Route { path: bow.between(start, end), course, label: Point::new(x, y), lines: Vec::new() }
    }

    /// A line that keeps to the gaps between rows and columns, where nothing is in its way.
    fn around(&self, from: (u32, u32), to: (u32, u32), place: usize, course: Course) -> Route {
        let ((x, y), (to_x, to_y)) = (self.centre(from), self.centre(to));
        let pitch =
            |places: &[f64], size: f64| if places.len() > 1 { places[1] - places[0] } else { size + 40.0 };
        let gap = (pitch(&self.columns, self.size.0) / 2.0, pitch(&self.rows, self.size.1) / 2.0);
        // Out on the side of the target, in on the side of the source.
        let down = if to_y >= y { 1.0 } else { -1.0 };
        let aside = (place % 5) as f64 * 2.5 - 5.0;
        let (out, back) =
            (y + down * gap.1 + aside, if to.1 == from.1 { y } else { to_y } - down * gap.1 + aside);
        let back = if to.1 == from.1 { out } else { back };
        let lane = to_x + if to_x > x { -gap.0 } else { gap.0 } + aside.clamp(-3.0, 3.0);
        let half = down * self.size.1 / 2.0;
        let mut pen = Pen::new(x, y + half, 0.5);
        pen.line(x, out);
        if (back - out).abs() > 0.1 {
            pen.line(lane, out);
            pen.line(lane, back);
        }
        pen.line(to_x, back);
        pen.line(to_x, if to.1 == from.1 { to_y + half } else { to_y - half });
        Route {
            path: pen.finish(),
            course,
            label: Point::new(f64::midpoint(x, lane), out),
            lines: Vec::new(),
        }
    }

    /// A loop over the node.
    fn round(&self, cell: (u32, u32), place: usize) -> Route {
        let (x, y) = self.centre(cell);
        let (foot, out) = (y - self.size.1 / 2.0, 5.0 + 3.0 * place as f64);
        let top = foot - 16.0 - 7.0 * place as f64;
        let mut pen = Pen::new(x - out, foot, 0.5);
        pen.cubic((x - 2.0 * out, top), (x + 2.0 * out, top), (x + out, foot));
        let label = Point::new(x, top + 4.0);
        Route { path: pen.finish(), course: Course::Loop, label, lines: Vec::new() }
    }

    /// Whether a curve goes through a box other than those at its ends.
    fn hits(&self, cells: &Cells, bow: &Bow, ends: [(u32, u32); 2]) -> bool {
        let nearest = |places: &[f64], at: f64| {
            let pitch = if places.len() > 1 { places[1] - places[0] } else { 1.0 };
            let place = ((at - places[0]) / pitch + 0.5).max(0.0) as usize;
            place.min(places.len() - 1)
        };
        (1..SAMPLES).any(|step| {
            let (x, y) = bow.point(f64::from(step) / f64::from(SAMPLES));
            let cell = (nearest(&self.columns, x) as u32, nearest(&self.rows, y) as u32);
            let (cx, cy) = self.centre(cell);
            let inside = (x - cx).abs() < self.size.0 / 2.0 + 2.0 && (y - cy).abs() < self.size.1 / 2.0 + 2.0;
            inside && !ends.contains(&cell) && cells.at.contains_key(&cell)
        })
    }
}

/// A curve with one bend, between the middles of two boxes.
struct Bow {
    a: (f64, f64),
    middle: (f64, f64),
    b: (f64, f64),
}

impl Bow {
    /// The curve passes `offset` beside the middle of the straight line.
    fn new(a: (f64, f64), b: (f64, f64), offset: f64) -> Bow {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = length(dx, dy).max(1e-9);
        let out = 2.0 * offset / length;
        Bow { a, middle: (f64::midpoint(a.0, b.0) - dy * out, f64::midpoint(a.1, b.1) + dx * out), b }
    }

    fn point(&self, t: f64) -> (f64, f64) {
        let s = 1.0 - t;
        let along = |a: f64, m: f64, b: f64| s * s * a + 2.0 * s * t * m + t * t * b;
        (along(self.a.0, self.middle.0, self.b.0), along(self.a.1, self.middle.1, self.b.1))
    }

    /// Where it leaves the box around its start, or around its end.
    fn leaves(&self, (width, height): (f64, f64), end: bool) -> f64 {
        let centre = if end { self.b } else { self.a };
        let t = |part: f64| if end { 1.0 - part } else { part };
        let inside = |part: f64| {
            let (x, y) = self.point(t(part));
            (x - centre.0).abs() < width / 2.0 && (y - centre.1).abs() < height / 2.0
        };
        let (mut low, mut high) = (0.0, 0.5);
        for _ in 0..24 {
            let middle = f64::midpoint(low, high);
            if inside(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        t(high)
    }

    /// The part of the curve between two of its points.
    fn between(&self, t: f64, u: f64) -> super::Path {
        let (start, end) = (self.point(t), self.point(u));
        let mut pen = Pen::new(start.0, start.1, 0.5);
        let straight = (self.middle.0 - f64::midpoint(self.a.0, self.b.0)).abs() < 1e-9
            && (self.middle.1 - f64::midpoint(self.a.1, self.b.1)).abs() < 1e-9;
        if straight {
            pen.line(end.0, end.1);
            return pen.finish();
        }
        // The blossom of the curve at (t, u) is the control point of the part; a cubic's are two thirds of the way to it.
        let blossom = |a: f64, m: f64, b: f64| {
            (1.0 - t) * (1.0 - u) * a + ((1.0 - t) * u + t * (1.0 - u)) * m + t * u * b
        };
        let control =
            (blossom(self.a.0, self.middle.0, self.b.0), blossom(self.a.1, self.middle.1, self.b.1));
        let towards = |from: (f64, f64)| {
            (from.0 + (control.0 - from.0) * 2.0 / 3.0, from.1 + (control.1 - from.1) * 2.0 / 3.0)
        };
        pen.cubic(towards(start), towards(end), end);
        pen.finish()
    }
}

impl Axis {
    /// A value with what it is of, where the value alone does not say it.
    fn words(&self, value: i32) -> String {
        if self.labels.is_empty() { format!("{}={value}", self.short) } else { self.value(value) }
    }
}
