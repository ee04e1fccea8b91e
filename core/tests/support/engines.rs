//! One question to all engines that take it, to the interpreter where it can, and all runs replayed there.

mod survey;

use super::Verdict as Expected;
use super::agree::LIMITS;
use super::compare::{Numbers, claim};
use super::oracle::{Graph, Oracle, RunStep};
use super::random::Random;
use super::reached::Reached;
use super::reached::engines::{note_check, note_report};
use super::temporal::{Checker, Run};
use super::written::written_and_read;
use orbitscope_core::bdd::Collect;
use orbitscope_core::check::{
    Check, CheckError, Counterexample, Engine, Faulty, Options, Report, Target, Unknown, Verdict,
};
use orbitscope_core::ctl::Algorithm;
use orbitscope_core::explore::{Limits, Path};
use orbitscope_core::product::{Deadlock, FairnessChoice};
use orbitscope_core::program::{Program, PropertyId, PropertyKind, PropertyLogic, Symmetry};
use orbitscope_core::quotient::Prune;
use orbitscope_core::search::{Lasso, LassoStep};
use orbitscope_core::symbolic::{CtlModel, Generators, SymbolicOptions};
use orbitscope_core::symmetry::{Choice, Effort, ProgramSymmetry, choose};
use orbitscope_core::syntax::ast::{Fairness, File, Logic};
use std::fmt::{self, Display, Formatter};

/// The interpreter looks at programs with at most this many states.
const SMALL: usize = 400;

/// And at properties whose tableau has at most this many nodes: a few larger ones would take most of the time.
const TABLEAU: usize = 20_000;

/// Counts of questions and answers.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    pub(crate) programs: u64,
    /// Programs that are too large for their block of seeds.
    pub(crate) left_out: u64,
    pub(crate) pairs: u64,
    pub(crate) violated: u64,
    pub(crate) holds: u64,
    pub(crate) unknown: u64,
    pub(crate) answers: u64,
    /// Pairs that the interpreter decided, too, and runs that were replayed on its graph.
    pub(crate) by_interpreter: u64,
    pub(crate) runs: u64,
    pub(crate) reached: Reached,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Tally) {
        self.programs += other.programs;
        self.left_out += other.left_out;
        self.pairs += other.pairs;
        self.violated += other.violated;
        self.holds += other.holds;
        self.unknown += other.unknown;
        self.answers += other.answers;
        self.by_interpreter += other.by_interpreter;
        self.runs += other.runs;
        self.reached.add(&other.reached);
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reached)?;
        for (count, name) in [
            (self.programs, "programs"),
            (self.left_out, "programs left out for their size"),
            (self.pairs, "pairs of program and property"),
            (self.violated, "pairs that are violated"),
            (self.holds, "pairs that hold"),
            (self.unknown, "pairs that are not known"),
            (self.answers, "answers of engines"),
            (self.by_interpreter, "pairs decided by the interpreter too"),
            (self.runs, "runs replayed on its graph"),
        ] {
            writeln!(f, "{count:>9}  total: {name}")?;
        }
        Ok(())
    }
}

/// Who is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// All engines.
    All,
    /// The symbolic engine under stress, which collects before every operation and has few nodes, and one other.
    Symbolic,
}

/// The answer of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Holds,
    Violated,
    /// The model or the property has an error.
    Fault,
    /// It was too large, or only part of it could be told.
    Unknown,
}

fn word(report: &Report) -> Result<Word, String> {
    match &report.verdict {
        Verdict::Holds => Ok(Word::Holds),
        Verdict::Violated => Ok(Word::Violated),
        Verdict::Unknown(Unknown::Fault(_)) => Ok(Word::Fault),
        Verdict::Unknown(Unknown::Internal(fault)) => Err(format!("internal error: {fault:?}")),
        Verdict::Unknown(_) => Ok(Word::Unknown),
    }
}

/// A program, and what the interpreter knows of it.
struct Known<'a> {
    source: &'a str,
    program: &'a Program,
    oracle: &'a Oracle<'a>,
    graph: Option<&'a Graph>,
    numbers: Option<Numbers>,
    symmetries: [ProgramSymmetry; 3],
    /// Whether the model claims generators.
    claims: bool,
}

