//! The words of the language, each with its line of the reference. A test compares them with `docs/language.md`.

/// A word that has a meaning by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The word.
    pub text: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// The reference's words about it.
    pub says: &'static str,
}

impl Word {
    /// The word that a text is.
    pub fn named(text: &str) -> Option<&'static Word> {
        WORDS.iter().find(|word| word.text == text)
    }
}

const fn word(text: &'static str, form: &'static str, says: &'static str) -> Word {
    Word { text, form, says }
}

const LINEAR: &str = "`X` (next), `F` `<>` `eventually`, `G` `[]` `always`, and between operands `U` (until), `R` (release), `W` (weak until), `M` (strong release)";
const PATHS: &str =
    "`A` is about all infinite paths from a state and `E` about some, whether they are fair or not.";
const NEXT_OR: &str = "`ctl`** has `AX EX AF EF AG EG` and `A[f U g]`, `E[f U g]`";
const QUANTIFIED: &str = "where D is a family or a range of fixed numbers";
const CHOICE: &str = "has both parts, of one type";
const JOINED: &str = "can be joined with `and or not => <=> == != if`";
const CHANGES: &str = "Among the effects of an action, `add m to net` and `remove m from net`";
const STATES: &str =
    "A state is `initial`, `accepting`, both or neither; one without either may be marked `state`.";

