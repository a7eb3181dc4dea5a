//! Sends requests of one kind over several connections, in a closed loop or at a constant rate.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use tokio::task::JoinSet;

use super::kinds::Kind;
use crate::cpu::CpuTime;
use test_support::load::http::Client;
use test_support::load::stats::Percentiles;

/// Requests during the warm-up, in which caches fill and statements are planned, are not counted.
const WARM_UP: Duration = Duration::from_millis(500);

/// When requests are sent.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pace {
    /// Each request follows the response to the one before it.
    Closed,
    /// This many per second over all connections, whether earlier ones are answered or not. A request that was sent late is
    /// timed from when it was due.
    Open(f64),
}

/// Target, credentials and duration of a run.
pub(super) struct LoadRun<'a> {
    pub(super) address: SocketAddr,
    pub(super) key: &'a str,
    /// The process whose CPU time is measured.
    pub(super) process: u32,
    pub(super) connections: usize,
    pub(super) duration: Duration,
}

/// Measurements after the warm-up.
pub(super) struct LoadResult {
    pub(super) per_second: f64,
    pub(super) times: Percentiles,
    /// Per request.
    pub(super) cpu: CpuTime,
}

impl LoadRun<'_> {
    pub(super) async fn all(&self, kind: &Kind, pace: Pace) -> anyhow::Result<LoadResult> {
        let counts_from = Instant::now() + WARM_UP;
        let span = Span { begin: Instant::now(), counts_from, end: counts_from + self.duration };
        let kind = Arc::new(kind.clone());
        let mut workers = JoinSet::new();
        for connection in 0..self.connections {
            let mut client = Client::connect(self.address, Some(self.key)).await?.without_bodies();
            let kind = Arc::clone(&kind);
            let step = match pace {
                Pace::Closed => None,
                #[expect(clippy::cast_precision_loss, reason = "a few dozen connections")]
                Pace::Open(rate) => Some(Duration::from_secs_f64(self.connections as f64 / rate)),
            };
            // The starts are staggered, so that not all connections send at once.
            let first = step.map_or(Duration::ZERO, |step| {
                step * u32::try_from(connection).unwrap_or(0) / u32::try_from(self.connections).unwrap_or(u32::MAX)
            });
            workers.spawn(async move { span.send(&mut client, &kind, connection, first, step).await });
        }
        tokio::time::sleep_until(counts_from.into()).await;
        let before = CpuTime::of(self.process);
        tokio::time::sleep_until(span.end.into()).await;
        let cpu = CpuTime::of(self.process) - before;
        let mut times = Vec::new();
        while let Some(of_one) = workers.join_next().await {
            times.extend(of_one.context("a connection's task ended early")??);
        }
        ensure!(!times.is_empty(), "{}: no request ended in {} s", kind.what(), self.duration.as_secs());
        let count = u32::try_from(times.len()).unwrap_or(u32::MAX);
        Ok(LoadResult {
            per_second: f64::from(count) / self.duration.as_secs_f64(),
            times: Percentiles::of(times),
            cpu: CpuTime { service: cpu.service / count, database: cpu.database / count },
        })
    }
}

/// When requests are sent, and when they are counted.
#[derive(Debug, Clone, Copy)]
struct Span {
    begin: Instant,
    counts_from: Instant,
    end: Instant,
}

impl Span {
    /// Sends requests on one connection, and returns the times of those that count.
    async fn send(
        self,
        client: &mut Client,
        kind: &Kind,
        connection: usize,
        first: Duration,
        step: Option<Duration>,
    ) -> anyhow::Result<Vec<Duration>> {
        let mut times = Vec::new();
        let mut due = self.begin + first;
        for number in 0_usize.. {
            let now = Instant::now();
            // Timers fire up to a millisecond late, which the service is not responsible for.
            let start = match step {
                Some(_) if due > now => {
                    tokio::time::sleep_until(due.into()).await;
                    Instant::now()
                }
                Some(_) => due,
                None => now,
            };
            // A service that is far behind would prolong the measurement by minutes.
            if start >= self.end || now >= self.end + WARM_UP {
                break;
            }
            kind.send(client, connection, number).await?;
            let answered = Instant::now();
            if start >= self.counts_from && (answered < self.end || step.is_some()) {
                times.push(answered - start);
            }
            due += step.unwrap_or_default();
        }
        Ok(times)
    }
}
