//! `doctor`: finds what keeps an installation from working well, and suggests fixes. It changes nothing.

mod database;
mod disk;
mod files;
mod finding;
mod http;
mod memory;
mod network;
mod ports;
mod privileges;
mod settings;
mod stored;
mod transport;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use finding::{CheckResult, Finding, Status, lines};

use crate::config::Config;
use crate::config_args::ConfigArgs;

/// The time limit for checks that run at the same time.
const TIMEOUT: Duration = Duration::from_secs(15);

/// What the checks examine.
struct Installation {
    config: Config,
    config_file: Option<PathBuf>,
}

type Check<T> = fn(&T) -> Vec<Finding>;

/// The checks that need no database.
const MACHINE_CHECKS: &[(&str, Check<Installation>)] = &[
    ("files", files::check),
    ("disk_space", disk::check),
    ("ports", ports::check),
    ("public_url", network::public_url),
    ("webhooks", network::webhooks),
    ("mail_server", network::mail_server),
    ("redis", network::redis),
    ("database_tls", transport::check),
];

/// Prints the findings. Fails if any of them is an error.
pub(crate) fn run(given: ConfigArgs, json: bool) -> anyhow::Result<()> {
    let results = examine(given);
    let value = serde_json::to_value(&results)?;
    crate::commands::print(json, &value, &lines(&results));
    let errors = results.iter().filter(|result| result.finding.status == Status::Error).count();
    anyhow::ensure!(errors == 0, "errors found: {errors}");
    Ok(())
}

fn examine(given: ConfigArgs) -> Vec<CheckResult> {
    let (mut results, installation) = settings::check(given);
    let Some(installation) = installation else {
        let rest = MACHINE_CHECKS.iter().map(|(name, _)| *name).chain(database::names());
        results.extend(
            rest.map(|check| CheckResult { check, finding: Finding::not_checked("the settings cannot be used") }),
        );
        return results;
    };
    let installation = Arc::new(installation);
    // Before the checks of the database, because starting the embedded cluster may open the data folder to the account of Postgres.
    let machine_results = run_concurrently(&installation, MACHINE_CHECKS);
    results.extend(database::check(&installation));
    results.extend(machine_results);
    results
}

/// Runs the checks at the same time, each on its own thread. A check that takes too long is abandoned, because the process ends soon.
fn run_concurrently<T: Send + Sync + 'static>(
    target: &Arc<T>,
    checks: &[(&'static str, Check<T>)],
) -> Vec<CheckResult> {
    let end = Instant::now() + TIMEOUT;
    let running: Vec<_> = checks.iter().map(|(name, check)| (*name, spawn(target, *check))).collect();
    let finished = running.into_iter().flat_map(|(check, receiver)| {
        let remaining = end.saturating_duration_since(Instant::now());
        let findings = receiver.recv_timeout(remaining).unwrap_or_else(|_| {
            let message = format!("did not finish within {} s", TIMEOUT.as_secs());
            vec![Finding::error(message, "find out why it hangs, and try again")]
        });
        findings.into_iter().map(move |finding| CheckResult { check, finding })
    });
    finished.collect()
}

fn spawn<T: Send + Sync + 'static>(target: &Arc<T>, check: Check<T>) -> mpsc::Receiver<Vec<Finding>> {
    let (sender, results) = mpsc::channel();
    let target = Arc::clone(target);
    // Fails if the caller has stopped waiting.
    std::thread::spawn(move || drop(sender.send(check(&target))));
    results
}
