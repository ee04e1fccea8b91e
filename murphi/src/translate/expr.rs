//! Expressions.

use super::Translator;
use super::scope::{Entity, Place, Val, strength};
use super::types::{BOOL, Bound, ERROR, INT, Ty, TyId};
use crate::marks::failing;
use crate::tree::{Expr, ExprKind, Name};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;
use orbitscope_core::text::Span;

impl Translator<'_> {
    /// A number that is fixed before the model runs.
    pub(super) fn fixed(&mut self, expr: &Expr) -> Option<Bound> {
        let val = self.expr(expr);
        if val.ty == ERROR {
            return None;
        }
        if let Some(value) = val.number {
            Some(Bound { text: val.operand(strength::ADD), value })
        } else {
            self.error(expr.span, "this must be a fixed number: constants and numbers only");
            None
        }
    }

    /// A value that is read.
    pub(super) fn expr(&mut self, expr: &Expr) -> Val {
        let val = self.place(expr);
        self.note_read(&val);
        val
    }

    pub(super) fn truth(&mut self, expr: &Expr) -> Val {
        let val = self.expr(expr);
        self.expect_type(&val, BOOL, expr.span);
        val
    }

    fn number(&mut self, expr: &Expr) -> Val {
        let val = self.expr(expr);
        if !self.is_number(val.ty) && val.ty != ERROR {
            let words = self.words(val.ty);
            self.error(expr.span, format!("a number is needed here, but this is {words}"));
            return Val::wrong();
        }
        val
    }

    pub(super) fn expect_type(&mut self, val: &Val, ty: TyId, span: Span) -> bool {
        if self.fits(val.ty, ty) {
            return true;
        }
        let (is, needed) = (self.words(val.ty), self.words(ty));
        self.error(span, format!("this is {is}, but must be {needed}"));
        false
    }

    /// A value, or the place that it is read from.
    pub(super) fn place(&mut self, expr: &Expr) -> Val {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Error => Val::wrong(),
            ExprKind::Int(value) => {
                let mut val = Val::new(value.to_string(), INT, strength::ATOM).stable();
                (val.number, val.natural) = (Some(*value), true);
                val
            }
            ExprKind::Name(name) => self.named(name, span),
            ExprKind::Field(base, field) => self.field(base, field),
            ExprKind::Index(base, index) => self.index(base, index),
            ExprKind::Call(name, arguments) => self.call(name, arguments, span),
            ExprKind::Not(inner) => {
                let inner = self.truth(inner);
                let stable = inner.stable;
                if let "true" | "false" = inner.text().as_str() {
                    let text = if inner.text() == "true" { "false" } else { "true" };
                    return Val::new(text, BOOL, strength::ATOM).stable();
                }
                let val = Val::new(format!("not {}", inner.operand(strength::NOT)), BOOL, strength::NOT);
                Val { stable, ..val }
            }
            ExprKind::Neg(inner) => {
                let inner = self.number(inner);
                let mut val = Val::new(format!("-{}", inner.operand(strength::ATOM)), INT, 9);
                val.stable = inner.stable;
                val.number = inner.number.and_then(i64::checked_neg);
                val
            }
            ExprKind::Flip(inner) => {
                let inner = self.number(inner);
                let mut val = Val::new(format!("-{} - 1", inner.operand(strength::ATOM)), INT, strength::ADD);
                (val.stable, val.number) = (inner.stable, inner.number.map(|n| !n));
                val
            }
            ExprKind::And(parts) => self.junction(parts, " and ", strength::AND),
            ExprKind::Or(parts) => self.junction(parts, " or ", strength::OR),
            ExprKind::Binary(op, a, b) => self.binary(op, a, b, span),
            ExprKind::Choice(condition, yes, no) => {
                let condition = self.truth(condition);
                self.no_statements += 1;
                let (a, b) = (self.expr(yes), self.expr(no));
                self.no_statements -= 1;
                let ty = match a.among.or(b.among) {
                    // Values of different members, known or not, are values of the union.
                    Some(union) if a.ty != b.ty && self.fits(union, a.ty) && self.fits(union, b.ty) => union,
                    _ if self.is_number(a.ty) => INT,
                    _ => a.ty,
                };
                self.expect_type(&b, ty, no.span);
                let (yes, no) = (self.of_type(&a, ty), self.of_type(&b, ty));
                let text = format!("if {} then {yes} else {no}", condition.text());
                let mut val = Val::new(text, ty, strength::WEAKEST);
                val.stable = condition.stable && a.stable && b.stable;
                val.natural = a.natural && b.natural;
                self.whole_enumeration(val)
            }
            ExprKind::Quantified(all, quantifier, body) => self.quantified(*all, quantifier, body),
            ExprKind::IsUndefined(inner) => {
                let inner_val = self.place(inner);
                if inner_val.place.is_none()
                    && !matches!(inner.kind, ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..))
                {
                    self.error(inner.span, "`IsUndefined` asks about a variable");
                    return Val::wrong();
                }
                if !self.is_simple(inner_val.ty) {
                    let words = self.words(inner_val.ty);
                    let message = format!("`IsUndefined` asks about a simple value, but this is {words}");
                    self.error(inner.span, message);
                    return Val::wrong();
                }
                self.note_asked(&inner_val);
                if inner_val.optional {
                    Val::new(format!("{} == none", inner_val.operand(strength::ADD)), BOOL, strength::COMPARE)
                } else if inner_val.place.is_none() || inner_val.sure() {
                    Val::new("false", BOOL, strength::ATOM).stable()
                } else {
                    // Its indices may be wrong all the same.
                    let text = inner_val.operand(strength::ADD);
                    Val::new(format!("{text} != {text}"), BOOL, strength::COMPARE)
                }
            }
            ExprKind::IsMember(inner, ty) => self.is_member(inner, ty),
            ExprKind::Count(name, set, condition) => self.count(name, set, condition),
        }
    }

    pub(super) fn named(&mut self, name: &str, span: Span) -> Val {
        match self.lookup(name).cloned() {
            Some(Entity::Value(val)) => val,
            Some(Entity::Literal(text, ty)) => {
                let text = if self.as_families.contains(&text) { format!("{text}[0]") } else { text };
                Val::new(text, ty, strength::ATOM).stable()
            }
            Some(Entity::Routine(_)) => self.call(&Name { text: name.into(), span }, &[], span),
            Some(other) => {
                self.error(span, format!("`{name}` is {}, not a value", other.words()));
                Val::wrong()
            }
            None if name.eq_ignore_ascii_case("undefined") => {
                let val = Val::new("none", super::types::UNDEFINED, strength::ATOM).stable();
                Val { optional: true, ..val }
            }
            None if name.eq_ignore_ascii_case("true") || name.eq_ignore_ascii_case("false") => {
                Val::new(name.to_ascii_lowercase(), BOOL, strength::ATOM).stable()
            }
            None => {
                self.unknown("variable or constant", name, span);
                Val::wrong()
            }
        }
    }

    fn field(&mut self, base: &Expr, field: &Name) -> Val {
        let val = self.place(base);
        let fields = match self.ty(val.ty) {
            Ty::Record(fields) => fields,
            Ty::Error => return Val::wrong(),
            _ => {
                let words = self.words(val.ty);
                self.error(base.span, format!("this is {words}, so it has no field `{}`", field.text));
                return Val::wrong();
            }
        };
        let Some(found) = fields.iter().find(|f| f.name == field.text).cloned() else {
            let near = orbitscope_core::text::closest(&field.text, fields.iter().map(|f| f.name.as_str()));
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            self.error(field.span, format!("the record has no field `{}`{hint}", field.text));
            return Val::wrong();
        };
        self.field_of(&val, &found)
    }

    fn field_of(&mut self, val: &Val, found: &super::types::FieldTy) -> Val {
        let mut part =
            Val::new(format!("{}.{}", val.operand(strength::ATOM), found.out), found.ty, strength::ATOM);
        part.stable = val.stable;
        part.cases = val.cases.iter().map(|(test, val)| (test.clone(), self.field_of(val, found))).collect();
        if !part.cases.is_empty() {
            part.strength = strength::WEAKEST;
        }
        part.place = val.place.clone().map(|place| Place {
            leaf: found.leaf,
            path: format!("{}.{}", place.path, found.out),
            ..place
        });
        self.refine(&mut part, Some(found.leaf));
        part
    }

    /// Notes what the type of a value says of it.
    pub(super) fn refine(&self, val: &mut Val, leaf: Option<super::types::LeafId>) {
        let leaf = leaf.or(val.place.as_ref().map(|place| place.leaf));
        val.optional = self.is_simple(val.ty) && leaf.is_some_and(|leaf| self.is_optional(val.ty, leaf));
        val.natural = matches!(self.ty(val.ty), Ty::Range(low, _) if low.value >= 0 && low.literal());
    }

    fn index(&mut self, base: &Expr, index: &Expr) -> Val {
        let array = self.place(base);
        let (index_ty, element) = match self.ty(array.ty) {
            Ty::Array(index, element) => (*index, *element),
            Ty::Multiset(..) => {
                if let ExprKind::Name(name) = &index.kind
                    && let Some(Entity::Element(val)) = self.lookup(name)
                {
                    return val.clone();
                }
                let message =
                    "a place of a multiset is named by `choose`, or where its members are counted or removed";
                self.error(index.span, message);
                return Val::wrong();
            }
            Ty::Error => return Val::wrong(),
            _ => {
                let words = self.words(array.ty);
                self.error(base.span, format!("this is {words}, not an array"));
                return Val::wrong();
            }
        };
        let at = self.expr(index);
        let Some(at) = self.coerced(at, index_ty, index.span) else { return Val::wrong() };
        let local = array.place.as_ref().is_some_and(|place| place.path.starts_with(super::defined::LOCAL));
        let ids = !matches!(self.ty(index_ty), Ty::Bool | Ty::Enum(_) | Ty::Range(..));
        let asked = self.freezing && ids && at.optional && at.text() != "none";
        if asked {
            // Asked once, and not wherever the name is used.
            let name = self.local_name("defined");
            let fails = failing(super::types::UNDEFINED_READ);
            let test = format!("{} != none or {fails} == 0", at.operand(strength::ADD));
            self.marked_line(&format!("let {name} = {test}"), index.span);
        }
        let mut text = self.as_index(&at, index_ty, !asked && (self.freezing || local));
        if self.freezing && !(at.stable && at.sure()) {
            let name = self.local_name("at");
            let narrower = matches!(self.ty(index_ty), Ty::Range(..)) && !self.within(&at, index_ty);
            if narrower {
                let domain = self.index_text(index_ty);
                self.marked_line(&format!("var {name}: {domain} = {text}"), index.span);
            } else {
                self.marked_line(&format!("let {name} = {text}"), index.span);
            }
            text = name;
        }
        let loops_over =
            self.loops.iter().any(|(name, ty)| *name == at.text() && self.same_index(*ty, index_ty));
        self.indexed(&array, &Index { text, at: &at, ty: index_ty, element, loops_over })
    }

    fn indexed(&mut self, array: &Val, index: &Index<'_>) -> Val {
        let mut part = array.clone();
        (part.ty, part.strength) = (index.element, strength::ATOM);
        part.stable = array.stable && (index.at.stable || self.freezing);
        part.place = array.place.clone().map(|place| {
            let name = index.at.text();
            let fresh = !place.loops.contains(&name);
            Place {
                whole: place.whole && index.loops_over && fresh,
                path: format!("{}[]", place.path),
                loops: place.loops.into_iter().chain([name]).collect(),
                ..place
            }
        });
        self.refine(&mut part, None);
        if !array.cases.is_empty() {
            part.cases =
                array.cases.iter().map(|(test, array)| (test.clone(), self.indexed(array, index))).collect();
            // A case inside of a case is one with both tests.
            let inner = core::mem::take(&mut part.cases);
            part.cases = inner.into_iter().flat_map(flat).collect();
            part.strength = strength::WEAKEST;
            return part;
        }
        let families = match self.ty(index.ty) {
            Ty::Union(_) => match self.literal_of(index.at) {
                Some(literal) => alloc::vec![literal.trim_end_matches("[0]").into()],
                None => self.families_of(index.at.ty),
            },
            _ => Vec::new(),
        };
        let one = |part: &Val, family: &str| {
            let mut part = part.clone();
            if !family.is_empty() {
                part.base = format!("{}_{family}", part.base);
            }
            part.indices.push(index.text.clone());
            part
        };
        match families.as_slice() {
            [] => one(&part, ""),
            [only] => one(&part, only),
            _ => {
                let operand = if index.at.strength < strength::ADD && index.text == index.at.text() {
                    format!("({})", index.text)
                } else {
                    index.text.clone()
                };
                part.cases = families.iter().map(|f| (format!("{operand} is {f}"), one(&part, f))).collect();
                part.strength = strength::WEAKEST;
                part
            }
        }
    }

    fn same_index(&self, a: TyId, b: TyId) -> bool {
        match (self.ty(a), self.ty(b)) {
            (Ty::Range(a, b), Ty::Range(c, d)) => (a, b) == (c, d),
            (Ty::Union(_), _) | (_, Ty::Union(_)) => self.families_of(a) == self.families_of(b),
            _ => self.fits(a, b),
        }
    }

    /// A value as an index: enumerations and truth values are numbered. Where `kept`, it is named before it is used, or used for a
    /// variable of a block, where the core does not ask whether there is a process.
    fn as_index(&mut self, val: &Val, ty: TyId, kept: bool) -> String {
        let kept = kept || val.text() == "none";
        if val.optional && (kept || matches!(self.ty(ty), Ty::Bool | Ty::Enum(_))) {
            let needed = Val::new(self.needed(val), val.ty, strength::ATOM);
            return self.as_index(&needed, ty, kept);
        }
        let literals = match self.ty(ty) {
            Ty::Bool => match val.text().as_str() {
                "false" => return "0".into(),
                "true" => return "1".into(),
                text => return format!("if {text} then 1 else 0"),
            },
            Ty::Enum(literals) => literals.clone(),
            _ => return val.text(),
        };
        let text = val.text();
        let families = self.is_families(ty);
        let own = |literal: &String| if families { format!("{literal}[0]") } else { literal.clone() };
        if let Some(number) = literals.iter().position(|literal| own(literal) == text) {
            return number.to_string();
        }
        let operand = val.operand(strength::ADD);
        let mut out = String::new();
        for (number, literal) in literals.iter().enumerate() {
            if number + 1 == literals.len() {
                out.push_str(&number.to_string());
            } else {
                let _ = write!(out, "if {operand} == {} then {number} else ", own(literal));
            }
        }
        out
    }

    fn junction(&mut self, parts: &[Expr], word: &str, own: u8) -> Val {
        let mut vals: Vec<Val> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            // Parts behind the first one may be left out, so nothing can be executed for them.
            self.no_statements += u32::from(number > 0);
            let val = self.truth(part);
            self.no_statements -= u32::from(number > 0);
            let decides = if own == strength::AND { "false" } else { "true" };
            let over = val.text() == decides && vals.is_empty();
            vals.push(val);
            if over {
                return vals.remove(0);
            }
        }
        let texts: Vec<String> = vals.iter().map(|val| val.operand(own + 1)).collect();
        let val = Val::new(texts.join(word), BOOL, own);
        Val { stable: vals.iter().all(|val| val.stable), ..val }
    }

    fn binary(&mut self, op: &'static str, a: &Expr, b: &Expr, span: Span) -> Val {
        match op {
            "->" => {
                let x = self.truth(a);
                if x.text() == "false" {
                    return Val { base: "true".into(), ..x };
                }
                self.no_statements += 1;
                let y = self.truth(b);
                self.no_statements -= 1;
                let text = format!("{} => {}", x.operand(strength::OR), y.operand(strength::IMPLIES));
                Val { stable: x.stable && y.stable, ..Val::new(text, BOOL, strength::IMPLIES) }
            }
            "=" | "!=" => self.equality(op, a, b),
            "<" | "<=" | ">" | ">=" => {
                let (x, y) = (self.number(a), self.number(b));
                let text = format!("{} {op} {}", x.operand(strength::ADD), y.operand(strength::ADD));
                Val { stable: x.stable && y.stable, ..Val::new(text, BOOL, strength::COMPARE) }
            }
            _ => self.arithmetic(op, a, b, span),
        }
    }

    fn equality(&mut self, op: &str, a: &Expr, b: &Expr) -> Val {
        let (x, y) = (self.expr(a), self.expr(b));
        if !self.fits(x.ty, y.ty)
            && let Some(union) = x.among.or(y.among)
            && self.fits(union, x.ty)
            && self.fits(union, y.ty)
        {
            let tests: Vec<String> =
                [&x, &y].into_iter().filter_map(|val| self.strict(val, val.ty, false)).collect();
            let plain = Val::new(if op == "=" { "false" } else { "true" }, BOOL, strength::ATOM).stable();
            return self.behind(&tests, plain);
        }
        if !self.expect_type(&y, x.ty, b.span) {
            return Val::wrong();
        }
        if let (Some(one), Some(other)) = (self.literal_of(&x), self.literal_of(&y)) {
            let text = if (one == other) == (op == "=") { "true" } else { "false" };
            return Val::new(text, BOOL, strength::ATOM).stable();
        }
        let word = if op == "=" { "==" } else { "!=" };
        let stable = x.stable && y.stable;
        if let Ty::Array(..) = self.ty(x.ty) {
            let all = self.equal_arrays(&x, &y);
            let (text, own) =
                if op == "=" { (all, strength::WEAKEST) } else { (format!("not ({all})"), strength::NOT) };
            return Val { stable, ..Val::new(text, BOOL, own) };
        }
        if self.is_simple(x.ty) && (x.optional || y.optional) {
            let (x, y) = (self.needed_operand(&x), self.needed_operand(&y));
            return Val { stable, ..Val::new(format!("{x} {word} {y}"), BOOL, strength::COMPARE) };
        }
        let text = format!("{} {word} {}", x.operand(strength::ADD), y.operand(strength::ADD));
        Val { stable, ..Val::new(text, BOOL, strength::COMPARE) }
    }

    fn needed_operand(&mut self, val: &Val) -> String {
        if val.optional { self.needed(val) } else { val.operand(strength::ADD) }
    }

    fn equal_arrays(&mut self, x: &Val, y: &Val) -> String {
        let (over, element) = self.nest(x.ty);
        let (mut x, mut y, mut binders) = (x.clone(), y.clone(), Vec::new());
        for index in over {
            let name = self.local_name("i");
            binders.push(format!("{name} in {}", self.index_text(index)));
            x.indices.push(name.clone());
            y.indices.push(name);
        }
        (x.ty, y.ty) = (element, element);
        format!("forall {}: {} == {}", binders.join(", "), x.text(), y.text())
    }

    fn arithmetic(&mut self, op: &'static str, a: &Expr, b: &Expr, span: Span) -> Val {
        let (x, y) = (self.number(a), self.number(b));
        if x.ty == ERROR || y.ty == ERROR {
            return Val::wrong();
        }
        let known = x.number.zip(y.number).and_then(|(x, y)| folded(op, x, y));
        let stable = x.stable && y.stable;
        let natural = x.natural && (y.natural || matches!(op, "%" | ">>")) && op != "-";
        let (text, own) = match op {
            "+" | "-" => {
                (format!("{} {op} {}", x.operand(strength::ADD), y.operand(strength::MUL)), strength::ADD)
            }
            "*" => (format!("{} * {}", x.operand(strength::MUL), y.operand(9)), strength::MUL),
            "/" | "%" if x.natural => {
                (format!("{} {op} {}", x.operand(strength::MUL), y.operand(9)), strength::MUL)
            }
            "/" | "%" => {
                let helper = if op == "/" { "quotient" } else { "remainder" };
                self.helpers.insert(helper);
                (format!("{helper}({}, {})", x.text(), y.text()), strength::ATOM)
            }
            "<<" | ">>" if let Some(power) = power(&y) => {
                let op = if op == "<<" { "*" } else { "/" };
                (format!("{} {op} {power}", x.operand(strength::MUL)), strength::MUL)
            }
            _ => match known {
                // A constant may be set to another number.
                Some(value) if literal(&x) && literal(&y) => {
                    (value.to_string(), if value < 0 { 9 } else { strength::ATOM })
                }
                _ => {
                    self.error(span, format!("`{op}` is translated between numbers only, not names"));
                    return Val::wrong();
                }
            },
        };
        let mut val = Val::new(text, INT, own);
        (val.stable, val.number, val.natural) = (stable, known, natural);
        val
    }

    fn is_member(&mut self, inner: &Expr, ty: &crate::tree::Type) -> Val {
        let val = self.expr(inner);
        let ty_id = self.resolve(ty, "");
        if val.ty == ERROR || ty_id == ERROR {
            return Val::wrong();
        }
        if !matches!(self.ty(val.ty), Ty::Union(_))
            && !matches!(self.ty(val.ty), Ty::Scalarset(_))
            && !self.is_families(val.ty)
        {
            let words = self.words(val.ty);
            self.error(inner.span, format!("`IsMember` asks about a value of a union, but this is {words}"));
            return Val::wrong();
        }
        if !self.fits(val.ty, ty_id) && val.among.is_none() {
            let words = self.words(ty_id);
            self.error(ty.span, format!("no value of the union is {words}"));
            return Val::wrong();
        }
        if let Ty::Scalarset(_) | Ty::Enum(_) = self.ty(val.ty) {
            let own = self.families_of(val.ty);
            let is = self.families_of(ty_id).iter().any(|family| own.contains(family));
            let tests: Vec<String> = self.strict(&val, val.ty, false).into_iter().collect();
            let plain = Val::new(if is { "true" } else { "false" }, BOOL, strength::ATOM).stable();
            return self.behind(&tests, plain);
        }
        let operand = if val.optional { self.needed(&val) } else { val.operand(strength::ADD) };
        let families = self.families_of(ty_id);
        let tests: Vec<String> = families.iter().map(|family| format!("{operand} is {family}")).collect();
        let own = if tests.len() > 1 { strength::OR } else { strength::COMPARE };
        Val::new(tests.join(" or "), BOOL, own)
    }
}

