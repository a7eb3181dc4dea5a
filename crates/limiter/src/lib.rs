//! Counts requests for the limits of [`domain::limits`].
//!
//! - [`MemoryLimiter`] counts in this process: for one instance.
//! - [`RedisLimiter`] counts in a Redis, so that several instances share their counts. It counts in memory as well, and
//!   goes on from there while Redis is gone: a failure of Redis never fails a request, and never lifts a limit.
//!
//! Both forget windows that ended. What strangers can make the memory hold is bounded: see [`MemoryLimiter`].

mod error;
mod memory;
mod metrics;
#[cfg(feature = "testing")]
mod not_run;
mod redis;
#[cfg(feature = "testing")]
pub mod testing;

pub use error::LimiterError;
pub use memory::{MAX_UNAUTHENTICATED_SUBJECTS, MemoryLimiter};
pub use metrics::{FALLBACKS, SHARED, describe_metrics};
pub use redis::{RedisLimiter, RedisOptions};
