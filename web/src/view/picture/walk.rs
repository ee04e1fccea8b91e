//! Going from node to node with the arrow keys.

use orbitscope_core::draw::{NodeId, Picture};

/// A way to go from a node of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To a column before.
    Left,
    /// To a column after.
    Right,
    /// To the node above in the column.
    Up,
    /// To the node below in the column.
    Down,
}

/// The node that one comes to from another, or the first where there is no other.
pub fn step(picture: &Picture, from: Option<NodeId>, direction: Direction) -> Option<NodeId> {
    let Some(from) = from.filter(|&from| picture.nodes.get(from).is_some()) else {
        return picture.graph.nodes.iter_enumerated().find(|(_, node)| node.initial).map(|(id, _)| id);
    };
    let here = &picture.nodes[from];
    let (column, row) = here.cell;
    let others = || picture.nodes.iter_enumerated().filter(|&(id, _)| id != from);
    let far = |id: &NodeId| (picture.nodes[*id].area.centre().y - here.area.centre().y).abs();
    let beside = |columns: &mut dyn Iterator<Item = u32>| {
        // The nearest column that has a node; in it the one at the same height.
        let nearest = columns.min_by_key(|other| other.abs_diff(column))?;
        let nodes = picture.nodes.iter_enumerated().filter(|(_, node)| node.cell.0 == nearest);
        nodes.map(|(id, _)| id).min_by(|a, b| far(a).total_cmp(&far(b)))
    };
    let columns = || others().map(|(_, node)| node.cell.0);
    let same = || others().filter(|(_, node)| node.cell.0 == column);
    match direction {
        Direction::Left => beside(&mut columns().filter(|&other| other < column)),
        Direction::Right => beside(&mut columns().filter(|&other| other > column)),
        Direction::Up => {
            same().filter(|(_, n)| n.cell.1 < row).max_by_key(|(_, n)| n.cell.1).map(|(id, _)| id)
        }
        Direction::Down => {
            same().filter(|(_, n)| n.cell.1 > row).min_by_key(|(_, n)| n.cell.1).map(|(id, _)| id)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbitscope_core::draw::{Edge, Graph, Node};

    /// Three nodes behind the first, and one behind them.
    fn picture() -> Picture {
        let mut graph = Graph::new("g");
        let nodes: Vec<NodeId> = (0..5)
            .map(|i| {
                graph.nodes.push(Node {
                    initial: i == 0,
                    label: vec!["x".into()],
                    ..Node::new(format!("n{i}"))
                })
            })
            .collect();
        for (from, to) in [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4)] {
            graph.edges.push(Edge::new(nodes[from], nodes[to], "e"));
        }
        Picture::layered(graph)
    }

    #[test]
    fn arrow_keys_go_from_node_to_node_and_back() {
        let picture = picture();
        assert_eq!(step(&picture, None, Direction::Down), Some(NodeId(0)));
        assert_eq!(step(&picture, Some(NodeId(99)), Direction::Down), Some(NodeId(0)));
        for id in picture.nodes.ids() {
            let at = picture.nodes[id].area.centre();
            let to =
                |direction| step(&picture, Some(id), direction).map(|to| picture.nodes[to].area.centre());
            assert!(to(Direction::Right).is_none_or(|there| there.x > at.x));
            assert!(to(Direction::Left).is_none_or(|there| there.x < at.x));
            if let Some(down) = step(&picture, Some(id), Direction::Down) {
                assert_eq!(step(&picture, Some(down), Direction::Up), Some(id));
            }
        }
        let reached: Vec<bool> = [Direction::Left, Direction::Right, Direction::Up, Direction::Down]
            .map(|direction| step(&picture, Some(NodeId(2)), direction).is_some())
            .to_vec();
        assert!(reached.iter().filter(|there| **there).count() >= 3, "{reached:?}");
    }
}
