//! Statements, written line by line.

use super::Translator;
use super::call::Returning;
use super::defined::Covered;
use super::scope::{Entity, Place, Val, strength};
use super::types::{ERROR, LeafId, TyId};
use crate::marks::{failing, marked};
use crate::tree::{Body, Decl, Expr, ExprKind, Name, Stmt, StmtKind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::text::{Diagnostic, Span};

impl Translator<'_> {
    /// Writes a line of a block.
    pub(super) fn line(&mut self, text: &str) {
        self.size += text.len() + 2 * self.indent;
        if self.size > super::MAX_TEXT {
            return;
        }
        for _ in 0..self.indent {
            self.lines.push_str("  ");
        }
        self.lines.push_str(text);
        self.lines.push('\n');
    }

    pub(super) fn marked_line(&mut self, text: &str, span: Span) {
        self.line(&marked(text, span));
    }

    /// A variable of the block that is written.
    pub(super) fn fresh_place(&mut self, name: &str, out: &str, ty: TyId, leaf: LeafId) -> Val {
        self.locals += 1;
        let path = format!("{}{name}#{}", super::defined::LOCAL, self.locals);
        let mut val = Val::new(out, ty, strength::ATOM);
        val.place = Some(Place { leaf, path, whole: true, loops: Vec::new(), assignable: true });
        self.refine(&mut val, None);
        val
    }

    /// Declares a variable of the block.
    pub(super) fn variable(&mut self, name: &str, ty: TyId, leaf: LeafId, span: Span) -> Val {
        let out = self.local_name(name);
        let val = self.fresh_place(name, &out, ty, leaf);
        let value = self.unassigned(ty, leaf);
        for declaration in self.declarations(&out, ty, leaf, span) {
            self.marked_line(&format!("var {declaration} = {value}"), span);
        }
        val
    }

    pub(super) fn local_decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Const(name, value) => {
                let val = self.expr(value);
                self.declare(&name.text, name.span, Entity::Value(val));
            }
            Decl::Type(name, ty) => {
                let id = self.resolve(ty, &name.text);
                if id.0 > 3 {
                    self.types[id.0].called.get_or_insert_with(|| name.text.clone());
                }
                self.declare(&name.text, name.span, Entity::Type(id));
            }
            Decl::Var(field) => {
                let first = field.names.first().map_or("", |name| name.text.as_str());
                let ty = self.resolve(&field.ty, first);
                for name in &field.names {
                    let leaf = self.leaf();
                    let val = self.variable(&name.text, ty, leaf, name.span);
                    self.declare(&name.text, name.span, Entity::Value(val));
                }
            }
        }
    }

    /// Declarations and statements of a rule or routine.
    pub(super) fn body(&mut self, body: &Body, result: Option<(Val, TyId)>) {
        for decl in &body.decls {
            self.local_decl(decl);
        }
        let stmts = tidied(body.stmts.clone());
        let flag = needs_flag(&stmts).then(|| {
            let name = self.local_name("returned");
            self.line(&format!("var {name}: bool = false"));
            name
        });
        let outer = core::mem::replace(&mut self.returning, Returning { flag, result });
        self.stmts(&stmts);
        self.returning = outer;
    }

    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        for (number, stmt) in stmts.iter().enumerate() {
            self.stmt(stmt);
            let rest = &stmts[number + 1..];
            if let StmtKind::Return(_) = stmt.kind {
                return;
            }
            if let (Some(flag), true, false) =
                (self.returning.flag.clone(), may_return(stmt), rest.is_empty())
            {
                self.line(&format!("if not {flag} {{"));
                let before = self.defined.covered.clone();
                self.block(rest);
                self.line("}");
                self.defined.covered = before;
                return;
            }
        }
    }

    /// Statements between braces.
    pub(super) fn block(&mut self, stmts: &[Stmt]) {
        self.indent += 1;
        let before = self.lines.len();
        let depth = self.scope.len();
        self.stmts(stmts);
        self.scope.truncate(depth);
        if self.lines.len() == before {
            self.line("skip");
        }
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if self.calling.is_empty() {
            let comments = self.comments_before(stmt.span.start);
            for comment in comments {
                self.line(&comment);
            }
        }
        if self.size > super::MAX_TEXT {
            return;
        }
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assign(target, value) => self.assign(target, value, span),
            StmtKind::If(arms, otherwise) => self.if_stmt(arms, otherwise, span),
            StmtKind::Switch(value, cases, otherwise) => self.switch(value, cases, otherwise, span),
            StmtKind::For(quantifier, body) => self.for_stmt(quantifier, body, span),
            StmtKind::While(condition, body) => {
                self.no_statements += 1;
                let condition = self.truth(condition);
                self.no_statements -= 1;
                let condition = match &self.returning.flag {
                    Some(flag) if body.iter().any(may_return) => {
                        format!("not {flag} and {}", condition.operand(strength::NOT))
                    }
                    _ => condition.text(),
                };
                self.marked_line(&format!("while {condition} {{"), span);
                let before = self.defined.covered.clone();
                self.block(body);
                self.defined.covered = before;
                self.line("}");
            }
            StmtKind::Alias(names, body) => {
                let depth = self.scope.len();
                for (name, expr) in names {
                    let entity = self.alias(name, expr);
                    self.scope.push((name.text.clone(), entity));
                }
                self.stmts(body);
                self.scope.truncate(depth);
            }
            StmtKind::Call(name, arguments) => self.call_statement(name, arguments, span),
            StmtKind::Clear(target) | StmtKind::Undefine(target) => {
                let clear = matches!(stmt.kind, StmtKind::Clear(_));
                self.fill(target, clear, span);
            }
            StmtKind::Error(words) if self.defined.in_start => {
                // A start state has no step that could be a counterexample.
                self.line(&format!("// error {words:?}"));
                let name = self.local_name("asserted");
                let fails = failing(&format!("the statement `error \"{words}\"` is executed"));
                self.marked_line(&format!("let {name} = {fails}"), span);
            }
            StmtKind::Assert(condition, words) if self.defined.in_start => {
                let test = self.truth(condition).operand(strength::AND);
                let name = self.local_name("asserted");
                let words = words.as_ref().map_or(String::new(), |words| format!(" \"{words}\""));
                let fails = failing(&format!("the assertion{words} does not hold"));
                self.marked_line(&format!("let {name} = {test} or {fails} == 0"), span);
            }
            StmtKind::Error(_) => self.marked_line("assert false", span),
            StmtKind::Assert(condition, _) => {
                let condition = self.truth(condition);
                self.marked_line(&format!("assert {}", condition.text()), span);
            }
            StmtKind::Other(word, _) => {
                let message =
                    format!("`{word}` among statements is not translated; it may stand beside the rules");
                self.error(span, message);
            }
            StmtKind::Put => {}
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), span),
            StmtKind::Add(value, set) => {
                let val = self.expr(value);
                if let Some(set) = self.multiset(set, Some((&val, value.span))) {
                    let text = val.text();
                    self.for_cases(&set, &mut |t, set| {
                        t.marked_line(&format!("add {text} to {}", set.text()), span);
                    });
                }
            }
            StmtKind::Remove(place, set) => {
                let Some(set) = self.multiset(set, None) else { return };
                match &place.kind {
                    ExprKind::Name(name) if let Some(Entity::Element(val)) = self.lookup(name).cloned() => {
                        let text = val.text();
                        self.for_cases(&set, &mut |t, set| {
                            t.marked_line(&format!("remove {text} from {}", set.text()), span);
                        });
                    }
                    _ => {
                        let message = "what is removed is a place of the multiset that `choose` has named";
                        self.error(place.span, message);
                    }
                }
            }
            StmtKind::RemoveWhere(name, set, condition) => self.remove_where(name, set, condition, span),
        }
    }

    /// A place whose indices are found now.
    pub(super) fn frozen(&mut self, expr: &Expr) -> Val {
        let outer = core::mem::replace(&mut self.freezing, self.no_statements == 0);
        let val = self.place(expr);
        self.freezing = outer;
        val
    }

    pub(super) fn alias(&mut self, name: &Name, expr: &Expr) -> Entity {
        if let ExprKind::Name(own) = &expr.kind
            && let Some(entity @ (Entity::Element(..) | Entity::Literal(..))) = self.lookup(own)
        {
            return entity.clone();
        }
        let val = self.frozen(expr);
        if val.place.is_some() || val.stable || val.ty == ERROR || self.no_statements > 0 {
            return Entity::Value(val);
        }
        let out = self.local_name(&name.text);
        self.line(&format!("let {out} = {}", val.text()));
        let named = Val { base: out, strength: strength::ATOM, ..val };
        Entity::Value(named.stable())
    }

    fn if_stmt(&mut self, arms: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt], span: Span) {
        let before = self.defined.covered.clone();
        let mut sure: Option<Covered> = None;
        let mut nested = 0;
        for (number, (condition, body)) in arms.iter().enumerate() {
            let lines = self.lines.len();
            if number > 0 && has_call(condition) {
                // The calls in the condition are executed only where the conditions before it do not hold.
                self.line("} else {");
                self.indent += 1;
                nested += 1;
            }
            let inner = self.lines.len();
            let text = self.truth(condition).text();
            if (text == "false" || text == "true") && arms.len() == 1 {
                // It depends on the meaning of the name.
                self.stmts(if text == "true" { body } else { otherwise });
                return;
            }
            let else_if = number > 0 && lines == inner;
            let word = if else_if { "} else if" } else { "if" };
            let text = if text.starts_with("if ") { format!("({text})") } else { text };
            self.marked_line(&format!("{word} {text} {{"), condition.span);
            self.defined.covered.clone_from(&before);
            self.block(body);
            let covered = core::mem::take(&mut self.defined.covered);
            sure = Some(sure.map_or(covered.clone(), |sure| sure.intersection(&covered).cloned().collect()));
            self.defined.covered.clone_from(&before);
        }
        if otherwise.is_empty() {
            self.defined.covered = before;
        } else {
            self.marked_line("} else {", span);
            self.block(otherwise);
            if let Some(sure) = sure {
                self.defined.covered = self.defined.covered.intersection(&sure).cloned().collect();
            }
        }
        self.line("}");
        for _ in 0..nested {
            self.indent -= 1;
            self.line("}");
        }
    }

    fn switch(&mut self, value: &Expr, cases: &[(Vec<Expr>, Vec<Stmt>)], otherwise: &[Stmt], span: Span) {
        let val = self.expr(value);
        if !self.is_simple(val.ty) {
            let words = self.words(val.ty);
            self.error(value.span, format!("`switch` looks at a simple value, but this is {words}"));
            return;
        }
        if let Some(literal) = self.literal_of(&val).map(String::from) {
            // A parameter that stands for a literal: the case is known.
            for (labels, body) in cases {
                for label in labels {
                    let label_val = self.expr(label);
                    self.expect_type(&label_val, val.ty, label.span);
                    if self.literal_of(&label_val) == Some(&literal) {
                        self.stmts(body);
                        return;
                    }
                }
            }
            self.stmts(otherwise);
            return;
        }
        let text = self.needed(&val);
        if cases.is_empty() {
            let name = self.local_name("looked_at");
            self.marked_line(&format!("let {name} = {text}"), span);
            self.stmts(otherwise);
            return;
        }
        self.marked_line(&format!("switch {text} {{"), span);
        self.indent += 1;
        let before = self.defined.covered.clone();
        let mut sure: Option<Covered> = None;
        for (labels, body) in cases {
            let mut texts = Vec::new();
            for label in labels {
                let label_val = self.expr(label);
                self.expect_type(&label_val, val.ty, label.span);
                texts.push(marked(&self.needed(&label_val), label.span));
            }
            self.line(&format!("case {} {{", texts.join(", ")));
            self.defined.covered.clone_from(&before);
            self.block(body);
            let covered = core::mem::take(&mut self.defined.covered);
            sure = Some(sure.map_or(covered.clone(), |sure| sure.intersection(&covered).cloned().collect()));
            self.line("}");
        }
        self.defined.covered.clone_from(&before);
        if !otherwise.is_empty() {
            self.line("else {");
            self.block(otherwise);
            self.line("}");
            if let Some(sure) = sure {
                self.defined.covered = self.defined.covered.intersection(&sure).cloned().collect();
            }
        }
        self.indent -= 1;
        self.line("}");
    }

    fn return_stmt(&mut self, value: Option<&Expr>, span: Span) {
        match (self.returning.result.clone(), value) {
            (Some((to, ty)), Some(value)) => {
                let mut val = self.expr(value);
                if !self.expect_type(&val, ty, value.span) {
                    return;
                }
                if self.is_simple(val.ty) {
                    // A returned value has been read.
                    val = Val { place: None, ..val };
                }
                self.assign_value(&to, &val, span);
            }
            (Some(_), None) => self.error(span, "this function has a value: `return` needs one"),
            (None, Some(value)) => self.error(value.span, "only a function returns a value"),
            (None, None) => {}
        }
        if let Some(flag) = self.returning.flag.clone() {
            self.line(&format!("{flag} := true"));
        }
    }

    /// Says once that the translation is too large.
    pub(super) fn too_large(&mut self) {
        let message = format!(
            "with its procedures written out this model is larger than {} MiB",
            super::MAX_TEXT >> 20
        );
        self.diagnostics.push(Diagnostic::too_large(Span::new(0, 1), message));
    }
}

