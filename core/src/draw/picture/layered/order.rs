//! The order inside the ranks: barycentres to and fro, then swaps of neighbours, keeping the order with the fewest
//! crossings (Sugiyama, Tagawa and Toda 1981; swaps after Gansner, Koutsofios, North and Vo 1993, section 3).

use super::layers::{ItemId, Layers, neighbours, positions};
use crate::ids::IdVec;
use crate::sort::Sort as _;
use alloc::vec::Vec;

/// Orders every rank.
pub(super) fn order(layers: &mut Layers) {
    let (left, right) = neighbours(layers);
    // Beyond a few thousand items the picture is not read closely any more.
    let (sweeps, swaps) = if layers.items.len() <= 3_000 { (16, 8) } else { (4, 0) };
    let mut best = layers.ranks.clone();
    let mut fewest = crossings(layers, &right);
    for sweep in 0..sweeps {
        let forward = sweep % 2 == 0;
        let count = layers.ranks.len();
        for step in 0..count {
            let rank = if forward { step } else { count - 1 - step };
            barycentre(layers, rank, if forward { &left } else { &right });
        }
        for _ in 0..swaps {
            if !swap_neighbours(layers, &left, &right) {
                break;
            }
        }
        let now = crossings(layers, &right);
        if now < fewest {
            fewest = now;
            best.clone_from(&layers.ranks);
        }
    }
    layers.ranks = best;
}

fn barycentre(layers: &mut Layers, rank: usize, towards: &IdVec<ItemId, Vec<ItemId>>) {
    let positions = positions_near(layers, rank);
    let key = |item: ItemId| {
        let near = &towards[item];
        let sum: f64 = near.iter().map(|&n| positions(n)).sum();
        if near.is_empty() { positions(item) } else { sum / near.len() as f64 }
    };
    let mut keyed: Vec<(f64, ItemId)> = layers.ranks[rank].iter().map(|&item| (key(item), item)).collect();
    // The sort is stable: equal ones stay as they are.
    keyed.arrange_by(|a, b| a.0.total_cmp(&b.0));
    layers.ranks[rank] = keyed.into_iter().map(|(_, item)| item).collect();
}

/// Positions of the items of a rank and its two neighbours, scaled so that ranks of different length compare.
fn positions_near(layers: &Layers, rank: usize) -> impl Fn(ItemId) -> f64 + use<> {
    let first = rank.saturating_sub(1);
    let near = layers.ranks.iter().enumerate().skip(first).take(rank + 2 - first);
    let mut table: Vec<(ItemId, f64)> = Vec::new();
    for (_, items) in near {
        let scale = 1.0 / items.len().max(1) as f64;
        table.extend(items.iter().enumerate().map(|(p, &item)| (item, (p as f64 + 0.5) * scale)));
    }
    table.arrange_by_key(|entry| entry.0);
    move |item| table.binary_search_by_key(&item, |entry| entry.0).map_or(0.0, |at| table[at].1)
}

/// Swaps neighbours wherever that removes crossings; says whether it did.
fn swap_neighbours(
    layers: &mut Layers,
    left: &IdVec<ItemId, Vec<ItemId>>,
    right: &IdVec<ItemId, Vec<ItemId>>,
) -> bool {
    let mut at = positions(layers);
    let mut improved = false;
    for rank in &mut layers.ranks {
        for upper in 1..rank.len() {
            let (a, b) = (rank[upper - 1], rank[upper]);
            let (mut kept, mut swapped) = (0u64, 0u64);
            for side in [left, right] {
                for &x in &side[a] {
                    for &y in &side[b] {
                        kept += u64::from(at[x] > at[y]);
                        swapped += u64::from(at[x] < at[y]);
                    }
                }
            }
            if swapped < kept {
                rank.swap(upper - 1, upper);
                at[a] += 1;
                at[b] -= 1;
                improved = true;
            }
        }
    }
    improved
}

/// How many pairs of pieces cross, over all ranks.
pub(super) fn crossings(layers: &Layers, right: &IdVec<ItemId, Vec<ItemId>>) -> u64 {
    let at = positions(layers);
    let mut total = 0;
    for (rank, items) in layers.ranks.iter().enumerate() {
        let Some(next) = layers.ranks.get(rank + 1) else { break };
        // A tree of counts over the right positions (Fenwick): each piece asks how many before it end further down.
        let mut tree = alloc::vec![0u64; next.len() + 1];
        let mut seen = 0;
        for &item in items {
            let mut ends: Vec<u32> = right[item].iter().map(|&n| at[n]).collect();
            ends.arrange();
            for &end in &ends {
                total += seen - sum(&tree, end);
            }
            for &end in &ends {
                add(&mut tree, end);
                seen += 1;
            }
        }
    }
    total
}

/// How many entries are at `position` or before.
fn sum(tree: &[u64], position: u32) -> u64 {
    let mut index = position as usize + 1;
    let mut total = 0;
    while index > 0 {
        total += tree[index];
        index &= index - 1;
    }
    total
}

fn add(tree: &mut [u64], position: u32) {
    let mut index = position as usize + 1;
    while index < tree.len() {
        tree[index] += 1;
        index += index & index.wrapping_neg();
    }
}
