//! Draws the quotient of a model, for Graphviz, or as SVG with the argument `svg`.
//!
//! `cargo run -p orbitscope-core --example draw | dot -Tpng > quotient.png`

use orbitscope_core::{GraphOf, Model, draw, models};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let source = models::find("resource_controller").ok_or("there is no such model")?.source;
    let model = Model::parse(source)?.set("clients", 3)?;
    let quotient = model.graph(GraphOf::Quotient, 1_000)?;
    let states = model.graph(GraphOf::States, 1_000)?;
    eprintln!("{} states, {} up to symmetry", states.nodes.len(), quotient.nodes.len());
    if std::env::args().nth(1).as_deref() == Some("svg") {
        println!("{}", draw::svg(&quotient));
    } else {
        println!("{}", draw::dot(&quotient));
    }
    Ok(())
}
