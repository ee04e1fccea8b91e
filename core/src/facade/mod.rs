//! The front door: a model, questions about it, and answers.

mod answer;
mod graph;
mod session;
mod system;

pub use answer::Answer;
pub use graph::GraphOf;
pub use session::Session;
pub use system::{Fact, Move, Others, System};

use crate::check::{Check, CheckError, Found, Options, Plan, Refusal, Target};
use crate::error::{Classified, ErrorKind, Limit, ModelError};
use crate::every::{Effort, Proof, Prover, RunToEnd};
use crate::export;
use crate::link::Link;
use crate::program::{self, Program, PropertyId, Settings};
use crate::symmetry::{Choice, ProgramSymmetry, choose};
use crate::syntax::parse;
use crate::text::closest;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A model that has been read and checked, with its parameters set and its symmetry found.
///
/// ```
/// use orbitscope_core::Model;
/// let model = Model::parse("param n = 3 in 1..100
///     process p[n] { var x: bool = false action flip: true -> x := not x }
///     ltl settles: forall q in p: F G q.x")?
///     .set("n", 5)?;
/// let answer = model.check("settles")?;
/// assert!(answer.is_violated());
/// # Ok::<(), orbitscope_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    text: String,
    settings: Vec<(String, i64)>,
    program: Program,
    symmetry: ProgramSymmetry,
    options: Options,
}

/// Another language that a model can be written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// For Spin.
    Promela,
    /// For TLC.
    Tla,
}

impl Model {
    /// Reads a model in the modelling language.
    pub fn parse(text: &str) -> Result<Model, Error> {
        Model::built(text, Vec::new(), Options::default())
    }

    /// The model with a parameter set to a value.
    pub fn set(mut self, name: &str, value: i64) -> Result<Model, Error> {
        self.needs_text()?;
        self.settings.retain(|(other, _)| other != name);
        self.settings.push((name.into(), value));
        Model::built(&self.text, self.settings, self.options)
    }

    /// The model, checked in another way: engine, fairness, limits and more.
    #[must_use]
    pub fn with(self, options: Options) -> Model {
        Model { options, ..self }
    }

    fn built(text: &str, settings: Vec<(String, i64)>, options: Options) -> Result<Model, Error> {
        let wrong = |diagnostics| Error::from(ModelError::new(text, diagnostics));
        let parsed = parse(text);
        if !parsed.diagnostics.is_empty() {
            return Err(wrong(parsed.diagnostics));
        }
        let set = Settings { params: settings.clone(), ..Settings::default() };
        let program = program::build(&parsed.file, &set).map_err(wrong)?;
        Model::with_symmetry(text.into(), settings, program, options)
    }

    fn with_symmetry(
        text: String,
        settings: Vec<(String, i64)>,
        program: Program,
        options: Options,
    ) -> Result<Model, Error> {
        match choose(&program, Choice::Model) {
            Ok(symmetry) => Ok(Model { text, settings, program, symmetry, options }),
            Err(refused) => {
                let diagnostics = alloc::vec![refused.diagnostic(&program)];
                Err(ModelError::new(text, diagnostics).into())
            }
        }
    }

