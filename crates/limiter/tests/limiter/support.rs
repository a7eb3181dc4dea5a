//! Limiters, waiting, and what was logged and measured.

use std::cell::RefCell;
use std::sync::Once;
use std::time::{Duration, Instant};

use domain::limits::{Bucket, Class, RateLimitSubject, Span};
use limiter::{RedisLimiter, RedisOptions};
use log::{Level, Log, Metadata, Record};
use metrics_util::debugging::{DebugValue, Snapshotter};
use uuid::Uuid;

pub(crate) const MINUTE: Span = Span { start: 1_800_000_000, end: 1_800_000_060 };

pub(crate) fn bucket(number: u128) -> Bucket {
    Bucket { class: Class::Read, subject: RateLimitSubject::Credential(Uuid::from_u128(number)) }
}

/// One that a busy machine does not make give up.
pub(crate) async fn patient(url: &str) -> RedisLimiter {
    let patience = Duration::from_secs(20);
    let options = RedisOptions { response_timeout: patience, connect_timeout: patience, ..RedisOptions::default() };
    RedisLimiter::connect_with(url, options).await.unwrap()
}

pub(crate) async fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

thread_local! {
    static LOGGED: RefCell<Vec<(Level, String)>> = const { RefCell::new(Vec::new()) };
}

/// Keeps lines by thread: a test whose runtime has one thread sees its own alone.
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

/// Begins to keep what is logged. To be called before what is to be seen.
pub(crate) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Logger).unwrap();
        log::set_max_level(log::LevelFilter::Debug);
    });
}

/// What this thread has logged since it was asked last, but what is for debugging.
pub(crate) fn logged() -> Vec<(Level, String)> {
    LOGGED.take().into_iter().filter(|(level, _)| *level < Level::Debug).collect()
}

/// How often a lost Redis was looked for in vain, as far as [`logged`] has not taken it.
pub(crate) fn attempts() -> usize {
    LOGGED.with_borrow(|lines| lines.iter().filter(|(level, _)| *level == Level::Debug).count())
}

/// The levels of [`logged`].
pub(crate) fn levels() -> Vec<Level> {
    logged().into_iter().map(|(level, _)| level).collect()
}

/// The counter of fallbacks since it was asked last, and the gauge of sharing where it was written since.
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
