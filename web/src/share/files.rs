//! Files to take away: the name, the kind and the text of each.

use crate::engine::{Document, Drawing, GraphKind};
use crate::engine::{dot, file_name, json};
use crate::session::Session;
use crate::view::picture::export::{Seen, export};
use orbitscope_core::draw::Graph;

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

/// The graph that is shown, as a file: as it is seen, or for other programs.
pub fn picture(session: &Session, drawing: &Drawing, seen: &Seen, format: Format, dark: bool) -> TextFile {
    let of = session.scene.view;
    let title = title(session, of);
    let graph = || Graph { title: title.clone(), ..drawing.graph().clone() };
    let (ending, kind, text) = match format {
        Format::Dot => ("dot", "text/vnd.graphviz", dot(&graph())),
        Format::Json => ("json", "application/json", json(&graph())),
        Format::Svg => ("svg", "image/svg+xml", export(seen, &title, dark)),
    };
    TextFile { name: name(session, Some(&of.name().to_lowercase()), ending), kind, text }
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
    let name = match what {
        Document::Hoa | Document::Run => name(session, about, ending),
        // The text speaks of its own file, and TLC asks that the two have one name.
        Document::Promela | Document::Tla => format!("{}.{ending}", file_name(session.model.name)),
    };
    TextFile { name, kind, text: text.to_owned() }
}
