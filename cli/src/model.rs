//! From a file name to a program: the one place that reads models and says what is wrong with them.

use crate::args::{ModelArgs, SymmetryChoice};
use crate::colour;
use crate::failure::Failure;
use crate::output::message;
use orbitscope_core::group::Process;
use orbitscope_core::program::{self, Program, PropertyId, Settings};
use orbitscope_core::symmetry::{self, Choice, ProgramSymmetry};
use orbitscope_core::syntax;
use orbitscope_core::text::{Diagnostic, DiagnosticKind, LineIndex, Span, closest};
use orbitscope_murphi::{Origins, Translation};
use std::fmt::Write;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read.
const MAX_BYTES: u64 = 64 << 20;
/// How many messages are printed at most.
const MAX_MESSAGES: usize = 100;

/// The text of a model.
pub(crate) struct Source {
    /// The file as the user called it.
    pub file: String,
    /// The text in the modelling language.
    pub text: String,
    /// The text that it was translated from, and which part comes from where.
    pub murphi: Option<(String, Origins)>,
}

/// A model, ready to run.
pub(crate) struct Model {
    pub source: Source,
    pub program: Program,
}

/// Said whenever a model in Murphi is read.
pub(crate) const UNFINISHED: &str = "orbitscope: the reader of Murphi is not finished: an error of a rule may be missed, so check such a \
                          model with a checker for Murphi too";

impl Source {
    /// Reads a file; `-` is standard input.
    pub(crate) fn read(file: &str) -> Result<Source, Failure> {
        let name = if file == "-" { "<stdin>" } else { file };
        let bytes = read(file).map_err(|error| Failure::Input(format!("{name}: {}", io_words(&error))))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(Failure::Input(format!("{name}: larger than {} MiB", MAX_BYTES >> 20)));
        }
        let text = String::from_utf8(bytes).map_err(|error| not_utf8(name, &error))?;
        // Some editors mark UTF-8 with a byte order mark, which is no part of the text.
        let text = text.strip_prefix('\u{feff}').map(Into::into).unwrap_or(text);
        Ok(Source { file: name.into(), text, murphi: None })
    }

    /// Reads a model. One in Murphi is translated.
    pub(crate) fn of(args: &ModelArgs) -> Result<Source, Failure> {
        let source = Source::read(&args.file)?;
        let is_murphi = Path::new(&args.file).extension().is_some_and(|ending| ending == "m");
        if is_murphi || args.murphi { source.translated() } else { Ok(source) }
    }

    /// The translation of a text in Murphi.
    pub(crate) fn translated(self) -> Result<Source, Failure> {
        match orbitscope_murphi::translate(&self.text) {
            Ok(Translation { text, origins }) => {
                message(UNFINISHED);
                Ok(Source { murphi: Some((self.text, origins)), text, ..self })
            }
            Err(diagnostics) => Err(self.failure(&diagnostics)),
        }
    }

    /// The text as it was read.
    pub(crate) fn original(&self) -> &str {
        self.murphi.as_ref().map_or(&self.text, |(text, _)| text)
    }

    /// Where in the text that was read a part of the model stands.
    pub(crate) fn origin(&self, span: Span) -> Span {
        self.murphi.as_ref().map_or(span, |(_, origins)| origins.origin(span))
    }

    /// A message about the model as one about the text that was read. One about a part that stands nowhere there has no place.
    fn about(&self, diagnostic: &Diagnostic) -> Diagnostic {
        match &self.murphi {
            Some((_, origins)) => origins.diagnostic(diagnostic),
            None => diagnostic.clone(),
        }
    }

    /// The name of the model: the file's, without folders and ending.
    pub(crate) fn model_name(&self) -> String {
        if self.file == "<stdin>" {
            return "stdin".into();
        }
        Path::new(&self.file).file_stem().map_or_else(|| self.file.clone(), |s| s.to_string_lossy().into())
    }

    /// One message as text, for standard error: drawn where a person looks at it.
    pub(crate) fn render(&self, diagnostic: &Diagnostic) -> String {
        let diagnostic = &self.about(diagnostic);
        let drawn = || colour::drawn(&self.file, self.original(), diagnostic);
        // An error of the settings has no place in the text.
        let placed = diagnostic.span != Span::default();
        placed.then(drawn).flatten().unwrap_or_else(|| self.plainly(diagnostic))
    }

    /// One message as text, the same wherever it goes.
    pub(crate) fn render_plainly(&self, diagnostic: &Diagnostic) -> String {
        self.plainly(&self.about(diagnostic))
    }

    fn plainly(&self, diagnostic: &Diagnostic) -> String {
        if diagnostic.span == Span::default() {
            return format!("{}: {}", self.file, diagnostic.message);
        }
        diagnostic.render(&self.file, &LineIndex::new(self.original())).to_string()
    }

    /// Ends the command with these messages.
    pub(crate) fn failure(&self, diagnostics: &[Diagnostic]) -> Failure {
        let shown: Vec<String> = diagnostics.iter().take(MAX_MESSAGES).map(|d| self.render(d)).collect();
        let mut messages = shown.join("\n");
        if diagnostics.len() > MAX_MESSAGES {
            let _ = write!(messages, "\n{}: and {} more", self.file, diagnostics.len() - MAX_MESSAGES);
        }
        if diagnostics.iter().all(|d| d.kind == DiagnosticKind::TooLarge) {
            Failure::TooLarge(messages)
        } else {
            Failure::Input(messages)
        }
    }
}

