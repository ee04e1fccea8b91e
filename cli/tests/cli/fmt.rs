//! `orbitscope fmt`

use crate::support::{Folder, Transcript};

const FORMATTED: &str = "// A comment.\nshared x: bool = true\n";
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
