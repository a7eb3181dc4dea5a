//! Who has just written, for the instances that share a Redis.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::ports::SharedWrites;
use uuid::Uuid;

use super::link::RedisLink;

/// A key outlives the lag by this: clocks of two machines do not run at the same pace.
const SLACK: Duration = Duration::from_secs(1);

/// Writes in the Redis of a [`RedisLimiter`](super::RedisLimiter), for as long as that lives.
pub struct RedisWrites {
    link: Arc<RedisLink>,
    namespace: String,
    lifetime: Duration,
}

impl RedisWrites {
    /// Keeps writes for as long as a replica that is used may lack them.
    pub(super) fn new(link: Arc<RedisLink>, namespace: &str, max_lag: Duration) -> Self {
        Self { link, namespace: namespace.to_owned(), lifetime: max_lag + SLACK }
    }

    fn keys(&self, ids: &[Uuid]) -> Vec<String> {
        ids.iter().map(|id| format!("{}:wrote/{id}", self.namespace)).collect()
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
        // A new hasher is randomly seeded, so two writes hardly ever have the same number. 0 is none.
        let number = RandomState::new().hash_one(ids).max(1);
        self.link.set_all(&self.keys(ids), number, self.lifetime).await;
    }

    async fn latest(&self, ids: &[Uuid]) -> Option<Vec<u64>> {
        self.link.get_all(&self.keys(ids)).await
    }
}
