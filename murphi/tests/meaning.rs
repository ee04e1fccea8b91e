//! Small models and what is known of them: each is here because it was once read wrongly, or easily could be.

use orbitscope_core::Error;
use orbitscope_core::check::{Faulty, Unknown};
use orbitscope_core::program::StepFault;
use orbitscope_core::text::Diagnostic;

/// The verdict on a property; of a model with an error, the error's words in Murphi.
fn found(text: &str, constants: &[(&str, i64)], property: &str) -> String {
    let translation = orbitscope_murphi::translate(text).expect("a model");
    let words = |error: Error, mapped: bool| match error {
        Error::Model(error) => {
            let own = |d: &Diagnostic| translation.origins.diagnostic(d).message;
            error.diagnostics().iter().map(|d| if mapped { d.message.clone() } else { own(d) }).collect()
        }
        other => other.to_string(),
    };
    let set = |model: orbitscope_core::Model, (name, value): &(&str, i64)| model.set(name, *value);
    let model = match orbitscope_murphi::model(text) {
        Ok(model) => model,
        Err(error) => return words(error, true),
    };
    let model = match constants.iter().try_fold(model, set) {
        Ok(model) => model,
        Err(error) => return words(error, false),
    };
    let answer = match model.check(property) {
        Ok(answer) => answer,
        Err(error) => return words(error, false),
    };
    match answer.unknown() {
        None => if answer.holds() { "holds" } else { "violated" }.into(),
        Some(Unknown::Fault(fault)) => {
            let (Faulty::Step(StepFault { fault, .. }) | Faulty::Property(fault)) = &fault.what;
            translation.origins.diagnostic(&Diagnostic::new(fault.span, fault.to_string())).message
        }
        Some(other) => other.to_string(),
    }
}

fn expect(text: &str, words: &str) {
    let found = found(text, &[], "p");
    assert!(found.contains(words), "{text}\nexpected {words}, found {found}");
}

/// Two equal messages are in the network when all that fit the condition are removed.
#[test]
fn multisetremovepred_removes_each_copy() {
    let model = |left: &str| {
        format!(
            "type M: record a: 0..2 end;
             var net: multiset [3] of M; x: M; done: boolean;
             startstate undefine net; done := false;
                 x.a := 1; multisetadd(x, net); multisetadd(x, net); x.a := 2; multisetadd(x, net) end;
             rule \"remove\" !done ==> multisetremovepred(i: net, net[i].a = 1); done := true end;
             invariant \"p\" done -> multisetcount(i: net, net[i].a {left}) = {};",
            i32::from(left == "= 2")
        )
    };
    expect(&model("= 1"), "holds");
    expect(&model("= 2"), "holds");
}

#[test]
fn an_assertion_in_a_start_state_fails_with_its_words() {
    let model = |statement: &str| {
        format!(
            "var x: 0..2; startstate x := 1; {statement} end; rule true ==> x := 1 end; invariant \"p\" x = 1;"
        )
    };
    expect(&model("assert x = 2 \"x is two\""), "in a start state: the assertion \"x is two\" does not hold");
    expect(&model("assert x = 2"), "in a start state: the assertion does not hold");
    expect(&model("assert x = 1 \"x is one\""), "holds");
    expect(&model("if x = 1 then error \"one\" end"), "the statement `error \"one\"` is executed");
    expect(&model("if x = 2 then error \"two\" end"), "holds");
}

#[test]
fn a_loop_that_is_not_followed_is_a_limit_in_a_start_state_too() {
    let text =
        "var x: 0..200; startstate x := 0; while x < 200 do x := x + 1 end end; rule true ==> x := 0 end;";
    let Err(Error::Model(error)) = orbitscope_murphi::model(text) else { panic!("a model with an error") };
    let [diagnostic] = error.diagnostics() else { panic!("one error") };
    assert_eq!(diagnostic.kind, orbitscope_core::text::DiagnosticKind::TooLarge);
    assert!(diagnostic.message.contains("more than the 64 rounds"), "{}", diagnostic.message);
}

/// The statements behind a `return` in a loop, and the turns behind it, are not executed.
#[test]
fn a_return_ends_the_loops_around_it() {
    let model = |body: &str| {
        format!(
            "type R: 0..3; var x, y: R;
             function f(): R; var k: R; begin k := 0; {body} return 3 end;
             startstate x := 0; y := 0 end;
             rule \"r\" x = 0 ==> x := f() end;
             invariant \"p\" x != 3 & y <= 1;"
        )
    };
    expect(&model("for i: R do y := i; if i = 1 then return 2 end end;"), "holds");
    expect(&model("while k < 3 do y := k; if k = 1 then return 2 end; k := k + 1 end;"), "holds");
    expect(&model("for i: R do y := i; if i = 2 then return 2 end end;"), "violated");
}

/// Arguments and results are values of their types, also where the function does not look at them.
#[test]
fn arguments_and_results_are_in_their_ranges() {
    let model = |function: &str, guard: &str| {
        format!(
            "type R: 0..2; var x: R; t: array [R] of boolean;
             {function}
             startstate x := 2; for i: R do t[i] := false end end;
             rule \"r\" {guard} ==> x := 1 end;
             invariant \"p\" x >= 1;"
        )
    };
    let looks = "function f(a: R): boolean; begin return a = 0 end;";
    let ignores = "function f(a: R): boolean; begin return true end;";
    for function in [looks, ignores] {
        expect(&model(function, "f(x)"), "holds");
        expect(&model(function, "f(x + 1)"), "a value outside of the range of `R`");
        expect(&model(function, "f(x % (x - 2))"), "division by zero");
    }
    expect(&model("function g(a: R): R; begin return a + 1 end;", "g(x) = 3"), "outside of the range of `R`");
    expect(&model("", "isundefined(t[x + 1])"), "index 3 outside 0..2");
}

