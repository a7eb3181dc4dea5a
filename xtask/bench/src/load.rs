//! Sends requests at a constant rate.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::task::JoinSet;

use test_support::load::tenant::{Tenant, make_project, make_task};

/// Enough connections that a slow response does not delay the next request.
const CONNECTIONS: u32 = 8;

/// A request that created a task.
#[derive(Debug)]
pub(crate) struct CreatedTask {
    pub(crate) id: String,
    pub(crate) at: Instant,
    pub(crate) took: Duration,
}

/// Creates tasks at a constant rate over several connections.
pub(crate) async fn create_tasks(
    tenant: &Tenant,
    service: SocketAddr,
    per_second: u32,
    duration: Duration,
) -> anyhow::Result<Vec<CreatedTask>> {
    let mut client = tenant.client(service).await?;
    let project = Arc::new(make_project(&mut client).await?);
    let step = Duration::from_secs(1) / per_second;
    let begin = Instant::now() + step;
    let mut workers = JoinSet::new();
    for worker in 0..CONNECTIONS {
        let mut client = tenant.client(service).await?;
        let project = Arc::clone(&project);
        workers.spawn(async move {
            let mut tasks = Vec::new();
            for turn in (worker..).step_by(CONNECTIONS as usize) {
                if step * turn >= duration {
                    break;
                }
                tokio::time::sleep_until((begin + step * turn).into()).await;
                let response = make_task(&mut client, &project).await?;
                let id = response.id()?;
                tasks.push(CreatedTask { id, at: response.sent_at, took: response.took });
            }
            anyhow::Ok(tasks)
        });
    }
    let mut all = Vec::new();
    while let Some(tasks) = workers.join_next().await {
        all.extend(tasks.context("a connection's task ended early")??);
    }
    Ok(all)
}
