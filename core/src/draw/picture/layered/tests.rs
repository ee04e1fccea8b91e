use super::layers::{ItemId, Layers, neighbours, positions};
use super::{order, place};
use crate::draw::{Edge, EdgeStyle, Graph, Node, dot, json, svg};
use crate::ids::{Id, IdVec};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

#[path = "../../../../tests/support/random.rs"]
#[expect(dead_code, reason = "the tests of the suite use more of it")]
mod random;

use random::Random;

/// A graph with loops, parallel edges, unreachable nodes and labels full of markup.
pub(in crate::draw::picture) fn random_graph(seed: u64) -> Graph {
    let mut random = Random::new(seed);
    let mut graph = Graph::new("a < b & \"c\"");
    let nodes = 1 + random.below(12);
    for index in 0..nodes {
        graph.nodes.push(Node {
            initial: index == 0 || random.below(8) == 0,
            deadlock: random.below(6) == 0,
            label: (0..random.below(3)).map(|i| format!("x{i}=<{}>", "&".repeat(i))).collect(),
            below: (0..random.below(2)).map(|_| "{0,1} \"r\"".into()).collect(),
            class: Some(random.below(20) as u32),
            ..Node::new(format!("n{index}"))
        });
    }
    for _ in 0..random.below(30) {
        let (from, to) = (Id::from_index(random.below(nodes)), Id::from_index(random.below(nodes)));
        let label = if random.below(4) == 0 { String::new() } else { format!("<e{}>", random.below(1000)) };
        graph.edges.push(Edge {
            style: if random.below(5) == 0 { EdgeStyle::Ghost } else { EdgeStyle::Solid },
            under: if random.below(3) == 0 { "(0 \"1\" 2)".into() } else { String::new() },
            ..Edge::new(from, to, label)
        });
    }
    graph
}

fn initial_items(layers: &Layers) -> Vec<ItemId> {
    layers.ranks.first().map(|rank| rank.iter().copied().take(1).collect()).unwrap_or_default()
}

#[test]
fn edges_pass_every_rank_between_their_ends() {
    for seed in 0..300 {
        let layers = Layers::new(&random_graph(seed));
        for route in &layers.routes {
            for piece in route.windows(2) {
                let step = layers.rank_of[piece[0]].abs_diff(layers.rank_of[piece[1]]);
                assert_eq!(step, 1, "seed {seed}");
            }
        }
    }
}

#[test]
fn crossings_are_counted_as_by_hand() {
    for seed in 0..300 {
        let layers = Layers::new(&random_graph(seed));
        let (_, right) = neighbours(&layers);
        let at = positions(&layers);
        let pieces: Vec<(ItemId, ItemId)> =
            layers.items.ids().flat_map(|a| right[a].iter().map(move |&b| (a, b))).collect();
        let crosses = |p: (ItemId, ItemId), q: (ItemId, ItemId)| {
            layers.rank_of[p.0] == layers.rank_of[q.0] && at[p.0] < at[q.0] && at[p.1] > at[q.1]
        };
        let by_hand: u64 =
            pieces.iter().map(|&p| pieces.iter().filter(|&&q| crosses(p, q)).count() as u64).sum();
        let counted: u64 = order::crossings(&layers, &right);
        assert_eq!(counted, by_hand, "seed {seed}");
    }
}

#[test]
fn ordering_keeps_the_items_and_never_adds_crossings() {
    for seed in 0..300 {
        let mut layers = Layers::new(&random_graph(seed));
        let (_, right) = neighbours(&layers);
        let before = order::crossings(&layers, &right);
        let sorted = |layers: &Layers| -> Vec<Vec<ItemId>> {
            let mut ranks = layers.ranks.clone();
            for rank in &mut ranks {
                rank.sort_unstable();
            }
            ranks
        };
        let items = sorted(&layers);
        order::order(&mut layers);
        assert_eq!(sorted(&layers), items, "seed {seed}");
        assert!(order::crossings(&layers, &right) <= before, "seed {seed}");
    }
}

#[test]
fn nothing_overlaps_or_leaves_the_picture() {
    for seed in 0..300 {
        let mut layers = Layers::new(&random_graph(seed));
        order::order(&mut layers);
        let placement = place::place(&layers, &initial_items(&layers));
        for (rank, items) in layers.ranks.iter().enumerate() {
            for pair in items.windows(2) {
                let (upper, lower) = (&layers.items[pair[0]], &layers.items[pair[1]]);
                let space = placement.y[pair[1]] - lower.above - (placement.y[pair[0]] + upper.below);
                assert!(space > -1e-6, "seed {seed}: {space} between two items of rank {rank}");
            }
            let (x, width) = placement.columns[rank];
            assert!(x >= 0.0 && x + width <= placement.width, "seed {seed}");
        }
        for (id, item) in layers.items.iter_enumerated() {
            let (top, bottom) = (placement.y[id] - item.above, placement.y[id] + item.below);
            assert!(top >= 0.0 && bottom <= placement.height, "seed {seed}");
        }
    }
}

