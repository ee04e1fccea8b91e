//! Properties as temporal formulas of TLA+, which has `[]` and `<>` but neither `X` nor `U`: what it says cannot depend on
//! how often a state repeats.

use super::Module;
use super::term::Writer;
use crate::export::Unsayable;
use crate::program::{FormulaId, FormulaKind, Property, PropertyKind, TermKind};
use crate::syntax::ast::{Logic, Quantifier, TemporalBinaryOp, TemporalOp};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The form of a property in TLA+.
pub(super) enum Said {
    Invariant(String),
    /// A formula that must fail somewhere: TLC's error is the way to that state.
    Cover(String),
    NoDeadlock,
    Temporal(String),
}

impl Module<'_> {
    /// A property in TLA+.
    pub(super) fn property(&self, property: &Property) -> Result<Said, Unsayable> {
        let mut writer = Writer { module: self, bound: BTreeMap::new() };
        match &property.kind {
            PropertyKind::Formula(Logic::Ctl, _) => Err(Unsayable::new(
                property.span,
                "TLA+ has no CTL: its formulas speak of computations, not of trees",
            )),
            PropertyKind::Formula(Logic::Mu, _) => Err(Unsayable::new(
                property.span,
                "TLA+ has no mu-calculus: its formulas speak of computations, not of trees",
            )),
            PropertyKind::Automaton(_) => {
                Err(Unsayable::new(property.span, "TLA+ has no automata as properties"))
            }
            PropertyKind::DeadlockFree => Ok(Said::NoDeadlock),
            PropertyKind::Formula(Logic::Invariant, formula) => {
                writer.formula(property, *formula).map(Said::Invariant)
            }
            PropertyKind::Formula(Logic::Cover, formula) => {
                writer.formula(property, *formula).map(Said::Cover)
            }
            PropertyKind::Formula(Logic::Ltl, _) if self.program.assumption.is_some() => Err(Unsayable::new(
                property.span,
                "TLC lets a computation stay where every step leads out of what is assumed, and such computations do not count here",
            )),
            PropertyKind::Formula(Logic::Ltl, formula) => {
                writer.formula(property, *formula).map(Said::Temporal)
            }
        }
    }
}

impl Writer<'_> {
    fn formula(&mut self, property: &Property, id: FormulaId) -> Result<String, Unsayable> {
        let program = self.module.program;
        let formula = &program.formulas[id];
        let joined = |writer: &mut Self, list: &[FormulaId], word: &str, empty: &str| {
            let mut parts = Vec::new();
            for &part in list {
                parts.push(format!("({})", writer.formula(property, part)?));
            }
            Ok(if parts.is_empty() { String::from(empty) } else { parts.join(word) })
        };
        let no = |sign: &str| {
            let words =
                format!("TLA+ has no `{sign}`: what it says cannot depend on how often a state repeats");
            Err(Unsayable::new(formula.span, words))
        };
        match &formula.kind {
            FormulaKind::Atom(term) => {
                let text = self.term(*term)?;
                let of_a_state = |kind: &TermKind| {
                    matches!(kind, TermKind::Shared(..) | TermKind::Local(..) | TermKind::Enabled(_))
                };
                // TLC answers wrongly where a part of a temporal formula is a constant, and takes no invariant that is one.
                Ok(if program.mentions(*term, &of_a_state) {
                    text
                } else {
                    format!("(vars = vars) /\\ ({text})")
                })
            }
            FormulaKind::Not(a) => Ok(format!("~({})", self.formula(property, *a)?)),
            FormulaKind::And(list) => joined(self, list, " /\\ ", "TRUE"),
            FormulaKind::Or(list) => joined(self, list, " \\/ ", "FALSE"),
            FormulaKind::Implies(a, b) => joined(self, &[*a, *b], " => ", ""),
            FormulaKind::Iff(a, b) => joined(self, &[*a, *b], " <=> ", ""),
            FormulaKind::Quantified(quantifier, reg, domain, body) => {
                let name = self.module.property_name(property, *reg);
                self.bound.insert(*reg, name.clone());
                let sign = if *quantifier == Quantifier::Forall { "\\A" } else { "\\E" };
                let set = self.module.set(*domain);
                Ok(format!("{sign} {name} \\in {set} : {}", self.formula(property, *body)?))
            }
            FormulaKind::Temporal(TemporalOp::Next, _) => no("X"),
            FormulaKind::Temporal(op, a) => {
                let sign = if *op == TemporalOp::Finally { "<>" } else { "[]" };
                let nested = matches!(
                    program.formulas[*a].kind,
                    FormulaKind::Temporal(TemporalOp::Finally | TemporalOp::Globally, _)
                );
                let inner = self.formula(property, *a)?;
                Ok(if nested { format!("{sign}{inner}") } else { format!("{sign}({inner})") })
            }
            FormulaKind::TemporalBinary(op, ..) => match op {
                TemporalBinaryOp::Until => no("U"),
                TemporalBinaryOp::Release => no("R"),
                TemporalBinaryOp::WeakUntil => no("W"),
                TemporalBinaryOp::StrongRelease => no("M"),
            },
            FormulaKind::Branching(..) | FormulaKind::BranchingBinary(..) => no("A"),
            FormulaKind::Fixpoint(..) | FormulaKind::Variable(_) => no("mu"),
        }
    }
}
