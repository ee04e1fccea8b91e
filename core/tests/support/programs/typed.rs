//! Random programs with records, values that may be empty, sets, bags, queues and unions of families.

use crate::support::random::Random;
use std::fmt::Write;

/// The names known in an action: messages, nodes and so on.
#[derive(Clone, Default)]
struct Known {
    messages: Vec<String>,
    nodes: Vec<String>,
    either: Vec<String>,
}

struct Typed {
    random: Random,
    /// The variables that the program has.
    has: Vec<&'static str>,
    /// Whether actions have blocks, and some processes code.
    blocks: bool,
}

const SHARED: &[(&str, &[&str])] = &[
    ("net", &["net: bag[1] of msg = {}", "net: bag[2] of msg = {}"]),
    ("last", &["last: msg? = none"]),
    ("q", &["q: queue[1] of msg = {}", "q: queue[2] of msg = {}"]),
    ("nums", &["nums: set of 0..1 = {}", "nums: set of 0..1 = any", "nums: set of 0..1 = {1}"]),
    ("seen", &["seen: set of node = {}", "seen: set of node = any"]),
    ("number", &["number: (0..1)? = none", "number: (0..1)? = 1"]),
    ("owner", &["owner: node | server = server", "owner: (node | server)? = none"]),
    ("cell", &["cell: slot = slot(at: none, mark: false)", "cell: slot = any"]),
    ("box", &["box[node]: kind? = none", "box[node]: kind? = ack"]),
    ("crowd", &["crowd: bag[2] of (node | server)? = {}"]),
];

/// A program as text. Some have a fault somewhere.
pub(crate) fn typed(seed: u64) -> String {
    typed_asking(seed, 0)
}

/// The same with more properties, of all logics. Blocks that say too much at once are refused: then the program has none.
pub(crate) fn typed_asking(seed: u64, more: usize) -> String {
    let text = typed_with(seed, seed % 2 == 1, more);
    let refused = orbitscope_core::program::build(
        &orbitscope_core::syntax::parse(&text).file,
        &orbitscope_core::program::Settings::default(),
    );
    let too_large =
        |all: Vec<orbitscope_core::text::Diagnostic>| all.iter().any(|d| d.message.contains("too large"));
    if refused.err().is_some_and(too_large) { typed_with(seed, false, more) } else { text }
}

