//! The list of the language: every run of random cases has to meet all of it.

use std::collections::BTreeSet;

/// Cases that are met by themselves.
const ITEMS: &[&str] = &[
    "param",
    "define",
    "define(x)",
    "define(x, y)",
    "fairness weak",
    "fairness strong",
    "fairness none",
    "symmetry auto",
    "symmetry none",
    "symmetry generators",
    "several generators",
    "generator of several cycles",
    "fairness of an action weak",
    "fairness of an action strong",
    "fairness of an action none",
    "assume",
    "hint",
    "init { }",
    "init(x in D) { }",
    "init(x in D): E { }",
    "cover",
    "deadlock free",
    "invariant",
    "ltl",
    "ctl",
    "mu",
    "automaton",
    "automaton(c)",
    "automaton(c, d)",
    "state initial and accepting",
    "state initial",
    "state accepting",
    "state with neither",
    "single process",
    "family of nobody",
    "family of one",
    "family of several",
    "ring",
    "shared variable with 0 indices",
    "shared variable with 1 indices",
    "shared variable with 2 indices",
    "shared variable with 3 indices",
    "shared variable with 4 indices",
    "shared variable indexed by a family",
    "shared variable indexed by numbers",
    "local variable with 0 indices",
    "local variable with 1 indices",
    "local variable with 2 indices",
    "local variable with 3 indices",
    "local variable with 4 indices",
    "local variable indexed by a family",
    "local variable indexed by numbers",
    "named index",
    "type",
    "type by name",
    "type by name and none",
    "type bool",
    "type of numbers",
    "type of literals",
    "type of processes",
    "type of processes and none",
    "initially any value",
    "several variables with any value",
    "action",
    "action(x)",
    "action(x, y)",
    "action over a family",
    "action over numbers",
    "one assignment",
    "two assignments",
    "three assignments",
    "assignment for all",
    "assignment for all pairs",
    "assignment for all over a family",
    "assignment for all over numbers",
    "assignment for all over nothing",
    "target by name",
    "target of a process",
    "target with indices",
    "forall over a family",
    "forall over numbers",
    "forall over nothing",
    "exists over a family",
    "exists over numbers",
    "exists over nothing",
    "count over a family",
    "count over numbers",
    "count over nothing",
    "forall of several over a family",
    "forall of several over numbers",
    "forall of several over nothing",
    "exists of several over a family",
    "exists of several over numbers",
    "exists of several over nothing",
    "count of several over a family",
    "count of several over numbers",
    "count of several over nothing",
    "sum over a family",
    "sum over numbers",
    "sum over nothing",
    "smallest over a family",
    "smallest over numbers",
    "largest over a family",
    "largest over numbers",
    "sum of several over a family",
    "sum of several over numbers",
    "sum of several over nothing",
    "smallest of several over a family",
    "smallest of several over numbers",
    "largest of several over a family",
    "largest of several over numbers",
    "`!`",
    "`&&`",
    "`||`",
    "`|`",
    "`[]`",
    "`<>`",
    "always",
    "eventually",
];

/// Statements, and where they stand.
pub(super) const STATEMENTS: &[&str] = &[
    "block",
    "code",
    "code beside actions",
    "procedure",
    "function",
    "out",
    "skip",
    "statement :=",
    "if { }",
    "if { } else { }",
    "if { } else if { }",
    "if { } else if { } else { }",
    "for",
    "for of several",
    "for over a family",
    "for over numbers",
    "for over nothing",
    "while",
    "switch",
    "switch with else",
    "let",
    "assert",
    "call of a procedure",
    "return",
    "label",
    "loop",
    "await",
    "goto",
    "either",
    "with",
    "with over a family",
    "with over numbers",
    "stop",
];

/// Compound types and what is done with them. The generator of typed programs has them, and no other.
pub(super) const COMPOUND: &[&str] = &[
    "type and none",
    "type of records",
    "type of several families",
    "type of sets",
    "type of bags",
    "type of queues",
    "field with indices",
    "action over several families",
    "action over what is in a set",
    "forall over several families",
    "exists over several families",
    "count over several families",
    "forall over what is in a set",
    "exists over what is in a set",
    "statement add",
    "statement remove",
    "for over several families",
    "for over what is in a set",
    "with over several families",
    "with over what is in a set",
    "add to a bag",
    "remove from a bag",
    "push to a queue",
    "pop from a queue",
    "record(…) in actions",
    "{…} in actions",
    "is in actions",
    "in in actions",
    "count(s) in actions",
    "head(q) in actions",
    "length(q) in actions",
    "room(b) in actions",
];

