//! The graphs of the quotient.

use super::graph::draw_as;
use crate::args::{self, GraphArgs, GraphFormat};
use crate::failure::Failure;
use crate::json::{self, Cycles, QuotientEdge, QuotientState, Root};
use crate::model::Model;
use crate::run;
use orbitscope_core::draw::{self, Graph, NodeId};
use orbitscope_core::explore::{Exploration, Limits};
use orbitscope_core::group::{Partition, Process};
use orbitscope_core::limits::MAX_ROOTS;
use orbitscope_core::program::StepFault;
use orbitscope_core::quotient::{Aqs, AqsId, Aqsi, AqsiId, EdgeStorage, Prune, tracked};
use orbitscope_core::symmetry::ProgramSymmetry;
use orbitscope_core::text::Diagnostic;

/// At most this many plain states are explored to find a path to an error of the model.
const FAULT_LIMITS: Limits = Limits::new(200_000, 1 << 30);

/// A graph as text, and what is missing in it.
pub(super) type Printed = Result<(String, Option<String>), Failure>;

/// The quotient.
pub(super) fn aqs(args: &GraphArgs) -> Printed {
    let job = Job::new(args)?;
    let mut aqs = job.quotient();
    let ghosts = args.ghosts && args.format != GraphFormat::Json;
    let graph = draw::aqs_graph(&mut aqs, job.model.source.model_name(), args.max_states, ghosts)
        .map_err(|(state, fault)| job.fault(&aqs.flat(state), &fault))?;
    if args.format != GraphFormat::Json {
        return Ok((draw_as(&graph, args.format), graph.partial));
    }
    let mut listing = Listing::new(&job, &graph);
    for id in (0..graph.nodes.len() as u32).map(AqsId) {
        listing.state(id.0, aqs.flat(id), Vec::new(), aqs.stabiliser(id).orbits());
        let fault = |aqs: &Aqs<'_>, fault: &StepFault| job.fault(&aqs.flat(id), fault);
        let edges = aqs.edges(id).map_err(|f| fault(&aqs, &f))?;
        let mut places = Vec::with_capacity(edges.len());
        for edge in edges.iter() {
            let step = (edge.action, edge.arguments.as_slice());
            let ends = (id.0, edge.target.0);
            places.push(listing.edge(
                edge.target.0,
                QuotientEdge::new(&job.model.program, ends, edge.process, step, &edge.perm, edge.weight),
            ));
        }
        if args.ghosts {
            for pruned in aqs.pruned(id).map_err(|f| fault(&aqs, &f))? {
                let edge = &pruned.edge;
                let step = (edge.action, edge.arguments.as_slice());
                let ends = (id.0, edge.target.0);
                listing.pruned.push(QuotientEdge {
                    parallel_to: places[pruned.parallel_to],
                    shown_by: pruned.shown_by.map(|rho| Cycles::new(&job.model.program, &rho)),
                    ..QuotientEdge::new(&job.model.program, ends, edge.process, step, &edge.perm, 1)
                });
            }
        }
    }
    let roots = aqs.roots().iter().map(|r| Root::new(&job.model.program, r.state.0, &r.perm)).collect();
    Ok((listing.print("aqs", &[], roots, aqs.is_exact()), graph.partial))
}

/// The quotient with tracked processes.
pub(super) fn aqsi(args: &GraphArgs) -> Printed {
    let job = Job::new(args)?;
    let tracked = job.tracked()?;
    let mut aqsi = Aqsi::new(job.quotient(), &tracked);
    let flat = |aqsi: &Aqsi<'_>, id: AqsiId| aqsi.aqs().flat(aqsi.node(id).0);
    let graph = draw::aqsi_graph(&mut aqsi, job.model.source.model_name(), args.max_states)
        .map_err(|(state, fault)| job.fault(&flat(&aqsi, state), &fault))?;
    if args.format != GraphFormat::Json {
        return Ok((draw_as(&graph, args.format), graph.partial));
    }
    let mut listing = Listing::new(&job, &graph);
    for id in (0..graph.nodes.len() as u32).map(AqsiId) {
        let (state, local) = aqsi.node(id);
        let classes = aqsi.aqs().stabiliser(state).stabiliser(local).orbits();
        listing.state(id.0, aqsi.aqs().flat(state), local.to_vec(), classes);
        let edges = aqsi.edges(id).map_err(|fault| job.fault(&flat(&aqsi, id), &fault))?;
        for edge in edges.iter() {
            let step = (edge.action, edge.arguments.as_slice());
            let ends = (id.0, edge.target.0);
            listing.edge(
                edge.target.0,
                QuotientEdge::new(&job.model.program, ends, edge.process, step, &edge.perm, edge.weight),
            );
        }
    }
    let roots = aqsi.roots().iter().map(|(id, perm)| Root::new(&job.model.program, id.0, perm)).collect();
    Ok((listing.print("aqsi", &tracked, roots, aqsi.aqs().is_exact()), graph.partial))
}

