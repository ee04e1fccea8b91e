//! From terms to code, and from actions to a form whose guards are tested as early as possible.

use super::behaviour::SharedBehaviour;
use super::code::{Code, Fault, LocalPlace, Loop, LoopDomain, Op, Registers, View};
use super::effect::{CompiledWrite, compile_write};
use super::kept::kept_parts;
use super::layout::domain_size;
use super::term::{ArithmeticOp, Comparison, Domain, Reg, Term, TermId, TermKind};
use super::types::{FamilyId, Type};
use super::{ActionId, Program, VarId};
use crate::group::Process;
use crate::ids::{Id, IdVec};
use crate::syntax::ast::Quantifier;
use crate::text::Span;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A compiled expression that is true or false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    condition: Condition,
    regs: u32,
}

impl Predicate {
    /// Compiles a term of type bool; `regs` is one more than the highest register in it.
    pub fn new(program: &Program, term: TermId, regs: u32) -> Predicate {
        Predicate { condition: as_condition(compile_with(program, term, &[])), regs }
    }

    /// Compiles a term of type bool in which registers stand for fixed processes.
    pub fn with_stand_ins(
        program: &Program,
        term: TermId,
        regs: u32,
        stand_ins: &[(Process, Reg)],
    ) -> Predicate {
        let code = compile_whole(program, term, &[], stand_ins);
        let highest = stand_ins.iter().map(|(_, reg)| reg.0 + 1).max().unwrap_or(0);
        Predicate { condition: as_condition(code), regs: regs.max(highest) }
    }

    /// Whether it holds in a state, with these values in these registers.
    pub fn holds_with<V: View>(
        &self,
        view: &V,
        scratch: &mut Scratch,
        bound: &[(Reg, i64)],
    ) -> Result<bool, Fault> {
        scratch.regs.reserve(self.regs);
        for &(reg, value) in bound {
            scratch.regs.reserve(reg.0 + 1);
            scratch.regs.set(reg, value, 1);
        }
        self.condition.holds(view, scratch)
    }

    /// Whether it holds in a state, with the processes or numbers in `bound` for the first registers.
    pub fn holds<V: View>(&self, view: &V, scratch: &mut Scratch, bound: &[i64]) -> Result<bool, Fault> {
        scratch.regs.reserve(self.regs.max(bound.len() as u32));
        for (index, &value) in bound.iter().enumerate() {
            scratch.regs.set(Reg::from_index(index), value, 1);
        }
        self.condition.holds(view, scratch)
    }
}

/// A term that does not look at the state: a function of the names bound around it.
#[derive(Clone, Debug)]
pub struct StaticTerm {
    code: Code,
    regs: Vec<Reg>,
    scratch: Scratch,
}

impl StaticTerm {
    /// Compiles a term whose bound names are `regs`.
    pub fn new(program: &Program, term: TermId, regs: &[Reg]) -> StaticTerm {
        let code = compile_with(program, term, &[]);
        let mut scratch = Scratch::default();
        scratch.regs.reserve(code.bound_regs().max(regs.iter().map(|r| r.0 + 1).max().unwrap_or(0)));
        StaticTerm { code, regs: regs.to_vec(), scratch }
    }

    /// Its value with these values for the names; none where it faults.
    pub fn value(&mut self, bound: &[i64]) -> Option<i64> {
        for (&reg, &value) in self.regs.iter().zip(bound) {
            self.scratch.regs.set(reg, value, 1);
        }
        let view = super::flat::Flat::new(&[]);
        self.code.eval(&view, &mut self.scratch.regs, &mut self.scratch.stack).ok()
    }
}

/// Registers and stack of the machine, kept from one evaluation to the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) regs: Registers,
    pub(super) stack: Vec<i64>,
}

/// A test; the two most common ones need no stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    Shared(u32, Comparison, i64),
    Local(LocalPlace, Reg, Comparison, i64),
    Code(Code),
}

