//! `cargo xtask mutants`: which small changes of the core do the tests not notice?

use orbitscope_mutants::project::{Copy, Mutant, Project};
use orbitscope_mutants::record::{self, Explained, Results};
use orbitscope_mutants::run::{Limits, Suite, Verdict};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

const HELP: &str = "\
Usage: cargo xtask mutants [options] MODULE...

Builds the named modules of the core once, with every mutant behind a switch, and runs the tests that reach a mutant
against it. Verdicts are kept in target/mutants; docs/mutants.md is the record.

  --every N      try every N-th mutant only
  --again        try only those that the last run left alive
  --by-hand      only the mistakes of mutants/seeded.txt, which is a copy that is built sooner
  --only TEXT    try only those whose file, function or change contains the text
  --tests TEXT   run only tests with the text in their name (may be given several times)
  --cases N      random cases of a test (30)
  --seconds S    leave out tests that compute longer than this (4)
  --jobs N       programs at a time (2)
  --program FILE run this program of tests, built from the copy by hand, instead of building all of them
  --list         list the mutants and run nothing";

#[expect(clippy::struct_excessive_bools, reason = "each switch can be given on its own")]
struct Options {
    modules: Vec<String>,
    every: usize,
    again: bool,
    by_hand: bool,
    only: Option<String>,
    program: Option<PathBuf>,
    list: bool,
    help: bool,
    limits: Limits,
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    if options.help {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match start(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn number<T: std::str::FromStr>(option: &str, value: Option<String>) -> Result<T, String> {
    let value = value.ok_or_else(|| format!("error: {option} needs a value"))?;
    value.parse().map_err(|_| format!("error: '{value}' is no value for {option}"))
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let limits = Limits { cases: 30, seconds: 4.0, jobs: 2, memory: 4_000_000, filters: Vec::new() };
    let mut options = Options {
        modules: Vec::new(),
        every: 1,
        again: false,
        by_hand: false,
        only: None,
        program: None,
        list: false,
        help: false,
        limits,
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--every" => options.every = number::<std::num::NonZeroUsize>(&arg, args.next())?.get(),
            "--again" => options.again = true,
            "--by-hand" => options.by_hand = true,
            "--list" => options.list = true,
            "--help" | "-h" => options.help = true,
            "--program" => options.program = Some(number(&arg, args.next())?),
            "--only" => options.only = Some(number(&arg, args.next())?),
            "--tests" => options.limits.filters.push(number(&arg, args.next())?),
            "--cases" => options.limits.cases = number(&arg, args.next())?,
            "--seconds" => options.limits.seconds = number(&arg, args.next())?,
            "--jobs" => options.limits.jobs = number(&arg, args.next())?,
            _ if arg.starts_with('-') => return Err(format!("error: there is no option '{arg}'")),
            _ => options.modules.push(arg),
        }
    }
    if options.modules.is_empty() && !options.help {
        Err("error: name a module of the core".into())
    } else {
        Ok(options)
    }
}

fn start(options: &Options) -> Result<(), String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = root.parent().expect("the package is a folder of the workspace").to_owned();
    let work = root.join("target/mutants");
    let explained = Explained::load(&root.join("docs/mutants.md"));
    let project = Project { root, package: "core".into(), test: "suite".into(), work: work.clone() };
    let mut copy = Copy::read(project, &options.modules, options.by_hand)?;
    if options.list {
        let names = copy.names();
        for mutant in copy.mutants() {
            println!("{} {}", mutant.number, record::listed(&copy, &names, mutant));
        }
        return Ok(());
    }
    let program = match &options.program {
        Some(program) => {
            std::path::absolute(program).map_err(|error| format!("{}: {error}", program.display()))?
        }
        None => copy.build()?,
    };
    let file = work.join("results.tsv");
    let results = Results::load(&file);
    let names = copy.names();
    let mut mutants: Vec<Mutant> = copy.mutants().into_iter().step_by(options.every).collect();
    mutants.retain(|mutant| {
        let name = &names[&mutant.number];
        (!options.again || results.is_alive(name))
            && options.only.as_ref().is_none_or(|only| name.contains(only))
    });
    eprintln!("the tests run once without a mutant");
    let folder = work.join("tree/core");
    let suite = Suite::measure(program, folder, options.limits.clone())?;
    eprintln!("left out, too slow or failing: {}", suite.left_out.join(" "));
    eprintln!("{} mutants are tried", mutants.len());
    let results = Mutex::new((results, 0));
    suite.run(&copy, &mutants, |mutant, verdict| {
        let (results, done) = &mut *results.lock().expect("no thread panics");
        results.note(&names[&mutant.number], verdict);
        *done += 1;
        // A run that is stopped loses little.
        if *done % 20 == 0 {
            let _ = results.save(&file);
            eprintln!("  {done} of {}", mutants.len());
        }
        let name = &names[&mutant.number];
        if matches!(verdict, Verdict::Survived | Verdict::NotReached) && !explained.has(name) {
            let word = if *verdict == Verdict::Survived { "survived" } else { "not reached" };
            println!("- {}; {word}", record::listed(&copy, &names, mutant));
        }
    });
    let (results, _) = results.into_inner().expect("no thread panics");
    results.save(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("\n{}", record::table(&copy, &results, &explained));
    Ok(())
}
