//! Counts in the memory of this process.

mod shard;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::limits::{Bucket, Limiter, Span};

use self::shard::Shard;

/// Enough that two requests of the same moment seldom want the same lock.
const SHARDS: usize = 64;

/// How many subjects that a stranger can invent have counts of their own in a class at a time, unless told otherwise.
/// At about 150 bytes each, a class takes 10 MB at most.
pub const MAX_UNAUTHENTICATED_SUBJECTS: usize = 65_536;

/// Counts requests in the memory of this process, exactly.
///
/// Counts lie in shards with a lock each, held for one look into a hash table; there is no lock that all requests
/// share. A shard forgets the windows that ended as soon as it sees a newer one.
///
/// Its memory is bounded. Credentials are as many as were issued. Addresses and accounts can be invented by strangers,
/// so a shard has room for so many a class; those that come when it is full share one count a shard, class and window.
/// They may be told early that they are too many, but nobody goes uncounted, no credential is displaced, and a flood in
/// one class takes no room from another.
pub struct MemoryLimiter {
    shards: Box<[CacheAligned]>,
    /// Chooses the shard, by a key that nobody outside knows.
    hasher: RandomState,
    /// For strangers, in one class of one shard.
    room: usize,
}

/// A shard on cache lines of its own, so that neighbours do not slow each other.
#[repr(align(64))]
struct CacheAligned(Mutex<Shard>);

/// What a bucket has had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WindowCount {
    /// So many requests.
    pub(crate) count: u64,
    /// Whether they are all the bucket's: false where the room is full and strangers share a count.
    pub(crate) is_own: bool,
}

impl MemoryLimiter {
    /// With room for [`MAX_UNAUTHENTICATED_SUBJECTS`].
    pub fn new() -> Self {
        Self::with_room(MAX_UNAUTHENTICATED_SUBJECTS)
    }

    /// With room for about `unauthenticated` subjects in a class, beside the credentials.
    pub fn with_room(unauthenticated: usize) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| CacheAligned(Mutex::default())).collect(),
            hasher: RandomState::new(),
            room: unauthenticated.div_ceil(SHARDS),
        }
    }

    /// Counts one more request.
    pub(crate) fn add(&self, bucket: Bucket, span: Span) -> WindowCount {
        self.shard(&bucket).add(bucket, span, self.room)
    }

    /// What was counted so far.
    pub(crate) fn current(&self, bucket: Bucket, span: Span) -> WindowCount {
        self.shard(&bucket).current(bucket, span, self.room)
    }

    #[expect(clippy::cast_possible_truncation, reason = "a remainder of 64 fits any integer")]
    fn shard(&self, bucket: &Bucket) -> MutexGuard<'_, Shard> {
        let index = (self.hasher.hash_one(bucket) % SHARDS as u64) as usize;
        // Nothing in a shard is half done when a thread dies: its counts hold.
        self.shards[index].0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryLimiter {
    fn default() -> Self {
        Self::new()
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
        self.add(bucket, span).count
    }

    async fn peek(&self, bucket: Bucket, span: Span) -> u64 {
        self.current(bucket, span).count
    }
}
