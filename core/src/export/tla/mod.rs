//! TLA+ (L. Lamport, *Specifying Systems*, Addison-Wesley 2002), for TLC.
//!
//! A variable is a TLA+ variable, of a family a function on the family; an action is an action. Fairness of a process is fairness of
//! the disjunction of its actions. TLA+ speaks of steps that change something, and here every step counts: where an
//! action may leave all variables as they are, one more variable changes with every step.

mod action;
mod property;
mod term;

use super::names::{Names, identifier};
use super::start::{self, Changed};
use super::{Request, Unsayable};
use crate::ids::IdVec;
use crate::limits::MAX_EXPORT;
use crate::product::FairnessChoice;
use crate::program::{
    ArithmeticOp, Domain, FamilyId, Program, Property, Reg, TermKind, Type, ValueType, Var, VarId,
};
use crate::syntax::ast::{Fairness, Quantifier};
use crate::text::{Diagnostic, Span};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use property::Said;
use term::Writer;

const RESERVED: &[&str] = &[
    "ACTION ASSUME ASSUMPTION AXIOM BOOLEAN BY CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF DEFINE DEFS DOMAIN ELSE ENABLED \
     EXCEPT EXTENDS FALSE HAVE HIDE IF IN INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED ONLY OTHER PICK PROOF \
     PROPOSITION PROVE QED RECURSIVE STATE STRING SUBSET SUFFICES TAKE TEMPORAL THEN THEOREM TRUE UNCHANGED UNION USE \
     VARIABLE VARIABLES WITH WITNESS",
    "Nat Int Real Infinity Seq Append Head Tail Len SubSeq SelectSeq Cardinality IsFiniteSet Assert Print PrintT JavaTime \
     Permutations SortSeq RandomElement Any ToString TLCGet TLCSet TLCEval TLCExt",
    "vars Init Next Spec TypeOK Assumed EuclidDiv EuclidRem Least Greatest SumOf self",
];

/// The modules that come with TLC: one of the same name would be found instead.
const MODULES: &str =
    "Bags FiniteSets Integers Json Naturals Randomization RealTime Reals Sequences TLC TLCExt Toolbox";

/// Whether a name means something else in TLA+, so that no module may have it.
pub(super) fn is_taken(name: &str) -> bool {
    RESERVED.iter().chain([&MODULES]).any(|line| line.split_whitespace().any(|word| word == name))
}

/// A program with its names in TLA+.
pub(super) struct Module<'m> {
    program: &'m Program,
    names: Names,
    vars: IdVec<VarId, String>,
    families: IdVec<FamilyId, String>,
    steps: IdVec<FamilyId, String>,
    none: String,
    /// The variable that changes with every step, where one is needed.
    tick: Option<String>,
    /// For each action the step of a process by it.
    fair_steps: Vec<String>,
    /// The first letters of names that are bound inside expressions.
    prefix: String,
}

/// The model in TLA+, with its properties; behind the module, where TLA+ reads nothing, stands the configuration for TLC.
pub fn tla(request: &Request<'_>) -> Result<String, Diagnostic> {
    request.has_text()?;
    written(request).map_err(|unsayable| unsayable.diagnostic())
}

fn written(request: &Request<'_>) -> Result<String, Unsayable> {
    let program = request.program;
    let mut module = Module::new(program);
    // Without a variable there is no state to speak of.
    if program.vars.is_empty() || !program.actions.ids().all(|action| module.surely_changes(action)) {
        module.tick = Some(module.names.fresh("tick"));
    }
    let mut config = String::from("SPECIFICATION Spec\nINVARIANT TypeOK\n");
    let mut properties = String::new();
    let mut deadlock_free = false;
    for id in request.properties() {
        let property = &program.properties[id];
        let said = module.property(property);
        let name = module.names.fresh(&property.name);
        match said {
            Ok(Said::Invariant(text)) => {
                let _ = writeln!(properties, "{name} == {text}");
                let _ = writeln!(config, "INVARIANT {name}");
            }
            Ok(Said::Cover(text)) => {
                let _ = writeln!(
                    properties,
                    "\\* a cover: that TLC finds it violated is the way to what is to be reached"
                );
                let _ = writeln!(properties, "{name} == {text}");
                let _ = writeln!(config, "INVARIANT {name}");
            }
            Ok(Said::NoDeadlock) => {
                let _ = writeln!(properties, "\\* `{}` is what CHECK_DEADLOCK asks for.", property.name);
                deadlock_free = true;
            }
            Ok(Said::Temporal(text)) => {
                let _ = writeln!(properties, "{name} == {text}");
                let _ = writeln!(config, "PROPERTY {name}");
            }
            Err(unsayable) if request.property.is_some() => return Err(unsayable),
            Err(unsayable) => {
                let _ = writeln!(properties, "\\* `{}` is left out: {}.", property.name, unsayable.words);
            }
        }
    }
    let mut text = module.header(request);
    text.push_str(&module.declarations()?);
    text.push_str(&module.actions()?);
    text.push_str(&module.specification(request.fairness));
    text.push_str(&properties);
    text.push_str("====\n");
    text.push_str(&config);
    let _ = writeln!(
        text,
        "\\* TRUE makes TLC stop at a state in which no process has a step.\nCHECK_DEADLOCK {}",
        if deadlock_free { "TRUE" } else { "FALSE" }
    );
    if text.len() > MAX_EXPORT {
        let words = format!("in TLA+ the model takes more than {} MiB", MAX_EXPORT >> 20);
        return Err(Unsayable::too_large(Span::default(), words));
    }
    Ok(text)
}

