//! Pictures of the built-in models, looked at by brute force: nothing overlaps, edges end where they should and pass through no
//! box, what is drawn stays where it is, and a node says how many states it stands for.

use orbitscope_core::draw::{self, Course, DrawnNode, Graph, Layout, NodeId, Picture, Point, Rect};
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::models;
use orbitscope_core::product::{Deadlock, Product};
use orbitscope_core::program::{self, Program, Settings};
use orbitscope_core::property::obligations;
use orbitscope_core::quotient::{Aqs, EdgeStorage, Prune};
use orbitscope_core::{ltl, symmetry, syntax};

fn program(name: &str, params: &[(&str, i64)]) -> Program {
    let source = models::find(name).expect("the model is there").source;
    let params = params.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    program::build(&syntax::parse(source).file, &Settings { params, ..Settings::default() })
        .expect("it is sound")
}

fn aqs(program: &Program) -> Aqs<'_> {
    Aqs::new(program, &symmetry::detect(program), Prune::Full, EdgeStorage::Stored, 1_000)
}

fn quotient(program: &Program, limit: u32, ghosts: bool) -> Graph {
    draw::aqs_graph(&mut aqs(program), "", limit, ghosts).expect("the model has no error")
}

/// Graphs of all kinds and sizes, by name.
fn graphs() -> Vec<(String, Graph)> {
    let mut graphs = Vec::new();
    for model in models::ALL {
        let program = program(model.name, &[]);
        graphs.push((format!("{}: quotient", model.name), quotient(&program, 120, true)));
        let limits = Limits { states: 150, ..Limits::default() };
        let mut exploration = Exploration::new(&program, limits, &[]).keeping_edges();
        exploration.run();
        graphs.push((format!("{}: states", model.name), draw::state_graph(&exploration, "")));
        for property in program.properties.ids() {
            let symmetry = symmetry::detect(&program);
            let Ok(all) = obligations(&program, property, &symmetry, &ltl::Limits::default()) else {
                continue;
            };
            let Some(obligation) = all.first() else { continue };
            let mut product = Product::new(&program, obligation, Prune::Full, Deadlock::Stutter);
            let graph = draw::product_graph(&mut product, "", 80).expect("the model has no error");
            let name = &program.properties[property].name;
            graphs.push((format!("{}: product of {name}", model.name), graph));
        }
    }
    for (clients, limit) in [(30, 10_000), (99, 10_000)] {
        let program = program("resource_controller", &[("clients", clients)]);
        graphs.push((format!("{clients} clients"), quotient(&program, limit, false)));
    }
    graphs
}

/// The box of a line of text, as wide as the letters of a monospaced font are.
fn text_box(middle: f32, base: f32, text: &str, size: f64) -> Rect {
    let wide = text.chars().count() as f64 * size * 0.602;
    Rect::around(f64::from(middle), f64::from(base) - size * 0.3, wide, size * 0.8)
}

fn labels(picture: &Picture) -> Vec<(usize, Rect)> {
    let mut boxes = Vec::new();
    for (edge, route) in picture.routes.iter().enumerate() {
        boxes.extend(route.lines.iter().map(|l| (edge, text_box(route.label.x, l.base, &l.text, 11.0))));
    }
    boxes
}

fn inside(area: &Rect, point: Point, margin: f32) -> bool {
    point.x > area.origin.x + margin
        && point.x < area.right() - margin
        && point.y > area.origin.y + margin
        && point.y < area.bottom() - margin
}

fn on_border(area: &Rect, point: Point) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() < 0.3;
    let beside = near(point.x, area.origin.x) || near(point.x, area.right());
    let over = near(point.y, area.origin.y) || near(point.y, area.bottom());
    !inside(area, point, 0.3) && (beside || over)
}

fn check_boxes(name: &str, picture: &Picture) {
    for (id, node) in picture.nodes.iter_enumerated() {
        let area = &node.area;
        assert!(area.origin.x >= 0.0 && area.origin.y >= 0.0, "{name}: {id:?} is outside");
        assert!(
            area.right() <= picture.size.x && area.bottom() <= picture.size.y,
            "{name}: {id:?} is outside"
        );
        for (other, b) in picture.nodes.iter_enumerated().filter(|(other, _)| *other > id) {
            assert!(!area.overlaps(&b.area), "{name}: {id:?} and {other:?} overlap");
        }
        for line in node.label.iter().chain(&node.below) {
            let text = text_box(area.centre().x, line.base, &line.text, 12.0);
            let fits = text.origin.x >= area.origin.x && text.right() <= area.right();
            assert!(fits && line.base <= area.bottom(), "{name}: {:?} does not fit into its box", line.text);
        }
    }
}

