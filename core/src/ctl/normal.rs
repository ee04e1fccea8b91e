//! A formula in negation normal form, taken apart as far as that is sound.
//!
//! After Emerson & Sistla, "Symmetry and model checking", on decomposing formulas: the parts of a conjunction often have
//! more symmetry than the whole. `AG` and its kin distribute over conjunctions and `forall`, `EF` and its kin over
//! disjunctions and `exists`:
//!
//! ```text
//! AX (f ∧ g) = AX f ∧ AX g      A[f R (g ∧ h)] = A[f R g] ∧ A[f R h]      A[(f ∧ g) U h] = A[f U h] ∧ A[g U h]
//! EX (f ∨ g) = EX f ∨ EX g      E[f U (g ∨ h)] = E[f U g] ∨ E[f U h]      E[(f ∨ g) R h] = E[f R h] ∨ E[g R h]
//! ```
//!
//! This is done only where the parts speak of different processes: otherwise they share all their symmetry.

use crate::define_id;
use crate::group::Process;
use crate::ids::{Id, IdVec};
use crate::limits::MAX_PARTS;
use crate::program::{
    Domain, FamilyId, FixpointVar, FormulaId, FormulaKind, Program, PropertyId, Reg, TermId, TermKind,
};
use crate::property::named_processes;
use crate::sort::Sort as _;
use crate::syntax::ast::{Fixpoint, PathQuantifier, Quantifier, TemporalBinaryOp, TemporalOp};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

define_id!(
    /// A formula in normal form.
    NormalId
);
define_id!(
    /// A fixed point of a formula.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    FixId
);

/// A formula in normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Normal {
    Const(bool),
    /// An expression with the numbers bound in it, and whether it is to hold.
    Atom(TermId, Vec<(Reg, i64)>, bool),
    And(Vec<NormalId>),
    Or(Vec<NormalId>),
    /// `forall`, or `exists`, over the processes of a family.
    Quantified(ProcessQuantifier, Reg, FamilyId, NormalId),
    Next(Path, NormalId),
    Until(Path, NormalId, NormalId),
    Release(Path, NormalId, NormalId),
    Fixpoint(Fixpoint, FixId, NormalId),
    Variable(FixId),
}

/// A fixed point: its variable, once for each place and each number that it is written out for.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    var: FixpointVar,
    pub(super) name: String,
    /// The names of the whole fixed point, and so of its variable.
    names: Names,
    /// The formula, once it is known.
    body: Option<NormalId>,
}

/// `forall` or `exists`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the names are the quantifiers")]
pub enum ProcessQuantifier {
    Forall,
    Exists,
}

/// `A` or `E`: all paths, or some path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the names are the quantifiers")]
pub enum Path {
    All,
    Some,
}

impl Path {
    /// The other one.
    #[must_use]
    pub fn dual(self) -> Path {
        match self {
            Path::All => Path::Some,
            Path::Some => Path::All,
        }
    }
}

/// The names and processes that a formula speaks of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Names {
    /// The names that are bound outside of it.
    pub free: Vec<Reg>,
    /// The processes that are named in it.
    pub named: Vec<Process>,
}

impl Names {
    fn tidy(&mut self) {
        self.free.arrange();
        self.free.dedup();
        self.named.arrange();
        self.named.dedup();
    }
}

/// The formulas of one property, each once.
pub(super) struct Normals<'p> {
    program: &'p Program,
    nodes: IdVec<NormalId, Normal>,
    names: IdVec<NormalId, Names>,
    ids: BTreeMap<Normal, NormalId>,
    /// The numbers that names are bound to.
    numbers: BTreeMap<Reg, i64>,
    /// The families that the names of processes range over.
    pub(super) families: BTreeMap<Reg, FamilyId>,
    /// The fixed points, and those around what is being taken apart.
    pub(super) fixpoints: IdVec<FixId, Bound>,
    around: Vec<FixId>,
    /// The names of the property's fixed points.
    words: &'p IdVec<FixpointVar, String>,
    parts: usize,
}

