//! `orbitscope check --watch`: the check again, whenever a file changes.

use super::check;
use crate::args::CheckArgs;
use crate::failure::{Failure, Status};
use crate::output::message;
use crate::{internal, interrupt};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// How often the files are looked at. A few files cost nothing, and no system is without modification times.
pub(super) const POLL: Duration = Duration::from_millis(100);

/// A file as it looks from outside, by its time and length; none where it is not there.
pub(super) type Stamp = Option<(SystemTime, u64)>;

/// Checks until somebody stops it; the status is that of the last check.
pub(super) fn watch(args: &CheckArgs) -> Result<Status, Failure> {
    if args.model.file == "-" {
        return Err(Failure::Input("orbitscope: standard input cannot be watched: name a file".into()));
    }
    let files: Vec<PathBuf> =
        [Some(&args.model.file), args.hoa.as_ref()].into_iter().flatten().map(PathBuf::from).collect();
    interrupt::listen();
    let stamps = || -> Vec<Stamp> { files.iter().map(stamp).collect() };
    loop {
        // Taken before the check, so that a change while it runs is not lost.
        let mut seen = stamps();
        let done = internal::guarded(|| check::check(args));
        let status = match done.unwrap_or_else(|what| Err(Failure::Internal(what))) {
            Ok(status) => status,
            // Whoever reads the output has gone.
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => {
                message(&failure.to_string());
                failure.status()
            }
        };
        if interrupt::requested() {
            return Ok(status);
        }
        message(&format!("orbitscope: waiting for a change of {}; Ctrl-C ends this", args.model.file));
        while stamps() == seen {
            std::thread::sleep(POLL);
            if interrupt::requested() {
                return Ok(status);
            }
        }
        // An editor may write a file in several pieces, or move it away first.
        loop {
            let now = stamps();
            if now == seen && now.iter().all(Option::is_some) {
                break;
            }
            seen = now;
            std::thread::sleep(POLL);
            if interrupt::requested() {
                return Ok(status);
            }
        }
    }
}

pub(super) fn stamp(file: &PathBuf) -> Stamp {
    let metadata = std::fs::metadata(file).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
