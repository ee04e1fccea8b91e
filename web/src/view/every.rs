//! A property for every size: the steps of the abstract search, its marks on the drawing, and its words.

use super::picture::marks::{Legend, Marks, Phase};
use crate::engine::{Drawing, Every, GraphKind, Story, Verdict};
use crate::session::Session;
use orbitscope_core::draw::{EdgeId, NodeId};
use orbitscope_core::every::{Cause, Event, Rule, Weights};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The states of the abstract system are found in at most so many steps.
const FINDS: usize = 40;

/// The meaning of the marks here.
const LEGEND: Legend = &[
    ("done", "found"),
    ("entered", "in the component that is looked at"),
    ("stacked", "removed by a rule"),
    ("fair", "left, or wrong"),
];

/// A moment of the abstract search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The number of states found by then.
    Found(usize),
    /// The number of events that have happened.
    Events(usize),
}

/// The moments of a search, in order.
pub fn moments(story: &Story) -> Vec<Moment> {
    let states = story.build.states.len();
    let slice = states.div_ceil(FINDS).max(1);
    let found = (1..=states).filter(|k| k.is_multiple_of(slice) || *k == states).map(Moment::Found);
    found.chain((1..=story.build.events.len()).map(Moment::Events)).collect()
}

/// The moment that is looked at, and its number.
pub fn moment(session: &Session, story: &Story) -> (usize, Moment) {
    let all = moments(story);
    let step = session.everywhere.step.min(all.len().saturating_sub(1));
    (step, all.get(step).copied().unwrap_or(Moment::Found(0)))
}

/// A search at a moment: what was removed by the rules that are tried now, and what is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Scene {
    gone_nodes: BTreeSet<u32>,
    gone_links: BTreeSet<u32>,
    looked: BTreeSet<u32>,
    looked_links: BTreeSet<u32>,
    /// Abstract states that are wrong, or in what is left.
    left: BTreeSet<u32>,
}

fn scene(story: &Story, events: usize) -> Scene {
    let mut scene = Scene::default();
    let state = |node: &u32| story.build.nodes.get(*node as usize).map(|node| node.0);
    for event in &story.build.events[..events] {
        match event {
            Event::Begin(_) => scene = Scene::default(),
            Event::Component { nodes, links } => {
                scene.looked = nodes.iter().copied().collect();
                scene.looked_links = links.iter().copied().collect();
            }
            Event::Removed { nodes, links, .. } => {
                scene.gone_nodes.extend(nodes);
                scene.gone_links.extend(links);
                scene.looked.retain(|node| !scene.gone_nodes.contains(node));
                scene.looked_links.retain(|link| !scene.gone_links.contains(link));
            }
            Event::Left => scene.left = scene.looked.iter().filter_map(state).collect(),
            Event::Wrong { states } => scene.left = states.iter().copied().collect(),
            Event::Anew { .. } => {}
            Event::Proved => (scene.looked, scene.looked_links) = Default::default(),
        }
    }
    scene
}

/// The marks of the abstract search on its drawing.
pub fn marks(story: &Story, moment: Moment) -> Marks {
    let Some(graph) = story.drawing.as_ref().map(Drawing::graph) else { return Marks::blank((0, 0)) };
    let mut marks = Marks::blank((graph.nodes.len(), graph.edges.len()));
    marks.legend = LEGEND;
    let found = match moment {
        Moment::Found(count) => count,
        Moment::Events(_) => story.build.states.len(),
    };
    let in_sight = |node: NodeId| (node.0 as usize) < found;
    for node in graph.nodes.ids().filter(|node| in_sight(*node)) {
        marks.nodes[node].phase = Phase::Done;
    }
    for (id, edge) in graph.edges.iter_enumerated().filter(|(_, e)| in_sight(e.from) && in_sight(e.to)) {
        let _ = edge;
        marks.edges[id].phase = Phase::Done;
    }
    let Moment::Events(events) = moment else {
        marks.current = found.checked_sub(1).map(|last| NodeId(last as u32));
        return marks;
    };
    let scene = scene(story, events);
    for (node, &(state, _)) in (0u32..).zip(&story.build.nodes) {
        let mark = &mut marks.nodes[NodeId(state)];
        if scene.looked.contains(&node) {
            mark.phase = Phase::Entered;
        } else if scene.gone_nodes.contains(&node) && mark.phase != Phase::Entered {
            mark.phase = Phase::Stacked;
        }
    }
    for (number, link) in (0u32..).zip(&story.build.links) {
        let state = story.build.nodes[link.from as usize].0;
        let edge = EdgeId(story.drawn[state as usize][link.edge as usize]);
        let mark = &mut marks.edges[edge];
        if scene.looked_links.contains(&number) {
            mark.phase = Phase::Entered;
        } else if scene.gone_links.contains(&number) && mark.phase != Phase::Entered {
            mark.phase = Phase::Stacked;
        }
    }
    for state in scene.left {
        marks.nodes[NodeId(state)].fair = true;
    }
    marks
}

