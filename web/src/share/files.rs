//! Files to take away: the name, the kind and the text of each.

use crate::engine::{Document, Drawing, GraphKind};
use crate::engine::{dot, json};
use crate::session::Session;
use crate::view::picture::export::export;
use crate::view::picture::marks::Marks;
use crate::view::picture::places::Places;
use orbitscope_core::draw::Picture;
use orbitscope_core::search::log::Snapshot;

/// A file of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub kind: &'static str,
    /// The content.
    pub text: String,
}

/// How a picture is taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As it is seen, for text processors and other pages.
    Svg,
    /// The graph for Graphviz.
    Dot,
    /// The graph as data; `docs/schema/graph.schema.json` describes it.
    Json,
}

/// The name of a file about the model that is shown: letters, digits, `_` and `-` only.
fn name(session: &Session, about: Option<&str>, ending: &str) -> String {
    let about = about.map_or_else(String::new, |about| format!("-{about}"));
    let stem: String = format!("{}{about}", session.model.name)
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' })
        .take(80)
        .collect();
    format!("{stem}.{ending}")
}

/// The model as a file.
pub fn model(session: &Session) -> TextFile {
    TextFile {
        name: name(session, None, "orb"),
        kind: "text/plain",
        text: session.question.source.to_string(),
    }
}

/// The picture that is shown, as a file.
pub fn picture(
    session: &Session,
    drawing: &Drawing,
    snapshot: Option<&Snapshot>,
    format: Format,
    dark: bool,
) -> TextFile {
    let of = session.scene.view;
    let mut graph = drawing.graph().clone();
    graph.title = title(session, of);
    let named = |ending| name(session, Some(&of.name().to_lowercase()), ending);
    match format {
        Format::Dot => TextFile { name: named("dot"), kind: "text/vnd.graphviz", text: dot(&graph) },
        Format::Json => TextFile { name: named("json"), kind: "application/json", text: json(&graph) },
        Format::Svg => {
            let marks =
                session.film().zip(snapshot).filter(|(_, snapshot)| snapshot.step > 0).map(
                    |(film, snapshot)| Marks::new(&film.log, snapshot, &Places::new(&film.log, &graph, of)),
                );
            let shown = match &drawing.lattice {
                Some(lattice) if drawing.lattice_first => lattice,
                _ => &drawing.layered,
            };
            let shown = Picture { graph, ..shown.clone() };
            TextFile {
                name: named("svg"),
                kind: "image/svg+xml",
                text: export(&shown, marks.as_ref(), true, dark),
            }
        }
    }
}

/// The title of the picture.
fn title(session: &Session, of: GraphKind) -> String {
    let property = session.property_name().filter(|_| of.needs_search());
    let property = property.map_or_else(String::new, |name| format!(", {name}"));
    format!("{}: {}{property}", session.model.title, of.name())
}

/// A document of the engine as a file.
pub fn document(session: &Session, what: Document, text: &str) -> TextFile {
    let property = session.property_name();
    let (about, ending, kind) = match what {
        Document::Hoa => (property, "hoa", "text/plain"),
        Document::Run => (property, "run.json", "application/json"),
        Document::Promela => (None, "pml", "text/plain"),
        Document::Tla => (None, "tla", "text/plain"),
    };
    TextFile { name: name(session, about, ending), kind, text: text.to_owned() }
}
