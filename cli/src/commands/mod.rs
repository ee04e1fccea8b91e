//! The commands, one module each.

mod check;
mod convert;
mod export;
mod fmt;
mod grade;
mod graph;
mod link;
mod lsp;
mod product;
mod prove;
mod quotient;
mod replay;
mod serve;
mod shell;
mod symmetry;
mod trace;
mod watch;

use crate::args::{Command, Format};
use crate::failure::{Failure, Status};

/// Executes a command.
pub(crate) fn execute(mut command: Command) -> Result<Status, Failure> {
    if let Command::Check(args) = &mut command {
        args.model.murphi = args.format == Some(Format::Murphi);
    }
    match command {
        Command::Check(args) if args.watch => watch::watch(&args),
        Command::Check(args) if !args.every.is_empty() => prove::check_every(&args),
        Command::Check(args) => check::check(&args),
        Command::Prove(args) => prove::prove(&args),
        Command::Graph(args) => graph::graph(&args),
        Command::Convert(args) => convert::convert(&args),
        Command::Fmt(args) => fmt::fmt(&args),
        Command::Trace(args) => trace::trace(&args),
        Command::Symmetry(args) => symmetry::symmetry(&args),
        Command::Export(args) => export::export(&args),
        Command::Link(args) => link::link(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Grade(args) => grade::grade(&args),
        Command::Serve(args) => serve::serve(&args),
        Command::Lsp(args) => lsp::serve(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
    }
}
