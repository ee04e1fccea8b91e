//! TLC on exported models: is what it counts and what it says what we count and say?

use super::peer::{Compared, Explored, Folder, explored, ours, runs, tool};
use orbitscope_core::export::{Request, tla};
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::Program;
use orbitscope_core::symmetry::{Choice, choose};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// TLC's jar, where the environment names it and there is a Java.
pub(crate) fn jar() -> Option<PathBuf> {
    let jar = PathBuf::from(std::env::var_os("ORBITSCOPE_TLA2TOOLS")?);
    (jar.is_file() && runs(&tool("JAVA", "java"), "-version")).then_some(jar)
}

/// The verdict of TLC.
enum Said {
    Holds,
    Violated,
    Deadlock,
    /// Something else, an error of the model among it.
    Other,
}

/// Runs TLC with a configuration, with or without looking for deadlocks: the answer, and everything that it wrote.
fn run(jar: &Path, folder: &Path, lines: &[&str], deadlocks: bool) -> Result<(Said, String), String> {
    fs::write(folder.join("model.cfg"), lines.join("\n")).map_err(|error| error.to_string())?;
    let mut command = Command::new(tool("JAVA", "java"));
    // It unpacks its own modules into the folder for temporary files, where another one would find half of them.
    command.arg(format!("-Djava.io.tmpdir={}", folder.display()));
    command.args(["-XX:+UseSerialGC", "-Xmx2g", "-cp"]).arg(jar);
    // Fingerprints of its choice would make it print another run every time.
    command.args(["tlc2.TLC", "-workers", "1", "-fp", "0", "-metadir", "states"]);
    // The option says not to look for them.
    command.args(if deadlocks { [].as_slice() } else { &["-deadlock"] }).args([
        "-config",
        "model.cfg",
        "model.tla",
    ]);
    let output = command.current_dir(folder).output().map_err(|error| format!("java: {error}"))?;
    let _ = fs::remove_dir_all(folder.join("states"));
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let says = |words: &str| text.contains(words);
    let said = if says("No error has been found") {
        Said::Holds
    } else if says("Deadlock reached") {
        Said::Deadlock
    } else if says("Temporal properties were violated") || says("is violated") {
        Said::Violated
    } else {
        Said::Other
    };
    Ok((said, text))
}

/// TLC's answer to a property, and the counterexample that it prints.
pub(crate) struct Answer {
    pub(crate) version: String,
    pub(crate) holds: bool,
    /// The values of each state, shared ones first, then client by client.
    pub(crate) states: Vec<Vec<String>>,
    /// The state that the loop is said to lead back to, counted from 0.
    pub(crate) back: Option<usize>,
}

/// Asks TLC about a property where the clients are declared symmetric, as TLC's users do it: they are a set of names,
/// not of numbers, and all permutations of it are given.
pub(crate) fn with_symmetry(jar: &Path, program: &Program, property: &str) -> Result<Answer, String> {
    let symmetry = choose(program, Choice::Model).map_err(|refused| format!("{refused:?}"))?;
    let text = tla(&Request::new("model", program, &symmetry)).map_err(|diagnostic| diagnostic.message)?;
    let (module, configuration) = text.split_once("\n====\n").ok_or("there is no configuration")?;
    let client = module.lines().find(|line| line.starts_with("client == ")).ok_or("there are no clients")?;
    let module = module.replace(client, "CONSTANT client");
    let folder = Folder::new("tlc");
    let text = format!("{module}\nAll == Permutations(client)\n====\n");
    fs::write(folder.path().join("model.tla"), text).map_err(|error| error.to_string())?;
    let family =
        program.families.iter().find(|family| family.name == "client").ok_or("there are no clients")?;
    let names: Vec<String> = (0..family.size).map(|number| format!("c{number}")).collect();
    let constant = format!("CONSTANT client = {{{}}}", names.join(", "));
    let wanted = format!("PROPERTY {property}");
    let mut lines: Vec<&str> =
        configuration.lines().filter(|line| line.starts_with("SPECIFICATION")).collect();
    lines.extend([wanted.as_str(), constant.as_str(), "SYMMETRY All"]);
    let (holds, text) = match run(jar, folder.path(), &lines, false)? {
        (Said::Holds, text) => (true, text),
        (Said::Violated, text) => (false, text),
        (_, text) => return Err(text),
    };
    // `TLC2 Version 2.15 of …`
    let version = text.split_once("Version ").and_then(|(_, rest)| rest.split_whitespace().next());
    // `Back to state 2: <…>`
    let back = text.split_once("Back to state ").and_then(|(_, rest)| rest.split(':').next()?.parse().ok());
    let states = text.split("\nState ").skip(1).map(values);
    Ok(Answer {
        version: version.unwrap_or_default().into(),
        holds,
        states: states.collect(),
        back: back.map(|number: usize| number - 1),
    })
}

