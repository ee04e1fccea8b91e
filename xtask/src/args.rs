//! The command line of `cargo xtask`.

use crate::bench::BenchOptions;
use crate::fuzz::TARGETS;
use crate::site::Profile;
use crate::soak::{KINDS, SoakOptions};
use crate::steps::Step;

/// The text of `cargo xtask help`.
pub(crate) const HELP: &str = "\
Usage: cargo xtask <command>

  serve [--port N]           install what is missing, build the page, serve it on 127.0.0.1 (port 8080) and build it
                             anew after an edit; with --release as it is published, with --dev without optimisation
  test [STEP...]             install what is missing and run every check but doors and wheel, or only the named steps:
                             fmt clippy native no-std stranger browser site e2e doors wheel
  soak [KIND] [--cases N] [--minutes N] [--seed N]
                             N random cases more (100000) than docs/soak.md has, and what they went through; as KIND engines,
                             all of them on programs and properties, stress, the symbolic one, or every, proofs for every size
  coverage                   which lines of the engines the random tests reach, into docs/coverage.md
  build [--quick]            install what is missing and build the static site in dist/; with --quick soon and little
                             optimised, in target/site, to look at or to test with DIST=target/site node --test e2e/...
  dist                       build everything that would be published into target/publish: the program with the page in it, site,
                             packages, crates, checksums, and a list of what they are made of
  vsix                       make the extension for Visual Studio Code, target/orbitscope-VERSION.vsix
  npm                        make the package for npm, target/npm/orbitscope-VERSION.tgz, with the site of dist/ in it
  wheel                      make the wheel for Python in target/python/wheels, with the page of dist/ in it
  book                       build the guide as a book in target/book, where mdbook is installed
  bench [--quick]            measure this and every other checker that is installed, and write BENCHMARKS.md; $SPIN, $CC and
                             $ORBITSCOPE_TLA2TOOLS (the jar of TLC) name what is not on the PATH
  mutants [OPTION...] MODULE...
                             change the named modules of the core in small ways and say which changes no test notices;
                             `mutants --help` lists the options
  fuzz [TARGET...] [--minutes N]
                             install what is missing and let libFuzzer search for what breaks, ten minutes a target:
                             parser link hoa log check
  murphi FOLDER              check every Murphi model of a folder, and compare with the counts that are known of public ones
  shots                      build the site and take the pictures of the README, docs/images/*.png, and of the page's
                             main states in both themes and all sizes, target/shots/*.png
  help                       this text

Tools are kept in $ORBITSCOPE_TOOLS, or else in $XDG_CACHE_HOME/orbitscope/tools, or ~/.cache/orbitscope/tools.
$CHROMIUM and $CHROMEDRIVER name a browser and its driver that are not on the PATH.";

/// The port of `serve` where none is given.
const DEFAULT_PORT: u16 = 8080;

/// One of the commands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    /// The site, in this way.
    Build(Profile),
    Dist,
    Vsix,
    Npm,
    Wheel,
    Book,
    Shots,
    Bench(BenchOptions),
    /// Arguments for the tool itself.
    Mutants(Vec<String>),
    Fuzz(FuzzOptions),
    Serve(ServeOptions),
    Test(Vec<Step>),
    Soak(SoakOptions),
    Coverage,
    /// A folder of Murphi models.
    Murphi(std::path::PathBuf),
}

/// The options of `serve`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ServeOptions {
    pub(crate) port: u16,
    pub(crate) profile: Profile,
}

/// The options of `fuzz`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FuzzOptions {
    pub(crate) targets: Vec<&'static str>,
    pub(crate) minutes: u32,
}

/// Reads the arguments after the program's name.
pub(crate) fn parse(args: impl IntoIterator<Item = String>) -> Result<Command, String> {
    let mut args = args.into_iter();
    let Some(name) = args.next() else { return Ok(Command::Help) };
    match name.as_str() {
        "help" | "--help" | "-h" => Ok(Command::Help),
        "build" => parse_quick(args)
            .map(|quick| Command::Build(if quick { Profile::Quick } else { Profile::Published })),
        "dist" => nothing_more(args).map(|()| Command::Dist),
        "vsix" => nothing_more(args).map(|()| Command::Vsix),
        "npm" => nothing_more(args).map(|()| Command::Npm),
        "wheel" => nothing_more(args).map(|()| Command::Wheel),
        "book" => nothing_more(args).map(|()| Command::Book),
        "shots" => nothing_more(args).map(|()| Command::Shots),
        "bench" => parse_quick(args).map(|quick| Command::Bench(BenchOptions { quick })),
        "mutants" => Ok(Command::Mutants(args.collect())),
        "fuzz" => parse_fuzz(args).map(Command::Fuzz),
        "serve" => parse_serve(args).map(Command::Serve),
        "test" => parse_steps(args).map(Command::Test),
        "soak" => parse_soak(args).map(Command::Soak),
        "murphi" => match args.next() {
            Some(folder) => nothing_more(args).map(|()| Command::Murphi(folder.into())),
            None => Err("murphi needs the folder with the models".into()),
        },
        "coverage" => nothing_more(args).map(|()| Command::Coverage),
        other => Err(format!("there is no command '{other}'")),
    }
}

fn nothing_more(mut args: impl Iterator<Item = String>) -> Result<(), String> {
    args.next().map_or(Ok(()), |extra| Err(format!("unexpected argument '{extra}'")))
}

/// `--quick` or nothing.
fn parse_quick(args: impl Iterator<Item = String>) -> Result<bool, String> {
    let mut quick = false;
    for arg in args {
        match arg.as_str() {
            "--quick" => quick = true,
            _ => return Err(format!("unexpected argument '{arg}'")),
        }
    }
    Ok(quick)
}

fn parse_soak(mut args: impl Iterator<Item = String>) -> Result<SoakOptions, String> {
    let mut options = SoakOptions { kind: &KINDS[0], cases: 100_000, minutes: 100_000, seed: None };
    while let Some(arg) = args.next() {
        if let Some(kind) = KINDS.iter().find(|kind| kind.name == arg) {
            options.kind = kind;
            continue;
        }
        if !["--cases", "--minutes", "--seed"].contains(&arg.as_str()) {
            return Err(format!("unexpected argument '{arg}'"));
        }
        let text = args.next().ok_or_else(|| format!("{arg} needs a number"))?;
        let number = text.parse().map_err(|_| format!("'{text}' is no number for {arg}"))?;
        match arg.as_str() {
            "--cases" => options.cases = number,
            "--minutes" => options.minutes = number,
            _ => options.seed = Some(number),
        }
    }
    Ok(options)
}

fn parse_fuzz(mut args: impl Iterator<Item = String>) -> Result<FuzzOptions, String> {
    let mut options = FuzzOptions { targets: Vec::new(), minutes: 10 };
    while let Some(arg) = args.next() {
        if let Some(target) = TARGETS.into_iter().find(|target| *target == arg) {
            options.targets.push(target);
        } else if arg == "--minutes" {
            let text = args.next().ok_or("--minutes needs a number")?;
            let minutes = text.parse().ok().filter(|minutes| (1..=10_000).contains(minutes));
            options.minutes = minutes.ok_or(format!("'{text}' is not a number of minutes"))?;
        } else {
            return Err(format!("there is no fuzz target '{arg}': there are {}", TARGETS.join(", ")));
        }
    }
    if options.targets.is_empty() {
        options.targets = TARGETS.to_vec();
    }
    Ok(options)
}

fn parse_serve(mut args: impl Iterator<Item = String>) -> Result<ServeOptions, String> {
    let mut options = ServeOptions { port: DEFAULT_PORT, profile: Profile::Quick };
    while let Some(arg) = args.next() {
        if arg == "--dev" {
            options.profile = Profile::Dev;
        } else if arg == "--release" {
            options.profile = Profile::Published;
        } else if arg == "--port" {
            options.port = parse_port(&args.next().ok_or("--port needs a number")?)?;
        } else if let Some(port) = arg.strip_prefix("--port=") {
            options.port = parse_port(port)?;
        } else {
            return Err(format!("unexpected argument '{arg}'"));
        }
    }
    Ok(options)
}

fn parse_port(text: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(port) if port > 0 => Ok(port),
        _ => Err(format!("'{text}' is not a port: expected a number from 1 to 65535")),
    }
}

/// The named steps in the order of [`Step::ALL`]; all that are not extra where none is named.
fn parse_steps(args: impl Iterator<Item = String>) -> Result<Vec<Step>, String> {
    let mut named = Vec::new();
    for arg in args {
        let step = Step::ALL.into_iter().find(|step| step.name() == arg);
        named.push(step.ok_or_else(|| format!("there is no step '{arg}'"))?);
    }
    Ok(Step::ALL
        .into_iter()
        .filter(|step| if named.is_empty() { !step.is_extra() } else { named.contains(step) })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn commands_without_arguments() {
        assert_eq!(parse_line(""), Ok(Command::Help));
        assert_eq!(parse_line("help"), Ok(Command::Help));
        assert_eq!(parse_line("build"), Ok(Command::Build(Profile::Published)));
        assert_eq!(parse_line("build --quick"), Ok(Command::Build(Profile::Quick)));
        assert_eq!(parse_line("book"), Ok(Command::Book));
        assert_eq!(parse_line("dist"), Ok(Command::Dist));
        assert_eq!(parse_line("vsix"), Ok(Command::Vsix));
        assert_eq!(parse_line("npm"), Ok(Command::Npm));
        assert_eq!(parse_line("wheel"), Ok(Command::Wheel));
        assert_eq!(parse_line("shots"), Ok(Command::Shots));
        assert_eq!(parse_line("bench --quick"), Ok(Command::Bench(BenchOptions { quick: true })));
        assert_eq!(
            parse_line("mutants --every 3 ltl"),
            Ok(Command::Mutants(vec!["--every".into(), "3".into(), "ltl".into()]))
        );
        assert_eq!(parse_line("bench"), Ok(Command::Bench(BenchOptions { quick: false })));
        assert_eq!(parse_line("build now"), Err("unexpected argument 'now'".into()));
        assert_eq!(parse_line("bulid"), Err("there is no command 'bulid'".into()));
    }

    #[test]
    fn soak_takes_a_kind_and_numbers() {
        let soak = |kind: usize, cases, minutes, seed| {
            Ok(Command::Soak(SoakOptions { kind: &KINDS[kind], cases, minutes, seed }))
        };
        assert_eq!(parse_line("soak"), soak(0, 100_000, 100_000, None));
        assert_eq!(parse_line("soak --seed 7 every --cases 1000000"), soak(2, 1_000_000, 100_000, Some(7)));
        assert_eq!(parse_line("soak stress --minutes 5"), soak(1, 100_000, 5, None));
        assert_eq!(parse_line("soak --cases"), Err("--cases needs a number".into()));
        assert_eq!(parse_line("soak --cases many"), Err("'many' is no number for --cases".into()));
        assert_eq!(parse_line("soak all"), Err("unexpected argument 'all'".into()));
        assert_eq!(parse_line("coverage"), Ok(Command::Coverage));
        assert_eq!(parse_line("murphi models"), Ok(Command::Murphi("models".into())));
        assert_eq!(parse_line("murphi"), Err("murphi needs the folder with the models".into()));
    }

    #[test]
    fn serve_takes_a_port_and_a_profile() {
        let serve = |port, profile| Ok(Command::Serve(ServeOptions { port, profile }));
        assert_eq!(parse_line("serve"), serve(8080, Profile::Quick));
        assert_eq!(parse_line("serve --port 9000"), serve(9000, Profile::Quick));
        assert_eq!(parse_line("serve --dev --port=9001"), serve(9001, Profile::Dev));
        assert_eq!(parse_line("serve --release"), serve(8080, Profile::Published));
        assert_eq!(parse_line("serve --port"), Err("--port needs a number".into()));
        for bad in ["0", "65536", "-1", "http"] {
            let message = format!("'{bad}' is not a port: expected a number from 1 to 65535");
            assert_eq!(parse_line(&format!("serve --port {bad}")), Err(message));
        }
    }

    #[test]
    fn fuzz_takes_targets_and_a_time() {
        let fuzz = |targets: &[&'static str], minutes| {
            Ok(Command::Fuzz(FuzzOptions { targets: targets.to_vec(), minutes }))
        };
        assert_eq!(parse_line("fuzz"), fuzz(&TARGETS, 10));
        assert_eq!(parse_line("fuzz check hoa --minutes 60"), fuzz(&["check", "hoa"], 60));
        assert_eq!(parse_line("fuzz --minutes"), Err("--minutes needs a number".into()));
        assert_eq!(parse_line("fuzz --minutes 0"), Err("'0' is not a number of minutes".into()));
        assert!(
            parse_line("fuzz everything").unwrap_err().contains("there are parser, link, hoa, log, check")
        );
        assert!(TARGETS.iter().all(|target| HELP.contains(target)));
    }

    #[test]
    fn steps_run_in_their_own_order() {
        assert_eq!(
            parse_line("test"),
            Ok(Command::Test(Step::ALL.into_iter().filter(|step| !step.is_extra()).collect()))
        );
        assert_eq!(parse_line("test e2e fmt"), Ok(Command::Test(vec![Step::Format, Step::EndToEnd])));
        assert_eq!(parse_line("test lint"), Err("there is no step 'lint'".into()));
    }

    #[test]
    fn the_help_names_every_step() {
        for step in Step::ALL {
            assert!(HELP.contains(step.name()), "{} is not in the help", step.name());
        }
    }
}
