//! Delay from the request that causes an event to its arrival.

use std::net::SocketAddr;
use std::time::Duration;

use super::{ARRIVAL_TIMEOUT, WARM_UP};
use crate::load::{CreatedTask, create_tasks};
use crate::report::Report;
use test_support::Receiver;
use test_support::load::stats::Percentiles;
use test_support::load::tenant::{TASK_CREATED, Tenant};

const PER_SECOND: u32 = 150;

pub(super) async fn measure(
    tenant: &Tenant,
    service: SocketAddr,
    duration: Duration,
    report: &mut Report,
) -> anyhow::Result<()> {
    let receiver = Receiver::start().await;
    tenant.subscribe(service, &receiver, TASK_CREATED).await?;
    let run_in = create_tasks(tenant, service, PER_SECOND, WARM_UP).await?;
    let tasks = create_tasks(tenant, service, PER_SECOND, duration).await?;
    let tally = receiver.settle(run_in.len() + tasks.len(), ARRIVAL_TIMEOUT).await;
    let answers = Percentiles::of(tasks.iter().map(|one| one.took));
    report.times(&format!("POST to its answer, {PER_SECOND} a second"), &answers, "");
    let arrivals = Percentiles::of(until_arrival(&tasks, &receiver));
    report.times(&format!("POST to arrival, {PER_SECOND} a second"), &arrivals, "p50 ≤ 2.5, p99 ≤ 5");
    report.tally("latency", tally);
    Ok(())
}

/// Time from each request to the arrival of its event. Lost events are counted in the tally.
pub(super) fn until_arrival(tasks: &[CreatedTask], receiver: &Receiver) -> Vec<Duration> {
    let arrivals = receiver.by_record();
    tasks.iter().filter_map(|one| Some(arrivals.get(&one.id)?.saturating_duration_since(one.at))).collect()
}