fn check_labels(name: &str, picture: &Picture) {
    let labels = labels(picture);
    for (place, (edge, a)) in labels.iter().enumerate() {
        for (other, b) in &labels[..place] {
            assert!(!a.overlaps(b), "{name}: the labels of edges {other} and {edge} overlap");
        }
        for (id, node) in picture.nodes.iter_enumerated() {
            assert!(!a.overlaps(&node.area), "{name}: the label of edge {edge} is on {id:?}");
        }
    }
}

fn check_edges(name: &str, picture: &Picture) {
    let boxes: Vec<(NodeId, &DrawnNode)> = picture.nodes.iter_enumerated().collect();
    for (edge, route) in picture.graph.edges.iter().zip(&picture.routes) {
        let (from, to) = (&picture.nodes[edge.from].area, &picture.nodes[edge.to].area);
        let ends = (route.path.start, route.path.end());
        assert!(on_border(from, ends.0) && on_border(to, ends.1), "{name}: {edge:?} ends at {ends:?}");
        assert_eq!(route.course == Course::Loop, edge.from == edge.to, "{name}");
        let points = route.path.points(16);
        for (id, node) in &boxes {
            let through = points.iter().any(|&point| inside(&node.area, point, 1.0));
            assert!(!through, "{name}: {edge:?} goes through {id:?}");
        }
    }
}

#[test]
fn nothing_overlaps_in_layers() {
    for (name, graph) in graphs() {
        let picture = Picture::layered(graph);
        assert_eq!(picture.routes.len(), picture.graph.edges.len(), "{name}");
        check_boxes(&name, &picture);
        check_labels(&name, &picture);
        check_edges(&name, &picture);
    }
}

#[test]
fn nothing_overlaps_in_lattices() {
    let mut found = 0;
    for (name, graph) in graphs() {
        let Some(picture) = Picture::lattice(&graph) else { continue };
        found += 1;
        check_boxes(&name, &picture);
        check_edges(&name, &picture);
        let mut cells: Vec<(u32, u32)> = picture.nodes.iter().map(|node| node.cell).collect();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), picture.nodes.len(), "{name}: two nodes in one cell");
    }
    assert!(found >= 10, "only {found} lattices");
}

#[test]
fn pictures_are_the_same_every_time() {
    for ((name, graph), (_, again)) in graphs().into_iter().zip(graphs()) {
        assert_eq!(Picture::lattice(&graph), Picture::lattice(&again), "{name}");
        assert_eq!(Picture::layered(graph), Picture::layered(again), "{name}");
    }
}

/// Gyuris & Sistla's controller with 99 clients: 398 states, which two numbers and the turn tell apart.
#[test]
fn the_controller_is_a_lattice() {
    let graph = quotient(&program("resource_controller", &[("clients", 99)]), 10_000, false);
    assert_eq!(graph.nodes.len(), 398);
    let picture = Picture::clearest(graph);
    assert_eq!(picture.layout, Layout::Lattice);
    let [columns, rows] = &picture.sides[..] else { panic!("a lattice has two sides") };
    assert_eq!((columns.name.as_str(), columns.ticks.len()), ("client processes in R", 100));
    assert_eq!((columns.ticks[0].label.as_str(), columns.ticks[99].label.as_str()), ("0", "99"));
    let rows: Vec<&str> = rows.ticks.iter().map(|tick| tick.label.as_str()).collect();
    assert_eq!(rows, ["C=0, clients_turn", "C=0, server_turn", "C=1, clients_turn", "C=1, server_turn"]);
    // An edge leads to the next row and at most one column further.
    for edge in &picture.graph.edges {
        let ((a, b), (c, d)) = (picture.nodes[edge.from].cell, picture.nodes[edge.to].cell);
        assert!(a.abs_diff(c) <= 1 && b.abs_diff(d) == 1, "{edge:?}");
    }
    // Each node stands in the column of its count.
    for (node, shape) in picture.graph.nodes.iter().zip(&picture.nodes) {
        let requests = node.label[0].split(' ').find_map(|run| run.strip_prefix("R×"));
        assert_eq!(requests.unwrap_or("0"), columns.ticks[shape.cell.0 as usize].label);
    }
}

