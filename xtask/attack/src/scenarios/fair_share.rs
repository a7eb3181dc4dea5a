//! H4: how much heavy requests of one workspace slow down another.

use std::time::Duration;

use serde_json::json;
use test_support::load::stats::Percentiles;
use test_support::load::tenant::Tenant;

use super::{Findings, Lab, Target};
use crate::background::{BackgroundFlood, BackgroundReceiver, steadily};
use crate::flood::Shot;

const ISSUES: &str = "/api/v1/issues";
const DEALS: &str = "/api/v1/crm/deals";
/// The 99th percentile may be this many times the undisturbed one.
const MAX_SLOWDOWN: f64 = 2.0;
const HEAVY_CONNECTIONS: usize = 20;
/// Long enough for the heavy requests to fill every queue.
const WARM_UP: Duration = Duration::from_millis(500);
/// Long enough for heavy requests in flight to end.
const CALM: Duration = Duration::from_secs(3);
/// Steady load of the quiet workspace, far below what a connection can carry.
const READS_PER_SECOND: u32 = 200;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start_with(lab, lab.data_folder()?, |program| {
        // With the default, almost every bulk update would be refused.
        program.allowing_loopback_receivers().with("SERVICE_LIMIT_BULK", "1000000")
    })?;
    let (heavy, quiet) = (target.tenant("heavy", "enterprise")?, target.tenant("quiet", "enterprise")?);
    heavy.lift_limits(&target.program)?;
    quiet.lift_limits(&target.program)?;
    let read = quiet_read(&target, &quiet).await?;
    let tasks = fill(lab, &target, &heavy).await?;
    let mut findings = Findings::default();
    measure(lab, &target, &read, &mut findings, "searches of long articles", {
        let key = heavy.key.clone();
        move |number| {
            let query = ["service+manual", "printer+paper", "network+error", "invoice+order"][number % 4];
            Shot::get(format!("/api/public/kb/search?q={query}&limit=50")).key(&*key).from("20.0.0.9")
        }
    })
    .await?;
    measure(lab, &target, &read, &mut findings, "lists of 8 MB", {
        let key = heavy.key.clone();
        move |_| Shot::get(format!("{ISSUES}?limit=100")).key(&*key)
    })
    .await?;
    measure(lab, &target, &read, &mut findings, "deep pages of wide filters", {
        let key = heavy.key.clone();
        let filters = "status=open&status=on_hold&stage=discovery&stage=proposal&value_min=0&value_max=1000000";
        move |number| Shot::get(format!("{DEALS}?{filters}&limit=100&page={}", 1 + number % 100)).key(&*key)
    })
    .await?;
    let bulk = {
        let key = heavy.key.clone();
        move |number: usize| {
            let priority = ["low", "high", "urgent", "medium"][number % 4];
            let body = json!({"issueIds": tasks, "patch": {"priority": priority}});
            Shot::post(format!("{ISSUES}/bulk-update"), body).key(&*key)
        }
    };
    measure(lab, &target, &read, &mut findings, "bulk updates", bulk.clone()).await?;
    let receiver = BackgroundReceiver::start().await?;
    let mut owner = heavy.owner(target.address).await?;
    for number in 0..100 {
        let url = format!("{}/{number}", receiver.url);
        let webhook = json!({"module": "projects", "url": url, "events": ["task.updated"]});
        owner.create("/api/settings/webhooks", &webhook).await?;
    }
    measure(lab, &target, &read, &mut findings, "bulk updates with 100 webhooks", bulk).await?;
    Ok(findings)
}

/// The read by key that the quiet workspace repeats.
async fn quiet_read(target: &Target, quiet: &Tenant) -> anyhow::Result<Shot> {
    let mut client = target.caller(&quiet.key);
    Shot::read_of_a_deal(&mut client, &quiet.key).await
}

/// Creates 100 tasks of 80 KB, 500 short ones, 20,000 deals, and articles of 100,000 characters. Returns the short tasks.
async fn fill(lab: &Lab, target: &Target, heavy: &Tenant) -> anyhow::Result<Vec<String>> {
    let mut client = target.caller(&heavy.key);
    let mut tasks = Vec::new();
    for number in 0..lab.pick(50, 500) {
        let task = json!({"kind": "task", "title": format!("Task {number}")});
        tasks.push(client.create(ISSUES, &task).await?.id()?);
    }
    let text = "ß".repeat(40_000);
    for number in 0..lab.pick(20, 100) {
        client.create(ISSUES, &json!({"kind": "task", "title": format!("Long {number}"), "description": text})).await?;
    }
    for number in 0..lab.pick(100, 20_000) {
        client
            .create(DEALS, &json!({"title": format!("Deal {number}"), "value": number, "stage": "discovery"}))
            .await?;
    }
    let mut owner = heavy.owner(target.address).await?;
    for number in 0..lab.pick(20, 600) {
        let article =
            json!({"title": format!("Service manual {number}"), "body": prose(number), "status": "published"});
        owner.create("/api/settings/kb/articles", &article).await?;
    }
    Ok(tasks)
}

/// About 95,000 characters that match every query above.
fn prose(number: usize) -> String {
    const WORDS: [&str; 12] = [
        "service", "manual", "printer", "paper", "network", "error", "invoice", "order", "delivery", "customer",
        "setting", "page",
    ];
    let word = |n: usize| {
        if n.is_multiple_of(3) { WORDS[(n / 3) % 12].to_owned() } else { format!("word{}", (n * number) % 9_973) }
    };
    let mut text = String::with_capacity(96_000);
    for n in 0.. {
        if text.len() > 95_000 {
            break;
        }
        text.push_str(&word(n));
        text.push(if n % 17 == 16 { '\n' } else { ' ' });
    }
    text
}

async fn measure<F>(
    lab: &Lab,
    target: &Target,
    read: &Shot,
    findings: &mut Findings,
    what: &str,
    shot: F,
) -> anyhow::Result<()>
where
    F: Fn(usize) -> Shot + Send + Sync + 'static,
{
    let duration = Duration::from_secs(lab.pick(1, 10));
    let reads = || steadily(target.address, read, READS_PER_SECOND, duration);
    let (mut quiet, _) = reads().await?;
    let flood = BackgroundFlood::flood(target.address, HEAVY_CONNECTIONS, shot);
    tokio::time::sleep(WARM_UP).await;
    let (loaded, failed) = reads().await?;
    let tally = flood.stop().await?;
    findings.at_most(&format!("failed reads of another workspace during {what} ({})", tally.summary()), 0, failed, "");
    if lab.is_full() {
        tokio::time::sleep(CALM).await;
        quiet.extend(reads().await?.0);
        let (quiet, loaded) = (Percentiles::of(quiet), Percentiles::of(loaded));
        for (name, of_thousand) in [("p50", 500), ("p99", 990)] {
            let (quiet, loaded) = (quiet.at(of_thousand), loaded.at(of_thousand));
            let measured = format!("{:.1} times ({quiet:.2} → {loaded:.2} ms)", loaded / quiet);
            let bound = format!("≤ {MAX_SLOWDOWN:.0} times");
            findings.expect(&format!("{name} of these reads"), &bound, &measured, loaded <= quiet * MAX_SLOWDOWN);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_is_within_the_size_limit() {
        assert!((90_000..100_000).contains(&prose(7).len()));
    }
}
