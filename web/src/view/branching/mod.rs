//! A property of branching time: the tree of its formula, the states that satisfy each subformula, and Heljanko's search
//! with its two stacks. What is shown at a step is a function of the search's score, the graph and the step.

mod marks;
mod narration;
mod stacks;
#[cfg(test)]
mod tests;
mod timeline;

pub use marks::{satisfying, searching};
pub use narration::narrate;
pub use stacks::{Row, Stack};
pub use timeline::timeline;

use crate::engine::{GraphKind, Part, Playable, SymmetryInfo, Verdict};
use crate::session::Session;
use crate::view::picture::marks::Marks;
use crate::view::text::{counted, order};
use orbitscope_core::ctl::{Playback, SubId};
use orbitscope_core::draw::{Graph, NodeId};

/// The search of a part at one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The step; 0 is before the first.
    pub step: u32,
    /// The `U` that is searched.
    pub under: Option<SubId>,
    /// The path of the search.
    pub st: Stack,
    /// The visited states from which the current one can be reached.
    pub fst: Stack,
    /// The marks on the states.
    pub marks: Marks,
    /// The last step in words.
    pub story: String,
}

impl Frame {
    /// The search after `step` steps; the graph has the words for the states.
    pub fn new(playback: &mut Playback, part: &Part, graph: &Graph, step: u32) -> Frame {
        let step = step.min(playback.moves().len() as u32);
        let story = narrate(playback, part, graph, step);
        let last = step.checked_sub(1).map(|last| playback.moves()[last as usize].event);
        let search = playback.seek(step).clone();
        let under = search.rows().ids().next_back().filter(|_| search.is_searching());
        Frame {
            step,
            under,
            st: Stack::st(&search, playback.graph(), graph),
            fst: Stack::fst(&search, graph),
            marks: searching(&search, last, graph),
            story,
        }
    }
}

/// How many of the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// All of them.
    All,
    /// Some, but not all.
    Some,
    /// None of them.
    None,
}

/// A subformula in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// Its number.
    pub number: u32,
    /// How deep it stands.
    pub depth: u32,
    /// The subformula in words.
    pub words: String,
    /// In how many states it holds: `holds in 6 of 9 states`.
    pub count: String,
    /// Whether that is all states or none.
    pub share: Share,
    /// Whether its states are marked.
    pub chosen: bool,
    /// Whether the search is deciding it at the step that is shown.
    pub under_way: bool,
    /// Whether it is evaluated on other states than what it stands in.
    pub other_part: bool,
}

/// The tree of the formula that is looked at, in the order in which it is printed.
pub fn tree(session: &Session, frame: Option<&Frame>) -> Vec<TreeRow> {
    let Some(found) = session.branching() else { return Vec::new() };
    let shown = session.part().map(|(id, _)| id);
    let under = frame.filter(|frame| frame.step > 0).and_then(|frame| frame.under);
    // The parts of what each row stands in, from the outside.
    let mut around = Vec::new();
    let rows = (0..).zip(&found.tree).map(|(number, node)| {
        around.truncate(node.depth as usize);
        let other_part = around.last().is_some_and(|part| *part != node.part);
        around.push(node.part);
        let states = found.parts[node.part].states;
        TreeRow {
            number,
            depth: node.depth,
            words: node.words.clone(),
            count: format!("holds in {} of {}", node.count, counted(states.into(), "state")),
            share: match node.count {
                0 => Share::None,
                count if count == states => Share::All,
                _ => Share::Some,
            },
            chosen: number == session.chosen(),
            under_way: shown == Some(node.part) && under.is_some() && node.until == under,
            other_part,
        }
    });
    rows.collect()
}

