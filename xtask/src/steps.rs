//! The steps of `cargo xtask test`.

use crate::install::{self, BARE_METAL, WASM};
use crate::process::{self, run};
use crate::stranger::stranger;
use crate::tools::TEST_RUNNER;
use crate::{doors, site, wheel, workspace};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// One check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Format,
    Clippy,
    Native,
    NoStd,
    Stranger,
    Browser,
    Site,
    EndToEnd,
    Doors,
    Wheel,
}

/// The tools that the selected steps need.
struct Machine {
    test_runner: Option<PathBuf>,
    browser: Option<install::Browser>,
    node: Option<PathBuf>,
}

impl Step {
    /// All steps, in the order in which they run: what fails fast comes first.
    pub(crate) const ALL: [Step; 10] = [
        Step::Format,
        Step::Clippy,
        Step::Native,
        Step::NoStd,
        Step::Stranger,
        Step::Browser,
        Step::Site,
        Step::EndToEnd,
        Step::Doors,
        Step::Wheel,
    ];

    /// Whether the step runs only where it is named: it asks a registry for packages that nothing else needs.
    pub(crate) fn is_extra(self) -> bool {
        self == Step::Wheel
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Step::Format => "fmt",
            Step::Clippy => "clippy",
            Step::Native => "native",
            Step::NoStd => "no-std",
            Step::Stranger => "stranger",
            Step::Browser => "browser",
            Step::Site => "site",
            Step::EndToEnd => "e2e",
            Step::Doors => "doors",
            Step::Wheel => "wheel",
        }
    }

    /// The purpose of the step, and how long it usually takes on two cores, first and later.
    fn about(self) -> (&'static str, &'static str) {
        match self {
            Step::Format => ("format check", "1 s"),
            Step::Clippy => ("clippy with warnings denied, native and WebAssembly", "90 s, later 5 s"),
            Step::Native => ("unit, documentation, golden and property tests", "6 minutes, later 2 minutes"),
            Step::NoStd => ("core for a target without std", "10 s, later 1 s"),
            Step::Stranger => {
                ("a new crate of 15 lines that uses core as it would be published", "30 s, later 3 s")
            }
            Step::Browser => ("component tests in headless Chromium", "60 s, later 10 s"),
            Step::Site => ("the release site in dist/", "3 minutes, later 10 s"),
            Step::EndToEnd => ("end-to-end tests on dist/ in headless Chromium", "6 minutes"),
            Step::Doors => {
                ("the packages for editors and npm, each opened by its own client", "3 minutes, later 10 s")
            }
            Step::Wheel => (
                "the wheel for Python, used by a program, in a notebook and as a widget in JupyterLab",
                "5 minutes, later 1 minute",
            ),
        }
    }

    fn needs_wasm(self) -> bool {
        matches!(self, Step::Clippy | Step::Browser | Step::Site | Step::Doors)
    }

    fn needs_browser(self) -> bool {
        matches!(self, Step::Browser | Step::EndToEnd | Step::Doors | Step::Wheel)
    }

    fn run(self, machine: &Machine) -> Result<(), String> {
        match self {
            Step::Format => cargo("fmt --all --check"),
            Step::Clippy => {
                cargo("clippy --locked --workspace --all-targets -- --deny warnings")?;
                cargo(&format!(
                    "clippy --locked --package orbitscope-web --package orbitscope-js --all-targets --target {WASM} -- --deny warnings"
                ))
            }
            Step::Native => {
                cargo("test --locked --workspace")?;
                // They compute little, and an optimised core takes minutes to build a second time.
                cargo("test --locked --package orbitscope-core --lib --profile dev")
            }
            Step::NoStd => cargo(&format!(
                "check --locked --package orbitscope-core --features serde --target {BARE_METAL}"
            )),
            Step::Stranger => stranger(),
            Step::Browser => {
                let runner = machine.test_runner.as_ref().expect("the runner is installed before this step");
                let browser = machine.browser.as_ref().expect("the browser is installed before this step");
                // Components compute little: the unoptimised profile builds in half the time.
                run(cargo_command(
                    "test --locked --package orbitscope-web --test browser --profile dev --target",
                )
                .arg(WASM)
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
                .env("CHROMEDRIVER", &browser.driver))
            }
            Step::Site => site::build(),
            Step::EndToEnd => {
                let browser = machine.browser.as_ref().expect("the browser is installed before this step");
                let node = machine.node.as_ref().expect("node is installed before this step");
                end_to_end(node, browser)
            }
            Step::Doors => {
                doors::test(machine.browser.as_ref().expect("the browser is installed before this step"))
            }
            Step::Wheel => {
                wheel::test(machine.browser.as_ref().expect("the browser is installed before this step"))
            }
        }
    }
}

