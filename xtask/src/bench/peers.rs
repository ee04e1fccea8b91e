//! The tools that are measured: how each is run, and what it says.

use crate::process::{cargo, find, output, run};
use crate::workspace;
use serde_json::Value;
use std::env;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The cost and the result of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figure {
    /// Processor seconds of the process, or what the tool itself says where the process takes too little time.
    pub(crate) seconds: f64,
    /// The seconds of the search alone, where the tool says it.
    pub(crate) inner: Option<f64>,
    /// The most memory the process had.
    pub(crate) megabytes: Option<f64>,
    pub(crate) verdict: String,
    pub(crate) states: Option<f64>,
    pub(crate) edges: Option<f64>,
    /// The command line, without the folders of this machine.
    pub(crate) command: String,
    /// The whole output, to find more in.
    pub(crate) text: String,
}

/// The tools that are installed.
#[derive(Debug)]
pub(crate) struct Tools {
    ours: PathBuf,
    stateright: Option<PathBuf>,
    spin: Option<PathBuf>,
    rumur: Option<PathBuf>,
    /// Of C, for what Spin and Rumur write.
    compiler: Option<PathBuf>,
    /// The jar with TLC.
    tlc: Option<PathBuf>,
    /// GNU time, which tells processor time and memory of a process.
    time: Option<PathBuf>,
    folder: PathBuf,
}

/// The claims that Spin checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Mutual exclusion of the controller.
    Safety,
    /// `G (R => F C)` of one client of the controller, weak fairness.
    Access,
    /// `G F I` of one client of the simplified controller, weak fairness.
    Idle,
}

impl Figure {
    /// The seconds of the search: by the tool's own clock, or the processor time of the whole process where that is
    /// less. Each is at least what the search needs; the clock runs on while other work has the processor, and the
    /// processor time of a short process is too coarse.
    pub(crate) fn search(&self) -> f64 {
        match self.inner {
            Some(inner) if self.seconds >= 0.05 => inner.min(self.seconds),
            Some(inner) => inner,
            None => self.seconds,
        }
    }
}

impl Tools {
    /// Finds the peers, and builds the one that is a crate.
    pub(crate) fn find() -> Result<Tools, String> {
        let root = workspace::root();
        let folder = root.join("target/bench");
        fs::create_dir_all(&folder).map_err(|error| format!("target/bench cannot be made: {error}"))?;
        let crate_folder = root.join("bench/stateright");
        println!("Building the model for Stateright: usually 2 minutes, once ...");
        let manifest = crate_folder.join("Cargo.toml");
        let built = run(cargo().args(["build", "--release", "--locked", "--manifest-path"]).arg(manifest));
        if let Err(message) = &built {
            println!("{message}\nStateright is left out.");
        }
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Ok(Tools {
            ours: root.join("target/release/orbitscope"),
            stateright: built
                .is_ok()
                .then(|| crate_folder.join("target/release/orbitscope-bench-stateright")),
            spin: variable("SPIN").or_else(|| find(&["spin"])),
            rumur: variable("RUMUR").or_else(|| find(&["rumur"])),
            compiler: variable("CC").or_else(|| find(&["gcc", "cc"])),
            tlc: variable("ORBITSCOPE_TLA2TOOLS").filter(|_| find(&["java"]).is_some()),
            time: Some(PathBuf::from("/usr/bin/time")).filter(|file| file.is_file()),
            folder,
        })
    }

    /// Runs a command to the end; gives its processor time, its memory and its output.
    fn measure(&self, command: &mut Command) -> Option<Figure> {
        let program = command.get_program();
        let mut timed = Command::new(self.time.as_ref().map_or(program, |time| time.as_os_str()));
        if self.time.is_some() {
            timed.args(["-f", "\nTIME %U %S %M"]).arg(program);
        }
        timed.args(command.get_args());
        if let Some(folder) = command.get_current_dir() {
            timed.current_dir(folder);
        }
        let start = Instant::now();
        let output = timed.output().ok()?;
        let wall = start.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = errors.lines().rev().find_map(|line| line.strip_prefix("TIME "));
        let numbers: Vec<f64> =
            last.into_iter().flat_map(|line| line.split(' ').filter_map(|n| n.parse().ok())).collect();
        let (seconds, megabytes) = match *numbers.as_slice() {
            [user, system, kilobytes] => (user + system, Some(kilobytes / 1000.0)),
            _ => (wall, None),
        };
        Some(Figure { seconds, megabytes, command: typed(command), text, ..Figure::default() })
    }

