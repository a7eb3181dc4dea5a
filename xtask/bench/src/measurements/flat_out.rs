//! Creates records as fast as the service accepts them, each of which is delivered.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::task::JoinSet;

use super::ARRIVAL_TIMEOUT;
use crate::report::Report;
use test_support::Receiver;
use test_support::load::tenant::{DEAL_CREATED, Tenant, make_deal};

const CONNECTIONS: usize = 16;

/// Measures until the last delivery, so that queued deliveries do not count. Creates deals because tasks are numbered, which
/// serializes their creation in a workspace.
pub(super) async fn measure(
    tenant: &Tenant,
    service: SocketAddr,
    duration: Duration,
    report: &mut Report,
) -> anyhow::Result<()> {
    let receiver = Receiver::start().await;
    tenant.subscribe(service, &receiver, DEAL_CREATED).await?;
    let start = Instant::now();
    let mut workers = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let mut client = tenant.client(service).await?.without_bodies();
        workers.spawn(async move {
            let mut made = 0_usize;
            while start.elapsed() < duration {
                make_deal(&mut client).await?;
                made += 1;
            }
            anyhow::Ok(made)
        });
    }
    let mut made = 0;
    while let Some(of_one) = workers.join_next().await {
        made += of_one.context("a connection's task ended early")??;
    }
    let created_in = start.elapsed();
    let tally = receiver.settle(made, ARRIVAL_TIMEOUT).await;
    let last = receiver.arrivals().iter().map(|arrival| arrival.at).max().context("nothing was delivered")?;
    let rate = |duration: Duration| f64::from(u32::try_from(made).unwrap_or(u32::MAX)) / duration.as_secs_f64();
    let what = format!("flat out, {CONNECTIONS} connections");
    report.figure(&format!("{what}: POSTs per second during their delivery"), format!("{:.0}", rate(created_in)), "");
    report.figure(&format!("{what}: POSTs delivered a second"), format!("{:.0}", rate(last - start)), "≥ 3,000");
    report.tally("flat out", tally);
    Ok(())
}
