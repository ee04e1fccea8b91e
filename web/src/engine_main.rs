//! The entry point of the page's workers: a program of its own, so that the page is there before its engine is.

fn main() {
    #[cfg(target_arch = "wasm32")]
    orbitscope_web::worker::start();
    #[cfg(not(target_arch = "wasm32"))]
    eprintln!("Orbitscope's engine runs in a worker of its page: start it with `cargo xtask serve`.");
}