/// The values of a state of one family of clients with one variable, as TLC prints it: `/\ client_st = (c0 :> "I" @@ c1 :> "R")` and
/// lines such as `/\ started = TRUE`, the shared ones first.
fn values(state: &str) -> Vec<String> {
    let plain =
        |value: &str| value.trim_matches(['"', ' ', ')']).replace("TRUE", "true").replace("FALSE", "false");
    let (mut shared, mut clients) = (Vec::new(), Vec::new());
    for (_, value) in state.lines().filter_map(|line| line.strip_prefix("/\\ ")?.split_once(" = ")) {
        if value.contains(":>") {
            clients.extend(
                value.split(":> ").skip(1).map(|value| plain(value.split(" @@").next().unwrap_or_default())),
            );
        } else {
            shared.push(plain(value));
        }
    }
    shared.into_iter().chain(clients).collect()
}

/// Compares TLC's count of states and deadlocks and its verdicts with ours.
pub(crate) fn compare(jar: &Path, program: &Program, fairness: FairnessChoice) -> Result<Compared, String> {
    let symmetry = choose(program, Choice::Model).map_err(|refused| format!("{refused:?}"))?;
    let request = Request { fairness, ..Request::new("model", program, &symmetry) };
    let text = tla(&request).map_err(|diagnostic| diagnostic.message)?;
    compare_text(jar, program, fairness, &text).map_err(|error| format!("{error}\n{text}"))
}

fn compare_text(
    jar: &Path,
    program: &Program,
    fairness: FairnessChoice,
    text: &str,
) -> Result<Compared, String> {
    let folder = Folder::new("tlc");
    let at = folder.path();
    let (module, configuration) = text.split_once("\n====\n").ok_or("there is no configuration")?;
    // The counter that ticks with every step is not a variable of ours.
    let view =
        module.lines().find_map(|line| line.strip_prefix("vars == ")).ok_or("there are no variables")?;
    let view = view.replace(", tick>>", ">>").replace("<<tick>>", "<<>>");
    fs::write(at.join("model.tla"), format!("{module}\nAllButTick == {view}\n====\n"))
        .map_err(|error| error.to_string())?;
    let lines = || configuration.lines().filter(|line| !line.starts_with("CHECK_DEADLOCK"));
    let is_property = |line: &&str| {
        (line.starts_with("INVARIANT ") || line.starts_with("PROPERTY ")) && *line != "INVARIANT TypeOK"
    };
    let base: Vec<&str> = lines().filter(|line| !is_property(line)).collect();

    let mut compared = Compared { models: 1, ..Compared::default() };
    let Explored { states, has_deadlock, has_fault } = explored(program)?;
    let counting = [base.as_slice(), &["VIEW AllButTick"]].concat();
    let (said, all) = run(jar, at, &counting, false)?;
    if has_fault {
        return match said {
            Said::Holds => Err(format!("we find a fault, TLC finds none:\n{all}")),
            _ => Ok(compared),
        };
    }
    // `122 states generated, 40 distinct states found, 0 states left on queue.`, the last of several.
    let found = all.lines().rev().find_map(|line| {
        let (before, _) = line.split_once(" distinct states found")?;
        before.split_whitespace().next_back()?.replace(',', "").parse::<u64>().ok()
    });
    compared.states = states;
    if !matches!(said, Said::Holds) || found != Some(states) {
        return Err(format!("we find {states} states, TLC finds {found:?}:\n{all}"));
    }
    let (said, stuck) = run(jar, at, &counting, true)?;
    if matches!(said, Said::Deadlock) != has_deadlock {
        return Err(format!("we find a deadlock: {has_deadlock}, TLC says:\n{stuck}"));
    }
    compared.deadlocks = u32::from(has_deadlock);

    for line in lines().filter(is_property) {
        let name = line.split_whitespace().next_back().unwrap_or_default();
        let id = program.property(name).ok_or_else(|| format!("`{name}` is none of our properties"))?;
        let Some(ours) = ours(program, id, fairness)? else {
            compared.left_out += 1;
            continue;
        };
        compared.runs += 1;
        let (said, answer) = run(jar, at, &[base.as_slice(), &[line]].concat(), false)?;
        let theirs = match said {
            Said::Holds => true,
            Said::Violated => false,
            Said::Deadlock | Said::Other => return Err(format!("`{name}`: TLC says\n{answer}")),
        };
        if ours != theirs {
            return Err(format!(
                "`{name}` holds: we say {ours}, TLC says {theirs} under {fairness:?}:\n{answer}"
            ));
        }
        compared.properties += 1;
        compared.violated += u32::from(!ours);
    }
    Ok(compared)
}
