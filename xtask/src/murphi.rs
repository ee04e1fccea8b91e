//! `cargo xtask murphi DIR`: every Murphi model of a folder, with the counts that are known of public ones.
//!
//! The models are other people's and not kept here: the classic examples are those of CMurphi (its folder `ex`).

use crate::process::{cargo, run};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// A model that takes longer is given up.
const LIMIT: Duration = Duration::from_mins(1);

/// A count that is known: the end of the model's path, its constants, whether symmetry is used, the states, and the rules that fire.
struct Known {
    model: &'static str,
    set: &'static [(&'static str, u32)],
    symmetry: bool,
    states: u64,
    rules: Option<u64>,
}

const fn known(
    model: &'static str,
    set: &'static [(&'static str, u32)],
    symmetry: bool,
    states: u64,
    rules: Option<u64>,
) -> Known {
    Known { model, set, symmetry, states, rules }
}

/// From the comments at the end of the models (Murphi 2.3 to 3.1, exact reductions), from Ip and Dill, "Better verification through
/// symmetry" (1996), and from runs of Murphi 3.1 and Rumur on the same models.
/// Runs that ended at the first error are not among them: this tool goes on to the end.
const KNOWN: &[Known] = &[
    known("2_peterson", &[], true, 13, Some(26)),
    known("2_peterson", &[], false, 26, Some(52)),
    known("dek", &[], true, 100, Some(200)),
    known("n_peterson", &[("N", 3)], true, 172, Some(516)),
    known("n_peterson", &[("N", 3)], false, 882, Some(2_646)),
    known("n_peterson", &[("N", 5)], true, 6_770, Some(33_850)),
    known("n_peterson", &[("N", 5)], false, 628_868, Some(3_144_340)),
    known("n_peterson", &[("N", 6)], true, 35_159, Some(210_954)),
    known("n_peterson", &[("N", 7)], true, 163_298, Some(1_143_086)),
    known("mcslock1", &[("N", 2)], true, 81, None),
    known("mcslock1", &[("N", 3)], true, 1_285, None),
    known("mcslock1", &[("N", 3)], false, 7_597, None),
    known("mcslock1", &[("N", 4)], true, 23_636, Some(94_544)),
    known("mcslock2", &[("N", 2)], true, 552, None),
    known("mcslock2", &[("N", 2)], false, 1_098, None),
    known("mcslock2", &[("N", 3)], true, 540_219, None),
    known("mcslock2", &[("N", 3)], false, 3_240_032, None),
    known("abp", &[], true, 80, Some(176)),
    known("dp4", &[], true, 112, Some(672)),
    known("pingpong", &[], true, 4, Some(6)),
    known("sym/cache3", &[("ProcCount", 3)], true, 5_629, Some(37_624)),
    known("sym/cache3", &[("ProcCount", 4)], true, 16_169, Some(121_494)),
    known("sym/cache3", &[("ProcCount", 4)], false, 762_114, None),
    known("sym/cache3", &[("ProcCount", 5)], true, 31_433, Some(264_758)),
    known("ldash", &[("RemoteCount", 3)], true, 9_313, Some(71_035)),
    known("ldash", &[("RemoteCount", 3)], false, 55_366, None),
    known("ldash", &[("RemoteCount", 4)], true, 254_987, Some(2_647_242)),
    known("eadash", &[("RemoteCount", 3)], true, 7_741, Some(78_887)),
    known("eadash", &[("RemoteCount", 3)], false, 91_254, Some(930_414)),
    known("adash", &[("RemoteCount", 2)], true, 10_466, Some(137_708)),
    known("adash", &[("RemoteCount", 2)], false, 41_848, Some(550_644)),
    known("list6", &[("CellCount", 4)], true, 1_489, Some(4_956)),
    known("list6", &[("CellCount", 4)], false, 8_893, None),
    known("list6", &[("CellCount", 5)], true, 23_410, Some(99_874)),
    known("list6", &[("CellCount", 5)], false, 560_185, None),
    known("list6too", &[("CellCount", 3)], true, 107, Some(880)),
    known("list6too", &[("CellCount", 4)], true, 1_069, Some(11_550)),
    known("newlist6", &[("CellCount", 3)], true, 107, Some(258)),
    known("newlist6", &[("CellCount", 4)], true, 1_069, Some(3_455)),
    known("newlist6", &[("CellCount", 5)], true, 13_044, Some(53_595)),
];

