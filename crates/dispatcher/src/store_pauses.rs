//! Pauses after failures of the store.

use std::time::Duration;

use background::Backoff;

const INITIAL_BACKOFF: Duration = Duration::from_millis(50);
const MAX_BACKOFF: Duration = Duration::from_secs(5);

/// For a call of the store that does `what`.
pub(crate) fn store_backoff(what: &'static str) -> Backoff {
    Backoff::new(what, INITIAL_BACKOFF, MAX_BACKOFF)
}
