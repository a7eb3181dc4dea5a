//! Every page of the console in a large workspace, one request at a time, compared with the REST read of a record.

mod samples;

use std::path::Path;

use anyhow::ensure;
use serde_json::Value;

use super::{in_turns, new_report, progress, seed};
use crate::Console;
use crate::report::Report;
use samples::Samples;
use test_support::load::tenant::Tenant;
use test_support::pages::PAGES;
use test_support::program::Program;

const SLUG: &str = "console";
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
    let instance = Program::for_measuring(program, data);
    let mut report = new_report()?;
    report.how(format!("{} records, one request at a time, compressed pages.", options.records));
    let service = instance.start_dispatching("off")?;
    let tenant = Tenant::make(&instance, SLUG)?;
    progress("writing records");
    let records = options.records as usize;
    let counts = PARTS.map(|(kind, thousandths)| (kind, (records / 1_000).max(1) * thousandths));
    seed(program, data, SLUG, &counts).await?;
    seed(program, data, SLUG, &[("events", EVENTS.min(records))]).await?;
    progress("preparing a conversation, a cycle and deliveries");
    let samples = Samples::make(&tenant, service.address).await?;
    let is_asked = |page: &&str| options.only.as_ref().is_none_or(|part| page.contains(part.as_str()));
    let pages: Vec<_> = PAGES.iter().copied().filter(is_asked).collect();
    ensure!(!pages.is_empty(), "no page has such an address");
    progress("opening pages");
    let mut browser = tenant.browser(service.address).await?;
    let mut key = tenant.client(service.address).await?;
    // The largest response of each page in bytes.
    let mut sizes = vec![0; pages.len()];
    let times = in_turns(options.rounds, 1 + pages.len(), IN_A_ROW, async |kind: usize, number: usize| {
        let Some(page) = kind.checked_sub(1) else {
            let path = samples.path_of("/api/v1/crm/deals/{deal_id}", number)?;
            return Ok(key.send("GET", &path, &Value::Null, 200).await?.took);
        };
        let path = samples.path_of(pages[page], number)?;
        let response = browser.get(&path).await?;
        // Some pages redirect to others.
        ensure!([200, 303].contains(&response.status), "GET {path} was answered with {}", response.status);
        sizes[page] = sizes[page].max(response.size);
        Ok(response.took)
    })
    .await?;
    report.times("GET /api/v1/crm/deals/{id}", &times[0], "");
    // The slowest first.
    let mut of_pages: Vec<_> = pages.iter().zip(&times[1..]).collect();
    of_pages.sort_by(|(_, one), (_, other)| other.at(990).total_cmp(&one.at(990)));
    for (address, times) in of_pages {
        report.bounded_times(address, times, MAX_MILLISECONDS);
    }
    if let Some((address, size)) = pages.iter().zip(&sizes).max_by_key(|(_, size)| **size) {
        let kilobytes = f64::from(u32::try_from(*size)?) / 1_024.0;
        report.bound(&format!("the largest page, {address}, KB"), kilobytes, MAX_KILOBYTES);
    }
    service.stop()?;
    Ok(report)
}