/// Asks about every property of a program; what does not agree is the error.
pub(crate) fn compare_all(
    source: &str,
    file: &File,
    program: &Program,
    seed: u64,
    asked: Asked,
    tally: &mut Tally,
) -> Result<(), String> {
    let oracle = Oracle::new(file, &[]);
    let large = file.exprs.is_empty() || program.process_count() > 12;
    let graph = if large { None } else { oracle.explore(SMALL) };
    let numbers = graph.as_ref().map(|graph| Numbers::new(&oracle, graph, program)).transpose()?;
    let claims = matches!(program.symmetry, Symmetry::Generators(_));
    let own = if let Ok(own) = choose(program, Choice::Model) {
        own
    } else {
        tally.reached.note("engine: claim refused");
        choose(program, Choice::Auto).map_err(|refused| format!("{refused:?}"))?
    };
    let mut searched = own.clone();
    searched.effort = Effort { elements: 0, nodes: if seed.is_multiple_of(2) { 2_000 } else { 0 } };
    let none = choose(program, Choice::None).map_err(|refused| format!("{refused:?}"))?;
    let known = Known {
        source,
        program,
        oracle: &oracle,
        graph: graph.as_ref(),
        numbers,
        symmetries: [own, searched, none],
        claims,
    };
    tally.programs += 1;
    for (id, property) in program.properties.iter_enumerated() {
        // By its name, so that it is asked in the same way when others are left out.
        let named = property.name.bytes().fold(seed, |hash, byte| hash.rotate_left(9) ^ u64::from(byte));
        let mut random = Random::new(named);
        known.ask(id, asked, &mut random, tally).map_err(|error| format!("`{}`: {error}", property.name))?;
    }
    if asked == Asked::All { known.survey(tally) } else { Ok(()) }
}

/// A way to ask.
struct Way {
    name: String,
    symmetry: usize,
    options: Options,
}

/// The options that all engines get.
fn base(random: &mut Random, logic: Option<Logic>) -> Options {
    let fairness = match random.below(4) {
        0 => FairnessChoice::All(Fairness::Weak),
        1 => FairnessChoice::All(Fairness::Strong),
        2 => FairnessChoice::All(Fairness::None),
        _ => FairnessChoice::Model,
    };
    let deadlock = if random.one_in(3) { Deadlock::Drop } else { Deadlock::Stutter };
    let fair_ctl = logic == Some(Logic::Ctl) && random.one_in(3);
    let limits = Limits { states: 30_000, ..Limits::default() };
    Options { fairness, deadlock, fair_ctl, limits, translation: LIMITS, ..Options::default() }
}

/// A way to ask the symbolic engine. To collect before every operation takes too long where a program is large.
fn symbolic_way(random: &mut Random, base: Options, large: bool) -> Options {
    let symbolic = SymbolicOptions {
        hints: random.coin(),
        sigma_limit: random.one_in(3).then(|| random.below(3) as u32),
        under: random.one_in(3).then(|| 8 + random.below(5) as u32 * 4),
        ctl: *random.pick(&[CtlModel::All, CtlModel::Relation, CtlModel::Restricted]),
        nodes: if random.one_in(8) { 2_000 } else { 500_000 },
        collect: if random.one_in(8) && !large { Collect::Always } else { Collect::WhenDue },
        ..SymbolicOptions::default()
    };
    Options { engine: Engine::Symbolic, symbolic, ..base }
}

/// All ways to ask for a property of a logic; none is an automaton written by hand.
fn ways(logic: Option<Logic>, base: Options, random: &mut Random, large: bool) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    let mut way =
        |name: String, symmetry: usize, options: Options| ways.push(Way { name, symmetry, options });
    let prunings = [Prune::Full, Prune::Process, Prune::None];
    let prune = *random.pick(&prunings);
    let pruned = Options { prune: Some(prune), ..base };
    if matches!(logic, Some(Logic::Ctl | Logic::Mu)) {
        for algorithm in Algorithm::ALL {
            way(format!("{algorithm:?} {prune:?}"), 0, Options { ctl: algorithm, ..pruned });
        }
        let algorithm = *random.pick(&Algorithm::ALL);
        way("without symmetry".into(), 2, Options { ctl: algorithm, ..base });
    } else {
        way(format!("on the fly {prune:?}"), 0, pruned);
        way("without symmetry".into(), 2, base);
        way("threaded".into(), random.below(2), Options { engine: Engine::Threaded, ..base });
        way("explicit".into(), 0, Options { engine: Engine::Explicit, ..base });
        if !matches!(logic, Some(Logic::Invariant | Logic::Cover)) {
            way("expanded".into(), 0, Options { expand_quantifiers: true, ..pruned });
        }
    }
    way("searched images".into(), 1, Options { prune: Some(*random.pick(&prunings)), ..base });
    way("symbolic".into(), 0, symbolic_way(random, base, large));
    ways
}

