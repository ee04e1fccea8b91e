//! One or two plain sentences for each step: what happened, and why.

use super::join::{Join, Source, Top};
use crate::engine::words::Words;
use crate::view::text::counted;
use orbitscope_core::product::NodeId;
use orbitscope_core::search::log::{Entry, Log};
use orbitscope_core::search::{Event, Stop};

/// Tells the step with this number; 0 is before the first step.
pub fn narrate(log: &Log, words: &Words, number: u32) -> String {
    let Some(step) = number.checked_sub(1).and_then(|last| log.steps().get(last as usize)) else {
        return beginning(words);
    };
    match step.event {
        Event::Root(node) => start(log, words, node),
        Event::Tree { from, edge, to } => {
            let edge = follow(log, words, from, edge);
            format!("{edge} to u{}, which is new and goes on the stack. {}", to.0, entered(log, words, to))
        }
        Event::Back { from, edge, to } => {
            let edge = follow(log, words, from, edge);
            let to = if from == to { "itself".into() } else { format!("u{} on the stack", to.0) };
            format!("{edge} back to {to}: a cycle closes. {}", learnt(log, words, number))
        }
        Event::Cross { from, edge, to } => {
            let edge = follow(log, words, from, edge);
            format!("{edge} to u{}, whose component is complete: there is nothing to learn from it.", to.0)
        }
        Event::Join { child, parent } => format!(
            "All edges of u{0} have been followed. It reaches further down the stack, so it is in one component with u{1}. {2}",
            child.0,
            parent.0,
            learnt(log, words, number)
        ),
        Event::Component { root, size } => component(log, words, number, root, size),
        Event::Yes(node) => {
            let found = counted(log.fair_component().len() as u64, "node");
            format!(
                "Violated: the component of u{} ({found}) treats every class fairly and has every acceptance mark. It contains a fair \
                 run that violates {}.",
                node.0,
                property(words)
            )
        }
        Event::No => format!(
            "Nothing found: everything that can be reached has been searched, and no component contains a fair run that violates {}.",
            property(words)
        ),
        Event::Stopped(stop) => stopped(stop).into(),
    }
}

fn property(words: &Words) -> String {
    match (words.instance.as_str(), words.alike) {
        ("", _) => words.property.clone(),
        (instance, 0 | 1) => format!("{} for {instance}", words.property),
        (instance, alike) => {
            format!("{} for {instance}, which stands for all {alike} choices alike", words.property)
        }
    }
}

fn beginning(words: &Words) -> String {
    format!("Before the first step. The search looks for a fair run that violates {}.", property(words))
}

fn start(log: &Log, words: &Words, node: NodeId) -> String {
    let Some(dfnum) = log.dfnum(node) else { return String::new() };
    let state = &words.states[dfnum as usize];
    format!(
        "The search starts at u{}, an initial node, in the state {state}. {}",
        node.0,
        entered(log, words, node)
    )
}

/// `client[0].request leads from u0`. Numbers are those of the node; classes are told in the numbers of the way from the
/// first node, which may be others.
fn follow(log: &Log, words: &Words, from: NodeId, edge: u32) -> String {
    let taken = entry(log, from).and_then(|entry| {
        let step = entry.edges.get(edge as usize)?.step?;
        Some((log.perm(entry.perm), &entry.steps[step as usize]))
    });
    let Some((perm, step)) = taken else {
        return format!("No process can move in u{}, so its state repeats: this leads", from.0);
    };
    let own = perm.apply(step.process);
    let also =
        if own == step.process { String::new() } else { format!(" ({} of the run)", words.process(own)) };
    format!("{}{also} leads from u{}", words.step(Some(step)), from.0)
}

fn entry(log: &Log, node: NodeId) -> Option<&Entry> {
    Some(&log.entries()[log.dfnum(node)? as usize])
}

/// Tells about a new node.
fn entered(log: &Log, words: &Words, node: NodeId) -> String {
    let Some(entry) = entry(log, node) else { return String::new() };
    let classes = log.partition(entry.partition).len();
    let mut text = if classes == log.degree() {
        "No two processes can be exchanged there".to_owned()
    } else {
        let alike: Vec<String> = log
            .partition(entry.partition)
            .nontrivial_classes()
            .take(3)
            .map(|class| words.set(class.ranges()))
            .collect();
        format!("Alike there: {}", alike.join("; "))
    };
    if entry.edges.is_empty() {
        return "The automaton has no move there: no wrong run passes it.".into();
    }
    if entry.pruned > 0 {
        let edges = counted(entry.pruned, "parallel edge");
        let verb = if entry.pruned == 1 { "is" } else { "are" };
        text += &[", so ", &edges, " ", verb, " left out"].concat();
    }
    text + "."
}

