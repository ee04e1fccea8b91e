//! From the command line to the options of a check.

use crate::args::{self, CheckArgs};
use crate::failure::Failure;
use crate::run;
use orbitscope_core::check::{Engine, Options};
use orbitscope_core::ctl::Algorithm;
use orbitscope_core::ltl;
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::quotient::{EdgeStorage, Prune};
use orbitscope_core::symbolic::{CtlModel, Generators, SymbolicOptions};
use orbitscope_core::syntax::ast::Fairness;

pub(super) fn options(args: &CheckArgs) -> Options {
    let engine = match args.engine {
        args::Engine::Onthefly => Engine::Onthefly,
        args::Engine::Threaded => Engine::Threaded,
        args::Engine::Explicit => Engine::Explicit,
        args::Engine::Symbolic => Engine::Symbolic,
    };
    let fairness = match args.fairness {
        args::FairnessChoice::Model => FairnessChoice::Model,
        args::FairnessChoice::Weak => FairnessChoice::All(Fairness::Weak),
        args::FairnessChoice::Strong => FairnessChoice::All(Fairness::Strong),
        args::FairnessChoice::None => FairnessChoice::All(Fairness::None),
    };
    let deadlock = match args.deadlock {
        args::DeadlockChoice::Stutter => Deadlock::Stutter,
        args::DeadlockChoice::Drop => Deadlock::Drop,
    };
    let prune = args.prune.map(|prune| match prune {
        args::Prune::None => Prune::None,
        args::Prune::Process => Prune::Process,
        args::Prune::Full => Prune::Full,
    });
    let edges = match args.edges {
        Some(args::EdgesChoice::Stored) | None => EdgeStorage::Stored,
        Some(args::EdgesChoice::Recomputed) => EdgeStorage::Recomputed,
        Some(args::EdgesChoice::Ahead) => EdgeStorage::Ahead,
    };
    let limits = run::limits(args.max_states);
    let ctl = match args.ctl_algorithm {
        args::CtlAlgorithm::Naive => Algorithm::Naive,
        args::CtlAlgorithm::Emc => Algorithm::Emc,
        args::CtlAlgorithm::Local => Algorithm::Local,
        args::CtlAlgorithm::Global => Algorithm::Global,
    };
    let default = SymbolicOptions::default();
    let symbolic = SymbolicOptions {
        hints: args.hints,
        sigma_limit: args.sigma_limit,
        under: args.under,
        generators: match args.generators {
            Some(args::GeneratorsChoice::Unchecked) => Generators::Unchecked,
            Some(args::GeneratorsChoice::Proven) | None => Generators::Proven,
        },
        ctl: match args.ctl_model {
            Some(args::CtlModelChoice::Restricted) => CtlModel::Restricted,
            Some(args::CtlModelChoice::Relation) => CtlModel::Relation,
            Some(args::CtlModelChoice::All) | None => CtlModel::All,
        },
        nodes: args.max_nodes.unwrap_or(default.nodes),
        collect: default.collect,
    };
    Options {
        engine,
        fairness,
        deadlock,
        prune,
        edges,
        limits,
        translation: ltl::Limits::default(),
        ctl,
        fair_ctl: args.fair_ctl,
        expand_quantifiers: args.expand_quantifiers,
        symbolic,
    }
}

/// Options of one engine that another one cannot honour.
pub(super) fn refuse_options(args: &CheckArgs) -> Result<(), Failure> {
    let symbolic = args.engine == args::Engine::Symbolic;
    let own = [
        ("--hints", args.hints),
        ("--sigma-limit", args.sigma_limit.is_some()),
        ("--under", args.under.is_some()),
        ("--generators", args.generators.is_some()),
        ("--ctl-model", args.ctl_model.is_some()),
        ("--max-nodes", args.max_nodes.is_some()),
    ];
    if let Some((option, _)) = own.iter().find(|(_, given)| *given && !symbolic) {
        return Err(Failure::Input(format!(
            "orbitscope: `{option}` is for the symbolic engine; add `--engine symbolic`"
        )));
    }
    let wrong = |words: &str| Err(Failure::Input(format!("orbitscope: {words}")));
    if symbolic && args.max_states.is_some() {
        return wrong(
            "the symbolic engine counts nodes, not states: use `--max-nodes` instead of `--max-states`",
        );
    }
    if symbolic && matches!(args.fairness, args::FairnessChoice::Weak | args::FairnessChoice::Strong) {
        return wrong(
            "the symbolic engine checks no property that depends on fairness; leave out `--fairness`",
        );
    }
    if args.edges.is_some() && args.engine != args::Engine::Onthefly {
        return wrong("only the on-the-fly engine has a choice how edges are held; leave out `--edges`");
    }
    if args.generators == Some(args::GeneratorsChoice::Unchecked) && args.symmetry.is_some() {
        return wrong("`--generators unchecked` takes the generators of the model; leave out `--symmetry`");
    }
    Ok(())
}
