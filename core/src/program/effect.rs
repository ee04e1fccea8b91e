//! Assignments, ready to execute.

use super::code::{Code, Fault, LocalPlace, LoopDomain, Op, Registers, View};
use super::compile::{CompiledAction, Compiler, Condition, as_condition, compile_with, loop_domain, occurs};
use super::term::{Domain, Reg, TermId, TermKind};
use super::types::{FamilyId, ValueType};
use super::{Assignment, Program, Start, VarId};
use crate::text::Span;
use alloc::vec::Vec;

/// A value that an assignment needs; most are fixed or in a register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Const(i64),
    Reg(Reg),
    Code(Code),
}

impl Operand {
    pub(super) fn new(code: Code) -> Operand {
        match code.ops.as_slice() {
            [Op::Push(value)] => Operand::Const(*value),
            [Op::Reg(reg)] => Operand::Reg(*reg),
            _ => Operand::Code(code),
        }
    }

    pub(super) fn eval<V: View>(
        &self,
        view: &V,
        regs: &mut Registers,
        stack: &mut Vec<i64>,
    ) -> Result<i64, Fault> {
        match self {
            Operand::Const(value) => Ok(*value),
            Operand::Reg(reg) => Ok(regs.get(*reg)),
            Operand::Code(code) => code.eval(view, regs, stack),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CompiledWrite {
    pub over: Vec<Over>,
    pub when: Option<Condition>,
    pub turn: u32,
    /// Whether another assignment, or the same one for another choice, may be to the same place.
    pub rivals: bool,
    pub place: Place,
    pub value: Operand,
    pub ty: ValueType,
    pub span: Span,
}

/// A name that an assignment is made for all values of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Over {
    pub reg: Reg,
    pub domain: LoopDomain,
    /// Whether like processes may be assigned to together: the place is that of the process itself.
    pub stretches: bool,
}

/// The place an assignment writes to; the code gives the process and the offset where they are not fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Shared { slot: u32, offset: Option<Code> },
    Local { place: LocalPlace, process: Operand, offset: Option<Code> },
}

/// Compiles one of the assignments of an action or a start; `peers` are the registers that hold processes.
pub(super) fn compile_write(
    program: &Program,
    assignments: &[Assignment],
    number: usize,
    peers: &[(Reg, FamilyId)],
) -> CompiledWrite {
    let assignment = &assignments[number];
    let families = |family: FamilyId| {
        assignment.over.iter().filter(move |(_, domain)| *domain == Domain::Family(family)).count()
    };
    let addressed = |reg: Reg| is_address(program, assignment.target, reg);
    let var = assigned_var(program, assignment.target);
    let others: Vec<&Assignment> = (assignments.iter().enumerate())
        .filter(|(other, a)| *other != number && assigned_var(program, a.target) == var)
        .map(|(_, a)| a)
        .collect();
    // Others' places are compared with the first of a stretch: they must be told from the rest of it.
    let named = others.iter().all(|other| {
        let parts = program.terms[other.target].kind.children();
        let plain = |t: TermId| matches!(program.terms[t].kind, TermKind::Bound(_) | TermKind::Const(_));
        parts.into_iter().all(plain) && stretches_alike(program, assignment, other)
    });
    let over: Vec<Over> = assignment
        .over
        .iter()
        .map(|&(reg, domain)| Over {
            reg,
            // The process that executes and the parameters are told from all others, so that an assignment to them
            // besides is to one process.
            domain: loop_domain(program, domain, peers),
            stretches: matches!(domain, Domain::Family(family) if families(family) == 1)
                && addressed(reg)
                && named,
        })
        .collect();
    let rivals = !others.is_empty() || assignment.over.iter().any(|(reg, _)| !addressed(*reg));
    let mut peers = peers.to_vec();
    for (reg, domain) in &assignment.over {
        if let Domain::Family(family) = domain {
            peers.push((*reg, *family));
        }
    }
    let (var, place) = compile_place(program, assignment.target, &peers);
    CompiledWrite {
        over,
        when: assignment.when.map(|when| as_condition(compile_with(program, when, &peers))),
        turn: assignment.turn,
        rivals,
        place,
        value: Operand::new(compile_with(program, assignment.value, &peers)),
        ty: program.vars[var].ty,
        span: program.terms[assignment.value].span,
    }
}

/// A start as an action without parameters that it binds itself: only its guard and its writes are used.
pub(super) fn compile_start(program: &Program, start: &Start) -> CompiledAction {
    let family = |(reg, domain): &(Reg, Domain)| match domain {
        Domain::Family(family) => Some((*reg, *family)),
        Domain::Range(..) => None,
    };
    let peers: Vec<(Reg, FamilyId)> = start.params.iter().filter_map(family).collect();
    let guard = start.guard.map(|guard| as_condition(compile_with(program, guard, &peers)));
    let count = start.assignments.len();
    let writes = (0..count).map(|n| compile_write(program, &start.assignments, n, &peers)).collect();
    CompiledAction {
        levels: alloc::vec![guard.into_iter().collect()],
        params: Vec::new(),
        writes,
        regs: start.regs,
        behaviour: None,
    }
}

/// Whether another assignment to the same variable goes by the same stretches, or by one process that is told from all others: of
/// two that are made one after the other the second must find all that the first one assigned.
fn stretches_alike(program: &Program, own: &Assignment, other: &Assignment) -> bool {
    let families = |assignment: &Assignment| -> Vec<FamilyId> {
        let of = |(_, domain): &(Reg, Domain)| match domain {
            Domain::Family(family) => Some(*family),
            Domain::Range(..) => None,
        };
        assignment.over.iter().filter_map(of).collect()
    };
    let addressed = |(reg, domain): &(Reg, Domain)| {
        matches!(domain, Domain::Range(..)) || is_address(program, other.target, *reg)
    };
    let theirs = families(other);
    own.turn == other.turn
        || theirs.is_empty()
        || (theirs.len() == 1 && theirs == families(own) && other.over.iter().all(addressed))
}

fn assigned_var(program: &Program, target: TermId) -> VarId {
    match &program.terms[target].kind {
        TermKind::Shared(var, _) | TermKind::Local(var, ..) => *var,
        _ => unreachable!("the checker lets only variables be assigned"),
    }
}

/// Whether a bound name is the process or an index of a target, and the target mentions it in no other way.
fn is_address(program: &Program, target: TermId, reg: Reg) -> bool {
    let (mut direct, mut inside) = (false, false);
    for part in program.terms[target].kind.children() {
        if program.terms[part].kind == TermKind::Bound(reg) {
            direct = true;
        } else {
            inside |= occurs(program, part, reg);
        }
    }
    direct && !inside
}

fn compile_place(program: &Program, target: TermId, peers: &[(Reg, FamilyId)]) -> (VarId, Place) {
    let table = |var: VarId, indices: &[TermId]| {
        (!indices.is_empty()).then(|| {
            let mut compiler = Compiler::new(program, peers);
            compiler.offset(var, indices);
            compiler.code
        })
    };
    match &program.terms[target].kind {
        TermKind::Local(var, process, indices) => {
            let mut compiler = Compiler::new(program, peers);
            compiler.process(*process);
            let place = compiler.place(*var);
            (*var, Place::Local { place, process: Operand::new(compiler.code), offset: table(*var, indices) })
        }
        TermKind::Shared(var, indices) => {
            (*var, Place::Shared { slot: program.layout.global(*var).0, offset: table(*var, indices) })
        }
        _ => unreachable!("the checker lets only variables be assigned"),
    }
}
