//! `orbitscope link`

use crate::args::LinkArgs;
use crate::failure::{Failure, Status};
use crate::model::Model;
use crate::output::Output;
use orbitscope_core::link::Link;
use std::io::Write;

/// Prints an address that opens the model in the page. A model that cannot be opened is refused here, where its messages
/// can be read beside the file.
pub(crate) fn link(args: &LinkArgs) -> Result<Status, Failure> {
    let model = Model::load(&args.model)?;
    let property = args.property.as_deref().map(|name| model.property(name)).transpose()?;
    let link = Link {
        settings: args.model.settings.clone(),
        property: property.map(|id| model.program.properties[id].name.to_string()),
        text: model.source.text,
        ..Link::default()
    };
    let mut output = Output::new();
    writeln!(output, "{}#{}", args.page, link.encode())?;
    output.flush()?;
    Ok(Status::Good)
}
