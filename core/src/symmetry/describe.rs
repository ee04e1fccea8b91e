//! G in words, family by family.

use crate::group::{Factor, Group, PointSet, Process};
use crate::ids::IdVec;
use crate::program::{FamilyId, Program};
use crate::sort::Sort as _;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How many ranges of processes are listed.
const LISTED: usize = 8;

/// The action of G on each family, in words.
///
/// ```
/// use orbitscope_core::{program, symmetry, syntax::parse};
/// let parsed = parse("process p[5] { var x: bool = false action go: p[0].x or not x -> x := true }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// let words = symmetry::describe(&program, &symmetry::detect(&program).group);
/// assert_eq!(words.as_slice(), ["full symmetric group of p[1..4] (4); held still: p[0]"]);
/// ```
pub fn describe(program: &Program, group: &Group) -> IdVec<FamilyId, String> {
    program.families.ids().map(|id| family(program, group, id)).collect()
}

fn family(program: &Program, group: &Group, id: FamilyId) -> String {
    let family = &program.families[id];
    match family.size {
        0 => return "no process".into(),
        1 => return "one process".into(),
        _ => {}
    }
    let members = family.first.0..family.first.0 + family.size;
    let own = |set: &PointSet| set.ranges().any(|r| r.start < members.end && members.start < r.end);
    let mut parts: Vec<String> = Vec::new();
    let mut moved: Vec<Process> = Vec::new();
    for factor in group.factors().iter().filter(|factor| own(factor.points())) {
        let points: PointSet = factor.points().iter().filter(|p| members.contains(&p.0)).collect();
        let whole = points.len() == family.size;
        let shown = if whole { family.name.clone() } else { show_points(program, &points) };
        parts.push(match factor {
            Factor::Symmetric(_) => format!("full symmetric group of {shown} ({})", points.len()),
            Factor::Cyclic(_) => format!("rotations of the ring {shown} ({})", points.len()),
            Factor::Dihedral(_) => {
                format!("rotations and reflections of the ring {shown} ({})", points.len())
            }
            Factor::General(chain) => {
                let others: Vec<&str> = (program.families.iter_enumerated())
                    .filter(|(other, f)| {
                        let theirs = f.first.0..f.first.0 + f.size;
                        *other != id && factor.points().iter().any(|p| theirs.contains(&p.0))
                    })
                    .map(|(_, f)| f.name.as_str())
                    .collect();
                let together = match others.as_slice() {
                    [] => String::new(),
                    names => format!(", together with {}", names.join(" and ")),
                };
                format!("a group of order {} on {shown} ({}){together}", chain.order(), points.len())
            }
        });
        moved.extend(points.iter());
    }
    if parts.is_empty() {
        return "every process is held still".into();
    }
    moved.arrange();
    let still: PointSet = members.map(Process).filter(|p| moved.binary_search(p).is_err()).collect();
    if !still.is_empty() {
        parts.push(format!("held still: {}", show_points(program, &still)));
    }
    parts.join("; ")
}

/// Processes of one family as the model writes them, with ranges: `client[0, 3..7]`.
pub fn show_points(program: &Program, points: &PointSet) -> String {
    let Some(first) = points.first() else { return "none".into() };
    let (id, _) = program.locate(first);
    let family = &program.families[id];
    if family.single {
        return family.name.clone();
    }
    let number = |point: u32| point - family.first.0;
    let mut ranges: Vec<String> = points
        .ranges()
        .take(LISTED)
        .map(|range| match range.end - range.start {
            1 => number(range.start).to_string(),
            _ => format!("{}..{}", number(range.start), number(range.end - 1)),
        })
        .collect();
    if points.ranges().len() > LISTED {
        ranges.push("…".into());
    }
    format!("{}[{}]", family.name, ranges.join(", "))
}
