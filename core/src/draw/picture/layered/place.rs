//! Coordinates: every item as near to its neighbours as the order inside its rank lets it be.

use super::layers::{ItemId, ItemKind, Layers, positions};
use crate::ids::IdVec;
use crate::sort::Sort as _;
use alloc::vec::Vec;

/// Where everything is.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    /// The line of each item.
    pub y: IdVec<ItemId, f64>,
    /// The left edge and the width of each rank.
    pub columns: Vec<(f64, f64)>,
    /// For each edge how far below their nodes' lines it starts and ends.
    pub ports: Vec<(f64, f64)>,
    /// The left end of the labels in a gap is this far behind the nodes, and as far before the next ones.
    pub reach: Vec<f64>,
    pub width: f64,
    pub height: f64,
}

const MARGIN: f64 = 14.0;
/// The room in front of the first layer, for the arrows at the initial nodes.
const START: f64 = 26.0;

/// Places the items of ordered ranks.
pub(super) fn place(layers: &Layers, initial: &[ItemId]) -> Placement {
    let ports = ports(layers, initial);
    let mut y = align(layers, &ports);
    let top = edge(layers, &y, |y, item| y - item.above, f64::min);
    let bottom = edge(layers, &y, |y, item| y + item.below, f64::max);
    for line in &mut y {
        *line += MARGIN - top;
    }
    let (columns, reach) = columns(layers, &y);
    let width = columns.last().map_or(0.0, |(x, w)| x + w) + MARGIN;
    Placement { y, columns, ports, reach, width, height: bottom - top + 2.0 * MARGIN }
}

fn edge(
    layers: &Layers,
    y: &IdVec<ItemId, f64>,
    side: impl Fn(f64, &super::layers::Item) -> f64,
    better: impl Fn(f64, f64) -> f64,
) -> f64 {
    let sides = layers.items.iter_enumerated().map(|(id, item)| side(y[id], item));
    sides.reduce(better).unwrap_or(0.0)
}

/// The end of an edge at a node: the position beyond, the edge, and whether it is where the edge leads to.
type End = (u32, usize, bool);

/// Spreads the ends of edges over the sides of their nodes, in the order in which the edges lie beyond.
fn ports(layers: &Layers, initial: &[ItemId]) -> Vec<(f64, f64)> {
    let at = positions(layers);
    let mut sides: IdVec<ItemId, [Vec<End>; 2]> =
        layers.items.iter().map(|_| [Vec::new(), Vec::new()]).collect();
    for (index, route) in layers.routes.iter().enumerate() {
        let last = route.len() - 1;
        for (node, next, end) in [(route[0], route[1], false), (route[last], route[last - 1], true)] {
            let right = usize::from(layers.is_right(node, next));
            sides[node][right].push((at[next] + 1, index, end));
        }
    }
    for &item in initial {
        sides[item][0].push((0, usize::MAX, true));
    }
    let mut ports = alloc::vec![(0.0, 0.0); layers.routes.len()];
    for side in sides.iter_mut().flatten() {
        side.arrange();
        let middle = (side.len() as f64 - 1.0) / 2.0;
        for (position, &(_, index, end)) in side.iter().enumerate() {
            let offset = (position as f64 - middle) * layers.port;
            match ports.get_mut(index) {
                Some(port) if end => port.1 = offset,
                Some(port) => port.0 = offset,
                None => {}
            }
        }
    }
    ports
}

/// Where an item would like its line: `0` is a neighbour, `1` how far below the neighbour's line.
type Wishes = IdVec<ItemId, Vec<(ItemId, f64)>>;

fn wishes(layers: &Layers, ports: &[(f64, f64)]) -> (Wishes, Wishes) {
    let empty = || layers.items.iter().map(|_| Vec::new()).collect::<Wishes>();
    let (mut left, mut right) = (empty(), empty());
    for (route, &(start, end)) in layers.routes.iter().zip(ports) {
        let last = route.len() - 1;
        let offset = |position: usize| {
            if position == 0 {
                start
            } else if position == last {
                end
            } else {
                0.0
            }
        };
        for position in 0..last {
            let (a, b) = (route[position], route[position + 1]);
            let shift = offset(position) - offset(position + 1);
            let (low, high) =
                if layers.is_right(a, b) { (&mut right, &mut left) } else { (&mut left, &mut right) };
            low[a].push((b, -shift));
            high[b].push((a, shift));
        }
    }
    (left, right)
}