impl<'p> Normals<'p> {
    pub(super) fn new(program: &'p Program, property: PropertyId) -> Self {
        Normals {
            program,
            fixpoints: IdVec::new(),
            around: Vec::new(),
            words: &program.properties[property].fixpoints,
            nodes: IdVec::new(),
            names: IdVec::new(),
            ids: BTreeMap::new(),
            numbers: BTreeMap::new(),
            families: BTreeMap::new(),
            parts: 0,
        }
    }

    pub(super) fn node(&self, id: NormalId) -> &Normal {
        &self.nodes[id]
    }

    pub(super) fn names(&self, id: NormalId) -> &Names {
        &self.names[id]
    }

    /// Whether it begins with a temporal operator.
    pub(super) fn is_temporal(&self, id: NormalId) -> bool {
        matches!(
            self.nodes[id],
            Normal::Next(..) | Normal::Until(..) | Normal::Release(..) | Normal::Fixpoint(..)
        )
    }

    /// The normal form of a formula, or of its negation; none where it is too large. It recurses as deep as the
    /// formula is nested, which the parser bounds.
    pub(super) fn of(&mut self, id: FormulaId, positive: bool) -> Option<NormalId> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        let program = self.program;
        Some(match &program.formulas[id].kind {
            FormulaKind::Atom(term) => self.atom(*term, positive),
            FormulaKind::Not(a) => self.of(*a, !positive)?,
            FormulaKind::And(list) => {
                let list = self.all(list, positive)?;
                self.joined(positive, list)
            }
            FormulaKind::Or(list) => {
                let list = self.all(list, positive)?;
                self.joined(!positive, list)
            }
            FormulaKind::Implies(a, b) => {
                let list = alloc::vec![self.of(*a, !positive)?, self.of(*b, positive)?];
                self.joined(!positive, list)
            }
            FormulaKind::Iff(a, b) => {
                let both = alloc::vec![self.of(*a, true)?, self.of(*b, positive)?];
                let neither = alloc::vec![self.of(*a, false)?, self.of(*b, !positive)?];
                let list = alloc::vec![self.joined(true, both), self.joined(true, neither)];
                self.joined(false, list)
            }
            FormulaKind::Quantified(quantifier, reg, domain, body) => {
                let forall = (*quantifier == Quantifier::Forall) == positive;
                self.quantifier(forall, *reg, *domain, *body, positive)?
            }
            FormulaKind::Branching(path, op, a) => {
                let path = oriented(*path, positive);
                let a = self.of(*a, positive)?;
                match (op, positive) {
                    (TemporalOp::Next, _) => self.next(path, a),
                    (TemporalOp::Finally, true) | (TemporalOp::Globally, false) => {
                        let always = self.constant(true);
                        self.until(path, always, a)
                    }
                    (TemporalOp::Globally, true) | (TemporalOp::Finally, false) => {
                        let never = self.constant(false);
                        self.release(path, never, a)
                    }
                }
            }
            FormulaKind::BranchingBinary(path, op, a, b) => {
                let path = oriented(*path, positive);
                let (a, b) = (self.of(*a, positive)?, self.of(*b, positive)?);
                // The dual of `a W b`, which is `b R (a ∨ b)`, is `¬b U (¬a ∧ ¬b)`; that of `a M b`, which is
                // `b U (a ∧ b)`, is `¬b R (¬a ∨ ¬b)`. Here a and b are negated already where that is asked for.
                match (op, positive) {
                    (TemporalBinaryOp::Until, true) | (TemporalBinaryOp::Release, false) => {
                        self.until(path, a, b)
                    }
                    (TemporalBinaryOp::Release, true) | (TemporalBinaryOp::Until, false) => {
                        self.release(path, a, b)
                    }
                    (TemporalBinaryOp::WeakUntil, true) | (TemporalBinaryOp::StrongRelease, false) => {
                        let either = self.joined(false, alloc::vec![a, b]);
                        self.release(path, b, either)
                    }
                    (TemporalBinaryOp::StrongRelease, true) | (TemporalBinaryOp::WeakUntil, false) => {
                        let both = self.joined(true, alloc::vec![a, b]);
                        self.until(path, b, both)
                    }
                }
            }
            FormulaKind::Fixpoint(kind, var, body) => self.fixpoint(*kind, *var, *body, positive)?,
            FormulaKind::Variable(var) => {
                // Its sign is that of the fixed point: it stands under an even number of negations in it.
                let fix = self.around.iter().rev().find(|&&fix| self.fixpoints[fix].var == *var);
                let fix = *fix?;
                let names = self.fixpoints[fix].names.clone();
                self.intern(Normal::Variable(fix), names)
            }
            FormulaKind::Temporal(..) | FormulaKind::TemporalBinary(..) => return None,
        })
    }

    /// The negation of `mu X. f(X)` is `nu X. ¬f(¬X)`.
    fn fixpoint(
        &mut self,
        kind: Fixpoint,
        var: FixpointVar,
        body: FormulaId,
        positive: bool,
    ) -> Option<NormalId> {
        let kind = match (kind, positive) {
            (kind, true) => kind,
            (Fixpoint::Least, false) => Fixpoint::Greatest,
            (Fixpoint::Greatest, false) => Fixpoint::Least,
        };
        let (name, names) = (self.words[var].clone(), self.names_in(body));
        let fix = self.fixpoints.push(Bound { var, name, names: names.clone(), body: None });
        self.around.push(fix);
        let body = self.of(body, positive);
        self.around.pop();
        let body = body?;
        self.fixpoints[fix].body = Some(body);
        Some(self.intern(Normal::Fixpoint(kind, fix, body), names))
    }

    /// The names in a formula, before it is taken apart.
    fn names_in(&self, formula: FormulaId) -> Names {
        let program = self.program;
        let mut names = Names::default();
        let mut inside: Vec<Reg> = Vec::new();
        let mut stack = alloc::vec![formula];
        while let Some(id) = stack.pop() {
            match &program.formulas[id].kind {
                FormulaKind::Atom(term) => {
                    free_registers(program, *term, &mut names.free);
                    names.named.extend(named_processes(program, *term));
                }
                FormulaKind::Variable(var) => {
                    // One of an inner fixed point is not among them, and says nothing more.
                    let outer = self.around.iter().rev().find(|&&fix| self.fixpoints[fix].var == *var);
                    if let Some(&fix) = outer {
                        names.free.extend_from_slice(&self.fixpoints[fix].names.free);
                        names.named.extend_from_slice(&self.fixpoints[fix].names.named);
                    }
                }
                FormulaKind::Quantified(_, reg, _, a) => {
                    inside.push(*reg);
                    stack.push(*a);
                }
                FormulaKind::Not(a)
                | FormulaKind::Temporal(_, a)
                | FormulaKind::Branching(_, _, a)
                | FormulaKind::Fixpoint(_, _, a) => stack.push(*a),
                FormulaKind::And(list) | FormulaKind::Or(list) => stack.extend_from_slice(list),
                FormulaKind::Implies(a, b)
                | FormulaKind::Iff(a, b)
                | FormulaKind::TemporalBinary(_, a, b)
                | FormulaKind::BranchingBinary(_, _, a, b) => stack.extend([*a, *b]),
            }
        }
        let known = |reg: &Reg| self.families.contains_key(reg) && !self.numbers.contains_key(reg);
        names.free.retain(|reg| known(reg) && !inside.contains(reg));
        names.tidy();
        names
    }

    fn all(&mut self, list: &[FormulaId], positive: bool) -> Option<Vec<NormalId>> {
        list.iter().map(|&f| self.of(f, positive)).collect()
    }

    /// The body for one process of a family, or for each of some numbers.
    fn quantifier(
        &mut self,
        forall: bool,
        reg: Reg,
        domain: Domain,
        body: FormulaId,
        positive: bool,
    ) -> Option<NormalId> {
        match domain {
            Domain::Family(family) => {
                if self.program.families[family].size == 0 {
                    return Some(self.constant(forall));
                }
                self.families.insert(reg, family);
                let body = self.of(body, positive)?;
                Some(self.quantified(forall, reg, family, body))
            }
            Domain::Range(low, high) if high.saturating_sub(low) > MAX_PARTS as i64 => None,
            Domain::Range(low, high) => {
                let before = self.numbers.get(&reg).copied();
                let mut list = Vec::new();
                for number in low..=high {
                    self.numbers.insert(reg, number);
                    list.push(self.of(body, positive)?);
                }
                match before {
                    Some(number) => self.numbers.insert(reg, number),
                    None => self.numbers.remove(&reg),
                };
                Some(self.joined(forall, list))
            }
        }
    }

    fn atom(&mut self, term: TermId, positive: bool) -> NormalId {
        if let TermKind::Const(value) = self.program.terms[term].kind {
            return self.constant((value != 0) == positive);
        }
        let mut free = Vec::new();
        free_registers(self.program, term, &mut free);
        free.arrange();
        free.dedup();
        let numbers: Vec<(Reg, i64)> =
            free.iter().filter_map(|reg| Some((*reg, *self.numbers.get(reg)?))).collect();
        free.retain(|reg| self.families.contains_key(reg) && !self.numbers.contains_key(reg));
        let named = named_processes(self.program, term);
        self.intern(Normal::Atom(term, numbers, positive), Names { free, named })
    }

    pub(super) fn constant(&mut self, value: bool) -> NormalId {
        self.intern(Normal::Const(value), Names::default())
    }

    /// A conjunction, or a disjunction.
    fn joined(&mut self, and: bool, list: Vec<NormalId>) -> NormalId {
        let mut flat = Vec::with_capacity(list.len());
        for id in list {
            match (&self.nodes[id], and) {
                (Normal::Const(value), _) if *value == and => {}
                (Normal::Const(_), _) => return self.constant(!and),
                (Normal::And(inner), true) | (Normal::Or(inner), false) => flat.extend_from_slice(inner),
                _ => flat.push(id),
            }
        }
        flat.arrange();
        flat.dedup();
        match flat.as_slice() {
            [] => self.constant(and),
            [one] => *one,
            _ => {
                let names = self.names_of(&flat);
                self.intern(if and { Normal::And(flat) } else { Normal::Or(flat) }, names)
            }
        }
    }

    fn quantified(&mut self, forall: bool, reg: Reg, family: FamilyId, body: NormalId) -> NormalId {
        // Families without members were answered before: a name that is not used makes no difference.
        if !self.names[body].free.contains(&reg) {
            return body;
        }
        if let Some(list) = self.splitting(forall, body) {
            let list = list.into_iter().map(|part| self.quantified(forall, reg, family, part)).collect();
            return self.joined(forall, list);
        }
        let mut names = self.names[body].clone();
        names.free.retain(|r| *r != reg);
        let quantifier = if forall { ProcessQuantifier::Forall } else { ProcessQuantifier::Exists };
        self.intern(Normal::Quantified(quantifier, reg, family, body), names)
    }

    /// The parts of a conjunction (or disjunction) that speak of different processes.
    fn splitting(&self, and: bool, id: NormalId) -> Option<Vec<NormalId>> {
        let ((Normal::And(list), true) | (Normal::Or(list), false)) = (&self.nodes[id], and) else {
            return None;
        };
        let differ = list.iter().any(|&part| self.names[part] != self.names[list[0]]);
        differ.then(|| list.clone())
    }

    fn next(&mut self, path: Path, a: NormalId) -> NormalId {
        self.distributed(path == Path::All, a, &|normals, a| {
            let names = normals.names[a].clone();
            normals.intern(Normal::Next(path, a), names)
        })
    }

    fn until(&mut self, path: Path, a: NormalId, b: NormalId) -> NormalId {
        self.distributed_pair(path, path == Path::All, (a, b), |a, b| Normal::Until(path, a, b))
    }

    fn release(&mut self, path: Path, a: NormalId, b: NormalId) -> NormalId {
        self.distributed_pair(path, path == Path::Some, (a, b), |a, b| Normal::Release(path, a, b))
    }

    /// The formula that `make` makes of two, distributed over the first of them or over the second: over a conjunction where it
    /// is about all paths, and over a disjunction where it is about some.
    fn distributed_pair(
        &mut self,
        path: Path,
        over_first: bool,
        (a, b): (NormalId, NormalId),
        make: impl Fn(NormalId, NormalId) -> Normal,
    ) -> NormalId {
        let plain = |normals: &mut Self, a: NormalId, b: NormalId| {
            let names = normals.names_of(&[a, b]);
            normals.intern(make(a, b), names)
        };
        let all = path == Path::All;
        if over_first {
            self.distributed(all, a, &|normals, a| plain(normals, a, b))
        } else {
            self.distributed(all, b, &|normals, b| plain(normals, a, b))
        }
    }

    /// An operator on an operand over whose conjunctions and `forall` (or disjunctions and `exists`) it distributes.
    fn distributed(
        &mut self,
        and: bool,
        operand: NormalId,
        make: &dyn Fn(&mut Self, NormalId) -> NormalId,
    ) -> NormalId {
        if let Normal::Quantified(quantifier, reg, family, body) = self.nodes[operand]
            && (quantifier == ProcessQuantifier::Forall) == and
        {
            let inner = self.distributed(and, body, make);
            return self.quantified(and, reg, family, inner);
        }
        match self.splitting(and, operand) {
            Some(list) => {
                let list = list.into_iter().map(|part| self.distributed(and, part, make)).collect();
                self.joined(and, list)
            }
            None => make(self, operand),
        }
    }

    fn names_of(&self, list: &[NormalId]) -> Names {
        let mut names = Names::default();
        for &id in list {
            names.free.extend_from_slice(&self.names[id].free);
            names.named.extend_from_slice(&self.names[id].named);
        }
        names.tidy();
        names
    }

    fn intern(&mut self, node: Normal, names: Names) -> NormalId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        self.names.push(names);
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// The expressions in a formula, each with the numbers bound in it.
    pub(super) fn atoms(&self, id: NormalId) -> Vec<(TermId, Vec<(Reg, i64)>)> {
        let mut seen = alloc::vec![false; self.nodes.len()];
        let mut stack = alloc::vec![id];
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if core::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match &self.nodes[id] {
                Normal::Const(_) => {}
                Normal::Atom(term, numbers, _) => found.push((*term, numbers.clone())),
                Normal::And(list) | Normal::Or(list) => stack.extend_from_slice(list),
                Normal::Quantified(_, _, _, a) | Normal::Next(_, a) | Normal::Fixpoint(_, _, a) => {
                    stack.push(*a);
                }
                // A variable has no more symmetry than the fixed point that it stands for.
                Normal::Variable(fix) => stack.extend(self.fixpoints[*fix].body),
                Normal::Until(_, a, b) | Normal::Release(_, a, b) => stack.extend([*a, *b]),
            }
        }
        found.arrange();
        found.dedup();
        found
    }
}

