//! The session changes by what its worker says, or does not say.

use super::{Asked, Drawn, Happened, Item, Known, Session};
use crate::engine::protocol::{Answer, FromWorker, Request, RequestId};
use crate::engine::{Checked, ModelInfo, Problem, Why};
use std::rc::Rc;

const SILENT: &str =
    "The engine did not answer and was started anew. What it had found by then is kept, and is partial.";
const BROKEN: &str =
    "The engine broke down and was started anew. What it had found by then is kept, and is partial.";
const MISSING: &str =
    "The engine could not be loaded. What is shown stays as it is; \"Check again\" tries once more.";
const UNREADABLE: &str = "the engine cannot read this model; this is an error of Orbitscope";

impl Session {
    pub(super) fn happened(&mut self, happened: Happened) {
        match happened {
            Happened::Asked(id, request) => {
                let version = self.version;
                self.asked = Some(Asked { id, request, version, progress: None, stopping: false });
            }
            Happened::Stopping => {
                if let Some(asked) = &mut self.asked {
                    asked.stopping = true;
                }
            }
            Happened::Heard(FromWorker::Ready) => {}
            Happened::Heard(FromWorker::Progress(id, progress, time)) => {
                if let Some(asked) = self.asked.as_mut().filter(|asked| asked.id == id) {
                    asked.progress = Some((progress, time));
                }
            }
            Happened::Heard(FromWorker::Answer(id, answer)) => self.hear(id, *answer),
            Happened::Silent => self.restarted(SILENT),
            Happened::Broken => {
                // It would break down again and again.
                let model = |asked: &Asked| matches!(asked.request, Request::Model(_));
                if self.asked.as_ref().is_some_and(model) {
                    self.problems = Rc::new([Problem { message: UNREADABLE.into(), place: None }]);
                    self.restarted(BROKEN);
                    self.loaded = Some(self.version);
                } else {
                    self.restarted(BROKEN);
                }
            }
            Happened::Missing => {
                self.restarted(MISSING);
                self.missing = true;
            }
        }
    }

    fn hear(&mut self, id: RequestId, answer: Answer) {
        let Some(asked) = self.asked.take_if(|asked| asked.id == id) else { return };
        let is_model = matches!(asked.request, Request::Model(_));
        if asked.version != self.version || !is_model && !self.is_wanted(&asked.request) {
            return;
        }
        match (asked.request, answer) {
            (Request::Model(_), Answer::Model(Ok(info))) => self.take_model(info),
            (Request::Model(_), Answer::Model(Err(problems))) => {
                self.loaded = Some(self.version);
                self.problems = problems.into();
            }
            (Request::Film { .. }, Answer::Film(film)) => {
                let film = self.or_fault(film).flatten().map(Rc::new);
                self.film = Known::from(film);
                self.rewind();
                self.basis += 1;
            }
            (
                request @ (Request::Picture { of, .. } | Request::Larger { of, .. }),
                Answer::Picture(picture),
            ) => {
                let picture = self.or_fault(picture).flatten().map(Rc::new);
                // Node numbers of another graph mean other nodes.
                if self.picture(of) != picture.as_ref() {
                    let other = |item: &Item| !matches!(item, Item::Node(graph, _) if *graph == of);
                    self.selected = self.selected.filter(other);
                    self.hovered = self.hovered.filter(other);
                }
                let times = if let Request::Larger { times, .. } = request { times } else { 0 };
                self.pictures.insert(of, Drawn { basis: self.basis, times, picture });
            }
            // It was stopped for something more urgent, and is asked again: what it had found by then is not its answer.
            (Request::Check { .. }, Answer::Check(Some(checked)))
                if asked.stopping && !self.halted && checked.why.as_ref().is_some_and(Why::is_partial) => {}
            (Request::Survey { .. }, Answer::Survey(surveyed))
                if asked.stopping && !self.halted && surveyed.why.is_some() => {}
            (Request::Walk { .. }, Answer::Walk(walked)) => self.take_walk(walked),
            (Request::Check { property, .. }, Answer::Check(Some(checked))) => {
                self.checked.insert(property, Rc::new(checked));
                if self.property == Some(property) && self.choices.is_symbolic() {
                    self.rewind();
                }
            }
            (Request::Survey { .. }, Answer::Survey(surveyed)) => self.surveyed = Some(Rc::new(surveyed)),
            (Request::Document { what, .. }, Answer::Document(text)) => {
                self.document = None;
                self.written = Some((what, text.map(Rc::from).map_err(Rc::from)));
            }
            (Request::Branching { .. }, Answer::Branching(found)) => {
                let found = self.or_fault(found).flatten();
                self.take_branching(found);
            }
            (Request::Every { property, .. }, Answer::Every(found)) => self.take_everywhere(property, found),
            (Request::Inspect { .. }, Answer::Inspect(found)) => self.take_state(found),
            (Request::Find { .. }, Answer::Find(found)) => self.take_nodes(found),
            (Request::Explain { .. }, Answer::Explain(piece)) => self.take_piece(piece),
            (Request::Orbit { .. }, Answer::Orbit(orbit)) => self.orbit = Known::from(orbit.map(Rc::new)),
            _ => {}
        }
    }

    fn take_model(&mut self, info: ModelInfo) {
        self.loaded = Some(self.version);
        self.problems = Rc::new([]);
        if self.lost && self.info.as_deref() == Some(&info) {
            return;
        }
        self.lost = false;
        self.notice = None;
        // The same property, by its name, stays looked at.
        let name =
            self.info.as_ref().and_then(|old| Some(&old.properties.get(self.property? as usize)?.name));
        let same = name.and_then(|name| info.properties.iter().position(|new| new.name == *name));
        let first = || info.properties.iter().position(|property| property.logic.has_search());
        let any = || (!info.properties.is_empty()).then_some(0);
        let wished = self.meet(&info);
        self.property = wished.or(same).or_else(first).or_else(any).map(|number| number as u32);
        let another = same.is_none() || wished.is_some();
        self.info = Some(Rc::new(info));
        self.forget();
        if another {
            let view = self.view;
            self.turn_to_property();
            // A view that a link wants is shown.
            self.view = if wished.is_some() { view } else { self.view };
        }
    }

    /// The result, or none where the model has an error, which is noted.
    fn or_fault<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(problem) => {
                if !self.faults.contains(&problem) {
                    self.faults = self.faults.iter().cloned().chain([problem]).collect();
                }
                None
            }
        }
    }

    /// The worker is a new one and knows nothing: what had been answered stays, and of what was under way as much as it had
    /// told.
    fn restarted(&mut self, why: &str) {
        self.loaded = None;
        if let Some(Asked { request: Request::Check { property, choices, .. }, version, progress, .. }) =
            self.asked.take()
            && (version, choices) == (self.version, self.choices)
        {
            let (progress, time) = progress.unwrap_or_default();
            self.checked.insert(property, Rc::new(Checked::stopped_at(progress, time)));
        }
        self.document = None;
        self.notice = Some(why.into());
        self.halted = true;
        self.lost = true;
    }
}
