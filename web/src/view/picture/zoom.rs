//! Labels thin out as the picture gets smaller, so that those that are left can be read.

use super::glyph;
use orbitscope_core::draw::{Layout, Picture};

/// How much of a picture is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Glyphs of states, without words.
    Glyphs,
    /// The line of each node, large; only where a node has one line.
    Names,
    /// All of each node.
    Nodes,
    /// The labels of edges too.
    All,
}

/// The least size in pixels at which a line of text can be read.
pub const READABLE: f64 = 9.0;
/// A view that is made to be just readable is, whatever its scale loses in the arithmetic.
const LOST: f64 = 1e-6;
/// The size of a node's lines and of an edge's label in units of the picture.
const NODE_TEXT: f64 = 12.0;
const EDGE_TEXT: f64 = 11.0;
/// The number of pixels a unit from which on the words in nodes can be read.
pub const WORDS: f64 = READABLE / NODE_TEXT;
/// How much larger a name may be written when it is alone in its box.
const NAME: f64 = 22.0;

/// The detail to write at this many pixels a unit.
pub fn detail(picture: &Picture, scale: f64) -> Detail {
    let labels = picture.layout == Layout::Layered { labels: true };
    let reads = |size: f64| scale * size >= READABLE - LOST;
    if labels && reads(EDGE_TEXT) {
        Detail::All
    } else if reads(NODE_TEXT) {
        Detail::Nodes
    } else if has_one_line(picture) && reads(name_size(picture)) {
        Detail::Names
    } else {
        Detail::Glyphs
    }
}

/// Whether the first line of each node is all that it says.
fn has_one_line(picture: &Picture) -> bool {
    picture.nodes.iter().all(|node| node.label.len() <= 1)
}

/// The least number of pixels a unit at which the state of every node can be read: its words, or the cells of its glyph.
pub fn readable_scale(picture: &Picture) -> f64 {
    glyph::least_edge(picture).map_or(WORDS, |edge| WORDS.min(glyph::CELL / edge))
}

/// From this many edges on, curves are drawn as straight lines where nothing can be read anyway: thousands of curves are slow.
const MANY_EDGES: usize = 1_500;

/// Whether edges are drawn as straight lines.
pub fn is_sketched(picture: &Picture, detail: Detail) -> bool {
    detail == Detail::Glyphs && picture.routes.len() >= MANY_EDGES
}

/// The width of a line that is about a pixel wide at so many pixels a unit. It changes in steps, so that what is drawn
/// changes seldom.
pub fn hairline(scale: f64) -> f64 {
    1.25_f64.powi((1.0 / scale.max(1e-6)).log(1.25).round() as i32)
}

/// The size of the first line of each node when it is written alone, as large as fits into all boxes.
pub fn name_size(picture: &Picture) -> f64 {
    let fits = picture.nodes.iter().filter_map(|node| {
        let length = node.label.first()?.text.chars().count().max(1) as f64;
        let across = (f64::from(node.area.size.x) - 6.0) / (0.61 * length);
        Some(across.min(f64::from(node.area.size.y) - 4.0))
    });
    fits.fold(NAME, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbitscope_core::draw::{Edge, Graph, Node};

    fn picture(edges: usize) -> Picture {
        let mut graph = Graph::new("g");
        let a = graph.nodes.push(Node { label: vec!["RRI".into()], initial: true, ..Node::new("a") });
        let b = graph.nodes.push(Node { label: vec!["CRI".into(), "q0".into()], ..Node::new("b") });
        for _ in 0..edges {
            graph.edges.push(Edge::new(a, b, "go"));
        }
        Picture::layered(graph)
    }

    #[test]
    fn less_is_written_from_further_away() {
        let mut picture = picture(2);
        assert_eq!(detail(&picture, 1.0), Detail::All);
        assert_eq!(detail(&picture, 0.78), Detail::Nodes);
        assert_eq!(
            detail(&picture, 0.5),
            Detail::Glyphs,
            "a node has two lines, and one alone would mislead"
        );
        // The scale of a view is a quotient of quotients.
        assert_eq!(detail(&picture, WORDS - 1e-12), Detail::Nodes);
        for node in &mut picture.nodes {
            node.label.truncate(1);
        }
        assert_eq!(detail(&picture, 0.5), Detail::Names);
        assert_eq!(detail(&picture, 0.1), Detail::Glyphs);
        let mut before = Detail::Glyphs;
        for scale in 1..100 {
            let now = detail(&picture, f64::from(scale) / 50.0);
            assert!(now >= before);
            before = now;
        }
    }

    #[test]
    fn edges_that_have_no_room_for_labels_have_none() {
        assert_eq!(detail(&picture(500), 5.0), Detail::Nodes);
    }

    #[test]
    fn hairlines_are_about_a_pixel_wide() {
        for scale in 1..200 {
            let scale = f64::from(scale) / 100.0;
            let pixels = hairline(scale) * scale;
            assert!((0.85..1.18).contains(&pixels), "{pixels} at {scale}");
        }
        assert!((hairline(0.31) - hairline(0.30)).abs() < 1e-9);
    }

    #[test]
    fn large_pictures_are_sketched_from_afar_only() {
        assert!(is_sketched(&picture(2_000), Detail::Glyphs));
        assert!(!is_sketched(&picture(2_000), Detail::Names));
        assert!(!is_sketched(&picture(20), Detail::Glyphs));
    }

    #[test]
    fn a_name_fits_into_its_box() {
        let picture = picture(2);
        let size = name_size(&picture);
        for node in &picture.nodes {
            assert!(size * 0.61 * 3.0 <= f64::from(node.area.size.x) && size <= f64::from(node.area.size.y));
        }
        assert!(size > 12.0);
    }
}
