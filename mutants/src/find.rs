//! Finds what can be changed in a file: walks the syntax tree and notes, for every place, its byte range and the texts that
//! can stand there instead.
//!
//! The text of a mutant is the original one with a single change. Only one mutant is on at a time, so nothing inside it needs
//! a switch, and the copy grows with the depth of the nesting only.

use proc_macro2::LineColumn;
use quote::ToTokens;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprMethodCall, Lit, Stmt, UnOp};

/// How a place is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An expression: another one stands in its place.
    Choose,
    /// A statement without value: it is left out.
    Delete,
    /// The opening brace of a function: it returns at once.
    Enter,
}

/// One change.
#[derive(Clone, Debug)]
pub struct Change {
    /// The text that stands in the copy; empty for [`Kind::Delete`].
    pub text: String,
    /// The change in the words of the record.
    pub words: String,
}

impl Change {
    /// Whether a jump is left out: what comes after it can then no longer rely on it.
    pub fn drops_a_jump(&self) -> bool {
        let jumps = ["`return", "`break", "`continue"];
        self.text.is_empty() && jumps.iter().any(|jump| self.words.starts_with(jump))
    }
}

/// A place with its changes.
#[derive(Clone, Debug)]
pub struct Place {
    pub range: Range<usize>,
    pub line: usize,
    pub kind: Kind,
    /// The function around it, with the type it belongs to.
    pub function: String,
    pub changes: Vec<Change>,
}

/// All places of a file, in the order of the text, outer ones first.
pub fn places(source: &str) -> Result<Vec<Place>, syn::Error> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder::default();
    finder.visit_file(&file);
    let mut places = finder.places;
    places.retain(|place| !place.changes.is_empty());
    arrange(&mut places);
    Ok(places)
}

/// Brings places into the order of the text, outer ones first.
pub fn arrange(places: &mut [Place]) {
    places.sort_by_key(|place| (place.range.start, std::cmp::Reverse(place.range.end)));
}

#[derive(Default)]
struct Finder {
    places: Vec<Place>,
    owner: Vec<String>,
    /// The method chain of a `for` is changed together with its loop.
    chain_is_done: bool,
    /// The block behind a `let … else` has to jump.
    must_jump: bool,
}

/// The tokens in one line.
fn text(node: &impl ToTokens) -> String {
    node.to_token_stream().to_string()
}

/// A text for a reader: in one line, shortened in the middle.
fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
    let whole = words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    let letters: Vec<char> = whole.chars().collect();
    if letters.len() <= 70 {
        return whole;
    }
    let (head, tail) = (&letters[..45], &letters[letters.len() - 22..]);
    format!("{} … {}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}

/// The text of a node as it was written.
fn written(node: &impl Spanned) -> String {
    node.span().source_text().unwrap_or_default()
}

fn brief(node: &impl Spanned) -> String {
    shortened(&written(node))
}

fn change(text: String, words: String) -> Change {
    Change { text, words }
}

fn constant(original: &impl Spanned, value: &str) -> Change {
    change(value.into(), format!("`{}` → `{value}`", brief(original)))
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let words = text(&attribute.meta);
        words == "test" || words.replace(' ', "") == "cfg(test)"
    })
}

/// Whether a `let` decides in it: then no constant can stand in its place.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(both) => has_let(&both.left) || has_let(&both.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// The operators that can stand in for another one; constants are tried where conditions are.
fn instead_of(operator: &BinOp) -> &'static [&'static str] {
    match operator {
        BinOp::Lt(_) => &["<=", "!="],
        BinOp::Gt(_) => &[">=", "!="],
        BinOp::Le(_) => &["<", "=="],
        BinOp::Ge(_) => &[">", "=="],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) | BinOp::Mul(_) => &["+"],
        BinOp::Div(_) => &["*"],
        BinOp::Rem(_) => &["/"],
        BinOp::BitAnd(_) => &["|"],
        BinOp::BitOr(_) | BinOp::BitXor(_) => &["&"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) | BinOp::MulAssign(_) => &["+="],
        BinOp::BitAndAssign(_) => &["|="],
        BinOp::BitOrAssign(_) | BinOp::BitXorAssign(_) => &["&="],
        _ => &[],
    }
}

