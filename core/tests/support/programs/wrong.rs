//! Programs with errors that show only while they run.

use super::super::random::Random;
use super::statement::Statement;
use super::{Action, Family, Spec, Type, Var};

/// Takes away what keeps assignments in range, and adds to some guards what is a fault in some states.
pub(crate) fn careless(spec: &mut Spec, seed: u64) {
    let mut random = Random::new(seed ^ 0xca4e);
    let numbers: Vec<String> = (spec.shared.iter())
        .filter(|v| v.index.is_empty() && matches!(v.ty, Type::Range(..)))
        .map(|v| v.name.clone())
        .collect();
    let families: Vec<(String, i64)> =
        spec.families.iter().filter_map(|f| Some((f.name.clone(), f.size?))).filter(|f| f.1 > 0).collect();
    for family in &mut spec.families {
        let hidden: Vec<String> = family.vars.iter().map(|v| v.name.clone()).collect();
        for action in &mut family.actions {
            action.safety.clear();
            action.block.iter_mut().flatten().for_each(Statement::careless);
            let usable: Vec<&String> = numbers.iter().filter(|n| !hidden.contains(n)).collect();
            if usable.is_empty() || !random.one_in(6) {
                continue;
            }
            let x = random.pick(&usable);
            let fault = match random.below(4) {
                0 => format!("6 / {x} > 0"),
                1 => format!("9223372036854775806 + {x} > 0"),
                2 => format!("{x} * 4611686018427387904 <= 0"),
                _ if families.is_empty() => format!("7 % {x} < 9"),
                _ => {
                    let (name, _) = random.pick(&families);
                    format!("{name}[{x}] == {name}[{x}]")
                }
            };
            action.guard.push(format!("({fault})"));
        }
    }
}

/// Adds a process that counts until it may not: the error is some steps away from the start.
pub(crate) fn overdue(spec: &mut Spec, seed: u64) {
    let last = 1 + (seed % 3) as i64;
    let (name, init) = ("late".to_string(), "0".to_string());
    spec.shared.push(Var { name, index: Vec::new(), ty: Type::Range(0, last), init });
    let assignments = vec![("late".to_string(), "late + 1".to_string())];
    let tick = Action { name: "tick".to_string(), assignments, ..Action::default() };
    spec.families.push(Family {
        name: "clock".to_string(),
        size: None,
        ring: false,
        vars: Vec::new(),
        actions: vec![tick],
        code: Vec::new(),
        fairness: None,
    });
}
