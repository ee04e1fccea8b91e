//! `orbitscope graph`

use super::{product, quotient};
use crate::args::{GraphArgs, GraphFormat, GraphKind};
use crate::failure::{Failure, Status};
use crate::model::Model;
use crate::output::{Output, message};
use crate::run;
use orbitscope_core::draw::{self, Graph};
use orbitscope_core::explore::{Exploration, StopReason};
use std::io::Write;

pub(crate) fn graph(args: &GraphArgs) -> Result<Status, Failure> {
    refuse_what_does_not_fit(args)?;
    let (text, partial) = match args.of {
        GraphKind::States => {
            let graph = states(args)?;
            (draw_as(&graph, args.format), graph.partial)
        }
        GraphKind::Aqs => quotient::aqs(args)?,
        GraphKind::Aqsi => quotient::aqsi(args)?,
        GraphKind::Product | GraphKind::Threaded => product::graph(args)?,
    };
    let mut output = Output::new();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    match partial {
        None => Ok(Status::Good),
        Some(partial) => {
            message(&format!("orbitscope: the graph is partial: {partial}; `--max-states` sets the limit"));
            Ok(Status::Limit)
        }
    }
}

pub(super) fn draw_as(graph: &Graph, format: GraphFormat) -> String {
    match format {
        GraphFormat::Dot => draw::dot(graph),
        GraphFormat::Json => draw::json(graph),
        GraphFormat::Svg => draw::svg(graph),
    }
}

/// An option that a graph has no use for is refused, not ignored.
fn refuse_what_does_not_fit(args: &GraphArgs) -> Result<(), Failure> {
    let (states, aqs, aqsi) =
        (args.of == GraphKind::States, args.of == GraphKind::Aqs, args.of == GraphKind::Aqsi);
    let threaded = args.of == GraphKind::Threaded;
    let product = threaded || args.of == GraphKind::Product;
    let wrong = [
        (product && args.property.is_none(), "a product needs a property: say which with `-p NAME`"),
        (threaded && args.prune.is_some(), "the older method keeps every edge: leave out `--prune`"),
        (states && args.property.is_some(), "the graph of states has no property: leave out `-p`"),
        (aqs && args.property.is_some(), "the aqs has no property: leave out `-p`, or ask for `--of aqsi`"),
        (!aqsi && !args.track.is_empty(), "only `--of aqsi` tracks processes: leave out `--track`"),
        (states && args.symmetry.is_some(), "the graph of states knows no symmetry: leave out `--symmetry`"),
        (states && args.prune.is_some(), "nothing is pruned in the graph of states: leave out `--prune`"),
        (!aqs && args.ghosts, "only `--of aqs` shows pruned edges: leave out `--ghosts`"),
        (
            aqsi && args.property.is_none() && args.track.is_empty(),
            "`--of aqsi` tracks processes: say which with `-p PROPERTY` or `--track client[0]`",
        ),
    ];
    match wrong.into_iter().find(|(found, _)| *found) {
        Some((_, words)) => Err(Failure::Input(format!("orbitscope: {words}"))),
        None => Ok(()),
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