/// Another method in the place of `name`, with the same arguments.
fn other_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "min" => "max",
        "max" => "min",
        "min_by_key" => "max_by_key",
        "max_by_key" => "min_by_key",
        "any" => "all",
        "all" => "any",
        "first" => "last",
        "last" => "first",
        "is_some" => "is_none",
        "is_none" => "is_some",
        "is_ok" => "is_err",
        "is_err" => "is_ok",
        "position" => "rposition",
        "take_while" => "skip_while",
        "skip_while" => "take_while",
        "pop_front" => "pop_back",
        "pop_back" => "pop_front",
        "push_back" => "push_front",
        "push_front" => "push_back",
        "wrapping_add" => "wrapping_sub",
        "wrapping_sub" => "wrapping_add",
        _ => return None,
    })
}

/// Methods whose value is like that of what they are called on: they are left out.
fn can_be_left_out(name: &str) -> bool {
    const NAMES: [&str; 10] = [
        "rev",
        "filter",
        "skip",
        "take",
        "take_while",
        "skip_while",
        "chain",
        "then_with",
        "then",
        "reverse",
    ];
    NAMES.contains(&name)
}

/// Methods with a truth value: it is negated where it is no condition.
fn is_predicate(name: &str) -> bool {
    const NAMES: [&str; 8] = [
        "is_empty",
        "contains",
        "contains_key",
        "is_some_and",
        "is_none_or",
        "starts_with",
        "is_disjoint",
        "is_subset",
    ];
    NAMES.contains(&name)
}

/// The links of a chain of method calls, the last call first.
fn links(root: &ExprMethodCall) -> usize {
    match &*root.receiver {
        Expr::MethodCall(inner) => 1 + links(inner),
        _ => 1,
    }
}

/// The chain with its call number `depth` from the end changed; `None` where nothing is to be changed.
fn with_link(
    root: &Expr,
    depth: usize,
    edit: &impl Fn(&ExprMethodCall) -> Option<Expr>,
) -> Option<(Expr, String)> {
    let Expr::MethodCall(call) = root else { return None };
    if depth == 0 {
        return edit(call).map(|new| (new, call.method.to_string()));
    }
    let (receiver, name) = with_link(&call.receiver, depth - 1, edit)?;
    let mut call = call.clone();
    *call.receiver = receiver;
    Some((Expr::MethodCall(call), name))
}

