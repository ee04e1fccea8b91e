//! Logs against brute force: every way to name the processes is tried from the start, and a line is compared as text.

use crate::support::random::Random;
use orbitscope_core::group::Process;
use orbitscope_core::ids::Id;
use orbitscope_core::program::{Machine, Program, Settings, Slot, build};
use orbitscope_core::replay::{Observation, Options, Outcome, Replay, Seen};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::parse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Programs that have what a log can speak of: shared and own variables, held processes, tables, arguments, rings, several
/// families with like names, several initial states, and families that are not symmetric.
const MODELS: [&str; 6] = [
    include_str!("../models/two_phase_commit.orb"),
    include_str!("../models/arbiter.orb"),
    "process p[4] ring { var x: 0..2 = 0 var got: bool = false
       action up: x < 2 and not got -> x := x + 1
       action pass: x == 2 -> x := 0, next(self).got := true
       action rest: got -> got := false }",
    "shared held: w? = none
     shared seen[w, 0..1]: bool = false
     process w[3] { var st: {a, b} = any
       action take(i in 0..1): held == none and st == a -> held := self, seen[self, i] := true, st := b
       action give(other in w): held == self and other != self -> held := other
       action drop: held == self -> held := none, st := a }",
    "shared turn: 0..3 = 0
     process one[2] { var st: bool = false action go: turn < 3 -> turn := turn + 1, st := not st }
     process two[2] { var st: 0..2 = 1 action go: turn > 0 -> turn := turn - 1 action set(o in one): o.st -> st := 2, o.st := false }",
    "process p[3] { var x: 0..1 = 0 action go: self == p[0] or p[0].x == 1 -> x := 1 - x }",
];

/// A part of a line as the oracle reads it: the owner's name, the variable, its indices, and the value.
#[derive(Clone, Debug)]
struct Part {
    owner: Option<String>,
    variable: String,
    index: Vec<String>,
    value: Seen,
}

#[derive(Clone, Debug, Default)]
struct Entry {
    process: Option<String>,
    action: Option<String>,
    arguments: Option<Vec<Seen>>,
    parts: Vec<Part>,
}

impl Entry {
    fn observation(&self) -> Observation {
        let after = self.parts.iter().map(|part| {
            let owner = part.owner.as_ref().map_or_else(String::new, |owner| format!("{owner}."));
            let index =
                if part.index.is_empty() { String::new() } else { format!("[{}]", part.index.join(", ")) };
            (format!("{owner}{}{index}", part.variable), part.value.clone())
        });
        Observation {
            process: self.process.clone(),
            action: self.action.clone(),
            arguments: self.arguments.clone(),
            after: after.collect(),
        }
    }

    fn names(&self, known: &BTreeSet<String>) -> Vec<String> {
        let words = |seen: &Seen| if let Seen::Word(word) = seen { Some(word.clone()) } else { None };
        let mut names: Vec<String> = self.process.iter().cloned().collect();
        names.extend(self.arguments.iter().flatten().filter_map(words));
        for part in &self.parts {
            names.extend(part.owner.iter().cloned().chain(part.index.iter().cloned()));
            names.extend(words(&part.value));
        }
        names.retain(|name| known.contains(name));
        names
    }
}

type Binding = BTreeMap<String, String>;

/// The program's graph by brute force.
struct Oracle<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    slots: BTreeMap<String, usize>,
    hidden: u32,
}

/// A step: who, which action, the arguments' names, and the state after it.
type Step = (Process, String, Vec<String>, Vec<i32>);

impl<'p> Oracle<'p> {
    fn new(program: &'p Program, hidden: u32) -> Self {
        let slots =
            (0..program.layout.slots as usize).map(|at| (program.show_slot(Slot::from_index(at)), at));
        Oracle { program, machine: Machine::new(program), slots: slots.collect(), hidden }
    }

    fn initial(&self) -> BTreeSet<Vec<i32>> {
        let mut all = BTreeSet::from([self.program.initial.values.clone()]);
        for slot in &self.program.initial.any {
            let ty = self.program.vars[self.machine.packing().var(*slot)].ty;
            let values = (ty.low..).take(ty.size as usize);
            all = values
                .flat_map(|value| all.iter().map(move |row| (row.clone(), value)))
                .map(|(mut row, value)| {
                    row[slot.index()] = value;
                    row
                })
                .collect();
        }
        all
    }

