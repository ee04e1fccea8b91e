//! Expressions in Promela. It has no quantifiers: they are written out, element by element.

use super::Model;
use crate::export::Unsayable;
use crate::limits::MAX_EXPORT;
use crate::program::{
    ArithmeticOp, Comparison, Direction, Domain, EnumId, FamilyId, Program, Reg, TermId, TermKind, Type,
    VarId,
};
use crate::syntax::ast::Quantifier;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

/// Promela's number for the empty process id: there are at most 255 processes, numbered from 0.
pub(super) const NONE: i64 = 255;

/// How strongly an expression holds together; the order is that of C, which Promela has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    Atom,
    Product,
    Sum,
    Comparison,
    And,
    Or,
}

/// A written expression and what is known of its value.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub text: String,
    pub level: Level,
    /// Its value, where it is fixed; of a literal, its number among all literals.
    pub value: Option<i64>,
    /// The lowest and highest value it can have.
    pub low: i64,
    pub high: i64,
    /// Whether it may be `none`.
    pub maybe_none: bool,
}

impl Expr {
    pub(super) fn number(value: i64) -> Expr {
        let text = if value < 0 { format!("({value})") } else { value.to_string() };
        Expr { text, level: Level::Atom, value: Some(value), low: value, high: value, maybe_none: false }
    }

    fn truth(value: bool) -> Expr {
        let text = if value { "true" } else { "false" };
        Expr { text: text.into(), ..Expr::number(value.into()) }
    }

    pub(super) fn within(text: String, level: Level, low: i64, high: i64) -> Expr {
        Expr { text, level, value: None, low, high, maybe_none: false }
    }

    fn bool(text: String, level: Level) -> Expr {
        Expr::within(text, level, 0, 1)
    }

    /// The text as an operand that must hold together at least this strongly.
    pub(super) fn at(&self, level: Level) -> String {
        if self.level <= level { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// The value or the text that a bound name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Value(i64),
    /// A name of the Promela text, with the highest value it can have.
    Name(String, i64),
}

/// Writes the expressions of one action or claim.
pub(super) struct Writer<'m> {
    pub model: &'m Model<'m>,
    pub bound: BTreeMap<Reg, Meaning>,
    /// Which processes execute, as far as that is fixed; whoever is asked about and not in it is in `asked`.
    pub executes: BTreeMap<u32, bool>,
    pub asked: RefCell<BTreeSet<u32>>,
    /// Whether a choice between values was written, which Spin's formulas do not have.
    pub chose: Cell<bool>,
}

impl<'m> Writer<'m> {
    pub(super) fn new(model: &'m Model<'m>) -> Writer<'m> {
        Writer {
            model,
            bound: BTreeMap::new(),
            executes: BTreeMap::new(),
            asked: RefCell::new(BTreeSet::new()),
            chose: Cell::new(false),
        }
    }

