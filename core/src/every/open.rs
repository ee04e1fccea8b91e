//! Which families are open: those whose sizes depend on the parameters that are left open.

use crate::ids::Id;
use crate::program::{FamilyId, Program, Settings, build};
use crate::sort::Sort as _;
use crate::syntax::ast::{
    BinaryOp, Binder, Block, Domain, ExprId, ExprKind, File, Item, ItemKind, StatementKind,
};

use crate::text::{Diagnostic, Span, closest};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A parameter that is left open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenParam {
    /// Its name.
    pub name: String,
    /// Its least value: what the text says, or 1.
    pub least: i64,
    /// Its largest value, where the text limits it. The proof goes beyond it, checks of single instances do not.
    pub most: Option<i64>,
}

/// An open family: it has `factor` · (the parameter) + `offset` processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenFamily {
    /// The family.
    pub family: FamilyId,
    /// The number of the parameter.
    pub param: usize,
    factor: i64,
    offset: i64,
}

impl OpenFamily {
    /// Its size where the parameter has this value.
    pub fn size(&self, value: i64) -> u32 {
        let size = self.factor.saturating_mul(value).saturating_add(self.offset);
        u32::try_from(size.max(0)).unwrap_or(u32::MAX)
    }
}

/// A model with open parameters.
#[derive(Clone, Debug)]
pub struct Opened {
    file: File,
    /// The same without the bounds of the open parameters.
    boundless: File,
    settings: Settings,
    /// The open parameters in the order of the text.
    pub params: Vec<OpenParam>,
    /// The open families in the order of the text.
    pub families: Vec<OpenFamily>,
    /// The properties that mention an open parameter, and where.
    pub mentioned: BTreeMap<String, (String, Span)>,
}

/// A program that stands for all sizes has room for this many processes.
const ROOM: i64 = 512;

impl Opened {
    /// The model with the open parameters set.
    pub fn instance(&self, values: &[i64]) -> Result<Program, Vec<Diagnostic>> {
        build(&self.file, &self.set(values))
    }

    /// The model with few processes, whatever its parameters' bounds.
    pub fn small(&self) -> Result<Program, Vec<Diagnostic>> {
        build(&self.boundless, &self.set(&self.params.iter().map(|p| p.least.max(4)).collect::<Vec<_>>()))
    }

    /// The model with room for a crowd.
    pub fn roomy(&self) -> Result<Program, Vec<Diagnostic>> {
        build(&self.boundless, &self.set(&self.params.iter().map(|p| p.least.max(ROOM)).collect::<Vec<_>>()))
    }

    fn set(&self, values: &[i64]) -> Settings {
        let mut settings = self.settings.clone();
        settings.params.extend(self.params.iter().map(|p| p.name.clone()).zip(values.iter().copied()));
        settings
    }
}

/// Leaves parameters of a model open: the named ones, or all that give sizes of families and are not set.
pub fn open(file: &File, settings: &Settings, names: &[String]) -> Result<Opened, Vec<Diagnostic>> {
    let program = build(file, settings)?;
    let opener = Opener { file, settings, program: &program };
    let names = opener.names(names).map_err(|d| alloc::vec![d])?;
    let mut boundless = file.clone();
    for item in &mut boundless.items {
        if let ItemKind::Param { name, range, .. } = &mut item.kind
            && names.contains(&name.name)
        {
            *range = None;
        }
    }
    let params = program.params.iter().filter(|p| names.contains(&p.name));
    let params: Vec<OpenParam> = params
        .map(|p| OpenParam {
            name: p.name.clone(),
            least: p.range.map_or(1, |(low, _)| low.max(0)),
            most: p.range.map(|(_, high)| high),
        })
        .collect();
    let (families, sizes) = opener.families(&params).map_err(|d| alloc::vec![d])?;
    let mentioned = opener.mentioned(&params, &sizes).map_err(|d| alloc::vec![d])?;
    Ok(Opened { file: file.clone(), boundless, settings: settings.clone(), params, families, mentioned })
}

struct Opener<'a> {
    file: &'a File,
    settings: &'a Settings,
    program: &'a Program,
}

