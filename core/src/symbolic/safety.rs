//! Temporal safety (section 5): an automaton for the wrong computations runs along with the representatives, and a run is
//! wrong as soon as nothing can be read any more that would make it right.
//!
//! A state of the automaton is *universal* if it accepts whatever follows. A property is a safety property of the kind that is
//! checked here if every accepted computation comes to a universal state: without these states the automaton accepts nothing.
//! Whether a state is bad then depends on the automaton's state and on what it reads, and permutations of processes
//! leave both as they are.

use super::encoding::{Bit, Encoding, Side};
use super::fair::bound;
use super::model::Model;
use super::observer::Observer;
use super::reach::{Asked, Question, Reach};
use super::{SymbolicOptions, Unsupported};
use crate::automaton::{AutomatonState, Label, LassoWord, Marks, Tgba, Valuation, scc};
use crate::bdd::{Bdd, Budget, Manager};
use crate::explore::Path;
use crate::ids::Id;
use crate::limits::MAX_SAFETY_LABEL_NODES;
use crate::program::{Machine, Program};
use crate::property::Obligation;
use crate::search::{letter, offer};
use crate::strain::size;
use alloc::vec::Vec;

/// The states of an automaton that accept whatever follows, as far as that shows: from each of them every letter leads to such a
/// state with all marks.
fn universal(automaton: &Tgba) -> Vec<bool> {
    let mut bdds = Manager::new(size("symbolic: nodes of labels", MAX_SAFETY_LABEL_NODES, 12));
    let mut all = alloc::vec![true; automaton.state_count()];
    loop {
        let mut changed = false;
        for q in automaton.states() {
            let good = automaton
                .transitions(q)
                .iter()
                .filter(|t| all[t.target.index()] && automaton.all_marks().is_subset(t.marks));
            let labels: Vec<Label> = good.map(|t| t.label.clone()).collect();
            let mut read = Bdd::FALSE;
            for label in &labels {
                let function = bdds.function(label);
                read = bdds.or(&read, &function);
            }
            if all[q.index()] && (!read.is_true() || bdds.overflowed()) {
                all[q.index()] = false;
                changed = true;
            }
        }
        if !changed {
            return all;
        }
    }
}

/// Whether every computation that the automaton accepts is recognised after finitely many steps.
pub fn is_safety(automaton: &Tgba) -> bool {
    let universal = universal(automaton);
    let inner = |q: u32| {
        let moves = automaton.transitions(AutomatonState(q)).iter();
        moves.filter(|t| !universal[t.target.index()] && !t.label.is_never())
    };
    let components = scc::components(automaton.state_count(), |q| inner(q).map(|t| t.target.0));
    components.members.iter().all(|members| {
        if members.iter().any(|&q| universal[q as usize]) {
            return true;
        }
        let own = components.of[members[0] as usize];
        let edges = members.iter().flat_map(|&q| inner(q)).filter(|t| components.of[t.target.index()] == own);
        let mut any = false;
        let mut marks = Marks::EMPTY;
        for edge in edges {
            any = true;
            marks = marks.union(edge.marks);
        }
        !any || !automaton.all_marks().is_subset(marks)
    })
}

/// The search for a finite run that violates a property.
#[derive(Debug)]
pub struct Safety<'p> {
    /// The search.
    pub reach: Reach<'p>,
    obligation: Obligation,
}

