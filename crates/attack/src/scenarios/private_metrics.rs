//! `/metrics` tells about all workspaces, so only operators reach it.

use harness::http::Client;

use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let mut findings = Findings::default();
    let status = target.client("20.0.0.1").get("/metrics").await?.status;
    findings.equal("/metrics on the public listener", &404, &status);
    for path in ["/healthz", "/readyz"] {
        findings.equal(path, &200, &target.client("20.0.0.1").get(path).await?.status);
    }
    let inside = Client::new(target.admin).get("/metrics").await;
    let measured = inside.map_or_else(|error| format!("{error:#}"), |answer| answer.status.to_string());
    findings.equal("/metrics on the admin listener", &"200".to_owned(), &measured);
    Ok(findings)
}
