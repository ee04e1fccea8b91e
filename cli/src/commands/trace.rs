//! `orbitscope trace`: every step of the on-the-fly search.

use super::product::all_obligations;
use crate::args::TraceArgs;
use crate::failure::{Failure, Status};
use crate::json::{Cycles, State};
use crate::model::Model;
use crate::output::{Output, message};
use crate::run;
use orbitscope_core::group::{Partition, PointSet, Process};
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, NodeId, Product};
use orbitscope_core::program::Program;
use orbitscope_core::property::Obligation;
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::log::{Effect, Entry, Log, PermId, RecordLimits, Recorder, Step};
use orbitscope_core::search::{Event, Outcome, Search};
use serde_json::{Value, json};
use std::io::{self, Write};

/// At most this many steps of a search are recorded.
const MAX_STEPS: u32 = 1_000_000;

pub(crate) fn trace(args: &TraceArgs) -> Result<Status, Failure> {
    let model = Model::load(&args.model)?;
    let symmetry = model.symmetry(None)?;
    let found = all_obligations(&model, &symmetry, model.property(&args.property)?)?;
    let mut output = Output::new();
    let mut status = Status::Good;
    for (number, obligation) in found.iter().enumerate() {
        let traced = Trace::new(&model, obligation);
        if args.json {
            traced.write_json(&mut output, number)?;
        } else {
            traced.write(&mut output, number)?;
        }
        status = traced.status;
        if status != Status::Good {
            break;
        }
    }
    output.flush()?;
    if status == Status::Limit || status == Status::Wrong {
        message("orbitscope: the search ended without an answer; `orbitscope check` says why");
    }
    Ok(status)
}

/// The log of one search.
struct Trace<'p> {
    program: &'p Program,
    obligation: &'p Obligation,
    search: Search<'p>,
    log: Log,
    status: Status,
}

impl<'p> Trace<'p> {
    fn new(model: &'p Model, obligation: &'p Obligation) -> Self {
        let program = &model.program;
        let product = Product::new(program, obligation, Prune::Full, Deadlock::Stutter);
        let fairness = FairnessOf::new(program, FairnessChoice::Model);
        let mut search = Search::new(product, fairness, run::limits(None).states);
        let limits = RecordLimits { steps: MAX_STEPS, ghosts: 0 };
        let mut recorder = Recorder::new(&search, limits);
        let (mut count, mut pace) = (0, run::Pace::new());
        let budget = run::limits(None).bytes;
        while count < MAX_STEPS && search.bytes() < budget && pace.goes_on() {
            let end = count + pace.chunk;
            while count < end && recorder.step(&mut search).is_some() {
                count += 1;
            }
            if count < end {
                break;
            }
        }
        let status = match search.outcome() {
            Some(Outcome::Holds) => Status::Good,
            Some(Outcome::Violated(_)) => Status::Violated,
            Some(Outcome::Fault(_)) => Status::Wrong,
            _ => Status::Limit,
        };
        Trace { program, obligation, search, log: recorder.finish(), status }
    }

    fn name(&self, process: Process) -> String {
        self.program.process_name(process)
    }

    fn perm(&self, perm: PermId) -> String {
        let perm = self.log.perm(perm);
        if perm.is_identity() { "id".into() } else { perm.display(|p| self.name(p)).to_string() }
    }

    fn entry(&self, node: NodeId) -> Option<&Entry> {
        self.log.entries().iter().find(|entry| entry.node == node)
    }

    fn values(&self, entry: &Entry) -> Vec<i32> {
        self.search.product().aqsi().aqs().flat(entry.state)
    }

    /// The edge that a step followed: what executes, in the numbers of its node.
    fn edge(&self, step: Step) -> Option<(NodeId, NodeId, String, String)> {
        let (from, number, to) = step.event.edge()?;
        let entry = self.entry(from)?;
        let edge = &entry.edges[number as usize];
        let words = match edge.step {
            Some(step) => {
                let step = &entry.steps[step as usize];
                self.program.show_step(step.process, step.action, &step.arguments)
            }
            None => "stutter".into(),
        };
        let perm = self.perm(edge.perm);
        Some((from, to, words, perm))
    }