/// Expressions of compound values.
const COMPOUND_VALUES: &[&str] =
    &["record(…)", "{…}", "is", "in", "count(s)", "head(q)", "length(q)", "room(b)"];

/// The models have these, and the generators need not: a range says only which settings are refused.
const BESIDE: &[&str] = &["param with a range", "define(x, y, …)"];

/// Expressions of a state without an operand that is true or false.
const VALUES: &[&str] = &[
    "true or false",
    "number",
    "none",
    "name",
    "[…]",
    ".x",
    ".x.y",
    ".x.y.z",
    "index(p)",
    "next(p)",
    "prev(p)",
    "definition(…)",
    "minus sign",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<",
    "<=",
    ">",
    ">=",
    "min(a, b)",
    "max(a, b)",
    "abs(a)",
];

/// Quantifiers over numbers; a part of one is a number, of which a part may be true or false.
const TALLIES: &[&str] =
    &["sum", "smallest", "largest", "sum of several", "smallest of several", "largest of several"];

/// Operators of which a part may be true or false.
const CONNECTIVES: &[&str] = &[
    "not",
    "and",
    "or",
    "=>",
    "<=>",
    "==",
    "!=",
    "if",
    "forall",
    "exists",
    "count",
    "forall of several",
    "exists of several",
    "count of several",
];

const LINEAR: &[&str] = &["X", "F", "G", "U", "R", "W", "M"];
const BRANCHING: &[&str] =
    &["AX", "AF", "AG", "EX", "EF", "EG", "AU", "AR", "AW", "AM", "EU", "ER", "EW", "EM"];
const FIXPOINTS: &[&str] = &["AX", "EX", "mu", "nu"];

/// The places of expressions that have to be met with every operator, and the operators of time there.
const PLACES: &[(&str, &[&str])] =
    &[("actions", &[]), ("invariant", &[]), ("ltl", LINEAR), ("ctl", BRANCHING), ("mu", FIXPOINTS)];

/// Everything that has to be met.
pub(super) fn required() -> BTreeSet<String> {
    let mut all: BTreeSet<String> =
        ITEMS.iter().chain(STATEMENTS).chain(COMPOUND).map(ToString::to_string).collect();
    for (place, of_time) in PLACES {
        let mut operators = VALUES.iter().chain(TALLIES).chain(CONNECTIVES).chain(*of_time);
        all.extend(operators.by_ref().map(|name| format!("{name} in {place}")));
        let around = || CONNECTIVES.iter().chain(*of_time);
        if !of_time.is_empty() {
            all.insert(format!("enabled(p) in {place}"));
            all.extend(around().map(|name| format!("enabled under {name} in {place}")));
        }
        if *place == "ltl" {
            all.insert("executed(p) in ltl".to_string());
            all.extend(around().map(|name| format!("executed under {name} in ltl")));
        }
    }
    let more =
        ["self in actions", "self in definitions", "self in initial values", "enabled(p) in automaton"];
    all.extend(more.map(String::from));
    let initial = ["name", "if", "%", "+", "*", "[…]", "index(p)", "none", "number", "true or false", "=="];
    all.extend(["executed(p) in automaton".to_string()]);
    all.extend(initial.map(|name| format!("{name} in initial values")));
    all
}

/// Whether something that was met is known here, so that its absence would be noticed.
pub(super) fn is_known(name: &str, required: &BTreeSet<String>) -> bool {
    let operators = || {
        [VALUES, COMPOUND_VALUES, TALLIES, CONNECTIVES, LINEAR, BRANCHING, FIXPOINTS].into_iter().flatten()
    };
    let moment = |name: &str| matches!(name, "self" | "enabled(p)" | "executed(p)");
    let part = |text: &str| operators().any(|op| *op == text) || moment(text);
    let placed = name.rsplit_once(" in ").is_some_and(|(operator, _)| {
        part(operator) || operator.split_once(" under ").is_some_and(|(_, around)| part(around))
    });
    // The ways to range over several families or a set, beside those asked for above.
    let over = [" over several families", " over what is in a set"].iter().any(|over| name.ends_with(over));
    required.contains(name) || BESIDE.contains(&name) || placed || over
}
