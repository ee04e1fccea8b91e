//! A program as data: it prints itself, and can be made smaller part by part.

use super::statement::{self, Routine, Statement};
use std::fmt::{self, Display, Formatter};

/// The enumerations. The first two share a literal, so that values go from one to the other; the last has the name of a
/// family and of two operators.
pub(super) const ENUMS: [&[&str]; 4] = [&["A", "B", "C"], &["C", "D"], &["P", "Q"], &["f0", "F", "X"]];

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

impl Var {
    /// A table of numbers that is indexed by numbers.
    pub(crate) fn table(name: &str, index: (i64, i64), values: (i64, i64), init: &str) -> Var {
        Var {
            name: name.to_string(),
            index: vec![Domain::Range(index.0, index.1)],
            ty: Type::Range(values.0, values.1),
            init: init.to_string(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) params: Vec<(String, Domain)>,
    /// Conditions that keep the assignments in range; never dropped.
    pub(crate) safety: Vec<String>,
    pub(crate) guard: Vec<String>,
    pub(crate) assignments: Vec<(String, String)>,
    /// The fairness of the action by itself.
    pub(crate) fairness: Option<&'static str>,
    /// The statements that it executes instead.
    pub(crate) block: Option<Vec<Statement>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(crate) name: String,
    /// A single process has none.
    pub(crate) size: Option<i64>,
    pub(crate) ring: bool,
    pub(crate) vars: Vec<Var>,
    pub(crate) actions: Vec<Action>,
    /// Its code; none where it is empty.
    pub(crate) code: Vec<Statement>,
    pub(crate) fairness: Option<&'static str>,
}

impl Family {
    pub(super) fn count(&self) -> i64 {
        self.size.unwrap_or(1)
    }
}

/// A definition. Its parameters are called `x` and `y`.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    /// The family whose processes alone may use it, since it says `self`.
    pub(crate) own: Option<usize>,
    pub(crate) params: Vec<Domain>,
    pub(crate) body: String,
}

/// A program that prints itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spec {
    pub(crate) families: Vec<Family>,
    /// Whether the types of variables have names of their own.
    pub(crate) named_types: bool,
    pub(crate) shared: Vec<Var>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) routines: Vec<Routine>,
    pub(crate) hints: Vec<String>,
    pub(crate) assumed: Vec<String>,
    /// The text of the `symmetry` item, if there is one.
    pub(crate) symmetry: Option<String>,
    /// Blocks that make initial states; without names.
    pub(crate) inits: Vec<Action>,
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
        for f in 0..self.families.len() {
            // The last one only: the others are known by their numbers.
            if f > 0 && f + 1 == self.families.len() {
                without(&|s| drop(s.families.remove(f)));
            }
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
                for fewer in action.block.iter().flat_map(|block| statement::smaller(block)) {
                    without(&|s| s.families[f].actions[a].block = Some(fewer.clone()));
                }
                for p in 0..action.params.len() {
                    without(&|s| drop(s.families[f].actions[a].params.remove(p)));
                }
            }
            for fewer in statement::smaller(&family.code) {
                without(&|s| s.families[f].code.clone_from(&fewer));
            }
            for v in 0..family.vars.len() {
                without(&|s| drop(s.families[f].vars.remove(v)));
            }
            if family.size.is_some_and(|size| size > 0) {
                without(&|s| s.families[f].size = s.families[f].size.map(|size| size - 1));
            }
            if family.fairness.is_some() {
                without(&|s| s.families[f].fairness = None);
            }
            if family.ring {
                without(&|s| s.families[f].ring = false);
            }
        }
        for r in 0..self.routines.len() {
            without(&|s| drop(s.routines.remove(r)));
            for fewer in statement::smaller(&self.routines[r].body) {
                without(&|s| s.routines[r].body.clone_from(&fewer));
            }
        }
        for d in 0..self.definitions.len() {
            without(&|s| drop(s.definitions.remove(d)));
        }
        for (f, family) in self.families.iter().enumerate() {
            for (a, _) in family.actions.iter().enumerate().filter(|(_, action)| action.fairness.is_some()) {
                without(&|s| s.families[f].actions[a].fairness = None);
            }
        }
        for a in 0..self.assumed.len() {
            without(&|s| drop(s.assumed.remove(a)));
        }
        for i in 0..self.inits.len() {
            without(&|s| drop(s.inits.remove(i)));
            for fewer in self.inits[i].block.iter().flat_map(|block| statement::smaller(block)) {
                without(&|s| s.inits[i].block = Some(fewer.clone()));
            }
        }
        for h in 0..self.hints.len() {
            without(&|s| drop(s.hints.remove(h)));
        }
        if self.named_types {
            without(&|s| s.named_types = false);
        }
        if self.symmetry.is_some() {
            without(&|s| s.symmetry = None);
        }
        for v in 0..self.shared.len() {
            without(&|s| drop(s.shared.remove(v)));
        }
        all
    }

    /// A smallest program that still fails, found greedily; `fails` is asked only about programs that build.
    pub(crate) fn shrunk(&self, fails: impl Fn(&Spec) -> bool) -> Spec {
        let mut best = self.clone();
        while let Some(smaller) = best.smaller().into_iter().find(|spec| spec.builds() && fails(spec)) {
            best = smaller;
        }
        best
    }

    pub(super) fn builds(&self) -> bool {
        let parsed = orbitscope_core::syntax::parse(&self.to_string());
        let settings = orbitscope_core::program::Settings::default();
        parsed.diagnostics.is_empty() && orbitscope_core::program::build(&parsed.file, &settings).is_ok()
    }

    /// The name of a family; one that was taken away leaves a text that does not build.
    fn family_name(&self, family: usize) -> &str {
        self.families.get(family).map_or("gone", |family| &family.name)
    }

    pub(super) fn domain(&self, domain: &Domain) -> String {
        match domain {
            Domain::Family(family) => self.family_name(*family).to_string(),
            Domain::Range(low, high) => {
                let (name, written) = self.types(&Type::Range(*low, *high));
                let declared = |item: String| item.starts_with(&format!("type {name} "));
                if self.named_types && self.type_items().into_iter().any(declared) { name } else { written }
            }
        }
    }

    fn parameters(&self, action: &Action) -> String {
        let params: Vec<String> =
            action.params.iter().map(|(name, d)| format!("{name} in {}", self.domain(d))).collect();
        if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) }
    }

    fn declaration(&self, var: &Var) -> String {
        // An initial value names the indices it depends on.
        let name =
            |i: usize| if var.init.contains(&format!("i{i}")) { format!("i{i} in ") } else { String::new() };
        let index: Vec<String> =
            var.index.iter().enumerate().map(|(i, d)| name(i) + &self.domain(d)).collect();
        let index = if index.is_empty() { String::new() } else { format!("[{}]", index.join(", ")) };
        let (name, written) = self.types(&var.ty);
        let none = if matches!(var.ty, Type::Id { optional: true, .. }) { "?" } else { "" };
        let ty = if self.named_types { name } else { written };
        format!("{}{index}: {ty}{none} = {}", var.name, var.init)
    }

    /// A name for a type, and the type without `none`.
    fn types(&self, ty: &Type) -> (String, String) {
        match ty {
            Type::Bool => ("truth".to_string(), "bool".to_string()),
            Type::Range(low, high) => (format!("from_{}_to_{}", low + 9, high + 9), format!("{low}..{high}")),
            Type::Enum(id) => (format!("enum{id}"), format!("{{{}}}", ENUMS[*id].join(", "))),
            Type::Id { family, .. } => (format!("one_of_{family}"), self.family_name(*family).to_string()),
        }
    }

    /// The declarations of the types that variables have.
    fn type_items(&self) -> std::collections::BTreeSet<String> {
        let locals = self.families.iter().flat_map(|family| &family.vars);
        let types = self.shared.iter().chain(locals).map(|var| self.types(&var.ty));
        types.map(|(name, written)| format!("type {name} = {written}")).collect()
    }
}

