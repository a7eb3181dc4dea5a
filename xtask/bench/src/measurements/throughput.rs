//! Deliveries per second from a full queue.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::ARRIVAL_TIMEOUT;
use crate::report::Report;
use test_support::load::tenant::{BULK, TASK_UPDATED, Tenant};
use test_support::{Receiver, Tally};

/// Several, since concurrent requests per subscription are limited.
const SUBSCRIPTIONS: usize = 10;

/// Queued deliveries and their receivers.
pub(super) struct Queue {
    receivers: Vec<Receiver>,
    of_each: usize,
}

/// Queues at least `queued` deliveries with a service that does not deliver.
pub(super) async fn fill(tenant: &Tenant, service: SocketAddr, queued: u32) -> anyhow::Result<Queue> {
    let tasks = tenant.tasks_for_bulk(service).await?;
    let mut receivers = Vec::with_capacity(SUBSCRIPTIONS);
    for _ in 0..SUBSCRIPTIONS {
        let receiver = Receiver::start().await;
        tenant.subscribe(service, &receiver, TASK_UPDATED).await?;
        receivers.push(receiver);
    }
    let changes = (queued as usize).div_ceil(BULK * SUBSCRIPTIONS);
    let start = Instant::now();
    tenant.change(service, &tasks, changes).await?;
    let events = changes * BULK;
    eprintln!("bench: {events} events for {SUBSCRIPTIONS} subscriptions in {:.1} s", start.elapsed().as_secs_f64());
    Ok(Queue { receivers, of_each: events })
}

impl Queue {
    /// Waits until the queue is empty. `start` is when the service was started.
    pub(super) async fn measure(&self, start: Instant, report: &mut Report) {
        let mut tally = Tally::default();
        for receiver in &self.receivers {
            tally = tally + receiver.settle(self.of_each, ARRIVAL_TIMEOUT).await;
        }
        let mut times: Vec<_> = self.receivers.iter().flat_map(times).collect();
        times.sort_unstable();
        report.tally("throughput", tally);
        let (Some(first), Some(last)) = (times.first(), times.last()) else { return };
        let rate = rate(times.len(), *last - *first);
        let what = format!("throughput: deliveries a second to {SUBSCRIPTIONS} subscriptions");
        report.figure(&what, format!("{rate:.0}"), "≥ 3,000");
        let first = first.saturating_duration_since(start).as_secs_f64() * 1_000.0;
        report.figure("ms from the start of the process to the first delivery", format!("{first:.0}"), "");
    }
}

fn times(receiver: &Receiver) -> Vec<Instant> {
    receiver.arrivals().iter().map(|arrival| arrival.at).collect()
}

fn rate(count: usize, duration: Duration) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / duration.as_secs_f64()
}
