//! Programs like those that people write about fairness: processes that go through phases of their own, held up now and then
//! by the phases of others, by a flag or by who holds a lock.

use super::super::random::Random;
use super::{Action, Domain, ENUMS, Family, Spec, Type, Var};

/// A program for a seed, without properties.
pub(crate) fn machines(seed: u64) -> Spec {
    let mut random = Random::new(seed ^ 0x6d61_6368);
    let mut spec = Spec::default();
    let families = 1 + usize::from(random.chance(45));
    for i in 0..families {
        // Not more states than a brute force can look at a thousand times.
        let most = if families == 1 { 4 } else { 3 };
        let single = families > 1 && random.chance(30);
        spec.families.push(Family {
            name: format!("f{i}"),
            size: (!single).then(|| random.between(2, most - i as i64)),
            ring: !single && random.chance(30),
            vars: Vec::new(),
            actions: Vec::new(),
            code: Vec::new(),
            fairness: random.chance(80).then(|| *random.pick(&["weak", "strong", "none"])),
        });
    }
    if random.chance(50) {
        spec.shared.push(Var {
            name: "flag".into(),
            index: Vec::new(),
            ty: Type::Bool,
            init: "false".into(),
        });
    }
    if random.chance(40) {
        let ty = Type::Id { family: 0, optional: true };
        spec.shared.push(Var { name: "lock".into(), index: Vec::new(), ty, init: "none".into() });
    }
    for family in 0..families {
        let phases = if families == 1 { 0 } else { 2 * random.below(2) };
        let init = if random.one_in(6) { "any" } else { ENUMS[phases][0] };
        let ty = Type::Enum(phases);
        spec.families[family].vars.push(Var { name: "v0".into(), index: Vec::new(), ty, init: init.into() });
    }
    for family in 0..families {
        // One way through all phases, where whoever is held up has nothing else to do; or any moves.
        let cycle = random.chance(60);
        let phases = phases(&spec, family).len();
        let count = if cycle { phases } else { random.between(2, 5) as usize };
        for i in 0..count {
            let from = cycle.then_some(i);
            let action = action(&mut random, &spec, family, from, format!("a{i}"));
            spec.families[family].actions.push(action);
        }
    }
    spec
}

/// A program in which a role goes round: whoever does not have it can do something else all the time, so that nobody is
/// treated fairly but by taking turns. What is learnt of the processes has to be carried along the permutations.
pub(crate) fn roles(seed: u64) -> Spec {
    let mut random = Random::new(seed ^ 0x726f_6c65);
    let mut spec = Spec::default();
    let shared = |name: &str, ty: Type, init: &str| Var {
        name: name.to_string(),
        index: Vec::new(),
        ty,
        init: init.to_string(),
    };
    spec.shared.push(shared("role", Type::Id { family: 0, optional: false }, "any"));
    spec.shared.push(shared("flag", Type::Bool, "false"));
    let served = random.coin();
    let family = |name: &str, size: Option<i64>, random: &mut Random| Family {
        name: name.to_string(),
        size,
        ring: false,
        vars: Vec::new(),
        actions: Vec::new(),
        code: Vec::new(),
        fairness: random.chance(80).then(|| *random.pick(&["weak", "weak", "strong", "none"])),
    };
    let size = random.between(2, 4);
    spec.families.push(family("f0", Some(size), &mut random));
    let act = |name: &str, params: &[usize], guard: &str, assignments: &[(&str, &str)]| Action {
        name: name.to_string(),
        params: params.iter().map(|&f| ("p0".to_string(), Domain::Family(f))).collect(),
        safety: Vec::new(),
        guard: vec![guard.to_string()],
        assignments: assignments.iter().map(|(t, v)| ((*t).to_string(), (*v).to_string())).collect(),
        ..Action::default()
    };
    let own = &mut spec.families[0].actions;
    if served {
        own.push(act("a0", &[], "role == self and not ready", &[("ready", "true")]));
    } else {
        own.push(act("a0", &[0], "role == self and p0 != self", &[("role", "p0")]));
    }
    let other = random.pick::<&str>(&["role != self", "true", "(role != self or flag)"]);
    let value = random.pick::<&str>(&["true", "true", "not flag"]);
    own.push(act("a1", &[], other, &[("flag", value)]));
    if random.one_in(3) {
        own.push(act("a2", &[], "role == self and flag", &[("flag", "false")]));
    }
    if served {
        spec.shared.push(shared("ready", Type::Bool, "false"));
        spec.families.push(family("f1", None, &mut random));
        let pass = act("a0", &[0], "ready and p0 != role", &[("role", "p0"), ("ready", "false")]);
        spec.families[1].actions.push(pass);
    }
    spec
}

fn phases(spec: &Spec, family: usize) -> &'static [&'static str] {
    match spec.families[family].vars[0].ty {
        Type::Enum(id) => ENUMS[id],
        _ => unreachable!("a family has a phase"),
    }
}

/// An action of a family; on its way through all phases from one to the next, otherwise from any to any.
fn action(random: &mut Random, spec: &Spec, family: usize, phase: Option<usize>, name: String) -> Action {
    let own = phases(spec, family);
    let mut action = Action { name, ..Action::default() };
    let cycle = phase.is_some();
    let from = phase.unwrap_or_else(|| random.below(own.len()));
    if cycle || random.chance(85) {
        action.guard.push(format!("v0 == {}", own[from]));
    }
    let other = random.below(spec.families.len());
    let others = &spec.families[other].name;
    let phase = random.pick(phases(spec, other));
    let has = |name: &str| spec.shared.iter().any(|v| v.name == name);
    // Whoever has one way only is held up more often.
    match random.below(if cycle { 6 } else { 9 }) {
        0 => action.guard.push(format!("not (exists d in {others}: d.v0 == {phase})")),
        1 if cycle => action.guard.push(format!("count(d in {others}: d.v0 == {phase}) < 1")),
        1 => action.guard.push(format!("(exists d in {others}: d.v0 == {phase})")),
        2 if spec.families[family].ring => {
            let phase = random.pick(own);
            let (side, op) = (random.pick::<&str>(&["next", "prev"]), random.pick::<&str>(&["==", "!="]));
            action.guard.push(format!("{side}(self).v0 {op} {phase}"));
        }
        3 if has("flag") => action.guard.push(random.pick::<&str>(&["flag", "(not flag)"]).to_string()),
        4 if has("lock") => {
            let free = if family == 0 { "(lock == none or lock == self)" } else { "lock == none" };
            action.guard.push(free.to_string());
        }
        5 if !cycle => {
            // Somebody else is moved on.
            let to = random.pick(phases(spec, other));
            action.params.push(("p0".into(), Domain::Family(other)));
            action.guard.push(format!("p0.v0 == {phase}"));
            action.assignments.push(("p0.v0".into(), (*to).to_string()));
        }
        _ => {}
    }
    if action.assignments.is_empty() || other != family {
        let step = if cycle { 1 } else { 1 + random.below(own.len() - 1) };
        action.assignments.push(("v0".into(), own[(from + step) % own.len()].to_string()));
    }
    if has("flag") && random.one_in(3) {
        let value = random.pick::<&str>(&["true", "false", "not flag"]);
        action.assignments.push(("flag".into(), (*value).to_string()));
    }
    if has("lock") && random.one_in(3) {
        let holder = if family == 0 && random.coin() { "self" } else { "none" };
        action.assignments.push(("lock".into(), holder.to_string()));
    }
    action
}
