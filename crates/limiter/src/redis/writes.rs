//! Recent writes, shared between the instances that use one Redis.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::ports::SharedWrites;
use uuid::Uuid;

use super::link::RedisLink;

/// How much longer than the lag a key lives: the clocks of two machines run at slightly different rates.
const SLACK: Duration = Duration::from_secs(1);

/// Recent writes in the Redis of a [`RedisLimiter`](super::RedisLimiter). It can be used only while that limiter exists.
pub struct RedisWrites {
    link: Arc<RedisLink>,
    lifetime: Duration,
}

impl RedisWrites {
    /// Keeps each write for as long as a replica in use may lack it.
    pub(super) fn new(link: Arc<RedisLink>, max_lag: Duration) -> Self {
        Self { link, lifetime: max_lag + SLACK }
    }

    fn keys(&self, ids: &[Uuid]) -> Vec<String> {
        ids.iter().map(|id| format!("{}:wrote/{id}", self.link.options.namespace)).collect()
    }
}

impl std::fmt::Debug for RedisWrites {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RedisWrites").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}

#[async_trait]
impl SharedWrites for RedisWrites {
    async fn share(&self, ids: &[Uuid]) {
        // A new hasher has a random seed, so two writes almost never get the same number. 0 means none.
        let number = RandomState::new().hash_one(ids).max(1);
        self.link.set_all(&self.keys(ids), number, self.lifetime).await;
    }

    async fn latest(&self, ids: &[Uuid]) -> Option<Vec<u64>> {
        self.link.get_all(&self.keys(ids)).await
    }
}