impl<'m> Module<'m> {
    fn new(program: &'m Program) -> Module<'m> {
        let mut names = Names::new(RESERVED);
        let families: IdVec<FamilyId, String> =
            program.families.iter().map(|family| names.fresh(&proper(&family.name))).collect();
        let steps =
            program.families.iter().map(|f| names.fresh(&proper(&format!("{}_step", f.name)))).collect();
        let variable = |var: &Var, names: &mut Names| match var.owner {
            Some(family) => {
                names.fresh(&proper(&identifier(&format!("{}_{}", program.families[family].name, var.name))))
            }
            None => names.fresh(&proper(&identifier(&var.name))),
        };
        let vars: IdVec<VarId, String> = program.vars.iter().map(|var| variable(var, &mut names)).collect();
        let none = names.fresh("none");
        let mut prefix = String::from("x");
        let all = || vars.iter().chain(&families).chain(program.params.iter().map(|param| &param.name));
        while all().any(|name| name.starts_with(&prefix)) {
            prefix.push('_');
        }
        Module { program, names, vars, families, steps, none, tick: None, fair_steps: Vec::new(), prefix }
    }

    /// A name for what is bound inside an expression.
    fn bound_name(&self, reg: Reg) -> String {
        format!("{}{}", self.prefix, reg.0)
    }

    /// A name that a property binds; TLA+ does not let an inner name hide an outer one.
    fn property_name(&self, property: &Property, reg: Reg) -> String {
        let name = &property.names[reg.0 as usize];
        let once = property.names.iter().filter(|other| *other == name).count() == 1;
        if once { self.names.free(&proper(name)) } else { self.bound_name(reg) }
    }

    /// Whether a variable belongs to a single process, and so needs no argument for it.
    fn is_single(&self, var: VarId) -> bool {
        self.program.vars[var].owner.is_some_and(|family| self.program.families[family].single)
    }

    /// The action of a process.
    fn step_of(&self, family: FamilyId, process: &str) -> String {
        let name = &self.steps[family];
        if self.program.families[family].single { name.clone() } else { format!("{name}({process})") }
    }

    fn header(&self, request: &Request<'_>) -> String {
        let file = request.file_name();
        let mut text = format!("---- MODULE {file} ----\n");
        let _ = writeln!(text, "\\* {}, written by Orbitscope for TLC.", request.title());
        let _ = writeln!(text, "\\*");
        let _ = writeln!(text, "\\* To check it:");
        let _ = writeln!(text, "\\*   sed '1,/^====/d' {file}.tla > {file}.cfg");
        let _ = writeln!(text, "\\*   java -jar tla2tools.jar {file}");
        if let Some(tick) = &self.tick {
            let _ = writeln!(
                text,
                "\\*\n\\* Some step may leave every variable as it is, and TLA+'s fairness speaks of steps that change something:\n\
                 \\* `{tick}` changes with every step, so TLC finds up to twice the states."
            );
        }
        let _ = writeln!(text, "EXTENDS Integers, FiniteSets, TLC\n");
        text
    }

    /// The operators for `min`, `max` and `sum`, where the model has some.
    fn numbers(&self, text: &mut String) {
        let has = |wanted: fn(&TermKind) -> bool| self.program.terms.iter().any(|term| wanted(&term.kind));
        if has(|kind| {
            matches!(
                kind,
                TermKind::Arithmetic(ArithmeticOp::Min | ArithmeticOp::Max, ..)
                    | TermKind::Quantified(Quantifier::Min | Quantifier::Max, ..)
            )
        }) {
            text.push_str("Least(S) == CHOOSE x \\in S : \\A y \\in S : x <= y\n");
            text.push_str("Greatest(S) == CHOOSE x \\in S : \\A y \\in S : x >= y\n\n");
        }
        if has(|kind| matches!(kind, TermKind::Quantified(Quantifier::Sum, ..))) {
            text.push_str("RECURSIVE SumOf(_, _)\nSumOf(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \\in S : TRUE\n");
            text.push_str("                                   IN  f[x] + SumOf(f, S \\ {x})\n\n");
        }
    }

    fn declarations(&self) -> Result<String, Unsayable> {
        let mut text = String::new();
        for (id, family) in self.program.families.iter_enumerated() {
            let last = i64::from(family.size) - 1;
            let _ = writeln!(text, "{} == 0..{}", self.families[id], number(last));
        }
        let _ = writeln!(text, "{} == -1", self.none);
        let _ = writeln!(text, "EuclidRem(a, b) == a % (IF b < 0 THEN -b ELSE b)");
        let _ = writeln!(text, "EuclidDiv(a, b) == IF b < 0 THEN -(a \\div (-b)) ELSE a \\div b\n");
        self.numbers(&mut text);
        let mut all: Vec<&str> = self.vars.iter().map(String::as_str).collect();
        all.extend(self.tick.as_deref());
        let _ = writeln!(text, "VARIABLES {}", all.join(", "));
        let _ = writeln!(text, "vars == <<{}>>\n", all.join(", "));
        let empty = if self.program.vars.is_empty() { "  TRUE\n" } else { "" };
        let _ = writeln!(text, "TypeOK ==");
        for (id, var) in self.program.vars.iter_enumerated() {
            let _ = writeln!(text, "  /\\ {} \\in {}", self.vars[id], self.type_of(id, var));
        }
        if let Some(assumed) = &self.program.assumption {
            let mut writer = Writer { module: self, bound: BTreeMap::new() };
            let _ = writeln!(
                text,
                "\n\\* Only states in which this holds are looked at: no step leads out of it."
            );
            let _ = writeln!(text, "Assumed == {}", writer.term(assumed.term)?);
        }
        let _ = writeln!(text, "{empty}\nInit ==");
        let rows = start::rows(self.program)?;
        let changed = start::changed_vars(&rows);
        for (id, var) in self.program.vars.iter_enumerated().filter(|(id, _)| !changed.contains(id)) {
            let _ = writeln!(text, "  /\\ {}", self.initial(id, var, &[])?);
        }
        for (number, row) in rows.iter().enumerate() {
            let mut parts = Vec::new();
            for &id in &changed {
                let own: Vec<&Changed> = row.iter().filter(|changed| changed.var == id).collect();
                parts.push(self.initial(id, &self.program.vars[id], &own)?);
            }
            let sign = if number == 0 { "/\\ \\/" } else { "   \\/" };
            let truth = if parts.is_empty() { "TRUE".into() } else { parts.join(" /\\ ") };
            let _ = writeln!(text, "  {sign} {truth}");
        }
        if let Some(tick) = &self.tick {
            let _ = writeln!(text, "  /\\ {tick} = FALSE");
        }
        if self.program.assumption.is_some() {
            let _ = writeln!(text, "  /\\ Assumed");
        }
        let _ = writeln!(text, "{}", if self.tick.is_some() { "" } else { empty });
        Ok(text)
    }

    /// The sets that a variable's arguments range over.
    fn arguments(&self, id: VarId, var: &Var) -> Vec<String> {
        let owner = var.owner.filter(|_| !self.is_single(id)).map(Domain::Family);
        owner.into_iter().chain(var.index.iter().copied()).map(|domain| self.set(domain)).collect()
    }

    fn type_of(&self, id: VarId, var: &Var) -> String {
        let values = self.values(var.ty);
        let arguments = self.arguments(id, var);
        if arguments.is_empty() { values } else { format!("[{} -> {values}]", arguments.join(" \\X ")) }
    }

    fn values(&self, ty: ValueType) -> String {
        match ty.ty {
            Type::Bool => "BOOLEAN".into(),
            Type::Enum(id) => {
                let literals: Vec<String> =
                    self.program.enums[id].iter().map(|literal| format!("\"{literal}\"")).collect();
                format!("{{{}}}", literals.join(", "))
            }
            Type::Process { family, optional: false } => self.families[family].clone(),
            Type::Process { family, optional: true } => {
                format!("({} \\cup {{{}}})", self.families[family], self.none)
            }
            _ => format!("({}..{})", number(ty.low.into()), number(ty.high())),
        }
    }

    /// The initial value of a variable, with the places that `init` changes.
    fn initial(&self, id: VarId, var: &Var, changes: &[&Changed]) -> Result<String, Unsayable> {
        let name = &self.vars[id];
        let is_table = !self.arguments(id, var).is_empty();
        let value = |changed: &Changed| self.constant(var.ty.ty, changed.value);
        if let (false, [changed, ..]) = (is_table, changes) {
            return Ok(format!("{name} = {}", value(changed)));
        }
        let place = |changed: &Changed| {
            let process = changed.process.filter(|_| !self.is_single(id)).map(i64::from);
            let all: Vec<String> =
                process.into_iter().chain(changed.indices.iter().copied()).map(number).collect();
            all.join(", ")
        };
        let Some(init) = var.init else {
            let (function, ty) = (format!("{}f", self.prefix), self.type_of(id, var));
            let fixed: Vec<String> =
                changes.iter().map(|c| format!("{function}[{}] = {}", place(c), value(c))).collect();
            return Ok(match fixed.as_slice() {
                [] => format!("{name} \\in {ty}"),
                _ => format!("{name} \\in {{{function} \\in {ty} : {}}}", fixed.join(" /\\ ")),
            });
        };
        let but = |function: String| {
            let all: Vec<String> =
                changes.iter().map(|c| format!("![{}] = {}", place(c), value(c))).collect();
            if all.is_empty() { function } else { format!("[{function} EXCEPT {}]", all.join(", ")) }
        };
        let mut writer = Writer { module: self, bound: BTreeMap::new() };
        for &reg in &var.init_regs {
            writer.bound.insert(reg, self.bound_name(reg));
        }
        let value = writer.term(init)?;
        let sets = self.arguments(id, var);
        if sets.is_empty() {
            return Ok(format!("{name} = {value}"));
        }
        // The registers start with the process where the variable is local, also where there is only one.
        let named = var.init_regs.len()
            - usize::from(var.owner.is_some() && self.is_single(id)).min(var.init_regs.len());
        let regs = var.init_regs.iter().skip(var.init_regs.len() - named);
        let mut binders: Vec<String> =
            regs.zip(&sets).map(|(&reg, set)| format!("{} \\in {set}", self.bound_name(reg))).collect();
        for (number, set) in sets.iter().enumerate().skip(binders.len()) {
            binders.push(format!("{}i{number} \\in {set}", self.prefix));
        }
        Ok(format!("{name} = {}", but(format!("[{} |-> {value}]", binders.join(", ")))))
    }

    fn specification(&self, choice: FairnessChoice) -> String {
        let mut text = String::from("Next ==\n");
        let quantified = |family: FamilyId, what: &dyn Fn(&str) -> String| {
            if self.program.families[family].single {
                what("")
            } else {
                format!("\\A self \\in {} : {}", self.families[family], what("self"))
            }
        };
        for (id, family) in self.program.families.iter_enumerated() {
            let step = self.step_of(id, "self");
            if family.single {
                let _ = writeln!(text, "  \\/ {step}");
            } else {
                let _ = writeln!(text, "  \\/ \\E self \\in {} : {step}", self.families[id]);
            }
        }
        let _ = writeln!(
            text,
            "\n\\* Some process takes a step where one can; fairness of processes comes on top."
        );
        let _ = writeln!(text, "Spec ==\n  /\\ Init /\\ [][Next]_vars /\\ WF_vars(Next)");
        for (id, family) in self.program.families.iter_enumerated() {
            let fairness = match choice {
                FairnessChoice::Model => family.fairness,
                FairnessChoice::All(fairness) => fairness,
            };
            let word = match fairness {
                Fairness::None => continue,
                Fairness::Weak => "WF",
                Fairness::Strong => "SF",
            };
            let fair = quantified(id, &|process| format!("{word}_vars({})", self.step_of(id, process)));
            let _ = writeln!(text, "  /\\ {fair}");
        }
        for (action, fairness) in self.program.actions.iter().zip(&self.fair_steps) {
            let word = match action.fairness {
                _ if choice != FairnessChoice::Model => continue,
                Fairness::None => continue,
                Fairness::Weak => "WF",
                Fairness::Strong => "SF",
            };
            let fair = quantified(action.family, &|_| format!("{word}_vars({fairness})"));
            let _ = writeln!(text, "  /\\ {fair}");
        }
        text.push('\n');
        text
    }
}

/// A number, in brackets where it has a sign.
fn number(value: i64) -> String {
    if value < 0 { format!("({value})") } else { value.to_string() }
}

/// A name as TLA+ allows it: with a letter, and not like the start of a fairness condition.
fn proper(name: &str) -> String {
    let has_letter = name.contains(|c: char| c.is_ascii_alphabetic());
    if has_letter && !name.starts_with("WF_") && !name.starts_with("SF_") {
        name.to_string()
    } else {
        format!("v{name}")
    }
}
