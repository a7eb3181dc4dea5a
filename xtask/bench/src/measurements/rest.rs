//! Reads, lists, creates and bulk updates over REST, compared with the database alone and the HTTP library alone.

mod baselines;
mod kinds;
mod sending;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use self::baselines::{PgBench, Records, limit};
use self::kinds::{DEALS, Kind, LISTS};
use self::sending::{LoadResult, LoadRun, Pace};
use super::{new_report, progress, seed};
use crate::Rest;
use crate::empty::EmptyServer;
use crate::report::{Load, Report};
use test_support::load::http::{Client, text};
use test_support::load::tenant::{Tenant, make_project};
use test_support::program::{Program, Service};

/// Number of deals that are read by id: enough to cover many pages of the table.
const IDS: usize = 2_000;
const PAGE: usize = 100;
/// Rate of the open loop, in which requests do not wait for earlier responses, as a fraction of the closed loop's rate.
const OPEN_LOOP_FRACTION: f64 = 0.5;

/// Measures each kind of request with each number of connections.
pub(crate) async fn rest(binary: &Path, data: &Path, options: &Rest) -> anyhow::Result<Report> {
    let program = Program::for_measuring(binary, data);
    let mut report = new_report()?;
    report.how(format!("A workspace of {0} contacts and {0} deals.", options.records));
    let service = program.start_dispatching("off")?;
    let tenant = Tenant::make(&program, "rest")?;
    progress("seeding");
    let count = options.records as usize;
    seed(binary, data, &tenant.slug, &[("contacts", count), ("deals", count)]).await?;
    let bench = Bench::prepare(tenant, service, data, options).await?;
    if bench.pgbench.is_none() {
        report.how("This machine has no pgbench, so there is nothing to compare with.");
    }
    let mut empty = Vec::new();
    for &connections in &options.connections {
        let per_second = bench.empty(connections as usize).await?;
        report.figure(
            &format!("an empty handler, {connections} connections, requests per second"),
            round(per_second),
            "",
        );
        empty.push((connections as usize, per_second));
    }
    // Reads come first, so that they do not depend on what was written: a search scans the newest records first.
    for writes in [false, true] {
        for (place, &(connections, empty)) in empty.iter().enumerate() {
            progress(&format!("{connections} connections, {}", if writes { "writing" } else { "reading" }));
            // Heavy kinds always use one connection.
            for kind in bench.kinds.iter().filter(|kind| kind.writes() == writes && (place == 0 || !kind.is_heavy())) {
                progress(kind.what());
                bench.measure(kind, connections, empty, &mut report).await?;
            }
        }
    }
    bench.service.stop()?;
    Ok(report)
}

fn round(figure: f64) -> String {
    format!("{figure:.0}")
}

/// The service under test and what it is compared with.
struct Bench {
    service: Service,
    tenant: Tenant,
    empty: EmptyServer,
    pgbench: Option<PgBench>,
    kinds: Vec<Kind>,
    duration: Duration,
}

impl Bench {
    async fn prepare(tenant: Tenant, service: Service, data: &Path, options: &Rest) -> anyhow::Result<Self> {
        let mut client = tenant.client(service.address).await?;
        let ids = deal_ids(&mut client).await?;
        let project = make_project(&mut client).await?;
        let tasks = tenant.tasks_for_bulk(service.address).await?;
        let deal = ids.first().context("the workspace has no deals")?;
        let records = Records { workspace: &tenant.id, deal, project: &project, tasks: &tasks };
        let pgbench = PgBench::find(data, &records)?;
        let mut kinds = vec![Kind::GetDeal { ids: Arc::new(ids) }];
        kinds.extend(LISTS.map(Kind::List));
        let project = Arc::from(project);
        kinds.extend([Kind::CreateContact, Kind::CreateDeal, Kind::CreateTask { project }]);
        kinds.push(Kind::BulkUpdate { tasks: Arc::new(tasks) });
        for kind in &kinds {
            kind.check(&mut client).await?;
        }
        let duration = Duration::from_secs(options.seconds);
        Ok(Self { service, tenant, empty: EmptyServer::start().await?, pgbench, kinds, duration })
    }

    fn sending(&self, connections: usize) -> LoadRun<'_> {
        LoadRun {
            address: self.service.address,
            key: &self.tenant.key,
            process: self.service.pid,
            connections,
            duration: self.duration,
        }
    }

    /// Requests per second of the empty server.
    async fn empty(&self, connections: usize) -> anyhow::Result<f64> {
        let sending = LoadRun { address: self.empty.address, ..self.sending(connections) };
        // Any request will do: the empty server does not read it.
        Ok(sending.all(&self.kinds[0], Pace::Closed).await?.per_second)
    }

    async fn measure(&self, kind: &Kind, connections: usize, empty: f64, report: &mut Report) -> anyhow::Result<()> {
        let connections = if kind.is_heavy() { 1 } else { connections };
        let sending = self.sending(connections);
        let LoadResult { per_second, times, cpu } = sending.all(kind, Pace::Closed).await?;
        let open = sending.all(kind, Pace::Open(per_second * OPEN_LOOP_FRACTION)).await?;
        let database = match &self.pgbench {
            Some(pgbench) => pgbench.per_second(kind, connections, self.duration).await?,
            None => None,
        };
        report.load(Load {
            what: kind.what().to_owned(),
            connections,
            per_second,
            database,
            of_limit: database.map(|database| per_second / limit(empty, database)),
            closed: [times.at(500), times.at(990)],
            open: [open.times.at(500), open.times.at(990)],
            cpu,
        });
        Ok(())
    }
}

/// The ids of the newest deals.
async fn deal_ids(client: &mut Client) -> anyhow::Result<Vec<String>> {
    let mut ids = Vec::new();
    for page in 1..=IDS / PAGE {
        let page_response = client.get(&format!("{DEALS}?limit={PAGE}&page={page}")).await?;
        for deal in page_response.body["data"].as_array().context("the list of deals has no data")? {
            ids.push(text(deal, "/id")?.to_owned());
        }
    }
    Ok(ids)
}
