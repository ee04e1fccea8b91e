//! Halts: steps of the search at which playing stops by itself, as a debugger stops at a line.

use super::{Mode, Play, PlayState, Session};
use orbitscope_core::search::{Command, Event};

/// Something at which playing stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// An edge that closes a cycle.
    Back,
    /// The knowledge of a node is joined into the one before it.
    Join,
    /// A component is complete.
    Component,
    /// The search comes to the node with this number.
    Node(u32),
    /// A command of the algorithm runs.
    Line(Command),
}

impl Halt {
    /// Those that every search has.
    pub const KINDS: [Halt; 3] = [Halt::Back, Halt::Join, Halt::Component];

    /// Whether playing stops at this step.
    pub fn meets(self, event: Event) -> bool {
        match (self, event) {
            (Halt::Back, Event::Back { .. })
            | (Halt::Join, Event::Join { .. })
            | (Halt::Component, Event::Component { .. }) => true,
            (
                Halt::Node(number),
                Event::Root(to) | Event::Tree { to, .. } | Event::Back { to, .. } | Event::Cross { to, .. },
            ) => to.0 == number,
            (Halt::Line(command), event) => event.commands().contains(&command),
            _ => false,
        }
    }

    /// Its name on the page.
    pub fn name(self) -> String {
        match self {
            Halt::Back => "back edge".into(),
            Halt::Join => "join".into(),
            Halt::Component => "component".into(),
            Halt::Node(number) => format!("u{number}"),
            Halt::Line(command) => format!("line {}", command.number()),
        }
    }
}

impl Session {
    /// Sets a halt, or takes it away.
    pub(super) fn toggle_halt(&mut self, halt: Halt) {
        let others = self.play.halts.iter().copied().filter(|&other| other != halt);
        let mut halts: Vec<Halt> = others.collect();
        if halts.len() == self.play.halts.len() {
            halts.push(halt);
        }
        self.play.halts = halts.into();
    }

    /// Another search has other nodes.
    pub(super) fn drop_node_halts(&mut self) {
        let kept = self.play.halts.iter().copied().filter(|halt| !matches!(halt, Halt::Node(_)));
        self.play.halts = kept.collect();
    }

    /// Whether playing stops somewhere before the end.
    pub fn has_halts(&self) -> bool {
        !self.play.halts.is_empty() && matches!(self.mode(), Mode::Search(_))
    }

    /// The next step after `step` at which playing stops.
    pub fn next_halt(&self, step: u32) -> Option<u32> {
        let Mode::Search(film) = self.mode() else { return None };
        let later = (step + 1..).zip(film.log.steps().iter().skip(step as usize));
        let mut met = later.filter(|(_, done)| self.play.halts.iter().any(|halt| halt.meets(done.event)));
        met.next().map(|(number, _)| number)
    }

    /// Does something with the player, and stops at a halt.
    pub(super) fn move_player(&mut self, play: Play) {
        let before = self.play.player;
        let after = before.after(play);
        self.play.player = match play {
            Play::ToHalt if !self.has_halts() => before,
            Play::ToHalt => before.after(Play::Seek(self.next_halt(before.step).unwrap_or(before.len))),
            Play::Tick(_) => match self.next_halt(before.step).filter(|&halt| halt <= after.step) {
                Some(step) => PlayState { step, playing: false, ..after },
                None => after,
            },
            _ => after,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::models;
    use crate::session::Action;
    use crate::session::bench::settled_after;

    /// A look at a property whose search has steps of all kinds.
    fn looking() -> Action {
        let session = settled_after(Session::new(models()[0]), []);
        let properties = &session.found.info.as_ref().unwrap().properties;
        let number = properties.iter().position(|property| property.name == "always_idle_again").unwrap();
        Action::Property(number as u32)
    }

    fn halted_at(halts: &[Halt]) -> Vec<u32> {
        let set = halts.iter().map(|&halt| Action::Halt(halt));
        let mut session = settled_after(Session::new(models()[0]), [looking()].into_iter().chain(set));
        let mut stops = Vec::new();
        loop {
            session = session.apply(Action::Play(Play::Toggle));
            // Many steps at once stop there too.
            while session.play.player.playing {
                session = session.apply(Action::Play(Play::Tick(7)));
            }
            stops.push(session.play.player.step);
            if session.play.player.step == session.play.player.len {
                return stops;
            }
        }
    }

    #[test]
    fn playing_stops_wherever_a_halt_is_met_and_nowhere_else() {
        let session = settled_after(Session::new(models()[0]), [looking()]);
        let log = &session.film().unwrap().log;
        let len = log.len();
        assert_eq!(halted_at(&[]), [len]);
        let node = log.entries()[2].node.0;
        for halts in [
            vec![Halt::Join],
            vec![Halt::Back, Halt::Component],
            vec![Halt::Node(node)],
            vec![Halt::Line(Command::IsRoot)],
        ] {
            let met = |number: u32| {
                let event = log.steps()[number as usize - 1].event;
                match event {
                    Event::Join { .. } => halts.contains(&Halt::Join),
                    Event::Back { to, .. } => {
                        halts.contains(&Halt::Back) || halts.contains(&Halt::Node(to.0))
                    }
                    Event::Component { .. } => {
                        halts.contains(&Halt::Component) || halts.contains(&Halt::Line(Command::IsRoot))
                    }
                    Event::Root(to) | Event::Tree { to, .. } | Event::Cross { to, .. } => {
                        halts.contains(&Halt::Node(to.0))
                    }
                    _ => false,
                }
            };
            let expected: Vec<u32> = (1..=len).filter(|&number| met(number) || number == len).collect();
            let stops = halted_at(&halts);
            // A command may belong to other steps too.
            if let [Halt::Line(_)] = halts[..] {
                assert!(expected.iter().all(|step| stops.contains(step)), "{stops:?} {expected:?}");
            } else {
                assert_eq!(stops, expected, "{halts:?}");
            }
            assert!(stops.len() > 1, "{halts:?} {stops:?}");
        }
    }

    #[test]
    fn one_goes_from_halt_to_halt_and_then_to_the_end() {
        let set = [looking(), Action::Halt(Halt::Component)];
        let mut session = settled_after(Session::new(models()[0]), set);
        let mut seen = Vec::new();
        while session.play.player.step < session.play.player.len {
            session = session.apply(Action::Play(Play::ToHalt));
            seen.push(session.play.player.step);
        }
        let mut stops = halted_at(&[Halt::Component]);
        stops.dedup();
        assert_eq!(seen, stops);
        session = session.apply(Action::Halt(Halt::Component));
        assert!(session.play.halts.is_empty() && session.next_halt(0).is_none());
    }

    #[test]
    fn a_halt_at_a_node_goes_with_its_search() {
        let set = [looking(), Action::Halt(Halt::Join), Action::Halt(Halt::Node(3))];
        let session = settled_after(Session::new(models()[0]), set);
        assert_eq!(session.play.halts.len(), 2);
        let session = session.apply(Action::Property(session.property.unwrap() - 1));
        assert_eq!(*session.play.halts, [Halt::Join]);
    }
}
