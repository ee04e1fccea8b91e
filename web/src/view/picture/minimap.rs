//! The whole picture in a corner, with the part that is visible.

use super::viewport::{Point, Rect, Viewport};
use orbitscope_core::draw::Picture;
use std::fmt::Write as _;

/// From this many nodes on there is a map.
pub const FROM: usize = 100;
/// The size of the map, in pixels.
pub const SIZE: (f64, f64) = (168.0, 96.0);

/// The map of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimap {
    /// All nodes, as the value of a path's `d`, in pixels of the map.
    pub nodes: String,
    scale: (f64, f64),
}

impl Minimap {
    /// The map, where the picture is large enough to need one.
    pub fn new(picture: &Picture) -> Option<Minimap> {
        (picture.nodes.len() > FROM).then(|| {
            let size = (f64::from(picture.size.x).max(1.0), f64::from(picture.size.y).max(1.0));
            // Stretched to fill the map: it says where one is, not how long edges are.
            let scale = (SIZE.0 / size.0, SIZE.1 / size.1);
            let mut nodes = String::new();
            for node in &picture.nodes {
                let centre = node.area.centre();
                let (x, y) = (f64::from(centre.x) * scale.0, f64::from(centre.y) * scale.1);
                let _ = write!(nodes, "M{:.1} {:.1}h2v2h-2z", x - 1.0, y - 1.0);
            }
            Minimap { nodes, scale }
        })
    }

    /// A point of the picture on the map.
    pub fn place(&self, point: Point) -> Point {
        Point::new(point.x * self.scale.0, point.y * self.scale.1)
    }

    /// The point of the picture under a point of the map.
    pub fn point(&self, place: Point) -> Point {
        Point::new(place.x / self.scale.0, place.y / self.scale.1)
    }

    /// Whether the whole picture is visible: then the map says nothing.
    pub fn is_idle(&self, viewport: &Viewport, panel: Rect) -> bool {
        let window = self.window(viewport, panel);
        window.width > 0.98 * SIZE.0 && window.height > 0.98 * SIZE.1
    }

    /// The visible part on the map, cut off at its edges.
    pub fn window(&self, viewport: &Viewport, panel: Rect) -> Rect {
        let seen = viewport.seen(panel);
        let clamp = |place: Point| Point::new(place.x.clamp(0.0, SIZE.0), place.y.clamp(0.0, SIZE.1));
        let from = clamp(self.place(seen.origin));
        let to = clamp(self.place(Point::new(seen.origin.x + seen.width, seen.origin.y + seen.height)));
        Rect { origin: from, width: to.x - from.x, height: to.y - from.y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbitscope_core::draw::{Edge, Graph, Node, NodeId};

    fn chain(count: u32) -> Picture {
        let mut graph = Graph::new("chain");
        for i in 0..count {
            graph.nodes.push(Node { initial: i == 0, ..Node::new(format!("n{i}")) });
        }
        for i in 1..count {
            graph.edges.push(Edge::new(NodeId(i - 1), NodeId(i), "e"));
        }
        Picture::layered(graph)
    }

    #[test]
    fn large_pictures_have_a_map() {
        assert!(Minimap::new(&chain(100)).is_none());
        let picture = chain(101);
        let map = Minimap::new(&picture).unwrap();
        assert_eq!(map.nodes.matches('M').count(), 101);
        let there = Point::new(f64::from(picture.size.x), f64::from(picture.size.y));
        assert!(map.place(there).distance(Point::new(SIZE.0, SIZE.1)) < 1e-9);
        assert!(map.point(map.place(there)).distance(there) < 1e-6);
    }

    #[test]
    fn the_window_is_on_the_map() {
        let picture = chain(150);
        let map = Minimap::new(&picture).unwrap();
        let panel = Rect { origin: Point::default(), width: 600.0, height: 400.0 };
        let view = Viewport::of(&picture);
        let all = map.window(&view, panel);
        assert!((all.width - SIZE.0).abs() < 1e-9 && (all.height - SIZE.1).abs() < 1e-9);
        assert!(map.is_idle(&view, panel) && !map.is_idle(&view.zoomed(8.0), panel));
        let some = map.window(&view.zoomed(8.0), panel);
        assert!(some.width < SIZE.0 / 4.0 && some.width > 0.0);
    }
}