impl Model {
    /// Reads, checks and compiles a model.
    pub(crate) fn load(args: &ModelArgs) -> Result<Model, Failure> {
        refuse_repeated(&args.settings)?;
        let source = Source::of(args)?;
        let parsed = syntax::parse(&source.text);
        if !parsed.diagnostics.is_empty() {
            return Err(source.failure(&parsed.diagnostics));
        }
        let settings = Settings { params: args.settings.clone(), ..Settings::default() };
        match program::build(&parsed.file, &settings) {
            Ok(program) => Ok(Model { source, program }),
            Err(diagnostics) => Err(source.failure(&diagnostics)),
        }
    }

    /// The property of a name.
    pub(crate) fn property(&self, name: &str) -> Result<PropertyId, Failure> {
        let program = &self.program;
        program.property(name).ok_or_else(|| {
            let all = || program.properties.iter().map(|property| property.name.as_str());
            let hint = match closest(name, all()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None if program.properties.is_empty() => "; the model has none".into(),
                None => format!("; there are: {}", all().collect::<Vec<_>>().join(", ")),
            };
            let file = &self.source.file;
            Failure::Input(format!("{file}: there is no property called `{name}`{hint}"))
        })
    }

    /// The process that a name such as `client[1]` or `server` means.
    pub(crate) fn process(&self, name: &str) -> Result<Process, Failure> {
        let program = &self.program;
        let wrong = |words: String| Failure::Input(format!("{}: {words}", self.source.file));
        let (family, number) = match name.split_once('[') {
            Some((family, rest)) => {
                let number = rest.strip_suffix(']').and_then(|digits| digits.parse::<u32>().ok());
                let expected =
                    || wrong(format!("`{name}` is no process: expected a name such as `client[0]`"));
                (family, Some(number.ok_or_else(expected)?))
            }
            None => (name, None),
        };
        let found = program.families.iter_enumerated().find(|(_, f)| f.name == family);
        let Some((id, family)) = found else {
            let hint = match closest(family, program.families.iter().map(|f| f.name.as_str())) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            return Err(wrong(format!("there is no process family `{family}`{hint}")));
        };
        match number {
            None if family.single => Ok(family.first),
            None => Err(wrong(format!("`{name}` is a family of {}: say which, as `{name}[0]`", family.size))),
            Some(number) if number < family.size && !family.single => Ok(program.process(id, number)),
            Some(_) if family.single => {
                Err(wrong(format!("`{}` is one process, without a number", family.name)))
            }
            Some(_) => {
                let words = match family.size {
                    0 => format!("`{name}` does not exist: `{}` has no process", family.name),
                    n => {
                        format!("`{name}` does not exist: `{}` has the processes 0 to {}", family.name, n - 1)
                    }
                };
                Err(wrong(words))
            }
        }
    }

    /// The symmetry that the model has, or the one that is asked for.
    pub(crate) fn symmetry(&self, choice: Option<SymmetryChoice>) -> Result<ProgramSymmetry, Failure> {
        let choice = match choice {
            None => Choice::Model,
            Some(SymmetryChoice::Auto) => Choice::Auto,
            Some(SymmetryChoice::None) => Choice::None,
        };
        symmetry::choose(&self.program, choice)
            .map_err(|refused| self.source.failure(&[refused.diagnostic(&self.program)]))
    }
}

/// Which of two values is meant is not ours to guess.
pub(crate) fn refuse_repeated(settings: &[(String, i64)]) -> Result<(), Failure> {
    for (at, (name, value)) in settings.iter().enumerate() {
        if let Some((_, first)) = settings[..at].iter().find(|(other, _)| other == name) {
            let words = format!("`--set` gives `{name}` twice, as {first} and as {value}: give it once");
            return Err(Failure::Input(format!("orbitscope: {words}")));
        }
    }
    Ok(())
}

fn read(file: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == "-" {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// An error of the system in plain words.
pub(crate) fn io_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "no such file".into(),
        io::ErrorKind::IsADirectory => "this is a directory, not a file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> Failure {
    let offset = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    let before = String::from_utf8_lossy(&bytes[..offset]);
    let at = LineIndex::new(&before).position(offset as u32);
    let (line, column, byte) = (at.line, at.column, bytes[offset]);
    Failure::Input(format!("{name}:{line}:{column}: not UTF-8: the byte at offset {offset} is 0x{byte:02x}"))
}
