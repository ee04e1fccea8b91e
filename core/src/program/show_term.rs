//! Expressions as a model writes them, with the definitions written out and bound names given values.

use super::term::{ArithmeticOp, Direction, Domain, Reg, TermId, TermKind};
use super::types::{FamilyId, Type};
use super::{Program, VarId};
use crate::syntax::ast::Quantifier;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Program {
    /// An expression as text that reads as the same expression; `bound` says what stands for the names that are bound
    /// outside of it.
    pub fn show_term(&self, term: TermId, bound: impl Fn(Reg) -> Option<String>) -> String {
        Printer { program: self, bound: &bound, prefix: self.prefix() }.term(term)
    }

    /// The name that [`show_term`](Self::show_term) gives to what is bound inside of a term.
    pub(crate) fn show_bound(&self, reg: Reg) -> String {
        format!("{}{}", self.prefix(), reg.0)
    }

    /// How bound names begin: they must not hide a name of the model.
    fn prefix(&self) -> String {
        let mut prefix = String::from("x");
        while self.names().any(|name| name.starts_with(&prefix)) {
            prefix.push('_');
        }
        prefix
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        let vars = self.vars.iter().map(|var| &var.name);
        let families = self.families.iter().map(|family| &family.name);
        let literals = self.enums.iter().flatten();
        vars.chain(families).chain(literals).chain(self.params.iter().map(|param| &param.name))
    }
}

struct Printer<'a> {
    program: &'a Program,
    bound: &'a dyn Fn(Reg) -> Option<String>,
    prefix: String,
}

impl Printer<'_> {
    fn term(&self, id: TermId) -> String {
        let term = &self.program.terms[id];
        match &term.kind {
            TermKind::Const(value) => self.program.show_value(term.ty, *value).to_string(),
            TermKind::Bound(reg) => self.name(*reg),
            TermKind::Endless => "endless".into(),
            TermKind::Shared(var, indices) => {
                format!("{}{}", self.program.vars[*var].name, self.indices(indices))
            }
            TermKind::Local(var, process, indices) => self.local(*var, *process, indices),
            TermKind::Not(a) => format!("not {}", self.part(*a)),
            TermKind::Neg(a) => format!("-{}", self.part(*a)),
            TermKind::And(list) => self.joined(list, " and ", "true"),
            TermKind::Or(list) => self.joined(list, " or ", "false"),
            TermKind::Compare(op, a, b) => self.binary(op.sign(), *a, *b),
            TermKind::Arithmetic(op @ (ArithmeticOp::Min | ArithmeticOp::Max), a, b) => {
                if self.program.terms[*b].kind == TermKind::Neg(*a) {
                    return format!("abs({})", self.term(*a));
                }
                format!("{}({}, {})", arithmetic(*op), self.term(*a), self.term(*b))
            }
            TermKind::Arithmetic(op, a, b) => self.binary(arithmetic(*op), *a, *b),
            TermKind::If(a, b, c) => {
                format!("if {} then {} else {}", self.part(*a), self.part(*b), self.part(*c))
            }
            TermKind::Quantified(quantifier, ..) if quantifier.is_number() => self.tallied(*quantifier, id),
            TermKind::Quantified(quantifier, reg, domain, body) => {
                let word = quantifier.text();
                format!("{word} {} in {}: {}", self.name(*reg), self.domain(*domain), self.term(*body))
            }
            TermKind::ProcessAt(family, number) => {
                format!("{}[{}]", self.program.families[*family].name, self.term(*number))
            }
            TermKind::IndexOf(a) => format!("index({})", self.term(*a)),
            TermKind::Neighbour(Direction::Next, a) => format!("next({})", self.term(*a)),
            TermKind::Neighbour(Direction::Prev, a) => format!("prev({})", self.term(*a)),
            TermKind::Recode(_, _, a) => self.term(*a),
            TermKind::Enabled(a) => format!("enabled({})", self.term(*a)),
            TermKind::Executed(a) => format!("executed({})", self.term(*a)),
            TermKind::Fault(_) => "a fault".into(),
        }
    }

    /// A term as an operand: in brackets, unless it holds together by itself.
    fn part(&self, id: TermId) -> String {
        let mut id = id;
        while let TermKind::Recode(_, _, inner) = self.program.terms[id].kind {
            id = inner;
        }
        let compound = match &self.program.terms[id].kind {
            TermKind::Const(value) => self.program.terms[id].ty == Type::Int && *value < 0,
            TermKind::Not(_)
            | TermKind::Neg(_)
            | TermKind::And(_)
            | TermKind::Or(_)
            | TermKind::Compare(..)
            | TermKind::If(..) => true,
            TermKind::Arithmetic(op, ..) => !matches!(op, ArithmeticOp::Min | ArithmeticOp::Max),
            TermKind::Quantified(quantifier, ..) => !quantifier.is_number(),
            _ => false,
        };
        if compound { format!("({})", self.term(id)) } else { self.term(id) }
    }

    fn binary(&self, op: &str, a: TermId, b: TermId) -> String {
        format!("{} {op} {}", self.part(a), self.part(b))
    }

    fn joined(&self, list: &[TermId], word: &str, empty: &str) -> String {
        let parts: Vec<String> = list.iter().map(|&term| self.part(term)).collect();
        if parts.is_empty() { empty.into() } else { parts.join(word) }
    }

    /// Nested counts are one count over several names, and so are sums.
    fn tallied(&self, quantifier: Quantifier, id: TermId) -> String {
        let mut binders: Vec<String> = Vec::new();
        let mut body = id;
        while let TermKind::Quantified(inside, reg, domain, inner) = self.program.terms[body].kind
            && inside == quantifier
        {
            binders.push(format!("{} in {}", self.name(reg), self.domain(domain)));
            body = inner;
        }
        format!("{}({}: {})", quantifier.text(), binders.join(", "), self.term(body))
    }

    fn local(&self, var: VarId, process: TermId, indices: &[TermId]) -> String {
        format!("{}.{}{}", self.part(process), self.program.vars[var].name, self.indices(indices))
    }

    fn indices(&self, list: &[TermId]) -> String {
        if list.is_empty() {
            return String::new();
        }
        let parts: Vec<String> = list.iter().map(|&term| self.term(term)).collect();
        format!("[{}]", parts.join(", "))
    }

    fn name(&self, reg: Reg) -> String {
        (self.bound)(reg).unwrap_or_else(|| format!("{}{}", self.prefix, reg.0))
    }

    fn domain(&self, domain: Domain) -> String {
        let family = |id: FamilyId| self.program.families[id].name.clone();
        match domain {
            Domain::Family(id) => family(id),
            Domain::Range(low, high) => format!("{low}..{high}"),
        }
    }
}

