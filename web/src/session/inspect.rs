//! Looking at a state closely, and for states.

use super::{Item, Session, Side};
use crate::engine::protocol::Request;
use crate::engine::{Choices, GraphKind, Inspected, Spot};
use std::rc::Rc;

/// At most this many expressions are watched.
const MOST_WATCHES: usize = 12;

/// The actions of the inspector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// Watch this expression too.
    Watch(Rc<str>),
    /// Watch the expression with this number no longer.
    Unwatch(u32),
    /// Look for the states in which this holds; for none where it is empty.
    Seek(Rc<str>),
    /// The search is in this node of the product.
    At(Option<u32>),
}

/// The state under the inspector, and the answers about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looking {
    /// The expressions that are watched.
    pub watches: Rc<[Rc<str>]>,
    /// The condition that states are looked for with.
    pub sought: Rc<str>,
    /// The node that the search is in.
    at: Option<u32>,
    state: Option<(Asked, Answer<Inspected>)>,
    nodes: Option<(Sought, Answer<[u32]>)>,
}

/// An answer, or the reason why there is none.
type Answer<T> = Result<Rc<T>, Rc<str>>;
/// A state, how it is looked at, and the basis of graphs by whose numbers it is named.
type Asked = (Spot, Vec<String>, Choices, u32);
/// A graph, how many of its nodes, the condition, and the basis of graphs.
type Sought = (GraphKind, u32, Rc<str>, u32);

impl Session {
    pub(super) fn look_closely(&mut self, look: Look) {
        let looking = &mut self.looking;
        match look {
            Look::Watch(words) => {
                let known = looking.watches.contains(&words) || looking.watches.len() >= MOST_WATCHES;
                if !known && !words.trim().is_empty() {
                    looking.watches = looking.watches.iter().cloned().chain([words]).collect();
                }
            }
            Look::Unwatch(number) => {
                let left = looking.watches.iter().enumerate().filter(|(at, _)| *at != number as usize);
                looking.watches = left.map(|(_, words)| words.clone()).collect();
            }
            Look::Seek(words) => looking.sought = words.trim().into(),
            Look::At(node) => looking.at = node,
        }
    }

    /// The state that is looked at: of the walk, the one that was chosen, or where the search is.
    pub fn spot(&self) -> Option<Spot> {
        let column = |run: &Rc<crate::engine::run::Run>, column: u32| {
            let trail = run.trail.clone()?;
            Some(Spot::Column(trail, column.min(run.columns() - 1)))
        };
        match (self.pointer.selected, self.lanes()) {
            (Some(Item::RunStep(at)), Some(run)) => return column(run, at),
            (Some(Item::Node(of, node)), _) => return Some(Spot::Node(of, node.0)),
            _ => {}
        }
        if let Some(at) = self.looking.at.filter(|_| self.film().is_some()) {
            return Some(Spot::Node(GraphKind::Product, at));
        }
        let first =
            self.picture(self.graph(self.scene.view))?.graph().nodes.iter().position(|node| node.initial)?;
        Some(Spot::Node(self.graph(self.scene.view), first as u32))
    }

    fn asked_state(&self) -> Option<Asked> {
        let watches = self.looking.watches.iter().map(ToString::to_string).collect();
        Some((self.spot()?, watches, self.choices, self.scene.basis))
    }

    fn asked_nodes(&self) -> Option<Sought> {
        let of = self.graph(self.scene.view);
        let count = self.picture(of).filter(|_| self.is_drawn(of))?.size().0;
        let words = self.looking.sought.clone();
        (!words.is_empty()).then_some((of, count, words, self.scene.basis))
    }

    /// The next request of the inspector.
    pub(super) fn wanted_look(&self) -> Option<Request> {
        if let Some(asked) = self.asked_nodes()
            && self.looking.nodes.as_ref().is_none_or(|(known, _)| *known != asked)
        {
            let (of, count, words, _) = asked;
            return Some(Request::Find { of, count, words: words.to_string(), choices: self.choices });
        }
        if self.place.side != Side::Inspect {
            return None;
        }
        let asked = self.asked_state()?;
        if self.looking.state.as_ref().is_some_and(|(known, _)| *known == asked) {
            return None;
        }
        let (spot, watches, choices, _) = asked;
        Some(Request::Inspect { spot, watches, choices })
    }

    /// Whether the answer to this is of use.
    pub(super) fn awaits_look(&self, request: &Request) -> bool {
        self.wanted_look().as_ref() == Some(request)
    }

    pub(super) fn take_state(&mut self, found: Result<Box<Inspected>, String>) {
        if let Some(asked) = self.asked_state() {
            let found = found.map(|found| Rc::new(*found)).map_err(Rc::from);
            self.looking.state = Some((asked, found));
        }
    }

    pub(super) fn take_nodes(&mut self, found: Result<Vec<u32>, String>) {
        if let Some(asked) = self.asked_nodes() {
            self.looking.nodes = Some((asked, found.map(Rc::from).map_err(Rc::from)));
        }
    }

