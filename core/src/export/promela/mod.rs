//! Promela, the language of Spin (G. J. Holzmann, *The Spin Model Checker*, Addison-Wesley 2004).
//!
//! A family is a `proctype`, and each of its processes is one loop of indivisible steps (`d_step`). So a process is always
//! at the same place of its code, and the states that Spin finds without a claim are the states of the model, one to one.
//! Variables of processes are global arrays, since other processes may read them.

mod action;
mod claim;
mod never;
mod term;

use super::names::{Names, identifier};
use super::{Request, Unsayable, start};
use crate::group::Process;
use crate::ids::{Id, IdVec};
use crate::limits::{MAX_EXPORT, MAX_PROMELA_OPTIONS, SPIN_PROCESSES};
use crate::product::{FairnessChoice, FairnessOf};
use crate::program::{FamilyId, Program, TermKind, Type, Var, VarId};
use crate::syntax::ast::Fairness;
use crate::text::Diagnostic;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::fmt::Write;
use term::{Expr, Level, Writer};

/// Words that Promela, its formulas, C, its preprocessor or the verifier's own text give a meaning.
const RESERVED: &[&str] = &[
    "active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_step do else empty enabled end \
     eval false fi for full get_priority goto hidden if in init inline int len local ltl mtype nempty never nfull notrace \
     od of pc_value pid print printf printm priority proctype provided return run select set_priority short show skip \
     string timeout trace true typedef unless unsigned xr xs np_ _ _last _nr_pr _pid STDIN D_proctype",
    "U V W X always eventually until weakuntil stronguntil release implies equivalent next",
    "auto case char const continue default double enum extern float inline long register restrict signed sizeof static \
     struct switch typedef union void volatile while asm typeof unix linux i386 main now this trpt uchar uint ushort \
     ulong NULL EOF stdin stdout stderr",
    "self none ready who note_who STATES euclid_div euclid_rem",
];

/// A program with its names in Promela.
pub(super) struct Model<'m> {
    program: &'m Program,
    /// All literals, each with its number and its name.
    literals: BTreeMap<String, (i64, String)>,
    vars: IdVec<VarId, String>,
    proctypes: IdVec<FamilyId, String>,
    /// The macro that says where a process of the family has a step.
    enabled_names: IdVec<FamilyId, String>,
    /// Single processes whose variables need no index.
    flat: IdVec<FamilyId, bool>,
    /// Whether a process of its own chooses the initial values.
    starts: bool,
    /// The process that repeats a state without steps.
    stutter: String,
    /// Whether a claim asks which process executed last.
    asks_who: Cell<bool>,
    /// The families whose `enabled` is asked for.
    enabled_of: RefCell<BTreeSet<FamilyId>>,
    /// How many values one action puts aside at most.
    temporaries: Cell<usize>,
    spent: Cell<usize>,
}

/// The processes by their fairness, and whether Spin's own weak fairness says the same.
pub(super) struct Assumptions {
    /// All processes are weakly fair.
    pub spin: bool,
    pub weak: Vec<u32>,
    pub strong: Vec<u32>,
    /// Whether some action is to be fair by itself.
    pub actions: bool,
}

/// The model in Promela, with its properties as claims.
pub fn promela(request: &Request<'_>) -> Result<String, Diagnostic> {
    request.has_text()?;
    written(request).map_err(|unsayable| unsayable.diagnostic())
}

fn written(request: &Request<'_>) -> Result<String, Unsayable> {
    let program = request.program;
    if let Some(assumed) = &program.assumption {
        let words =
            "Promela cannot say what is assumed: a step of Spin cannot be taken back when it has led outside";
        return Err(Unsayable::new(assumed.span, words));
    }
    let mut names = Names::new(RESERVED);
    let model = Model::new(program, &mut names)?;
    let assumptions = Assumptions::new(program, request.fairness);
    let claims = claim::claims(&model, request, &assumptions, &mut names)?;
    let mut processes = String::new();
    for family in program.families.ids() {
        processes.push_str(&model.proctype(family)?);
    }
    let mut text = model.header(request, &assumptions, &claims);
    text.push_str(&model.declarations()?);
    text.push_str(&processes);
    text.push_str(&model.start()?);
    // Claims first: they say which of these are needed.
    let wanted = model.enabled_of.borrow().clone();
    for family in wanted {
        let enabled = model.enabled(family)?;
        let name = &model.enabled_names[family];
        let param = if model.is_flat(family) { "" } else { "(self)" };
        let words = &program.families[family].name;
        let _ = writeln!(text, "/* whether a process of `{words}` has a step */");
        let _ = writeln!(text, "#define {name}{param} ({})\n", enabled.text);
    }
    if !claims.is_empty() {
        text.push_str("#ifndef STATES\n\n");
        let active = if model.starts { "" } else { "active " };
        let _ = writeln!(
            text,
            "/* A state without steps repeats for ever. Spin does that by itself, but with -f it then overlooks some cycles. */\n\
             {active}proctype {}() {{ do :: d_step {{ timeout -> {}skip }} od }}\n",
            model.stutter,
            model.mark()
        );
        for claim in &claims {
            text.push_str(&claim.text);
        }
        text.push_str("#endif\n");
    }
    if text.len() > MAX_EXPORT {
        return Err(term::too_large());
    }
    Ok(text)
}

