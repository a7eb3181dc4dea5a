//! Slows down callers that are refused again and again.
//!
//! A refusal costs the client nothing, so it can ask again at once: twenty connections of one key took both cores of a
//! machine with 50,000 refusals a second. With a pause, a connection gets ten a second.

use std::time::{Duration, Instant};

use actix_web::rt::time::sleep;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::per_second::PerSecond;

/// Refusals per second that are answered at once: clients that heed `Retry-After` cause few.
const IMMEDIATE_PER_SECOND: u32 = 200;
/// How long each further refusal waits.
const PAUSE: Duration = Duration::from_millis(100);
/// Maximum number that wait at a time, a few kilobytes each; the rest are answered at once.
const MAX_WAITING: usize = 1_024;

/// The process's refusals in the current second.
#[derive(Debug)]
pub(crate) struct RefusalPace {
    started: Instant,
    second: PerSecond,
    waiting: Semaphore,
}

impl Default for RefusalPace {
    fn default() -> Self {
        Self { started: Instant::now(), second: PerSecond::default(), waiting: Semaphore::new(MAX_WAITING) }
    }
}

impl RefusalPace {
    /// Waits before a refusal if there were many in this second. Call it after the request has released its resources.
    pub(crate) async fn pause(&self) {
        if let Some(_slot) = self.waiting_slot(self.started.elapsed()) {
            sleep(PAUSE).await;
        }
    }

    /// `None` if the refusal is answered at once.
    fn waiting_slot(&self, now: Duration) -> Option<SemaphorePermit<'_>> {
        let (count, _) = self.second.count(now);
        if count <= IMMEDIATE_PER_SECOND { None } else { self.waiting.try_acquire().ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limited_number_of_refusals_per_second_is_answered_at_once() {
        let pace = RefusalPace::default();
        let immediate = |now| (0..1_000).filter(|_| pace.waiting_slot(Duration::from_millis(now)).is_none()).count();
        assert_eq!((immediate(5_000), immediate(5_999), immediate(6_000)), (200, 0, 200));
    }

    #[test]
    fn the_number_of_waiting_refusals_is_limited() {
        let pace = RefusalPace::default();
        let slots: Vec<_> = (0..2_000).filter_map(|_| pace.waiting_slot(Duration::ZERO)).collect();
        assert_eq!(slots.len(), MAX_WAITING);
        drop(slots);
        assert!(pace.waiting_slot(Duration::ZERO).is_some());
    }
}
