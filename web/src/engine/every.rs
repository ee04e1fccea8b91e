//! A property for every size of a family: the verdict, the abstract system as a drawing, and what the search did to it.

use super::choices::Choices;
use super::model::Question;
use super::picture::Drawing;
use super::verdict::Verdict;
use orbitscope_core::check::{Halt, Options, Stepping};
use orbitscope_core::draw::{Column, Edge, Glyph, Graph, Node, NodeId, Strip, StripName};
use orbitscope_core::every::{
    Abstract, Build, Conclusion, Drive, Effort, Event, Film, Images, Prover, Record, Weights,
};
use orbitscope_core::program::Settings;
use orbitscope_core::syntax;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// After so many milliseconds the page gives up: the worker answers nothing else meanwhile.
const PATIENCE: f64 = 1200.0;
/// A larger abstract system is not drawn; its search is told in words.
pub const MOST_DRAWN: usize = 300;
/// The search in a larger one is not told either: what it did is too much to be sent.
const MOST_TOLD: usize = 3_000;
/// Of more local states only those are named in a node that somebody is in.
const NAMED: usize = 5;
/// *Many* is drawn as wide as so many processes.
const WIDTH_OF_MANY: u32 = 3;

/// The answer to a property for every size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Every {
    /// Whether it holds for every size.
    pub verdict: Verdict,
    /// The same in words, with the sizes.
    pub words: String,
    /// The smallest values for which it is violated.
    pub smallest: Option<Vec<i64>>,
    /// From these values on it was proved for all at once.
    pub from: Option<Vec<i64>>,
    /// The names of the open parameters.
    pub params: Vec<String>,
    /// The instances that were checked one by one.
    pub checked: Vec<(Vec<i64>, Verdict)>,
    /// How many abstract states and edges there were, in the last system.
    pub size: (usize, u64),
    /// The rules that the proof rests on.
    pub rules: Option<String>,
    /// The abstract search.
    pub story: Option<Story>,
}

/// An abstract search to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// The abstract system, where it is small enough to be looked at.
    pub drawing: Option<Drawing>,
    /// For each state and each of its edges the number of the drawn edge.
    pub drawn: Vec<Vec<u32>>,
    /// Its outcome.
    pub build: Build,
    /// The laws that it was built with.
    pub laws: Vec<Weights>,
    /// The local states: the number of the family, and a short name.
    pub locals: Vec<(u32, String)>,
    /// Up to which number processes are counted, for each open family.
    pub thresholds: Vec<u32>,
    /// The instances that were laid over it.
    pub images: Vec<Images>,
}

/// Steps until the time is over.
struct Clock<'c> {
    now: &'c dyn Fn() -> f64,
    end: f64,
}

