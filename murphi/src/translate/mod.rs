//! From the tree to a text in the modelling language.
//!
//! A scalarset is a family, and a ruleset's first process owns its rules; rules without one belong to the process `system`. A rule's
//! body is a block, procedures are written out where they are called, start states are `init` blocks. What has no range in the
//! modelling language, an enumeration or a truth value as an index or bound name, is written out value by value.

mod assign;
mod bind;
mod call;
mod defined;
mod expr;
mod loops;
mod multiset;
mod names;
mod rules;
mod scope;
mod stmt;
mod types;

use crate::Names;
use crate::marks::{Origins, marked, plain, taken_out};
use crate::token::Comment;
use crate::tree::{Decl, Model};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use call::Returning;
use core::fmt::Write as _;
use defined::Defined;
use orbitscope_core::limits::MAX_DIAGNOSTICS;
use orbitscope_core::text::Diagnostic;
use scope::{Entity, Place, Val, strength};
use types::{LeafId, TyId, TyInfo};

/// A translation that is larger would take too long to check.
pub(crate) const MAX_TEXT: usize = 4 << 20;

/// Who owns the rules that no process owns.
const SYSTEM: &str = "system";

struct Property {
    comments: Vec<String>,
    text: String,
}

pub(crate) struct Translator<'a> {
    model: &'a Model,
    diagnostics: Vec<Diagnostic>,
    types: Vec<TyInfo>,
    scope: Vec<(String, Entity)>,
    /// Where the names of the present body start, and those of the text end.
    level: usize,
    globals: usize,
    /// The names of the translated text, and those in use at this point.
    taken: BTreeSet<String>,
    used: BTreeSet<String>,
    leaves: usize,
    locals: usize,
    undefined: Vec<bool>,
    defined: Defined,
    /// The simple parts of all shared variables.
    shared_parts: Vec<(String, LeafId)>,
    as_families: BTreeSet<String>,
    families: Vec<(String, String)>,
    /// Functions that check what they are given: the types of what they take and give.
    givens: BTreeMap<String, (String, String)>,
    helpers: BTreeSet<&'static str>,
    /// The loops around this point: the name and what it goes through.
    loops: Vec<(String, TyId)>,
    /// Whether the indices of a place are found now and kept.
    freezing: bool,
    /// Where no statement can be written in front.
    no_statements: u32,
    /// Who owns the rules at this point, where a line says so, and the processes that such lines name.
    owner: Option<String>,
    own_processes: Vec<(String, String)>,
    /// Where the last part of the text started.
    last_rule: u32,
    calling: Vec<usize>,
    called: BTreeSet<usize>,
    signatures: BTreeMap<usize, (Vec<TyId>, Option<TyId>)>,
    returning: Returning,
    lines: String,
    indent: usize,
    size: usize,
    rule_count: usize,
    action_names: BTreeSet<(String, String)>,
    property_names: BTreeSet<String>,
    comments: &'a [Comment],
    next_comment: usize,
    head: Vec<String>,
    starts: Vec<String>,
    actions: Vec<(String, String)>,
    properties: Vec<Property>,
    names: Names,
}

/// The meaning of a text in the modelling language.
pub(crate) struct Translated {
    pub text: String,
    pub origins: Origins,
    pub names: Names,
}

/// Translates a tree that was read without errors.
pub(crate) fn translate(model: &Model, comments: &[Comment]) -> Result<Translated, Vec<Diagnostic>> {
    let mut first = Translator::new(model, comments);
    first.run();
    let found = core::mem::take(&mut first.defined).closed();
    let mut undefined = alloc::vec![false; first.leaves];
    for leaf in found {
        if let Some(place) = undefined.get_mut(leaf.0) {
            *place = true;
        }
    }
    if !first.diagnostics.is_empty() {
        return Err(first.reported());
    }
    let mut second = Translator::new(model, comments);
    second.undefined = undefined;
    second.as_families = first.as_families;
    second.run();
    if !second.diagnostics.is_empty() {
        return Err(second.reported());
    }
    let (text, origins) = taken_out(&second.written());
    Ok(Translated { text, origins, names: second.names })
}

