//! The marks of a search on its graphs, against a naive reading of the log's events, for all built-in models.
#![cfg(not(target_arch = "wasm32"))]

use orbitscope_core::draw::{self, EdgeStyle, Graph};
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, NodeId, Product};
use orbitscope_core::program::{self, Program, Settings};
use orbitscope_core::property::obligations;
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::log::{End, Log, Player, RecordLimits, Recorder};
use orbitscope_core::search::{Event, Search};
use orbitscope_core::{ltl, models, symmetry, syntax};
use orbitscope_web::engine::GraphKind;
use orbitscope_web::view::picture::marks::{Marks, Phase, letter};
use orbitscope_web::view::picture::places::Places;
use std::collections::{BTreeMap, BTreeSet};

/// A search read off its events, one after the other.
#[derive(Default)]
struct Naive {
    path: Vec<NodeId>,
    stack: Vec<NodeId>,
    components: Vec<Vec<NodeId>>,
    /// Edges in the order of following, with the target.
    followed: Vec<(NodeId, u32, NodeId)>,
    /// The edges by which the path was entered.
    entered: Vec<(NodeId, u32)>,
}

impl Naive {
    fn apply(&mut self, event: Event) {
        self.followed.extend(event.edge());
        match event {
            Event::Root(node) => self.enter(node),
            Event::Tree { from, edge, to } => {
                self.entered.push((from, edge));
                self.enter(to);
            }
            Event::Join { .. } => self.leave(),
            Event::Component { root, .. } => {
                self.leave();
                let first =
                    self.stack.iter().position(|&node| node == root).expect("the root is on the stack");
                self.components.push(self.stack.split_off(first));
            }
            Event::Back { .. } | Event::Cross { .. } | Event::Yes(_) | Event::No | Event::Stopped(_) => {}
        }
    }

    fn enter(&mut self, node: NodeId) {
        self.path.push(node);
        self.stack.push(node);
    }

    fn leave(&mut self) {
        self.path.pop();
        self.entered.truncate(self.path.len().saturating_sub(1));
    }

    /// The components with a cycle, in the order of popping.
    fn cyclic(&self) -> Vec<&Vec<NodeId>> {
        let loops = |node: &NodeId| self.followed.iter().any(|(from, _, to)| from == node && to == node);
        self.components.iter().filter(|c| c.len() > 1 || c.iter().any(loops)).collect()
    }

    fn phase(&self, node: NodeId) -> Phase {
        if self.path.contains(&node) {
            return Phase::Entered;
        }
        if self.stack.contains(&node) {
            return Phase::Stacked;
        }
        if let Some(number) = self.cyclic().iter().position(|c| c.contains(&node)) {
            return Phase::Popped(number as u32);
        }
        if self.components.iter().any(|c| c.contains(&node)) { Phase::Done } else { Phase::Fresh }
    }

    fn edge_phase(&self, from: NodeId, position: u32) -> Phase {
        let Some((.., to)) = self.followed.iter().find(|(f, p, _)| (*f, *p) == (from, position)) else {
            return Phase::Fresh;
        };
        if self.entered.contains(&(from, position)) {
            return Phase::Entered;
        }
        match self.components.iter().find(|c| c.contains(&from)) {
            None => Phase::Stacked,
            Some(component) if component.contains(to) => self.phase(from),
            Some(_) => Phase::Done,
        }
    }
}

/// The phase that several nodes share which are one in a picture.
fn together(phases: impl IntoIterator<Item = Phase>) -> Phase {
    let seen: BTreeSet<Phase> = phases.into_iter().filter(|phase| *phase != Phase::Fresh).collect();
    if seen.contains(&Phase::Entered) {
        Phase::Entered
    } else if seen.contains(&Phase::Stacked) {
        Phase::Stacked
    } else if seen.len() > 1 {
        Phase::Done
    } else {
        seen.first().copied().unwrap_or_default()
    }
}

