//! From the tree to the program: names, parameters, types, then everything compiled.
//!
//! # How the language grows
//!
//! Every engine, the search for symmetries and both exports know one form of an effect: [`Assignment`](super::Assignment), an
//! assignment `over` all choices of some names, `when` a condition holds, as statement number `turn`, reading the old state.
//! Additions to the language are built into that form here.
//!
//! A block is executed on paper (`paper`): a later statement reads the terms that an earlier one assigned, `if` becomes
//! `when`, and `for` over numbers is written out. `for` over a family becomes `over` where no turn reads or assigns what another
//! turn assigns (`turns` decides that); otherwise it is written out too, and costs that family's symmetry. `assert` is an
//! invariant of the states before the step. Code with labels is a local variable `at` and one action a label (`labels`).
//!
//! Types are trees ([`Shape`](super::Shape)) that flatten to scalar variables before the layout: a record is its fields, a set a
//! bit for each value, a bag a number for each value, a queue its places; an empty value has fixed scalars. An expression
//! becomes a `value::Value`, of which `leaf` gives each scalar, `equal` compares and `assign_all` assigns all of them. A `Place`
//! in a block reads the paper as it was when the place was named. Terms share parts in memory, but whoever compiles them writes
//! each use out, and that is what limits a block.

mod access;
mod bag;
mod bind;
mod block;
mod bounds;
mod call;
mod collect;
mod convert;
mod declare;
mod effect;
mod expr;
mod fold;
mod formula;
mod items;
mod labels;
mod local;
mod names;
mod paper;
mod reached;
mod routine;
mod shapes;
mod start;
mod turns;
mod value;

use super::assumption::Assumption;
use super::compile::{Predicate, compile_actions};
use super::initial::InitialStates;
use super::layout::Layout;
use super::shape::{DeclId, Declared, Shapes};
use super::term::{FixpointVar, Formula, FormulaId, Reg, Term, TermId, TermKind};
use super::types::{EnumId, FamilyId, Type};
use super::{Action, ActionId, Family, Param, Program, Property, PropertyId, Start, Symmetry, Var, VarId};
use crate::ids::IdVec;
use crate::limits::{MAX_SLOTS, MAX_TERM_DEPTH, MAX_TERMS};
use crate::sort::Sort as _;
use crate::syntax::ast::{ExprId, File, Ident};
use crate::text::{Diagnostic, Span};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use names::Binding;

/// The settings beside the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Values of parameters, by name; the last of several for one name counts.
    pub params: Vec<(String, i64)>,
    /// How many variables a state may have, and how many processes a program; at most 2²⁶, whatever is set.
    pub max_slots: u32,
}

impl Settings {
    /// The most that [`Settings::max_slots`] can allow: compiled, a slot takes some thirty bytes.
    pub const MOST_SLOTS: u32 = MAX_SLOTS;

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
    builder.starts();
    builder.actions();
    builder.properties();
    builder.assert_properties();
    builder.symmetry();
    builder.hints();
    builder.assumption();
    builder.finish()
}

struct Builder<'a> {
    file: &'a File,
    settings: &'a Settings,
    diagnostics: Vec<Diagnostic>,
    names: names::Globals<'a>,
    locals: IdVec<FamilyId, BTreeMap<&'a str, DeclId>>,
    shapes: Shapes,
    declared: IdVec<DeclId, Declared>,
    /// The numbers of literals and truth values that a register stands for.
    positions: BTreeMap<TermId, TermId>,
    /// Processes that were picked from values which may be `none`: they are none of those.
    picked: BTreeSet<TermId>,
    params: Vec<Param>,
    enums: IdVec<EnumId, Vec<String>>,
    /// The enumerations by their literals.
    enum_ids: BTreeMap<Vec<String>, EnumId>,
    families: IdVec<FamilyId, Family>,
    vars: IdVec<VarId, Var>,
    /// The first variable of a block: it and those behind it have no place in a state.
    first_local: Option<(DeclId, VarId)>,
    starts: Vec<Start>,
    actions: IdVec<ActionId, Action>,
    terms: IdVec<TermId, Term>,
    formulas: IdVec<FormulaId, Formula>,
    properties: IdVec<PropertyId, Property>,
    symmetry: Symmetry,
    hints: Vec<(TermId, Span)>,
    assumed: Option<Assumed>,
    asserts: Vec<block::Assert>,
    /// Values that were read from variables, and so are in these ranges.
    in_range: BTreeMap<TermId, (i64, i64)>,
    scope: Scope<'a>,
    /// The definitions being expanded, from the outside in, with the places of their uses.
    expanding: Vec<(&'a str, Span)>,
    /// The parameters being evaluated, and those that have no value.
    evaluating: BTreeSet<&'a str>,
    valueless: BTreeSet<&'a str>,
    /// The named types being resolved.
    resolving: Vec<String>,
    /// How many nodes the uses of definitions' arguments stand for, beyond those in `terms`.
    copied: usize,
    too_large: bool,
}

/// An assumption, before it can be compiled.
struct Assumed {
    term: TermId,
    regs: u32,
    names: Vec<String>,
    span: Span,
}

