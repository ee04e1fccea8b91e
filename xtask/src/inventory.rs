//! The crates that end up in what is published: as a bill of materials (CycloneDX), and with their licences.

use crate::{process, workspace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The packages of the workspace that are published in some form.
const SHIPPED: [&str; 4] = ["orbitscope-cli", "orbitscope-web", "orbitscope-js", "orbitscope-py"];

/// A crate from elsewhere.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    name: String,
    version: String,
    licence: String,
    manifest: String,
}

/// Writes the bill of materials of everything that is published.
pub(crate) fn write(folder: &Path, version: &str) -> Result<(), String> {
    let mut components: Vec<Value> = parts(&metadata()?, &SHIPPED)?.iter().map(component).collect();
    components.extend(packages()?);
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "name": "orbitscope", "version": version } },
        "components": components,
    });
    let file = folder.join(format!("orbitscope-{version}.cdx.json"));
    fs::write(&file, format!("{bill:#}\n")).map_err(|error| format!("{}: {error}", file.display()))
}

fn component(part: &Part) -> Value {
    library("cargo", &part.name, &part.version, &part.licence)
}

fn library(kind: &str, name: &str, version: &str, licence: &str) -> Value {
    json!({
        "type": "library",
        "name": name,
        "version": version,
        "purl": format!("pkg:{kind}/{}@{version}", name.replace('@', "%40")),
        "licenses": [{ "expression": licence }],
    })
}

/// The packages of npm in the editor's extension, as its bundler found them.
fn packages() -> Result<Vec<Value>, String> {
    let file = workspace::root().join("editors/vscode/dist/parts.json");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let parts: Vec<BTreeMap<String, String>> =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(parts.iter().map(|part| library("npm", &part["name"], &part["version"], &part["license"])).collect())
}

/// Writes the licences of the crates that are in these packages.
pub(crate) fn licences(file: &Path, packages: &[&str]) -> Result<(), String> {
    let mut text = String::from("This program contains the following crates.\n");
    for part in parts(&metadata()?, packages)? {
        let _ = write!(text, "\n---\n\n{} {} ({})\n", part.name, part.version, part.licence);
        let folder = Path::new(&part.manifest).parent().unwrap_or(Path::new("."));
        let mut own: Vec<_> =
            folder.read_dir().into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
        own.retain(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            path.is_file()
                && ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
                    .iter()
                    .any(|word| name.starts_with(word))
        });
        own.sort();
        for path in own {
            let written =
                fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let _ = write!(text, "\n{}\n", written.trim());
        }
    }
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn metadata() -> Result<Value, String> {
    let mut command = process::cargo();
    let text =
        process::output(command.args(["metadata", "--format-version", "1", "--locked", "--all-features"]));
    serde_json::from_str(&text.ok_or("`cargo metadata` failed")?).map_err(|error| error.to_string())
}

/// Every crate from elsewhere that these packages need to run, for any target, each once.
fn parts(metadata: &Value, packages: &[&str]) -> Result<Vec<Part>, String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let known: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let own = known.iter().filter(|(_, package)| packages.contains(&text(&package["name"]).as_str()));
    let mut left: Vec<String> = own.map(|(id, _)| id.clone()).collect();
    let mut seen: BTreeSet<String> = left.iter().cloned().collect();
    while let Some(id) = left.pop() {
        for edge in list(&nodes[&id]["deps"]) {
            // A crate that only builds or tests is no part of the result.
            let is_part = list(&edge["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            if is_part && seen.insert(text(&edge["pkg"])) {
                left.push(text(&edge["pkg"]));
            }
        }
    }
    let mut parts = Vec::new();
    for package in seen.iter().filter_map(|id| known.get(id)).filter(|package| !package["source"].is_null()) {
        let part = Part {
            name: text(&package["name"]),
            version: text(&package["version"]),
            licence: text(&package["license"]).replace('/', " OR "),
            manifest: text(&package["manifest_path"]),
        };
        if part.licence.is_empty() {
            return Err(format!(
                "{} {} does not say its licence: it cannot be shipped",
                part.name, part.version
            ));
        }
        parts.push(part);
    }
    parts.sort();
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Licences under which a program of ours may be handed on without more than naming them.
    const FINE: [&str; 9] = [
        "MIT",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "ISC",
        "Zlib",
        "Unicode-3.0",
        "0BSD",
        "Unlicense",
    ];

    #[test]
    fn everything_that_ships_may_be_handed_on() {
        let parts = parts(&metadata().unwrap(), &SHIPPED).unwrap();
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        assert!(names.contains(&"clap") && names.contains(&"yew") && names.contains(&"serde-wasm-bindgen"));
        assert!(names.contains(&"pyo3"));
        assert!(
            !names.contains(&"wasm-bindgen-test") && !names.iter().any(|name| name.starts_with("orbitscope"))
        );
        for part in &parts {
            let all = part.licence.replace(['(', ')'], " ");
            let fine =
                all.split(" AND ").all(|each| each.split(" OR ").any(|one| FINE.contains(&one.trim())));
            assert!(fine, "{} {}: {}", part.name, part.version, part.licence);
        }
    }
}