pub(super) struct Job<'a> {
    pub model: Model,
    args: &'a GraphArgs,
    pub symmetry: ProgramSymmetry,
}

impl<'a> Job<'a> {
    pub(super) fn new(args: &'a GraphArgs) -> Result<Self, Failure> {
        let model = Model::load(&args.model)?;
        let symmetry = model.symmetry(args.symmetry)?;
        Ok(Job { model, args, symmetry })
    }

    pub(super) fn prune(&self) -> Prune {
        match self.args.prune {
            Some(args::Prune::None) => Prune::None,
            Some(args::Prune::Process) => Prune::Process,
            Some(args::Prune::Full) | None => Prune::Full,
        }
    }

    fn quotient(&self) -> Aqs<'_> {
        Aqs::new(&self.model.program, &self.symmetry, self.prune(), EdgeStorage::Stored, MAX_ROOTS)
    }

    fn prune_word(&self) -> &'static str {
        match self.args.prune {
            Some(args::Prune::None) => "none",
            Some(args::Prune::Process) => "process",
            Some(args::Prune::Full) | None => "full",
        }
    }

    /// The processes to track: those that are named, or those that the property names.
    fn tracked(&self) -> Result<Vec<Process>, Failure> {
        if let Some(name) = &self.args.property {
            let found = tracked(&self.model.program, self.model.property(name)?);
            if found.is_empty() {
                let file = &self.model.source.file;
                let words = format!("{file}: `{name}` names no process to track: ask for `--of aqs`");
                return Err(Failure::Input(words));
            }
            return Ok(found);
        }
        self.args.track.iter().map(|name| self.model.process(name)).collect()
    }

    /// An error of the model: with a path to it where the plain method finds one soon.
    fn fault(&self, values: &[i32], fault: &StepFault) -> Failure {
        let program = &self.model.program;
        let mut exploration = Exploration::new(program, FAULT_LIMITS, &[]);
        if let Err(failure) = run::explore(&self.model, &mut exploration) {
            return failure;
        }
        let diagnostic = Diagnostic::new(fault.fault.span, program.show_fault(fault));
        let rendered = self.model.source.render(&diagnostic);
        Failure::Input(format!("{rendered}\nin the state: {}", program.show_state(values)))
    }
}

/// The states and edges as data.
struct Listing<'a> {
    job: &'a Job<'a>,
    graph: &'a Graph,
    states: Vec<QuotientState<'a>>,
    edges: Vec<QuotientEdge<'a>>,
    pruned: Vec<QuotientEdge<'a>>,
    /// How many states are listed; an edge to another one is left out.
    drawn: u32,
}

impl<'a> Listing<'a> {
    fn new(job: &'a Job<'a>, graph: &'a Graph) -> Self {
        let drawn = graph.nodes.len() as u32;
        Listing { job, graph, states: Vec::new(), edges: Vec::new(), pruned: Vec::new(), drawn }
    }

    fn state(&mut self, id: u32, values: Vec<i32>, tracked: Vec<Process>, classes: Partition) {
        let node = &self.graph.nodes[NodeId(id)];
        self.states.push(QuotientState {
            program: &self.job.model.program,
            id: node.name.clone(),
            label: node.label.clone(),
            values,
            tracked,
            classes,
            initial: node.initial,
            deadlock: node.deadlock,
        });
    }

    /// Lists an edge; gives its position.
    fn edge(&mut self, target: u32, edge: QuotientEdge<'a>) -> Option<usize> {
        let listed = target < self.drawn;
        if listed {
            self.edges.push(edge);
        }
        listed.then(|| self.edges.len() - 1)
    }

    fn print(self, of: &'static str, tracked: &[Process], roots: Vec<Root<'a>>, exact: bool) -> String {
        let program = &self.job.model.program;
        let report = json::Quotient {
            title: self.graph.title.clone(),
            of,
            params: json::Params(program),
            processes: program.process_count(),
            symmetry: json::Symmetry::new(program, &self.job.symmetry.group),
            prune: self.job.prune_word(),
            complete: self.graph.partial.is_none(),
            exact,
            state_count: self.states.len() as u64,
            edge_count: self.edges.len() as u64,
            tracked: tracked.iter().map(|&p| program.process_name(p)).collect(),
            roots,
            states: self.states,
            edges: self.edges,
            pruned: self.job.args.ghosts.then_some(self.pruned),
        };
        let mut text = serde_json::to_string(&report).unwrap_or_default();
        text.push('\n');
        text
    }
}