impl Drive for Clock<'_> {
    fn drive(&mut self, work: &mut dyn Stepping) -> ControlFlow<Halt> {
        let mut steps = 0u32;
        while work.step() {
            steps += 1;
            if steps.is_multiple_of(16) && (self.now)() > self.end {
                return ControlFlow::Break(Halt::Request);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Answers for every size; what cannot be said of this model is said in words.
pub(super) fn every(
    question: &Question,
    property: &str,
    choices: Choices,
    now: &dyn Fn() -> f64,
) -> Result<Every, String> {
    let parsed = syntax::parse(&question.source);
    let options = Options { fairness: choices.fairness, deadlock: choices.deadlock, ..Options::default() };
    let effort = Effort { states: 20_000, nodes: 60_000, instance: 20_000, ..Effort::default() };
    let made = |settings: &Settings| {
        let prover = Prover::new(&parsed.file, settings, &[], options, effort);
        prover.map_err(|errors| errors.first().map_or_else(String::new, |error| error.message.clone()))
    };
    // Parameters that give sizes are open whatever they are set to; the others stay as they are set.
    let sizes = made(&Settings::default())?;
    let sizes: Vec<&str> = sizes.opened().params.iter().map(|p| p.name.as_str()).collect();
    let others = question.settings.iter().filter(|(name, _)| !sizes.contains(&name.as_str()));
    let settings = Settings {
        params: others.map(|(name, value)| (name.clone(), *value)).collect(),
        ..Settings::default()
    };
    let prover = made(&settings)?;
    let mut clock = Clock { now, end: now() + PATIENCE };
    let (proof, film) = prover.film(Some(property), &mut clock);
    let (smallest, from) = match &proof.conclusion {
        Conclusion::Holds { from } => (None, Some(from.clone())),
        Conclusion::Violated { at, then, .. } => (Some(at.clone()), then.clone()),
        Conclusion::Unknown(_) => (None, None),
    };
    Ok(Every {
        verdict: verdict(proof.verdict()),
        words: proof.words(),
        smallest,
        from,
        params: proof.params.iter().map(|param| param.name.clone()).collect(),
        checked: proof.checked.iter().map(|one| (one.values.clone(), verdict(one.verdict))).collect(),
        size: (proof.states, proof.edges),
        rules: proof.rules.map(|rules| rules.to_string()),
        story: film.and_then(story),
    })
}

fn verdict(word: &str) -> Verdict {
    match word {
        "holds" => Verdict::Holds,
        "violated" => Verdict::Violated,
        _ => Verdict::Unknown,
    }
}

/// The story of a film; none where its system is too large to be told of.
fn story(film: Film) -> Option<Story> {
    let Film { mut record, thresholds, images, .. } = film;
    let build = record.builds.pop()?;
    if build.states.len() > MOST_TOLD {
        return None;
    }
    let locals: Vec<(u32, String)> =
        record.locals.iter().map(|(family, words)| (*family, short(words))).collect();
    let drawn = (build.states.len() <= MOST_DRAWN).then(|| graph(&record, &build, &locals));
    let (drawing, drawn) =
        drawn.map_or((None, Vec::new()), |(graph, drawn)| (Some(Drawing::new(graph)), drawn));
    let laws = record.builds.iter().filter_map(|build| build.events.last()).flat_map(|event| match event {
        Event::Anew { laws } => laws.clone(),
        _ => Vec::new(),
    });
    Some(Story { drawing, drawn, laws: laws.collect(), build, locals, thresholds, images })
}

/// A local state in few words: the value alone, where there is one variable.
fn short(words: &str) -> String {
    match words.split_once('=') {
        Some((_, value)) if !value.contains('=') => value.to_owned(),
        _ => words.to_owned(),
    }
}

/// The abstract system as a graph; the edges between two states are one.
fn graph(record: &Record, build: &Build, locals: &[(u32, String)]) -> (Graph, Vec<Vec<u32>>) {
    let mut graph = Graph::new("abstract system");
    let own = |family: u32| locals.iter().enumerate().filter(move |(_, local)| local.0 == family);
    for (number, state) in build.states.iter().enumerate() {
        let mut label: Vec<String> =
            state.values.split(' ').filter(|v| !v.is_empty()).map(Into::into).collect();
        let tracked = state.tracked.iter().map(|(_, words)| format!("⊙ {}", short(words)));
        label.extend(tracked);
        for family in 0..record.families.len() as u32 {
            let few = own(family).count() <= NAMED;
            let counts = own(family).filter_map(|(local, (_, name))| counter(state, local as u32, name, few));
            label.push(counts.collect::<Vec<_>>().join(" "));
        }
        let glyph =
            Glyph { strips: (0..record.families.len()).map(|f| strip(state, f as u32, locals)).collect() };
        graph.nodes.push(Node {
            initial: state.initial,
            deadlock: state.dead,
            short: label.clone(),
            label,
            glyph,
            ..Node::new(format!("a{number}"))
        });
    }
    for (family, name) in (0..).zip(&record.families) {
        let names = (0..).zip(own(family)).map(|(tint, (_, (_, name)))| (tint, name.clone())).collect();
        graph.strips.push(StripName { name: name.clone(), rows: vec![(name.clone(), names)] });
    }
    let mut first: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut drawn = Vec::with_capacity(build.edges.len());
    for (from, edges) in (0u32..).zip(&build.edges) {
        let of = edges.iter().map(|(to, words)| {
            *first
                .entry((from, *to))
                .or_insert_with(|| graph.edges.push(Edge::new(NodeId(from), NodeId(*to), words.clone())).0)
        });
        drawn.push(of.collect());
    }
    (graph, drawn)
}

/// A counter as a node has it: `I∞`, `R1`, and `C·` where nobody is.
fn counter(state: &Abstract, local: u32, name: &str, few: bool) -> Option<String> {
    match state.counters.iter().find(|(own, _)| *own == local) {
        Some((_, None)) => Some(format!("{name}∞")),
        Some((_, Some(count))) => Some(format!("{name}{count}")),
        None => few.then(|| format!("{name}·")),
    }
}

/// The counters of a family as a strip of bars, *many* the widest; tracked processes have cells of their own.
fn strip(state: &Abstract, family: u32, locals: &[(u32, String)]) -> Strip {
    let own: Vec<(u32, &str)> = (0..)
        .zip(locals)
        .filter(|(_, (of, _))| *of == family)
        .map(|(number, (_, name))| (number, name.as_str()))
        .collect();
    let place = |local: u32| own.iter().position(|(number, _)| *number == local).unwrap_or(0) as u8;
    let named = |words: &str| own.iter().position(|(_, name)| *name == short(words)).unwrap_or(0) as u8;
    let tracked = state.tracked.iter().filter(|(of, _)| *of == family);
    let tracked = tracked.map(|(_, words)| Column {
        cells: vec![named(words)],
        count: 1,
        tracked: true,
        ..Column::default()
    });
    let counted = state.counters.iter().filter(|(local, _)| locals[*local as usize].0 == family);
    let counted = counted.map(|(local, count)| Column {
        cells: vec![place(*local)],
        count: count.unwrap_or(WIDTH_OF_MANY).clamp(1, WIDTH_OF_MANY),
        many: count.is_none(),
        ..Column::default()
    });
    Strip { columns: tracked.chain(counted).collect() }
}