/// The meaning of names at the place that is being checked.
#[derive(Default)]
struct Scope<'a> {
    /// The family whose `self` and variables go by their bare names.
    owner: Option<FamilyId>,
    /// Bound names, the innermost last.
    bindings: Vec<(&'a str, Binding)>,
    /// The next free register.
    next_reg: u32,
    /// While parameters are bound, whose registers follow one another: the next register for what their domains bind inside.
    aside: Option<u32>,
    /// The names that registers were bound to.
    names: Vec<&'a str>,
    /// The variables of the fixed points met so far.
    fixpoints: IdVec<FixpointVar, String>,
    /// Whether variables may be read: not in sizes, ranges and initial values.
    constant: Option<&'static str>,
    /// Whether `enabled` may stand here, and `executed`.
    atoms: Atoms,
    /// The operands before the part of a formula that is being checked.
    reached: reached::Reached,
    /// The effects of a block's statements so far; none outside of blocks.
    paper: Option<paper::Paper>,
    /// The target that is being checked, by its place in the text: it is not read.
    placing: Option<Span>,
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
            shapes: Shapes::default(),
            declared: IdVec::new(),
            positions: BTreeMap::new(),
            picked: BTreeSet::new(),
            params: Vec::new(),
            enums: IdVec::new(),
            enum_ids: BTreeMap::new(),
            families: IdVec::new(),
            vars: IdVec::new(),
            first_local: None,
            starts: Vec::new(),
            actions: IdVec::new(),
            terms: IdVec::new(),
            formulas: IdVec::new(),
            properties: IdVec::new(),
            symmetry: Symmetry::Auto,
            hints: Vec::new(),
            assumed: None,
            asserts: Vec::new(),
            in_range: BTreeMap::new(),
            scope: Scope::default(),
            expanding: Vec::new(),
            evaluating: BTreeSet::new(),
            valueless: BTreeSet::new(),
            resolving: Vec::new(),
            copied: 0,
            too_large: false,
        }
    }

    fn finish(mut self) -> Result<Program, Vec<Diagnostic>> {
        if !self.diagnostics.is_empty() {
            // A definition's error is found at each use of it, and said once.
            self.diagnostics.arrange_by_key(|d| (d.span, d.message.clone()));
            self.diagnostics.dedup();
            return Err(self.diagnostics);
        }
        self.forget_locals();
        let layout = Layout::new(&self.families, &self.vars);
        let mut program = Program {
            params: self.params,
            enums: self.enums,
            families: self.families,
            vars: self.vars,
            shapes: self.shapes,
            declared: self.declared,
            starts: self.starts,
            actions: self.actions,
            terms: self.terms,
            formulas: self.formulas,
            properties: self.properties,
            symmetry: self.symmetry,
            hints: self.hints,
            assumption: None,
            layout,
            compiled: IdVec::new(),
            initial: InitialStates::default(),
        };
        program.initial = InitialStates::new(&program)?;
        program.compiled = compile_actions(&program);
        if let Some(Assumed { term, regs, names, span }) = self.assumed {
            let predicate = Predicate::new(&program, term, regs);
            program.assumption = Some(Assumption { term, regs, names, span, predicate });
            program.check_assumption()?;
        }
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
        let (mut depth, mut size) = (0, 1u32);
        for child in kind.children() {
            depth = depth.max(self.terms[child].depth);
            size = size.saturating_add(self.terms[child].size);
        }
        depth += 1;
        if self.written_out() >= MAX_TERMS {
            self.too_large(span, &format!("more than {MAX_TERMS} operators and operands in all"));
        } else if depth > MAX_TERM_DEPTH {
            self.too_large(span, &format!("nested more than {MAX_TERM_DEPTH} deep"));
        } else {
            return self.terms.push(Term { kind, ty, span, depth, size });
        }
        self.terms.push(Term { kind: TermKind::Const(0), ty: Type::Error, span, depth: 1, size: 1 })
    }

    fn written_out(&self) -> usize {
        self.terms.len().saturating_add(self.copied)
    }

    /// One more use of an argument of a definition.
    fn copy(&mut self, argument: TermId, span: Span) -> TermId {
        self.copied = self.copied.saturating_add(self.terms[argument].size as usize);
        if self.written_out() < MAX_TERMS {
            return argument;
        }
        self.failed(span)
    }

    /// Says once that the expressions are too large; what follows from that is not worth saying.
    fn too_large(&mut self, span: Span, how: &str) {
        if !self.too_large {
            self.too_large = true;
            let message = if self.scope.paper.is_some() {
                format!(
                    "with every statement written in terms of the state before it, this block is too large: {how}"
                )
            } else {
                format!("with the definitions written out, the model's expressions are too large: {how}")
            };
            // The outermost use is the one that the reader can do something about.
            let span = self.expanding.first().map_or(span, |(_, span)| *span);
            self.diagnostics.push(Diagnostic::too_large(span, message));
        }
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

    fn fresh_reg(&mut self, name: &'a str) -> Reg {
        let reg = Reg(self.scope.next_reg);
        self.scope.next_reg += 1;
        self.scope.names.push(name);
        reg
    }

    /// Runs `check` in a scope of its own.
    fn in_scope<T>(&mut self, scope: Scope<'a>, check: impl FnOnce(&mut Self) -> T) -> (T, Scope<'a>) {
        let outer = core::mem::replace(&mut self.scope, scope);
        let result = check(self);
        (result, core::mem::replace(&mut self.scope, outer))
    }
}