/// Tells the result of a join.
fn learnt(log: &Log, words: &Words, number: u32) -> String {
    let Some(join) = Join::new(log, words, number) else { return String::new() };
    let merged: Vec<&str> = (0..join.after.len())
        .filter(|&k| join.flows.iter().filter(|&&(_, to)| to == k).count() > 1)
        .map(|k| join.after[k].members.as_str())
        .take(2)
        .collect();
    let merged = join.merges().then(|| merged.join("; "));
    let mut parts = vec![match (&join.source, merged) {
        (Source::Orbits(perm), _) if perm == "id" => {
            "Round it every process comes back to its own place".into()
        }
        (Source::Orbits(_), Some(merged)) => {
            format!("Round it processes change places, so {merged} become one class")
        }
        (Source::Orbits(_), None) => "Round it processes change places within their classes".into(),
        (Source::Child(child), Some(merged)) => {
            format!("What u{} knows goes there: {merged} become one class", child.0)
        }
        (Source::Child(child), None) => format!("What u{} knows goes there", child.0),
    }];
    match join.now_fair.as_slice() {
        [] => {}
        &[k] => {
            let class = &join.after[k];
            let why = class.fair.as_deref().unwrap_or_default();
            // Where it executes can be read in the stack.
            let why = why.split(" from ").next().unwrap_or(why);
            parts.push(format!("{} is fair now ({why})", class.members));
        }
        several => parts.push(format!("{} classes are fair now that were not before", several.len())),
    }
    if !join.new_marks.is_empty() {
        parts.push("the automaton accepts".into());
    }
    parts.join("; ") + "."
}

fn component(log: &Log, words: &Words, number: u32, root: NodeId, size: u32) -> String {
    let who = match size {
        1 => format!("u{} alone is a component", root.0),
        _ => {
            format!("u{} and {} are a complete component", root.0, counted(u64::from(size) - 1, "more node"))
        }
    };
    let top = Top::after(log, number - 1);
    let reason = match top {
        Some(top) if !top.inner => "it has no cycle".into(),
        Some(top) if top.marks != log.all_marks() => {
            "the automaton does not accept in it, so no run that stays in it violates the property".into()
        }
        Some(_) if log.fairness().strong.ranges().next().is_some() => {
            "it is tested once more, since strong fairness is decided by a whole component".into()
        }
        Some(top) => {
            let unfair = top.unfair(log, words);
            let classes: Vec<&str> = unfair.shown.iter().map(|class| class.members.as_str()).collect();
            format!("it is not fair: {} can always move in it and never does", classes.join("; "))
        }
        None => "nothing in it can be reached again".into(),
    };
    format!("{who}: nothing further down the stack is reached. It is taken off, for {reason}.")
}

fn stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::NodeLimit => "The search was stopped: more nodes than allowed. What is shown is a part.",
        Stop::RootLimit => "The search was stopped: there are more initial states than allowed.",
        Stop::Fault => "The search was stopped: the model or the property has an error in this state.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixture;

    #[test]
    fn every_step_has_a_sentence_that_ends() {
        for case in fixture::cases() {
            for number in 0..=case.log.len() {
                let text = narrate(&case.log, &case.words, number);
                assert!(text.ends_with('.') && text.len() > 20, "{} step {number}: {text}", case.name);
                assert!(text.chars().count() < 600, "{} step {number}: {text}", case.name);
                assert!(!text.contains("  ") && !text.contains(" ,") && !text.contains(": ;"), "{text}");
            }
        }
    }

    /// The story of the first model, for people to read; what is told was checked by hand against the trace.
    #[test]
    fn the_story_of_the_controller() {
        let case = fixture::controller("eventually_access");
        let story: Vec<String> = (0..=case.log.len()).map(|n| narrate(&case.log, &case.words, n)).collect();
        assert!(
            story[0].contains("eventually_access for c = client[0], which stands for all 3"),
            "{}",
            story[0]
        );
        assert!(
            story[1].starts_with("The search starts at u0, an initial node, in the state III."),
            "{}",
            story[1]
        );
        assert!(
            story.last().unwrap().starts_with("Violated: the component of u"),
            "{}",
            story.last().unwrap()
        );
        let told = |number: usize, part: &str| assert!(story[number].contains(part), "{}", story[number]);
        told(3, "leads from u1 back to u0 on the stack: a cycle closes. Round it every process comes back");
        told(7, "The automaton has no move there");
        told(8, "u5 alone is a component");
        told(11, "client[0].withdraw (client[1] of the run) leads from u9 back to u3");
        told(18, "Round it processes change places, so client[1..2] become one class");
    }
}
