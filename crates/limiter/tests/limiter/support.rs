//! Limiters, polling helpers, and captured logs and metrics.

use std::cell::RefCell;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use domain::limits::{Bucket, Class, Limiter, RateLimitSubject, Span};
use limiter::{RedisLimiter, RedisOptions};
use log::{Level, Log, Metadata, Record};
use metrics_util::debugging::{DebugValue, Snapshotter};
use tokio::task::JoinSet;
use uuid::Uuid;

pub(crate) const MINUTE: Span = Span { start: 1_800_000_000, end: 1_800_000_060 };

pub(crate) fn bucket(number: u128) -> Bucket {
    Bucket { class: Class::Read, subject: RateLimitSubject::Credential(Uuid::from_u128(number)) }
}

/// Runs the task this many times in parallel, with numbers from 0.
pub(crate) async fn in_parallel<T: Send + 'static, F>(times: usize, task: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    (0..times).map(task).collect::<JoinSet<_>>().join_all().await
}

/// The counts of this many requests, one after the other.
pub(crate) async fn counts(limiter: Arc<impl Limiter + ?Sized>, requests: usize, bucket: Bucket) -> Vec<u64> {
    let mut counts = Vec::new();
    for _ in 0..requests {
        counts.push(limiter.count(bucket, MINUTE).await);
    }
    counts
}

/// A timeout that is never reached, even on a busy machine.
pub(crate) const LONG_TIMEOUT: Duration = Duration::from_secs(20);

/// A limiter with such timeouts.
pub(crate) async fn with_long_timeouts(url: &str) -> RedisLimiter {
    let options =
        RedisOptions { response_timeout: LONG_TIMEOUT, connect_timeout: LONG_TIMEOUT, ..RedisOptions::default() };
    RedisLimiter::connect_with(url, options).await.unwrap()
}

pub(crate) async fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < end, "timed out waiting for: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

thread_local! {
    static LOGGED: RefCell<Vec<(Level, String)>> = const { RefCell::new(Vec::new()) };
}

/// Captures log lines per thread: a test with a single-threaded runtime sees only its own.
struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Debug && metadata.target().starts_with("limiter")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            LOGGED.with_borrow_mut(|lines| lines.push((record.level(), record.args().to_string())));
        }
    }

    fn flush(&self) {}
}

/// Starts capturing logs. Call it before the lines of interest.
pub(crate) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Logger).unwrap();
        log::set_max_level(log::LevelFilter::Debug);
    });
}

/// The lines that this thread has logged since the last call, without debug lines.
pub(crate) fn logged() -> Vec<(Level, String)> {
    LOGGED.take().into_iter().filter(|(level, _)| *level < Level::Debug).collect()
}

/// The number of failed reconnection attempts logged since the last call of [`logged`].
pub(crate) fn attempts() -> usize {
    LOGGED.with_borrow(|lines| lines.iter().filter(|(level, _)| *level == Level::Debug).count())
}

/// The levels of [`logged`].
pub(crate) fn levels() -> Vec<Level> {
    logged().into_iter().map(|(level, _)| level).collect()
}

/// The counter of fallbacks since the last call, and the gauge of sharing if it was written since.
pub(crate) fn measured(snapshotter: &Snapshotter) -> (u64, Option<f64>) {
    let (mut fallbacks, mut shared) = (0, None);
    for (key, _, _, value) in snapshotter.snapshot().into_vec() {
        match (key.key().name(), value) {
            (limiter::FALLBACKS, DebugValue::Counter(count)) => fallbacks = count,
            (limiter::SHARED, DebugValue::Gauge(value)) => shared = Some(value.into_inner()),
            _ => {}
        }
    }
    (fallbacks, shared)
}
