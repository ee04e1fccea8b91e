//! Properties as claims: formulas as Spin's own, where it can say them and translates them quickly, otherwise as automata.

use super::term::{Level, Writer};
use super::{Assumptions, Model};
use crate::export::names::Names;
use crate::export::{Request, Unsayable};
use crate::ltl::Limits;
use crate::program::{
    Domain, FormulaId, FormulaKind, Property, PropertyId, PropertyKind, PropertyLogic, Reg,
};
use crate::property::{AtomValue, Obligation, obligations, process_value};
use crate::syntax::ast::{Logic, Quantifier, TemporalBinaryOp, TemporalOp};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

/// The weight of `U` and its kin; that of `F` and `G` is 1.
const UNTIL_WEIGHT: u64 = 2;
/// Formulas up to this weight are left to Spin.
const SPIN_WEIGHT: u64 = 5;

/// A claim, or a comment in its place.
pub(super) struct Claim {
    /// The argument for `pan -N`; none where there is only a comment.
    pub name: Option<String>,
    pub text: String,
    /// Whether it is a formula of Spin's.
    pub is_formula: bool,
}

/// The claims of the properties that are asked for.
pub(super) fn claims(
    model: &Model<'_>,
    request: &Request<'_>,
    assumptions: &Assumptions,
    names: &mut Names,
) -> Result<Vec<Claim>, Unsayable> {
    let mut claims = Vec::new();
    for id in request.properties() {
        let property = &model.program.properties[id];
        let before = model.spent.get();
        match of_property(model, request, assumptions, names, id) {
            Ok(written) => claims.extend(written),
            Err(unsayable) if request.property.is_some() => return Err(unsayable),
            Err(unsayable) => {
                model.spent.set(before);
                let text = format!("/* `{}` is left out: {}. */\n\n", property.name, unsayable.words);
                claims.push(Claim { name: None, text, is_formula: false });
            }
        }
    }
    Ok(claims)
}

fn of_property(
    model: &Model<'_>,
    request: &Request<'_>,
    assumptions: &Assumptions,
    names: &mut Names,
    id: PropertyId,
) -> Result<Vec<Claim>, Unsayable> {
    let property = &model.program.properties[id];
    match &property.kind {
        PropertyKind::Formula(Logic::Ctl, _) => {
            Err(Unsayable::new(property.span, "Spin has no CTL: it checks computations, not trees"))
        }
        PropertyKind::Formula(Logic::Mu, _) => {
            Err(Unsayable::new(property.span, "Spin has no mu-calculus: it checks computations, not trees"))
        }
        PropertyKind::DeadlockFree => Err(Unsayable::new(
            property.span,
            "Spin looks for deadlocks by itself: count all states as above, and read `invalid end state`",
        )),
        PropertyKind::Formula(Logic::Invariant | Logic::Cover, formula) => {
            let FormulaKind::Atom(term) = model.program.formulas[*formula].kind else {
                return Err(Unsayable::new(property.span, "this invariant is no expression"));
            };
            let covers = match property.logic() {
                PropertyLogic::Cover => {
                    "/* a cover: an error of this claim is the way to what is to be reached */\n"
                }
                _ => "",
            };
            let mut writer = Writer::new(model);
            let mut written = writer.term(term)?;
            if writer.chose.get() {
                // Spin's formulas have no choice between values, its automata do.
                let mut claim = never_reached(model, names, property, &written.text);
                claim.text.insert_str(0, covers);
                return Ok(alloc::vec![claim]);
            }
            if written.level > Level::Comparison {
                written.text = format!("({}) != 0", written.text);
            }
            Ok(alloc::vec![ltl(model, names, &property.name, &format!("[] ({})", written.text), covers)])
        }
        PropertyKind::Formula(Logic::Ltl, _) | PropertyKind::Automaton(_) if assumptions.actions => {
            Err(Unsayable::new(
                property.span,
                "Spin's fairness is of processes, and the model asks for that of an action",
            ))
        }
        PropertyKind::Formula(Logic::Ltl, formula) => {
            let mut claims = Vec::new();
            let (leading, body) = front(model, *formula);
            let instances = instances(model, request, id)?;
            for obligation in &instances {
                let (name, comment) = titles(model, property, obligation, instances.len());
                let mut writer = bound(model, &leading, obligation);
                let ready = if model.starts { UNTIL_WEIGHT } else { 0 };
                let fits =
                    assumptions.suit_spin() && weight(model, body).saturating_add(ready) <= SPIN_WEIGHT;
                let said = if fits { said(&mut writer, body)? } else { None };
                if let Some(text) = said {
                    claims.push(ltl(model, names, &name, &text, &comment));
                    continue;
                }
                let name = names.fresh(&name);
                let text = super::never::never(model, names, &name, property, obligation, assumptions)?;
                let text = format!("{comment}{text}");
                claims.push(Claim { name: Some(name), text, is_formula: false });
            }
            Ok(claims)
        }
        PropertyKind::Automaton(_) => {
            let mut claims = Vec::new();
            let instances = instances(model, request, id)?;
            for obligation in &instances {
                let (name, comment) = titles(model, property, obligation, instances.len());
                let name = names.fresh(&name);
                let text = super::never::never(model, names, &name, property, obligation, assumptions)?;
                claims.push(Claim { name: Some(name), text: format!("{comment}{text}"), is_formula: false });
            }
            Ok(claims)
        }
    }
}

