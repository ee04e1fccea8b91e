//! A picture with its marks as one SVG file that needs nothing else: no style sheet, no font, no script.

use super::marks::{HUES, Marks};
use crate::engine::svg_of;
use orbitscope_core::draw::{EdgeId, EdgeStyle, Look, NodeId, Picture};
use std::fmt::Write as _;
use std::rc::Rc;

/// Line and fill of the components' hues: those of the page, in both themes.
pub const LIGHT: [(&str, &str); HUES as usize] = [
    ("#0067a5", "#d9e8f2"),
    ("#b84a00", "#f4e4d9"),
    ("#00795a", "#d9ebe6"),
    ("#a8437c", "#f2e3eb"),
    ("#8a6a00", "#ede9d9"),
    ("#2a7f9e", "#dfecf0"),
    ("#5f4ba8", "#e7e4f2"),
    ("#6b6b6b", "#e9e9e9"),
];
/// The same on dark paper.
pub const DARK: [(&str, &str); HUES as usize] = [
    ("#6db9f2", "#263441"),
    ("#ff9a5c", "#3c302b"),
    ("#4fd0a5", "#223836"),
    ("#ee9fcb", "#3a303b"),
    ("#e8c547", "#393628"),
    ("#8fdcf5", "#2c3a42"),
    ("#bcaaf5", "#323242"),
    ("#c4c4c4", "#34363a"),
];

/// A picture as it is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The picture, in the layout that was chosen.
    pub picture: Rc<Picture>,
    /// Whether pruned edges are shown.
    pub ghosts: bool,
    /// The marks of what is played or chosen.
    pub marks: Option<Rc<Marks>>,
    /// The nodes that were looked for; the others step back.
    pub found: Option<Rc<[u32]>>,
}

/// The picture as SVG, with the colours of a theme.
pub fn export(seen: &Seen, title: &str, dark: bool) -> String {
    let mut picture = Picture::clone(&seen.picture);
    picture.graph.title = title.into();
    svg_of(&picture, &Inked { seen, dark })
}

struct Inked<'a> {
    seen: &'a Seen,
    dark: bool,
}

impl Look for Inked<'_> {
    fn style(&self) -> String {
        style(self.dark)
    }

    fn node(&self, id: NodeId) -> String {
        let mut words = String::new();
        if let Some(marks) = &self.seen.marks
            && let Some(mark) = marks.nodes.get(id)
        {
            let _ = write!(words, " {}", mark.words());
            let here = [(marks.current, " current"), (marks.run_at, " here")];
            words.extend(here.iter().filter(|(at, _)| *at == Some(id)).map(|(_, word)| *word));
        }
        if let Some(found) = &self.seen.found {
            words.push_str(if found.contains(&id.0) { " found" } else { " lost" });
        }
        words
    }

    fn edge(&self, id: EdgeId) -> Option<String> {
        if !self.seen.ghosts && self.seen.picture.graph.edges[id].style == EdgeStyle::Ghost {
            return None;
        }
        let mark = self.seen.marks.as_ref().and_then(|marks| marks.edges.get(id));
        let mut words = mark.map_or_else(String::new, |mark| format!(" {}", mark.words()));
        if self.seen.found.is_some() {
            words.push_str(" lost");
        }
        Some(words)
    }
}