    fn program(&self) -> &'m Program {
        self.model.program
    }

    pub(super) fn bind(&mut self, reg: Reg, value: i64) {
        self.bound.insert(reg, Meaning::Value(value));
    }

    /// The expression in Promela.
    pub(super) fn term(&mut self, id: TermId) -> Result<Expr, Unsayable> {
        let term = &self.program().terms[id];
        let written = match &term.kind {
            TermKind::Const(value) => self.constant(term.ty, *value),
            TermKind::Bound(reg) => match self.bound.get(reg) {
                Some(Meaning::Value(value)) => self.constant(term.ty, *value),
                Some(Meaning::Name(name, high)) => Expr::within(name.clone(), Level::Atom, 0, *high),
                None => return Err(Unsayable::new(term.span, "this name has no value")),
            },
            TermKind::Shared(var, indices) => self.variable(*var, None, indices)?,
            TermKind::Local(var, process, indices) => self.variable(*var, Some(*process), indices)?,
            TermKind::Not(a) => not(&self.term(*a)?),
            TermKind::Neg(a) => {
                let a = self.term(*a)?;
                difference(&Expr::number(0), &a)
            }
            TermKind::And(list) => self.joined(list, true)?,
            TermKind::Or(list) => self.joined(list, false)?,
            TermKind::Compare(op, a, b) => {
                let (a, b) = (self.term(*a)?, self.term(*b)?);
                compare(*op, &a, &b)
            }
            TermKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.term(*a)?, self.term(*b)?);
                match op {
                    ArithmeticOp::Min => self.best(&[a, b], Comparison::Le)?,
                    ArithmeticOp::Max => self.best(&[a, b], Comparison::Ge)?,
                    _ => arithmetic(*op, &a, &b),
                }
            }
            TermKind::If(condition, yes, no) => {
                let (condition, yes, no) = (self.term(*condition)?, self.term(*yes)?, self.term(*no)?);
                self.choice(&condition, yes, no, term.ty == Type::Bool)
            }
            TermKind::Quantified(quantifier, reg, domain, body) => {
                self.quantified(*quantifier, *reg, *domain, *body)?
            }
            TermKind::ProcessAt(_, number) => self.term(*number)?,
            TermKind::IndexOf(process) => Expr { maybe_none: false, ..self.term(*process)? },
            TermKind::Neighbour(direction, process) => {
                let size = self.family_size(*process);
                let step = if *direction == Direction::Next { 1 } else { size - 1 };
                let process = self.term(*process)?;
                arithmetic(ArithmeticOp::Rem, &sum(&process, &Expr::number(step)), &Expr::number(size))
            }
            // A literal is one symbol, whichever enumeration it is in.
            TermKind::Recode(_, _, a) => self.term(*a)?,
            TermKind::Endless => return Err(crate::export::endless(term.span)),
            TermKind::Enabled(process) => {
                let family = self.family(*process);
                let process = self.term(*process)?;
                self.model.enabled_of.borrow_mut().insert(family);
                // The body of the macro is treated as if it were written here.
                let program = self.model.program;
                let chooses = |kind: &TermKind| {
                    matches!(
                        kind,
                        TermKind::If(..)
                            | TermKind::Arithmetic(ArithmeticOp::Min | ArithmeticOp::Max, ..)
                            | TermKind::Quantified(Quantifier::Min | Quantifier::Max, ..)
                    )
                };
                let mut guards = program.families[family].actions.iter().map(|&id| program.actions[id].guard);
                if guards.any(|guard| program.mentions(guard, &chooses)) {
                    self.chose.set(true);
                }
                let name = &self.model.enabled_names[family];
                let text = if self.model.is_flat(family) {
                    name.clone()
                } else {
                    format!("{name}({})", process.text)
                };
                Expr::bool(text, Level::Atom)
            }
            // Faults are not part of the translation: what is written here is never evaluated where there is none.
            TermKind::Fault(_) => match term.ty {
                Type::Enum(_) | Type::Bool => self.constant(term.ty, 0),
                Type::Process { .. } => self.constant(term.ty, -1),
                _ => Expr::number(0),
            },
            TermKind::Executed(process) => {
                let family = self.family(*process);
                let written = self.term(*process)?;
                let Some(number) = written.value.and_then(|value| u32::try_from(value).ok()) else {
                    let words =
                        "Spin knows which process executed, but not whether it is one that a variable holds";
                    return Err(Unsayable::new(term.span, words));
                };
                let process = self.program().process(family, number).0;
                self.asked.borrow_mut().insert(process);
                match self.executes.get(&process) {
                    Some(&executes) => Expr::truth(executes),
                    // Not fixed, so that nothing is left out that asks about others too.
                    None => Expr::bool("false".into(), Level::Atom),
                }
            }
        };
        self.model.spend(written.text.len())?;
        Ok(written)
    }

    fn family(&self, process: TermId) -> FamilyId {
        match self.program().terms[process].ty {
            Type::Process { family, .. } => family,
            _ => FamilyId(0),
        }
    }

    fn family_size(&self, process: TermId) -> i64 {
        self.program().families[self.family(process)].size.into()
    }

    pub(super) fn constant(&self, ty: Type, value: i64) -> Expr {
        match ty {
            Type::Bool => Expr::truth(value != 0),
            Type::Enum(id) => self.literal(id, value),
            Type::Process { .. } | Type::None if value < 0 => {
                Expr { text: "none".into(), maybe_none: true, ..Expr::number(NONE) }
            }
            _ => Expr::number(value),
        }
    }

    fn literal(&self, id: EnumId, position: i64) -> Expr {
        let literal = &self.program().enums[id][usize::try_from(position).unwrap_or(0)];
        let (number, name) = &self.model.literals[literal];
        Expr { text: name.clone(), ..Expr::number(*number) }
    }

    /// A variable with the process it belongs to and its indices.
    pub(super) fn variable(
        &mut self,
        var: VarId,
        process: Option<TermId>,
        indices: &[TermId],
    ) -> Result<Expr, Unsayable> {
        let declared = &self.program().vars[var];
        let place = self.place(var, process, indices)?;
        let text = match &place {
            Some(index) => format!("{}[{}]", self.model.vars[var], index.text),
            None => self.model.vars[var].clone(),
        };
        let (low, high, maybe_none) = match declared.ty.ty {
            Type::Process { family, optional } => {
                (0, i64::from(self.program().families[family].size) - 1, optional)
            }
            Type::Bool => (0, 1, false),
            Type::Int => (declared.ty.low.into(), declared.ty.high(), false),
            _ => (0, NONE, false),
        };
        Ok(Expr { text, level: Level::Atom, value: None, low, high, maybe_none })
    }

    /// Where an entry lies in its array: Promela's arrays have one index. None where the variable is no array.
    pub(super) fn place(
        &mut self,
        var: VarId,
        process: Option<TermId>,
        indices: &[TermId],
    ) -> Result<Option<Expr>, Unsayable> {
        let declared = &self.program().vars[var];
        let mut place = match process {
            Some(process) if !declared.owner.is_some_and(|family| self.model.is_flat(family)) => {
                Some(self.term(process)?)
            }
            _ => None,
        };
        for (domain, index) in declared.index.clone().into_iter().zip(indices) {
            let (low, size) = self.model.bounds(domain);
            let index = difference(&self.term(*index)?, &Expr::number(low));
            place = Some(match place {
                Some(before) => {
                    let row = arithmetic(ArithmeticOp::Mul, &before, &Expr::number(size));
                    sum(&row, &index)
                }
                None => index,
            });
        }
        Ok(place)
    }

    fn joined(&mut self, list: &[TermId], all: bool) -> Result<Expr, Unsayable> {
        let mut parts = Vec::new();
        for &term in list {
            let part = self.term(term)?;
            let decides = part.value == Some(i64::from(!all));
            parts.push(part);
            if decides {
                break;
            }
        }
        Ok(join(parts, all))
    }

    fn choice(&self, condition: &Expr, yes: Expr, no: Expr, is_bool: bool) -> Expr {
        match condition.value {
            Some(0) => return no,
            Some(_) => return yes,
            None => {}
        }
        if is_bool {
            let otherwise = join(alloc::vec![not(condition), no], true);
            return join(alloc::vec![join(alloc::vec![condition.clone(), yes], true), otherwise], false);
        }
        self.chose.set(true);
        let text = format!("({} -> {} : {})", condition.text, yes.text, no.text);
        Expr {
            text,
            level: Level::Atom,
            value: None,
            low: yes.low.min(no.low),
            high: yes.high.max(no.high),
            maybe_none: yes.maybe_none || no.maybe_none,
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        reg: Reg,
        domain: Domain,
        body: TermId,
    ) -> Result<Expr, Unsayable> {
        let (low, size) = self.model.bounds(domain);
        let mut parts = Vec::new();
        for value in low..low + size {
            self.bind(reg, value);
            let part = self.term(body)?;
            let decides = match quantifier {
                Quantifier::Forall => part.value == Some(0),
                Quantifier::Exists => part.value == Some(1),
                _ => false,
            };
            parts.push(part);
            if decides {
                break;
            }
        }
        Ok(match quantifier {
            Quantifier::Forall => join(parts, true),
            Quantifier::Exists => join(parts, false),
            Quantifier::Count | Quantifier::Sum => tally(&parts),
            Quantifier::Min | Quantifier::Max if parts.is_empty() => {
                let words = "the smallest or the largest of no values cannot be said in Promela";
                return Err(Unsayable::new(self.program().terms[body].span, words));
            }
            Quantifier::Min => self.best(&parts, Comparison::Le)?,
            Quantifier::Max => self.best(&parts, Comparison::Ge)?,
        })
    }

    /// The first of these in an order. Each half is written out twice, so that the text grows with the square of their number.
    fn best(&self, parts: &[Expr], order: Comparison) -> Result<Expr, Unsayable> {
        if let [only] = parts {
            return Ok(only.clone());
        }
        let (a, b) = parts.split_at(parts.len() / 2);
        let (a, b) = (self.best(a, order)?, self.best(b, order)?);
        let chosen = self.choice(&compare(order, &a, &b), a, b, false);
        self.model.spend(chosen.text.len())?;
        Ok(chosen)
    }
}

