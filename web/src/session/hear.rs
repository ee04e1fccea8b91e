//! The session changes by what its worker says, or does not say.

use super::next::AT_ONCE;
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
                let version = self.line.version;
                self.line.asked = Some(Asked { id, request, version, progress: None, stopping: false });
            }
            Happened::Stopping => {
                if let Some(asked) = &mut self.line.asked {
                    asked.stopping = true;
                }
            }
            Happened::Heard(FromWorker::Ready) => {}
            Happened::Heard(FromWorker::Progress(id, progress, time)) => {
                if let Some(asked) = self.line.asked.as_mut().filter(|asked| asked.id == id) {
                    asked.progress = Some((progress, time));
                }
            }
            Happened::Heard(FromWorker::Answer(id, answer)) => self.hear(id, *answer),
            Happened::Silent => self.restarted(SILENT),
            Happened::Broken => {
                // It would break down again and again.
                let model = |asked: &Asked| matches!(asked.request, Request::Model(_));
                if self.line.asked.as_ref().is_some_and(model) {
                    self.found_mut().problems = Rc::new([Problem::new(UNREADABLE)]);
                    self.restarted(BROKEN);
                    self.line.loaded = Some(self.line.version);
                } else {
                    self.restarted(BROKEN);
                }
            }
            Happened::Missing => {
                self.restarted(MISSING);
                self.line.missing = true;
            }
        }
    }

    fn hear(&mut self, id: RequestId, answer: Answer) {
        let Some(asked) = self.line.asked.take_if(|asked| asked.id == id) else { return };
        let is_model = matches!(asked.request, Request::Model(_));
        if asked.version != self.line.version || !is_model && !self.is_wanted(&asked.request) {
            return;
        }
        // Who stops everything, or passes this over, keeps what was found by then.
        let kept = self.line.halted || self.line.skipped == Some(id);
        match (asked.request, answer) {
            (Request::Model(_), Answer::Model(Ok(info))) => self.take_model(info),
            (Request::Model(_), Answer::Model(Err(problems))) => {
                self.line.loaded = Some(self.line.version);
                self.found_mut().problems = problems.into();
            }
            (Request::Film { .. }, Answer::Film(film)) => {
                let film = self.or_fault(film).flatten().map(Rc::new);
                self.play.film = Known::from(film);
                self.rewind();
                self.scene_mut().basis += 1;
            }
            (
                request @ (Request::Picture { of, .. } | Request::Larger { of, .. }),
                Answer::Picture(picture),
            ) => {
                let picture = self.or_fault(picture).flatten().map(Rc::new);
                // Node numbers of another graph mean other nodes.
                if self.picture(of) != picture.as_ref() {
                    let other = |item: &Item| !matches!(item, Item::Node(graph, _) if *graph == of);
                    self.pointer.selected = self.pointer.selected.filter(other);
                    self.pointer.hovered = self.pointer.hovered.filter(other);
                }
                let times = if let Request::Larger { times, .. } = request { times } else { 0 };
                let basis = self.scene.basis;
                self.scene_mut().pictures.insert(of, Drawn { basis, times, picture });
            }
            // It was stopped for something more urgent, and is asked again: what it had found by then is not its answer.
            (Request::Check { .. }, Answer::Check(Some(checked)))
                if asked.stopping && !kept && checked.why.as_ref().is_some_and(Why::is_partial) => {}
            (Request::Survey { .. }, Answer::Survey(surveyed))
                if asked.stopping && !kept && surveyed.why.is_some() => {}
            // It takes longer than one waits for a picture.
            (Request::Check { patience: Some(AT_ONCE), .. }, Answer::Check(Some(checked)))
                if !kept && matches!(checked.why, Some(Why::Stopped | Why::Longer)) =>
            {
                self.play.takes_long = true;
            }
            (Request::Walk { .. }, Answer::Walk(walked)) => self.take_walk(walked),
            (Request::Check { property, .. }, Answer::Check(Some(checked))) => {
                self.found_mut().checked.insert(property, Rc::new(checked));
                if self.property == Some(property) && self.choices.is_symbolic() {
                    self.rewind();
                }
            }
            (Request::Survey { .. }, Answer::Survey(surveyed)) => {
                self.found_mut().surveyed = Some(Rc::new(surveyed));
            }
            (Request::Document { what, .. }, Answer::Document(text)) => {
                self.kept.document = None;
                self.kept.written = Some((what, text.map(Rc::from).map_err(Rc::from)));
            }
            (Request::Branching { .. }, Answer::Branching(found)) => {
                let found = self.or_fault(found).flatten();
                self.take_branching(found);
            }
            (Request::Every { property, .. }, Answer::Every(found)) => self.take_everywhere(property, found),
            (Request::Inspect { .. }, Answer::Inspect(found)) => self.take_state(found),
            (Request::Find { .. }, Answer::Find(found)) => self.take_nodes(found),
            (Request::Explain { .. }, Answer::Explain(piece)) => self.take_piece(piece),
            (Request::Orbit { .. }, Answer::Orbit(orbit)) => {
                self.scene_mut().orbit = Known::from(orbit.map(Rc::new));
            }
            _ => {}
        }
    }

    fn take_model(&mut self, info: ModelInfo) {
        self.line.loaded = Some(self.line.version);
        self.found_mut().problems = Rc::new([]);
        if self.line.lost && self.found.info.as_deref() == Some(&info) {
            return;
        }
        self.line.lost = false;
        self.line.notice = None;
        // The same property, by its name, stays looked at.
        let name =
            self.found.info.as_ref().and_then(|old| Some(&old.properties.get(self.property? as usize)?.name));
        let same = name.and_then(|name| info.properties.iter().position(|new| new.name == *name));
        let first = || info.properties.iter().position(|property| property.logic.has_search());
        let any = || (!info.properties.is_empty()).then_some(0);
        let wished = self.meet(&info);
        self.property = wished.or(same).or_else(first).or_else(any).map(|number| number as u32);
        let another = same.is_none() || wished.is_some();
        self.found_mut().info = Some(Rc::new(info));
        self.forget();
        if another {
            let view = self.scene.view;
            self.turn_to_property();
            // A view that a link wants is shown.
            self.scene_mut().view = if wished.is_some() { view } else { self.scene.view };
        }
    }

    /// The result, or none where the model has an error, which is noted.
    fn or_fault<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(problem) => {
                if !self.found.faults.contains(&problem) {
                    self.found_mut().faults = self.found.faults.iter().cloned().chain([problem]).collect();
                }
                None
            }
        }
    }

    /// The worker is a new one and knows nothing: what had been answered stays, and of what was under way as much as it had
    /// told.
    fn restarted(&mut self, why: &str) {
        self.line.loaded = None;
        if let Some(Asked { request: Request::Check { property, choices, .. }, version, progress, .. }) =
            self.line.asked.take()
            && (version, choices) == (self.line.version, self.choices)
        {
            let (progress, time) = progress.unwrap_or_default();
            self.found_mut().checked.insert(property, Rc::new(Checked::stopped_at(progress, time)));
        }
        self.kept.document = None;
        self.line.notice = Some(why.into());
        self.line.halted = true;
        self.line.lost = true;
    }
}
