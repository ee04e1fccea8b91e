use orbitscope_core::{Model, models};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let source = models::find("resource_controller").ok_or("there is no such model")?.source;
    let model = Model::parse(source)?.set("clients", 5)?;
    let answer = model.check("eventually_access")?;
    println!("{}", answer.run_text());
    println!("{}", answer.ledger_text());
    Ok(())
}
