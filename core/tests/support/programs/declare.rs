//! Declarations: families, variables and their initial values.

use super::generate::Generator;
use super::{Domain, ENUMS, Family, Type, Var};

impl Generator<'_> {
    pub(super) fn declare(&mut self) {
        self.spec.named_types = self.random.chance(self.knobs.odd);
        for i in 0..self.random.between(1, self.knobs.families as i64) {
            let single = self.random.chance(self.knobs.single);
            let least = if self.random.chance(self.knobs.tiny) { 0 } else { 2 };
            let most = if least == 0 { 1 } else { self.knobs.processes };
            let size = (!single).then(|| self.random.between(least, most));
            let kinds = ["weak", "strong", "none"];
            let fairness = self.random.chance(self.knobs.fairness).then(|| *self.random.pick(&kinds));
            self.spec.families.push(Family {
                name: format!("f{i}"),
                size,
                ring: !single && self.random.chance(self.knobs.ring),
                vars: Vec::new(),
                actions: Vec::new(),
                code: Vec::new(),
                fairness,
            });
        }
        if self.spec.families.iter().all(|family| family.count() == 0) {
            self.spec.families[0].size = Some(1);
        }
        for family in 0..self.spec.families.len() {
            let count = self.spec.families[family].count() as u32;
            for i in 0..self.random.between(1, self.knobs.locals as i64) {
                if let Some(var) = self.var(format!("v{i}"), Some(family), count) {
                    self.spec.families[family].vars.push(var);
                }
            }
        }
        for i in 0..=self.random.below(self.knobs.shared + 1) {
            if let Some(var) = self.var(format!("s{i}"), None, 1) {
                self.spec.shared.push(var);
            }
        }
        // A table with an index over nobody cannot be assigned to: every family needs something that can.
        let usable = |var: &Var| var.index.iter().all(|domain| self.size_of(domain) > 0);
        let idle = |family: &Family| !family.vars.iter().any(usable);
        if !self.spec.shared.iter().any(usable) && self.spec.families.iter().any(idle) {
            self.spec.shared.push(Var {
                name: format!("s{}", self.knobs.shared + 1),
                index: Vec::new(),
                // There may be no room for more values.
                ty: Type::Range(0, 0),
                init: "0".to_string(),
            });
        }
    }

    fn any_type(&mut self) -> Type {
        let inhabited: Vec<usize> =
            (0..self.spec.families.len()).filter(|&f| self.spec.families[f].count() > 0).collect();
        if self.random.chance(self.knobs.ids) {
            let family = *self.random.pick(&inhabited);
            return Type::Id { family, optional: self.random.chance(self.knobs.optional) };
        }
        // A single process has its family's name: only then does the name alone mean something else.
        if self.random.chance(self.knobs.odd / 2) && self.spec.families[0].size.is_some() {
            return Type::Enum(3);
        }
        match self.random.below(4) {
            0 | 1 => Type::Enum(self.random.below(3)),
            2 => Type::Bool,
            _ => {
                let low = self.random.between(-2, 1);
                Type::Range(low, low + self.random.between(0, 3))
            }
        }
    }

    /// A variable, if there is room for it.
    fn var(&mut self, name: String, own: Option<usize>, copies: u32) -> Option<Var> {
        let ty = self.any_type();
        let mut index = Vec::new();
        if self.random.chance(self.knobs.indexed) {
            index.push(self.any_domain());
            while index.len() < 4 && self.random.chance(self.knobs.two_indices) {
                index.push(self.any_domain());
            }
        }
        let values = match &ty {
            Type::Bool => 2,
            Type::Range(low, high) => (high - low + 1) as u64,
            Type::Enum(id) => ENUMS[*id].len() as u64,
            Type::Id { family, optional } => {
                self.spec.families[*family].count() as u64 + u64::from(*optional)
            }
        };
        let cells = index.iter().map(|d| self.size_of(d)).product::<u32>() * copies;
        let space = values.checked_pow(cells)?.checked_mul(self.space)?;
        if space > self.knobs.space {
            return None;
        }
        self.space = space;
        let init = self.topology(&ty, own, &index).unwrap_or_else(|| self.initial(&ty, own));
        Some(Var { name, index, ty, init })
    }

    /// An initial value that depends on the numbers of the processes it belongs to.
    fn topology(&mut self, ty: &Type, own: Option<usize>, index: &[Domain]) -> Option<String> {
        if self.knobs.topology == 0 || !self.random.chance(self.knobs.topology) {
            return None;
        }
        let axes = index.iter().enumerate().map(|(i, domain)| match domain {
            Domain::Family(_) => format!("index(i{i})"),
            Domain::Range(..) => format!("i{i}"),
        });
        let of_self =
            own.filter(|&f| self.spec.families[f].size.is_some()).map(|_| "index(self)".to_string());
        let mut sum: Vec<String> = of_self.into_iter().chain(axes).collect();
        if sum.is_empty() {
            return None;
        }
        // Differences make rings and grids, sums make mirrors.
        for term in sum.iter_mut().skip(1) {
            *term = format!("{} * {term}", self.random.pick(&["(-1)", "1", "2"]));
        }
        let sum = format!("({} + {})", sum.join(" + "), self.random.between(0, 2));
        let parity = format!("{sum} % {} == 0", self.random.between(2, 3));
        Some(match ty {
            Type::Bool => parity,
            Type::Range(low, high) => format!("{low} + {sum} % {}", high - low + 1),
            Type::Enum(id) => {
                let (a, b) = (self.random.pick(&ENUMS[*id][1..]), ENUMS[*id][1]);
                format!("if {parity} then {a} else {b}")
            }
            Type::Id { family, optional } => {
                let family = &self.spec.families[*family];
                let size = family.size?;
                let process = format!("{}[{sum} % {size}]", family.name);
                if *optional { format!("if {parity} then {process} else none") } else { process }
            }
        })
    }

    fn initial(&mut self, ty: &Type, own: Option<usize>) -> String {
        if self.random.chance(self.knobs.any) {
            return "any".to_string();
        }
        match ty {
            Type::Bool => ["false", "true"][self.random.below(2)].to_string(),
            Type::Range(low, high) => self.random.between(*low, *high).to_string(),
            Type::Enum(id) => (*self.random.pick(ENUMS[*id])).to_string(),
            Type::Id { family, optional } => {
                let (count, name) = {
                    let family = &self.spec.families[*family];
                    (family.count(), family.name.clone())
                };
                if own == Some(*family) && self.random.chance(60) {
                    "self".to_string()
                } else if *optional && (self.random.chance(80) || self.knobs.fixed == 0) {
                    "none".to_string()
                } else if self.spec.families[*family].size.is_none() {
                    name
                } else if self.knobs.fixed == 0 {
                    // Any fixed process would break the symmetry.
                    "any".to_string()
                } else {
                    format!("{name}[{}]", self.random.between(0, count - 1))
                }
            }
        }
    }
}
