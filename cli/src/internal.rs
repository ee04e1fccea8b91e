//! Errors of this program itself: they are reported like an answer, and never taken for a verdict.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// The message and the place of the last panic.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps what a panic says for whoever reports it. With `RUST_BACKTRACE` the usual message is printed too.
pub(crate) fn install() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let what = info.payload_as_str().unwrap_or("an error without words");
        let at = info.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        SAID.with(|said| *said.borrow_mut() = Some(format!("{what}{at}")));
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            usual(info);
        }
    }));
}

/// Runs a piece of work and returns its result, or the message of the panic that ended it. The work's own data are
/// given up with it.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|what| {
        // A panic of another thread comes on without its place.
        let words =
            || what.downcast_ref::<String>().map(String::as_str).or(what.downcast_ref::<&str>().copied());
        let said = SAID.with(|said| said.borrow_mut().take());
        said.unwrap_or_else(|| words().unwrap_or("an error without words").into())
    })
}

/// The words for an internal error: what it is, that nothing follows from it, and what to do.
pub(crate) fn report(what: &str, about: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let of = about.map_or_else(String::new, |name| format!(" while checking `{name}`, which stays unknown"));
    format!(
        "orbitscope: internal error{of}: {what}\nThis is a bug of orbitscope {version}. Please report it with the model and the options."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_words() {
        install();
        assert_eq!(guarded(|| 5), Ok(5));
        let error = guarded(|| -> u32 { panic!("node {} is gone", 7) }).unwrap_err();
        assert!(error.starts_with("node 7 is gone at ") && error.contains("internal.rs:"), "{error}");
        let words = report(&error, Some("served"));
        assert!(words.contains("while checking `served`, which stays unknown: node 7"), "{words}");
        assert!(words.ends_with("Please report it with the model and the options."), "{words}");
    }
}
