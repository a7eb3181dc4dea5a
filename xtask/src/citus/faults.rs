//! Nodes that are killed and shards that move while records are written.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::http::{Answer, Client};
use super::nodes::{COORDINATOR, Nodes, WORKERS};
use super::{pause, smoke};
use crate::clients::service::make_key;

/// Workspaces, which lie on different shards.
const WORKSPACES: usize = 6;
const COMPANIES: &str = "/api/v1/crm/companies";
/// Of load before and after a fault.
const WHILE: Duration = Duration::from_secs(3);
/// Until the service answers again after its database is back.
const RECOVERY: Duration = Duration::from_mins(1);

pub(super) fn run(program: &Path, folder: &Path, nodes: &mut Nodes) -> Result<()> {
    let service = smoke::service(program, &smoke::made(folder, "faults")?, Some(&nodes.url(COORDINATOR)))?;
    let mut clients = Vec::new();
    for number in 0..WORKSPACES {
        let key = make_key(&service, &format!("fault-{number}"))?;
        clients.push(Client { address: service.address.to_string(), key });
    }
    all(nodes, &clients).with_context(|| format!("the service logged: {}", service.program.log()))?;
    service.stop()
}

fn all(nodes: &mut Nodes, clients: &[Client]) -> Result<()> {
    for number in WORKERS.into_iter().chain([COORDINATOR]) {
        kill_under_load(nodes, clients, number)?;
    }
    move_under_load(nodes, clients)?;
    isolate_under_load(nodes, clients)
}

/// What clients were told while they created companies, and read each at once.
#[derive(Default)]
struct Told {
    /// Client and id.
    created: Vec<(usize, String)>,
    unavailable: usize,
    /// Any other answer.
    wrong: Vec<String>,
}

