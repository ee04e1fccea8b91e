//! Direct simulation, forward and backward: equivalent states are merged and dominated edges removed.
//!
//! K. Etessami, G. Holzmann: Optimizing Büchi automata, CONCUR 2000, section 4; F. Somenzi, R. Bloem: Efficient Büchi
//! automata from LTL formulae, CAV 2000, section 5 (direct and reverse simulation); removing transitions to simulated
//! states ("little brothers"): D. Bustan, O. Grumberg: Simulation-based minimization, TOCL 4(2), 2003.
//!
//! A state t simulates s if for each edge of s and each letter it reads, t has an edge that reads the letter, carries
//! at least the marks, and leads to a state that simulates the target. Backward, the same of edges that enter,
//! and an initial state is simulated only by initial ones.

use super::bdd::{Bdd, Manager};
use super::merged::{Edge, MergedTgba};
use alloc::vec;
use alloc::vec::Vec;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

// `simulated_by[s][t]`: t simulates s.
struct Relation {
    count: usize,
    simulated_by: Vec<bool>,
}

impl Relation {
    fn get(&self, s: u32, t: u32) -> bool {
        self.simulated_by[s as usize * self.count + t as usize]
    }

    fn strictly(&self, s: u32, t: u32) -> bool {
        self.get(s, t) && !self.get(t, s)
    }
}

/// Reduces the automaton by the largest simulation, unless that would take more than the steps left.
pub(crate) fn simulation(a: &mut MergedTgba, bdds: &mut Manager, direction: Direction, budget: &mut usize) {
    let Some(relation) = largest(a, bdds, direction, budget) else { return };
    let states = 0..a.edges.len() as u32;
    let representative: Vec<u32> = (states.clone())
        .map(|s| states.clone().find(|&t| relation.get(s, t) && relation.get(t, s)).unwrap_or(s))
        .collect();
    // The representative's own edges suffice: it simulates the states that it stands for.
    let is_representative = |q: u32| representative[q as usize] == q;
    let kept = |source, target| match direction {
        Direction::Forward => is_representative(source),
        Direction::Backward => is_representative(target),
    };
    prune(a, bdds, direction, &relation, &representative);
    if direction == Direction::Forward {
        let initial = a.initial.clone();
        a.initial.retain(|&s| !initial.iter().any(|&t| relation.strictly(s, t)));
    }
    a.quotient(bdds, &representative, kept);
}

// Which of the letters that `e` reads are dominated by `d`: d reads them too and carries all of e's marks.
fn dominated(bdds: &mut Manager, letters: &Bdd, e: &Edge, d: &Edge) -> Bdd {
    let mut letters = bdds.and(letters, &d.label);
    for (m, n) in e.marked.iter().zip(&d.marked) {
        if letters.is_false() {
            break;
        }
        let missing = bdds.minus(m, n);
        letters = bdds.minus(&letters, &missing);
    }
    letters
}

// The edges as seen in the direction: for each state the far ends of its edges, with each edge's place in the table.
fn neighbours(a: &MergedTgba, direction: Direction) -> Vec<Vec<(u32, (usize, usize))>> {
    let mut result = vec![Vec::new(); a.edges.len()];
    for (q, edges) in a.edges.iter().enumerate() {
        for (i, e) in edges.iter().enumerate() {
            match direction {
                Direction::Forward => result[q].push((e.target, (q, i))),
                Direction::Backward => result[e.target as usize].push((q as u32, (q, i))),
            }
        }
    }
    result
}

fn largest(a: &MergedTgba, bdds: &mut Manager, direction: Direction, budget: &mut usize) -> Option<Relation> {
    let count = a.edges.len();
    *budget = budget.checked_sub(count.checked_mul(count)?)?;
    let near = neighbours(a, direction);
    let mut relation = Relation { count, simulated_by: vec![true; count * count] };
    if direction == Direction::Backward {
        let mut initial = vec![false; count];
        a.initial.iter().for_each(|&q| initial[q as usize] = true);
        for s in 0..count {
            for t in 0..count {
                relation.simulated_by[s * count + t] = !initial[s] || initial[t];
            }
        }
    }
    loop {
        let mut changed = false;
        for s in 0..count {
            for t in 0..count {
                if s == t || !relation.simulated_by[s * count + t] {
                    continue;
                }
                let mut steps = 1;
                let simulated = near[s].iter().all(|&(far, (q, i))| {
                    let e = &a.edges[q][i];
                    let mut rest = e.label.clone();
                    for &(other, (r, j)) in &near[t] {
                        steps += 1;
                        if rest.is_false() {
                            break;
                        }
                        if relation.get(far, other) {
                            steps += a.sets;
                            let letters = dominated(bdds, &rest, e, &a.edges[r][j]);
                            rest = bdds.minus(&rest, &letters);
                        }
                    }
                    rest.is_false()
                });
                if !simulated {
                    relation.simulated_by[s * count + t] = false;
                    changed = true;
                }
                *budget = budget.checked_sub(steps)?;
                if bdds.overflowed() {
                    return None;
                }
            }
        }
        if !changed {
            return Some(relation);
        }
    }
}

// Removes from each edge the letters with which another edge is strictly better: from the same state to a state that
// strictly simulates (forward), or into the same state from one (backward). The order is strict and transitive, so that
// for each letter the best edges remain.
fn prune(
    a: &mut MergedTgba,
    bdds: &mut Manager,
    direction: Direction,
    relation: &Relation,
    representative: &[u32],
) {
    let near = neighbours(a, direction);
    let mut removed: Vec<((usize, usize), Bdd)> = Vec::new();
    for (s, around) in near.iter().enumerate() {
        if representative[s] != s as u32 {
            continue;
        }
        for &(far, (q, i)) in around {
            let mut letters = Bdd::FALSE;
            for &(other, (r, j)) in around {
                if relation.strictly(far, other) {
                    let worse = dominated(bdds, &a.edges[q][i].label, &a.edges[q][i], &a.edges[r][j]);
                    letters = bdds.or(&letters, &worse);
                }
            }
            if !letters.is_false() {
                removed.push(((q, i), letters));
            }
        }
    }
    for ((q, i), letters) in removed {
        let e = &mut a.edges[q][i];
        e.label = bdds.minus(&e.label, &letters);
        for m in &mut e.marked {
            *m = bdds.minus(m, &letters);
        }
    }
    a.edges.iter_mut().for_each(|edges| edges.retain(|e| !e.label.is_false()));
}
