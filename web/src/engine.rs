//! The one way from the page to the checker: text and parameters in, a state graph or problems out.
//!
//! Nothing here runs for long: a model is checked at once, and explored by [`Search::advance`], a few states at a time,
//! so that whoever calls it decides how long the page may be busy.

use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::ids::{Id, IdVec};
use orbitscope_core::program::{self, Program, Settings};
use orbitscope_core::syntax::{self, ast::ItemKind};
use orbitscope_core::text::{Diagnostic, LineIndex, Span};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

pub mod words;

pub use orbitscope_core::explore::StateId;
pub use orbitscope_core::models::Model;

/// How far the page explores. The bytes count where single states are large.
pub const LIMITS: Limits = Limits { states: 2_000, bytes: 16 << 20 };
/// How many variables a state may have: with more of them one step of the search could take seconds.
const MAX_SLOTS: u32 = 1 << 14;
/// How many problems are listed.
const MAX_PROBLEMS: usize = 20;
/// How many characters of a state are shown.
const MAX_LABEL: usize = 400;
/// How many steps of the path to an error are named.
const MAX_PATH: usize = 12;

/// A parameter of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// Its name in the model.
    pub name: String,
    /// The value that was used.
    pub value: i64,
    /// The least and the greatest allowed value, if the model limits it.
    pub range: Option<(i64, i64)>,
}

/// A reachable state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateNode {
    /// The values of its variables, in words.
    pub label: String,
    /// Its distance from the initial states.
    pub depth: u32,
    /// What can happen next.
    pub next: Next,
}

/// What can happen in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Some process can move.
    Steps,
    /// No process can move.
    Deadlock,
    /// Not all of its steps are known: the limit came first.
    Unknown,
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
pub fn models() -> &'static [Model] {
    orbitscope_core::models::ALL
}

/// A model without errors in its text and its parameters.
#[derive(Debug)]
pub struct CheckedModel {
    source: String,
    program: Program,
}

impl CheckedModel {
    /// Checks a model. Settings of parameters that the text does not have are passed over: a text that is being edited
    /// has them again in a moment.
    pub fn new(source: &str, settings: &BTreeMap<String, i64>) -> Result<CheckedModel, Vec<Problem>> {
        let parsed = syntax::parse(source);
        if !parsed.diagnostics.is_empty() {
            return Err(problems(source, &parsed.diagnostics));
        }
        let declared = parsed.file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Param { name, .. } => Some(name.name.as_str()),
            _ => None,
        });
        let params = declared.filter_map(|name| Some((name.to_owned(), *settings.get(name)?))).collect();
        match program::build(&parsed.file, &Settings { params, max_slots: MAX_SLOTS }) {
            Ok(program) => Ok(CheckedModel { source: source.to_owned(), program }),
            Err(diagnostics) => Err(problems(source, &diagnostics)),
        }
    }

    /// Starts to explore it.
    pub fn search(&self, limits: Limits) -> Search<'_> {
        Search { model: self, exploration: Exploration::new(&self.program, limits, &[]).keeping_edges() }
    }
}

/// An exploration under way.
///
/// ```
/// use orbitscope_web::engine::{CheckedModel, LIMITS, models};
/// let model = CheckedModel::new(models()[0].source, &Default::default()).unwrap();
/// let mut search = model.search(LIMITS);
/// let analysis = loop {
///     if let Some(answer) = search.advance(8) {
///         break answer.unwrap();
///     }
/// };
/// assert_eq!(analysis.graph.nodes.len(), 20);
/// ```
#[derive(Debug)]
pub struct Search<'m> {
    model: &'m CheckedModel,
    exploration: Exploration<'m>,
}

