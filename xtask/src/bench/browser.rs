//! The same engine in the browser, beside the command line; and how evenly the page draws.

use super::peers::Tools;
use crate::process::output;
use crate::{install, site, workspace};
use std::path::PathBuf;
use std::process::Command;

/// One check by the command line and in the page.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) what: &'static str,
    pub(crate) clients: u32,
    /// The answer, in which both agree.
    pub(crate) verdict: String,
    /// Seconds of the search.
    pub(crate) native: f64,
    /// Seconds of the check in the page's worker.
    pub(crate) page: f64,
    /// Seconds from the opening of the page to the verdict.
    pub(crate) opening: f64,
}

/// The figures of the browser.
#[derive(Clone, Debug, Default)]
pub(crate) struct InBrowser {
    pub(crate) rows: Vec<Row>,
    /// For steps a second: how many frames there were, the median and the 95th percentile between two of them in milliseconds,
    /// and what part came within 20 ms.
    pub(crate) frames: Vec<(&'static str, [f64; 4])>,
}

/// Model, clients, property, engine.
const JOBS: [(&str, &str, u32, &str, &str); 6] = [
    ("controller, mutual exclusion, no symmetry", "resource_controller", 15, "mutual_exclusion", "explicit"),
    ("controller, mutual exclusion", "resource_controller", 10_000, "mutual_exclusion", "onthefly"),
    ("controller, mutual exclusion", "resource_controller", 100_000, "mutual_exclusion", "onthefly"),
    ("simplified controller, `G F I`", "simplified_controller", 1_000, "always_idle_again", "onthefly"),
    ("simplified controller, `G F I`", "simplified_controller", 10_000, "always_idle_again", "onthefly"),
    ("controller, `G (R => F C)`", "resource_controller", 1_000_000, "eventually_access", "onthefly"),
];

struct Browser {
    node: PathBuf,
    chromium: PathBuf,
}

impl Browser {
    /// Runs a script in `bench/` and splits its output into words.
    fn run(&self, script: &str, arguments: &[&str]) -> Option<Vec<String>> {
        let mut command = Command::new(&self.node);
        command.arg(format!("bench/{script}")).args(arguments).current_dir(workspace::root());
        let said = output(command.env("CHROMIUM", &self.chromium).env("DIST", workspace::dist()))?;
        Some(said.split_whitespace().map(str::to_owned).collect())
    }
}

/// Builds the site and measures it, in turn with the command line. Nothing where there is no browser.
pub(crate) fn run_all(tools: &Tools, rounds: u32) -> Result<InBrowser, String> {
    println!("\nThe engine in the browser");
    let browser = match install::browser().and_then(|browser| Ok((browser, install::node()?))) {
        Ok((browser, (node, _))) => Browser { node, chromium: browser.chromium },
        Err(message) => {
            println!("{message}\nThe browser is left out.");
            return Ok(InBrowser::default());
        }
    };
    site::build()?;
    let mut found = InBrowser::default();
    for _ in 0..rounds {
        for (what, model, clients, property, engine) in JOBS {
            let native = tools.ours(model, clients, property, &["--engine", engine]);
            let file = format!("core/models/{model}.orb");
            let said = browser.run("browser.mjs", &[&file, &clients.to_string(), property, engine]);
            let (Some(native), Some([verdict, check, opening])) = (native, said.as_deref()) else {
                return Err(format!("{model} with {clients} clients was not measured in the browser"));
            };
            if *verdict != native.verdict {
                return Err(format!("{model}: the page says {verdict}, the command line {}", native.verdict));
            }
            let milliseconds = |text: &String| text.parse().map_or(f64::NAN, |ms: f64| ms / 1000.0);
            let inner = native.inner.unwrap_or(native.seconds);
            let (page, opening) = (milliseconds(check), milliseconds(opening));
            println!(
                "  {what}, {clients} clients: {inner:.3} s, in the page {page:.3} s, opening {opening:.2} s"
            );
            let verdict = verdict.clone();
            match found.rows.iter_mut().find(|row| (row.what, row.clients) == (what, clients)) {
                None => found.rows.push(Row { what, clients, verdict, native: inner, page, opening }),
                Some(row) => {
                    row.native = row.native.min(inner);
                    row.page = row.page.min(page);
                    row.opening = row.opening.min(opening);
                }
            }
        }
    }
    for speed in ["4", "16", "60"] {
        let said = browser.run("frames.mjs", &["core/models/resource_controller.orb", speed]);
        let numbers: Vec<f64> = said.into_iter().flatten().filter_map(|word| word.parse().ok()).collect();
        println!("  frames at {speed} steps a second: {numbers:?}");
        if let Ok(numbers) = numbers.try_into() {
            found.frames.push((speed, numbers));
        }
    }
    Ok(found)
}
