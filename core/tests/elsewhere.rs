//! The record of wrong answers elsewhere: our answers are right, and the runs show what they are said to show. `tlc.rs`
//! compares TLC's answers with TLC itself.

use crate::support::{Verdict as Noted, built, noted_verdicts};
use orbitscope_core::check::{Check, Counterexample, Engine, Options, Target, Verdict};
use orbitscope_core::models::elsewhere::{Claim, TLC, Wrong, WrongAnswer};
use orbitscope_core::program::{Machine, Program, Slot};
use orbitscope_core::symmetry::{Choice, choose};
use std::ops::ControlFlow;

fn program(answer: &WrongAnswer, clients: i64) -> Program {
    built(answer.model, answer.model().source, &[("clients", clients)])
}

fn shown(program: &Program, values: &[i32]) -> Vec<String> {
    let value =
        |(at, &value): (u32, &i32)| program.show_value(program.type_of(Slot(at)), value.into()).to_string();
    (0..).zip(values).map(value).collect()
}

/// The state after the steps of a claim; each of them is a step of the program and leads where the claim says.
fn walked(program: &Program, claim: &Claim) -> Vec<i32> {
    let mut at = program.initial.values.clone();
    for (number, (step, values)) in claim.states.iter().enumerate() {
        if number > 0 {
            let mut found = None;
            let all = Machine::new(program).steps(&at, &mut |successor| {
                if program.show_step(successor.process, successor.action, successor.arguments) == *step {
                    found = Some(successor.apply(&at));
                }
                ControlFlow::Continue(())
            });
            assert!(all.is_ok());
            at = found.unwrap_or_else(|| panic!("{step} is no step"));
        }
        assert_eq!(shown(program, &at), *values, "after step {number}");
    }
    at
}

#[test]
fn verdicts_and_runs() {
    for answer in TLC {
        let (name, wrong) = (answer.property, answer.wrong);
        let noted = if wrong == Wrong::Missed { Noted::Violated } else { Noted::Holds };
        assert!(noted_verdicts(answer.model().source).contains(&(name.into(), noted)), "{name}");
        assert!(!answer.formula().is_empty());
        for clients in [2, 3] {
            let program = program(answer, clients);
            let symmetry = choose(&program, Choice::Model).expect("no claim is wrong");
            let target = Target::Property(program.property(name).expect("it has the property"));
            for engine in [Engine::Onthefly, Engine::Threaded, Engine::Explicit] {
                let options = Options { engine, ..Options::default() };
                let report =
                    Check::new(&program, &symmetry, target, options).expect("it can be checked").run();
                let found = match report.verdict {
                    Verdict::Holds => Noted::Holds,
                    Verdict::Violated => Noted::Violated,
                    Verdict::Unknown(why) => panic!("{name} by {engine:?}: {why:?}"),
                };
                assert_eq!(found, noted, "{name} by {engine:?}");
                if (wrong, engine, clients) == (Wrong::Missed, Engine::Onthefly, answer.clients) {
                    let Some(Counterexample::Lasso(lasso, _)) = report.counterexample else {
                        panic!("{name}")
                    };
                    assert_eq!(lasso.stem.len(), answer.claim.back);
                    let steps = lasso.stem.iter().chain(&lasso.cycle).map(|step| {
                        let (action, arguments) = step.action.as_ref().expect("nothing is stuck");
                        program.show_step(step.process.expect("nothing is stuck"), *action, arguments)
                    });
                    let claimed: Vec<&str> = answer.claim.states[1..].iter().map(|(step, _)| *step).collect();
                    assert_eq!(steps.collect::<Vec<_>>(), claimed, "it is the run that we report");
                }
            }
        }
    }
}

#[test]
fn loops_that_close_and_loops_that_do_not() {
    for answer in TLC {
        let program = program(answer, answer.clients);
        let slots: Vec<String> =
            (0..answer.claim.lanes.len() as u32).map(|at| program.show_slot(Slot(at))).collect();
        assert!(slots.iter().zip(answer.claim.lanes).all(|(slot, lane)| slot.starts_with(lane)), "{slots:?}");
        let last = shown(&program, &walked(&program, &answer.claim));
        let back = answer.claim.states[answer.claim.back].1;
        if answer.wrong == Wrong::Missed {
            assert_eq!(last, back);
        } else {
            assert_ne!(last, back);
            // All but the first lane are clients: up to symmetry their order does not matter.
            let sorted = |values: Vec<&str>| {
                let mut values = values;
                values[1..].sort_unstable();
                values.join(" ")
            };
            assert_eq!(sorted(last.iter().map(String::as_str).collect()), sorted(back.to_vec()));
            // As TLC reads it, there is a client that violates the property along the loop.
            let along = |client: usize| -> Vec<&str> {
                let states = &answer.claim.states[answer.claim.back..answer.claim.states.len() - 1];
                states.iter().map(|(_, values)| values[client]).collect()
            };
            assert!((1..back.len()).any(|client| {
                let along = along(client);
                along.contains(&"R") && along.contains(&"C") && !along.contains(&"I")
            }));
        }
    }
}
