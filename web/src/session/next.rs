//! The next question for the worker.

use super::{Drawn, Known, Session, Side};
use crate::engine::protocol::{Request, RequestId};
use crate::engine::{GraphKind, MOST_TIMES, Order, Task};
use orbitscope_core::program::PropertyId;
use std::collections::BTreeMap;

/// Questions that take at most so many milliseconds are answered before anything is drawn.
pub(super) const AT_ONCE: u32 = 400;

/// A task for whoever talks to the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Ask this.
    Ask(Request),
    /// Tell it to end this.
    Stop(RequestId),
    /// Wait.
    Nothing,
}

impl Session {
    /// The next task, for this state of the session.
    pub fn next(&self) -> Next {
        if let Some(asked) = &self.line.asked {
            return if asked.version != self.line.version {
                // A model makes everything before it void: nobody has to wait for anything.
                Next::Ask(Request::Model(self.question.clone()))
            } else if !asked.stopping
                && (self.is_stopped(&asked.request)
                    || self.line.skipped == Some(asked.id)
                    || !self.is_wanted(&asked.request)
                    || self.is_less_urgent(&asked.request))
            {
                Next::Stop(asked.id)
            } else {
                Next::Nothing
            };
        }
        self.wanted().map_or(Next::Nothing, Next::Ask)
    }

    /// Whether a person asked for this to end.
    fn is_stopped(&self, request: &Request) -> bool {
        let long = matches!(
            request,
            Request::Film { .. } | Request::Check { .. } | Request::Survey { .. } | Request::Branching { .. }
        );
        self.line.halted && long
    }

    /// Whether a person waits for something else: a step of a walk, or another property. It is asked again after that.
    fn is_less_urgent(&self, request: &Request) -> bool {
        match *request {
            Request::Check { property, .. } => {
                let other = self.property.filter(|&looked_at| looked_at != property);
                self.wanted_walk().is_some()
                    || other.is_some_and(|other| !self.found.checked.contains_key(&other))
            }
            Request::Survey { .. } => self.wanted_walk().is_some(),
            _ => false,
        }
    }

    /// Whether the answer to this, about the present text, is still of use.
    pub(super) fn is_wanted(&self, request: &Request) -> bool {
        match *request {
            Request::Model(_) => true,
            Request::Walk { choices, .. } => self.play.walking.is_some() && choices == self.choices,
            Request::Every { choices, .. } => self.place.side == Side::Every && choices == self.choices,
            Request::Film { property, choices, .. } | Request::Branching { property, choices } => {
                self.property == Some(property) && choices == self.choices
            }
            Request::Explain { claim, property, choices } => {
                self.awaits(claim) && self.property == Some(property) && choices == self.choices
            }
            Request::Inspect { .. } | Request::Find { .. } => self.awaits_look(request),
            Request::Check { choices, .. }
            | Request::Picture { choices, .. }
            | Request::Larger { choices, .. }
            | Request::Survey { choices } => choices == self.choices,
            Request::Document { what, property, choices, .. } => {
                self.kept.document == Some(what) && self.property == property && choices == self.choices
            }
            Request::Orbit { of, node, choices } => {
                self.scene.unfolded == Some((of, node)) && choices == self.choices
            }
        }
    }

