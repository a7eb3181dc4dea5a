//! The probes need no credentials and count against no limit, so they have to be cheap.

use std::time::Duration;

use test_support::load::http::Client;

use crate::flood::{Flood, Shot, in_a_row};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const CONNECTIONS: usize = 100;
const READS: usize = 100;
const WARM_UP: Duration = Duration::from_secs(1);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("real", "enterprise")?;
    let mut client = Client::new(target.address).patient().with_key(&tenant.key);
    let read = Shot::read_of_a_deal(&mut client, &tenant.key).await?;
    let mut findings = Findings::default();
    for path in ["/readyz", "/healthz"] {
        let flood = Flood::endless(target.address, CONNECTIONS, move |number| Shot::get(path).from(anywhere(number)));
        tokio::time::sleep(WARM_UP).await;
        let reads = in_a_row(&mut client, vec![read.clone(); READS]).await;
        let tally = flood.stop().await;
        let what = format!("failed reads of {READS} during a flood of {path} ({})", tally.summary());
        findings.at_most(&what, 0, reads.other_than(200), "");
    }
    Ok(findings)
}
