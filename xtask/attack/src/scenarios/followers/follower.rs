//! Followers that resume where they stopped, whatever happens to the service.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use serde_json::Value;
use test_support::load::http::{Client, text};

use crate::event_stream::EventStream;

/// Pause after a read that finds nothing, and before a retry.
const PAUSE: Duration = Duration::from_millis(50);
const WAIT_SECONDS: u32 = 10;

/// How a follower reads the log.
#[derive(Debug, Clone, Copy)]
pub(super) enum Mode {
    Poll,
    Wait,
    Stream,
}

/// The compared fields of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) id: u128,
    pub(super) record: u128,
    pub(super) version: i64,
}

/// What one follower has seen.
#[derive(Debug, Default)]
pub(super) struct FollowerState {
    pub(super) arrivals: Vec<Arrival>,
    /// Time from each change to its arrival.
    pub(super) delays: Vec<Duration>,
    /// Number of reconnects.
    pub(super) breaks: u64,
    /// Responses that no follower should get, whatever was killed.
    pub(super) refusals: Vec<String>,
    cursor: Option<String>,
}

/// Follows the whole log.
#[derive(Debug, Clone)]
pub(super) struct Follower {
    pub(super) name: String,
    pub(super) mode: Mode,
    /// The instances to connect to, in turn.
    pub(super) instances: Vec<SocketAddr>,
    pub(super) key: String,
    state: Arc<Mutex<FollowerState>>,
}

impl Follower {
    pub(super) fn new(mode: Mode, location: &str, instances: &[SocketAddr], key: &str) -> Self {
        let how = match mode {
            Mode::Poll => "reads pages",
            Mode::Wait => "waits",
            Mode::Stream => "streams",
        };
        Self {
            name: format!("follower that {how} at {location}"),
            mode,
            instances: instances.to_vec(),
            key: key.to_owned(),
            state: Arc::default(),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, FollowerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows until dropped. Events and the cursor after them are always stored together.
    pub(super) async fn follow(self) {
        for instance in self.instances.iter().copied().cycle() {
            let session = match self.mode {
                Mode::Poll => self.read(instance, 0).await,
                Mode::Wait => self.read(instance, WAIT_SECONDS).await,
                Mode::Stream => self.stream(instance).await,
            };
            self.state().breaks += u64::from(session.is_err());
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Reads pages until something fails.
    async fn read(&self, instance: SocketAddr, wait: u32) -> anyhow::Result<()> {
        let mut client = Client::new(instance).with_key(&self.key).without_streams();
        loop {
            if !self.read_page(&mut client, wait).await? {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Reads the log from its beginning to its end.
    pub(super) async fn read_all(&self) -> anyhow::Result<Vec<Arrival>> {
        let instance = *self.instances.first().context("no instance")?;
        let mut client = Client::new(instance).with_key(&self.key).without_streams();
        while self.read_page(&mut client, 0).await? {}
        Ok(self.state().arrivals.clone())
    }

    /// Reads one page. Returns whether it had events.
    async fn read_page(&self, client: &mut Client, wait: u32) -> anyhow::Result<bool> {
        let after = self.state().cursor.as_ref().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let page = client.get(&format!("/api/v1/events?limit=100&wait={wait}{after}")).await?;
        if page.status != 200 {
            return self.refused(page.status, &page.body.to_string());
        }
        let cursor = text(&page.body, "/pagination/nextCursor")?.to_owned();
        let events = page.body["data"].as_array().context("a page without data")?;
        let mut state = self.state();
        for event in events {
            state.add(event)?;
        }
        state.cursor = Some(cursor);
        Ok(!events.is_empty())
    }

    /// Reads a stream until it breaks off.
    async fn stream(&self, instance: SocketAddr) -> anyhow::Result<()> {
        let last_id = self.state().cursor.clone();
        let mut stream = match EventStream::open(instance, &self.key, last_id.as_deref()).await? {
            Ok(stream) => stream,
            Err(status) => return self.refused(status, "instead of a stream"),
        };
        loop {
            let block = stream.next().await?;
            let event = block.data.map(|data| envelope(&data)).transpose()?;
            let mut state = self.state();
            if let Some(event) = event {
                state.add(&event)?;
            }
            if block.id.is_some() {
                state.cursor = block.id;
            }
        }
    }

    fn refused<T>(&self, status: u16, what: &str) -> anyhow::Result<T> {
        let refusal = format!("{status} {what}");
        // Both ask the client to retry later.
        if ![429, 503].contains(&status) {
            self.state().refusals.push(refusal.clone());
        }
        bail!(refusal)
    }
}

impl FollowerState {
    fn add(&mut self, event: &Value) -> anyhow::Result<()> {
        let id = uuid(text(event, "/id")?)?;
        let version = event["version"].as_i64().context("an event without a version")?;
        self.arrivals.push(Arrival { id, record: uuid(text(event, "/record/id")?)?, version });
        // A UUIDv7 begins with its time in milliseconds.
        let created_at = Duration::from_millis(u64::try_from(id >> 80)?);
        #[expect(clippy::disallowed_methods, reason = "the services take their time from this machine too")]
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        self.delays.push(now.saturating_sub(created_at));
        Ok(())
    }
}

/// The event without `changes` and the record, which take longest to parse.
fn envelope(event: &str) -> anyhow::Result<Value> {
    let (envelope, _) = event.split_once(",\"changes\":").context("an event without changes")?;
    Ok(serde_json::from_str(&format!("{envelope}}}"))?)
}

fn uuid(text: &str) -> anyhow::Result<u128> {
    u128::from_str_radix(&text.replace('-', ""), 16).with_context(|| format!("{text} is not an id"))
}
