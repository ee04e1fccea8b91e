//! The crate that is mutated, and its copy: from the mutants that are left to a test program.

use crate::edit::{self, Site, Written};
use crate::find;
use crate::seeded;
use crate::tree::{self, Overlay};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crate that is mutated, and its folders.
#[derive(Clone, Debug)]
pub struct Project {
    /// The workspace.
    pub root: PathBuf,
    /// The folder of the package, below the root.
    pub package: PathBuf,
    /// The name of the test program.
    pub test: String,
    /// Where the copy, what is built of it, and the records are kept.
    pub work: PathBuf,
}

/// One file with its sites.
#[derive(Debug)]
pub struct Source {
    /// The path below the root.
    pub path: PathBuf,
    pub module: String,
    pub text: String,
    pub sites: Vec<Site>,
    written: Vec<Written>,
}

/// One mutant, by where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    pub number: u32,
    pub source: usize,
    pub site: usize,
    pub change: usize,
}

/// All that can be changed in the chosen modules.
#[derive(Debug)]
pub struct Copy {
    pub project: Project,
    pub sources: Vec<Source>,
}

fn told(context: &str) -> impl Fn(std::io::Error) -> String {
    let context = context.to_owned();
    move |error| format!("{context}: {error}")
}

impl Copy {
    /// Reads the modules and numbers their changes from 1: those that are found and those by hand, or the latter alone.
    pub fn read(project: Project, modules: &[String], only_by_hand: bool) -> Result<Copy, String> {
        let by_hand = seeded::read(include_str!("../seeded.txt"))?;
        let mut sources = Vec::new();
        let mut first = 1;
        for module in modules {
            let package = project.root.join(&project.package);
            for file in tree::files_of(&package, module).map_err(|error| error.to_string())? {
                let path = project.package.join(&file);
                let text = fs::read_to_string(project.root.join(&path))
                    .map_err(told(&path.display().to_string()))?;
                let mut places =
                    find::places(&text).map_err(|error| format!("{}: {error}", path.display()))?;
                if only_by_hand {
                    places.clear();
                }
                places.extend(seeded::places(&by_hand, &path, &text)?);
                find::arrange(&mut places);
                let mut sites = Vec::new();
                for place in places {
                    let kept = vec![true; place.changes.len()];
                    let many = kept.len() as u32;
                    sites.push(Site { place, first, kept });
                    first += many;
                }
                sources.push(Source { path, module: module.clone(), text, sites, written: Vec::new() });
            }
        }
        let mut copy = Copy { project, sources };
        copy.leave_out_known();
        Ok(copy)
    }

    /// The mutants that are in the copy.
    pub fn mutants(&self) -> Vec<Mutant> {
        let mut mutants = Vec::new();
        for (source, file) in self.sources.iter().enumerate() {
            for (site, place) in file.sites.iter().enumerate() {
                let kept = (0..place.kept.len()).filter(|&change| place.kept[change]);
                let number = |change| place.first + change as u32;
                mutants.extend(kept.map(|change| Mutant { number: number(change), source, site, change }));
            }
        }
        mutants
    }

    pub fn site(&self, mutant: Mutant) -> &Site {
        &self.sources[mutant.source].sites[mutant.site]
    }

    /// The name of every mutant of the copy, also of those that do not compile: file, function and change without the line,
    /// and which one where a function has several alike.
    pub fn names(&self) -> BTreeMap<u32, String> {
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let mut names = BTreeMap::new();
        for source in &self.sources {
            for site in &source.sites {
                for (index, change) in site.place.changes.iter().enumerate() {
                    let file = source.path.display();
                    let plain = format!("`{file}` `{}`: {}", site.place.function, change.words);
                    let often = seen.entry(plain.clone()).or_insert(0);
                    *often += 1;
                    let name = if *often == 1 { plain } else { format!("{plain} #{often}") };
                    names.insert(site.first + index as u32, name);
                }
            }
        }
        names
    }

    fn left_out_file(&self) -> PathBuf {
        self.project.work.join("does-not-compile.txt")
    }

    /// Changes that an earlier run found not to compile.
    fn leave_out_known(&mut self) {
        let Ok(text) = fs::read_to_string(self.left_out_file()) else { return };
        let known: BTreeSet<&str> = text.lines().collect();
        let names = self.names();
        for site in self.sources.iter_mut().flat_map(|source| &mut source.sites) {
            for (index, kept) in site.kept.iter_mut().enumerate() {
                *kept = !known.contains(names[&(site.first + index as u32)].as_str());
            }
        }
    }

