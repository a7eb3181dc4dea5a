//! Small and large writers, which record what was acknowledged.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};
use test_support::load::http::{Client, TimedResponse};
use test_support::load::tenant::Tenant;

use crate::flood::summary;
use crate::postgres::Sql;

const ISSUES: &str = "/api/v1/issues";
const DEALS: &str = "/api/v1/crm/deals";
/// Pause after a failure: requests keep failing while something is down.
const PAUSE: Duration = Duration::from_millis(100);
const SHORT_HOLD_MS: u64 = 300;
const LONG_HOLD_MS: u64 = 2_500;

/// Results shared by all writers.
#[derive(Debug, Default)]
struct Results {
    /// Number of events by the request that was acknowledged.
    acknowledged: HashMap<String, usize>,
    /// Responses by status; 0 stands for no response.
    statuses: BTreeMap<u16, u64>,
    /// Transactions that were held open, and those of them that committed.
    held_open: (usize, usize),
}

#[derive(Debug, Clone)]
pub(super) struct Writers {
    pub(super) workspace: String,
    pub(super) key: String,
    /// Issues that are changed together.
    pub(super) many: Vec<String>,
    /// Issues that are changed one at a time, by requests and by transactions that are held open.
    pub(super) few: Vec<String>,
    stopped: Arc<AtomicBool>,
    next: Arc<AtomicUsize>,
    results: Arc<Mutex<Results>>,
}