impl Condition {
    pub(super) fn holds<V: View>(&self, view: &V, scratch: &mut Scratch) -> Result<bool, Fault> {
        match self {
            Condition::Shared(slot, comparison, value) => Ok(comparison.holds(view.shared(*slot), *value)),
            Condition::Local(place, reg, comparison, value) => {
                Ok(comparison.holds(view.local(*place, scratch.regs.get(*reg) as u32), *value))
            }
            Condition::Code(code) => Ok(code.eval(view, &mut scratch.regs, &mut scratch.stack)? != 0),
        }
    }
}

/// An action, ready to execute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompiledAction {
    /// The tests that can be made when nothing is bound, when `self` is, when the first parameter is, and so on.
    pub(super) levels: Vec<Vec<Condition>>,
    pub(super) params: Vec<(Reg, LoopDomain)>,
    pub(super) writes: Vec<CompiledWrite>,
    pub(super) regs: u32,
    /// Computes guard and values instead of the tests and the code of the writes.
    pub(super) behaviour: Option<SharedBehaviour>,
}

impl CompiledAction {
    pub(super) fn let_behave(&mut self, behaviour: SharedBehaviour) {
        self.levels.iter_mut().for_each(Vec::clear);
        self.behaviour = Some(behaviour);
    }
}

impl CompiledAction {
    /// The families for each of whose processes an assignment is made one by one.
    pub(crate) fn one_by_one(&self) -> impl Iterator<Item = FamilyId> {
        let over = self.writes.iter().flat_map(|write| &write.over).filter(|over| !over.stretches);
        over.filter_map(|over| match over.domain {
            LoopDomain::Family(family, ..) => Some(family),
            LoopDomain::Range(..) => None,
        })
    }
}

pub(super) fn compile_actions(program: &Program) -> IdVec<ActionId, CompiledAction> {
    program.actions.ids().map(|id| compile_action(program, id)).collect()
}

fn compile_action(program: &Program, id: ActionId) -> CompiledAction {
    let action = &program.actions[id];
    let self_family = action.family;
    let mut peers: Vec<(Reg, FamilyId)> = Vec::new();
    peers.push((Reg(0), self_family));
    let mut params = Vec::new();
    for (index, param) in action.params.iter().enumerate() {
        let reg = Reg(index as u32 + 1);
        params.push((reg, loop_domain(program, param.domain, &peers)));
        if let Domain::Family(family) = param.domain {
            peers.push((reg, family));
        }
    }
    let mut levels: Vec<Vec<Condition>> = (0..action.params.len() + 2).map(|_| Vec::new()).collect();
    let mut domains = action.params.iter().map(|p| p.domain).chain([Domain::Family(self_family)]);
    if domains.any(|domain| domain_size(domain, &program.families) == 0) {
        // Nobody could execute it: no test is made, so none can fault.
        let mut never = Code::default();
        never.ops.push(Op::Push(0));
        never.spans.push(action.span);
        levels[0].push(Condition::Code(never));
    }
    let conjuncts = match &program.terms[action.guard].kind {
        TermKind::And(list) => list.clone(),
        _ => alloc::vec![action.guard],
    };
    // Tests are made as early as they can be, but a test that may fault stays behind all that stand before it in the
    // text, and before all that stand behind it: the order decides whether there is a fault.
    let (mut highest, mut highest_fault) = (0, 0);
    for conjunct in conjuncts {
        let needed = level(program, conjunct, action.params.len());
        let faults = may_fault(&program.terms, conjunct);
        let at = needed.max(if faults { highest } else { highest_fault });
        highest = highest.max(at);
        if faults {
            highest_fault = highest_fault.max(at);
        }
        let code = compile_with(program, conjunct, &peers);
        levels[at].push(as_condition(code));
    }
    let writes = (0..action.assignments.len())
        .map(|n| compile_write(program, &action.assignments, n, &peers))
        .collect();
    CompiledAction { levels, params, writes, regs: action.regs, behaviour: None }
}