/// All of them.
pub const WORDS: &[Word] = &[
    // Items.
    word("param", "param NAME = VALUE in LOW..HIGH", "A whole number that is fixed before the model runs."),
    word("type", "type NAME = TYPE", "A name for a type, so that it need not be repeated"),
    word("shared", "shared NAME: TYPE = VALUE", "for all processes"),
    word("process", "process NAME[SIZE] { … }", "a family of SIZE equal ones, numbered from 0"),
    word("ring", "process NAME[SIZE] ring { … }", "is a family in which every process has two neighbours"),
    word("scalarset", "scalarset data[3]", "values that differ only in being different"),
    word("var", "var NAME: TYPE = VALUE", "inside a process for each of its members"),
    word(
        "action",
        "action NAME: GUARD -> TARGET := VALUE",
        "Its parameters range over families or ranges of fixed numbers; each choice of values is a step of its own.",
    ),
    word("define", "define NAME(x, y) = EXPRESSION", "A definition stands for its expression."),
    word(
        "procedure",
        "procedure put(x: 0..3, out y: 0..3) { if x > y { y := x } }",
        "A procedure is executed where it is called, in the place of the call.",
    ),
    word(
        "function",
        "function larger(a: 0..3, b: 0..3): 0..3 { if a > b { return a } return b }",
        "A function computes a value with `let`, `if`, `switch` and `return`, on every way, and assigns nothing",
    ),
    word(
        "out",
        "procedure put(x: 0..3, out y: 0..3)",
        "one that is `out` stands for a variable of the caller with exactly its type",
    ),
    word("fairness", "fairness FAMILY: weak", "Processes of a family without such a line are weakly fair."),
    word(
        "weak",
        "fairness FAMILY: weak",
        "a process that is enabled from some point on for ever executes again and again",
    ),
    word(
        "strong",
        "fairness FAMILY.ACTION: weak` or `strong",
        "a process that is enabled again and again executes again and again",
    ),
    word("symmetry", "symmetry auto", "is the default and lets the tool find the symmetry"),
    word("auto", "symmetry auto", "is the default and lets the tool find the symmetry"),
    word(
        "generators",
        "symmetry generators { (client[0] client[1]), (client[0] client[2])(client[1] client[3]) }",
        "each generator is a product of disjoint cycles",
    ),
    word("assume", "assume EXPR", "restricts the states that are looked at"),
    word(
        "init",
        "init(x in D): GUARD { … }",
        "is a block that makes initial states out of the values that the variables are declared with",
    ),
    word("hint", "hint EXPR", "says which states to look at first"),
    word("invariant", "invariant NAME: E", "`E` is true in every reachable state"),
    word("cover", "cover NAME: E", "`E` is true in some reachable state"),
    word("deadlock", "deadlock free", "no reachable state is a [deadlock]"),
    word("free", "deadlock free", "no reachable state is a [deadlock]"),
    word("ltl", "ltl NAME: F", "`F` is true of every fair computation"),
    word("ctl", "ctl NAME: F", "`F` is true in every initial state"),
    word("mu", "mu NAME: F", "`F` is true in every initial state"),
    word(
        "nu",
        "nu X. f",
        "the least fixed point `mu X. f` and the greatest one `nu X. f`, in which `X` is a formula",
    ),
    word(
        "automaton",
        "automaton NAME(x in D, …) { … }",
        "no fair computation is accepted, for any choice of the parameters",
    ),
    word("initial", "initial a { true -> a   c.st == C -> b }", STATES),
    word("accepting", "accepting b { true -> b }", STATES),
    word("state", "initial a { true -> a   c.st == C -> b }", STATES),
    // Types.
    word("bool", "bool", "`true`, `false`"),
    word(
        "record",
        "record { NAME: TYPE, NAME[INDEX]: TYPE }",
        "a value for each field; a field may be a table",
    ),
    word("set", "set of TYPE", "a set"),
    word("bag", "bag[SIZE] of TYPE", "at most SIZE values, whose order is lost"),
    word("queue", "queue[SIZE] of TYPE", "at most SIZE values in order"),
    word("of", "set of TYPE", "a set"),
    // Expressions.
    word("in", "x in s", "range over a set"),
    word("is", "owner is client", "asks which"),
    word("and", "and", JOINED),
    word("or", "or", JOINED),
    word("not", "not c.st == C", "`not c.st == C` is `not (c.st == C)`"),
    word("forall", "forall x in D: E", QUANTIFIED),
    word("exists", "exists x in D: E", QUANTIFIED),
    word("if", "if A then B else C", CHOICE),
    word("then", "if A then B else C", CHOICE),
    word("else", "if A then B else C", CHOICE),
    word("true", "bool", "`true`, `false`"),
    word("false", "bool", "`true`, `false`"),
    word("self", "self", "the process; inside a process only"),
    word("none", "x == none", "asks whether a value of type `TYPE?` is there"),
    word("any", "any", "stands by itself and makes every value of the type an initial value"),
    // Functions.
    word("index", "index(p)", "the number of a process in its family, from 0"),
    word("next", "next(p)", "the neighbours in a `ring`"),
    word("prev", "prev(p)", "the neighbours in a `ring`"),
    word("enabled", "enabled(p)", "whether `p` has a step; in `ltl`, `ctl`, `mu` and `automaton` only"),
    word(
        "executed",
        "executed(p)",
        "whether `p` executes the step that *leaves* this state; in `ltl` and `automaton` only",
    ),
    word(
        "min",
        "min(a, b, …)",
        "the least and the greatest of two numbers or more; `min(x in D: e)` over a domain",
    ),
    word(
        "max",
        "max(a, b, …)",
        "the least and the greatest of two numbers or more; `min(x in D: e)` over a domain",
    ),
    word("abs", "abs(a)", "the distance of a number from 0"),
    word("sum", "sum(x in D: e)", "the sum of `e` over a domain"),
    word(
        "count",
        "count(x in D: b)",
        "for how many elements of a domain `b` is true; how many values a set or bag has",
    ),
    word("head", "head(q)", "the first value of a queue"),
    word("length", "length(q)", "how many values a queue has"),
    word("room", "room(q)", "whether a bag or queue has room for one more value"),
    // Statements.
    word("skip", "skip", "nothing"),
    word("for", "for x in D, y in D { … }", "the block for every value, one after the other"),
    word("while", "while E { … }", "repeats the block; a 65th round is a fault"),
    word("switch", "switch E { case A, B { … } else { … } }", "the first case that E is equal to"),
    word("case", "switch E { case A, B { … } else { … } }", "the first case that E is equal to"),
    word("let", "let NAME = E", "names a value up to the end of the block; it cannot be assigned to"),
    word("assert", "assert E", "wherever the step is made and comes here, E holds"),
    word(
        "return",
        "return a",
        "A function computes a value with `let`, `if`, `switch` and `return`, on every way, and assigns nothing",
    ),
    word("push", "push(q, m)", "puts a value into a [queue](#queues), takes its first one out"),
    word("pop", "pop(q)", "puts a value into a [queue](#queues), takes its first one out"),
    word("add", "add m to net", CHANGES),
    word("to", "add m to net", CHANGES),
    word("remove", "remove m from net", CHANGES),
    word("from", "remove m from net", CHANGES),
    word("loop", "loop { … }", "repeats for ever"),
    word("await", "await E", "there is a step only where E holds at this point"),
    word("either", "either { … } or { … }", "any one of the blocks"),
    word(
        "with",
        "with x in D { … }",
        "the block for any one value of a family, a range, a set or a bag; no label stands in it",
    ),
    word("goto", "goto NAME", "the step ends at that label"),
    word(
        "stop",
        "stop",
        "the process has come to its end, as it has behind its last statement: it is at `done`",
    ),
    // Temporal operators.
    word("X", "X", LINEAR),
    word("F", "F", LINEAR),
    word("eventually", "eventually", LINEAR),
    word("G", "G", LINEAR),
    word("always", "always", LINEAR),
    word("U", "U", LINEAR),
    word("R", "R", LINEAR),
    word("W", "W", LINEAR),
    word("M", "M", LINEAR),
    word("A", "A[f U g]", PATHS),
    word("E", "E[f U g]", PATHS),
    word("AX", "AX", NEXT_OR),
    word("EX", "EX", NEXT_OR),
    word("AF", "AF", NEXT_OR),
    word("EF", "EF", NEXT_OR),
    word("AG", "AG", NEXT_OR),
    word("EG", "EG", NEXT_OR),
];

/// Words that start a statement, in blocks and in code alike.
pub(super) const STATEMENTS: &[&str] = &["if", "for", "while", "switch", "let", "assert", "skip"];
/// Words that start a statement of code only.
pub(super) const OF_CODE: &[&str] = &["loop", "await", "goto", "either", "with", "stop"];
/// The operators of linear time.
pub(super) const OF_LTL: &[&str] = &["X", "F", "G", "U", "R", "W", "M", "always", "eventually"];
/// The operators of branching time.
pub(super) const OF_CTL: &[&str] = &["AX", "EX", "AF", "EF", "AG", "EG", "A", "E", "U", "R", "W", "M"];
/// The fixed points.
pub(super) const OF_MU: &[&str] = &["mu", "nu"];
/// Words that are no reserved words and are offered wherever a name may stand.
pub(super) const ELSEWHERE: &[&str] = &["ring", "weak", "strong", "auto", "free"];
