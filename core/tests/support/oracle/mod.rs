//! A naive interpreter of the language: it walks the tree as it was parsed, looks every name up each time, and keeps
//! values as what they are. It uses nothing of `program`, so that the two can be compared.
//!
//! One thing is left out: a bare name that is a single process's and a literal's at once.

mod compound;
mod eval;
mod graph;
mod run;

use compound::{Compound, Way};
use eval::arithmetic;
pub(crate) use graph::{Graph, RunStep};
use orbitscope_core::syntax::ast::{
    ActionDecl, Assignment, Change, Domain, ExprId, ExprKind, Fairness, File, Init, InitDecl, ItemKind,
    ProcessDecl, TypeExpr, VarDecl,
};
pub(crate) use run::Claim;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// A value; literals and families are positions in the interpreter's lists of names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    Literal(u32),
    Process(u32, i64),
    Nobody,
    /// A record, set, bag or queue, by its number.
    Compound(u32),
}

/// The errors of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Wrong {
    Division,
    Overflow,
    Index,
    Nobody,
    Range,
    Literal,
    Twice,
    Nothing,
    Absent,
    Empty,
    Full,
    Missing,
    Endless,
}

/// The values of all places, in the order of [`Oracle::places`].
pub(crate) type State = Vec<Value>;

/// The owner of a place and its indices.
type Key = (Option<(u32, i64)>, Vec<Value>);

/// A variable: its first place at each process of its family, and the elements of its indices.
#[derive(Default)]
struct Table {
    firsts: Vec<usize>,
    domains: Vec<Vec<Value>>,
}

struct Family<'a> {
    decl: &'a ProcessDecl,
    size: i64,
    fairness: Fairness,
}

/// The change of a bag in one step.
struct BagChange<'a> {
    place: usize,
    way: Vec<Way>,
    ty: &'a TypeExpr,
    removed: Vec<Value>,
    added: Vec<Value>,
}

/// A step: who, what, with which arguments, and the state it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) process: (u32, i64),
    pub(crate) label: String,
    pub(crate) to: State,
}

/// A bound name: a value, or an argument of a definition with the names known where it stands.
#[derive(Clone, Debug)]
pub(crate) enum Bound<'a> {
    Value(Value),
    Argument(ExprId, Bindings<'a>),
    /// A variable of the caller.
    Place(usize),
}

/// Bound names, the innermost last.
pub(crate) type Bindings<'a> = Vec<(&'a str, Bound<'a>)>;

/// The names that an expression sees.
#[derive(Clone, Default)]
pub(crate) struct Scope<'a> {
    pub(crate) owner: Option<(u32, i64)>,
    pub(crate) bindings: Bindings<'a>,
}

impl<'a> Scope<'a> {
    fn bound(&self, name: &str) -> Option<Bound<'a>> {
        self.bindings.iter().rev().find(|(n, _)| *n == name).map(|(_, b)| b.clone())
    }
}

/// The processes that the atoms `enabled` and `executed` ask about.
#[derive(Clone, Copy, Default)]
pub(crate) struct Moment<'s> {
    pub(crate) enabled: &'s [(u32, i64)],
    pub(crate) executed: Option<(u32, i64)>,
    /// Set where the value depends on who executes.
    pub(crate) asked: Option<&'s Cell<bool>>,
}

