//! A model, what is asked of it and what is looked at, as the part of an address after `#`.
//!
//! The format is written down in `docs/link-format.md`. It is text in a zlib stream in URL-safe base64 behind a version:
//! what a browser keeps to itself and a chat program does not break. A link comes from anywhere, so that reading one is
//! bounded in time and memory, and whatever is wrong with it is said in words.

use crate::error::{Classified, ErrorKind};
use crate::limits::{MAX_LINK_CONTENT, MAX_LINK_LENGTH, MAX_LINK_WORD};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use base64ct::{Base64UrlUnpadded, Encoding};
use core::fmt::{self, Display, Write};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};

/// The version of a model alone.
const VERSION: u32 = 1;
/// The version of a model with an exercise behind it.
const WITH_EXERCISE: u32 = 2;
/// The compressor's slowest setting: a link is made once and sent often.
const EFFORT: u8 = 10;

/// The content of a link.
///
/// ```
/// use orbitscope_core::link::Link;
/// let link = Link { text: "param n = 2\n".into(), settings: vec![("n".into(), 3)], ..Link::default() };
/// let fragment = link.encode();
/// assert!(fragment.starts_with("1."));
/// assert_eq!(Link::decode(&fragment), Ok(link));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// The text of the model.
    pub text: String,
    /// The parameters that differ from the model's own values.
    pub settings: Vec<(String, i64)>,
    /// The property that is looked at.
    pub property: Option<String>,
    /// Options by their names on the command line, without the dashes: `fairness` is `strong`.
    pub options: BTreeMap<String, String>,
    /// The graph of the model that is drawn.
    pub view: Option<String>,
    /// The step of the search.
    pub step: Option<u32>,
    /// A walk by hand: numbers with commas, a colon, and numbers with commas.
    pub walk: Option<String>,
}

/// The ways in which a link can be wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// It does not start with a version.
    NotALink,
    /// It is of a version after ours.
    Newer(u32),
    /// It is longer than [`MAX_LINK_LENGTH`].
    TooLong(usize),
    /// It unfolds to more than [`MAX_LINK_CONTENT`].
    TooLarge,
    /// Characters are missing or changed.
    Damaged,
    /// Its content is not what this version writes.
    Content(String),
}

impl Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::NotALink => f.write_str(
                "this is not a link to a model: it should go on with a version and a full stop, such as `1.`",
            ),
            LinkError::Newer(version) => write!(
                f,
                "this link has format {version}, and the newest one known here is {WITH_EXERCISE}: reload the page, or open the link where it was made"
            ),
            LinkError::TooLong(length) => write!(
                f,
                "this link is {length} characters long, and at most {MAX_LINK_LENGTH} are read: ask for the model as a file"
            ),
            LinkError::TooLarge => {
                write!(
                    f,
                    "this link unfolds to more than {} MiB, which no model needs: it is not opened",
                    MAX_LINK_CONTENT >> 20
                )
            }
            LinkError::Damaged => f.write_str(
                "this link is damaged: part of it is missing or was changed on its way; ask for it again, or for a file",
            ),
            LinkError::Content(what) => write!(f, "this link cannot be understood: {what}"),
        }
    }
}

impl core::error::Error for LinkError {}

impl Classified for LinkError {
    fn kind(&self) -> ErrorKind {
        match self {
            LinkError::TooLong(_) | LinkError::TooLarge => ErrorKind::Limit,
            LinkError::NotALink | LinkError::Newer(_) | LinkError::Damaged | LinkError::Content(_) => {
                ErrorKind::Model
            }
        }
    }
}

impl Link {
    /// The part of an address after `#`.
    pub fn encode(&self) -> String {
        format!("{VERSION}.{}", pack(&self.to_text()))
    }

    /// The part of an address after `#` of a model that comes with an exercise, which is any text.
    pub fn encode_with(&self, exercise: &str) -> String {
        format!("{WITH_EXERCISE}.{}.{}", pack(&self.to_text()), pack(exercise))
    }

    /// Reads the part of an address after `#`. An exercise behind the model is passed over.
    pub fn decode(fragment: &str) -> Result<Link, LinkError> {
        let (data, _) = parts(fragment)?;
        Link::from_text(&unpack(data)?)
    }

