//! The surface of the command line.

use crate::colour::Colour;
use crate::reports::Wanted;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::num::NonZeroUsize;

/// Checks programs of identical processes: safety and liveness under fairness, on the symmetry quotient.
#[derive(Parser, Debug)]
#[command(name = "orbitscope", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(long, global = true, hide = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub color: Colour,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check the properties of a model
    Check(CheckArgs),
    /// Answer for every size of the families at once: holds for every n, violated for the smallest n, or unknown
    Prove(ProveArgs),
    /// Print a graph of a model
    Graph(GraphArgs),
    /// Print every step of the search for a property
    Trace(TraceArgs),
    /// Print the symmetry group of a model, its generators, its order and what limits it
    Symmetry(SymmetryArgs),
    /// Translate a model for another tool
    Export(ExportArgs),
    /// Format a model
    Fmt(FmtArgs),
    /// Print a model in Murphi in the modelling language
    Convert(ConvertArgs),
    /// Print a link that opens a model, or the folder of an exercise, in the page
    Link(LinkArgs),
    /// Say whether a log of an implementation is a behaviour of a model
    Replay(ReplayArgs),
    /// Mark submissions to an exercise
    Grade(GradeArgs),
    /// Serve the page on a port of this machine, and show a file in it that may change
    Serve(ServeArgs),
    /// Answer an editor: the language server protocol over standard input and output
    Lsp(LspArgs),
    /// Print a script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Print a page of the manual
    Man(ManArgs),
}

/// A model and the values of its parameters.
#[derive(Args, Debug, Clone)]
pub(crate) struct ModelArgs {
    /// The model; `-` reads standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Set a parameter of the model
    #[arg(long = "set", value_name = "NAME=INT", value_parser = setting)]
    pub settings: Vec<(String, i64)>,
    /// A second file, with properties of the model, in the modelling language
    #[arg(long = "properties", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub more: Option<String>,
    /// Whether it is in Murphi, whatever its name ends with.
    #[arg(skip)]
    pub murphi: bool,
}

