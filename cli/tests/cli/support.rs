//! Runs the built program and compares what it prints with golden files.
//!
//! `UPDATE_GOLDEN=1 cargo test -p orbitscope-cli` writes the golden files anew; look at the difference.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for one test, in which the program runs: file names in messages are then always the same.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("orbitscope-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// The names of the files in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        // A program that was built elsewhere, such as the published one, can be tested too.
        let program = std::env::var_os("ORBITSCOPE_PROGRAM");
        let mut command = Command::new(program.unwrap_or_else(|| env!("CARGO_BIN_EXE_orbitscope").into()));
        command.args(args).current_dir(&self.0).env_remove("RUST_BACKTRACE");
        command
    }

    pub(crate) fn run(&self, args: &[&str], input: &str) -> Output {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that refuses its arguments does not read.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The output of several runs, to be compared with a golden file.
#[derive(Default)]
pub(crate) struct Transcript(String);

impl Transcript {
    /// Runs the program in the folder and notes everything it does.
    pub(crate) fn run(&mut self, folder: &Folder, args: &[&str]) -> &mut Self {
        self.run_with(folder, args, "")
    }

    pub(crate) fn run_with(&mut self, folder: &Folder, args: &[&str], input: &str) -> &mut Self {
        let output = folder.run(args, input);
        let text = |bytes: &[u8]| mask(std::str::from_utf8(bytes).unwrap());
        let _ = writeln!(self.0, "$ orbitscope {}", args.join(" "));
        self.0.push_str(&text(&output.stdout));
        for line in text(&output.stderr).lines() {
            let _ = writeln!(self.0, "{}", format!("2> {line}").trim_end());
        }
        let _ = writeln!(self.0, "[{}]\n", output.status.code().unwrap_or(-1));
        self
    }

    /// Compares with `tests/golden/NAME.txt`.
    pub(crate) fn check(&self, name: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &self.0).unwrap();
            return;
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default();
        if golden == self.0 {
            return;
        }
        let same = golden.lines().zip(self.0.lines()).take_while(|(a, b)| a == b).count();
        let part =
            |text: &str| text.lines().skip(same.saturating_sub(5)).take(20).collect::<Vec<_>>().join("\n");
        panic!(
            "{name} differs at line {}\n=== expected\n{}\n=== found\n{}\n",
            same + 1,
            part(&golden),
            part(&self.0)
        );
    }
}

/// Replaces times and sizes, which differ from run to run.
pub(crate) fn mask(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let parts: Vec<&str> = line.trim_end().split(", ").collect();
        match parts.as_slice() {
            [counts @ .., time, bytes] if time.ends_with(" s") && bytes.ends_with("iB") => {
                let counts: Vec<String> = counts
                    .iter()
                    .map(|part| match part.split_once(' ') {
                        Some((what, time)) if time.ends_with(" s") => format!("{what} TIME"),
                        _ => (*part).to_string(),
                    })
                    .collect();
                let _ = writeln!(masked, "{}, TIME, MEMORY", counts.join(", "));
            }
            _ => masked.push_str(line),
        }
    }
    for key in ["\"time_ms\":", "\"peak_bytes\":", "\"image_ms\":", "\"sigma_ms\":", "\"edge_bytes\":"] {
        let mut rest = masked.as_str();
        let mut result = String::new();
        while let Some(at) = rest.find(key) {
            let (before, after) = rest.split_at(at + key.len());
            let end = after.find([',', '}']).unwrap();
            result.push_str(before);
            result.push_str(if &after[..end] == "null" { "null" } else { "0" });
            rest = &after[end..];
        }
        result.push_str(rest);
        masked = result;
    }
    masked
}
