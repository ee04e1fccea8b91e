//! States that differ only in the numbers of processes.

use super::interpret::Cell;
use super::program::{PLACE, PLACES, Program, Shape, Simple};
use std::collections::BTreeSet;

/// How many states are left where those that differ in the numbers of processes are one.
pub(crate) fn orbits(program: &Program, states: &BTreeSet<Vec<Cell>>) -> usize {
    let perms = permutations(program.processes as usize);
    let mut seen: BTreeSet<Vec<Cell>> = BTreeSet::new();
    for state in states {
        let least = perms.iter().map(|perm| permuted(program, state, perm)).min().expect("a permutation");
        seen.insert(least);
    }
    seen.len()
}

fn permutations(n: usize) -> Vec<Vec<i64>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let smaller = permutations(n - 1);
    smaller
        .iter()
        .flat_map(|perm| {
            (0..n).map(move |at| {
                let mut perm = perm.clone();
                perm.insert(at, n as i64 - 1);
                perm
            })
        })
        .collect()
}

fn permuted(program: &Program, state: &[Cell], perm: &[i64]) -> Vec<Cell> {
    let mut out = state.to_vec();
    let mut base = 0;
    for (_, shape) in &program.globals {
        move_cells(shape, state, base, base, perm, &mut out);
        base += shape.cells(program.processes);
    }
    out
}

fn move_cells(shape: &Shape, state: &[Cell], from: usize, to: usize, perm: &[i64], out: &mut [Cell]) {
    let n = perm.len() as i64;
    match shape {
        Shape::Simple(Simple::Process | Simple::Union) => {
            out[to] = state[from].map(|p| perm.get(p as usize).copied().unwrap_or(p));
        }
        Shape::Simple(_) => out[to] = state[from],
        Shape::Network => {
            let mut places: Vec<Vec<Cell>> = Vec::new();
            for place in state[from..from + PLACES * PLACE].chunks(PLACE) {
                let mut moved = place.to_vec();
                move_cells(&Shape::Message, place, 1, 1, perm, &mut moved);
                places.push(moved);
            }
            // Messages stand in front of empty places, in order.
            places.sort_by(|a, b| (b[0], &a[1..]).cmp(&(a[0], &b[1..])));
            out[to..to + PLACES * PLACE].copy_from_slice(&places.concat());
        }
        Shape::Record | Shape::Message => {
            let mut at = 0;
            for (_, field) in shape.fields() {
                move_cells(&field, state, from + at, to + at, perm, out);
                at += field.cells(n);
            }
        }
        Shape::Array(over, element) => {
            let step = element.cells(n);
            for index in 0..over.size(n) {
                let moved = match over {
                    Simple::Process | Simple::Union => perm.get(index as usize).copied().unwrap_or(index),
                    _ => index,
                };
                move_cells(
                    element,
                    state,
                    from + index as usize * step,
                    to + moved as usize * step,
                    perm,
                    out,
                );
            }
        }
    }
}