fn style(dark: bool) -> String {
    let (paper, ink, soft, line, accent, fair) = if dark {
        ("#1a1d22", "#e3e6ea", "#a0a8b3", "#7a828e", "#9abcf5", "#7fd1a5")
    } else {
        ("#ffffff", "#1c2026", "#59616c", "#6d7178", "#2b579f", "#1d6b45")
    };
    let mut style = format!(
        ".paper{{fill:{paper}}}text{{fill:{ink}}}.n rect{{fill:{paper};stroke:{line}}}.n .b,.e .p,.s text{{fill:{soft}}}\
         .n .r{{stroke:{line}}}.e path{{stroke:{line}}}.e .h{{fill:{line}}}.e text{{stroke:{paper};fill:{ink}}}\
         .n.entered rect{{stroke:{accent};stroke-width:2}}.n.stacked rect{{stroke:{accent};stroke-dasharray:4 2}}\
         .n.holds rect{{stroke:{fair};stroke-width:2.2}}\
         .n.current rect{{stroke-width:3.5}}\
         .e.entered path{{stroke:{accent};stroke-width:2}}.e.entered .h{{fill:{accent}}}\
         .n.fair rect{{stroke:{fair};stroke-width:2.5}}.e.fair path{{stroke:{fair};stroke-width:2}}.e.fair .h{{fill:{fair}}}\
         .n.fresh,.e.fresh{{opacity:.45}}.n.run,.e.run{{opacity:1}}.n.run rect{{stroke-width:2.6}}\
         .e.run path{{stroke:{fair};stroke-width:2.2}}.e.run .h{{fill:{fair}}}\
         .n.here rect{{stroke:{fair};stroke-width:4}}.n.found rect{{stroke:{fair};stroke-width:2.5}}.lost{{opacity:.32}}"
    );
    for (hue, (line, wash)) in (if dark { DARK } else { LIGHT }).iter().enumerate() {
        let _ = write!(
            style,
            ".n.hue-{hue} rect{{stroke:{line};fill:{wash}}}.e.hue-{hue} path{{stroke:{line}}}.e.hue-{hue} .h{{fill:{line}}}"
        );
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::picture::marks::{EdgeMark, NodeMark, Phase};
    use orbitscope_core::draw::{Edge, Graph, Node};

    #[test]
    fn an_exported_picture_needs_nothing_else_and_has_its_marks() {
        let mut graph = Graph::new("g");
        let a = graph.nodes.push(Node { label: vec!["<A>".into()], initial: true, ..Node::new("a") });
        let b = graph.nodes.push(Node::new("b"));
        graph.edges.push(Edge::new(a, b, "go"));
        graph.edges.push(Edge { style: EdgeStyle::Ghost, ..Edge::new(a, b, "ghost") });
        let picture = Rc::new(Picture::layered(graph));
        let mark = |phase| NodeMark { phase, ..NodeMark::default() };
        let marks = Marks {
            nodes: vec![mark(Phase::Entered), mark(Phase::Popped(9))].into(),
            edges: vec![EdgeMark::default(); 2].into(),
            current: Some(NodeId(0)),
            ..Marks::default()
        };
        let bare = Seen { picture: picture.clone(), ghosts: false, marks: None, found: None };
        let seen = Seen { ghosts: true, marks: Some(Rc::new(marks)), ..bare.clone() };
        for dark in [false, true] {
            let svg = export(&seen, "The title", dark);
            assert!(svg.contains("entered current") && svg.contains("popped hue-1"), "{svg}");
            assert!(svg.contains("&lt;A&gt;") && svg.contains("ghost") && svg.contains("The title"));
            for outside in ["http://", "https://", "url(", "@import", "<script", "var("] {
                let own = svg.replace("http://www.w3.org/2000/svg", "");
                assert!(!own.contains(outside), "{outside}");
            }
        }
        let plain = export(&bare, "", false);
        assert!(!plain.contains(">ghost<") && !plain.contains("\"n fresh"));
        // A run, where it is, and what was looked for.
        let run = Marks::blank((2, 2)).with_run(
            &picture.graph,
            &[Some(NodeId(0)), Some(NodeId(1))],
            Some(NodeId(1)),
        );
        let sought = Seen { marks: Some(Rc::new(run)), found: Some([1].into()), ..bare };
        let svg = export(&sought, "", false);
        assert!(
            svg.contains("class=\"n fresh run lost\"") && svg.contains("class=\"n fresh run here found\""),
            "{svg}"
        );
        assert!(svg.contains("class=\"e fresh run lost\""), "{svg}");
    }
}