pub(crate) struct Oracle<'a> {
    pub(crate) file: &'a File,
    params: HashMap<&'a str, i64>,
    families: Vec<Family<'a>>,
    literals: Vec<&'a str>,
    tables: HashMap<(Option<u32>, &'a str), Table>,
    places: Vec<(Key, &'a VarDecl)>,
    kept: RefCell<Vec<Compound>>,
    /// The actions with a fairness of their own.
    fair_actions: Vec<(u32, &'a str, Fairness)>,
    assumed: Vec<ExprId>,
    /// The blocks that make initial states.
    starts: Vec<&'a InitDecl>,
    /// The asserts that failed in some step that was made.
    pub(crate) failed: RefCell<BTreeSet<Claim>>,
}

type Result<T> = std::result::Result<T, Wrong>;

impl<'a> Oracle<'a> {
    pub(crate) fn new(file: &'a File, settings: &[(&str, i64)]) -> Oracle<'a> {
        let mut oracle = Oracle {
            file,
            params: HashMap::new(),
            families: Vec::new(),
            literals: Vec::new(),
            tables: HashMap::new(),
            places: Vec::new(),
            kept: RefCell::default(),
            fair_actions: Vec::new(),
            assumed: Vec::new(),
            starts: Vec::new(),
            failed: RefCell::default(),
        };
        for item in &file.items {
            match &item.kind {
                ItemKind::Assume(expr) => oracle.assumed.push(*expr),
                ItemKind::Init(start) => oracle.starts.push(start),
                _ => {}
            }
        }
        // A parameter may use a later one: go round until nothing new is known.
        for _ in &file.items {
            for item in &file.items {
                if let ItemKind::Param { name, value, .. } = &item.kind {
                    let set = settings.iter().rev().find(|(n, _)| *n == name.name).map(|(_, v)| *v);
                    if let Some(value) = set.or_else(|| oracle.try_number(*value)) {
                        oracle.params.insert(&name.name, value);
                    }
                }
            }
        }
        for item in &file.items {
            match &item.kind {
                ItemKind::Process(decl) => {
                    let size = decl.size.map_or(1, |e| oracle.number(e));
                    oracle.families.push(Family { decl, size, fairness: Fairness::Weak });
                    decl.vars.iter().for_each(|var| oracle.learn_literals(&var.ty));
                }
                ItemKind::Shared(var) => oracle.learn_literals(&var.ty),
                ItemKind::Type { ty, .. } => oracle.learn_literals(ty),
                _ => {}
            }
        }
        for item in &file.items {
            if let ItemKind::Fairness { family, action, fairness } = &item.kind {
                if let Some(action) = action {
                    let id = oracle.family_id(&family.name).expect("a known family");
                    oracle.fair_actions.push((id, &action.name, *fairness));
                    continue;
                }
                let id = oracle.family_id(&family.name).expect("a known family");
                oracle.families[id as usize].fairness = *fairness;
            }
        }
        for item in &file.items {
            if let ItemKind::Shared(var) = &item.kind {
                oracle.learn_places(None, var);
            }
        }
        for (id, index) in oracle.processes() {
            for var in &oracle.families[id as usize].decl.vars {
                oracle.learn_places(Some((id, index)), var);
            }
        }
        oracle
    }

    fn learn_literals(&mut self, ty: &'a TypeExpr) {
        match ty {
            TypeExpr::Enum(literals, _) => {
                for literal in literals {
                    if !self.literals.contains(&literal.name.as_str()) {
                        self.literals.push(&literal.name);
                    }
                }
            }
            TypeExpr::Record(fields, _) => fields.iter().for_each(|f| self.learn_literals(&f.ty)),
            TypeExpr::Optional(inner, _)
            | TypeExpr::Set(inner, _)
            | TypeExpr::Bag(_, inner, _)
            | TypeExpr::Queue(_, inner, _) => self.learn_literals(inner),
            _ => {}
        }
    }

    fn learn_places(&mut self, owner: Option<(u32, i64)>, var: &'a VarDecl) {
        let mut entries: Vec<Vec<Value>> = vec![Vec::new()];
        let domains: Vec<Vec<Value>> = var.index.iter().map(|i| self.elements(&i.domain)).collect();
        for domain in &domains {
            entries = entries
                .iter()
                .flat_map(|entry| domain.iter().map(move |v| [entry.as_slice(), &[*v]].concat()))
                .collect();
        }
        let table = self.tables.entry((owner.map(|(f, _)| f), &var.name.name)).or_default();
        table.firsts.push(self.places.len());
        table.domains = domains;
        self.places.extend(entries.into_iter().map(|entry| ((owner, entry), var)));
    }

    /// All processes, family by family.
    pub(crate) fn processes(&self) -> Vec<(u32, i64)> {
        let of = |(id, f): (usize, &Family<'_>)| (0..f.size).map(move |i| (id as u32, i)).collect::<Vec<_>>();
        self.families.iter().enumerate().flat_map(of).collect()
    }

    pub(crate) fn fairness(&self, process: (u32, i64)) -> Fairness {
        self.families[process.0 as usize].fairness
    }

    /// The pairs that are to be fair by themselves: a process with the name of an action.
    pub(crate) fn fair_actions(&self) -> Vec<((u32, i64), &'a str, Fairness)> {
        let mut all = Vec::new();
        for &(family, action, fairness) in &self.fair_actions {
            let own = self.processes().into_iter().filter(|process| process.0 == family);
            all.extend(own.map(|process| (process, action, fairness)));
        }
        all
    }

    /// Whether a state is one that is looked at.
    fn is_inside(&self, state: &State) -> Result<bool> {
        for &assumed in &self.assumed {
            if !self.holds(assumed, &Scope::default(), state, Moment::default())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn family_id(&self, name: &str) -> Option<u32> {
        self.families.iter().position(|f| f.decl.name.name == name).map(|p| p as u32)
    }

    fn number(&self, expr: ExprId) -> i64 {
        self.try_number(expr).expect("a fixed number")
    }

    fn try_number(&self, expr: ExprId) -> Option<i64> {
        match &self.file.exprs[expr].kind {
            ExprKind::Name(name) => self.params.get(name.as_str()).copied(),
            ExprKind::Int(value) => Some(*value),
            ExprKind::Neg(a) => self.try_number(*a).map(|v| -v),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.try_number(*a)?, self.try_number(*b)?);
                arithmetic(*op, a, b).ok()
            }
            _ => None,
        }
    }

    /// The elements of a domain in order.
    pub(crate) fn elements(&self, domain: &Domain) -> Vec<Value> {
        match domain {
            Domain::Family(name) => match self.family_id(&name.name) {
                Some(id) => (0..self.families[id as usize].size).map(|i| Value::Process(id, i)).collect(),
                None => self.values_of(self.declared_type(&name.name)),
            },
            Domain::Range(low, high) => (self.number(*low)..=self.number(*high)).map(Value::Int).collect(),
            Domain::Union(names) => {
                names.iter().flat_map(|name| self.elements(&Domain::Family(name.clone()))).collect()
            }
            Domain::Value(_) => panic!("what is in a set depends on the state"),
        }
    }

    fn declared_type(&self, wanted: &str) -> &'a TypeExpr {
        let found = self.file.items.iter().find_map(|item| match &item.kind {
            ItemKind::Type { name, ty } if name.name == wanted => Some(ty),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no type is called `{wanted}`"))
    }

    fn is_enumeration(&self, ty: &TypeExpr) -> bool {
        match ty {
            TypeExpr::Enum(..) => true,
            TypeExpr::Named { name, .. } if self.family_id(&name.name).is_none() => {
                self.is_enumeration(self.declared_type(&name.name))
            }
            _ => false,
        }
    }

    fn values_of(&self, ty: &TypeExpr) -> Vec<Value> {
        match ty {
            TypeExpr::Bool(_) => vec![Value::Bool(false), Value::Bool(true)],
            TypeExpr::Range(low, high) => (self.number(*low)..=self.number(*high)).map(Value::Int).collect(),
            TypeExpr::Enum(literals, _) => {
                literals.iter().filter_map(|l| self.literal(&l.name)).map(Value::Literal).collect()
            }
            TypeExpr::Named { name, optional } => {
                let nobody = optional.then_some(Value::Nobody);
                nobody.into_iter().chain(self.elements(&Domain::Family(name.clone()))).collect()
            }
            TypeExpr::Optional(inner, _) => [vec![Value::Nobody], self.values_of(inner)].concat(),
            TypeExpr::Union(names, _) => self.elements(&Domain::Union(names.clone())),
            TypeExpr::Record(fields, _) => {
                let name = self.file.items.iter().find_map(|item| match &item.kind {
                    ItemKind::Type { name, ty: declared } if declared == ty => Some(name.name.clone()),
                    _ => None,
                });
                let mut all: Vec<Vec<(String, Value)>> = vec![Vec::new()];
                for field in fields {
                    let mut values = self.values_of(&field.ty);
                    if !field.index.is_empty() {
                        let entries: usize = field.index.iter().map(|d| self.elements(d).len()).product();
                        let mut tables: Vec<Vec<Value>> = vec![Vec::new()];
                        for _ in 0..entries {
                            let longer = |t: &Vec<Value>| {
                                values.iter().map(|v| [t.as_slice(), &[*v]].concat()).collect::<Vec<_>>()
                            };
                            tables = tables.iter().flat_map(longer).collect();
                        }
                        values = tables.into_iter().map(|table| self.keep(Compound::Table(table))).collect();
                    }
                    let with = |before: &Vec<(String, Value)>| -> Vec<Vec<(String, Value)>> {
                        let one = |v: &Value| [before.as_slice(), &[(field.name.name.clone(), *v)]].concat();
                        values.iter().map(one).collect()
                    };
                    all = all.iter().flat_map(with).collect();
                }
                let name = name.unwrap_or_default();
                all.into_iter().map(|fields| self.keep(Compound::Record(name.clone(), fields))).collect()
            }
            TypeExpr::Set(item, _) => {
                let mut all: Vec<Vec<Value>> = vec![Vec::new()];
                for value in self.values_of(item) {
                    let with: Vec<Vec<Value>> =
                        all.iter().map(|set| [set.as_slice(), &[value]].concat()).collect();
                    all.extend(with);
                }
                all.into_iter().map(|set| self.keep(Compound::Set(self.sorted(set)))).collect()
            }
            TypeExpr::Bag(..) | TypeExpr::Queue(..) | TypeExpr::Error => Vec::new(),
        }
    }

    fn literal(&self, name: &str) -> Option<u32> {
        self.literals.iter().position(|l| *l == name).map(|p| p as u32)
    }

    /// The initial states.
    pub(crate) fn initial(&self) -> Vec<State> {
        let mut states: Vec<State> = vec![Vec::new()];
        for ((owner, entry), var) in &self.places {
            let values = match var.init {
                Init::Any(_) => self.values_of(&var.ty),
                Init::Expr(expr) => {
                    let named = var.index.iter().zip(entry);
                    let bindings = named
                        .filter_map(|(index, v)| Some((index.name.as_ref()?.name.as_str(), Bound::Value(*v))))
                        .collect();
                    let scope = Scope { owner: *owner, bindings };
                    let value = self.eval(expr, &scope, &Vec::new(), Moment::default());
                    let value = value.and_then(|value| self.fitted(value, &var.ty, &[]));
                    vec![value.expect("an initial value")]
                }
            };
            states = states
                .iter()
                .flat_map(|state| values.iter().map(move |v| [state.as_slice(), &[*v]].concat()))
                .collect();
        }
        if self.starts.is_empty() {
            states.retain(|state| self.is_inside(state) != Ok(false));
            return states;
        }
        let mut all: Vec<State> = Vec::new();
        for start in &self.starts {
            for state in &states {
                all.extend(self.started(start, state).expect("an initial state"));
            }
        }
        let mut seen = HashSet::new();
        all.retain(|state| self.is_inside(state) != Ok(false) && seen.insert(state.clone()));
        all
    }

    /// The steps of a state in order: process, action, parameters. What goes wrong is listed, not hidden; and whether some step
    /// leads to a state that is not looked at.
    pub(crate) fn steps(&self, state: &State) -> (Vec<Step>, Vec<Wrong>, bool) {
        let (mut steps, mut wrong, mut leads_out) = (Vec::new(), Vec::new(), false);
        wrong.extend(self.is_inside(state).err());
        for process in self.processes() {
            for action in &self.families[process.0 as usize].decl.actions {
                let scope = Scope { owner: Some(process), bindings: Vec::new() };
                let choices = match self.choices(&action.params, &scope, state, true) {
                    Ok(choices) => choices,
                    Err(what) => {
                        wrong.push(what);
                        continue;
                    }
                };
                for arguments in choices {
                    match self.step(state, process, action, &arguments) {
                        Ok(None) => {}
                        Ok(Some(to)) => {
                            let label = self.step_label(process, &action.name.name, &arguments);
                            steps.push(Step { process, label, to });
                        }
                        Err(what) => wrong.push(what),
                    }
                }
            }
            let (more, faults) = self.code_steps(state, process);
            steps.extend(more);
            wrong.extend(faults);
        }
        steps.retain(|step| match self.is_inside(&step.to) {
            Ok(inside) => {
                leads_out |= !inside;
                inside
            }
            Err(what) => {
                wrong.push(what);
                false
            }
        });
        (steps, wrong, leads_out)
    }

    fn step(
        &self,
        state: &State,
        process: (u32, i64),
        action: &'a ActionDecl,
        arguments: &[Value],
    ) -> Result<Option<State>> {
        let names = action.params.iter().map(|p| p.name.name.as_str());
        let bindings = names.zip(arguments.iter().map(|v| Bound::Value(*v))).collect();
        let scope = Scope { owner: Some(process), bindings };
        if !self.holds(action.guard, &scope, state, Moment::default())? {
            return Ok(None);
        }
        if let Some(block) = &action.block {
            return self.execute(block, &scope, state, &action.name.name).map(Some);
        }
        let mut to = state.clone();
        let mut written: Vec<(usize, Vec<Way>, Value)> = Vec::new();
        let mut bags: Vec<BagChange<'a>> = Vec::new();
        for effect in &action.assignments {
            for choice in self.choices(&effect.over, &scope, state, true)? {
                let mut inner = scope.clone();
                let names = effect.over.iter().map(|binder| binder.name.name.as_str());
                inner.bindings.extend(names.zip(choice.into_iter().map(Bound::Value)));
                let value = match effect.change {
                    Change::Assign => self.eval(effect.value, &inner, state, Moment::default())?,
                    Change::Add | Change::Remove => {
                        self.collect(effect, &inner, state, &mut bags)?;
                        continue;
                    }
                    Change::Push | Change::Pop => {
                        match self.queue_change(effect, &action.assignments, &inner, state)? {
                            Some(value) => value,
                            None => continue,
                        }
                    }
                };
                self.check_literal(effect.target, value, &inner, state)?;
                let spot = self.spot(effect.target, &inner, state)?;
                let value = self.fitted(value, spot.ty, spot.index)?;
                self.write(&mut to, &mut written, (spot.place, spot.way, value))?;
            }
        }
        for BagChange { place, way, ty, removed, added } in bags {
            let bag = self.follow(state[place], &way)?;
            let value = self.bag_changed(bag, ty, &removed, &added)?;
            self.write(&mut to, &mut written, (place, way, value))?;
        }
        Ok(Some(to))
    }

    /// Notes what is added to a bag or removed from it.
    fn collect(
        &self,
        effect: &'a Assignment,
        scope: &Scope<'a>,
        state: &State,
        bags: &mut Vec<BagChange<'a>>,
    ) -> Result<()> {
        let value = self.eval(effect.value, scope, state, Moment::default())?;
        let spot = self.spot(effect.target, scope, state)?;
        let known = bags.iter().position(|bag| (bag.place, &bag.way) == (spot.place, &spot.way));
        let at = known.unwrap_or_else(|| {
            let (place, way) = (spot.place, spot.way);
            bags.push(BagChange { place, way, ty: spot.ty, removed: Vec::new(), added: Vec::new() });
            bags.len() - 1
        });
        let list = if effect.change == Change::Add { &mut bags[at].added } else { &mut bags[at].removed };
        list.push(value);
        Ok(())
    }

    /// Writes a value; what was written before to the same place, or a part of it, must agree.
    fn write(
        &self,
        to: &mut State,
        written: &mut Vec<(usize, Vec<Way>, Value)>,
        (place, way, value): (usize, Vec<Way>, Value),
    ) -> Result<()> {
        for (other, longer, before) in written.iter().filter(|(other, ..)| *other == place) {
            let same = if longer.starts_with(&way) {
                self.follow(value, &longer[way.len()..])? == *before
            } else if way.starts_with(longer) {
                self.follow(to[*other], &way)? == value
            } else {
                true
            };
            if !same {
                return Err(Wrong::Twice);
            }
        }
        to[place] = self.replaced(to[place], &way, value)?;
        written.push((place, way, value));
        Ok(())
    }

    fn step_label(&self, process: (u32, i64), action: &str, arguments: &[Value]) -> String {
        let mut label = format!("{}.{action}", self.process_name(process));
        if !arguments.is_empty() {
            let shown: Vec<String> = arguments.iter().map(|v| self.show(*v)).collect();
            write!(label, "({})", shown.join(", ")).expect("a string grows");
        }
        label
    }

    pub(crate) fn process_name(&self, (family, index): (u32, i64)) -> String {
        let decl = self.families[family as usize].decl;
        if decl.size.is_none() { decl.name.name.clone() } else { format!("{}[{index}]", decl.name.name) }
    }

    pub(crate) fn show(&self, value: Value) -> String {
        match value {
            Value::Bool(b) => b.to_string(),
            Value::Int(i) => i.to_string(),
            Value::Literal(l) => self.literals[l as usize].to_string(),
            Value::Process(family, index) => self.process_name((family, index)),
            Value::Nobody => "none".to_string(),
            Value::Compound(_) => self.show_compound(value),
        }
    }

    /// The places of a state as a model writes them: `client[0].st`, `link[client[0], client[1]]`.
    pub(crate) fn place_names(&self) -> Vec<String> {
        let name = |(owner, entry): &Key, var: &VarDecl| {
            let mut shown = owner.map_or(String::new(), |p| self.process_name(p) + ".") + &var.name.name;
            if !entry.is_empty() {
                let indices: Vec<String> = entry.iter().map(|v| self.show(*v)).collect();
                write!(shown, "[{}]", indices.join(", ")).expect("a string grows");
            }
            shown
        };
        self.places.iter().map(|(key, var)| name(key, var)).collect()
    }
}
