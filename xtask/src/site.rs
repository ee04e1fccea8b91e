//! Building the static site.

use crate::install::{self, WASM};
use crate::page::{Files, Page, Program};
use crate::process::{self, run, run_quietly};
use crate::tools::BINDGEN;
use crate::{offline, workspace};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// How the programs are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As the page says, each program in its own way: small, or fast.
    Published,
    /// Both at once, with little optimisation: soon there, soon there again after an edit.
    Quick,
    /// Without any.
    Dev,
}

/// `cargo xtask build`.
pub(crate) fn build_command(profile: Profile) -> Result<(), String> {
    if profile == Profile::Published {
        println!("Building the site: usually 5 minutes the first time ...");
        build()?;
        println!(
            "The site is in {}: copy it to any static host, under any path.",
            workspace::dist().display()
        );
        return Ok(());
    }
    make(profile, &workspace::quick_site())?;
    println!("The site is in {}: to look at, not to publish.", workspace::quick_site().display());
    Ok(())
}

/// Builds the optimised site in `dist/`.
pub(crate) fn build() -> Result<(), String> {
    make(Profile::Published, &workspace::dist())
}

fn make(profile: Profile, folder: &Path) -> Result<(), String> {
    let mut site = compile(profile)?;
    let template = workspace::root().join("static/sw.js");
    let template =
        fs::read_to_string(template).map_err(|error| format!("static/sw.js cannot be read: {error}"))?;
    offline::add(&mut site, &template)?;
    write(&site, folder)
}

/// `cargo xtask shots`: pictures of the page as it is: those of the README, and of its main states in both themes and all
/// sizes, to be looked at.
pub(crate) fn shots_command() -> Result<(), String> {
    let (browser, (node, _)) = (install::browser()?, install::node()?);
    build_command(Profile::Published)?;
    for (script, folder) in [
        ("e2e/shots.mjs", "docs/images"),
        ("e2e/states.mjs", "target/shots"),
        ("e2e/gallery.mjs", "target/shots/models"),
    ] {
        run(Command::new(&node)
            .arg(script)
            .arg(workspace::root().join(folder))
            .current_dir(workspace::root())
            .env("CHROMIUM", &browser.chromium)
            .env("DIST", workspace::dist()))?;
    }
    Ok(())
}

/// Compiles the programs and makes the site of them, without a service worker.
pub(crate) fn compile(profile: Profile) -> Result<Files, String> {
    install::rust_targets(&[WASM])?;
    let page = Page::read(workspace::root())?;
    let programs: Vec<&Program> = page.programs().collect();
    // Published programs are optimised as a whole, which keeps one processor busy for a long time: they have profiles
    // of their own, so that cargo builds them side by side.
    let groups: Vec<&[&Program]> =
        if profile == Profile::Published { programs.chunks(1).collect() } else { vec![&programs] };
    let bindgen = thread::scope(|scope| {
        let builds: Vec<_> =
            groups.iter().map(|group| scope.spawn(|| run(&mut cargo_build(profile, group)))).collect();
        let bindgen = BINDGEN.ensure();
        builds.into_iter().try_for_each(joined)?;
        bindgen
    })?;
    let made = workspace::target().join("page");
    fs::create_dir_all(&made).map_err(|error| cannot("be created", &made, &error))?;
    let bind = |program| bind(&bindgen, profile, program, &made);
    let parts: Vec<Result<Files, String>> = thread::scope(|scope| {
        let binds: Vec<_> = programs.iter().map(|program| scope.spawn(|| bind(program))).collect();
        binds.into_iter().map(joined).collect()
    });
    let mut compiled = Files::new();
    for part in parts {
        compiled.extend(part?);
    }
    page.assemble(workspace::root(), &compiled)
}

/// Waits for a thread; none of these panics.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, Result<T, String>>) -> Result<T, String> {
    thread.join().unwrap_or_else(|_| Err("a part of the build broke down".into()))
}

/// Cargo, to build these programs at once.
fn cargo_build(profile: Profile, programs: &[&Program]) -> Command {
    let mut command = process::cargo();
    command.args(["build", "--locked", "--target", WASM, "--profile", cargo_profile(profile, programs[0])]);
    command.arg("--target-dir").arg(workspace::target());
    command.arg("--manifest-path").arg(&programs[0].manifest);
    for program in programs {
        command.args(["--bin", &program.bin]);
        // Features change the crates below: without them the programs share all of these.
        if let (Profile::Published, Some(features)) = (profile, &program.features) {
            command.args(["--features", features]);
        }
    }
    // Several run at once, and would draw their bars over each other.
    command.env("CARGO_TERM_PROGRESS_WHEN", "never");
    command
}

fn cargo_profile(profile: Profile, program: &Program) -> &str {
    match profile {
        Profile::Published => &program.profile,
        Profile::Quick => "quick",
        Profile::Dev => "dev",
    }
}

/// The files that a browser loads of a compiled program, under their plain names.
fn bind(bindgen: &Path, profile: Profile, program: &Program, made: &Path) -> Result<Files, String> {
    let folder = match cargo_profile(profile, program) {
        "dev" => "debug",
        other => other,
    };
    let input = workspace::target().join(WASM).join(folder).join(format!("{}.wasm", program.bin));
    run_quietly(Command::new(bindgen).arg(input).arg(made).arg(&program.bin))?;
    let mut files = Files::new();
    for end in [".js", "_bg.wasm"] {
        let name = format!("{}{end}", program.bin);
        let path = made.join(&name);
        files.insert(name, fs::read(&path).map_err(|error| cannot("be read", &path, &error))?);
    }
    if made.join("snippets").exists() {
        return Err("a crate of the page brings scripts of its own: they have no place in the site".into());
    }
    Ok(files)
}

/// Writes the site, and nothing but it.
fn write(site: &Files, folder: &Path) -> Result<(), String> {
    let put = |path: PathBuf, bytes: &[u8]| {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, bytes)
    };
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(cannot("be replaced", folder, &error));
        }
        _ => {}
    }
    site.iter()
        .try_for_each(|(name, bytes)| put(folder.join(name), bytes))
        .map_err(|error| cannot("be written", folder, &error))
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> String {
    format!("{} cannot {what}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &Command) -> String {
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn what_is_published_is_built_as_the_page_says() {
        let page = Page::read(workspace::root()).unwrap();
        let programs: Vec<&Program> = page.programs().collect();
        let built = |profile, programs: &[&Program]| words(&cargo_build(profile, programs));
        let first = built(Profile::Published, &programs[..1]);
        assert!(first.contains("--profile web ") && first.ends_with("--features small"), "{first}");
        let second = built(Profile::Published, &programs[1..]);
        assert!(second.contains("--profile engine ") && !second.contains("--features"), "{second}");
        let both = built(Profile::Quick, &programs);
        assert!(both.contains("--profile quick "), "{both}");
        assert!(both.ends_with("--bin orbitscope-web --bin orbitscope-engine"), "{both}");
    }

    #[test]
    fn a_site_replaces_the_one_before() {
        let folder = std::env::temp_dir().join(format!("orbitscope-site-{}", std::process::id()));
        let site = |name: &str| Files::from([(name.to_owned(), b"x".to_vec())]);
        write(&site("old.js"), &folder).unwrap();
        write(&site("inner/new.js"), &folder).unwrap();
        assert!(!folder.join("old.js").exists());
        assert_eq!(fs::read(folder.join("inner/new.js")).unwrap(), b"x");
        fs::remove_dir_all(&folder).unwrap();
    }
}
