//! Kills nodes and moves shards while records are written.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::http::{Client, Response};
use super::nodes::{COORDINATOR, Nodes, WORKERS};
use super::{pause, smoke};
use crate::clients::service::make_key;

/// Number of workspaces, which are on different shards.
const WORKSPACES: usize = 6;
const COMPANIES: &str = "/api/v1/crm/companies";
/// Duration of load before and after a fault.
const LOAD_DURATION: Duration = Duration::from_secs(3);
/// How long the service may take to recover once its database is back.
const RECOVERY: Duration = Duration::from_mins(1);

pub(super) fn run(program: &Path, folder: &Path, nodes: &mut Nodes) -> Result<()> {
    let service = smoke::service(program, &smoke::mkdir(folder, "faults")?, Some(&nodes.url(COORDINATOR)))?;
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

/// The responses to clients that create companies and read each one immediately.
#[derive(Default)]
struct Responses {
    /// Client and id of each created company.
    created: Vec<(usize, String)>,
    unavailable: usize,
    /// Any other response.
    wrong: Vec<String>,
}

/// Creates and reads companies until it is stopped.
struct Load {
    stop: Arc<AtomicBool>,
    responses: Arc<Mutex<Responses>>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Load {
    fn start(clients: &[Client]) -> Self {
        let (stop, responses) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Responses::default())));
        let threads = clients.iter().cloned().enumerate().map(|(index, client)| {
            let (stop, responses) = (stop.clone(), responses.clone());
            thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let result = client.send("POST", COMPANIES, Some(&json!({"name": "Loaded"})));
                    let Some(id) = record(&responses, result, 201).and_then(|response| response.id()) else { continue };
                    record(&responses, client.send("GET", &format!("{COMPANIES}/{id}"), None), 200);
                    record(&responses, client.send("GET", COMPANIES, None), 200);
                    responses.lock().unwrap_or_else(PoisonError::into_inner).created.push((index, id));
                }
            })
        });
        let threads = threads.collect();
        Self { stop, responses, threads }
    }

    fn end(self) -> Responses {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads {
            let _ = thread.join();
        }
        std::mem::take(&mut *self.responses.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Records the response, and returns it if it has the expected status.
fn record(responses: &Mutex<Responses>, result: Result<Response>, expected: u16) -> Option<Response> {
    let mut responses = responses.lock().unwrap_or_else(PoisonError::into_inner);
    match result {
        Ok(response) if response.status == expected => return Some(response),
        Ok(response) if response.status == 503 => responses.unavailable += 1,
        Ok(response) => responses.wrong.push(format!("{response:?}")),
        Err(error) => responses.wrong.push(format!("{error:#}")),
    }
    None
}

fn kill_under_load(nodes: &mut Nodes, clients: &[Client], number: usize) -> Result<()> {
    let load = Load::start(clients);
    pause(LOAD_DURATION);
    nodes.kill(number)?;
    pause(LOAD_DURATION);
    nodes.start_again(number)?;
    pause(LOAD_DURATION);
    let responses = load.end();
    ensure!(
        responses.wrong.is_empty(),
        "node {number} was killed, and responses were not 201 or 503: {:?}",
        first(&responses.wrong)
    );
    ensure!(responses.unavailable > 0, "node {number} was killed, and no request failed");
    all_there(clients, &responses.created)?;
    println!(
        "citus: node {number} killed under load: {} created and there, {} responses 503, none else",
        responses.created.len(),
        responses.unavailable
    );
    Ok(())
}

/// Checks that all acknowledged companies exist. Also waits until the service has recovered.
fn all_there(clients: &[Client], created: &[(usize, String)]) -> Result<()> {
    let began = Instant::now();
    for (place, id) in created {
        loop {
            let response = clients[*place].send("GET", &format!("{COMPANIES}/{id}"), None)?;
            if response.status == 200 {
                break;
            }
            ensure!(
                response.status == 503 && began.elapsed() < RECOVERY,
                "company {id} was acknowledged, and then: {response:?}"
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
    let (_, port) = nodes.place_of("fault-0")?;
    ensure!(port == to, "the shard was to be moved to {to}, and is on {port}");
    Ok(())
}

/// Moves the second workspace to its own shard on the other worker. `isolate_tenant_to_new_shard` creates the shard on the same
/// worker, where Citus 13.2 starts recording changes before it creates the primary keys. An UPDATE in between hangs it.
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
    change_under_load(nodes, clients, "a workspace got its own shard", &sql)?;
    let (new, _) = nodes.place_of("fault-1")?;
    let values = "SELECT shardmaxvalue::int - shardminvalue::int FROM pg_dist_shard WHERE shardid = ";
    let width = nodes.sql(COORDINATOR, &format!("{values}{new}"))?;
    ensure!(new != shared && width == "0", "the workspace's shard {new} has {width} more values, and was {shared}");
    Ok(())
}

/// Moves shards while all workspaces are written to.
fn change_under_load(nodes: &Nodes, clients: &[Client], what: &str, sql: &str) -> Result<()> {
    let load = Load::start(clients);
    pause(LOAD_DURATION);
    let began = Instant::now();
    let changed = nodes.sql(COORDINATOR, sql);
    let took = began.elapsed();
    pause(LOAD_DURATION);
    let responses = load.end();
    changed?;
    ensure!(
        responses.wrong.is_empty() && responses.unavailable == 0,
        "{what}, and requests failed: {} responses 503, and {:?}",
        responses.unavailable,
        first(&responses.wrong)
    );
    all_there(clients, &responses.created)?;
    println!("citus: {what} under load in {took:.1?}: {} created and there, none failed", responses.created.len());
    Ok(())
}

fn first(wrong: &[String]) -> &[String] {
    &wrong[..wrong.len().min(5)]
}
