//! From a system to a program: the declarations become text, since that is where properties are checked against them; the
//! steps become native actions.

use super::here::{Here, Next, Numbered, Place, World};
use super::{Action, Body, Proposition, System, Test};
use crate::program::{ActionId, FaultKind, LocalPlace, Native, Program, Settings, Type, View, build};
use crate::syntax::ast::Fairness;
use crate::syntax::parse;
use crate::text::{Diagnostic, Span};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt::Write as _;

/// The name of the shared variable, and that of each process's variable.
const SHARED: &str = "common";
const LOCAL: &str = "state";

/// The text that declares the system, and the program that runs it. The errors are those of the text.
pub(crate) fn translate<S: System>(system: S) -> (String, Result<Program, Vec<Diagnostic>>) {
    let shared = Numbered::new(system.shared_values());
    let local = Numbered::new(system.local_values());
    let text = match declare(&system, &shared, &local) {
        Ok(text) => text,
        Err(words) => return (String::new(), Err(alloc::vec![Diagnostic::new(Span::default(), words)])),
    };
    let parsed = parse(&text);
    if !parsed.diagnostics.is_empty() {
        return (text, Err(parsed.diagnostics));
    }
    let mut program = match build(&parsed.file, &Settings::default()) {
        Ok(program) => program,
        Err(diagnostics) => return (text, Err(diagnostics)),
    };
    let (families, actions) = (system.families().len(), system.actions().len());
    if (program.families.len(), program.vars.len(), program.actions.len())
        != (families, families + 1, actions)
    {
        let words =
            "`properties` declares a process or a shared variable; it may hold properties and definitions";
        return (text, Err(alloc::vec![Diagnostic::new(Span::default(), words)]));
    }
    let world = Arc::new(place(system, shared, local, &program));
    name_values(&world, &mut program);
    attach(&world, &mut program);
    (text, Ok(program))
}

/// The system's declarations and properties in the language. An action's text says only what it may assign.
fn declare<S: System>(
    system: &S,
    shared: &Numbered<S::Shared>,
    local: &Numbered<S::Local>,
) -> Result<String, String> {
    let initial = system.initial();
    let first = shared.number(&initial).ok_or_else(|| {
        format!("the initial shared value {initial:?} is not among the values that `shared_values` lists")
    })?;
    let mut text = format!("shared {SHARED}: 0..{} = {first}\n", shared.values.len() - 1);
    let (families, actions) = (system.families(), system.actions());
    for action in &actions {
        let named = [Some(&action.family), action.partner.as_ref()].into_iter().flatten();
        for family in named {
            if !families.iter().any(|known| known.name == *family) {
                return Err(format!("the action `{}` names `{family}`, which is no family", action.name));
            }
        }
    }
    for family in &families {
        let first = local.number(&family.initial).ok_or_else(|| {
            format!(
                "the initial value {:?} of `{}` is not among the values that `local_values` lists",
                family.initial, family.name
            )
        })?;
        let size = family.size.map_or_else(String::new, |size| format!("[{size}]"));
        let _ = writeln!(text, "process {}{size} {{", family.name);
        let _ = writeln!(text, "  var {LOCAL}: 0..{} = {first}", local.values.len() - 1);
        for action in actions.iter().filter(|action| action.family == family.name) {
            text.push_str(&footprint(action));
        }
        text.push_str("}\n");
        let word = match family.fairness {
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
            Fairness::None => "none",
        };
        let _ = writeln!(text, "fairness {}: {word}", family.name);
    }
    for proposition in system.propositions() {
        text.push_str(&definition(&proposition, shared, local));
    }
    text.push_str(&system.properties());
    Ok(text)
}

fn footprint<S: System>(action: &Action<S>) -> String {
    let mut params = Vec::new();
    let mut partner = String::new();
    if let Some(family) = &action.partner {
        params.push(format!("partner in {family}"));
        partner = format!(", partner.{LOCAL} := partner.{LOCAL}");
    }
    if action.choices > 0 {
        params.push(format!("choice in 0..{}", action.choices - 1));
    }
    let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    let name = &action.name;
    format!("  action {name}{params}: true -> {SHARED} := {SHARED}, {LOCAL} := {LOCAL}{partner}\n")
}

/// A proposition as the numbers of the values that satisfy it.
fn definition<S: System>(
    proposition: &Proposition<S>,
    shared: &Numbered<S::Shared>,
    local: &Numbered<S::Local>,
) -> String {
    let name = &proposition.name;
    match proposition.test {
        Test::Shared(test) => format!("define {name} = {}\n", numbers(SHARED, &shared.values, test)),
        Test::Local(test) => {
            format!("define {name}(p) = {}\n", numbers(&format!("p.{LOCAL}"), &local.values, test))
        }
    }
}

