//! The record of an abstract search: done again from what it says alone, it gives the same result; and each state of an instance has
//! its image.

use orbitscope_core::check::Options;
use orbitscope_core::every::{Build, Cause, Effort, Event, Film, Found, Prover, Record, Rule, RunToEnd};
use orbitscope_core::models;
use orbitscope_core::program::Settings;
use orbitscope_core::syntax::parse;
use std::collections::{BTreeMap, BTreeSet};

/// The rest of a product: nodes and edges, by number.
#[derive(Clone)]
struct Alive {
    nodes: BTreeSet<u32>,
    links: BTreeSet<u32>,
}

impl Alive {
    fn all(build: &Build) -> Alive {
        Alive {
            nodes: (0..build.nodes.len() as u32).collect(),
            links: (0..build.links.len() as u32).collect(),
        }
    }

    /// The edges whose ends are there.
    fn inside<'b>(&'b self, build: &'b Build) -> impl Iterator<Item = u32> + 'b {
        let ends = |link: &u32| {
            let link = build.links[*link as usize];
            self.nodes.contains(&link.from) && self.nodes.contains(&link.to)
        };
        self.links.iter().copied().filter(ends)
    }

    fn reached(&self, build: &Build, from: u32, forwards: bool) -> BTreeSet<u32> {
        let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for link in self.inside(build) {
            let link = build.links[link as usize];
            let (a, b) = if forwards { (link.from, link.to) } else { (link.to, link.from) };
            next.entry(a).or_default().push(b);
        }
        let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(node) = open.pop() {
            for &to in next.get(&node).into_iter().flatten() {
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        seen
    }

    /// The strongly connected component of a node, by the definition.
    fn component(&self, build: &Build, node: u32) -> BTreeSet<u32> {
        let there = self.reached(build, node, true);
        self.reached(build, node, false).into_iter().filter(|other| there.contains(other)).collect()
    }

    /// Whether a component is left that the automaton accepts.
    fn accepts_something(&self, build: &Build) -> bool {
        let mut open: BTreeSet<u32> = self.nodes.clone();
        while let Some(node) = open.pop_first() {
            let component = self.component(build, node);
            open.retain(|other| !component.contains(other));
            let links = self.inside(build).map(|link| build.links[link as usize]);
            let own = links.filter(|link| component.contains(&link.from) && component.contains(&link.to));
            let marks: Vec<u64> = own.map(|link| link.marks).collect();
            let all = marks.iter().fold(0, |sum, mark| sum | mark);
            if !marks.is_empty() && u64::from(all.count_ones()) == u64::from(build.sets) {
                return true;
            }
        }
        false
    }
}

/// Does again what a record says: whether it ends with a proof. Each component is one of what is there, each removal takes away
/// something of it, and the end is what is left.
fn replay(record: &Record, what: &str) -> bool {
    let last = record.builds.len() - 1;
    for (number, build) in record.builds.iter().enumerate() {
        let proved = replay_build(build, what);
        let anew = matches!(build.events.last(), Some(Event::Anew { laws }) if !laws.is_empty());
        assert_eq!(anew, number < last, "{what}: {:?}", build.events.last());
        if number == last {
            return proved;
        }
        assert!(!proved, "{what}");
    }
    unreachable!("a record has a system");
}

fn replay_build(build: &Build, what: &str) -> bool {
    assert_eq!(build.states.len(), build.edges.len(), "{what}");
    let mut alive = Alive::all(build);
    let (mut looked, mut rule): (BTreeSet<u32>, Option<Rule>) = (BTreeSet::new(), None);
    for event in &build.events {
        match event {
            Event::Begin(next) => {
                assert!(rule.is_none_or(|rule| rule < *next), "{what}: {rule:?}, then {next:?}");
                rule = Some(*next);
                alive = Alive::all(build);
            }
            Event::Component { nodes, links } => {
                looked = nodes.iter().copied().collect();
                assert_eq!(alive.component(build, nodes[0]), looked, "{what}");
                assert!(links.iter().all(|link| alive.links.contains(link)), "{what}");
            }
            Event::Removed { cause, nodes, links } => {
                let needs = match cause {
                    Cause::Acceptance | Cause::Idle { .. } | Cause::Able { .. } => Rule::Simulation,
                    Cause::Threads { stranded } => {
                        assert!(stranded.iter().all(|(node, _)| nodes.contains(node)), "{what}");
                        Rule::Threads
                    }
                    Cause::Drift { weights } => {
                        assert!(!weights.is_empty() && nodes.is_empty(), "{what}");
                        Rule::Drift
                    }
                };
                assert!(rule >= Some(needs) && !(nodes.is_empty() && links.is_empty()), "{what}: {cause:?}");
                assert!(nodes.iter().all(|node| looked.contains(node)), "{what}: {cause:?}");
                alive.nodes.retain(|node| !nodes.contains(node));
                alive.links.retain(|link| !links.contains(link));
            }
            Event::Left => assert!(alive.accepts_something(build), "{what}"),
            Event::Wrong { states } => assert!(!states.is_empty(), "{what}"),
            Event::Anew { .. } => {}
            Event::Proved => {
                assert!(build.nodes.is_empty() || !alive.accepts_something(build), "{what}");
                return true;
            }
        }
    }
    false
}

fn film(text: &str, property: Option<&str>, what: &str) -> Option<Film> {
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{what}: {:?}", parsed.diagnostics);
    let effort = Effort { small: 3, ..Effort::default() };
    let prover = Prover::new(&parsed.file, &Settings::default(), &[], Options::default(), effort).ok()?;
    let (proof, film) = prover.film(property, &mut RunToEnd);
    let plain = prover.prove(property, &mut RunToEnd);
    assert_eq!(proof.words(), plain.words(), "{what}: the record changes nothing");
    let film = film?;
    assert_eq!(replay(&film.record, what), matches!(film.found, Found::Proved(_)), "{what}");
    // Every state of an instance that the system stands for has its image there.
    for images in film.images.iter().filter(|_| proof.holds()) {
        assert!(images.outside == 0 || images.values.iter().any(|value| *value < 3), "{what}: {images:?}");
    }
    Some(film)
}

#[test]
fn records_done_again_give_the_same_result() {
    let mut causes: BTreeSet<&str> = BTreeSet::new();
    let mut all: Vec<(String, String)> = crate::support::read_models("every");
    let small = ["simplified_controller", "mutex_emerson_sistla", "idle_in_between", "readers_writers"];
    all.extend(small.map(|name| (name.into(), models::find(name).unwrap().source.into())));
    for (file, text) in all {
        let parsed = parse(&text);
        let effort = Effort { small: 3, ..Effort::default() };
        let Ok(prover) = Prover::new(&parsed.file, &Settings::default(), &[], Options::default(), effort)
        else {
            continue;
        };
        for name in prover.properties() {
            let Some(film) = film(&text, Some(name), &format!("{file} {name}")) else { continue };
            for event in film.record.builds.iter().flat_map(|build| &build.events) {
                causes.insert(match event {
                    Event::Removed { cause: Cause::Acceptance, .. } => "acceptance",
                    Event::Removed { cause: Cause::Idle { .. }, .. } => "idle",
                    Event::Removed { cause: Cause::Able { .. }, .. } => "able",
                    Event::Removed { cause: Cause::Threads { .. }, .. } => "threads",
                    Event::Removed { cause: Cause::Drift { .. }, .. } => "drift",
                    Event::Anew { .. } => "laws",
                    Event::Left => "left",
                    Event::Wrong { .. } => "wrong",
                    Event::Begin(_) | Event::Component { .. } | Event::Proved => continue,
                });
            }
        }
    }
    assert_eq!(causes.len(), 8, "{causes:?}");
}

/// An instance laid over the abstract system: with as many as the threshold tells apart, states are themselves.
#[test]
fn images_of_instances() {
    let text = models::find("mutex_emerson_sistla").unwrap().source;
    let film = film(text, Some("mutual_exclusion"), "mutex").unwrap();
    let sizes: Vec<(i64, usize, u32)> = film
        .images
        .iter()
        .map(|images| (images.values[0], images.of.len(), images.of.values().map(|image| image.count).sum()))
        .collect();
    // n of N, T or C, at most one in C: (n + 1) + n of them.
    assert_eq!(sizes.iter().map(|&(n, _, count)| (n, count)).collect::<Vec<_>>(), [(1, 3), (2, 5), (3, 7)]);
    assert!(sizes.iter().all(|&(_, nodes, count)| nodes as u32 <= count), "{sizes:?}");
    assert_eq!(film.thresholds, [1]);
}
