//! Ctrl-C and other requests to end.
//!
//! While a search runs, the first request stops it, and what was found is printed; the next one ends the process at once.
//! Where there is nothing to print yet, the first one does.

use crate::failure::Status;
use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

struct Requests {
    stop: Arc<AtomicBool>,
    /// Whether the next request ends the process.
    at_once: Arc<AtomicBool>,
}

static REQUESTS: OnceLock<Requests> = OnceLock::new();

/// Takes over what ends a process. Where the system does not allow that, requests end the process as ever.
pub(crate) fn install() {
    let requests = REQUESTS.get_or_init(|| Requests {
        stop: Arc::new(AtomicBool::new(false)),
        at_once: Arc::new(AtomicBool::new(true)),
    });
    for signal in [SIGINT, SIGTERM] {
        // In this order: the process ends if the flag was up before this request.
        let _ = flag::register_conditional_default(signal, requests.at_once.clone());
        let _ = flag::register(signal, requests.at_once.clone());
        let _ = flag::register(signal, requests.stop.clone());
    }
    // The standard library says how much memory it did not get, and aborts. That is a limit like any other.
    let always = Arc::new(AtomicBool::new(true));
    let _ = flag::register_conditional_shutdown(SIGABRT, Status::Limit as i32, always);
}

/// From now on the first request is noted instead of ending the process.
pub(crate) fn listen() {
    if let Some(requests) = REQUESTS.get() {
        requests.at_once.store(requests.stop.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// Whether there was a request to stop.
pub(crate) fn requested() -> bool {
    REQUESTS.get().is_some_and(|requests| requests.stop.load(Ordering::Relaxed))
}
