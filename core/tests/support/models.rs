//! Random models: well formed by the grammar, with all of it, though not well typed; with white space and comments in
//! every place where they may stand.

use super::random::Random;

/// A random model in some random layout.
pub(crate) fn random_model(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut model = Model { random: random.clone(), tokens: Vec::new(), logic: Logic::State };
    let items = 1 + random.below(8);
    for _ in 0..items {
        model.item();
    }
    lay_out(&mut random, &model.tokens)
}

/// The tokens with random white space and comments between them; where a space is needed there is one.
fn lay_out(random: &mut Random, tokens: &[String]) -> String {
    const COMMENTS: &[&str] = &[
        "// a remark\n",
        "//\n",
        "// trailing blanks  \t\n",
        "// with a carriage return\r\n",
        "/* in a line */",
        "/**/",
        "/* two \r\n   lines */",
        "/* * / // \" { ( -> */",
    ];
    const SPACES: &[&str] =
        &[" ", " ", " ", "  ", "\t", "\n", "\n\n", "\n \n\n\t", "\r\n", "\u{a0}", "\u{feff}"];
    // Some texts are dense, some are airy, some are full of comments.
    let space = 1 + random.below(6);
    let comment = 2 + random.below(60);
    let mut text = String::new();
    for (i, token) in tokens.iter().enumerate() {
        let before = if i == 0 { "" } else { &tokens[i - 1] };
        if must_separate(before, token) || random.one_in(space) {
            text.push_str(random.pick::<&str>(SPACES));
        }
        while random.one_in(comment) {
            text.push(' ');
            text.push_str(random.pick::<&str>(COMMENTS));
            if random.one_in(2) {
                text.push_str(random.pick::<&str>(SPACES));
            }
        }
        text.push_str(token);
    }
    text.push_str(random.pick::<&str>(&["", "\n", "\n\n\n", " // the end", "\n/* the end */ \n"]));
    text
}

/// Whether two tokens would be read as others if nothing stood between them.
fn must_separate(before: &str, token: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (Some(last), Some(first)) = (before.chars().last(), token.chars().next()) else { return false };
    if word(last) || word(first) {
        return word(last) && word(first);
    }
    let safe = |c: char| "(),{}".contains(c);
    !safe(last) && !safe(first)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    State,
    Ltl,
    Ctl,
    Mu,
}

struct Model {
    random: Random,
    tokens: Vec<String>,
    logic: Logic,
}

const PLAIN: &[&str] = &["x", "st", "turn", "client", "server", "c", "d", "critical_1", "_", "next", "B2"];
/// Words that are operators elsewhere, or marks of one item.
const ODD: &[&str] = &[
    "R",
    "F",
    "G",
    "U",
    "X",
    "W",
    "M",
    "A",
    "E",
    "AG",
    "EF",
    "always",
    "eventually",
    "ring",
    "auto",
    "generators",
    "weak",
    "strong",
    "initial",
    "accepting",
    "state",
    "enabled",
    "executed",
    "index",
    "type",
    "sum",
    "min",
    "max",
    "abs",
];

impl Model {
    fn put(&mut self, tokens: &str) {
        self.tokens.extend(tokens.split_whitespace().map(str::to_string));
    }

    fn plain(&mut self) {
        let name = *self.random.pick(PLAIN);
        self.put(name);
    }

    /// A name in a place where every word may be one.
    fn name(&mut self) {
        let pool = if self.random.one_in(4) { ODD } else { PLAIN };
        let name = *self.random.pick(pool);
        self.put(name);
    }

    fn one_of(&mut self, list: &[&str]) {
        let tokens = *self.random.pick(list);
        self.put(tokens);
    }

    /// `one, one, …`
    fn list(&mut self, most: usize, one: impl Fn(&mut Self)) {
        one(self);
        for _ in 0..self.random.below(most) {
            self.put(",");
            one(self);
        }
    }

