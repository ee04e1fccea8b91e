//! `orbitscope convert`

use crate::args::ConvertArgs;
use crate::failure::{Failure, Status};
use crate::model::Source;
use crate::output::Output;
use orbitscope_core::syntax;
use std::io::Write;

pub(crate) fn convert(args: &ConvertArgs) -> Result<Status, Failure> {
    let source = Source::read(&args.file)?.translated()?;
    let formatted = syntax::format(&source.text).map_err(|diagnostics| source.failure(&diagnostics))?;
    let mut output = Output::new();
    output.write_all(formatted.as_bytes())?;
    output.flush()?;
    Ok(Status::Good)
}
