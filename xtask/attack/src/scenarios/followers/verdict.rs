//! Compares what followers saw with the log.

use std::collections::{HashMap, HashSet};

use super::follower::Arrival;

/// How the events that one follower saw differ from the log.
#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
pub(super) struct Verdict {
    /// Events of the log that did not arrive.
    pub(super) gaps: usize,
    /// Events that arrived again.
    pub(super) repetitions: usize,
    /// Events that arrived and are not in the log.
    pub(super) unknown: usize,
    /// Events that arrived before, or without, an earlier version of their record.
    pub(super) out_of_order: usize,
    /// Whether the order differs from the log's.
    pub(super) differs: bool,
}

impl Verdict {
    pub(super) fn of(log: &[Arrival], arrivals: &[Arrival]) -> Self {
        let logged: HashSet<_> = log.iter().map(|event| event.id).collect();
        let arrived: HashSet<_> = arrivals.iter().map(|event| event.id).collect();
        Self {
            gaps: logged.difference(&arrived).count(),
            repetitions: arrivals.len() - arrived.len(),
            unknown: arrived.difference(&logged).count(),
            out_of_order: out_of_order(arrivals),
            differs: log != arrivals,
        }
    }
}

/// A record's first event has version 1. Each later one has the same version as its predecessor, or the next.
pub(super) fn out_of_order(events: &[Arrival]) -> usize {
    let mut versions = HashMap::new();
    let is_wrong = |event: &&Arrival| {
        let before = versions.insert(event.record, event.version).unwrap_or(0);
        before == 0 && event.version != 1 || ![before, before + 1].contains(&event.version)
    };
    events.iter().filter(is_wrong).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: u128, version: i64) -> Arrival {
        Arrival { id, record: 7, version }
    }

    #[test]
    fn every_kind_of_fault_is_found() {
        let log = [event(1, 1), event(2, 1), event(3, 2)];
        assert_eq!(Verdict::of(&log, &log), Verdict::default());
        let gap = Verdict::of(&log, &log[..2]);
        assert_eq!(gap, Verdict { gaps: 1, differs: true, ..Verdict::default() });
        let again = Verdict::of(&log, &[log[0], log[1], log[1], log[2]]);
        assert_eq!(again, Verdict { repetitions: 1, differs: true, ..Verdict::default() });
        let swapped = Verdict::of(&log, &[log[0], log[2], log[1]]);
        assert_eq!(swapped, Verdict { out_of_order: 1, differs: true, ..Verdict::default() });
        let unknown = Verdict::of(&log[..2], &log);
        assert_eq!(unknown, Verdict { unknown: 1, differs: true, ..Verdict::default() });
    }

    #[test]
    fn a_missing_version_is_found() {
        assert_eq!(out_of_order(&[event(1, 1), event(2, 3)]), 1);
        assert_eq!(out_of_order(&[event(1, 2)]), 1);
    }
}
