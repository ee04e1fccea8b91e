//! `cargo xtask book`: the guide as a book, by mdBook.

use crate::process::{find, run};
use crate::workspace;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Builds the book into `target/book`. The guide reads well as plain Markdown, so nothing is installed for it.
pub(crate) fn book_command() -> Result<(), String> {
    let mdbook = std::env::var_os("MDBOOK").map(Into::into).or_else(|| find(&["mdbook"]));
    let mdbook =
        mdbook.ok_or("mdbook is not on the PATH: `cargo install mdbook` installs it, or $MDBOOK names it")?;
    run(Command::new(mdbook).arg("build").arg(workspace::root().join("docs")))?;
    let book = workspace::target().join("book");
    for page in pages(&book)? {
        let text = fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
        let own = page.strip_prefix(&book).unwrap_or(&page);
        let closed = closed(&text, own, |path| book.join(path).exists())?;
        fs::write(&page, closed).map_err(|error| format!("{}: {error}", page.display()))?;
    }
    println!("the book is in {}", book.join("index.html").display());
    Ok(())
}

fn pages(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            found.push(path);
        }
    }
    Ok(found)
}

/// A page of the book without its links to other files of the repository, which are not in the book: their text stays. A link
/// to a page of the book that is not there is an error.
fn closed(text: &str, page: &Path, exists: impl Fn(&Path) -> bool) -> Result<String, String> {
    const LINK: &str = "<a href=\"";
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find(LINK) {
        let (before, link) = rest.split_at(start);
        out.push_str(before);
        let target = link[LINK.len()..].split('"').next().unwrap_or_default();
        let file = target.split('#').next().unwrap_or_default();
        let end = link.find('>').map_or(link.len(), |at| at + 1);
        let within = if file.is_empty() || file.contains(':') { None } else { Some(inside(page, file)) };
        match within {
            Some(None) => {
                let (words, behind) = link[end..].split_once("</a>").unwrap_or((&link[end..], ""));
                out.push_str(words);
                rest = behind;
            }
            Some(Some(path)) if !exists(&path) => {
                return Err(format!("{}: nothing at {target}", page.display()));
            }
            _ => {
                out.push_str(&link[..end]);
                rest = &link[end..];
            }
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// The place that a link of a page leads to; none if that is not in the book.
fn inside(page: &Path, link: &str) -> Option<PathBuf> {
    let mut path = page.parent()?.to_path_buf();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir if !path.pop() => return None,
            Component::Normal(part) => path.push(part),
            _ => {}
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_the_book_become_text() {
        let page = Path::new("guide/models.html");
        let there = |path: &Path| path == Path::new("guide/fairness.html");
        let text = "see <a href=\"../../core/models\">core/models</a>, <a href=\"fairness.html#weak\">this</a>, \
                    <a href=\"https://example.org/a\">that</a> and <a href=\"#top\">the top</a>";
        let expected = "see core/models, <a href=\"fairness.html#weak\">this</a>, \
                        <a href=\"https://example.org/a\">that</a> and <a href=\"#top\">the top</a>";
        assert_eq!(closed(text, page, there), Ok(expected.to_string()));
        let wrong = "<a href=\"fairnes.html\">this</a>";
        assert_eq!(closed(wrong, page, there), Err("guide/models.html: nothing at fairnes.html".into()));
    }
}
