//! The page's contents as plain values: pure functions of the session and the engine's answer.

pub mod algorithm;
pub mod branching;
pub mod compare;
pub mod editor;
pub mod elsewhere;
pub mod every;
pub mod explore;
pub mod inspect;
pub mod join;
pub mod narration;
pub mod picture;
pub mod plot;
pub mod properties;
pub mod room;
pub mod stack;
pub mod stage;
pub mod summary;
pub mod symbolic;
pub mod templates;
pub mod text;
pub mod theme;
pub mod timeline;
