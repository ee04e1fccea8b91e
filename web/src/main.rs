//! The entry point of the page.

fn main() {
    #[cfg(target_arch = "wasm32")]
    orbitscope_web::app::start();
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("Orbitscope's page runs in a browser: start it with `cargo xtask serve`.");
}
