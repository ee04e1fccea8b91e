//! One or two plain sentences for each step of Heljanko's search.

use crate::engine::Part;
use crate::view::text::counted;
use orbitscope_core::ctl::{Event, Path, Playback, StackMove, Sub, SubId, Vertex};
use orbitscope_core::draw::{Graph, NodeId};

/// The name of a state in the graph, and what it looks like.
pub(super) fn state(graph: &Graph, vertex: Vertex) -> (String, String) {
    let node = graph.nodes.get(NodeId(vertex.0));
    node.map_or_else(
        || (format!("s{}", vertex.0), String::new()),
        |node| (node.name.clone(), node.lines().join(" ")),
    )
}

/// What the step with this number did; 0 is before the first step.
pub fn narrate(playback: &mut Playback, part: &Part, graph: &Graph, number: u32) -> String {
    let name = |vertex: Vertex| state(graph, vertex).0;
    let words = |sub: SubId| part.subs.get(sub).map_or("", String::as_str);
    let Some(step) = number.checked_sub(1).filter(|&step| step < playback.moves().len() as u32) else {
        return "The search decides each U of this part, from the inside out. St is its path; FSt keeps the visited states \
                from which the current one can be reached. Press Play, or the right arrow key."
            .into();
    };
    let event = playback.moves()[step as usize].event;
    let (off_st, off_fst) = match playback.stack_moves(step) {
        (StackMove::Pop(st), StackMove::Pop(fst)) => (st, fst),
        (StackMove::Pop(st), _) => (st, 0),
        (_, StackMove::Pop(fst)) => (0, fst),
        _ => (0, 0),
    };
    let before = playback.seek(step);
    let was_on_st = |vertex: Vertex| before.st().iter().any(|&(on, _)| on == vertex);
    let loops = matches!(event, Event::Counterexample(_, to) if was_on_st(to));
    let (kinds, after) = (playback.subs().clone(), playback.seek(number).clone());
    let all = playback.graph().len();
    let row = |sub: SubId| after.rows()[sub].count();
    let current = after.rows().ids().next_back();
    let path = current.and_then(|sub| match kinds[sub] {
        Sub::Until(path, ..) => Some(path),
        _ => None,
    });
    let every = path == Some(Path::All);
    let formula = current.map_or("", words);
    match event {
        Event::Row(sub) => {
            format!(
                "No search is needed for {}: it holds in {} of {}.",
                words(sub),
                row(sub),
                counted(all.into(), "state")
            )
        }
        Event::Begin(sub) => {
            let open = all - after.marked().count();
            format!(
                "The search for {} begins. {} it by what {} right there, {} {} do not, and {} undecided.",
                words(sub),
                satisfy(row(sub)),
                if row(sub) == 1 { "it is" } else { "they are" },
                all - open - row(sub),
                if all - open - row(sub) == 1 { "state certainly" } else { "states certainly" },
                is_or_are(open)
            )
        }
        Event::Root(vertex) => {
            let looked_for = if every { "counterexample" } else { "witness" };
            format!(
                "From {}, the first undecided state, a {looked_for} is looked for. It goes on {}.",
                name(vertex),
                if every { "St" } else { "St and on FSt" }
            )
        }
        Event::Enter(vertex) => format!(
            "An edge leads to {}, which is undecided: the search goes on there, and it goes on {}.",
            name(vertex),
            if every { "St" } else { "St and on FSt" }
        ),
        Event::Pass(from, to) if every => format!(
            "An edge leads from {} to {}, which satisfies {formula}: no counterexample this way.",
            name(from),
            name(to)
        ),
        Event::Pass(from, to) => {
            let why = match after.number(to) {
                Some(number) => format!("which is visited and reaches no smaller number than {number}"),
                None => format!("which does not satisfy {formula}"),
            };
            format!("An edge leads from {} to {}, {why}: nothing changes.", name(from), name(to))
        }
        Event::Lower(from, to) => format!(
            "An edge leads from {} to {} on FSt: {} takes over its number {} and stays on FSt as long as it does.",
            name(from),
            name(to),
            name(from),
            after.number(from).unwrap_or(0)
        ),
        Event::Leave(vertex) if every => format!(
            "All edges of {0} lead to states that satisfy {formula}: so {0} does, too, and leaves St.",
            name(vertex)
        ),
        Event::Leave(vertex) => format!(
            "All edges of {0} are done. It reaches a state further down that is not done yet: {0} leaves St and waits on FSt.",
            name(vertex)
        ),
        Event::Close(vertex) => format!(
            "All edges of {} are done, and it reaches nothing further down: {} on FSt from it upwards {} {formula}.",
            name(vertex),
            the_states(off_fst),
            if off_fst == 1 { "does not satisfy" } else { "do not satisfy" }
        ),
        Event::Counterexample(from, to) => format!(
            "The edge from {} to {} ends a counterexample, since {}. {} on St {} {formula}.",
            name(from),
            name(to),
            if loops { "that closes a loop" } else { "it is decided already" },
            capital(&the_states(off_st)),
            if off_st == 1 { "does not satisfy" } else { "do not satisfy" }
        ),
        Event::Witness(from, to) => format!(
            "The edge from {} to {} ends a witness, since {} satisfies {formula}. So {} on FSt, from which it can be reached.",
            name(from),
            name(to),
            name(to),
            if off_fst == 1 { "does the state".into() } else { format!("do the {off_fst} states") }
        ),
        Event::End(sub) => format!(
            "Every state is decided: {} holds in {} of {}.",
            words(sub),
            row(sub),
            counted(all.into(), "state")
        ),
    }
}

fn satisfy(count: u32) -> String {
    format!("{} {}", counted(count.into(), "state"), if count == 1 { "satisfies" } else { "satisfy" })
}

fn is_or_are(count: u32) -> String {
    format!("{count} {}", if count == 1 { "is" } else { "are" })
}

fn the_states(count: u32) -> String {
    if count == 1 { "the state".into() } else { format!("the {count} states") }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
