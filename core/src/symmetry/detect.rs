//! G from the text: the permutations that leave every constraint as it is.

use super::constraints::{Constraint, PropertyTerm, Reason, constraints, property_constraints};
use super::labelling::canonical;
use super::structure::{Structure, Table};
use crate::group::{Factor, Group, Perm, PointSet, Process, Ring};
use crate::limits::MAX_GROUP_EFFORT;
use crate::program::{Family, Program};
use crate::sort::Sort as _;
use crate::strain::{size, took};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The symmetry of a program.
#[derive(Clone, Debug)]
pub struct ProgramSymmetry {
    /// G.
    pub group: Group,
    /// Why it is not larger, in the order of the text.
    pub reasons: Vec<Reason>,
    /// Whether the search for automorphisms was complete; if not, G may be smaller than it could be.
    pub complete: bool,
    /// How much canonical images may cost.
    pub effort: Effort,
    /// Whether the text shows that every element of G leaves each expression as it is, and not only the steps.
    pub(crate) textual: bool,
    /// The tables that G was found from: it is the group of all permutations within its orbits' families that leave
    /// them as they are. Not known for a group that the text claims.
    pub(crate) fixed: Option<(Vec<Table>, Vec<i32>)>,
}

/// How much finding the canonical image of a state may cost before it is only approximated: an orbit may then get several
/// representatives, everything stays sound, and the quotient says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// A group is tried element by element while that takes this many steps at most.
    pub elements: u64,
    /// A search by refinement and backtracking visits this many nodes at most.
    pub nodes: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { elements: 30_000, nodes: 2_000 }
    }
}

/// How many nodes a search for automorphisms of the program may visit, and how much a stabiliser chain may cost.
const SEARCH_EFFORT: u32 = 20_000;

/// Finds the symmetry of a program from its text.
///
/// ```
/// use orbitscope_core::{program, symmetry, syntax::parse};
/// let parsed = parse("process p[4] { var x: bool = false action go: not x -> x := true }");
/// let program = program::build(&parsed.file, &program::Settings::default()).unwrap();
/// assert_eq!(symmetry::detect(&program).group.order().to_string(), "24");
/// ```
pub fn detect(program: &Program) -> ProgramSymmetry {
    detect_for(program, &[])
}

/// Finds the permutations that leave the program as it is, and the expressions of a property too.
pub fn detect_for(program: &Program, property: &[PropertyTerm]) -> ProgramSymmetry {
    let constraints = constraints(program, property);
    let (simple, searched): (Vec<&Family>, Vec<&Family>) =
        program.families.iter().filter(|f| f.size > 0).partition(|f| is_simple(f, &constraints));
    let mut reasons = Vec::new();
    let mut factors: Vec<Factor> = Vec::new();
    for family in simple {
        factors.extend(simple_factors(family, &constraints, &mut reasons));
    }
    let mut complete = true;
    let mut fixed = (Vec::new(), Vec::new());
    if !searched.is_empty() {
        let concerned: Vec<&Constraint> = constraints
            .iter()
            .filter(|c| c.families().any(|f| searched.iter().any(|s| s.first == f)))
            .collect();
        let found = search(program.process_count(), &searched, &concerned);
        complete = found.complete;
        reasons.extend(found.reasons);
        factors.extend(found.group.factors().iter().cloned());
        fixed = found.fixed;
    }
    reasons.arrange_by_key(|r| (r.span, r.message.clone()));
    reasons.dedup();
    let group = Group::new(program.process_count(), factors)
        .unwrap_or_else(|_| Group::trivial(program.process_count()));
    ProgramSymmetry { group, reasons, complete, effort: Effort::default(), textual: true, fixed: Some(fixed) }
}

/// Whether the constraints of a family are answered by formula: each colours its processes or holds one of them
/// still, or the only one is its ring.
fn is_simple(family: &Family, constraints: &[Constraint]) -> bool {
    let mut own = constraints.iter().filter(|c| c.families().any(|f| f == family.first));
    let lone_ring = own.clone().count() == 1 && own.clone().all(|c| c.ring.is_some());
    lone_ring || own.all(|c| c.ring.is_none() && c.families().count() == 1)
}

