//! Runs the test program: once for each test to see what it reaches, then for each mutant with the tests that reach it.

use crate::project::{Copy, Mutant};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How the tests are run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The cases of each random test.
    pub cases: u32,
    /// Tests that take more seconds of computing than this are not run.
    pub seconds: f64,
    /// How many programs run at a time.
    pub jobs: usize,
    /// Memory of a program in kilobytes.
    pub memory: u64,
    /// Only tests with one of these in their name; all where there is none.
    pub filters: Vec<String>,
}

/// The fate of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A test failed.
    Killed(String),
    /// A test did not end in many times its usual time, or in the memory that it may have.
    TimedOut(String),
    /// All tests that reach it passed.
    Survived,
    /// No test reaches it.
    NotReached,
}

/// A test with what it takes and what it kills.
#[derive(Debug)]
struct Test {
    name: String,
    seconds: f64,
    reached: BTreeSet<u32>,
}

/// The tests of a program and what each reaches.
#[derive(Debug)]
pub struct Suite {
    program: PathBuf,
    folder: PathBuf,
    limits: Limits,
    tests: Vec<Test>,
    /// Tests that were left out because they take too long, or fail without a mutant.
    pub left_out: Vec<String>,
}

/// How often each test was run and killed, in all and by function.
#[derive(Debug, Default)]
struct Learned {
    runs: BTreeMap<usize, f64>,
    kills: BTreeMap<usize, f64>,
    near: BTreeMap<(String, usize), f64>,
}

/// The end of one program.
struct End {
    passed: bool,
    by_limit: bool,
    last_test: String,
    seconds: f64,
}

impl Suite {
    /// Runs every test by itself, without a mutant, and notes what it reaches.
    pub fn measure(program: PathBuf, folder: PathBuf, limits: Limits) -> Result<Suite, String> {
        let list = Command::new(&program).args(["--list", "--format", "terse"]).current_dir(&folder).output();
        let list = list.map_err(|error| format!("{}: {error}", program.display()))?;
        let names = String::from_utf8_lossy(&list.stdout).into_owned();
        let names = names.lines().filter_map(|line| line.strip_suffix(": test"));
        let chosen = |name: &str| {
            limits.filters.is_empty() || limits.filters.iter().any(|filter| name.contains(filter))
        };
        let names: Vec<String> = names.filter(|name| chosen(name)).map(str::to_owned).collect();
        let mut suite = Suite { program, folder, limits, tests: Vec::new(), left_out: Vec::new() };
        let outcomes = in_parallel(suite.limits.jobs, names.len(), |index| suite.record(&names[index]));
        for (name, outcome) in names.into_iter().zip(outcomes) {
            match outcome {
                Some((seconds, reached)) => suite.tests.push(Test { name, seconds, reached }),
                None => suite.left_out.push(name),
            }
        }
        Ok(suite)
    }

    /// The seconds of one test and the sites it reaches; `None` where it fails or takes too long.
    fn record(&self, name: &str) -> Option<(f64, BTreeSet<u32>)> {
        let file = self.program.with_extension(format!("{}.seen", name.replace("::", "-")));
        let _ = fs::remove_file(&file);
        let variable = ("ORBITSCOPE_MUTANTS_SEEN", file.to_string_lossy().into_owned());
        let end = self.program(&[name], &variable, self.limits.seconds.ceil() as u64 + 1).ok()?;
        let seen = fs::read_to_string(&file).unwrap_or_default();
        let _ = fs::remove_file(&file);
        (end.passed && end.seconds <= self.limits.seconds)
            .then(|| (end.seconds, seen.lines().filter_map(|line| line.parse().ok()).collect()))
    }