/// The event of a moment, in words.
pub fn words(story: &Story, moment: Moment) -> String {
    let states = story.build.states.len();
    let Moment::Events(events) = moment else {
        let Moment::Found(count) = moment else { return String::new() };
        let laws = match story.laws.as_slice() {
            [] => String::new(),
            [law, ..] => {
                format!(" States are left out where {} would be less than it can be.", sum(story, law))
            }
        };
        return format!(
            "{count} of {states} abstract states found; each stands for states of every size.{laws}"
        );
    };
    match &story.build.events[events - 1] {
        Event::Begin(Rule::Simulation) => {
            "The product with the property's automaton is complete. Is there a part in which a violation could stay for ever?".into()
        }
        Event::Begin(rule) => format!("From the start again, now also with the rule {}.", rule.name()),
        Event::Component { nodes, .. } => {
            format!("A component of {}: could a fair run of some size stay in it?", counted(nodes.len(), "node"))
        }
        Event::Removed { cause, nodes, links } => {
            let size = match (nodes.len(), links.len()) {
                (nodes, 0) => counted(nodes, "node"),
                (0, links) => counted(links, "edge"),
                (nodes, links) => format!("{} and {}", counted(nodes, "node"), counted(links, "edge")),
            };
            format!("{size} removed: {}", because(story, cause))
        }
        Event::Left => "No rule so far removes this component. It may or may not be a run of some size.".into(),
        Event::Wrong { states } => {
            let those = if states.len() == 1 { "It may or may not be a state" } else { "They may or may not be states" };
            format!("{} would violate the property. {those} of some size.", counted(states.len(), "abstract state"))
        }
        Event::Anew { laws } => format!("The system is built anew with {}.", counted(laws.len(), "law")),
        Event::Proved => "Nothing is left: no run of any size violates the property.".into(),
    }
}

fn because(story: &Story, cause: &Cause) -> String {
    match cause {
        Cause::Acceptance => "what stays there does not violate the property.".into(),
        Cause::Idle { who } => {
            format!("{who} could move all the time there, and never does. That is not fair.")
        }
        Cause::Able { who } => {
            format!("{who} could move again and again there, and never does. That is not fair.")
        }
        Cause::Threads { stranded } => {
            let names: BTreeSet<&str> =
                stranded.iter().map(|(_, local)| story.locals[*local as usize].1.as_str()).collect();
            let names: Vec<&str> = names.into_iter().collect();
            if names.is_empty() {
                return "whoever takes these steps can never come back to take them again.".into();
            }
            format!("follow one process in {}: it has no fair way to go on there.", names.join(" or "))
        }
        Cause::Drift { weights } => {
            format!("{} never falls there and would grow for ever; no size can do that.", sum(story, weights))
        }
    }
}

/// A weighted number of processes, such as `2·#waiting + #inside`.
fn sum(story: &Story, weights: &Weights) -> String {
    let mut text = String::new();
    for (local, weight) in weights {
        let name = &story.locals[*local as usize].1;
        let sign = match (text.is_empty(), *weight < 0) {
            (true, true) => "−",
            (true, false) => "",
            (false, true) => " − ",
            (false, false) => " + ",
        };
        let factor = if weight.abs() == 1 { String::new() } else { format!("{}·", weight.abs()) };
        let _ = write!(text, "{sign}{factor}#{name}");
    }
    text
}

fn counted(count: usize, what: &str) -> String {
    super::text::counted(count as u64, what)
}

/// A field of the strip of sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// `n = 2`.
    pub label: String,
    /// The same in a list of many: the values alone where there are several.
    pub short: String,
    /// The verdict of that instance.
    pub verdict: Verdict,
    /// The number of the instance among those laid over the abstract system.
    pub image: Option<usize>,
}

/// The instances that were checked one by one, the smallest first.
pub fn fields(every: &Every) -> Vec<Field> {
    let images = every.story.as_ref().map_or(&[][..], |story| &story.images);
    let field = |(values, verdict): &(Vec<i64>, Verdict)| {
        let label = each(&every.params, values);
        let alone = || values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Field {
            short: if values.len() == 1 { label.clone() } else { alone() },
            label,
            verdict: *verdict,
            image: images.iter().position(|image| image.values == *values),
        }
    };
    every.checked.iter().map(field).collect()
}