fn instances(model: &Model<'_>, request: &Request<'_>, id: PropertyId) -> Result<Vec<Obligation>, Unsayable> {
    obligations(model.program, id, request.symmetry, &Limits::default()).map_err(|error| {
        let diagnostic = error.diagnostic();
        Unsayable::too_large(diagnostic.span, diagnostic.message)
    })
}

/// How hard a formula is for Spin's translation, which takes minutes over three nested `W`.
fn weight(model: &Model<'_>, formula: FormulaId) -> u64 {
    let of = |f: &FormulaId| weight(model, *f);
    match &model.program.formulas[formula].kind {
        FormulaKind::Atom(_) => 0,
        FormulaKind::Not(a) => of(a),
        FormulaKind::And(list) | FormulaKind::Or(list) => list.iter().map(of).fold(0, u64::saturating_add),
        FormulaKind::Implies(a, b) => of(a).saturating_add(of(b)),
        // Both sides are written twice, once negated.
        FormulaKind::Iff(a, b) => of(a).saturating_add(of(b)).saturating_mul(2),
        FormulaKind::Quantified(_, _, domain, body) => {
            of(body).saturating_mul(u64::try_from(model.bounds(*domain).1).unwrap_or(0))
        }
        FormulaKind::Temporal(_, a) => of(a).saturating_add(1),
        FormulaKind::TemporalBinary(_, a, b) => of(a).saturating_add(of(b)).saturating_add(UNTIL_WEIGHT),
        FormulaKind::Branching(..)
        | FormulaKind::BranchingBinary(..)
        | FormulaKind::Fixpoint(..)
        | FormulaKind::Variable(_) => u64::MAX,
    }
}

/// The `forall`s in front of a formula, as the obligations leave them off, and what is behind them.
fn front(model: &Model<'_>, mut formula: FormulaId) -> (Vec<(Reg, Domain)>, FormulaId) {
    let mut leading = Vec::new();
    while let FormulaKind::Quantified(Quantifier::Forall, reg, domain, body) =
        model.program.formulas[formula].kind
    {
        leading.push((reg, domain));
        formula = body;
    }
    (leading, formula)
}

/// A writer with the names in front bound as the obligation chooses them.
fn bound<'m>(model: &'m Model<'m>, leading: &[(Reg, Domain)], obligation: &Obligation) -> Writer<'m> {
    let mut writer = Writer::new(model);
    for ((reg, _), (_, value)) in leading.iter().zip(obligation.names.iter()) {
        writer.bind(*reg, number_of(model, obligation, *value));
    }
    writer
}

pub(super) fn number_of(model: &Model<'_>, obligation: &Obligation, value: AtomValue) -> i64 {
    match value {
        AtomValue::Number(number) => number,
        AtomValue::Tracked(k) => process_value(model.program, obligation.tracked[k]),
    }
}

/// The name of an instance's claim, and a comment that says which instance it is.
fn titles(
    model: &Model<'_>,
    property: &Property,
    obligation: &Obligation,
    instances: usize,
) -> (String, String) {
    let mut name = property.name.clone();
    if instances > 1 {
        for (_, value) in obligation.names.iter() {
            let number = number_of(model, obligation, *value);
            let sign = if number < 0 { "_minus" } else { "" };
            let _ = write!(name, "{sign}_{}", number.unsigned_abs());
        }
    }
    let words = obligation.instance(model.program);
    let comment = match (words.is_empty(), obligation.orbit) {
        (true, _) => String::new(),
        (false, 1) => format!("/* {}: {words} */\n", property.name),
        (false, orbit) => {
            format!("/* {}: {words}, for all {orbit} choices that symmetry makes alike */\n", property.name)
        }
    };
    (name, comment)
}

