//! Walks by hand: what was asked for, what came of it, and what can be undone.

use super::{Item, Session};
use crate::engine::protocol::Request;
use crate::engine::run::Run;
use crate::engine::{Drawing, Go, GraphKind, MAX_WALK, Start, Walk, Walked};
use orbitscope_core::draw::NodeId;
use std::rc::Rc;

/// Something that is done on a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stride {
    /// A walk begins.
    Begin(Start),
    /// The step with this number is taken.
    Pick(u32),
    /// The last step is taken back.
    Undo,
    /// The step that was taken back last is taken again.
    Redo,
    /// This many steps are taken at random.
    Random(u32),
    /// The fewest steps are taken to a state in which this holds.
    Until(Rc<str>),
    /// The walk is left.
    End,
}

/// The walk that is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walking {
    /// The walk that is asked for, until it is answered.
    wanted: Option<(Walk, Go)>,
    /// The walk as far as it is known.
    known: Option<Rc<Walked>>,
    /// Steps that were taken back, the last one at the end.
    undone: Vec<u32>,
    /// Why there is none.
    pub trouble: Option<Rc<str>>,
    /// The condition that was given last under “until”.
    pub until: Rc<str>,
}

impl Walking {
    /// The walk as far as it is known.
    pub fn known(&self) -> Option<&Rc<Walked>> {
        self.known.as_ref()
    }

    /// Whether something is taken back that can be taken again.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// How many steps it has.
    pub fn len(&self) -> u32 {
        self.known.as_ref().map_or(0, |known| known.walk.picks.len() as u32)
    }

    /// Whether it has no step.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Session {
    pub(super) fn stride(&mut self, stride: Stride) {
        if stride == Stride::End {
            self.play.walking = None;
            return;
        }
        if let Stride::Begin(start) = stride {
            self.begin(Walk::new(start, Vec::new()));
            return;
        }
        let number = u64::from(self.kept.touched) + 1;
        let Some(walking) = &mut self.play.walking else { return };
        // The next stride starts from the one under way.
        if walking.wanted.is_some() {
            return;
        }
        let Some(known) = &walking.known else { return };
        let Walk { start, mut picks, .. } = known.walk.clone();
        let go = match stride {
            Stride::Pick(_) | Stride::Redo if picks.len() >= MAX_WALK => return,
            Stride::Pick(pick) => {
                picks.push(pick);
                walking.undone.clear();
                Go::Stay
            }
            Stride::Undo => {
                let Some(last) = picks.pop() else { return };
                walking.undone.push(last);
                Go::Stay
            }
            Stride::Redo => {
                let Some(last) = walking.undone.pop() else { return };
                picks.push(last);
                Go::Stay
            }
            Stride::Random(steps) => {
                walking.undone.clear();
                Go::Random(steps, number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            }
            Stride::Until(condition) => {
                walking.undone.clear();
                walking.until = condition.clone();
                Go::Until(condition.to_string())
            }
            Stride::Begin(_) | Stride::End => return,
        };
        walking.trouble = None;
        walking.wanted = Some((Walk::new(start, picks), go));
        self.pointer.selected = None;
    }

    /// Takes up a walk: a new one, or one that came with a link.
    pub(super) fn begin(&mut self, walk: Walk) {
        let wanted = Some((walk, Go::Stay));
        self.play.walking = Some(Walking { wanted, ..Walking::default() });
        self.pointer.selected = None;
    }

    /// Remembers a node, or a state of the run that is one: a walk may start there.
    pub(super) fn offer(&mut self, item: Option<Item>) {
        let node = [GraphKind::Aqs, GraphKind::Product].into_iter().find_map(|of| self.seen_in(item, of));
        if let Some(Item::Node(of, node)) = node
            && !matches!(of, GraphKind::Threaded | GraphKind::Part(_))
        {
            self.pointer.offered = Some((of, node.0));
        }
    }

    /// The question to ask for a walk.
    pub(super) fn wanted_walk(&self) -> Option<Request> {
        let (walk, go) = self.play.walking.as_ref()?.wanted.clone()?;
        Some(Request::Walk { walk, go, choices: self.choices })
    }

    pub(super) fn take_walk(&mut self, walked: Result<Box<Walked>, String>) {
        let Some(walking) = &mut self.play.walking else { return };
        walking.wanted = None;
        match walked {
            Ok(walked) => {
                walking.trouble = walked.note.as_deref().map(Rc::from);
                self.pointer.selected = Some(Item::RunStep(walked.walk.picks.len() as u32));
                walking.known = Some(Rc::from(walked));
            }
            Err(why) => {
                let known = walking.known.is_some();
                walking.trouble = Some(why.as_str().into());
                if !known {
                    // The model still opens, and one can walk.
                    walking.wanted = Some((Walk::new(Start::First, Vec::new()), Go::Stay));
                    self.remark(&why);
                }
            }
        }
    }

    /// A walk of another model means nothing; its first state is as good as any.
    pub(super) fn forget_walk(&mut self) {
        if let Some(walking) = &mut self.play.walking
            && walking.known.is_some()
        {
            let until = walking.until.clone();
            let first = Walk::new(Start::First, Vec::new());
            *walking = Walking { wanted: Some((first, Go::Stay)), until, ..Walking::default() };
        }
    }

    /// The lanes of the walk.
    pub fn walked_run(&self) -> Option<&Rc<Run>> {
        Some(&self.play.walking.as_ref()?.known()?.run)
    }

    /// The nodes of a graph that the walk's states are, by what they say; empty where there is no walk.
    pub fn walked_nodes(&self, drawing: &Drawing, of: GraphKind) -> Vec<Option<NodeId>> {
        let Some(walked) = self.play.walking.as_ref().and_then(|walking| walking.known()) else {
            return Vec::new();
        };
        let nodes = &drawing.graph().nodes;
        let find = |lines: &Vec<String>| {
            nodes.iter_enumerated().find(|(_, node)| node.lines() == lines.as_slice()).map(|(id, _)| id)
        };
        let place = |(state, representative): &(Vec<String>, Option<Vec<String>>)| match of {
            GraphKind::States => find(state),
            GraphKind::Aqs => representative.as_ref().and_then(find),
            _ => None,
        };
        walked.places.iter().map(place).collect()
    }
}
