//! The entry point of the page, and of its workers: they run the same program.

fn main() {
    #[cfg(target_arch = "wasm32")]
    match orbitscope_web::worker::scope() {
        Some(scope) => orbitscope_web::worker::start(&scope),
        None => orbitscope_web::app::start(),
    }
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("Orbitscope's page runs in a browser: start it with `cargo xtask serve`.");
}
