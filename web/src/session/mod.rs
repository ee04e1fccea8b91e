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
mod hear;
mod inspect;
mod item;
mod mode;
mod next;
mod open;
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
pub use inspect::{Look, Looking};
pub use item::Item;
pub use mode::{Mode, Side};
pub use next::Next;
pub use open::{OPENED, OWN, Opening, SHARED, origin_of, text_alone};
pub use player::{Play, PlayState, SPEEDS};
pub use symbolic::Set;
pub use walk::{Stride, Walking};

use crate::engine::protocol::{Request, RequestId};
use crate::engine::run::Run;
use crate::engine::{
    Checked, Choices, Document, Drawing, Film, GraphKind, Model, ModelInfo, Orbit, Problem, Progress,
    PropertyInfo, Question, Surveyed,
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

/// The state of the page. A [`Session`] changes only through [`Session::apply`].
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The model that the text started from.
    pub model: Model,
    /// The text and the parameters.
    pub question: Question,
    /// How to check.
    pub choices: Choices,
    /// The last model without problems; it stays visible while the text has some.
    pub info: Option<Rc<ModelInfo>>,
    /// The errors of the present text and parameters.
    pub problems: Rc<[Problem]>,
    /// The errors that the model has when it runs.
    pub faults: Rc<[Problem]>,
    /// The number of the property that is looked at.
    pub property: Option<u32>,
    /// The answers to the properties, by their numbers.
    pub checked: BTreeMap<u32, Rc<Checked>>,
    /// The findings of the pass over all states.
    pub surveyed: Option<Rc<Surveyed>>,
    /// The film of the property that is looked at; none inside where it has no search.
    film: Known<Film>,
    /// The parts of a property of branching time that are looked at.
    look: branching::Look,
    /// The node that a walk could start from: the one that was chosen last.
    pub offered: Option<(GraphKind, u32)>,
    /// Whether a walk by hand is played, or a search.
    played: mode::Played,
    /// The walk by hand, while there is one.
    pub walking: Option<Walking>,
    /// The inspector.
    pub looking: Looking,
    /// What is looked at for every size.
    pub everywhere: Everywhere,
    /// Where the film is.
    pub player: PlayState,
    /// Which graph is shown.
    pub view: GraphKind,
    /// Which diagram is shown in its place while the engine is symbolic.
    diagram: Option<Set>,
    pictures: BTreeMap<GraphKind, Drawn>,
    /// The node whose orbit is looked at, and its orbit once it is known.
    pub unfolded: Option<(GraphKind, u32)>,
    orbit: Known<Orbit>,
    /// The item that was chosen.
    pub selected: Option<Item>,
    /// The item that the pointer is on.
    pub hovered: Option<Item>,
    /// Which part of the page a small screen shows.
    pub screen: Screen,
    /// Which tab of the side is shown.
    pub side: Side,
    /// The question under way.
    pub asked: Option<Asked>,
    /// Whether checks were stopped, and none is started until they are wanted again.
    pub halted: bool,
    /// News of the engine that one should know.
    pub notice: Option<Rc<str>>,
    /// Other remarks, until they are dismissed.
    pub remarks: Rc<[Rc<str>]>,
    /// The wishes of a link that wait for answers.
    wish: open::Wish,
    /// The document that is wanted.
    document: Option<Document>,
    /// The last document that was written, or why it could not be.
    pub written: Option<(Document, Written)>,
    /// Counts what was done by hand: there is something to keep.
    pub touched: u32,
    /// Counts the models that were picked and opened: what was there before stays kept.
    pub epoch: u32,
    /// The session as it was when something else was picked or opened, without its pictures: it may have to be kept yet.
    pub left: Option<Rc<Session>>,
    /// The comparison of methods, which runs beside.
    pub background: Background,
    /// Counts the changes of text and parameters.
    version: u32,
    /// The version that the worker has.
    loaded: Option<u32>,
    /// Counts what pictures are made from: models, choices and searches.
    basis: u32,
    /// Whether the worker has lost the search that is shown: nothing is asked until one checks again.
    lost: bool,
    /// How often as much again of a graph was asked for.
    enlarged: BTreeMap<GraphKind, u32>,
    /// Whether the engine could not be loaded: it would be tried for ever.
    missing: bool,
}

