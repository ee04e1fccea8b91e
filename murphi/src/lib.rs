//! Reads models in Murphi, the language in which protocols with identical processes have been written since 1992, as that of Murphi
//! 3.1, CMurphi 5.4 and Rumur.
//!
//! A text is translated into the modelling language, so that every engine, every export and every property there is works for it:
//!
//! ```
//! let text = "type P: scalarset(3);
//!     var x: array [P] of boolean;
//!     startstate for p: P do x[p] := false end end;
//!     ruleset p: P do rule \"set\" !x[p] ==> x[p] := true end end;
//!     -- orbitscope: ltl set: forall p in P: F x[p]";
//! let translation = orbitscope_murphi::translate(text).unwrap();
//! assert!(translation.text.contains("action set: not x[self]"));
//! ```
//!
//! Messages about the translated text are turned into messages about the Murphi text by its [`Origins`].

#![no_std]

extern crate alloc;

pub mod language;
mod marks;
mod parser;
mod token;
mod translate;
mod tree;

pub use marks::Origins;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use orbitscope_core::error::ModelError;
use orbitscope_core::text::Diagnostic;
use orbitscope_core::{Error, Model};

/// Behind this a comment has a property, or another item, in the modelling language.
pub(crate) const PROPERTY_MARK: &str = "orbitscope:";

/// A Murphi text in the modelling language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translation {
    /// The text in the modelling language.
    pub text: String,
    /// Which parts of the Murphi text its parts come from.
    pub origins: Origins,
    /// Names that the Murphi text has and the modelling language has not.
    pub names: Names,
}

/// Names of the Murphi text that are written otherwise in the modelling language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// The literals of enumerations: as they are translated, and as Murphi has them.
    pub literals: BTreeMap<String, String>,
    /// The rules: their owner and action, and the string that names the rule.
    pub rules: BTreeMap<(String, String), String>,
}

/// Translates a Murphi text, or says what is wrong with it.
pub fn translate(text: &str) -> Result<Translation, Vec<Diagnostic>> {
    let parsed = parser::parse(text);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    let done = translate::translate(&parsed.model, &parsed.comments)?;
    Ok(Translation { text: done.text, origins: done.origins, names: done.names })
}

/// A Murphi model, ready to be asked.
///
/// ```
/// let model = orbitscope_murphi::model("const N: 3; type P: scalarset(N); var x: array [P] of boolean;
///     startstate for p: P do x[p] := false end end;
///     ruleset p: P do rule \"flip\" x[p] := !x[p] end end;
///     -- orbitscope: ltl flips: forall p in P: G F x[p]")?
///     .set("N", 5)?;
/// assert!(model.check("flips")?.holds());
/// # Ok::<(), orbitscope_core::Error>(())
/// ```
pub fn model(text: &str) -> Result<Model, Error> {
    let wrong = |diagnostics| Error::from(ModelError::new(text, diagnostics));
    let translation = translate(text).map_err(wrong)?;
    Model::parse(&translation.text).map_err(|error| match error {
        Error::Model(inner) => {
            wrong(inner.diagnostics().iter().map(|d| translation.origins.diagnostic(d)).collect())
        }
        other => other,
    })
}