/// Which numbers of values pass a test, as a condition on a variable: intervals, of which there are usually few.
fn numbers<T>(variable: &str, values: &[T], test: fn(&T) -> bool) -> String {
    let mut intervals: Vec<(usize, usize)> = Vec::new();
    for (number, _) in values.iter().enumerate().filter(|(_, value)| test(value)) {
        match intervals.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => intervals.push((number, number)),
        }
    }
    let one = |&(start, end): &(usize, usize)| {
        if start == end {
            format!("{variable} == {start}")
        } else {
            format!("{variable} >= {start} and {variable} <= {end}")
        }
    };
    if intervals.is_empty() {
        return "false".into();
    }
    intervals.iter().map(one).collect::<Vec<_>>().join(" or ")
}

fn place<S: System>(
    system: S,
    shared: Numbered<S::Shared>,
    local: Numbered<S::Local>,
    program: &Program,
) -> World<S> {
    let families = program.families.iter_enumerated().map(|(id, family)| {
        let (record, offset) = (program.layout.records[id], program.layout.offsets[family.vars[0]]);
        let slots = LocalPlace { family: id, first: record.first, stride: record.stride, offset };
        Place { name: family.name.clone(), family: id, size: family.size, slots }
    });
    World { families: families.collect(), slot: 0, system, shared, local }
}

/// States are shown with the values' own names. Inside, a value stays a number.
fn name_values<S: System>(world: &World<S>, program: &mut Program) {
    let shared = program.enums.push(world.shared.values.iter().map(|value| format!("{value:?}")).collect());
    let local = program.enums.push(world.local.values.iter().map(|value| format!("{value:?}")).collect());
    for var in &mut program.vars {
        var.ty.ty = Type::Enum(if var.owner.is_some() { local } else { shared });
    }
}

fn attach<S: System>(world: &Arc<World<S>>, program: &mut Program) {
    let mut actions = world.system.actions();
    let ids: Vec<ActionId> = program.actions.ids().collect();
    for id in ids {
        let (name, family) = (&program.actions[id].name, &program.families[program.actions[id].family].name);
        let Some(at) = actions.iter().position(|a| a.name == *name && a.family == *family) else { continue };
        let (action, world) = (actions.swap_remove(at), Arc::clone(world));
        program
            .attach(id, Native::new(move |view, bound, values| step(&world, &action, view, bound, values)));
    }
}

/// A step of an action: the numbers of the new values, in the order of its [`footprint`].
fn step<S: System>(
    world: &World<S>,
    action: &Action<S>,
    view: &dyn View,
    bound: &[i64],
    values: &mut Vec<i64>,
) -> Result<bool, FaultKind> {
    let Some(family) = world.family(&action.family) else { return Ok(false) };
    let partner = action.partner.as_ref().and_then(|name| world.family(name));
    let process = bound[0] as u32;
    let choice = if action.choices > 0 { bound[bound.len() - 1] as u32 } else { 0 };
    let here = Here { world, view, family, process, choice, lost: Cell::new(false) };
    let next = match (&action.body, partner) {
        (Body::Alone(step), _) => step(&world.system, &here),
        (Body::Pair(_), None) => None,
        // Nobody is its own partner.
        (Body::Pair(_), Some(place)) if place.family == family.family && bound[1] == bound[0] => None,
        (Body::Pair(step), Some(place)) => {
            step(&world.system, &here, world.local_of(view, place, bound[1] as u32))
        }
    };
    if here.lost.get() {
        return Err(FaultKind::Native("the step counts processes of a family that the system does not have"));
    }
    let Some(Next { shared, me, partner: theirs }) = next else { return Ok(false) };
    let unlisted = || FaultKind::Native("the step leads to a value that the system does not list");
    let number = |value: Option<i64>| value.ok_or_else(unlisted);
    values.push(match shared {
        Some(value) => number(world.shared.number(&value))?,
        None => view.shared(world.slot),
    });
    values.push(match me {
        Some(value) => number(world.local.number(&value))?,
        None => view.local(family.slots, process),
    });
    match (partner, theirs) {
        (Some(_), Some(value)) => values.push(number(world.local.number(&value))?),
        (Some(place), None) => values.push(view.local(place.slots, bound[1] as u32)),
        (None, Some(_)) => {
            return Err(FaultKind::Native("the step changes a partner, but its action has none"));
        }
        (None, None) => {}
    }
    Ok(true)
}
