//! The counters behind one lock.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use domain::limits::{Class, RateLimitSubject, Span};

use super::pool::{Key, POOLS};

/// A request that is further behind the newest window means that the clock was set back. Requests that race at the end of a
/// window are milliseconds apart, and small clock corrections are seconds.
const STEP_BACK_SECONDS: i64 = 120;

/// What happens to a count.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    More(u64),
    /// Adds requests, unless they would exceed the limit.
    UpTo {
        requests: u64,
        limit: u64,
    },
    /// Takes back requests that were counted and then refused.
    Fewer(u64),
}

impl Change {
    /// Returns the new count, or the one that would have exceeded the limit.
    fn apply(self, count: &mut u64) -> u64 {
        let changed = match self {
            Self::More(requests) | Self::UpTo { requests, .. } => *count + requests,
            Self::Fewer(requests) => count.saturating_sub(requests),
        };
        if !matches!(self, Self::UpTo { limit, .. } if changed > limit) {
            *count = changed;
        }
        changed
    }
}

#[derive(Debug)]
pub(super) struct Shard {
    /// The latest start of a counted window: a lower bound of the current time.
    newest: i64,
    /// A handful of classes: a linear search is cheaper than hashing.
    classes: Vec<(Class, Counts)>,
}

impl Default for Shard {
    fn default() -> Self {
        Self { newest: i64::MIN, classes: Vec::new() }
    }
}

impl Shard {
    /// Changes the count if the key already has one or there is room for another; `room` is the capacity of each kind of
    /// unauthenticated subject.
    pub(super) fn change(&mut self, class: Class, key: Key, change: Change, span: Span, room: usize) -> Option<u64> {
        self.counts(class, span).change(key, change, span, room)
    }

    /// Changes the shared count, for buckets that found no room.
    pub(super) fn share(&mut self, class: Class, key: Key, change: Change, span: Span) -> u64 {
        change.apply(self.counts(class, span).shared.entry((key.pool(), span)).or_default())
    }

    /// The count that [`Shard::change`] would change; `None` if the key has no count and there is no room.
    pub(super) fn current(&self, class: Class, key: Key, span: Span, room: usize) -> Option<u64> {
        let counts = self.classes.iter().find(|(counted, _)| *counted == class);
        counts.map_or(Some(0), |(_, counts)| counts.current(key, span, room))
    }

    /// The count that [`Shard::share`] would change.
    pub(super) fn shared(&self, class: Class, key: Key, span: Span) -> u64 {
        let counts = self.classes.iter().find(|(counted, _)| *counted == class);
        counts.and_then(|(_, counts)| counts.shared.get(&(key.pool(), span))).copied().unwrap_or_default()
    }

    fn counts(&mut self, class: Class, span: Span) -> &mut Counts {
        self.drop_expired(span);
        let index = self.classes.iter().position(|(counted, _)| *counted == class).unwrap_or_else(|| {
            self.classes.push((class, Counts::default()));
            self.classes.len() - 1
        });
        &mut self.classes[index].1
    }

    /// Drops expired windows whenever a newer one begins.
    fn drop_expired(&mut self, span: Span) {
        if span.start > self.newest {
            self.newest = span.start;
            // A long window is kept while short ones begin and end within it.
            self.retain(|kept| kept.end > span.start);
        } else if self.newest.saturating_sub(span.end) > STEP_BACK_SECONDS {
            // The clock was set back. Without a reset, windows ahead of it would stay until it catches up, and those
            // that end before then would never be dropped.
            self.newest = span.start;
            self.retain(|kept| kept.start < span.end && kept.end > span.start);
        }
        // A window that has just ended, or a small clock correction: it is counted alongside the others.
    }

    fn retain(&mut self, keep: impl Fn(&Span) -> bool) {
        for (_, counts) in &mut self.classes {
            counts.retain(&keep);
        }
    }

    /// The number of counts.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        let lengths = |counts: &Counts| {
            let unauthenticated: usize = counts.unauthenticated.iter().map(HashMap::len).sum();
            counts.credentials.len() + unauthenticated + counts.shared.len()
        };
        self.classes.iter().map(|(_, counts)| lengths(counts)).sum()
    }
}

/// The counts of one class.
#[derive(Debug, Default)]
struct Counts {
    /// Bounded by the number issued, and separate so that unauthenticated subjects cannot displace them.
    credentials: HashMap<(RateLimitSubject, Span), u64>,
    /// By kind, each bounded by the capacity.
    unauthenticated: [HashMap<(Key, Span), u64>; POOLS],
    /// By kind: the shared count of keys without room.
    shared: HashMap<(Option<usize>, Span), u64>,
}

impl Counts {
    fn change(&mut self, key: Key, change: Change, span: Span, room: usize) -> Option<u64> {
        let Some(pool) = key.pool() else {
            return Some(change.apply(self.credentials.entry((key.subject, span)).or_default()));
        };
        let counts = &mut self.unauthenticated[pool];
        let is_full = counts.len() >= room;
        match counts.entry((key, span)) {
            Entry::Occupied(mut known) => Some(change.apply(known.get_mut())),
            Entry::Vacant(new) if !is_full => Some(change.apply(new.insert(0))),
            Entry::Vacant(_) => None,
        }
    }

    fn current(&self, key: Key, span: Span, room: usize) -> Option<u64> {
        let Some(pool) = key.pool() else {
            return Some(self.credentials.get(&(key.subject, span)).copied().unwrap_or_default());
        };
        let counts = &self.unauthenticated[pool];
        counts.get(&(key, span)).copied().or_else(|| (counts.len() < room).then_some(0))
    }

    fn retain(&mut self, keep: impl Fn(&Span) -> bool) {
        self.credentials.retain(|(_, span), _| keep(span));
        for counts in &mut self.unauthenticated {
            counts.retain(|(_, span), _| keep(span));
        }
        self.shared.retain(|(_, span), _| keep(span));
    }
}
