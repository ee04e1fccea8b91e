//! The service worker of a built site: it lists every file with its checksum, so that a browser keeps a build whole.

use crate::checksum::fnv32;
use crate::page::Files;
use std::fmt::Write;

/// The service worker in the built site.
const WORKER: &str = "sw.js";
/// The page says this until it has a service worker.
const OFF: &str = "name=\"orbitscope-offline\" content=\"no\"";
const ON: &str = "name=\"orbitscope-offline\" content=\"yes\"";

/// Adds the service worker, made of the text of `static/sw.js`, and lets the page use it.
pub(crate) fn add(site: &mut Files, template: &str) -> Result<(), String> {
    let page = site.get_mut("index.html").ok_or("the site has no index.html")?;
    let text = str::from_utf8(page).map_err(|_| "index.html is not UTF-8")?;
    if !text.contains(OFF) {
        return Err("index.html has no place to say that the site works offline".into());
    }
    *page = text.replace(OFF, ON).into_bytes();
    let worker = fill(template, site)?;
    site.insert(WORKER.into(), worker.into_bytes());
    Ok(())
}

/// The worker for these files.
fn fill(template: &str, site: &Files) -> Result<String, String> {
    let mut list = String::new();
    for (path, bytes) in site {
        let path = path.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = write!(list, "\n  \"{path}\": {},", fnv32(bytes));
    }
    let build = format!("{:08x}{:08x}", fnv32(list.as_bytes()), list.len());
    for place in ["@BUILD@", "/* @FILES@ */"] {
        if !template.contains(place) {
            return Err(format!("static/sw.js has no {place}"));
        }
    }
    Ok(template.replace("@BUILD@", &build).replace("/* @FILES@ */", list.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    fn site(script: &str) -> Files {
        let page = format!("<meta {OFF}>");
        Files::from([("a/b.js".into(), script.into()), ("index.html".into(), page.into_bytes())])
    }

    #[test]
    fn the_worker_lists_every_file_and_a_changed_file_is_another_build() {
        let template = std::fs::read_to_string(workspace::root().join("static").join(WORKER)).unwrap();
        let worker = |script| {
            let mut site = site(script);
            add(&mut site, &template).unwrap();
            assert_eq!(site["index.html"], format!("<meta {ON}>").into_bytes());
            String::from_utf8(site[WORKER].clone()).unwrap()
        };
        let one = worker("1");
        let page = fnv32(format!("<meta {ON}>").as_bytes());
        assert!(one.contains(&format!("\"a/b.js\": {},\n  \"index.html\": {page},", fnv32(b"1"))), "{one}");
        assert!(!one.contains('@'), "{one}");
        let build =
            |worker: &str| worker.lines().find(|line| line.starts_with("const BUILD")).unwrap().to_owned();
        assert_ne!(build(&one), build(&worker("2")));
        assert_eq!(one, worker("1"));
        assert!(add(&mut site("1"), "nothing").is_err());
        assert!(add(&mut Files::new(), &template).is_err());
    }
}