/// The part of the chosen subformula in sentences: what it tracks, and its group.
pub fn about_part(session: &Session) -> Vec<String> {
    let (Some(found), Some((id, part))) = (session.branching(), session.part()) else { return Vec::new() };
    let mut said = Vec::new();
    if found.parts.len() > 1 {
        let number = found.parts.ids().rev().position(|other| other == id).unwrap_or(0) + 1;
        said.push(format!("Part {number} of {}, checked on a quotient of its own.", found.parts.len()));
    }
    said.push(match part.told_apart.as_slice() {
        [] => "It tells no process from the others.".into(),
        names => format!("It tracks {}: told from all other processes.", names.join(", ")),
    });
    let families: Vec<String> = part.group.iter().map(|(name, words)| format!("{name}: {words}")).collect();
    said.push(format!("Its group G ∩ Auto(f) has |G| {} ({}).", order(&part.order), families.join("; ")));
    said.push(format!("{}, {}.", counted(part.states.into(), "state"), counted(part.edges.into(), "edge")));
    if part.states > crate::engine::LIMITS.states {
        let most = counted(crate::engine::LIMITS.states.into(), "state");
        said.push(format!("Partial: the first {most} are drawn; the counts are of all."));
    }
    if found.fair {
        said.push("Path quantifiers speak of fair paths only.".into());
    }
    said
}

/// The symmetry that the graph of the chosen part is up to, where that graph is shown.
pub fn symmetry(session: &Session) -> Option<SymmetryInfo> {
    let (_, part) = session.part().filter(|_| session.scene.view == GraphKind::Aqsi)?;
    Some(SymmetryInfo {
        order: part.order.clone(),
        trivial: part.order == "1",
        families: part.group.clone(),
        reasons: Vec::new(),
        complete: true,
    })
}

/// A sentence about the search of the chosen part: how it is played, or why it is not.
pub fn about_search(session: &Session) -> String {
    let Some((_, part)) = session.part() else { return why_nothing(session) };
    let fair = session.branching().is_some_and(|found| found.fair);
    match &part.play {
        Playable::From { .. } if fair => {
            "Heljanko's search of this part. That a fair path goes on from a state is found by the fair components, \
             not by this search: those rows are given to it."
                .into()
        }
        Playable::From { .. } => "Heljanko's search of this part: it decides one U after the other, depth first, and \
                                  never goes backwards along an edge."
            .into(),
        Playable::NothingSearched => {
            "This part has no path operators: there is nothing to search. Choose a subformula further in.".into()
        }
        Playable::Fixpoints => {
            "A mu property is evaluated by fixed points, round by round, and not by a search: there is nothing to step \
             through."
                .into()
        }
        Playable::TooLarge => {
            "This part has more states than are drawn: its search is not stepped through. Choose smaller parameters."
                .into()
        }
    }
}

/// Why there is nothing to see of a property of branching time.
pub fn why_nothing(session: &Session) -> String {
    let Some(property) = session.looked_at() else { return "The model has no property.".into() };
    let name = &property.name;
    let unknown = session.answer().is_some_and(|checked| checked.verdict == Verdict::Unknown);
    if unknown {
        format!("Whether {name} holds is not known, and so neither where its subformulas do.")
    } else if session.awaits_branching() {
        format!("{name} is being looked into.")
    } else {
        format!(
            "{name} was not checked state by state, so that there are no states to mark. Choose the engine on-the-fly \
             or explicit."
        )
    }
}

/// The marks on the graph of a part: the states of the chosen subformula, or where the search is; and the path that is
/// shown, if one of its states is chosen.
pub fn marks(
    session: &Session,
    frame: Option<&Frame>,
    graph: &Graph,
    run_state: Option<u32>,
) -> Option<Marks> {
    let subformula = session.subformula()?;
    let frame = frame.filter(|frame| frame.step > 0);
    let marks = frame.map_or_else(|| satisfying(subformula, graph), |frame| frame.marks.clone());
    let piece = session.shown_piece().map(|(_, piece)| piece).filter(|piece| piece.part == subformula.part);
    let Some((piece, state)) = piece.zip(run_state) else { return Some(marks) };
    let nodes: Vec<Option<NodeId>> =
        piece.vertices.iter().map(|vertex| vertex.map(|vertex| NodeId(vertex.0))).collect();
    let selected = nodes.get(state as usize).copied().flatten();
    Some(marks.with_run(graph, &nodes, selected))
}