fn programs() -> impl Iterator<Item = (&'static str, Program)> {
    models::ALL.iter().map(|model| {
        let program = program::build(&syntax::parse(model.source).file, &Settings::default());
        (model.name, program.expect("the model is sound"))
    })
}

/// The logs of the first searches of each property, with the three graphs of each.
fn searches(program: &Program, mut see: impl FnMut(&Log, [(GraphKind, Graph); 3])) {
    for property in program.properties.ids() {
        let symmetry = symmetry::detect(program);
        let Ok(all) = obligations(program, property, &symmetry, &ltl::Limits::default()) else { continue };
        for obligation in all.iter().take(1) {
            let product = Product::new(program, obligation, Prune::Full, Deadlock::Stutter);
            let fairness = FairnessOf::new(program, FairnessChoice::Model);
            let mut search = Search::new(product, fairness, 100);
            let mut recorder = Recorder::new(&search, RecordLimits::default());
            while recorder.step(&mut search).is_some() {}
            let log = recorder.finish();
            let product = search.product_mut();
            let drawn = draw::product_graph(product, "", 400).expect("no error");
            let tracked = draw::aqsi_graph(product.aqsi_mut(), "", 400).expect("no error");
            let quotient = draw::aqs_graph(product.aqsi_mut().aqs_mut(), "", 400, true).expect("no error");
            see(&log, [(GraphKind::Product, drawn), (GraphKind::Aqsi, tracked), (GraphKind::Aqs, quotient)]);
        }
    }
}

#[test]
fn marks_are_what_the_events_say() {
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    for (name, program) in programs() {
        searches(&program, |log, graphs| {
            for (of, graph) in graphs {
                let places = Places::new(log, &graph, of);
                let mut naive = Naive::default();
                let mut player = Player::new();
                // Every step of short logs, some of long ones.
                let stride = (log.len() / 24).max(1);
                for step in 0..=log.len() {
                    if step > 0 {
                        naive.apply(log.steps()[step as usize - 1].event);
                    }
                    if step % stride != 0 && step != log.len() {
                        continue;
                    }
                    let snapshot = player.seek(log, step).expect("the step is there");
                    let marks = Marks::new(log, snapshot, &places);
                    compare(log, &naive, &marks, &places, &format!("{name}, {of:?}, step {step}"));
                    for mark in &marks.nodes {
                        *met.entry(mark.phase.name()).or_default() += 1;
                    }
                    if matches!(snapshot.end, Some(End::Yes(_))) {
                        fair(log, &marks, &places);
                        *met.entry("fair").or_default() += 1;
                    }
                }
            }
        });
    }
    for phase in ["fresh", "done", "popped", "stacked", "entered", "fair"] {
        assert!(met.get(phase).is_some_and(|&count| count > 10), "{phase} hardly occurs: {met:?}");
    }
}

fn compare(log: &Log, naive: &Naive, marks: &Marks, places: &Places, at: &str) {
    let mut nodes: BTreeMap<_, Vec<Phase>> = BTreeMap::new();
    let mut edges: BTreeMap<_, Vec<Phase>> = BTreeMap::new();
    for (dfnum, entry) in (0..).zip(log.entries()) {
        if let Some(node) = places.node(dfnum) {
            nodes.entry(node).or_default().push(naive.phase(entry.node));
        }
        for position in 0..entry.edges.len() as u32 {
            if let Some(edge) = places.edge(dfnum, position) {
                edges.entry(edge).or_default().push(naive.edge_phase(entry.node, position));
            }
        }
    }
    for (id, mark) in marks.nodes.iter_enumerated() {
        let expected = nodes.get(&id).map_or(Phase::Fresh, |phases| together(phases.iter().copied()));
        assert_eq!(mark.phase, expected, "{at}: {id:?}");
    }
    for (id, mark) in marks.edges.iter_enumerated() {
        let expected = edges.get(&id).map_or(Phase::Fresh, |phases| together(phases.iter().copied()));
        assert_eq!(mark.phase, expected, "{at}: {id:?}");
    }
    let place = |node: NodeId| log.dfnum(node).and_then(|dfnum| places.node(dfnum));
    assert_eq!(marks.current, naive.path.last().and_then(|&node| place(node)), "{at}");
}

