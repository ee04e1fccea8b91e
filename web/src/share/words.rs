//! Sentences about a link.

/// Discord, the shortest of the common ones, takes messages of at most 2,000 characters.
const CHAT: usize = 2_000;

/// How long a link is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// In words.
    pub words: String,
    /// Whether common chat programs cut it off or refuse it.
    pub too_long: bool,
}

/// How long an address is, and whether that is too long to be sent.
pub fn length(address: &str) -> Length {
    let characters = address.len();
    let count = crate::view::text::count(characters as u64);
    if characters > CHAT {
        let words = format!("{count} characters: too long for common chat programs. Send the file instead.");
        Length { words, too_long: true }
    } else {
        Length { words: format!("{count} characters: short enough for every chat program."), too_long: false }
    }
}

/// The HTML that shows the page in another one. An address has no character that means anything in HTML but `&`.
pub fn embed_code(address: &str) -> String {
    let address = address.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe src=\"{address}\" title=\"Orbitscope\" width=\"960\" height=\"600\" loading=\"lazy\"></iframe>"
    )
}
