//! Passes in rounds, by crews of several sizes, against the same passes state by state: the same numbers, counts, violations, deadlocks,
//! paths, and reasons to stop, also within tiny limits.

use crate::support::crew::{Threads, Turns};
use crate::support::programs::{generate, typed};
use crate::support::random::Random;
use crate::support::{MODEL_SIZES, asks_shares, built, cases, first_seed};
use crate::{quotient_unfold, search_agree, soak};
use orbitscope_core::crew::Crew;
use orbitscope_core::error::Limit;
use orbitscope_core::explore::{Exploration, Limits, StateId, StopReason};
use orbitscope_core::program::{Program, PropertyId};
use orbitscope_core::{models, strain};
use std::collections::BTreeMap;

/// How many passes had what.
#[derive(Default, Debug)]
struct Tally {
    passes: u64,
    rounds: u64,
    states: u64,
    ends: BTreeMap<String, u64>,
}

impl Tally {
    fn note<S: std::fmt::Debug>(&mut self, stopped: &StopReason<S>, rounds: u64, states: u32) {
        let words = format!("{stopped:?}");
        let limit = matches!(stopped, StopReason::Limit(_));
        let end = if limit { words } else { words.split('(').next().unwrap_or_default().to_string() };
        *self.ends.entry(end).or_default() += 1;
        self.passes += 1;
        self.rounds += rounds;
        self.states += u64::from(states);
    }

    /// Every reason to stop is met.
    fn asks_for(&self, ends: &[&str]) {
        println!("{self:?}");
        let missing: Vec<_> = ends.iter().filter(|&&end| !self.ends.contains_key(end)).collect();
        assert!(!asks_shares() || missing.is_empty(), "never met: {missing:?} in {self:?}");
        assert!(self.rounds > self.passes, "few rounds: {self:?}");
    }
}

/// Limits of every kind: none that is reached, and some that are so small that passes end in the middle of a state.
fn limits(random: &mut Random, most: u32) -> Limits {
    let wide = Limits { states: most, ..Limits::default() };
    match random.below(4) {
        0 => Limits { states: 1 + random.below(most as usize / 4) as u32, ..wide },
        1 => Limits { bytes: 100 + random.below(8_000) as u64, ..wide },
        2 => Limits { states: 1 + random.below(20) as u32, ..wide },
        _ => wide,
    }
}

fn asked(program: &Program) -> Vec<PropertyId> {
    program.properties.iter_enumerated().filter(|(_, p)| p.logic().is_of_states()).map(|(id, _)| id).collect()
}

/// Everything that can be told of an exploration.
fn told(states: &Exploration<'_>) -> String {
    let rows: Vec<&[u64]> = (0..states.states().len()).map(|n| states.states().get(StateId(n))).collect();
    let last = rows.len().checked_sub(1).map(|n| states.path_to(StateId(n as u32)));
    format!(
        "{:?}\n{rows:?}\n{} expanded, {} edges, {} bytes\n{:?}\n{:?}\n{last:?}",
        states.stopped(),
        states.expanded(),
        states.edge_count(),
        states.bytes(),
        states.deadlocks(),
        states.violations(),
    )
}

fn by_states(
    program: &Program,
    crew: &dyn Crew,
    limits: Limits,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let asked = asked(program);
    let mut one = Exploration::new(program, limits, &asked);
    one.run();
    let mut several = Exploration::new(program, limits, &asked);
    let mut rounds = 0;
    while several.round(crew, 2 + random.below(40) as u32).is_none() {
        rounds += 1;
    }
    tally.note(one.stopped().expect("it has stopped"), rounds, one.states().len());
    let (one, several) = (told(&one), told(&several));
    if one == several { Ok(()) } else { Err(format!("{limits:?}, one by one: {one}\nin rounds: {several}")) }
}

fn source(seed: u64) -> String {
    match seed % 4 {
        0 => generate(seed / 4, &quotient_unfold::knobs(seed / 4)).to_string(),
        1 => search_agree::program(seed / 4).to_string(),
        2 => typed(seed / 4),
        _ => soak::spec(seed / 4).to_string(),
    }
}

/// A pass with some limits and a crew of two or three.
type Passing = fn(&Program, &dyn Crew, Limits, &mut Random, &mut Tally) -> Result<(), String>;

fn random_programs(usual: u64, most: u32, pass: Passing, ends: &[&str]) {
    let mut tally = Tally::default();
    for seed in first_seed()..first_seed() + cases(usual) {
        let mut random = Random::new(seed ^ 0xc4e3);
        let check = |source: &str, random: &mut Random, tally: &mut Tally| {
            let program = built("generated", source, &[]);
            let number = (seed % 3 == 0).then_some(seed);
            strain::begin(number);
            let crew: &dyn Crew = if seed % 2 == 0 { &Threads(2, number) } else { &Turns(3) };
            let result = (0..3).try_for_each(|_| {
                let limits = limits(random, most);
                pass(&program, crew, limits, random, tally)
            });
            strain::end();
            result
        };
        let source = source(seed);
        if let Err(why) = check(&source, &mut random, &mut tally) {
            panic!("seed {seed}: {why}\n{source}");
        }
    }
    tally.asks_for(ends);
}

#[test]
fn states_of_random_programs() {
    let ends = ["Complete", "AllViolated", "Limit(States)", "Limit(Bytes)", "Fault", "PropertyFault"];
    random_programs(1_500, 2_000, by_states, &ends);
}

/// Rounds as large as they come, by threads that have to wait for each other.
#[test]
fn states_of_the_models() {
    let mut tally = Tally::default();
    let mut random = Random::new(5);
    for (name, sizes) in MODEL_SIZES {
        let model = models::find(name).expect("the model is there");
        for params in std::iter::once(&[][..]).chain(sizes.iter().copied()) {
            let program = built(name, model.source, params);
            for crew in [2, 3].map(|count| Threads(count, None)) {
                let limits = Limits { states: 5_000, ..Limits::default() };
                by_states(&program, &crew, limits, &mut random, &mut tally)
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
    }
    println!("{tally:?}");
}

/// More successors than a scout carries, where limits hold within one expansion.
#[test]
fn a_state_with_many_successors() {
    let text = "param n = 3 process p[n] { var x: 0..40000 = 0 action go(v in 1..40000): x == 0 -> x := v }
        process wide[2000] { var y: bool = false }";
    let program = built("wide", text, &[]);
    for limits in
        [Limits { states: 130_000, ..Limits::default() }, Limits { bytes: 1 << 26, ..Limits::default() }]
    {
        let mut one = Exploration::new(&program, limits, &[]);
        one.run();
        let mut several = Exploration::new(&program, limits, &[]);
        while several.round(&Threads(2, None), 1_000).is_none() {}
        let told = |e: &Exploration<'_>| (e.stopped().cloned(), e.states().len(), e.edge_count(), e.bytes());
        assert_eq!(told(&one), told(&several));
        assert!(matches!(one.stopped(), Some(StopReason::Limit(Limit::States | Limit::Bytes))));
    }
}
