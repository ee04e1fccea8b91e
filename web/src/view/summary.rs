//! The work under way, and the sizes of the graphs.

use super::text;
use crate::engine::protocol::Request;
use crate::engine::{GraphKind, Stats};
use crate::session::Session;

/// The work under way, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The task.
    pub what: String,
    /// How far it is: nodes, edges, depth, rate, memory.
    pub counts: Vec<String>,
    /// Whether it can be stopped, and is not being stopped yet.
    pub stoppable: bool,
}

/// The work under way; none where nothing is, or nothing that takes long.
pub fn activity(session: &Session) -> Option<Activity> {
    let asked = session.line.asked.as_ref()?;
    let name = |number: u32| {
        let properties = &session.found.info.as_ref()?.properties;
        Some(properties.get(number as usize)?.name.clone())
    };
    let (what, stoppable) = match &asked.request {
        Request::Check { property, .. } => (format!("Checking {}", name(*property)?), true),
        Request::Film { property, .. } => (format!("Recording the search of {}", name(*property)?), true),
        Request::Branching { property, .. } => (format!("Looking into {}", name(*property)?), true),
        Request::Explain { .. } => ("Looking for evidence".into(), false),
        Request::Survey { .. } => ("Looking for deadlocks".into(), true),
        Request::Picture { of, .. } | Request::Larger { of, .. } => (format!("Drawing {}", of.name()), false),
        Request::Model(_) => ("Reading the model".into(), false),
        Request::Orbit { .. } => ("Unfolding an orbit".into(), false),
        Request::Inspect { .. } => ("Looking at a state".into(), false),
        Request::Find { .. } => ("Looking for states".into(), false),
        Request::Walk { .. } => ("Walking".into(), false),
        Request::Document { .. } => ("Writing a file".into(), false),
        Request::Every { property, .. } => (format!("Looking at every size of {}", name(*property)?), false),
    };
    let what = if asked.stopping { format!("{what}: stopping") } else { what };
    let mut counts = Vec::new();
    let symbolic = match &asked.request {
        Request::Check { choices, .. } | Request::Survey { choices } => choices.is_symbolic(),
        _ => false,
    };
    if let (Some((progress, time)), true) = (&asked.progress, symbolic) {
        counts.push(text::counted(progress.depth.into(), "iteration"));
        counts.push(text::counted(progress.edges, "BDD node"));
        counts.push(text::bytes(progress.bytes));
        counts.push(text::time(*time));
    } else if let Some((progress, time)) = &asked.progress {
        counts.push(text::counted(progress.nodes, "state"));
        counts.push(text::counted(progress.edges, "edge"));
        if progress.depth > 0 {
            counts.push(format!("depth {}", text::count(progress.depth.into())));
        }
        if progress.making > 0 {
            counts.push(format!("making its run: {}", text::counted(progress.making, "step")));
        }
        let rate = progress.nodes as f64 / (time / 1000.0).max(0.001);
        counts.push(format!("{} a second", text::counted(rate as u64, "state")));
        counts.push(text::bytes(progress.bytes));
        counts.push(text::time(*time));
    }
    Some(Activity { what, counts, stoppable: stoppable && !asked.stopping })
}

/// The size of a graph in its tab: `20`, `2,000+`; empty where it is not known.
pub fn size(session: &Session, of: GraphKind) -> String {
    let of = session.graph(of);
    match session.sizes().get(&of) {
        Some(&(nodes, _, true)) => text::count(nodes.into()),
        Some(&(nodes, _, false)) => format!("{}+", text::count(nodes.into())),
        None if session.has_no_picture(of) => "–".into(),
        None => String::new(),
    }
}

/// The graph that is shown, in words: how many nodes and edges, and what that is of the whole.
pub fn shown(session: &Session) -> Vec<String> {
    let of = session.graph(session.scene.view);
    let Some(picture) = session.picture(of) else { return Vec::new() };
    let noun = match session.scene.view {
        GraphKind::Product | GraphKind::Threaded => "node",
        _ => "state",
    };
    let (nodes, edges) = picture.size();
    let mut counts = vec![text::counted(nodes.into(), noun), text::counted(edges.into(), "edge")];
    if let (GraphKind::Part(_), Some(subformula)) = (of, session.subformula())
        && session.play.player.step == 0
    {
        counts.push(format!("{} satisfying", text::count(subformula.count.into())));
    }
    counts
}

/// The counts of a check, as pairs of a name and a number.
pub fn stats(stats: &Stats) -> Vec<(&'static str, String)> {
    let counts = [
        ("states", stats.states),
        ("edges", stats.edges),
        ("AQS states", stats.aqs_states),
        ("AQS edges", stats.aqs_edges),
        ("pruned", stats.aqs_edges_pruned),
        ("AQSI states", stats.aqsi_states),
        ("product states", stats.product_states),
        ("product edges", stats.product_edges),
    ];
    counts.into_iter().filter_map(|(name, count)| Some((name, text::count(count?)))).collect()
}

/// Why there is no graph of the kind that is asked for.
pub fn why_no_picture(session: &Session) -> String {
    match session.looked_at() {
        Some(_) if !session.found.faults.is_empty() => {
            "The model has an error while it runs: see under its text.".into()
        }
        Some(_) if session.choices.is_symbolic() => format!(
            "The symbolic engine computes with sets of states: there is no {}. Look at a diagram instead.",
            session.scene.view.name()
        ),
        Some(property) if property.logic.is_branching() && session.scene.view == GraphKind::Aqsi => {
            super::branching::why_nothing(session)
        }
        Some(property) if !property.logic.has_search() => format!(
            "{} is decided on the quotient: it has no automaton, and so no {}. Choose an ltl property or an automaton.",
            property.name,
            session.scene.view.name()
        ),
        Some(property) => {
            format!("{} speaks of no process that exists: there is nothing to search.", property.name)
        }
        None => "The model has no property.".into(),
    }
}

/// Why there is no search to look at.
pub fn why_no_search(session: &Session) -> String {
    match session.looked_at() {
        Some(property) if session.choices.is_symbolic() => {
            super::symbolic::why_no_iterations(property, session.answer())
        }
        Some(property) if !property.logic.has_search() => format!(
            "{} is decided by looking at the states of the quotient: there is no search to play. Choose an ltl \
             property or an automaton.",
            property.name
        ),
        Some(_) => "The search is being recorded.".into(),
        None => "The model has no property.".into(),
    }
}

/// Why there is no counterexample to look at.
pub fn why_no_run(session: &Session) -> String {
    use crate::engine::{Logic, Verdict};
    match (session.looked_at(), session.answer()) {
        (None, _) => "The model has no property.".into(),
        (Some(property), None) => format!("{} has no verdict yet.", property.name),
        (Some(property), Some(checked)) => match checked.verdict {
            Verdict::Holds if property.logic == Logic::Cover => {
                format!("{} is covered; its run was not made.", property.name)
            }
            Verdict::Violated if property.logic == Logic::Cover => {
                format!("No state is what {} asks for: there is no run to it.", property.name)
            }
            Verdict::Holds => format!("{} holds: there is no counterexample.", property.name),
            Verdict::Violated => format!("{} is violated.", property.name),
            Verdict::Unknown => format!("Whether {} holds is not known.", property.name),
        },
    }
}
