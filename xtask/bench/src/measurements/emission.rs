//! How much an event slows down the request that causes it.

use std::net::SocketAddr;
use std::time::Duration;

use super::ARRIVAL_TIMEOUT;
use crate::report::Report;
use test_support::Receiver;
use test_support::load::http::Client;
use test_support::load::stats::Percentiles;
use test_support::load::tenant::{Tenant, make_project, make_task};

const ROUNDS: usize = 20;
/// Consecutive requests of one kind: few, so that noise affects both kinds equally.
const IN_A_ROW: usize = 50;

/// Creates tasks in a workspace without a subscription and in one with one, one request at a time. Returns the number of
/// events.
pub(super) async fn measure(
    quiet: &Tenant,
    subscribed: &Tenant,
    service: SocketAddr,
    receiver: &Receiver,
    delivers: bool,
    report: &mut Report,
) -> anyhow::Result<usize> {
    let (mut quiet, mut subscribed) = (quiet.client(service).await?, subscribed.client(service).await?);
    let (silent_project, project) = (make_project(&mut quiet).await?, make_project(&mut subscribed).await?);
    let (mut without, mut with, mut events) = (Vec::new(), Vec::new(), 0);
    let arrived_before = receiver.arrivals().len();
    for round in 0..=ROUNDS {
        let silent = row(&mut quiet, &silent_project).await?;
        let loud = row(&mut subscribed, &project).await?;
        events += loud.len();
        if delivers {
            // Deliveries in flight must not slow down the other kind.
            let _ = receiver.settle(arrived_before + events, ARRIVAL_TIMEOUT).await;
        }
        // Warm-up.
        if round > 0 {
            without.extend(silent);
            with.extend(loud);
        }
    }
    let (without, with) = (Percentiles::of(without), Percentiles::of(with));
    let how = if delivers { "delivered meanwhile" } else { "only queued" };
    report.times(&format!("POST without a subscription ({how})"), &without, "");
    report.times(&format!("POST with one ({how})"), &with, "");
    let ratio = with.at(500) / without.at(500);
    report.figure(&format!("cost of emission, {how}: p50 with / without"), format!("{ratio:.2}"), "");
    Ok(events)
}

async fn row(client: &mut Client, project: &str) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::with_capacity(IN_A_ROW);
    for _ in 0..IN_A_ROW {
        times.push(make_task(client, project).await?.took);
    }
    Ok(times)
}