impl Session {
    /// A session that starts with `model` and has no answer yet.
    pub fn new(model: Model) -> Session {
        Session {
            model,
            question: Question { source: model.source.into(), settings: BTreeMap::new() },
            choices: Choices::default(),
            info: None,
            problems: Rc::new([]),
            faults: Rc::new([]),
            property: None,
            checked: BTreeMap::new(),
            surveyed: None,
            film: Known::NotYet,
            look: branching::Look::default(),
            offered: None,
            played: mode::Played::Search,
            walking: None,
            looking: Looking::default(),
            everywhere: Everywhere::default(),
            player: PlayState::new(0),
            view: GraphKind::Aqs,
            diagram: None,
            pictures: BTreeMap::new(),
            unfolded: None,
            orbit: Known::NotYet,
            selected: None,
            hovered: None,
            screen: Screen::Graph,
            side: Side::Stack,
            asked: None,
            halted: false,
            notice: None,
            remarks: Rc::new([]),
            wish: open::Wish::default(),
            document: None,
            written: None,
            touched: 0,
            epoch: 0,
            background: Background::default(),
            version: 0,
            loaded: None,
            basis: 0,
            lost: false,
            missing: false,
            enlarged: BTreeMap::new(),
            left: None,
        }
    }

    /// Whether the text differs from the gallery's.
    pub fn is_edited(&self) -> bool {
        !self.model.source.is_empty() && *self.question.source != *self.model.source
    }