#[test]
fn small_graphs_and_those_without_numbers_are_in_layers() {
    for name in ["simplified_controller", "dining_philosophers", "token_ring"] {
        let picture = Picture::clearest(quotient(&program(name, &[]), 1_000, true));
        assert!(matches!(picture.layout, Layout::Layered { .. }), "{name}");
    }
}

/// Columns are distances: an edge never leads more than one column on.
#[test]
fn columns_are_distances() {
    for (name, graph) in graphs() {
        let picture = Picture::layered(graph);
        for edge in &picture.graph.edges {
            let column = |node: NodeId| picture.nodes[node].cell.0;
            assert!(column(edge.to) <= column(edge.from) + 1, "{name}");
        }
        for (id, node) in picture.graph.nodes.iter_enumerated().filter(|(_, node)| node.initial) {
            assert_eq!(picture.nodes[id].cell.0, 0, "{name}: {}", node.name);
        }
    }
}

#[test]
fn what_is_drawn_stays_when_the_graph_grows() {
    for model in models::ALL {
        let program = program(model.name, &[]);
        let mut picture = Picture::layered(quotient(&program, 5, false));
        for limit in [6, 9, 20, 60, 200] {
            let larger = picture.grown(quotient(&program, limit, false));
            check_boxes(model.name, &larger);
            assert_eq!(larger.routes.len(), larger.graph.edges.len(), "{}", model.name);
            for (id, node) in picture.nodes.iter_enumerated() {
                assert_eq!(larger.nodes[id].area, node.area, "{}: {id:?} moved", model.name);
            }
            let kept = |edge: &draw::Edge| {
                larger
                    .graph
                    .edges
                    .iter_enumerated()
                    .find(|(_, e)| (e.from, e.to, e.position) == (edge.from, edge.to, edge.position))
            };
            for (edge, route) in picture.graph.edges.iter().zip(&picture.routes) {
                let (id, _) = kept(edge).expect("the edge is still there");
                assert_eq!(larger.routes[id].path, route.path, "{}: {edge:?} moved", model.name);
            }
            picture = larger;
        }
    }
}

/// The orbits are the states: what the nodes of a quotient stand for adds up.
#[test]
fn nodes_stand_for_all_states() {
    let mut compared = 0;
    for model in models::ALL {
        let program = program(model.name, &[]);
        let limits = Limits { states: 20_000, ..Limits::default() };
        let mut exploration = Exploration::new(&program, limits, &[]);
        exploration.run();
        let mut quotient = aqs(&program);
        let graph = draw::aqs_graph(&mut quotient, "", 20_000, false).expect("the model has no error");
        if exploration.stopped() != Some(&StopReason::Complete)
            || graph.partial.is_some()
            || !quotient.is_exact()
        {
            continue;
        }
        compared += 1;
        let orbits =
            graph.nodes.iter().map(|node| node.stands_for.as_ref().expect("it is small").parse::<u64>());
        let states: u64 = orbits.map(|size| size.expect("a number")).sum();
        assert_eq!(states, u64::from(exploration.states().len()), "{}", model.name);
        // And the weights of the edges are all steps that pruning left out.
        let with_ghosts = draw::aqs_graph(&mut quotient, "", 20_000, true).expect("the model has no error");
        let weights: u64 = graph.edges.iter().map(|edge| edge.weight).sum();
        assert_eq!(weights, with_ghosts.edges.len() as u64, "{}", model.name);
    }
    assert!(compared >= 10, "only {compared} models");
}

#[test]
fn published_sizes_with_and_without_ghosts() {
    let program = program("simplified_controller", &[]);
    let plain = quotient(&program, 100, false);
    let ghosts = quotient(&program, 100, true);
    assert_eq!((plain.nodes.len(), plain.edges.len(), ghosts.edges.len()), (7, 16, 27));
    let said = ghosts.edges.iter().filter(|edge| edge.style == draw::EdgeStyle::Ghost);
    assert!(
        said.clone().all(|edge| edge.under.starts_with("by (")),
        "each ghost says what makes it redundant"
    );
    assert_eq!(said.count(), 11);
}
