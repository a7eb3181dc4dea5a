//! Many requests at once.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use test_support::load::http::{Client, TimedResponse};
use test_support::load::stats::Percentiles;
use tokio::task::JoinSet;

/// A request with its credentials.
#[derive(Debug, Clone)]
pub(crate) struct Shot {
    pub(crate) from: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) body: Value,
    /// Browser session.
    cookies: Option<String>,
    /// A form to send instead of a JSON body.
    form: Option<Arc<str>>,
}

impl Shot {
    /// Creates a deal and reads it by its id.
    pub(crate) async fn read_of_a_deal(client: &mut Client, key: &str) -> anyhow::Result<Self> {
        let deal = client.create("/api/v1/crm/deals", &json!({"title": "Pilot"})).await?;
        Ok(Self::get(format!("/api/v1/crm/deals/{}", deal.id()?)).key(key))
    }

    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self { from: None, key: None, method: "GET", path: path.into(), body: Value::Null, cookies: None, form: None }
    }

    pub(crate) fn post(path: impl Into<String>, body: Value) -> Self {
        Self { method: "POST", body, ..Self::get(path) }
    }

    /// A console form, with its CSRF token.
    pub(crate) fn form(path: impl Into<String>, form: Arc<str>) -> Self {
        Self { method: "POST", form: Some(form), ..Self::get(path) }
    }

    pub(crate) fn cookies(mut self, cookies: impl Into<String>) -> Self {
        self.cookies = Some(cookies.into());
        self
    }

    pub(crate) fn from(mut self, address: impl Into<String>) -> Self {
        self.from = Some(address.into());
        self
    }

    async fn send(&self, client: &mut Client) -> anyhow::Result<TimedResponse> {
        client.caller(self.from.as_deref(), self.key.as_deref(), None);
        if let Some(cookies) = &self.cookies {
            client.add_cookies(cookies);
        }
        match &self.form {
            Some(form) => client.send_form(&self.path, form).await,
            None => client.request(self.method, &self.path, &self.body).await,
        }
    }

    pub(crate) fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

/// The responses by status; 0 stands for none.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tally {
    statuses: BTreeMap<u16, u64>,
    times: Vec<Duration>,
}

impl Tally {
    fn add(&mut self, response: anyhow::Result<TimedResponse>) {
        let Ok(response) = response else {
            *self.statuses.entry(0).or_default() += 1;
            return;
        };
        *self.statuses.entry(response.status).or_default() += 1;
        self.times.push(response.took);
    }

    pub(crate) fn of(&self, status: u16) -> u64 {
        self.statuses.get(&status).copied().unwrap_or_default()
    }

    /// Responses with another status than this.
    pub(crate) fn other_than(&self, status: u16) -> u64 {
        self.statuses.iter().filter(|(code, _)| **code != status).map(|(_, count)| count).sum()
    }

    pub(crate) fn times(&self) -> Percentiles {
        Percentiles::of(self.times.iter().copied())
    }

    /// `200: 5, 429: 10`.
    pub(crate) fn summary(&self) -> String {
        summary(&self.statuses)
    }
}

/// The numbers of responses by status; 0 stands for none.
pub(crate) fn summary(statuses: &BTreeMap<u16, u64>) -> String {
    let parts = statuses.iter().map(|(status, count)| match status {
        0 => format!("none: {count}"),
        status => format!("{status}: {count}"),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Requests in flight. Dropping the value aborts them.
#[derive(Debug)]
pub(crate) struct Flood {
    workers: JoinSet<()>,
    tally: Arc<Mutex<Tally>>,
}

impl Flood {
    /// Sends the requests numbered from 0 to `total` over this many connections.
    pub(crate) fn begin<F>(service: SocketAddr, connections: usize, total: usize, shot: F) -> Self
    where
        F: Fn(usize) -> Shot + Send + Sync + 'static,
    {
        let (shot, next, tally) = (Arc::new(shot), Arc::new(AtomicUsize::new(0)), Arc::default());
        let mut workers = JoinSet::new();
        for _ in 0..connections {
            let (shot, next, tally) = (Arc::clone(&shot), Arc::clone(&next), Arc::clone(&tally));
            workers.spawn(async move {
                let mut client = Client::new(service).without_bodies();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= total {
                        return;
                    }
                    add(&tally, shot(number).send(&mut client).await);
                }
            });
        }
        Self { workers, tally }
    }

    /// Sends requests until [`Flood::stop`].
    pub(crate) fn endless<F>(service: SocketAddr, connections: usize, shot: F) -> Self
    where
        F: Fn(usize) -> Shot + Send + Sync + 'static,
    {
        Self::begin(service, connections, usize::MAX, shot)
    }

    /// Waits for the last response.
    pub(crate) async fn finish(mut self) -> Tally {
        while self.workers.join_next().await.is_some() {}
        self.so_far()
    }

    /// Aborts the requests that are still in flight.
    pub(crate) async fn stop(mut self) -> Tally {
        self.workers.shutdown().await;
        self.so_far()
    }

    fn so_far(&self) -> Tally {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn add(tally: &Mutex<Tally>, response: anyhow::Result<TimedResponse>) {
    tally.lock().unwrap_or_else(PoisonError::into_inner).add(response);
}

/// Sends requests one after another.
pub(crate) async fn in_a_row(client: &mut Client, shots: impl IntoIterator<Item = Shot>) -> Tally {
    let mut tally = Tally::default();
    for shot in shots {
        tally.add(shot.send(client).await);
    }
    tally
}
