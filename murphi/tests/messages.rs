//! Wrong texts and what is said of them, with the place.

use orbitscope_core::text::LineIndex;

/// A model in which only the part given is wrong.
fn model(rule: &str) -> String {
    format!(
        "const N: 3;\n\
         type P: scalarset(N); E: enum {{ red, green }}; R: 0..2;\n\
         Q: scalarset(2); U: union {{ P, Q }};\n\
         Rec: record a: R; b: E end;\n\
         var x: R; e: E; who: P; u: U; t: array [P] of R; r: Rec; net: multiset [2] of Rec;\n\
         function twice(n: R): R; begin return n + n end;\n\
         procedure set(var n: R; m: R); begin n := m end;\n\
         startstate clear x; clear e; undefine who; undefine u; for p: P do clear t[p] end; clear r; undefine net end;\n\
         {rule}\n"
    )
}

fn said(text: &str) -> String {
    match orbitscope_murphi::translate(text) {
        Ok(_) => String::from("nothing"),
        Err(diagnostics) => {
            let lines = LineIndex::new(text);
            let all = diagnostics.iter().map(|d| {
                let at = lines.position(d.span.start);
                format!("{}:{}: {}", at.line, at.column, d.message)
            });
            all.collect::<Vec<_>>().join("\n")
        }
    }
}

#[test]
fn each_mistake_has_its_words_and_its_place() {
    let cases: &[(&str, &str)] = &[
        ("rule x = 1 ==> x := y end;", "9:21: there is no variable or constant called `y`"),
        (
            "rule x = 1 ==> xx := 1 end;",
            "9:16: there is no variable or constant called `xx`; did you mean `x`?",
        ),
        ("rule x = red ==> x := 1 end;", "9:10: this is of the type `E`, but must be of the type `R`"),
        ("rule x ==> x := 1 end;", "9:6: this is of the type `R`, but must be a truth value"),
        ("rule true ==> x := red end;", "9:20: this is of the type `E`, but must be of the type `R`"),
        ("rule true ==> x = 1 end;", "9:17: expected `:=`, found `=`"),
        ("rule true ==> t[x] := 1 end;", "9:17: this is of the type `R`, but must be of the type `P`"),
        ("rule true ==> x[1] := 1 end;", "9:15: this is of the type `R`, not an array"),
        ("rule true ==> r.c := 1 end;", "9:17: the record has no field `c`"),
        ("rule true ==> x.a := 1 end;", "9:15: this is of the type `R`, so it has no field `a`"),
        ("rule true ==> N := 1 end;", "9:15: only a variable can be assigned to"),
        ("rule true ==> set(1, 2) end;", "9:19: `n` is `var`: a variable is needed here"),
        ("rule true ==> set(x) end;", "9:15: `set` takes 2 arguments, 1 given"),
        (
            "rule true ==> sett(x, 1) end;",
            "9:15: there is no procedure or function called `sett`; did you mean `set`?",
        ),
        ("rule set(x, 1) ==> x := 1 end;", "9:6: `set` is a procedure, so it has no value"),
        ("rule true ==> x := twice(red) end;", "9:26: this is of the type `E`, but must be of the type `R`"),
        ("rule who + 1 = 2 ==> x := 1 end;", "9:6: a number is needed here, but this is of the type `P`"),
        ("rule who < who ==> x := 1 end;", "9:6: a number is needed here, but this is of the type `P`"),
        ("rule true ==> clear who end;", "9:21: a scalarset has no first value that `clear` could give"),
        ("rule true ==> x := 1;", "10:1: expected `end`, the text ends"),
        ("rule true ==> if x = 1 then x := 2 end;", "10:1: expected `end`, the text ends"),
        (
            "rule true ==> multisetadd(x, net) end;",
            "9:27: this is of the type `R`, but must be of the type `Rec`",
        ),
        (
            "rule true ==> multisetadd(r, x) end;",
            "9:30: a multiset is needed here, but this is of the type `R`",
        ),
        (
            "rule true ==> multisetremove(x, net) end;",
            "9:30: what is removed is a place of the multiset that `choose` has named",
        ),
        (
            "rule isundefined(r) ==> x := 1 end;",
            "9:18: `IsUndefined` asks about a simple value, but this is of the type `Rec`",
        ),
        (
            "rule ismember(x, P) ==> x := 1 end;",
            "9:15: `IsMember` asks about a value of a union, but this is of the type `R`",
        ),
        ("rule true ==> return 1 end;", "9:22: only a function returns a value"),
        ("rule true ==> for i := 0 to 2 by 0 do x := i end end;", "9:19: a step of 0 comes to no end"),
        (
            "rule forall i: Rec do true end ==> x := 1 end;",
            "9:16: a name ranges over a simple type, but this type is of the type `Rec`",
        ),
        ("rule 3 \"first\" true ==> x := 1 end;", "9:6: a rule with a priority is not read"),
        ("rule x < 1 < 2 ==> x := 1 end;", "9:12: comparisons do not stand in a row: use parentheses"),
        ("var x: R;", "9:5: `x` is declared twice"),
        ("var y: S;", "9:8: there is no type called `S`"),
        ("var y: real(3, 4);", "9:8: `real` numbers are not read"),
        ("var y: 3..1;", "9:8: the range 3..1 is empty"),
        ("var y: array [Rec] of R;", "9:15: an index is of the type `Rec`, but must be of a simple type"),
        (
            "type V: union { P, R };",
            "9:9: a union is of scalarsets and enumerations; this member is of the type `R`",
        ),
        ("type V: record a: R; a: R end;", "9:22: the field `a` stands here twice"),
        ("procedure f(); begin f() end; rule true ==> f() end;", "`f` calls itself"),
        (
            "function f(): R; begin if x = 1 then return 1 end end; invariant f() = 1;",
            "`f` comes to its end without `return`",
        ),
        (
            "procedure never_called(); begin x := red end;",
            "this is of the type `E`, but must be of the type `R`",
        ),
        ("rule true ==> x := 1 § 2 end;", "9:22: `§` means nothing here"),
        ("rule \"name ==> x := 1 end;", "9:6: this string has no end"),
        ("/* no end", "9:1: this comment has no end"),
        (
            "rule true ==> x := 010 end;",
            "9:20: a number that starts with `0` is octal for Rumur and decimal for CMurphi",
        ),
        ("rule true ==> x := 99999999999999999999 end;", "9:20: this is no number that fits into 64 bits"),
    ];
    let mut wrong = Vec::new();
    for (rule, expected) in cases {
        let found = said(&model(rule));
        if !found.contains(expected) {
            wrong.push(format!("{rule}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(said(&model("rule x = 1 ==> set(x, twice(1)) end;")), "nothing");
}

#[test]
fn a_text_without_a_start_state_is_wrong() {
    let found = said("var x: 0..1; rule true ==> x := 1 end;");
    assert!(found.contains("there is no start state"), "{found}");
    assert!(said("").contains("there is no start state"));
}

#[test]
fn deep_nesting_is_a_limit() {
    let deep = format!("invariant {}true{};", "(".repeat(5_000), ")".repeat(5_000));
    assert!(said(&model(&deep)).contains("nested more than"));
    let deep = format!("rule true ==> {} x := 1", "if true then ".repeat(5_000));
    assert!(said(&model(&deep)).contains("nested more than"));
    let long = vec!["true"; 5_000].join(" & ");
    assert_eq!(said(&model(&format!("invariant {long};"))), "nothing");
}