impl Search<'_> {
    /// Expands at most `states` states; the answer, once there is one.
    pub fn advance(&mut self, states: u32) -> Option<Result<Analysis, Vec<Problem>>> {
        let stopped = self.exploration.advance(states)?.clone();
        let program = &self.model.program;
        Some(match stopped {
            StopReason::Fault(state, fault) => {
                Err(self.fault(state, fault.fault.span, &program.show_fault(&fault)))
            }
            StopReason::PropertyFault(state, _, fault) => {
                Err(self.fault(state, fault.span, &fault.kind.to_string()))
            }
            StopReason::Complete
            | StopReason::AllViolated
            | StopReason::StateLimit
            | StopReason::ByteLimit => Ok(Analysis { params: self.params(), graph: self.graph() }),
        })
    }

    fn params(&self) -> Vec<ParamInfo> {
        let params = self.model.program.params.iter();
        params.map(|p| ParamInfo { name: p.name.clone(), value: p.value, range: p.range }).collect()
    }

    fn graph(&self) -> StateGraph {
        let Search { model: CheckedModel { program, .. }, exploration } = self;
        // States are numbered as they are found: the first step into one comes from the state it was found from.
        let mut depths: Vec<Option<u32>> = vec![None; exploration.states().len() as usize];
        for edge in exploration.edges() {
            if !exploration.is_initial(edge.to) && depths[edge.to.index()].is_none() {
                depths[edge.to.index()] = Some(depths[edge.from.index()].unwrap_or(0) + 1);
            }
        }
        let node = |(index, depth): (usize, &Option<u32>)| {
            let state = StateId::from_index(index);
            StateNode {
                label: clipped(&program.show_state(&exploration.values(state))),
                depth: depth.unwrap_or(0),
                next: if state.0 >= exploration.expanded() {
                    Next::Unknown
                } else if exploration.deadlocks().binary_search(&state).is_ok() {
                    Next::Deadlock
                } else {
                    Next::Steps
                },
            }
        };
        let edges = exploration.edges().iter().map(|edge| Edge {
            from: edge.from,
            to: edge.to,
            label: program.show_step(edge.process, edge.action, &edge.arguments),
        });
        StateGraph {
            nodes: depths.iter().enumerate().map(node).collect(),
            edges: edges.collect(),
            complete: exploration.stopped() == Some(&StopReason::Complete),
        }
    }

    /// An error of the model while it runs: what, in which state, and how it comes there.
    fn fault(&self, state: StateId, span: Span, what: &str) -> Vec<Problem> {
        let CheckedModel { source, program } = self.model;
        let values = clipped(&program.show_state(&self.exploration.values(state)));
        let steps = self.exploration.path_to(state).steps;
        let mut names: Vec<String> = steps
            .iter()
            .take(MAX_PATH)
            .map(|step| program.show_step(step.process, step.action, &step.arguments))
            .collect();
        if steps.len() > MAX_PATH {
            names.push(format!("{} more", steps.len() - MAX_PATH));
        }
        let path =
            if names.is_empty() { "an initial state".into() } else { format!("after {}", names.join(", ")) };
        let message = format!("{what}, in the state {values}: {path}");
        problems(source, &[Diagnostic::new(span, message)])
    }
}

/// What is wrong, for people.
fn problems(source: &str, diagnostics: &[Diagnostic]) -> Vec<Problem> {
    let lines = LineIndex::new(source);
    let mut problems: Vec<Problem> =
        diagnostics.iter().take(MAX_PROBLEMS).map(|diagnostic| problem(&lines, diagnostic)).collect();
    if diagnostics.len() > MAX_PROBLEMS {
        let message = format!("and {} more", diagnostics.len() - MAX_PROBLEMS);
        problems.push(Problem { message, place: None });
    }
    problems
}

fn problem(lines: &LineIndex<'_>, diagnostic: &Diagnostic) -> Problem {
    let message = match &diagnostic.note {
        Some(note) => {
            let at = lines.position(note.span.start);
            format!("{} ({}:{}: {})", diagnostic.message, at.line, at.column, note.message)
        }
        None => diagnostic.message.clone(),
    };
    // An error of the settings has no place in the text.
    let place = (diagnostic.span != Span::default()).then(|| {
        let (start, end) = (lines.position(diagnostic.span.start), lines.position(diagnostic.span.end));
        let excerpt = lines.line(start.line);
        let rest = (excerpt.chars().count() as u32 + 1).saturating_sub(start.column);
        let length = if end.line == start.line { end.column - start.column } else { rest };
        Place { line: start.line, column: start.column, excerpt: excerpt.to_owned(), length: length.max(1) }
    });
    Problem { message, place }
}

