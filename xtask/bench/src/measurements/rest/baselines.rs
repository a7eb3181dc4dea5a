//! What the service is compared with: the same work in the database alone, by pgbench, and an empty HTTP server.
//!
//! A service that added no time to them would handle 1 / (1 / empty + 1 / pgbench) requests per second.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};
use tokio::process::Command;

use super::kinds::{FILTERED_LIST, Kind};

/// About the size of a deal's event.
const PAYLOAD_BYTES: usize = 700;

/// pgbench, connected to the database of the service.
pub(super) struct PgBench {
    program: PathBuf,
    url: String,
    /// Keeps the Postgres that the service started running.
    _cluster: Cluster,
    /// The variables of the scripts.
    variables: Vec<(&'static str, String)>,
}

/// The records that the scripts use.
pub(super) struct Records<'a> {
    pub(super) workspace: &'a str,
    pub(super) deal: &'a str,
    pub(super) project: &'a str,
    pub(super) tasks: &'a [String],
}

impl PgBench {
    /// `None` if this machine has no pgbench, which the Postgres wheel does not include.
    pub(super) fn find(data: &Path, records: &Records<'_>) -> anyhow::Result<Option<Self>> {
        let programs = Programs::find_for(data)?;
        let program = programs.program("pgbench");
        if !program.is_file() {
            return Ok(None);
        }
        let cluster = Cluster::join_or_start(&programs, &ClusterOptions::new(data, Durability::Full))?;
        let payload = serde_json::json!({ "data": "x".repeat(PAYLOAD_BYTES) }).to_string();
        let variables = vec![
            ("workspace", records.workspace.to_owned()),
            ("deal", records.deal.to_owned()),
            ("project", records.project.to_owned()),
            ("tasks", format!("{{{}}}", records.tasks.join(","))),
            ("payload", payload),
        ];
        Ok(Some(Self { program, url: cluster.database_url(DATABASE), _cluster: cluster, variables }))
    }

    /// Transactions per second of the script for this kind of request; `None` if there is none.
    pub(super) async fn per_second(
        &self,
        kind: &Kind,
        connections: usize,
        duration: Duration,
    ) -> anyhow::Result<Option<f64>> {
        let Some(script) = script(kind) else { return Ok(None) };
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("script.sql");
        std::fs::write(&file, script)?;
        let mut command = Command::new(&self.program);
        command.args(["--no-vacuum", "--protocol=prepared"]).arg("--file").arg(&file);
        command.arg(format!("--client={connections}")).arg(format!("--jobs={}", connections.min(2)));
        command.arg(format!("--time={}", duration.as_secs().max(1)));
        for (name, value) in &self.variables {
            command.arg(format!("--define={name}={value}"));
        }
        let output = command.arg(&self.url).stdin(Stdio::null()).kill_on_drop(true).output().await;
        let output = output.with_context(|| format!("cannot run {}", self.program.display()))?;
        let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        ensure!(output.status.success(), "pgbench, {}: {errors}", kind.what());
        let rate = transactions_per_second(&printed).with_context(|| format!("pgbench printed no rate: {printed}"))?;
        Ok(Some(rate))
    }
}

/// The statements that a client without a service would send. They do not follow changes to the service's statements.
fn script(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::GetDeal { .. } => Some(include_str!("get.sql")),
        Kind::List(list) => (list.what == FILTERED_LIST).then_some(include_str!("list.sql")),
        Kind::CreateContact => Some(include_str!("create-contact.sql")),
        Kind::CreateDeal => Some(include_str!("create-deal.sql")),
        Kind::CreateTask { .. } => Some(include_str!("create-task.sql")),
        Kind::BulkUpdate { .. } => Some(include_str!("bulk-update.sql")),
    }
}

/// From the line `tps = 1234.5 (without initial connection time)`.
fn transactions_per_second(printed: &str) -> Option<f64> {
    let rate = printed.lines().find_map(|line| line.strip_prefix("tps = "))?;
    rate.split(' ').next()?.parse().ok()
}

/// The highest possible rate of a service that adds nothing to the HTTP server and the database.
pub(super) fn limit(empty: f64, database: f64) -> f64 {
    1.0 / (1.0 / empty + 1.0 / database)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read_from_what_pgbench_prints() {
        let printed = "number of failed transactions: 0 (0.000%)\nlatency average = 0.2 ms\n\
                       tps = 9876.543210 (without initial connection time)\n";
        assert_eq!(transactions_per_second(printed).map(f64::round), Some(9_877.0));
        assert_eq!(transactions_per_second("pgbench: error"), None);
    }

    #[test]
    fn the_limit_is_the_rate_of_both_in_sequence() {
        assert!((limit(40_000.0, 10_000.0) - 8_000.0).abs() < 1e-6);
    }
}