struct Row {
    outcome: String,
    states: Option<u64>,
    edges: Option<u64>,
    seconds: f64,
}

/// Runs every model of a folder and prints a table.
pub(crate) fn murphi_command(folder: &Path) -> Result<(), String> {
    let mut models = Vec::new();
    collect(folder, &mut models)?;
    models.sort();
    if models.is_empty() {
        return Err(format!("{}: no file that ends with .m", folder.display()));
    }
    run(cargo().args(["build", "--release", "--locked", "--package", "orbitscope-cli"]))?;
    let program = crate::workspace::root().join("target/release/orbitscope");
    println!("| model | constants | symmetry | outcome | states | rules | seconds | known |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let (mut read, mut differ) = (0, 0);
    for model in &models {
        let stem = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // Whole parts of the path: `list6` is the end of `sym/list6.m` and not of `newlist6.m`.
        let path = model.with_extension("");
        let known: Vec<&Known> = KNOWN.iter().filter(|known| path.ends_with(known.model)).collect();
        let plain = Known { model: "", set: &[], symmetry: true, states: 0, rules: None };
        let asked = if known.is_empty() { vec![&plain] } else { known };
        for (number, one) in asked.into_iter().enumerate() {
            let row = check(&program, model, one);
            read += u32::from(number == 0 && row.outcome != "not read");
            let same =
                row.states == Some(one.states) && one.rules.is_none_or(|rules| row.edges == Some(rules));
            let verdict = match (one.states, same) {
                (0, _) => String::new(),
                (_, true) => "the same".into(),
                (states, false) => {
                    differ += 1;
                    let rules = one.rules.map_or(String::new(), |rules| format!("/{rules}"));
                    format!("**{states}{rules}**")
                }
            };
            let count = |n: Option<u64>| n.map_or_else(|| "-".into(), |n: u64| n.to_string());
            let set: Vec<String> = one.set.iter().map(|(name, value)| format!("{name}={value}")).collect();
            println!(
                "| {stem} | {} | {} | {} | {} | {} | {:.2} | {verdict} |",
                set.join(" "),
                if one.symmetry { "on" } else { "off" },
                row.outcome,
                count(row.states),
                count(row.edges),
                row.seconds
            );
        }
    }
    println!("\n{read} of {} models are read; {differ} known counts are not reached", models.len());
    Ok(())
}

fn collect(folder: &Path, models: &mut Vec<PathBuf>) -> Result<(), String> {
    let wrong = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_dir() {
            collect(&path, models)?;
        } else if path.extension().is_some_and(|ending| ending == "m") {
            models.push(path);
        }
    }
    Ok(())
}

fn check(program: &Path, model: &Path, known: &Known) -> Row {
    let mut command = Command::new(program);
    command.arg("check").arg(model).args(["--prune", "none"]);
    for (name, value) in known.set {
        command.arg("--set").arg(format!("{name}={value}"));
    }
    if !known.symmetry {
        command.args(["--symmetry", "none"]);
    }
    let start = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(child) = child else {
        return Row { outcome: "not started".into(), states: None, edges: None, seconds: 0.0 };
    };
    let (text, status) = waited(child, start);
    let seconds = start.elapsed().as_secs_f64();
    let counts = text.lines().rev().find(|line| line.contains(" state") && line.contains(" edge"));
    let number = |word: &str| {
        let words: Vec<&str> = counts?.split_whitespace().collect();
        let at = words.iter().position(|w| w.trim_end_matches(',').starts_with(word))?;
        words[..at].iter().rev().find_map(|w| w.replace(',', "").parse().ok())
    };
    let outcome = match status {
        None => "no answer in time",
        Some(0) => "holds",
        Some(1) => "violated",
        Some(3) => "limit",
        Some(_) if text.contains("error") => "error of the model",
        Some(_) => "not read",
    };
    Row { outcome: outcome.into(), states: number("state"), edges: number("edge"), seconds }
}

/// The output of a program, and its status; none where it took too long.
fn waited(mut child: Child, start: Instant) -> (String, Option<i32>) {
    while start.elapsed() < LIMIT {
        match child.try_wait() {
            Ok(Some(_)) | Err(_) => break,
            Ok(None) => thread::sleep(Duration::from_millis(5)),
        }
    }
    let late = matches!(child.try_wait(), Ok(None));
    if late {
        let _ = child.kill();
    }
    let Ok(output) = child.wait_with_output() else { return (String::new(), None) };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, if late { None } else { output.status.code() })
}
