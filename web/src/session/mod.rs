//! The page's memory, changed by one reducer: the text, the parameters, the choices, the engine's answers so far, and
//! the things that are looked at.
//!
//! The next question to the worker is a function of the session too: [`Session::next`]. Whoever talks to the worker
//! does what it says and tells the session what was asked and answered.

mod action;
mod background;
#[cfg(test)]
pub(crate) mod bench;
mod branching;
mod every;
mod halt;
mod hear;
mod inspect;
mod item;
mod mode;
mod next;
mod open;
mod parts;
mod player;
#[cfg(test)]
mod speed;
mod symbolic;
#[cfg(test)]
mod tests;
mod walk;

pub use action::{Action, Happened, Which};
pub use background::{Background, Cell, Method, Plot};
pub use branching::Branch;
pub use every::{EveryAct, Everywhere};
pub use halt::Halt;
pub use inspect::{Look, Looking};
pub use item::Item;
pub use mode::{Mode, Side};
pub use next::Next;
pub use open::{NEW, OPENED, OWN, Opening, SHARED, origin_of, text_alone};
pub use parts::{Findings, Kept, Line, Place, Playing, Pointer, Scene};
pub use player::{Play, PlayState, SPEEDS};
pub use symbolic::Set;
pub use walk::{Stride, Walking};

use crate::engine::protocol::{Request, RequestId};
use crate::engine::run::Run;
use crate::engine::{
    Checked, Choices, Drawing, Film, GraphKind, Model, Orbit, Progress, PropertyInfo, Question, Why,
};
use orbitscope_core::draw::NodeId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A part of the page; a small screen shows one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// The model, its properties and its text.
    Model,
    /// The graph.
    Graph,
    /// The counterexample.
    Run,
    /// The panels at the side.
    Side,
}

/// A question under way at the worker.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Its number.
    pub id: RequestId,
    /// The question.
    pub request: Request,
    /// The text that it is about.
    version: u32,
    /// How far it is, and for how many milliseconds it has been worked on.
    pub progress: Option<(Progress, f64)>,
    /// Whether the worker was told to end it.
    pub stopping: bool,
}

/// Something that the worker is asked for.
#[derive(Clone, Debug, PartialEq)]
enum Known<T> {
    /// It has not answered yet.
    NotYet,
    /// There is no such thing.
    Nothing,
    /// This is it.
    Found(Rc<T>),
}

impl<T> Known<T> {
    fn value(&self) -> Option<&Rc<T>> {
        match self {
            Known::Found(value) => Some(value),
            Known::NotYet | Known::Nothing => None,
        }
    }
}

impl<T> From<Option<Rc<T>>> for Known<T> {
    fn from(answer: Option<Rc<T>>) -> Self {
        answer.map_or(Known::Nothing, Known::Found)
    }
}

/// A graph as it was drawn last; none where there is none of this kind.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    basis: u32,
    /// How often as much again was drawn.
    times: u32,
    picture: Option<Rc<Drawing>>,
}

/// A document, or why it could not be written.
pub type Written = Result<Rc<str>, Rc<str>>;

/// The state of the page. A [`Session`] changes only through [`Session::apply`]. It is copied at each change: the parts
/// that are long stand behind an `Rc`, or hold what does.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The model that the text started from.
    pub model: Model,
    /// The text and the parameters.
    pub question: Question,
    /// How to check.
    pub choices: Choices,
    /// The number of the property that is looked at.
    pub property: Option<u32>,
    /// The engine's findings.
    pub found: Rc<Findings>,
    /// The film that is played.
    pub play: Playing,
    /// The graphs.
    pub scene: Rc<Scene>,
    /// The item that is pointed at.
    pub pointer: Pointer,
    /// Which parts of the page are in front.
    pub place: Place,
    /// The line to the engine.
    pub line: Line,
    /// The parts that are kept and taken away.
    pub kept: Kept,
    /// The inspector.
    pub looking: Looking,
    /// What is looked at for every size.
    pub everywhere: Everywhere,
    /// The comparison of methods, which runs beside.
    pub background: Background,
}

