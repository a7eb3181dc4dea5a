//! X16: parts of an import whose reports would be much larger than the parts.

use std::sync::Arc;

use test_support::load::browser::form_token;
use test_support::load::http::Client;

use super::{Findings, Lab, Target};
use crate::background::BackgroundFlood;
use crate::flood::Shot;
use crate::neighbour::Neighbour;

const COLUMNS: usize = 1_000;
const ROWS: usize = 500;
const CONNECTIONS: usize = 4;
/// Maximum size of a part's report: its cells, and a line and a reason for each row.
const MAX_BYTES: u64 = 400_000;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let cookies = tenant.cookies_of(target.address, &tenant.email()).await?;
    let token = form_token(target.address, &cookies).await?;
    let header: Vec<_> = (0..COLUMNS).map(|number| format!("c{number}")).collect();
    let columns: Vec<_> = (1..COLUMNS).map(|index| format!("&column.{index}=")).collect();
    let form: Arc<str> = format!(
        "_token={token}&match=update&file={}&from=0&count={ROWS}&try=true&column.0=name{}&header={}%0D%0A&rows={}",
        "0".repeat(64),
        columns.concat(),
        header.join("%2C"),
        "a%0D%0A".repeat(ROWS)
    )
    .into();
    let mut client = Client::new(target.address);
    client.add_cookies(&cookies);
    let one = client.send_form("/import/companies/rows", &form).await?;
    let mut findings = Findings::default();
    findings.equal("status of a part with short rows", &200, &one.status);
    findings.at_most("size of its report", MAX_BYTES, one.size as u64, "bytes");
    let neighbour = Neighbour::move_in(lab, &target).await?;
    let flood = BackgroundFlood::flood(target.address, CONNECTIONS, move |_| {
        Shot::form("/import/companies/rows", Arc::clone(&form)).cookies(cookies.clone())
    });
    neighbour.during_flood(&format!("parts of short rows, {CONNECTIONS} at a time"), flood, &mut findings).await?;
    Ok(findings)
}