impl Model<'_> {
    /// The lowest element of a domain and how many there are.
    pub(super) fn bounds(&self, domain: Domain) -> (i64, i64) {
        match domain {
            Domain::Family(family) => (0, self.program.families[family].size.into()),
            Domain::Range(low, high) => (low, (high - low + 1).max(0)),
        }
    }

    /// Counts what is written: written out, quantifiers can be as large as they like.
    pub(super) fn spend(&self, characters: usize) -> Result<(), Unsayable> {
        let spent = self.spent.get() + characters + 1;
        self.spent.set(spent);
        if spent > 4 * MAX_EXPORT {
            return Err(too_large());
        }
        Ok(())
    }
}

/// That the written-out text is too large.
pub(super) fn too_large() -> Unsayable {
    let words = format!(
        "Promela has no quantifiers and no parameters of actions; written out, the model takes more than {} MiB: \
         choose smaller parameters",
        MAX_EXPORT >> 20
    );
    Unsayable::too_large(crate::text::Span::default(), words)
}

pub(super) fn not(a: &Expr) -> Expr {
    match a.value {
        Some(value) => Expr::truth(value == 0),
        None => match a.text.strip_prefix('!') {
            Some(inner) if a.level == Level::Atom => Expr::bool(inner.into(), Level::Atom),
            _ => Expr::bool(format!("!{}", a.at(Level::Atom)), Level::Atom),
        },
    }
}

