//! What the tests share.
#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod dump;
pub(crate) mod golden;
pub(crate) mod models;
pub(crate) mod mutate;
pub(crate) mod rng;
pub(crate) mod unfold;

use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of the test data.
pub(crate) fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

/// The models of a folder of the test data, by name, in order.
pub(crate) fn read_models(folder: &str) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(data(folder))
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "orb"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("the model can be read"))
        })
        .collect()
}

/// How many random cases a test tries: `usual`, or what the environment variable `ORBITSCOPE_CASES` says.
pub(crate) fn cases(usual: u64) -> u64 {
    match std::env::var("ORBITSCOPE_CASES") {
        Ok(text) => text.parse().expect("ORBITSCOPE_CASES is a number"),
        Err(_) => usual,
    }
}