impl Assumptions {
    fn new(program: &Program, choice: FairnessChoice) -> Assumptions {
        let of = FairnessOf::new(program, choice);
        let fairness = |process: &u32| {
            if of.none.contains(Process(*process)) {
                Fairness::None
            } else if of.strong.contains(Process(*process)) {
                Fairness::Strong
            } else {
                Fairness::Weak
            }
        };
        let with = |wanted: Fairness| -> Vec<u32> {
            (0..program.process_count()).filter(|process| fairness(process) == wanted).collect()
        };
        let (weak, strong) = (with(Fairness::Weak), with(Fairness::Strong));
        let actions = !of.actions.is_empty();
        Assumptions { spin: weak.len() as u32 == program.process_count(), weak, strong, actions }
    }

    /// Whether a formula of Spin's needs no more than what Spin's options say.
    fn suit_spin(&self) -> bool {
        self.spin || (self.weak.is_empty() && self.strong.is_empty())
    }
}

impl<'m> Model<'m> {
    fn new(program: &'m Program, names: &mut Names) -> Result<Model<'m>, Unsayable> {
        let mut literals = BTreeMap::new();
        for literal in program.enums.iter().flatten() {
            if !literals.contains_key(literal) {
                let number = literals.len() as i64 + 1;
                literals.insert(literal.clone(), (number, names.fresh(literal)));
            }
        }
        let too_many = |what: String| Unsayable::too_large(crate::text::Span::default(), what);
        if literals.len() > 255 {
            return Err(too_many(format!(
                "Spin has at most 255 literals, and the model has {}",
                literals.len()
            )));
        }
        let proctypes: IdVec<FamilyId, String> =
            program.families.iter().map(|family| names.fresh(&family.name)).collect();
        let flat: IdVec<FamilyId, bool> = program
            .families
            .iter_enumerated()
            .map(|(id, family)| family.single && !may_miss(program, id))
            .collect();
        let variable = |var: &Var, names: &mut Names| match var.owner {
            Some(family) => {
                names.fresh(&identifier(&format!("{}_{}", program.families[family].name, var.name)))
            }
            // The verifier is full of names in capitals.
            None if !var.name.contains(|c: char| c.is_ascii_lowercase()) => {
                names.fresh(&identifier(&format!("{}_", var.name)))
            }
            None => names.fresh(&identifier(&var.name)),
        };
        let vars: IdVec<VarId, String> = program.vars.iter().map(|var| variable(var, names)).collect();
        let enabled_names =
            program.families.iter().map(|f| names.fresh(&format!("{}_enabled", f.name))).collect();
        for number in 1..100 {
            names.fresh(&format!("new{number}"));
            names.fresh(&format!("at{number}"));
        }
        let mut model = Model {
            program,
            literals,
            vars,
            proctypes,
            enabled_names,
            flat,
            starts: false,
            stutter: names.fresh("stutter"),
            asks_who: Cell::new(false),
            enabled_of: RefCell::new(BTreeSet::new()),
            temporaries: Cell::new(0),
            spent: Cell::new(0),
        };
        model.starts = program.initial.start_count() > 1
            || program.vars.iter().any(|var| var.init.is_none())
            || program.vars.ids().any(
                |var| matches!(model.initial(var), Initial::Each(values) if values.iter().any(|v| v.low < 0)),
            );
        let processes = program.process_count() + 1 + u32::from(model.starts);
        if processes > SPIN_PROCESSES {
            return Err(too_many(format!(
                "Spin has at most {SPIN_PROCESSES} processes, and the model needs {processes}"
            )));
        }
        if model.option_count() > MAX_PROMELA_OPTIONS {
            return Err(term::too_large());
        }
        Ok(model)
    }

    fn is_flat(&self, family: FamilyId) -> bool {
        self.flat[family]
    }

    /// The number by which Spin knows a process.
    fn pid(&self, process: u32) -> u32 {
        process + u32::from(self.starts)
    }

    /// The first statement of a step: it notes who executes, where a claim asks. (Spin's own `_last` is no part of its
    /// states, so that claims about it come out wrong.)
    fn mark(&self) -> &'static str {
        if self.asks_who.get() { "note_who; " } else { "" }
    }