    fn classes(&self, classes: impl Iterator<Item = PointSet>) -> String {
        let shown = classes.map(|class| {
            let members: Vec<String> = class.iter().map(|p| self.name(p)).collect();
            format!("{{{}}}", members.join(", "))
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    fn partition(&self, partition: &Partition) -> String {
        self.classes(partition.classes())
    }

    fn write(&self, output: &mut Output, number: usize) -> io::Result<()> {
        let instance = self.obligation.instance(self.program);
        let of = if instance.is_empty() {
            String::new()
        } else {
            format!(": {instance}, one of {} alike", self.obligation.orbit)
        };
        writeln!(output, "search {}{of}", number + 1)?;
        for (position, &step) in self.log.steps().iter().enumerate() {
            self.write_step(output, position + 1, step)?;
        }
        Ok(())
    }

    fn write_step(&self, output: &mut Output, number: usize, step: Step) -> io::Result<()> {
        let commands: Vec<&str> = step.event.commands().iter().map(|command| command.number()).collect();
        let what = match step.event {
            Event::Root(node) => format!("start at u{}", node.0),
            Event::Tree { .. } | Event::Back { .. } | Event::Cross { .. } => {
                let Some((from, to, words, perm)) = self.edge(step) else { return Ok(()) };
                let kind = match step.event {
                    Event::Tree { .. } => "new",
                    Event::Back { .. } => "on the stack",
                    _ => "popped",
                };
                format!("u{} —{words}→ u{} ({kind}), {perm}", from.0, to.0)
            }
            Event::Join { child, parent } => format!("u{} is done, joined into u{}", child.0, parent.0),
            Event::Component { root, size } => format!("component of u{} popped, {size} in it", root.0),
            Event::Yes(node) => format!("yes: the component of u{} is fair and accepted", node.0),
            Event::No => "no: everything has been searched".into(),
            Event::Stopped(stop) => format!("stopped: {stop:?}"),
        };
        writeln!(output, "{number:>5}  {what}  [{}]", commands.join(" "))?;
        match step.effect {
            Effect::Nothing => {}
            Effect::Entered => {
                let (Event::Root(node) | Event::Tree { to: node, .. }) = step.event else { return Ok(()) };
                let Some(entry) = self.entry(node) else { return Ok(()) };
                let tracked: Vec<String> = entry.tracked.iter().map(|&p| self.name(p)).collect();
                let values = self.values(entry);
                let state = self.program.show_state(&values);
                let q = entry.automaton.0;
                writeln!(output, "       u{} = ({state}; {}; q{q})", node.0, tracked.join(", "))?;
                let perm = self.perm(entry.perm);
                writeln!(
                    output,
                    "       permutation {perm}, partition {}",
                    self.partition(self.log.partition(entry.partition))
                )?;
            }
            Effect::Learnt(id) => {
                let learnt = self.log.learnt(id);
                if let Some(around) = learnt.around {
                    writeln!(output, "       the orbits of {} are joined in", self.perm(around))?;
                }
                if learnt.partition.0 != learnt.partition.1 {
                    let [before, after] = [learnt.partition.0, learnt.partition.1]
                        .map(|id| self.partition(self.log.partition(id)));
                    writeln!(output, "       partition {before} becomes {after}")?;
                }
                if learnt.lowlink.0 != learnt.lowlink.1 {
                    writeln!(output, "       lowlink {} becomes {}", learnt.lowlink.0, learnt.lowlink.1)?;
                }
            }
        }
        let fair = self.log.became_fair(step);
        if !fair.is_empty() {
            let classes = self.classes(fair.into_iter().map(|class| class.members));
            writeln!(output, "       now fair: {classes}")?;
        }
        Ok(())
    }

    fn write_json(&self, output: &mut Output, number: usize) -> io::Result<()> {
        let head = json!({
            "search": number + 1,
            "instance": self.obligation.instance(self.program),
            "alike": self.obligation.orbit,
            "steps": self.log.len(),
        });
        writeln!(output, "{head}")?;
        for (position, &step) in self.log.steps().iter().enumerate() {
            writeln!(output, "{}", self.step_json(position + 1, step))?;
        }
        Ok(())
    }

    fn step_json(&self, number: usize, step: Step) -> Value {
        let node = |node: NodeId| format!("u{}", node.0);
        let commands: Vec<&str> = step.event.commands().iter().map(|command| command.number()).collect();
        let (event, at) = match step.event {
            Event::Root(at) => ("root", Some(at)),
            Event::Tree { to, .. } => ("tree", Some(to)),
            Event::Back { from, .. } => ("back", Some(from)),
            Event::Cross { from, .. } => ("cross", Some(from)),
            Event::Join { parent, .. } => ("join", Some(parent)),
            Event::Component { root, .. } => ("component", Some(root)),
            Event::Yes(at) => ("yes", Some(at)),
            Event::No => ("no", None),
            Event::Stopped(_) => ("stopped", None),
        };
        let mut line = json!({ "step": number, "event": event, "commands": commands, "node": at.map(node) });
        if let Some((from, edge, to)) = step.event.edge()
            && let Some(entry) = self.entry(from)
        {
            let logged = &entry.edges[edge as usize];
            let taken = logged.step.map(|number| &entry.steps[number as usize]);
            line["edge"] = json!({
                "from": node(from),
                "to": node(to),
                "process": taken.map(|step| self.name(step.process)),
                "action": taken.map(|step| &self.program.actions[step.action].name),
                "args": taken.map_or_else(Vec::new, |s| self.program.argument_names(s.action, &s.arguments)),
                "perm": Cycles::new(self.program, self.log.perm(logged.perm)),
                "marks": logged.marks.iter().collect::<Vec<u32>>(),
            });
        }
        match (step.event, step.effect) {
            (Event::Root(at) | Event::Tree { to: at, .. }, Effect::Entered) => {
                if let Some(entry) = self.entry(at) {
                    let values = self.values(entry);
                    line["entered"] = json!({
                        "state": State { program: self.program, values: &values },
                        "tracked": entry.tracked.iter().map(|&p| self.name(p)).collect::<Vec<_>>(),
                        "automaton": entry.automaton.0,
                        "perm": Cycles::new(self.program, self.log.perm(entry.perm)),
                        "partition": self.partition_json(self.log.partition(entry.partition)),
                        "pruned": entry.pruned,
                    });
                }
            }
            (_, Effect::Learnt(id)) => {
                let learnt = self.log.learnt(id);
                let both = [learnt.partition.0, learnt.partition.1];
                let partition = both.map(|id| self.partition_json(self.log.partition(id)));
                let marks = [learnt.marks.0, learnt.marks.1].map(|marks| marks.iter().collect::<Vec<u32>>());
                line["learnt"] = json!({
                    "joined": learnt.around.map(|perm| Cycles::new(self.program, self.log.perm(perm))),
                    "partition": partition,
                    "marks": marks,
                    "lowlink": [learnt.lowlink.0, learnt.lowlink.1],
                });
            }
            _ => {}
        }
        let fair = self.log.became_fair(step);
        line["became_fair"] = fair.iter().map(|class| self.members(&class.members)).collect();
        line
    }

    fn partition_json(&self, partition: &Partition) -> Value {
        partition.classes().map(|class| self.members(&class)).collect()
    }

    fn members(&self, points: &PointSet) -> Value {
        points.iter().map(|p| self.name(p)).collect()
    }
}
