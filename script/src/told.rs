//! Answers as data.

#![allow(missing_docs, reason = "the members are named as what they are, and explained where they are made")]

use orbitscope_core::check::{Counterexample, Verdict, told};
use orbitscope_core::json::{Lasso, Ledgers, Steps, Whole};
use orbitscope_core::program::{FamilyId, Program};
use orbitscope_core::symmetry::describe;
use orbitscope_core::text::LineIndex;
use orbitscope_core::{Answer as Found, Model};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

/// The parts of a model.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    pub parameters: Vec<Parameter>,
    pub families: Vec<FamilyTold>,
    pub properties: Vec<PropertyTold>,
    pub processes: u32,
}

/// A parameter with the value in force.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    pub name: String,
    pub value: i64,
    pub least: Option<i64>,
    pub most: Option<i64>,
}

/// A family of processes.
#[derive(Clone, Debug, Serialize)]
pub struct FamilyTold {
    pub name: String,
    pub size: u32,
}

/// A property, by its name and logic.
#[derive(Clone, Debug, Serialize)]
pub struct PropertyTold {
    pub name: String,
    pub logic: &'static str,
    pub line: u32,
}

impl Description {
    pub(crate) fn new(model: &Model) -> Description {
        let program = model.program();
        let lines = LineIndex::new(model.text());
        let parameters = program.params.iter().map(|param| Parameter {
            name: param.name.clone(),
            value: param.value,
            least: param.range.map(|(least, _)| least),
            most: param.range.map(|(_, most)| most),
        });
        let families = program.families.iter();
        let properties = program.properties.iter().map(|property| PropertyTold {
            name: property.name.clone(),
            logic: property.logic().word(),
            line: lines.position(property.span.start).line,
        });
        Description {
            parameters: parameters.collect(),
            families: families
                .map(|family| FamilyTold { name: family.name.clone(), size: family.size })
                .collect(),
            properties: properties.collect(),
            processes: program.process_count(),
        }
    }
}

/// The symmetry group of a model.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// A number of any size, in decimal.
    pub order: String,
    /// In cycles of processes.
    pub generators: Vec<String>,
    /// A line for each family.
    pub families: Vec<String>,
    /// The reasons why it is not larger.
    pub reasons: Vec<Reason>,
}

/// A place of the text that tells processes apart.
#[derive(Clone, Debug, Serialize)]
pub struct Reason {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl Group {
    pub(crate) fn new(model: &Model) -> Group {
        let (program, symmetry) = (model.program(), model.symmetry());
        let lines = LineIndex::new(model.text());
        let words = describe(program, &symmetry.group);
        let line = |id: FamilyId| format!("{}: {}", program.families[id].name, words[id]);
        let generators = symmetry.group.generators();
        Group {
            order: symmetry.group.order().to_string(),
            generators: generators
                .map(|perm| perm.display(|p| program.process_name(p)).to_string())
                .collect(),
            families: program.families.ids().map(line).collect(),
            reasons: (symmetry.reasons.iter())
                .map(|reason| {
                    let at = lines.position(reason.span.start);
                    Reason { line: at.line, column: at.column, message: reason.message.clone() }
                })
                .collect(),
        }
    }
}

/// The answer to one property. Written, it has the members `property`, `logic`, `verdict` (`holds`, `violated` or `unknown`), `words`,
/// `instance`, `run` and `ledger`; the run has `prefix` and `cycle`, which is none where it ends.
#[derive(Clone, Debug)]
pub struct Answer {
    program: Program,
    property: String,
    logic: &'static str,
    verdict: &'static str,
    words: String,
    instance: Option<String>,
    counterexample: Option<Counterexample>,
}

impl Answer {
    pub(crate) fn new(model: &Model, found: &Found<'_>) -> Answer {
        let program = model.program();
        let logic = program.property(found.property()).map(|id| program.properties[id].logic());
        let verdict = match found.verdict() {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown(_) => "unknown",
        };
        let instance = found.report().instance.as_ref().map(|instance| instance.words.clone());
        let why = found.unknown().map(|unknown| format!("unknown: {unknown}"));
        Answer {
            property: found.property().to_owned(),
            logic: logic.map_or("", |logic| logic.word()),
            verdict,
            words: why.unwrap_or_else(|| logic.map_or(verdict, |logic| told(logic, verdict)).to_owned()),
            instance: instance.filter(|words| !words.is_empty() && verdict != "holds"),
            counterexample: found.report().counterexample.clone(),
            program: program.clone(),
        }
    }
}

#[derive(Serialize)]
struct Ending<'a> {
    prefix: Steps<'a>,
    cycle: Option<()>,
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answer = serializer.serialize_struct("Answer", 7)?;
        answer.serialize_field("property", &self.property)?;
        answer.serialize_field("logic", self.logic)?;
        answer.serialize_field("verdict", self.verdict)?;
        answer.serialize_field("words", &self.words)?;
        answer.serialize_field("instance", &self.instance)?;
        let whole = Whole::new(&self.program, false);
        match &self.counterexample {
            Some(Counterexample::Lasso(lasso, ledger)) => {
                answer.serialize_field("run", &Lasso::new(&self.program, lasso, whole))?;
                answer.serialize_field("ledger", &Ledgers::new(&self.program, ledger, whole))?;
            }
            Some(Counterexample::Path(path)) => {
                let prefix = Steps::of_path(&self.program, path, whole);
                answer.serialize_field("run", &Ending { prefix, cycle: None })?;
                answer.serialize_field("ledger", &None::<()>)?;
            }
            None => {
                answer.serialize_field("run", &None::<()>)?;
                answer.serialize_field("ledger", &None::<()>)?;
            }
        }
        answer.end()
    }
}
