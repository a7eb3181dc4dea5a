//! Well-formed keys that do not exist: each has to be looked up.

use std::time::Duration;

use test_support::load::http::Client;

use crate::flood::{Flood, Shot, in_a_row};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const CONNECTIONS: usize = 100;
const READS: usize = 100;
const MAX_MIB: u64 = 60;
const WARM_UP: Duration = Duration::from_secs(1);
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("real", "enterprise")?;
    let mut client = Client::new(target.address).patient().with_key(&tenant.key);
    let read = Shot::read_of_a_deal(&mut client, &tenant.key).await?;
    let start = target.memory()?.now;
    let flood = Flood::endless(target.address, CONNECTIONS, |number| {
        Shot::get("/api/v1/projects").key(forged(number)).from(anywhere(number))
    });
    tokio::time::sleep(WARM_UP).await;
    let reads = in_a_row(&mut client, vec![read; READS]).await;
    let tally = flood.stop().await;
    let mut findings = Findings::default();
    let what = format!("failed reads of {READS} during requests with keys that do not exist ({})", tally.summary());
    findings.at_most(&what, 0, reads.other_than(200), "");
    findings.at_most("memory", MAX_MIB, target.memory()?.now.saturating_sub(start), "MiB more");
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
