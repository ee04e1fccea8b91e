//! Answering requests one after the other, in slices, with an ear for what comes in meanwhile.

use super::branching::Lab;
use super::choices::Choices;
use super::document::{self, Reports};
use super::film::Studio;
use super::model::{CheckedModel, Question};
use super::picture::{Drawing, GraphKind};
use super::problem::Problem;
use super::protocol::{Answer, FromWorker, Request, RequestId, ToWorker};
use super::{every, inspect, orbit, picture, verdict, walk};
use orbitscope_core::check::Stepping;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;

/// How long is worked before messages are looked at, in milliseconds.
const SLICE: f64 = 60.0;
/// How often progress is told, in milliseconds.
const TELL: f64 = 100.0;
/// Most steps between two looks at the clock.
const MAX_BATCH: u32 = 1024;
/// Whoever stops a check gets the run of a violation that is in hand, if it can be made in so many milliseconds.
const LAST: f64 = 80.0;

/// The way to whoever asks, and the clock.
pub trait Port {
    /// Says something.
    fn send(&self, message: FromWorker);
    /// The next message that has come in.
    fn take(&self) -> Option<ToWorker>;
    /// Waits for a message.
    fn wait(&self) -> impl Future<Output = ()>;
    /// Lets messages come in.
    fn pause(&self) -> impl Future<Output = ()>;
    /// Milliseconds on a clock that never goes back.
    fn now(&self) -> f64;
}

/// Whatever is remembered of a model between two requests about it.
#[derive(Default)]
struct Findings<'m> {
    studio: Studio<'m>,
    lab: Lab<'m>,
    reports: Reports,
    drawn: BTreeMap<GraphKind, Drawing>,
}

impl<'m> Findings<'m> {
    /// Draws a graph, or `times` as much of it again around what was drawn of it before.
    fn picture(
        &mut self,
        model: &'m CheckedModel,
        of: GraphKind,
        choices: Choices,
        times: u32,
    ) -> Result<Option<Drawing>, Problem> {
        let Some(graph) = picture::picture(model, &mut self.studio, of, choices, times)? else {
            return Ok(None);
        };
        let drawing = match self.drawn.remove(&of).filter(|_| times > 0) {
            Some(before) => before.grown(graph),
            None => Drawing::new(graph),
        };
        self.drawn.insert(of, drawing.clone());
        Ok(Some(drawing))
    }
}

struct Desk<P> {
    port: P,
    waiting: RefCell<VecDeque<(RequestId, Request)>>,
}

/// Answers what the port asks, for ever.
pub async fn serve(port: impl Port) {
    let desk = Desk { port, waiting: RefCell::default() };
    desk.port.send(FromWorker::Ready);
    loop {
        let (id, request) = desk.next().await;
        // Before the first model there is nothing to ask about.
        let Request::Model(question) = request else { continue };
        match CheckedModel::new(&question) {
            Ok(model) => {
                desk.answer(id, Answer::Model(Ok(model.info())));
                desk.about(&model, &question).await;
            }
            Err(problems) => desk.answer(id, Answer::Model(Err(problems))),
        }
    }
}

impl<P: Port> Desk<P> {
    fn answer(&self, id: RequestId, answer: Answer) {
        self.port.send(FromWorker::Answer(id, Box::new(answer)));
    }

    /// The next request.
    async fn next(&self) -> (RequestId, Request) {
        loop {
            self.collect();
            if let Some(next) = self.waiting.borrow_mut().pop_front() {
                return next;
            }
            self.port.wait().await;
        }
    }

    /// Takes in what has come; says which requests are to be stopped.
    fn collect(&self) -> Vec<RequestId> {
        let mut stopped = Vec::new();
        let mut waiting = self.waiting.borrow_mut();
        while let Some(message) = self.port.take() {
            match message {
                ToWorker::Ask(id, request) => {
                    if matches!(request, Request::Model(_)) {
                        waiting.clear();
                    }
                    waiting.push_back((id, request));
                }
                ToWorker::Stop(id) => stopped.push(id),
            }
        }
        stopped
    }

    /// Answers requests about a model until another one is asked for.
    async fn about(&self, model: &CheckedModel, question: &Question) {
        let mut known = Findings::default();
        loop {
            let (id, request) = self.next().await;
            if let Request::Model(_) = request {
                self.waiting.borrow_mut().push_front((id, request));
                return;
            }
            if let Some(answer) = self.answered(id, request, model, question, &mut known).await {
                self.answer(id, answer);
            }
        }
    }

