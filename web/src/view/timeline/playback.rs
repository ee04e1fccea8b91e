//! Playing, pausing and stepping: where the player is, as a value.

/// The speeds, in steps a second.
pub const SPEEDS: [f64; 9] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0];
/// The speed at the beginning, as a position in [`SPEEDS`].
const FIRST_SPEED: usize = 2;
/// A page that was in the background must not leap: a longer time counts as so many milliseconds, or as one step.
const LONGEST_MS: f64 = 250.0;
/// The shortest time between two steps that are drawn, in milliseconds.
const FRAME_MS: f64 = 16.0;
/// Clocks are a little early now and then: this part of a step more is given.
const EARLY: f64 = 0.1;

/// Where the player is, and whether it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// How many steps have been done.
    pub step: u32,
    /// Whether it goes on by itself.
    pub playing: bool,
    /// The speed, as a position in [`SPEEDS`].
    pub speed: usize,
    /// The part of the next step whose time has passed.
    due: f64,
}

/// What one can ask of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Play, or pause; at the end, play from the beginning.
    Toggle,
    /// Pause.
    Pause,
    /// So many steps on, or back; it pauses.
    By(i32),
    /// To a step; it pauses.
    To(u32),
    /// To the last step; it pauses.
    End,
    /// Another speed.
    Speed(usize),
    /// So many milliseconds have passed.
    Passed(f64),
}

/// Elements that use keys themselves: those in which one types or chooses.
const TYPED_IN: &[&str] = &["INPUT", "TEXTAREA", "SELECT"];
/// Roles of elements in which the arrows go from part to part.
const GONE_THROUGH: &[&str] =
    &["tab", "tablist", "grid", "listbox", "option", "menu", "menuitem", "slider", "radio", "tree", "treeitem"];

impl Control {
    /// What a key asks for, where the element that has the focus, by its tag and its role, does not use the key itself.
    pub fn of_key_at(key: &str, tag: &str, role: Option<&str>) -> Option<Control> {
        let pressed = key == " " && (matches!(tag, "BUTTON" | "A" | "SUMMARY") || role == Some("button"));
        let taken = TYPED_IN.contains(&tag) || role.is_some_and(|role| GONE_THROUGH.contains(&role)) || pressed;
        if taken { None } else { Control::of_key(key) }
    }

    /// What a key asks for.
    pub fn of_key(key: &str) -> Option<Control> {
        Some(match key {
            " " => Control::Toggle,
            "ArrowRight" => Control::By(1),
            "ArrowLeft" => Control::By(-1),
            "PageDown" => Control::By(10),
            "PageUp" => Control::By(-10),
            "Home" => Control::To(0),
            "End" => Control::End,
            _ => return None,
        })
    }
}

impl Default for Playback {
    fn default() -> Self {
        Playback { step: 0, playing: false, speed: FIRST_SPEED, due: 0.0 }
    }
}

impl Playback {
    /// How long to wait for the next step, in milliseconds.
    pub fn period_ms(&self) -> f64 {
        (1000.0 / SPEEDS[self.speed]).max(FRAME_MS)
    }

    /// The player after a control, over a log of `len` steps.
    #[must_use]
    pub fn after(self, control: Control, len: u32) -> Playback {
        let step = self.step.min(len);
        let at = |step: u32| Playback { step: step.min(len), playing: false, due: 0.0, ..self };
        match control {
            Control::Toggle if self.playing => at(step),
            Control::Toggle if len == 0 => at(0),
            Control::Toggle => Playback { playing: true, ..at(if step == len { 0 } else { step }) },
            Control::Pause => at(step),
            Control::By(by) => at(step.saturating_add_signed(by)),
            Control::To(step) => at(step),
            Control::End => at(len),
            Control::Speed(speed) => Playback { step, speed: speed.min(SPEEDS.len() - 1), ..self },
            Control::Passed(_) if !self.playing => Playback { step, ..self },
            Control::Passed(ms) => {
                let due = self.due + ms.clamp(0.0, LONGEST_MS.max(self.period_ms())) / 1000.0 * SPEEDS[self.speed];
                let whole = (due + EARLY).floor();
                let step = step.saturating_add(whole as u32).min(len);
                // Playing ends at the verdict.
                if step == len { at(len) } else { Playback { step, due: due - whole, ..self } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(playback: Playback, controls: &[Control], len: u32) -> Playback {
        controls.iter().fold(playback, |playback, &control| playback.after(control, len))
    }

    #[test]
    fn steps_stay_on_the_log() {
        let player = Playback::default();
        assert_eq!(after(player, &[Control::By(-1)], 5).step, 0);
        assert_eq!(after(player, &[Control::By(3), Control::By(9)], 5).step, 5);
        assert_eq!(after(player, &[Control::End, Control::By(-2)], 5).step, 3);
        assert_eq!(after(player, &[Control::To(99)], 5).step, 5);
        assert_eq!(after(player, &[Control::To(4), Control::Pause], 2).step, 2, "the log has become shorter");
    }

    #[test]
    fn playing_takes_its_time_and_ends_at_the_verdict() {
        let player = Playback::default().after(Control::Speed(1), 3).after(Control::Toggle, 3);
        assert!(player.playing);
        let quarter = Control::Passed(250.0);
        assert_eq!(after(player, &[quarter; 3], 3).step, 0);
        assert_eq!(after(player, &[quarter; 4], 3).step, 1);
        let end = after(player, &[quarter; 12], 3);
        assert_eq!((end.step, end.playing), (3, false));
        let again = end.after(Control::Toggle, 3);
        assert_eq!((again.step, again.playing), (0, true), "played again from the beginning");
        assert_eq!(after(player, &[Control::Passed(60_000.0)], 3).step, 1, "a page in the background leaps not");
        let slow = player.after(Control::Speed(0), 9);
        assert_eq!(after(slow, &[Control::Passed(1999.0); 3], 9).step, 3, "clocks may be early");
        assert_eq!(player.after(Control::Speed(8), 9).period_ms(), FRAME_MS);
    }

    #[test]
    fn a_hand_on_the_controls_pauses() {
        let playing = Playback::default().after(Control::Toggle, 9);
        for control in [Control::Toggle, Control::By(1), Control::To(4), Control::End, Control::Pause] {
            assert!(!playing.after(control, 9).playing, "{control:?}");
        }
        assert!(playing.after(Control::Speed(4), 9).playing);
        assert!(!Playback::default().after(Control::Toggle, 0).playing, "there is nothing to play");
    }

    #[test]
    fn keys_are_controls() {
        assert_eq!(Control::of_key(" "), Some(Control::Toggle));
        assert_eq!(Control::of_key("ArrowLeft"), Some(Control::By(-1)));
        assert_eq!(Control::of_key("a"), None);
        let at = |key, tag, role| Control::of_key_at(key, tag, role).is_some();
        assert!(at(" ", "BODY", None) && at("ArrowLeft", "BUTTON", None) && at("Home", "svg", Some("img")));
        assert!(!at(" ", "BUTTON", None) && !at("ArrowLeft", "TEXTAREA", None) && !at("End", "INPUT", None));
        assert!(!at("ArrowLeft", "BUTTON", Some("tab")) && !at(" ", "g", Some("button")));
    }
}
