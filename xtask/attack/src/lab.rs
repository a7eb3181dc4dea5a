//! What scenarios run with: the binary, the scale, and a data directory to copy.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;
use tempfile::TempDir;
use test_support::load::http::Client;
use test_support::program::{Program, data_folder};

/// How large a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// For every merge: checks rows, bytes, connections and memory.
    Short,
    /// Also checks times.
    Full,
}

/// What all scenarios share.
#[derive(Debug)]
pub(crate) struct Lab {
    pub(crate) binary: PathBuf,
    pub(crate) scale: Scale,
    /// A data directory after a first start: copying it is quicker than initializing a cluster for each scenario.
    prepared: TempDir,
}

impl Lab {
    pub(crate) async fn new(binary: PathBuf, scale: Scale) -> anyhow::Result<Self> {
        let prepared = data_folder()?;
        let service = Program::new(&binary, prepared.path()).with("SERVICE_LOG", "warn").start_dispatching("off")?;
        Client::new(service.address).send("GET", "/readyz", &Value::Null, 200).await?;
        service.stop()?;
        let record = prepared.path().join("postgres/postmaster.pid");
        ensure!(!record.exists(), "the prepared cluster is still running");
        Ok(Self { binary, scale, prepared })
    }

    /// The number for this scale.
    pub(crate) fn pick<T>(&self, short: T, full: T) -> T {
        match self.scale {
            Scale::Short => short,
            Scale::Full => full,
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.scale == Scale::Full
    }

    /// A copy of the prepared data directory.
    pub(crate) fn data_folder(&self) -> anyhow::Result<TempDir> {
        let folder = data_folder()?;
        // Preserves ownership: Postgres does not run as root, but the service may.
        let copied = Command::new("cp").arg("-a").arg(self.prepared.path().join(".")).arg(folder.path()).status();
        ensure!(copied.context("cannot run cp")?.success(), "cannot copy the prepared data directory");
        Ok(folder)
    }
}