    /// The state that is looked at, or why it cannot be; the one before while it is looked up.
    pub fn inspected(&self) -> Option<&Result<Rc<Inspected>, Rc<str>>> {
        self.looking.state.as_ref().map(|(_, found)| found)
    }

    /// Whether what is known is of the state that is looked at.
    pub fn is_inspected(&self) -> bool {
        let known = self.looking.state.as_ref().map(|(asked, _)| asked);
        known.is_some() && known == self.asked_state().as_ref()
    }

    /// The nodes of the graph that is shown in which the condition holds, or what is wrong with it; none where none is
    /// looked for, or the answer is not known.
    pub fn sought(&self) -> Option<&Result<Rc<[u32]>, Rc<str>>> {
        let (asked, found) = self.looking.nodes.as_ref()?;
        (self.asked_nodes().as_ref() == Some(asked)).then_some(found)
    }

    /// Forgets the answers about another model.
    pub(super) fn look_anew(&mut self) {
        self.looking.state = None;
        self.looking.nodes = None;
        self.looking.at = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Watched, models};
    use crate::session::bench::settled_after;
    use crate::session::{Action, Session};
    use orbitscope_core::draw::NodeId;

    fn look(look: Look) -> Action {
        Action::Look(look)
    }

    #[test]
    fn a_node_is_looked_at_with_its_values_and_its_orbit() {
        let node = Item::Node(GraphKind::Aqs, NodeId(1));
        let session = settled_after(
            Session::new(models()[0]),
            [
                Action::Side(Side::Inspect),
                Action::Select(Some(node)),
                look(Look::Watch("count(c in client: c.st == I)".into())),
            ],
        );
        assert!(session.is_inspected());
        let found = session.inspected().unwrap().as_ref().unwrap();
        assert_eq!(found.orbit.as_deref(), Some("3"));
        assert!(found.rows.iter().any(|row| row.values.iter().any(|value| value.text == "R")), "{found:?}");
        assert_eq!(found.watches, [Ok(vec![Watched::Number(2)])]);
        assert!(!found.steps.kinds.is_empty());
    }

    #[test]
    fn a_state_of_a_run_says_what_changed_and_watches_go_along_it() {
        let property = models()[0].source.contains("eventually_access").then_some(2).unwrap();
        let session = settled_after(
            Session::new(models()[0]),
            [
                Action::Property(property),
                Action::Side(Side::Inspect),
                Action::Select(Some(Item::RunStep(1))),
                look(Look::Watch("exists c in client: c.st == R".into())),
                look(Look::Watch("client[9].st == R".into())),
            ],
        );
        let run = session.run().unwrap();
        let found = session.inspected().unwrap().as_ref().unwrap();
        let changed: Vec<&str> = (found.rows.iter())
            .flat_map(|row| row.values.iter().filter(|value| value.before.is_some()).map(|_| &*row.who))
            .collect();
        assert!(!changed.is_empty());
        let along = found.watches[0].as_ref().unwrap();
        assert_eq!((along.len() as u32, along[0]), (run.columns(), Watched::Truth(false)));
        assert!(along.contains(&Watched::Truth(true)));
        assert!(found.watches[1].as_ref().unwrap_err().contains("character"), "{:?}", found.watches[1]);
    }

    #[test]
    fn states_are_looked_for_and_a_wrong_condition_is_told() {
        let start = Session::new(models()[0]);
        let session =
            settled_after(start.clone(), [look(Look::Seek("exists c in client: c.st == C".into()))]);
        let found = session.sought().unwrap().as_ref().unwrap();
        let of = session.graph(session.scene.view);
        let graph = session.picture(of).unwrap().graph();
        // The label of a state names what its clients are.
        for (node, drawn) in graph.nodes.iter_enumerated() {
            let says = drawn.lines().concat().contains('C');
            assert_eq!(found.contains(&node.0), says, "{:?}", drawn.lines());
        }
        let wrong = settled_after(start, [look(Look::Seek("exists c in client: c.st =".into()))]);
        assert!(wrong.sought().unwrap().is_err());
        assert!(wrong.next() == crate::session::Next::Nothing);
    }

    #[test]
    fn watches_are_few_and_different() {
        let mut session = Session::new(models()[0]);
        for number in 0..20 {
            session = session.apply(look(Look::Watch(format!("{}", number % 15).into())));
        }
        assert_eq!(session.looking.watches.len(), MOST_WATCHES);
        session = session.apply(look(Look::Unwatch(0))).apply(look(Look::Unwatch(99)));
        assert_eq!((session.looking.watches.len(), &*session.looking.watches[0]), (MOST_WATCHES - 1, "1"));
        session = session.apply(look(Look::Watch("  ".into())));
        assert_eq!(session.looking.watches.len(), MOST_WATCHES - 1);
    }
}
