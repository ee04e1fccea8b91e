//! Statements, executed on paper one after the other.

use super::super::term::{Comparison, Domain, TermId, TermKind};
use super::super::types::Type;
use super::super::{Action, Assignment, Property, PropertyKind};
use super::Builder;
use super::effect::Extent;
use super::names::Binding;
use super::paper::{Arm, Claim};
use super::value::Value;
use crate::limits::MAX_ROUNDS;
use crate::syntax::ast::{Block, ExprId, ExprKind, Logic, Quantifier, Statement, StatementKind};
use crate::text::{Diagnostic, Span};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    /// The asserts of an action: wherever its step is enabled and comes to the statement, the condition holds. One statement that
    /// several steps come to is one property.
    pub(super) fn claims(&mut self, action: &Action, claims: Vec<Claim>) {
        for claim in claims {
            let mut parts = Vec::new();
            parts.push(self.copy(action.guard, claim.span));
            parts.extend(claim.path.iter().map(|arm| arm.condition));
            let reached = self.junction(true, parts, claim.span);
            let not_reached = self.not(reached, claim.span);
            let mut term = self.junction(false, alloc::vec![not_reached, claim.condition], claim.span);
            let own = super::super::Domain::Family(action.family);
            let params = action.params.iter().map(|param| param.domain);
            let regs = (0..).map(super::Reg).zip([own].into_iter().chain(params));
            for (reg, domain) in regs.chain(claim.over).collect::<Vec<_>>().into_iter().rev() {
                let kind = TermKind::Quantified(Quantifier::Forall, reg, domain, term);
                term = self.term(kind, Type::Bool, claim.span);
            }
            let params = action.params.iter().map(|param| param.name.clone());
            let mut names: Vec<String> = [String::from("self")].into_iter().chain(params).collect();
            names.extend((names.len()..action.regs as usize).map(|reg| format!("x{reg}")));
            self.asserts.push(Assert {
                action: action.name.clone(),
                span: claim.span,
                term,
                regs: action.regs,
                names,
            });
        }
    }

    /// Enters the asserts behind the properties of the text.
    pub(super) fn assert_properties(&mut self) {
        let mut merged: Vec<Assert> = Vec::new();
        for assert in core::mem::take(&mut self.asserts) {
            match merged.iter_mut().find(|known| known.span == assert.span && known.action == assert.action) {
                Some(known) => {
                    known.term = self.junction(true, alloc::vec![known.term, assert.term], assert.span);
                    if assert.regs > known.regs {
                        (known.regs, known.names) = (assert.regs, assert.names);
                    }
                }
                None => merged.push(assert),
            }
        }
        for assert in merged {
            let name = (1..).map(|n: u32| format!("assert_{}_{n}", assert.action));
            let taken = |name: &String| self.properties.iter().any(|p| p.name == *name);
            let name = { name }.find(|name| !taken(name)).unwrap_or_default();
            let kind = super::super::FormulaKind::Atom(assert.term);
            let formula = self.formula_node(kind, assert.span);
            self.properties.push(Property {
                name,
                span: assert.span,
                kind: PropertyKind::Formula(Logic::Invariant, formula),
                regs: assert.regs,
                names: assert.names,
                fixpoints: super::IdVec::new(),
            });
        }
    }

    /// The statements of a block; what they bind is known up to its end.
    pub(super) fn block(&mut self, block: &'a Block) {
        let depth = self.scope.bindings.len();
        for statement in &block.statements {
            self.statement(statement);
        }
        self.scope.bindings.truncate(depth);
    }

    pub(super) fn statement(&mut self, statement: &'a Statement) {
        if self.too_large {
            return;
        }
        let span = statement.span;
        match &statement.kind {
            StatementKind::Skip | StatementKind::Error => {}
            StatementKind::Assign(target, value) => self.assign(*target, *value),
            StatementKind::Change(change, target, value) => self.bag_statement(*change, *target, *value),
            StatementKind::If(arms, otherwise) => {
                let arms = arms.iter().map(|(condition, block)| (Test::Holds(*condition), block)).collect();
                self.branch(arms, otherwise.as_ref(), span);
            }
            StatementKind::Switch(value, cases, otherwise) => {
                let looked_at = self.check(*value);
                self.distinct_cases(cases);
                let arms =
                    cases.iter().map(|(values, block)| (Test::OneOf(looked_at, values), block)).collect();
                self.branch(arms, otherwise.as_ref(), span);
            }
            StatementKind::For(binders, body) => self.turns(binders, body, span),
            StatementKind::While(condition, body) => self.rounds(*condition, body, span),
            StatementKind::Let(name, value) => {
                let value = self.value(*value);
                self.look_at(&value, span);
                self.scope.bindings.push((&name.name, Binding::Value(Self::named_value(&value))));
            }
            StatementKind::Var(decl) => self.block_variable(decl),
            StatementKind::Assert(condition) => {
                let condition = self.check_bool(*condition);
                let paper = self.paper();
                let (path, over) = (paper.path.clone(), paper.over.clone());
                paper.claims.push(Claim { span, path, over, condition });
            }
            StatementKind::Call(name, arguments) => self.call_procedure(name, arguments, span),
            StatementKind::Return(value) => {
                self.check(*value);
                self.error(span, "`return` stands in a function; a procedure and an action have no value");
            }
            kind => {
                let word = match kind {
                    StatementKind::Label(_) => "a label",
                    StatementKind::Loop(_) => "`loop`",
                    StatementKind::Await(_) => "`await`",
                    StatementKind::Goto(_) => "`goto`",
                    StatementKind::Either(_) => "`either`",
                    StatementKind::With(..) => "`with`",
                    _ => "`stop`",
                };
                let instead = match kind {
                    StatementKind::Await(_) => "an action waits for its guard",
                    StatementKind::Either(_) => "two ways are two actions",
                    StatementKind::With(..) => "a choice is a parameter of the action",
                    StatementKind::Loop(_) => "a loop that ends is `while E { … }`",
                    _ => "a block is executed from its first statement to its last",
                };
                let message = format!("{word} stands in the code of a process, not in a block; {instead}");
                self.error(span, message);
            }
        }
    }

    /// A target as the place that it is; the indices are read as they are now.
    pub(super) fn place(&mut self, expr: ExprId) -> Value {
        // A name for a value is no place, also where the value was read from one.
        if let ExprKind::Name(name) = &self.file.exprs[expr].kind
            && let Some(Binding::Value(_) | Binding::Reg(..)) = self.binding(name)
        {
            let span = self.span(expr);
            self.error(span, format!("`{name}` is a bound name; only a variable can be assigned"));
            return self.no_value(span);
        }
        let outer = self.scope.placing.replace(self.span(expr));
        let place = self.value(expr);
        self.scope.placing = outer;
        place
    }

    fn assign(&mut self, target: ExprId, value: ExprId) {
        let mut made = Vec::new();
        self.simple_assignment(target, value, true, &Extent::default(), &mut made);
        self.write_made(made, self.span(value));
    }

    /// Notes what one statement assigns. Of assignments with conditions at most one is made.
    pub(super) fn write_made(&mut self, made: Vec<Assignment>, span: Span) {
        let point = self.paper().point();
        for (number, assignment) in (0..).zip(made) {
            if let Some(condition) = assignment.when {
                self.paper().path.push(Arm { point, number, condition });
            }
            self.write_all(assignment.target, assignment.value, &assignment.over, span);
            if assignment.when.is_some() {
                self.paper().path.pop();
            }
        }
    }

    /// One of several blocks, the first whose test holds.
    fn branch(&mut self, arms: Vec<(Test<'a>, &'a Block)>, otherwise: Option<&'a Block>, span: Span) {
        let point = self.paper().point();
        let mut before: Vec<TermId> = Vec::new();
        // Tests that nothing that is assigned depends on; they may have a fault all the same.
        let mut idle: Vec<TermId> = Vec::new();
        for (number, (test, block)) in (0..).zip(arms) {
            // A later test is looked at where the ones before it do not hold: nothing that they lead to has been done then.
            let condition = self.junction(true, before.clone(), span);
            self.paper().path.push(Arm { point, number, condition });
            let test = self.test(test, span);
            self.paper().path.pop();
            for &term in before.iter().chain([&test]) {
                self.copied = self.copied.saturating_add(self.terms[term].size as usize);
            }
            let parts: Vec<TermId> = before.iter().copied().chain([test]).collect();
            let condition = self.junction(true, parts, span);
            idle.push(condition);
            if self.arm(Arm { point, number, condition }, block) {
                idle.clear();
            }
            before.push(self.not(test, span));
        }
        if let Some(block) = otherwise {
            let condition = self.junction(true, before, span);
            if self.arm(Arm { point, number: u32::MAX, condition }, block) {
                idle.clear();
            }
        }
        if let Some(&last) = idle.last() {
            self.probe(last);
        }
    }

    /// Executes a block on a branch; whether something was assigned there.
    fn arm(&mut self, arm: Arm, block: &'a Block) -> bool {
        let before = (self.paper().done.len(), self.paper().claims.len());
        self.paper().path.push(arm);
        self.block(block);
        self.paper().path.pop();
        if self.is_false(arm.condition) {
            // Checked, and never executed.
            self.paper().done.truncate(before.0);
            self.paper().claims.truncate(before.1);
        }
        // A loop without turns makes no assignment, so its body does not show that the test was looked at.
        let made = self.paper().done[before.0..].to_vec();
        made.iter().any(|done| done.over.iter().all(|&(_, domain)| !self.is_empty(domain)))
    }

    fn is_empty(&self, domain: Domain) -> bool {
        match domain {
            Domain::Family(family) => self.families[family].size == 0,
            Domain::Range(low, high) => low > high,
        }
    }

    pub(super) fn is_false(&self, condition: TermId) -> bool {
        self.terms[condition].kind == TermKind::Const(0) && self.terms[condition].ty == Type::Bool
    }

    fn test(&mut self, test: Test<'a>, span: Span) -> TermId {
        match test {
            Test::Holds(condition) => self.check_bool(condition),
            Test::OneOf(value, others) => self.is_one_of(value, others, span),
        }
    }

    /// That a value is one of these.
    pub(super) fn is_one_of(&mut self, value: TermId, others: &'a [ExprId], span: Span) -> TermId {
        let mut same = Vec::new();
        for &other in others {
            let value = self.copy(value, span);
            let other = match self.ambiguous_literal(other, self.terms[value].ty) {
                Some(literal) => literal,
                None => self.check(other),
            };
            let at = self.terms[other].span;
            match self.comparable(value, other, at) {
                Some((a, b)) => same.push(self.compare(Comparison::Eq, a, b, at)),
                None => same.push(self.failed(at)),
            }
        }
        self.junction(false, same, span)
    }

    /// A value that stands in two cases: the second is never looked at.
    pub(super) fn distinct_cases(&mut self, cases: &'a [(Vec<ExprId>, Block)]) {
        let values: Vec<ExprId> = cases.iter().flat_map(|(values, _)| values.iter().copied()).collect();
        for (i, &later) in values.iter().enumerate() {
            let text = |e: ExprId| self.file.exprs[e].kind.clone();
            if let Some(&first) = values[..i].iter().find(|&&first| text(first) == text(later)) {
                let diagnostic = Diagnostic::new(self.span(later), "this case stands twice in `switch`")
                    .with_note(self.span(first), "the first one is here");
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// `while`: one round after the other, each on the path of the ones before it.
    fn rounds(&mut self, condition: ExprId, body: &'a Block, span: Span) {
        let depth = self.paper().path.len();
        let errors = self.diagnostics.len();
        for round in 0..=MAX_ROUNDS {
            let test = self.check_bool(condition);
            if self.is_false(test) || self.never(test) {
                // A fault before it stays; the body is checked once.
                if round == 0 {
                    let arm = Arm { point: self.paper().point(), number: 0, condition: test };
                    self.arm(arm, body);
                }
                break;
            }
            if self.diagnostics.len() > errors || self.too_large {
                break;
            }
            let arm = Arm { point: self.paper().point(), number: 0, condition: test };
            if round == MAX_ROUNDS {
                let endless = self.term(TermKind::Endless, Type::Bool, span);
                self.paper().path.push(arm);
                self.probe(endless);
                break;
            }
            let before = self.paper().done.len();
            self.paper().path.push(arm);
            self.block(body);
            if self.paper().done.len() == before {
                // Nothing changes what is tested: if it holds once it holds for ever.
                let endless = self.term(TermKind::Endless, Type::Bool, span);
                self.probe(endless);
                break;
            }
        }
        self.paper().path.truncate(depth);
    }
}

/// The test that decides about a branch.
#[derive(Clone, Copy)]
enum Test<'a> {
    /// A condition.
    Holds(ExprId),
    /// That a value is one of these.
    OneOf(TermId, &'a [ExprId]),
}

/// A statement's claim about all states.
pub(super) struct Assert {
    pub action: String,
    pub span: Span,
    pub term: TermId,
    pub regs: u32,
    pub names: Vec<String>,
}