/// A conjunction (`all`) or a disjunction; fixed parts that decide nothing are left out.
pub(super) fn join(parts: Vec<Expr>, all: bool) -> Expr {
    let mut kept: Vec<Expr> = parts.into_iter().filter(|p| p.value != Some(i64::from(all))).collect();
    match kept.len() {
        0 => Expr::truth(all),
        1 => kept.remove(0),
        _ => {
            let (word, level) = if all { (" && ", Level::And) } else { (" || ", Level::Or) };
            let texts: Vec<String> = kept.iter().map(|part| part.at(Level::Comparison)).collect();
            Expr::bool(texts.join(word), level)
        }
    }
}

/// How many hold of several conditions; or, where a count has several names, the sum of the inner counts.
fn tally(parts: &[Expr]) -> Expr {
    let certain = parts.iter().filter_map(|part| part.value).fold(0, i64::saturating_add);
    let open: Vec<&Expr> = parts.iter().filter(|part| part.value.is_none()).collect();
    if open.is_empty() {
        return Expr::number(certain);
    }
    let bound = |of: fn(&Expr) -> i64| open.iter().map(|part| of(part)).fold(certain, i64::saturating_add);
    let (low, high) = (bound(|part| part.low), bound(|part| part.high));
    let mut texts: Vec<String> = open.iter().map(|part| part.at(Level::Atom)).collect();
    if certain != 0 {
        texts.push(certain.to_string());
    }
    let level = if texts.len() == 1 { Level::Atom } else { Level::Sum };
    Expr::within(texts.join(" + "), level, low, high)
}

