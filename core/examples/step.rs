//! Steps the search of a liveness property, and prints what each step did and which processes it knows to be in one
//! component: the partition at the top of the stack.
//!
//! `cargo run -p orbitscope-core --example step`

use orbitscope_core::{Model, models};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let source = models::find("resource_controller").ok_or("there is no such model")?.source;
    let model = Model::parse(source)?.set("clients", 3)?;
    let mut session = model.start("eventually_access")?;
    while session.step() {
        // The run that shows a violation is made in steps of its own, which have no event.
        let Some(event) = session.event() else { continue };
        let top = session.search().and_then(|search| search.frames().last());
        let Some(frame) = top else { continue };
        let name = |process| model.program().process_name(process);
        println!("{event:?}: {}", frame.partition.display(name));
    }
    println!("{} nodes were visited", session.progress().nodes);
    println!("{}", session.finish());
    Ok(())
}
