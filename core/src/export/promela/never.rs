//! Claims as automata of the wrong computations (`never`), with fairness that Spin does not know.
//!
//! Spin accepts by states, and one set of them. So a state of the claim is a state of the automaton together with the
//! condition that is waited for next (the usual counting construction: Y. Choueka, *Theories of automata on ω-tapes*, 1974). Weak fairness of
//! a process is one more condition: again and again it is disabled or has executed. Strong fairness is guessed: from some point on
//! some of the processes are never enabled again, and the others execute again and again.
//!
//! The variable `who` is the process whose step led to a state, and `executed(p)` asks for the step that leaves it: the claim
//! remembers what it has guessed and compares in the next state.

use super::claim::number_of;
use super::term::{Expr, Level, Writer, join, not};
use super::{Assumptions, Model};
use crate::automaton::{AutomatonState, Cube, Transition};
use crate::export::Unsayable;
use crate::export::names::Names;
use crate::group::Process;
use crate::ids::Id;
use crate::limits::{MAX_CLAIM_ASKED, MAX_CLAIM_AUTOMATON, MAX_CLAIM_STRONG, MAX_CLAIM_TEXT};
use crate::program::{Property, PropertyKind};
use crate::property::Obligation;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// Guesses of which process executes next.
type Guess = Vec<(u32, bool)>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ClaimState {
    state: AutomatonState,
    /// The strongly fair processes that are never enabled again, as a set; none before that point.
    never_enabled: Option<u32>,
    /// The condition that is waited for.
    waits: usize,
    accepting: bool,
    guess: Guess,
}

struct Claim<'a> {
    model: &'a Model<'a>,
    property: &'a Property,
    obligation: &'a Obligation,
    assumptions: &'a Assumptions,
}

/// A claim that accepts the fair computations that the obligation's automaton accepts.
pub(super) fn never(
    model: &Model<'_>,
    names: &Names,
    name: &str,
    property: &Property,
    obligation: &Obligation,
    assumptions: &Assumptions,
) -> Result<String, Unsayable> {
    if assumptions.strong.len() > MAX_CLAIM_STRONG {
        let words = format!(
            "Spin knows weak fairness only, and a claim that assumes strong fairness of more than {MAX_CLAIM_STRONG} processes \
             would be too large"
        );
        return Err(Unsayable::too_large(property.span, words));
    }
    Claim { model, property, obligation, assumptions }.written(names.clone(), name)
}

