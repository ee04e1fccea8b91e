//! The plan that the command line and the page share, against each property checked by itself.

use crate::support::built;
use orbitscope_core::check::{
    Check, Engine, Found, Options, Order, Plan, Question, Report, Step, Stepping, Survey, Target, Unknown,
    Verdict,
};
use orbitscope_core::models;
use orbitscope_core::program::{Program, PropertyId, PropertyLogic};
use orbitscope_core::symmetry::{Choice, ProgramSymmetry, choose};

fn word(report: &Report) -> &'static str {
    match report.verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "unknown",
    }
}

fn symmetry(program: &Program) -> ProgramSymmetry {
    choose(program, Choice::Model).expect("no claim is wrong")
}

fn options(engine: Engine) -> Options {
    let mut options = Options { engine, ..Options::default() };
    options.limits.states = 20_000;
    options
}

/// The same verdicts and the same paths of invariants as one by one, and the deadlocks of a pass of its own.
#[test]
fn a_plan_answers_as_one_by_one() {
    let (mut invariants, mut deadlocks) = (0, 0);
    for model in models::ALL {
        let program = built(model.name, model.source, &[]);
        let symmetry = symmetry(&program);
        for engine in [Engine::Onthefly, Engine::Explicit, Engine::Threaded] {
            let options = options(engine);
            let mut plan: Plan<'_, ()> = Plan::new(&program, &symmetry, options).seeing_all_states(true);
            plan.run();
            assert_eq!(plan.outcomes().len(), program.properties.len(), "{}", model.name);
            for (outcome, id) in plan.outcomes().iter().zip(program.properties.ids()) {
                assert_eq!(outcome.question, Question::Property(id));
                let about = format!("{} {} {}", model.name, outcome.name, engine.name());
                match Check::new(&program, &symmetry, Target::Property(id), options) {
                    Ok(mut check) => {
                        let report = check.run();
                        assert_eq!(outcome.verdict(), word(&report), "{about}");
                        if outcome.logic == PropertyLogic::Invariant {
                            invariants += 1;
                            let own = outcome.report().map(|r| format!("{:?}", r.counterexample));
                            assert_eq!(own, Some(format!("{:?}", report.counterexample)), "{about}");
                        }
                    }
                    Err(_) => assert!(matches!(outcome.found, Found::Refused(_)), "{about}"),
                }
            }
            let mut survey = Survey::new(&program, &symmetry, &[], &options).expect("it can be made");
            survey.run();
            let pass = plan.pass().expect("deadlocks had their turn");
            assert_eq!(pass.complete, survey.is_complete(), "{} {}", model.name, engine.name());
            assert_eq!(pass.deadlocks, survey.deadlock_count(), "{} {}", model.name, engine.name());
            deadlocks += pass.deadlocks;
        }
    }
    assert!(invariants > 20 && deadlocks > 0, "{invariants} {deadlocks}");
}

const TEXT: &str = "process p[2] { var x: 0..2 = 0 action up: x < 2 -> x := x + 1 }
    invariant low: forall q in p: q.x < 2
    ltl ends: forall q in p: F q.x == 2
    invariant divides: forall q in p: 4 / (1 - q.x) != 3
    invariant small: forall q in p: q.x <= 2";

/// An invariant with an error costs the others nothing; deadlocks come last.
#[test]
fn the_order_of_a_plan() {
    let program = built("plan", TEXT, &[]);
    let symmetry = symmetry(&program);
    let mut plan: Plan<'_, ()> = Plan::new(&program, &symmetry, Options::default());
    let mut steps = Vec::new();
    while let Some(step) = plan.next_step() {
        let done = plan.start(&step).map(|mut task| {
            while task.step() {}
            task.finish(None)
        });
        steps.push((step.clone(), plan.is_answered()));
        plan.take(step, done.unwrap_or_else(|done| done), ());
    }
    let ids = |numbers: &[u32]| numbers.iter().map(|&n| PropertyId(n)).collect::<Vec<_>>();
    let ask = |question| Step::Ask(question);
    assert_eq!(
        steps,
        [
            (Step::Pass(ids(&[0, 2, 3])), false),
            (Step::Pass(ids(&[0, 3])), false),
            (ask(Question::Property(PropertyId(1))), false),
            (ask(Question::Deadlocks), true),
        ]
    );
    let verdicts: Vec<_> = plan.outcomes().iter().map(|o| (o.name.as_str(), o.verdict())).collect();
    let expected = [("low", "violated"), ("ends", "holds"), ("divides", "unknown"), ("small", "holds")];
    assert_eq!(verdicts, expected);
    assert_eq!(plan.pass().map(|pass| (pass.deadlocks, pass.complete)), Some((1, true)));
}

/// A plan that is stopped begins nothing more and says so of everything that is open.
#[test]
fn a_plan_that_is_stopped() {
    let program = built("plan", TEXT, &[]);
    let symmetry = symmetry(&program);
    let ltl = vec![PropertyId(1)];
    let mut plan: Plan<'_, ()> = Plan::new(&program, &symmetry, Options::default()).only(ltl.clone());
    plan.stop();
    plan.run();
    assert!(matches!(plan.outcomes()[0].found, Found::NotAsked));
    let pass = plan.pass().unwrap();
    assert!(pass.not_asked && matches!(pass.unknown, Some(Unknown::Stopped)));
    let mut plan: Plan<'_, ()> =
        Plan::new(&program, &symmetry, Options::default()).only(ltl).with_deadlocks(false);
    plan.run();
    assert_eq!(plan.outcomes()[0].verdict(), "holds");
    let pass = plan.pass().unwrap();
    assert!(pass.not_asked && pass.unknown.is_none());
}

/// Somebody who looks at a property gets its answer first, and deadlocks before the rest.
#[test]
fn the_order_of_somebody_who_watches() {
    let mut open: Vec<Question> = vec![Question::Deadlocks];
    open.extend((0..3).map(|n| Question::Property(PropertyId(n))));
    let mut asked = Vec::new();
    let order = Order::watching(Some(PropertyId(2)));
    while let Some(next) = order.first_open((0..3).map(PropertyId), |question| open.contains(&question)) {
        open.retain(|&question| question != next);
        asked.push(next);
    }
    let property = |n| Question::Property(PropertyId(n));
    assert_eq!(asked, [property(2), Question::Deadlocks, property(0), property(1)]);
}
