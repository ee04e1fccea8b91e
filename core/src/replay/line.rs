//! A line of a log, and what it means in the program.

use crate::error::{Classified, ErrorKind};
use crate::group::Process;
use crate::program::{Domain, FamilyId, Program, Slot, Type, VarId};
use crate::text::closest;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// One line of a log. Every part may be missing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observation {
    /// Who moved: a name is one process for the whole log.
    pub process: Option<String>,
    /// The action's name.
    pub action: Option<String>,
    /// All arguments of the action.
    pub arguments: Option<Vec<Seen>>,
    /// Values after the step, by variable: `turn`, the mover's own `st`, `worker-3.st`, `heard[worker-3]`.
    pub after: Vec<(String, Seen)>,
}

/// A value in a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// A truth value.
    Bool(bool),
    /// A number, or the name of a process that is one.
    Int(i64),
    /// A literal, the name of a process, or `none`.
    Word(String),
    /// No process.
    Nothing,
}

impl Seen {
    /// Whether it is no process, where there may be none.
    pub(super) fn is_none(&self) -> bool {
        matches!(self, Seen::Nothing) || matches!(self, Seen::Word(word) if word == "none")
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Bool(value) => write!(f, "{value}"),
            Seen::Int(value) => write!(f, "{value}"),
            Seen::Word(word) => f.write_str(word),
            Seen::Nothing => f.write_str("none"),
        }
    }
}

/// A line that says nothing about this program: a name that it does not have, or a value of another kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError(String);

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for LineError {}

impl Classified for LineError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Model
    }
}

/// A name of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NameId(pub usize);

/// The names that a log has used so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub texts: Vec<String>,
    /// The process that the name is the model's own name of.
    pub fixed: Vec<Option<Process>>,
    /// Whether names such as `client[0]` are the model's own.
    pub own: bool,
}

impl Names {
    /// The name's number. A single process is always known by the model's name for it.
    fn id(&mut self, program: &Program, name: &str) -> NameId {
        if let Some(at) = self.texts.iter().position(|known| known == name) {
            return NameId(at);
        }
        let (family, number) = match name.strip_suffix(']').and_then(|open| open.split_once('[')) {
            Some((family, digits)) => (family, digits.parse::<u32>().ok()),
            None => (name, None),
        };
        let family = program.families.iter_enumerated().find(|(_, own)| own.name == family);
        let fixed = match (family, number) {
            (Some((id, family)), None) if family.single && family.name == name => {
                Some(program.process(id, 0))
            }
            (Some((id, family)), Some(number)) if self.own && !family.single && number < family.size => {
                Some(program.process(id, number))
            }
            _ => None,
        };
        self.texts.push(name.into());
        self.fixed.push(fixed);
        NameId(self.texts.len() - 1)
    }

    /// The binding with one more process, if that fits what it says already.
    pub(super) fn bind(
        &self,
        mut binding: Vec<Option<Process>>,
        name: NameId,
        process: Process,
    ) -> Option<Vec<Option<Process>>> {
        match binding[name.0] {
            Some(own) => (own == process).then_some(binding),
            None if binding.contains(&Some(process)) => None,
            None if self.fixed[name.0].is_some_and(|own| own != process) => None,
            None => {
                binding[name.0] = Some(process);
                Some(binding)
            }
        }
    }
}

/// A line in the program's words.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub process: Option<NameId>,
    pub action: Option<String>,
    pub arguments: Option<Vec<Value>>,
    pub checks: Vec<Check>,
}

/// A value that was seen. What it means is up to the type that it is compared with: variables of one name, and actions, may
/// have other types in other families.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub seen: Seen,
    /// The process that it names, where one of the types has processes.
    pub name: Option<NameId>,
}

/// A variable with the value that was seen.
#[derive(Clone, Debug)]
pub(super) struct Check {
    /// As the log has it.
    pub text: String,
    name: String,
    owner: Option<NameId>,
    index: Vec<Value>,
    pub seen: Value,
}

/// Where a check looks.
pub(super) enum Place {
    At(Slot, Type),
    /// This name has to be a process of one of the families first.
    Needs(NameId, Vec<FamilyId>),
    /// The variable is none of the process, or there is no such entry.
    Nowhere,
}

pub(super) fn domain_type(domain: Domain) -> Type {
    match domain {
        Domain::Family(family) => Type::Process { family, optional: false },
        Domain::Range(..) => Type::Int,
    }
}

