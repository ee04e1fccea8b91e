//! Running other programs.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Cargo, the one that runs this program.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::workspace::root());
    command
}

/// Runs to the end with its output shown; an error says which program failed and how.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let name = describe(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{name}` failed ({status})")),
        Err(error) => Err(format!("`{name}` could not be started: {error}")),
    }
}

/// Runs to the end and shows what it says only if it fails: for a program that warns of what is meant so.
pub(crate) fn run_quietly(command: &mut Command) -> Result<(), String> {
    let name = describe(command);
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("`{name}` failed ({}): {}", output.status, said.trim()))
        }
        Err(error) => Err(format!("`{name}` could not be started: {error}")),
    }
}

/// The standard output of a program, if it succeeds.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command as a person would type it: the program's file name and its arguments.
fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// The first of `names` that is a program on the PATH.
pub(crate) fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let in_folder = |name: &str| {
        env::split_paths(&path)
            .map(|folder| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
            .find(|file| file.is_file())
    };
    names.iter().find_map(|name| in_folder(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command() {
        let failure = run(Command::new("/nowhere/to/be/found").arg("--now")).unwrap_err();
        assert!(failure.starts_with("`found --now` could not be started: "), "{failure}");
        let failure = run(cargo().args(["no-such-command"]).stderr(Stdio::null())).unwrap_err();
        assert!(failure.ends_with("no-such-command` failed (exit status: 101)"), "{failure}");
        let failure = run_quietly(cargo().args(["no-such-command"])).unwrap_err();
        assert!(failure.contains("failed (exit status: 101): error: no such command"), "{failure}");
        assert_eq!(run_quietly(cargo().arg("--version")), Ok(()));
    }

    #[test]
    fn output_is_trimmed_and_missing_programs_are_none() {
        assert!(output(cargo().arg("--version")).unwrap().starts_with("cargo "));
        assert_eq!(output(&mut Command::new("/nowhere/to/be/found")), None);
        assert_eq!(find(&["surely-no-such-program"]), None);
    }
}
