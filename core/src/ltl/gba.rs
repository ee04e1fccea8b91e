//! From the very weak alternating automaton to the generalised Büchi automaton.
//!
//! P. Gastin, D. Oddoux: Fast LTL to Büchi automata translation, CAV 2001, section 4. A state is a set of states of the
//! alternating automaton that must all accept. A transition to the set Y carries the mark of an until f if f is not in
//! Y, or if f could have been discharged by a move into Y.

use super::translate::{Budget, Limits, TranslateError};
use super::vwaa::{Discharge, Final, Moves, Vwaa, product};
use crate::automaton::{Bdd, BitSet, Edge, EdgeCollector, Manager, MergedTgba};
use crate::sort::Sort as _;
use alloc::vec;
use alloc::vec::Vec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

// A transition before its target is known to be a state.
struct Step {
    set: BitSet,
    letters: Bdd,
    marked: Vec<Bdd>,
}

struct Builder<'a> {
    vwaa: &'a Vwaa,
    bdds: &'a mut Manager,
    budget: &'a mut Budget,
    limits: &'a Limits,
    states: HashMap<BitSet, u32, FxBuildHasher>,
    sets: Vec<BitSet>,
    redundant: HashMap<(u32, u32), bool, FxBuildHasher>,
}

pub(super) fn gba(
    vwaa: &Vwaa,
    bdds: &mut Manager,
    budget: &mut Budget,
    limits: &Limits,
) -> Result<MergedTgba, TranslateError> {
    let (states, redundant) = (HashMap::default(), HashMap::default());
    let mut b = Builder { vwaa, bdds, budget, limits, states, sets: Vec::new(), redundant };
    let mut initial = Vec::new();
    for set in &vwaa.initial {
        initial.push(b.state(set.clone())?);
    }
    let mut edges = Vec::new();
    let mut count = 0;
    while let Some(set) = b.sets.get(edges.len()).cloned() {
        let outgoing = b.edges(&set)?;
        count += outgoing.len();
        if count > limits.transitions {
            return Err(TranslateError::Transitions(limits.transitions));
        }
        edges.push(outgoing);
    }
    initial.arrange();
    initial.dedup();
    if initial.is_empty() {
        // The formula is false: a state from which nothing is accepted.
        initial.push(edges.len() as u32);
        edges.push(Vec::new());
    }
    Ok(MergedTgba { initial, sets: vwaa.finals.len(), edges })
}

impl Builder<'_> {
    fn state(&mut self, set: BitSet) -> Result<u32, TranslateError> {
        let set = self.without_redundant(set)?;
        if let Some(&q) = self.states.get(&set) {
            return Ok(q);
        }
        if self.sets.len() >= self.limits.states {
            return Err(TranslateError::States(self.limits.states));
        }
        let q = self.sets.len() as u32;
        self.states.insert(set.clone(), q);
        self.sets.push(set);
        Ok(q)
    }

    // A member whose moves another member's moves contain adds nothing to the set's transitions, which are all that
    // matters from here on: {GF a, F a} goes on exactly as {GF a}.
    fn without_redundant(&mut self, mut set: BitSet) -> Result<BitSet, TranslateError> {
        let members: Vec<u32> = set.iter().collect();
        for &f in &members {
            for &g in members.iter().filter(|&&g| g != f) {
                if set.contains(g) && self.is_redundant(f, g)? {
                    set.remove(f);
                    break;
                }
            }
        }
        Ok(set)
    }

    fn is_redundant(&mut self, f: u32, g: u32) -> Result<bool, TranslateError> {
        if let Some(&known) = self.redundant.get(&(f, g)) {
            return Ok(known);
        }
        let (of_f, of_g) = (&self.vwaa.moves[f as usize], &self.vwaa.moves[g as usize]);
        // Each of g's moves contains one of f's, or the product is not what g's moves are: a quick way to say no.
        self.budget.spend(of_f.len() + of_g.len())?;
        let possible = of_g.iter().all(|(s, _)| of_f.iter().any(|(t, _)| t.is_subset(s)));
        let result = possible && product(self.bdds, of_g, of_f, self.budget)? == *of_g;
        self.redundant.insert((f, g), result);
        Ok(result)
    }

    fn edges(&mut self, set: &BitSet) -> Result<Vec<Edge>, TranslateError> {
        let mut moves: Moves = vec![(BitSet::new(), Bdd::TRUE)];
        for f in set.iter() {
            moves = product(self.bdds, &moves, &self.vwaa.moves[f as usize], self.budget)?;
        }
        let mut steps = Vec::new();
        for (set, letters) in moves {
            let marked = self.marks(&set, &letters)?;
            steps.push(Step { set, letters, marked });
        }
        self.remove_dominated(&mut steps)?;
        let mut collector = EdgeCollector::default();
        for step in steps {
            let target = self.state(step.set)?;
            collector.add(self.bdds, Edge { target, label: step.letters, marked: step.marked });
        }
        if self.bdds.overflowed() {
            return Err(TranslateError::Labels);
        }
        Ok(collector.finish())
    }

    fn marks(&mut self, set: &BitSet, letters: &Bdd) -> Result<Vec<Bdd>, TranslateError> {
        let mut marked = Vec::with_capacity(self.vwaa.finals.len());
        for Final { state, discharge } in &self.vwaa.finals {
            marked.push(match discharge {
                _ if !set.contains(*state) => letters.clone(),
                Discharge::Letters(recurring) => self.bdds.and(letters, recurring),
                Discharge::Moves(leaving) => {
                    self.budget.spend(leaving.len())?;
                    let mut possible = Bdd::FALSE;
                    for (target, l) in leaving {
                        if target.is_subset(set) {
                            possible = self.bdds.or(&possible, l);
                        }
                    }
                    self.bdds.and(letters, &possible)
                }
            });
        }
        Ok(marked)
    }

    // With the same letter, a smaller set with at least the marks is at least as good.
    fn remove_dominated(&mut self, steps: &mut Vec<Step>) -> Result<(), TranslateError> {
        self.budget.spend(steps.len().saturating_mul(steps.len()))?;
        for i in 0..steps.len() {
            for j in 0..steps.len() {
                if i == j || !steps[j].set.is_subset(&steps[i].set) {
                    continue;
                }
                let mut better = steps[j].letters.clone();
                for (mine, other) in steps[i].marked.iter().zip(&steps[j].marked) {
                    let missing = self.bdds.minus(mine, other);
                    better = self.bdds.minus(&better, &missing);
                }
                let step = &mut steps[i];
                step.letters = self.bdds.minus(&step.letters, &better);
                for m in &mut step.marked {
                    *m = self.bdds.and(m, &step.letters);
                }
            }
        }
        steps.retain(|s| !s.letters.is_false());
        Ok(())
    }
}
