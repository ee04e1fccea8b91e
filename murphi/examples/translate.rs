//! Prints a Murphi model in the modelling language.

use orbitscope_core::text::LineIndex;
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("text");
    match orbitscope_murphi::translate(&text) {
        Ok(translation) => print!("{}", translation.text),
        Err(diagnostics) => {
            let lines = LineIndex::new(&text);
            for diagnostic in diagnostics {
                eprintln!("{}", diagnostic.render("<stdin>", &lines));
            }
            std::process::exit(2);
        }
    }
}
