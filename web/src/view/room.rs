//! How the screen is divided: the sizes that somebody dragged panels to, and the panel that has all of it.

/// A panel that can have the whole screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The graph with its player.
    Graph,
    /// The panels at the side.
    Side,
    /// The lanes.
    Run,
}

impl Part {
    /// The style's class while it has the screen.
    pub fn class(self) -> &'static str {
        match self {
            Part::Graph => "max-graph",
            Part::Side => "max-side",
            Part::Run => "max-run",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Part::Graph => "graph",
            Part::Side => "side",
            Part::Run => "run",
        }
    }
}

/// A border that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// Between the model and the graph.
    Model,
    /// Between the graph and the side.
    Side,
    /// Above the lanes.
    Run,
}

/// How the screen is divided; lengths in pixels, where somebody chose them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    model: Option<u32>,
    side: Option<u32>,
    run: Option<u32>,
    /// The panel that has all of it; this is not remembered.
    pub max: Option<Part>,
}

/// The least and the greatest length of each panel.
const MODEL: (u32, u32) = (240, 800);
const SIDE: (u32, u32) = (240, 900);
const RUN: (u32, u32) = (48, 900);

impl Room {
    fn place(&mut self, border: Border) -> (&mut Option<u32>, (u32, u32)) {
        match border {
            Border::Model => (&mut self.model, MODEL),
            Border::Side => (&mut self.side, SIDE),
            Border::Run => (&mut self.run, RUN),
        }
    }

    /// With the panel beside a border made so large, within reason.
    #[must_use]
    pub fn with(mut self, border: Border, length: f64) -> Room {
        let (place, (least, most)) = self.place(border);
        *place = Some((length.max(0.0) as u32).clamp(least, most));
        self
    }

    /// The length of a border's panel, with the least and the greatest; the usual one counts as the middle.
    pub fn extent(mut self, border: Border) -> (u32, u32, u32) {
        let (place, (least, most)) = self.place(border);
        (place.unwrap_or(u32::midpoint(least, most)), least, most)
    }

    /// With the usual length again.
    #[must_use]
    pub fn without(mut self, border: Border) -> Room {
        *self.place(border).0 = None;
        self
    }

    /// With all of the screen for this panel, or as it was where the panel has it.
    #[must_use]
    pub fn turned(self, part: Part) -> Room {
        Room { max: (self.max != Some(part)).then_some(part), ..self }
    }

    /// The custom properties of the style sheet; those without a length are as usual.
    pub fn properties(&self) -> [(&'static str, Option<String>); 3] {
        let of = |length: Option<u32>| length.map(|length| format!("{length}px"));
        [("--room-model", of(self.model)), ("--room-side", of(self.side)), ("--room-run", of(self.run))]
    }

    /// The sizes as text, to be remembered.
    pub fn to_text(self) -> String {
        let of = |length: Option<u32>| length.map_or_else(|| "-".into(), |length| length.to_string());
        [of(self.model), of(self.side), of(self.run)].join(" ")
    }

    /// Reads what was remembered; what cannot be read is as usual.
    pub fn from_text(text: &str) -> Room {
        let mut room = Room::default();
        for (border, word) in [Border::Model, Border::Side, Border::Run].into_iter().zip(text.split(' ')) {
            if let Ok(length) = word.parse::<u32>() {
                room = room.with(border, length.into());
            }
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_kept_within_reason_and_remembered() {
        let room = Room::default().with(Border::Side, 300.7).with(Border::Run, 5.0).with(Border::Model, 1e9);
        assert_eq!(room.to_text(), "800 300 48");
        assert_eq!(Room::from_text(&room.to_text()), room);
        assert_eq!(room.without(Border::Side).to_text(), "800 - 48");
        assert_eq!(room.properties()[1], ("--room-side", Some("300px".into())));
        for bad in ["", "x", "- - -", "-1 -1 -1", "NaN"] {
            assert_eq!(Room::from_text(bad), Room::default(), "{bad}");
        }
        assert_eq!(Room::from_text("1 2 3 4").to_text(), "240 240 48");
    }

    #[test]
    fn a_panel_has_the_screen_until_it_gives_it_back() {
        let room = Room::default().turned(Part::Graph);
        assert_eq!(room.max, Some(Part::Graph));
        assert_eq!(room.turned(Part::Run).max, Some(Part::Run));
        assert_eq!(room.turned(Part::Graph), Room::default());
    }
}