/// Pooling finds the least sum of squares: against trying all places on a grid.
#[test]
fn items_lie_as_near_to_their_wishes_as_they_can() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut graph = Graph::new("row");
        // Three nodes in one layer, each with one neighbour somewhere to the left.
        for index in 0..6 {
            graph.nodes.push(Node { initial: index < 3, ..Node::new(format!("n{index}")) });
        }
        let mut layers = Layers::new(&graph);
        let rank: Vec<ItemId> = layers.items.ids().skip(3).collect();
        for id in layers.items.ids().collect::<Vec<_>>() {
            (layers.items[id].above, layers.items[id].below) = (1.0, 1.0);
        }
        let mut y: IdVec<ItemId, f64> = alloc::vec![0.0; 6].into();
        let mut wishes: IdVec<ItemId, Vec<(ItemId, f64)>> = (0..6).map(|_| Vec::new()).collect();
        for index in 0..3 {
            y[ItemId(index)] = random.below(10) as f64;
            wishes[rank[index as usize]].push((ItemId(index), 0.0));
        }
        let cost = |places: [f64; 3]| -> f64 {
            (0..3).map(|i| (places[i] - y[ItemId(i as u32)]) * (places[i] - y[ItemId(i as u32)])).sum()
        };
        let grid = || (-24..=60).map(|p| f64::from(p) / 4.0);
        let mut best = f64::MAX;
        for a in grid() {
            for b in grid().filter(|b| *b >= a + 2.0) {
                for c in grid().filter(|c| *c >= b + 2.0) {
                    best = best.min(cost([a, b, c]));
                }
            }
        }
        let mut placed = y.clone();
        place::spread(&layers, &rank, &mut placed, &[&wishes]);
        let found = cost([placed[rank[0]], placed[rank[1]], placed[rank[2]]]);
        assert!(found <= best + 1e-9, "seed {seed}: {found} > {best}");
    }
}

/// The names of the open elements at every place nest, and text has no bare markup.
fn check_well_formed(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let content = &rest[..start];
        if content.contains('>') {
            return Err(format!("a bare > in {content:?}"));
        }
        let end = rest[start..].find('>').ok_or("a tag without end")? + start;
        let tag = &rest[start + 1..end];
        if tag.contains('<') || tag.matches('"').count() % 2 == 1 {
            return Err(format!("markup inside the tag {tag:?}"));
        }
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return Err(format!("{tag} closes nothing"));
            }
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    for entity in text.split('&').skip(1) {
        if !["amp;", "lt;", "gt;", "quot;"].iter().any(|known| entity.starts_with(known)) {
            return Err(format!("a bare & before {entity:.20}"));
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("not closed: {open:?}")) }
}

#[test]
fn pictures_are_well_formed_and_the_same_every_time() {
    for seed in 0..300 {
        let graph = random_graph(seed);
        let picture = svg(&graph);
        if let Err(what) = check_well_formed(&picture) {
            panic!("seed {seed}: {what}\n{picture}");
        }
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "seed {seed}");
        assert_eq!(picture.matches("class=\"h\"").count(), {
            let initial = graph.nodes.iter().filter(|node| node.initial).count();
            graph.edges.len() + initial
        });
        assert_eq!(svg(&graph), picture);
    }
}

#[test]
fn a_graph_without_nodes_is_a_picture() {
    let graph = Graph::new("");
    assert_eq!(check_well_formed(&svg(&graph)), Ok(()));
    assert!(dot(&graph).ends_with("}\n"));
    assert!(json(&graph).contains("\"nodes\":[],"));
}

/// A chain in which every node leads back to the first: its edges pass two million ranks in all.
#[test]
fn long_edges_of_large_graphs_go_straight() {
    let mut graph = Graph::new("chain");
    for index in 0..2_000 {
        graph.nodes.push(Node { initial: index == 0, ..Node::new(format!("n{index}")) });
    }
    for index in 0..2_000 {
        let edge = |to: usize| Edge::new(Id::from_index(index), Id::from_index(to), "e");
        graph.edges.push(edge(0));
        if index + 1 < 2_000 {
            graph.edges.push(edge(index + 1));
        }
    }
    let layers = Layers::new(&graph);
    assert!(layers.items.len() < 30_000);
    assert_eq!(check_well_formed(&svg(&graph)), Ok(()));
}

fn two_nodes() -> Graph {
    let mut graph = Graph::new("two \"nodes\"");
    graph.partial = Some("only <2>".into());
    let a =
        graph.nodes.push(Node { initial: true, label: alloc::vec!["x=\\N & <y>".into()], ..Node::new("a") });
    let b = Node {
        deadlock: true,
        open: true,
        class: Some(9),
        below: alloc::vec!["{1}".into()],
        ..Node::new("b")
    };
    let b = graph.nodes.push(b);
    graph.edges.push(Edge::new(a, b, "\"go\""));
    graph.edges.push(Edge { style: EdgeStyle::Ghost, ..Edge::new(b, b, "") });
    graph
}

#[test]
fn graphviz_text() {
    let expected = r##"digraph "two \"nodes\"" {
  // partial: only <2>
  label="partial: only <2>"
  rankdir=LR
  node [shape=box, style="rounded,filled", fillcolor=white, fontname=monospace]
  edge [fontname=monospace, fontsize=11]
  "a" [label="x=\\N &amp; <y>"]
  "start 0" [shape=point, label=""]
  "start 0" -> "a"
  "b" [label="{1}", fillcolor="#fde3c8", color=red3, peripheries=2, style="rounded,filled,dashed"]
  "a" -> "b" [label="\"go\""]
  "b" -> "b" [label="", style=dashed, color=gray60, fontcolor=gray40]
}
"##;
    assert_eq!(dot(&two_nodes()), expected);
}

#[test]
fn json_text() {
    let expected = r#"{"title":"two \"nodes\"","complete":false,"note":"only <2>",
"nodes":[
{"id":"a","label":["x=\\N & <y>"],"below":[],"initial":true,"deadlock":false,"accepting":false,"open":false,"class":null},
{"id":"b","label":[],"below":["{1}"],"initial":false,"deadlock":true,"accepting":false,"open":true,"class":9}],
"edges":[
{"from":"a","to":"b","label":"\"go\"","style":"solid"},
{"from":"b","to":"b","label":"","style":"ghost"}]}
"#;
    assert_eq!(json(&two_nodes()), expected);
}
