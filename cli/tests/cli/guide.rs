//! The guide's models and commands, run: a reader sees what the guide shows.
//!
//! A block ```` ```orb NAME ```` is a file. A block ```` ```console ```` has commands behind `$`, each followed by what it
//! prints. A last line `…` leaves the rest out. `UPDATE_GOLDEN=1` writes the outputs anew.

use crate::support::{Folder, mask};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The texts of the guide, by their paths. The README is where it begins.
fn chapters() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(repository().join("docs/guide"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    paths.sort();
    paths.push(repository().join("README.md"));
    assert!(paths.len() > 6, "the guide has its chapters");
    paths
}

/// A chapter's commands see its own files, the built-in models, those in Murphi, and the labs.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut folders = vec!["core/models".to_owned(), "murphi/models".to_owned()];
    for lab in std::fs::read_dir(repository().join("docs/labs")).unwrap() {
        folders.push(format!("docs/labs/{}", lab.unwrap().file_name().to_string_lossy()));
    }
    for name in folders {
        let (from, to) = (repository().join(&name), folder.path().join(&name));
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    folder
}

/// Runs the commands of a block and returns the block as it should be.
fn console(folder: &Folder, block: &[&str]) -> String {
    let mut result = String::new();
    let mut lines = block.iter().peekable();
    while let Some(line) = lines.next() {
        let command = line.strip_prefix("$ orbitscope ").unwrap_or_else(|| panic!("no command: {line}"));
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            shown.push(*line);
        }
        let output = folder.run(&command.split_whitespace().collect::<Vec<_>>(), "");
        let mut printed = String::from_utf8(output.stdout).unwrap();
        printed.push_str(std::str::from_utf8(&output.stderr).unwrap());
        let _ = writeln!(result, "$ orbitscope {command}");
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        let cut = shown.last() == Some(&"…");
        let kept = if cut { shown.len() - 1 } else { printed.len() };
        for (k, line) in printed.iter().enumerate().take(kept) {
            // Times and sizes differ from run to run: where all else is the same the guide keeps its own.
            let same = shown.get(k).is_some_and(|shown| mask(shown) == mask(line));
            let _ = writeln!(result, "{}", if same { shown[k] } else { line });
        }
        if cut {
            result.push_str("…\n");
        }
    }
    result
}

/// The chapter with every output as the program prints it.
fn renewed(text: &str) -> String {
    let folder = folder();
    let mut result = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(result, "{line}");
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match kind.split_once(' ') {
            Some(("orb", name)) => folder.write(name, (block.join("\n") + "\n").as_bytes()),
            _ => assert!(kind != "orb", "a model needs the name of its file"),
        }
        if kind == "console" {
            result.push_str(&console(&folder, &block));
        } else {
            for line in block {
                let _ = writeln!(result, "{line}");
            }
        }
        result.push_str("```\n");
    }
    result
}

#[test]
fn outputs_are_what_the_program_prints() {
    let mut commands = 0;
    for path in chapters() {
        let text = std::fs::read_to_string(&path).unwrap();
        let renewed = renewed(&text);
        commands += renewed.lines().filter(|line| line.starts_with("$ orbitscope")).count();
        if renewed == text {
            continue;
        }
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, renewed).unwrap();
            continue;
        }
        let differs = text.lines().zip(renewed.lines()).position(|(a, b)| a != b);
        let at = differs.unwrap_or_else(|| text.lines().count().min(renewed.lines().count()));
        panic!(
            "{}, line {}: the guide has\n  {:?}\nbut the program prints\n  {:?}",
            path.display(),
            at + 1,
            text.lines().nth(at),
            renewed.lines().nth(at)
        );
    }
    assert!(commands > 15, "only {commands} commands were run");
}

/// Links of the guide and of its summary that lead into the tree lead somewhere.
#[test]
fn links_lead_somewhere() {
    let mut paths = chapters();
    paths.push(repository().join("docs/SUMMARY.md"));
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split(')').next().unwrap();
            if target.starts_with("http") || target.starts_with('#') {
                continue;
            }
            let file = target.split('#').next().unwrap();
            let exists = path.parent().unwrap().join(file).exists();
            assert!(exists, "{}: nothing at {target}", path.display());
        }
    }
}

/// Every chapter can be reached from the summary, which is the book's table of contents.
#[test]
fn the_summary_names_every_chapter() {
    let summary = std::fs::read_to_string(repository().join("docs/SUMMARY.md")).unwrap();
    for path in chapters().into_iter().filter(|path| !path.ends_with("README.md")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(summary.contains(&format!("(guide/{name})")), "{name} is not in the summary");
    }
}
