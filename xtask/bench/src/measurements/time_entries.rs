//! Lists and sums of many time entries, and a week in the console, compared with the REST read of a record.

use std::path::Path;

use anyhow::ensure;
use serde_json::Value;

use super::{in_turns, new_report, progress, seed};
use crate::TimeEntries;
use crate::report::Report;
use test_support::load::http::text;
use test_support::load::tenant::{Tenant, make_deal};
use test_support::program::Program;

const SLUG: &str = "time";
/// Members in addition to the owner: with a million entries, each has about 300 a week.
const MEMBERS: usize = 59;
const PROJECTS: usize = 200;
const ISSUES: usize = 5_000;
const IN_A_ROW: usize = 5;

/// One kind of request.
#[derive(Debug)]
struct Kind {
    what: &'static str,
    path: String,
    /// Whether a browser sends it.
    is_page: bool,
}

impl Kind {
    fn new(what: &'static str, path: impl Into<String>) -> Self {
        Self { what, path: path.into(), is_page: false }
    }
}

/// The benchmark of time entries.
pub(crate) async fn time_entries(program: &Path, data: &Path, options: &TimeEntries) -> anyhow::Result<Report> {
    let measured = Program::for_measuring(program, data);
    let mut report = new_report()?;
    report.how(format!("{} time entries of {} members in 366 days.", options.entries, MEMBERS + 1));
    let service = measured.start_dispatching("off")?;
    let tenant = Tenant::make(&measured, SLUG)?;
    for number in 1..=MEMBERS {
        let _ = tenant.add_member(&measured, &format!("member{number}"), "member")?;
    }
    progress("writing time entries");
    let counts = [("projects", PROJECTS), ("issues", ISSUES), ("time-entries", options.entries as usize)];
    seed(program, data, SLUG, &counts).await?;
    let mut owner = tenant.owner(service.address).await?;
    let members = owner.send("GET", "/api/settings/members?limit=1", &Value::Null, 200).await?;
    let mut key = tenant.client(service.address).await?;
    let deal = make_deal(&mut key).await?;
    let kinds = kinds(text(&deal.body, "/data/id")?, text(&members.body, "/data/0/id")?);
    let mut browser = tenant.browser(service.address).await?;
    progress("reading");
    let times = in_turns(options.rounds, kinds.len(), IN_A_ROW, async |index: usize, _| {
        let kind = &kinds[index];
        let client = if kind.is_page { &mut browser } else { &mut key };
        let response = client.get(&kind.path).await?;
        ensure!(response.status == 200, "GET {} was answered with {}", kind.path, response.status);
        Ok(response.took)
    })
    .await?;
    for (kind, times) in kinds.iter().zip(&times) {
        report.times(kind.what, times, "");
    }
    service.stop()?;
    Ok(report)
}

/// The requests. The seed binary writes entries of 2024.
fn kinds(deal: &str, member: &str) -> Vec<Kind> {
    let month = "from=2024-12-01&to=2024-12-31";
    let year = "from=2024-01-01&to=2024-12-31";
    let list = "/api/v1/time/entries?limit=50";
    let summary = "/api/v1/time/summary";
    vec![
        Kind::new("GET /crm/deals/{id}", format!("/api/v1/crm/deals/{deal}")),
        Kind::new("list 50 time entries", list),
        Kind::new("list 50 of a member in a month", format!("{list}&member={member}&{month}")),
        Kind::new("list 50 of a member in a month by day", format!("{list}&member={member}&{month}&order=date_asc")),
        Kind::new("sum of a month by member", format!("{summary}?group_by=member&{month}")),
        Kind::new("sum of a year by project and week", format!("{summary}?group_by=project&group_by=week&{year}")),
        Kind { is_page: true, ..Kind::new("a week in the console", "/time?week=2024-06-03") },
    ]
}
