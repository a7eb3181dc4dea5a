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
use crate::memory::{Change, MAX_UNAUTHENTICATED_SUBJECTS, MemoryLimiter, WindowCount};
use crate::metrics;

/// The timeout of [`RedisLimiter::check`], which no request waits for.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a limiter cannot be created. No message repeats the address of Redis: it may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimiterError {
    /// The address is invalid.
    #[error(
        "the address of Redis is invalid (it is not shown, because it may contain a password): it must look like \
         redis://[user:password@]host[:port][/database], with rediss:// for TLS, or unix:///path; in a user or password, \
         write all characters other than letters, digits and -._~ as %XX"
    )]
    Address,
    /// TLS without certificate validation was requested.
    #[error("the address of Redis ends in #insecure, which would accept any certificate: remove it, or use redis://")]
    Insecure,
}

/// Why the Redis at an address cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedisCheckError {
    #[error(transparent)]
    Address(#[from] LimiterError),
    /// The error message of the connection or the server.
    #[error("Redis is unavailable: {0}")]
    Unavailable(String),
}

/// How to use Redis.
#[derive(Debug, Clone)]
pub struct RedisOptions {
    /// The prefix of every key. Two services that use one Redis need different prefixes.
    pub namespace: String,
    /// How long a request waits for a count. The first timeout makes the limiter count locally until Redis recovers.
    pub response_timeout: Duration,
    /// The timeout of a connection attempt, including the first one.
    pub connect_timeout: Duration,
    /// The longest pause between reconnection attempts.
    pub max_backoff: Duration,
    /// How often an instance reports that it is alive. An instance that misses three reports is no longer counted.
    pub heartbeat: Duration,
    /// The capacity of the local counter: see [`MemoryLimiter::with_capacity`].
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
/// It also counts in memory and returns the greater of the two counts. If Redis does not respond, this request and all later
/// ones use the count in memory, without waiting, until a background task has reconnected. An outage logs one warning, and the
/// reconnection one line. During an outage each instance admits its share of every limit: it multiplies its count by the number
/// of instances that were alive when Redis last responded. If requests are spread evenly, the instances together admit about
/// the limit, and otherwise less. An instance that starts during the outage does not know the others and admits the whole limit.
///
/// Counts are exact under concurrent calls while Redis is available: each number of a window is returned once across all
/// instances. After an outage within a window, the instances' own counts make up for what Redis has missed.
pub struct RedisLimiter {
    link: Arc<RedisLink>,
    /// Counts all requests that got a count, with or without Redis.
    own: MemoryLimiter,
    tasks: [AbortHandle; 2],
}

impl RedisLimiter {
    /// Connects with the default options: see [`RedisLimiter::connect_with`].
    pub async fn connect(url: &str) -> Result<Self, LimiterError> {
        Self::connect_with(url, RedisOptions::default()).await
    }

    /// Connects. Fails only for an invalid address: if Redis is unreachable, it logs a warning and starts with local counts.
    ///
    /// The connection and the task that renews it run on the Tokio runtime of the caller. That runtime needs time and I/O enabled,
    /// must outlive the limiter, and needs a thread that requests do not keep busy: use a multi-threaded runtime, or the main
    /// thread of an actix system. Requests may come from any Tokio runtime with time enabled, such as those of actix workers. The
    /// task ends when the limiter is dropped.
    pub async fn connect_with(url: &str, options: RedisOptions) -> Result<Self, LimiterError> {
        let own = MemoryLimiter::with_capacity(options.unauthenticated);
        let link = Arc::new(RedisLink::new(url, options)?);
        link.connect_once().await;
        let reconnect = tokio::spawn(link::run_reconnect(Arc::clone(&link))).abort_handle();
        let heartbeat = tokio::spawn(link::run_heartbeat(Arc::clone(&link))).abort_handle();
        Ok(Self { link, own, tasks: [reconnect, heartbeat] })
    }

    /// Connects to the Redis at an address and asks for a reply.
    ///
    /// # Errors
    /// [`RedisCheckError`], whose message never contains the password.
    pub async fn check(url: &str) -> Result<(), RedisCheckError> {
        let (response_timeout, connect_timeout) = (CHECK_TIMEOUT, CHECK_TIMEOUT);
        let link = RedisLink::new(url, RedisOptions { response_timeout, connect_timeout, ..RedisOptions::default() })?;
        link.ping().await.map(drop).map_err(|error| RedisCheckError::Unavailable(error.to_string()))
    }

    /// Tells the instances on this Redis about recent writes. `max_lag` is how far behind a replica may be and still be used.
    pub fn shared_writes(&self, max_lag: Duration) -> RedisWrites {
        RedisWrites::new(Arc::clone(&self.link), max_lag)
    }

    /// Whether requests are currently counted in Redis, together with those of other instances.
    pub fn is_shared(&self) -> bool {
        self.link.up().is_some()
    }

    /// The number of instances that shared Redis when it last responded, including this one.
    pub fn instances(&self) -> u64 {
        self.link.instances()
    }

    /// Estimates the count of all instances from this instance's own count.
    fn estimated(&self, own: u64) -> u64 {
        own.saturating_mul(self.instances())
    }

    /// Counts requests locally, after Redis has counted them or failed, and returns the new count. `before` is the local count
    /// from before the request to Redis.
    ///
    /// The local counter adds a request when it is answered, not when it begins. Requests in flight therefore never push it above
    /// the count in Redis, unless Redis lost counts. Concurrent requests get different numbers.
    fn settle(&self, bucket: Bucket, requests: u64, span: Span, before: WindowCount, shared: Option<u64>) -> u64 {
        let own = self.own.change(bucket, Change::More(requests), span);
        match shared {
            Some(count) if count >= before.count.saturating_add(requests) => count,
            // Redis is behind: it lost its counts or missed some during an outage. A shared local count cannot show that.
            Some(count) if !own.is_own => count,
            Some(_) => own.count,
            None => {
                metrics::fell_back();
                self.estimated(own.count)
            }
        }
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
        for (index, (LimitedBucket { bucket, limit }, before)) in buckets.iter().zip(before).enumerate() {
            let count = shared.next();
            if is_shared && count.is_none() {
                break;
            }
            let count = self.settle(*bucket, requests, span, before, count);
            counts.push(count);
            if count > *limit {
                if requests > 1 {
                    self.own.take_back(&buckets[..=index], requests, span);
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
