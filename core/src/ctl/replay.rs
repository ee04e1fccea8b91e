//! Replaying evidence: does it show what it claims?
//!
//! This shares nothing with the algorithms: it executes the program on plain states, evaluates expressions there, and
//! follows the meaning of each operator. Claims about all paths are taken as they are; how many is told.

use super::evidence::{Because, Claim, Evidence, Tree};
use super::normal::{Path, ProcessQuantifier};
use super::part::{Formula, Link, Sub, SubId};
use crate::error::{Classified, ErrorKind};
use crate::group::Process;
use crate::ids::Id;
use crate::product::{Deadlock, FairnessOf};
use crate::program::{ActionId, Flat, Machine, Program, Scratch};
use crate::search::{LassoStep, is_deadlock, is_initial, offer};
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

/// Why evidence does not show what it claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvidenceFault {
    /// The whole is not claimed of an initial state.
    NotInitial,
    /// The step with this number is no step of the program.
    NoStep(u32),
    /// The loop leads back to another state than it began in.
    Open,
    /// The claim is not true of its state.
    Wrong,
    /// The claim does not follow from what it rests on.
    DoesNotFollow,
    /// A part of the tree is not the evidence of a claim above it.
    Unrelated,
}

impl fmt::Display for EvidenceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvidenceFault::NotInitial => f.write_str("the evidence does not start in an initial state"),
            EvidenceFault::NoStep(number) => {
                write!(f, "step {number} of the evidence is no step of the program")
            }
            EvidenceFault::Open => f.write_str("the loop of the evidence does not close"),
            EvidenceFault::Wrong => f.write_str("the evidence claims something wrong of a state"),
            EvidenceFault::DoesNotFollow => f.write_str("a claim does not follow from what it rests on"),
            EvidenceFault::Unrelated => f.write_str("a part of the evidence belongs to no claim"),
        }
    }
}

impl core::error::Error for EvidenceFault {}

impl Classified for EvidenceFault {
    fn kind(&self) -> ErrorKind {
        // Only evidence that this crate made is replayed.
        ErrorKind::Internal
    }
}

/// Replays a tree that is about the whole formula, with all that is opened in it; gives the number of claims that are
/// taken as they are.
pub fn replay_tree(
    program: &Program,
    formula: &Formula,
    deadlock: Deadlock,
    tree: &Tree,
) -> Result<u32, EvidenceFault> {
    let claim = &tree.evidence.claim;
    let whole = formula.parts[formula.top()].top();
    if (claim.part, claim.sub) != (formula.top(), whole) || !is_initial(program, &claim.values) {
        return Err(EvidenceFault::NotInitial);
    }
    // A stack instead of recursion: a tree that somebody made up may be as deep as it likes.
    let mut stack = alloc::vec![tree];
    let mut open = 0;
    while let Some(tree) = stack.pop() {
        let left = replay(program, formula, deadlock, &tree.evidence)?;
        let claims = claims_of(&tree.evidence.because);
        for (at, below) in &tree.below {
            if !claims.iter().any(|(number, claim)| number == at && **claim == below.evidence.claim) {
                return Err(EvidenceFault::Unrelated);
            }
            stack.push(below);
        }
        open += left.saturating_sub(tree.below.len() as u32);
    }
    Ok(open)
}

fn claims_of(because: &Because) -> Vec<(u32, &Claim)> {
    match because {
        Because::Claims(claims) | Because::Every(claims) => claims.iter().map(|claim| (0, claim)).collect(),
        Because::Choice(_, claim) => alloc::vec![(0, claim)],
        Because::Walk { claims, .. } => claims.iter().map(|(at, claim)| (*at, claim)).collect(),
        _ => Vec::new(),
    }
}

