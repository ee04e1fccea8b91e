//! The comparison that runs beside in a worker of its own: the same property checked by every method, once, or for
//! several values of a parameter.

use super::{Happened, Next};
use crate::engine::protocol::{Answer, FromWorker, Request, RequestId};
use crate::engine::{Algorithm, Checked, Choices, Engine, Logic, ParamInfo, Progress, Prune, Question};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A method gives up after so many milliseconds: in the table, and at one point of the plot.
const TABLE_PATIENCE: u32 = 10_000;
const PLOT_PATIENCE: u32 = 2_000;
/// The values of a parameter that are plotted, as far as it may have them.
const VALUES: [i64; 16] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 50, 75, 99, 150];

/// A way to check a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// On the fly, one of each class of parallel edges.
    Full,
    /// On the fly, the edges of one process of each class.
    Process,
    /// On the fly, every edge of the quotient.
    Unpruned,
    /// The older method.
    Threaded,
    /// On the fly, without symmetry.
    NoSymmetry,
    /// The plain method.
    Explicit,
    /// An algorithm for branching time; plain is without symmetry.
    Ctl {
        /// Whether it is without symmetry.
        plain: bool,
        /// Which one.
        algorithm: Algorithm,
    },
    /// The fixed points of the mu-calculus; plain is without symmetry.
    Fixpoints {
        /// Whether it is without symmetry.
        plain: bool,
    },
}

impl Method {
    /// Those that decide properties of a logic.
    pub fn of(logic: Logic) -> Vec<Method> {
        let ctl = |plain: bool| Algorithm::ALL.map(|algorithm| Method::Ctl { plain, algorithm });
        match logic {
            Logic::Ctl => [ctl(false), ctl(true)].concat(),
            Logic::Mu => vec![Method::Fixpoints { plain: false }, Method::Fixpoints { plain: true }],
            Logic::Invariant | Logic::Cover | Logic::Deadlock | Logic::Ltl | Logic::Automaton => vec![
                Method::Full,
                Method::Process,
                Method::Unpruned,
                Method::Threaded,
                Method::NoSymmetry,
                Method::Explicit,
            ],
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Full => "full pruning",
            Method::Process => "pruned by process",
            Method::Unpruned => "nothing pruned",
            Method::Threaded => "older method",
            Method::NoSymmetry => "no symmetry",
            Method::Explicit => "plain method",
            Method::Ctl { plain: false, algorithm: Algorithm::Naive } => "naive",
            Method::Ctl { plain: false, algorithm: Algorithm::Emc } => "EMC",
            Method::Ctl { plain: false, algorithm: Algorithm::Local } => "local",
            Method::Ctl { plain: false, algorithm: Algorithm::Global } => "global",
            Method::Ctl { plain: true, algorithm: Algorithm::Naive } => "naive, no symmetry",
            Method::Ctl { plain: true, algorithm: Algorithm::Emc } => "EMC, no symmetry",
            Method::Ctl { plain: true, algorithm: Algorithm::Local } => "local, no symmetry",
            Method::Ctl { plain: true, algorithm: Algorithm::Global } => "global, no symmetry",
            Method::Fixpoints { plain: false } => "fixed points",
            Method::Fixpoints { plain: true } => "fixed points, no symmetry",
        }
    }

