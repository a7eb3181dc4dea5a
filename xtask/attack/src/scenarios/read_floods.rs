//! Reads of one caller during floods of requests that need a look-up, or that count against no limit.

use std::time::Duration;

use test_support::load::http::Client;

use super::{Findings, Lab, Target};
use crate::flood::{Flood, Shot, in_a_row};
use crate::network::anywhere;

const CONNECTIONS: usize = 100;
const READS: usize = 100;
const MAX_MIB: u64 = 60;
const WARM_UP: Duration = Duration::from_secs(1);
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A caller who reads a deal.
struct Reader {
    client: Client,
    read: Shot,
}

impl Reader {
    async fn new(target: &Target) -> anyhow::Result<Self> {
        let tenant = target.tenant("real", "enterprise")?;
        let mut client = target.caller(&tenant.key);
        let read = Shot::read_of_a_deal(&mut client, &tenant.key).await?;
        Ok(Self { client, read })
    }

    /// Reads during a flood. No read may fail.
    async fn read_during(
        &mut self,
        findings: &mut Findings,
        target: &Target,
        what: &str,
        shot: impl Fn(usize) -> Shot + Send + Sync + 'static,
    ) {
        let flood = Flood::endless(target.address, CONNECTIONS, shot);
        tokio::time::sleep(WARM_UP).await;
        let reads = in_a_row(&mut self.client, vec![self.read.clone(); READS]).await;
        let tally = flood.stop().await;
        let what = format!("failed reads of {READS} during {what} ({})", tally.summary());
        findings.at_most(&what, 0, reads.other_than(200), "");
    }
}

/// Well-formed keys that do not exist: each has to be looked up.
pub(super) async fn forged_keys(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let mut reader = Reader::new(&target).await?;
    let start = target.memory()?.now;
    let mut findings = Findings::default();
    let shot = |number| Shot::get("/api/v1/projects").key(forged(number)).from(anywhere(number));
    reader.read_during(&mut findings, &target, "requests with keys that do not exist", shot).await;
    findings.at_most("memory", MAX_MIB, target.memory()?.now.saturating_sub(start), "MiB more");
    Ok(findings)
}

/// The probes need no credentials and count against no limit, so they have to be cheap.
pub(super) async fn probes(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let mut reader = Reader::new(&target).await?;
    let mut findings = Findings::default();
    for path in ["/readyz", "/healthz"] {
        let shot = move |number| Shot::get(path).from(anywhere(number));
        reader.read_during(&mut findings, &target, &format!("a flood of {path}"), shot).await;
    }
    Ok(findings)
}

/// A well-formed key with a valid checksum.
fn forged(number: usize) -> String {
    let mut text = format!("svc_{number:012}{}", "A".repeat(32));
    let mut rest = crc32fast::hash(text.as_bytes()) as usize;
    let mut checksum = [b'0'; 6];
    for digit in checksum.iter_mut().rev() {
        *digit = ALPHABET[rest % ALPHABET.len()];
        rest /= ALPHABET.len();
    }
    text.extend(checksum.map(char::from));
    text
}
