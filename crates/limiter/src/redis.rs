//! Counts that several instances share in a Redis.

mod keys;
mod link;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::limits::{Bucket, Limiter, Span};
use tokio::task::AbortHandle;

use self::link::RedisLink;
use crate::error::LimiterError;
use crate::memory::{MAX_UNAUTHENTICATED_SUBJECTS, MemoryLimiter};
use crate::metrics;

/// How Redis is used.
#[derive(Debug, Clone)]
pub struct RedisOptions {
    /// What every key begins with: two services on one Redis need two names.
    pub namespace: String,
    /// How long a request waits for a count. The first that waits in vain ends the sharing, until Redis is found again.
    pub response_timeout: Duration,
    /// How long an attempt to connect may take, the start included.
    pub connect_timeout: Duration,
    /// The longest pause between two attempts to find a lost Redis again.
    pub max_backoff: Duration,
    /// The room of the own count: see [`MemoryLimiter::with_room`].
    pub unauthenticated: usize,
}

impl Default for RedisOptions {
    fn default() -> Self {
        Self {
            namespace: "limit".to_owned(),
            response_timeout: Duration::from_millis(100),
            connect_timeout: Duration::from_secs(1),
            max_backoff: Duration::from_millis(500),
            unauthenticated: MAX_UNAUTHENTICATED_SUBJECTS,
        }
    }
}

/// Counts requests in a Redis, together with every other instance that does, in one round trip each.
///
/// It counts in memory too, and answers the greater count. When Redis fails to answer, the request is answered from
/// memory, and so is every further one, at once, until a task in the background has found Redis again: a warning when
/// it goes, a line when it is back. Meanwhile limits hold for each instance instead of for all together.
///
/// Exact under parallel calls while Redis is there: every number of a window is answered once, among all instances.
/// After an outage within the window, the instances' own counts bound what Redis has missed.
pub struct RedisLimiter {
    link: Arc<RedisLink>,
    /// Counts the requests that were answered, by Redis or without it.
    own: MemoryLimiter,
    reconnect_task: AbortHandle,
}

impl RedisLimiter {
    /// Connects with the default options: see [`RedisLimiter::connect_with`].
    pub async fn connect(url: &str) -> Result<Self, LimiterError> {
        Self::connect_with(url, RedisOptions::default()).await
    }

    /// Connects. Fails for a bad address alone: where Redis is out of reach it warns and starts on its own count.
    ///
    /// The connection, and the task that renews it, live on the Tokio runtime that this is called on. It must have
    /// time and I/O enabled, run as long as the limiter is used, and have a thread that requests do not keep busy: a
    /// multi-threaded one, or the main thread of an actix system. Requests may come from any other Tokio runtime with
    /// time enabled, as actix' workers are. The task ends with the limiter.
    pub async fn connect_with(url: &str, options: RedisOptions) -> Result<Self, LimiterError> {
        let own = MemoryLimiter::with_room(options.unauthenticated);
        let link = Arc::new(RedisLink::new(url, options)?);
        link.connect_once().await;
        let reconnect_task = tokio::spawn(link::run_reconnect(Arc::clone(&link))).abort_handle();
        Ok(Self { link, own, reconnect_task })
    }

    /// Whether requests are counted together with other instances right now.
    pub fn is_shared(&self) -> bool {
        self.link.is_up()
    }
}

impl Drop for RedisLimiter {
    fn drop(&mut self) {
        self.reconnect_task.abort();
    }
}

/// Without the address.
impl fmt::Debug for RedisLimiter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RedisLimiter").field("is_shared", &self.is_shared()).finish_non_exhaustive()
    }
}

#[async_trait]
impl Limiter for RedisLimiter {
    async fn count(&self, bucket: Bucket, span: Span) -> u64 {
        // The own count has a request when it is answered, not when it begins. So it is behind Redis however many are
        // under way, unless Redis has lost something; two requests that overtake each other get different numbers.
        let before = self.own.current(bucket, span);
        let shared = self.link.count(bucket, span).await;
        let own = self.own.add(bucket, span);
        match shared {
            Some(count) if count > before.count => count,
            // Behind: Redis lost its counts, or missed some in an outage. A count that strangers share says nothing.
            Some(count) if !own.is_own => count,
            Some(_) => own.count,
            None => {
                metrics::fell_back();
                own.count
            }
        }
    }

    async fn peek(&self, bucket: Bucket, span: Span) -> u64 {
        let shared = self.link.peek(bucket, span).await;
        let own = self.own.current(bucket, span);
        match shared {
            Some(count) if !own.is_own => count,
            Some(count) => count.max(own.count),
            None => own.count,
        }
    }
}