impl<'a> Translator<'a> {
    fn new(model: &'a Model, comments: &'a [Comment]) -> Translator<'a> {
        Translator {
            model,
            comments,
            diagnostics: Vec::new(),
            types: types::first_types(),
            scope: Vec::new(),
            level: 0,
            globals: 0,
            taken: BTreeSet::from([SYSTEM.to_string()]),
            used: BTreeSet::new(),
            leaves: 0,
            locals: 0,
            undefined: Vec::new(),
            defined: Defined::default(),
            shared_parts: Vec::new(),
            as_families: BTreeSet::new(),
            families: Vec::new(),
            givens: BTreeMap::new(),
            helpers: BTreeSet::new(),
            loops: Vec::new(),
            freezing: false,
            no_statements: 0,
            owner: None,
            own_processes: Vec::new(),
            last_rule: 0,
            calling: Vec::new(),
            called: BTreeSet::new(),
            signatures: BTreeMap::new(),
            returning: Returning::default(),
            lines: String::new(),
            indent: 0,
            size: 0,
            rule_count: 0,
            action_names: BTreeSet::new(),
            property_names: BTreeSet::new(),
            next_comment: 0,
            head: Vec::new(),
            starts: Vec::new(),
            actions: Vec::new(),
            properties: Vec::new(),
            names: Names::default(),
        }
    }

    fn reported(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
        self.diagnostics.dedup();
        self.diagnostics.truncate(MAX_DIAGNOSTICS);
        self.diagnostics
    }

    fn run(&mut self) {
        let model = self.model;
        for (number, routine) in model.routines.iter().enumerate() {
            self.declare(&routine.name.text, routine.name.span, Entity::Routine(number));
        }
        self.no_statements += 1;
        for decl in &model.decls {
            self.global(decl);
        }
        self.no_statements -= 1;
        self.globals = self.scope.len();
        self.level = self.globals;
        let mut around = Vec::new();
        self.rules(&model.rules, &mut around);
        for number in 0..model.routines.len() {
            if !self.called.contains(&number) {
                self.check_alone(number);
            }
        }
        if self.starts.is_empty() && self.diagnostics.is_empty() {
            let span = model.rules.last().map_or(orbitscope_core::text::Span::new(0, 1), |rule| rule.span);
            self.error(span, "there is no start state: `startstate … end` says where the model starts");
        }
        if self.size > MAX_TEXT {
            self.too_large();
        }
    }

    fn global(&mut self, decl: &Decl) {
        match decl {
            Decl::Const(name, value) => {
                let val = self.expr(value);
                let comments = self.comments_before(name.span.start);
                let meaning = if val.number.is_some() {
                    let out = self.global_name(&name.text);
                    self.head.extend(comments);
                    self.head.push(marked(&format!("param {out} = {}", val.text()), name.span));
                    // Set to another number it may be negative.
                    Val { base: out, strength: strength::ATOM, natural: false, ..val }
                } else {
                    if !val.stable {
                        self.error(value.span, "a constant has a fixed value");
                    }
                    val
                };
                self.declare(&name.text, name.span, Entity::Value(meaning));
            }
            Decl::Type(name, ty) => self.type_decl(name, ty),
            Decl::Var(field) => {
                let first = field.names.first().map_or("", |name| name.text.as_str());
                let ty = self.type_with_records(&field.ty, first);
                for name in &field.names {
                    let comments = self.comments_before(name.span.start);
                    let out = self.global_name(&name.text);
                    let leaf = self.leaf();
                    let path = name.text.clone();
                    self.shared_parts.extend(self.parts(ty, &path, leaf));
                    let mut val = Val::new(out.clone(), ty, strength::ATOM);
                    val.place = Some(Place { leaf, path, whole: true, loops: Vec::new(), assignable: true });
                    self.refine(&mut val, None);
                    self.declare(&name.text, name.span, Entity::Value(val));
                    let value = self.unassigned(ty, leaf);
                    self.head.extend(comments);
                    for declaration in self.declarations(&out, ty, leaf, name.span) {
                        self.head.push(marked(&format!("shared {declaration} = {value}"), name.span));
                    }
                }
            }
        }
    }

    fn type_decl(&mut self, name: &crate::tree::Name, ty: &crate::tree::Type) {
        let comments = self.comments_before(name.span.start);
        self.head.extend(comments);
        let id = self.type_with_records(ty, &name.text);
        if id.0 > 3 {
            self.types[id.0].called.get_or_insert_with(|| name.text.clone());
        }
        let direct = !matches!(ty.kind, crate::tree::TypeKind::Named(_));
        let named = match self.ty(id) {
            types::Ty::Range(..) | types::Ty::Enum(_) | types::Ty::Union(_) => direct,
            _ => false,
        };
        if named && self.types[id.0].name.is_none() {
            let out = self.global_name(&name.text);
            let text = self.type_text(id);
            self.head.push(marked(&format!("type {out} = {text}"), name.span));
            self.types[id.0].name = Some(out);
        }
        self.declare(&name.text, name.span, Entity::Type(id));
    }

    /// Resolves a type and declares the records in it.
    fn type_with_records(&mut self, ty: &crate::tree::Type, hint: &str) -> TyId {
        let known = self.types.len();
        let id = self.resolve(ty, hint);
        for record in known..self.types.len() {
            let types::Ty::Record(fields) = self.types[record].ty.clone() else { continue };
            let Some(name) = self.types[record].name.clone() else { continue };
            let fields: Vec<String> =
                fields.iter().flat_map(|f| self.declarations(&f.out, f.ty, f.leaf, ty.span)).collect();
            self.head.push(marked(&format!("type {name} = record {{ {} }}", fields.join(", ")), ty.span));
        }
        id
    }

    /// The comments up to a place that have not been written yet.
    fn comments_before(&mut self, place: u32) -> Vec<String> {
        let mut out = Vec::new();
        while let Some(comment) = self.comments.get(self.next_comment)
            && comment.span.start < place
        {
            self.next_comment += 1;
            if comment.text.starts_with(crate::PROPERTY_MARK) {
                continue;
            }
            for line in comment.text.lines() {
                let line: String = line.chars().filter(|c| !c.is_control() || *c == '\t').collect();
                out.push(format!("// {}", line.trim_end()).trim_end().to_string());
            }
        }
        out
    }

    fn written(&mut self) -> String {
        let mut out = String::new();
        let rest = self.comments_before(u32::MAX);
        for line in &self.head {
            out.push_str(line);
            out.push('\n');
        }
        let owners: BTreeSet<&String> = self.actions.iter().map(|(owner, _)| owner).collect();
        let mut literals: Vec<String> = Vec::new();
        for literal in &self.as_families {
            literals.push(format!("scalarset {literal}[1]\n"));
        }
        for (family, size) in &self.families {
            if !owners.contains(family) {
                literals.push(format!("scalarset {family}[{size}]\n"));
            }
        }
        out.push_str(&literals.concat());
        for (name, (takes, gives)) in &self.givens {
            let _ = writeln!(out, "function {name}(x: {takes}): {gives} {{ return x }}");
        }
        if self.helpers.contains(types::DEFINED_ID) {
            out.push_str("// An id that must not be undefined: where it is, this has no value.\n");
            out.push_str("define defined_id(x, no_value) = if x != none or no_value == 0 then x else x\n");
        }
        if self.helpers.contains("in_range") {
            out.push_str("// A number that must be in a range: where it is not, this has no value.\n");
            out.push_str(
                "define in_range(x, low, high, no_value) = low <= x and x <= high or no_value == 0\n",
            );
        }
        if self.helpers.contains("quotient") || self.helpers.contains("remainder") {
            out.push_str("define quotient(a, b) = if a < 0 then -(-a / b) else a / b\n");
        }
        if self.helpers.contains("remainder") {
            out.push_str("define remainder(a, b) = a - b * quotient(a, b)\n");
        }
        for start in &self.starts {
            out.push('\n');
            out.push_str(start);
        }
        let mut families: Vec<(String, Option<String>)> =
            self.families.iter().map(|(name, size)| (name.clone(), Some(size.clone()))).collect();
        families.extend(self.own_processes.iter().map(|(_, name)| (name.clone(), None)));
        families.push((SYSTEM.into(), None));
        for (family, size) in families {
            let own: Vec<&String> =
                self.actions.iter().filter(|(owner, _)| *owner == family).map(|(_, text)| text).collect();
            if own.is_empty() {
                continue;
            }
            let size = size.map_or(String::new(), |size| format!("[{size}]"));
            let _ = writeln!(out, "\nprocess {family}{size} {{");
            for action in own {
                out.push_str(action);
            }
            out.push_str("}\n");
        }
        out.push('\n');
        for property in &self.properties {
            for comment in &property.comments {
                out.push_str(comment);
                out.push('\n');
            }
            out.push_str(&property.text);
            out.push('\n');
        }
        for comment in self.comments {
            if let Some(text) = comment.text.strip_prefix(crate::PROPERTY_MARK)
                && owner_named(&comment.text).is_none()
            {
                out.push_str(&marked(plain(text).trim(), comment.span));
                out.push('\n');
            }
        }
        for comment in rest {
            out.push_str(&comment);
            out.push('\n');
        }
        out
    }
}

/// The owner that a comment names.
fn owner_named(comment: &str) -> Option<&str> {
    let words = comment.strip_prefix(crate::PROPERTY_MARK)?.trim();
    words.strip_prefix("owner ").map(str::trim)
}