    fn header(&self, request: &Request<'_>, assumptions: &Assumptions, claims: &[claim::Claim]) -> String {
        let file = request.file_name();
        // The verifier counts the claim and the processes that start the others and repeat a state too.
        let nfair = (self.program.process_count() + u32::from(self.starts)).div_ceil(4) + 1;
        let define = if assumptions.spin { format!(" -DNFAIR={}", nfair.max(2)) } else { String::new() };
        let mut text = format!("/* {}, written by Orbitscope for Spin 6.\n *\n", request.title());
        let runs: Vec<String> = (claims.iter())
            .filter_map(|claim| {
                let fair = if claim.is_formula && assumptions.spin { " -f" } else { "" };
                claim.name.as_ref().map(|name| format!(" *   ./pan -a{fair} -m10000000 -N {name}\n"))
            })
            .collect();
        if !runs.is_empty() {
            let _ = writeln!(text, " * To check the claims, one at a time:");
            let _ = writeln!(text, " *   spin -a {file}.pml");
            let _ = writeln!(text, " *   cc -O2 -w -DNOREDUCE{define} -o pan pan.c");
            text.push_str(&runs.concat());
            let _ = writeln!(
                text,
                " * `errors: 0` means that it holds; `spin -t -p -g {file}.pml` shows an error.\n *"
            );
        }
        let _ = writeln!(text, " * To count all states, and to find deadlocks (`invalid end state`):");
        let _ = writeln!(text, " *   spin -DSTATES -o2 -a {file}.pml");
        let _ = writeln!(text, " *   cc -O2 -w -DNOREDUCE -DSAFETY -o pan pan.c");
        let _ = writeln!(text, " *   ./pan -m10000000       (with -E deadlocks are passed over)");
        if self.starts {
            let _ =
                writeln!(text, " * One state more is counted: the one before the initial values are chosen.");
        }
        let _ = writeln!(text, " *\n * Fairness: {}", self.fairness_words(assumptions));
        let _ = writeln!(
            text,
            " * Numbers have 32 bits here. A value outside its type, or an index outside its array, is an error that\n \
             * Spin reports; an error in a guard that touches no array goes unseen.\n */\n"
        );
        text
    }

    fn fairness_words(&self, assumptions: &Assumptions) -> String {
        let names = |processes: &[u32]| {
            let names: Vec<String> =
                processes.iter().map(|&p| self.program.process_name(Process(p))).collect();
            names.join(", ")
        };
        let mut words = Vec::new();
        if assumptions.spin {
            words.push(
                "every process is weakly fair. For formulas (ltl) that is Spin's option -f; automata (never) say it\n \
                 * themselves and do without -f, which overlooks cycles of some of them."
                    .to_string(),
            );
        } else if !assumptions.weak.is_empty() {
            words.push(format!("the claims assume weak fairness of {}.", names(&assumptions.weak)));
        }
        if !assumptions.strong.is_empty() {
            words.push(format!("the claims assume strong fairness of {}.", names(&assumptions.strong)));
        }
        if words.is_empty() { "none is assumed.".into() } else { words.join("\n * ") }
    }

