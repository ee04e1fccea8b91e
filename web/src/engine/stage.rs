//! The processes of a family as they can be put on a stage: their local states, and which lead to which.
//!
//! The moves are read from the text: an action leads from one local value to another if its condition may hold with the
//! first, whatever everything else is, and if it may then assign the second. There may be moves that no run makes, and
//! none is missing.

use orbitscope_core::draw::{self, Compact};
use orbitscope_core::program::{
    Action, ArithmeticOp, Assignment, Comparison, FamilyId, Program, Reg, TermId, TermKind, Type, VarId,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A family is put on a stage by a variable with at most so many values.
const MOST_STATES: u64 = 12;
/// An expression that may have more values than this may have any.
const MOST_VALUES: usize = 16;
/// An expression larger than this is not read.
const MOST_TERMS: u32 = 20_000;

/// A family on a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cast {
    /// Its name.
    pub name: String,
    /// How many processes it has.
    pub size: u32,
    /// The variable whose value is where a process stands.
    pub variable: String,
    /// Which of the strips of a glyph is this family's, and in which row of it the variable is.
    pub strip: u32,
    /// The row.
    pub row: u32,
    /// The names of the variable's values.
    pub states: Vec<String>,
    /// Their tints.
    pub tints: Vec<u8>,
    /// Which lead to which.
    pub moves: Vec<Move>,
    /// Whether the processes stand in a ring: an action speaks of the next one or the one before.
    pub ring: bool,
}

/// A move from one local state to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// From where.
    pub from: u8,
    /// To where.
    pub to: u8,
    /// The actions that make it; those of other families with the family's name.
    pub actions: Vec<String>,
}

/// The families that can be put on a stage, in the order of the strips of glyphs.
pub(super) fn casts(program: &Program) -> Vec<Cast> {
    let compact = Compact::new(program);
    let mut casts = Vec::new();
    let mut strip = 0;
    for (id, family) in program.families.iter_enumerated() {
        let vars: Vec<VarId> = family.vars.iter().copied().filter(|&var| compact.is_changing(var)).collect();
        if family.size == 0 || vars.is_empty() {
            continue;
        }
        if let Some(variable) = place(program, &vars) {
            let before = vars.iter().take_while(|&&var| var != variable);
            let row = before.map(|&var| program.entries(var, 0).1).sum();
            casts.push(cast(program, id, variable, (strip, row)));
        }
        strip += 1;
    }
    casts
}

/// The variable that tells where a process stands: an enumeration before anything else, then a truth value, then a small
/// number. Of several, the first.
fn place(program: &Program, vars: &[VarId]) -> Option<VarId> {
    let rank = |&var: &VarId| {
        let known = &program.vars[var];
        let rank = match known.ty.ty {
            Type::Enum(_) => 0,
            Type::Bool => 1,
            Type::Int => 2,
            _ => return None,
        };
        (known.index.is_empty() && (2..=MOST_STATES).contains(&known.ty.size)).then_some((rank, var.0))
    };
    vars.iter().filter_map(|var| Some((rank(var)?, *var))).min().map(|(_, var)| var)
}

fn cast(program: &Program, id: FamilyId, var: VarId, (strip, row): (u32, u32)) -> Cast {
    let family = &program.families[id];
    let ty = program.vars[var].ty;
    let values: Vec<i64> = (i64::from(ty.low)..).take(ty.size as usize).collect();
    let mut moves: BTreeMap<(u8, u8), Vec<String>> = BTreeMap::new();
    let number = |value: i64| (value - i64::from(ty.low)) as u8;
    for action in &program.actions {
        for assignment in &action.assignments {
            let TermKind::Local(target, process, ref index) = program.terms[assignment.target].kind else {
                continue;
            };
            if target != var || !index.is_empty() {
                continue;
            }
            let name = if action.family == id {
                action.name.clone()
            } else {
                format!("{}.{}", program.families[action.family].name, action.name)
            };
            for &value in &values {
                let reader = Reader { program, var, known: bound(program, process).map(|reg| (reg, value)) };
                for to in reader.after(action, assignment).unwrap_or_else(|| values.clone()) {
                    if to != value && values.contains(&to) {
                        let names = moves.entry((number(value), number(to))).or_default();
                        if !names.contains(&name) {
                            names.push(name.clone());
                        }
                    }
                }
            }
        }
    }
    Cast {
        name: family.name.clone(),
        size: family.size,
        variable: program.vars[var].name.clone(),
        strip,
        row,
        states: values.iter().map(|&value| program.show_value(ty.ty, value).to_string()).collect(),
        tints: values.iter().map(|&value| draw::tint(program, var, value as i32)).collect(),
        moves: moves.into_iter().map(|((from, to), actions)| Move { from, to, actions }).collect(),
        ring: is_ring(program, id),
    }
}

