//! What the page shows, as plain values: pure functions of the session and the engine's answer.

pub mod drawing;
pub mod layering;
pub mod properties;
pub mod routing;
pub mod summary;
pub mod text;
pub mod theme;
pub mod viewport;
