//! The counters behind one lock.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use domain::limits::{Bucket, Class, RateLimitSubject, Span};

use super::WindowCount;

/// How far behind the newest window a request may be before the clock counts as set back: requests that race at the end
/// of a window are milliseconds apart, and small clock corrections are seconds.
const STEP_BACK_SECONDS: i64 = 120;

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
    /// Counts one request; `room` is the capacity for unauthenticated subjects per class.
    pub(super) fn add(&mut self, bucket: Bucket, span: Span, room: usize) -> WindowCount {
        self.follow(span);
        let index = self.classes.iter().position(|(class, _)| *class == bucket.class).unwrap_or_else(|| {
            self.classes.push((bucket.class, Counts::default()));
            self.classes.len() - 1
        });
        self.classes[index].1.add(bucket.subject, span, room)
    }

    /// The count that [`Shard::add`] has reached.
    pub(super) fn current(&self, bucket: Bucket, span: Span, room: usize) -> WindowCount {
        let counts = self.classes.iter().find(|(class, _)| *class == bucket.class);
        counts.map_or(WindowCount { count: 0, is_own: true }, |(_, counts)| counts.current(bucket.subject, span, room))
    }

    /// Drops expired windows, once for every window that begins.
    fn follow(&mut self, span: Span) {
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
        // A window that has just ended, or a small clock correction: counted in addition to the others.
    }

    fn retain(&mut self, keep: impl Fn(&Span) -> bool) {
        for (_, counts) in &mut self.classes {
            counts.retain(&keep);
        }
    }

    /// The number of counts.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        let lengths = |counts: &Counts| counts.credentials.len() + counts.unauthenticated.len() + counts.overflow.len();
        self.classes.iter().map(|(_, counts)| lengths(counts)).sum()
    }
}

/// The counts of one class.
#[derive(Debug, Default)]
struct Counts {
    /// Bounded by the number issued, and separate so that unauthenticated subjects cannot displace them.
    credentials: HashMap<(RateLimitSubject, Span), u64>,
    /// Bounded by the capacity.
    unauthenticated: HashMap<(RateLimitSubject, Span), u64>,
    /// The shared count per window of unauthenticated subjects beyond the capacity.
    overflow: HashMap<Span, u64>,
}

impl Counts {
    fn add(&mut self, subject: RateLimitSubject, span: Span, room: usize) -> WindowCount {
        if is_credential(subject) {
            return WindowCount { count: one_more(self.credentials.entry((subject, span)).or_default()), is_own: true };
        }
        let is_full = self.unauthenticated.len() >= room;
        match self.unauthenticated.entry((subject, span)) {
            Entry::Occupied(mut known) => WindowCount { count: one_more(known.get_mut()), is_own: true },
            Entry::Vacant(new) if !is_full => WindowCount { count: one_more(new.insert(0)), is_own: true },
            Entry::Vacant(_) => WindowCount { count: one_more(self.overflow.entry(span).or_default()), is_own: false },
        }
    }

    fn current(&self, subject: RateLimitSubject, span: Span, room: usize) -> WindowCount {
        let counts = if is_credential(subject) { &self.credentials } else { &self.unauthenticated };
        match counts.get(&(subject, span)) {
            Some(count) => WindowCount { count: *count, is_own: true },
            None if is_credential(subject) || self.unauthenticated.len() < room => {
                WindowCount { count: 0, is_own: true }
            }
            None => WindowCount { count: self.overflow.get(&span).copied().unwrap_or_default(), is_own: false },
        }
    }

    fn retain(&mut self, keep: impl Fn(&Span) -> bool) {
        self.credentials.retain(|(_, span), _| keep(span));
        self.unauthenticated.retain(|(_, span), _| keep(span));
        self.overflow.retain(|span, _| keep(span));
    }
}

/// Whether the subject is a credential or its workspace, which cannot be invented.
fn is_credential(subject: RateLimitSubject) -> bool {
    match subject {
        RateLimitSubject::Credential(_) | RateLimitSubject::Workspace(_) => true,
        RateLimitSubject::Address(_)
        | RateLimitSubject::WorkspaceAddress(..)
        | RateLimitSubject::AccountFrom(..)
        | RateLimitSubject::Account(_) => false,
    }
}

fn one_more(count: &mut u64) -> u64 {
    *count += 1;
    *count
}