impl Session {
    /// A session that starts with `model` and has no answer yet.
    pub fn new(model: Model) -> Session {
        Session {
            model,
            question: Question { source: model.source.into(), settings: BTreeMap::new() },
            choices: Choices::default(),
            property: None,
            found: Rc::default(),
            play: Playing::default(),
            scene: Rc::default(),
            pointer: Pointer::default(),
            place: Place { screen: Screen::Graph, side: Side::Stack },
            line: Line::default(),
            kept: Kept::default(),
            looking: Looking::default(),
            everywhere: Everywhere::default(),
            background: Background::default(),
        }
    }

    /// The findings, to be changed.
    fn found_mut(&mut self) -> &mut Findings {
        Rc::make_mut(&mut self.found)
    }

    /// The graphs, to be changed.
    fn scene_mut(&mut self) -> &mut Scene {
        Rc::make_mut(&mut self.scene)
    }

    /// Whether the text differs from the gallery's.
    pub fn is_edited(&self) -> bool {
        self.model.fingerprint.is_some() && !self.model.has_text(&self.question.source)
    }

    /// Whether what is shown belongs to an earlier text.
    pub fn is_stale(&self) -> bool {
        !self.found.problems.is_empty()
    }

    /// Whether the verdicts that are shown are about an earlier text or other parameters.
    pub fn is_old(&self) -> bool {
        self.found.info.is_some() && (self.is_stale() || self.is_pending())
    }

    /// Whether what is shown is not yet about the present text.
    pub fn is_pending(&self) -> bool {
        self.line.loaded != Some(self.line.version)
    }

    /// The film of the property that is looked at.
    pub fn film(&self) -> Option<&Rc<Film>> {
        self.play.film.value()
    }

    /// The graph of this kind as it was drawn last.
    pub fn picture(&self, of: GraphKind) -> Option<&Rc<Drawing>> {
        self.scene.pictures.get(&of)?.picture.as_ref()
    }

    /// Whether it is known that there is no graph of this kind: it would be one of a search.
    pub fn has_no_picture(&self, of: GraphKind) -> bool {
        let awaited = of == GraphKind::Aqsi && self.awaits_parts();
        !awaited && self.scene.pictures.get(&of).is_some_and(|drawn| drawn.picture.is_none())
    }

    /// The states of the node that is looked at.
    pub fn orbit(&self) -> Option<&Rc<Orbit>> {
        self.scene.orbit.value()
    }

    /// The property that is looked at.
    pub fn looked_at(&self) -> Option<&PropertyInfo> {
        self.found.info.as_ref()?.properties.get(self.property? as usize)
    }

    /// The name of the property that is looked at.
    pub fn property_name(&self) -> Option<&str> {
        self.looked_at().map(|property| property.name.as_str())
    }

    /// The answer to the property that is looked at.
    pub fn answer(&self) -> Option<&Rc<Checked>> {
        self.found.checked.get(&self.property?)
    }

    /// The run that violates the property that is looked at; that of the film knows its nodes.
    pub fn run(&self) -> Option<&Rc<Run>> {
        let filmed = self.film().and_then(|film| film.run.as_ref());
        let run = filmed.or_else(|| self.answer()?.run.as_ref()).or_else(|| self.shown_walk());
        run.or_else(|| self.way_to_fault())
            .or_else(|| self.way_to_deadlock().filter(|_| self.branching().is_none()))
    }

    /// The lanes that are shown: of the walk by hand while there is one, else of the run.
    pub fn lanes(&self) -> Option<&Rc<Run>> {
        if self.is_walking() { self.walked_run() } else { self.run() }
    }

    /// Whether the run that is shown is not of the property, but the way to a state in which nothing can move.
    pub fn shows_deadlock(&self) -> bool {
        self.run().is_some() && self.run() == self.way_to_deadlock()
    }

    /// Whether the run that is shown leads to an error of the model.
    pub fn shows_fault(&self) -> bool {
        self.run().is_some() && self.run() == self.way_to_fault()
    }

    fn way_to_fault(&self) -> Option<&Rc<Run>> {
        let checked = self.answer().and_then(|checked| match &checked.why {
            Some(Why::Fault(problem)) => problem.run.as_ref(),
            _ => None,
        });
        checked.or_else(|| self.found.faults.iter().find_map(|problem| problem.run.as_ref()))
    }

