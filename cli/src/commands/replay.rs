//! `orbitscope replay`

use crate::args::ReplayArgs;
use crate::failure::{Failure, Status};
use crate::model::{Model, Source};
use crate::output::Output;
use crate::text::counted;
use crate::{interrupt, run};
use orbitscope_core::program::ActionId;
use orbitscope_core::replay::{Impossible, Observation, Options, Outcome, Replay, Seen};
use orbitscope_core::text::{Diagnostic, closest};
use serde_json::{Value, json};
use std::io::Write as _;

/// At most this many characters of a line of the log are shown.
const SHOWN: usize = 200;

pub(crate) fn replay(args: &ReplayArgs) -> Result<Status, Failure> {
    if args.model.file == "-" && args.log == "-" {
        return Err(Failure::Input("orbitscope: standard input cannot be the model and the log".into()));
    }
    let model = Model::load(&args.model)?;
    let symmetry = model.symmetry(None)?;
    let log = Source::read(&args.log)?;
    let options = Options {
        hidden: args.hidden,
        hide: args.hide.iter().map(|name| actions(&model, name)).collect::<Result<Vec<_>, _>>()?.concat(),
        own_names: args.own_names,
        limit: run::limits(args.max_states).states.min(LIMIT) as usize,
    };
    let Some(mut replay) = Replay::new(&model.program, &symmetry, options) else {
        return Err(Failure::TooLarge(format!("{}: too many initial states", model.source.file)));
    };
    let mut end = End { lines: 0, last: 0, possible: None, found: None };
    for (number, text) in log.text.lines().enumerate().map(|(at, text)| (at + 1, text)) {
        if text.trim().is_empty() {
            continue;
        }
        if interrupt::requested() {
            return Err(Failure::TooLarge(format!("{}:{number}: stopped", log.file)));
        }
        let wrong = |words: String| Failure::Input(format!("{}:{number}: {words}", log.file));
        let seen = observation(text).map_err(wrong)?;
        (end.lines, end.last) = (end.lines + 1, number);
        match replay.read(&seen).map_err(|words| wrong(words.to_string()))? {
            Outcome::Possible(states) => end.possible = Some(states),
            Outcome::Impossible(found) => {
                end.found = Some((text, *found));
                break;
            }
            Outcome::TooMany => {
                let words =
                    format!("more than {} are possible here", counted(replay.limit() as u64, "state"));
                let hint = "more lines with values, fewer hidden steps or a higher `--max-states` would help";
                return Err(Failure::TooLarge(format!("{}:{number}: {words}; {hint}", log.file)));
            }
            Outcome::Fault(fault) => {
                let place = Diagnostic::new(fault.fault.span, model.program.show_fault(&fault));
                let words = model.source.render(&place);
                return Err(Failure::Input(format!("{words}\n{}:{number}: the log leads there", log.file)));
            }
        }
    }
    let mut output = Output::new();
    if args.json {
        writeln!(output, "{}", end.json(&replay, &log.file))?;
    } else {
        write!(output, "{}", end.text(&replay, &log.file))?;
    }
    output.flush()?;
    Ok(if end.found.is_some() { Status::Violated } else { Status::Good })
}

/// At most this many states are kept unless less is asked for: a log that allows more says too little.
const LIMIT: u32 = 1_000_000;

/// The actions of a name: families may have one each.
fn actions(model: &Model, name: &str) -> Result<Vec<ActionId>, Failure> {
    let all = &model.program.actions;
    let found: Vec<ActionId> =
        all.iter_enumerated().filter(|(_, a)| a.name == name).map(|(id, _)| id).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let hint = closest(name, all.iter().map(|action| action.name.as_str()));
    let hint = hint.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(Failure::Input(format!("{}: there is no action `{name}`{hint}", model.source.file)))
}

/// How far the log was read.
struct End<'a> {
    lines: u64,
    /// The number of the last line that was read, from 1.
    last: usize,
    possible: Option<usize>,
    /// The line that is not possible, and why.
    found: Option<(&'a str, Impossible)>,
}

