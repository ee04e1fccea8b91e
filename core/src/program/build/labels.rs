//! The code of a process: one action for every way from a label to the next one.
//!
//! A step starts at a label and is executed on paper up to the next label, a `goto`, a `stop` or the end of the code. Where the ways
//! part (`either`, and an `if` or a `while` with labels, waits or jumps inside) each way is an action of its own, named by the label;
//! what decides between them is part of its guard, as is every `await` at the point where it stands. What `with` chooses is a
//! parameter of the action.

use super::super::term::{Comparison, Reg, TermId, TermKind};
use super::super::types::{FamilyId, Type};
use super::super::{Action, ActionParam, Shown};
use super::names::Binding;
use super::paper::Paper;
use super::{Builder, Scope};
use crate::limits::MAX_WAYS;
use crate::syntax::ast::{Binder, Block, ExprId, Fairness, Ident, ProcessDecl, Statement, StatementKind};
use crate::text::{Diagnostic, Span, closest};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

/// The most parts that what `with` chooses on one way may have together.
const MOST_CHOSEN: usize = 64;

/// The statements that are still to be executed, the innermost last.
#[derive(Clone)]
enum Rest<'a> {
    /// These statements.
    Statements(&'a [Statement]),
    /// The body of a `loop`, again.
    Loop(&'a Statement, &'a Block),
    /// A `while`, again.
    While(&'a Statement, ExprId, &'a Block),
    /// The choice that `with` still has to make.
    Choose(&'a [Binder]),
    /// From here on only this many names are known.
    Names(usize),
}

/// A way from a label, as far as it has been gone.
#[derive(Clone)]
struct Way<'a> {
    rest: Vec<Rest<'a>>,
    guard: Vec<TermId>,
    params: Vec<ActionParam>,
    /// How what was chosen is shown, and whether that is something else than the parameters one by one.
    shown: (Vec<Shown>, bool),
    bindings: Vec<(&'a str, Binding)>,
    paper: Paper,
    next_reg: u32,
    /// The loops that were entered since the label.
    entered: Vec<Span>,
}

/// Where a way ends.
enum End<'a> {
    /// At this label.
    Label(&'a Ident),
    /// At the end of the code.
    Done,
    /// It goes on in these ways, or nowhere: an error has been said.
    Parts(Vec<Way<'a>>),
}

/// A label and what comes after it.
struct Place<'a> {
    label: &'a Ident,
    rest: Vec<Rest<'a>>,
}

impl<'a> Builder<'a> {
    pub(super) fn code(&mut self, family: FamilyId, decl: &'a ProcessDecl, code: &'a Block) {
        let mut places: Vec<Place<'a>> = Vec::new();
        self.places(&code.statements, &Vec::new(), &mut places);
        for (i, place) in places.iter().enumerate() {
            if let Some(first) = places[..i].iter().find(|p| p.label.name == place.label.name) {
                let (name, first) = (place.label, first.label.span);
                let diagnostic = Diagnostic::new(
                    name.span,
                    format!("the label `{}` stands twice in this process", name.name),
                )
                .with_note(first, "the first one is here");
                self.diagnostics.push(diagnostic);
            }
            if let Some(action) = decl.actions.iter().find(|a| a.name.name == place.label.name) {
                let message = format!("the label `{}` has the name of an action", place.label.name);
                let diagnostic = Diagnostic::new(place.label.span, message)
                    .with_note(action.name.span, "which is declared here");
                self.diagnostics.push(diagnostic);
            }
        }
        match code.statements.first() {
            Some(first) if !starts_with_label(first) => {
                self.error(
                    first.span,
                    "the code of a process starts with a label: `NAME: …` names the step and where it starts",
                );
                return;
            }
            _ => {}
        }
        for place in &places {
            self.steps_from(family, place, &places, kept_registers(&code.statements));
        }
    }

    /// The labels in the order of the text, each with what comes after it. Names that a `with` or a `let` around a label would bind are
    /// not known after it: the step starts anew.
    fn places(&mut self, statements: &'a [Statement], around: &[Rest<'a>], places: &mut Vec<Place<'a>>) {
        for (i, statement) in statements.iter().enumerate() {
            let mut rest = around.to_vec();
            rest.push(Rest::Statements(&statements[i + 1..]));
            match &statement.kind {
                StatementKind::Label(label) => {
                    places.push(Place { label, rest });
                    continue;
                }
                StatementKind::Loop(block) => rest.push(Rest::Loop(statement, block)),
                StatementKind::While(condition, block) => {
                    rest.push(Rest::While(statement, *condition, block));
                }
                StatementKind::With(..) | StatementKind::For(..) => {
                    if let Some(label) = first_label(statement) {
                        let word =
                            if matches!(statement.kind, StatementKind::For(..)) { "for" } else { "with" };
                        let message = format!(
                            "a label cannot stand inside `{word}`: what it binds is forgotten at the end of a step; keep it in a variable"
                        );
                        self.error(label.span, message);
                        continue;
                    }
                }
                _ => {}
            }
            // A step that starts in a block knows no names yet, and forgets those of the block behind it.
            rest.push(Rest::Names(0));
            for block in statement.kind.blocks() {
                self.places(&block.statements, &rest, places);
            }
        }
    }

    fn steps_from(&mut self, family: FamilyId, place: &Place<'a>, places: &[Place<'a>], choices: u32) {
        let first = Way {
            rest: place.rest.clone(),
            guard: Vec::new(),
            params: Vec::new(),
            shown: (Vec::new(), false),
            bindings: Vec::new(),
            paper: Paper::default(),
            next_reg: 0,
            entered: Vec::new(),
        };
        let errors = self.diagnostics.len();
        let mut ways = alloc::vec![first];
        let mut count = 0;
        while let Some(way) = ways.pop() {
            if self.diagnostics.len() > errors || self.too_large {
                return;
            }
            count += 1;
            if count > MAX_WAYS {
                let message = format!(
                    "there are more than {MAX_WAYS} ways from `{}` to the next label",
                    place.label.name
                );
                self.diagnostics.push(Diagnostic::too_large(place.label.span, message));
                return;
            }
            ways.extend(self.along(family, place, places, choices, way).into_iter().rev());
        }
    }

    /// Goes along a way to its end, which gives an action, or to where it parts.
    fn along(
        &mut self,
        family: FamilyId,
        place: &Place<'a>,
        places: &[Place<'a>],
        choices: u32,
        mut way: Way<'a>,
    ) -> Vec<Way<'a>> {
        // The registers behind `self` are kept for what `with` chooses.
        let next_reg = way.next_reg.max(1 + choices);
        let scope = Scope { owner: Some(family), next_reg, ..Scope::default() };
        let (parts, _) = self.in_scope(scope, |b| {
            b.scope.bindings = core::mem::take(&mut way.bindings);
            b.scope.paper = Some(core::mem::take(&mut way.paper));
            let end = b.go(&mut way);
            let label = match end {
                End::Parts(parts) => return parts,
                End::Label(label) => Some(label),
                End::Done => None,
            };
            b.step(family, place, places, way, label);
            Vec::new()
        });
        parts
    }

    /// Saves what is known into a way, so that it can be gone on with later.
    fn put_aside(&mut self, way: &Way<'a>) -> Way<'a> {
        let mut copy = way.clone();
        copy.bindings.clone_from(&self.scope.bindings);
        copy.next_reg = self.scope.next_reg;
        copy.paper = self.paper().clone();
        copy
    }

    fn go(&mut self, way: &mut Way<'a>) -> End<'a> {
        let errors = self.diagnostics.len();
        loop {
            if self.diagnostics.len() > errors || self.too_large {
                return End::Parts(Vec::new());
            }
            match way.rest.pop() {
                None => return End::Done,
                Some(Rest::Choose([first, rest @ ..])) => {
                    way.rest.push(Rest::Choose(rest));
                    let mut parts = self.choose(way, first);
                    match parts.pop() {
                        // Where there is one way to choose it is this one.
                        Some(only) if parts.is_empty() => self.go_on_with(way, only),
                        Some(last) => {
                            parts.push(last);
                            return End::Parts(parts);
                        }
                        None => return End::Parts(parts),
                    }
                }
                Some(Rest::Names(depth)) => self.scope.bindings.truncate(depth),
                Some(Rest::Loop(statement, block)) => {
                    if !self.enter(way, statement, "this `loop`") {
                        return End::Parts(Vec::new());
                    }
                    way.rest.push(Rest::Loop(statement, block));
                    self.enter_block(way, block);
                }
                Some(Rest::While(statement, condition, block)) => {
                    if !self.enter(way, statement, "a round of this `while`") {
                        return End::Parts(Vec::new());
                    }
                    return self.part_while(way, statement, condition, block);
                }
                Some(Rest::Choose([]) | Rest::Statements([])) => {}
                Some(Rest::Statements([first, rest @ ..])) => {
                    way.rest.push(Rest::Statements(rest));
                    if let Some(end) = self.advance(way, first) {
                        return end;
                    }
                }
            }
        }
    }

    /// Whether a loop may be entered once more on this way.
    fn enter(&mut self, way: &mut Way<'a>, statement: &Statement, what: &str) -> bool {
        if way.entered.contains(&statement.span) {
            let start = Span::new(statement.span.start, statement.span.start + 5);
            self.error(
                start,
                format!("{what} can go on for ever without coming to a label: the step would never end"),
            );
            return false;
        }
        way.entered.push(statement.span);
        true
    }

    fn enter_block(&mut self, way: &mut Way<'a>, block: &'a Block) {
        way.rest.push(Rest::Names(self.scope.bindings.len()));
        way.rest.push(Rest::Statements(&block.statements));
    }

    /// One statement; an end where the way ends or parts.
    fn advance(&mut self, way: &mut Way<'a>, statement: &'a Statement) -> Option<End<'a>> {
        match &statement.kind {
            StatementKind::Label(label) | StatementKind::Goto(label) => return Some(End::Label(label)),
            StatementKind::Stop => return Some(End::Done),
            StatementKind::Await(condition) => {
                let condition = self.check_bool(*condition);
                way.guard.push(condition);
            }
            StatementKind::Loop(block) => way.rest.push(Rest::Loop(statement, block)),
            StatementKind::Either(blocks) => {
                let parts = blocks.iter().map(|block| {
                    let mut part = self.put_aside(way);
                    self.enter_block(&mut part, block);
                    part
                });
                return Some(End::Parts(parts.collect()));
            }
            StatementKind::With(binders, block) => {
                way.rest.push(Rest::Names(self.scope.bindings.len()));
                way.rest.push(Rest::Statements(&block.statements));
                way.rest.push(Rest::Choose(binders));
            }
            StatementKind::While(condition, block) if has_control(statement) => {
                way.rest.push(Rest::While(statement, *condition, block));
            }
            StatementKind::If(arms, otherwise) if has_control(statement) => {
                let test = |builder: &mut Self, test: &'a ExprId| builder.check_bool(*test);
                return Some(self.part_arms(way, arms, otherwise.as_ref(), statement.span, test));
            }
            StatementKind::Switch(value, cases, otherwise) if has_control(statement) => {
                return Some(self.part_switch(way, *value, cases, otherwise.as_ref(), statement.span));
            }
            StatementKind::For(..) if has_control(statement) => {
                self.error(
                    statement.span,
                    "a `for` is done within one step: it has no waits, choices or jumps; a loop over several steps is `while`",
                );
            }
            _ => self.statement(statement),
        }
        None
    }

    fn part_while(
        &mut self,
        way: &Way<'a>,
        statement: &'a Statement,
        condition: ExprId,
        block: &'a Block,
    ) -> End<'a> {
        let test = self.check_bool(condition);
        let (mut again, mut after) = (self.put_aside(way), self.put_aside(way));
        again.guard.push(test);
        again.rest.push(Rest::While(statement, condition, block));
        self.enter_block(&mut again, block);
        after.guard.push(self.not(test, statement.span));
        End::Parts(alloc::vec![again, after])
    }

    fn part_switch(
        &mut self,
        way: &Way<'a>,
        value: ExprId,
        cases: &'a [(Vec<ExprId>, Block)],
        otherwise: Option<&'a Block>,
        span: Span,
    ) -> End<'a> {
        let value = self.check(value);
        self.distinct_cases(cases);
        self.part_arms(way, cases, otherwise, span, |builder, values| builder.is_one_of(value, values, span))
    }

    /// A part for each arm, which is gone where the tests before it fail and its own holds, and one for the rest.
    fn part_arms<T>(
        &mut self,
        way: &Way<'a>,
        arms: &'a [(T, Block)],
        otherwise: Option<&'a Block>,
        span: Span,
        test: impl Fn(&mut Self, &'a T) -> TermId,
    ) -> End<'a> {
        let mut before: Vec<TermId> = Vec::new();
        let mut parts = Vec::new();
        for (tested, block) in arms {
            let test = test(self, tested);
            let mut part = self.put_aside(way);
            part.guard.extend(before.iter().copied().chain([test]));
            self.enter_block(&mut part, block);
            parts.push(part);
            before.push(self.not(test, span));
        }
        let mut part = self.put_aside(way);
        part.guard.extend(before);
        if let Some(block) = otherwise {
            self.enter_block(&mut part, block);
        }
        parts.push(part);
        End::Parts(parts)
    }

    /// The ways in which `with` can choose a value. The names that it is made of are the next parameters of the action.
    fn choose(&mut self, way: &Way<'a>, binder: &'a Binder) -> Vec<Way<'a>> {
        let Some(choices) = self.choices(binder) else { return Vec::new() };
        let mut parts = Vec::new();
        for choice in choices {
            let mut part = self.put_aside(way);
            let mut bound: BTreeMap<Reg, TermId> = BTreeMap::new();
            for &(reg, domain) in &choice.regs {
                let param = Reg(part.params.len() as u32 + 1);
                part.params.push(ActionParam { name: binder.name.name.clone(), domain });
                let chosen = self.term(TermKind::Bound(param), Self::bound_type(domain), binder.name.span);
                bound.insert(reg, chosen);
            }
            let span = binder.name.span;
            let binding = match choice.binding {
                Binding::Value(value) => Binding::Value(self.value_with(&value, &bound, span)),
                Binding::Reg(_, ty) => Binding::Reg(Reg(part.params.len() as u32), ty),
                other => other,
            };
            if let Some(when) = choice.when {
                part.guard.push(self.substitute(when, &bound, span));
            }
            part.shown.1 |= !matches!(binding, Binding::Reg(..));
            part.shown.0.push(self.shown(&binding));
            part.bindings.push((&binder.name.name, binding));
            parts.push(part);
        }
        parts
    }

    /// Takes up a way that was put aside.
    fn go_on_with(&mut self, way: &mut Way<'a>, mut other: Way<'a>) {
        self.scope.bindings = core::mem::take(&mut other.bindings);
        self.scope.paper = Some(core::mem::take(&mut other.paper));
        *way = other;
    }

    /// The action of a way that has come to its end.
    fn step(
        &mut self,
        family: FamilyId,
        place: &Place<'a>,
        places: &[Place<'a>],
        way: Way<'a>,
        to: Option<&'a Ident>,
    ) {
        let span = place.label.span;
        if let Some(label) = to
            && !places.iter().any(|place| place.label.name == label.name)
        {
            let near = closest(&label.name, places.iter().map(|p| p.label.name.as_str()));
            self.unknown("label", label, near.map(ToString::to_string));
            return;
        }
        let Some(&at) = self.locals[family].get(ProcessDecl::AT) else { return };
        let at = self.declared[at].first;
        let Type::Enum(labels) = self.vars[at].ty.ty else { return };
        let position = |b: &Self, name: &str| b.enums[labels].iter().position(|l| l == name);
        let Some(here) = position(self, &place.label.name) else { return };
        let Some(there) = position(self, to.map_or(ProcessDecl::DONE, |label| label.name.as_str())) else {
            return;
        };
        let own = self.self_id(span);
        let at = self.term(TermKind::Local(at, own, Vec::new()), Type::Enum(labels), span);
        let here_literal = self.constant(here as i64, Type::Enum(labels), span);
        let mut guard = alloc::vec![self.compare(Comparison::Eq, at, here_literal, span)];
        guard.extend(way.guard);
        let guard = self.junction(true, guard, span);
        if self.is_false(guard) {
            return;
        }
        if here != there {
            let there = self.constant(there as i64, Type::Enum(labels), span);
            self.write(at, there, span);
        }
        if way.params.len() > MOST_CHOSEN {
            self.error(
                span,
                format!("the values that `with` chooses here have more than {MOST_CHOSEN} parts"),
            );
            return;
        }
        let assignments = self.finish_block(Some(family), span);
        let regs = self.scope.next_reg;
        let paper = self.scope.paper.take().unwrap_or_default();
        let action = Action {
            name: place.label.name.clone(),
            span,
            family,
            params: way.params,
            guard,
            assignments,
            regs,
            written_out: paper.written_out,
            fairness: Fairness::None,
            shown: way.shown.1.then_some(way.shown.0),
        };
        self.claims(&action, paper.claims);
        let id = self.actions.push(action);
        self.families[family].actions.push(id);
    }
}