/// Creates and reads companies until it is stopped.
struct Load {
    stop: Arc<AtomicBool>,
    told: Arc<Mutex<Told>>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Load {
    fn start(clients: &[Client]) -> Self {
        let (stop, told) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Told::default())));
        let threads = clients.iter().cloned().enumerate().map(|(place, client)| {
            let (stop, told) = (stop.clone(), told.clone());
            thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let sent = client.send("POST", COMPANIES, Some(&json!({"name": "Loaded"})));
                    let Some(id) = note(&told, sent, 201).and_then(|answer| answer.id()) else { continue };
                    note(&told, client.send("GET", &format!("{COMPANIES}/{id}"), None), 200);
                    note(&told, client.send("GET", COMPANIES, None), 200);
                    told.lock().unwrap_or_else(PoisonError::into_inner).created.push((place, id));
                }
            })
        });
        let threads = threads.collect();
        Self { stop, told, threads }
    }

    fn end(self) -> Told {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads {
            let _ = thread.join();
        }
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the answer if it is the expected one.
fn note(told: &Mutex<Told>, sent: Result<Answer>, expected: u16) -> Option<Answer> {
    let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
    match sent {
        Ok(answer) if answer.status == expected => return Some(answer),
        Ok(answer) if answer.status == 503 => told.unavailable += 1,
        Ok(answer) => told.wrong.push(format!("{answer:?}")),
        Err(error) => told.wrong.push(format!("{error:#}")),
    }
    None
}

fn kill_under_load(nodes: &mut Nodes, clients: &[Client], number: usize) -> Result<()> {
    let load = Load::start(clients);
    pause(WHILE);
    nodes.kill(number)?;
    pause(WHILE);
    nodes.start_again(number)?;
    pause(WHILE);
    let told = load.end();
    ensure!(
        told.wrong.is_empty(),
        "node {number} was killed, and answers were not 201 or 503: {:?}",
        first(&told.wrong)
    );
    ensure!(told.unavailable > 0, "node {number} was killed, and nobody noticed");
    all_there(clients, &told.created)?;
    println!(
        "citus: node {number} killed under load: {} created and there, {} answers 503, none else",
        told.created.len(),
        told.unavailable
    );
    Ok(())
}

/// Also waits until the service has recovered.
fn all_there(clients: &[Client], created: &[(usize, String)]) -> Result<()> {
    let began = Instant::now();
    for (place, id) in created {
        loop {
            let answer = clients[*place].send("GET", &format!("{COMPANIES}/{id}"), None)?;
            if answer.status == 200 {
                break;
            }
            ensure!(
                answer.status == 503 && began.elapsed() < RECOVERY,
                "company {id} was acknowledged, and then: {answer:?}"
            );
            pause(Duration::from_millis(100));
        }
    }
    Ok(())
}

/// Moves the shards of the first workspace to the other worker.
fn move_under_load(nodes: &Nodes, clients: &[Client]) -> Result<()> {
    let (shard, from) = nodes.place_of("fault-0")?;
    let to = WORKERS.map(|number| nodes.port(number)).into_iter().find(|port| *port != from);
    let to = to.context("there is no other worker")?;
    let sql = format!("SELECT citus_move_shard_placement({shard}, '127.0.0.1', {from}, '127.0.0.1', {to})");
    change_under_load(nodes, clients, "a shard was moved", &sql)?;
    let (_, there) = nodes.place_of("fault-0")?;
    ensure!(there == to, "the shard was to be moved to {to}, and is on {there}");
    Ok(())
}

/// Gives the second workspace a shard of its own, on the other worker. `isolate_tenant_to_new_shard` makes it on the same one, and
/// there the keys of new shards are made after their changes begin to be recorded: with an UPDATE in between, Citus 13.2 never ends.
fn isolate_under_load(nodes: &Nodes, clients: &[Client]) -> Result<()> {
    let (shared, _) = nodes.place_of("fault-1")?;
    let split = format!(
        "SELECT format('SELECT citus_split_shard_by_split_points({shared}, %L, %L)', array_agg(bound ORDER BY bound),
                array_fill(min(node.id), ARRAY[count(*)::int + 1]))
        FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
            CROSS JOIN (SELECT worker_hash(id)::bigint AS hash FROM workspaces WHERE slug = 'fault-1') AS workspace
            CROSS JOIN unnest(ARRAY[hash - 1, hash]) AS bound
            CROSS JOIN LATERAL (SELECT min(nodeid) AS id FROM pg_dist_node
                WHERE shouldhaveshards AND groupid NOT IN (0, pg_dist_placement.groupid)) AS node
        WHERE shardid = {shared} AND bound >= shardminvalue::bigint AND bound < shardmaxvalue::bigint"
    );
    let sql = nodes.sql(COORDINATOR, &split)?;
    change_under_load(nodes, clients, "a workspace got a shard of its own", &sql)?;
    let (own, _) = nodes.place_of("fault-1")?;
    let values = "SELECT shardmaxvalue::int - shardminvalue::int FROM pg_dist_shard WHERE shardid = ";
    let width = nodes.sql(COORDINATOR, &format!("{values}{own}"))?;
    ensure!(own != shared && width == "0", "the workspace's shard {own} has {width} more values, and was {shared}");
    Ok(())
}

/// Changes where shards are, while all workspaces are written to.
fn change_under_load(nodes: &Nodes, clients: &[Client], what: &str, sql: &str) -> Result<()> {
    let load = Load::start(clients);
    pause(WHILE);
    let began = Instant::now();
    let changed = nodes.sql(COORDINATOR, sql);
    let took = began.elapsed();
    pause(WHILE);
    let told = load.end();
    changed?;
    ensure!(
        told.wrong.is_empty() && told.unavailable == 0,
        "{what}, and requests failed: {} answers 503, and {:?}",
        told.unavailable,
        first(&told.wrong)
    );
    all_there(clients, &told.created)?;
    println!("citus: {what} under load in {took:.1?}: {} created and there, none failed", told.created.len());
    Ok(())
}

fn first(wrong: &[String]) -> &[String] {
    &wrong[..wrong.len().min(5)]
}
