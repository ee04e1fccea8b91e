//! `orbitscope fmt`

use crate::args::FmtArgs;
use crate::failure::{Failure, Status};
use crate::model::{Source, io_words};
use crate::output::{Output, message};
use orbitscope_core::syntax;
use orbitscope_core::text::Diagnostic;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) fn fmt(args: &FmtArgs) -> Result<Status, Failure> {
    if args.write && args.file == "-" {
        return Err(Failure::Input("orbitscope: `--write` needs a file, not standard input".into()));
    }
    let source = Source::read(&args.file)?;
    let formatted = formatted(&source.text).map_err(|diagnostics| source.failure(&diagnostics))?;
    let changed = formatted != source.text;
    if args.check {
        if changed {
            message(&format!("{}: not formatted", source.file));
        }
        return Ok(if changed { Status::Violated } else { Status::Good });
    }
    if args.write {
        if changed {
            replace(Path::new(&args.file), &formatted).map_err(|error| {
                Failure::Input(format!("{}: cannot be written: {}", source.file, io_words(&error)))
            })?;
        }
        return Ok(Status::Good);
    }
    let mut output = Output::new();
    output.write_all(formatted.as_bytes())?;
    output.flush()?;
    Ok(Status::Good)
}

fn formatted(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = syntax::parse(text);
    if parsed.diagnostics.is_empty() { Ok(syntax::format(text)) } else { Err(parsed.diagnostics) }
}

/// Replaces a file in one step: whatever happens, it has its old text or its new one.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    // A link stays a link: its target is replaced.
    let file = fs::canonicalize(file)?;
    let permissions = fs::metadata(&file)?.permissions();
    let (beside, mut new) = create_beside(&file)?;
    let written = new
        .write_all(text.as_bytes())
        .and_then(|()| new.set_permissions(permissions))
        .and_then(|()| new.sync_all())
        .and_then(|()| fs::rename(&beside, &file));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A new file in the same folder.
fn create_beside(file: &Path) -> io::Result<(PathBuf, File)> {
    let mut name = std::ffi::OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = file.with_file_name(name);
    let new = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    Ok((beside, new))
}
