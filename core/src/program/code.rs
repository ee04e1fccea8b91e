//! Compact code for expressions: a stack machine without allocation, generic in how a state is stored.

use super::compile::{Predicate, Scratch};
use super::machine::Write;
use super::term::{ArithmeticOp, Comparison, Direction, Misuse, Reg};
use super::types::FamilyId;
use crate::syntax::ast::Quantifier;
use crate::text::Span;
use alloc::vec::Vec;

/// How code reads a state. The plain view reads a row of slots; the quotient's reads counts of local states and
/// lets a quantifier try one process for all that are alike.
pub trait View {
    /// The value of a shared slot.
    fn shared(&self, slot: u32) -> i64;

    /// The value of a process's slot.
    fn local(&self, place: LocalPlace, process: u32) -> i64;

    /// The process of a family that comes after `after` when one is tried for all that are alike, and how many it
    /// stands for. `bound` are the processes of this family that can already be told from the others.
    fn next(&self, family: FamilyId, size: u32, after: Option<u32>, bound: &[u32]) -> Option<(u32, u32)>;

    /// The next processes of a family behind `after`: the first of them, and how many there are from it on that are alike,
    /// none of them `bound`.
    fn stretch(&self, _: FamilyId, size: u32, after: Option<u32>, _: &[u32]) -> Option<(u32, u32)> {
        every(size, after)
    }

    /// How many processes of a family have a value at `place` for which the comparison with `value` holds.
    fn tally(&self, place: LocalPlace, size: u32, comparison: Comparison, value: i64) -> u64;

    /// Whether a process is enabled; `first` is the first process of its family.
    fn enabled(&self, first: u32, process: u32) -> bool;

    /// Whether the step that leaves this state is the process's.
    fn executed(&self, first: u32, process: u32) -> bool;

    /// Whether a condition holds in the state that these assignments make of this one.
    fn holds_after(
        &self,
        condition: &Predicate,
        writes: &[Write],
        scratch: &mut Scratch,
    ) -> Result<bool, Fault>;
}

/// A local variable's place, for views that count slots and for views that keep families apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalPlace {
    /// The family.
    pub family: FamilyId,
    /// The first slot of the family.
    pub first: u32,
    /// The slots of one process.
    pub stride: u32,
    /// The slot within the process.
    pub offset: u32,
}

impl LocalPlace {
    /// The slot in a plain row.
    pub fn slot(self, process: u32) -> u32 {
        self.first + process * self.stride + self.offset
    }
}

/// An error while a program was executed: an error of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind of error.
    pub kind: FaultKind,
    /// The expression.
    pub span: Span,
}

/// The errors of a model that show only when it is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// A division or remainder by zero.
    DivisionByZero,
    /// A number beyond 64 bits.
    Overflow,
    /// An index outside its domain.
    Index {
        /// The index.
        index: i64,
        /// The lowest index.
        low: i64,
        /// The highest index.
        high: i64,
    },
    /// A variable of `none`, or `none` as an index or argument.
    NoProcess,
    /// A value outside the type of the variable it is assigned to.
    Range {
        /// The value.
        value: i64,
        /// The lowest value.
        low: i64,
        /// The highest value.
        high: i64,
    },
    /// A literal that the variable's enumeration does not have.
    Literal,
    /// Two different values for one variable in one action.
    AssignedTwice,
    /// The smallest or the largest value of none.
    Nothing,
    /// An empty value, or a bag or queue used as it cannot be.
    Misuse(Misuse),
    /// A `while` that does not end.
    Endless,
}

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Push(i64),
    Reg(Reg),
    Shared(u32),
    /// Pops an offset from the slot.
    SharedAt(u32),
    Local(LocalPlace, Reg),
    LocalFixed(LocalPlace, u32),
    /// Pops an offset, then a process.
    LocalAt(LocalPlace),
    /// Pops an index, checks it, and pushes its offset.
    Index {
        low: i32,
        high: i32,
        stride: u32,
    },
    /// Checks that the top is a process of a family of this size.
    Process(u32),
    SharedTest(u32, Comparison, i32),
    LocalTest(LocalPlace, Reg, Comparison, i32),
    /// The number of processes of a family of this size that pass a test.
    Tally(LocalPlace, u32, Comparison, i32),
    Arithmetic(ArithmeticOp),
    Compare(Comparison),
    Neg,
    Endless,
    Not,
    Neighbour(Direction, u32),
    /// Looks the top up in a table; an empty entry is a fault.
    Recode(u32),
    Enabled(u32),
    Executed(u32),
    Fault(Misuse),
    /// The value of a part that is kept; evaluates it where it is needed for the first time.
    Kept(u32),
    /// Jumps if the top is false and keeps it; drops it otherwise.
    And(u32),
    /// Jumps if the top is true and keeps it; drops it otherwise.
    Or(u32),
    /// Drops the top and jumps if it was false.
    JumpUnless(u32),
    Jump(u32),
    /// Starts a quantifier: pushes its first result, binds the first element or jumps behind the loop.
    Loop(u32),
    /// Ends a quantifier's body: takes the body's value into the result, binds the next element or goes on.
    Next(u32),
}

