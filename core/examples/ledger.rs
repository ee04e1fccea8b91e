//! A liveness bug: the run that shows it, and why the run is fair to every process.
//!
//! `cargo run -p orbitscope-core --example ledger`

use orbitscope_core::Model;

/// The server may serve the same client again and again.
const SERVER: &str = "
param clients = 3 in 1..1000
shared served: client? = none
process server { action serve(c in client): served == none and c.waits -> served := c }
process client[clients] {
  var waits: bool = false
  action ask:   not waits -> waits := true
  action leave: served == self -> served := none, waits := false
}
ltl answered: forall c in client: G (c.waits => F not c.waits)
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::parse(SERVER)?.set("clients", 2)?;
    let answer = model.check("answered")?;
    println!("{}", answer.run_text());
    println!("{}", answer.ledger_text());
    let lasso = answer.lasso().ok_or("no run was found")?;
    println!("{} steps lead to a loop of {}", lasso.stem.len(), lasso.cycle.len());
    Ok(())
}
