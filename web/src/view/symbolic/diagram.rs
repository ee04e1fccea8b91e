//! A small decision diagram as a picture in rows: a row for each variable, with its name beside it.
//!
//! Nothing is drawn that leads to 0: a diagram of a set is about the states that are in it, and where no edge is drawn, a
//! state is not.

use orbitscope_core::bdd::BddGraph;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The radius of a node, the distance of rows and of nodes in a row.
pub const RADIUS: f64 = 6.0;
const ROW: f64 = 28.0;
const GAP: f64 = 26.0;
const MARGIN: f64 = 14.0;
/// About the width of a character of a name.
const CHARACTER: f64 = 6.3;
/// How many times rows are put in the order of their neighbours, and nodes moved towards them.
const SWEEPS: u32 = 12;

/// A row, with the variable's name.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// How far down.
    pub y: f64,
    /// The name.
    pub name: String,
}

/// A node, or the 1 at the bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its number in the diagram; 1 is the constant.
    pub number: u32,
    /// Where its middle is.
    pub x: f64,
    /// See `x`.
    pub y: f64,
}

/// An edge that does not lead to 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The numbers of its ends.
    pub from: u32,
    /// See `from`.
    pub to: u32,
    /// Whether it is for the variable being true.
    pub high: bool,
    /// The curve.
    pub path: String,
}

/// A diagram as a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its size.
    pub size: (f64, f64),
    /// The rows, from above.
    pub levels: Vec<Level>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
}

/// Something that has a place in a row: a node, or a long edge that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    Node(u32),
    /// From a node by its low or high edge, in a row.
    Pass(u32, bool, u32),
}

/// The picture of a diagram; none of the empty set, or where its nodes are not listed.
pub fn picture(graph: &BddGraph) -> Option<Picture> {
    if graph.nodes.is_empty() || graph.root == 0 {
        return None;
    }
    // All nodes lead to 1 but 0, which is left out.
    let seen: Vec<u32> = (1..graph.nodes.len() as u32).collect();
    let mut levels: Vec<Level> = Vec::new();
    let mut rows: Vec<Vec<Spot>> = Vec::new();
    let bottom = graph.nodes[1].row as usize;
    for row in 0..=bottom {
        let own: Vec<u32> =
            seen.iter().copied().filter(|&n| graph.nodes[n as usize].row as usize == row).collect();
        let name = own.first().map_or_else(String::new, |&n| graph.nodes[n as usize].label.clone());
        let name = if row == bottom { String::new() } else { name };
        levels.push(Level { y: MARGIN + RADIUS + ROW * row as f64, name });
        rows.push(own.into_iter().map(Spot::Node).collect());
    }
    let mut chains: BTreeMap<(u32, bool), Vec<Spot>> = BTreeMap::new();
    for &from in seen.iter().filter(|&&n| n > 1) {
        let node = &graph.nodes[from as usize];
        for (high, to) in [(false, node.low), (true, node.high)] {
            if to == 0 {
                continue;
            }
            let mut chain = vec![Spot::Node(from)];
            for row in node.row + 1..graph.nodes[to as usize].row {
                let pass = Spot::Pass(from, high, row);
                rows[row as usize].push(pass);
                chain.push(pass);
            }
            chain.push(Spot::Node(to));
            chains.insert((from, high), chain);
        }
    }
    let places = placed(&mut rows, &chains);
    let gutter = MARGIN + CHARACTER * levels.iter().map(|l| l.name.chars().count()).max().unwrap_or(0) as f64;
    let least = places.values().copied().fold(f64::INFINITY, f64::min);
    let most = places.values().copied().fold(f64::NEG_INFINITY, f64::max);
    let at = |spot: &Spot| {
        let row = match *spot {
            Spot::Node(n) => graph.nodes[n as usize].row,
            Spot::Pass(.., row) => row,
        };
        (gutter + MARGIN + RADIUS + places[spot] - least, levels[row as usize].y)
    };
    let nodes = seen.iter().map(|&number| {
        let (x, y) = at(&Spot::Node(number));
        Node { number, x, y }
    });
    let edges = chains.iter().map(|(&(from, high), chain)| {
        let points: Vec<(f64, f64)> = chain.iter().map(at).collect();
        let node = &graph.nodes[from as usize];
        Edge { from, to: if high { node.high } else { node.low }, high, path: curve(&points) }
    });
    let (nodes, edges) = (nodes.collect(), edges.collect());
    let width = gutter + most - least + 2.0 * (MARGIN + RADIUS);
    let height = 2.0 * (MARGIN + RADIUS) + ROW * bottom as f64;
    Some(Picture { size: (width, height), levels, nodes, edges })
}

