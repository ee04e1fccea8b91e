//! The actions that change a session.

use super::{Branch, EveryAct, Halt, Item, Look, Opening, Play, Screen, Set, Side, Stride};
use crate::engine::protocol::{FromWorker, Request, RequestId};
use crate::engine::{Choices, Document, GraphKind, Model};
use std::rc::Rc;

/// Everything that can happen to a [`Session`].
#[derive(Clone, Debug)]
pub enum Action {
    /// A model was picked from the gallery.
    Pick(Model),
    /// The text was edited.
    Edit(Rc<str>),
    /// A link, a file or what was kept is opened.
    Open(Box<Opening>),
    /// There is something that one should know.
    Remark(Rc<str>),
    /// The remark with this number was read.
    Dismiss(u32),
    /// A document is wanted.
    Write(Document),
    /// The document was taken.
    Taken,
    /// A parameter was set.
    Set(String, i64),
    /// Something was chosen of how to check.
    Choose(Choices),
    /// A property was picked.
    Property(u32),
    /// A graph was picked.
    View(GraphKind),
    /// A diagram of the symbolic search was picked.
    Diagram(Set),
    /// The orbit of a node is looked at, or none.
    Unfold(Option<(GraphKind, u32)>),
    /// More of a graph that is drawn in part.
    Enlarge(GraphKind),
    /// Something was done with the player.
    Play(Play),
    /// Playing shall stop at this by itself, or no longer.
    Halt(Halt),
    /// Something was done with a property of branching time.
    Branch(Branch),
    /// Something was done on a walk by hand.
    Walk(Stride),
    /// Something was done with the inspector.
    Look(Look),
    /// Something was done with what holds for every size.
    Every(EveryAct),
    /// Something was chosen, or nothing.
    Select(Option<Item>),
    /// The pointer is on something, or on nothing.
    Hover(Option<Item>),
    /// A small screen shall show this.
    Screen(Screen),
    /// The side shall show this.
    Side(Side),
    /// The check under way shall end, with what there is.
    Stop,
    /// The check under way shall end, and the next one begin.
    Skip,
    /// Each property may take this many milliseconds, or as long as it takes.
    Patience(Option<u32>),
    /// A check that was stopped shall be made again.
    Again,
    /// The methods shall be compared.
    Compare,
    /// The methods shall be compared for several values of this parameter.
    Plot(String),
    /// The comparison shall end, with what there is.
    EndCompare,
    /// Something happened on the line to a worker.
    Line(Which, Happened),
}

/// One of the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// It answers what is looked at.
    Front,
    /// It compares.
    Background,
}

/// The events on the line to a worker.
#[derive(Clone, Debug)]
pub enum Happened {
    /// The worker was asked.
    Asked(RequestId, Request),
    /// The worker was told to end what is under way.
    Stopping,
    /// The worker said something.
    Heard(FromWorker),
    /// The worker was ended, since it said nothing, and started anew.
    Silent,
    /// The worker broke down and was started anew.
    Broken,
    /// There is no worker.
    Missing,
}

impl Action {
    /// Whether it is something that a person does and wants to find again.
    pub(super) fn is_by_hand(&self) -> bool {
        match self {
            Action::Pick(_)
            | Action::Edit(_)
            | Action::Set(..)
            | Action::Choose(_)
            | Action::Property(_)
            | Action::Walk(_)
            | Action::View(_) => true,
            Action::Play(play) => !matches!(play, Play::Speed(_)),
            _ => false,
        }
    }
}