    /// The most urgent of what is not known.
    fn wanted(&self) -> Option<Request> {
        if self.line.missing {
            return None;
        }
        if self.is_pending() {
            return Some(Request::Model(self.question.clone()));
        }
        let (Some(info), false) = (&self.found.info, self.is_stale() || self.line.lost) else { return None };
        let choices = self.choices;
        if let Some(request) = self.wanted_walk() {
            return Some(request);
        }
        if let Some(property) = self.property {
            let unknown = !self.found.checked.contains_key(&property) && !self.line.halted;
            if unknown && !self.play.takes_long {
                return Some(Request::Check { property, choices, patience: Some(AT_ONCE) });
            }
            // The search that the verdict rests on, once that is known.
            let search = self.answer().map_or(0, |checked| checked.search);
            let filmed = match &self.play.film {
                Known::NotYet => false,
                Known::Nothing => true,
                Known::Found(film) => film.search == search,
            };
            if !filmed && !self.line.halted {
                return Some(Request::Film { property, search, choices });
            }
        }
        if self.to_draw(self.scene.view) {
            return Some(Request::Picture { of: self.graph(self.scene.view), choices });
        }
        let of = self.graph(self.scene.view);
        let smaller = |drawn: &Drawn| drawn.picture.is_some() && drawn.times < self.times(of);
        if self.scene.pictures.get(&of).is_some_and(smaller) {
            return Some(Request::Larger { of, choices, times: self.times(of) });
        }
        if let (Some((of, node)), Known::NotYet) = (self.scene.unfolded, &self.scene.orbit) {
            return Some(Request::Orbit { of, node, choices });
        }
        if let Some(request) = self.wanted_look() {
            return Some(request);
        }
        let question = self.question(info.properties.len() as u32);
        if let Some(Task::Property(id)) = question
            && self.property == Some(id.0)
        {
            return Some(Request::Check { property: id.0, choices, patience: self.line.patience });
        }
        if let Some(request) = self.property.and_then(|property| self.wanted_branching(property)) {
            return Some(request);
        }
        if let Some(request) = self.wanted_everywhere() {
            return Some(request);
        }
        if let Some(what) = self.kept.document {
            let name = self.model.name.into();
            return Some(Request::Document { what, property: self.property, choices, name });
        }
        match question {
            Some(Task::Deadlocks) => return Some(Request::Survey { choices }),
            Some(Task::Property(id)) => {
                return Some(Request::Check { property: id.0, choices, patience: self.line.patience });
            }
            Some(Task::Automaton) | None => {}
        }
        let of = GraphKind::ALL.into_iter().find(|&of| self.to_draw(of))?;
        Some(Request::Picture { of: self.graph(of), choices })
    }

    /// The next of the model's questions, unless somebody has stopped them.
    fn question(&self, properties: u32) -> Option<Task> {
        if self.line.halted {
            return None;
        }
        let order = Order::watching(self.property.map(PropertyId));
        order.first_open((0..properties).map(PropertyId), |question| match question {
            Task::Automaton => false,
            Task::Property(id) => !self.found.checked.contains_key(&id.0),
            Task::Deadlocks => self.found.surveyed.is_none(),
        })
    }

    /// Whether more of a graph can be drawn: it is drawn in part, and not as far as goes.
    pub fn can_enlarge(&self, of: GraphKind) -> bool {
        let drawn = self.scene.pictures.get(&of).filter(|drawn| drawn.basis == self.scene.basis);
        let partial = drawn.and_then(|drawn| drawn.picture.as_ref()).is_some_and(|it| !it.is_complete());
        partial && !matches!(of, GraphKind::Part(_)) && self.times(of) < MOST_TIMES
    }

    /// How often as much again of a graph is wanted.
    fn times(&self, of: GraphKind) -> u32 {
        self.scene.enlarged.get(&of).copied().unwrap_or(0)
    }

    /// Whether the graph has been drawn from what there is now.
    pub(super) fn is_drawn(&self, of: GraphKind) -> bool {
        self.scene.pictures.get(&of).is_some_and(|drawn| drawn.basis == self.scene.basis)
    }

    /// Whether a graph that was chosen is to be drawn, and can be.
    fn to_draw(&self, of: GraphKind) -> bool {
        let awaited = of == GraphKind::Aqsi && self.awaits_parts();
        !awaited && !self.is_drawn(self.graph(of))
    }

    /// How many nodes and edges each graph has that has been drawn, and whether that is all of it.
    pub fn sizes(&self) -> BTreeMap<GraphKind, (u32, u32, bool)> {
        let drawn = self.scene.pictures.iter().filter(|(of, _)| self.is_drawn(**of));
        drawn
            .filter_map(|(&of, drawn)| {
                let picture = drawn.picture.as_ref()?;
                let (nodes, edges) = picture.size();
                Some((of, (nodes, edges, picture.is_complete())))
            })
            .collect()
    }
}
