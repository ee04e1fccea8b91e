//! Whether a person looks at the output, and how messages look then.
//!
//! Where output goes to a pipe or a file it is plain, and a message is `file:line:column: words`, which editors read. On a
//! terminal it has colours, and messages are drawn as compilers draw them.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use clap::ValueEnum;
use orbitscope_core::text::Diagnostic;
use std::io::{self, IsTerminal};
use std::ops::Range;
use std::sync::OnceLock;

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static CHOICE: OnceLock<Colour> = OnceLock::new();

/// Sets when to use colours, once, before anything is printed.
pub(crate) fn choose(colour: Colour) {
    let _ = CHOICE.set(colour);
}

fn wanted(terminal: bool) -> bool {
    match CHOICE.get().unwrap_or(&Colour::Auto) {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
                || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
            terminal && !refused
        }
    }
}

/// Whether standard output has colours.
pub(crate) fn on_output() -> bool {
    wanted(io::stdout().is_terminal())
}

/// A verdict on standard output: green, red or yellow.
pub(crate) fn verdict(word: &'static str) -> String {
    let code = match word {
        "holds" | "covered" => "32",
        "violated" | "never" => "31",
        _ => "33",
    };
    if on_output() { format!("\x1b[1;{code}m{word}\x1b[0m") } else { word.into() }
}

/// A message as a compiler draws it, for standard error; none where it is not wanted.
pub(crate) fn drawn(file: &str, text: &str, diagnostic: &Diagnostic) -> Option<String> {
    wanted(io::stderr().is_terminal()).then(|| draw(file, text, diagnostic, &Renderer::styled()))
}

fn draw(file: &str, text: &str, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let range = |start: u32, end: u32| within(text, start as usize..end as usize);
    let primary = AnnotationKind::Primary.span(range(diagnostic.span.start, diagnostic.span.end));
    let mut snippet = Snippet::source(text).path(file).annotation(primary);
    if let Some(note) = &diagnostic.note {
        let context = AnnotationKind::Context.span(range(note.span.start, note.span.end));
        snippet = snippet.annotation(context.label(&note.message));
    }
    renderer.render(&[Level::ERROR.primary_title(&diagnostic.message).element(snippet)])
}

/// A range of the text, at the borders of characters.
fn within(text: &str, range: Range<usize>) -> Range<usize> {
    let end = text.floor_char_boundary(range.end);
    text.floor_char_boundary(range.start).min(end)..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbitscope_core::text::Span;

    #[test]
    fn a_message_is_drawn_with_its_second_place() {
        let text = "param n = 3\nparam n = 4\n";
        let diagnostic = Diagnostic::new(Span { start: 18, end: 19 }, "the name `n` is declared twice")
            .with_note(Span { start: 6, end: 7 }, "the first one is here");
        let drawn = draw("m.orb", text, &diagnostic, &Renderer::plain());
        for words in ["error: the name `n` is declared twice", "m.orb:2:7", "the first one is here", "^"] {
            assert!(drawn.contains(words), "{words} is not in\n{drawn}");
        }
    }

    /// A place that no text has is drawn at its end.
    #[test]
    fn strange_places_are_drawn() {
        for (start, end) in [(0, 0), (2, 2), (1, 2), (5, 99), (99, 120)] {
            let diagnostic = Diagnostic::new(Span { start, end }, "wrong");
            assert!(draw("m.orb", "äö\tü", &diagnostic, &Renderer::styled()).contains("wrong"));
            assert!(draw("m.orb", "", &diagnostic, &Renderer::styled()).contains("wrong"));
        }
    }
}
