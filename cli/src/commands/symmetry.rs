//! `orbitscope symmetry`

use crate::args::SymmetryArgs;
use crate::failure::{Failure, Status};
use crate::json;
use crate::model::Model;
use crate::output::Output;
use crate::text;
use orbitscope_core::program::Symmetry;
use orbitscope_core::symmetry::{ProgramSymmetry, describe};
use orbitscope_core::text::{Diagnostic, LineIndex};
use serde::Serialize;
use std::io::{self, Write};

/// At most this many generators are printed for people.
const MAX_GENERATORS: usize = 20;

pub(crate) fn symmetry(args: &SymmetryArgs) -> Result<Status, Failure> {
    let model = Model::load(&args.model)?;
    let symmetry = model.symmetry(args.symmetry)?;
    let source = match (args.symmetry, &model.program.symmetry) {
        (Some(crate::args::SymmetryChoice::None), _) => Origin::NoneAsked,
        (None, Symmetry::None(_)) => Origin::NoneInModel,
        (None, Symmetry::Generators(_)) => Origin::Claimed,
        _ => Origin::Found,
    };
    let mut output = Output::new();
    if args.json {
        serde_json::to_writer(&mut output, &report(&model, &symmetry, source)).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        write(&mut output, &model, &symmetry, source)?;
    }
    output.flush()?;
    Ok(Status::Good)
}

/// Where a group comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Found,
    Claimed,
    NoneInModel,
    NoneAsked,
}

impl Origin {
    fn word(self) -> &'static str {
        match self {
            Origin::Found => "auto",
            Origin::Claimed => "generators",
            Origin::NoneInModel | Origin::NoneAsked => "none",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Origin::Found => "found from the text",
            Origin::Claimed => "claimed by the model; each generator was checked",
            Origin::NoneInModel => "none, as the model says",
            Origin::NoneAsked => "none, as asked",
        }
    }
}

fn write(output: &mut Output, model: &Model, symmetry: &ProgramSymmetry, origin: Origin) -> io::Result<()> {
    let (program, group) = (&model.program, &symmetry.group);
    write!(output, "{}", model.source.model_name())?;
    for param in &program.params {
        write!(output, "  {}={}", param.name, param.value)?;
    }
    writeln!(output, "  {}", text::counted(program.process_count() as u64, "process"))?;
    writeln!(output, "symmetry {}", origin.words())?;
    writeln!(output, "order {}", group.order())?;
    let width = program.families.iter().map(|f| f.name.chars().count()).max().unwrap_or(0);
    for (family, words) in program.families.iter().zip(&describe(program, group)) {
        writeln!(output, "  {:width$}  {words}", family.name)?;
    }
    let count = group.generators().count();
    writeln!(output, "{}", text::counted(count as u64, "generator"))?;
    for generator in group.generators().take(MAX_GENERATORS) {
        writeln!(output, "  {}", generator.display(|p| program.process_name(p)))?;
    }
    if count > MAX_GENERATORS {
        writeln!(output, "  and {} more", count - MAX_GENERATORS)?;
    }
    if !symmetry.complete {
        writeln!(output, "the search for automorphisms was not complete: there may be more")?;
    }
    if symmetry.reasons.is_empty() {
        if origin == Origin::Found {
            writeln!(output, "nothing in the text limits it")?;
        }
        return Ok(());
    }
    writeln!(output, "what limits it:")?;
    for reason in &symmetry.reasons {
        writeln!(
            output,
            "{}",
            model.source.render_plainly(&Diagnostic::new(reason.span, reason.message.as_str()))
        )?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Report<'a> {
    model: String,
    params: json::Params<'a>,
    processes: u32,
    source: &'static str,
    #[serde(flatten)]
    symmetry: json::Symmetry,
    complete: bool,
    families: Vec<FamilyReport<'a>>,
    reasons: Vec<ReasonReport>,
}

#[derive(Serialize)]
struct FamilyReport<'a> {
    name: &'a str,
    size: u32,
    symmetry: String,
}

#[derive(Serialize)]
struct ReasonReport {
    line: u32,
    column: u32,
    message: String,
    text: String,
}

fn report<'a>(model: &'a Model, symmetry: &ProgramSymmetry, origin: Origin) -> Report<'a> {
    let program = &model.program;
    let lines = LineIndex::new(model.source.original());
    let words = describe(program, &symmetry.group);
    let families = program.families.iter().zip(words.as_slice().to_vec());
    Report {
        model: model.source.model_name(),
        params: json::Params(program),
        processes: program.process_count(),
        source: origin.word(),
        symmetry: json::Symmetry::new(program, &symmetry.group),
        complete: symmetry.complete,
        families: families
            .map(|(family, symmetry)| FamilyReport { name: &family.name, size: family.size, symmetry })
            .collect(),
        reasons: (symmetry.reasons.iter())
            .map(|reason| {
                let span = model.source.origin(reason.span);
                let at = lines.position(span.start);
                let text = span.text(model.source.original()).to_string();
                ReasonReport { line: at.line, column: at.column, message: reason.message.clone(), text }
            })
            .collect(),
    }
}
