//! `orbitscope export`

use super::product::export_hoa;
use crate::args::{ExportArgs, ExportTarget};
use crate::failure::{Failure, Status};
use crate::model::Model;
use crate::output::Output;
use crate::run::path_messages;
use orbitscope_core::export::{Request, promela, tla};
use orbitscope_core::symbolic::{self, Question, Reach, ReachStop, SymbolicOptions};
use orbitscope_core::text::Diagnostic;
use std::io::Write;

pub(crate) fn export(args: &ExportArgs) -> Result<Status, Failure> {
    let model = Model::load(&args.model)?;
    let text = match args.to {
        ExportTarget::Hoa => export_hoa(&model, args.property.as_deref())?,
        ExportTarget::Bdd => diagram(&model, args)?,
        ExportTarget::Promela | ExportTarget::Tla => whole(&model, args)?,
    };
    let mut output = Output::new();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(Status::Good)
}

/// A diagram with more nodes than this is no picture.
const MAX_NODES: u32 = 5_000;

/// The reachable states as a decision diagram, or those among them that violate an invariant.
fn diagram(model: &Model, args: &ExportArgs) -> Result<String, Failure> {
    let program = &model.program;
    let file = &model.source.file;
    let wrong = |words: String| Failure::Input(format!("{file}: {words}"));
    let options = SymbolicOptions::default();
    let mut states = symbolic::Model::new(program, 0, options.nodes)
        .map_err(|unsupported| wrong(unsupported.to_string()))?;
    let mut title = model.source.model_name();
    let mut bad = None;
    if let Some(name) = args.property.as_deref() {
        let id = model.property(name)?;
        let term = program.state_term(id).ok_or_else(|| {
            wrong(format!("`{name}` is no invariant: only the states of an invariant can be drawn"))
        })?;
        let asked =
            symbolic::violations(&mut states, term).map_err(|unsupported| wrong(unsupported.to_string()))?;
        bad = Some(asked.bad);
        title = format!("{title}: states that violate {name}");
    }
    let mut reach = Reach::new(states, [], &options, Question::default())
        .map_err(|unsupported| wrong(unsupported.to_string()))?;
    match reach.run() {
        ReachStop::Complete => {}
        ReachStop::Fault(fault, path) => {
            let words = program.show_fault(fault);
            let mut messages = vec![model.source.render(&Diagnostic::new(fault.fault.span, words))];
            messages.extend(path_messages(program, path));
            return Err(Failure::Input(messages.join("\n")));
        }
        _ => return Err(Failure::TooLarge(format!("{file}: the reachable states need too many BDD nodes"))),
    }
    let set = reach.reachable(bad.as_ref());
    let graph = reach.model().graph(&set, MAX_NODES);
    if graph.left_out > 0 {
        let count = graph.left_out;
        return Err(Failure::TooLarge(format!(
            "{file}: the diagram has {count} nodes, more than can be drawn"
        )));
    }
    Ok(graph.to_dot(&title))
}

/// The model in another language.
fn whole(model: &Model, args: &ExportArgs) -> Result<String, Failure> {
    let property = args.property.as_deref().map(|name| model.property(name)).transpose()?;
    let symmetry = model.symmetry(None)?;
    let name = model.source.model_name();
    let request = Request { property, ..Request::new(&name, &model.program, &symmetry) };
    let text = if args.to == ExportTarget::Tla { tla(&request) } else { promela(&request) };
    text.map_err(|diagnostic| model.source.failure(&[diagnostic]))
}
