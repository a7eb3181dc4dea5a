//! Webhook receivers on loopback.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::http::Connection;

const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long to wait for duplicates once everything has arrived.
const SETTLE_TIME: Duration = Duration::from_millis(500);
/// How every body begins; the id of the delivery follows.
const BEGINNING: &[u8] = b"{\"id\":\"";
const ID: usize = 36;

/// A delivery as received. Bodies are parsed after the measurement, to save CPU during it.
#[derive(Debug)]
pub struct Arrival {
    pub at: Instant,
    body: Vec<u8>,
}

impl Arrival {
    /// The delivery id, the same for all attempts.
    fn delivery(&self) -> &[u8] {
        let id = self.body.strip_prefix(BEGINNING).and_then(|rest| rest.get(..ID));
        id.unwrap_or(&self.body)
    }

    /// The id of the record that the event is about.
    fn record(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        body.pointer("/payload/data/id")?.as_str().map(ToOwned::to_owned)
    }
}

/// Counts of lost and duplicate deliveries.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    pub expected: usize,
    pub lost: usize,
    pub duplicates: usize,
}

impl std::ops::Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            expected: self.expected + other.expected,
            lost: self.lost + other.lost,
            duplicates: self.duplicates + other.duplicates,
        }
    }
}

/// Records deliveries, and responds with 200 unless unresponsive.
#[derive(Debug)]
pub struct Receiver {
    pub url: String,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
    hangs: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Receiver {
    /// Starts a receiver that responds at once.
    pub async fn start() -> anyhow::Result<Self> {
        Self::start_as(false).await
    }

    /// Starts a receiver that does not respond until [`Receiver::recover`].
    pub async fn hanging() -> anyhow::Result<Self> {
        Self::start_as(true).await
    }

    async fn start_as(is_hanging: bool) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/hook", listener.local_addr()?);
        let (hangs, hanging) = watch::channel(is_hanging);
        let arrivals = Arc::default();
        let serving = tokio::spawn(serve(listener, Arc::clone(&arrivals), hanging));
        Ok(Self { url, arrivals, hangs, serving })
    }

    /// Starts to respond.
    pub fn recover(&self) {
        self.hangs.send_replace(false);
    }

    /// All deliveries in order of arrival.
    pub fn arrivals(&self) -> MutexGuard<'_, Vec<Arrival>> {
        self.arrivals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Arrival time of each record's first delivery.
    pub fn by_record(&self) -> HashMap<String, Instant> {
        let mut first = HashMap::new();
        for arrival in self.arrivals().iter() {
            if let Some(record) = arrival.record() {
                first.entry(record).or_insert(arrival.at);
            }
        }
        first
    }

    /// Waits for this many distinct deliveries, up to a timeout.
    pub async fn settle(&self, expected: usize, within: Duration) -> Tally {
        let end = Instant::now() + within;
        while !self.has(expected) && Instant::now() < end {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        tokio::time::sleep(SETTLE_TIME).await;
        let different = self.different();
        let duplicates = self.arrivals().len() - different;
        Tally { expected, lost: expected.saturating_sub(different), duplicates }
    }

    /// Counts only if enough may have arrived: counting slows the receiver down.
    fn has(&self, expected: usize) -> bool {
        let count = self.arrivals().len();
        count >= expected && self.different() >= expected
    }

    fn different(&self) -> usize {
        let arrivals = self.arrivals();
        let mut ids: Vec<_> = arrivals.iter().map(Arrival::delivery).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(listener: TcpListener, arrivals: Arc<Mutex<Vec<Arrival>>>, hanging: watch::Receiver<bool>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(converse(stream, Arc::clone(&arrivals), hanging.clone()));
    }
}

/// Receives the deliveries of one connection until it ends.
async fn converse(stream: TcpStream, arrivals: Arc<Mutex<Vec<Arrival>>>, mut hanging: watch::Receiver<bool>) {
    let Ok(mut connection) = Connection::new(stream) else { return };
    while let Ok(Some(message)) = connection.read().await {
        let arrival = Arrival { at: Instant::now(), body: message.body };
        arrivals.lock().unwrap_or_else(PoisonError::into_inner).push(arrival);
        if hanging.wait_for(|hangs| !hangs).await.is_err() {
            return;
        }
        if connection.stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await.is_err() {
            return;
        }
    }
}
