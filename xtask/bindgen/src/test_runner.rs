//! Runs tests that are compiled for the browser in one: `wasm-bindgen-test-runner`, under a name of our own.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    if env::args_os().nth(1).is_some_and(|flag| flag == "--version") {
        println!("orbitscope-test-runner {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    match wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}
