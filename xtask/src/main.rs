//! The project's own commands: `cargo xtask serve`, `test`, `soak`, `coverage`, `build`, `book`, `bench`, `mutants`, `fuzz` and `shots`.
//!
//! Each installs what is missing before it starts, so that a fresh clone needs rustup and nothing else.

mod args;
mod bench;
mod book;
mod checksum;
mod coverage;
mod dist;
mod doors;
mod fuzz;
mod install;
mod inventory;
mod lockfile;
mod murphi;
mod offline;
mod page;
mod process;
mod serve;
mod site;
mod soak;
mod steps;
mod stranger;
mod tools;
mod wheel;
mod workspace;

use args::Command;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = match args::parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(message) => {
            eprintln!("error: {message}\n\n{}", args::HELP);
            return ExitCode::from(2);
        }
    };
    let outcome = match command {
        Command::Help => {
            println!("{}", args::HELP);
            Ok(())
        }
        Command::Build(profile) => site::build_command(profile),
        Command::Dist => dist::dist_command(),
        Command::Vsix => doors::tell(doors::vsix()),
        Command::Npm => doors::tell(doors::npm()),
        Command::Wheel => doors::tell(wheel::wheel("release")),
        Command::Book => book::book_command(),
        Command::Shots => site::shots_command(),
        Command::Serve(options) => serve::serve_command(&options),
        Command::Bench(options) => bench::bench_command(options),
        // A package of its own: what it needs to read Rust would slow every other command.
        Command::Mutants(words) => process::run(
            process::cargo()
                .args(["run", "--quiet", "--locked", "--package", "orbitscope-mutants", "--"])
                .args(words),
        ),
        Command::Soak(options) => soak::soak_command(&options),
        Command::Murphi(folder) => murphi::murphi_command(&folder),
        Command::Coverage => coverage::coverage_command(),
        Command::Fuzz(options) => fuzz::fuzz_command(&options),
        Command::Test(selection) => steps::test_command(&selection),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nerror: {message}");
            ExitCode::FAILURE
        }
    }
}