/// A place across for everything in the rows: an order with few crossings, then as straight as the distances allow.
fn placed(rows: &mut [Vec<Spot>], chains: &BTreeMap<(u32, bool), Vec<Spot>>) -> BTreeMap<Spot, f64> {
    let mut above: BTreeMap<Spot, Vec<Spot>> = BTreeMap::new();
    let mut below: BTreeMap<Spot, Vec<Spot>> = BTreeMap::new();
    for pair in chains.values().flat_map(|chain| chain.windows(2)) {
        below.entry(pair[0]).or_default().push(pair[1]);
        above.entry(pair[1]).or_default().push(pair[0]);
    }
    let mut places: BTreeMap<Spot, f64> = BTreeMap::new();
    let spread = |row: &[Spot], places: &mut BTreeMap<Spot, f64>| {
        let middle = (row.len() as f64 - 1.0) / 2.0;
        places.extend((0..).zip(row).map(|(n, &spot)| (spot, GAP * (f64::from(n) - middle))));
    };
    for row in rows.iter() {
        spread(row, &mut places);
    }
    let mean = |of: Option<&Vec<Spot>>, places: &BTreeMap<Spot, f64>| {
        let of = of.filter(|of| !of.is_empty())?;
        Some(of.iter().map(|spot| places[spot]).sum::<f64>() / of.len() as f64)
    };
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let order: Vec<usize> =
            if down { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for index in order {
            let neighbours = if down { &above } else { &below };
            let mut wished: Vec<(f64, Spot)> = (rows[index].iter())
                .map(|spot| (mean(neighbours.get(spot), &places).unwrap_or(places[spot]), *spot))
                .collect();
            wished.sort_by(|a, b| a.0.total_cmp(&b.0));
            rows[index] = wished.iter().map(|(_, spot)| *spot).collect();
            settle(&wished, &mut places);
        }
    }
    places
}

/// Puts a row where it wants to be, in its order and with room between: what is too close is pushed to the right, and the
/// whole back to the left by as much on average.
fn settle(wished: &[(f64, Spot)], places: &mut BTreeMap<Spot, f64>) {
    let mut at = f64::NEG_INFINITY;
    let mut pushed = Vec::with_capacity(wished.len());
    for &(wish, _) in wished {
        at = wish.max(at + GAP);
        pushed.push(at);
    }
    let excess: f64 = pushed.iter().zip(wished).map(|(at, (wish, _))| at - wish).sum();
    let back = excess / wished.len().max(1) as f64;
    places.extend(pushed.into_iter().zip(wished).map(|(at, &(_, spot))| (spot, at - back)));
}

/// A curve that leaves and comes in vertically.
fn curve(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    let last = points.len().saturating_sub(1);
    for (number, pair) in points.windows(2).enumerate() {
        let ((x, mut y), (to_x, mut to_y)) = (pair[0], pair[1]);
        if number == 0 {
            y += RADIUS;
            let _ = write!(path, "M{x:.1} {y:.1}");
        }
        if number + 1 == last {
            to_y -= RADIUS;
        }
        let bend = (to_y - y) / 2.0;
        let _ = write!(path, "C{x:.1} {:.1} {to_x:.1} {:.1} {to_x:.1} {to_y:.1}", y + bend, to_y - bend);
    }
    path
}