fn each(params: &[String], values: &[i64]) -> String {
    let parts = params.iter().zip(values).map(|(name, value)| format!("{name} = {value}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// The badge of its own that a property has once it is known: its word, and the style's class.
pub fn badge(every: &Every) -> (String, &'static str) {
    let name = every.params.join(", ");
    match (every.verdict, &every.smallest) {
        (Verdict::Holds, _) => (format!("✓ every {name}"), "is-good"),
        (Verdict::Violated, Some(values)) => (format!("✗ {}", each(&every.params, values)), "is-bad"),
        (Verdict::Violated, None) => (format!("✗ every {name}"), "is-bad"),
        (Verdict::Unknown, _) => (format!("? every {name}"), "is-unknown"),
    }
}

/// The nodes that an instance reaches: the others step back.
pub fn reached(story: &Story, image: usize) -> Vec<u32> {
    story.images.get(image).map_or_else(Vec::new, |images| images.of.keys().copied().collect())
}

/// The states that a chosen abstract state stands for, in the instance that is laid over the system.
pub fn stands_for(story: &Story, every: &Every, state: u32, image: Option<usize>) -> Vec<String> {
    let Some(images) = image.and_then(|image| story.images.get(image)) else {
        let many = story.build.states.get(state as usize).map(|state| {
            let many = state.counters.iter().any(|(_, count)| count.is_none());
            if many {
                "It stands for states of every size that is large enough."
            } else {
                "It stands for states of one size only."
            }
        });
        return many.map(str::to_owned).into_iter().collect();
    };
    let label = each(&every.params, &images.values);
    match images.of.get(&state) {
        None => vec![format!("With {label} no state is like this.")],
        Some(image) => {
            let more = image.count as usize - image.words.len();
            let head = format!(
                "With {label} it stands for {} up to symmetry:",
                counted(image.count as usize, "state")
            );
            let rest = (more > 0).then(|| format!("and {more} more"));
            [head].into_iter().chain(image.words.iter().cloned()).chain(rest).collect()
        }
    }
}

/// Why the abstract system is not seen.
pub fn why_no_drawing(every: &Every) -> String {
    let (states, most) = (every.size.0, crate::engine::MOST_DRAWN);
    if states <= most {
        return "There is no abstract search to be seen.".into();
    }
    let instead = if every.story.is_some() {
        "Play the search: the line above tells each step."
    } else {
        "`orbitscope prove` answers on the command line, with a larger budget where you give it one."
    };
    format!("{states} abstract states are too many for a picture, which has room for {most}. {instead}")
}

/// The graph that the panel shows.
pub const GRAPH: GraphKind = GraphKind::Every;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixture::every;

    #[test]
    fn the_search_ends_with_what_the_verdict_says() {
        let proved = every("mutex_emerson_sistla", "somebody_enters");
        assert_eq!(badge(&proved), ("✓ every n".into(), "is-good"));
        let story = proved.story.as_ref().unwrap();
        let all = moments(story);
        assert_eq!(all[0], Moment::Found(1));
        assert_eq!(
            words(story, *all.last().unwrap()),
            "Nothing is left: no run of any size violates the property."
        );
        let last = marks(story, *all.last().unwrap());
        assert!(last.nodes.iter().all(|mark| !mark.fair && mark.phase != Phase::Entered));
        let told: Vec<String> = all.iter().map(|moment| words(story, *moment)).collect();
        assert!(told.iter().any(|words| words.contains("follow one process in ")), "{told:?}");
        assert!(told.iter().any(|words| words.contains("It may or may not be")), "{told:?}");
    }

    /// Too large to be drawn, it is told in words, from the first state to the end.
    #[test]
    fn a_large_search_is_told() {
        let proved = every("readers_writers", "reader_gets_in");
        assert!(proved.size.0 > crate::engine::MOST_DRAWN, "{:?}", proved.size);
        let story = proved.story.as_ref().unwrap();
        assert!(story.drawing.is_none() && marks(story, moments(story)[0]).nodes.is_empty());
        let told: Vec<String> = moments(story).iter().map(|moment| words(story, *moment)).collect();
        assert!(told.iter().any(|words| words.contains("follow one process in ")), "{told:?}");
        assert_eq!(told.last().unwrap(), "Nothing is left: no run of any size violates the property.");
        let why = "810 abstract states are too many for a picture, which has room for 300. Play the search: the line above tells each step.";
        assert_eq!(why_no_drawing(&proved), why);
        let second = &fields(&proved)[1];
        assert_eq!((second.short.as_str(), second.label.as_str()), ("1, 2", "readers = 1, writers = 2"));
    }

    #[test]
    fn a_violation_is_one_of_an_instance() {
        let violated = every("mutex_emerson_sistla", "no_starvation");
        assert_eq!(badge(&violated), ("✗ n = 2".into(), "is-bad"));
        let fields = fields(&violated);
        assert_eq!((fields[0].label.as_str(), fields[0].verdict), ("n = 1", Verdict::Holds));
        assert_eq!((fields[1].short.as_str(), fields[1].verdict), ("n = 2", Verdict::Violated));
        let story = violated.story.as_ref().unwrap();
        let last = *moments(story).last().unwrap();
        assert!(marks(story, last).nodes.iter().any(|mark| mark.fair), "what is left is marked");
    }

    #[test]
    fn an_instance_is_laid_over_the_system() {
        let proved = every("mutex_emerson_sistla", "mutual_exclusion");
        let story = proved.story.as_ref().unwrap();
        let small = reached(story, 0);
        let large = reached(story, 5);
        assert!(small.len() < large.len(), "{small:?} {large:?}");
        let words = stands_for(story, &proved, large[0], Some(5));
        assert!(words[0].starts_with("With n = 6 it stands for "), "{words:?}");
        assert_eq!(stands_for(story, &proved, small[0], Some(5))[0], "With n = 6 no state is like this.");
        assert_eq!(story.drawing.as_ref().unwrap().graph().nodes.iter().next().unwrap().label.len(), 1);
    }
}
