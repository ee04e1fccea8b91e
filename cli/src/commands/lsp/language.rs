//! The two languages of texts, behind one door: the modelling language and Murphi.

use orbitscope_core::language::{Document, Hover, Outline, Painted, SymbolKind};
use orbitscope_core::program::{Settings, build};
use orbitscope_core::syntax;
use orbitscope_core::syntax::ast::ItemKind;
use orbitscope_core::text::{Diagnostic, Span};
use orbitscope_core::{Error, Model};
use orbitscope_murphi::language as murphi;
use std::path::Path;

/// The language of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    Orb,
    Murphi,
}

impl Language {
    /// The language of a document, as its client calls it. Editors take `.m` for other languages too, so its ending tells.
    pub(super) fn of(uri: &str, id: &str) -> Language {
        let is_murphi = Path::new(uri).extension().is_some_and(|end| end == "m") && id != "orbitscope";
        if is_murphi || id == "murphi" { Language::Murphi } else { Language::Orb }
    }

    /// The name in Markdown.
    pub(super) fn fence(self) -> &'static str {
        match self {
            Language::Orb => "orb",
            Language::Murphi => "murphi",
        }
    }

    /// The model of a text.
    pub(super) fn model(self, text: &str) -> Result<Model, Error> {
        match self {
            Language::Orb => Model::parse(text),
            Language::Murphi => orbitscope_murphi::model(text),
        }
    }

    pub(super) fn format(self, text: &str) -> Result<String, String> {
        match self {
            Language::Orb => {
                syntax::format(text).map_err(|_| "a text with errors of syntax is not formatted".into())
            }
            Language::Murphi => Err("texts in Murphi are not formatted".into()),
        }
    }
}

/// The errors of a text: those of its syntax, or else those that the checker finds.
pub(super) fn problems(language: Language, text: &str) -> Vec<Diagnostic> {
    match language {
        Language::Murphi => murphi::problems(text),
        Language::Orb => {
            let document = Document::new(text);
            if document.diagnostics().is_empty() {
                build(document.file(), &Settings::default()).err().unwrap_or_default()
            } else {
                document.diagnostics().to_vec()
            }
        }
    }
}

/// The properties of a text, each with the place of its name.
pub(super) fn properties(language: Language, text: &str) -> Vec<(String, Span)> {
    if language == Language::Murphi {
        return murphi::properties(text);
    }
    let items = syntax::parse(text).file.items.into_iter().filter_map(|item| match item.kind {
        ItemKind::Property { name, .. } | ItemKind::DeadlockFree(name) | ItemKind::Automaton { name, .. } => {
            Some((name.name, name.span)).filter(|(name, _)| !name.is_empty())
        }
        _ => None,
    });
    items.collect()
}

/// A name that is offered.
pub(super) struct Offer {
    pub text: String,
    /// The kind of a name that nobody declared.
    pub kind: &'static str,
    pub symbol: Option<SymbolKind>,
    pub says: String,
}

/// A text that was read.
pub(super) enum Read<'a> {
    Orb(Box<Document<'a>>),
    Murphi(murphi::Document<'a>),
}

impl<'a> Read<'a> {
    pub(super) fn new(language: Language, text: &'a str) -> Read<'a> {
        match language {
            Language::Orb => Read::Orb(Box::new(Document::new(text))),
            Language::Murphi => Read::Murphi(murphi::Document::new(text)),
        }
    }

    pub(super) fn hover(&self, offset: usize) -> Option<Hover> {
        match self {
            Read::Orb(document) => document.hover(offset),
            Read::Murphi(document) => document.hover(offset),
        }
    }

    /// The name of the property at an offset. In Murphi it is a string, and called otherwise in the translation.
    pub(super) fn property(&self, offset: usize, hover: &Hover) -> Option<String> {
        match self {
            Read::Orb(document) => hover.symbol.map(|id| document.symbols()[id].name.clone()),
            Read::Murphi(document) => {
                let at = offset as u32;
                let mut all = murphi::properties(document.source()).into_iter();
                all.find(|(_, span)| span.start <= at && at <= span.end).map(|(name, _)| name)
            }
        }
    }

    pub(super) fn definition(&self, offset: usize) -> Vec<Span> {
        match self {
            Read::Orb(document) => document.definition(offset),
            Read::Murphi(document) => document.definition(offset),
        }
    }

    pub(super) fn references(&self, offset: usize) -> Vec<Span> {
        match self {
            Read::Orb(document) => document.references(offset),
            Read::Murphi(document) => document.references(offset),
        }
    }

    pub(super) fn brackets(&self, offset: usize) -> Option<(Span, Span)> {
        match self {
            Read::Orb(document) => document.brackets(offset),
            Read::Murphi(_) => None,
        }
    }

    pub(super) fn renamable(&self, offset: usize) -> Result<Span, String> {
        match self {
            Read::Orb(document) => document.renamable(offset).map_err(|why| why.to_string()),
            Read::Murphi(_) => Err(NOT_RENAMED.into()),
        }
    }

    pub(super) fn rename(&self, offset: usize, new: &str) -> Result<Vec<Span>, String> {
        match self {
            Read::Orb(document) => document.rename(offset, new).map_err(|why| why.to_string()),
            Read::Murphi(_) => Err(NOT_RENAMED.into()),
        }
    }

    /// Where the word at the caret starts, and what may stand in its place.
    pub(super) fn complete(&self, offset: usize) -> Option<(usize, Vec<Offer>)> {
        match self {
            Read::Orb(document) => {
                let found = document.complete(offset, true)?;
                let offers = found.suggestions.into_iter().map(|suggestion| {
                    let says = suggestion.symbol.map(|id| document.describe(id).says);
                    Offer {
                        text: suggestion.text,
                        kind: suggestion.kind,
                        symbol: suggestion.symbol.map(|id| document.symbols()[id].kind),
                        says: says.unwrap_or_else(|| suggestion.kind.into()),
                    }
                });
                Some((found.start, offers.collect()))
            }
            Read::Murphi(document) => {
                let found = document.complete(offset)?;
                let kind_of = |name: &str| document.symbols().iter().find(|s| s.name == name).map(|s| s.kind);
                let offers = found.suggestions.into_iter().map(|suggestion| Offer {
                    symbol: kind_of(&suggestion.text),
                    text: suggestion.text,
                    kind: suggestion.kind,
                    says: suggestion.kind.into(),
                });
                Some((found.start, offers.collect()))
            }
        }
    }

    pub(super) fn outline(&self) -> Vec<Outline> {
        match self {
            Read::Orb(document) => document.outline(),
            Read::Murphi(document) => document.outline(),
        }
    }

    pub(super) fn tokens(&self) -> Vec<Painted> {
        match self {
            Read::Orb(document) => document.tokens(),
            Read::Murphi(document) => document.tokens(),
        }
    }
}

/// A line of a property is text of another language, which only the translation understands.
const NOT_RENAMED: &str =
    "names of a text in Murphi are not renamed: the lines of its properties may speak of them";