    /// The names of the properties, in the order of the text.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.program.properties.iter().map(|property| property.name.as_str())
    }

    /// Checks a property to the end, or until a limit of the options is reached.
    pub fn check(&self, property: &str) -> Result<Answer<'_>, Error> {
        Ok(self.start(property)?.run())
    }

    /// Checks every property, in the order of the text. What an engine refuses is an error of that property alone.
    pub fn check_all(&self) -> Vec<(&str, Result<Answer<'_>, Error>)> {
        let mut plan: Plan<'_, ()> =
            Plan::new(&self.program, &self.symmetry, self.options).with_deadlocks(false);
        plan.run();
        let (outcomes, _) = plan.finish();
        let ids = self.program.properties.ids();
        let answers = ids.zip(outcomes).map(|(id, outcome)| match outcome.found {
            Found::Report(report) => Ok(Answer::new(&self.program, id, *report)),
            Found::Refused(refusal) => Err(Error::Refused(refusal)),
            Found::TooLarge(error) => Err(self.refused(CheckError::Property(error))),
            // Nobody stops this plan, and a panic is not caught here.
            Found::NotAsked | Found::Broken(_) => self.check(&outcome.name),
        });
        self.properties().zip(answers).collect()
    }

    /// Answers about a property for every size of the families whose sizes are parameters that are not set, or says why nothing can be
    /// said.
    ///
    /// ```
    /// use orbitscope_core::Model;
    /// let model = Model::parse("param n = 3 in 1..100
    ///     process p[n] { var x: bool = false action flip: true -> x := not x }
    ///     ltl flips: forall q in p: G F q.x")?;
    /// assert_eq!(model.prove("flips")?.words(), "holds for every n >= 1");
    /// # Ok::<(), orbitscope_core::Error>(())
    /// ```
    pub fn prove(&self, property: &str) -> Result<Proof, Error> {
        self.property(property)?;
        let settings = Settings { params: self.settings.clone(), ..Settings::default() };
        let file = parse(&self.text).file;
        let prover = Prover::new(&file, &settings, &[], self.options, Effort::default());
        let prover = prover.map_err(|diagnostics| ModelError::new(self.text.clone(), diagnostics))?;
        Ok(prover.prove(Some(property), &mut RunToEnd))
    }

    /// Starts the check of a property, for whoever wants to step it, watch it or stop it.
    pub fn start(&self, property: &str) -> Result<Session<'_>, Error> {
        let id = self.property(property)?;
        let check = Check::new(&self.program, &self.symmetry, Target::Property(id), self.options);
        Ok(Session::new(self, id, check.map_err(|error| self.refused(error))?))
    }

    /// A system that is written in Rust cannot be built anew from its text, or be told elsewhere.
    fn needs_text(&self) -> Result<(), Error> {
        let outside = self.program.is_computed_outside();
        if outside { Err(Error::Refused(Refusal::NoText)) } else { Ok(()) }
    }

    fn refused(&self, error: CheckError) -> Error {
        match error {
            CheckError::Refused(refusal) => Error::Refused(refusal),
            CheckError::Property(error) => {
                ModelError::new(self.text.clone(), alloc::vec![error.diagnostic()]).into()
            }
        }
    }

    fn property(&self, name: &str) -> Result<PropertyId, Error> {
        self.program.property(name).ok_or_else(|| Error::NoProperty {
            name: name.into(),
            near: closest(name, self.properties()).map(ToString::to_string),
        })
    }

    /// An address of the page that opens this model, as the part after `#`.
    pub fn link(&self, property: Option<&str>) -> Result<String, Error> {
        self.needs_text()?;
        let property = property.map(|name| self.property(name)).transpose()?;
        let link = Link {
            text: self.text.clone(),
            settings: self.settings.clone(),
            property: property.map(|id| self.program.properties[id].name.clone()),
            ..Link::default()
        };
        Ok(link.encode())
    }

    /// The model in the language of another checker, with all properties that can be said there.
    pub fn export(&self, name: &str, language: Language) -> Result<String, Error> {
        self.needs_text()?;
        let request = export::Request::new(name, &self.program, &self.symmetry);
        let text = match language {
            Language::Promela => export::promela(&request),
            Language::Tla => export::tla(&request),
        };
        text.map_err(|diagnostic| ModelError::new(self.text.clone(), alloc::vec![diagnostic]).into())
    }

    /// The text, as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The checked program: the way to the expert layer.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Its symmetry.
    pub fn symmetry(&self) -> &ProgramSymmetry {
        &self.symmetry
    }

    /// The options that checks use.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

/// Why a question to a [`Model`] has no answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The model is wrong, or what is set in it; the messages say where.
    Model(ModelError),
    /// The model has no property of this name.
    NoProperty {
        /// The name that was asked for.
        name: String,
        /// The nearest one that there is.
        near: Option<String>,
    },
    /// The engine cannot do what the options ask.
    Refused(Refusal),
    /// A budget is used up.
    Limit(Limit),
}

impl Error {
    /// Whose fault it is, for programs.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Model(error) => error.kind(),
            Error::NoProperty { .. } => ErrorKind::Model,
            Error::Refused(_) => ErrorKind::Refusal,
            Error::Limit(_) => ErrorKind::Limit,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Model(error) => error.fmt(f),
            Error::NoProperty { name, near } => {
                write!(f, "there is no property called `{name}`")?;
                near.iter().try_for_each(|near| write!(f, "; did you mean `{near}`?"))
            }
            Error::Refused(refusal) => refusal.fmt(f),
            Error::Limit(limit) => limit.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

impl Classified for Error {
    fn kind(&self) -> ErrorKind {
        self.kind()
    }
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Error {
        Error::Model(error)
    }
}