/// The symbolic engine with every number of nodes that may stop it, collecting before every operation, behind one other way.
fn under_stress(logic: Option<Logic>, base: Options, random: &mut Random) -> Vec<Way> {
    let mut all = ways(logic, base, random, false);
    all.pop();
    let other = all.swap_remove(random.below(all.len()));
    let models = [CtlModel::All, CtlModel::Relation, CtlModel::Restricted];
    let few = [300, 1_000, 2_000, 5_000];
    let stressed = models.iter().map(|&ctl| {
        let mut options = symbolic_way(random, base, false);
        options.symbolic.collect = Collect::Always;
        options.symbolic.ctl = ctl;
        options.symbolic.nodes = if random.one_in(3) { *random.pick(&few) } else { 500_000 };
        Way { name: "symbolic under stress".into(), symmetry: 0, options }
    });
    // The model matters to branching time alone.
    let count = if logic == Some(Logic::Ctl) { 3 } else { 1 };
    let stressed: Vec<Way> = stressed.take(count).collect();
    std::iter::once(other).chain(stressed).collect()
}

impl Known<'_> {
    fn ask(
        &self,
        id: PropertyId,
        asked: Asked,
        random: &mut Random,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let logic = match &self.program.properties[id].kind {
            PropertyKind::Formula(logic, _) => Some(*logic),
            PropertyKind::DeadlockFree => Some(Logic::Invariant),
            PropertyKind::Automaton(_) => None,
        };
        let of_states = self.program.properties[id].logic().is_of_states();
        // A cover holds where a state is found, all others are violated there.
        let finding = if logic == Some(Logic::Cover) { Word::Holds } else { Word::Violated };
        let base = base(random, logic);
        let (checker, expected) = self.by_interpreter(id, base);
        tally.by_interpreter += u64::from(expected.is_some());
        let mut common = expected;
        let mut answered = false;
        let ways = match asked {
            Asked::All => ways(logic, base, random, self.graph.is_none()),
            Asked::Symbolic => under_stress(logic, base, random),
        };
        for Way { name, symmetry, options } in ways {
            let place = || format!("{name} with {options:?}");
            let target = Target::Property(id);
            let mut check = match Check::new(self.program, &self.symmetries[symmetry], target, options) {
                Ok(check) => check,
                Err(CheckError::Refused(refusal)) => {
                    tally.reached.note(format!("engine: refused {refusal:?}"));
                    continue;
                }
                Err(CheckError::Property(_)) => {
                    tally.reached.note("engine: property too large");
                    continue;
                }
            };
            note_check(&mut tally.reached, self.program, &check, &self.symmetries[symmetry], options);
            let report = check.run();
            note_report(&mut tally.reached, &report, options);
            self.replay_fault(&report, tally).map_err(|error| format!("{error}, {}", place()))?;
            let word = word(&report).map_err(|error| format!("{error}, {}", place()))?;
            answered |= asked == Asked::All || options.engine == Engine::Symbolic;
            tally.answers += 1;
            if word == Word::Unknown {
                continue;
            }
            match common {
                // Where the model has an error, it depends on the order of looking what is found first; and only an
                // invariant makes an engine look at all states.
                Some(Word::Fault) if word == finding || !of_states => {}
                Some(other) if other != word => {
                    return Err(format!("{word:?}, and not {other:?}: {}", place()));
                }
                Some(_) => {}
                None => common = Some(word),
            }
            if let (Some(checker), Some(counterexample)) = (&checker, &report.counterexample) {
                self.replay(id, checker, counterexample, base)
                    .map_err(|error| format!("its run is none: {error}, {}", place()))?;
                tally.runs += 1;
            }
        }
        if asked == Asked::All && random.one_in(3) {
            self.written(id, base, common, tally)?;
        }
        if answered {
            tally.pairs += 1;
            match common {
                Some(Word::Holds) => tally.holds += 1,
                Some(Word::Violated) => tally.violated += 1,
                Some(Word::Fault | Word::Unknown) | None => tally.unknown += 1,
            }
        }
        if self.claims {
            self.unchecked(id, base, common, tally)?;
        }
        Ok(())
    }

    /// The answer of the interpreter.
    fn by_interpreter(&self, id: PropertyId, options: Options) -> (Option<Checker<'_>>, Option<Word>) {
        let Some(graph) = self.graph else { return (None, None) };
        if graph.wrong.iter().any(|wrong| !wrong.is_empty()) {
            return (None, Some(Word::Fault));
        }
        let mut checker = match options.deadlock {
            Deadlock::Stutter => Checker::new(self.oracle, graph),
            Deadlock::Drop => Checker::dropping_deadlocks(self.oracle, graph),
        };
        let assumed = assumed(options.fairness);
        checker.fair_paths = options.fair_ctl.then_some(assumed);
        checker.most_nodes = TABLEAU;
        let property = &self.program.properties[id];
        let formula =
            matches!(property.kind, PropertyKind::Formula(..)) && claim(self.oracle.file, property).is_none();
        checker.faulty = formula.then_some(false);
        let verdict = self.expected(id, &checker, options.fairness);
        // By the reference, states from which no path goes on count too.
        let dropping = formula && options.deadlock == Deadlock::Drop;
        let faulty = || Checker::new(self.oracle, graph).faults(&property.name).contains(&true);
        if (checker.replaced.get() || dropping) && faulty() {
            return (None, Some(Word::Fault));
        }
        let word = verdict.map(|verdict| match verdict {
            Expected::Holds => Word::Holds,
            Expected::Violated => Word::Violated,
        });
        (Some(checker), word)
    }

    /// The interpreter's verdict on a property, or on an assert.
    fn expected(&self, id: PropertyId, checker: &Checker<'_>, fairness: FairnessChoice) -> Option<Expected> {
        let property = &self.program.properties[id];
        let (Some(graph), Some(claim)) = (self.graph, claim(self.oracle.file, property)) else {
            return checker.try_check(&property.name, assumed(fairness));
        };
        Some(Expected::of(graph.failed.iter().all(|failed| !failed.contains(&claim))))
    }

    /// Whether a state is what a property of states looks for.
    fn shows(&self, id: PropertyId, checker: &Checker<'_>, state: usize) -> bool {
        let property = &self.program.properties[id];
        match (self.graph, claim(self.oracle.file, property)) {
            (Some(graph), Some(claim)) => graph.failed[state].contains(&claim),
            _ => checker.shows(&property.name, state),
        }
    }

    /// Replays a run on the interpreter's graph.
    fn replay(
        &self,
        id: PropertyId,
        checker: &Checker<'_>,
        counterexample: &Counterexample,
        options: Options,
    ) -> Result<(), String> {
        let Some(numbers) = &self.numbers else { return Ok(()) };
        let name = &self.program.properties[id].name;
        match counterexample {
            Counterexample::Path(path) => {
                let (start, steps) = self.path_in_numbers(path, numbers)?;
                checker.graph.walk(start, &steps)?;
                let end = steps.last().map_or(start, |step| step.2);
                if self.shows(id, checker, end) { Ok(()) } else { Err("it ends elsewhere".to_string()) }
            }
            Counterexample::Lasso(lasso, _) => {
                let run = self.run_in_numbers(lasso, numbers)?;
                match checker.violates(&run, name, assumed(options.fairness))? {
                    Some(false) => Err("it is not fair, or the property holds on it".to_string()),
                    Some(true) | None => Ok(()),
                }
            }
        }
    }

    /// Replays the path to an error of the model: it ends where the interpreter finds one.
    fn replay_fault(&self, report: &Report, tally: &mut Tally) -> Result<(), String> {
        let Verdict::Unknown(Unknown::Fault(fault)) = &report.verdict else { return Ok(()) };
        let (Some(graph), Some(numbers), Some(path)) = (self.graph, &self.numbers, &fault.path) else {
            return Ok(());
        };
        let (start, steps) = self.path_in_numbers(path, numbers)?;
        graph.walk(start, &steps)?;
        let end = steps.last().map_or(start, |step| step.2);
        if matches!(fault.what, Faulty::Step(_)) && graph.wrong[end].is_empty() {
            return Err(format!("no error where its path ends: {:?}", fault.what));
        }
        tally.reached.note("engine: a path to an error");
        Ok(())
    }

    /// Writes the automata of a property as HOA: what is read back has the same verdict.
    fn written(
        &self,
        id: PropertyId,
        base: Options,
        common: Option<Word>,
        tally: &mut Tally,
    ) -> Result<(), String> {
        if !matches!(self.program.properties[id].logic(), PropertyLogic::Ltl | PropertyLogic::Automaton) {
            return Ok(());
        }
        let said = written_and_read(self.source, self.program, &self.symmetries[0], id, base)?;
        let word = if said.iter().any(|verdict| matches!(verdict, Verdict::Violated)) {
            Word::Violated
        } else if !said.is_empty() && said.iter().all(|verdict| matches!(verdict, Verdict::Holds)) {
            Word::Holds
        } else {
            return Ok(());
        };
        match common {
            Some(Word::Fault) | None => {}
            Some(common) if common == word => tally.reached.note("engine: what is written as HOA"),
            Some(common) => return Err(format!("{common:?}, and {word:?} when it is written as HOA")),
        }
        Ok(())
    }

    fn path_in_numbers(&self, path: &Path, numbers: &Numbers) -> Result<(usize, Vec<RunStep>), String> {
        let steps: Result<Vec<RunStep>, String> = (path.steps.iter().zip(path.states()))
            .map(|(step, values)| {
                let (family, index) = self.program.locate(step.process);
                let label = self.program.show_step(step.process, step.action, &step.arguments);
                Ok((Some((family.0, i64::from(index))), label, numbers.state(&values)?))
            })
            .collect();
        Ok((numbers.state(&path.start)?, steps?))
    }

    fn run_in_numbers(&self, lasso: &Lasso, numbers: &Numbers) -> Result<Run, String> {
        let (stem, cycle) = lasso.written_out();
        let step = |step: &LassoStep| {
            let process = step.process.map(|process| {
                let (family, index) = self.program.locate(process);
                (family.0, i64::from(index))
            });
            let label = match (step.process, &step.action) {
                (Some(process), Some((action, arguments))) => {
                    self.program.show_step(process, *action, arguments)
                }
                _ => String::new(),
            };
            Ok((process, label, numbers.state(&step.values)?))
        };
        let steps: Result<Vec<RunStep>, String> = stem.iter().chain(&cycle).map(step).collect();
        Ok(Run { start: numbers.state(&lasso.start)?, steps: steps?, back: stem.len() })
    }

    /// With generators taken as they are, a violation that is found is one all the same, and nothing is said to hold.
    fn unchecked(
        &self,
        id: PropertyId,
        base: Options,
        common: Option<Word>,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let symbolic = SymbolicOptions {
            generators: Generators::Unchecked,
            nodes: 500_000,
            ..SymbolicOptions::default()
        };
        let options = Options { engine: Engine::Symbolic, symbolic, ..base };
        let Ok(mut check) = Check::new(self.program, &self.symmetries[2], Target::Property(id), options)
        else {
            return Ok(());
        };
        let report = check.run();
        tally.answers += 1;
        tally.reached.note("engine: symbolic with claims unchecked");
        let covers = self.program.properties[id].logic() == PropertyLogic::Cover;
        let (nothing, found) =
            if covers { (Word::Violated, Word::Holds) } else { (Word::Holds, Word::Violated) };
        match (word(&report)?, common) {
            // A fair cycle is looked for among all states: no claim is used.
            (said, common)
                if said == nothing && report.symbolic.as_ref().is_some_and(|s| !s.falsification_only) =>
            {
                if common.is_none_or(|right| said == right) {
                    Ok(())
                } else {
                    Err("it is said to hold, and is violated".to_string())
                }
            }
            (said, _) if said == nothing && report.searches > 0 => {
                Err("it is said to hold with claims that nobody has checked".to_string())
            }
            (said, Some(right)) if said == found && right == nothing => {
                Err("a violation that is none, with wrong claims".to_string())
            }
            _ => Ok(()),
        }
    }
}

fn assumed(fairness: FairnessChoice) -> Option<Fairness> {
    match fairness {
        FairnessChoice::All(fairness) => Some(fairness),
        FairnessChoice::Model => None,
    }
}