    /// The answer to a request about a model, unless another model is asked for meanwhile.
    async fn answered<'m>(
        &self,
        id: RequestId,
        request: Request,
        model: &'m CheckedModel,
        question: &Question,
        known: &mut Findings<'m>,
    ) -> Option<Answer> {
        let Findings { studio, lab, reports, .. } = known;
        Some(match request {
            Request::Model(_) => return None,
            Request::Film { property, search, choices } => {
                match studio.prepare(model, property, search, choices) {
                    Err(problem) => Answer::Film(Err(problem)),
                    Ok(false) => Answer::Film(Ok(None)),
                    Ok(true) => {
                        if let Some(recording) = studio.recording() {
                            self.drive(id, recording, None).await?;
                        }
                        Answer::Film(Ok(studio.film(model)))
                    }
                }
            }
            Request::Branching { property, choices } => {
                if let Err(problem) = lab.prepare(model, property, choices) {
                    return Some(Answer::Branching(Err(problem)));
                }
                if let Some(check) = lab.work() {
                    self.drive(id, check, None).await?;
                }
                Answer::Branching(Ok(lab.branching(model).map(Box::new)))
            }
            Request::Explain { claim, .. } => Answer::Explain(lab.explain(model, claim)),
            Request::Picture { of: GraphKind::Part(part), .. } => Answer::Picture(Ok(lab.drawing(part))),
            Request::Orbit { of: GraphKind::Part(part), node, .. } => {
                Answer::Orbit(lab.orbit(model, part, node))
            }
            Request::Picture { of, choices } => Answer::Picture(known.picture(model, of, choices, 0)),
            Request::Larger { of, choices, times } => {
                Answer::Picture(known.picture(model, of, choices, times))
            }
            // The time is that of the search, as the command line measures it.
            Request::Check { property, choices, patience } => {
                match verdict::start(model, property, choices) {
                    Err(answer) => Answer::Check(answer.map(|answer| *answer)),
                    Ok(mut check) => {
                        let time = self.drive(id, &mut check, patience).await?;
                        reports.insert(property, (choices, check.check.stop()));
                        Answer::Check(Some(verdict::finish(model, &mut check, property, time)))
                    }
                }
            }
            Request::Survey { choices } => match verdict::start_survey(model, choices) {
                Err(answer) => Answer::Survey(*answer),
                Ok(mut pass) => {
                    let time = self.drive(id, &mut pass, None).await?;
                    Answer::Survey(verdict::finish_survey(model, pass, time))
                }
            },
            Request::Orbit { of, node, choices } => {
                Answer::Orbit(orbit::orbit(model, studio, of, node, choices))
            }
            Request::Walk { walk, go, choices } => {
                let walked = walk::walk(model, studio, choices, question, &walk, &go);
                Answer::Walk(walked.map(Box::new))
            }
            Request::Inspect { spot, watches, choices } => {
                let found = inspect::inspect(model, studio, choices, question, &spot, &watches);
                Answer::Inspect(found.map(Box::new))
            }
            Request::Find { of, count, words, choices } => {
                Answer::Find(inspect::find(model, studio, choices, question, (of, count), &words))
            }
            Request::Every { property, choices } => {
                let info = model.info();
                let name = info.properties.get(property as usize).map_or("", |p| p.name.as_str());
                Answer::Every(every::every(question, name, choices, &|| self.port.now()).map(Box::new))
            }
            Request::Document { what, property, choices, name } => {
                Answer::Document(document::document(model, studio, reports, what, property, choices, &name))
            }
        })
    }

    /// Steps some work to its end, or until it is stopped or has taken too long, and says how many milliseconds it took.
    /// Where another model is asked for meanwhile, nobody wants it any more.
    async fn drive(&self, id: RequestId, work: &mut impl Stepping, patience: Option<u32>) -> Option<f64> {
        let start = self.port.now();
        let end = patience.map_or(f64::INFINITY, |patience| start + f64::from(patience));
        let mut told = start;
        loop {
            let slice = self.port.now();
            let (mut batch, mut now) = (1u32, slice);
            while now - slice < SLICE {
                for n in 1..=batch {
                    if !work.step() {
                        return Some(self.port.now() - start);
                    }
                    // Steps need not be as short as the last ones were.
                    if n.is_multiple_of(32) && self.port.now() - now > 8.0 {
                        break;
                    }
                }
                let before = std::mem::replace(&mut now, self.port.now());
                if now - before < 1.0 {
                    batch = (batch * 2).min(MAX_BATCH);
                } else if now - before > 4.0 {
                    batch = (batch / 2).max(1);
                }
            }
            if now - told >= TELL {
                told = now;
                self.port.send(FromWorker::Progress(id, work.progress(), now - start));
            }
            self.port.pause().await;
            if self.collect().contains(&id) || now >= end {
                if work.hurry() {
                    let last = self.port.now() + LAST;
                    while self.port.now() < last && work.step() {}
                }
                return Some(self.port.now() - start);
            }
            let void = |(_, request): &(RequestId, Request)| matches!(request, Request::Model(_));
            if self.waiting.borrow().iter().any(void) {
                return None;
            }
        }
    }
}