#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each switch can be given on its own")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The language of the model; otherwise the ending of its name decides: `.m` is Murphi
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Check only this property; may be given several times
    #[arg(short, long = "property", value_name = "NAME")]
    pub properties: Vec<String>,
    /// Answer for every value of this parameter, which gives families their sizes; may be given several times. Only -p, --fairness,
    /// --deadlock, --no-deadlocks, --max-states and --json go with it
    #[arg(long, value_name = "PARAM", conflicts_with_all = ["symmetry", "prune", "engine", "edges", "hints", "sigma_limit", "under", "generators", "ctl_model", "max_nodes", "ctl_algorithm", "expand_quantifiers", "fair_ctl", "hoa", "full_states", "reports", "quiet", "watch", "threads"])]
    pub every: Vec<String>,
    /// Which fairness every process gets: what the model says, or one for all
    #[arg(long, value_enum, default_value_t = FairnessChoice::Model)]
    pub fairness: FairnessChoice,
    /// Which symmetry to use
    #[arg(long, value_enum)]
    pub symmetry: Option<SymmetryChoice>,
    /// Which edges of the quotient to leave out [default: full for onthefly, none otherwise]
    #[arg(long, value_enum)]
    pub prune: Option<Prune>,
    /// How to search
    #[arg(long, value_enum, default_value_t = Engine::Onthefly)]
    pub engine: Engine,
    /// How the on-the-fly search of ltl and automaton properties holds the quotient's edges: stored when first needed,
    /// recomputed each time, or all made ahead of the search [default: stored]
    #[arg(long, value_enum)]
    pub edges: Option<EdgesChoice>,
    /// Symbolic engine: follow the hints of the model
    #[arg(long)]
    pub hints: bool,
    /// Symbolic engine: let σ_Step go round at most this many times
    #[arg(long, value_name = "N")]
    pub sigma_limit: Option<u32>,
    /// Symbolic engine: expand dense subsets of the frontier with at most this many BDD nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub under: Option<u32>,
    /// Symbolic engine: which generators of the symmetry to use; those that the model claims, taken unchecked, serve to
    /// find violations only
    #[arg(long, value_enum)]
    pub generators: Option<GeneratorsChoice>,
    /// Symbolic engine: check ctl properties on all states, on the representatives alone (which refutes formulas with A, and
    /// confirms those with E), or on the representatives with the relation that ties every state to them
    #[arg(long, value_enum)]
    pub ctl_model: Option<CtlModelChoice>,
    /// Symbolic engine: stop when there are more BDD nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1000..))]
    pub max_nodes: Option<u32>,
    /// How ctl properties are evaluated: by fixed points over all states, backwards along predecessors, only what the
    /// initial states need, or depth first without predecessors
    #[arg(long, value_enum, default_value_t = CtlAlgorithm::Global)]
    pub ctl_algorithm: CtlAlgorithm,
    /// Track every process that a quantifier inside an ltl formula ranges over, also where permutations could act on the
    /// states of the formula's automaton instead
    #[arg(long)]
    pub expand_quantifiers: bool,
    /// Let the path quantifiers of ctl range over the paths that are fair as --fairness says, instead of over all
    #[arg(long)]
    pub fair_ctl: bool,
    /// How ltl and ctl treat a deadlock: its state repeats for ever, or the path is dropped
    #[arg(long, value_enum, default_value_t = DeadlockChoice::Stutter)]
    pub deadlock: DeadlockChoice,
    /// Do not look for deadlocks besides the properties: what answers these is seen, and no more
    #[arg(long)]
    pub no_deadlocks: bool,
    /// Check against a Büchi automaton of the wrong computations, a file in the HOA format whose atomic propositions are
    /// expressions of the model; of its properties only those named with -p are then checked
    #[arg(long, value_name = "AUTOMATON", value_hint = ValueHint::FilePath)]
    pub hoa: Option<String>,
    /// Stop each search after this many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_states: Option<u32>,
    /// Threads for going through all states, which `--engine explicit` does for invariants, covers and deadlocks [default: all
    /// cores]. Everything else takes one thread; the answers do not depend on it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// With --json, write out every state of a run, also where it has more than 10000 values
    #[arg(long, requires = "json")]
    pub full_states: bool,
    /// Write what was found into a file for other programs; may be given several times. KIND is junit, sarif, github, html, csv,
    /// itf, plantuml or mermaid, and the file `-` is standard output
    #[arg(long = "report", value_name = "KIND=FILE", value_parser = Wanted::parse)]
    pub reports: Vec<Wanted>,
    /// Print nothing but what goes wrong: the exit status and the reports say the rest
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
    /// Check again whenever the file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ProveArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Answer for this property only; may be given several times
    #[arg(short, long = "property", value_name = "NAME")]
    pub properties: Vec<String>,
    /// Leave only this parameter open; may be given several times [default: all that give families their sizes and are not set]
    #[arg(long, value_name = "PARAM")]
    pub every: Vec<String>,
    /// Which fairness every process gets: what the model says, or one for all
    #[arg(long, value_enum, default_value_t = FairnessChoice::Model)]
    pub fairness: FairnessChoice,
    /// How ltl treats a deadlock: its state repeats for ever, or the path is dropped
    #[arg(long, value_enum, default_value_t = DeadlockChoice::Stutter)]
    pub deadlock: DeadlockChoice,
    /// Check instances up to this value of each parameter one by one [default: 6]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub up_to: Option<u32>,
    /// Stop after this many abstract states, and after this many states of one instance
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_states: Option<u32>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Which graph
    #[arg(long, value_enum)]
    pub of: GraphKind,
    /// The property: of the product, or to track the processes that it names
    #[arg(short, long = "property", value_name = "NAME")]
    pub property: Option<String>,
    /// Track this process, such as client[1]; may be given several times
    #[arg(long, value_name = "PROCESS", conflicts_with = "property")]
    pub track: Vec<String>,
    /// Which symmetry to use: what the model says, or this
    #[arg(long, value_enum)]
    pub symmetry: Option<SymmetryChoice>,
    /// Which edges of the quotient to leave out [default: full]
    #[arg(long, value_enum)]
    pub prune: Option<Prune>,
    /// Show the edges that are left out too, each with the permutation that makes it redundant
    #[arg(long)]
    pub ghosts: bool,
    /// The format to print
    #[arg(long, value_enum, default_value_t = GraphFormat::Dot)]
    pub format: GraphFormat,
    /// Print at most this many states
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_states: u32,
}

#[derive(Args, Debug)]
pub(crate) struct SymmetryArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Find the symmetry even where the model claims one or says that there is none
    #[arg(long, value_enum)]
    pub symmetry: Option<SymmetryChoice>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The property
    #[arg(short, long = "property", value_name = "NAME")]
    pub property: String,
    /// Print JSON, one event a line
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The language of the other tool
    #[arg(long, value_enum)]
    pub to: ExportTarget,
    /// The property to translate
    #[arg(short, long = "property", value_name = "NAME")]
    pub property: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The model in Murphi; `-` reads standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: String,
}

/// The languages that models are read in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    // Words about the values would make the help of every option three lines long.
    Orb,
    Murphi,
}