    /// This project's own command line on one property of a built-in model with clients.
    pub(crate) fn ours(&self, model: &str, clients: u32, property: &str, more: &[&str]) -> Option<Figure> {
        self.ours_with(model, &format!("clients={clients}"), property, more)
    }

    /// This project's own command line on one property of a built-in model.
    pub(crate) fn ours_with(
        &self,
        model: &str,
        setting: &str,
        property: &str,
        more: &[&str],
    ) -> Option<Figure> {
        let file = workspace::root().join("core/models").join(format!("{model}.orb"));
        let mut command = Command::new(&self.ours);
        command.arg("check").arg(file).args(["--json", "-p", property]).args(more).args(["--set", setting]);
        let mut figure = self.measure(&mut command)?;
        figure.verdict = text_of(&figure.text, "verdict")?;
        figure.inner = number_of(&figure.text, "time_ms").map(|ms| ms / 1000.0);
        let of = |names: [&str; 2]| names.iter().find_map(|name| number_of(&figure.text, name));
        figure.states = of(["states", "product_states"]);
        figure.edges = of(["edges", "product_edges"]);
        Some(figure)
    }

    /// Stateright on mutual exclusion of the controller.
    pub(crate) fn stateright(&self, clients: u32, symmetry: bool) -> Option<Figure> {
        let mut command = Command::new(self.stateright.as_ref()?);
        command.arg(clients.to_string()).arg(if symmetry { "symmetry" } else { "plain" });
        let mut figure = self.measure(&mut command)?;
        let numbers: Vec<f64> = figure.text.split_whitespace().filter_map(|n| n.parse().ok()).collect();
        let &[states, edges, inner] = numbers.as_slice() else { return None };
        (figure.states, figure.edges, figure.inner) = (Some(states), Some(edges), Some(inner));
        figure.verdict = "holds".into();
        Some(figure)
    }

    /// Spin: the program is written as a user of Spin would, not as the export writes it.
    pub(crate) fn spin(&self, claim: Claim, clients: u32) -> Option<Figure> {
        let (spin, compiler) = self.spin.as_ref().zip(self.compiler.as_ref())?;
        fs::write(self.folder.join("model.pml"), promela(claim, clients)).ok()?;
        output(Command::new(spin).args(["-a", "model.pml"]).current_dir(&self.folder))?;
        let mut compile = Command::new(compiler);
        compile.args(["-O2", "-w", "-DNOREDUCE", "-DMEMLIM=8000", "-o", "pan", "pan.c"]);
        compile.args(if claim == Claim::Safety {
            ["-DSAFETY", "-DNOFAIR"]
        } else {
            ["-DNFAIR=7", "-DVECTORSZ=4096"]
        });
        output(compile.current_dir(&self.folder))?;
        let before = format!("spin -a model.pml; {}", typed(&compile));
        let pan = self.folder.join("pan");
        let mut search = Command::new(pan);
        search.args(["-m10000000", "-n", "-w22"]).current_dir(&self.folder);
        if claim != Claim::Safety {
            search.args(["-a", "-f"]);
        }
        let mut figure = self.measure(&mut search)?;
        figure.command = format!("{before}; {}", figure.command);
        let line = figure.text.lines().find(|line| line.contains("states, stored"))?;
        figure.states = line.split_whitespace().next()?.parse().ok();
        let errors = figure.text.split("errors: ").nth(1)?.split_whitespace().next()?.to_owned();
        figure.verdict = if errors == "0" { "holds" } else { "violated" }.into();
        Some(figure)
    }

