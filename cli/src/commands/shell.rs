//! `orbitscope completions` and `orbitscope man`: what shells and readers need to know, made from the arguments themselves.

use crate::args::{Arguments, CompletionsArgs, ManArgs};
use crate::failure::{Failure, Status};
use crate::output::Output;
use clap::CommandFactory;
use orbitscope_core::text::closest;
use std::io::Write as _;

/// Prints a script that completes commands, options and file names.
pub(super) fn completions(args: &CompletionsArgs) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "orbitscope", &mut script);
    print(&script)
}

/// Prints a page of the manual, in the form that `man` reads.
pub(super) fn man(args: &ManArgs) -> Result<Status, Failure> {
    let mut root = Arguments::command();
    root.build();
    let command = match &args.command {
        None => root,
        Some(name) => {
            let names = || root.get_subcommands().map(clap::Command::get_name);
            let found = root.get_subcommands().find(|command| command.get_name() == name).cloned();
            found.ok_or_else(|| {
                let hint = closest(name, names()).map_or_else(
                    || format!("; there are: {}", names().collect::<Vec<_>>().join(", ")),
                    |near| format!("; did you mean `{near}`?"),
                );
                Failure::Input(format!("orbitscope: there is no command `{name}`{hint}"))
            })?
        }
    };
    // A page of a command is called as the command is: `man orbitscope-check`.
    let title =
        args.command.as_ref().map_or_else(|| "orbitscope".into(), |name| format!("orbitscope-{name}"));
    let mut page = Vec::new();
    clap_mangen::Man::new(command).title(title).render(&mut page)?;
    print(&page)
}

fn print(bytes: &[u8]) -> Result<Status, Failure> {
    let mut output = Output::new();
    output.write_all(bytes)?;
    output.flush()?;
    Ok(Status::Good)
}
