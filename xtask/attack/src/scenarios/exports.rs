//! X15: several sessions of a workspace download large exports at the same time.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use test_support::load::http::{Client, in_workspace};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::{Findings, Lab, Target};
use crate::background::Outcome;
use crate::neighbour::Neighbour;

/// Exports that may run at the same time in a workspace, and those of members alone: one place is reserved for admins.
const MAX_RUNNING: u64 = 2;
const MAX_RUNNING_OF_MEMBERS: u64 = 1;
const MEMBERS: usize = 4;
const SESSIONS: [usize; 3] = [1, 2, 6];

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start_with(lab, lab.data_folder()?, |program| {
        // By default, a session may start only ten a minute.
        program.with("SERVICE_LIMIT_BULK", "1000000")
    })?;
    let tenant = target.tenant("acme", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let mut client = target.caller(&tenant.key);
    let description = "\u{20000}".repeat(50_000);
    for number in 0..lab.pick(30, 500) {
        let task = json!({"kind": "task", "title": format!("Task {number}"), "description": description});
        client.create("/api/v1/issues", &task).await?;
    }
    let mut sessions = Vec::new();
    for number in 0..SESSIONS[SESSIONS.len() - 1] {
        let admin = tenant.add_member(&target.program, &format!("admin{number}"), "admin")?;
        sessions.push(tenant.cookies_of(target.address, &admin).await?);
    }
    let neighbour = Neighbour::move_in(lab, &target).await?;
    let mut findings = Findings::default();
    for count in SESSIONS {
        let exports = Exports::begin(target.address, sessions[..count].to_vec());
        neighbour.during(&format!("exports of {count} sessions"), &mut findings).await?;
        let results = exports.stop().await?;
        eprintln!("attack: exports of {count} sessions: {} MiB, {} refused", results.bytes >> 20, results.refused);
        findings.at_most(&format!("concurrent exports of {count} sessions"), MAX_RUNNING, results.most, "");
    }
    let mut members = Vec::new();
    for number in 0..MEMBERS {
        let member = tenant.add_member(&target.program, &format!("member{number}"), "member")?;
        members.push(tenant.cookies_of(target.address, &member).await?);
    }
    let exports = Exports::begin(target.address, members);
    neighbour.during("exports of members", &mut findings).await?;
    let results = exports.stop().await?;
    findings.at_most("concurrent exports of members", MAX_RUNNING_OF_MEMBERS, results.most, "");
    findings.at_most("memory after exports", 500, target.memory()?.peak, "MiB");
    Ok(findings)
}

/// The results of the exports.
#[derive(Default, Clone, Copy)]
struct Counts {
    bytes: u64,
    refused: u64,
    running: u64,
    /// The largest number that ran at the same time.
    most: u64,
}

impl Counts {
    fn begin(&mut self) {
        self.running += 1;
        self.most = self.most.max(self.running);
    }
}

/// Exports in a loop, one per session, on a thread that leaves the cores to the service.
struct Exports {
    stop: watch::Sender<bool>,
    results: Outcome<Counts>,
}

impl Exports {
    fn begin(service: SocketAddr, sessions: Vec<String>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let results = Outcome::at_lowest_priority(move |runtime| {
            runtime.block_on(async {
                let counts = Arc::new(Mutex::new(Counts::default()));
                let mut all = JoinSet::new();
                for cookies in sessions {
                    let (counts, mut stopped) = (Arc::clone(&counts), stopped.clone());
                    all.spawn(async move {
                        let work = async {
                            loop {
                                // A dropped connection counts as an attempt.
                                let _ = export(service, &cookies, &counts).await;
                            }
                        };
                        tokio::select! { () = work => {}, _ = stopped.changed() => {} }
                    });
                }
                while all.join_next().await.is_some() {}
                Ok(*locked(&counts))
            })
        });
        Self { stop, results }
    }

    async fn stop(self) -> anyhow::Result<Counts> {
        let _ = self.stop.send(true);
        self.results.wait().await
    }
}

fn locked(counts: &Mutex<Counts>) -> MutexGuard<'_, Counts> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Downloads one export as fast as the service sends it.
async fn export(service: SocketAddr, cookies: &str, counts: &Mutex<Counts>) -> anyhow::Result<()> {
    let mut stream = Client::new(service).open().await?.stream;
    let path = in_workspace(cookies, "/export/tasks");
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut buffer = vec![0; 64 * 1024];
    let first = stream.read(&mut buffer).await?;
    if !buffer[..first].starts_with(b"HTTP/1.1 200") {
        locked(counts).refused += 1;
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        return Ok(());
    }
    locked(counts).begin();
    let read = loop {
        match stream.read(&mut buffer).await {
            Ok(0) => break Ok(()),
            Ok(bytes) => locked(counts).bytes += bytes as u64,
            Err(error) => break Err(error.into()),
        }
    };
    locked(counts).running -= 1;
    read
}
