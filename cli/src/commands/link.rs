//! `orbitscope link`

use super::grade::Folder;
use crate::args::LinkArgs;
use crate::failure::{Failure, Status};
use crate::model::Model;
use crate::output::Output;
use orbitscope_core::exercise::{FORMAT, Packed};
use orbitscope_core::limits::MAX_LINK_LENGTH;
use orbitscope_core::link::Link;
use std::io::Write;
use std::path::Path;

/// Prints an address that opens the model, or the exercise, in the page.
pub(crate) fn link(args: &LinkArgs) -> Result<Status, Failure> {
    let is_exercise = Path::new(&args.model.file).is_dir();
    let fragment = if is_exercise { of_exercise(args)? } else { of_model(args)? };
    if fragment.len() > MAX_LINK_LENGTH {
        let (length, file) = (fragment.len(), &args.model.file);
        let words = format!(
            "{file}: the link would have {length} characters, and a page reads at most {MAX_LINK_LENGTH}"
        );
        return Err(Failure::TooLarge(words));
    }
    let mut output = Output::new();
    writeln!(output, "{}#{fragment}", args.page)?;
    output.flush()?;
    Ok(Status::Good)
}

/// A model that cannot be opened is refused here, where its messages can be read beside the file.
fn of_model(args: &LinkArgs) -> Result<String, Failure> {
    let model = Model::load(&args.model)?;
    let property = args.property.as_deref().map(|name| model.property(name)).transpose()?;
    let link = Link {
        settings: args.model.settings.clone(),
        property: property.map(|id| model.program.properties[id].name.clone()),
        text: model.source.text,
        ..Link::default()
    };
    Ok(link.encode())
}

/// The text that students start from may have holes, and so errors.
fn of_exercise(args: &LinkArgs) -> Result<String, Failure> {
    if args.property.is_some() || !args.model.settings.is_empty() {
        let words = "orbitscope: an exercise says itself what is asked: leave out `--set` and `--property`";
        return Err(Failure::Input(words.into()));
    }
    let Folder { exercise, start, .. } = Folder::read(&args.model.file)?;
    let packed = serde_json::to_string(&Packed { format: FORMAT, exercise });
    let packed = packed.map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(Link { text: start, ..Link::default() }.encode_with(&packed))
}
