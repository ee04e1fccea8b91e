//! orbitscope-web.
fn main() {}
