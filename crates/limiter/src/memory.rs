//! Rate-limit counters in memory.

mod pool;
mod shard;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::limits::{Bucket, LimitedBucket, Limiter, Span};

use self::pool::{Key, POOLS};
pub(crate) use self::shard::Change;
use self::shard::Shard;

/// Enough that concurrent requests rarely contend for the same lock.
const SHARDS: usize = 64;

/// The default number of unauthenticated subjects per class that are counted individually. At about 150 bytes each, a class
/// takes at most 10 MB.
pub const MAX_UNAUTHENTICATED_SUBJECTS: usize = 65_536;

/// Counts requests in memory, exactly.
///
/// Counters are sharded, with one lock per shard that is held for one hash-table operation; no lock is shared by all
/// requests. A shard drops expired windows as soon as it sees a newer one.
///
/// Memory is bounded. The number of credentials is bounded by how many were issued. Unauthenticated clients can make up
/// addresses and accounts, so each shard has a capacity per class, split equally between accounts, IPv4 and IPv6. Beyond it,
/// addresses are counted by network, with a separate capacity for each size: IPv4 by /24, then /16; IPv6 by /48, then /32.
/// Beyond that they share one count per shard, class, kind and window. Subjects that share a count may reach the limit early,
/// but every request is counted and no credential is evicted. A flood of IPv6 addresses does not affect IPv4, and a flood in
/// one class does not affect the others.
pub struct MemoryLimiter {
    shards: Box<[CacheAligned]>,
    /// Selects the shard, with a secret key.
    hasher: RandomState,
    /// The capacity for unauthenticated subjects, per class, shard and kind of subject.
    room: usize,
}

/// A shard aligned to its own cache lines, to avoid false sharing.
#[repr(align(64))]
struct CacheAligned(Mutex<Shard>);

/// The count of a bucket in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WindowCount {
    /// The number of requests.
    pub(crate) count: u64,
    /// Whether the bucket has this count to itself: false if the shard is full and unauthenticated subjects share the count.
    pub(crate) is_own: bool,
}

impl MemoryLimiter {
    /// Creates a limiter for about `unauthenticated` subjects per class, in addition to credentials.
    pub fn with_capacity(unauthenticated: usize) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| CacheAligned(Mutex::default())).collect(),
            hasher: RandomState::new(),
            room: unauthenticated.div_ceil(SHARDS * POOLS),
        }
    }

    /// Changes a count, and returns the new one.
    pub(crate) fn change(&self, bucket: Bucket, change: Change, span: Span) -> WindowCount {
        self.nearest_count(
            bucket,
            |shard, key| shard.change(bucket.class, key, change, span, self.room),
            |shard, key| shard.share(bucket.class, key, change, span),
        )
    }

    /// Takes back requests that these buckets counted before another bucket refused them.
    pub(crate) fn take_back(&self, buckets: &[LimitedBucket], requests: u64, span: Span) {
        for LimitedBucket { bucket, .. } in buckets {
            self.change(*bucket, Change::Fewer(requests), span);
        }
    }

    /// The current count.
    pub(crate) fn current(&self, bucket: Bucket, span: Span) -> WindowCount {
        self.nearest_count(
            bucket,
            |shard, key| shard.current(bucket.class, key, span, self.room),
            |shard, key| shard.shared(bucket.class, key, span),
        )
    }

    /// The bucket's own count or, if its table is full, that of the nearest wider network with room; otherwise the shared
    /// count.
    fn nearest_count(
        &self,
        bucket: Bucket,
        for_key: impl Fn(&mut Shard, Key) -> Option<u64>,
        for_all: impl Fn(&mut Shard, Key) -> u64,
    ) -> WindowCount {
        let mut key = Key::of(bucket);
        loop {
            if let Some(count) = for_key(&mut self.shard(&key), key) {
                return WindowCount { count, is_own: !key.is_fallback };
            }
            match key.wider() {
                Some(wider) => key = wider,
                None => return WindowCount { count: for_all(&mut self.shard(&key), key), is_own: false },
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a remainder of 64 fits any integer")]
    fn shard(&self, key: &Key) -> MutexGuard<'_, Shard> {
        let index = (self.hasher.hash_one(key) % SHARDS as u64) as usize;
        // A panicking thread leaves no half-done update in a shard, so its counts stay valid.
        self.shards[index].0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The capacity is [`MAX_UNAUTHENTICATED_SUBJECTS`].
impl Default for MemoryLimiter {
    fn default() -> Self {
        Self::with_capacity(MAX_UNAUTHENTICATED_SUBJECTS)
    }
}

impl fmt::Debug for MemoryLimiter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemoryLimiter").finish_non_exhaustive()
    }
}

#[async_trait]
impl Limiter for MemoryLimiter {
    async fn count(&self, bucket: Bucket, span: Span) -> u64 {
        self.change(bucket, Change::More(1), span).count
    }

    async fn count_many_in_order(&self, buckets: &[LimitedBucket], requests: u64, span: Span) -> Vec<u64> {
        let mut counts = Vec::with_capacity(buckets.len());
        for (index, LimitedBucket { bucket, limit }) in buckets.iter().enumerate() {
            let change = if requests == 1 { Change::More(1) } else { Change::UpTo { requests, limit: *limit } };
            let count = self.change(*bucket, change, span).count;
            counts.push(count);
            if count > *limit {
                if requests > 1 {
                    self.take_back(&buckets[..index], requests, span);
                }
                break;
            }
        }
        counts
    }

    async fn peek(&self, bucket: Bucket, span: Span) -> u64 {
        self.current(bucket, span).count
    }
}
