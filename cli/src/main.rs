//! orbitscope-cli.
fn main() {}
