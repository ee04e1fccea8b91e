//! `orbitscope graph`

use super::not_yet;
use crate::args::{GraphArgs, GraphFormat, GraphKind};
use crate::failure::{Failure, Status};
use crate::model::Model;
use crate::output::{Output, message};
use crate::run;
use orbitscope_core::draw::{self, Graph};
use orbitscope_core::explore::{Exploration, StopReason};
use std::io::Write;

pub(crate) fn graph(args: &GraphArgs) -> Result<Status, Failure> {
    let graph = match args.of {
        GraphKind::States if args.property.is_some() => {
            let words = "orbitscope: the graph of states has no property: leave out `-p`";
            return Err(Failure::Input(words.into()));
        }
        GraphKind::States => states(args)?,
        GraphKind::Aqs => return Err(not_yet("`graph --of aqs`")),
        GraphKind::Aqsi => return Err(not_yet("`graph --of aqsi`")),
        GraphKind::Product => return Err(not_yet("`graph --of product`")),
        GraphKind::Threaded => return Err(not_yet("`graph --of threaded`")),
    };
    let text = match args.format {
        GraphFormat::Dot => draw::dot(&graph),
        GraphFormat::Json => draw::json(&graph),
        GraphFormat::Svg => draw::svg(&graph),
    };
    let mut output = Output::new();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    match graph.partial {
        None => Ok(Status::Good),
        Some(partial) => {
            message(&format!("orbitscope: the graph is partial: {partial}; `--max-states` sets the limit"));
            Ok(Status::Limit)
        }
    }
}

fn states(args: &GraphArgs) -> Result<Graph, Failure> {
    let model = Model::load(&args.model)?;
    let limits = run::limits(Some(args.max_states));
    let mut exploration = Exploration::new(&model.program, limits, &[]).keeping_edges();
    run::explore(&model, &mut exploration)?;
    debug_assert!(!matches!(exploration.stopped(), Some(StopReason::AllViolated)));
    Ok(draw::state_graph(&exploration, model.source.model_name()))
}
