//! Bodies of almost a megabyte that are never completed.

use std::time::Duration;

use crate::lab::Lab;
use crate::lines;
use crate::network::loopback;
use crate::table::Findings;
use crate::target::Target;

const CONNECTIONS: usize = 240;
const MAX_MIB: u64 = 150;
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("half", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let mut keys = vec![tenant.key];
    for _ in 0..3 {
        keys.push(target.program.create_key("half")?);
    }
    let start = target.memory()?.now;
    let mut lines = Vec::new();
    for (number, key) in keys.iter().enumerate() {
        let head = format!(
            "POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{{\"name\": \""
        );
        let bytes = head + &"x".repeat(1_048_000);
        let sources = (0..CONNECTIONS / keys.len()).map(|_| loopback(number));
        lines.extend(lines::open(target.address, sources, bytes.as_bytes()).await);
    }
    let answered = target.eventually(ANSWERED_WITHIN, |_| Ok(lines::unanswered(&lines) == 0)).await?;
    let mut findings = Findings::default();
    let memory = target.memory()?.peak.saturating_sub(start);
    findings.at_most(&format!("peak memory for {} bodies that never end", lines.len()), MAX_MIB, memory, "MiB more");
    let left = format!("{} left", lines::unanswered(&lines));
    findings.expect("the connections are answered or closed", "within 30 s", &left, answered);
    Ok(findings)
}