pub(super) fn may_return(stmt: &Stmt) -> bool {
    let any = |stmts: &Vec<Stmt>| stmts.iter().any(may_return);
    match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::If(arms, otherwise) => arms.iter().any(|(_, body)| any(body)) || any(otherwise),
        StmtKind::Switch(_, cases, otherwise) => cases.iter().any(|(_, body)| any(body)) || any(otherwise),
        StmtKind::For(_, body) | StmtKind::While(_, body) | StmtKind::Alias(_, body) => any(body),
        _ => false,
    }
}

/// Whether something may stand behind a `return` that must then not be executed.
fn needs_flag(stmts: &[Stmt]) -> bool {
    stmts.iter().enumerate().any(|(number, stmt)| {
        let followed = number + 1 < stmts.len();
        let inner = |stmts: &Vec<Stmt>| needs_flag(stmts);
        match &stmt.kind {
            StmtKind::Return(_) => false,
            StmtKind::For(..) | StmtKind::While(..) => may_return(stmt),
            _ if followed && may_return(stmt) => true,
            StmtKind::If(arms, otherwise) => arms.iter().any(|(_, body)| inner(body)) || inner(otherwise),
            StmtKind::Switch(_, cases, otherwise) => {
                cases.iter().any(|(_, body)| inner(body)) || inner(otherwise)
            }
            StmtKind::Alias(_, body) => inner(body),
            _ => false,
        }
    })
}

