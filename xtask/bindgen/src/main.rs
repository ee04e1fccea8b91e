//! Makes of a compiled program what a browser loads: `orbitscope-bindgen PROGRAM.wasm FOLDER NAME`.
//!
//! The files are `NAME.js` and `NAME_bg.wasm`, as `wasm-bindgen --target web` writes them, but for two things: there are no types,
//! and the script does not guess where the program is. The page says so, since its build renames both.

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let outcome = match arguments.as_slice() {
        [flag] if flag == "--version" => {
            println!("orbitscope-bindgen {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        [program, folder, name] => match name.to_str() {
            Some(name) => Bindgen::new()
                .web(true)
                .and_then(|bindgen| {
                    bindgen
                        .input_path(program)
                        .out_name(name)
                        .typescript(false)
                        .omit_default_module_path(true)
                        .generate(folder)
                })
                .map_err(|error| format!("{error:?}")),
            None => Err("the name is not UTF-8".into()),
        },
        _ => Err("usage: orbitscope-bindgen PROGRAM.wasm FOLDER NAME".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