    fn remember_left_out(&self) -> Result<(), String> {
        let old = fs::read_to_string(self.left_out_file()).unwrap_or_default();
        let mut known: BTreeSet<String> = old.lines().map(str::to_owned).collect();
        let names = self.names();
        for site in self.sources.iter().flat_map(|source| &source.sites) {
            for index in (0..site.kept.len()).filter(|&index| !site.kept[index]) {
                known.insert(names[&(site.first + index as u32)].clone());
            }
        }
        let text: String = known.into_iter().flat_map(|line| [line, "\n".into()]).collect();
        fs::write(self.left_out_file(), text).map_err(told("the list of what does not compile"))
    }

    /// Writes the copy.
    fn write(&mut self) -> Result<(), String> {
        let mut overlay = Overlay::new();
        let mut count = 1;
        for source in &mut self.sources {
            let (text, written) = edit::write(&source.text, &source.sites);
            source.written = written;
            overlay.insert(source.path.clone(), text);
            count += source.sites.iter().map(|site| site.kept.len()).sum::<usize>();
        }
        let Project { root, package, work, .. } = &self.project;
        let library = package.join("src/lib.rs");
        let text = match overlay.remove(&library) {
            Some(text) => text,
            None => fs::read_to_string(root.join(&library)).map_err(told("src/lib.rs"))?,
        };
        overlay.insert(library, text.replacen("#![no_std]", "", 1) + "pub mod mutants;\n");
        let switch = include_str!("switch.rs.txt").replace("@COUNT@", &count.to_string());
        overlay.insert(package.join("src/mutants.rs"), switch);
        let manifest = fs::read_to_string(root.join("Cargo.toml")).map_err(told("Cargo.toml"))?;
        overlay.insert("Cargo.toml".into(), only_package(&manifest, package));
        tree::copy(root, &work.join("tree"), &overlay).map_err(told("the copy cannot be written"))
    }