/// A loop of a quantifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Loop {
    pub quantifier: Quantifier,
    pub reg: Reg,
    pub over: LoopDomain,
    /// The first instruction of the body.
    pub body: u32,
    /// The instruction behind the loop.
    pub end: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LoopDomain {
    /// The family, its size, and the registers that hold processes of it.
    Family(FamilyId, u32, Vec<Reg>),
    Range(i64, i64),
}

/// Code for one expression.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Code {
    pub ops: Vec<Op>,
    pub spans: Vec<Span>,
    pub loops: Vec<Loop>,
    pub tables: Vec<Vec<i32>>,
    /// The parts that are evaluated once.
    pub kept: Vec<Code>,
}

/// The registers: what each bound name stands for, and how many elements like it there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Registers {
    pub values: Vec<i64>,
    pub weights: Vec<u32>,
}

impl Registers {
    pub(super) fn reserve(&mut self, count: u32) {
        if self.values.len() < count as usize {
            self.values.resize(count as usize, 0);
            self.weights.resize(count as usize, 1);
        }
    }

    pub(super) fn get(&self, reg: Reg) -> i64 {
        self.values[reg.0 as usize]
    }

    pub(super) fn set(&mut self, reg: Reg, value: i64, weight: u32) {
        self.values[reg.0 as usize] = value;
        self.weights[reg.0 as usize] = weight;
    }
}

pub(crate) fn arithmetic(op: ArithmeticOp, a: i64, b: i64) -> Result<i64, FaultKind> {
    let result = match op {
        ArithmeticOp::Add => a.checked_add(b),
        ArithmeticOp::Sub => a.checked_sub(b),
        ArithmeticOp::Mul => a.checked_mul(b),
        ArithmeticOp::Div | ArithmeticOp::Rem if b == 0 => return Err(FaultKind::DivisionByZero),
        // `%` is never negative for a positive divisor, so that `(index(p) - 1) % n` is a neighbour; `/` goes with it.
        ArithmeticOp::Div => a.checked_div_euclid(b),
        ArithmeticOp::Rem => a.checked_rem_euclid(b),
        ArithmeticOp::Min => Some(a.min(b)),
        ArithmeticOp::Max => Some(a.max(b)),
    };
    result.ok_or(FaultKind::Overflow)
}

impl Loop {
    /// Binds the next element, if there is one.
    pub(super) fn advance<V: View>(&self, view: &V, regs: &mut Registers, first: bool) -> bool {
        let current = regs.get(self.reg);
        let next = self.over.next(view, regs, (!first).then_some(current));
        if let Some((value, weight)) = next {
            regs.set(self.reg, value, weight);
        }
        next.is_some()
    }
}

/// A number of 128 bits from its two halves.
fn wide(high: i64, low: i64) -> i128 {
    i128::from(high) << 64 | i128::from(low as u64)
}

/// Up to this many bound processes are listed without an allocation.
const FEW: usize = 8;

impl LoopDomain {
    pub(super) fn next<V: View>(&self, view: &V, regs: &Registers, after: Option<i64>) -> Option<(i64, u32)> {
        match self {
            LoopDomain::Family(family, size, peers) => {
                let after = after.map(|p| p as u32);
                let next = |bound: &[u32]| view.next(*family, *size, after, bound);
                let (process, weight) = with_bound(peers, regs, next)?;
                Some((process as i64, weight))
            }
            LoopDomain::Range(low, high) => {
                let next = after.map_or(*low, |v| v + 1);
                (next <= *high).then_some((next, 1))
            }
        }
    }
}

/// Calls `of` with the processes in these registers.
pub(super) fn with_bound<T>(peers: &[Reg], regs: &Registers, of: impl FnOnce(&[u32]) -> T) -> T {
    let mut few = [0; FEW];
    if peers.len() <= FEW {
        for (slot, &reg) in few.iter_mut().zip(peers) {
            *slot = regs.get(reg) as u32;
        }
        return of(&few[..peers.len()]);
    }
    let many: Vec<u32> = peers.iter().map(|&r| regs.get(r) as u32).collect();
    of(&many)
}

