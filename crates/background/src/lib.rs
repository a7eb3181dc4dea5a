//! Building blocks of background workers.
//!
//! - A [`Worker`] runs work on its own runtime. It restarts work that panics, stops within a time limit, and yields to other threads.
//! - A [`Job`] runs repeatedly: when it is woken and at its poll interval, and less often while it fails.
//! - A [`Notifier`] wakes a worker or a job. Pending notifications are merged into one.
//! - A [`Backoff`] decides when failing work is retried, and logs the first failure and the recovery.

mod backoff;
mod failures;
mod job;
mod notifier;
mod worker;

pub use backoff::Backoff;
pub use failures::{FAILURES, describe_metrics, report_panic};
pub use job::{Job, Next};
pub use notifier::Notifier;
pub use tokio_util::sync::CancellationToken;
pub use worker::{NICE, Worker, lower_priority};