pub(super) fn compare(op: Comparison, a: &Expr, b: &Expr) -> Expr {
    if let (Some(a), Some(b)) = (a.value, b.value) {
        return Expr::truth(op.holds(a, b));
    }
    let sign = op.sign();
    Expr::bool(format!("{} {sign} {}", a.at(Level::Sum), b.at(Level::Sum)), Level::Comparison)
}

pub(super) fn sum(a: &Expr, b: &Expr) -> Expr {
    arithmetic(ArithmeticOp::Add, a, b)
}

fn difference(a: &Expr, b: &Expr) -> Expr {
    arithmetic(ArithmeticOp::Sub, a, b)
}

fn arithmetic(op: ArithmeticOp, a: &Expr, b: &Expr) -> Expr {
    if let (Some(x), Some(y)) = (a.value, b.value)
        && let Some(value) = match op {
            ArithmeticOp::Add => x.checked_add(y),
            ArithmeticOp::Sub => x.checked_sub(y),
            ArithmeticOp::Mul => x.checked_mul(y),
            ArithmeticOp::Div => x.checked_div_euclid(y),
            ArithmeticOp::Rem => x.checked_rem_euclid(y),
            ArithmeticOp::Min => Some(x.min(y)),
            ArithmeticOp::Max => Some(x.max(y)),
        }
    {
        return Expr::number(value);
    }
    let binary = |sign: &str, level: Level, right: Level, low: i64, high: i64| {
        Expr::within(format!("{} {sign} {}", a.at(level), b.at(right)), level, low, high)
    };
    match op {
        ArithmeticOp::Add | ArithmeticOp::Sub if b.value == Some(0) => a.clone(),
        ArithmeticOp::Add if a.value == Some(0) => b.clone(),
        ArithmeticOp::Add => binary(
            "+",
            Level::Sum,
            Level::Product,
            a.low.saturating_add(b.low),
            a.high.saturating_add(b.high),
        ),
        ArithmeticOp::Sub => {
            let (low, high) = (a.low.saturating_sub(b.high), a.high.saturating_sub(b.low));
            binary("-", Level::Sum, Level::Product, low, high)
        }
        ArithmeticOp::Mul if b.value == Some(1) => a.clone(),
        ArithmeticOp::Mul => {
            let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
            let corners = corners.map(|(x, y)| x.saturating_mul(y));
            let low = corners.into_iter().min().unwrap_or(i64::MIN);
            let high = corners.into_iter().max().unwrap_or(i64::MAX);
            binary("*", Level::Product, Level::Atom, low, high)
        }
        // Where nothing is negative, C's operators are Euclid's.
        ArithmeticOp::Div if a.low >= 0 && b.low >= 0 => binary("/", Level::Product, Level::Atom, 0, a.high),
        ArithmeticOp::Rem if a.low >= 0 && b.low >= 0 => {
            binary("%", Level::Product, Level::Atom, 0, a.high.min(b.high.saturating_sub(1)).max(0))
        }
        ArithmeticOp::Div => {
            let most = a.low.saturating_abs().max(a.high.saturating_abs()).saturating_add(1);
            Expr::within(format!("euclid_div({}, {})", a.text, b.text), Level::Atom, -most, most)
        }
        ArithmeticOp::Min | ArithmeticOp::Max => unreachable!("a choice between two values"),
        ArithmeticOp::Rem => {
            let most = b.low.saturating_abs().max(b.high.saturating_abs()).saturating_sub(1);
            Expr::within(format!("euclid_rem({}, {})", a.text, b.text), Level::Atom, 0, most)
        }
    }
}
