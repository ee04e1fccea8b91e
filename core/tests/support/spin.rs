//! Spin on exported models: is what it counts and what it says what we count and say?

use super::peer::{Compared, Explored, Folder, explored, ours, runs, tool};
use orbitscope_core::export::{Request, promela};
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::{Program, PropertyId};
use orbitscope_core::symmetry::{Choice, choose};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Whether Spin and a C compiler are there.
pub(crate) fn is_installed() -> bool {
    runs(&tool("SPIN", "spin"), "-V") && runs(&tool("CC", "cc"), "--version")
}

fn run(folder: &Path, line: &str) -> Result<String, String> {
    let mut words = line.split_whitespace();
    let program = words.next().expect("a line names a program");
    let program = match program {
        "./pan" => folder.join("pan"),
        "spin" => tool("SPIN", "spin"),
        _ => tool("CC", program),
    };
    let Output { status, stdout, stderr } = Command::new(program)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`{line}`: {error}"))?;
    let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    if status.success() { Ok(text) } else { Err(format!("`{line}`: {status}\n{text}")) }
}

/// The most bytes of C that claims may become.
const MAX_CLAIMS: u64 = 4 << 20;

/// The number in front of some words.
fn number_before(text: &str, words: &str) -> Option<u64> {
    let (before, _) = text.split_once(words)?;
    before.split_whitespace().next_back()?.parse().ok()
}

fn errors(text: &str) -> Result<u64, String> {
    let (_, after) = text.split_once("errors: ").ok_or_else(|| format!("no result in:\n{text}"))?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    let count = digits.parse().map_err(|_| format!("no result in:\n{text}"))?;
    if count == 0 && text.contains("Search not completed") {
        return Err(format!("the search was cut short:\n{text}"));
    }
    Ok(count)
}

/// The value of an option in the header's own commands: the test runs what a user is told to run.
fn header_option<'t>(text: &'t str, option: &str) -> Option<&'t str> {
    text.split_whitespace().find(|word| word.starts_with(option))
}

/// Compares Spin's count of states and deadlocks and its verdicts with ours.
pub(crate) fn compare(program: &Program, fairness: FairnessChoice) -> Result<Compared, String> {
    let none = choose(program, Choice::None).map_err(|refused| format!("{refused:?}"))?;
    // Without symmetry every choice of processes is a claim of its own.
    let request = Request { fairness, ..Request::new("model", program, &none) };
    let text = promela(&request).map_err(|diagnostic| diagnostic.message)?;
    compare_text(program, fairness, &text).map_err(|error| format!("{error}\n{text}"))
}

fn compare_text(program: &Program, fairness: FairnessChoice, text: &str) -> Result<Compared, String> {
    let folder = Folder::new("spin");
    let at = folder.path();
    fs::write(at.join("model.pml"), text).map_err(|error| error.to_string())?;
    let mut compared = Compared { models: 1, ..Compared::default() };

    let Explored { states, has_deadlock, has_fault } = explored(program)?;
    run(at, "spin -DSTATES -o2 -a model.pml")?;
    run(at, "cc -O0 -w -DNOREDUCE -DSAFETY -o pan pan.c")?;
    let all = run(at, "./pan -n -E -w16 -m500000")?;
    if has_fault {
        return if errors(&all)? > 0 {
            Ok(compared)
        } else {
            Err(format!("we find a fault, Spin finds none:\n{all}"))
        };
    }
    let extra = u64::from(text.contains("bool ready"));
    let found = number_before(&all, " states, stored").ok_or_else(|| format!("no count in:\n{all}"))?;
    compared.states = states;
    if errors(&all)? != 0 || found != compared.states + extra {
        return Err(format!(
            "we find {} states, Spin finds {found} (with {extra} extra):\n{all}",
            compared.states
        ));
    }
    let stuck = run(at, "./pan -n -w16 -m500000")?;
    if stuck.contains("invalid end state (") != has_deadlock {
        return Err(format!("we find a deadlock: {has_deadlock}, Spin says:\n{stuck}"));
    }
    compared.deadlocks = u32::from(has_deadlock);

    let claims = claims(program, text);
    if claims.is_empty() {
        return Ok(compared);
    }
    let nfair = header_option(text, "-DNFAIR").unwrap_or("");
    run(at, "spin -a model.pml")?;
    // Some claims become tens of megabytes of C, for which a compiler needs minutes and gigabytes.
    if fs::metadata(at.join("pan.m")).is_ok_and(|file| file.len() > MAX_CLAIMS) {
        compared.left_out += claims.len() as u32;
        return Ok(compared);
    }
    run(at, &format!("cc -O0 -w -DNOREDUCE {nfair} -o pan pan.c"))?;
    for (id, names) in claims {
        let name = &program.properties[id].name;
        let Some(ours) = ours(program, id, fairness)? else {
            compared.left_out += 1;
            continue;
        };
        let mut theirs = true;
        let mut said = String::new();
        for claim in &names {
            compared.runs += 1;
            let told = text.contains(&format!("./pan -a -f -m10000000 -N {claim}\n"));
            let fair = if told { "-f" } else { "" };
            compared.automata += u32::from(text.contains(&format!("never {claim} {{")));
            let answer = run(at, &format!("./pan -n -a {fair} -w16 -m500000 -N {claim}"))?;
            if errors(&answer)? > 0 {
                theirs = false;
                said = answer;
                break;
            }
        }
        if ours != theirs {
            return Err(format!(
                "`{name}` holds: we say {ours}, Spin says {theirs} under {fairness:?}:\n{said}"
            ));
        }
        compared.properties += 1;
        compared.violated += u32::from(!ours);
    }
    Ok(compared)
}

/// The claims of each property, by their names: a property's own, or with the numbers of what is chosen behind it.
fn claims(program: &Program, text: &str) -> BTreeMap<PropertyId, Vec<String>> {
    let mut found: BTreeMap<PropertyId, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let claim = line.strip_prefix("ltl ").or_else(|| line.strip_prefix("never "));
        let Some(name) = claim.and_then(|rest| rest.split_whitespace().next()) else { continue };
        let own = name.trim_end_matches(|c: char| c == '_' || c.is_ascii_digit());
        let own = own.strip_suffix("_minus").unwrap_or(own);
        let of = |p: &&str| *p == name || p.trim_end_matches(|c: char| c == '_' || c.is_ascii_digit()) == own;
        let mut candidates: Vec<PropertyId> = (program.properties.iter_enumerated())
            .filter(|(_, p)| of(&p.name.as_str()) && name.starts_with(&p.name))
            .map(|(id, _)| id)
            .collect();
        candidates.sort_by_key(|id| program.properties[*id].name.len());
        let id = candidates.pop().expect("a claim has the name of its property");
        found.entry(id).or_default().push(name.to_string());
    }
    found
}
