//! What the page shows, as plain values: pure functions of the session and the engine's answer.

pub mod picture;
pub mod properties;
pub mod summary;
pub mod text;
pub mod theme;
