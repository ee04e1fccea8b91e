//! A guided tour through the example of the paper: a list of stops, each with what is shown there.
//!
//! A stop names what it looks for in the search, not a number of a step: it is found in whatever the engine has recorded.

use crate::engine::{Choices, Film, GraphKind, Question, models};
use crate::session::{Opening, Screen, Side};
use crate::view::join::Join;
use orbitscope_core::search::Event;
use std::collections::BTreeMap;

/// The property of the model that the tour looks at.
const PROPERTY: &str = "eventually_access";

/// The part of the page that a stop points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// The picture.
    Picture,
    /// The stack with its partitions.
    Stack,
    /// The player.
    Player,
    /// The counterexample.
    Run,
}

impl Panel {
    /// Its name, for the style sheet.
    pub fn name(self) -> &'static str {
        match self {
            Panel::Picture => "picture",
            Panel::Stack => "stack",
            Panel::Player => "player",
            Panel::Run => "run",
        }
    }

    /// Where it is on the page, as a selector.
    pub fn place(self) -> &'static str {
        match self {
            Panel::Picture => ".picture",
            Panel::Stack => ".side",
            Panel::Player => ".player",
            Panel::Run => ".run-row",
        }
    }

    /// The part of the page that a small screen has to show.
    pub fn screen(self) -> Screen {
        match self {
            Panel::Picture | Panel::Player => Screen::Graph,
            Panel::Stack => Screen::Side,
            Panel::Run => Screen::Run,
        }
    }
}

/// Where in the search a stop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Before the first step.
    Start,
    /// Where this many nodes are on the stack for the first time.
    Deep(u32),
    /// The first step that makes classes of processes one.
    Merge,
    /// The last step.
    End,
}

/// A stop of the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The title.
    pub title: &'static str,
    /// The text.
    pub words: &'static str,
    /// The graph that is shown.
    pub view: GraphKind,
    /// The step of the search.
    pub at: At,
    /// The panel that it points at.
    pub panel: Panel,
}

impl Stop {
    /// The number of steps after which the stop is.
    pub fn step(&self, film: &Film) -> u32 {
        let log = &film.log;
        let found = match self.at {
            At::Start => Some(0),
            At::End => None,
            At::Merge => (1..=log.len())
                .find(|&step| Join::new(log, &film.words, step).is_some_and(|join| join.merges())),
            At::Deep(depth) => {
                let mut deep = 0_u32;
                (1..).zip(log.steps()).find_map(|(number, step)| {
                    match step.event {
                        Event::Root(_) | Event::Tree { .. } => deep += 1,
                        Event::Join { .. } | Event::Component { .. } => deep = deep.saturating_sub(1),
                        _ => {}
                    }
                    (deep == depth).then_some(number)
                })
            }
        };
        found.unwrap_or(log.len())
    }

    /// The tab at the side that the stop needs.
    pub fn side(&self) -> Option<Side> {
        (self.panel == Panel::Stack).then_some(Side::Stack)
    }
}

/// The opening of the tour.
pub fn opening() -> Opening {
    let model = models()[0];
    Opening {
        origin: model,
        question: Question { source: model.source.into(), settings: BTreeMap::from([("clients".into(), 3)]) },
        choices: Choices::default(),
        view: STOPS[0].view,
        property: Some(PROPERTY.into()),
        step: 0,
        walk: None,
        by_link: true,
    }
}