    /// A sentence about the method.
    pub fn about(self) -> &'static str {
        match self {
            Method::Full => "On the fly, on the quotient; one of each class of parallel edges.",
            Method::Process => "On the fly, on the quotient; the edges of one process of each class.",
            Method::Unpruned => "On the fly, on the quotient; every edge.",
            Method::Threaded => {
                "The whole product with every position of the tracked processes, then its components."
            }
            Method::NoSymmetry => "On the fly, every state by itself.",
            Method::Explicit => "Every state of the program and the whole product, then its components.",
            Method::Ctl { algorithm: Algorithm::Naive, .. } => {
                "Passes over all states until nothing changes."
            }
            Method::Ctl { algorithm: Algorithm::Emc, .. } => {
                "Backwards along the predecessor relation (Clarke, Emerson & Sistla 1986)."
            }
            Method::Ctl { algorithm: Algorithm::Local, .. } => {
                "Only what the initial states need (Vergauwen & Lewi 1993)."
            }
            Method::Ctl { algorithm: Algorithm::Global, .. } => {
                "Depth first without the predecessor relation (Heljanko 1997)."
            }
            Method::Fixpoints { .. } => "Fixed points round by round, inner ones first.",
        }
    }

    /// Its letter in the plot.
    pub fn letter(self) -> &'static str {
        match self {
            Method::Full => "F",
            Method::Process => "P",
            Method::Unpruned => "U",
            Method::Threaded => "T",
            Method::NoSymmetry => "N",
            Method::Explicit | Method::Ctl { plain: false, algorithm: Algorithm::Emc } => "E",
            Method::Ctl { plain: false, algorithm: Algorithm::Naive } => "V",
            Method::Ctl { plain: false, algorithm: Algorithm::Local } => "L",
            Method::Ctl { plain: false, algorithm: Algorithm::Global } => "G",
            Method::Ctl { plain: true, algorithm: Algorithm::Naive } => "v",
            Method::Ctl { plain: true, algorithm: Algorithm::Emc } => "e",
            Method::Ctl { plain: true, algorithm: Algorithm::Local } => "l",
            Method::Ctl { plain: true, algorithm: Algorithm::Global } => "g",
            Method::Fixpoints { plain: false } => "X",
            Method::Fixpoints { plain: true } => "x",
        }
    }

    fn choices(self, base: Choices) -> Choices {
        let (engine, prune, symmetry) = match self {
            Method::Full => (Engine::Onthefly, Prune::Full, true),
            Method::Process => (Engine::Onthefly, Prune::Process, true),
            Method::Unpruned => (Engine::Onthefly, Prune::None, true),
            Method::Threaded => (Engine::Threaded, Prune::None, true),
            Method::NoSymmetry => (Engine::Onthefly, Prune::Full, false),
            Method::Explicit => (Engine::Explicit, Prune::None, false),
            Method::Ctl { plain, .. } | Method::Fixpoints { plain } => {
                (Engine::Onthefly, Prune::Full, !plain)
            }
        };
        let ctl = match self {
            Method::Ctl { algorithm, .. } => algorithm,
            _ => base.ctl,
        };
        Choices { prune, engine, symmetry, ctl, ..base }
    }
}

/// The state of one check.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// It will be done.
    Waiting,
    /// It is under way.
    Running(Progress, f64),
    /// It is done, or was stopped.
    Done(Rc<Checked>),
    /// It was left out, since a smaller one took too long, or since all was stopped.
    LeftOut,
}

/// The checks for several values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The parameter.
    pub param: String,
    /// Its values, ascending.
    pub values: Vec<i64>,
    /// The checks, by value and method.
    pub cells: BTreeMap<(i64, Method), Cell>,
}

/// The subject of the comparison.
#[derive(Clone, Debug, PartialEq)]
struct Subject {
    question: Question,
    property: u32,
    choices: Choices,
}

/// A check of the comparison: in the table, or at a value of the plot's parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Job {
    value: Option<i64>,
    method: Method,
}

/// A question under way: a model, or the check of a job.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    id: RequestId,
    job: Job,
    model: Option<Question>,
    /// Whether the worker is still to be told to end it.
    to_stop: bool,
    /// Whether nobody wants the answer any more.
    void: bool,
}

/// The comparison of methods.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Background {
    subject: Option<Subject>,
    /// The table: what each method needs.
    pub table: BTreeMap<Method, Cell>,
    /// The plot.
    pub plot: Option<Plot>,
    asked: Option<Asked>,
    /// The model that the worker has.
    loaded: Option<Question>,
}

impl Background {
    /// Whether the comparison is about this.
    pub fn is_about(&self, question: &Question, property: Option<u32>, choices: Choices) -> bool {
        let same = |subject: &Subject| {
            // The methods differ in the rest.
            let (own, other) = (subject.choices, choices);
            subject.question == *question
                && Some(subject.property) == property
                && (own.fairness, own.deadlock, own.fair_ctl)
                    == (other.fairness, other.deadlock, other.fair_ctl)
        };
        self.subject.as_ref().is_some_and(same)
    }

