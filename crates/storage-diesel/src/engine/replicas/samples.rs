//! Up to when a replica has everything.

use std::collections::VecDeque;
use std::time::Instant;

/// How many samples wait for the replica; then every second one is dropped.
const MAX_SAMPLES: usize = 256;

/// A position in the write-ahead log.
pub(super) type Position = i64;

/// Positions of the primary at moments. Whoever has replayed the log up to a position has what was committed before its moment.
#[derive(Debug, Default)]
pub(super) struct Samples {
    waiting: VecDeque<(Instant, Position)>,
    replayed: Position,
    complete_upto: Option<Instant>,
}

impl Samples {
    /// `at` must not be after the primary was asked.
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

    /// Up to when the replica, which has replayed the log up to `position`, has everything; `None` if that is not known.
    pub(super) fn replayed(&mut self, position: Position) -> Option<Instant> {
        if position < self.replayed {
            // Another server, or the same one restored.
            self.complete_upto = None;
        }
        self.replayed = position;
        while let Some((at, _)) = self.waiting.pop_front_if(|(_, wanted)| *wanted <= position) {
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
    fn a_replica_has_what_was_committed_before_the_last_position_that_it_has_reached() {
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
    fn one_that_went_back_has_nothing_for_sure() {
        let (mut samples, start) = (Samples::default(), Instant::now());
        samples.add(at(start, 1), 100);
        assert_eq!(samples.replayed(100), Some(at(start, 1)));
        assert_eq!(samples.replayed(90), None);
        assert_eq!(samples.replayed(100), None, "it waits for the next sample");
        samples.add(at(start, 2), 100);
        assert_eq!(samples.replayed(100), Some(at(start, 2)));
    }

    #[test]
    fn one_that_is_far_behind_costs_no_more_memory() {
        let (mut samples, start) = (Samples::default(), Instant::now());
        (1..10_000_u32).for_each(|number| samples.add(at(start, number.into()), number.into()));
        assert!(samples.waiting.len() <= MAX_SAMPLES);
        assert_eq!(samples.replayed(9_999), Some(at(start, 9_999)));
    }
}
