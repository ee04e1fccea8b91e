//! Checks every property of a model.
//!
//! `cargo run -p orbitscope-core --example check`

use orbitscope_core::{Model, models};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let source = models::find("resource_controller").ok_or("there is no such model")?.source;
    let model = Model::parse(source)?.set("clients", 4)?;
    println!("the symmetry group has order {}", model.symmetry().group.order());
    for (name, answer) in model.check_all() {
        match answer {
            Ok(answer) if answer.holds() => println!("{name}: holds"),
            Ok(answer) if answer.is_violated() => println!("{name}: violated"),
            Ok(answer) => println!("{answer}"),
            Err(error) => println!("{name}: {error}"),
        }
    }
    Ok(())
}