/// The highest of `self` and the parameters that a term needs, as a level of [`CompiledAction::levels`].
fn level(program: &Program, term: TermId, params: usize) -> usize {
    let own = match program.terms[term].kind {
        TermKind::Bound(Reg(reg)) if reg as usize <= params => reg as usize + 1,
        _ => 0,
    };
    let children = program.terms[term].kind.children();
    children.into_iter().map(|t| level(program, t, params)).max().unwrap_or(0).max(own)
}

/// Whether evaluating a term may end with a fault.
pub(super) fn may_fault(terms: &IdVec<TermId, Term>, term: TermId) -> bool {
    let kind = &terms[term].kind;
    let optional = |t: TermId| !matches!(terms[t].ty, Type::Process { optional: false, .. });
    let own = match kind {
        TermKind::Arithmetic(ArithmeticOp::Min | ArithmeticOp::Max, ..) => false,
        TermKind::Quantified(Quantifier::Sum | Quantifier::Min | Quantifier::Max, ..)
        | TermKind::Arithmetic(..)
        | TermKind::Neg(_)
        | TermKind::Recode(..)
        | TermKind::Fault(_)
        | TermKind::ProcessAt(..)
        | TermKind::Endless => true,
        TermKind::Local(_, process, indices) => optional(*process) || indices.iter().any(|&t| optional(t)),
        TermKind::Shared(_, indices) => indices.iter().any(|&t| optional(t)),
        TermKind::IndexOf(p) | TermKind::Neighbour(_, p) | TermKind::Enabled(p) | TermKind::Executed(p) => {
            optional(*p)
        }
        _ => false,
    };
    own || kind.children().into_iter().any(|t| may_fault(terms, t))
}

pub(super) fn loop_domain(program: &Program, domain: Domain, peers: &[(Reg, FamilyId)]) -> LoopDomain {
    match domain {
        Domain::Family(family) => {
            let bound = peers.iter().filter(|(_, f)| *f == family).map(|(r, _)| *r).collect();
            LoopDomain::Family(family, program.families[family].size, bound)
        }
        Domain::Range(low, high) => LoopDomain::Range(low, high),
    }
}

pub(super) fn as_condition(code: Code) -> Condition {
    match code.ops.as_slice() {
        [Op::SharedTest(slot, comparison, value)] => Condition::Shared(*slot, *comparison, *value as i64),
        [Op::LocalTest(place, reg, comparison, value)] => {
            Condition::Local(*place, *reg, *comparison, *value as i64)
        }
        _ => Condition::Code(code),
    }
}

/// Compiles a term; `peers` are the registers that hold processes. Those that do not occur in the term need not be told
/// from others in it, and may not even be bound when it is evaluated.
pub(super) fn compile_with(program: &Program, term: TermId, peers: &[(Reg, FamilyId)]) -> Code {
    let peers: Vec<_> = peers.iter().copied().filter(|(reg, _)| occurs(program, term, *reg)).collect();
    compile_whole(program, term, &peers, &[])
}

/// Compiles a term, and the parts of it that are kept each by itself.
fn compile_whole(
    program: &Program,
    term: TermId,
    peers: &[(Reg, FamilyId)],
    stand_ins: &[(Process, Reg)],
) -> Code {
    let parts = kept_parts(program, term);
    let compiled = |term: TermId| {
        let mut compiler = Compiler { kept: &parts, stand_ins, ..Compiler::new(program, peers) };
        compiler.fresh(term);
        compiler.code
    };
    Code { kept: parts.iter().map(|&part| compiled(part)).collect(), ..compiled(term) }
}

pub(super) fn occurs(program: &Program, term: TermId, reg: Reg) -> bool {
    let kind = &program.terms[term].kind;
    *kind == TermKind::Bound(reg) || kind.children().into_iter().any(|t| occurs(program, t, reg))
}

