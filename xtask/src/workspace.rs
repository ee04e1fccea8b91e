//! Where things are in this workspace.

use std::path::{Path, PathBuf};

/// The top of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// The built static site.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}