    /// Runs the named tests in one program, which ends at the first failure.
    fn program(&self, tests: &[&str], variable: &(&str, String), seconds: u64) -> Result<End, String> {
        // The shell sets the limits, and says what its children computed: no wall clock, since others use the machine too.
        let script = format!(
            "ulimit -v {}; ulimit -t {seconds}; nice -n 10 \"$@\"; e=$?; times; exit $e",
            self.limits.memory
        );
        let output = Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(&self.program)
            .args(["--test-threads", "1", "--exact"])
            .args(tests)
            .current_dir(&self.folder)
            .env("ORBITSCOPE_CASES", self.limits.cases.to_string())
            .env("ORBITSCOPE_SHARES", "no")
            .env(variable.0, &variable.1)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .map_err(|error| format!("sh could not be started: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut started =
            text.lines().filter_map(|line| line.strip_prefix("test ")).filter(|line| line.contains(" ... "));
        let last_test =
            started.next_back().and_then(|line| line.split(" ... ").next()).unwrap_or("").to_owned();
        let seconds = text.lines().last().map_or(0.0, children_seconds);
        // 128 and the number of the signal: SIGXCPU or SIGKILL of a limit; memory that is refused ends in SIGABRT.
        let by_limit = matches!(output.status.code(), Some(152 | 137 | 134));
        Ok(End { passed: output.status.success(), by_limit, last_test, seconds })
    }

    fn summed(&self, tests: &[usize]) -> f64 {
        tests.iter().map(|&test| self.tests[test].seconds).sum()
    }

    /// Runs all `mutants`; `tell` hears of each.
    pub fn run(
        &self,
        copy: &Copy,
        mutants: &[Mutant],
        tell: impl Fn(Mutant, &Verdict) + Sync,
    ) -> Vec<Verdict> {
        let learned = Mutex::new(Learned::default());
        in_parallel(self.limits.jobs, mutants.len(), |index| {
            let verdict = self.judge(copy, mutants[index], &learned);
            tell(mutants[index], &verdict);
            verdict
        })
    }

    fn judge(&self, copy: &Copy, mutant: Mutant, learned: &Mutex<Learned>) -> Verdict {
        let site = copy.site(mutant);
        let function = format!("{}:{}", copy.sources[mutant.source].path.display(), site.place.function);
        let reaching = (0..self.tests.len()).filter(|&test| self.tests[test].reached.contains(&site.first));
        let reaching: Vec<usize> = reaching.collect();
        if reaching.is_empty() {
            return Verdict::NotReached;
        }
        let order = learned.lock().expect("no thread panics").order(&self.tests, &reaching, &function);
        for batch in self.batches(&order) {
            let names: Vec<&str> = batch.iter().map(|&test| self.tests[test].name.as_str()).collect();
            let limit = (4.0 * self.summed(&batch) + 1.5).ceil() as u64;
            let variable = ("ORBITSCOPE_MUTANT", mutant.number.to_string());
            let Ok(end) = self.program(&names, &variable, limit) else { continue };
            let killer = (!end.passed).then_some(end.last_test.as_str());
            learned.lock().expect("no thread panics").note(&self.tests, &batch, killer, &function);
            if !end.passed {
                return if end.by_limit {
                    Verdict::TimedOut(end.last_test)
                } else {
                    Verdict::Killed(end.last_test)
                };
            }
        }
        Verdict::Survived
    }

    /// The tests in batches that take longer and longer: a program's start costs more than a short test.
    fn batches(&self, order: &[usize]) -> Vec<Vec<usize>> {
        let mut batches = Vec::new();
        let mut batch = Vec::new();
        let mut seconds = 0.1;
        for &test in order {
            batch.push(test);
            if self.summed(&batch) >= seconds {
                batches.push(std::mem::take(&mut batch));
                seconds *= 2.0;
            }
        }
        batches.push(batch);
        batches.retain(|batch| !batch.is_empty());
        batches
    }
}

impl Learned {
    /// The tests that kill most in the least time first.
    fn order(&self, tests: &[Test], reaching: &[usize], function: &str) -> Vec<usize> {
        let cost = |test: usize| {
            let of = |map: &BTreeMap<usize, f64>| map.get(&test).copied().unwrap_or(0.0);
            let near = self.near.get(&(function.to_owned(), test)).copied().unwrap_or(0.0);
            let chance = (of(&self.kills) + 5.0 * near + 0.5) / (of(&self.runs) + 5.0 * near + 1.0);
            (tests[test].seconds + 0.005) / chance
        };
        let mut order = reaching.to_vec();
        order.sort_by(|&a, &b| cost(a).total_cmp(&cost(b)));
        order
    }

    fn note(&mut self, tests: &[Test], batch: &[usize], killer: Option<&str>, function: &str) {
        for &test in batch {
            *self.runs.entry(test).or_default() += 1.0;
            if killer == Some(tests[test].name.as_str()) {
                *self.kills.entry(test).or_default() += 1.0;
                *self.near.entry((function.to_owned(), test)).or_default() += 1.0;
            }
        }
    }
}

/// The last line of the shell's `times`: what its children took.
fn children_seconds(line: &str) -> f64 {
    let one = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    line.split_whitespace().filter_map(one).sum()
}

/// `work` for `0..many` on a few threads; the results in order.
fn in_parallel<T: Send>(jobs: usize, many: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, T>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= many {
                        break;
                    }
                    let result = work(index);
                    done.lock().expect("no thread panics").insert(index, result);
                }
            });
        }
    });
    done.into_inner().expect("no thread panics").into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_of_the_shell() {
        assert!((children_seconds("1m2.500s 0m0.250s") - 62.75).abs() < 1e-9);
        assert!(children_seconds("nothing").abs() < 1e-9);
    }

    #[test]
    fn results_keep_their_order() {
        assert_eq!(
            in_parallel(2, 100, |index| index * index),
            (0..100).map(|index| index * index).collect::<Vec<_>>()
        );
    }
}
