//! Going to any step of a log.

use super::{Log, Snapshot};
use alloc::vec::Vec;

/// Goes to any step of a log, from where it is or from a checkpoint. It borrows nothing: the log is passed in, the same one
/// each time.
#[derive(Clone, Debug, Default)]
pub struct Player {
    current: Snapshot,
    /// The states at the multiples of the distance, as far as they have been passed.
    checkpoints: Vec<Snapshot>,
}

/// At most this many checkpoints are kept: a state is as large as the number of visited nodes.
const CHECKPOINTS: u32 = 32;
/// Checkpoints are no closer than this.
const DISTANCE: u32 = 64;

impl Player {
    /// A player before the first step.
    pub fn new() -> Player {
        Player::default()
    }

    /// The search's state where the player is.
    pub fn current(&self) -> &Snapshot {
        &self.current
    }

    /// The search's state after the first `step` steps; none where the log has fewer.
    pub fn seek(&mut self, log: &Log, step: u32) -> Option<&Snapshot> {
        let distance = (log.len() / CHECKPOINTS).max(DISTANCE);
        if step > log.len() {
            return None;
        }
        let number = (step / distance).min(self.checkpoints.len() as u32);
        // Checkpoint 0 is the beginning, which needs none.
        let nearest = number * distance;
        if step < self.current.step || nearest > self.current.step {
            let checkpoint = number.checked_sub(1).map(|n| &self.checkpoints[n as usize]);
            self.current = checkpoint.cloned().unwrap_or_default();
        }
        for &next in &log.steps()[self.current.step as usize..step as usize] {
            self.current.apply(log, next)?;
            let passed = self.checkpoints.len() as u32 + 1;
            if self.current.step == passed * distance {
                self.checkpoints.push(self.current.clone());
            }
        }
        Some(&self.current)
    }
}