#[derive(Args, Debug)]
pub(crate) struct FmtArgs {
    /// The model; `-` reads standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Rewrite the file instead of printing
    #[arg(long, conflicts_with = "check")]
    pub write: bool,
    /// Print nothing; exit with status 1 if the file is not formatted
    #[arg(long)]
    pub check: bool,
}

#[derive(Args, Debug)]
pub(crate) struct LinkArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The property to open
    #[arg(short, long = "property", value_name = "NAME")]
    pub property: Option<String>,
    /// The address of the page; the default is where `cargo xtask serve` puts it
    #[arg(long, value_name = "ADDRESS", default_value = "http://127.0.0.1:8080/")]
    pub page: String,
}

#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The log, one JSON object a line; `-` reads standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub log: String,
    /// Allow this many steps before each line that the log does not tell of
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub hidden: u32,
    /// Let only this action be hidden; may be given several times
    #[arg(long, value_name = "ACTION")]
    pub hide: Vec<String>,
    /// Take names such as client[0] for the model's own, instead of finding out who is who
    #[arg(long)]
    pub own_names: bool,
    /// Keep at most this many possible states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_states: Option<u32>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct GradeArgs {
    /// The folder of the exercise
    #[arg(value_hint = ValueHint::DirPath)]
    pub exercise: String,
    /// The models to mark; without any those in the exercise's folder `submissions`
    #[arg(value_hint = ValueHint::FilePath)]
    pub submissions: Vec<String>,
    /// Stop each search after this many states [default: 1000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_states: Option<u32>,
    /// Write the marks into a file; may be given several times. KIND is junit or csv, and the file `-` is standard output
    #[arg(long = "report", value_name = "KIND=FILE", value_parser = Wanted::parse)]
    pub reports: Vec<Wanted>,
}

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// The model that the page shows, again whenever the file changes
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<String>,
    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 7070)]
    pub port: u16,
    /// The address to listen on; any but the default lets others on the network read the model
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: String,
    /// Take the page from this folder, as `cargo xtask build` writes it, instead of the one built into this program
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub site: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct LspArgs {
    /// Speak over standard input and output; there is no other way, and editors say so all the same
    #[arg(long, hide = true)]
    pub stdio: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The command that the page is about; without it the page lists them
    pub command: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FairnessChoice {
    Model,
    Weak,
    Strong,
    None,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SymmetryChoice {
    Auto,
    None,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Prune {
    None,
    Process,
    Full,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    Onthefly,
    Threaded,
    Explicit,
    Symbolic,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EdgesChoice {
    Stored,
    Recomputed,
    Ahead,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GeneratorsChoice {
    Proven,
    Unchecked,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CtlModelChoice {
    All,
    Restricted,
    Relation,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CtlAlgorithm {
    Naive,
    Emc,
    Local,
    Global,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DeadlockChoice {
    Stutter,
    Drop,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GraphKind {
    States,
    Aqs,
    Aqsi,
    Product,
    Threaded,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GraphFormat {
    Dot,
    Json,
    Svg,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExportTarget {
    Promela,
    Tla,
    Hoa,
    /// The reachable states, or with -p those that violate an invariant, as a binary decision diagram in dot
    Bdd,
}

/// More threads than any machine has are a slip of the finger, and each takes its stack.
const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().and_then(NonZeroUsize::new).filter(|count| count.get() <= MOST_THREADS);
    count.ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}

fn setting(text: &str) -> Result<(String, i64), String> {
    let Some((name, value)) =
        text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty())
    else {
        return Err("expected NAME=INT, such as clients=3".into());
    };
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(word) {
        return Err(format!("`{name}` cannot be the name of a parameter"));
    }
    let value = value.parse().map_err(|_| format!("`{value}` is not a whole number of 64 bits"))?;
    Ok((name.into(), value))
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory;

    /// An option that `check --every` cannot honour is refused with it, not dropped.
    #[test]
    fn every_refuses_what_it_cannot_honour() {
        let cli = Arguments::command();
        let check = cli.find_subcommand("check").expect("there is `check`");
        let every = check.get_arguments().find(|arg| arg.get_id() == "every").expect("it has --every");
        let refused: Vec<&str> =
            check.get_arg_conflicts_with(every).iter().map(|arg| arg.get_id().as_str()).collect();
        let honoured = [
            "file",
            "settings",
            "more",
            "format",
            "properties",
            "every",
            "fairness",
            "deadlock",
            "no_deadlocks",
        ];
        let honoured = [&honoured[..], &["max_states", "json", "help"]].concat();
        for arg in check.get_arguments().map(|arg| arg.get_id().as_str()) {
            assert!(honoured.contains(&arg) != refused.contains(&arg), "--every beside {arg}");
        }
    }
}