impl Writers {
    pub(super) fn new(tenant: &Tenant) -> Self {
        Self {
            workspace: tenant.id.clone(),
            key: tenant.key.clone(),
            many: Vec::new(),
            few: Vec::new(),
            stopped: Arc::default(),
            next: Arc::default(),
            results: Arc::default(),
        }
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn is_running(&self) -> bool {
        !self.stopped.load(Ordering::Relaxed)
    }

    /// A number that no other writer gets.
    fn number(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn acknowledged(&self) -> HashMap<String, usize> {
        self.results().acknowledged.clone()
    }

    /// Transactions that were held open, and those of them that committed.
    pub(super) fn held_open(&self) -> (usize, usize) {
        self.results().held_open
    }

    /// Responses that no writer should get, whatever was killed: not success, conflict or "retry later".
    pub(super) fn unexpected(&self) -> String {
        let mut statuses = self.results().statuses.clone();
        statuses.retain(|status, _| ![0, 200, 201, 409, 429, 503].contains(status));
        summary(&statuses)
    }

    pub(super) fn statuses(&self) -> String {
        summary(&self.results().statuses)
    }

    /// Sends a request, and records how many events the response acknowledges.
    async fn send(&self, client: &mut Client, method: &str, path: &str, body: &Value) -> Option<TimedResponse> {
        let response = client.request(method, path, body).await.ok();
        let status = response.as_ref().map_or(0, |response| response.status);
        let mut results = self.results();
        *results.statuses.entry(status).or_default() += 1;
        let response = response.filter(|response| response.status < 300)?;
        let events = response.body.pointer("/data/updatedCount").and_then(Value::as_u64).unwrap_or(1);
        let request = response.header("x-request-id").to_owned();
        results.acknowledged.insert(request, usize::try_from(events).unwrap_or(usize::MAX));
        Some(response)
    }

    /// Creates an issue.
    pub(super) async fn issue(&self, client: &mut Client) -> anyhow::Result<String> {
        let task = json!({"kind": "task", "title": format!("Task {}", self.number())});
        let response = self.send(client, "POST", ISSUES, &task).await.context("an issue was not created")?;
        response.id()
    }

    /// Changes many issues in each request, with a pause between requests.
    pub(super) async fn in_bulk(self, instance: SocketAddr, pause: Duration) {
        let mut client = Client::new(instance).with_key(&self.key);
        while self.is_running() {
            // A new value each time, so that every issue changes.
            let body = json!({"issueIds": self.many, "patch": {"due_at": time_for(self.number())}});
            let is_done = self.send(&mut client, "POST", &format!("{ISSUES}/bulk-update"), &body).await.is_some();
            tokio::time::sleep(if is_done { pause } else { PAUSE }).await;
        }
    }

    /// Creates deals, changes each a few times, and changes an issue in between.
    pub(super) async fn one_by_one(self, instance: SocketAddr) {
        let mut client = Client::new(instance).with_key(&self.key);
        while self.is_running() {
            if self.deal(&mut client).await.is_none() {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    async fn deal(&self, client: &mut Client) -> Option<()> {
        let number = self.number();
        let response = self.send(client, "POST", DEALS, &json!({"title": format!("Deal {number}")})).await?;
        let deal = format!("{DEALS}/{}", response.id().ok()?);
        for change in 0..number % 4 {
            let title = json!({"title": format!("Deal {number}.{change}")});
            self.send(client, "PATCH", &deal, &title).await?;
            let issue = format!("{ISSUES}/{}", self.few[number % self.few.len()]);
            let title = json!({"title": format!("Task {number}.{change}")});
            self.send(client, "PATCH", &issue, &title).await?;
        }
        Some(())
    }

    /// Changes issues in transactions of one to three changes that stay open for a while after each, so that events get their
    /// ids long before they are committed.
    pub(super) async fn slowly(self, data: PathBuf) {
        let mut sql = None;
        while self.is_running() {
            let connected = match sql.take() {
                Some(connected) => Ok(connected),
                None => Sql::connect(&data).await,
            };
            let Ok(mut connected) = connected else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let (request, changes) = (format!("held-{}", self.number()), 1 + self.number() % 3);
            self.results().held_open.0 += 1;
            // A failed transaction, such as the victim of a deadlock, is rolled back by closing its connection.
            if self.transaction(&mut connected, &request, changes).await.is_ok() {
                let mut results = self.results();
                results.held_open.1 += 1;
                results.acknowledged.insert(request, changes);
                drop(results);
                sql = Some(connected);
            }
        }
    }

    async fn transaction(&self, sql: &mut Sql, request: &str, changes: usize) -> anyhow::Result<()> {
        sql.run("BEGIN").await?;
        for _ in 0..changes {
            let number = self.number();
            sql.run(&self.change(&self.few[number % self.few.len()], request)).await?;
            let most = if number.is_multiple_of(7) { LONG_HOLD_MS } else { SHORT_HOLD_MS };
            tokio::time::sleep(Duration::from_millis(spread(number) % most)).await;
        }
        sql.run("COMMIT").await?;
        Ok(())
    }

    /// What the store does when a record changes: the next version, a later `updated_at`, and the event.
    fn change(&self, issue: &str, request: &str) -> String {
        let workspace = &self.workspace;
        format!(
            "WITH changed AS (
                 UPDATE issues SET version = version + 1,
                     updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
                 WHERE workspace_id = '{workspace}' AND id = '{issue}' RETURNING id, version, updated_at)
             SELECT appended.* FROM changed, append_events('{workspace}', ARRAY['projects'], ARRAY['task.updated'],
                 ARRAY[NULL]::uuid[], ARRAY[NULL]::uuid[], ARRAY['task'], ARRAY[changed.id], ARRAY[changed.version],
                 ARRAY[false], ARRAY['system'], ARRAY[NULL]::uuid[], ARRAY['System'], ARRAY['{request}'],
                 ARRAY[NULL]::text[], ARRAY['{{\"data\":{{}},\"changes\":{{}},\"actor\":{{}}}}'],
                 ARRAY[changed.updated_at], 10000) AS appended"
        )
    }
}

/// A different time for each number.
fn time_for(number: usize) -> String {
    let (day, second) = (1 + number / 86_400 % 28, number % 86_400);
    format!("2031-01-{day:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}

/// Pseudo-random, and the same in each run.
fn spread(number: usize) -> u64 {
    (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_different_and_valid() {
        assert_eq!(time_for(0), "2031-01-01T00:00:00Z");
        assert_eq!(time_for(86_400 + 3_723), "2031-01-02T01:02:03Z");
    }
}
