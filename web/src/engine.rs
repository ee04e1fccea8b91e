//! The one way from the page to the checker: text and parameters in, a state graph or problems out.

use orbitscope_core::define_id;
use orbitscope_core::ids::{Id, IdVec};
use std::collections::BTreeMap;

define_id!(
    /// A reachable state, numbered in the order of discovery.
    StateId
);

/// A model of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    /// A short name, unique in the gallery.
    pub name: &'static str,
    /// The name in words.
    pub title: &'static str,
    /// The whole text of the model.
    pub source: &'static str,
}

/// A parameter of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// Its name in the model.
    pub name: String,
    /// The value that was used.
    pub value: i64,
    /// The least allowed value.
    pub least: i64,
    /// The greatest allowed value.
    pub greatest: i64,
}

/// A reachable state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateNode {
    /// The values of its variables, in words.
    pub label: String,
    /// Its distance from the initial states.
    pub depth: u32,
    /// Whether no process can move.
    pub deadlock: bool,
}

/// A step from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The state before.
    pub from: StateId,
    /// The state after.
    pub to: StateId,
    /// The process and its action.
    pub label: String,
}

/// The reachable states and the steps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateGraph {
    /// The states, in breadth-first order.
    pub nodes: IdVec<StateId, StateNode>,
    /// The steps, by their source state.
    pub edges: Vec<Edge>,
    /// Whether this is all of it, or as much as the limit allowed.
    pub complete: bool,
}

/// A model that could be explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The parameters, with the values used.
    pub params: Vec<ParamInfo>,
    /// What was found.
    pub graph: StateGraph,
}

/// Where in the text a problem is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The line's text.
    pub excerpt: String,
    /// How many characters from `column` on are meant; at least 1.
    pub length: u32,
}

/// Something wrong with a model or its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// Where, if it has a place in the text.
    pub place: Option<Place>,
}

/// The models of the gallery; the first is shown at the start.
pub fn models() -> &'static [ModelInfo] {
    &SAMPLES
}

/// Explores the model in `source` with the given parameter values, up to `max_states` states.
pub fn analyse(
    source: &str,
    settings: &BTreeMap<String, i64>,
    max_states: u32,
) -> Result<Analysis, Vec<Problem>> {
    if let Some(problem) = unbalanced_brace(source) {
        return Err(vec![problem]);
    }
    let (name, successors): (_, Successors) = if source.contains("process philosopher") {
        ("philosophers", philosophers)
    } else {
        ("clients", controller)
    };
    let value = settings.get(name).copied().unwrap_or(3);
    if !(1..=8).contains(&value) {
        return Err(vec![Problem {
            message: format!("{name} is {value}, but must be in 1..8"),
            place: None,
        }]);
    }
    let params = vec![ParamInfo { name: name.into(), value, least: 1, greatest: 8 }];
    Ok(Analysis { params, graph: explore(vec![0; value as usize], successors, max_states) })
}

type Locals = Vec<u8>;
type Successors = fn(&Locals) -> Vec<(String, Locals)>;

static SAMPLES: [ModelInfo; 2] = [
    ModelInfo {
        name: "simple_controller",
        title: "Simplified resource controller",
        source: "\
// A server lets one client at a time into its critical section.
// Clients ask, wait, and release.
param clients = 3 in 1..8

process server {
  action grant(c in client):
    c.st == R and not exists d in client: d.st == C -> c.st := C
}

process client[clients] {
  var st: {I, R, C} = I
  action request: st == I -> st := R
  action release: st == C -> st := I
}

invariant mutual_exclusion: count(c in client: c.st == C) <= 1
",
    },
    ModelInfo {
        name: "philosophers",
        title: "Dining philosophers",
        source: "\
// Everyone takes the left fork first, and so all can starve together.
param philosophers = 3 in 1..8

process philosopher[philosophers] ring {
  var st: {T, L, E} = T
  action take_left:  st == T and prev(self).st != E -> st := L
  action take_right: st == L and next(self).st == T -> st := E
  action put_down:   st == E -> st := T
}
",
    },
];

fn controller(old: &Locals) -> Vec<(String, Locals)> {
    let free = !old.contains(&2);
    let moves = old.iter().enumerate().filter_map(|(i, &st)| match st {
        0 => Some((format!("client[{i}].request"), i, 1)),
        1 if free => Some((format!("server.grant({i})"), i, 2)),
        2 => Some((format!("client[{i}].release"), i, 0)),
        _ => None,
    });
    moves.map(|(label, i, st)| (label, with(old, i, st))).collect()
}

fn philosophers(old: &Locals) -> Vec<(String, Locals)> {
    let n = old.len();
    let moves = old.iter().enumerate().filter_map(|(i, &st)| match st {
        0 if old[(i + n - 1) % n] != 2 => Some((format!("philosopher[{i}].take_left"), i, 1)),
        1 if old[(i + 1) % n] == 0 => Some((format!("philosopher[{i}].take_right"), i, 2)),
        2 => Some((format!("philosopher[{i}].put_down"), i, 0)),
        _ => None,
    });
    moves.map(|(label, i, st)| (label, with(old, i, st))).collect()
}

fn with(old: &Locals, i: usize, st: u8) -> Locals {
    let mut new = old.clone();
    new[i] = st;
    new
}

fn explore(initial: Locals, successors: Successors, max_states: u32) -> StateGraph {
    let letters =
        if successors(&initial)[0].0.starts_with("client") { ["I", "R", "C"] } else { ["T", "L", "E"] };
    let node = |locals: &Locals, depth| StateNode {
        label: locals.iter().map(|&st| letters[st as usize]).collect::<Vec<_>>().join(" "),
        depth,
        deadlock: successors(locals).is_empty(),
    };
    let mut graph = StateGraph { complete: true, ..StateGraph::default() };
    let mut known = BTreeMap::from([(initial.clone(), graph.nodes.push(node(&initial, 0)))]);
    let mut queue = vec![initial];
    let mut next = 0;
    while next < queue.len() {
        let from = StateId::from_index(next);
        for (label, locals) in successors(&queue[next]) {
            let to = if let Some(&to) = known.get(&locals) {
                to
            } else if graph.nodes.len() < max_states as usize {
                let to = graph.nodes.push(node(&locals, graph.nodes[from].depth + 1));
                known.insert(locals.clone(), to);
                queue.push(locals);
                to
            } else {
                graph.complete = false;
                continue;
            };
            graph.edges.push(Edge { from, to, label });
        }
        next += 1;
    }
    graph
}

fn unbalanced_brace(source: &str) -> Option<Problem> {
    let mut open = Vec::new();
    for (line, text) in (1..).zip(source.lines()) {
        for (column, c) in (1..).zip(text.chars()) {
            let place = Place { line, column, excerpt: text.into(), length: 1 };
            match c {
                '{' => open.push(place),
                '}' if open.pop().is_none() => {
                    return Some(Problem { message: "unexpected `}`".into(), place: Some(place) });
                }
                _ => {}
            }
        }
    }
    open.pop().map(|place| Problem { message: "this `{` is never closed".into(), place: Some(place) })
}
