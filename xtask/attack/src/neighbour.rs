//! A workspace that does ordinary work while another one is attacked.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use test_support::load::http::{Client, TimedResponse};
use test_support::load::stats::Percentiles;
use tokio::task::JoinSet;

use crate::background::{BackgroundFlood, Outcome, Pace};
use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

const DEALS: &str = "/api/v1/crm/deals";
const READ_EVERY: Duration = Duration::from_millis(50);
const WRITE_EVERY: Duration = Duration::from_millis(83);
const BOARD_EVERY: Duration = Duration::from_millis(300);
const FEW_DEALS: usize = 20;
/// Each kind of work alternates between this many connections, so that it reaches every worker thread of the service.
const CONNECTIONS: usize = 4;
/// During an attack, the 95th percentile may be this many times what it was just before.
const MAX_SLOWDOWN: f64 = 3.0;
/// A 95th percentile up to this is always allowed.
const ALWAYS_ALLOWED_MS: f64 = 100.0;
/// Long enough for requests in flight to end.
const CALM: Duration = Duration::from_secs(2);

/// Work that is repeated.
#[derive(Debug, Clone)]
enum Work {
    Read { path: String, key: String },
    Write { path: String, key: String },
    Board { cookies: String },
}

/// The times of one kind of work.
#[derive(Debug, Default)]
struct Times {
    answered: Vec<Duration>,
    failed: u64,
}

/// A workspace that reads, writes and opens its board at a steady rate.
#[derive(Debug)]
pub(crate) struct Neighbour<'a> {
    lab: &'a Lab,
    service: SocketAddr,
    work: Vec<(&'static str, Duration, Work)>,
    /// The times of each kind of work without an attack.
    quiet: Vec<Percentiles>,
}

impl<'a> Neighbour<'a> {
    /// Creates a workspace with a few deals, and measures it without an attack.
    pub(crate) async fn move_in(lab: &'a Lab, target: &Target) -> anyhow::Result<Self> {
        let tenant = target.tenant("neighbour", "enterprise")?;
        tenant.lift_limits(&target.program)?;
        let mut client = target.caller(&tenant.key);
        let mut paths = Vec::new();
        for number in 0..FEW_DEALS {
            let deal = json!({"title": format!("Deal {number}"), "value": number, "stage": "proposal"});
            let created = client.create(DEALS, &deal).await?;
            paths.push(format!("{DEALS}/{}", created.id()?));
        }
        let cookies = tenant.cookies_of(target.address, &tenant.email()).await?;
        let (read, write) = (paths[0].clone(), paths[1].clone());
        let work = vec![
            ("reads", READ_EVERY, Work::Read { path: read, key: tenant.key.clone() }),
            ("writes", WRITE_EVERY, Work::Write { path: write, key: tenant.key }),
            ("board", BOARD_EVERY, Work::Board { cookies }),
        ];
        let mut neighbour = Self { lab, service: target.address, work, quiet: Vec::new() };
        // The first responses of a service are slow.
        neighbour.work_for(Duration::from_secs(1)).await?;
        let times = neighbour.work_for(neighbour.duration()).await?;
        neighbour.quiet = times.into_iter().map(|times| Percentiles::of(times.answered)).collect();
        Ok(neighbour)
    }

    /// Works for a while during a flood, compares, and stops the flood.
    pub(crate) async fn during_flood(
        &self,
        what: &str,
        flood: BackgroundFlood,
        findings: &mut Findings,
    ) -> anyhow::Result<()> {
        self.during(what, findings).await?;
        eprintln!("attack: {what}: {}", flood.stop().await?.summary());
        Ok(())
    }

    /// Works for a while during an attack, and compares.
    pub(crate) async fn during(&self, what: &str, findings: &mut Findings) -> anyhow::Result<()> {
        let times = self.work_for(self.duration()).await?;
        for (((name, ..), quiet), Times { answered, failed }) in self.work.iter().zip(&self.quiet).zip(times) {
            findings.at_most(&format!("failed {name} of a neighbour during {what}"), 0, failed, "");
            if !self.lab.is_full() {
                continue;
            }
            let loaded = Percentiles::of(answered);
            let text = [("p50", 500), ("p95", 950), ("p99", 990)]
                .map(|(name, rank)| format!("{name} {:.1} → {:.1}", quiet.at(rank), loaded.at(rank)))
                .join(", ");
            let bound = (quiet.at(950) * MAX_SLOWDOWN).max(ALWAYS_ALLOWED_MS);
            let holds = loaded.at(950) <= bound;
            let bound = format!("p95 ≤ {bound:.0} ms");
            findings.expect(&format!("{name} of a neighbour during {what}"), &bound, &format!("{text} ms"), holds);
        }
        tokio::time::sleep(CALM).await;
        Ok(())
    }

    /// Measures each kind of work on its own thread.
    async fn work_for(&self, duration: Duration) -> anyhow::Result<Vec<Times>> {
        let (service, work) = (self.service, self.work.clone());
        let all = Outcome::of(move |runtime| {
            runtime.block_on(async {
                let mut workers = JoinSet::new();
                for (index, (_, every, work)) in work.into_iter().enumerate() {
                    workers.spawn(async move { (index, repeat(service, work, every, duration).await) });
                }
                let mut all = workers.join_all().await;
                all.sort_by_key(|(index, _)| *index);
                Ok(all.into_iter().map(|(_, times)| times).collect())
            })
        });
        all.wait().await
    }

    fn duration(&self) -> Duration {
        Duration::from_secs(self.lab.pick(2, 12))
    }
}

async fn repeat(service: SocketAddr, work: Work, every: Duration, duration: Duration) -> Times {
    let client = || match &work {
        Work::Read { key, .. } | Work::Write { key, .. } => Client::new(service).with_key(key),
        Work::Board { cookies } => Client::new(service).as_browser(cookies),
    };
    let mut clients: Vec<Client> = (0..CONNECTIONS).map(|_| client()).collect();
    let (mut times, mut number) = (Times::default(), 0);
    let mut pace = Pace::new(Duration::ZERO, every, duration);
    while let Some(since) = pace.next().await {
        number += 1;
        let client = &mut clients[number % CONNECTIONS];
        let response: anyhow::Result<TimedResponse> = match &work {
            Work::Read { path, .. } => client.get(path).await,
            Work::Write { path, .. } => client.request("PATCH", path, &json!({"value": number})).await,
            Work::Board { .. } => client.request("GET", "/deals/board", &Value::Null).await,
        };
        let is_good = response.is_ok_and(|response| response.status == 200);
        times.failed += u64::from(!is_good);
        times.answered.push(since.elapsed());
    }
    times
}