/// Whether an action speaks of a neighbour in the family.
fn is_ring(program: &Program, id: FamilyId) -> bool {
    let of_family = |term: TermId| match program.terms[term].ty {
        Type::Process { family, .. } => family == id,
        _ => false,
    };
    program.families[id].size > 2
        && program.terms.iter().any(|term| match term.kind {
            TermKind::Neighbour(_, of) => of_family(of),
            _ => false,
        })
}

/// The name that a term is.
fn bound(program: &Program, term: TermId) -> Option<Reg> {
    match program.terms[term].kind {
        TermKind::Bound(reg) => Some(reg),
        _ => None,
    }
}

/// Reads expressions where one thing is known: the value of a variable of the process that a name stands for.
struct Reader<'p> {
    program: &'p Program,
    var: VarId,
    known: Option<(Reg, i64)>,
}

/// The values that an expression may have; none: any.
type Values = Option<Vec<i64>>;

impl Reader<'_> {
    /// The values that the variable may get; nothing where the action or the assignment is not made, none where anything is possible.
    fn after(&self, action: &Action, assignment: &Assignment) -> Values {
        let possible = |term: TermId| self.values(term).is_none_or(|values| values.contains(&1));
        if !possible(action.guard) || !assignment.when.is_none_or(possible) {
            return Some(Vec::new());
        }
        self.values(assignment.value)
    }

    fn values(&self, term: TermId) -> Values {
        if self.program.terms[term].size > MOST_TERMS {
            return None;
        }
        let both = |values: Values| values.unwrap_or_else(|| vec![0, 1]);
        match &self.program.terms[term].kind {
            TermKind::Const(value) => Some(vec![*value]),
            TermKind::Local(var, process, index) => {
                let (reg, value) = self.known?;
                let same = *var == self.var && index.is_empty() && bound(self.program, *process) == Some(reg);
                same.then(|| vec![value])
            }
            TermKind::Not(of) => Some(both(self.values(*of)).into_iter().map(|value| 1 - value).collect()),
            TermKind::And(parts) => Some(self.connected(parts, 0)),
            TermKind::Or(parts) => Some(self.connected(parts, 1)),
            TermKind::Compare(comparison, left, right) => {
                let (left, right) = (self.values(*left)?, self.values(*right)?);
                pairs(&left, &right, |a, b| Some(i64::from(compares(*comparison, a, b))))
            }
            TermKind::Arithmetic(op, left, right) => {
                let (left, right) = (self.values(*left)?, self.values(*right)?);
                pairs(&left, &right, |a, b| match op {
                    ArithmeticOp::Add => a.checked_add(b),
                    ArithmeticOp::Sub => a.checked_sub(b),
                    _ => None,
                })
            }
            TermKind::If(condition, then, otherwise) => {
                let condition = both(self.values(*condition));
                let mut all = Vec::new();
                for (truth, branch) in [(1, *then), (0, *otherwise)] {
                    if condition.contains(&truth) {
                        all.extend(self.values(branch)?);
                    }
                }
                few(all)
            }
            _ => None,
        }
    }

    /// A conjunction or a disjunction; `decides` is the value of a part that decides it.
    fn connected(&self, parts: &[TermId], decides: i64) -> Vec<i64> {
        let mut possible = vec![1 - decides];
        for &part in parts {
            match self.values(part) {
                Some(values) if values == [decides] => return values,
                Some(values) if !values.contains(&decides) => {}
                _ => possible = vec![0, 1],
            }
        }
        possible
    }
}