impl Normals<'_> {
    /// The fixed points around a formula whose variables stand in it. It recurses as deep as the formula is nested,
    /// which the parser bounds.
    pub(super) fn free_variables(&self, id: NormalId) -> BTreeSet<FixId> {
        match &self.nodes[id] {
            Normal::Const(_) | Normal::Atom(..) => BTreeSet::new(),
            Normal::Variable(fix) => BTreeSet::from([*fix]),
            Normal::And(list) | Normal::Or(list) => {
                list.iter().flat_map(|&part| self.free_variables(part)).collect()
            }
            Normal::Quantified(_, _, _, a) | Normal::Next(_, a) => self.free_variables(*a),
            Normal::Until(_, a, b) | Normal::Release(_, a, b) => {
                self.free_variables(*a).union(&self.free_variables(*b)).copied().collect()
            }
            Normal::Fixpoint(_, fix, a) => {
                let mut free = self.free_variables(*a);
                free.remove(fix);
                free
            }
        }
    }
}

fn oriented(path: PathQuantifier, positive: bool) -> Path {
    let path = match path {
        PathQuantifier::All => Path::All,
        PathQuantifier::Some => Path::Some,
    };
    if positive { path } else { path.dual() }
}

/// The names in an expression, those that it binds itself among them.
pub(super) fn free_registers(program: &Program, term: TermId, found: &mut Vec<Reg>) {
    let kind = &program.terms[term].kind;
    if let TermKind::Bound(reg) = kind {
        found.push(*reg);
    }
    for child in kind.children() {
        free_registers(program, child, found);
    }
}
