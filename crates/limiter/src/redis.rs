//! Rate-limit counters in Redis, shared by several instances.

mod keys;
mod link;
mod writes;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::limits::{Bucket, LimitedBucket, Limiter, Span};
use tokio::task::AbortHandle;

use self::link::RedisLink;
pub use self::writes::RedisWrites;
use crate::error::{LimiterError, RedisCheckError};
use crate::memory::{Change, MAX_UNAUTHENTICATED_SUBJECTS, MemoryLimiter, WindowCount};
use crate::metrics;

/// The timeout of a check, which is in no hurry.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// Options for the use of Redis.
#[derive(Debug, Clone)]
pub struct RedisOptions {
    /// The prefix of every key: two services on one Redis need different ones.
    pub namespace: String,
    /// How long a request waits for a count. The first timeout makes the limiter count locally until Redis recovers.
    pub response_timeout: Duration,
    /// The timeout of a connection attempt, including the first one.
    pub connect_timeout: Duration,
    /// The longest pause between reconnection attempts.
    pub max_backoff: Duration,
    /// How often an instance says that it lives. One that was not heard of three times counts no longer.
    pub heartbeat: Duration,
    /// The capacity of the local counter: see [`MemoryLimiter::with_room`].
    pub unauthenticated: usize,
}

impl Default for RedisOptions {
    fn default() -> Self {
        Self {
            namespace: "limit".to_owned(),
            response_timeout: Duration::from_millis(100),
            connect_timeout: Duration::from_secs(1),
            max_backoff: Duration::from_millis(500),
            heartbeat: Duration::from_secs(5),
            unauthenticated: MAX_UNAUTHENTICATED_SUBJECTS,
        }
    }
}

/// Counts requests in Redis, together with all instances that share it, in one round trip each.
///
/// It counts in memory too and returns the greater count. If Redis does not respond, this request and all further ones
/// use the memory count, without waiting, until a background task has reconnected. The outage logs one warning, the
/// reconnection one line. Meanwhile each instance admits its share of every limit: it counts a request as many times as there
/// were instances when Redis was last heard of. All together they admit about the limit if requests come to them evenly, and less
/// otherwise. An instance that has started since knows of no other, and admits the whole limit.
///
/// Exact under parallel calls while Redis is available: every number of a window is returned once among all instances.
/// After an outage within the window, the instances' own counts bound what Redis has missed.
pub struct RedisLimiter {
    link: Arc<RedisLink>,
    /// Counts all requests that were answered, with or without Redis.
    own: MemoryLimiter,
    tasks: [AbortHandle; 2],
}

impl RedisLimiter {
    /// Connects with the default options: see [`RedisLimiter::connect_with`].
    pub async fn connect(url: &str) -> Result<Self, LimiterError> {
        Self::connect_with(url, RedisOptions::default()).await
    }

    /// Connects. Fails only for an invalid address: if Redis is unreachable it warns and starts with local counts.
    ///
    /// The connection and the task that renews it live on the Tokio runtime of this call. It must have time and I/O
    /// enabled, run as long as the limiter is used, and have a thread that requests do not keep busy: a multi-threaded
    /// one, or the main thread of an actix system. Requests may come from any Tokio runtime with time enabled, such as
    /// those of actix' workers. The task ends with the limiter.
    pub async fn connect_with(url: &str, options: RedisOptions) -> Result<Self, LimiterError> {
        let own = MemoryLimiter::with_room(options.unauthenticated);
        let link = Arc::new(RedisLink::new(url, options)?);
        link.connect_once().await;
        let reconnect = tokio::spawn(link::run_reconnect(Arc::clone(&link))).abort_handle();
        let heartbeat = tokio::spawn(link::run_heartbeat(Arc::clone(&link))).abort_handle();
        Ok(Self { link, own, tasks: [reconnect, heartbeat] })
    }

    /// Connects to the Redis at an address and asks for a reply.
    ///
    /// # Errors
    /// [`RedisCheckError`], without the password.
    pub async fn check(url: &str) -> Result<(), RedisCheckError> {
        let (response_timeout, connect_timeout) = (CHECK_TIMEOUT, CHECK_TIMEOUT);
        let link = RedisLink::new(url, RedisOptions { response_timeout, connect_timeout, ..RedisOptions::default() })?;
        link.ping().await.map_err(|error| RedisCheckError::Unavailable(error.to_string()))
    }

    /// Tells instances on the same Redis who has just written; no replica that is used is further behind than `max_lag`.
    pub fn shared_writes(&self, max_lag: Duration) -> RedisWrites {
        RedisWrites::new(Arc::clone(&self.link), self.link.namespace(), max_lag)
    }

    /// Whether requests are currently counted together with other instances.
    pub fn is_shared(&self) -> bool {
        self.link.is_up()
    }

    /// How many instances shared Redis when it was last heard of, this one included.
    pub fn instances(&self) -> u64 {
        self.link.instances()
    }

    /// What this instance has counted, taken for its share of what all have.
    fn estimated(&self, own: u64) -> u64 {
        own.saturating_mul(self.link.instances())
    }
}

impl Drop for RedisLimiter {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

/// Omits the address.
impl fmt::Debug for RedisLimiter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RedisLimiter").field("is_shared", &self.is_shared()).finish_non_exhaustive()
    }
}

impl RedisLimiter {
    /// Counts requests locally and returns the new count, after Redis has counted them or failed to. `before` is the local
    /// count from before Redis was asked.
    ///
    /// The local counter adds a request when it is answered, not when it begins. So it never exceeds Redis' count
    /// because of requests in flight, unless Redis lost counts; concurrent requests get different numbers.
    fn settle(&self, bucket: Bucket, requests: u64, span: Span, before: WindowCount, shared: Option<u64>) -> u64 {
        let own = self.own.change(bucket, Change::More(requests), span);
        match shared {
            Some(count) if count >= before.count.saturating_add(requests) => count,
            // Redis is behind: it lost its counts or missed some in an outage. A shared local count does not show that.
            Some(count) if !own.is_own => count,
            Some(_) => own.count,
            None => {
                metrics::fell_back();
                self.estimated(own.count)
            }
        }
    }
}

#[async_trait]
impl Limiter for RedisLimiter {
    async fn count(&self, bucket: Bucket, span: Span) -> u64 {
        let before = self.own.current(bucket, span);
        let shared = self.link.count(bucket, span).await;
        self.settle(bucket, 1, span, before, shared)
    }

    async fn count_many_in_order(&self, buckets: &[LimitedBucket], requests: u64, span: Span) -> Vec<u64> {
        let before: Vec<_> = buckets.iter().map(|limited| self.own.current(limited.bucket, span)).collect();
        let shared = self.link.count_in_order(buckets, requests, span).await;
        let is_shared = shared.is_some();
        let mut shared = shared.unwrap_or_default().into_iter();
        let mut counts = Vec::with_capacity(buckets.len());
        for (place, (LimitedBucket { bucket, limit }, before)) in buckets.iter().zip(before).enumerate() {
            let count = shared.next();
            if is_shared && count.is_none() {
                break;
            }
            let count = self.settle(*bucket, requests, span, before, count);
            counts.push(count);
            if count > *limit {
                if requests > 1 {
                    self.own.take_back(&buckets[..=place], requests, span);
                }
                break;
            }
        }
        counts
    }

    async fn peek(&self, bucket: Bucket, span: Span) -> u64 {
        let shared = self.link.peek(bucket, span).await;
        let own = self.own.current(bucket, span);
        match shared {
            Some(count) if !own.is_own => count,
            Some(count) => count.max(own.count),
            None => self.estimated(own.count),
        }
    }
}
