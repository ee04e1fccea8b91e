//! Where things are in this workspace.

use std::env;
use std::path::{Path, PathBuf};

/// The top of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// The built static site.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// The site as `build --quick` makes it.
pub(crate) fn quick_site() -> PathBuf {
    target().join("site")
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    let named = env::var_os("CARGO_TARGET_DIR").filter(|value| !value.is_empty());
    root().join(named.unwrap_or_else(|| "target".into()))
}