impl Line {
    /// Finds out what a line means. Names that are met for the first time are added.
    pub(super) fn resolve(
        program: &Program,
        names: &mut Names,
        seen: &Observation,
    ) -> Result<Line, LineError> {
        if let Some(action) = &seen.action {
            known("action", action, program.actions.iter().map(|action| action.name.as_str()))?;
        }
        let process = seen.process.as_ref().map(|name| names.id(program, name));
        let arguments = match &seen.arguments {
            None => None,
            Some(list) => {
                let own = program.actions.iter().filter(|action| {
                    seen.action.as_ref() == Some(&action.name) && action.params.len() == list.len()
                });
                let rows = own.map(|action| {
                    let params = action.params.iter();
                    params.map(|param| (domain_type(param.domain), param.name.as_str())).collect()
                });
                let rows: Vec<Vec<(Type, &str)>> = rows.collect();
                if rows.is_empty() {
                    let words = match &seen.action {
                        Some(name) => format!("no action `{name}` has {} arguments", list.len()),
                        None => "arguments without an action".into(),
                    };
                    return Err(LineError(words));
                }
                Some(values(program, names, &rows, list)?)
            }
        };
        let checks = seen.after.iter().map(|(text, value)| Check::resolve(program, names, text, value));
        Ok(Line {
            process,
            action: seen.action.clone(),
            arguments,
            checks: checks.collect::<Result<_, _>>()?,
        })
    }
}

impl Check {
    fn resolve(program: &Program, names: &mut Names, text: &str, seen: &Seen) -> Result<Check, LineError> {
        let (place, index) = split_index(text);
        let (owner, name) = match place.rsplit_once('.') {
            Some((owner, name)) => (Some(names.id(program, owner)), name),
            None => (None, place),
        };
        known("variable", name, program.vars.iter().map(|var| var.name.as_str()))?;
        let own = || program.vars.iter().filter(|var| var.name == name);
        let rows = own().filter(|var| var.index.len() == index.len()).map(|var| {
            let types = var.index.iter().map(|&domain| domain_type(domain)).chain([var.ty.ty]);
            types.map(|ty| (ty, text)).collect()
        });
        let rows: Vec<Vec<(Type, &str)>> = rows.collect();
        if rows.is_empty() {
            let count = own().next().map_or(0, |var| var.index.len());
            return Err(LineError(format!("`{text}` has {} indices, and `{name}` has {count}", index.len())));
        }
        let index = index.iter().map(|word| {
            let number = word.parse().map(Seen::Int);
            number.unwrap_or_else(|_| Seen::Word((*word).to_owned()))
        });
        let all: Vec<Seen> = index.chain([seen.clone()]).collect();
        let mut index = values(program, names, &rows, &all)?;
        let seen = index.remove(all.len() - 1);
        Ok(Check { text: text.into(), name: name.into(), owner, index, seen })
    }

    /// Where it looks, if `process` has moved.
    pub(super) fn slot(
        &self,
        program: &Program,
        process: Option<Process>,
        binding: &[Option<Process>],
    ) -> Place {
        let is = |name: NameId| binding[name.0].ok_or(name);
        let local = |family: FamilyId| {
            let vars = program.families[family].vars.iter().copied();
            vars.into_iter().find(|&id| program.vars[id].name == self.name)
        };
        let owner = match self.owner.map(is) {
            None => process,
            Some(Ok(process)) => Some(process),
            Some(Err(name)) => {
                let families = program.families.ids().filter(|&family| local(family).is_some());
                return Place::Needs(name, families.collect());
            }
        };
        let own = owner.and_then(|process| {
            let (family, number) = program.locate(process);
            Some((local(family)?, number))
        });
        let shared = || {
            let ids = program.vars.ids();
            ids.into_iter().find(|&id| program.vars[id].owner.is_none() && program.vars[id].name == self.name)
        };
        let (id, number) = match own {
            Some(found) => found,
            None if self.owner.is_some() => return Place::Nowhere,
            None => match shared() {
                Some(id) => (id, 0),
                None => return Place::Nowhere,
            },
        };
        self.entry(program, id, number, is)
    }

