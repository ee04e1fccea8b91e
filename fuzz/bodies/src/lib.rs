//! The bodies of the fuzz targets: one plain function from bytes for each, so that libFuzzer and an ordinary test call
//! the same.
//!
//! A function panics where something that must hold does not. Whatever the bytes are, it ends soon.

mod check;
mod choices;
mod log;
mod model;
mod text;

pub use check::check;
pub use log::log;
pub use text::{hoa, link, parser};

/// Takes any bytes; a panic is what is looked for.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Target); 5] =
    [("parser", parser), ("link", link), ("hoa", hoa), ("log", log), ("check", check)];