    fn way_to_deadlock(&self) -> Option<&Rc<Run>> {
        self.found.surveyed.as_ref()?.run.as_ref()
    }

    /// An item as a node of a graph, where it is one: a state of the run is a node of the product, and of the quotient.
    pub fn seen_in(&self, item: Option<Item>, of: GraphKind) -> Option<Item> {
        let Some(Item::RunStep(column)) = item else { return item };
        if self.is_walking() {
            return None;
        }
        if let (GraphKind::Part(part), Some((_, piece))) = (of, self.shown_piece()) {
            let vertex = piece.vertices.get(column as usize).copied().flatten();
            let vertex = vertex.filter(|_| piece.part == part)?;
            return Some(Item::Node(of, NodeId(vertex.0)));
        }
        let run = self.film()?.run.as_ref()?;
        let node = match of {
            GraphKind::Product => run.nodes.get(column as usize).copied()?.map(|node| node.0),
            GraphKind::Aqs => run.representatives.as_ref()?.states.get(column as usize).map(|state| state.0),
            _ => None,
        };
        node.map(|node| Item::Node(of, NodeId(node)))
    }

    /// The line of the text that is spoken of.
    pub fn lit_line(&self) -> Option<u32> {
        match self.pointer.selected? {
            Item::SourceLine(line) => Some(line),
            Item::RunStep(column) => self.lanes()?.steps.get(column.checked_sub(1)? as usize)?.line,
            _ => None,
        }
    }

    /// The session after `action`.
    #[must_use]
    pub fn apply(&self, action: Action) -> Session {
        let mut next = self.clone();
        next.kept.touched += u32::from(action.is_by_hand());
        match action {
            Action::Pick(model) => next.pick(model),
            Action::Edit(source) if source != self.question.source => {
                next.question.source = source;
                next.kept.wish.step = None;
                next.line.version += 1;
            }
            Action::Open(opening) => next.open(*opening),
            Action::Write(what) => next.want_document(what),
            Action::Taken => next.kept.written = None,
            Action::Remark(words) => next.remark(&words),
            Action::Dismiss(number) => {
                let left = self.kept.remarks.iter().enumerate().filter(|(at, _)| *at as u32 != number);
                next.kept.remarks = left.map(|(_, remark)| remark.clone()).collect();
            }
            Action::Set(name, value) => {
                let before = next.question.settings.insert(name, value);
                next.kept.wish.step = None;
                next.line.version += u32::from(before != Some(value));
            }
            Action::Choose(choices) if choices != self.choices => {
                next.choose(choices);
                next.kept.wish.step = None;
                if !self.is_stale() && !self.is_pending() {
                    next.forget();
                }
            }
            Action::Property(number) if self.property != Some(number) => next.look_at(number),
            Action::View(view) => {
                let scene = next.scene_mut();
                (scene.view, scene.diagram) = (view, None);
            }
            Action::Diagram(set) => next.scene_mut().diagram = Some(set),
            Action::Enlarge(of) if self.can_enlarge(of) => {
                *next.scene_mut().enlarged.entry(of).or_default() += 1;
            }
            Action::Edit(_) | Action::Choose(_) | Action::Property(_) | Action::Enlarge(_) => {}
            Action::Unfold(node) => {
                next.scene_mut().unfolded = node;
                next.scene_mut().orbit = Known::NotYet;
            }
            Action::Play(play) => {
                next.move_player(play);
                if !matches!(play, Play::Tick(_) | Play::Speed(_)) {
                    next.kept.wish.step = None;
                }
            }
            Action::Halt(halt) => next.toggle_halt(halt),
            Action::Branch(branch) => next.branch(branch),
            Action::Walk(stride) => next.stride(stride),
            Action::Look(look) => next.look_closely(look),
            Action::Every(act) => next.act_everywhere(act),
            Action::Select(item) => {
                next.offer(item);
                next.pointer.selected = item;
            }
            Action::Hover(item) => next.pointer.hovered = item,
            Action::Screen(screen) => next.place.screen = screen,
            Action::Side(side) => next.turn_side(side),
            Action::Stop => next.line.halted = true,
            Action::Skip => next.line.skipped = self.line.asked.as_ref().map(|asked| asked.id),
            Action::Patience(patience) => next.line.patience = patience,
            Action::Again => {
                (next.line.halted, next.line.missing) = (false, false);
                next.found_mut()
                    .checked
                    .retain(|_, checked| checked.why.as_ref().is_none_or(|why| !why.is_partial()));
                let found = next.found_mut();
                found.surveyed = found.surveyed.take().filter(|surveyed| surveyed.why.is_none());
                if std::mem::take(&mut next.line.lost)
                    || next.film().is_some_and(|film| film.log.is_partial())
                {
                    next.play.film = Known::NotYet;
                    next.forget_branching();
                }
                if next.branching().is_none() {
                    next.forget_branching();
                }
            }
            Action::Compare => next.compare(None),
            Action::Plot(param) => next.compare(Some(&param)),
            Action::EndCompare => next.background.end(),
            Action::Line(Which::Background, happened) => next.background.happened(happened),
            Action::Line(Which::Front, happened) => next.happened(happened),
        }
        if next.kept.epoch != self.kept.epoch {
            let mut left = self.clone();
            left.kept.left = None;
            left.scene = Rc::default();
            left.scene_mut().view = self.scene.view;
            next.kept.left = Some(Rc::new(left));
        }
        next
    }