/// Replays one piece of evidence; gives the number of claims with temporal operators that it rests on.
pub fn replay(
    program: &Program,
    formula: &Formula,
    deadlock: Deadlock,
    evidence: &Evidence,
) -> Result<u32, EvidenceFault> {
    let Evidence { claim, because } = evidence;
    let part = formula.parts.get(claim.part).ok_or(EvidenceFault::Unrelated)?;
    let sub = part.subs.get(claim.sub).ok_or(EvidenceFault::Unrelated)?;
    let known = claim.tracked.len() == part.tracks() && claim.tracked[part.names.len()..] == part.fixed;
    if !known || claim.values.len() != program.layout.slots as usize {
        return Err(EvidenceFault::Unrelated);
    }
    let rests = Rests { program, formula, deadlock, claim };
    let follows = match because {
        Because::Fact => rests.propositional(claim) == Some(claim.holds),
        Because::Claims(claims) => rests.follows(sub, claims),
        Because::Choice(process, inner) => match sub {
            Sub::Link(link) => {
                let kind = (ProcessQuantifier::Exists, true) == (over(link), claim.holds)
                    || (ProcessQuantifier::Forall, false) == (over(link), claim.holds);
                link.over.is_some()
                    && kind
                    && rests.is_member(link, *process)
                    && *inner == rests.inner(link, Some(*process))
            }
            _ => false,
        },
        Because::Every(claims) => match sub {
            Sub::Link(link @ Link { over: Some((quantifier, family)), .. }) => {
                let family = &program.families[*family];
                let all = (family.first.0..family.first.0 + family.size).map(Process);
                (*quantifier == ProcessQuantifier::Forall) == claim.holds
                    && claims.len() == family.size as usize
                    && all.zip(claims).all(|(process, inner)| *inner == rests.inner(link, Some(process)))
            }
            _ => false,
        },
        Because::Walk { steps, back, claims } => {
            rests.steps(steps, *back)?;
            rests.walk(sub, steps, *back, claims)
        }
        Because::Universal | Because::TooLong => match sub {
            Sub::Next(path, _) | Sub::Until(path, _, _) if matches!(because, Because::Universal) => {
                (*path == Path::All) == claim.holds
            }
            Sub::Until(Path::All, ..) => !claim.holds,
            Sub::FairGlobally(_) => claim.holds == matches!(because, Because::TooLong),
            Sub::Link(link) => link.over.is_some(),
            _ => false,
        },
    };
    if !follows {
        return Err(EvidenceFault::DoesNotFollow);
    }
    let mut open = u32::from(matches!(because, Because::Universal | Because::TooLong));
    for (_, claim) in claims_of(because) {
        match rests.propositional(claim) {
            Some(value) if value == claim.holds => {}
            Some(_) => return Err(EvidenceFault::Wrong),
            None => open += 1,
        }
    }
    Ok(open)
}

fn over(link: &Link) -> ProcessQuantifier {
    link.over.map_or(ProcessQuantifier::Forall, |(quantifier, _)| quantifier)
}

struct Rests<'a> {
    program: &'a Program,
    formula: &'a Formula,
    deadlock: Deadlock,
    claim: &'a Claim,
}