    /// Whether what is shown belongs to an earlier text.
    pub fn is_stale(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Whether the verdicts that are shown are about an earlier text or other parameters.
    pub fn is_old(&self) -> bool {
        self.info.is_some() && (self.is_stale() || self.is_pending())
    }

    /// Whether what is shown is not yet about the present text.
    pub fn is_pending(&self) -> bool {
        self.loaded != Some(self.version)
    }

    /// The film of the property that is looked at.
    pub fn film(&self) -> Option<&Rc<Film>> {
        self.film.value()
    }

    /// The graph of this kind as it was drawn last.
    pub fn picture(&self, of: GraphKind) -> Option<&Rc<Drawing>> {
        self.pictures.get(&of)?.picture.as_ref()
    }

    /// Whether it is known that there is no graph of this kind: it would be one of a search.
    pub fn has_no_picture(&self, of: GraphKind) -> bool {
        let awaited = of == GraphKind::Aqsi && self.awaits_parts();
        !awaited && self.pictures.get(&of).is_some_and(|drawn| drawn.picture.is_none())
    }

    /// The states of the node that is looked at.
    pub fn orbit(&self) -> Option<&Rc<Orbit>> {
        self.orbit.value()
    }

    /// The property that is looked at.
    pub fn looked_at(&self) -> Option<&PropertyInfo> {
        self.info.as_ref()?.properties.get(self.property? as usize)
    }

    /// The name of the property that is looked at.
    pub fn property_name(&self) -> Option<&str> {
        self.looked_at().map(|property| property.name.as_str())
    }

    /// The answer to the property that is looked at.
    pub fn answer(&self) -> Option<&Rc<Checked>> {
        self.checked.get(&self.property?)
    }

    /// The run that violates the property that is looked at; that of the film knows its nodes.
    pub fn run(&self) -> Option<&Rc<Run>> {
        let filmed = self.film().and_then(|film| film.run.as_ref());
        let run = filmed.or_else(|| self.answer()?.run.as_ref()).or_else(|| self.shown_walk());
        run.or_else(|| self.way_to_deadlock().filter(|_| self.branching().is_none()))
    }

    /// The lanes that are shown: of the walk by hand while there is one, else of the run.
    pub fn lanes(&self) -> Option<&Rc<Run>> {
        if self.is_walking() { self.walked_run() } else { self.run() }
    }

    /// Whether the run that is shown is not of the property, but the way to a state in which nothing can move.
    pub fn shows_deadlock(&self) -> bool {
        self.run().is_some() && self.run() == self.way_to_deadlock()
    }

    fn way_to_deadlock(&self) -> Option<&Rc<Run>> {
        self.surveyed.as_ref()?.run.as_ref()
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
        match self.selected? {
            Item::SourceLine(line) => Some(line),
            Item::RunStep(column) => self.lanes()?.steps.get(column.checked_sub(1)? as usize)?.line,
            _ => None,
        }
    }

    /// The session after `action`.
    #[must_use]
    pub fn apply(&self, action: Action) -> Session {
        let mut next = self.clone();
        next.touched += u32::from(action.is_by_hand());
        match action {
            Action::Pick(model) => next.pick(model),
            Action::Edit(source) if source != self.question.source => {
                next.question.source = source;
                next.wish.step = None;
                next.version += 1;
            }
            Action::Open(opening) => next.open(*opening),
            Action::Write(what) => next.want_document(what),
            Action::Taken => next.written = None,
            Action::Remark(words) => next.remark(&words),
            Action::Dismiss(number) => {
                let left = self.remarks.iter().enumerate().filter(|(at, _)| *at as u32 != number);
                next.remarks = left.map(|(_, remark)| remark.clone()).collect();
            }
            Action::Set(name, value) => {
                let before = next.question.settings.insert(name, value);
                next.wish.step = None;
                next.version += u32::from(before != Some(value));
            }
            Action::Choose(choices) if choices != self.choices => {
                next.choose(choices);
                next.wish.step = None;
                if !self.is_stale() && !self.is_pending() {
                    next.forget();
                }
            }
            Action::Property(number) if self.property != Some(number) => next.look_at(number),
            Action::View(view) => (next.view, next.diagram) = (view, None),
            Action::Diagram(set) => next.diagram = Some(set),
            Action::Enlarge(of) if self.can_enlarge(of) => {
                *next.enlarged.entry(of).or_default() += 1;
            }
            Action::Edit(_) | Action::Choose(_) | Action::Property(_) | Action::Enlarge(_) => {}
            Action::Unfold(node) => {
                next.unfolded = node;
                next.orbit = Known::NotYet;
            }
            Action::Play(play) => {
                next.player = self.player.after(play);
                if !matches!(play, Play::Tick(_) | Play::Speed(_)) {
                    next.wish.step = None;
                }
            }
            Action::Branch(branch) => next.branch(branch),
            Action::Walk(stride) => next.stride(stride),
            Action::Look(look) => next.look_closely(look),
            Action::Every(act) => next.act_everywhere(act),
            Action::Select(item) => {
                next.offer(item);
                next.selected = item;
            }
            Action::Hover(item) => next.hovered = item,
            Action::Screen(screen) => next.screen = screen,
            Action::Side(side) => next.turn_side(side),
            Action::Stop => next.halted = true,
            Action::Again => {
                (next.halted, next.missing) = (false, false);
                next.checked.retain(|_, checked| checked.why.as_ref().is_none_or(|why| !why.is_partial()));
                next.surveyed = next.surveyed.filter(|surveyed| surveyed.why.is_none());
                if std::mem::take(&mut next.lost) || next.film().is_some_and(|film| film.log.is_partial()) {
                    next.film = Known::NotYet;
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
        if next.epoch != self.epoch {
            next.left = Some(Rc::new(Session { left: None, pictures: BTreeMap::new(), ..self.clone() }));
        }
        next
    }

    /// Starts to compare the methods on the property that is looked at, or on several values of a parameter.
    fn compare(&mut self, param: Option<&str>) {
        let (Some(info), Some(property), false) = (&self.info, self.property, self.is_stale()) else {
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
        self.wish = open::Wish::default();
        self.model = model;
        (self.selected, self.hovered) = (None, None);
        if !same {
            self.question = Question { source: model.source.into(), settings: BTreeMap::new() };
            self.property = None;
            self.version += 1;
            self.epoch += 1;
            self.leave();
        }
    }

    /// The model is another one: nothing that was said of the last one is shown any more.
    fn leave(&mut self) {
        self.forget();
        (self.info, self.problems) = (None, Rc::new([]));
        self.pictures.clear();
    }

    /// Forgets the answers about the model: it or the choices have changed.
    fn forget(&mut self) {
        self.checked.clear();
        self.surveyed = None;
        self.faults = Rc::new([]);
        self.document = None;
        self.halted = false;
        self.film = Known::NotYet;
        self.forget_branching();
        self.everywhere = Everywhere::default();
        self.forget_walk();
        self.look_anew();
        self.player = PlayState { speed: self.player.speed, ..PlayState::new(0) };
        self.basis += 1;
        self.enlarged.clear();
        self.offered = None;
        (self.unfolded, self.orbit) = (None, Known::NotYet);
        (self.selected, self.hovered) = (None, None);
    }

    fn look_at(&mut self, number: u32) {
        self.property = Some(number);
        self.film = Known::NotYet;
        self.turn_everywhere();
        self.turn_to_property();
        self.wish = open::Wish::default();
        self.document = None;
        self.player = PlayState { speed: self.player.speed, ..PlayState::new(0) };
        (self.unfolded, self.orbit) = (None, Known::NotYet);
        (self.selected, self.hovered) = (None, None);
    }
}
