//! The translation of a formula to a small automaton.

use super::formula::{Arena, Formula, FormulaId};
use super::gba::gba;
use super::nnf::Normaliser;
use super::simplify::simplify;
use super::vwaa::vwaa;
use crate::automaton::{Ap, Manager, Marks, Reductions, Tgba};
use crate::error::{Classified, ErrorKind};
use crate::ids::Id;
use crate::limits::{MAX_LABEL_NODES, MAX_PROPOSITIONS};
use crate::strain::{size, took};
use core::fmt;

/// How much a translation may take. Everything is counted, so that it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most subformulas.
    pub formulas: usize,
    /// The most states while the automaton is built.
    pub states: usize,
    /// The most transitions, while the automaton is built and at the end.
    pub transitions: usize,
    /// The most elementary steps in all.
    pub steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { formulas: 10_000, states: 20_000, transitions: 200_000, steps: 20_000_000 }
    }
}

/// Which of the optional parts of the translation to use; the language is the same with any choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Simplify the formula first.
    pub simplify: bool,
    /// Let the operands of a disjunction be states instead of the disjunction: `None` tries both.
    pub split_or: Option<bool>,
    /// Reductions of the automaton.
    pub reductions: Reductions,
}

impl Default for Options {
    fn default() -> Self {
        Options { simplify: true, split_or: None, reductions: Reductions::ALL }
    }
}

/// Why a formula was not translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranslateError {
    /// The formula has more subformulas than the limit.
    Formulas(usize),
    /// The automaton has more states than the limit.
    States(usize),
    /// The automaton has more transitions than the limit.
    Transitions(usize),
    /// The translation takes more steps than the limit.
    Steps(usize),
    /// The automaton needs more acceptance sets than [`Marks::MAX`].
    Sets(usize),
    /// A proposition's index is beyond what the Boolean reasoning takes.
    Propositions(Ap),
    /// The Boolean functions of the labels are too large.
    Labels,
}

impl fmt::Display for TranslateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranslateError::Formulas(n) => write!(f, "the formula has more than {n} subformulas"),
            TranslateError::States(n) => write!(f, "the formula's automaton has more than {n} states"),
            TranslateError::Transitions(n) => {
                write!(f, "the formula's automaton has more than {n} transitions")
            }
            TranslateError::Steps(n) => {
                write!(f, "the formula's automaton was not finished within {n} steps")
            }
            TranslateError::Sets(n) => write!(
                f,
                "the formula's automaton needs {n} acceptance sets, more than the {} supported",
                Marks::MAX
            ),
            TranslateError::Propositions(ap) => write!(
                f,
                "the formula has atomic proposition {}, and only {MAX_PROPOSITIONS} are supported",
                ap.0
            ),
            TranslateError::Labels => write!(f, "the Boolean parts of the formula are too large"),
        }
    }
}

impl core::error::Error for TranslateError {}

impl Classified for TranslateError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Limit
    }
}

/// The steps that are left of [`Limits::steps`].
pub(super) struct Budget {
    left: usize,
    limit: usize,
}

impl Budget {
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), TranslateError> {
        self.left = self.left.checked_sub(steps).ok_or(TranslateError::Steps(self.limit))?;
        Ok(())
    }
}

/// The automaton that accepts exactly the words that satisfy the formula.
///
/// ```
/// use orbitscope_core::ltl::{translate, Ap, Arena, Limits, TranslateError};
/// let mut arena = Arena::new();
/// let p = arena.ap(Ap(0));
/// let eventually = arena.eventually(p);
/// let often = arena.always(eventually);
/// let automaton = translate(&arena, often, &Limits::default()).unwrap();
/// assert_eq!((automaton.state_count(), automaton.sets()), (1, 1));
///
/// let none = Limits { steps: 0, ..Limits::default() };
/// assert_eq!(translate(&arena, eventually, &none), Err(TranslateError::Steps(0)));
/// ```
pub fn translate(arena: &Arena, formula: FormulaId, limits: &Limits) -> Result<Tgba, TranslateError> {
    translate_with(arena, formula, limits, Options::default())
}

/// [`translate`] with a choice of its parts.
pub fn translate_with(
    arena: &Arena,
    formula: FormulaId,
    limits: &Limits,
    options: Options,
) -> Result<Tgba, TranslateError> {
    check_formula(arena, formula, limits)?;
    let (mut arena, formula) = arena.extract(formula);
    let f = if options.simplify {
        simplify(&mut arena, formula)
    } else {
        Normaliser::default().normalise(&mut arena, formula, false)
    };
    let (arena, f) = arena.extract(f);
    check_formula(&arena, f, limits)?;
    let mut budget = Budget { left: limits.steps, limit: limits.steps };
    let mut best: Option<Tgba> = None;
    let mut failure = None;
    let both = [false, true];
    let choices = match options.split_or {
        None => &both[..],
        Some(choice) => &both[usize::from(choice)..=usize::from(choice)],
    };
    for &split_or in choices {
        match build(&arena, f, split_or, limits, &mut budget, options.reductions) {
            Ok((found, more)) => {
                let size = |a: &Tgba| (a.state_count(), a.transition_count(), a.sets());
                if best.as_ref().is_none_or(|old| size(&found) < size(old)) {
                    best = Some(found);
                }
                if !more {
                    break;
                }
            }
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    best.ok_or_else(|| failure.unwrap_or(TranslateError::Steps(limits.steps)))
}

fn check_formula(arena: &Arena, f: FormulaId, limits: &Limits) -> Result<(), TranslateError> {
    let subformulas = arena.subformulas(f);
    if subformulas.len() > limits.formulas {
        return Err(TranslateError::Formulas(limits.formulas));
    }
    for g in subformulas {
        if let Formula::Ap(ap) = *arena.get(g)
            && ap.index() >= MAX_PROPOSITIONS
        {
            return Err(TranslateError::Propositions(ap));
        }
    }
    Ok(())
}

// The automaton, and whether the other choice of `split_or` might give another one.
fn build(
    arena: &Arena,
    f: FormulaId,
    split_or: bool,
    limits: &Limits,
    budget: &mut Budget,
    reductions: Reductions,
) -> Result<(Tgba, bool), TranslateError> {
    let mut bdds = Manager::new(size("ltl: nodes of labels", MAX_LABEL_NODES, 60));
    let alternating = vwaa(arena, f, &mut bdds, split_or, budget)?;
    let mut automaton = gba(&alternating, &mut bdds, budget, limits)?;
    automaton.reduce(&mut bdds, reductions);
    if automaton.sets > Marks::MAX as usize {
        return Err(TranslateError::Sets(automaton.sets));
    }
    let result = automaton.to_tgba(&mut bdds);
    if bdds.overflowed() {
        took("ltl: labels with too many nodes");
        if reductions.simulation || reductions.reverse_simulation {
            // Comparing states combines labels; without it they may be small enough.
            let rest = Reductions { simulation: false, reverse_simulation: false, ..reductions };
            return build(arena, f, split_or, limits, budget, rest);
        }
        return Err(TranslateError::Labels);
    }
    if result.transition_count() > limits.transitions {
        return Err(TranslateError::Transitions(limits.transitions));
    }
    Ok((result, alternating.has_disjunction))
}
