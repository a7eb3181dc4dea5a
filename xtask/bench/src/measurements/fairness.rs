//! How much an unresponsive receiver delays another.

use std::net::SocketAddr;
use std::time::Duration;

use super::latency::until_arrival;
use super::{ARRIVAL_TIMEOUT, WARM_UP};
use crate::load::create_tasks;
use crate::report::Report;
use test_support::Receiver;
use test_support::load::stats::Percentiles;
use test_support::load::tenant::{BULK, TASK_CREATED, TASK_UPDATED, Tenant};

const PER_SECOND: u32 = 100;
/// Bulk changes of all tasks, queued for the unresponsive receiver.
const CHANGES: usize = 2;

pub(super) async fn measure(
    tenant: &Tenant,
    service: SocketAddr,
    duration: Duration,
    report: &mut Report,
) -> anyhow::Result<()> {
    let (prompt, stuck) = (Receiver::start().await, Receiver::hanging().await);
    let tasks = tenant.tasks_for_bulk(service).await?;
    tenant.subscribe(service, &prompt, TASK_CREATED).await?;
    let stuck_id = tenant.subscribe(service, &stuck, TASK_UPDATED).await?;
    let run_in = create_tasks(tenant, service, PER_SECOND, WARM_UP).await?;
    let alone = create_tasks(tenant, service, PER_SECOND, duration).await?;
    // The receiver stops responding only now, to include the time before it is classified as slow.
    tenant.change(service, &tasks, CHANGES).await?;
    let loaded = create_tasks(tenant, service, PER_SECOND, duration).await?;
    let tally = prompt.settle(run_in.len() + alone.len() + loaded.len(), ARRIVAL_TIMEOUT).await;
    let alone = Percentiles::of(until_arrival(&alone, &prompt));
    let loaded = Percentiles::of(until_arrival(&loaded, &prompt));
    report.times(&format!("POST to arrival, {PER_SECOND} a second, nobody hangs"), &alone, "");
    report.times(&format!("the same with {} hanging deliveries", BULK * CHANGES), &loaded, "");
    for (name, of_thousand, aim) in [("p50", 500, ""), ("p99", 990, "< 2")] {
        let ratio = loaded.at(of_thousand) / alone.at(of_thousand);
        report.figure(&format!("fairness: {name} with hanging ones / alone"), format!("{ratio:.2}"), aim);
    }
    report.tally("fairness, prompt receiver", tally);
    stuck.answer(200);
    // Deliveries that timed out arrive again: delivery is at least once.
    report.tally("fairness, hanging one after it recovered", stuck.settle(BULK * CHANGES, ARRIVAL_TIMEOUT).await);
    tenant.unsubscribe(service, &stuck_id).await
}
