//! Mistakes that were thought of by a person: `seeded.txt`.

use crate::find::{Change, Kind, Place};
use std::path::Path;

/// A mistake by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seeded {
    name: String,
    file: String,
    old: String,
    new: String,
}

/// Reads the list.
pub fn read(text: &str) -> Result<Vec<Seeded>, String> {
    let mut list: Vec<Seeded> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.to_owned();
        match (word, list.last_mut()) {
            ("" | "#", _) => {}
            (name, _) if name.starts_with('[') => {
                let name = name.trim_matches(['[', ']']).to_owned();
                list.push(Seeded { name, ..Seeded::default() });
            }
            ("file", Some(last)) => last.file = rest,
            ("old", Some(last)) => last.old = rest,
            ("new", Some(last)) => last.new = rest,
            _ => return Err(format!("seeded.txt, line {number}: expected `[name]`, `file`, `old` or `new`")),
        }
    }
    Ok(list)
}

/// The places of a file where mistakes are seeded.
pub fn places(list: &[Seeded], path: &Path, source: &str) -> Result<Vec<Place>, String> {
    let of_file = list.iter().filter(|seeded| Path::new(&seeded.file) == path);
    of_file
        .map(|seeded| {
            let mut found = source.match_indices(&seeded.old);
            let (Some((start, _)), None) = (found.next(), found.next()) else {
                let name = &seeded.name;
                return Err(format!("[{name}]: its `old` does not stand once in {}", path.display()));
            };
            Ok(Place {
                range: start..start + seeded.old.len(),
                line: source[..start].matches('\n').count() + 1,
                kind: Kind::Choose,
                function: "by hand".into(),
                changes: vec![Change { text: seeded.new.clone(), words: seeded.name.clone() }],
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_stands_where_its_text_is() {
        let list = read("# why\n\n[one] a word about it\nfile src/lib.rs\nold a + b\nnew a - b\n").unwrap();
        let found = places(&list, Path::new("src/lib.rs"), "fn f() {\n  a + b\n}").unwrap();
        assert_eq!((found[0].range.clone(), found[0].line), (11..16, 2));
        assert!(places(&list, Path::new("src/other.rs"), "").unwrap().is_empty());
        assert!(places(&list, Path::new("src/lib.rs"), "a + b a + b").unwrap_err().starts_with("[one]"));
        assert!(read("old x").is_err());
    }
}