    /// Rumur, which reads what CMurphi reads, on mutual exclusion of the controller with symmetry. It is told not to keep
    /// which permutation led to a state: numbering the permutations of many clients takes it for ever.
    pub(crate) fn rumur(&self, clients: u32) -> Option<Figure> {
        let (rumur, compiler) = self.rumur.as_ref().zip(self.compiler.as_ref())?;
        let text = include_str!("controller.m").replace("CLIENTS", &clients.to_string());
        fs::write(self.folder.join("model.m"), text).ok()?;
        let mut generate = Command::new(rumur);
        generate.args(["--scalarset-schedules", "off", "--threads", "1", "--output", "model.c", "model.m"]);
        output(generate.current_dir(&self.folder))?;
        let mut compile = Command::new(compiler);
        compile.args(["-std=c11", "-O3", "-w", "-mcx16", "-o", "model", "model.c", "-lpthread"]);
        output(compile.current_dir(&self.folder))?;
        let mut figure = self.measure(Command::new(self.folder.join("model")).current_dir(&self.folder))?;
        figure.command = format!("{}; {}; {}", typed(&generate), typed(&compile), figure.command);
        // `402 states, 25351 rules fired in 5s.`
        let line = figure.text.lines().rev().find(|line| line.contains(" rules fired"))?;
        let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let &[states, edges] = numbers.as_slice() else { return None };
        (figure.states, figure.edges) = (Some(states), Some(edges));
        figure.verdict = if figure.text.contains("No error found") { "holds" } else { "violated" }.into();
        Some(figure)
    }

    /// TLC on the exported model, without symmetry; processor time of all its threads.
    pub(crate) fn tlc(&self, model: &str, clients: u32, property: &str) -> Option<Figure> {
        let jar = self.tlc.as_ref()?;
        let file = workspace::root().join("core/models").join(format!("{model}.orb"));
        let mut export = Command::new(&self.ours);
        export.arg("export").arg(file).args(["--to", "tla", "-p", property]);
        let text = output(export.arg("--set").arg(format!("clients={clients}")))?;
        let (module, configuration) = text.split_once("\n====\n")?;
        fs::write(self.folder.join(format!("{model}.tla")), format!("{module}\n====\n")).ok()?;
        // Older versions know this by an option only, which says not to look for deadlocks.
        let lines = configuration.lines().filter(|line| !line.starts_with("CHECK_DEADLOCK"));
        let configuration = lines.collect::<Vec<_>>().join("\n");
        fs::write(self.folder.join(format!("{model}.cfg")), configuration).ok()?;
        let mut command = Command::new("java");
        command.arg("-XX:+UseParallelGC").arg("-cp").arg(jar);
        command.args(["tlc2.TLC", "-deadlock", "-workers", "1", model]);
        let mut figure = self.measure(command.current_dir(&self.folder))?;
        let line = figure.text.lines().rev().find(|line| line.contains("distinct states found"))?;
        let before = line.split(" distinct states found").next()?;
        figure.states = before.rsplit(' ').next()?.replace(',', "").parse().ok();
        let says = |words: &str| figure.text.contains(words);
        let verdict = match (says("No error has been found"), says("violated")) {
            (true, _) => "holds",
            (_, true) => "violated",
            _ => return None,
        };
        figure.verdict = verdict.into();
        Some(figure)
    }

    /// The tools with their versions, one a line.
    pub(crate) fn versions(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(version) = output(Command::new("rustc").arg("--version")) {
            lines.push(format!("Orbitscope {} by {version}", env!("CARGO_PKG_VERSION")));
        }
        if self.stateright.is_some() {
            let lock = workspace::root().join("bench/stateright/Cargo.lock");
            let lock = fs::read_to_string(lock).unwrap_or_default();
            let version = crate::lockfile::locked_version(&lock, "stateright").unwrap_or_default();
            lines.push(format!("Stateright {version}, one thread, `bench/stateright`"));
        }
        let version = |program: &Option<PathBuf>, argument: &str| {
            let said = output(Command::new(program.as_ref()?).arg(argument))?;
            Some(said.lines().next()?.to_owned())
        };
        if let Some(compiler) = version(&self.compiler, "--version") {
            let written = [version(&self.spin, "-V"), version(&self.rumur, "--version")];
            lines.extend(
                written.into_iter().flatten().map(|who| format!("{who}; what it writes by {compiler}")),
            );
        }
        match &self.tlc {
            Some(jar) => {
                // Without a file to check it says who it is and how to use it.
                let said = Command::new("java").arg("-cp").arg(jar).arg("tlc2.TLC").output();
                let said = said.map(|said| String::from_utf8_lossy(&said.stdout).into_owned());
                let version = said.unwrap_or_default().lines().next().unwrap_or("TLC").to_owned();
                lines.push(format!("{version}, of the jar that `ORBITSCOPE_TLA2TOOLS` names, one worker"));
            }
            None => lines.push("TLC was not there (`ORBITSCOPE_TLA2TOOLS` names its jar)".into()),
        }
        lines
    }

