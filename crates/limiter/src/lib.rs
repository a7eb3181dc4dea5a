//! Rate-limit counters for [`domain::limits`].
//!
//! - [`MemoryLimiter`] counts in this process: for a single instance.
//! - [`RedisLimiter`] counts in Redis, so that several instances share their counts. It counts in memory as well and
//!   falls back to it while Redis is unavailable: an outage of Redis never fails a request and never lifts a limit.
//!   [`RedisWrites`] tells the same instances who has just written, for reads on replicas (docs/adr/0035).
//!
//! Both drop expired windows. The memory that unauthenticated clients can occupy is bounded: see [`MemoryLimiter`].

mod memory;
mod metrics;
mod redis;
#[cfg(feature = "testing")]
pub mod testing;

pub use memory::{MAX_UNAUTHENTICATED_SUBJECTS, MemoryLimiter};
pub use metrics::{FALLBACKS, SHARED, describe_metrics};
pub use redis::{LimiterError, RedisCheckError, RedisLimiter, RedisOptions, RedisWrites};
