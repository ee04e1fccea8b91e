//! One or two plain sentences for each step of Heljanko's search.

use crate::engine::Part;
use crate::view::text::counted;
use orbitscope_core::ctl::{Event, GlobalSearch, Path, Playback, StackMove, Sub, SubId, Vertex};
use orbitscope_core::draw::{Graph, NodeId};

/// The name of a state in the graph, and what it looks like.
pub(super) fn state(graph: &Graph, vertex: Vertex) -> (String, String) {
    let node = graph.nodes.get(NodeId(vertex.0));
    node.map_or_else(
        || (format!("s{}", vertex.0), String::new()),
        |node| (node.name.clone(), node.lines().join(" ")),
    )
}

/// Tells the step with this number; 0 is before the first step.
pub fn narrate(playback: &mut Playback, part: &Part, graph: &Graph, number: u32) -> String {
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
    let current = after.rows().ids().next_back();
    let every = current.is_some_and(|sub| matches!(kinds[sub], Sub::Until(Path::All, ..)));
    Teller { part, graph, all: playback.graph().len(), after, current, every, loops, off_st, off_fst }
        .tell(event)
}

/// The facts that a sentence about one step is made of.
struct Teller<'a> {
    part: &'a Part,
    graph: &'a Graph,
    /// The number of states.
    all: u32,
    /// The search after the step.
    after: GlobalSearch,
    /// The formula that is decided.
    current: Option<SubId>,
    /// Whether it speaks of all paths: then the search looks for counterexamples, else for witnesses.
    every: bool,
    /// Whether the step closes a loop on St.
    loops: bool,
    /// The states that the step takes off each stack.
    off_st: u32,
    off_fst: u32,
}

impl Teller<'_> {
    fn name(&self, vertex: Vertex) -> String {
        state(self.graph, vertex).0
    }

    fn words(&self, sub: SubId) -> &str {
        self.part.subs.get(sub).map_or("", String::as_str)
    }

    fn row(&self, sub: SubId) -> u32 {
        self.after.rows()[sub].count()
    }

    fn tell(&self, event: Event) -> String {
        match event {
            Event::Row(sub) => format!(
                "No search is needed for {}: it holds in {} of {}.",
                self.words(sub),
                self.row(sub),
                counted(self.all.into(), "state")
            ),
            Event::Begin(sub) => {
                let (satisfied, open) = (self.row(sub), self.all - self.after.marked().count());
                let failed = self.all - open - satisfied;
                format!(
                    "The search for {} begins. {} it by what {} right there, {failed} {} do not, and {} undecided.",
                    self.words(sub),
                    satisfy(satisfied),
                    if satisfied == 1 { "it is" } else { "they are" },
                    if failed == 1 { "state certainly" } else { "states certainly" },
                    is_or_are(open)
                )
            }
            Event::Root(vertex) => format!(
                "From {}, the first undecided state, a {} is looked for. It goes on {}.",
                self.name(vertex),
                if self.every { "counterexample" } else { "witness" },
                self.stacks()
            ),
            Event::Enter(vertex) => format!(
                "An edge leads to {}, which is undecided: the search goes on there, and it goes on {}.",
                self.name(vertex),
                self.stacks()
            ),
            Event::End(sub) => format!(
                "Every state is decided: {} holds in {} of {}.",
                self.words(sub),
                self.row(sub),
                counted(self.all.into(), "state")
            ),
            Event::Pass(from, to)
            | Event::Lower(from, to)
            | Event::Counterexample(from, to)
            | Event::Witness(from, to) => self.edge(event, &self.name(from), &self.name(to)),
            Event::Leave(vertex) | Event::Close(vertex) => self.done(event, &self.name(vertex)),
        }
    }

    /// The stacks that a state goes on when it is entered.
    fn stacks(&self) -> &'static str {
        if self.every { "St" } else { "St and on FSt" }
    }

    /// The formula that is decided, in words.
    fn formula(&self) -> &str {
        self.current.map_or("", |sub| self.words(sub))
    }

    /// Tells where an edge leads and what follows from it.
    fn edge(&self, event: Event, from: &str, to: &str) -> String {
        let formula = self.formula();
        match event {
            Event::Lower(vertex, _) => format!(
                "An edge leads from {from} to {to} on FSt: {from} takes over its number {} and stays on FSt as long as it does.",
                self.after.number(vertex).unwrap_or(0)
            ),
            Event::Counterexample(..) => format!(
                "The edge from {from} to {to} ends a counterexample, since {}. {} on St {} {formula}.",
                if self.loops { "that closes a loop" } else { "it is decided already" },
                capital(&the_states(self.off_st)),
                if self.off_st == 1 { "does not satisfy" } else { "do not satisfy" }
            ),
            Event::Witness(..) => format!(
                "The edge from {from} to {to} ends a witness, since {to} satisfies {formula}. So {} on FSt, from which it can be reached.",
                if self.off_fst == 1 {
                    "does the state".into()
                } else {
                    format!("do the {} states", self.off_fst)
                }
            ),
            Event::Pass(_, vertex) if !self.every => {
                let why = match self.after.number(vertex) {
                    Some(number) => format!("which is visited and reaches no smaller number than {number}"),
                    None => format!("which does not satisfy {formula}"),
                };
                format!("An edge leads from {from} to {to}, {why}: nothing changes.")
            }
            _ => format!(
                "An edge leads from {from} to {to}, which satisfies {formula}: no counterexample this way."
            ),
        }
    }

    /// Tells what follows when all edges of a state are done.
    fn done(&self, event: Event, name: &str) -> String {
        let formula = self.formula();
        match event {
            Event::Close(_) => format!(
                "All edges of {name} are done, and it reaches nothing further down: {} on FSt from it upwards {} {formula}.",
                the_states(self.off_fst),
                if self.off_fst == 1 { "does not satisfy" } else { "do not satisfy" }
            ),
            _ if self.every => {
                format!(
                    "All edges of {name} lead to states that satisfy {formula}: so {name} does, too, and leaves St."
                )
            }
            _ => format!(
                "All edges of {name} are done. It reaches a state further down that is not done yet: {name} leaves St and waits on FSt."
            ),
        }
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