impl Claim<'_> {
    fn written(&self, mut names: Names, name: &str) -> Result<String, Unsayable> {
        let first: Vec<ClaimState> = (self.obligation.automaton.initial().iter())
            .map(|&state| ClaimState {
                state,
                never_enabled: self.assumptions.strong.is_empty().then_some(0),
                waits: 0,
                accepting: false,
                guess: Vec::new(),
            })
            .collect();
        let start = names.fresh("start");
        let mut labels: BTreeMap<ClaimState, String> = BTreeMap::new();
        let mut order: Vec<ClaimState> = Vec::new();
        let mut label = |at: &ClaimState, order: &mut Vec<ClaimState>| {
            labels
                .entry(at.clone())
                .or_insert_with(|| {
                    order.push(at.clone());
                    names.fresh(&self.label(at))
                })
                .clone()
        };
        let mut text = format!("never {name} {{ /* accepts the computations that violate the property */\n");
        // Several initial states are one more state that has the moves of all.
        let one_start = first.len() == 1 && !self.model.starts;
        if one_start {
            label(&first[0], &mut order);
        } else {
            let mut moves = Vec::new();
            for at in &first {
                for (guard, to) in self.moves(at)? {
                    let ready = Expr::within("ready".into(), Level::Atom, 0, 1);
                    let guard = if self.model.starts { join(alloc::vec![ready, guard], true) } else { guard };
                    moves.push((guard, label(&to, &mut order)));
                }
            }
            if self.model.starts {
                moves.insert(0, (Expr::within("!ready".into(), Level::Atom, 0, 1), start.clone()));
            }
            self.block(&mut text, &start, &moves)?;
        }
        let mut done = 0;
        while let Some(at) = order.get(done).cloned() {
            done += 1;
            if order.len() > MAX_CLAIM_AUTOMATON {
                let words = format!("its automaton has more than {MAX_CLAIM_AUTOMATON} states");
                return Err(Unsayable::too_large(self.property.span, words));
            }
            let mut moves = Vec::new();
            for (guard, to) in self.moves(&at)? {
                moves.push((guard, label(&to, &mut order)));
            }
            let own = label(&at, &mut order);
            self.block(&mut text, &own, &moves)?;
        }
        text.push_str("}\n\n");
        if text.len() > MAX_CLAIM_TEXT {
            let words = format!("its automaton takes more than {} KiB", MAX_CLAIM_TEXT >> 10);
            return Err(Unsayable::too_large(self.property.span, words));
        }
        Ok(text)
    }

    /// The name of a state; those with the same name get different ones later.
    fn label(&self, at: &ClaimState) -> String {
        let own = match &self.property.kind {
            PropertyKind::Automaton(automaton) => automaton.states[at.state.index()].name.clone(),
            PropertyKind::Formula(..) | PropertyKind::DeadlockFree => format!("S{}", at.state.0),
        };
        let number = if at.waits == 0 { String::new() } else { format!("_{}", at.waits) };
        let accept = if at.accepting { "accept_" } else { "" };
        format!("{accept}{own}{number}")
    }

    fn block(&self, text: &mut String, label: &str, moves: &[(Expr, String)]) -> Result<(), Unsayable> {
        let _ = writeln!(text, "{label}:");
        if moves.is_empty() {
            let _ = writeln!(text, "  false;");
            return Ok(());
        }
        let _ = writeln!(text, "  do");
        for (guard, target) in moves {
            let _ = writeln!(text, "  :: {} -> goto {target}", guard.text);
            self.model.spend(guard.text.len())?;
        }
        let _ = writeln!(text, "  od;");
        Ok(())
    }

    /// The moves of a state of the claim.
    fn moves(&self, at: &ClaimState) -> Result<Vec<(Expr, ClaimState)>, Unsayable> {
        let mut moves = Vec::new();
        let mut checks: Vec<Expr> =
            at.guess.iter().map(|&(process, does)| self.last(process, does)).collect();
        let never_enabled = at.never_enabled.unwrap_or(0);
        for (bit, &process) in self.assumptions.strong.iter().enumerate() {
            if never_enabled & (1 << bit) != 0 {
                checks.push(not(&self.enabled(process)?));
            }
        }
        for transition in self.obligation.automaton.transitions(at.state) {
            for cube in transition.label.cubes() {
                for (guard, guess) in self.readings(cube)? {
                    let mut parts = checks.clone();
                    parts.push(guard);
                    let here = join(parts, true);
                    if here.value == Some(0) {
                        continue;
                    }
                    self.targets(at, transition, &here, &guess, &mut moves)?;
                }
            }
        }
        Ok(moves)
    }

    /// Where the claim goes on reading what a transition reads.
    fn targets(
        &self,
        at: &ClaimState,
        transition: &Transition,
        here: &Expr,
        guess: &Guess,
        moves: &mut Vec<(Expr, ClaimState)>,
    ) -> Result<(), Unsayable> {
        let next = |never_enabled, waits, accepting| ClaimState {
            state: transition.target,
            never_enabled,
            waits,
            accepting,
            guess: guess.clone(),
        };
        let Some(never_enabled) = at.never_enabled else {
            moves.push((here.clone(), next(None, 0, false)));
            for set in 0..1u32 << self.assumptions.strong.len() {
                moves.push((here.clone(), next(Some(set), self.skipped(set, 0), false)));
            }
            return Ok(());
        };
        let sets = self.obligation.automaton.sets() as usize;
        let conditions = sets + self.assumptions.weak.len() + self.assumptions.strong.len();
        let mut waits = at.waits;
        while waits < sets && transition.marks.contains(waits as u32) {
            waits += 1;
        }
        waits = self.skipped(never_enabled, waits);
        if waits >= conditions {
            let again = self.skipped(never_enabled, 0);
            moves.push((
                here.clone(),
                next(Some(never_enabled), if again < conditions { again } else { 0 }, true),
            ));
            return Ok(());
        }
        if waits >= sets {
            let (process, weak) = match self.assumptions.weak.get(waits - sets) {
                Some(&process) => (process, true),
                None => (self.assumptions.strong[waits - sets - self.assumptions.weak.len()], false),
            };
            let mut fair = alloc::vec![self.last(process, true)];
            if weak {
                fair.push(not(&self.enabled(process)?));
            }
            let met = join(alloc::vec![here.clone(), join(fair, false)], true);
            let after = self.skipped(never_enabled, waits + 1);
            let to = if after >= conditions {
                next(Some(never_enabled), self.skipped(never_enabled, 0).min(conditions - 1), true)
            } else {
                next(Some(never_enabled), after, false)
            };
            moves.push((met, to));
        }
        moves.push((here.clone(), next(Some(never_enabled), waits, false)));
        Ok(())
    }

    /// The first condition from this one on that has to be waited for.
    fn skipped(&self, never_enabled: u32, mut waits: usize) -> usize {
        let strong = self.obligation.automaton.sets() as usize + self.assumptions.weak.len();
        while waits >= strong
            && waits < strong + self.assumptions.strong.len()
            && never_enabled & (1 << (waits - strong)) != 0
        {
            waits += 1;
        }
        waits
    }

    /// The ways in which a state can satisfy the literals, each with what has to be guessed of the next step.
    fn readings(&self, cube: &Cube) -> Result<Vec<(Expr, Guess)>, Unsayable> {
        let mut readings: Vec<(Vec<Expr>, Guess)> = alloc::vec![(Vec::new(), Vec::new())];
        for (ap, positive) in cube.literals() {
            let literal = self.literal(ap.index(), positive)?;
            let mut longer = Vec::new();
            for (guards, guess) in &readings {
                for (guard, more) in &literal {
                    let contradiction = more.iter().any(|(p, does)| guess.contains(&(*p, !does)));
                    if contradiction {
                        continue;
                    }
                    let mut guards = guards.clone();
                    guards.push(guard.clone());
                    let mut all = guess.clone();
                    all.extend(more.iter().copied());
                    all.sort_unstable();
                    all.dedup();
                    longer.push((guards, all));
                }
            }
            readings = longer;
        }
        Ok(readings.into_iter().map(|(guards, guess)| (join(guards, true), guess)).collect())
    }

    fn literal(&self, ap: usize, positive: bool) -> Result<Vec<(Expr, Guess)>, Unsayable> {
        let atom = &self.obligation.atoms[ap];
        let mut writer = Writer::new(self.model);
        for &(reg, value) in &atom.bound {
            writer.bind(reg, number_of(self.model, self.obligation, value));
        }
        let signed = |written: Expr| if positive { written } else { not(&written) };
        let written = writer.term(atom.term)?;
        let asked: Vec<u32> = writer.asked.borrow().iter().copied().collect();
        if asked.is_empty() {
            return Ok(alloc::vec![(signed(written), Vec::new())]);
        }
        if asked.len() > MAX_CLAIM_ASKED {
            let words =
                format!("it asks of more than {MAX_CLAIM_ASKED} processes at once whether they execute");
            return Err(Unsayable::too_large(self.property.span, words));
        }
        let mut readings = Vec::new();
        // At most one process executes a step.
        for executing in core::iter::once(None).chain(asked.iter().copied().map(Some)) {
            writer.executes = asked.iter().map(|&process| (process, Some(process) == executing)).collect();
            let written = signed(writer.term(atom.term)?);
            if written.value == Some(0) {
                continue;
            }
            // Also where a state without steps repeats: the step is that of the process that only repeats it.
            let guess = match executing {
                Some(process) => alloc::vec![(process, true)],
                None => asked.iter().map(|&process| (process, false)).collect(),
            };
            readings.push((written, guess));
        }
        Ok(readings)
    }

    fn last(&self, process: u32, is: bool) -> Expr {
        self.model.asks_who.set(true);
        let sign = if is { "==" } else { "!=" };
        Expr::within(format!("who {sign} {}", self.model.pid(process)), Level::Comparison, 0, 1)
    }

    /// Whether a process has a step.
    fn enabled(&self, process: u32) -> Result<Expr, Unsayable> {
        let (family, number) = self.model.program.locate(Process(process));
        self.model.enabled_of.borrow_mut().insert(family);
        let name = &self.model.enabled_names[family];
        let text = if self.model.is_flat(family) { name.clone() } else { format!("{name}({number})") };
        self.model.spend(text.len())?;
        Ok(Expr::within(text, Level::Atom, 0, 1))
    }
}