    /// Starts to compare the methods on the property that is looked at, or on several values of a parameter.
    fn compare(&mut self, param: Option<&str>) {
        let (Some(info), Some(property), false) = (&self.found.info, self.property, self.is_stale()) else {
            return;
        };
        let Some(looked_at) = info.properties.get(property as usize) else { return };
        let property = (property, looked_at.logic);
        match param {
            None => self.background.compare(&self.question, property, self.choices),
            Some(name) => {
                if let Some(param) = info.params.iter().find(|param| param.name == name) {
                    self.background.plot(&self.question, property, self.choices, param);
                }
            }
        }
    }

    fn pick(&mut self, model: Model) {
        let same = self.question == Session::new(model).question;
        self.kept.wish = open::Wish::default();
        self.model = model;
        (self.pointer.selected, self.pointer.hovered) = (None, None);
        if !same {
            self.question = Question { source: model.source.into(), settings: BTreeMap::new() };
            self.property = None;
            self.line.version += 1;
            self.kept.epoch += 1;
            self.leave();
        }
    }

    /// The model is another one: nothing that was said of the last one is shown any more.
    fn leave(&mut self) {
        self.forget();
        self.found = Rc::default();
        self.scene_mut().pictures.clear();
    }

    /// Forgets the answers about the model: it or the choices have changed.
    fn forget(&mut self) {
        let Findings { info, problems, .. } = (*self.found).clone();
        self.found = Rc::new(Findings { info, problems, ..Findings::default() });
        self.kept.document = None;
        self.line.halted = false;
        self.drop_node_halts();
        (self.play.film, self.play.takes_long) = (Known::NotYet, false);
        self.forget_branching();
        self.everywhere = Everywhere::default();
        self.forget_walk();
        self.look_anew();
        self.play.player = PlayState { speed: self.play.player.speed, ..PlayState::new(0) };
        let scene = self.scene_mut();
        scene.basis += 1;
        scene.enlarged.clear();
        (scene.unfolded, scene.orbit) = (None, Known::NotYet);
        self.pointer = Pointer::default();
    }

    fn look_at(&mut self, number: u32) {
        self.property = Some(number);
        (self.play.film, self.play.takes_long) = (Known::NotYet, false);
        self.turn_everywhere();
        self.turn_to_property();
        self.kept.wish = open::Wish::default();
        self.kept.document = None;
        self.drop_node_halts();
        self.play.player = PlayState { speed: self.play.player.speed, ..PlayState::new(0) };
        let scene = self.scene_mut();
        (scene.unfolded, scene.orbit) = (None, Known::NotYet);
        (self.pointer.selected, self.pointer.hovered) = (None, None);
    }
}
