//! Whether expressions see open families only through counts that are compared with fixed numbers, and how far these count.

use super::open::Opened;
use crate::ids::Id;
use crate::program::{
    Comparison, Domain, FamilyId, FormulaId, FormulaKind, Program, PropertyId, PropertyKind, Reg, TermId,
    TermKind, Type,
};
use crate::symmetry::ProgramSymmetry;
use crate::syntax::ast::{Logic, Quantifier};
use crate::text::{Diagnostic, Span};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Why nothing can be said about every size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outside {
    /// The expression.
    pub span: Span,
    /// The message.
    pub message: String,
    /// The nearest thing that can be said.
    pub nearest: String,
}

impl Outside {
    fn new(span: Span, message: impl Into<String>, nearest: impl Into<String>) -> Outside {
        Outside { span, message: message.into(), nearest: nearest.into() }
    }

    /// As a message under the text.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::new(self.span, format!("{}; {}", self.message, self.nearest))
    }
}

/// For each open family up to which number its processes must be counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needs {
    thresholds: Vec<u32>,
}

impl Needs {
    /// The threshold of an open family.
    pub fn threshold(&self, family: usize) -> u32 {
        self.thresholds[family]
    }
}

/// The open families of a program, while its expressions are looked at.
pub(super) struct Reader<'p> {
    program: &'p Program,
    open: Vec<FamilyId>,
    needs: Needs,
}

/// The values that the names of an expression hold.
#[derive(Clone, Default)]
struct Scope {
    /// The family of each name that holds a process of an open one.
    families: BTreeMap<Reg, FamilyId>,
    /// Names of processes that are told apart, so that no counter has them.
    tracked: Vec<Reg>,
}

/// Looks at all actions of a program: what they need, or what cannot be said.
pub(super) fn of_program(
    program: &Program,
    symmetry: &ProgramSymmetry,
    opened: &Opened,
) -> Result<Needs, Outside> {
    if let Some(start) = program.starts.first() {
        return Err(Outside::new(
            start.span,
            "a block of `init` makes the initial states here",
            "initial values that are declared can be taken up to every size",
        ));
    }
    let open: Vec<FamilyId> = opened.families.iter().map(|f| f.family).collect();
    for &family in &open {
        let own = &program.families[family];
        let members = own.first.0..own.first.0 + own.size;
        let whole = symmetry.group.factors().iter().any(|factor| {
            matches!(factor, crate::group::Factor::Symmetric(_))
                && factor.points().len() == own.size
                && factor.points().first().is_some_and(|p| members.contains(&p.0))
        });
        if !whole || own.ring {
            let reason = symmetry.reasons.first();
            return Err(Outside::new(
                reason.map_or(own.span, |r| r.span),
                format!("the processes of `{}` can be told apart by this", own.name),
                "only families whose processes can all be exchanged are counted",
            ));
        }
    }
    let count = open.len();
    let mut reader = Reader { program, open, needs: Needs { thresholds: alloc::vec![1; count] } };
    let mut most = alloc::vec![0; count];
    for (id, action) in program.actions.iter_enumerated() {
        let mut scope = Scope::default();
        let params = action.params.iter().map(|p| p.domain);
        let domains = [Domain::Family(action.family)].into_iter().chain(params);
        for (reg, domain) in (0..).map(Reg).zip(domains) {
            reader.bind(&mut scope, reg, domain);
        }
        for (own, most) in opened.families.iter().zip(&mut most) {
            let participants = scope.families.values().filter(|f| **f == own.family).count() as u32;
            reader.need(own.family, participants.saturating_sub(1));
            *most = (*most).max(participants);
        }
        reader.term(&scope, action.guard)?;
        for assignment in &action.assignments {
            let mut scope = scope.clone();
            for &(reg, domain) in &assignment.over {
                reader.bind(&mut scope, reg, domain);
            }
            for term in assignment.terms() {
                reader.term(&scope, term)?;
            }
        }
        if let Some(family) = program.compiled[id].one_by_one().find(|f| reader.open.contains(f)) {
            return Err(Outside::new(
                action.span,
                format!(
                    "this action assigns for each process of `{}` to something else than that process's own variable",
                    program.families[family].name
                ),
                "`forall d in family: d.x := …` alone can be counted",
            ));
        }
    }
    reader.assumption(&most)?;
    Ok(reader.needs)
}