fn typed_with(seed: u64, blocks: bool, more: usize) -> String {
    let mut random = Random::new(seed ^ 0x7479_7065);
    let mut has: Vec<(&'static str, &'static str)> = Vec::new();
    while has.len() < 3 {
        let (name, forms) = *random.pick(SHARED);
        if has.iter().all(|(other, _)| *other != name) {
            has.push((name, *random.pick::<&str>(forms)));
        }
    }
    let local = random.below(5);
    let mut text = String::new();
    let nodes = random.between(2, 3);
    let _ = writeln!(text, "type kind = {{read, ack}}\nscalarset data[2]");
    let field = ["value: data?", "n: 0..1", "ok: bool", "who: node | server"][random.below(4)];
    let _ = writeln!(text, "type msg = record {{ kind: kind, from: node, {field} }}");
    let _ =
        writeln!(text, "type slot = record {{ at: node?, mark[node]: bool }}\ntype actor = node | server");
    for (_, form) in &has {
        let _ = writeln!(text, "shared {form}");
    }
    let names = has.iter().map(|(name, _)| *name).collect();
    let mut typed = Typed { random, has: names, blocks };
    let (declared, own): (&str, &[&'static str]) = match local {
        0 => ("  var buf: msg? = none\n", &["buf"]),
        1 => ("  var mine: data? = none\n", &["mine"]),
        2 => ("  var inbox: queue[1] of kind = {}\n", &["inbox"]),
        3 => ("  var peers: set of node = {}\n", &["peers"]),
        _ => ("  var st: kind = read\n", &["st"]),
    };
    typed.has.extend(own);
    let field = field.split(':').next().unwrap_or("value");
    let code = if typed.blocks && typed.random.chance(40) { typed.code(field) } else { String::new() };
    let actions =
        if code.is_empty() || typed.random.coin() { typed.actions(field, true) } else { String::new() };
    let _ = writeln!(text, "process node[{nodes}] {{\n{declared}{actions}{code}}}");
    typed.has.retain(|name| !own.contains(name));
    let _ = writeln!(text, "process server {{\n{}}}", typed.actions(field, false));
    if typed.blocks && typed.random.chance(30) {
        typed.init(&mut text, field);
    }
    let known = Known { nodes: vec!["node[0]".into()], ..Known::default() };
    for (i, logic) in ["invariant", "ltl", "ctl"].into_iter().enumerate() {
        let fact = typed.fact(&known, field, 2);
        let fact = match logic {
            "ltl" => format!("G F ({fact})"),
            "ctl" => format!("EF ({fact})"),
            _ => format!("not ({fact}) or {}", typed.fact(&known, field, 1)),
        };
        let _ = writeln!(text, "{logic} p{i}: {fact}");
    }
    for i in 0..more {
        let logic = ["ltl", "ctl", "ltl", "mu"][i % 4];
        let formula = typed.temporal(logic, &known, field, 3);
        let _ = writeln!(text, "{logic} more{i}: {formula}");
    }
    text
}

impl Typed {
    fn has(&self, name: &str) -> bool {
        self.has.contains(&name)
    }

    fn actions(&mut self, field: &str, own: bool) -> String {
        let mut text = String::new();
        for i in 0..self.random.between(1, 3) {
            let mut known = Known::default();
            if own {
                known.nodes.push("self".into());
            }
            known.either.push(if own { "self".into() } else { "server".into() });
            let mut params = Vec::new();
            match self.random.below(8) {
                0 | 1 if self.has("net") => {
                    params.push("m in net");
                    known.messages.push("m".into());
                }
                2 if self.has("seen") => {
                    params.push("x in seen");
                    known.nodes.push("x".into());
                }
                3 => {
                    params.push(["x in actor", "x in node | server"][self.random.below(2)]);
                    known.either.push("x".into());
                }
                4 if self.has("crowd") => {
                    params.push("x in crowd");
                    known.either.push("x".into());
                }
                5 | 6 => {
                    params.push("x in node");
                    known.nodes.push("x".into());
                }
                _ => {}
            }
            let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
            let guard = self.fact(&known, field, 2);
            if self.blocks && self.random.chance(75) {
                let statements = self.statements(&known, field, 2);
                let _ = writeln!(text, "  action a{i}{params}: {guard} {{\n    {statements}\n  }}");
                continue;
            }
            let mut effects: Vec<String> = Vec::new();
            let mut used: Vec<&str> = Vec::new();
            for _ in 0..self.random.between(1, 2) {
                let target = *self.random.pick(&self.has.clone());
                if used.contains(&target) && target != "net" {
                    continue;
                }
                used.push(target);
                effects.push(self.effect(target, &known, field));
            }
            let _ = writeln!(text, "  action a{i}{params}: {guard}\n    -> {}", effects.join(", "));
        }
        text
    }

    /// A formula of a logic.
    fn temporal(&mut self, logic: &str, known: &Known, field: &str, depth: u32) -> String {
        if depth == 0 || self.random.chance(10) {
            if self.random.chance(30) {
                let word = if logic == "ltl" && self.random.coin() { "executed" } else { "enabled" };
                return format!("{word}({})", self.either_surely(known));
            }
            return format!("({})", self.fact(known, field, 1));
        }
        let part = |typed: &mut Typed| typed.temporal(logic, known, field, depth - 1);
        match self.random.below(10) {
            0..3 => {
                let (quantifier, name) = (["forall", "exists"][self.random.below(2)], format!("y{depth}"));
                let mut inner = known.clone();
                inner.nodes = vec![name.clone()];
                let body = self.temporal(logic, &inner, field, depth - 1);
                format!("({quantifier} {name} in node: {body})")
            }
            3 => format!("(not {})", part(self)),
            4 => format!("({} and {})", part(self), part(self)),
            5 => format!("({} => {})", part(self), part(self)),
            _ => match logic {
                "ltl" if self.random.coin() => {
                    format!("({} {})", self.random.pick(&["X", "F", "G"]), part(self))
                }
                "ltl" => format!("({} {} {})", part(self), self.random.pick(&["U", "R", "W"]), part(self)),
                "ctl" if self.random.coin() => {
                    format!("({} {})", self.random.pick(&["AX", "EX", "AF", "EF", "AG", "EG"]), part(self))
                }
                "ctl" => {
                    let (path, op) = (*self.random.pick(&["A", "E"]), *self.random.pick(&["U", "R", "W"]));
                    format!("{path}[{} {op} {}]", part(self), part(self))
                }
                _ => {
                    let (word, op) = *self.random.pick(&[("mu", "or"), ("nu", "and")]);
                    let step = *self.random.pick(&["<>", "[]"]);
                    format!("({word} Z{depth}. ({} {op} ({step} Z{depth})))", part(self))
                }
            },
        }
    }

    /// A block of initial states, where one can be made: it reads nothing that is open.
    fn init(&mut self, text: &mut String, field: &str) {
        let known = Known { nodes: vec!["x".into()], ..Known::default() };
        for _ in 0..3 {
            let with = format!("{text}init(x in node) {{ {} }}\n", self.statements(&known, field, 1));
            let parsed = orbitscope_core::syntax::parse(&with);
            let settings = orbitscope_core::program::Settings::default();
            if orbitscope_core::program::build(&parsed.file, &settings).is_ok() {
                *text = with;
                return;
            }
        }
    }

    fn statements(&mut self, known: &Known, field: &str, depth: u32) -> String {
        let mut all = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            all.push(self.statement(known, field, depth));
        }
        all.join("\n    ")
    }

    fn statement(&mut self, known: &Known, field: &str, depth: u32) -> String {
        if depth > 0 && self.random.chance(20) {
            let (test, then) = (self.fact(known, field, 1), self.statements(known, field, depth - 1));
            if self.random.coin() {
                return format!("if {test} {{ {then} }}");
            }
            return format!("if {test} {{ {then} }} else {{ {} }}", self.statement(known, field, depth - 1));
        }
        if depth > 0 && self.random.chance(35) {
            let (domain, inner) = self.ranged(known);
            return format!("for {domain} {{ {} }}", self.statements(&inner, field, depth - 1));
        }
        let target = *self.random.pick(&self.has.clone());
        let effect = self.effect(target, known, field).replace(", push(", " push(");
        match effect.strip_prefix("forall ").and_then(|rest| rest.split_once(": ")) {
            Some((binder, inner)) => format!("for {binder} {{ {inner} }}"),
            None => effect,
        }
    }

    /// A name over something that the program has, and what is known with it.
    fn ranged(&mut self, known: &Known) -> (&'static str, Known) {
        let mut inner = known.clone();
        let domain = match self.random.below(7) {
            0 | 1 if self.has("net") => "e in net",
            2 if self.has("seen") => "y in seen",
            3 if self.has("crowd") => "w in crowd",
            4 if self.has("nums") => "k in nums",
            5 => "w in actor",
            6 if self.has("peers") => "y in peers",
            _ => "y in node",
        };
        match domain.split_once(' ') {
            Some((name @ "e", _)) => inner.messages = vec![name.into()],
            Some((name @ "y", _)) => inner.nodes.push(name.into()),
            Some((name @ "w", _)) => inner.either = vec![name.into()],
            _ => {}
        }
        (domain, inner)
    }

    /// Code of two labels, in which something is chosen.
    fn code(&mut self, field: &str) -> String {
        let known = Known { nodes: vec!["self".into()], ..Known::default() };
        let first = self.statements(&known, field, 1);
        let (domain, inner) = self.ranged(&known);
        let wait = self.fact(&inner, field, 1);
        let body = self.statements(&inner, field, 1);
        let last = self.statement(&known, field, 1);
        let jump = if self.random.coin() { "goto l0" } else { "skip" };
        format!(
            "  loop {{\n    l0: {first}\n    l1: with {domain} {{ await {wait}\n    {body}\n    {jump} }}\n    {last}\n  }}\n"
        )
    }

    fn node(&mut self, known: &Known) -> String {
        if !known.nodes.is_empty() && self.random.chance(85) {
            return self.random.pick(&known.nodes).clone();
        }
        if self.has("last") && self.random.chance(30) {
            return "last.from".into();
        }
        "node[0]".into()
    }

    fn either(&mut self, known: &Known) -> String {
        match self.random.below(4) {
            0 => "server".into(),
            1 => self.node(known),
            _ if known.either.is_empty() => self.node(known),
            _ => self.random.pick(&known.either).clone(),
        }
    }

    fn kind(&mut self, known: &Known) -> String {
        match self.random.below(6) {
            0 if !known.messages.is_empty() => format!("{}.kind", self.random.pick(&known.messages)),
            1 => format!("(if {} then ack else read)", self.fact(known, "", 0)),
            2 | 3 => "read".into(),
            _ => "ack".into(),
        }
    }

    /// A message. What may not be there is asked for most of the time.
    fn message(&mut self, known: &Known, field: &str) -> String {
        match self.random.below(6) {
            0 | 1 if !known.messages.is_empty() => self.random.pick(&known.messages).clone(),
            2 if self.has("last") => "last".into(),
            3 if self.has("q") => "head(q)".into(),
            4 if self.random.chance(40) && !field.is_empty() => {
                let (a, b) = (self.record(known, field), self.record(known, field));
                format!("if {} then {a} else {b}", self.fact(known, field, 0))
            }
            _ => self.record(known, field),
        }
    }

    fn record(&mut self, known: &Known, field: &str) -> String {
        let (kind, from) = (self.kind(known), self.node(known));
        let value = match field {
            "value" => if self.random.coin() { "none" } else { "data[0]" }.to_string(),
            "n" => self.random.between(0, 1).to_string(),
            "ok" => self.fact(known, field, 0),
            _ => self.either_surely(known),
        };
        // The fields may stand in any order.
        if self.random.coin() {
            format!("msg(kind: {kind}, from: {from}, {field}: {value})")
        } else {
            format!("msg({field}: {value}, from: {from}, kind: {kind})")
        }
    }

    /// A node or the server, never none.
    fn either_surely(&mut self, known: &Known) -> String {
        if self.random.coin() { "server".into() } else { self.node(known) }
    }

    fn effect(&mut self, target: &str, known: &Known, field: &str) -> String {
        match target {
            "net" => match self.random.below(4) {
                0 if !known.messages.is_empty() => format!("remove {} from net", known.messages[0]),
                1 => {
                    let mut inner = known.clone();
                    inner.nodes = vec!["y".into()];
                    format!("forall y in node: add {} to net", self.record(&inner, field))
                }
                2 => "net := {}".into(),
                _ => format!("add {} to net", self.message(known, field)),
            },
            "last" | "buf" => match self.random.below(4) {
                0 => format!("{target} := none"),
                1 => format!("{target}.kind := {}", self.kind(known)),
                _ => format!("{target} := {}", self.message(known, field)),
            },
            "q" => match self.random.below(4) {
                0 => "pop(q)".into(),
                1 => format!("pop(q), push(q, {})", self.record(known, field)),
                2 => "q := {}".into(),
                _ => format!("push(q, {})", self.message(known, field)),
            },
            "nums" => {
                let number = if self.has("number") && self.random.coin() { "number" } else { "1" };
                [
                    "nums := nums + 0",
                    "nums := {}",
                    &format!("nums := nums - {number}"),
                    &format!("nums := nums + {number}"),
                    "nums := {0, 1}",
                ][self.random.below(5)]
                .to_string()
            }
            "seen" | "peers" => {
                let node = self.node(known);
                match self.random.below(5) {
                    0 => format!("{target} := {{}}"),
                    1 => format!("{target} := {target} - {node}"),
                    2 => format!("{target} := {{{node}}}"),
                    3 => format!(
                        "{target} := if {} then {target} + {node} else {{}}",
                        self.fact(known, field, 0)
                    ),
                    _ => format!("{target} := {target} + {node}"),
                }
            }
            "number" => ["number := none", "number := 1", "number := number + 1", "number := 1 - number"]
                [self.random.below(4)]
            .to_string(),
            "owner" => format!("owner := {}", self.either(known)),
            "cell" => {
                let node = self.node(known);
                match self.random.below(5) {
                    0 => format!("cell.at := {node}"),
                    1 => format!("cell.mark[{node}] := not cell.mark[{node}]"),
                    2 => "cell.at := none".into(),
                    3 => format!("cell := slot(mark: {}, at: {node})", self.fact(known, field, 0)),
                    _ => "forall y in node: cell.mark[y] := cell.at == y".into(),
                }
            }
            "box" => {
                format!("box[{}] := {}", self.node(known), ["none", "read", "ack"][self.random.below(3)])
            }
            "crowd" => {
                let who = if self.random.chance(20) { "none".into() } else { self.either(known) };
                format!(
                    "{} crowd",
                    ["add {} to", "add {} to", "remove {} from"][self.random.below(3)].replace("{}", &who)
                )
            }
            "mine" => ["mine := none", "mine := data[0]"][self.random.below(2)].to_string(),
            "inbox" => match self.random.below(3) {
                0 => "pop(inbox)".into(),
                1 => "inbox := {}".into(),
                _ => format!("push(inbox, {})", self.kind(known)),
            },
            _ => format!("st := {}", self.kind(known)),
        }
    }

    fn fact(&mut self, known: &Known, field: &str, depth: u32) -> String {
        if depth > 0 && self.random.chance(55) {
            let (a, b) = (self.fact(known, field, depth - 1), self.fact(known, field, depth - 1));
            return match self.random.below(4) {
                0 => format!("({a} or {b})"),
                1 => format!("not ({a})"),
                2 => format!("({a} => {b})"),
                _ => format!("({a} and {b})"),
            };
        }
        let of = *self.random.pick(&self.has.clone());
        let node = self.node(known);
        let number = self.random.between(0, 2);
        let choice = self.random.below(5);
        match of {
            "net" if !field.is_empty() && choice < 2 => {
                let message = self.record(known, field);
                [format!("({message}) in net"), format!("not ({message}) in net")][choice].clone()
            }
            "net" => [
                format!("count(net) == {number}"),
                "room(net)".into(),
                "exists m in net: m.kind == read".into(),
                format!("count(m in net: m.kind == ack) < {number}"),
                format!("forall m in net: m.from != {node}"),
            ][choice]
                .clone(),
            "last" => [
                "last == none".to_string(),
                "(last != none and last.kind == read)".into(),
                format!("(last == none or last.from == {node})"),
                format!("(last == none or last == msg(kind: ack, from: {node}, {field}: last.{field}))"),
                "last != none".into(),
            ][if field.is_empty() && choice == 3 { 0 } else { choice }]
            .clone(),
            "q" => [
                format!("length(q) == {number}"),
                "room(q)".into(),
                "(length(q) > 0 and head(q).kind == read)".into(),
                "q == {}".into(),
                format!("(length(q) == 0 or head(q).from == {node})"),
            ][choice]
                .clone(),
            "nums" => {
                ["0 in nums", "nums == {1}", "count(nums) == 1", "exists i in nums: i == 1", "nums != {}"]
                    [choice]
                    .to_string()
            }
            "seen" => [
                format!("{node} in seen"),
                format!("count(seen) == {number}"),
                "seen == {}".into(),
                format!("forall y in seen: y == {node}"),
                format!("seen + {node} == seen"),
            ][choice]
                .clone(),
            "number" => [
                "number == none",
                "number == 1",
                "(number != none and number > 0)",
                "number != none",
                "number == 0",
            ][choice]
                .to_string(),
            "owner" => [
                "owner is server".to_string(),
                "count(x in actor: x == owner and x is node) == 1".into(),
                format!("owner == {node}"),
                "exists x in actor: x == owner".into(),
                "forall x in node | server: x != owner or x is server".into(),
            ][choice]
                .clone(),
            "cell" => [
                "cell.at == none".to_string(),
                format!("cell.mark[{node}]"),
                "exists y in node: cell.mark[y]".into(),
                format!("cell == slot(at: {node}, mark: true)"),
                "(cell.at != none and cell.mark[cell.at])".into(),
            ][choice]
                .clone(),
            "crowd" => [
                "count(crowd) == 1".to_string(),
                format!("{node} in crowd"),
                "none in crowd".into(),
                "room(crowd)".into(),
                "exists x in crowd: x == server".into(),
            ][choice]
                .clone(),
            "peers" => format!("{node} in {node}.peers"),
            "buf" => ["buf == none", "(buf != none and buf.kind == ack)"][choice % 2].to_string(),
            "mine" => ["mine == none", "mine == data[0]"][choice % 2].to_string(),
            "inbox" => ["room(inbox)", "(length(inbox) > 0 and head(inbox) == ack)"][choice % 2].to_string(),
            "st" => "st == read".into(),
            _ => [format!("box[{node}] == none"), format!("box[{node}] == ack")][choice % 2].clone(),
        }
    }
}