    fn declarations(&self) -> Result<String, Unsayable> {
        let mut text = String::new();
        let mut literals: Vec<&(i64, String)> = self.literals.values().collect();
        literals.sort();
        if !literals.is_empty() {
            let names: Vec<&str> = literals.iter().map(|(_, name)| name.as_str()).collect();
            let _ = writeln!(text, "mtype = {{ {} }};", names.join(", "));
        }
        let _ = writeln!(text, "#define none {}", term::NONE);
        let _ = writeln!(text, "/* division whose remainder is never negative */");
        let _ = writeln!(text, "#define euclid_rem(a, b) ((((a) % (b)) + (b) * (b)) % (b))");
        let _ = writeln!(text, "#define euclid_div(a, b) (((a) - euclid_rem(a, b)) / (b))\n");
        for (id, var) in self.program.vars.iter_enumerated() {
            let Some(size) = self.array_size(var) else {
                let _ = writeln!(text, "{} {}{};", type_name(var), self.vars[id], self.scalar_initial(id));
                continue;
            };
            if size == 0 {
                continue;
            }
            let initial = match self.initial(id) {
                Initial::Chosen => String::new(),
                Initial::All(value) => format!(" = {}", plain(&value)),
                Initial::Each(values) if values.iter().any(|value| value.low < 0) => String::new(),
                Initial::Each(values) => {
                    let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
                    format!(" = {{ {} }}", texts.join(", "))
                }
            };
            let _ = writeln!(text, "{} {}[{size}]{initial};", type_name(var), self.vars[id]);
            self.spend(text.len() / 64)?;
        }
        if self.starts {
            let _ = writeln!(text, "bool ready = false;");
        }
        if self.asks_who.get() {
            text.push_str(
                "/* the process that executed last, for the claims; Spin's _last is no part of its states */\n\
                 #ifdef STATES\n#define note_who skip\n#else\nbyte who = none;\n#define note_who who = _pid\n#endif\n",
            );
        }
        let effects = || self.program.actions.iter().flat_map(|action| &action.assignments);
        let conditional = effects().any(|assignment| assignment.when.is_some());
        for number in 1..=self.temporaries.get() {
            if conditional {
                let _ = writeln!(text, "hidden byte when{number};");
            }
            let _ = writeln!(text, "hidden int new{number}, at{number};");
        }
        text.push('\n');
        Ok(text)
    }

    /// How many entries the array of a variable has; none where the variable is no array.
    fn array_size(&self, var: &Var) -> Option<i64> {
        let owners = match var.owner {
            Some(family) if !self.is_flat(family) => Some(i64::from(self.program.families[family].size)),
            _ => None,
        };
        let sizes = owners.into_iter().chain(var.index.iter().map(|&domain| self.bounds(domain).1));
        sizes.reduce(i64::saturating_mul)
    }

    fn scalar_initial(&self, var: VarId) -> String {
        match self.initial(var) {
            Initial::All(value) => format!(" = {}", plain(&value)),
            Initial::Chosen | Initial::Each(_) => String::new(),
        }
    }

    /// The first values of a variable's entries.
    fn initial(&self, id: VarId) -> Initial {
        let var = &self.program.vars[id];
        if var.init.is_none() {
            return Initial::Chosen;
        }
        let writer = Writer::new(self);
        let layout = &self.program.layout;
        let entries = var.index.iter().map(|&domain| self.bounds(domain).1).product::<i64>();
        let firsts = match var.owner {
            Some(family) => {
                (0..self.program.families[family].size).map(|p| layout.local(family, p, id)).collect()
            }
            None => alloc::vec![layout.global(id)],
        };
        let initial = &self.program.initial;
        let row = if initial.start_count() > 1 { initial.declared() } else { &initial.values };
        let mut values = Vec::new();
        for first in firsts {
            for entry in 0..entries {
                let value = row[first.index() + entry as usize];
                values.push(writer.constant(var.ty.ty, value.into()));
            }
        }
        match values.first() {
            Some(one) if values.iter().all(|value| value.text == one.text) => Initial::All(one.clone()),
            _ => Initial::Each(values),
        }
    }

    fn proctype(&'m self, id: FamilyId) -> Result<String, Unsayable> {
        let family = &self.program.families[id];
        if family.size == 0 {
            return Ok(String::new());
        }
        let name = &self.proctypes[id];
        let uses_self = !self.is_flat(id);
        let mut text = String::new();
        if self.starts {
            let param = if uses_self { "byte self" } else { "" };
            let _ = writeln!(text, "proctype {name}({param}) {{");
        } else {
            let count = if family.single { String::new() } else { format!("[{}] ", family.size) };
            let _ = writeln!(text, "active {count}proctype {name}() {{");
            if uses_self {
                let first = self.pid(family.first.0);
                let minus = if first == 0 { String::new() } else { format!(" - {first}") };
                let _ = writeln!(text, "  byte self = _pid{minus};");
            }
        }
        let options = self.options(id)?;
        if options.contains(":: d_step") {
            let _ = writeln!(text, "  do\n{options}  od\n}}\n");
        } else {
            let _ = writeln!(text, "{options}  false /* it has no step */\n}}\n");
        }
        Ok(text)
    }