/// The next of all processes of a family.
pub(super) fn every(size: u32, after: Option<u32>) -> Option<(u32, u32)> {
    let next = after.map_or(0, |p| p + 1);
    (next < size).then_some((next, 1))
}

impl Code {
    /// One more than the highest register that a quantifier in the code binds.
    pub(super) fn bound_regs(&self) -> u32 {
        let own = self.loops.iter().map(|l| l.reg.0 + 1);
        own.chain(self.kept.iter().map(Code::bound_regs)).max().unwrap_or(0)
    }

    /// Evaluates the code. The stack is scratch space: it is left as it was found.
    pub(super) fn eval<V: View>(
        &self,
        view: &V,
        regs: &mut Registers,
        stack: &mut Vec<i64>,
    ) -> Result<i64, Fault> {
        let bottom = stack.len();
        // For each part that is kept whether it is known, and its value.
        stack.resize(bottom + 2 * self.kept.len(), 0);
        let mut machine = Machine { whole: self, known: bottom, view, regs, stack };
        let result = self.run(&mut machine);
        stack.truncate(bottom);
        result
    }

    /// Runs the code, which is the machine's whole code or a part of it.
    fn run<V: View>(&self, machine: &mut Machine<'_, V>) -> Result<i64, Fault> {
        let mut at = 0;
        while let Some(&op) = self.ops.get(at) {
            let here = at;
            let fault = |kind| Fault { kind, span: self.spans[here] };
            at += 1;
            match op {
                Op::And(target) => {
                    if machine.stack.last() == Some(&0) {
                        at = target as usize;
                    } else {
                        machine.stack.pop();
                    }
                }
                Op::Or(target) => {
                    if machine.stack.last() == Some(&0) {
                        machine.stack.pop();
                    } else {
                        at = target as usize;
                    }
                }
                Op::JumpUnless(target) => {
                    if machine.pop() == 0 {
                        at = target as usize;
                    }
                }
                Op::Jump(target) => at = target as usize,
                Op::Loop(index) => {
                    let repeat = &self.loops[index as usize];
                    if !machine.begin(repeat).map_err(fault)? {
                        at = repeat.end as usize;
                    }
                }
                Op::Next(index) => {
                    let repeat = &self.loops[index as usize];
                    if machine.again(repeat).map_err(fault)? {
                        at = repeat.body as usize;
                    }
                }
                Op::Kept(part) => machine.kept(part)?,
                Op::Recode(table) => {
                    let literal = machine.pop();
                    let value = self.tables[table as usize][literal as usize];
                    if value < 0 {
                        return Err(fault(FaultKind::Literal));
                    }
                    machine.push(value as i64);
                }
                _ => machine.compute(op).map_err(fault)?,
            }
        }
        Ok(machine.pop())
    }
}

/// The stack and the registers while code runs on a state.
struct Machine<'a, V> {
    /// The code that `eval` was asked for; its kept parts are evaluated once.
    whole: &'a Code,
    /// The place on the stack where the values of the kept parts begin.
    known: usize,
    view: &'a V,
    regs: &'a mut Registers,
    stack: &'a mut Vec<i64>,
}