impl Rests<'_> {
    /// The value of a claim's subformula, where it has no temporal operators.
    fn propositional(&self, claim: &Claim) -> Option<bool> {
        let part = self.formula.parts.get(claim.part)?;
        if claim.tracked.len() != part.tracks() {
            return None;
        }
        let mut machine = Machine::new(self.program);
        let enabled = offer(&mut machine, &claim.values, None, &[]).enabled;
        let view = Flat { values: &claim.values, enabled: &enabled, executed: None };
        self.evaluate(claim, &view, claim.sub)
    }

    /// It recurses as deep as the formula is nested, which the parser bounds.
    fn evaluate(&self, claim: &Claim, view: &Flat<'_>, sub: SubId) -> Option<bool> {
        let part = &self.formula.parts[claim.part];
        match part.subs.get(sub)? {
            Sub::Const(value) => Some(*value),
            Sub::Atom(number) => {
                let atom = &part.atoms[*number as usize];
                atom.holds(self.program, view, &mut Scratch::default(), &claim.tracked).ok()
            }
            Sub::Not(a) => Some(!self.evaluate(claim, view, *a)?),
            Sub::And(list) => {
                let values: Option<Vec<bool>> = list.iter().map(|&a| self.evaluate(claim, view, a)).collect();
                Some(values?.into_iter().all(|value| value))
            }
            Sub::Or(list) => {
                let values: Option<Vec<bool>> = list.iter().map(|&a| self.evaluate(claim, view, a)).collect();
                Some(values?.into_iter().any(|value| value))
            }
            Sub::Link(_)
            | Sub::Next(..)
            | Sub::Until(..)
            | Sub::FairGlobally(_)
            | Sub::Fixpoint(..)
            | Sub::Variable(_) => None,
        }
    }

    fn about(&self, sub: SubId, holds: bool) -> Claim {
        Claim { sub, holds, ..self.claim.clone() }
    }

    fn is_member(&self, link: &Link, process: Process) -> bool {
        let family = link.over.map(|(_, family)| family);
        process.0 < self.program.process_count() && Some(self.program.locate(process).0) == family
    }

    /// The claim of the other part that a link stands for.
    fn inner(&self, link: &Link, process: Option<Process>) -> Claim {
        let source = |source: &Option<u32>| match source {
            Some(place) => self.claim.tracked.get(*place as usize).copied(),
            None => process,
        };
        Claim {
            part: link.part,
            sub: self.formula.parts[link.part].top(),
            tracked: link.sources.iter().filter_map(source).collect(),
            values: self.claim.values.clone(),
            holds: self.claim.holds,
        }
    }

    /// Whether a claim follows from others about the same state.
    fn follows(&self, sub: &Sub, claims: &[Claim]) -> bool {
        let holds = self.claim.holds;
        let all = |list: &[SubId]| {
            list.len() == claims.len() && list.iter().zip(claims).all(|(&a, c)| *c == self.about(a, holds))
        };
        let one = |list: &[SubId]| matches!(claims, [c] if list.iter().any(|&a| *c == self.about(a, holds)));
        match sub {
            Sub::Not(a) => claims == [self.about(*a, !holds)],
            Sub::And(list) => {
                if holds {
                    all(list)
                } else {
                    one(list)
                }
            }
            Sub::Or(list) => {
                if holds {
                    one(list)
                } else {
                    all(list)
                }
            }
            Sub::Link(link) => link.over.is_none() && claims == [self.inner(link, None)],
            _ => false,
        }
    }

    /// Whether the steps are steps of the program, and the loop closes.
    fn steps(&self, steps: &[LassoStep], back: Option<u32>) -> Result<(), EvidenceFault> {
        let mut machine = Machine::new(self.program);
        let mut values = &self.claim.values;
        for (number, step) in (0..).zip(steps) {
            let named = match (step.process, &step.action) {
                (Some(process), Some((action, arguments))) => Some((process, *action, arguments.as_slice())),
                (None, None) => None,
                _ => return Err(EvidenceFault::NoStep(number)),
            };
            let offer = offer(&mut machine, values, named, &step.values);
            let stutters = offer.none
                && self.deadlock == Deadlock::Stutter
                && step.values == *values
                && is_deadlock(self.program, values);
            if !(offer.taken || named.is_none() && stutters) {
                return Err(EvidenceFault::NoStep(number));
            }
            values = &step.values;
        }
        match back {
            None => Ok(()),
            Some(at) if (at as usize) < steps.len() && self.state(steps, at) == Some(values) => Ok(()),
            Some(_) => Err(EvidenceFault::Open),
        }
    }

    /// Whether the loop treats every process fairly.
    fn is_fair(&self, steps: &[LassoStep], back: u32) -> bool {
        let Some(fairness) = &self.formula.fairness else { return false };
        let mut machine = Machine::new(self.program);
        let states = (back..steps.len() as u32).filter_map(|at| self.state(steps, at));
        let enabled: Vec<Vec<bool>> =
            states.map(|values| offer(&mut machine, values, None, &[]).enabled).collect();
        let cycle = &steps[back as usize..];
        let treated = |p: u32| {
            let process = Process(p);
            let executes = cycle.iter().any(|step| step.process == Some(process));
            let mut on = enabled.iter().map(|enabled| enabled[process.index()]);
            // Weak: not enabled all the time without executing; strong: not even once.
            let waits = if fairness.strong.contains(process) { on.any(|on| on) } else { on.all(|on| on) };
            fairness.none.contains(process) || executes || !waits
        };
        (0..self.program.process_count()).all(treated) && self.is_fair_to_actions(fairness, steps, back)
    }

    /// Whether the loop treats fairly what is to be fair besides processes.
    fn is_fair_to_actions(&self, fairness: &FairnessOf, steps: &[LassoStep], back: u32) -> bool {
        let mut machine = Machine::new(self.program);
        let states: Vec<&Vec<i32>> =
            (back..steps.len() as u32).filter_map(|at| self.state(steps, at)).collect();
        let mut offers = |process: Process, action: ActionId, values: &[i32]| {
            let mut found = false;
            let _ = machine.steps(values, &mut |step| {
                found |= (step.process, step.action) == (process, action);
                ControlFlow::Continue(())
            });
            found
        };
        fairness.actions.iter().all(|fair| {
            fair.members.ranges().flatten().map(Process).all(|process| {
                let executes = steps[back as usize..].iter().any(|step| {
                    let action = step.action.as_ref().map(|(action, _)| *action);
                    step.process == Some(process) && action == Some(fair.action)
                });
                let mut on = states.iter().map(|values| offers(process, fair.action, values));
                let waits = if fair.strong { on.any(|on| on) } else { on.all(|on| on) };
                executes || !waits
            })
        })
    }

    fn state<'s>(&'s self, steps: &'s [LassoStep], at: u32) -> Option<&'s Vec<i32>> {
        match at.checked_sub(1) {
            None => Some(&self.claim.values),
            Some(step) => steps.get(step as usize).map(|step| &step.values),
        }
    }

    /// Whether a path shows the claim: it does with these claims about its states, no more and no fewer.
    fn walk(&self, sub: &Sub, steps: &[LassoStep], back: Option<u32>, claims: &[(u32, Claim)]) -> bool {
        let end = steps.len() as u32;
        let holds = self.claim.holds;
        let wanted: Vec<(u32, SubId, bool)> = match *sub {
            Sub::Next(path, a) if (path == Path::Some) == holds && back.is_none() && end == 1 => {
                alloc::vec![(1, a, holds)]
            }
            Sub::Until(Path::Some, f, g) if holds && back.is_none() => {
                (0..end).map(|at| (at, f, true)).chain([(end, g, true)]).collect()
            }
            Sub::Until(Path::All, _, g) if !holds && back.is_some() => {
                (0..end).map(|at| (at, g, false)).collect()
            }
            Sub::Until(Path::All, f, g) if !holds => {
                (0..=end).map(|at| (at, g, false)).chain([(end, f, false)]).collect()
            }
            Sub::FairGlobally(f) if holds && back.is_some_and(|back| self.is_fair(steps, back)) => {
                (0..end).map(|at| (at, f, true)).collect()
            }
            _ => return false,
        };
        let claim = |(at, sub, holds): (u32, SubId, bool)| {
            let values = self.state(steps, at)?.clone();
            Some((at, Claim { values, ..self.about(sub, holds) }))
        };
        wanted.len() == claims.len()
            && wanted.into_iter().zip(claims).all(|(wanted, claimed)| claim(wanted).as_ref() == Some(claimed))
    }
}

impl Tree {
    /// How many pieces of evidence are in it.
    pub fn size(&self) -> usize {
        let mut stack = alloc::vec![self];
        let mut size = 0;
        while let Some(tree) = stack.pop() {
            size += 1;
            stack.extend(tree.below.iter().map(|(_, tree)| tree));
        }
        size
    }
}