    /// The process that chooses initial values and starts all others, where one is needed.
    fn start(&self) -> Result<String, Unsayable> {
        if !self.starts {
            return Ok(String::new());
        }
        let mut text = "init { atomic {\n".to_string();
        let writer = Writer::new(self);
        for (id, var) in self.program.vars.iter_enumerated() {
            let size = self.array_size(var);
            let entry = |number: i64| match size {
                Some(_) => format!("{}[{number}]", self.vars[id]),
                None => self.vars[id].clone(),
            };
            match self.initial(id) {
                Initial::Chosen => {
                    for number in 0..size.unwrap_or(1) {
                        let options: Vec<String> = (i64::from(var.ty.low)..=var.ty.high())
                            .take(MAX_EXPORT / 8)
                            .map(|value| {
                                format!(":: {} = {}", entry(number), writer.constant(var.ty.ty, value).text)
                            })
                            .collect();
                        let _ = writeln!(text, "  if {} fi;", options.join(" "));
                        self.spend(text.len() / 64)?;
                    }
                }
                Initial::Each(values) if values.iter().any(|value| value.low < 0) => {
                    for (number, value) in (0..).zip(&values) {
                        let _ = writeln!(text, "  {} = {};", entry(number), value.text);
                    }
                }
                _ => {}
            }
        }
        text.push_str(&self.rows(&writer)?);
        let _ = writeln!(text, "  ready = true;");
        for (id, family) in self.program.families.iter_enumerated() {
            for number in 0..family.size {
                let argument = if self.is_flat(id) { String::new() } else { number.to_string() };
                let _ = writeln!(text, "  run {}({argument});", self.proctypes[id]);
            }
        }
        let _ = write!(text, "#ifndef STATES\n  run {}();\n#endif\n}} }}\n\n", self.stutter);
        Ok(text)
    }
}

impl Model<'_> {
    /// One of the rows that `init` makes is chosen.
    fn rows(&self, writer: &Writer<'_>) -> Result<String, Unsayable> {
        let rows = start::rows(self.program)?;
        let mut options = Vec::new();
        for row in &rows {
            let mut text = String::new();
            for changed in row {
                let var = &self.program.vars[changed.var];
                let entries = var.index.iter().map(|&domain| self.bounds(domain).1).product::<i64>();
                let process = match var.owner {
                    Some(family) if !self.is_flat(family) => changed.process.unwrap_or(0),
                    _ => 0,
                };
                let name = &self.vars[changed.var];
                let place = match self.array_size(var) {
                    Some(_) => format!("{name}[{}]", i64::from(process) * entries + i64::from(changed.entry)),
                    None => name.clone(),
                };
                let value = writer.constant(var.ty.ty, changed.value).text;
                let _ = write!(text, "{place} = {value}; ");
            }
            self.spend(text.len())?;
            options.push(format!("  :: {}\n", if text.is_empty() { "skip; " } else { &text }.trim_end()));
        }
        Ok(if options.is_empty() { String::new() } else { format!("  if\n{}  fi;\n", options.concat()) })
    }
}

/// The first values of a variable's entries.
enum Initial {
    /// Any value of the type.
    Chosen,
    All(Expr),
    Each(Vec<Expr>),
}

/// A value in a declaration, where a sign may stand but no brackets.
fn plain(value: &Expr) -> String {
    match value.value {
        Some(number) if number < 0 && value.level == Level::Atom => number.to_string(),
        _ => value.text.clone(),
    }
}

fn type_name(var: &Var) -> &'static str {
    match var.ty.ty {
        Type::Bool => "bool",
        Type::Enum(_) => "mtype",
        Type::Process { .. } => "byte",
        _ => match (var.ty.low, var.ty.high()) {
            (0.., ..=255) => "byte",
            (-32768.., ..=32767) => "short",
            _ => "int",
        },
    }
}

/// Whether variables of this family are read or written through an id that may be `none`.
fn may_miss(program: &Program, family: FamilyId) -> bool {
    program.terms.iter().any(|term| {
        let TermKind::Local(_, process, _) = term.kind else { return false };
        program.terms[process].ty == Type::Process { family, optional: true }
    })
}
