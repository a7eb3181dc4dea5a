//! Determines up to when a replica has everything.

use std::collections::VecDeque;
use std::time::Instant;

/// Maximum number of samples that the replica has not reached; above it, every second one is dropped.
const MAX_SAMPLES: usize = 256;

/// A position in the write-ahead log.
pub(super) type Position = i64;

/// Log positions of the primary with their times. A replica that has replayed the log up to a position has everything committed
/// before its time.
#[derive(Debug, Default)]
pub(super) struct Samples {
    waiting: VecDeque<(Instant, Position)>,
    replayed: Position,
    complete_upto: Option<Instant>,
}

impl Samples {
    /// `at` must not be after the time when the primary was polled.
    pub(super) fn add(&mut self, at: Instant, position: Position) {
        if self.waiting.len() >= MAX_SAMPLES {
            let mut keeps = false;
            self.waiting.retain(|_| {
                keeps = !keeps;
                keeps
            });
        }
        self.waiting.push_back((at, position));
    }

    /// Up to when a replica that has replayed the log up to `position` has everything; `None` if unknown.
    pub(super) fn replayed(&mut self, position: Position) -> Option<Instant> {
        if position < self.replayed {
            // Another server, or the same server restored.
            self.complete_upto = None;
        }
        self.replayed = position;
        while let Some((at, _)) = self.waiting.pop_front_if(|(_, target)| *target <= position) {
            self.complete_upto = Some(at);
        }
        self.complete_upto
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn a_replica_has_everything_committed_before_its_last_reached_position() {
        let (mut samples, start) = (Samples::default(), Instant::now());
        samples.add(at(start, 1), 100);
        assert_eq!(samples.replayed(99), None);
        assert_eq!(samples.replayed(100), Some(at(start, 1)));
        samples.add(at(start, 2), 200);
        samples.add(at(start, 3), 300);
        samples.add(at(start, 4), 300);
        assert_eq!(samples.replayed(250), Some(at(start, 2)));
        assert_eq!(samples.replayed(250), Some(at(start, 2)), "a paused replica stays where it is");
        assert_eq!(samples.replayed(301), Some(at(start, 4)));
    }

    #[test]
    fn nothing_is_known_of_a_replica_that_went_back() {
        let (mut samples, start) = (Samples::default(), Instant::now());
        samples.add(at(start, 1), 100);
        assert_eq!(samples.replayed(100), Some(at(start, 1)));
        assert_eq!(samples.replayed(90), None);
        assert_eq!(samples.replayed(100), None, "it waits for the next sample");
        samples.add(at(start, 2), 100);
        assert_eq!(samples.replayed(100), Some(at(start, 2)));
    }

    #[test]
    fn memory_is_bounded_for_a_replica_that_is_far_behind() {
        let (mut samples, start) = (Samples::default(), Instant::now());
        (1..10_000_u32).for_each(|number| samples.add(at(start, number.into()), number.into()));
        assert!(samples.waiting.len() <= MAX_SAMPLES);
        assert_eq!(samples.replayed(9_999), Some(at(start, 9_999)));
    }
}