fn align(layers: &Layers, ports: &[(f64, f64)]) -> IdVec<ItemId, f64> {
    let (left, right) = wishes(layers, ports);
    let mut y: IdVec<ItemId, f64> = alloc::vec![0.0; layers.items.len()].into();
    for rank in &layers.ranks {
        spread(layers, rank, &mut y, &[]);
    }
    let count = layers.ranks.len();
    let rounds = if layers.items.len() <= 3_000 { 12 } else { 4 };
    for round in 0..rounds {
        let settled = round + 2 >= rounds;
        for step in 0..count {
            let forward = round % 2 == 0;
            let rank = &layers.ranks[if forward { step } else { count - 1 - step }];
            let both = [&left, &right];
            let sides = match (settled, forward) {
                (true, _) => &both[..],
                (false, true) => &both[..1],
                (false, false) => &both[1..],
            };
            spread(layers, rank, &mut y, sides);
        }
    }
    y
}

/// Puts the items of a rank where the squares of their distances from where they would like to be are least, in
/// their order and without overlap: isotonic regression by pooling neighbours.
pub(super) fn spread(layers: &Layers, rank: &[ItemId], y: &mut IdVec<ItemId, f64>, sides: &[&Wishes]) {
    // Pools of items that touch: sum of weighted wishes, weight, number of items. Wishes are taken relative to where
    // the item would be if all items of the rank touched.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    let mut touching = 0.0;
    let mut offsets = Vec::with_capacity(rank.len());
    for (position, &id) in rank.iter().enumerate() {
        if position > 0 {
            touching += layers.items[rank[position - 1]].below + layers.items[id].above;
        }
        offsets.push(touching);
        let near = || sides.iter().flat_map(|side| &side[id]);
        let links = near().count() as f64;
        let wish = if links > 0.0 {
            near().map(|&(other, below)| y[other] + below).sum::<f64>() / links
        } else {
            y[id]
        };
        // Bends in the middle of an edge are worse than at a node, where edges end anyway.
        let stiff =
            if matches!(layers.items[id].kind, ItemKind::Pass | ItemKind::Label(_)) { 2.0 } else { 1.0 };
        let weight = if links > 0.0 { links * stiff } else { 0.05 };
        let mut pool = ((wish - touching) * weight, weight, 1);
        while let Some(&before) = pools.last()
            && before.0 / before.1 >= pool.0 / pool.1
        {
            pool = (pool.0 + before.0, pool.1 + before.1, pool.2 + before.2);
            pools.pop();
        }
        pools.push(pool);
    }
    let mut position = 0;
    for (sum, weight, items) in pools {
        for _ in 0..items {
            y[rank[position]] = sum / weight + offsets[position];
            position += 1;
        }
    }
}

fn columns(layers: &Layers, y: &IdVec<ItemId, f64>) -> (Vec<(f64, f64)>, Vec<f64>) {
    // Steep curves need room to turn.
    let mut steepest = alloc::vec![0.0f64; layers.ranks.len()];
    for piece in layers.routes.iter().flat_map(|route| route.windows(2)) {
        let (a, b) = (layers.rank_of[piece[0]], layers.rank_of[piece[1]]);
        if a.abs_diff(b) == 1 {
            let gap = if a % 2 == 1 { a } else { b } as usize;
            let height = (y[piece[0]] - y[piece[1]]).abs();
            steepest[gap] = steepest[gap].max(height);
        }
    }
    let mut x = START;
    let mut columns = Vec::with_capacity(layers.ranks.len());
    let mut reach = Vec::with_capacity(layers.ranks.len());
    for (rank, items) in layers.ranks.iter().enumerate() {
        let width = items.iter().map(|&id| layers.items[id].width).fold(0.0, f64::max);
        let last = rank + 1 == layers.ranks.len();
        let turn = match (rank % 2, items.is_empty()) {
            (0, _) | (_, true) => 0.0,
            _ => 18.0 + (steepest[rank] * 0.14).min(70.0) + (items.len() as f64 * 1.5).min(24.0),
        };
        columns.push((x, width + if last { turn } else { 2.0 * turn }));
        reach.push(turn);
        x += columns[rank].1;
    }
    (columns, reach)
}
