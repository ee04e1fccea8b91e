//! Statements.

use super::{Lost, Parser, Read};
use crate::token::{TokenKind, ends_a_block};
use crate::tree::{Stmt, StmtKind};
use alloc::string::String;
use alloc::vec::Vec;

impl Parser<'_> {
    /// Statements up to a word that ends a block.
    pub(super) fn stmts(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        loop {
            match self.kind() {
                TokenKind::End => return stmts,
                TokenKind::Word(word) if ends_a_block(word) => return stmts,
                TokenKind::Word(
                    "rule" | "ruleset" | "startstate" | "invariant" | "procedure" | "function",
                ) => {
                    return stmts;
                }
                TokenKind::Op(";") => self.step(),
                _ => {
                    let from = self.at;
                    let start = self.span().start;
                    match self.nested(Self::stmt) {
                        Ok(kind) => {
                            stmts.push(Stmt { kind, span: self.since(start) });
                            if !self.follows() {
                                let _: Read<()> = self.expected("`;`");
                                self.recover(from);
                            }
                        }
                        Err(Lost) => self.recover(from),
                    }
                }
            }
        }
    }

    /// Whether what follows a statement may follow it.
    fn follows(&self) -> bool {
        match self.kind() {
            TokenKind::Op(";") | TokenKind::End => true,
            TokenKind::Word(word) => ends_a_block(word),
            _ => false,
        }
    }

    fn stmt(&mut self) -> Read<StmtKind> {
        let start = self.span();
        let TokenKind::Word(word) = *self.kind() else { return self.assignment_or_call() };
        self.step();
        Ok(match word {
            "if" => return self.if_stmt(start),
            "switch" => return self.switch(start),
            "for" => {
                let quantifier = self.quantifier()?;
                self.need_word("do")?;
                let body = self.stmts();
                self.end("endfor", start)?;
                StmtKind::For(quantifier, body)
            }
            "while" => {
                let condition = self.expr()?;
                self.need_word("do")?;
                let body = self.stmts();
                self.end("endwhile", start)?;
                StmtKind::While(condition, body)
            }
            "alias" => {
                let names = self.aliases()?;
                let body = self.stmts();
                self.end("endalias", start)?;
                StmtKind::Alias(names, body)
            }
            "clear" => StmtKind::Clear(self.postfix()?),
            "undefine" => StmtKind::Undefine(self.postfix()?),
            "error" => StmtKind::Error(self.string().unwrap_or_default()),
            "assert" => {
                let name = self.string();
                let condition = self.expr()?;
                StmtKind::Assert(condition, name.or_else(|| self.string()))
            }
            "assume" | "cover" => {
                let name = self.string();
                let condition = self.expr()?;
                let _: Option<String> = name.or_else(|| self.string());
                StmtKind::Other(if word == "assume" { "assume" } else { "cover" }, condition)
            }
            "put" => {
                if self.string().is_none() {
                    self.expr()?;
                }
                StmtKind::Put
            }
            "return" => {
                let value = if self.follows() { None } else { Some(self.expr()?) };
                StmtKind::Return(value)
            }
            "multisetadd" | "multisetremove" => {
                self.need_op("(")?;
                let value = self.expr()?;
                self.need_op(",")?;
                let set = self.expr()?;
                self.need_op(")")?;
                if word == "multisetadd" { StmtKind::Add(value, set) } else { StmtKind::Remove(value, set) }
            }
            "multisetremovepred" => {
                let (name, set, condition) = self.counted()?;
                StmtKind::RemoveWhere(name, set, condition)
            }
            _ => {
                self.at -= 1;
                return self.expected("a statement");
            }
        })
    }

    fn assignment_or_call(&mut self) -> Read<StmtKind> {
        if let TokenKind::Name(_) = self.kind() {
            let calls = matches!(self.next_kind(), TokenKind::Op("(" | ";"));
            if calls {
                let name = self.name()?;
                let arguments = if self.op("(") { self.arguments()? } else { Vec::new() };
                return Ok(StmtKind::Call(name, arguments));
            }
        } else {
            return self.expected("a statement");
        }
        let target = self.postfix()?;
        if self.is_op("=") || self.is_op("==") {
            return self.expected("`:=`");
        }
        self.need_op(":=")?;
        Ok(StmtKind::Assign(target, self.expr()?))
    }

    fn if_stmt(&mut self, start: orbitscope_core::text::Span) -> Read<StmtKind> {
        let mut arms = Vec::new();
        let condition = self.expr()?;
        self.need_word("then")?;
        arms.push((condition, self.stmts()));
        while self.word("elsif") || self.word("elseif") {
            let condition = self.expr()?;
            self.need_word("then")?;
            arms.push((condition, self.stmts()));
        }
        let otherwise = if self.word("else") { self.stmts() } else { Vec::new() };
        self.end("endif", start)?;
        Ok(StmtKind::If(arms, otherwise))
    }

    fn switch(&mut self, start: orbitscope_core::text::Span) -> Read<StmtKind> {
        let value = self.expr()?;
        let mut cases = Vec::new();
        self.op(";");
        while self.word("case") {
            let mut values = alloc::vec![self.expr()?];
            while self.op(",") {
                values.push(self.expr()?);
            }
            self.need_op(":")?;
            cases.push((values, self.stmts()));
        }
        let otherwise = if self.word("else") {
            self.op(":");
            self.stmts()
        } else {
            Vec::new()
        };
        self.end("endswitch", start)?;
        Ok(StmtKind::Switch(value, cases, otherwise))
    }
}