/// Spin's own formula. Where initial values are chosen first, it is about the computation from there on.
fn ltl(model: &Model<'_>, names: &mut Names, name: &str, formula: &str, comment: &str) -> Claim {
    let name = names.fresh(name);
    let formula =
        if model.starts { format!("(!ready) U (ready && ({formula}))") } else { formula.to_string() };
    Claim { text: format!("{comment}ltl {name} {{ {formula} }}\n\n"), name: Some(name), is_formula: true }
}

/// An invariant as an automaton that accepts where it is false.
fn never_reached(model: &Model<'_>, names: &mut Names, property: &Property, text: &str) -> Claim {
    let name = names.fresh(&property.name);
    let ready = if model.starts { "ready && " } else { "" };
    let (search, wrong) = (names.free("search"), names.free("accept_wrong"));
    let text = format!(
        "never {name} {{\n{search}:\n  do\n  :: true -> goto {search}\n  :: {ready}!({text}) -> goto {wrong}\n  od;\n\
         {wrong}:\n  do\n  :: true -> goto {wrong}\n  od\n}}\n\n"
    );
    Claim { name: Some(name), text, is_formula: false }
}

/// The formula as Spin writes it; none where it cannot: it has no `X`, no choice between values, and cannot ask which
/// process executes next.
fn said(writer: &mut Writer<'_>, id: FormulaId) -> Result<Option<String>, Unsayable> {
    let program = writer.model.program;
    let list = |writer: &mut Writer<'_>, parts: &[FormulaId], word: &str| {
        let mut texts = Vec::new();
        for &part in parts {
            let Some(text) = said(writer, part)? else { return Ok(None) };
            texts.push(format!("({text})"));
        }
        Ok(Some(texts.join(word)))
    };
    match &program.formulas[id].kind {
        FormulaKind::Atom(term) => {
            let written = writer.term(*term)?;
            if writer.chose.get() || !writer.asked.borrow().is_empty() {
                return Ok(None);
            }
            // A comparison is one proposition to Spin, and a conjunction would be several.
            let compound = written.level > Level::Comparison;
            Ok(Some(if compound { format!("({}) != 0", written.text) } else { written.text }))
        }
        FormulaKind::Not(a) => list(writer, &[*a], "").map(|text| text.map(|text| format!("!{text}"))),
        FormulaKind::And(parts) => list(writer, parts, " && "),
        FormulaKind::Or(parts) => list(writer, parts, " || "),
        FormulaKind::Implies(a, b) => list(writer, &[*a, *b], " -> "),
        FormulaKind::Iff(a, b) => list(writer, &[*a, *b], " <-> "),
        FormulaKind::Quantified(quantifier, reg, domain, body) => {
            let (low, size) = writer.model.bounds(*domain);
            let all = *quantifier == Quantifier::Forall;
            let mut texts = Vec::new();
            for value in low..low + size {
                writer.bind(*reg, value);
                let Some(text) = said(writer, *body)? else { return Ok(None) };
                texts.push(format!("({text})"));
            }
            if texts.is_empty() {
                return Ok(Some(if all { "true" } else { "false" }.into()));
            }
            Ok(Some(texts.join(if all { " && " } else { " || " })))
        }
        FormulaKind::Temporal(op @ (TemporalOp::Finally | TemporalOp::Globally), a) => {
            let sign = if *op == TemporalOp::Finally { "<>" } else { "[]" };
            list(writer, &[*a], "").map(|text| text.map(|text| format!("{sign} {text}")))
        }
        FormulaKind::TemporalBinary(op, a, b) => match op {
            TemporalBinaryOp::Until => list(writer, &[*a, *b], " U "),
            TemporalBinaryOp::Release => list(writer, &[*a, *b], " V "),
            TemporalBinaryOp::WeakUntil => list(writer, &[*a, *b], " W "),
            TemporalBinaryOp::StrongRelease => {
                let Some(both) = list(writer, &[*a, *b], " && ")? else { return Ok(None) };
                list(writer, &[*b], "").map(|text| text.map(|text| format!("{text} U ({both})")))
            }
        },
        FormulaKind::Temporal(TemporalOp::Next, _)
        | FormulaKind::Branching(..)
        | FormulaKind::BranchingBinary(..)
        | FormulaKind::Fixpoint(..)
        | FormulaKind::Variable(_) => Ok(None),
    }
}
