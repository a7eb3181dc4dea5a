//! Every page of the console in a large workspace, one request at a time, compared with the REST read of a record.

mod samples;

use std::path::Path;

use anyhow::ensure;
use serde_json::Value;

use super::{progress, seed};
use crate::Console;
use crate::report::Report;
use samples::Samples;
use test_support::load::http::Client;
use test_support::load::stats::Percentiles;
use test_support::load::tenant::Tenant;
use test_support::pages::PAGES;
use test_support::program::Program;

const SLUG: &str = "console";
/// Consecutive requests of one kind: few, so that noise affects all kinds equally.
const IN_A_ROW: usize = 5;
/// The targets (docs/performance.md): 99th percentile in milliseconds, and compressed size.
const MAX_MILLISECONDS: f64 = 25.0;
const MAX_KILOBYTES: f64 = 20.0;
/// How many of a thousand records are of each kind.
const PARTS: [(&str, usize); 6] =
    [("companies", 100), ("contacts", 270), ("deals", 270), ("projects", 20), ("issues", 330), ("articles", 10)];
/// Events in the log, in addition to those that the measurement causes.
const EVENTS: usize = 50_000;

/// The benchmark of the console.
pub(crate) async fn console(program: &Path, data: &Path, options: &Console) -> anyhow::Result<Report> {
    let measured = Program::for_measuring(program, data);
    let mut report = Report::default();
    let cores = std::thread::available_parallelism()?;
    report.how(format!("{cores} cores, shared by the service, its Postgres (fsync on) and this program."));
    report.how(format!("{} records, one request at a time, compressed pages.", options.records));
    let service = measured.start_dispatching("off")?;
    let tenant = Tenant::make(&measured, SLUG)?;
    progress("writing records");
    let records = options.records as usize;
    let counts = PARTS.map(|(kind, thousandths)| (kind, (records / 1_000).max(1) * thousandths));
    seed(program, data, SLUG, &counts).await?;
    seed(program, data, SLUG, &[("events", EVENTS.min(records))]).await?;
    progress("preparing a conversation, a cycle and deliveries");
    let samples = Samples::make(&tenant, service.address).await?;
    let is_asked = |page: &&str| options.only.as_ref().is_none_or(|part| page.contains(part.as_str()));
    let mut pages: Vec<_> = PAGES.iter().copied().filter(is_asked).map(Page::new).collect();
    ensure!(!pages.is_empty(), "no page has such an address");
    progress("opening pages");
    let mut browser = tenant.browser(service.address).await?;
    let mut key = tenant.client(service.address).await?;
    let mut reads = Vec::new();
    for round in 0..=options.rounds {
        for place in 0..IN_A_ROW {
            let path = samples.path_of("/api/v1/crm/deals/{deal_id}", round * IN_A_ROW + place)?;
            reads.push(key.send("GET", &path, &Value::Null, 200).await?.took);
        }
        for page in &mut pages {
            for place in 0..IN_A_ROW {
                let path = samples.path_of(page.address, round * IN_A_ROW + place)?;
                page.open(&mut browser, &path, round > 0).await?;
            }
        }
    }
    report.times("GET /api/v1/crm/deals/{id}", &Percentiles::of(reads), "");
    // The slowest first.
    let mut times: Vec<_> =
        pages.into_iter().map(|page| (page.address, page.size, Percentiles::of(page.took))).collect();
    times.sort_by(|(.., one), (.., other)| other.at(990).total_cmp(&one.at(990)));
    for (address, _, times) in &times {
        report.bounded_times(address, times, MAX_MILLISECONDS);
    }
    let largest = times.iter().max_by_key(|(_, size, _)| *size);
    if let Some((address, size, _)) = largest {
        let kilobytes = f64::from(u32::try_from(*size)?) / 1_024.0;
        report.bound(&format!("the largest page, {address}, KB"), kilobytes, MAX_KILOBYTES);
    }
    service.stop()?;
    Ok(report)
}

/// A page and its measurements.
#[derive(Debug)]
struct Page {
    address: &'static str,
    took: Vec<std::time::Duration>,
    /// The largest response so far, in bytes.
    size: usize,
}

impl Page {
    const fn new(address: &'static str) -> Self {
        Self { address, took: Vec::new(), size: 0 }
    }

    async fn open(&mut self, browser: &mut Client, path: &str, counts: bool) -> anyhow::Result<()> {
        let response = browser.get(path).await?;
        // Some pages redirect to others.
        ensure!([200, 303].contains(&response.status), "GET {path} was answered with {}", response.status);
        if counts {
            self.took.push(response.took);
        }
        self.size = self.size.max(response.size);
        Ok(())
    }
}