    /// The content as text: a line for each thing that is said, an empty line, and the model.
    pub fn to_text(&self) -> String {
        let mut content = String::new();
        let mut line = |key: &str, value: &dyn Display| {
            let _ = writeln!(content, "{key} {value}");
        };
        for (name, value) in &self.settings {
            line("set", &format!("{name}={value}"));
        }
        if let Some(property) = &self.property {
            line("property", property);
        }
        for (name, value) in &self.options {
            line("option", &format!("{name}={value}"));
        }
        if let Some(view) = &self.view {
            line("view", view);
        }
        if let Some(step) = self.step {
            line("step", &step);
        }
        if let Some(walk) = &self.walk {
            line("walk", walk);
        }
        content.push('\n');
        content.push_str(&self.text);
        content
    }

    /// Reads what [`Link::to_text`] wrote.
    pub fn from_text(content: &str) -> Result<Link, LinkError> {
        let mut link = Link::default();
        let mut rest = content;
        loop {
            let (line, after) =
                rest.split_once('\n').ok_or_else(|| LinkError::Content("it has no model".into()))?;
            rest = after;
            if line.is_empty() {
                link.text = rest.into();
                return Ok(link);
            }
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            link.take(key, value)?;
        }
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), LinkError> {
        let bad = || LinkError::Content(format!("`{}` does not say a {key}", shortened(value)));
        let pair = || {
            let (name, value) = value.split_once('=').ok_or_else(bad)?;
            Ok((word(name).ok_or_else(bad)?, value))
        };
        match key {
            "set" => {
                let (name, value) = pair()?;
                self.settings.push((name, value.parse().map_err(|_| bad())?));
            }
            "option" => {
                let (name, value) = pair()?;
                self.options.insert(name, word(value).ok_or_else(bad)?);
            }
            "property" => self.property = Some(word(value).ok_or_else(bad)?),
            "view" => self.view = Some(word(value).ok_or_else(bad)?),
            "walk" => {
                let fits = |c: char| c.is_ascii_digit() || [',', ':', '-'].contains(&c);
                self.walk = value.chars().all(fits).then(|| value.into());
                self.walk.as_ref().ok_or_else(bad)?;
            }
            "step" => self.step = Some(value.parse().map_err(|_| bad())?),
            _ => {
                return Err(LinkError::Content(format!(
                    "`{}` is not known here; a newer page may know it",
                    shortened(key)
                )));
            }
        }
        Ok(())
    }
}

/// The text of the exercise that comes with a link, where one does.
pub fn exercise(fragment: &str) -> Result<Option<String>, LinkError> {
    let (_, exercise) = parts(fragment)?;
    exercise.map(unpack).transpose()
}

/// The model of a link and its exercise, both packed.
fn parts(fragment: &str) -> Result<(&str, Option<&str>), LinkError> {
    let fragment = fragment.trim();
    if fragment.len() > MAX_LINK_LENGTH {
        return Err(LinkError::TooLong(fragment.len()));
    }
    let (version, data) = fragment.split_once('.').ok_or(LinkError::NotALink)?;
    if version.is_empty() || !version.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(LinkError::NotALink);
    }
    match version.parse() {
        Ok(VERSION) => Ok((data, None)),
        Ok(WITH_EXERCISE) => {
            let (model, exercise) = data.split_once('.').ok_or(LinkError::Damaged)?;
            Ok((model, Some(exercise)))
        }
        Ok(0) | Err(_) => Err(LinkError::NotALink),
        Ok(newer) => Err(LinkError::Newer(newer)),
    }
}

fn pack(text: &str) -> String {
    Base64UrlUnpadded::encode_string(&compress_to_vec_zlib(text.as_bytes(), EFFORT))
}

fn unpack(data: &str) -> Result<String, LinkError> {
    let packed = Base64UrlUnpadded::decode_vec(data).map_err(|_| LinkError::Damaged)?;
    let content = decompress_to_vec_zlib_with_limit(&packed, MAX_LINK_CONTENT).map_err(|error| {
        if error.status == TINFLStatus::HasMoreOutput { LinkError::TooLarge } else { LinkError::Damaged }
    })?;
    String::from_utf8(content).map_err(|_| LinkError::Damaged)
}

/// A name, if it is one: what is read from a link is shown to people and compared with names, and is nothing else.
fn word(text: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (!text.is_empty() && text.len() <= MAX_LINK_WORD && text.chars().all(fits)).then(|| text.to_string())
}

fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN {
        return text.into();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}
