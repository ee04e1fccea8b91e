//! The meaning of an atom, in a normal form: atoms that say the same, or the opposite, are one atom.
//!
//! Names are replaced by what they are bound to, what is fixed then is folded, and a negation is told apart from what it
//! negates: `x != y` is the opposite of `x == y`, `x >= y` of `x < y`, `exists` of `forall` with the opposite inside.
//! The order of what is evaluated stays as it is, so that equal normal forms have equal faults.

use super::obligation::AtomValue;
use crate::program::{
    ArithmeticOp, Comparison, Direction, Domain, Program, Reg, TermId, TermKind, Type, arithmetic,
};
use crate::syntax::ast::Quantifier;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Meaning(Vec<Token>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Token {
    /// An operator; how many tokens follow that belong to it is a function of what these are.
    Operator(Operator),
    Number(i64),
    Tracked(usize),
    /// The only process of a family. It is no number: `executed(server)` and `executed(client)` are not the same.
    Only(u32),
    /// A name that a quantifier of the atom binds, by the number of quantifiers around that one.
    Inner(usize),
    /// Whether what follows is meant as it is or negated.
    Sign(bool),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Operator {
    Shared,
    Local,
    Neg,
    And,
    Equal,
    Less,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    If,
    Forall,
    Count,
    Sum,
    Least,
    Greatest,
    Family,
    Range,
    ProcessAt,
    IndexOf,
    Next,
    Prev,
    Recode,
    Enabled,
    Executed,
    Fault,
    True,
    Free,
}

/// The meaning of an expression that is true or false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// It is always true, or always false.
    Fixed(bool),
    /// The meaning, and whether the expression says that or the opposite.
    Open(Meaning, bool),
}

impl Meaning {
    /// The meaning that is always true.
    pub(super) fn fixed() -> Meaning {
        Meaning(alloc::vec![Token::Operator(Operator::True)])
    }

    /// The same of other tracked processes; none where one of them has no image.
    pub(super) fn turned(&self, image: impl Fn(usize) -> Option<usize>) -> Option<Meaning> {
        let turned = self.0.iter().map(|&token| match token {
            Token::Tracked(number) => image(number).map(Token::Tracked),
            other => Some(other),
        });
        turned.collect::<Option<Vec<Token>>>().map(Meaning)
    }

    /// The same with a tracked process that is the only one of its family named as the only one.
    pub(super) fn with_only(&self, family: impl Fn(usize) -> Option<u32>) -> Meaning {
        let token = |&token: &Token| match token {
            Token::Tracked(number) => family(number).map_or(token, Token::Only),
            other => other,
        };
        Meaning(self.0.iter().map(token).collect())
    }
}

/// Reads terms where names are bound to values.
pub(super) struct Reader<'a> {
    pub(super) program: &'a Program,
    pub(super) bound: &'a BTreeMap<Reg, AtomValue>,
    /// The number among the tracked processes of a fixed one.
    pub(super) place: &'a dyn Fn(crate::group::Process) -> usize,
    /// The names that quantifiers inside of the term bind.
    pub(super) inner: Vec<Reg>,
}

type Tokens = Vec<Token>;

/// The value, if it is known. What is compared has one type, so that the only process of a family is as good as its number.
fn known(tokens: &Tokens) -> Option<i64> {
    match tokens[..] {
        [Token::Number(value)] => Some(value),
        [Token::Only(_)] => Some(0),
        _ => None,
    }
}

fn signed(tokens: &mut Tokens, said: Said) {
    match said {
        Said::Fixed(value) => tokens.extend([Token::Sign(value), Token::Operator(Operator::True)]),
        Said::Open(Meaning(inner), sign) => {
            tokens.push(Token::Sign(sign));
            tokens.extend(inner);
        }
    }
}