impl<'p> Safety<'p> {
    /// Starts the search; the obligation's automaton [`is_safety`].
    pub fn new(
        program: &'p Program,
        obligation: &Obligation,
        options: &SymbolicOptions,
        budget: impl Into<Budget>,
    ) -> Result<Self, Unsupported> {
        let automaton = &obligation.automaton;
        let universal = universal(automaton);
        // Universal states need no number, except where a run begins with one.
        let kept: Vec<AutomatonState> =
            automaton.states().filter(|q| !universal[q.index()] || automaton.initial().contains(q)).collect();
        let number = |q: AutomatonState| kept.iter().position(|&k| k == q).map(|n| n as u32);
        let bits = u32::BITS - (kept.len().max(1) as u32 - 1).leading_zeros();
        let mut model = Model::new(program, bits, budget)?;
        let memory: Vec<Bit> = model.encoding().memory().collect();
        let mut atoms = Vec::new();
        let mut undefined = Bdd::FALSE;
        for atom in obligation.atoms.iter() {
            let bound = bound(program, obligation, atom);
            let (holds, error) = model.condition(atom.term, &bound)?;
            atoms.push(holds);
            undefined = model.bdds.or(&undefined, &error);
        }
        let valid = model.valid().clone();
        let bdds = &mut model.bdds;
        let mut bad = Bdd::FALSE;
        let mut moves = Vec::new();
        for &q in &kept {
            for transition in automaton.transitions(q) {
                let reads = label_function(bdds, &transition.label, &atoms, &valid);
                if universal[transition.target.index()] {
                    let here = Encoding::code(bdds, &memory, number(q).unwrap_or(0), Side::Current);
                    let both = bdds.and(&here, &reads);
                    bad = bdds.or(&bad, &both);
                } else if let (Some(from), Some(to)) = (number(q), number(transition.target)) {
                    let from = Encoding::code(bdds, &memory, from, Side::Current);
                    moves.push((from, reads, Encoding::code(bdds, &memory, to, Side::Next)));
                }
            }
        }
        let bad = bdds.minus(&bad, &undefined);
        let mut start = Bdd::FALSE;
        for q in automaton.initial().iter().filter_map(|&q| number(q)) {
            let here = Encoding::code(bdds, &memory, q, Side::Current);
            start = bdds.or(&start, &here);
        }
        let observer = Observer::new(bdds, &memory, start, moves);
        if bdds.overflowed() {
            return Err(Unsupported::Nodes(bdds.limit()));
        }
        // Generators that move the processes it speaks of are left out.
        let group = obligation.symmetry.group.stabiliser(&obligation.tracked);
        let asked = alloc::vec![Asked { bad, undefined }];
        let question = Question { asked, atoms, observer: Some(observer), drops: false };
        let reach = Reach::new(model, group.generators(), options, question)?;
        Ok(Safety { reach, obligation: obligation.clone() })
    }

    /// The obligation that is searched.
    pub fn obligation(&self) -> &Obligation {
        &self.obligation
    }
}

pub(super) fn label_function(bdds: &mut Manager, label: &Label, atoms: &[Bdd], valid: &Bdd) -> Bdd {
    let mut any = Bdd::FALSE;
    for cube in label.cubes() {
        let mut all = valid.clone();
        for (ap, positive) in cube.literals() {
            let atom = &atoms[ap.index()];
            all = if positive { bdds.and(&all, atom) } else { bdds.minus(&all, atom) };
        }
        any = bdds.or(&any, &all);
    }
    any
}

/// Whether a finite run violates the property of an obligation, as far as a few ways to go on show: whatever its letters are followed
/// by, the property itself must say no. The run is one of the program. This does not use the search.
pub(crate) fn is_wrong(program: &Program, obligation: &Obligation, path: &Path) -> bool {
    let mut machine = Machine::new(program);
    let mut letters: Vec<Valuation> = Vec::new();
    let mut ends = false;
    for values in [path.start.clone()].into_iter().chain(path.states()) {
        let offer = offer(&mut machine, &values, None, &values);
        letters.push(letter(program, obligation, &values, &offer.enabled, None));
        ends = offer.none;
    }
    let mut everything = Valuation::default();
    for atom in 0..obligation.atoms.len() {
        everything.set(crate::automaton::Ap(atom as u32), true);
    }
    let last = letters.last().cloned().unwrap_or_default();
    let first = letters.first().cloned().unwrap_or_default();
    // Where the run ends in a deadlock its last state repeats; elsewhere these are some ways to go on among all.
    let ways = [last, first, everything, Valuation::default()];
    let ways = if ends { &ways[..1] } else { &ways[..] };
    ways.iter().cloned().all(|next| {
        let word = LassoWord::new(letters.clone(), alloc::vec![next]);
        match &obligation.formula {
            Some((arena, formula)) => !arena.holds_on(*formula, &word),
            None => obligation.automaton.accepts(&word),
        }
    })
}