fn compares(comparison: Comparison, a: i64, b: i64) -> bool {
    match comparison {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
        Comparison::Gt => a > b,
        Comparison::Ge => a >= b,
    }
}

fn pairs(left: &[i64], right: &[i64], of: impl Fn(i64, i64) -> Option<i64>) -> Values {
    let all = left.iter().flat_map(|&a| right.iter().map(move |&b| (a, b)));
    few(all.map(|(a, b)| of(a, b)).collect::<Option<Vec<i64>>>()?)
}

fn few(mut values: Vec<i64>) -> Values {
    values.sort_unstable();
    values.dedup();
    (values.len() <= MOST_VALUES).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixture;
    use orbitscope_core::explore::{Exploration, Limits, StateId};
    use orbitscope_core::models;
    use std::collections::BTreeSet;

    fn moves(cast: &Cast) -> Vec<String> {
        let name = |tint: u8| &cast.states[tint as usize];
        cast.moves
            .iter()
            .map(|one| format!("{}>{} {}", name(one.from), name(one.to), one.actions.join(" ")))
            .collect()
    }

    #[test]
    fn the_clients_of_the_controller_go_round() {
        let program = fixture::program(models::ALL[0].source, &[]);
        let casts = casts(&program);
        let cast = casts.iter().find(|cast| cast.name == "client").unwrap();
        assert_eq!((cast.size, cast.ring, &*cast.variable), (3, false, "st"));
        assert_eq!(cast.states, ["I", "R", "C"]);
        let found = moves(cast);
        assert_eq!(found, ["I>R request", "R>I withdraw", "R>C enter", "C>I release"]);
    }

    #[test]
    fn a_choice_leads_to_both_and_what_is_unknown_to_all() {
        let source = "shared free: bool = true\nprocess p[2] {\n  var s: {A, B, C, D} = A\n  var k: {A, B, C, D} = A\n  \
                      action go: s == A -> s := if free then B else C, free := not free\n  \
                      action copy: s == B or s == C -> s := k\n  action other: true -> k := D\n}\n";
        let program = fixture::program(source, &[]);
        let cast = casts(&program).remove(0);
        assert_eq!(
            moves(&cast),
            ["A>B go", "A>C go", "B>A copy", "B>C copy", "B>D copy", "C>A copy", "C>B copy", "C>D copy"]
        );
    }

    /// Every move that a run makes is on the stage, in every built-in model.
    #[test]
    fn no_move_of_any_run_is_missing() {
        let mut checked = 0;
        for model in models::ALL {
            let program = fixture::program(model.source, &[]);
            let mut exploration = Exploration::new(&program, Limits::new(400, 1 << 24), &[]);
            exploration.run();
            for cast in casts(&program) {
                let (id, family) =
                    program.families.iter_enumerated().find(|(_, family)| family.name == cast.name).unwrap();
                let var = *family.vars.iter().find(|&&v| program.vars[v].name == cast.variable).unwrap();
                let known: BTreeSet<(u8, u8)> = cast.moves.iter().map(|one| (one.from, one.to)).collect();
                let mut machine = orbitscope_core::program::Machine::new(&program);
                for state in (0..exploration.states().len()).map(StateId) {
                    let now = exploration.values(state);
                    let _ = machine.steps(&now, &mut |step: orbitscope_core::program::Successor<'_>| {
                        let next = step.apply(&now);
                        for number in 0..family.size {
                            let slot = program.entries(var, number).0.0 as usize;
                            let low = program.vars[var].ty.low;
                            if now[slot] != next[slot] {
                                let made = ((now[slot] - low) as u8, (next[slot] - low) as u8);
                                assert!(known.contains(&made), "{} {:?} {made:?}", model.name, id);
                                checked += 1;
                            }
                        }
                        std::ops::ControlFlow::Continue(())
                    });
                }
            }
        }
        assert!(checked > 1_000, "{checked}");
    }
}