/// An index of an array.
struct Index<'v> {
    text: String,
    at: &'v Val,
    /// The types of the index and of what is in the array.
    ty: TyId,
    element: TyId,
    loops_over: bool,
}

fn flat((test, val): (String, Val)) -> Vec<(String, Val)> {
    if val.cases.is_empty() {
        return alloc::vec![(test, val)];
    }
    val.cases.into_iter().map(|(inner, val)| (format!("{test} and {inner}"), val)).collect()
}

fn literal(val: &Val) -> bool {
    val.text().parse::<i64>().is_ok()
}

/// The factor to multiply with instead of shifting.
fn power(by: &Val) -> Option<i64> {
    let by: u32 = by.text().parse().ok()?;
    (by < 63).then(|| 1 << by)
}

/// The result of an operator on two fixed numbers; Murphi's division goes towards 0.
fn folded(op: &str, x: i64, y: i64) -> Option<i64> {
    match op {
        "+" => x.checked_add(y),
        "-" => x.checked_sub(y),
        "*" => x.checked_mul(y),
        "/" => x.checked_div(y),
        "%" => x.checked_rem(y),
        "<<" => u32::try_from(y).ok().and_then(|y| x.checked_shl(y)),
        ">>" => u32::try_from(y).ok().and_then(|y| x.checked_shr(y)),
        "^" => Some(x ^ y),
        "&" => Some(x & y),
        "|" => Some(x | y),
        _ => None,
    }
}
