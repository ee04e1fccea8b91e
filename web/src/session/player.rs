//! Where the film of the search is, and whether it runs.

/// The speeds that can be chosen, in steps a second.
pub const SPEEDS: [u32; 7] = [1, 2, 4, 8, 16, 60, 240];

/// The player. The picture at `step` is a function of the log and `step` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayState {
    /// How many steps have been done: 0 is before the first.
    pub step: u32,
    /// How many there are.
    pub len: u32,
    /// Whether it goes on by itself.
    pub playing: bool,
    /// How many steps a second it does then.
    pub speed: u32,
}

/// The actions on a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Starts it, from the beginning if it is at the end; or halts it.
    Toggle,
    /// Halts it and goes to a step; beyond the end is the end.
    Seek(u32),
    /// Halts it and goes one step on.
    Forward,
    /// Halts it and goes one step back.
    Back,
    /// Does the next steps, so many, if it runs; the last one of all halts it.
    Tick(u32),
    /// Halts it and goes to the next step at which playing stops, or to the end.
    ToHalt,
    /// Sets the speed, in steps a second.
    Speed(u32),
}

impl PlayState {
    /// A player of a film of this length, before its first step.
    pub fn new(len: u32) -> PlayState {
        PlayState { step: 0, len, playing: false, speed: SPEEDS[2] }
    }

    /// The player after something was done with it.
    #[must_use]
    pub fn after(self, play: Play) -> PlayState {
        let halted = PlayState { playing: false, ..self };
        match play {
            Play::Toggle if self.playing || self.len == 0 => halted,
            Play::Toggle => {
                let step = if self.step == self.len { 0 } else { self.step };
                PlayState { step, playing: true, ..self }
            }
            Play::Seek(step) => PlayState { step: step.min(self.len), ..halted },
            Play::Forward => PlayState { step: (self.step + 1).min(self.len), ..halted },
            Play::Back => PlayState { step: self.step.saturating_sub(1), ..halted },
            Play::Tick(steps) if self.playing => {
                let step = self.step.saturating_add(steps).min(self.len);
                PlayState { step, playing: step < self.len, ..self }
            }
            // Where that is only the session knows.
            Play::ToHalt => halted,
            Play::Tick(_) => self,
            Play::Speed(speed) => PlayState { speed: speed.max(1), ..self },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playing_goes_to_the_end_and_halts_there() {
        let mut player = PlayState::new(3).after(Play::Toggle);
        let mut seen = vec![player.step];
        while player.playing {
            player = player.after(Play::Tick(1));
            seen.push(player.step);
        }
        assert_eq!(seen, [0, 1, 2, 3]);
        assert_eq!(player.after(Play::Tick(1)), player);
        assert_eq!(PlayState::new(9).after(Play::Toggle).after(Play::Tick(4)).step, 4);
        // Once more from the beginning.
        let again = player.after(Play::Toggle);
        assert!(again.playing && again.step == 0);
    }

    #[test]
    fn whoever_takes_the_wheel_halts_it() {
        let playing = PlayState::new(9).after(Play::Seek(4)).after(Play::Toggle);
        assert!(playing.playing);
        for (play, step) in
            [(Play::Toggle, 4), (Play::Forward, 5), (Play::Back, 3), (Play::Seek(7), 7), (Play::Seek(99), 9)]
        {
            let after = playing.after(play);
            assert_eq!((after.step, after.playing), (step, false), "{play:?}");
        }
        assert!(playing.after(Play::Speed(60)).playing);
    }

    #[test]
    fn nothing_happens_without_a_film() {
        let empty = PlayState::new(0);
        for play in [Play::Toggle, Play::Forward, Play::Back, Play::Seek(3), Play::Tick(1)] {
            assert_eq!(empty.after(play), empty);
        }
    }
}