/// A constant may be set to another number than the text has, and nothing may be computed from the old one.
#[test]
fn constants_can_be_set() {
    let text = "const N: 3; type R: 0..N << 1; var x: R; startstate x := 0 end;
        rule x < N << 1 ==> x := x + 1 end; invariant \"p\" x < 7;";
    assert_eq!(found(text, &[], "p"), "holds");
    assert_eq!(found(text, &[("N", 4)], "p"), "violated");
    let text = "const N: 2; type R: 0..N; var x: R; t: array [0..2] of boolean;
        startstate x := 0; for i := 0 to N do t[i] := true end end;
        rule x < N ==> x := x + 1 end; invariant \"p\" t[x];";
    assert_eq!(found(text, &[], "p"), "holds");
    assert!(found(text, &[("N", 3)], "p").contains("index 3"), "{}", found(text, &[("N", 3)], "p"));
    let text =
        "const N: 2; type R: 0..2; S: 0..N; var x: S; function f(a: S): boolean; begin return true end;
        startstate x := 0 end; ruleset r: R do rule f(r) ==> x := 0 end end; invariant \"p\" x = 0;";
    assert_eq!(found(text, &[], "p"), "holds");
    assert!(found(text, &[("N", 1)], "p").contains("range of `S`"), "{}", found(text, &[("N", 1)], "p"));
}

/// A loop that has no turn with other constants leaves undefined what it assigns, and that is told.
#[test]
fn a_loop_without_turns_assigns_nothing() {
    let text = "const N: 2; var x: 0..2; y: 0..2; startstate y := 0; for i := 1 to N do x := 0 end end;
        rule x < 2 ==> x := x + 1 end; invariant \"p\" x <= 2;";
    assert_eq!(found(text, &[], "p"), "holds");
    assert!(
        found(text, &[("N", 0)], "p").contains("the loop has no turn"),
        "{}",
        found(text, &[("N", 0)], "p")
    );
}

/// Steps of a loop do not assign what they leave out, and a loop that counts down stops at its bound.
#[test]
fn loops_with_steps_assign_what_they_come_to() {
    let model = |from: i32, to: i32, by: i32, at: i32| {
        format!(
            "type R: 0..3; var t: array [R] of boolean; x: R;
             startstate x := 0; for i := {from} to {to} by {by} do t[i] := true end end;
             rule \"r\" x = 0 ==> x := 1 end;
             invariant \"p\" isundefined(t[{at}]);"
        )
    };
    expect(&model(0, 3, 2, 1), "holds");
    expect(&model(0, 3, 2, 2), "violated");
    expect(&model(3, 0, -1, 0), "violated");
    expect(&model(3, 0, -2, 0), "holds");
    expect(&model(3, 0, -2, 1), "violated");
}

/// A value that is looked at may be an error though there is no case, and an alias of a constant is one.
#[test]
fn what_is_seldom_written_is_read() {
    let model = |statement: &str| {
        format!(
            "const N: 2; var x: 0..2; y: 0..2; startstate x := 0; undefine y end;
             alias M: N do ruleset i: 0..M do rule \"r\" {statement} x := i end end end;
             invariant \"p\" x < 2;"
        )
    };
    expect(&model(""), "violated");
    expect(&model("switch x end;"), "violated");
    expect(&model("switch y end;"), "an undefined value is read");
    expect(&model("switch x else x := 1 end;"), "violated");
}

/// An undefined value may stand behind a test that keeps it from being read.
#[test]
fn what_is_left_out_is_not_read() {
    let model = |rule: &str| {
        format!(
            "type R: 0..2; P: scalarset(2); U: union {{ P, enum {{ t }} }};
             var b: boolean; x: R; y: R; p: P; u: U; k: boolean;
             startstate b := false; undefine x; y := 0; undefine p; undefine u; undefine k end;
             rule \"r\" true ==> {rule} end;
             invariant \"p\" true;"
        )
    };
    for rule in [
        "if b & x = 1 then y := 1 end",
        "if !b | x = 1 then y := 1 end",
        "y := (b ? x : 1)",
        "if b & k then y := 1 end",
        "if b & ismember(u, P) then y := 1 end",
        "if b & (forall q: P do p = q end) then y := 1 end",
        "for q: P do if b & p = q then y := 1 end end",
    ] {
        expect(&model(rule), "holds");
        expect(
            &model(&format!("b := true; {}", rule.replace("!b", "b = false"))),
            "an undefined value is read",
        );
    }
}

/// A network for each member of a union: how full it is can be asked of one that is not known.
#[test]
fn networks_of_a_union_are_counted() {
    let text = "type P: scalarset(2); H: enum { home }; U: union { P, H }; M: record a: 0..1 end;
        var net: array [U] of multiset [2] of M; u: U; m: M;
        startstate for i: U do undefine net[i] end; u := home; m.a := 1 end;
        rule \"send\" multisetcount(i: net[u], true) < 2 ==> multisetadd(m, net[u]) end;
        invariant \"p\" multisetcount(i: net[u], net[u][i].a = 1) <= 2;";
    expect(text, "holds");
    expect(&text.replace("<= 2;", "<= 1;"), "violated");
}