/// Looks at a property besides: what both need, or what cannot be said.
pub(super) fn of_property(
    program: &Program,
    opened: &Opened,
    needs: &Needs,
    id: PropertyId,
) -> Result<Needs, Outside> {
    let property = &program.properties[id];
    if let Some((name, span)) = opened.mentioned.get(&property.name) {
        return Err(Outside::new(
            *span,
            format!("the property uses `{name}`, whose value is left open"),
            format!("`count(p) >= {name} - k` is `count(not p) <= k`, which can be said"),
        ));
    }
    let open = opened.families.iter().map(|f| f.family).collect();
    let mut reader = Reader { program, open, needs: needs.clone() };
    let mut scope = Scope::default();
    match &property.kind {
        PropertyKind::Formula(Logic::Invariant | Logic::Cover | Logic::Ltl, formula) => {
            let mut formula = *formula;
            while let FormulaKind::Quantified(Quantifier::Forall, reg, domain, body) =
                program.formulas[formula].kind
            {
                reader.bind(&mut scope, reg, domain);
                scope.tracked.push(reg);
                formula = body;
            }
            reader.formula(&scope, formula)?;
        }
        PropertyKind::DeadlockFree => {}
        PropertyKind::Formula(Logic::Ctl | Logic::Mu, formula) => {
            return Err(Outside::new(
                program.formulas[*formula].span,
                "properties of branching time are not proved for every size",
                "an `invariant` or `ltl` property can be",
            ));
        }
        PropertyKind::Automaton(automaton) => {
            for (reg, param) in (0..).map(Reg).zip(&automaton.params) {
                reader.bind(&mut scope, reg, param.domain);
                scope.tracked.push(reg);
            }
            for (guard, _) in automaton.states.iter().flat_map(|state| &state.moves) {
                reader.term(&scope, *guard)?;
            }
        }
    }
    Ok(reader.needs)
}