/// The first characters of what is shown: a state of thousands of processes is not written out.
fn clipped(shown: &impl fmt::Display) -> String {
    struct Clip {
        text: String,
        left: usize,
    }
    impl Write for Clip {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            for c in part.chars() {
                self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
                self.text.push(c);
            }
            Ok(())
        }
    }
    let mut clip = Clip { text: String::new(), left: MAX_LABEL };
    if write!(clip, "{shown}").is_err() {
        clip.text.push('…');
    }
    clip.text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analyse(source: &str, settings: &[(&str, i64)], limits: Limits) -> Result<Analysis, Vec<Problem>> {
        let settings = settings.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        let model = CheckedModel::new(source, &settings)?;
        let mut search = model.search(limits);
        loop {
            if let Some(answer) = search.advance(1) {
                return answer;
            }
        }
    }

    #[test]
    fn every_model_of_the_gallery_can_be_shown() {
        for model in models() {
            let Analysis { params, graph } = analyse(model.source, &[], LIMITS).unwrap();
            assert!(graph.nodes.len() > 1 && !graph.edges.is_empty(), "{}", model.name);
            assert!(graph.complete || graph.nodes.len() == LIMITS.states as usize, "{}", model.name);
            assert!(params.iter().all(|param| param.range.is_some()), "{}", model.name);
        }
    }

    #[test]
    fn the_first_model_has_the_published_number_of_states() {
        let source = models()[0].source;
        let Analysis { params, graph } = analyse(source, &[], LIMITS).unwrap();
        assert_eq!((graph.nodes.len(), graph.edges.len(), graph.complete), (20, 72, true));
        let clients = ParamInfo { name: "clients".into(), value: 3, range: Some((1, 1_000_000)) };
        assert_eq!(params, [clients]);
        assert_eq!(graph.nodes[StateId(0)].label, "client=[I, I, I]");
        assert_eq!(graph.edges[0].label, "client[0].request");
        assert_eq!(analyse(source, &[("clients", 2)], LIMITS).unwrap().graph.nodes.len(), 8);
    }

    /// A step never leads further than one column to the right, and every state but the first has a step into it from
    /// the column to its left.
    #[test]
    fn depths_are_distances() {
        for model in models() {
            let graph = analyse(model.source, &[], LIMITS).unwrap().graph;
            let depth = |state: StateId| graph.nodes[state].depth;
            assert!(graph.edges.iter().all(|edge| depth(edge.to) <= depth(edge.from) + 1), "{}", model.name);
            for state in graph.nodes.ids().filter(|&state| depth(state) > 0) {
                let mut into = graph.edges.iter().filter(|edge| edge.to == state);
                assert!(into.any(|edge| depth(edge.from) + 1 == depth(state)), "{}: {state:?}", model.name);
            }
        }
    }

    #[test]
    fn a_limit_leaves_states_with_unknown_steps() {
        let source = models()[0].source;
        let graph = analyse(source, &[], Limits { states: 5, ..LIMITS }).unwrap().graph;
        assert!(!graph.complete);
        let unknown = graph.nodes.iter().filter(|node| node.next == Next::Unknown).count();
        assert!(graph.nodes.len() == 5 && unknown > 0 && unknown < 5);
    }

    #[test]
    fn a_deadlock_is_marked() {
        let source = "process p { var x: bool = false action go: not x -> x := true }";
        let graph = analyse(source, &[], LIMITS).unwrap().graph;
        let next: Vec<Next> = graph.nodes.iter().map(|node| node.next).collect();
        assert_eq!(next, [Next::Steps, Next::Deadlock]);
    }

    #[test]
    fn problems_have_their_place() {
        let errors = analyse("param n = 3\nprocess p[m] { }\n", &[], LIMITS).unwrap_err();
        let place = Place { line: 2, column: 11, excerpt: "process p[m] { }".into(), length: 1 };
        assert_eq!(errors.len(), 1);
        assert!(errors[0].message.starts_with("there is no name called `m`"), "{}", errors[0].message);
        assert_eq!(errors[0].place, Some(place));
        let errors = analyse("process p {\n  var x\n}\n", &[], LIMITS).unwrap_err();
        assert!(errors.iter().all(|problem| problem.place.is_some()));
    }

    #[test]
    fn the_list_of_problems_ends() {
        let source = "param = 1\n".repeat(50);
        let errors = analyse(&source, &[], LIMITS).unwrap_err();
        assert_eq!(errors.len(), MAX_PROBLEMS + 1);
        assert_eq!(errors[MAX_PROBLEMS], Problem { message: "and 30 more".into(), place: None });
    }

    #[test]
    fn an_error_while_running_names_step_state_and_path() {
        let source = "process p { var x: 0..2 = 0\n action up: true -> x := x + 1 }";
        let errors = analyse(source, &[], LIMITS).unwrap_err();
        let message = "value 3 outside the variable's range 0..2 while executing p.up, in the state p=2: after p.up, p.up";
        assert_eq!(errors[0].message, message);
        assert_eq!(errors[0].place.as_ref().map(|place| (place.line, place.column)), Some((2, 26)));
    }

    #[test]
    fn parameters_are_checked_and_settings_of_others_are_passed_over() {
        let source = models()[0].source;
        let errors = analyse(source, &[("clients", 0)], LIMITS).unwrap_err();
        assert_eq!(errors[0].message, "the parameter `clients` is 0, but must be in 1..1000000");
        assert!(analyse(source, &[("servers", 7)], LIMITS).is_ok());
    }

    /// More processes than anybody can look at: a message or a part, at once, and no state in full.
    #[test]
    fn huge_parameters_do_not_stop_the_page() {
        for model in models() {
            let program = CheckedModel::new(model.source, &BTreeMap::new()).unwrap().program;
            for param in &program.params {
                let Some((_, most)) = param.range else { continue };
                for value in [1_000, 5_000, most] {
                    match analyse(model.source, &[(&param.name, value.min(most))], LIMITS) {
                        Ok(Analysis { graph, .. }) => assert!(
                            graph.nodes.iter().all(|node| node.label.chars().count() <= MAX_LABEL + 1)
                        ),
                        Err(errors) => assert!(errors[0].message.contains("the limit"), "{errors:?}"),
                    }
                }
            }
        }
    }
}