    /// Whether a peer is there.
    pub(crate) fn has(&self, peer: &str) -> bool {
        match peer {
            "Stateright" => self.stateright.is_some(),
            "Spin" => self.spin.is_some(),
            "Rumur" => self.rumur.is_some(),
            _ => self.tlc.is_some(),
        }
    }
}

/// A command as a person would type it: of what lies elsewhere on this machine the name alone.
fn typed(command: &Command) -> String {
    let root = workspace::root();
    let plain = |word: &OsStr| {
        let path = Path::new(word);
        let name = || path.file_name().filter(|_| path.is_absolute()).map(Path::new);
        path.strip_prefix(root)
            .ok()
            .filter(|path| !path.starts_with("target"))
            .or_else(name)
            .unwrap_or(path)
            .display()
            .to_string()
    };
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(plain).collect::<Vec<_>>().join(" ")
}

/// A field of the first result in the output of `orbitscope check --json`, or of what was counted for it.
fn field(text: &str, name: &str) -> Option<Value> {
    let output: Value = serde_json::from_str(text).ok()?;
    let result = output.get("results")?.get(0)?;
    let found = result.get(name).or_else(|| result.get("stats")?.get(name));
    found.filter(|value| !value.is_null()).cloned()
}

/// A number of the first result, where there is one.
pub(crate) fn number_of(text: &str, name: &str) -> Option<f64> {
    field(text, name)?.as_f64()
}

fn text_of(text: &str, name: &str) -> Option<String> {
    Some(field(text, name)?.as_str()?.to_owned())
}

/// The programs in Promela. `critical` is how many clients are critical: it follows from the rest and adds no states.
fn promela(claim: Claim, clients: u32) -> String {
    let (own, give, enter) = if claim == Claim::Idle {
        ("", "", ":: d_step { st[_pid] == R && critical == 0 -> st[_pid] = C; critical++ }\n")
    } else {
        ("!servers_turn && ", "; servers_turn = true", "")
    };
    let mut text = format!(
        "mtype = {{ I, R, C }};\nbool servers_turn;\nmtype st[{clients}] = I;\nbyte critical;\n\
         active [{clients}] proctype client() {{\n  do\n\
         :: d_step {{ {own}st[_pid] == I -> st[_pid] = R{give} }}\n\
         :: d_step {{ {own}st[_pid] == R -> st[_pid] = I{give} }}\n{enter}\
         :: d_step {{ {own}st[_pid] == C -> st[_pid] = I; critical--{give} }}\n  od\n}}\n"
    );
    if claim != Claim::Idle {
        text += "active proctype server() {\n  do\n";
        for client in 0..clients {
            let _ = writeln!(
                text,
                ":: d_step {{ servers_turn && critical == 0 && st[{client}] == R -> \
                 st[{client}] = C; critical++; assert(critical <= 1); servers_turn = false }}"
            );
        }
        text += ":: d_step { servers_turn -> servers_turn = false }\n  od\n}\n";
    }
    text + match claim {
        Claim::Safety => "",
        Claim::Access => "ltl access { [] (st[0] == R -> <> (st[0] == C)) }\n",
        Claim::Idle => "ltl idle { [] <> (st[0] == I) }\n",
    }
}

/// The processor and the system, as far as the system tells.
pub(crate) fn machine() -> String {
    let read = |file: &str| fs::read_to_string(Path::new(file)).unwrap_or_default();
    let cpu = read("/proc/cpuinfo");
    let name = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let name = name.trim_start_matches(['\t', ' ', ':']);
    let cores = cpu.lines().filter(|line| line.starts_with("processor")).count();
    let memory = read("/proc/meminfo");
    let kilobytes: f64 = memory
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?.parse().ok())
        .unwrap_or(0.0);
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or("?").to_owned();
    format!("{name}, {cores} cores seen, {:.0} GB; load at the end of the run {load}", kilobytes / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_first_result() {
        let text = r#"{"states": 9, "results": [
            {"property": "a", "verdict": "holds", "stats": {"states": null, "product_states": 12, "time_ms": 0.5}},
            {"property": "b", "verdict": "violated", "stats": {"states": 7}}]}"#;
        assert_eq!(text_of(text, "verdict").as_deref(), Some("holds"));
        assert_eq!(number_of(text, "product_states"), Some(12.0));
        assert_eq!(number_of(text, "time_ms"), Some(0.5));
        assert_eq!((number_of(text, "states"), number_of(text, "edges")), (None, None));
        assert_eq!(number_of("no JSON", "states"), None);
    }
}
