//! Statements: blocks of actions, procedures and functions, and the code of processes. What could be a fault stands in an `if` that
//! keeps it from being one, at the point where it is executed.

use super::generate::{Binders, Generator, Scope};
use super::{Action, Domain, ENUMS, Type};
use std::fmt::{self, Display, Formatter};

/// A statement that prints itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement {
    /// Conditions that keep it from being a fault.
    pub(crate) safety: Vec<String>,
    /// All of it, or what stands before its blocks.
    pub(crate) text: String,
    /// Its blocks, each with what stands before it.
    pub(crate) blocks: Vec<(String, Vec<Statement>)>,
    pub(crate) close: &'static str,
}

impl Statement {
    fn new(text: impl Into<String>) -> Statement {
        Statement { text: text.into(), ..Statement::default() }
    }

    fn with_block(head: impl Into<String>, block: Vec<Statement>) -> Statement {
        Statement { blocks: vec![(head.into(), block)], ..Statement::default() }
    }

    pub(crate) fn careless(&mut self) {
        self.safety.clear();
        for (_, block) in &mut self.blocks {
            block.iter_mut().for_each(Statement::careless);
        }
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let guard = self.safety.join(" and ");
        if !guard.is_empty() {
            write!(f, "if {guard} {{ ")?;
        }
        write!(f, "{}", self.text)?;
        for (head, block) in &self.blocks {
            write!(f, " {head} {{ {} }}", written(block))?;
        }
        write!(f, "{}", self.close)?;
        if guard.is_empty() { Ok(()) } else { write!(f, " }}") }
    }
}

/// Statements one after the other.
pub(crate) fn written(statements: &[Statement]) -> String {
    let all: Vec<String> = statements.iter().map(ToString::to_string).collect();
    all.join(if all.len().is_multiple_of(2) { "; " } else { "\n      " })
}

/// Statements that are fewer by one.
pub(crate) fn smaller(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for i in 0..statements.len() {
        let mut without = statements.to_vec();
        without.remove(i);
        all.push(without);
        for (b, (_, block)) in statements[i].blocks.iter().enumerate() {
            let mut inner = statements.to_vec();
            inner.splice(i..=i, block.clone());
            all.push(inner);
            for fewer in smaller(block) {
                let mut inner = statements.to_vec();
                inner[i].blocks[b].1 = fewer;
                all.push(inner);
            }
        }
    }
    all
}

/// A procedure or a function with one parameter `x`.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub(crate) name: String,
    pub(crate) param: Domain,
    /// The type of `y`, which is `out`, or of the value.
    pub(crate) other: Type,
    pub(crate) function: bool,
    pub(crate) body: Vec<Statement>,
}

