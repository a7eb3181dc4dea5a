//! The last writes of credential holders.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use uuid::Uuid;

/// Maximum number of writers that are remembered.
const MAX_MARKS: usize = 65_536;

/// The last write of each credential holder, as long as a replica may not have it yet.
pub(super) struct Marks {
    marks: Mutex<Last>,
    /// The maximum lag of a replica in use.
    max_lag: Duration,
}

#[derive(Default)]
struct Last {
    writes: HashMap<Uuid, Write>,
    /// Every holder counts as having written at this time.
    everybody: Option<Instant>,
}

#[derive(Clone, Copy)]
struct Write {
    at: Instant,
    /// The number of the last write that an instance shared, as far as it was looked up.
    shared: u64,
}

impl Marks {
    pub(super) fn new(max_lag: Duration) -> Self {
        Self { marks: Mutex::default(), max_lag }
    }

    /// `at` must not be before the commit.
    pub(super) fn record(&self, id: Uuid, at: Instant) {
        let mut last = self.lock();
        let write = last.write_of(id, at, self.max_lag);
        write.at = at.max(write.at);
    }

    /// Records the shared number that was read at `at`: a number not seen before is a write.
    pub(super) fn record_shared(&self, id: Uuid, number: u64, at: Instant) {
        let mut last = self.lock();
        if number == 0 || last.writes.get(&id).is_some_and(|write| write.shared == number) {
            return;
        }
        let write = last.write_of(id, at, self.max_lag);
        *write = Write { at: at.max(write.at), shared: number };
    }

    /// The time of the last write of any of them, if a replica may not have it yet.
    pub(super) fn last_of(&self, ids: &[Uuid]) -> Option<Instant> {
        let last = self.lock();
        ids.iter().filter_map(|id| Some(last.writes.get(id)?.at)).chain(last.everybody).max()
    }

    fn lock(&self) -> MutexGuard<'_, Last> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Last {
    /// The write of an id; adds it if absent, and makes room first.
    fn write_of(&mut self, id: Uuid, at: Instant, max_lag: Duration) -> &mut Write {
        if self.writes.len() >= MAX_MARKS && !self.writes.contains_key(&id) {
            self.writes.retain(|_, write| at.saturating_duration_since(write.at) <= max_lag);
            // Only half is kept, so that not every write has to make room.
            if self.writes.len() > MAX_MARKS / 2 {
                let forgotten = std::mem::take(&mut self.writes);
                self.everybody = forgotten.into_values().map(|write| write.at).chain(self.everybody).max();
            }
        }
        self.writes.entry(id).or_insert(Write { at, shared: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAG: Duration = Duration::from_secs(5);

    fn id(number: usize) -> Uuid {
        Uuid::from_u128(number as u128)
    }

    #[test]
    fn the_last_write_of_any_of_them_counts() {
        let (marks, start) = (Marks::new(LAG), Instant::now());
        assert_eq!(marks.last_of(&[id(1)]), None);
        marks.record(id(1), start + LAG);
        marks.record(id(2), start);
        marks.record(id(1), start);
        assert_eq!(marks.last_of(&[id(1)]), Some(start + LAG), "recording an earlier write late changes nothing");
        assert_eq!(marks.last_of(&[id(2)]), Some(start));
        assert_eq!(marks.last_of(&[id(2), id(1), id(3)]), Some(start + LAG));
        assert_eq!(marks.last_of(&[id(3)]), None);
    }

    #[test]
    fn a_write_on_another_instance_counts_once() {
        let (marks, start) = (Marks::new(LAG), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        marks.record_shared(id(1), 0, at(0));
        assert_eq!(marks.last_of(&[id(1)]), None);
        for (number, seconds, expected) in [(7, 1, 1), (7, 2, 1), (8, 3, 3), (8, 4, 3), (0, 5, 3), (7, 6, 6)] {
            marks.record_shared(id(1), number, at(seconds));
            assert_eq!(marks.last_of(&[id(1)]), Some(at(expected)), "{number} at {seconds}");
        }
        marks.record(id(1), at(9));
        marks.record_shared(id(1), 7, at(10));
        assert_eq!(marks.last_of(&[id(1)]), Some(at(9)));
    }

    #[test]
    fn old_writes_are_forgotten_when_there_is_no_room() {
        let (marks, start) = (Marks::new(LAG), Instant::now());
        (0..MAX_MARKS).for_each(|number| marks.record(id(number), start));
        let later = start + LAG + Duration::from_millis(1);
        marks.record(id(MAX_MARKS), later);
        assert_eq!((marks.last_of(&[id(0)]), marks.last_of(&[id(MAX_MARKS)])), (None, Some(later)));
    }

    /// Writes may be recorded in another order than they ended.
    #[test]
    fn every_holder_counts_as_having_written_as_late_as_any_forgotten_one() {
        let (marks, start) = (Marks::new(LAG), Instant::now());
        let last = start + Duration::from_micros(7);
        marks.record(id(0), last);
        (1..=MAX_MARKS).for_each(|number| marks.record(id(number), start));
        assert_eq!((marks.last_of(&[id(0)]), marks.last_of(&[id(1)])), (Some(last), Some(last)));
    }

    #[test]
    fn every_holder_counts_as_a_writer_if_too_many_write() {
        let (marks, start) = (Marks::new(LAG), Instant::now());
        (0..=MAX_MARKS).for_each(|number| marks.record(id(number), start));
        for number in [0, 7, MAX_MARKS, MAX_MARKS + 1] {
            assert_eq!(marks.last_of(&[id(number)]), Some(start), "{number}");
        }
        assert!(marks.marks.lock().unwrap().writes.len() < MAX_MARKS);
    }
}