/// Every way of changing one call of a chain.
fn chain_changes(root: &Expr, wrap: &impl Fn(Expr) -> String) -> Vec<Change> {
    let Expr::MethodCall(call) = root else { return Vec::new() };
    let mut changes = Vec::new();
    for depth in 0..links(call) {
        let other = with_link(root, depth, &|call| {
            let name = other_method(&call.method.to_string())?;
            let mut call = call.clone();
            call.method = syn::Ident::new(name, call.method.span());
            Some(Expr::MethodCall(call))
        });
        let without = with_link(root, depth, &|call| {
            can_be_left_out(&call.method.to_string()).then(|| (*call.receiver).clone())
        });
        let turned = with_link(root, depth, &|call| {
            let order = call.method == "cmp" && call.args.len() == 1;
            order.then(|| syn::parse_quote! { #call.reverse() })
        });
        let permuted = with_link(root, depth, &|call| {
            let (receiver, args) = (&call.receiver, &call.args);
            match call.method.to_string().as_str() {
                "inverse" => Some(syn::parse_quote! { #receiver.clone() }),
                "compose" => Some(syn::parse_quote! { (#args).compose(&#receiver) }),
                _ => None,
            }
        });
        for (new, name, words) in [
            (other, "another method than"),
            (without, "without"),
            (turned, "turned"),
            (permuted, "not, or the other way round,"),
        ]
        .into_iter()
        .filter_map(|(new, words)| new.map(|(new, name)| (new, name, words)))
        {
            changes.push(change(wrap(new), format!("`{}`: {words} `.{name}(…)`", brief(root))));
        }
    }
    changes
}

impl Finder {
    fn function(&self) -> String {
        self.owner.join("::")
    }

    fn add(&mut self, node: &impl Spanned, kind: Kind, changes: Vec<Change>) {
        let span = node.span();
        let LineColumn { line, .. } = span.start();
        // The copy keeps its lines.
        let changes = changes.into_iter().filter(|change| !change.text.contains('\n')).collect();
        self.places.push(Place { range: span.byte_range(), line, kind, function: self.function(), changes });
    }

    /// A truth value that is forced.
    fn force(&mut self, condition: &Expr, values: &[&str]) {
        if !has_let(condition) && !matches!(condition, Expr::Lit(_)) {
            let changes = values.iter().map(|value| constant(condition, value)).collect();
            self.add(condition, Kind::Choose, changes);
        }
    }

    /// The operands of a conjunction or disjunction, each forced to what leaves the others to decide.
    fn operands(&mut self, both: &syn::ExprBinary) {
        let neutral = if matches!(both.op, BinOp::And(_)) { "true" } else { "false" };
        for side in [&*both.left, &*both.right] {
            let same = matches!(side, Expr::Binary(inner) if std::mem::discriminant(&inner.op) == std::mem::discriminant(&both.op));
            if !same {
                self.force(side, &[neutral]);
            }
        }
    }

    fn binary(&mut self, both: &syn::ExprBinary) {
        if matches!(both.op, BinOp::And(_) | BinOp::Or(_)) {
            self.operands(both);
            return;
        }
        let changes = instead_of(&both.op).iter().map(|symbol| {
            let new = syn::ExprBinary { op: syn::parse_str(symbol).expect("an operator"), ..both.clone() };
            let read = shortened(&format!("{} {symbol} {}", written(&both.left), written(&both.right)));
            change(text(&new), format!("`{}` → `{read}`", brief(both)))
        });
        let changes = changes.collect();
        self.add(both, Kind::Choose, changes);
    }

    fn literal(&mut self, literal: &syn::ExprLit) {
        let changes = match &literal.lit {
            Lit::Int(number) => {
                let Ok(value) = number.base10_parse::<u128>() else { return };
                let suffix = number.suffix();
                let near = value.checked_sub(1).into_iter().chain(value.checked_add(1));
                near.map(|near| constant(literal, &format!("{near}{suffix}"))).collect()
            }
            Lit::Bool(value) => vec![constant(literal, if value.value { "false" } else { "true" })],
            _ => return,
        };
        self.add(literal, Kind::Choose, changes);
    }

    fn bound(&mut self, range: &syn::ExprRange) {
        let Some(end) = &range.end else { return };
        let shown = brief(range);
        let (sign, words) = match range.limits {
            syn::RangeLimits::HalfOpen(_) => ("+", "its end included"),
            syn::RangeLimits::Closed(_) => ("-", "without its end"),
        };
        let new = format!("(({}) {sign} 1)", text(end));
        self.add(end, Kind::Choose, vec![change(new, format!("`{shown}`: {words}"))]);
    }

    fn chain(&mut self, root: &Expr) {
        let mut changes = chain_changes(root, &|new| text(&new));
        if let Expr::MethodCall(call) = root
            && is_predicate(&call.method.to_string())
        {
            changes.push(change(format!("!({})", text(root)), format!("`{}` negated", brief(root))));
        }
        self.add(root, Kind::Choose, changes);
    }

    fn for_loop(&mut self, whole: &syn::ExprForLoop) {
        let changes = chain_changes(&whole.expr, &|new| {
            text(&syn::ExprForLoop { expr: Box::new(new), ..whole.clone() })
        });
        self.add(whole, Kind::Choose, changes);
    }

    /// A jump or an effect that is left out.
    fn delete(&mut self, node: &(impl Spanned + ToTokens)) {
        let words = format!("`{}` left out", brief(node));
        self.add(node, Kind::Delete, vec![change(String::new(), words)]);
    }

    fn statement(&mut self, statement: &Stmt, is_last: bool) {
        let Stmt::Expr(expression, semicolon) = statement else { return };
        let jump = matches!(expression, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
        let effect = match expression {
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Assign(_) | Expr::Try(_) => true,
            Expr::Binary(both) => !instead_of(&both.op).is_empty(),
            _ => false,
        };
        let whole = match expression {
            Expr::ForLoop(_) => true,
            Expr::Match(_) | Expr::Loop(_) => !is_last || semicolon.is_some(),
            _ => false,
        };
        if jump || whole || (effect && semicolon.is_some()) {
            self.delete(statement);
        }
    }

    /// A function that returns at once.
    fn enter(&mut self, signature: &syn::Signature, block: &Block) {
        if block.stmts.is_empty() || signature.asyncness.is_some() {
            return;
        }
        let values: &[&str] = match &signature.output {
            syn::ReturnType::Default => &[""],
            syn::ReturnType::Type(_, output) => at_once(output),
        };
        let body = text(block).replace(' ', "");
        let values = values.iter().filter(|value| body != format!("{{{value}}}"));
        let changes = values.map(|value| change((*value).into(), format!("returns at once: `{value}`")));
        let changes = changes.collect();
        self.add(&block.brace_token.span.open(), Kind::Enter, changes);
    }

    fn inside(&mut self, name: String, walk: impl FnOnce(&mut Self)) {
        self.owner.push(name);
        walk(self);
        self.owner.pop();
    }

    fn body(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, block: &Block) {
        let name = signature.ident.to_string();
        // How much memory something takes is an estimate, of which nothing is promised.
        let estimate = name == "bytes" || name.ends_with("_bytes");
        if estimate || is_test(attributes) || signature.constness.is_some() {
            return;
        }
        self.inside(name, |finder| {
            finder.enter(signature, block);
            finder.visit_block(block);
        });
    }
}

/// Values of a type that need no knowledge of it.
fn at_once(output: &syn::Type) -> &'static [&'static str] {
    let syn::Type::Path(path) = output else { return &[] };
    let Some(last) = path.path.segments.last() else { return &[] };
    match last.ident.to_string().as_str() {
        "bool" => &["false", "true"],
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => {
            &["0", "1"]
        }
        "Option" => &["None"],
        "Vec" | "String" | "Box" => &["Default::default()"],
        "Result" if text(&last.arguments).replace(' ', "").starts_with("<(),") => &["Ok(())"],
        _ => &[],
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_macro(&mut self, _: &'ast syn::ItemMacro) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_angle_bracketed_generic_arguments(&mut self, _: &'ast syn::AngleBracketedGenericArguments) {}

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        const PLUMBING: [&str; 4] = ["Debug", "Hash", "Clone", "Default"];
        let of = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        if is_test(&item.attrs) || of.is_some_and(|of| PLUMBING.contains(&of.ident.to_string().as_str())) {
            return;
        }
        let name = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            other => Some(text(other)),
        };
        self.inside(name.unwrap_or_default(), |finder| visit::visit_item_impl(finder, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.inside(item.ident.to_string(), |finder| visit::visit_item_trait(finder, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.body(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.body(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.body(&item.attrs, &item.sig, block);
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let must_jump = std::mem::take(&mut self.must_jump);
        for (place, statement) in block.stmts.iter().enumerate() {
            let is_last = place + 1 == block.stmts.len();
            if !(is_last && must_jump) {
                self.statement(statement, is_last);
            }
            self.visit_stmt(statement);
        }
    }

    fn visit_local_init(&mut self, init: &'ast syn::LocalInit) {
        self.visit_expr(&init.expr);
        if let Some((_, otherwise)) = &init.diverge {
            self.must_jump = true;
            self.visit_expr(otherwise);
            self.must_jump = false;
        }
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.force(guard, &["true", "false"]);
            self.visit_expr(guard);
        }
        if matches!(&*arm.body, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_)) {
            self.delete(&arm.body);
        }
        self.visit_expr(&arm.body);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.force(&branch.cond, &["true", "false"]);
        visit::visit_expr_if(self, branch);
    }

    fn visit_expr_while(&mut self, repeat: &'ast syn::ExprWhile) {
        // A loop that never ends says nothing about the tests.
        self.force(&repeat.cond, &["false"]);
        visit::visit_expr_while(self, repeat);
    }

    fn visit_expr_for_loop(&mut self, whole: &'ast syn::ExprForLoop) {
        self.for_loop(whole);
        self.chain_is_done = matches!(&*whole.expr, Expr::MethodCall(_));
        self.visit_expr(&whole.expr);
        self.visit_block(&whole.body);
    }

    fn visit_expr_macro(&mut self, call: &'ast syn::ExprMacro) {
        if call.mac.path.is_ident("matches") {
            let words = format!("`{}` negated", brief(call));
            self.add(call, Kind::Choose, vec![change(format!("!{}", text(call)), words)]);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        // The receivers belong to the chain that was changed as a whole; what is called on is none of it.
        let mut receiver = &*call.receiver;
        self.arguments(call);
        while let Expr::MethodCall(inner) = receiver {
            self.arguments(inner);
            receiver = &inner.receiver;
        }
        self.visit_expr(receiver);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Binary(both) => self.binary(both),
            Expr::Lit(literal) => self.literal(literal),
            Expr::Range(range) => self.bound(range),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                self.add(
                    unary,
                    Kind::Choose,
                    vec![change(text(&unary.expr), format!("`{}` → `{}`", brief(unary), brief(&unary.expr)))],
                );
            }
            Expr::MethodCall(_) if std::mem::take(&mut self.chain_is_done) => {}
            Expr::MethodCall(_) => self.chain(expression),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }
}

impl Finder {
    fn arguments(&mut self, call: &ExprMethodCall) {
        for argument in &call.args {
            self.visit_expr(argument);
        }
    }
}