pub(super) struct Compiler<'a> {
    pub program: &'a Program,
    pub code: Code,
    /// The registers that hold processes at this place, with their families.
    pub peers: Vec<(Reg, FamilyId)>,
    /// The registers that stand for fixed processes.
    pub stand_ins: &'a [(Process, Reg)],
    /// The parts whose values are kept, in order.
    pub kept: &'a [TermId],
}

impl<'a> Compiler<'a> {
    pub(super) fn new(program: &'a Program, peers: &[(Reg, FamilyId)]) -> Self {
        Compiler { program, code: Code::default(), peers: peers.to_vec(), stand_ins: &[], kept: &[] }
    }

    fn emit(&mut self, op: Op, span: Span) -> usize {
        self.code.ops.push(op);
        self.code.spans.push(span);
        self.code.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    pub(super) fn place(&self, var: VarId) -> LocalPlace {
        let Some(family) = self.program.vars[var].owner else {
            unreachable!("a local variable has an owner")
        };
        let record = self.program.layout.records[family];
        let offset = self.program.layout.offsets[var];
        LocalPlace { family, first: record.first, stride: record.stride, offset }
    }

    fn size(&self, domain: Domain) -> u32 {
        domain_size(domain, &self.program.families)
    }

    /// Leaves the offset of a table's entry on the stack.
    pub(super) fn offset(&mut self, var: VarId, indices: &[TermId]) {
        let domains = self.program.vars[var].index.clone();
        for (position, (&index, &domain)) in indices.iter().zip(&domains).enumerate() {
            let span = self.program.terms[index].span;
            let stride = domains[position + 1..].iter().map(|&d| self.size(d)).product();
            let (low, high) = match domain {
                Domain::Family(_) => {
                    self.process(index);
                    (0, self.size(domain) as i32 - 1)
                }
                Domain::Range(low, high) => {
                    self.term(index);
                    (low as i32, high as i32)
                }
            };
            self.emit(Op::Index { low, high, stride }, span);
            if position > 0 {
                self.emit(Op::Arithmetic(ArithmeticOp::Add), span);
            }
        }
    }

    /// A term of a process type, checked not to be `none`.
    pub(super) fn process(&mut self, term: TermId) {
        self.term(term);
        if let Type::Process { family, optional: true } = self.program.terms[term].ty {
            let (size, span) = (self.program.families[family].size, self.program.terms[term].span);
            self.emit(Op::Process(size), span);
        }
    }

    fn family_of(&self, term: TermId) -> FamilyId {
        match self.program.terms[term].ty {
            Type::Process { family, .. } => family,
            _ => unreachable!("the checker lets only processes stand here"),
        }
    }

    fn term(&mut self, id: TermId) {
        match self.kept.binary_search(&id) {
            Ok(part) => {
                self.emit(Op::Kept(part as u32), self.program.terms[id].span);
            }
            Err(_) => self.fresh(id),
        }
    }

    fn fresh(&mut self, id: TermId) {
        let span = self.program.terms[id].span;
        match &self.program.terms[id].kind {
            TermKind::Const(value) => {
                let op = self.stand_in(id).map_or(Op::Push(*value), Op::Reg);
                self.emit(op, span);
            }
            TermKind::Bound(reg) => {
                self.emit(Op::Reg(*reg), span);
            }
            TermKind::Shared(var, indices) => {
                let slot = self.program.layout.global(*var).0;
                if indices.is_empty() {
                    self.emit(Op::Shared(slot), span);
                } else {
                    self.offset(*var, indices);
                    self.emit(Op::SharedAt(slot), span);
                }
            }
            TermKind::Local(var, process, indices) => self.local(*var, *process, indices, span),
            TermKind::Not(a) => {
                self.term(*a);
                self.emit(Op::Not, span);
            }
            TermKind::Neg(a) => {
                self.term(*a);
                self.emit(Op::Neg, span);
            }
            TermKind::And(list) => self.junction(list, Op::And, span),
            TermKind::Or(list) => self.junction(list, Op::Or, span),
            TermKind::Compare(comparison, a, b) => self.compare(*comparison, *a, *b, span),
            TermKind::Arithmetic(op, a, b) => {
                self.term(*a);
                self.term(*b);
                self.emit(Op::Arithmetic(*op), span);
            }
            TermKind::If(condition, yes, no) => {
                self.term(*condition);
                let to_else = self.emit(Op::JumpUnless(0), span);
                self.term(*yes);
                let to_end = self.emit(Op::Jump(0), span);
                self.code.ops[to_else] = Op::JumpUnless(self.here());
                self.term(*no);
                self.code.ops[to_end] = Op::Jump(self.here());
            }
            TermKind::Quantified(quantifier, reg, domain, body) => {
                self.quantified(*quantifier, *reg, *domain, *body, span);
            }
            TermKind::ProcessAt(family, index) => {
                self.term(*index);
                let size = self.program.families[*family].size;
                // -1 is no process here, but an index out of range: `Index` says so.
                self.emit(Op::Index { low: 0, high: size as i32 - 1, stride: 1 }, span);
            }
            TermKind::IndexOf(process) => self.process(*process),
            TermKind::Neighbour(direction, process) => {
                self.process(*process);
                let size = self.program.families[self.family_of(*process)].size;
                self.emit(Op::Neighbour(*direction, size), span);
            }
            TermKind::Recode(from, to, literal) => {
                self.term(*literal);
                let (from, to) = (&self.program.enums[*from], &self.program.enums[*to]);
                let places: BTreeMap<_, i32> = to.iter().zip(0..).collect();
                let table = from.iter().map(|literal| places.get(literal).copied().unwrap_or(-1)).collect();
                self.code.tables.push(table);
                self.emit(Op::Recode(self.code.tables.len() as u32 - 1), span);
            }
            TermKind::Endless => {
                self.emit(Op::Endless, span);
            }
            TermKind::Enabled(process) | TermKind::Executed(process) => {
                self.process(*process);
                let first = self.program.families[self.family_of(*process)].first.0;
                let enabled = matches!(self.program.terms[id].kind, TermKind::Enabled(_));
                self.emit(if enabled { Op::Enabled(first) } else { Op::Executed(first) }, span);
            }
            TermKind::Fault(misuse) => {
                self.emit(Op::Fault(*misuse), span);
            }
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, reg: Reg, domain: Domain, body: TermId, span: Span) {
        if let Domain::Family(family) = domain
            && let Some(test) = self.single_test(reg, body)
        {
            return self.tally(quantifier, family, test, span);
        }
        // Processes that the body does not mention need not be told apart, and need not be bound yet.
        let mentioned: Vec<(Reg, FamilyId)> = self
            .peers
            .iter()
            .copied()
            .filter(|(reg, _)| self.program.mentions(body, &|kind| *kind == TermKind::Bound(*reg)))
            .collect();
        let over = loop_domain(self.program, domain, &mentioned);
        let index = self.code.loops.len();
        self.code.loops.push(Loop { quantifier, reg, over, body: 0, end: 0 });
        self.emit(Op::Loop(index as u32), span);
        self.code.loops[index].body = self.here();
        if let Domain::Family(family) = domain {
            self.peers.push((reg, family));
        }
        self.term(body);
        if let Domain::Family(_) = domain {
            self.peers.pop();
        }
        self.emit(Op::Next(index as u32), span);
        self.code.loops[index].end = self.here();
    }

    /// The most common quantifier asks how many processes are in a local state.
    fn tally(
        &mut self,
        quantifier: Quantifier,
        family: FamilyId,
        (place, comparison, value): (LocalPlace, Comparison, i32),
        span: Span,
    ) {
        let size = self.program.families[family].size;
        // All pass a test where nobody fails it: a crowd has fewer processes than its program has room for.
        let forall = quantifier == Quantifier::Forall;
        let comparison = if forall { comparison.opposite() } else { comparison };
        self.emit(Op::Tally(place, size, comparison, value), span);
        let comparison = match quantifier {
            Quantifier::Count | Quantifier::Sum | Quantifier::Min | Quantifier::Max => return,
            Quantifier::Exists => Comparison::Gt,
            Quantifier::Forall => Comparison::Eq,
        };
        self.emit(Op::Push(0), span);
        self.emit(Op::Compare(comparison), span);
    }

    /// Whether a quantifier's body compares one variable of the bound process with a fixed value, and nothing else.
    fn single_test(&self, reg: Reg, body: TermId) -> Option<(LocalPlace, Comparison, i32)> {
        let TermKind::Compare(comparison, left, right) = &self.program.terms[body].kind else { return None };
        let TermKind::Local(var, process, indices) = &self.program.terms[*left].kind else { return None };
        let value = self.plain_constant(*right)?;
        let bound = self.program.terms[*process].kind == TermKind::Bound(reg) && indices.is_empty();
        bound.then_some((self.place(*var), *comparison, i32::try_from(value).ok()?))
    }

    /// The value of a term that is fixed, and for which no register stands.
    fn plain_constant(&self, term: TermId) -> Option<i64> {
        match self.program.terms[term].kind {
            TermKind::Const(value) if self.stand_in(term).is_none() => Some(value),
            _ => None,
        }
    }

    /// The register that stands for a fixed process.
    fn stand_in(&self, term: TermId) -> Option<Reg> {
        let Type::Process { family, .. } = self.program.terms[term].ty else { return None };
        let TermKind::Const(index) = self.program.terms[term].kind else { return None };
        let process = self.program.process(family, u32::try_from(index).ok()?);
        self.stand_ins.iter().find(|(p, _)| *p == process).map(|(_, reg)| *reg)
    }

    fn local(&mut self, var: VarId, process: TermId, indices: &[TermId], span: Span) {
        let place = self.place(var);
        match (&self.program.terms[process].kind, indices) {
            (TermKind::Bound(reg), []) => {
                self.emit(Op::Local(place, *reg), span);
            }
            (TermKind::Const(index), []) if *index >= 0 => {
                let op = match self.stand_in(process) {
                    Some(reg) => Op::Local(place, reg),
                    None => Op::LocalFixed(place, *index as u32),
                };
                self.emit(op, span);
            }
            _ => {
                self.process(process);
                if indices.is_empty() {
                    self.emit(Op::Push(0), span);
                } else {
                    self.offset(var, indices);
                }
                self.emit(Op::LocalAt(place), span);
            }
        }
    }

    fn junction(&mut self, list: &[TermId], jump: fn(u32) -> Op, span: Span) {
        let mut jumps = Vec::new();
        for (index, &term) in list.iter().enumerate() {
            self.term(term);
            if index + 1 < list.len() {
                jumps.push(self.emit(jump(0), span));
            }
        }
        for at in jumps {
            self.code.ops[at] = jump(self.here());
        }
    }

    fn compare(&mut self, comparison: Comparison, a: TermId, b: TermId, span: Span) {
        self.term(a);
        if let Some(value) = self.plain_constant(b)
            && let Ok(value) = i32::try_from(value)
            && let Some(&last) = self.code.ops.last()
        {
            let fused = match last {
                Op::Shared(slot) => Some(Op::SharedTest(slot, comparison, value)),
                Op::Local(place, reg) => Some(Op::LocalTest(place, reg, comparison, value)),
                _ => None,
            };
            // A jump to behind the load would be lost, but the load is the last instruction of `a` only if `a` is
            // nothing but the load.
            if let Some(fused) = fused
                && matches!(self.program.terms[a].kind, TermKind::Shared(..) | TermKind::Local(..))
            {
                self.code.ops.pop();
                self.code.spans.pop();
                self.emit(fused, span);
                return;
            }
        }
        self.term(b);
        self.emit(Op::Compare(comparison), span);
    }
}
