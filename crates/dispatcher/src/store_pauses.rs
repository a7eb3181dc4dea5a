//! Backoff after failed store calls.

use std::time::Duration;

use background::Backoff;

const INITIAL_BACKOFF: Duration = Duration::from_millis(50);
const MAX_BACKOFF: Duration = Duration::from_secs(5);

/// `what` names the store call in logs.
pub(crate) fn store_backoff(what: &'static str) -> Backoff {
    Backoff::new(what, INITIAL_BACKOFF, MAX_BACKOFF)
}