impl Generator<'_> {
    pub(super) fn routines(&mut self) {
        if self.knobs.blocks == 0 {
            return;
        }
        for i in 0..self.random.below(3) {
            let function = self.random.coin();
            let families: Vec<usize> =
                (0..self.spec.families.len()).filter(|f| self.spec.families[*f].count() > 0).collect();
            let param = if families.is_empty() || self.random.chance(40) {
                Domain::Range(0, 2)
            } else {
                Domain::Family(*self.random.pick(&families))
            };
            let other = if self.random.coin() { Type::Bool } else { Type::Range(0, 2) };
            let scope = Scope { own: None, bound: vec![("x".to_string(), param.clone())] };
            let mut body = Vec::new();
            if function {
                let result = |g: &mut Self, scope: &Scope| {
                    Statement::new(format!("return {}", g.plain(scope, &other)))
                };
                let inner = self.let_statement(&scope);
                let scope = inner.map_or(scope.clone(), |(text, scope)| {
                    body.push(text);
                    scope
                });
                let (a, b) = (result(self, &scope), result(self, &scope));
                let test = self.truth(&scope, 1);
                if self.random.coin() {
                    body.push(Statement::with_block(format!("if {test}"), vec![a]));
                } else {
                    let open = format!("switch {test} {{");
                    let blocks = vec![("case true".to_string(), vec![a])];
                    body.push(Statement { text: open, blocks, close: " }", ..Statement::default() });
                }
                body.push(b);
            } else {
                let value = self.plain(&scope, &other);
                body.push(Statement::new(format!("y := {value}")));
                let mut scope = scope;
                body.extend(self.statements_before(&mut scope, 1, 2));
                let again =
                    Statement::new(if other == Type::Bool { "y := not y" } else { "y := (y + 1) % 3" });
                let test = self.truth(&scope, 0);
                body.push(Statement::with_block(format!("if {test}"), vec![again]));
            }
            let name = format!("r{i}");
            self.spec.routines.push(Routine { name, param, other, function, body });
        }
    }

    /// A value that needs nothing to be safe.
    fn plain(&mut self, scope: &Scope, ty: &Type) -> String {
        match ty {
            Type::Range(low, high) => {
                let (text, ..) = self.number(scope, 1);
                format!("{low} + (({text} - {low}) % {})", high - low + 1)
            }
            _ => self.truth(scope, 1),
        }
    }

    /// An action whose effect is a block.
    pub(super) fn block_action(&mut self, family: usize, name: String) -> Action {
        let mut scope = Scope { own: Some(family), bound: Vec::new() };
        let mut action = Action { name, ..Action::default() };
        while action.params.len() < 2 && self.random.chance(self.knobs.parameters) {
            let (name, domain) = (format!("p{}", action.params.len()), self.any_domain());
            action.params.push((name.clone(), domain.clone()));
            scope.bound.push((name, domain));
        }
        if self.random.chance(70) {
            let depth = self.random.below(2);
            action.guard.push(self.truth(&scope, depth));
        }
        let count = self.random.between(1, 3);
        action.block = Some(self.statements(&scope, 2, count));
        action
    }

    /// Blocks that make initial states, as long as they can be: none reads what is open, and none has a fault.
    pub(super) fn inits(&mut self) {
        if !self.random.chance(self.knobs.inits) {
            return;
        }
        for _ in 0..6 {
            let count = if self.random.chance(25) { 2 } else { 1 };
            self.spec.inits = (0..count).map(|_| self.init()).collect();
            if self.spec.builds() {
                return;
            }
        }
        self.spec.inits.clear();
    }

    fn init(&mut self) -> Action {
        let mut init = Action::default();
        let mut scope = Scope { own: None, bound: Vec::new() };
        while init.params.len() < 2 && self.random.chance(50) {
            let (name, domain) = (format!("p{}", init.params.len()), self.any_domain());
            init.params.push((name.clone(), domain.clone()));
            scope.bound.push((name, domain));
        }
        if !init.params.is_empty() && self.random.chance(30) {
            init.guard.push(self.truth(&scope, 1));
        }
        let count = self.random.between(1, 3);
        init.block = Some(self.statements(&scope, 1, count));
        init
    }

    pub(super) fn statements(&mut self, scope: &Scope, depth: usize, count: i64) -> Vec<Statement> {
        self.statements_before(&mut scope.clone(), depth, count)
    }

    /// Statements that others of the same block follow, which know what these bind.
    fn statements_before(&mut self, scope: &mut Scope, depth: usize, count: i64) -> Vec<Statement> {
        let mut all = Vec::new();
        for _ in 0..count {
            if self.random.chance(12)
                && let Some((text, inner)) = self.let_statement(scope)
            {
                *scope = inner;
                all.push(text);
                continue;
            }
            all.extend(self.statement(scope, depth));
        }
        all
    }

    fn let_statement(&mut self, scope: &Scope) -> Option<(Statement, Scope)> {
        let mut inner = scope.clone();
        let name = self.name();
        let (value, domain) = if self.random.coin() {
            let family = self.random.below(self.spec.families.len());
            (self.process(scope, family, 0)?, Domain::Family(family))
        } else {
            let (text, least, most) = self.number(scope, 1);
            (text, Domain::Range(least, most))
        };
        inner.bound.push((name.clone(), domain));
        Some((Statement::new(format!("let {name} = {value}")), inner))
    }

    fn statement(&mut self, scope: &Scope, depth: usize) -> Option<Statement> {
        match self.random.below(if depth == 0 { 3 } else { 10 }) {
            0..=3 => self.assign(scope),
            4 => {
                let mut blocks = Vec::new();
                for i in 0..self.random.between(1, 2) {
                    let head = if i == 0 { "if" } else { "else if" };
                    let test = self.truth(scope, 1);
                    blocks.push((format!("{head} {test}"), self.statements(scope, depth - 1, 1)));
                }
                if self.random.coin() {
                    blocks.push(("else".to_string(), self.statements(scope, depth - 1, 2)));
                }
                Some(Statement { blocks, ..Statement::default() })
            }
            5 | 6 => {
                let Binders { text, scope: inner, .. } = self.binders(scope);
                let body = self.statements(&inner, depth - 1, 2);
                Some(Statement::with_block(format!("for {text}"), body))
            }
            7 => self.switch(scope, depth),
            8 => self.call(scope).or_else(|| self.rounds(scope)),
            _ => {
                if self.random.coin() {
                    return self.rounds(scope);
                }
                let claim = self.truth(scope, 1);
                Some(Statement::new(if self.random.chance(20) {
                    "skip".to_string()
                } else {
                    format!("assert {claim}")
                }))
            }
        }
    }

    fn assign(&mut self, scope: &Scope) -> Option<Statement> {
        let target = self.variable(scope, &|_| true, 1)?;
        let mut safety = target.safety;
        let fits = |other: &Type| match (other, &target.ty) {
            (Type::Range(0, 2), Type::Range(low, high)) => *low <= 0 && *high >= 2,
            (a, b) => a == b,
        };
        let functions: Vec<(String, Domain)> = (self.spec.routines.iter())
            .filter(|r| r.function && fits(&r.other))
            .map(|r| (r.name.clone(), r.param.clone()))
            .collect();
        if !functions.is_empty()
            && self.random.chance(35)
            && let (name, param) = self.random.pick(&functions).clone()
            && let Some(argument) = self.index_into(scope, &param, 0)
        {
            let text = format!("{} := {name}({argument})", target.text);
            return Some(Statement { safety, text, ..Statement::default() });
        }
        let value = self.value(scope, &target.ty, &mut safety)?;
        Some(Statement { safety, text: format!("{} := {value}", target.text), ..Statement::default() })
    }

    fn switch(&mut self, scope: &Scope, depth: usize) -> Option<Statement> {
        let looked_at = self.variable(scope, &|ty| matches!(ty, Type::Enum(0..=2) | Type::Range(..)), 0)?;
        let mut values: Vec<String> = match &looked_at.ty {
            Type::Enum(id) => ENUMS[*id].iter().map(ToString::to_string).collect(),
            Type::Range(low, high) => (*low..=*high).map(|v| v.to_string()).collect(),
            _ => return None,
        };
        let mut blocks = Vec::new();
        while !values.is_empty() && blocks.len() < 2 {
            let count = if values.len() > 1 && self.random.coin() { 2 } else { 1 };
            let case = values.split_off(values.len() - count).join(", ");
            blocks.push((format!("case {case}"), self.statements(scope, depth - 1, 1)));
        }
        if self.random.coin() {
            blocks.push(("else".to_string(), self.statements(scope, depth - 1, 1)));
        }
        let text = format!("switch {} {{", looked_at.text);
        Some(Statement { safety: looked_at.safety, text, blocks, close: " }" })
    }

    /// A loop that ends: a number goes up to the end of its range.
    fn rounds(&mut self, scope: &Scope) -> Option<Statement> {
        let number = self.variable(scope, &|ty| matches!(ty, Type::Range(..)), 0)?;
        let Type::Range(_, high) = number.ty else { return None };
        let text = format!("while {} < {high} {{ {} := {} + 1 }}", number.text, number.text, number.text);
        Some(Statement { safety: number.safety, text, ..Statement::default() })
    }

    fn call(&mut self, scope: &Scope) -> Option<Statement> {
        let procedures: Vec<(String, Domain, Type)> = (self.spec.routines.iter())
            .filter(|r| !r.function)
            .map(|r| (r.name.clone(), r.param.clone(), r.other.clone()))
            .collect();
        if procedures.is_empty() {
            return None;
        }
        let (name, param, other) = self.random.pick(&procedures).clone();
        let argument = self.index_into(scope, &param, 0)?;
        let out = self.variable(scope, &|ty| *ty == other, 1)?;
        let text = format!("{name}({argument}, {})", out.text);
        Some(Statement { safety: out.safety, text, ..Statement::default() })
    }

    /// The code of a family, where its labels leave room for states.
    pub(super) fn code(&mut self, family: usize) -> Vec<Statement> {
        let labels = self.random.between(2, 3);
        let count = u32::try_from(self.spec.families[family].count()).unwrap_or(0);
        let space = 4u64.checked_pow(count).and_then(|places| places.checked_mul(self.space));
        if space.is_none_or(|space| space > self.knobs.space * 4) {
            return Vec::new();
        }
        let scope = Scope { own: Some(family), bound: Vec::new() };
        let mut body = Vec::new();
        for label in 0..labels {
            body.push(Statement::new(format!("l{label}:")));
            if self.random.chance(40) {
                let wait = self.wait(&scope, family, labels);
                body.push(wait);
            }
            let count = self.random.between(0, 2);
            let mut scope = scope.clone();
            body.extend(self.statements_before(&mut scope, 1, count));
            if self.random.chance(70) {
                body.extend(self.control(&scope, family, label, labels));
            }
        }
        if self.random.chance(75) { vec![Statement::with_block("loop", body)] } else { body }
    }

    fn wait(&mut self, scope: &Scope, family: usize, labels: i64) -> Statement {
        let name = self.spec.families[family].name.clone();
        let label = self.random.between(0, labels - 1);
        let test = match self.random.below(3) {
            0 => format!("(exists b9 in {name}: b9.at == l{label})"),
            1 => format!("count(b9 in {name}: b9.at == l{label}) <= 1"),
            _ => self.truth(scope, 1),
        };
        Statement::new(format!("await {test}"))
    }

    fn control(&mut self, scope: &Scope, family: usize, label: i64, labels: i64) -> Vec<Statement> {
        let goto = |g: &mut Self| Statement::new(format!("goto l{}", g.random.between(0, labels - 1)));
        match self.random.below(6) {
            0 => {
                let mut inner = scope.clone();
                let mut first = self.statements_before(&mut inner, 1, 1);
                first.push(self.wait(&inner, family, labels));
                let mut second = self.statements(scope, 0, 1);
                second.push(if self.random.chance(15) { Statement::new("stop") } else { goto(self) });
                let blocks = vec![("either".to_string(), first), ("or".to_string(), second)];
                vec![Statement { blocks, ..Statement::default() }]
            }
            1 => {
                let (name, domain) = (self.name(), self.any_domain());
                let mut inner = scope.clone();
                inner.bound.push((name.clone(), domain.clone()));
                let mut body = vec![self.wait(&inner, family, labels)];
                body.extend(self.statements(&inner, 1, 2));
                vec![Statement::with_block(format!("with {name} in {}", self.spec.domain(&domain)), body)]
            }
            2 => {
                let test = self.truth(scope, 1);
                let jump = goto(self);
                vec![Statement::with_block(format!("if {test}"), vec![jump])]
            }
            // Behind a label what was bound before it is not known.
            3 if scope.bound.is_empty() => {
                let test = self.truth(scope, 1);
                let mut body = vec![Statement::new(format!("m{label}:"))];
                body.extend(self.statements(scope, 1, 1));
                vec![Statement::with_block(format!("while {test}"), body)]
            }
            4 => {
                let test = self.truth(scope, 0);
                let (jump, rest) = (goto(self), self.statements(scope, 0, 1));
                let blocks = vec![("case true".to_string(), vec![jump]), ("else".to_string(), rest)];
                let text = format!("switch {test} {{");
                vec![Statement { text, blocks, close: " }", ..Statement::default() }]
            }
            _ => vec![goto(self)],
        }
    }
}