impl Reader<'_> {
    /// A step counts only if it leads to where the assumption holds, and it has to do so from all concrete states of an abstract one
    /// or from none. After a step that `most` processes take part in, *many* of them are at least the threshold and one more without
    /// these: that has to be many for the assumption still. Then each step stays inside or not whatever *many* is, and enabledness, deadlocks
    /// and states that are cut off are exact as they are without an assumption.
    fn assumption(&mut self, most: &[u32]) -> Result<(), Outside> {
        let program = self.program;
        let Some(assumption) = &program.assumption else { return Ok(()) };
        if let Some(asked) = self.asks_enabled(assumption.term) {
            return Err(Outside::new(
                program.terms[asked].span,
                "what is assumed here depends on who is enabled, and that on what is assumed",
                "an assumption about variables and counts can be said",
            ));
        }
        let thresholds = alloc::vec![0; most.len()];
        let mut own = Reader { program, open: self.open.clone(), needs: Needs { thresholds } };
        own.term(&Scope::default(), assumption.term)?;
        for (number, most) in most.iter().enumerate() {
            self.need(self.open[number], own.needs.threshold(number).saturating_add(*most));
        }
        Ok(())
    }

    fn asks_enabled(&self, id: TermId) -> Option<TermId> {
        let kind = &self.program.terms[id].kind;
        if matches!(kind, TermKind::Enabled(_)) {
            return Some(id);
        }
        kind.children().into_iter().find_map(|child| self.asks_enabled(child))
    }

    fn bind(&self, scope: &mut Scope, reg: Reg, domain: Domain) {
        if let Domain::Family(family) = domain
            && self.open.contains(&family)
        {
            scope.families.insert(reg, family);
        }
    }

    fn need(&mut self, family: FamilyId, threshold: u32) {
        if let Some(number) = self.open.iter().position(|f| *f == family) {
            let own = &mut self.needs.thresholds[number];
            *own = (*own).max(threshold);
        }
    }

    fn is_open(&self, ty: Type) -> bool {
        matches!(ty, Type::Process { family, .. } if self.open.contains(&family))
    }

    fn formula(&mut self, scope: &Scope, id: FormulaId) -> Result<(), Outside> {
        let program = self.program;
        let node = &program.formulas[id];
        let parts: Vec<FormulaId> = match &node.kind {
            FormulaKind::Atom(term) => return self.term(scope, *term),
            FormulaKind::Quantified(quantifier, _, Domain::Family(family), _)
                if self.open.contains(family) =>
            {
                let name = &program.families[*family].name;
                return Err(Outside::new(
                    node.span,
                    format!(
                        "`{}` over `{name}` has temporal operators in it, and does not stand in front",
                        quantifier.text()
                    ),
                    format!(
                        "`forall c in {name}: …` in front of the whole formula can be said, or a quantifier without temporal operators in it"
                    ),
                ));
            }
            FormulaKind::Not(a)
            | FormulaKind::Temporal(_, a)
            | FormulaKind::Branching(_, _, a)
            | FormulaKind::Fixpoint(_, _, a)
            | FormulaKind::Quantified(_, _, _, a) => alloc::vec![*a],
            FormulaKind::And(list) | FormulaKind::Or(list) => list.clone(),
            FormulaKind::Implies(a, b)
            | FormulaKind::Iff(a, b)
            | FormulaKind::TemporalBinary(_, a, b)
            | FormulaKind::BranchingBinary(_, _, a, b) => alloc::vec![*a, *b],
            FormulaKind::Variable(_) => Vec::new(),
        };
        parts.into_iter().try_for_each(|part| self.formula(scope, part))
    }

    fn term(&mut self, scope: &Scope, id: TermId) -> Result<(), Outside> {
        let program = self.program;
        let node = &program.terms[id];
        let family_name = |family: FamilyId| program.families[family].name.clone();
        match &node.kind {
            TermKind::Compare(comparison, a, b) => {
                if let Some((counted, least)) = self.threshold_of(*comparison, *a, *b) {
                    return self.count(scope, counted, least);
                }
            }
            TermKind::Quantified(quantifier, _, Domain::Family(family), _) if self.open.contains(family) => {
                return match quantifier {
                    Quantifier::Forall | Quantifier::Exists | Quantifier::Min | Quantifier::Max => {
                        self.count(scope, id, 1)
                    }
                    Quantifier::Count | Quantifier::Sum => Err(Outside::new(
                        node.span,
                        format!(
                            "this number of processes of `{}` is not compared with a fixed number",
                            family_name(*family)
                        ),
                        "`count(…) >= k` with a fixed k can be said",
                    )),
                };
            }
            TermKind::Const(value) if self.is_open(node.ty) && *value >= 0 => {
                return Err(Outside::new(
                    node.span,
                    "this names one process of a family whose size is left open",
                    "`forall c in family: …` in front speaks of each of them",
                ));
            }
            TermKind::ProcessAt(family, _) if self.open.contains(family) => {
                return Err(Outside::new(
                    node.span,
                    format!("this takes a process of `{}` by its number", family_name(*family)),
                    "processes of a family whose size is left open have no numbers",
                ));
            }
            TermKind::IndexOf(a) | TermKind::Neighbour(_, a) if self.is_open(program.terms[*a].ty) => {
                return Err(Outside::new(
                    node.span,
                    "this asks where a process stands in its family",
                    "processes of a family whose size is left open have no numbers and no neighbours",
                ));
            }
            TermKind::If(..) if self.is_open(node.ty) => {
                return Err(Outside::new(
                    node.span,
                    "this chooses between processes of a family whose size is left open",
                    "choose between what is said about them",
                ));
            }
            TermKind::Executed(a) => {
                let asked = &program.terms[*a];
                let tracked = matches!(asked.kind, TermKind::Bound(reg) if scope.tracked.contains(&reg));
                if self.is_open(asked.ty) && !tracked {
                    return Err(Outside::new(
                        node.span,
                        "this asks which of the processes of an open family executes",
                        "`executed(c)` can be said of a c that `forall` in front of the formula binds",
                    ));
                }
            }
            _ => {}
        }
        node.kind.children().into_iter().try_for_each(|child| self.term(scope, child))
    }

    /// A comparison of a number of processes with a fixed number: the quantifier, and the least k so that #.. >= k, and perhaps
    /// #.. >= k - 1 too, decide it.
    fn threshold_of(&self, comparison: Comparison, a: TermId, b: TermId) -> Option<(TermId, u32)> {
        let counted = |id: TermId| {
            matches!(self.program.terms[id].kind,
                TermKind::Quantified(Quantifier::Count, _, Domain::Family(family), _) if self.open.contains(&family))
        };
        let fixed = |id: TermId| match self.program.terms[id].kind {
            TermKind::Const(value) => Some(value),
            _ => None,
        };
        let (quantifier, number, comparison) = match (counted(a), counted(b)) {
            (true, false) => (a, fixed(b)?, comparison),
            (false, true) => (b, fixed(a)?, mirrored(comparison)),
            _ => return None,
        };
        let least = match comparison {
            Comparison::Ge | Comparison::Lt => number,
            Comparison::Gt | Comparison::Le | Comparison::Eq | Comparison::Ne => number.saturating_add(1),
        };
        Some((quantifier, u32::try_from(least.clamp(1, i64::from(u32::MAX))).unwrap_or(1)))
    }

    /// Notes how far a quantifier counts: up to k, besides the named processes that it tells from the others.
    fn count(&mut self, scope: &Scope, quantifier: TermId, least: u32) -> Result<(), Outside> {
        let TermKind::Quantified(_, reg, Domain::Family(family), body) = self.program.terms[quantifier].kind
        else {
            return Ok(());
        };
        let mut named: Vec<Reg> = Vec::new();
        self.compared(body, &mut named);
        named.retain(|name| {
            *name != reg && scope.families.get(name) == Some(&family) && !scope.tracked.contains(name)
        });
        named.sort_unstable_by_key(|name| name.index());
        named.dedup();
        self.need(family, (least - 1).saturating_add(named.len() as u32));
        let mut inner = scope.clone();
        self.bind(&mut inner, reg, Domain::Family(family));
        inner.tracked.retain(|name| *name != reg);
        self.term(&inner, body)
    }

    /// The names that a term compares with others.
    fn compared(&self, id: TermId, found: &mut Vec<Reg>) {
        let kind = &self.program.terms[id].kind;
        if let TermKind::Compare(_, a, b) = kind {
            for side in [a, b] {
                if let TermKind::Bound(reg) = self.program.terms[*side].kind {
                    found.push(reg);
                }
            }
        }
        for child in kind.children() {
            self.compared(child, found);
        }
    }
}

fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        same => same,
    }
}
