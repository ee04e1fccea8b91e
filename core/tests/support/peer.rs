//! Comparing with another checker: our own counts and verdicts, and somewhere to work.

use orbitscope_core::check::{Check, Options, Target, Verdict};
use orbitscope_core::explore::{Exploration, Limits, StopReason};
use orbitscope_core::product::FairnessChoice;
use orbitscope_core::program::{Program, PropertyId, PropertyKind, PropertyLogic};
use orbitscope_core::symmetry::{Choice, choose};
use orbitscope_core::syntax::ast::Logic;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The program that a variable of the environment names, or the usual one.
pub(crate) fn tool(variable: &str, usual: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| usual.into(), PathBuf::from)
}

/// Whether a program is there and says something about itself.
pub(crate) fn runs(program: &Path, argument: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

/// Counts of the comparisons.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compared {
    pub(crate) models: u32,
    pub(crate) states: u64,
    pub(crate) properties: u32,
    pub(crate) violated: u32,
    pub(crate) runs: u32,
    /// Claims that are automata of ours and not formulas of the other checker's.
    pub(crate) automata: u32,
    /// Properties that we have no verdict for, or that cannot be said.
    pub(crate) left_out: u32,
    pub(crate) deadlocks: u32,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.models += other.models;
        self.states += other.states;
        self.properties += other.properties;
        self.violated += other.violated;
        self.runs += other.runs;
        self.automata += other.automata;
        self.left_out += other.left_out;
        self.deadlocks += other.deadlocks;
    }
}

/// A folder of its own that is gone afterwards.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(what: &str) -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("orbitscope-{what}-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Our counts without symmetry.
pub(crate) struct Explored {
    pub(crate) states: u64,
    pub(crate) has_deadlock: bool,
    /// Whether the model has an error: the counts are of what was found by then.
    pub(crate) has_fault: bool,
}

/// Explores a program without symmetry.
pub(crate) fn explored(program: &Program) -> Result<Explored, String> {
    let mut exploration = Exploration::new(program, Limits::default(), &[]);
    let has_fault = match exploration.run() {
        StopReason::Complete => false,
        StopReason::Fault(..) => true,
        other => return Err(format!("{other:?}")),
    };
    let (states, has_deadlock) = (exploration.states().len().into(), !exploration.deadlocks().is_empty());
    Ok(Explored { states, has_deadlock, has_fault })
}

/// Our verdict, by the default engine with the symmetry that the model has; none where there is none.
pub(crate) fn ours(
    program: &Program,
    id: PropertyId,
    fairness: FairnessChoice,
) -> Result<Option<bool>, String> {
    assert!(!matches!(program.properties[id].kind, PropertyKind::Formula(Logic::Ctl | Logic::Mu, _)));
    let symmetry = choose(program, Choice::Model).map_err(|refused| format!("{refused:?}"))?;
    let options = Options { fairness, ..Options::default() };
    let Ok(mut check) = Check::new(program, &symmetry, Target::Property(id), options) else {
        return Ok(None);
    };
    // The error of a cover's claim is the way to what was asked for.
    let sought = program.properties[id].logic() == PropertyLogic::Cover;
    match check.run().verdict {
        Verdict::Holds => Ok(Some(!sought)),
        Verdict::Violated => Ok(Some(sought)),
        Verdict::Unknown(why) => Err(format!("{}: {why:?}", program.properties[id].name)),
    }
}
