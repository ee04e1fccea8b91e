//! `cargo xtask book`: the guide as a book, by mdBook.

use crate::process::{find, run};
use crate::workspace;
use std::process::Command;

/// Builds the book into `target/book`. The guide reads well as plain Markdown, so nothing is installed for it.
pub(crate) fn book_command() -> Result<(), String> {
    let mdbook = std::env::var_os("MDBOOK").map(Into::into).or_else(|| find(&["mdbook"]));
    let mdbook =
        mdbook.ok_or("mdbook is not on the PATH: `cargo install mdbook` installs it, or $MDBOOK names it")?;
    run(Command::new(mdbook).arg("build").arg(workspace::root().join("docs")))?;
    println!("the book is in {}", workspace::target().join("book/index.html").display());
    Ok(())
}