impl<'a> Opener<'a> {
    /// The sizes of the families, in order.
    fn sizes(&self) -> impl Iterator<Item = Option<ExprId>> + 'a {
        self.file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Process(decl) => Some(decl.size),
            _ => None,
        })
    }

    /// The value that the text gives a parameter, unless another is set.
    fn value(&self, name: &str) -> Option<ExprId> {
        if self.settings.params.iter().any(|(set, _)| set == name) {
            return None;
        }
        self.file.items.iter().find_map(|item| match &item.kind {
            ItemKind::Param { name: own, value, .. } if own.name == name => Some(*value),
            _ => None,
        })
    }

    /// The parameters to leave open.
    fn names(&self, asked: &[String]) -> Result<Vec<String>, Diagnostic> {
        let mut sizing: BTreeSet<String> = BTreeSet::new();
        for size in self.sizes().flatten() {
            self.params_in(size, &mut sizing);
        }
        for name in asked {
            if !self.program.params.iter().any(|p| p.name == *name) {
                let near = closest(name, self.program.params.iter().map(|p| p.name.as_str()));
                let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                let message = format!("there is no parameter called `{name}`{hint}");
                return Err(Diagnostic::new(Span::default(), message));
            }
            if !sizing.contains(name) {
                let message = format!(
                    "the parameter `{name}` gives no family its size: there is nothing to leave open"
                );
                return Err(Diagnostic::new(Span::default(), message));
            }
        }
        let set = |name: &str| self.settings.params.iter().any(|(own, _)| own == name);
        let chosen: Vec<String> = if asked.is_empty() {
            // A parameter whose value is that of others follows them.
            let first = |name: &String| !set(name) && self.value(name).is_none_or(|v| self.is_fixed(v));
            sizing.into_iter().filter(|name| first(name)).collect()
        } else {
            asked.to_vec()
        };
        if chosen.is_empty() {
            let message = "no parameter of the model gives a family its size: there is nothing to leave open";
            return Err(Diagnostic::new(Span::default(), message));
        }
        Ok(chosen)
    }

    fn is_fixed(&self, expr: ExprId) -> bool {
        let mut named = BTreeSet::new();
        self.params_in(expr, &mut named);
        named.is_empty()
    }

    fn params_in(&self, expr: ExprId, found: &mut BTreeSet<String>) {
        match &self.file.exprs[expr].kind {
            ExprKind::Name(name) => {
                if self.program.params.iter().any(|p| p.name == *name)
                    && found.insert(name.clone())
                    && let Some(value) = self.value(name)
                {
                    self.params_in(value, found);
                }
            }
            ExprKind::Binary(_, a, b) => {
                self.params_in(*a, found);
                self.params_in(*b, found);
            }
            ExprKind::Neg(a) => self.params_in(*a, found),
            ExprKind::Call(_, list) => list.iter().for_each(|&a| self.params_in(a, found)),
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|&a| self.params_in(a, found)),
            _ => {}
        }
    }

    /// The open families, and where their sizes stand.
    fn families(&self, params: &[OpenParam]) -> Result<(Vec<OpenFamily>, Vec<Span>), Diagnostic> {
        let (mut families, mut spans) = (Vec::new(), Vec::new());
        for (number, size) in self.sizes().enumerate() {
            let Some(size) = size else { continue };
            let span = self.file.exprs[size].span;
            let mut named = BTreeSet::new();
            self.params_in(size, &mut named);
            if !params.iter().any(|p| named.contains(&p.name)) {
                continue;
            }
            let linear = self.linear(size, params, 0);
            let (factor, param, offset) = match linear {
                Some((factors, offset)) if factors.len() == 1 && factors[0].1 >= 1 => {
                    (factors[0].1, factors[0].0, offset)
                }
                _ => {
                    return Err(Diagnostic::new(
                        span,
                        "this size is not an open parameter, or a multiple of one and a fixed number",
                    ));
                }
            };
            families.push(OpenFamily { family: FamilyId::from_index(number), param, factor, offset });
            spans.push(span);
        }
        Ok((families, spans))
    }

    /// An expression as a sum of multiples of open parameters and a number.
    fn linear(&self, expr: ExprId, params: &[OpenParam], depth: u32) -> Option<(Vec<(usize, i64)>, i64)> {
        if depth > 200 {
            return None;
        }
        let of = |expr| self.linear(expr, params, depth + 1);
        match &self.file.exprs[expr].kind {
            ExprKind::Int(value) => Some((Vec::new(), *value)),
            ExprKind::Name(name) => {
                if let Some(open) = params.iter().position(|p| p.name == *name) {
                    return Some((alloc::vec![(open, 1)], 0));
                }
                if let Some(value) = self.value(name) {
                    return of(value);
                }
                let known = self.program.params.iter().find(|p| p.name == *name)?;
                Some((Vec::new(), known.value))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (of(*a)?, of(*b)?);
                match op {
                    BinaryOp::Add => Some(added(a, b, 1)?),
                    BinaryOp::Sub => Some(added(a, b, -1)?),
                    BinaryOp::Mul if a.0.is_empty() => added((Vec::new(), 0), b, a.1),
                    BinaryOp::Mul if b.0.is_empty() => added((Vec::new(), 0), a, b.1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The properties that mention an open parameter; that anything else does is an error.
    fn mentioned(
        &self,
        params: &[OpenParam],
        sizes: &[Span],
    ) -> Result<BTreeMap<String, (String, Span)>, Diagnostic> {
        let mut tainted: BTreeSet<String> = params.iter().map(|p| p.name.clone()).collect();
        // Definitions and parameters that mention one are as good as it.
        loop {
            let before = tainted.len();
            for item in &self.file.items {
                let named = match &item.kind {
                    ItemKind::Define { name, .. } => name,
                    ItemKind::Param { name, value, .. } => {
                        let span = self.file.exprs[*value].span;
                        if self.value(&name.name).is_some() && self.uses(&tainted, span).next().is_some() {
                            tainted.insert(name.name.clone());
                        }
                        continue;
                    }
                    _ => continue,
                };
                if self.uses(&tainted, item.span).next().is_some() {
                    tainted.insert(named.name.clone());
                }
            }
            if tainted.len() == before {
                break;
            }
        }
        let mut mentioned = BTreeMap::new();
        for item in &self.file.items {
            match &item.kind {
                // A type or a routine may be used in many ways: one that mentions it is refused where it stands.
                ItemKind::Shared(_)
                | ItemKind::Process(_)
                | ItemKind::Type { .. }
                | ItemKind::Routine(_)
                | ItemKind::Assume(_) => {
                    let ranged = ranged(&tainted, item);
                    let outside = self
                        .uses(&tainted, item.span)
                        .find(|(span, _)| !sizes.iter().any(|s| within(*span, *s)));
                    if let Some((span, name)) = outside.or(ranged) {
                        return Err(Diagnostic::new(
                            span,
                            format!(
                                "the model uses `{name}` here, and not only as the size of a family: nothing can be said about every value of it"
                            ),
                        ));
                    }
                }
                ItemKind::Property { name, .. } | ItemKind::Automaton { name, .. } => {
                    if let Some((span, used)) = self.uses(&tainted, item.span).next() {
                        mentioned.insert(name.name.clone(), (used, span));
                    }
                }
                _ => {}
            }
        }
        Ok(mentioned)
    }

    /// The uses of some names in a part of the text, in order.
    fn uses(&self, names: &BTreeSet<String>, inside: Span) -> alloc::vec::IntoIter<(Span, String)> {
        let mut found: Vec<(Span, String)> = Vec::new();
        for expr in &self.file.exprs {
            let name = match &expr.kind {
                ExprKind::Name(name) => name,
                ExprKind::Call(called, _) => &called.name,
                ExprKind::Quantified(_, binders, _) if within(expr.span, inside) => {
                    found.extend(binders.iter().filter_map(|binder| over(names, binder)));
                    continue;
                }
                _ => continue,
            };
            if within(expr.span, inside) && names.contains(name) {
                found.push((expr.span, name.clone()));
            }
        }
        found.arrange();
        found.into_iter()
    }
}

/// The place of one of these names where a binder ranges over it.
fn over(names: &BTreeSet<String>, binder: &Binder) -> Option<(Span, String)> {
    match &binder.domain {
        Domain::Family(name) if names.contains(&name.name) => Some((name.span, name.name.clone())),
        _ => None,
    }
}

/// The place in a process or a routine where a parameter or a statement ranges over one of these names.
fn ranged(names: &BTreeSet<String>, item: &Item) -> Option<(Span, String)> {
    let (binders, mut open): (Vec<&Binder>, Vec<&Block>) = match &item.kind {
        ItemKind::Process(decl) => {
            let assigned = decl.actions.iter().flat_map(|action| &action.assignments);
            let params = decl.actions.iter().flat_map(|action| &action.params);
            let blocks = decl.actions.iter().filter_map(|action| action.block.as_ref()).chain(&decl.code);
            (params.chain(assigned.flat_map(|one| &one.over)).collect(), blocks.collect())
        }
        ItemKind::Routine(decl) => (Vec::new(), alloc::vec![&decl.body]),
        _ => return None,
    };
    let mut found = binders.into_iter().find_map(|binder| over(names, binder));
    while let Some(block) = open.pop() {
        for statement in &block.statements {
            if let StatementKind::For(binders, _) | StatementKind::With(binders, _) = &statement.kind {
                found = found.or_else(|| binders.iter().find_map(|binder| over(names, binder)));
            }
            open.extend(statement.kind.blocks());
        }
    }
    found
}

fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// a + by · b
fn added(
    a: (Vec<(usize, i64)>, i64),
    b: (Vec<(usize, i64)>, i64),
    by: i64,
) -> Option<(Vec<(usize, i64)>, i64)> {
    let mut sum: BTreeMap<usize, i64> = a.0.into_iter().collect();
    for (param, factor) in b.0 {
        let own = sum.entry(param).or_default();
        *own = own.checked_add(factor.checked_mul(by)?)?;
    }
    let sum = sum.into_iter().filter(|(_, factor)| *factor != 0).collect();
    Some((sum, a.1.checked_add(b.1.checked_mul(by)?)?))
}

/// All rows between two, those with the smallest sums first.
pub(super) fn grid(low: &[i64], high: &[i64]) -> Vec<Vec<i64>> {
    let mut rows: Vec<Vec<i64>> = alloc::vec![Vec::new()];
    for (&low, &high) in low.iter().zip(high) {
        rows = rows
            .iter()
            .flat_map(|row| (low..=high).map(move |value| row.iter().copied().chain([value]).collect()))
            .collect();
    }
    rows.arrange_by_key(|row: &Vec<i64>| (row.iter().sum::<i64>(), row.clone()));
    rows
}
