//! The files of the page: those that were built into this program, or a folder.

use crate::failure::Failure;
use crate::model::io_words;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A site is no larger than this: somebody who names another folder by mistake does not wait for all of it.
const MAX_BYTES: u64 = 64 << 20;
/// A page of this project names its program like this.
const MARK: &str = "<meta name=\"orbitscope-program\"";

/// The files of a site by their paths.
pub(super) struct Site(BTreeMap<String, Cow<'static, [u8]>>);

impl Site {
    /// The site in a folder, or else the one that was built in; its page is told which file it follows.
    pub(super) fn load(folder: Option<&str>, follows: Option<&str>) -> Result<Site, Failure> {
        let mut site = match folder {
            Some(folder) => Site(read(Path::new(folder))?),
            None => built_in().ok_or_else(|| {
                let words = "this program was built without the page: `cargo xtask dist` builds one with it, and \
                             `--site DIR` takes the page that `cargo xtask build` writes into dist/";
                super::wrong(words)
            })?,
        };
        let page = site.get("index.html").and_then(|page| std::str::from_utf8(page).ok());
        let page = page.filter(|page| page.contains(MARK)).ok_or_else(|| {
            let folder = folder.unwrap_or_default();
            super::wrong(&format!("{folder} has no built page: `cargo xtask build` writes one into dist/"))
        })?;
        let page = prepared(page, follows);
        site.0.insert("index.html".into(), Cow::Owned(page.into_bytes()));
        Ok(site)
    }

    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(AsRef::as_ref)
    }
}

/// The page for a server on this machine: nothing is kept for times without a network, since that would hide the next
/// version of this program, and the file that is followed has its name in it.
fn prepared(page: &str, follows: Option<&str>) -> String {
    let offline = |answer: &str| format!("<meta name=\"orbitscope-offline\" content=\"{answer}\">");
    let page = page.replacen(&offline("yes"), &offline("no"), 1);
    let Some(file) = follows else { return page };
    let name = Path::new(file).file_name().map_or_else(|| file.into(), |name| name.to_string_lossy());
    let name = name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    page.replacen(MARK, &format!("<meta name=\"orbitscope-follow\" content=\"{name}\">\n    {MARK}"), 1)
}

#[cfg(feature = "site")]
fn built_in() -> Option<Site> {
    static FILES: include_dir::Dir<'_> = include_dir::include_dir!("$ORBITSCOPE_SITE");
    fn collect(folder: &include_dir::Dir<'static>, files: &mut BTreeMap<String, Cow<'static, [u8]>>) {
        for file in folder.files() {
            let name = file.path().to_string_lossy().replace('\\', "/");
            files.insert(name, Cow::Borrowed(file.contents()));
        }
        folder.dirs().for_each(|folder| collect(folder, files));
    }
    let mut files = BTreeMap::new();
    collect(&FILES, &mut files);
    Some(Site(files))
}

#[cfg(not(feature = "site"))]
fn built_in() -> Option<Site> {
    None
}

/// Reads a folder whole: what is asked for later is looked up by its name, so that no path leads out of it.
fn read(root: &Path) -> Result<BTreeMap<String, Cow<'static, [u8]>>, Failure> {
    let wrong = |path: &Path, words: &str| Failure::Input(format!("{}: {words}", path.display()));
    let mut files = BTreeMap::new();
    let mut bytes = 0;
    let mut folders: Vec<PathBuf> = vec![root.into()];
    while let Some(folder) = folders.pop() {
        let entries = folder.read_dir().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => wrong(&folder, "no such folder"),
            std::io::ErrorKind::NotADirectory => wrong(&folder, "this is a file, not a folder"),
            _ => wrong(&folder, &io_words(&error)),
        })?;
        for entry in entries {
            let path = entry?.path();
            let data = path.metadata().map_err(|error| wrong(&path, &io_words(&error)))?;
            if data.is_dir() {
                folders.push(path);
                continue;
            }
            bytes += data.len();
            if bytes > MAX_BYTES {
                return Err(wrong(root, "larger than 64 MiB: this is not the folder of a built page"));
            }
            let content = std::fs::read(&path).map_err(|error| wrong(&path, &io_words(&error)))?;
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.insert(name, Cow::Owned(content));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_told_what_it_follows() {
        let page = "<meta name=\"orbitscope-offline\" content=\"yes\">\n<meta name=\"orbitscope-program\" data-js=\"a\">";
        let plain = prepared(page, None);
        assert!(plain.contains("content=\"no\"") && !plain.contains("follow"));
        let named = prepared(page, Some("models/<b> & \"c\".orb"));
        let meta = "<meta name=\"orbitscope-follow\" content=\"&lt;b> &amp; &quot;c&quot;.orb\">";
        assert!(named.contains(meta) && named.contains(MARK), "{named}");
    }
}