    fn item(&mut self) {
        match self.random.below(14) {
            13 => {
                self.put("type");
                self.name();
                self.put("=");
                self.ty();
            }
            0 => {
                self.put("param");
                self.name();
                self.put("=");
                self.bound(1);
                if self.random.one_in(2) {
                    self.put("in");
                    self.range(1);
                }
            }
            1 => {
                self.put("shared");
                self.variable();
            }
            2..=4 => self.process(),
            5 => {
                self.put("define");
                self.name();
                if self.random.one_in(2) {
                    self.put("(");
                    self.list(3, Self::name);
                    self.put(")");
                }
                self.put("=");
                self.expr(4);
            }
            6 => {
                self.put("fairness");
                self.name();
                self.one_of(&[": weak", ": strong", ": none"]);
            }
            7 => self.symmetry(),
            8 => self.property("invariant", Logic::State),
            9 => self.property("ltl", Logic::Ltl),
            10 => self.property("ctl", Logic::Ctl),
            11 => self.property("mu", Logic::Mu),
            _ => self.automaton(),
        }
    }

    fn property(&mut self, keyword: &str, logic: Logic) {
        self.put(keyword);
        self.name();
        self.put(":");
        self.logic = logic;
        self.expr(5);
        self.logic = Logic::State;
    }

    fn variable(&mut self) {
        self.name();
        if self.random.one_in(3) {
            self.put("[");
            self.list(4, |m| {
                if m.random.one_in(2) {
                    m.name();
                    m.put("in");
                }
                m.domain();
            });
            self.put("]");
        }
        self.put(":");
        self.ty();
        self.put("=");
        if self.random.one_in(4) { self.put("any") } else { self.expr(2) }
    }

    fn ty(&mut self) {
        match self.random.below(4) {
            0 => self.put("bool"),
            1 => self.range(1),
            2 => {
                self.put("{");
                self.list(4, Self::name);
                self.put("}");
            }
            _ => {
                self.plain();
                if self.random.one_in(2) {
                    self.put("?");
                }
            }
        }
    }

    fn process(&mut self) {
        self.put("process");
        self.plain();
        if self.random.one_in(2) {
            self.put("[");
            self.expr(1);
            self.put("]");
        }
        if self.random.one_in(3) {
            self.put("ring");
        }
        self.put("{");
        for _ in 0..self.random.below(5) {
            if self.random.one_in(3) {
                self.put("var");
                self.variable();
                continue;
            }
            self.put("action");
            self.name();
            if self.random.one_in(3) {
                self.put("(");
                self.list(2, Self::binder);
                self.put(")");
            }
            self.put(":");
            self.expr(4);
            self.put("->");
            self.list(3, |m| {
                if m.random.one_in(4) {
                    m.put("forall");
                    m.list(2, Self::binder);
                    m.put(":");
                }
                m.target();
                m.put(":=");
                m.expr(2);
            });
        }
        self.put("}");
    }

    fn symmetry(&mut self) {
        self.put("symmetry");
        if self.random.one_in(2) {
            return self.one_of(&["auto", "none", "generators { }"]);
        }
        self.put("generators {");
        self.list(3, |m| {
            for _ in 0..=m.random.below(3) {
                m.put("(");
                for _ in 0..m.random.below(4) {
                    m.plain();
                    if m.random.one_in(2) {
                        m.put("[");
                        m.expr(1);
                        m.put("]");
                    }
                }
                m.put(")");
            }
        });
        if self.random.one_in(3) {
            self.put(",");
        }
        self.put("}");
    }

    fn automaton(&mut self) {
        self.put("automaton");
        self.name();
        if self.random.one_in(2) {
            self.put("(");
            self.list(2, Self::binder);
            self.put(")");
        }
        self.put("{");
        for _ in 0..self.random.below(4) {
            self.one_of(&[
                "",
                "initial",
                "accepting",
                "state",
                "initial accepting",
                "accepting initial state",
            ]);
            self.name();
            self.put("{");
            for _ in 0..self.random.below(4) {
                self.expr(2);
                self.put("->");
                self.name();
            }
            self.put("}");
        }
        self.put("}");
    }

    fn binder(&mut self) {
        self.name();
        self.put("in");
        self.domain();
    }

    fn domain(&mut self) {
        if self.random.one_in(2) { self.plain() } else { self.range(1) }
    }

    fn range(&mut self, depth: usize) {
        self.bound(depth);
        self.put("..");
        self.bound(depth);
    }

    /// An expression for either side of `..`.
    fn bound(&mut self, depth: usize) {
        if depth > 0 && self.random.one_in(3) {
            self.bound(depth - 1);
            self.one_of(&["+", "-", "*", "/", "%"]);
            self.bound(depth - 1);
        } else {
            self.one_of(&["0", "1", "- 1", "7", "n", "- n", "1000000", "( n )", "size ( n )"]);
        }
    }

