//! Expressions that somebody types beside the model, in the model's own words: conditions to walk to, and values to watch.

use super::model::{CheckedModel, Question};
use orbitscope_core::program::{
    Flat, FormulaKind, Predicate, Program, PropertyKind, Reg, Scratch, TermId, TermKind,
};
use orbitscope_core::syntax::ast::Logic;
use serde::{Deserialize, Serialize};

/// The name of the property by which an expression is added to a text.
const NAME: &str = "typed_beside_the_model";
/// The name that is compared with a number to find out which one it is.
const NUMBER: &str = "typed_number";
/// Numbers are told up to here.
const MOST: i64 = 1_000_000;

/// A condition on states, in the words of the model.
pub(super) struct Condition {
    predicate: Predicate,
}

impl Condition {
    pub(super) fn new(question: &Question, program: &Program, words: &str) -> Result<Condition, String> {
        let (asked, term, regs) = added(question, program, ["", words, ""])?;
        Ok(Condition { predicate: Predicate::new(&asked, term, regs) })
    }

    pub(super) fn holds(&self, values: &[i32]) -> Result<bool, String> {
        judge(&self.predicate, values)
            .map_err(|why| format!("The condition cannot be told in a state on the way: {why}"))
    }
}

/// The model with an expression added to it as an invariant, the expression, and how many registers it uses. The one in the
/// middle of `words` was typed by somebody.
fn added(
    question: &Question,
    program: &Program,
    [before, words, after]: [&str; 3],
) -> Result<(Program, TermId, u32), String> {
    // A person types one expression: its end is the end of the line.
    if words.trim().is_empty() || words.contains('\n') {
        return Err("The expression is to be one line.".into());
    }
    let before = format!("{}\ninvariant {NAME}: {before}", question.source);
    let source = format!("{before}{words}{after}\n").into();
    let asked = CheckedModel::build(&Question { source, ..question.clone() }).map_err(|found| {
        let Some(found) = found.first() else { return String::new() };
        let at = (found.span.start as usize).saturating_sub(before.len());
        let column = words.get(..at).unwrap_or(words).chars().count() + 1;
        format!("The expression has an error at character {column}: {}", found.message)
    })?;
    // The asserts of blocks come behind it.
    let found = asked.properties.iter().find(|property| property.name == NAME);
    let same = asked.layout.slots == program.layout.slots
        && asked.actions.len() == program.actions.len()
        && asked.properties.len() == program.properties.len() + 1;
    let (Some(found), true) = (found, same) else {
        return Err("One expression is wanted, and nothing after it.".into());
    };
    let PropertyKind::Formula(Logic::Invariant, formula) = found.kind else {
        return Err("One expression is wanted, and nothing after it.".into());
    };
    let FormulaKind::Atom(term) = asked.formulas[formula].kind else {
        return Err("The expression is to speak of one state.".into());
    };
    let regs = found.regs;
    Ok((asked, term, regs))
}

/// Whether a predicate holds in a state.
pub(super) fn judge(predicate: &Predicate, values: &[i32]) -> Result<bool, String> {
    predicate.holds(&Flat::new(values), &mut Scratch::default(), &[]).map_err(|fault| fault.kind.to_string())
}

/// The value of something that is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Watched {
    /// A condition, and whether it holds.
    Truth(bool),
    /// A number.
    Number(i64),
    /// It has an error in this state.
    Wrong,
}

/// Something to watch: a condition, or a number.
pub(super) enum Watch {
    Truth(Predicate),
    /// Holds with numbers up to the value in its register.
    Number(Predicate, Reg),
}

impl Watch {
    pub(super) fn new(question: &Question, program: &Program, words: &str) -> Result<Watch, String> {
        let truth = match added(question, program, ["", words, ""]) {
            Ok((asked, term, regs)) => return Ok(Watch::Truth(Predicate::new(&asked, term, regs))),
            Err(why) => why,
        };
        let before = format!("exists {NUMBER} in {}..{MOST}: {NUMBER} <= (", -MOST);
        let Ok((asked, term, regs)) = added(question, program, [&before, words, ")"]) else {
            return Err(truth);
        };
        let TermKind::Quantified(_, reg, _, body) = asked.terms[term].kind else { return Err(truth) };
        Ok(Watch::Number(Predicate::new(&asked, body, regs), reg))
    }

    /// Its value in a state.
    pub(super) fn at(&self, values: &[i32]) -> Watched {
        match self {
            Watch::Truth(predicate) => judge(predicate, values).map_or(Watched::Wrong, Watched::Truth),
            Watch::Number(predicate, reg) => {
                let mut scratch = Scratch::default();
                let mut reaches =
                    |number: i64| predicate.holds_with(&Flat::new(values), &mut scratch, &[(*reg, number)]);
                // It lies from `low` to before `high`.
                let (mut low, mut high) = (-MOST, MOST + 1);
                if !matches!(reaches(low), Ok(true)) {
                    return Watched::Wrong;
                }
                while high - low > 1 {
                    let middle = low + (high - low) / 2;
                    match reaches(middle) {
                        Ok(true) => low = middle,
                        Ok(false) => high = middle,
                        Err(_) => return Watched::Wrong,
                    }
                }
                Watched::Number(low)
            }
        }
    }
}
