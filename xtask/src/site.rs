//! Building and serving the static site.

use crate::args::ServeOptions;
use crate::install::{self, PageTools};
use crate::process::run;
use crate::{offline, workspace};
use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;

/// `cargo xtask build`.
pub(crate) fn build_command() -> Result<(), String> {
    let tools = install::page_tools()?;
    println!("Building the site: usually 3 minutes the first time ...");
    build(&tools)?;
    println!("The site is in {}: copy it to any static host, under any path.", workspace::dist().display());
    Ok(())
}

/// Builds the optimised site in `dist/`.
pub(crate) fn build(tools: &PageTools) -> Result<(), String> {
    run(trunk(tools).args(["build", "--release"]))?;
    offline::write(&workspace::dist())
}

/// `cargo xtask shots`: pictures of the page as it is: those of the README, and of its main states in both themes and all
/// sizes, to be looked at.
pub(crate) fn shots_command() -> Result<(), String> {
    let (browser, node) = (install::browser()?, install::node()?);
    build_command()?;
    for (script, folder) in [("e2e/shots.mjs", "docs/images"), ("e2e/states.mjs", "target/shots")] {
        run(Command::new(&node)
            .arg(script)
            .arg(workspace::root().join(folder))
            .current_dir(workspace::root())
            .env("CHROMIUM", &browser.chromium)
            .env("DIST", workspace::dist()))?;
    }
    Ok(())
}

/// `cargo xtask serve`.
pub(crate) fn serve_command(options: &ServeOptions) -> Result<(), String> {
    let port = options.port;
    // Asked first, so that nobody waits for a build that cannot be served.
    if let Err(error) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        let other = if port < u16::MAX { port + 1 } else { port - 1 };
        return Err(format!(
            "port {port} cannot be used ({error}): stop the program that uses it, or choose another with\n  \
             cargo xtask serve --port {other}"
        ));
    }
    let tools = install::page_tools()?;
    let mut command = trunk(&tools);
    // Its own folder: `dist/` always holds the site as it is published.
    command.args(["serve", "--address", "127.0.0.1", "--dist", "target/serve", "--port", &port.to_string()]);
    command.args(if options.dev { ["--cargo-profile", "dev"].as_slice() } else { &["--release"] });
    println!(
        "Building the page, usually 3 minutes the first time; then it is at\n\n  http://127.0.0.1:{port}/\n"
    );
    become_command(command)
}

fn trunk(tools: &PageTools) -> Command {
    let mut command = Command::new("trunk");
    // Trunk takes NO_COLOR for a flag of its own and refuses the usual value, 1.
    command.current_dir(workspace::root()).env("PATH", &tools.path).env_remove("NO_COLOR");
    command
}

/// Replaces this process, so that whoever ends it ends the server and not only its parent.
#[cfg(unix)]
fn become_command(mut command: Command) -> Result<(), String> {
    use std::os::unix::process::CommandExt;
    Err(format!("trunk could not be started: {}", command.exec()))
}

#[cfg(not(unix))]
fn become_command(mut command: Command) -> Result<(), String> {
    run(&mut command)
}