    fn steps(&mut self, state: &[i32]) -> Vec<Step> {
        let mut steps = Vec::new();
        let program = self.program;
        let _ = self
            .machine
            .steps(state, &mut |step| {
                let name = program.actions[step.action].name.clone();
                let arguments = program.argument_names(step.action, step.arguments);
                steps.push((step.process, name, arguments, step.apply(state)));
                ControlFlow::Continue(())
            })
            .unwrap();
        steps
    }

    fn is(binding: &Binding, name: &str) -> String {
        binding.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    fn shows(binding: &Binding, seen: &Seen) -> String {
        match seen {
            Seen::Word(word) => Self::is(binding, word),
            other => other.to_string(),
        }
    }

    fn holds(&self, entry: &Entry, binding: &Binding, process: Option<&str>, state: &[i32]) -> bool {
        entry.parts.iter().all(|part| {
            let index: Vec<String> = part
                .index
                .iter()
                .map(|name| {
                    let name = Self::is(binding, name);
                    // An index is written as a number, also of a process; of another family there is no entry.
                    match name.strip_suffix(']').and_then(|open| open.split_once('[')) {
                        Some((family, number)) if self.indexed_by(&part.variable, family) => {
                            number.to_owned()
                        }
                        Some(_) => "nowhere".into(),
                        None => name,
                    }
                })
                .collect();
            let variable = if index.is_empty() {
                part.variable.clone()
            } else {
                format!("{}[{}]", part.variable, index.join(", "))
            };
            let owner = part.owner.as_ref().map(|owner| Self::is(binding, owner));
            let of = |owner: &str| self.slots.get(&format!("{owner}.{variable}"));
            let slot = match (&owner, process) {
                (Some(owner), _) => of(owner),
                (None, Some(process)) => of(process).or_else(|| self.slots.get(&variable)),
                (None, None) => self.slots.get(&variable),
            };
            slot.is_some_and(|&slot| {
                let ty = self.program.type_of(Slot::from_index(slot));
                self.program.show_value(ty, state[slot].into()).to_string()
                    == Self::shows(binding, &part.value)
            })
        })
    }

    fn indexed_by(&self, variable: &str, family: &str) -> bool {
        use orbitscope_core::program::Domain;
        let var = self.program.vars.iter().find(|var| var.name == variable);
        var.is_some_and(|var| {
            var.index
                .iter()
                .any(|d| matches!(d, Domain::Family(id) if self.program.families[*id].name == family))
        })
    }

    /// The number of the first line that is not possible under one binding.
    fn read(&mut self, log: &[Entry], binding: &Binding) -> usize {
        let mut states = self.initial();
        for (at, entry) in log.iter().enumerate() {
            for _ in 0..self.hidden {
                let more: Vec<Vec<i32>> =
                    states.iter().flat_map(|state| self.steps(state)).map(|(.., after)| after).collect();
                states.extend(more);
            }
            let process = entry.process.as_ref().map(|name| Self::is(binding, name));
            let mut next = BTreeSet::new();
            for state in &states {
                if entry.action.is_none() && self.holds(entry, binding, process.as_deref(), state) {
                    next.insert(state.clone());
                }
                if entry.action.is_none() && process.is_none() {
                    continue;
                }
                for (mover, action, arguments, after) in self.steps(state) {
                    let mover = self.program.process_name(mover);
                    let named = entry.arguments.as_ref();
                    let fits = process.as_ref().is_none_or(|process| *process == mover)
                        && entry.action.as_ref().is_none_or(|own| *own == action)
                        && named.is_none_or(|list| {
                            list.iter().map(|seen| Self::shows(binding, seen)).eq(arguments)
                        })
                        && self.holds(entry, binding, Some(&mover), &after);
                    if fits {
                        next.insert(after);
                    }
                }
            }
            if next.is_empty() {
                return at;
            }
            states = next;
        }
        log.len()
    }
}

/// All ways to give names to processes, each to another one.
fn bindings(names: &[String], processes: &[String]) -> Vec<Binding> {
    let Some((first, rest)) = names.split_first() else { return vec![Binding::new()] };
    let mut all = Vec::new();
    for process in processes {
        let others: Vec<String> = processes.iter().filter(|other| *other != process).cloned().collect();
        for mut binding in bindings(rest, &others) {
            binding.insert(first.clone(), process.clone());
            all.push(binding);
        }
    }
    all
}

/// A walk, told with parts left out.
fn walk(random: &mut Random, oracle: &mut Oracle<'_>, named: &BTreeMap<String, String>) -> Vec<Entry> {
    let initial: Vec<Vec<i32>> = oracle.initial().into_iter().collect();
    let mut state = initial[random.below(initial.len())].clone();
    let name = |process: &str| named.get(process).cloned().unwrap_or_else(|| process.to_owned());
    let mut log = Vec::new();
    let mut skipped = 0;
    for _ in 0..=random.below(9) {
        let steps = oracle.steps(&state);
        let Some((process, action, arguments, after)) =
            (!steps.is_empty()).then(|| steps[random.below(steps.len())].clone())
        else {
            break;
        };
        state = after;
        if skipped < oracle.hidden && random.chance(25) {
            skipped += 1;
            continue;
        }
        let process = oracle.program.process_name(process);
        let mut entry = Entry::default();
        if random.chance(80) {
            entry.process = Some(name(&process));
        }
        if random.chance(70) {
            entry.action = Some(action);
            if random.chance(50) {
                let seen = |text: &String| text.parse().map_or_else(|_| Seen::Word(name(text)), Seen::Int);
                entry.arguments = Some(arguments.iter().map(seen).collect());
            }
        }
        let slots: Vec<(String, usize)> = oracle.slots.iter().map(|(name, at)| (name.clone(), *at)).collect();
        for _ in 0..random.below(3) {
            let (text, slot) = &slots[random.below(slots.len())];
            entry.parts.extend(part(random, oracle.program, text, *slot, &state, &entry, &process, &name));
        }
        // A line with values alone is no step: the step before it is hidden, and has to be allowed.
        if entry.process.is_none() && entry.action.is_none() && skipped >= oracle.hidden {
            entry.process = Some(name(&process));
        }
        if entry.process.is_some() || entry.action.is_some() || !entry.parts.is_empty() {
            log.push(entry);
            skipped = 0;
        } else {
            skipped += 1;
        }
    }
    log
}

/// The part of a line about a slot; nothing where it would say it of another one.
#[expect(clippy::too_many_arguments, reason = "everything there is to know about a line")]
fn part(
    random: &mut Random,
    program: &Program,
    text: &str,
    slot: usize,
    state: &[i32],
    entry: &Entry,
    mover: &str,
    name: &impl Fn(&str) -> String,
) -> Option<Part> {
    use orbitscope_core::program::{Domain, Type};
    let ty = program.type_of(Slot::from_index(slot));
    let value = match ty {
        Type::Bool => Seen::Bool(state[slot] != 0),
        Type::Int => Seen::Int(state[slot].into()),
        _ => match program.show_value(ty, state[slot].into()).to_string() {
            none if none == "none" => {
                if random.coin() {
                    Seen::Nothing
                } else {
                    Seen::Word(none)
                }
            }
            word => Seen::Word(name(&word)),
        },
    };
    let owner = program.owner_of(Slot::from_index(slot)).map(|owner| program.process_name(owner));
    let rest = owner.as_ref().map_or(text, |owner| &text[owner.len() + 1..]);
    let (variable, index) = match rest.split_once('[') {
        Some((variable, index)) => {
            (variable, index.trim_end_matches(']').split(", ").map(String::from).collect())
        }
        None => (rest, Vec::new()),
    };
    let var =
        program.vars.iter().find(|var| var.name == variable && var.owner.is_some() == owner.is_some())?;
    let index = var.index.iter().zip(index).map(|(domain, number): (&Domain, String)| match domain {
        Domain::Family(family) => name(&format!("{}[{number}]", program.families[*family].name)),
        Domain::Range(..) => number,
    });
    // The mover's own variable may stand without its owner, where the mover is told.
    let short = owner.as_deref() == Some(mover) && entry.process.is_some() && random.coin();
    let owner = owner.filter(|_| !short).map(|owner| name(&owner));
    Some(Part { owner, variable: variable.into(), index: index.collect(), value })
}

/// Changes something that was seen.
fn damage(random: &mut Random, program: &Program, log: &mut [Entry], names: &[String]) {
    let at = random.below(log.len());
    let other = random.below(log.len());
    match random.below(5) {
        0 => log.swap(at, other),
        1 if !names.is_empty() => log[at].process = Some(names[random.below(names.len())].clone()),
        2 => {
            let actions: Vec<&String> = program.actions.iter().map(|action| &action.name).collect();
            log[at].action = Some(actions[random.below(actions.len())].clone());
            log[at].arguments = None;
        }
        3 => {
            if let Some(part) = log[at].parts.first_mut() {
                match &mut part.value {
                    Seen::Bool(value) => *value = !*value,
                    Seen::Int(value) => *value += 1,
                    Seen::Word(word) if names.contains(word) => {
                        word.clone_from(&names[random.below(names.len())]);
                    }
                    _ => {}
                }
            }
        }
        _ => log[at] = log[other].clone(),
    }
}

/// The number of the first line that is not possible.
fn replayed(program: &Program, log: &[Entry], options: Options) -> usize {
    let symmetry = choose(program, Choice::Model).unwrap();
    let mut replay = Replay::new(program, &symmetry, options).unwrap();
    for (at, entry) in log.iter().enumerate() {
        match replay.read(&entry.observation()).unwrap_or_else(|wrong| panic!("{wrong}: {entry:?}")) {
            Outcome::Possible(count) => assert!(count > 0),
            Outcome::Impossible(found) => {
                assert!(found.before > 0 && !found.state.is_empty() || program.layout.slots == 0);
                return at;
            }
            other => panic!("{other:?}"),
        }
    }
    log.len()
}

fn cases() -> u64 {
    std::env::var("ORBITSCOPE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000)
}

#[test]
fn logs_are_read_as_by_brute_force() {
    let programs: Vec<Program> =
        MODELS.iter().map(|text| build(&parse(text).file, &Settings::default()).unwrap()).collect();
    let (mut whole, mut cut, mut later, mut hiding, mut own) = (0, 0, 0, 0, 0);
    for seed in 0..cases() {
        let mut random = Random::new(seed);
        let program = &programs[random.below(programs.len())];
        let mut oracle = Oracle::new(program, u32::from(random.chance(30)));
        // The model's names are its own, or names like any other; single processes keep theirs.
        let own_names = random.chance(30);
        let processes: Vec<String> =
            (0..program.process_count()).map(|p| program.process_name(Process(p))).collect();
        let mut named = BTreeMap::new();
        if !own_names {
            let mut free: Vec<String> = (0..processes.len())
                .map(|k| if random.coin() { format!("w-{k}") } else { format!("10.0.0.{k}") })
                .collect();
            for process in processes.iter().filter(|process| process.ends_with(']')) {
                named.insert(process.clone(), free.swap_remove(random.below(free.len())));
            }
        }
        let mut log = walk(&mut random, &mut oracle, &named);
        if log.is_empty() {
            continue;
        }
        let names: Vec<String> = named.values().cloned().collect();
        let untouched = random.chance(40);
        if !untouched {
            damage(&mut random, program, &mut log, &names);
        }
        let known: BTreeSet<String> = names.iter().cloned().collect();
        let mut expected = 0;
        // A name that comes later has no say about a line before it.
        for end in 1..=log.len() {
            let used: BTreeSet<String> = log[..end].iter().flat_map(|entry| entry.names(&known)).collect();
            let used: Vec<String> = used.into_iter().collect();
            // A single process may have any name too, but not besides its own.
            let single: BTreeSet<String> = processes.iter().filter(|p| !p.ends_with(']')).cloned().collect();
            let called: BTreeSet<String> = log[..end].iter().flat_map(|entry| entry.names(&single)).collect();
            let free: Vec<String> = processes.iter().filter(|p| !called.contains(*p)).cloned().collect();
            if bindings(&used, &free).iter().any(|binding| oracle.read(&log[..end], binding) == end) {
                expected = end;
            } else {
                break;
            }
        }
        let options = Options { hidden: oracle.hidden, own_names, ..Options::default() };
        let found = replayed(program, &log, options);
        assert_eq!(found, expected, "seed {seed}, {named:?}: {log:#?}");
        assert!(!untouched || found == log.len(), "seed {seed}: a walk is a behaviour");
        whole += u32::from(found == log.len());
        cut += u32::from(found < log.len());
        later += u32::from((1..log.len()).contains(&found));
        hiding += u32::from(oracle.hidden > 0 && found < log.len());
        own += u32::from(own_names);
    }
    let least = (cases() / 100) as u32;
    assert!(
        [whole, cut, later, hiding, own].iter().all(|&count| count > least),
        "{whole} {cut} {later} {hiding} {own}"
    );
}

fn program(text: &str) -> Program {
    build(&parse(text).file, &Settings::default()).unwrap()
}

fn line(process: &str, action: &str, after: &[(&str, Seen)]) -> Observation {
    Observation {
        process: Some(process.into()),
        action: Some(action.into()),
        arguments: None,
        after: after.iter().map(|(name, seen)| ((*name).to_owned(), seen.clone())).collect(),
    }
}

const LOCK: &str = "shared owner: w? = none
process w[3] { var st: {idle, waiting, using} = idle
  action ask: st == idle -> st := waiting
  action enter: st == waiting and owner == none -> st := using, owner := self
  action leave: st == using -> st := idle, owner := none }";

#[test]
fn what_was_possible_is_said_in_the_names_of_the_log() {
    let program = program(LOCK);
    let symmetry = choose(&program, Choice::Model).unwrap();
    let mut replay = Replay::new(&program, &symmetry, Options::default()).unwrap();
    for (who, what) in [("a", "ask"), ("b", "ask"), ("a", "enter")] {
        // Like processes are not told apart before they differ: there is one state at a time.
        assert!(matches!(replay.read(&line(who, what, &[])), Ok(Outcome::Possible(1))), "{who} {what}");
    }
    let names = replay
        .names()
        .iter()
        .map(|(name, process)| format!("{name}={}", process.clone().unwrap()))
        .collect::<Vec<_>>();
    assert_eq!(names, ["a=w[0]", "b=w[1]"]);
    let Ok(Outcome::Impossible(found)) = replay.read(&line("b", "enter", &[])) else { panic!() };
    assert_eq!(found.state, "owner=w[0] w=[using, waiting, idle]");
    assert_eq!(found.steps, ["a.leave", "w[2].ask"]);
    assert!(found.near.is_empty());
}

#[test]
fn a_step_with_other_values_is_named() {
    let program = program(LOCK);
    let symmetry = choose(&program, Choice::Model).unwrap();
    let mut replay = Replay::new(&program, &symmetry, Options::default()).unwrap();
    let seen = line("a", "ask", &[("st", Seen::Word("using".into()))]);
    let Ok(Outcome::Impossible(found)) = replay.read(&seen) else { panic!() };
    assert_eq!(found.near.first().map(|(_, difference)| difference.as_str()), Some("st = waiting"));
}

/// A hundred like threads are as easily named as three.
#[test]
fn many_like_processes_are_one_choice() {
    let program = program(&LOCK.replace("w[3]", "w[100]"));
    let symmetry = choose(&program, Choice::Model).unwrap();
    let mut replay = Replay::new(&program, &symmetry, Options::default()).unwrap();
    for number in 0..20 {
        let seen = line(&format!("thread-{number}"), "ask", &[]);
        assert!(matches!(replay.read(&seen), Ok(Outcome::Possible(1))), "{number}");
    }
}

#[test]
fn lines_that_say_nothing_about_the_program() {
    let program = program(LOCK);
    let symmetry = choose(&program, Choice::Model).unwrap();
    let says = |seen: Observation| {
        let mut replay = Replay::new(&program, &symmetry, Options::default()).unwrap();
        replay.read(&seen).unwrap_err().to_string()
    };
    let after = |name: &str, seen: Seen| says(line("a", "ask", &[(name, seen)]));
    assert_eq!(says(line("a", "entre", &[])), "the model has no action `entre`; did you mean `enter`?");
    assert_eq!(after("sta", Seen::Int(1)), "the model has no variable `sta`; did you mean `st`?");
    assert_eq!(after("st", Seen::Int(1)), "`st` is one of idle, waiting, using, and the log says 1");
    assert_eq!(after("st[0]", Seen::Int(1)), "`st[0]` has 1 indices, and `st` has 0");
    assert_eq!(after("owner", Seen::Bool(true)), "`owner` is a process, and the log says true");
    let arguments = Some(vec![Seen::Int(1)]);
    assert_eq!(
        says(Observation { arguments: arguments.clone(), ..line("a", "ask", &[]) }),
        "no action `ask` has 1 arguments"
    );
    assert_eq!(says(Observation { arguments, ..Observation::default() }), "arguments without an action");
}

/// Variables of one name have other types in other families; a value is of the type of the one that is meant.
#[test]
fn a_value_is_of_the_type_that_its_owner_has() {
    let possible = |text: &str, log: &[Observation]| {
        let program = program(text);
        let symmetry = choose(&program, Choice::Model).unwrap();
        let mut replay = Replay::new(&program, &symmetry, Options::default()).unwrap();
        log.iter().all(|seen| matches!(replay.read(seen).unwrap(), Outcome::Possible(_)))
    };
    let word = |word: &str| Seen::Word(word.into());
    // The number 1 is not true, whichever family comes first.
    let (one, two) = (
        "process one { var st: bool = false action go: true -> st := true }\n",
        "process two { var st: 0..2 = 0 action set: true -> st := 1 }\n",
    );
    for text in [format!("{one}{two}"), format!("{two}{one}")] {
        assert!(possible(&text, &[line("a", "go", &[("st", Seen::Bool(true))])]));
        assert!(!possible(&text, &[line("a", "go", &[("st", Seen::Int(1))])]));
        assert!(possible(&text, &[line("a", "set", &[("st", Seen::Int(1))])]));
        assert!(!possible(&text, &[line("a", "set", &[("st", Seen::Bool(true))])]));
    }
    // A word is a literal of one family, and a process, or none, of the other.
    let (one, two) = (
        "process one { var st: {idle, none_yet} = idle action go: true -> st := idle }\n",
        "process two { var st: two? = none action set: true -> st := self action drop: true -> st := none }\n",
    );
    for text in [format!("{one}{two}"), format!("{two}{one}")] {
        assert!(possible(&text, &[line("a", "go", &[("st", word("idle"))])]));
        assert!(possible(&text, &[line("idle", "set", &[("st", word("idle"))])]));
        assert!(!possible(&text, &[line("a", "set", &[("st", word("idle"))])]));
        assert!(possible(&text, &[line("a", "drop", &[("st", word("none"))])]));
    }
    // Arguments and indices are too.
    let (one, two) = (
        "process one[2] { var x[0..1]: bool = false action go(i in 0..1): true -> x[i] := true }\n",
        "process two[2] { var x[two]: bool = false action go(o in two): true -> x[o] := true }\n",
    );
    for text in [format!("{one}{two}"), format!("{two}{one}")] {
        let go = |who: &str, argument: Seen, place: &str| Observation {
            arguments: Some(vec![argument]),
            ..line(who, "go", &[(place, Seen::Bool(true))])
        };
        assert!(possible(&text, &[go("a", Seen::Int(1), "x[1]")]));
        assert!(possible(&text, &[go("a", word("b"), "x[b]"), go("b", word("a"), "x[a]")]));
        assert!(possible(&text, &[go("a", Seen::Int(7), "x[7]")]));
        assert!(!possible(&text, &[go("a", word("b"), "x[b]"), go("a", Seen::Int(1), "x[b]")]));
    }
}

#[test]
fn too_many_possible_states_are_a_limit() {
    let program = program(
        "shared x[0..9]: bool = false\nprocess p[2] { action flip(i in 0..9): true -> x[i] := not x[i] }",
    );
    let symmetry = choose(&program, Choice::Model).unwrap();
    let options = Options { hidden: 6, limit: 50, ..Options::default() };
    let mut replay = Replay::new(&program, &symmetry, options).unwrap();
    let seen = Observation { action: Some("flip".into()), ..Observation::default() };
    assert!(matches!(replay.read(&seen), Ok(Outcome::TooMany)));
}
