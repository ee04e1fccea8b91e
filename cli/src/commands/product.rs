//! The graphs of the product, and its automaton for other tools.

use super::graph::draw_as;
use super::quotient::{Job, Printed};
use crate::args::{GraphArgs, GraphKind};
use crate::failure::Failure;
use crate::model::Model;
use crate::output::message;
use orbitscope_core::automaton::hoa;
use orbitscope_core::check::path_to;
use orbitscope_core::draw::{product_graph, threaded_graph};
use orbitscope_core::ltl;
use orbitscope_core::product::{Deadlock, FairnessChoice, FairnessOf, Product, ProductFault};
use orbitscope_core::program::{Program, PropertyId, PropertyLogic};
use orbitscope_core::property::{Obligation, obligations};
use orbitscope_core::search::{ThreadedSearch, WholeOutcome};
use orbitscope_core::symmetry::ProgramSymmetry;
use orbitscope_core::text::Diagnostic;

/// The product of a property.
pub(super) fn graph(args: &GraphArgs) -> Printed {
    let job = Job::new(args)?;
    let model = &job.model;
    let name = args.property.as_deref().unwrap_or_default();
    let obligation = first_obligation(model, &job.symmetry, name)?;
    let program = &model.program;
    let title = title(model, name, &obligation);
    let graph = if args.of == GraphKind::Product {
        let mut product = Product::new(program, &obligation, job.prune(), Deadlock::Stutter);
        product_graph(&mut product, title, args.max_states)
            .map_err(|fault| product_fault(model, name, &mut product, fault))?
    } else {
        let fairness = FairnessOf::new(program, FairnessChoice::Model);
        let mut search =
            ThreadedSearch::new(program, &obligation, fairness, Deadlock::Stutter, args.max_states);
        threaded_graph(&mut search, title, args.max_states).map_err(|outcome| match outcome {
            WholeOutcome::StepFault(fault) => {
                fault_at(model, &Diagnostic::new(fault.fault.span, program.show_fault(fault)))
            }
            WholeOutcome::AtomFault(fault) => {
                let words = format!("{} while evaluating `{name}`", fault.kind);
                fault_at(model, &Diagnostic::new(fault.span, words))
            }
            _ => Failure::Input(format!("{}: the product could not be built", model.source.file)),
        })?
    };
    Ok((draw_as(&graph, args.format), graph.partial))
}

fn title(model: &Model, name: &str, obligation: &Obligation) -> String {
    let instance = obligation.instance(&model.program);
    let of = if instance.is_empty() { String::new() } else { format!(", {instance}") };
    format!("{}: {name}{of}", model.source.model_name())
}

/// The first search of a temporal property; says where there are more.
fn first_obligation(model: &Model, symmetry: &ProgramSymmetry, name: &str) -> Result<Obligation, Failure> {
    let found = all_obligations(model, symmetry, model.property(name)?)?;
    let file = &model.source.file;
    if found.len() > 1 {
        message(&format!(
            "orbitscope: `{name}` has {} different choices of processes: this is the first",
            found.len()
        ));
    }
    let none = || {
        Failure::Input(format!(
            "{file}: `{name}` holds without a search: it speaks of no process that exists"
        ))
    };
    found.into_iter().next().ok_or_else(none)
}

pub(super) fn all_obligations(
    model: &Model,
    symmetry: &ProgramSymmetry,
    id: PropertyId,
) -> Result<Vec<Obligation>, Failure> {
    let program = &model.program;
    let name = &program.properties[id].name;
    match program.properties[id].logic() {
        PropertyLogic::Invariant => Err(Failure::Input(format!(
            "{}: `{name}` is an invariant: it has no automaton, and is checked on the quotient",
            model.source.file
        ))),
        logic @ (PropertyLogic::Ctl | PropertyLogic::Mu) => Err(Failure::Input(format!(
            "{}: `{name}` is a {} property: it has no automaton, and is checked part by part on quotients",
            model.source.file,
            logic.word()
        ))),
        PropertyLogic::Cover | PropertyLogic::Deadlock => Err(Failure::Input(format!(
            "{}: `{name}` is a question about states: it has no automaton, and is checked on the quotient",
            model.source.file
        ))),
        PropertyLogic::Ltl | PropertyLogic::Automaton => {
            obligations(program, id, symmetry, &ltl::Limits::default())
                .map_err(|error| model.source.failure(&[error.diagnostic()]))
        }
    }
}

/// An error of the model or the property, with a shortest path to it.
fn product_fault(model: &Model, name: &str, product: &mut Product<'_>, fault: ProductFault) -> Failure {
    let program: &Program = &model.program;
    let (at, diagnostic) = match fault {
        ProductFault::Step(at, fault) => (at, Diagnostic::new(fault.fault.span, program.show_fault(&fault))),
        ProductFault::Atom(at, fault) => {
            (at, Diagnostic::new(fault.span, format!("{} while evaluating `{name}`", fault.kind)))
        }
        ProductFault::Full(_) => {
            return Failure::TooLarge(format!("{}: the product needs too much memory", model.source.file));
        }
        ProductFault::Automaton(_) => {
            return Failure::Input(format!(
                "{}: the automaton of `{name}` is too large for permutations to move its states; leave out the symmetry \
                 with `--symmetry none`",
                model.source.file
            ));
        }
    };
    let mut messages = vec![model.source.render(&diagnostic)];
    if let Some(path) = path_to(product.aqsi_mut(), |_, id| id == at) {
        messages.extend(crate::run::path_messages(program, &path));
    }
    Failure::Input(messages.join("\n"))
}

fn fault_at(model: &Model, diagnostic: &Diagnostic) -> Failure {
    Failure::Input(model.source.render(diagnostic))
}

/// `orbitscope export --to hoa`
pub(super) fn export_hoa(model: &Model, property: Option<&str>) -> Result<String, Failure> {
    let Some(name) = property else {
        return Err(Failure::Input(
            "orbitscope: `export --to hoa` needs a property: say which with `-p NAME`".into(),
        ));
    };
    let symmetry = model.symmetry(None)?;
    let obligation = first_obligation(model, &symmetry, name)?;
    let (automaton, propositions) = obligation.written(&model.program);
    Ok(hoa::write(&automaton, &title(model, name, &obligation), &propositions))
}
