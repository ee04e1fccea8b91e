//! Expressions in TLA+.

use super::Module;
use crate::export::Unsayable;
use crate::program::{ArithmeticOp, Comparison, Direction, Domain, Reg, TermId, TermKind, Type, VarId};
use crate::syntax::ast::Quantifier;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Writes expressions with these names for the bound ones.
pub(super) struct Writer<'m> {
    pub module: &'m Module<'m>,
    pub bound: BTreeMap<Reg, String>,
}

impl Writer<'_> {
    /// The expression in TLA+.
    pub(super) fn term(&mut self, id: TermId) -> Result<String, Unsayable> {
        let program = self.module.program;
        let term = &program.terms[id];
        Ok(match &term.kind {
            TermKind::Const(value) => self.module.constant(term.ty, *value),
            TermKind::Bound(reg) => match self.bound.get(reg) {
                Some(name) => name.clone(),
                None => return Err(Unsayable::new(term.span, "this name has no value")),
            },
            TermKind::Shared(var, indices) => self.variable(*var, None, indices)?,
            TermKind::Local(var, process, indices) => self.variable(*var, Some(*process), indices)?,
            TermKind::Not(a) => format!("~{}", self.part(*a)?),
            TermKind::Neg(a) => format!("-{}", self.part(*a)?),
            TermKind::And(list) => self.joined(list, " /\\ ", "TRUE")?,
            TermKind::Or(list) => self.joined(list, " \\/ ", "FALSE")?,
            TermKind::Compare(op, a, b) => {
                let is_bool = program.terms[*a].ty == Type::Bool;
                let sign = match op {
                    Comparison::Eq if is_bool => "<=>",
                    Comparison::Eq => "=",
                    Comparison::Ne => "#",
                    Comparison::Lt => "<",
                    Comparison::Le => "<=",
                    Comparison::Gt => ">",
                    Comparison::Ge => ">=",
                };
                format!("{} {sign} {}", self.part(*a)?, self.part(*b)?)
            }
            TermKind::Arithmetic(op, a, b) => self.arithmetic(*op, *a, *b)?,
            TermKind::If(condition, yes, no) => {
                let (condition, yes, no) = (self.term(*condition)?, self.term(*yes)?, self.term(*no)?);
                format!("IF {condition} THEN {yes} ELSE {no}")
            }
            TermKind::Quantified(quantifier, reg, domain, body) => {
                self.quantified(*quantifier, *reg, *domain, *body)?
            }
            TermKind::Endless => return Err(crate::export::endless(term.span)),
            TermKind::ProcessAt(_, number) => self.term(*number)?,
            TermKind::IndexOf(process) => self.term(*process)?,
            TermKind::Neighbour(direction, process) => {
                let size = match program.terms[*process].ty {
                    Type::Process { family, .. } => program.families[family].size,
                    _ => 1,
                };
                let step = if *direction == Direction::Next { 1 } else { size.max(1) - 1 };
                format!("({} + {step}) % {size}", self.part(*process)?)
            }
            // A literal is one symbol, whichever enumeration it is in.
            TermKind::Recode(_, _, a) => self.term(*a)?,
            TermKind::Enabled(process) => match program.terms[*process].ty {
                Type::Process { family, .. } => {
                    format!("ENABLED {}", self.module.step_of(family, &self.term(*process)?))
                }
                _ => "FALSE".into(),
            },
            // TLC stops where it would have to choose from nothing.
            TermKind::Fault(_) => "CHOOSE fault \\in {} : TRUE".into(),
            TermKind::Executed(_) => {
                let words = "a formula of TLA+ cannot ask which process executes a step";
                return Err(Unsayable::new(term.span, words));
            }
        })
    }

    /// A term as an operand: in brackets, unless it holds together by itself.
    pub(super) fn part(&mut self, id: TermId) -> Result<String, Unsayable> {
        let mut inner = id;
        while let TermKind::Recode(_, _, a) | TermKind::IndexOf(a) | TermKind::ProcessAt(_, a) =
            self.module.program.terms[inner].kind
        {
            inner = a;
        }
        let term = &self.module.program.terms[inner];
        let simple = match &term.kind {
            TermKind::Const(value) => *value >= 0 || term.ty != Type::Int,
            TermKind::Bound(_)
            | TermKind::Shared(..)
            | TermKind::Local(..)
            | TermKind::Quantified(
                Quantifier::Count | Quantifier::Sum | Quantifier::Min | Quantifier::Max,
                ..,
            )
            | TermKind::Arithmetic(ArithmeticOp::Min | ArithmeticOp::Max, ..) => true,
            _ => false,
        };
        let text = self.term(id)?;
        Ok(if simple { text } else { format!("({text})") })
    }

    /// A variable with the process it belongs to and its indices, which are arguments of one function.
    fn variable(
        &mut self,
        var: VarId,
        process: Option<TermId>,
        indices: &[TermId],
    ) -> Result<String, Unsayable> {
        let place = self.place(var, process, indices)?;
        let name = &self.module.vars[var];
        Ok(if place.is_empty() { name.clone() } else { format!("{name}[{}]", place.join(", ")) })
    }

    /// The arguments at which a variable, a function, is read or changed; none where it is no function.
    pub(super) fn place(
        &mut self,
        var: VarId,
        process: Option<TermId>,
        indices: &[TermId],
    ) -> Result<Vec<String>, Unsayable> {
        let single = self.module.is_single(var);
        let mut place = Vec::new();
        for &term in process.iter().filter(|_| !single).chain(indices) {
            place.push(self.term(term)?);
        }
        Ok(place)
    }

    fn joined(&mut self, list: &[TermId], word: &str, empty: &str) -> Result<String, Unsayable> {
        let parts: Result<Vec<String>, Unsayable> = list.iter().map(|&term| self.part(term)).collect();
        let parts = parts?;
        Ok(if parts.is_empty() { empty.into() } else { parts.join(word) })
    }

    fn arithmetic(&mut self, op: ArithmeticOp, a: TermId, b: TermId) -> Result<String, Unsayable> {
        let positive = matches!(self.module.program.terms[b].kind, TermKind::Const(value) if value > 0);
        let (left, right) = (self.part(a)?, self.part(b)?);
        Ok(match op {
            ArithmeticOp::Add => format!("{left} + {right}"),
            ArithmeticOp::Sub => format!("{left} - {right}"),
            ArithmeticOp::Mul => format!("{left} * {right}"),
            // By a positive number, TLA+ divides as Euclid does.
            ArithmeticOp::Div if positive => format!("{left} \\div {right}"),
            ArithmeticOp::Rem if positive => format!("{left} % {right}"),
            ArithmeticOp::Div => format!("EuclidDiv({left}, {right})"),
            ArithmeticOp::Rem => format!("EuclidRem({left}, {right})"),
            ArithmeticOp::Min => format!("Least({{{left}, {right}}})"),
            ArithmeticOp::Max => format!("Greatest({{{left}, {right}}})"),
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        reg: Reg,
        domain: Domain,
        body: TermId,
    ) -> Result<String, Unsayable> {
        if quantifier == Quantifier::Count {
            return self.count(reg, domain, body);
        }
        let (name, set) = self.binder(reg, domain);
        let body = self.term(body)?;
        Ok(match quantifier {
            Quantifier::Forall => format!("\\A {name} \\in {set} : {body}"),
            Quantifier::Sum => format!("SumOf([{name} \\in {set} |-> {body}], {set})"),
            Quantifier::Min => format!("Least({{{body} : {name} \\in {set}}})"),
            Quantifier::Max => format!("Greatest({{{body} : {name} \\in {set}}})"),
            Quantifier::Exists | Quantifier::Count => format!("\\E {name} \\in {set} : {body}"),
        })
    }

    fn binder(&mut self, reg: Reg, domain: Domain) -> (String, String) {
        let name = self.module.bound_name(reg);
        self.bound.insert(reg, name.clone());
        (name, self.module.set(domain))
    }

    /// A count over several names is one inside the other: here it is the size of one set of tuples.
    fn count(&mut self, reg: Reg, domain: Domain, mut body: TermId) -> Result<String, Unsayable> {
        let (name, set) = self.binder(reg, domain);
        let (mut names, mut sets) = (alloc::vec![name], alloc::vec![set]);
        while let TermKind::Quantified(Quantifier::Count, reg, domain, inner) =
            self.module.program.terms[body].kind
        {
            let (name, set) = self.binder(reg, domain);
            names.push(name);
            sets.push(set);
            body = inner;
        }
        let element = match names.as_slice() {
            [name] => name.clone(),
            names => format!("<<{}>>", names.join(", ")),
        };
        let body = self.term(body)?;
        Ok(format!("Cardinality({{{element} \\in {} : {body}}})", sets.join(" \\X ")))
    }
}

impl Module<'_> {
    /// A value.
    pub(super) fn constant(&self, ty: Type, value: i64) -> String {
        match ty {
            Type::Bool => if value == 0 { "FALSE" } else { "TRUE" }.into(),
            Type::Enum(id) => {
                let literal = usize::try_from(value).ok().and_then(|at| self.program.enums[id].get(at));
                format!("\"{}\"", literal.map_or("", String::as_str))
            }
            Type::Process { .. } | Type::None if value < 0 => self.none.clone(),
            _ => value.to_string(),
        }
    }

    /// A domain as a set.
    pub(super) fn set(&self, domain: Domain) -> String {
        match domain {
            Domain::Family(family) => self.families[family].clone(),
            Domain::Range(low, high) => format!("({}..{})", super::number(low), super::number(high)),
        }
    }
}
