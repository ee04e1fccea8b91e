//! Random programs as text: small, well typed, and free of errors while executing, since whatever could leave its range
//! is guarded. The text comes from a [`Spec`], which prints itself and can be made smaller part by part.
//!
//! ```ignore
//! let spec = programs::generate(seed, &Knobs::default());
//! let text = spec.to_string();
//! ```

mod branching;
mod generate;
mod machines;
mod meaning;
mod temporal;

pub(crate) use branching::{add_branching, add_inevitable, add_mu};
pub(crate) use generate::generate;
pub(crate) use machines::{machines, roles};
pub(crate) use meaning::{add_faulty, add_meaning};
use std::fmt::{self, Display, Formatter};
pub(crate) use temporal::{add_inner, add_temporal};

/// What the programs are like; probabilities are percentages.
#[derive(Clone, Debug)]
pub(crate) struct Knobs {
    /// At most this many families, and processes in one of them.
    pub(crate) families: usize,
    pub(crate) processes: i64,
    /// At most this many shared variables, variables of a family, and actions of a family.
    pub(crate) shared: usize,
    pub(crate) locals: usize,
    pub(crate) actions: usize,
    /// A bound on the product of the sizes of all variables, and with it on the states.
    pub(crate) space: u64,
    /// Families that are a single process, or a ring.
    pub(crate) single: u32,
    pub(crate) ring: u32,
    /// Variables with indices, and among them those with two.
    pub(crate) indexed: u32,
    pub(crate) two_indices: u32,
    /// Variables that hold process ids, and among them those that may hold `none`.
    pub(crate) ids: u32,
    pub(crate) optional: u32,
    /// Variables whose initial value is `any`.
    pub(crate) any: u32,
    /// Variables whose initial values depend on the numbers of their processes, as those of a topology do.
    pub(crate) topology: u32,
    /// Uses of a fixed process (`f0[1]`) and of `index(p)`: they cost symmetry.
    pub(crate) fixed: u32,
    pub(crate) index: u32,
    /// Actions with a parameter, and guards with a quantifier.
    pub(crate) parameters: u32,
    pub(crate) quantifiers: u32,
    /// Assignments to other processes' variables.
    pub(crate) remote: u32,
    /// Families with a fairness of their own.
    pub(crate) fairness: u32,
    /// How many definitions and properties.
    pub(crate) definitions: usize,
    pub(crate) properties: usize,
    /// How many temporal formulas `add_temporal` adds.
    pub(crate) temporal: usize,
}

impl Default for Knobs {
    fn default() -> Self {
        Knobs {
            families: 3,
            processes: 4,
            shared: 3,
            locals: 2,
            actions: 4,
            space: 5_000,
            single: 20,
            ring: 35,
            indexed: 30,
            two_indices: 40,
            ids: 30,
            optional: 60,
            any: 15,
            topology: 0,
            fixed: 12,
            index: 30,
            parameters: 30,
            quantifiers: 30,
            remote: 30,
            fairness: 50,
            definitions: 2,
            properties: 3,
            temporal: 3,
        }
    }
}

impl Knobs {
    /// Programs whose families are all fully symmetric or rings: no fixed process, no `index`.
    pub(crate) fn symmetric() -> Self {
        Knobs { fixed: 0, index: 0, ..Knobs::default() }
    }

    /// Small programs for formulas of branching time, two of three of them symmetric; one in `every` has a space of `large`.
    pub(crate) fn branching(seed: u64, every: u64, large: u64) -> Self {
        let knobs = if seed.is_multiple_of(3) { Knobs::default() } else { Knobs::symmetric() };
        Knobs { space: if seed.is_multiple_of(every) { large } else { 40 }, properties: 0, ..knobs }
    }
}

/// The enumerations; the first two share a literal, so that values go from one to the other.
const ENUMS: [&[&str]; 3] = [&["A", "B", "C"], &["C", "D"], &["P", "Q"]];

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Domain {
    Family(usize),
    Range(i64, i64),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Bool,
    Range(i64, i64),
    Enum(usize),
    Id { family: usize, optional: bool },
}

#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub(crate) name: String,
    pub(crate) index: Vec<Domain>,
    pub(crate) ty: Type,
    pub(crate) init: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) params: Vec<(String, Domain)>,
    /// What keeps the assignments in range; never dropped.
    pub(crate) safety: Vec<String>,
    pub(crate) guard: Vec<String>,
    pub(crate) assignments: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(crate) name: String,
    /// A single process has none.
    pub(crate) size: Option<i64>,
    pub(crate) ring: bool,
    pub(crate) vars: Vec<Var>,
    pub(crate) actions: Vec<Action>,
    pub(crate) fairness: Option<&'static str>,
}

impl Family {
    fn count(&self) -> i64 {
        self.size.unwrap_or(1)
    }
}

/// A program that prints itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spec {
    pub(crate) families: Vec<Family>,
    pub(crate) shared: Vec<Var>,
    /// Name, parameters with their families, body.
    pub(crate) definitions: Vec<(String, Option<usize>, String)>,
    /// Keyword, name, formula.
    pub(crate) properties: Vec<(&'static str, String, String)>,
}

