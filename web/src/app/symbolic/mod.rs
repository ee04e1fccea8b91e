//! The symbolic engine's search: its player, the panel of an iteration, and a diagram to look at.

mod diagram;
mod iterations;
mod player;
mod plot;

pub(crate) use diagram::Diagram;
pub(crate) use iterations::IterationPanel;
pub(crate) use player::IterationPlayer;