impl Display for Spec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for family in &self.families {
            if let Some(size) = family.size {
                writeln!(f, "param size_of_{} = {size}", family.name)?;
            }
        }
        if self.named_types {
            for item in self.type_items() {
                writeln!(f, "{item}")?;
            }
        }
        for var in &self.shared {
            writeln!(f, "shared {}", self.declaration(var))?;
        }
        for Definition { name, params, body, .. } in &self.definitions {
            let params = ["", "(x)", "(x, y)"][params.len()];
            writeln!(f, "define {name}{params} = {body}")?;
        }
        for Routine { name, param, other, function, body } in &self.routines {
            let (param, (_, other)) = (self.domain(param), self.types(other));
            let body = statement::written(body);
            if *function {
                writeln!(f, "function {name}(x: {param}): {other} {{ {body} }}")?;
            } else {
                writeln!(f, "procedure {name}(x: {param}, out y: {other}) {{ {body} }}")?;
            }
        }
        for family in &self.families {
            let size = family.size.map_or(String::new(), |_| format!("[size_of_{}]", family.name));
            let ring = if family.ring { " ring" } else { "" };
            writeln!(f, "process {}{size}{ring} {{", family.name)?;
            for var in &family.vars {
                writeln!(f, "  var {}", self.declaration(var))?;
            }
            for action in &family.actions {
                let params = self.parameters(action);
                let mut guard = [action.safety.as_slice(), &action.guard].concat();
                if guard.is_empty() {
                    guard.push("true".to_string());
                }
                if let Some(block) = &action.block {
                    let (guard, block) = (guard.join(" and "), statement::written(block));
                    writeln!(f, "  action {}{params}: {guard} {{\n      {block}\n  }}", action.name)?;
                    continue;
                }
                let assignments: Vec<String> =
                    action.assignments.iter().map(|(t, v)| format!("{t} := {v}")).collect();
                let (guard, assignments) = (guard.join(" and "), assignments.join(", "));
                writeln!(f, "  action {}{params}: {guard}\n    -> {assignments}", action.name)?;
            }
            if !family.code.is_empty() {
                writeln!(f, "  {}", statement::written(&family.code))?;
            }
            writeln!(f, "}}")?;
            if let Some(fairness) = family.fairness {
                writeln!(f, "fairness {}: {fairness}", family.name)?;
            }
            for action in &family.actions {
                if let Some(fairness) = action.fairness {
                    writeln!(f, "fairness {}.{}: {fairness}", family.name, action.name)?;
                }
            }
        }
        for init in &self.inits {
            let block = statement::written(init.block.as_deref().unwrap_or_default());
            let guard =
                if init.guard.is_empty() { String::new() } else { format!(": {}", init.guard.join(" and ")) };
            writeln!(f, "init{}{guard} {{\n  {block}\n}}", self.parameters(init))?;
        }
        for assumed in &self.assumed {
            writeln!(f, "assume {assumed}")?;
        }
        for hint in &self.hints {
            writeln!(f, "hint {hint}")?;
        }
        if let Some(symmetry) = &self.symmetry {
            writeln!(f, "symmetry {symmetry}")?;
        }
        for (keyword, name, formula) in &self.properties {
            if *keyword == "deadlock" {
                writeln!(f, "deadlock free")?;
                continue;
            }
            let colon = if *keyword == "automaton" { "" } else { ": " };
            writeln!(f, "{keyword} {name}{colon}{formula}")?;
        }
        Ok(())
    }
}
