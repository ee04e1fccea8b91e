//! The bounded run of the fuzzers: their seeds, what once went wrong, and random changes of both, the same on every machine.
//!
//! `ORBITSCOPE_CASES` sets how many changes are tried on each file.

use orbitscope_fuzz_bodies::TARGETS;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

#[path = "../../../core/tests/support/random.rs"]
#[expect(dead_code, reason = "the tests of the core use more of it")]
mod random;

use random::Random;

fn files(folder: &str, target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join(target);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

fn cases(usual: usize) -> usize {
    std::env::var("ORBITSCOPE_CASES")
        .map_or(usual, |text| text.parse().expect("ORBITSCOPE_CASES is a number"))
}

/// One to four changes: a byte, a stretch left out, doubled, or taken from another file.
fn changed(random: &mut Random, bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(5) {
            0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            1 => drop(bytes.drain(at..end)),
            2 => bytes.insert(at, random.below(256) as u8),
            3 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let from = random.below(other.len() + 1);
                let to = (from + random.below(40)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
        }
    }
    bytes
}

fn replay(name: &str, usual: usize) {
    let (_, body) = TARGETS.into_iter().find(|(target, _)| *target == name).expect("a target");
    let seeds = files("seeds", name);
    assert!(!seeds.is_empty(), "{name} has no seeds");
    let all: Vec<PathBuf> = seeds.into_iter().chain(files("regressions", name)).collect();
    let texts: Vec<Vec<u8>> = all.iter().map(|file| fs::read(file).expect("a seed can be read")).collect();
    for (file, bytes) in all.iter().zip(&texts) {
        assert!(catch_unwind(|| body(bytes)).is_ok(), "{}", file.display());
    }
    let mut random = Random::new(0);
    for round in 0..cases(usual) {
        let (one, other) = (random.below(texts.len()), random.below(texts.len()));
        let bytes = changed(&mut random, &texts[one], &texts[other]);
        // The bytes are shown: saved as a file of `regressions`, they are tried from then on.
        let caught = catch_unwind(|| body(&bytes));
        assert!(caught.is_ok(), "{name}, round {round}: {:?}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn parser() {
    replay("parser", 3_000);
}

#[test]
fn link() {
    replay("link", 3_000);
}

#[test]
fn hoa() {
    replay("hoa", 3_000);
}

#[test]
fn log() {
    replay("log", 1_500);
}

#[test]
fn check() {
    replay("check", 1_000);
}