/// The stops.
pub const STOPS: [Stop; 10] = [
    Stop {
        title: "States",
        words: "Three clients share one resource. Each is idle (I), requesting (R) or critical (C), and only one may be \
                critical: 20 states. An edge is one step of one client. Many states look alike.",
        view: GraphKind::States,
        at: At::Start,
        panel: Panel::Picture,
    },
    Stop {
        title: "Orbits",
        words: "States that differ only in who is who form an orbit. It is enough to keep one state of each, its \
                representative: 7 instead of 20. With a hundred clients it is 201, instead of more than 10³¹.",
        view: GraphKind::Aqs,
        at: At::Start,
        panel: Panel::Picture,
    },
    Stop {
        title: "Annotated edges",
        words: "A step may lead to a state that is no representative. The edge then goes to the representative and says, as a \
                permutation, how the clients were renamed. Without it nobody could tell who is who along a path, and fairness \
                is about who moves.",
        view: GraphKind::Aqs,
        at: At::Start,
        panel: Panel::Picture,
    },
    Stop {
        title: "Pruning",
        words: "Where two clients are alike in a state, their steps lead to the same orbit. One of them is enough; the others \
                are drawn as faint, broken lines. The search never follows those, and still knows that they are there.",
        view: GraphKind::Aqs,
        at: At::Start,
        panel: Panel::Picture,
    },
    Stop {
        title: "A tracked index",
        words: "The property speaks of one client: whenever it requests, it gets the resource. That client must not be mixed up \
                with the others, so each node also says where it is now. One client is checked and stands for all three.",
        view: GraphKind::Aqsi,
        at: At::Start,
        panel: Panel::Picture,
    },
    Stop {
        title: "The product",
        words: "An automaton describes the wrong runs of the property. Quotient and automaton run together: a node is a \
                representative, the tracked client, and a state of the automaton. The search walks here, and builds only what it visits.",
        view: GraphKind::Product,
        at: At::Deep(2),
        panel: Panel::Picture,
    },
    Stop {
        title: "The stack and its partitions",
        words: "The search goes depth first and looks for cycles. Each node on the stack knows a permutation, who is who there \
                as seen from the start, and a partition: which clients the cycles found so far can exchange.",
        view: GraphKind::Product,
        at: At::Deep(3),
        panel: Panel::Stack,
    },
    Stop {
        title: "A join",
        words: "An edge back to the stack closes a cycle. If going around it renames clients, those are the same for fairness, \
                and their classes are joined. Here client[1..2] become one class: what client 1 gets on the cycle, client 2 \
                gets one round later. In Figure 4 of the paper it is 0 and 2 that change places.",
        view: GraphKind::Product,
        at: At::Merge,
        panel: Panel::Stack,
    },
    Stop {
        title: "The fair component",
        words: "A component counts if the automaton accepts in it and every class of clients is treated fairly: some member moves in it, or cannot \
                move somewhere. No class has to be unfolded. Here the search has found one and stops.",
        view: GraphKind::Product,
        at: At::End,
        panel: Panel::Player,
    },
    Stop {
        title: "The run",
        words: "The component becomes a run of the program, with the true names of the clients: a path, then a loop for ever. \
                The ledger says of each client why the loop is fair to it. The run was replayed, step by step, before it was shown.",
        view: GraphKind::Product,
        at: At::End,
        panel: Panel::Run,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Verdict;
    use crate::session::bench::settled;
    use crate::session::{Action, Session};
    use crate::view::narration::narrate;

    #[test]
    fn every_stop_shows_what_it_says() {
        let session = Session::new(models()[3]).apply(Action::Open(Box::new(opening())));
        let session = settled(session);
        assert_eq!(*session.kept.remarks, [], "the model has what the tour speaks of");
        assert_eq!(session.property_name(), Some(PROPERTY));
        assert_eq!(session.answer().unwrap().verdict, Verdict::Violated);
        let film = session.film().expect("the property has a search");
        assert!(!film.log.is_partial());
        assert!(session.run().is_some_and(|run| run.loop_start.is_some() && !run.ledger.is_empty()));
        let size = |of| session.sizes()[&of].0;
        assert_eq!((size(GraphKind::States), size(GraphKind::Aqs)), (20, 7));
        for stop in STOPS {
            assert!(session.picture(stop.view).is_some(), "{}", stop.title);
        }

        let steps: Vec<u32> = STOPS.iter().map(|stop| stop.step(film)).collect();
        assert_eq!(steps[..5], [0; 5]);
        assert!(steps.is_sorted(), "the tour never goes back: {steps:?}");
        let join = STOPS.iter().position(|stop| stop.at == At::Merge).unwrap();
        let (before, after) = Join::new(&film.log, &film.words, steps[join]).expect("a join").counts;
        assert!(after < before, "classes become one");
        let told = narrate(&film.log, &film.words, steps[join]);
        let (_, told) = told.split_once("change places, so ").expect("clients change places");
        let (merged, _) = told.split_once("become one class").expect("some become one");
        assert!(
            STOPS[join].words.contains(&format!("Here {merged}become one class")),
            "the player says {merged}"
        );
        assert!(steps[join] < film.log.len(), "the join is not the end");
        let last = film.log.steps().last().unwrap().event;
        assert!(matches!(last, Event::Yes(_)), "{last:?}");
        assert_eq!(steps[8..], [film.log.len(); 2]);
    }
}