impl End<'_> {
    fn text(&self, replay: &Replay<'_>, file: &str) -> String {
        let Some((line, found)) = &self.found else {
            let count = counted(self.lines, "line");
            let ends = self.possible.map_or_else(String::new, |states| {
                format!(
                    "; {} possible at the end",
                    if states == 1 { "1 state is".into() } else { format!("{states} states are") }
                )
            });
            let mut lines = vec![format!("{file}: a behaviour of the model, {count}{ends}\n")];
            for (name, process) in replay.names() {
                let process = process.unwrap_or_else(|| "one of several".into());
                lines.push(format!("  {name} is {process}\n"));
            }
            return lines.concat();
        };
        let mut lines = vec![format!("{file}:{}: no behaviour of the model\n", self.last)];
        let short: String = line.trim().chars().take(SHOWN).collect();
        lines.push(format!("  the line       {short}\n"));
        let others = match found.before {
            1 => String::new(),
            n => format!(", or one of {} others", n - 1),
        };
        lines.push(format!("  before it      {}{others}\n", found.state));
        for (name, process) in &found.names {
            lines.push(format!("  {name} is {process}\n"));
        }
        let list = if found.steps.is_empty() { "nobody can move".into() } else { found.steps.join(", ") };
        let more = found.step_count.saturating_sub(found.steps.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        lines.push(format!("  possible there {list}{more}\n"));
        for (step, difference) in &found.near {
            lines.push(format!("  {step} is possible, but then {difference}\n"));
        }
        lines.concat()
    }

    fn json(&self, replay: &Replay<'_>, file: &str) -> Value {
        let names = |list: Vec<(String, Option<String>)>| -> Value {
            list.into_iter().map(|(name, process)| json!({ "name": name, "process": process })).collect()
        };
        match &self.found {
            None => {
                let list = replay.names().into_iter().map(|(name, process)| (name.to_owned(), process));
                json!({
                    "log": file, "behaviour": true, "lines": self.lines, "possible": self.possible, "names": names(list.collect()),
                })
            }
            Some((_, found)) => {
                let list = found.names.iter().map(|(name, process)| (name.clone(), Some(process.clone())));
                let near = found.near.iter().map(|(step, but)| json!({ "step": step, "but": but }));
                json!({
                    "log": file, "behaviour": false, "lines": self.lines, "line": self.last, "possible": found.before,
                    "state": found.state, "steps": found.steps, "near": near.collect::<Vec<_>>(), "names": names(list.collect()),
                })
            }
        }
    }
}

/// Reads a line of the log. Members that mean nothing here, such as a time, are passed over.
fn observation(text: &str) -> Result<Observation, String> {
    let line: Value = serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"))?;
    let Value::Object(mut line) = line else {
        return Err("a line is an object, such as {\"process\": \"w1\", \"action\": \"enter\"}".into());
    };
    let mut seen = Observation::default();
    let mut known = false;
    if let Some(process) = line.remove("process") {
        known = true;
        seen.process = match process {
            Value::String(name) => Some(name),
            Value::Number(number) => Some(number.to_string()),
            other => return Err(format!("`process` is a name, not {other}")),
        };
    }
    if let Some(action) = line.remove("action") {
        known = true;
        let Value::String(name) = action else { return Err(format!("`action` is a name, not {action}")) };
        seen.action = Some(name);
    }
    if let Some(arguments) = line.remove("args") {
        let Value::Array(list) = arguments else { return Err(format!("`args` is a list, not {arguments}")) };
        seen.arguments = Some(list.iter().map(value).collect::<Result<_, _>>()?);
    }
    if let Some(after) = line.remove("after") {
        known = true;
        let Value::Object(values) = after else { return Err(format!("`after` is an object, not {after}")) };
        let values = values.into_iter().map(|(name, seen)| Ok((name, value(&seen)?)));
        seen.after = values.collect::<Result<_, String>>()?;
    }
    if known { Ok(seen) } else { Err("this line has none of `process`, `action` and `after`".into()) }
}

fn value(value: &Value) -> Result<Seen, String> {
    match value {
        Value::Null => Ok(Seen::Nothing),
        Value::Bool(value) => Ok(Seen::Bool(*value)),
        Value::Number(number) => {
            number.as_i64().map(Seen::Int).ok_or_else(|| format!("{number} is no whole number of 64 bits"))
        }
        Value::String(word) => Ok(Seen::Word(word.clone())),
        other => Err(format!("{other} is no value: write one variable a member, such as `heard[w1]`")),
    }
}
