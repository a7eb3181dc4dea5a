//! A viewer keeps switching workspaces, and an owner keeps importing files of one row. Neither fills the audit log or slows
//! down a neighbour.

use serde_json::Value;
use test_support::load::browser::FormSession;

use super::{Findings, Lab, Target};
use crate::neighbour::Neighbour;

/// Two entries for two log-ins, and the 200 per hour that one actor's imports may add, twice if a new hour begins meanwhile.
const MAX_ENTRIES: u64 = 402;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    let neighbour = Neighbour::move_in(lab, &target).await?;
    let mut findings = Findings::default();
    target.program.create_user("acme", "viewer@example.com", "viewer", &[])?;
    let mut owner = tenant.owner(target.address).await?;
    let before = entries(&mut owner).await?;
    let mut switching = FormSession::open(target.address, "viewer@example.com", "acme").await?;
    let mut importing = FormSession::open(target.address, &tenant.email(), "acme").await?;

    let rounds = lab.pick(250, 550);
    let flood = async {
        for number in 0..rounds {
            switching.post("/workspaces/switch", "workspace=acme").await?;
            let fields = format!(
                "header=email%0A&rows=row{number}%40x.example%0A&count=1&line=2&from=0&match=update&try=false&column.0=email\
                 &file={number:064x}"
            );
            importing.post("/import/contacts/rows", &fields).await?;
        }
        anyhow::Ok(())
    };
    let what = "switches and imports of single rows";
    tokio::try_join!(flood, neighbour.during(what, &mut findings))?;
    let added = entries(&mut owner).await?.saturating_sub(before);
    findings.at_least(&format!("entries for {rounds} switches and {rounds} imports"), 3, added, "");
    findings.at_most("entries", MAX_ENTRIES, added, "");
    Ok(findings)
}

/// The number of entries in the audit log, counted up to 2,000.
async fn entries(owner: &mut test_support::load::http::Client) -> anyhow::Result<u64> {
    let mut count = 0;
    for page in 1..=20 {
        let log =
            owner.send("GET", &format!("/api/settings/audit-log?limit=100&page={page}"), &Value::Null, 200).await?;
        let length = log.body["data"].as_array().map_or(0, Vec::len) as u64;
        count += length;
        if length < 100 {
            break;
        }
    }
    Ok(count)
}