/// Whether the first thing that is met is a label.
fn starts_with_label(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Label(_) | StatementKind::Error => true,
        StatementKind::Loop(block) => block.statements.first().is_none_or(starts_with_label),
        _ => false,
    }
}

fn first_label(statement: &Statement) -> Option<&Ident> {
    if let StatementKind::Label(label) = &statement.kind {
        return Some(label);
    }
    statement.kind.blocks().into_iter().flat_map(|block| &block.statements).find_map(first_label)
}

/// Whether a statement decides where the step goes or whether it can be made.
fn has_control(statement: &Statement) -> bool {
    let own = matches!(
        statement.kind,
        StatementKind::Label(_)
            | StatementKind::Goto(_)
            | StatementKind::Stop
            | StatementKind::Await(_)
            | StatementKind::Loop(_)
            | StatementKind::Either(_)
            | StatementKind::With(..)
    );
    own || statement.kind.blocks().into_iter().flat_map(|block| &block.statements).any(has_control)
}

/// Registers that are kept for what the `with` statements of a process's code choose: none where there are none.
fn kept_registers(statements: &[Statement]) -> u32 {
    let chooses = |statement: &Statement| {
        matches!(statement.kind, StatementKind::With(..))
            || statement.kind.blocks().into_iter().any(|block| kept_registers(&block.statements) > 0)
    };
    if statements.iter().any(chooses) { MOST_CHOSEN as u32 } else { 0 }
}