/// Statements behind an `if` of which all branches but one return, moved into that branch.
fn tidied(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = Vec::new();
    let mut rest = stmts.into_iter();
    while let Some(stmt) = rest.next() {
        let StmtKind::If(mut arms, mut otherwise) = stmt.kind else {
            out.push(stmt);
            continue;
        };
        let returns = |body: &[Stmt]| matches!(body.last(), Some(Stmt { kind: StmtKind::Return(_), .. }));
        let falling: Vec<usize> = (0..arms.len()).filter(|&arm| !returns(&arms[arm].1)).collect();
        let returning = falling.len() < arms.len() || returns(&otherwise);
        if returning {
            let tail: Vec<Stmt> = rest.by_ref().collect();
            match (falling.as_slice(), returns(&otherwise)) {
                ([], false) => otherwise.extend(tail),
                (&[only], true) => arms[only].1.extend(tail),
                ([], true) => {}
                _ => {
                    let arms = arms.into_iter().map(|(test, body)| (test, tidied(body))).collect();
                    out.push(Stmt { kind: StmtKind::If(arms, tidied(otherwise)), span: stmt.span });
                    out.extend(tidied(tail));
                    return out;
                }
            }
        }
        let arms = arms.into_iter().map(|(test, body)| (test, tidied(body))).collect();
        out.push(Stmt { kind: StmtKind::If(arms, tidied(otherwise)), span: stmt.span });
    }
    out
}

fn has_call(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Call(..)) || crate::parser::children(&expr.kind).into_iter().any(has_call)
}