fn simple_factors(family: &Family, constraints: &[Constraint], reasons: &mut Vec<Reason>) -> Vec<Factor> {
    let members = family.first.0..family.first.0 + family.size;
    let own: Vec<&Constraint> =
        constraints.iter().filter(|c| c.families().any(|f| f == family.first)).collect();
    if let [Constraint { ring: Some(reflects), reason, .. }] = own.as_slice() {
        if family.size > 2 {
            reasons.push(reason.clone());
        }
        let Ok(ring) = Ring::new(members.map(Process)) else { return Vec::new() };
        return alloc::vec![if *reflects { Factor::Dihedral(ring) } else { Factor::Cyclic(ring) }];
    }
    // Colour by colour, so that a constraint which cuts no class any further is not named.
    let mut colours: Vec<u32> = alloc::vec![0; family.size as usize];
    let mut classes = 1;
    for constraint in own {
        let mut seen: BTreeMap<(u32, Vec<i32>), u32> = BTreeMap::new();
        let rows = rows(constraint, family.size);
        let next: Vec<u32> = colours
            .iter()
            .zip(rows)
            .map(|(&colour, row)| {
                let fresh = seen.len() as u32;
                *seen.entry((colour, row)).or_insert(fresh)
            })
            .collect();
        if seen.len() > classes {
            classes = seen.len();
            reasons.push(constraint.reason.clone());
        }
        colours = next;
    }
    if classes == 1 {
        return alloc::vec![Factor::Symmetric(PointSet::range(members))];
    }
    let mut sets: BTreeMap<u32, Vec<Process>> = BTreeMap::new();
    for (process, &colour) in members.zip(&colours) {
        sets.entry(colour).or_default().push(Process(process));
    }
    sets.into_values().map(|points| Factor::Symmetric(points.into_iter().collect())).collect()
}

/// The facts that a constraint with one process says of each process of the family.
fn rows(constraint: &Constraint, size: u32) -> Vec<Vec<i32>> {
    let mut rows: Vec<Vec<i32>> = alloc::vec![Vec::new(); size as usize];
    let Some(axis) = constraint.table.axes.iter().find(|axis| axis.family.is_some()) else {
        // A single value that is a process: that one is held still. With numbers as indices, several are.
        for &value in &constraint.values {
            for (process, row) in rows.iter_mut().enumerate() {
                row.push(i32::from(value == process as i32));
            }
        }
        return rows;
    };
    for (place, &value) in constraint.values.iter().enumerate() {
        rows[(place as u32 / axis.stride % axis.size) as usize].push(value);
    }
    rows
}

struct Found {
    group: Group,
    reasons: Vec<Reason>,
    complete: bool,
    fixed: (Vec<Table>, Vec<i32>),
}

/// The automorphisms of several families' constraints together. Constraints are added one by one, so that those which
/// make the group smaller can be named.
fn search(degree: u32, families: &[&Family], constraints: &[&Constraint]) -> Found {
    let classes: Vec<Vec<Process>> =
        families.iter().map(|f| (f.first.0..f.first.0 + f.size).map(Process).collect()).collect();
    let all = families.iter().map(|f| Factor::Symmetric(PointSet::range(f.first.0..f.first.0 + f.size)));
    let mut group = Group::new(degree, all).unwrap_or_else(|_| Group::trivial(degree));
    let mut reasons = Vec::new();
    let mut complete = true;
    let mut tables: Vec<Table> = Vec::new();
    let mut values: Vec<i32> = Vec::new();
    for constraint in constraints {
        // Where not all automorphisms were found, those that were not may still break the constraint.
        if complete && group.generators().all(|g| leaves(constraint, &g)) {
            continue;
        }
        tables.push(Table { first: values.len() as u32, ..constraint.table.clone() });
        values.extend_from_slice(&constraint.values);
        let structure = Structure::new(tables.clone());
        let search = size("symmetry: effort for a search", SEARCH_EFFORT, 1);
        let chain = size("symmetry: effort for a group", MAX_GROUP_EFFORT, 60);
        let labelling = canonical(&structure, &values, &classes, search);
        complete &= labelling.complete;
        debug_assert!(labelling.automorphisms.iter().all(|g| structure.fixes(g, &values)));
        let before = group;
        group = Group::generated(degree, &labelling.automorphisms, chain).unwrap_or_else(|_| {
            took("symmetry: a group that costs too much");
            complete = false;
            Group::trivial(degree)
        });
        if !before.generators().all(|generator| group.contains(&generator)) {
            reasons.push(constraint.reason.clone());
        }
    }
    Found { group, reasons, complete, fixed: (tables, values) }
}

fn leaves(constraint: &Constraint, perm: &Perm) -> bool {
    Structure::new(alloc::vec![constraint.table.clone()]).fixes(perm, &constraint.values)
}

impl ProgramSymmetry {
    /// The part of the symmetry that leaves the expressions of a property as they are.
    #[must_use]
    pub fn for_property(&self, program: &Program, property: &[PropertyTerm]) -> ProgramSymmetry {
        if self.group.is_trivial() {
            return self.clone();
        }
        if self.fixed.is_some() {
            return detect_for(program, property);
        }
        // A claimed group is kept if the property tells nothing apart that it moves.
        let mut own = self.clone();
        let told = property_constraints(program, property);
        if told.iter().any(|c| !self.group.generators().all(|g| leaves(c, &g))) {
            own.group = Group::trivial(program.process_count());
            own.reasons.extend(told.into_iter().map(|c| c.reason));
        }
        own
    }
}
