//! The answer to one property.

use crate::check::{
    Counterexample, LineStyle, Report, Unknown, Verdict, lasso_lines, ledger_lines, path_lines, told,
};
use crate::explore::Path;
use crate::program::{Program, PropertyId};
use crate::search::{Lasso, Ledger};
use alloc::string::String;
use core::fmt;

/// The outcome of a check. Printed, it is the verdict and, for a violated property, the run that shows it.
#[derive(Clone, Debug)]
pub struct Answer<'m> {
    program: &'m Program,
    property: PropertyId,
    report: Report,
}

impl<'m> Answer<'m> {
    pub(super) fn new(program: &'m Program, property: PropertyId, report: Report) -> Self {
        Answer { program, property, report }
    }

    /// The name of the property.
    pub fn property(&self) -> &'m str {
        &self.program.properties[self.property].name
    }

    /// Whether the property holds, is violated, or neither is known.
    pub fn verdict(&self) -> &Verdict {
        &self.report.verdict
    }

    /// Whether it is known to hold.
    pub fn holds(&self) -> bool {
        matches!(self.report.verdict, Verdict::Holds)
    }

    /// Whether it is known to be violated.
    pub fn is_violated(&self) -> bool {
        matches!(self.report.verdict, Verdict::Violated)
    }

    /// Why neither is known.
    pub fn unknown(&self) -> Option<&Unknown> {
        match &self.report.verdict {
            Verdict::Unknown(unknown) => Some(unknown),
            Verdict::Holds | Verdict::Violated => None,
        }
    }

    /// The run of a violated temporal property: a stem and a loop.
    pub fn lasso(&self) -> Option<&Lasso> {
        match &self.report.counterexample {
            Some(Counterexample::Lasso(lasso, _)) => Some(lasso),
            _ => None,
        }
    }

    /// For each process how the loop of the lasso treats it fairly.
    pub fn ledger(&self) -> Option<&[Ledger]> {
        match &self.report.counterexample {
            Some(Counterexample::Lasso(_, ledger)) => Some(ledger),
            _ => None,
        }
    }

    /// The path of a violated invariant, to a deadlock, or to what a `cover` asks for.
    pub fn path(&self) -> Option<&Path> {
        match &self.report.counterexample {
            Some(Counterexample::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// The run as text, a step a line; empty where there is none.
    pub fn run_text(&self) -> String {
        match &self.report.counterexample {
            Some(Counterexample::Path(path)) => path_lines(self.program, path, LineStyle::PLAIN),
            Some(Counterexample::Lasso(lasso, _)) => lasso_lines(self.program, lasso, LineStyle::PLAIN),
            None => return String::new(),
        }
        .join("\n")
    }

    /// The ledger as text; empty where there is none.
    pub fn ledger_text(&self) -> String {
        match (self.lasso(), self.ledger()) {
            (Some(lasso), Some(ledger)) => {
                ledger_lines(self.program, lasso, ledger, LineStyle::PLAIN).join("\n")
            }
            _ => String::new(),
        }
    }

    /// Everything that was found: counts, the choice of processes, evidence of branching time.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.property())?;
        let logic = self.program.properties[self.property].logic();
        match &self.report.verdict {
            Verdict::Holds => f.write_str(told(logic, "holds"))?,
            Verdict::Unknown(unknown) => write!(f, "unknown: {unknown}")?,
            Verdict::Violated => f.write_str(told(logic, "violated"))?,
        }
        if let Some(assumed) = self.program.assumed_words() {
            write!(f, " assuming {assumed}")?;
        }
        let instance = self.report.instance.as_ref().filter(|instance| !instance.words.is_empty());
        // A property that holds does so for all processes, not only for those that were looked at last.
        if let Some(instance) = instance.filter(|_| !matches!(self.report.verdict, Verdict::Holds)) {
            write!(f, " for {}", instance.words)?;
        }
        for text in [self.run_text(), self.ledger_text()] {
            if !text.is_empty() {
                write!(f, "\n{text}")?;
            }
        }
        Ok(())
    }
}