fn arithmetic(op: ArithmeticOp) -> &'static str {
    match op {
        ArithmeticOp::Add => "+",
        ArithmeticOp::Sub => "-",
        ArithmeticOp::Mul => "*",
        ArithmeticOp::Div => "/",
        ArithmeticOp::Rem => "%",
        ArithmeticOp::Min => "min",
        ArithmeticOp::Max => "max",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{FormulaKind, PropertyKind, Settings, build};
    use crate::syntax::parse;
    use alloc::vec;

    const MODEL: &str = "param n = 3 shared x: 0..3 = 0 shared link[p, p]: bool = false
        define free(q) = q.st == idle and not link[q, p[0]]
        process s { var on: bool = false action go: not on -> on := true }
        process p[n] ring { var st: {idle, busy} = idle var peer: p? = none
          action go: st == idle -> st := busy }
        ";

    fn shown(text: &str) -> String {
        let parsed = parse(&format!("{MODEL}ltl a: {text}"));
        assert_eq!(parsed.diagnostics, vec![], "{text}");
        let program = build(&parsed.file, &Settings::default()).unwrap_or_else(|d| panic!("{text}: {d:?}"));
        let property = &program.properties[program.property("a").unwrap()];
        let PropertyKind::Formula(_, formula) = property.kind else { panic!("a formula") };
        let FormulaKind::Atom(term) = program.formulas[formula].kind else { panic!("an atom") };
        program.show_term(term, |_| None)
    }

    /// A printed expression reads as one that prints the same.
    #[test]
    fn printing_and_reading_again_changes_nothing() {
        for (text, expected) in [
            ("p[0].st == busy", "p[0].st == busy"),
            ("s.on => x + 1 > 2 * (x - 3)", "(not s.on) or ((x + 1) > (2 * (x - 3)))"),
            ("free(p[1])", "(p[1].st == idle) and (not link[p[1], p[0]])"),
            ("exists q in p: q.peer == none", "exists x_0 in p: x_0.peer == none"),
            ("count(a in p, b in p: link[a, b]) <= 1", "count(x_0 in p, x_1 in p: link[x_0, x_1]) <= 1"),
            ("next(p[0]).st == idle", ""),
            ("forall q in p: index(q) > 0 or next(q).st != prev(q).st", ""),
            ("forall q in p: enabled(q) or executed(q) or p[x].st == idle", ""),
            ("(if s.on then x else -1) == -1", ""),
            ("forall i in 0..2: p[i].st == idle", ""),
            ("abs(x - 2) == max(x, 1, 2)", "abs(x - 2) == max(max(x, 1), 2)"),
            ("sum(q in p, i in 0..1: x * i) > min(q in p: x)", ""),
        ] {
            let once = shown(text);
            assert!(expected.is_empty() || once == expected, "{text}: {once}");
            assert_eq!(shown(&once), once, "{text}");
        }
    }
}