impl Spec {
    /// Programs that are smaller by one part. Some do not build, where the part is used elsewhere: try and see.
    pub(crate) fn smaller(&self) -> Vec<Spec> {
        let mut all = Vec::new();
        let mut without = |change: &dyn Fn(&mut Spec)| {
            let mut spec = self.clone();
            change(&mut spec);
            all.push(spec);
        };
        for i in 0..self.properties.len() {
            without(&|s| drop(s.properties.remove(i)));
        }
        for (f, family) in self.families.iter().enumerate() {
            for a in 0..family.actions.len() {
                without(&|s| drop(s.families[f].actions.remove(a)));
            }
        }
        for (f, family) in self.families.iter().enumerate() {
            for (a, action) in family.actions.iter().enumerate() {
                for g in 0..action.guard.len() {
                    without(&|s| drop(s.families[f].actions[a].guard.remove(g)));
                }
                for w in 0..action.assignments.len() {
                    if action.assignments.len() > 1 {
                        without(&|s| drop(s.families[f].actions[a].assignments.remove(w)));
                    }
                }
                for p in 0..action.params.len() {
                    without(&|s| drop(s.families[f].actions[a].params.remove(p)));
                }
            }
            for v in 0..family.vars.len() {
                without(&|s| drop(s.families[f].vars.remove(v)));
            }
            if family.size.is_some_and(|size| size > 1) {
                without(&|s| s.families[f].size = s.families[f].size.map(|size| size - 1));
            }
            if family.fairness.is_some() {
                without(&|s| s.families[f].fairness = None);
            }
            if family.ring {
                without(&|s| s.families[f].ring = false);
            }
        }
        for d in 0..self.definitions.len() {
            without(&|s| drop(s.definitions.remove(d)));
        }
        for v in 0..self.shared.len() {
            without(&|s| drop(s.shared.remove(v)));
        }
        all
    }

    /// A smallest program that still fails, found greedily; `fails` is asked only about programs that build.
    pub(crate) fn shrunk(&self, fails: impl Fn(&Spec) -> bool) -> Spec {
        let builds = |spec: &Spec| {
            let parsed = orbitscope_core::syntax::parse(&spec.to_string());
            let settings = orbitscope_core::program::Settings::default();
            parsed.diagnostics.is_empty() && orbitscope_core::program::build(&parsed.file, &settings).is_ok()
        };
        let mut best = self.clone();
        while let Some(smaller) = best.smaller().into_iter().find(|spec| builds(spec) && fails(spec)) {
            best = smaller;
        }
        best
    }

    fn domain(&self, domain: &Domain) -> String {
        match domain {
            Domain::Family(family) => self.families[*family].name.clone(),
            Domain::Range(low, high) => format!("{low}..{high}"),
        }
    }

    fn declaration(&self, var: &Var) -> String {
        // An initial value names the indices it depends on.
        let name =
            |i: usize| if var.init.contains(&format!("i{i}")) { format!("i{i} in ") } else { String::new() };
        let index: Vec<String> =
            var.index.iter().enumerate().map(|(i, d)| name(i) + &self.domain(d)).collect();
        let index = if index.is_empty() { String::new() } else { format!("[{}]", index.join(", ")) };
        let ty = match &var.ty {
            Type::Bool => "bool".to_string(),
            Type::Range(low, high) => format!("{low}..{high}"),
            Type::Enum(id) => format!("{{{}}}", ENUMS[*id].join(", ")),
            Type::Id { family, optional } => {
                format!("{}{}", self.families[*family].name, if *optional { "?" } else { "" })
            }
        };
        format!("{}{index}: {ty} = {}", var.name, var.init)
    }
}

impl Display for Spec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for family in &self.families {
            if let Some(size) = family.size {
                writeln!(f, "param size_of_{} = {size}", family.name)?;
            }
        }
        for var in &self.shared {
            writeln!(f, "shared {}", self.declaration(var))?;
        }
        for (name, family, body) in &self.definitions {
            let params = if family.is_some() { "(x)" } else { "" };
            writeln!(f, "define {name}{params} = {body}")?;
        }
        for family in &self.families {
            let size = family.size.map_or(String::new(), |_| format!("[size_of_{}]", family.name));
            let ring = if family.ring { " ring" } else { "" };
            writeln!(f, "process {}{size}{ring} {{", family.name)?;
            for var in &family.vars {
                writeln!(f, "  var {}", self.declaration(var))?;
            }
            for action in &family.actions {
                let params: Vec<String> =
                    action.params.iter().map(|(name, d)| format!("{name} in {}", self.domain(d))).collect();
                let params =
                    if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
                let mut guard = [action.safety.as_slice(), &action.guard].concat();
                if guard.is_empty() {
                    guard.push("true".to_string());
                }
                let assignments: Vec<String> =
                    action.assignments.iter().map(|(t, v)| format!("{t} := {v}")).collect();
                let (guard, assignments) = (guard.join(" and "), assignments.join(", "));
                writeln!(f, "  action {}{params}: {guard}\n    -> {assignments}", action.name)?;
            }
            writeln!(f, "}}")?;
            if let Some(fairness) = family.fairness {
                writeln!(f, "fairness {}: {fairness}", family.name)?;
            }
        }
        for (keyword, name, formula) in &self.properties {
            let colon = if *keyword == "automaton" { "" } else { ": " };
            writeln!(f, "{keyword} {name}{colon}{formula}")?;
        }
        Ok(())
    }
}
