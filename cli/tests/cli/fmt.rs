//! `orbitscope fmt`

use crate::support::{Folder, Transcript};

const FORMATTED: &str = "// A comment.\nshared x: bool = true\n";
const UGLY: &str = "shared   x:bool=true // keep me\nprocess p{action go:x->x:=false}\n";
const BROKEN: &str = "shared x bool = true\nshared y: = true\n";

#[test]
fn text_that_is_formatted_stays() {
    let folder = Folder::with(&[("good.orb", FORMATTED)]);
    Transcript::default()
        .run(&folder, &["fmt", "good.orb"])
        .run(&folder, &["fmt", "good.orb", "--check"])
        .run(&folder, &["fmt", "good.orb", "--write"])
        .run_with(&folder, &["fmt", "-"], FORMATTED)
        .run_with(&folder, &["fmt", "-", "--check"], FORMATTED)
        .check("fmt_formatted");
    assert_eq!(folder.read("good.orb"), FORMATTED);
    assert_eq!(folder.names(), ["good.orb"]);
}

#[test]
fn text_is_formatted_in_place() {
    let folder = Folder::with(&[("ugly.orb", UGLY)]);
    let mut transcript = Transcript::default();
    transcript.run(&folder, &["fmt", "ugly.orb"]).run(&folder, &["fmt", "ugly.orb", "--check"]);
    assert_eq!(folder.read("ugly.orb"), UGLY, "nothing was written yet");
    transcript
        .run(&folder, &["fmt", "ugly.orb", "--write"])
        .run(&folder, &["fmt", "ugly.orb", "--check"])
        .run_with(&folder, &["fmt", "-"], UGLY)
        .run_with(&folder, &["fmt", "-", "--check"], UGLY)
        .check("fmt_ugly");
    let printed = folder.run(&["fmt", "-"], UGLY).stdout;
    assert_eq!(folder.read("ugly.orb").as_bytes(), printed);
    assert_eq!(folder.names(), ["ugly.orb"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::with(&[("ugly.orb", UGLY)]);
    let (file, link) = (folder.path().join("ugly.orb"), folder.path().join("link.orb"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("ugly.orb", &link).unwrap();
    assert_eq!(folder.run(&["fmt", "link.orb", "--write"], "").status.code(), Some(0));
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_ne!(folder.read("ugly.orb"), UGLY);
    assert_eq!(folder.names(), ["link.orb", "ugly.orb"]);
}

#[test]
fn wrong_text_is_not_written() {
    let folder = Folder::with(&[("broken.orb", BROKEN)]);
    Transcript::default()
        .run(&folder, &["fmt", "broken.orb"])
        .run(&folder, &["fmt", "broken.orb", "--check"])
        .run(&folder, &["fmt", "broken.orb", "--write"])
        .run(&folder, &["fmt", "broken.orb", "--write", "--check"])
        .run_with(&folder, &["fmt", "-", "--write"], FORMATTED)
        .check("fmt_broken");
    assert_eq!(folder.read("broken.orb"), BROKEN);
    assert_eq!(folder.names(), ["broken.orb"]);
}
