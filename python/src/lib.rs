//! The engine for Python. `python/orbitscope` is what its users see; it calls the functions here. Questions and answers are JSON.
#![cfg(feature = "extension")]

use orbitscope_script::{self as script, Answer, Asked, Wrong};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Between two looks at Python the engine works so long: Ctrl-C is answered at once, and looking costs nothing.
const SLICE: Duration = Duration::from_millis(30);

pyo3::create_exception!(
    orbitscope._engine,
    EngineError,
    PyException,
    "A question without an answer: a Wrong as JSON."
);

/// Why there is no answer.
enum Stop {
    /// The engine says so.
    Wrong(Wrong),
    /// Python does: somebody pressed Ctrl-C, or the function that is told how far it is raised an exception.
    Python(PyErr),
}

impl From<Wrong> for Stop {
    fn from(wrong: Wrong) -> Stop {
        Stop::Wrong(wrong)
    }
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Stop {
        Stop::Python(error)
    }
}

fn raised(wrong: &Wrong) -> PyErr {
    EngineError::new_err(serde_json::to_string(wrong).unwrap_or_else(|error| error.to_string()))
}

/// The answer to a question as JSON. Other threads of Python go on meanwhile. A panic, which would be a bug of the engine, is an
/// exception like any other and leaves the notebook alive.
fn answered<T: Serialize>(
    py: Python<'_>,
    question: impl FnOnce() -> Result<T, Stop> + Send,
) -> PyResult<String> {
    let told = py.detach(|| {
        catch_unwind(AssertUnwindSafe(|| {
            let told = question()?;
            serde_json::to_string(&told).map_err(|error| Wrong::usage(error.to_string()).into())
        }))
    });
    match told {
        Ok(Ok(told)) => Ok(told),
        Ok(Err(Stop::Wrong(wrong))) => Err(raised(&wrong)),
        Ok(Err(Stop::Python(error))) => Err(error),
        Err(_) => Err(raised(&Wrong {
            kind: "internal",
            message: "the engine broke down: this is a bug of Orbitscope, please report it with the model"
                .into(),
            problems: Vec::new(),
        })),
    }
}

fn asked(options: &str) -> PyResult<Asked> {
    serde_json::from_str(options).map_err(|error| raised(&Wrong::usage(format!("the options: {error}"))))
}

/// The parameters, families and properties of a model.
#[pyfunction]
fn describe(py: Python<'_>, text: &str, options: &str) -> PyResult<String> {
    let asked = asked(options)?;
    answered(py, || Ok(script::describe(text, &asked)?))
}

/// The symmetry of a model, and what limits it.
#[pyfunction]
fn symmetry(py: Python<'_>, text: &str, options: &str) -> PyResult<String> {
    let asked = asked(options)?;
    answered(py, || Ok(script::symmetry(text, &asked)?))
}

/// A graph of a model, as JSON, for Graphviz or as SVG: a text, as a JSON string.
#[pyfunction]
fn graph(py: Python<'_>, text: &str, options: &str, form: &str) -> PyResult<String> {
    let asked = asked(options)?;
    answered(py, || Ok(script::graph(text, &asked, form)?))
}

/// The part of an address that opens the model in the page.
#[pyfunction]
fn link(py: Python<'_>, text: &str, options: &str) -> PyResult<String> {
    let asked = asked(options)?;
    answered(py, || Ok(script::link(text, &asked)?))
}

/// The text in standard form.
#[pyfunction]
fn format(py: Python<'_>, text: &str) -> PyResult<String> {
    answered(py, || Ok(script::format(text)?))
}

/// The findings of a check. The names of the families tell which lists of a state are processes.
#[derive(Serialize)]
struct Checked {
    families: Vec<String>,
    answers: Vec<Answer>,
}

/// Checks the named properties, or all. Again and again `told` is called with the property and the numbers of nodes and edges.
#[pyfunction]
fn check(
    py: Python<'_>,
    text: &str,
    options: &str,
    properties: Option<Vec<String>>,
    told: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let asked = asked(options)?;
    let told = told.map(Bound::unbind);
    answered(py, || {
        let model = script::model(text, &asked)?;
        let families = model.program().families.iter().map(|family| family.name.clone()).collect();
        let mut answers = Vec::new();
        for property in properties.unwrap_or_else(|| script::properties(&model, &asked)) {
            let mut session = script::start(&model, &property)?;
            let mut until = Instant::now();
            while session.step() {
                if Instant::now() >= until {
                    let progress = session.progress();
                    look(&property, progress.nodes, progress.edges, told.as_ref())?;
                    until = Instant::now() + SLICE;
                }
            }
            answers.push(script::answer(&model, session));
        }
        Ok(Checked { families, answers })
    })
}

/// Looks whether Ctrl-C was pressed, and tells how far the check is.
fn look(property: &str, nodes: u64, edges: u64, told: Option<&Py<PyAny>>) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        told.map_or(Ok(()), |told| told.call1(py, (property, nodes, edges)).map(|_| ()))
    })
}

/// The module, as Python loads it.
#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EngineError", module.py().get_type::<EngineError>())?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(describe, module)?)?;
    module.add_function(wrap_pyfunction!(symmetry, module)?)?;
    module.add_function(wrap_pyfunction!(graph, module)?)?;
    module.add_function(wrap_pyfunction!(link, module)?)?;
    module.add_function(wrap_pyfunction!(format, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)
}
