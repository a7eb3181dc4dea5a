//! Checks that workspaces do not wait for each other when their requests lock a row of a reference table.
//!
//! Unless the statement also reads a sharded table, Citus locks the whole reference table, on the first worker before all others.

use std::fmt::Write as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value as Json, json};
use test_support::program::{PASSWORD, Service};

use super::http::Client;
use super::nodes::{COORDINATOR, Nodes, WORKERS};
use super::{pause, smoke};
use crate::clients::service::{make_key, sign_in};

const WORKSPACES: usize = 6;
/// Repetitions of each request in each workspace.
const ROUNDS: usize = 15;
/// Log messages about transactions that waited for each other.
const WAIT_MESSAGES: &[&str] = &["deadlock detected", "involved in a distributed deadlock", "due to lock timeout"];
/// How long the service may take to notice that a node is gone.
const NOTICE_TIMEOUT: Duration = Duration::from_mins(1);

/// The client of one workspace.
#[derive(Clone)]
struct Caller {
    slug: String,
    client: Client,
    owner: Client,
    member: String,
}

impl Caller {
    fn make(service: &Service, slug: String) -> Result<Self> {
        let client = Client { address: service.address.to_string(), key: make_key(service, &slug)? };
        let email = format!("owner@{slug}.example");
        service.program.create_user(&slug, &email, "owner", &[])?;
        let owner = Client { key: sign_in(service, &slug, &email, PASSWORD)?, ..client.clone() };
        let members = client.send("GET", "/api/v1/members", None)?;
        let member = members.body.pointer("/data/0/id").and_then(Json::as_str);
        let member = member.with_context(|| format!("no member in {members:?}"))?.to_owned();
        Ok(Self { slug, client, owner, member })
    }

    /// Creates a task that refers to a member.
    fn task(&self) -> Result<()> {
        let task = json!({"kind": "task", "title": "Call back", "assignee_id": self.member});
        create(&self.client, "/api/v1/issues", &task)
    }

    /// Creates an article, which locks the workspace to check that the address is unique.
    fn article(&self) -> Result<()> {
        create(&self.owner, "/api/settings/kb/articles", &json!({"title": "How to descale", "body": "Press Clean."}))
    }

    /// Creates a key, which locks the workspace to count its keys.
    fn key(&self) -> Result<()> {
        create(&self.owner, "/api/settings/api-keys", &json!({"name": "Form", "preset": "read_only"}))
    }

    fn each(&self) -> Result<()> {
        self.task()?;
        self.article()
    }
}

fn create(client: &Client, path: &str, body: &Json) -> Result<()> {
    let response = client.send("POST", path, Some(body))?;
    ensure!(response.status == 201, "POST {path}: {response:?}");
    Ok(())
}

pub(super) fn run(program: &Path, folder: &Path, nodes: &mut Nodes) -> Result<()> {
    let service = smoke::service(program, &smoke::mkdir(folder, "locks")?, Some(&nodes.url(COORDINATOR)))?;
    let (mut callers, mut is_elsewhere) = (Vec::new(), false);
    while callers.len() < WORKSPACES || !is_elsewhere {
        let caller = Caller::make(&service, format!("lock-{}", callers.len()))?;
        is_elsewhere |= nodes.place_of(&caller.slug)?.1 != nodes.port(WORKERS[0]);
        callers.push(caller);
    }
    let checked = all_at_once(nodes, &callers).and_then(|()| without_the_first_worker(nodes, &callers));
    checked.with_context(|| format!("the service logged: {}", service.program.log()))?;
    service.stop()
}

fn all_at_once(nodes: &Nodes, callers: &[Caller]) -> Result<()> {
    let before = waits(nodes)?;
    let began = Instant::now();
    let requests = [Caller::task, Caller::article, Caller::key];
    let threads: Vec<_> = callers
        .iter()
        .flat_map(|caller| requests.map(|request| (caller.clone(), request)))
        .map(|(caller, request)| thread::spawn(move || (0..ROUNDS).try_for_each(|_| request(&caller))))
        .collect();
    let mut failures = String::new();
    for thread in threads {
        match thread.join() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => writeln!(failures, "{error:#}")?,
            Err(_) => bail!("a client panicked"),
        }
    }
    let waited = waits(nodes)? - before;
    ensure!(
        failures.is_empty() && waited == 0,
        "transactions of different workspaces waited for each other, {waited} until one was cancelled: {failures}"
    );
    let count = callers.len() * requests.len() * ROUNDS;
    println!(
        "citus: {count} requests of {} workspaces that lock rows of reference tables in {:.1?}, none waited",
        callers.len(),
        began.elapsed()
    );
    Ok(())
}

/// The first worker is the node on which Citus takes such locks first.
fn without_the_first_worker(nodes: &mut Nodes, callers: &[Caller]) -> Result<()> {
    let mut on_other_worker = Vec::new();
    for caller in callers {
        if nodes.place_of(&caller.slug)?.1 != nodes.port(WORKERS[0]) {
            on_other_worker.push(caller);
        }
    }
    for caller in &on_other_worker {
        // Requests that queue an e-mail reach all nodes.
        let silent = caller.owner.send("PATCH", "/api/account", Some(&json!({"notify_assigned": false})))?;
        ensure!(silent.status == 200, "PATCH /api/account: {silent:?}");
    }
    nodes.kill(WORKERS[0])?;
    let began = Instant::now();
    for caller in &on_other_worker {
        while let Err(error) = caller.each() {
            ensure!(
                began.elapsed() < NOTICE_TIMEOUT,
                "the first worker is down, and a workspace on another one gets: {error:#}"
            );
            pause(Duration::from_millis(500));
        }
    }
    nodes.start_again(WORKERS[0])?;
    println!(
        "citus: without the first worker, {} workspaces on the other one lock rows of reference tables",
        on_other_worker.len()
    );
    Ok(())
}

/// The number of transactions that were cancelled because they waited for another one.
fn waits(nodes: &Nodes) -> Result<usize> {
    let logs = nodes.logs()?;
    Ok(logs.lines().filter(|line| WAIT_MESSAGES.iter().any(|message| line.contains(message))).count())
}
