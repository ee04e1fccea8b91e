//! `orbitscope export`

use super::product::export_hoa;
use crate::args::{ExportArgs, ExportTarget};
use crate::failure::{Failure, Status};
use crate::model::Model;
use crate::output::Output;
use orbitscope_core::export::{Request, promela, tla};
use std::io::Write;

pub(crate) fn export(args: &ExportArgs) -> Result<Status, Failure> {
    let model = Model::load(&args.model)?;
    let text = match args.to {
        ExportTarget::Hoa => export_hoa(&model, args.property.as_deref())?,
        ExportTarget::Promela | ExportTarget::Tla => whole(&model, args)?,
    };
    let mut output = Output::new();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(Status::Good)
}

/// The model in another language.
fn whole(model: &Model, args: &ExportArgs) -> Result<String, Failure> {
    let property = args.property.as_deref().map(|name| model.property(name)).transpose()?;
    let symmetry = model.symmetry(None)?;
    let name = model.source.model_name();
    let request = Request { property, ..Request::new(&name, &model.program, &symmetry) };
    let text = if args.to == ExportTarget::Tla { tla(&request) } else { promela(&request) };
    text.map_err(|diagnostic| model.source.failure(&[diagnostic]))
}