    fn cargo(&self, words: &str) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(words.split_whitespace()).args(["--message-format", "json"]);
        command.current_dir(self.project.work.join("tree"));
        command.env("CARGO_TARGET_DIR", self.project.work.join("build"));
        // Lints are no errors: a mutant may well divide by a constant 0.
        command.env("RUSTFLAGS", "--cap-lints allow");
        // Mutants by the thousand are built once and run for a short time each.
        command.env("CARGO_PROFILE_TEST_OPT_LEVEL", "1").env("CARGO_PROFILE_TEST_DEBUG", "0");
        command
    }

    /// Builds the test program; changes that do not compile are left out, round by round.
    pub fn build(&mut self) -> Result<PathBuf, String> {
        fs::create_dir_all(&self.project.work).map_err(told("the folder for the copy"))?;
        for round in 1.. {
            self.write()?;
            let mutants = self.mutants().len();
            eprintln!("round {round}: {mutants} mutants are compiled");
            let test = self.project.test.clone();
            let (_, errors) = messages(&mut self.cargo(&format!("check --test {test}")))?;
            if errors.is_empty() {
                break;
            }
            for error in &errors {
                self.leave_out(error);
            }
            if self.mutants().len() == mutants {
                for error in &errors {
                    self.leave_out_around(error);
                }
            }
            self.remember_left_out()?;
            if self.mutants().len() == mutants {
                let shown: Vec<&str> = errors.iter().filter_map(|error| error["rendered"].as_str()).collect();
                return Err(format!(
                    "the copy does not compile, and no mutant is to blame:\n{}",
                    shown.join("\n")
                ));
            }
        }
        let words = format!("test --no-run --test {}", self.project.test);
        let (program, errors) = messages(&mut self.cargo(&words))?;
        let shown =
            errors.iter().filter_map(|error| error["rendered"].as_str()).collect::<Vec<_>>().join("\n");
        program.ok_or_else(|| format!("the copy's tests were not built:\n{shown}"))
    }

    /// Leaves out what an error points at.
    fn leave_out(&mut self, error: &Value) {
        let mut spans = Vec::new();
        collect_spans(error, &mut spans);
        // The main place first, then what the message also points at.
        spans.sort_by_key(|span| !span["is_primary"].as_bool().unwrap_or(false));
        let spans: Vec<(usize, Range<usize>)> = spans.iter().filter_map(|span| self.place(span)).collect();
        let Some(&(source, _)) = spans.first() else { return };
        let source = &mut self.sources[source];
        let enclosing = || spans.iter().find_map(|(_, range)| edit::culprit(&source.written, range)).cloned();
        // Borrows and moves go wrong where a jump is missing between two places.
        let code = error["code"]["code"].as_str().unwrap_or("");
        let flow = ["E0381", "E0382", "E0499", "E0502", "E0503", "E0505", "E0506", "E0597"].contains(&code);
        let start = spans.iter().map(|(_, range)| range.start).min().unwrap_or(0);
        let end = spans.iter().map(|(_, range)| range.end).max().unwrap_or(0);
        let between =
            source.written.iter().filter(|piece| start <= piece.range.start && piece.range.end <= end);
        let jumps = between.filter(|piece| source.sites[piece.site].place.changes[0].drops_a_jump());
        let jumps: Vec<Written> = jumps.cloned().collect();
        let blamed = match enclosing() {
            Some(piece) if !flow || jumps.is_empty() => vec![piece],
            _ => jumps,
        };
        for piece in blamed {
            let site = &mut source.sites[piece.site];
            match piece.change {
                Some(change) => site.kept[change] = false,
                None => site.kept.fill(false),
            }
        }
    }

    /// Where no single change is to blame, whatever stands between the first and the last place that an error points at: a
    /// value that one change leaves unused may stay borrowed to the end.
    fn leave_out_around(&mut self, error: &Value) {
        let mut spans = Vec::new();
        collect_spans(error, &mut spans);
        let spans: Vec<(usize, Range<usize>)> = spans.iter().filter_map(|span| self.place(span)).collect();
        let Some(&(source, _)) = spans.first() else { return };
        let own = || spans.iter().filter(|(other, _)| *other == source);
        let start = own().map(|(_, range)| range.start).min().unwrap_or(0);
        let end = own().map(|(_, range)| range.end).max().unwrap_or(0);
        let Source { written, sites, .. } = &mut self.sources[source];
        for piece in written.iter().filter(|piece| piece.range.start < end && start < piece.range.end) {
            if let Some(change) = piece.change {
                sites[piece.site].kept[change] = false;
            }
        }
    }

    /// The source and the range of a span.
    fn place(&self, span: &Value) -> Option<(usize, Range<usize>)> {
        let file = Path::new(span["file_name"].as_str()?);
        let source = self.sources.iter().position(|source| source.path == file)?;
        let place = |key: &str| Some(span[key].as_u64()? as usize);
        Some((source, place("byte_start")?..place("byte_end")?))
    }
}

fn collect_spans<'a>(message: &'a Value, spans: &mut Vec<&'a Value>) {
    spans.extend(message["spans"].as_array().into_iter().flatten());
    for child in message["children"].as_array().into_iter().flatten() {
        collect_spans(child, spans);
    }
}

/// The manifest of a workspace that has the one package only.
fn only_package(manifest: &str, package: &Path) -> String {
    let mut text = String::new();
    for line in manifest.lines() {
        let key = line.split('=').next().unwrap_or("").trim();
        match key {
            "members" => text.extend(["members = [\"", &package.to_string_lossy(), "\"]"]),
            "default-members" | "exclude" => {}
            _ => text += line,
        }
        text.push('\n');
    }
    text
}

/// Runs cargo: the test program that it built, and the compiler's errors.
fn messages(command: &mut Command) -> Result<(Option<PathBuf>, Vec<Value>), String> {
    let output = command.output().map_err(told("cargo could not be started"))?;
    let mut program = None;
    let mut errors = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        if message["reason"] == "compiler-message" && message["message"]["level"] == "error" {
            errors.push(message["message"].clone());
        } else if message["reason"] == "compiler-artifact" {
            program = message["executable"].as_str().map(PathBuf::from).or(program);
        }
    }
    // The last of them only says how many there were.
    errors.retain(|error| !error["spans"].as_array().is_none_or(Vec::is_empty));
    if !output.status.success() && errors.is_empty() {
        return Err(format!("cargo failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok((program, errors))
}
