//! Rules, start states and properties.

use super::bind::Choice;
use super::scope::{Entity, Val, strength};
use super::types::Ty;
use super::{Property, Translator};
use crate::marks::marked;
use crate::tree::{Body, Expr, ExprKind, Name, Quantifier, Rule, RuleKind};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;
use orbitscope_core::text::Span;

/// The rulesets and aliases around a rule.
#[derive(Clone)]
pub(super) enum Around<'a> {
    Over(&'a Name, Box<Bind>),
    Alias(&'a Name, &'a Expr),
    Choose(&'a Name, &'a Expr),
}

/// One way in which a ruleset binds a name.
#[derive(Clone)]
pub(super) struct Bind {
    binder: Option<(String, String)>,
    val: Val,
}

impl From<Choice> for Bind {
    fn from(choice: Choice) -> Bind {
        Bind { binder: choice.binder, val: choice.val }
    }
}

/// How the names around a rule are written.
struct Bound {
    /// The family that owns the rule.
    owner: Option<String>,
    /// `x in D`
    binders: Vec<String>,
    /// The fixed values, as parts of a name.
    fixed: Vec<String>,
}

impl<'a> Translator<'a> {
    pub(super) fn rules(&mut self, rules: &'a [Rule], around: &mut Vec<Around<'a>>) {
        for rule in rules {
            let outer = self.owner.clone();
            if let Some(owner) = self.owner_line(rule.span.start) {
                self.owner = Some(owner);
            }
            match &rule.kind {
                RuleKind::Ruleset(over, inner) => self.ruleset(over, inner, around),
                RuleKind::Alias(names, inner) => {
                    let (depth, known) = (around.len(), self.scope.len());
                    around.extend(names.iter().map(|(name, expr)| Around::Alias(name, expr)));
                    for (name, expr) in names {
                        // The types of inner rulesets may use a constant by its alias.
                        if let ExprKind::Name(own) = &expr.kind
                            && let Some(Entity::Value(val)) = self.lookup(own).cloned()
                            && val.number.is_some()
                        {
                            self.scope.push((name.text.clone(), Entity::Value(val)));
                        }
                    }
                    self.rules(inner, around);
                    self.scope.truncate(known);
                    around.truncate(depth);
                }
                RuleKind::Choose(name, set, inner) => {
                    around.push(Around::Choose(name, set));
                    self.rules(inner, around);
                    around.pop();
                }
                RuleKind::Rule { name, guard, body } => {
                    self.rule(name.as_deref(), guard.as_ref(), body, around, rule.span);
                }
                RuleKind::Start { name: _, body } => self.start(body, around, rule.span),
                RuleKind::Property { word, name, condition } => {
                    self.property(word, name.as_deref(), condition, around, rule.span);
                }
            }
            self.owner = outer;
        }
    }

    /// The name in a line `-- orbitscope: owner NAME` between the last part of the text and this one.
    fn owner_line(&mut self, start: u32) -> Option<String> {
        let from = core::mem::replace(&mut self.last_rule, start);
        let between = self.comments.iter().filter(|c| from <= c.span.start && c.span.start < start);
        let mut names = between.filter_map(|c| super::owner_named(&c.text));
        names.next_back().map(String::from)
    }

    fn ruleset(&mut self, over: &'a [Quantifier], inner: &'a [Rule], around: &mut Vec<Around<'a>>) {
        let Some((first, rest)) = over.split_first() else {
            self.rules(inner, around);
            return;
        };
        for choice in self.choices(first) {
            let name = choice.binder.as_ref().map(|(_, name)| name.clone());
            let depth = self.scope.len();
            // The types of inner rulesets may use it.
            self.scope.push((first.name.text.clone(), Entity::Value(choice.val.clone())));
            around.push(Around::Over(&first.name, Box::new(choice.into())));
            self.ruleset(rest, inner, around);
            around.pop();
            self.scope.truncate(depth);
            if let Some(name) = name {
                self.release(&name);
            }
        }
    }