fn fair(log: &Log, marks: &Marks, places: &Places) {
    let expected: BTreeSet<_> =
        log.fair_component().iter().filter_map(|&node| places.node(log.dfnum(node)?)).collect();
    let marked: BTreeSet<_> =
        marks.nodes.iter_enumerated().filter(|(_, mark)| mark.fair).map(|(id, _)| id).collect();
    assert_eq!(marked, expected);
    assert!(!expected.is_empty());
}

/// Every node and every followed edge of a search has its place in each of its graphs, and the right one.
#[test]
fn places_are_the_nodes_and_edges_meant() {
    for (name, program) in programs() {
        searches(&program, |log, graphs| {
            for (of, graph) in graphs {
                if graph.partial.is_some() {
                    continue;
                }
                let places = Places::new(log, &graph, of);
                for (dfnum, entry) in (0..).zip(log.entries()) {
                    let node =
                        places.node(dfnum).unwrap_or_else(|| panic!("{name}, {of:?}: {dfnum} has no place"));
                    let (state, tracked) = graph.nodes[node].state.as_ref().expect("it has a state");
                    assert_eq!(*state, entry.state, "{name}, {of:?}");
                    assert!(of == GraphKind::Aqs || *tracked == entry.tracked, "{name}, {of:?}");
                    for (position, logged) in (0..).zip(&entry.edges) {
                        let Some(target) = log.dfnum(logged.target) else { continue };
                        let edge = places.edge(dfnum, position);
                        // A state without steps repeats in the product only.
                        if logged.step.is_none() && of != GraphKind::Product {
                            assert_eq!(edge, None);
                            continue;
                        }
                        let edge = edge.unwrap_or_else(|| panic!("{name}, {of:?}: an edge has no place"));
                        let drawn = &graph.edges[edge];
                        assert_eq!(
                            (drawn.from, Some(drawn.to)),
                            (node, places.node(target)),
                            "{name}, {of:?}"
                        );
                        assert_eq!(drawn.style, EdgeStyle::Solid);
                        let action = logged.step.map(|number| entry.steps[number as usize].action);
                        assert_eq!(drawn.step.as_ref().map(|step| step.action), action, "{name}, {of:?}");
                    }
                }
            }
        });
    }
}

#[test]
fn letters_go_on_after_z() {
    let letters: Vec<String> = [0, 25, 26, 51, 52].map(letter).to_vec();
    assert_eq!(letters, ["A", "Z", "A2", "Z2", "A3"]);
}

#[test]
fn a_run_lights_up_its_nodes() {
    let node = draw::NodeId;
    let mut graph = Graph::new("");
    for name in ["a", "b", "c"] {
        graph.nodes.push(draw::Node::new(name));
    }
    for (from, to) in [(0, 1), (1, 2), (1, 2), (2, 0)] {
        graph.edges.push(draw::Edge::new(node(from), node(to), "e"));
    }
    let run = [Some(node(1)), Some(node(2)), None, Some(node(7))];
    let lit = Marks::blank((3, 4)).with_run(&graph, &run, Some(node(2)));
    let nodes: Vec<bool> = lit.nodes.iter().map(|mark| mark.run).collect();
    let edges: Vec<bool> = lit.edges.iter().map(|mark| mark.run).collect();
    assert_eq!((nodes, edges), (vec![false, true, true], vec![false, true, false, false]));
    assert_eq!(lit.run_at, Some(node(2)));
    assert_eq!(lit.nodes[node(1)].words(), "fresh run");
}