fn cargo(line: &str) -> Result<(), String> {
    run(&mut cargo_command(line))
}

fn cargo_command(line: &str) -> Command {
    let mut command = process::cargo();
    command.args(line.split_whitespace());
    command
}

fn end_to_end(node: &PathBuf, browser: &install::Browser) -> Result<(), String> {
    if !workspace::dist().join("index.html").is_file() {
        return Err("there is no site in dist/: run `cargo xtask build` first".into());
    }
    let folder = workspace::root().join("e2e");
    let entries = folder.read_dir().map_err(|error| format!("e2e/ cannot be read: {error}"))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    // Counts on the page are compared with the command line's. Asked for like this it is the one of the native tests: built
    // alone, it would have other features and need a second optimised core.
    cargo("test --locked --workspace --test cli --no-run")?;
    let program = format!("debug/orbitscope{}", std::env::consts::EXE_SUFFIX);
    // Two files at a time: a page waits more than it computes.
    run(Command::new(node)
        .args(["--test", "--test-reporter=spec", "--test-concurrency=2"])
        .args(files)
        .current_dir(workspace::root())
        .env("CHROMIUM", &browser.chromium)
        .env("ORBITSCOPE", workspace::target().join(program))
        .env("DIST", workspace::dist()))
}

/// `cargo xtask test`: every selected step runs, even after a failure, and a summary ends it.
pub(crate) fn test_command(steps: &[Step]) -> Result<(), String> {
    let machine = prepare(steps)?;
    let mut results = Vec::new();
    for &step in steps {
        let (what, usually) = step.about();
        println!("\n== {}: {what} (usually {usually})", step.name());
        let start = Instant::now();
        let outcome = if matches!(step, Step::EndToEnd | Step::Doors | Step::Wheel)
            && has_failed(&results, Step::Site)
        {
            Err("the site was not built".into())
        } else {
            step.run(&machine)
        };
        let took = start.elapsed();
        match &outcome {
            Ok(()) => println!("== {} passed in {}", step.name(), seconds(took)),
            Err(message) => println!("== {} FAILED after {}: {message}", step.name(), seconds(took)),
        }
        results.push((step, outcome, took));
    }
    summarise(&results)
}

type StepResult = (Step, Result<(), String>, Duration);

fn has_failed(results: &[StepResult], step: Step) -> bool {
    results.iter().any(|(done, outcome, _)| *done == step && outcome.is_err())
}

fn prepare(steps: &[Step]) -> Result<Machine, String> {
    println!("== install: what is missing (usually nothing; from zero 3 minutes)");
    if steps.contains(&Step::NoStd) {
        install::rust_targets(&[BARE_METAL])?;
    }
    if steps.contains(&Step::Native) {
        install::spin()?;
    }
    if steps.iter().any(|step| step.needs_wasm()) {
        install::rust_targets(&[WASM])?;
    }
    let needs_browser = steps.iter().any(|step| step.needs_browser());
    let machine = Machine {
        browser: needs_browser.then(install::browser).transpose()?,
        node: steps.contains(&Step::EndToEnd).then(install::node).transpose()?.map(|(node, _)| node),
        test_runner: steps.contains(&Step::Browser).then(|| TEST_RUNNER.ensure()).transpose()?,
    };
    Ok(machine)
}

fn summarise(results: &[StepResult]) -> Result<(), String> {
    println!("\n== summary");
    for (step, outcome, took) in results {
        let word = if outcome.is_ok() { "passed" } else { "FAILED" };
        println!("   {:<8} {word} {:>8}", step.name(), seconds(*took));
    }
    let total = results.iter().map(|(_, _, took)| *took).sum();
    let failed: Vec<&str> =
        results.iter().filter(|(_, outcome, _)| outcome.is_err()).map(|(step, _, _)| step.name()).collect();
    if failed.is_empty() {
        println!("   all passed in {}", seconds(total));
        return Ok(());
    }
    Err(format!("failed: {}. Run only these again with `cargo xtask test {0}`", failed.join(" ")))
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_fails_the_whole_and_names_itself() {
        let second = Duration::from_secs(1);
        let good = [(Step::Format, Ok(()), second), (Step::Site, Ok(()), second)];
        assert_eq!(summarise(&good), Ok(()));
        let bad = [(Step::Format, Ok(()), second), (Step::Site, Err("no".into()), second)];
        assert_eq!(
            summarise(&bad),
            Err("failed: site. Run only these again with `cargo xtask test site`".into())
        );
        assert!(has_failed(&bad, Step::Site) && !has_failed(&bad, Step::Format));
    }
}
