//! From the tree to the program: names, parameters, types, then everything compiled.

mod declare;
mod expr;
mod fold;
mod formula;
mod items;
mod names;

use super::compile::compile_actions;
use super::initial::InitialStates;
use super::layout::Layout;
use super::term::{Formula, FormulaId, Reg, Term, TermId, TermKind};
use super::types::{EnumId, FamilyId, Type};
use super::{Action, ActionId, Family, Param, Program, Property, PropertyId, Symmetry, Var, VarId};
use crate::ids::IdVec;
use crate::syntax::ast::{ExprId, File, Ident};
use crate::text::{Diagnostic, Span};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use names::Binding;

/// How many nodes the expressions of a program may have once its definitions are expanded.
const MAX_TERMS: usize = 1_000_000;
/// How deep they may nest then.
const MAX_TERM_DEPTH: u32 = 400;

/// What is set beside the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Values of parameters, by name; the last of several for one name counts.
    pub params: Vec<(String, i64)>,
    /// How many variables a state may have, and how many processes a program; at most 2²⁸, whatever is set.
    pub max_slots: u32,
}

impl Settings {
    /// The most that [`Settings::max_slots`] can allow: slots are counted in 32 bits, with room to add.
    pub const MOST_SLOTS: u32 = 1 << 28;

    fn slot_limit(&self) -> u64 {
        self.max_slots.min(Self::MOST_SLOTS).into()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings { params: Vec::new(), max_slots: Self::MOST_SLOTS }
    }
}

/// Checks a parsed model and compiles it.
///
/// The errors are in the order of the text. An error of the settings has an empty span at the start of the text.
///
/// ```
/// use orbitscope_core::{program, syntax::parse};
/// let parsed = parse("param n = 3\nprocess p[n] { var x: bool = false action go: not x -> x := true }");
/// let settings = program::Settings { params: vec![("n".into(), 5)], ..Default::default() };
/// let program = program::build(&parsed.file, &settings).unwrap();
/// assert_eq!(program.process_count(), 5);
/// ```
pub fn build(file: &File, settings: &Settings) -> Result<Program, Vec<Diagnostic>> {
    let mut builder = Builder::new(file, settings);
    builder.collect();
    builder.params();
    builder.families();
    builder.variables();
    if builder.diagnostics.is_empty() {
        // With sizes known, what a state needs is known: check it before anything of that size is made.
        builder.check_size();
    }
    builder.initial_values();
    builder.actions();
    builder.properties();
    builder.symmetry();
    builder.finish()
}

struct Builder<'a> {
    file: &'a File,
    settings: &'a Settings,
    diagnostics: Vec<Diagnostic>,
    names: names::Globals<'a>,
    locals: IdVec<FamilyId, BTreeMap<&'a str, VarId>>,
    params: Vec<Param>,
    enums: IdVec<EnumId, Vec<String>>,
    families: IdVec<FamilyId, Family>,
    vars: IdVec<VarId, Var>,
    actions: IdVec<ActionId, Action>,
    terms: IdVec<TermId, Term>,
    formulas: IdVec<FormulaId, Formula>,
    properties: IdVec<PropertyId, Property>,
    symmetry: Symmetry,
    scope: Scope<'a>,
    /// The definitions being expanded, from the outside in.
    expanding: Vec<&'a str>,
    /// The parameters being evaluated.
    evaluating: BTreeSet<&'a str>,
    too_large: bool,
}

/// What names mean at the place that is being checked.
#[derive(Default)]
struct Scope<'a> {
    /// The family whose `self` and variables go by their bare names.
    owner: Option<FamilyId>,
    /// Bound names, the innermost last.
    bindings: Vec<(&'a str, Binding)>,
    /// The next free register.
    next_reg: u32,
    /// Whether variables may be read: not in sizes, ranges and initial values.
    constant: Option<&'static str>,
    /// Whether `enabled` may stand here, and `executed`.
    atoms: Atoms,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Atoms {
    #[default]
    None,
    Enabled,
    EnabledAndExecuted,
}

impl<'a> Builder<'a> {
    fn new(file: &'a File, settings: &'a Settings) -> Self {
        Builder {
            file,
            settings,
            diagnostics: Vec::new(),
            names: names::Globals::default(),
            locals: IdVec::new(),
            params: Vec::new(),
            enums: IdVec::new(),
            families: IdVec::new(),
            vars: IdVec::new(),
            actions: IdVec::new(),
            terms: IdVec::new(),
            formulas: IdVec::new(),
            properties: IdVec::new(),
            symmetry: Symmetry::Auto,
            scope: Scope::default(),
            expanding: Vec::new(),
            evaluating: BTreeSet::new(),
            too_large: false,
        }
    }

    fn finish(mut self) -> Result<Program, Vec<Diagnostic>> {
        if !self.diagnostics.is_empty() {
            // A definition's error is found at each use of it, and said once.
            self.diagnostics.sort_by_key(|d| (d.span, d.message.clone()));
            self.diagnostics.dedup();
            return Err(self.diagnostics);
        }
        let layout = Layout::new(&self.families, &self.vars);
        let mut program = Program {
            params: self.params,
            enums: self.enums,
            families: self.families,
            vars: self.vars,
            actions: self.actions,
            terms: self.terms,
            formulas: self.formulas,
            properties: self.properties,
            symmetry: self.symmetry,
            layout,
            compiled: IdVec::new(),
            initial: InitialStates::default(),
        };
        program.initial = InitialStates::new(&program)?;
        program.compiled = compile_actions(&program);
        Ok(program)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(span, message));
    }

    fn duplicate(&mut self, what: &str, name: &Ident, first: Span) {
        self.diagnostics.push(
            Diagnostic::new(name.span, format!("{what} `{}` is declared twice", name.name))
                .with_note(first, "the first one is here"),
        );
    }

    fn term(&mut self, kind: TermKind, ty: Type, span: Span) -> TermId {
        let depth = 1 + kind.children().into_iter().map(|t| self.terms[t].depth).max().unwrap_or(0);
        if self.terms.len() >= MAX_TERMS || depth > MAX_TERM_DEPTH {
            if !self.too_large {
                self.too_large = true;
                self.error(
                    span,
                    format!(
                        "with its definitions expanded this is too large: more than {MAX_TERMS} nodes in all, or more than {MAX_TERM_DEPTH} deep"
                    ),
                );
            }
            return self.terms.push(Term { kind: TermKind::Const(0), ty: Type::Error, span, depth: 1 });
        }
        self.terms.push(Term { kind, ty, span, depth })
    }

    fn constant(&mut self, value: i64, ty: Type, span: Span) -> TermId {
        self.term(TermKind::Const(value), ty, span)
    }

    fn failed(&mut self, span: Span) -> TermId {
        self.constant(0, Type::Error, span)
    }

    fn span(&self, expr: ExprId) -> Span {
        self.file.exprs[expr].span
    }

    fn fresh_reg(&mut self) -> Reg {
        let reg = Reg(self.scope.next_reg);
        self.scope.next_reg += 1;
        reg
    }

    /// Runs `check` in a scope of its own.
    fn in_scope<T>(&mut self, scope: Scope<'a>, check: impl FnOnce(&mut Self) -> T) -> (T, Scope<'a>) {
        let outer = core::mem::replace(&mut self.scope, scope);
        let result = check(self);
        (result, core::mem::replace(&mut self.scope, outer))
    }
}