    /// Whether something is under way.
    pub fn is_busy(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether there is more to do.
    pub fn is_running(&self) -> bool {
        self.is_busy() || self.job().is_some()
    }

    pub(super) fn compare(&mut self, question: &Question, property: (u32, Logic), choices: Choices) {
        let (property, logic) = property;
        self.void();
        if !self.is_about(question, Some(property), choices) {
            self.plot = None;
        }
        self.subject = Some(Subject { question: question.clone(), property, choices });
        self.table = Method::of(logic).into_iter().map(|method| (method, Cell::Waiting)).collect();
    }

    pub(super) fn plot(
        &mut self,
        question: &Question,
        property: (u32, Logic),
        choices: Choices,
        param: &ParamInfo,
    ) {
        let (property, logic) = property;
        let methods = Method::of(logic);
        self.void();
        if !self.is_about(question, Some(property), choices) {
            self.table.clear();
        }
        self.subject = Some(Subject { question: question.clone(), property, choices });
        let (least, most) = param.range.unwrap_or((1, i64::MAX));
        let values: Vec<i64> = VALUES.into_iter().filter(|value| (least..=most).contains(value)).collect();
        let cells = values
            .iter()
            .flat_map(|&value| methods.iter().map(move |&method| ((value, method), Cell::Waiting)));
        self.plot = Some(Plot { param: param.name.clone(), cells: cells.collect(), values });
    }

    /// Leaves out the checks that are left, and ends the one under way with what there is.
    pub(super) fn end(&mut self) {
        let cells =
            self.table.values_mut().chain(self.plot.iter_mut().flat_map(|plot| plot.cells.values_mut()));
        for cell in cells.filter(|cell| **cell == Cell::Waiting) {
            *cell = Cell::LeftOut;
        }
        if let Some(asked) = &mut self.asked {
            asked.to_stop = true;
        }
    }

    /// The check under way is about something else.
    fn void(&mut self) {
        if let Some(asked) = &mut self.asked {
            asked.to_stop = true;
            asked.void = true;
        }
    }

    /// The next check to be made: the table first, then the plot value by value.
    fn job(&self) -> Option<Job> {
        let waits = |cell: &Cell| *cell == Cell::Waiting;
        let row =
            self.table.iter().find(|(_, cell)| waits(cell)).map(|(&method, _)| Job { value: None, method });
        row.or_else(|| {
            let mut cells = self.plot.as_ref()?.cells.iter();
            let (&(value, method), _) = cells.find(|(_, cell)| waits(cell))?;
            Some(Job { value: Some(value), method })
        })
    }

    fn question_of(&self, job: Job) -> Option<Question> {
        let mut question = self.subject.as_ref()?.question.clone();
        if let (Some(value), Some(plot)) = (job.value, &self.plot) {
            question.settings.insert(plot.param.clone(), value);
        }
        Some(question)
    }

    /// The next thing to do with the worker.
    pub fn next(&self) -> Next {
        if let Some(asked) = &self.asked {
            return if asked.to_stop && asked.model.is_none() { Next::Stop(asked.id) } else { Next::Nothing };
        }
        let (Some(job), Some(subject)) = (self.job(), &self.subject) else { return Next::Nothing };
        let Some(question) = self.question_of(job) else { return Next::Nothing };
        if self.loaded.as_ref() != Some(&question) {
            return Next::Ask(Request::Model(question));
        }
        Next::Ask(Request::Check {
            property: subject.property,
            choices: job.method.choices(subject.choices),
            patience: Some(if job.value.is_some() { PLOT_PATIENCE } else { TABLE_PATIENCE }),
        })
    }

    pub(super) fn happened(&mut self, happened: Happened) {
        match happened {
            Happened::Asked(id, request) => {
                let Some(job) = self.job() else { return };
                let model = match request {
                    Request::Model(question) => Some(question),
                    _ => None,
                };
                if model.is_none() {
                    self.set(job, Cell::Running(Progress::default(), 0.0));
                }
                self.asked = Some(Asked { id, job, model, to_stop: false, void: false });
            }
            Happened::Stopping => {
                if let Some(asked) = &mut self.asked {
                    asked.to_stop = false;
                }
            }
            Happened::Heard(FromWorker::Ready) => {}
            Happened::Heard(FromWorker::Progress(id, progress, time)) => {
                let current = self.asked.as_ref().filter(|asked| asked.id == id && !asked.void);
                if let Some(job) = current.map(|asked| asked.job) {
                    self.set(job, Cell::Running(progress, time));
                }
            }
            Happened::Heard(FromWorker::Answer(id, answer)) => {
                let Some(asked) = self.asked.take_if(|asked| asked.id == id) else { return };
                match (*answer, asked.model) {
                    (Answer::Model(Ok(_)), Some(question)) => self.loaded = Some(question),
                    _ if asked.void => {}
                    (Answer::Model(Err(_)), Some(_)) => self.give_up(asked.job.value),
                    (Answer::Check(Some(checked)), None) => self.take(asked.job, checked),
                    _ => self.set(asked.job, Cell::LeftOut),
                }
            }
            Happened::Silent | Happened::Broken | Happened::Missing => {
                self.loaded = None;
                if let Some(asked) = self.asked.take().filter(|asked| !asked.void) {
                    let last = match self.cell(asked.job) {
                        Some(&mut Cell::Running(progress, time)) => Some((progress, time)),
                        _ => None,
                    };
                    match last {
                        Some((progress, time)) => self.take(asked.job, Checked::stopped_at(progress, time)),
                        None => self.set(asked.job, Cell::LeftOut),
                    }
                }
            }
        }
    }

    fn cell(&mut self, job: Job) -> Option<&mut Cell> {
        match job.value {
            None => self.table.get_mut(&job.method),
            Some(value) => self.plot.as_mut()?.cells.get_mut(&(value, job.method)),
        }
    }

    /// Notes what is known of a job, if it is still one.
    fn set(&mut self, job: Job, cell: Cell) {
        if let Some(known) = self.cell(job)
            && !matches!(known, Cell::Done(_))
        {
            *known = cell;
        }
    }

    /// A method that has not come to an end is not tried on larger values.
    fn take(&mut self, job: Job, checked: Checked) {
        let partial = checked.is_partial();
        self.set(job, Cell::Done(Rc::new(checked)));
        if let (true, Some(value), Some(plot)) = (partial, job.value, &mut self.plot) {
            let larger = plot.cells.iter_mut().filter(|((v, m), _)| *v > value && *m == job.method);
            for (_, cell) in larger {
                *cell = Cell::LeftOut;
            }
        }
    }

    /// The model cannot be built: with this value nothing is checked.
    fn give_up(&mut self, value: Option<i64>) {
        let waiting = |cell: &&mut Cell| **cell == Cell::Waiting;
        match (value, &mut self.plot) {
            (Some(value), Some(plot)) => {
                let cells = plot.cells.iter_mut().filter(|((v, _), _)| *v == value);
                for cell in cells.map(|(_, cell)| cell).filter(waiting) {
                    *cell = Cell::LeftOut;
                }
            }
            _ => {
                for cell in self.table.values_mut().filter(waiting) {
                    *cell = Cell::LeftOut;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{ModelInfo, Verdict, Why};
    use std::collections::BTreeSet;

    fn question() -> Question {
        Question { source: "m".into(), settings: BTreeMap::new() }
    }

    fn param() -> ParamInfo {
        ParamInfo { name: "n".into(), value: 3, range: Some((2, 5)) }
    }

    fn answer(background: &mut Background, id: u32, answer: Answer) {
        background.happened(Happened::Heard(FromWorker::Answer(RequestId(id), Box::new(answer))));
    }

    fn info() -> ModelInfo {
        let symmetry = crate::engine::SymmetryInfo {
            order: "1".into(),
            trivial: true,
            families: Vec::new(),
            reasons: Vec::new(),
            complete: true,
        };
        let (casts, strips) = (Vec::new(), Vec::new());
        ModelInfo { params: Vec::new(), processes: 1, properties: Vec::new(), symmetry, casts, strips }
    }

    /// Answers until nothing is wanted; the older method fails from n = 4 on.
    fn settle(background: &mut Background) -> Vec<Request> {
        let mut asked = Vec::new();
        let mut value = None;
        for id in 0..200 {
            let Next::Ask(request) = background.next() else { break };
            background.happened(Happened::Asked(RequestId(id), request.clone()));
            let reply = match &request {
                Request::Model(question) => {
                    value = question.settings.get("n").copied();
                    Answer::Model(Ok(info()))
                }
                Request::Check { choices, .. } => {
                    let fails = choices.engine == Engine::Threaded && value >= Some(4);
                    let checked = Checked::stopped_at(Progress::default(), 1.0);
                    let why = fails.then_some(Why::Stopped);
                    Answer::Check(Some(Checked { verdict: Verdict::Holds, why, ..checked }))
                }
                other => panic!("{other:?}"),
            };
            asked.push(request);
            answer(background, id, reply);
        }
        asked
    }

    #[test]
    fn branching_time_compares_four_algorithms_with_and_without_symmetry() {
        let mut background = Background::default();
        background.compare(&question(), (1, Logic::Ctl), Choices::default());
        let asked: BTreeSet<(Algorithm, bool)> = (settle(&mut background).iter())
            .filter_map(|request| match request {
                Request::Check { choices, .. } => Some((choices.ctl, choices.symmetry)),
                _ => None,
            })
            .collect();
        let both = |algorithm| [(algorithm, true), (algorithm, false)];
        assert_eq!(asked, Algorithm::ALL.into_iter().flat_map(both).collect());
        let letters: BTreeSet<&str> = background.table.keys().map(|method| method.letter()).collect();
        assert_eq!(letters.len(), 8);
    }

    #[test]
    fn the_table_has_every_method_and_loads_the_model_once() {
        let mut background = Background::default();
        background.compare(&question(), (1, Logic::Ltl), Choices::default());
        let asked = settle(&mut background);
        assert_eq!(asked.iter().filter(|r| matches!(r, Request::Model(_))).count(), 1);
        let mut choices: Vec<Choices> = asked
            .iter()
            .filter_map(|request| match request {
                Request::Check { choices, .. } => Some(*choices),
                _ => None,
            })
            .collect();
        assert_eq!(choices.len(), Method::of(Logic::Ltl).len());
        choices.dedup();
        assert_eq!(choices.len(), Method::of(Logic::Ltl).len());
        assert!(background.table.values().all(|cell| matches!(cell, Cell::Done(_))));
        assert!(!background.is_running());
    }

    #[test]
    fn a_method_that_gives_up_is_not_tried_on_larger_values() {
        let mut background = Background::default();
        background.plot(&question(), (1, Logic::Ltl), Choices::default(), &param());
        settle(&mut background);
        let plot = background.plot.as_ref().unwrap();
        assert_eq!(plot.values, [2, 3, 4, 5]);
        let left_out: Vec<(i64, Method)> =
            plot.cells.iter().filter(|(_, cell)| **cell == Cell::LeftOut).map(|(&key, _)| key).collect();
        assert_eq!(left_out, [(5, Method::Threaded)]);
        assert!(!background.is_running());
    }

    #[test]
    fn it_can_be_ended_and_keeps_what_was_found() {
        let mut background = Background::default();
        background.compare(&question(), (1, Logic::Ltl), Choices::default());
        background.happened(Happened::Asked(RequestId(0), Request::Model(question())));
        answer(&mut background, 0, Answer::Model(Ok(info())));
        let Next::Ask(check) = background.next() else { panic!() };
        background.happened(Happened::Asked(RequestId(1), check));
        background.end();
        assert_eq!(background.next(), Next::Stop(RequestId(1)));
        background.happened(Happened::Stopping);
        assert_eq!(background.next(), Next::Nothing);
        answer(&mut background, 1, Answer::Check(Some(Checked::stopped_at(Progress::default(), 1.0))));
        assert_eq!(background.next(), Next::Nothing);
        assert!(matches!(background.table[&Method::Full], Cell::Done(_)));
        assert_eq!(background.table[&Method::Explicit], Cell::LeftOut);
    }

    #[test]
    fn an_answer_about_something_else_is_dropped() {
        let mut background = Background::default();
        background.compare(&question(), (1, Logic::Ltl), Choices::default());
        background.happened(Happened::Asked(RequestId(0), Request::Model(question())));
        answer(&mut background, 0, Answer::Model(Ok(info())));
        let Next::Ask(check) = background.next() else { panic!() };
        background.happened(Happened::Asked(RequestId(1), check));
        background.compare(&question(), (0, Logic::Ltl), Choices::default());
        assert_eq!(background.next(), Next::Stop(RequestId(1)));
        background.happened(Happened::Stopping);
        answer(&mut background, 1, Answer::Check(Some(Checked::stopped_at(Progress::default(), 1.0))));
        assert!(background.table.values().all(|cell| *cell == Cell::Waiting));
        assert!(matches!(background.next(), Next::Ask(Request::Check { property: 0, .. })));
    }
}