impl Reader<'_> {
    /// The meaning of a term of type bool.
    pub(super) fn said(&mut self, term: TermId) -> Said {
        let program = self.program;
        let open = |tokens: Tokens, sign: bool| Said::Open(Meaning(tokens), sign);
        match &program.terms[term].kind {
            TermKind::Const(value) => Said::Fixed(*value != 0),
            TermKind::Not(a) => match self.said(*a) {
                Said::Fixed(value) => Said::Fixed(!value),
                Said::Open(meaning, sign) => Said::Open(meaning, !sign),
            },
            TermKind::And(list) => self.junction(list, true),
            TermKind::Or(list) => self.junction(list, false),
            TermKind::Compare(comparison, a, b) => self.comparison(*comparison, *a, *b),
            TermKind::If(c, yes, no) => {
                let (c, yes, no) = (self.said(*c), self.said(*yes), self.said(*no));
                let (c, yes, no) = match c {
                    Said::Fixed(true) => return yes,
                    Said::Fixed(false) => return no,
                    Said::Open(c, true) => (c, yes, no),
                    Said::Open(c, false) => (c, no, yes),
                };
                let mut tokens = alloc::vec![Token::Operator(Operator::If)];
                tokens.extend(c.0);
                signed(&mut tokens, yes);
                signed(&mut tokens, no);
                open(tokens, true)
            }
            TermKind::Quantified(quantifier, reg, domain, body) => {
                // `exists` is the opposite of `forall` with the opposite inside.
                let all = *quantifier == Quantifier::Forall;
                let mut tokens = alloc::vec![Token::Operator(Operator::Forall)];
                let body = self.body(*reg, *domain, *body, &mut tokens);
                let body = match body {
                    Said::Fixed(value) => Said::Fixed(value == all),
                    Said::Open(meaning, sign) => Said::Open(meaning, sign == all),
                };
                signed(&mut tokens, body);
                open(tokens, all)
            }
            _ => open(self.tokens(term), true),
        }
    }

    fn junction(&mut self, list: &[TermId], all: bool) -> Said {
        // `or` is the opposite of `and` of the opposites.
        let mut tokens = alloc::vec![Token::Operator(Operator::And), Token::Number(0)];
        let mut kept: Vec<Said> = Vec::new();
        for &part in list {
            match self.said(part) {
                Said::Fixed(value) if value == all => {}
                // The operands behind are never evaluated; those before may have a fault.
                Said::Fixed(_) => {
                    kept.push(Said::Fixed(false));
                    break;
                }
                Said::Open(meaning, sign) => kept.push(Said::Open(meaning, sign == all)),
            }
        }
        match kept.as_slice() {
            [] => return Said::Fixed(all),
            [Said::Fixed(_)] => return Said::Fixed(!all),
            [Said::Open(meaning, sign)] => return Said::Open(meaning.clone(), *sign == all),
            _ => {}
        }
        tokens[1] = Token::Number(kept.len() as i64);
        for part in kept {
            signed(&mut tokens, part);
        }
        Said::Open(Meaning(tokens), all)
    }

    fn comparison(&mut self, comparison: Comparison, a: TermId, b: TermId) -> Said {
        if self.program.terms[a].ty == Type::Bool {
            return self.equivalence(comparison == Comparison::Eq, a, b);
        }
        let (left, right) = (self.tokens(a), self.tokens(b));
        if let (Some(left), Some(right)) = (known(&left), known(&right)) {
            return Said::Fixed(comparison.holds(left, right));
        }
        let fixed =
            |tokens: &Tokens| matches!(tokens[..], [Token::Number(_) | Token::Tracked(_) | Token::Only(_)]);
        let (operator, sign, left, right) = match comparison {
            Comparison::Eq | Comparison::Ne => {
                // A fixed value stands on the right.
                let turn = fixed(&left) && !fixed(&right);
                let (left, right) = if turn { (right, left) } else { (left, right) };
                (Operator::Equal, comparison == Comparison::Eq, left, right)
            }
            Comparison::Lt | Comparison::Ge => (Operator::Less, comparison == Comparison::Lt, left, right),
            Comparison::Gt | Comparison::Le => (Operator::Less, comparison == Comparison::Gt, right, left),
        };
        let mut tokens = alloc::vec![Token::Operator(operator)];
        tokens.extend(left);
        tokens.extend(right);
        Said::Open(Meaning(tokens), sign)
    }

    fn equivalence(&mut self, equal: bool, a: TermId, b: TermId) -> Said {
        match (self.said(a), self.said(b)) {
            (Said::Fixed(a), Said::Fixed(b)) => Said::Fixed((a == b) == equal),
            (Said::Fixed(value), Said::Open(meaning, sign))
            | (Said::Open(meaning, sign), Said::Fixed(value)) => {
                Said::Open(meaning, (sign == value) == equal)
            }
            (Said::Open(a, own), Said::Open(b, other)) => {
                let mut tokens = alloc::vec![Token::Operator(Operator::Equal)];
                tokens.extend(a.0);
                tokens.extend(b.0);
                Said::Open(Meaning(tokens), (own == other) == equal)
            }
        }
    }

    /// Writes the domain of a quantifier, and says what its body says.
    fn body(&mut self, reg: Reg, domain: Domain, body: TermId, tokens: &mut Tokens) -> Said {
        match domain {
            Domain::Family(family) => {
                tokens.extend([Token::Operator(Operator::Family), Token::Number(family.0.into())]);
            }
            Domain::Range(low, high) => {
                tokens.extend([Token::Operator(Operator::Range), Token::Number(low), Token::Number(high)]);
            }
        }
        self.inner.push(reg);
        let said = self.counted(body);
        self.inner.pop();
        said
    }

    /// The body of a quantifier; of a count with several names it is a count.
    fn counted(&mut self, body: TermId) -> Said {
        if self.program.terms[body].ty == Type::Bool {
            return self.said(body);
        }
        Said::Open(Meaning(self.tokens(body)), true)
    }

    /// A term by its structure.
    fn tokens(&mut self, term: TermId) -> Tokens {
        let program = self.program;
        if program.terms[term].ty == Type::Bool
            && !matches!(
                program.terms[term].kind,
                TermKind::Shared(..)
                    | TermKind::Local(..)
                    | TermKind::Bound(_)
                    | TermKind::Enabled(_)
                    | TermKind::Executed(_)
                    | TermKind::Endless
                    | TermKind::Fault(_)
            )
        {
            let mut tokens = Tokens::new();
            signed(&mut tokens, self.said(term));
            return tokens;
        }
        let number = |id: u32| Token::Number(id.into());
        let mut tokens = Tokens::new();
        let operator = |operator: Operator| Token::Operator(operator);
        match program.terms[term].kind.clone() {
            TermKind::Const(value) => tokens.push(self.fixed(value, program.terms[term].ty)),
            TermKind::Bound(reg) => tokens.extend(self.name(reg)),
            // No property has it: it is looked at by a step only.
            TermKind::Endless => tokens.push(Token::Number(0)),
            TermKind::Shared(var, indices) => {
                tokens.extend([operator(Operator::Shared), number(var.0)]);
                self.all(&indices, &mut tokens);
            }
            TermKind::Local(var, process, indices) => {
                tokens.extend([operator(Operator::Local), number(var.0)]);
                self.all(&[process], &mut tokens);
                self.all(&indices, &mut tokens);
            }
            TermKind::Neg(a) => match self.tokens(a)[..] {
                [Token::Number(value)] if let Some(value) = value.checked_neg() => {
                    tokens.push(Token::Number(value));
                }
                ref inner => {
                    tokens.push(operator(Operator::Neg));
                    tokens.extend(inner);
                }
            },
            TermKind::Arithmetic(op, a, b) => {
                let (left, right) = (self.tokens(a), self.tokens(b));
                if let ([Token::Number(a)], [Token::Number(b)]) = (&left[..], &right[..])
                    && let Ok(value) = arithmetic(op, *a, *b)
                {
                    return alloc::vec![Token::Number(value)];
                }
                tokens.push(operator(match op {
                    ArithmeticOp::Add => Operator::Add,
                    ArithmeticOp::Sub => Operator::Sub,
                    ArithmeticOp::Mul => Operator::Mul,
                    ArithmeticOp::Div => Operator::Div,
                    ArithmeticOp::Rem => Operator::Rem,
                    ArithmeticOp::Min => Operator::Min,
                    ArithmeticOp::Max => Operator::Max,
                }));
                tokens.extend(left);
                tokens.extend(right);
            }
            TermKind::If(c, a, b) => {
                tokens.push(operator(Operator::If));
                let c = self.said(c);
                signed(&mut tokens, c);
                self.all(&[a, b], &mut tokens);
            }
            TermKind::Quantified(quantifier, reg, domain, body) => {
                tokens.push(operator(match quantifier {
                    Quantifier::Sum => Operator::Sum,
                    Quantifier::Min => Operator::Least,
                    Quantifier::Max => Operator::Greatest,
                    Quantifier::Forall | Quantifier::Exists | Quantifier::Count => Operator::Count,
                }));
                let body = self.body(reg, domain, body, &mut tokens);
                signed(&mut tokens, body);
            }
            TermKind::ProcessAt(family, a) => {
                tokens.extend([operator(Operator::ProcessAt), number(family.0)]);
                self.all(&[a], &mut tokens);
            }
            TermKind::Recode(from, to, a) => {
                tokens.extend([operator(Operator::Recode), number(from.0), number(to.0)]);
                self.all(&[a], &mut tokens);
            }
            TermKind::IndexOf(a) => self.call(Operator::IndexOf, a, &mut tokens),
            TermKind::Neighbour(Direction::Next, a) => self.call(Operator::Next, a, &mut tokens),
            TermKind::Neighbour(Direction::Prev, a) => self.call(Operator::Prev, a, &mut tokens),
            TermKind::Enabled(a) => self.call(Operator::Enabled, a, &mut tokens),
            TermKind::Executed(a) => self.call(Operator::Executed, a, &mut tokens),
            TermKind::Fault(misuse) => tokens.extend([operator(Operator::Fault), number(misuse as u32)]),
            TermKind::Not(_) | TermKind::And(_) | TermKind::Or(_) | TermKind::Compare(..) => {}
        }
        tokens
    }

    fn all(&mut self, terms: &[TermId], tokens: &mut Tokens) {
        for &term in terms {
            tokens.extend(self.tokens(term));
        }
    }

    fn call(&mut self, operator: Operator, argument: TermId, tokens: &mut Tokens) {
        tokens.push(Token::Operator(operator));
        self.all(&[argument], tokens);
    }

    fn fixed(&self, value: i64, ty: Type) -> Token {
        match (ty, u32::try_from(value)) {
            (Type::Process { family, .. }, Ok(number)) if self.program.families[family].size > 1 => {
                Token::Tracked((self.place)(self.program.process(family, number)))
            }
            (Type::Process { family, .. }, Ok(_)) => Token::Only(family.0),
            _ => Token::Number(value),
        }
    }

    fn name(&self, reg: Reg) -> Tokens {
        if let Some(depth) = self.inner.iter().rposition(|inner| *inner == reg) {
            return alloc::vec![Token::Inner(depth)];
        }
        match self.bound.get(&reg) {
            Some(AtomValue::Tracked(number)) => alloc::vec![Token::Tracked(*number)],
            Some(AtomValue::Number(number)) => alloc::vec![Token::Number(*number)],
            None => alloc::vec![Token::Operator(Operator::Free), Token::Number(reg.0.into())],
        }
    }
}