    fn entry(
        &self,
        program: &Program,
        id: VarId,
        number: u32,
        is: impl Fn(NameId) -> Result<Process, NameId>,
    ) -> Place {
        let var = &program.vars[id];
        if var.index.len() != self.index.len() {
            return Place::Nowhere;
        }
        let mut entry = 0;
        for (&domain, index) in var.index.iter().zip(&self.index) {
            let (low, size, at) = match (domain, index) {
                (Domain::Range(low, high), Value { seen: Seen::Int(at), .. }) => {
                    (low, (high - low + 1).max(0), *at)
                }
                (Domain::Family(family), Value { name: Some(name), .. }) => match is(*name) {
                    Err(name) => return Place::Needs(name, alloc::vec![family]),
                    Ok(process) if program.locate(process).0 == family => {
                        (0, program.families[family].size.into(), program.locate(process).1.into())
                    }
                    Ok(_) => return Place::Nowhere,
                },
                _ => return Place::Nowhere,
            };
            if !(low..low + size).contains(&at) {
                return Place::Nowhere;
            }
            entry = entry * size + (at - low);
        }
        let (first, _) = program.entries(id, number);
        Place::At(Slot(first.0 + entry as u32), var.ty.ty)
    }
}

/// A place without its last brackets, and what stands between these: `heard[w[1], 2]` has two indices.
fn split_index(text: &str) -> (&str, Vec<&str>) {
    let mut depth = 0;
    let mut ends = Vec::new();
    for (at, sign) in text.char_indices().rev() {
        match sign {
            ']' => depth += 1,
            '[' => depth -= 1,
            ',' if depth == 1 => ends.push(at),
            _ => {}
        }
        if depth <= 0 {
            // A name that only contains brackets has no index.
            if sign != '[' || !text.ends_with(']') {
                break;
            }
            let mut index = Vec::with_capacity(ends.len() + 1);
            let mut from = at + 1;
            for &end in ends.iter().rev().chain(&[text.len() - 1]) {
                index.push(text[from..end].trim());
                from = end + 1;
            }
            return (&text[..at], index);
        }
    }
    (text, Vec::new())
}

/// Values that stand together, each row the types that they may have and what these are of. It is enough that one row can have
/// all of them.
fn values(
    program: &Program,
    names: &mut Names,
    rows: &[Vec<(Type, &str)>],
    seen: &[Seen],
) -> Result<Vec<Value>, LineError> {
    let mut named = alloc::vec![false; seen.len()];
    let (mut fits, mut first) = (false, None);
    for row in rows {
        let read = row.iter().zip(seen).map(|(&(ty, what), seen)| is_name(program, ty, seen, what));
        match read.collect::<Result<Vec<bool>, LineError>>() {
            Ok(own) => {
                fits = true;
                named.iter_mut().zip(own).for_each(|(named, own)| *named |= own);
            }
            Err(wrong) => first = first.or(Some(wrong)),
        }
    }
    if let Some(wrong) = first.filter(|_| !fits) {
        return Err(wrong);
    }
    let values = seen.iter().zip(named).map(|(seen, named)| Value {
        name: named.then(|| names.id(program, &seen.to_string())),
        seen: seen.clone(),
    });
    Ok(values.collect())
}

/// Whether a value of a type, as the log writes it, is the name of a process; wrong where the type has no such value.
fn is_name(program: &Program, ty: Type, seen: &Seen, what: &str) -> Result<bool, LineError> {
    let expected = |kind: String| LineError(format!("`{what}` is {kind}, and the log says {seen}"));
    match (ty, seen) {
        (Type::Bool, Seen::Bool(_)) | (Type::Int | Type::Error, Seen::Int(_)) => Ok(false),
        (Type::Bool, _) => Err(expected("true or false".into())),
        (Type::Int | Type::Error, _) => Err(expected("a number".into())),
        (Type::Enum(id), Seen::Word(word)) if program.enums[id].contains(word) => Ok(false),
        (Type::Enum(id), _) => Err(expected(format!("one of {}", program.enums[id].join(", ")))),
        (Type::Process { optional: true, .. } | Type::None, seen) if seen.is_none() => Ok(false),
        (Type::Process { .. }, Seen::Word(_) | Seen::Int(_)) => Ok(true),
        (Type::Process { .. } | Type::None, _) => Err(expected("a process".into())),
    }
}

fn known<'a>(kind: &str, name: &str, all: impl Iterator<Item = &'a str> + Clone) -> Result<(), LineError> {
    if all.clone().any(|own| own == name) {
        return Ok(());
    }
    let hint = closest(name, all).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(LineError(format!("the model has no {kind} `{name}`{hint}")))
}