impl<V: View> Machine<'_, V> {
    /// The compiler balances the stack: each instruction finds the operands it pops.
    fn pop(&mut self) -> i64 {
        self.stack.pop().unwrap_or_default()
    }

    fn push(&mut self, value: i64) {
        self.stack.push(value);
    }

    /// Pushes the value of a kept part, which is evaluated where it is needed for the first time.
    fn kept(&mut self, part: u32) -> Result<(), Fault> {
        let at = self.known + 2 * part as usize;
        if self.stack[at] == 0 {
            let whole = self.whole;
            self.stack[at + 1] = whole.kept[part as usize].run(self)?;
            self.stack[at] = 1;
        }
        self.push(self.stack[at + 1]);
        Ok(())
    }

    /// Executes an instruction that only takes values from the stack and puts one there.
    #[inline]
    fn compute(&mut self, op: Op) -> Result<(), FaultKind> {
        let value = match op {
            Op::Push(value) => value,
            Op::Fault(misuse) => return Err(FaultKind::Misuse(misuse)),
            Op::Endless => return Err(FaultKind::Endless),
            Op::Reg(reg) => self.regs.get(reg),
            Op::Shared(slot) => self.view.shared(slot),
            Op::SharedAt(slot) => {
                let offset = self.pop();
                self.view.shared(slot + offset as u32)
            }
            Op::Local(place, reg) => self.view.local(place, self.regs.get(reg) as u32),
            Op::LocalFixed(place, process) => self.view.local(place, process),
            Op::LocalAt(mut place) => {
                place.offset += self.pop() as u32;
                let process = self.pop();
                self.view.local(place, process as u32)
            }
            Op::Index { low, high, stride } => {
                let (index, low, high) = (self.pop(), low as i64, high as i64);
                if index < low || index > high {
                    return Err(FaultKind::Index { index, low, high });
                }
                (index - low) * stride as i64
            }
            Op::Process(size) => match self.pop() {
                -1 => return Err(FaultKind::NoProcess),
                index if index < 0 || index >= size as i64 => {
                    return Err(FaultKind::Index { index, low: 0, high: size as i64 - 1 });
                }
                process => process,
            },
            Op::SharedTest(slot, comparison, value) => {
                i64::from(comparison.holds(self.view.shared(slot), value as i64))
            }
            Op::LocalTest(place, reg, comparison, value) => {
                let found = self.view.local(place, self.regs.get(reg) as u32);
                i64::from(comparison.holds(found, value as i64))
            }
            Op::Tally(place, size, comparison, value) => {
                self.view.tally(place, size, comparison, value as i64) as i64
            }
            Op::Arithmetic(op) => {
                let (b, a) = (self.pop(), self.pop());
                arithmetic(op, a, b)?
            }
            Op::Compare(comparison) => {
                let (b, a) = (self.pop(), self.pop());
                i64::from(comparison.holds(a, b))
            }
            Op::Neg => self.pop().checked_neg().ok_or(FaultKind::Overflow)?,
            Op::Not => 1 - self.pop(),
            Op::Neighbour(direction, size) => match (direction, self.pop()) {
                (Direction::Next, p) if p + 1 == size as i64 => 0,
                (Direction::Next, p) => p + 1,
                (Direction::Prev, 0) => size as i64 - 1,
                (Direction::Prev, p) => p - 1,
            },
            Op::Enabled(first) => {
                let p = self.pop();
                i64::from(self.view.enabled(first, p as u32))
            }
            Op::Executed(first) => {
                let p = self.pop();
                i64::from(self.view.executed(first, p as u32))
            }
            // `Code::run` follows these itself, for they say where it goes on or need its tables.
            Op::And(_)
            | Op::Or(_)
            | Op::JumpUnless(_)
            | Op::Jump(_)
            | Op::Loop(_)
            | Op::Next(_)
            | Op::Kept(_)
            | Op::Recode(_) => return Ok(()),
        };
        self.push(value);
        Ok(())
    }

    /// Starts a quantifier with its first element; false if it has none, and then its value is on the stack.
    fn begin(&mut self, repeat: &Loop) -> Result<bool, FaultKind> {
        let some = repeat.advance(self.view, self.regs, true);
        match repeat.quantifier {
            Quantifier::Forall => self.push(1),
            // While it is added up, a sum takes two places: it may leave 64 bits and come back.
            Quantifier::Sum if some => self.stack.extend([0, 0]),
            Quantifier::Exists | Quantifier::Count | Quantifier::Sum => self.push(0),
            Quantifier::Min | Quantifier::Max if !some => return Err(FaultKind::Nothing),
            Quantifier::Min => self.push(i64::MAX),
            Quantifier::Max => self.push(i64::MIN),
        }
        Ok(some)
    }

    /// Takes the value of a quantifier's body into its result; true if the body is evaluated again, for the next element.
    fn again(&mut self, repeat: &Loop) -> Result<bool, FaultKind> {
        let value = self.pop();
        let decided = match repeat.quantifier {
            Quantifier::Forall => value == 0,
            Quantifier::Exists => value != 0,
            Quantifier::Count => {
                let more = value.checked_mul(self.regs.weights[repeat.reg.0 as usize] as i64);
                let counted = more.and_then(|more| self.pop().checked_add(more));
                self.push(counted.ok_or(FaultKind::Overflow)?);
                false
            }
            Quantifier::Sum => {
                let (low, high) = (self.pop(), self.pop());
                let weight = i128::from(self.regs.weights[repeat.reg.0 as usize]);
                let sum = wide(high, low) + i128::from(value) * weight;
                let more = repeat.advance(self.view, self.regs, false);
                if more {
                    self.stack.extend([(sum >> 64) as i64, sum as i64]);
                } else {
                    self.push(i64::try_from(sum).map_err(|_| FaultKind::Overflow)?);
                }
                return Ok(more);
            }
            Quantifier::Min | Quantifier::Max => {
                let best = self.pop();
                let least = repeat.quantifier == Quantifier::Min;
                self.push(if least { best.min(value) } else { best.max(value) });
                false
            }
        };
        if decided {
            let result = self.pop();
            self.push(1 - result);
            return Ok(false);
        }
        Ok(repeat.advance(self.view, self.regs, false))
    }
}
