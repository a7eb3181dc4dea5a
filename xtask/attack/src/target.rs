//! The attacked service, and how it is measured from outside.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use tempfile::TempDir;
use test_support::load::http::Client;
use test_support::load::tenant::Tenant;
use test_support::program::{Program, Service, free_address};

use crate::lab::Lab;

const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// How long measured values may take to settle.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(30);
/// Number of log lines that are printed.
const MAX_ERRORS: usize = 5;
const MIB: u64 = 1_024 * 1_024;

/// A running service. Dropping the value stops it and removes its data.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) program: Program,
    pub(crate) address: SocketAddr,
    pub(crate) admin: SocketAddr,
    service: Service,
    log: PathBuf,
    // Declared last: the service stops before its folder is removed.
    folder: TempDir,
}

impl Target {
    /// Starts the service with default settings, behind a trusted proxy on 127.0.0.1.
    pub(crate) fn start(lab: &Lab) -> anyhow::Result<Self> {
        Self::start_with(lab, lab.data_folder()?, |program| program)
    }

    /// Starts the service with more settings.
    pub(crate) fn start_with(
        lab: &Lab,
        folder: TempDir,
        configure: impl FnOnce(Program) -> Program,
    ) -> anyhow::Result<Self> {
        let log = folder.path().join("service.log");
        let admin = free_address()?;
        let program = Program::new(&lab.binary, folder.path())
            .with("SERVICE_LOG", "warn")
            .with("SERVICE_TRUSTED_PROXIES", "127.0.0.1")
            .with("SERVICE_ADMIN_BIND", &admin.to_string())
            .logging_to(&log);
        let program = configure(program);
        let service = program.start_dispatching("inside")?;
        Ok(Self { address: service.address, admin, program, service, log, folder })
    }

    /// Creates a workspace with the limits of a plan.
    pub(crate) fn tenant(&self, slug: &str, plan: &str) -> anyhow::Result<Tenant> {
        Tenant::on_plan(&self.program, slug, plan)
    }

    /// A client without credentials, at an address behind the proxy.
    pub(crate) fn client(&self, address: &str) -> Client {
        Client::new(self.address).patient().forwarded_for(address)
    }

    /// A client with this key or token.
    pub(crate) fn caller(&self, credential: &str) -> Client {
        Client::new(self.address).patient().with_key(credential)
    }

    /// Current memory of the process.
    pub(crate) fn memory(&self) -> anyhow::Result<Memory> {
        Ok(Memory { now: self.status_of("VmRSS:")? / 1_024, peak: self.status_of("VmHWM:")? / 1_024 })
    }

    /// Threads of the process.
    pub(crate) fn threads(&self) -> anyhow::Result<u64> {
        self.status_of("Threads:")
    }

    fn status_of(&self, name: &str) -> anyhow::Result<u64> {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.service.pid)).context("the service has ended")?;
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let value = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        value.with_context(|| format!("no {name} in the status of the service"))
    }

    /// Number of open connections from an address.
    pub(crate) fn connections_of(&self, source: Ipv4Addr) -> anyhow::Result<u64> {
        let source = format!("{:08X}:", source.to_bits().swap_bytes());
        self.connections(|remote, state, _| remote.starts_with(&source) && state == "01")
    }

    /// Number of connections with data that the client has not read.
    pub(crate) fn unsent(&self) -> anyhow::Result<u64> {
        self.connections(|_, _, queues| queues.split(':').next().is_some_and(|to_send| to_send != "00000000"))
    }

    /// Number of connections whose remote address, state, and sizes of the send and receive queues fit.
    fn connections(&self, fits: impl Fn(&str, &str, &str) -> bool) -> anyhow::Result<u64> {
        let connections = fs::read_to_string("/proc/net/tcp").context("cannot read the connections of this machine")?;
        let port = format!(":{:04X}", self.address.port());
        let is_counted = |line: &&str| match *line.split_whitespace().collect::<Vec<_>>() {
            [_, local, remote, state, queues, ..] => local.ends_with(&port) && fits(remote, state, queues),
            _ => false,
        };
        Ok(connections.lines().skip(1).filter(is_counted).count() as u64)
    }

    /// The size of the tables in MiB.
    pub(crate) fn tables(&self) -> anyhow::Result<u64> {
        Ok(size_of(&self.folder.path().join("postgres/base"))? / MIB)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The log of the service.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The e-mails to an address so far.
    pub(crate) fn emails_to(&self, address: &str) -> anyhow::Result<Vec<String>> {
        let folder = self.folder.path().join("mails");
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let mut texts = Vec::new();
        for file in fs::read_dir(folder)? {
            let text = fs::read_to_string(file?.path()).unwrap_or_default();
            let is_to = |line: &str| line.starts_with("To:") && line.contains(address);
            if text.lines().take_while(|line| !line.is_empty()).any(is_to) {
                texts.push(text);
            }
        }
        Ok(texts)
    }

    /// Waits until a number stops changing, and returns it.
    pub(crate) async fn settled(
        &self,
        quiet: Duration,
        read: impl Fn(&Self) -> anyhow::Result<u64>,
    ) -> anyhow::Result<u64> {
        let start = Instant::now();
        let mut last = (read(self)?, Instant::now());
        while last.1.elapsed() < quiet && start.elapsed() < SETTLE_TIMEOUT + quiet {
            tokio::time::sleep(POLL_INTERVAL).await;
            let now = read(self)?;
            if now != last.0 {
                last = (now, Instant::now());
            }
        }
        Ok(last.0)
    }

    /// Waits until a condition is true. Returns whether it became true in time.
    pub(crate) async fn eventually(
        &self,
        within: Duration,
        condition: impl Fn(&Self) -> anyhow::Result<bool>,
    ) -> anyhow::Result<bool> {
        let start = Instant::now();
        while !condition(self)? {
            if start.elapsed() > within {
                return Ok(false);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(true)
    }

    /// The text of `/metrics`, from the address at which this service serves it.
    pub(crate) async fn metrics(&self) -> anyhow::Result<String> {
        let mut client = match Client::connect(self.admin, None).await {
            Ok(client) => client,
            Err(_) => Client::new(self.address),
        };
        client.text("/metrics").await
    }
}

impl Drop for Target {
    /// Prints errors from the log, which is removed with the folder: an attack should cause none.
    fn drop(&mut self) {
        for line in self.log().lines().filter(|line| line.contains("ERROR")).take(MAX_ERRORS) {
            eprintln!("attack: the service logged: {line}");
        }
    }
}

/// Resident memory in MiB.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    pub(crate) now: u64,
    pub(crate) peak: u64,
}

fn size_of(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    if folder.ends_with("pgsql_tmp") {
        // Temporary files of running statements.
        return Ok(0);
    }
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?.flatten() {
        // Files appear and disappear while Postgres runs.
        let Ok(about) = entry.metadata() else { continue };
        bytes += if about.is_dir() { size_of(&entry.path())? } else { about.len() };
    }
    Ok(bytes)
}