    fn target(&mut self) {
        self.one_of(&[
            "x",
            "c . st",
            "prev ( self ) . fork",
            "self . x",
            "link [ c , d ]",
            "F",
            "a [ i ] . b [ 0 ]",
        ]);
    }

    fn atom(&mut self) {
        match self.random.below(10) {
            0..=2 => self.plain(),
            3 => self.one_of(&["true", "false", "none", "self", "0", "42"]),
            4 => {
                self.plain();
                self.put("[");
                self.list(2, |m| m.expr(1));
                self.put("]");
            }
            5 => self.one_of(&["c . st", "next ( self ) . x", "client [ 0 ] . st", "( c ) . st . U"]),
            6 => self.one_of(&[
                "index ( c )",
                "enabled ( p )",
                "executed ( client [ 1 ] )",
                "f ( )",
                "g ( a , b )",
            ]),
            7 => self.one_of(&["A [ 0 ]", "E [ c , d ] . x", "( F )", "( U )"]),
            8 => {
                self.put("- ");
                self.atom();
            }
            _ => {
                self.put("(");
                self.expr(1);
                self.put(")");
            }
        }
    }

    fn comparison(&mut self, depth: usize) {
        if self.random.one_in(3) {
            // A literal with the name of an operator, where it can only be a literal.
            self.one_of(&["( c . st == F )", "( R == U )", "( c . st != X )", "( x < M )"]);
            return;
        }
        self.sum(depth);
        self.one_of(&["==", "!=", "<", "<=", ">", ">="]);
        self.sum(depth);
    }

    fn sum(&mut self, depth: usize) {
        self.atom();
        if depth > 0 && self.random.one_in(2) {
            self.one_of(&["+", "-", "*", "/", "%"]);
            self.sum(depth - 1);
        }
    }

    /// An operand of a unary operator: it starts with no minus, which would be read as a subtraction.
    fn operand(&mut self, depth: usize) {
        if self.random.one_in(2) {
            self.put("(");
            self.expr(depth);
            self.put(")");
        } else {
            self.one_of(&["c . st == C", "x", "not x", "! y", "true", "enabled ( c )"]);
        }
    }

    fn expr(&mut self, depth: usize) {
        if depth == 0 {
            return self.atom();
        }
        let below = depth - 1;
        match self.random.below(if self.logic == Logic::State { 10 } else { 14 }) {
            0 => self.atom(),
            1 | 2 => self.comparison(below),
            3 => {
                self.one_of(&["not", "!", "not not", "! !"]);
                self.operand(below);
            }
            4 | 5 => {
                self.operand(below);
                self.one_of(&["and", "or", "=>", "<=>", "&&", "||"]);
                self.expr(below);
            }
            6 => {
                self.put("if");
                self.expr(below);
                self.put("then");
                self.expr(below);
                self.put("else");
                self.expr(below);
            }
            7 => {
                self.one_of(&["forall", "exists"]);
                self.list(2, Self::binder);
                self.put(":");
                self.expr(below);
            }
            8 => {
                self.one_of(&["count (", "count (", "sum (", "min (", "max ("]);
                self.list(2, Self::binder);
                self.put(":");
                self.expr(below);
                self.put(")");
            }
            9 => self.sum(below),
            10 | 11 if self.logic == Logic::Ltl => {
                self.one_of(&["F", "G", "X", "[]", "<>", "always", "eventually", "G F", "[] <>"]);
                self.operand(below);
            }
            10 | 11 if self.logic == Logic::Mu => {
                self.one_of(&["<>", "[]", "[] <>"]);
                self.operand(below);
            }
            12 if self.logic == Logic::Mu => {
                self.one_of(&["mu X .", "nu Y .", "mu mu .", "nu X . mu Y ."]);
                self.expr(below);
            }
            10 | 11 => {
                self.one_of(&["AX", "EX", "AF", "EF", "AG", "EG", "AG EF"]);
                self.operand(below);
            }
            12 if self.logic == Logic::Ltl => {
                self.operand(below);
                self.one_of(&["U", "R", "W", "M"]);
                self.operand(below);
            }
            12 => {
                self.one_of(&["A [", "E ["]);
                self.expr(below);
                self.one_of(&["U", "R", "W"]);
                self.expr(below);
                self.put("]");
            }
            _ => {
                self.operand(below);
                self.put("->");
                self.expr(below);
            }
        }
    }
}