    /// Binds what stands around a rule. In a rule the first process is its owner, and goes by `self`.
    fn bind(&mut self, around: &[Around<'a>], in_rule: bool) -> Bound {
        let mut bound = Bound { owner: None, binders: Vec::new(), fixed: Vec::new() };
        let wanted = self.owner.clone().filter(|_| in_rule);
        let is_param = |wanted: &String| {
            around.iter().any(|part| matches!(part, Around::Over(name, _) if name.text == *wanted))
        };
        let param = wanted.as_ref().filter(|wanted| is_param(wanted));
        if let (Some(wanted), None) = (&wanted, param) {
            // No name of the ruleset: a process of its own.
            let known =
                self.own_processes.iter().find(|(name, _)| name == wanted).map(|(_, out)| out.clone());
            let out = known.unwrap_or_else(|| {
                let out = self.global_name(wanted);
                self.own_processes.push((wanted.clone(), out.clone()));
                out
            });
            bound.owner = Some(out);
        }
        for part in around {
            match part {
                Around::Over(name, bind) => {
                    let Bind { binder, val } = &**bind;
                    let mut val = val.clone();
                    match (binder, self.ty(val.ty)) {
                        (Some(_), Ty::Scalarset(family))
                            if in_rule
                                && bound.owner.is_none()
                                && param.is_none_or(|param| *param == name.text) =>
                        {
                            bound.owner = Some(family.clone());
                            val.base = "self".into();
                        }
                        (Some((binder, _)), _) => bound.binders.push(binder.clone()),
                        (None, _) => bound.fixed.push(val.text().replace("[0]", "")),
                    }
                    self.scope.push((name.text.clone(), Entity::Value(val)));
                }
                Around::Alias(name, expr) => {
                    let entity = self.alias(name, expr);
                    self.scope.push((name.text.clone(), entity));
                }
                Around::Choose(name, set) => {
                    let place = self.place(set);
                    let Ty::Multiset(_, element) = *self.ty(place.ty) else {
                        self.error(set.span, "`choose` takes a value from a multiset");
                        continue;
                    };
                    if !place.cases.is_empty() {
                        self.error(set.span, super::multiset::ONE_NETWORK);
                        continue;
                    }
                    let out = self.local_name(&name.text);
                    bound.binders.push(format!("{out} in {}", place.text()));
                    let val = super::multiset::element_of(&out, element);
                    self.scope.push((name.text.clone(), Entity::Element(val)));
                }
            }
        }
        bound
    }

    /// Aliases once more: in the body they are found when it starts.
    fn bind_again(&mut self, around: &[Around<'a>]) {
        for part in around {
            if let Around::Alias(name, expr) = part {
                let entity = self.alias(name, expr);
                self.scope.push((name.text.clone(), entity));
            }
        }
    }

    fn rule(
        &mut self,
        name: Option<&str>,
        guard: Option<&Expr>,
        body: &'a Body,
        around: &[Around<'a>],
        span: Span,
    ) {
        self.rule_count += 1;
        let comments = self.comments_before(span.start);
        let depth = self.scope.len();
        let used = self.used.clone();
        self.defined.covered.clear();
        self.no_statements += 1;
        let bound = self.bind(around, true);
        let guard_text = guard.map_or(String::new(), |guard| {
            let text = self.truth(guard).text();
            marked(&format!(": {text}"), guard.span)
        });
        self.no_statements -= 1;
        self.bind_again(around);
        self.level = self.scope.len();
        self.indent = 2;
        self.body(body, None);
        self.level = self.globals;
        self.scope.truncate(depth);
        self.used = used;
        let mut lines = core::mem::take(&mut self.lines);
        if lines.is_empty() {
            lines = "    skip\n".into();
        }
        let owner = bound.owner.clone().unwrap_or_else(|| super::SYSTEM.to_string());
        let action = self.action_name(&owner, name, &bound.fixed);
        let params = match bound.binders.len() {
            0 => String::new(),
            _ => format!("({})", bound.binders.join(", ")),
        };
        let mut text = String::new();
        for comment in comments {
            let _ = writeln!(text, "  {comment}");
        }
        let head = format!("action {action}{params}{guard_text} {{");
        text.push_str(&marked(&format!("  {head}\n{lines}  }}\n"), span));
        self.size += text.len();
        self.actions.push((owner, text));
    }

    fn action_name(&mut self, owner: &str, name: Option<&str>, fixed: &[String]) -> String {
        let otherwise = format!("rule_{}", self.rule_count);
        let mut base = super::names::from_text(name.unwrap_or(""), &otherwise);
        for part in fixed {
            base = format!("{base}_{part}");
        }
        let base: String = base.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut free = base.clone();
        let mut number = 2;
        while !self.action_names.insert((owner.into(), free.clone())) {
            free = format!("{base}_{number}");
            number += 1;
        }
        if let Some(name) = name.filter(|name| !name.trim().is_empty()) {
            let own = |part: &String| self.names.literals.get(part).unwrap_or(part).clone();
            let fixed: Vec<String> = fixed.iter().map(own).collect();
            let fixed = if fixed.is_empty() { String::new() } else { format!(" ({})", fixed.join(", ")) };
            let name: String = name.chars().filter(|c| !c.is_control()).collect();
            self.names.rules.insert((owner.into(), free.clone()), format!("{}{fixed}", name.trim()));
        }
        free
    }

    fn start(&mut self, body: &'a Body, around: &[Around<'a>], span: Span) {
        let comments = self.comments_before(span.start);
        let depth = self.scope.len();
        let used = self.used.clone();
        self.defined.covered.clear();
        self.defined.in_start = true;
        self.indent = 1;
        let bound = self.bind(around, false);
        self.level = self.scope.len();
        self.body(body, None);
        self.level = self.globals;
        self.note_started();
        self.defined.in_start = false;
        self.scope.truncate(depth);
        self.used = used;
        let mut lines = core::mem::take(&mut self.lines);
        if lines.is_empty() {
            lines = "  skip\n".into();
        }
        let params = match bound.binders.len() {
            0 => String::new(),
            _ => format!("({})", bound.binders.join(", ")),
        };
        let mut text = String::new();
        for comment in comments {
            let _ = writeln!(text, "{comment}");
        }
        text.push_str(&marked(&format!("init{params} {{\n{lines}}}\n"), span));
        self.starts.push(text);
    }

    fn property(
        &mut self,
        word: &'static str,
        name: Option<&str>,
        condition: &Expr,
        around: &[Around<'a>],
        span: Span,
    ) {
        let comments = self.comments_before(span.start);
        let depth = self.scope.len();
        let used = self.used.clone();
        self.no_statements += 1;
        let bound = self.bind(around, false);
        let truth = self.truth(condition);
        self.no_statements -= 1;
        self.scope.truncate(depth);
        self.used = used;
        let over = if bound.binders.is_empty() {
            String::new()
        } else {
            let word = if word == "cover" { "exists" } else { "forall" };
            format!("{word} {}: ", bound.binders.join(", "))
        };
        let text = marked(&truth.text(), condition.span);
        let numbered = format!("{word}_{}", self.properties.len() + 1);
        let mut base = super::names::from_text(name.unwrap_or(""), &numbered);
        for part in &bound.fixed {
            base = format!("{base}_{part}");
        }
        let mut free = base.clone();
        let mut number = 2;
        while !self.property_names.insert(free.clone()) {
            free = format!("{base}_{number}");
            number += 1;
        }
        let text = match word {
            "cover" => format!("cover {free}: {over}{text}"),
            "assume" => format!("assume {over}{text}"),
            "liveness" => format!("ctl {free}: {over}AG EF {}", paren(&text, truth.strength)),
            _ => format!("invariant {free}: {over}{text}"),
        };
        self.properties.push(Property { comments, text: marked(&text, span) });
    }
}

fn paren(text: &str, own: u8) -> String {
    if own < strength::NOT { format!("({text})") } else { text.into() }
}
