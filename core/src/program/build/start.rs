//! `init` blocks: executed on paper over the declared initial values.

use super::super::term::{Domain, Reg, TermId, TermKind};
use super::super::{Assignment, Start};
use super::paper::Paper;
use super::{Builder, Scope};
use crate::syntax::ast::{InitDecl, ItemKind};
use crate::text::Span;
use alloc::format;
use alloc::vec::Vec;

impl<'a> Builder<'a> {
    pub(super) fn starts(&mut self) {
        let file = self.file;
        for item in &file.items {
            if let ItemKind::Init(decl) = &item.kind {
                self.start(decl, item.span);
            }
        }
    }

    /// A block makes one start for each way in which its parameters can be bound.
    fn start(&mut self, decl: &'a InitDecl, span: Span) {
        for (position, binder) in decl.params.iter().enumerate() {
            let name = binder.name.name.as_str();
            if decl.params[..position].iter().any(|b| b.name.name == name) && !name.is_empty() {
                self.error(binder.name.span, format!("the parameter `{name}` stands here twice"));
            }
        }
        let (starts, _) = self.in_scope(Scope::default(), |b| {
            let mut starts = Vec::new();
            let (mut regs, mut when) = (Vec::new(), Vec::new());
            b.for_choices(&decl.params, &mut regs, &mut when, &mut |b, params, conditions| {
                starts.push(b.one_start(decl, span, params, conditions));
            });
            starts
        });
        for start in starts {
            self.reads_what_is_open(&start);
            self.starts.push(start);
        }
    }

    fn one_start(
        &mut self,
        decl: &'a InitDecl,
        span: Span,
        params: &[(Reg, Domain)],
        conditions: &[TermId],
    ) -> Start {
        let own = decl.guard.map(|guard| self.check_bool(guard));
        let parts: Vec<TermId> = conditions.iter().copied().chain(own).collect();
        let guard = (!parts.is_empty()).then(|| self.junction(true, parts, span));
        self.scope.paper = Some(Paper::default());
        self.block(&decl.block);
        let assignments = self.finish_block(None, span);
        let paper = self.scope.paper.take().unwrap_or_default();
        if let Some(claim) = paper.claims.first() {
            self.error(
                claim.span,
                "`assert` stands in actions, not in `init`; of initial states an `invariant` speaks too",
            );
        }
        let word = Span::new(span.start, span.start + 4);
        let names = params.iter().map(|(reg, _)| self.scope.names[reg.0 as usize].into()).collect();
        Start {
            span: word,
            params: params.to_vec(),
            names,
            guard,
            assignments,
            regs: self.scope.next_reg,
            written_out: paper.written_out,
        }
    }

    /// A variable that may start with any value has none when the block is executed.
    fn reads_what_is_open(&mut self, start: &Start) {
        let mut parts: Vec<TermId> = start.guard.into_iter().collect();
        for Assignment { when, target, value, .. } in &start.assignments {
            parts.extend(self.terms[*target].kind.children());
            parts.extend(when.iter().chain([value]));
        }
        while let Some(part) = parts.pop() {
            let node = &self.terms[part];
            parts.extend(node.kind.children());
            if let TermKind::Shared(var, _) | TermKind::Local(var, ..) = node.kind
                && self.vars[var].init.is_none()
            {
                let (name, span) = (self.vars[var].name.clone(), node.span);
                let message = format!(
                    "`{name}` starts with `any` value, which `init` cannot read; let `init` choose it, as in `init(x in D) {{ {name} := x }}`"
                );
                self.error(span, message);
                return;
            }
        }
    }
}
