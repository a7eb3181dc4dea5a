//! Webhook receivers on loopback, which record requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::load::http::{Connection, Message};
use crate::waiting::{POLL_INTERVAL, poll};

/// How long to wait for duplicates once everything has arrived.
const SETTLE_TIME: Duration = Duration::from_millis(500);
/// Start of every body; the id of the delivery follows.
const BEGINNING: &[u8] = b"{\"id\":\"";
const ID: usize = 36;

/// An unparsed request. Parsing it later saves CPU during a measurement.
#[derive(Debug)]
pub struct Arrival {
    pub at: Instant,
    message: Message,
}

impl Arrival {
    /// The delivery id, the same for all attempts.
    fn delivery(&self) -> &[u8] {
        let id = self.message.body.strip_prefix(BEGINNING).and_then(|rest| rest.get(..ID));
        id.unwrap_or(&self.message.body)
    }

    /// The id of the event's record.
    fn record(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.message.body).ok()?;
        body.pointer("/payload/data/id")?.as_str().map(ToOwned::to_owned)
    }
}

/// A request, parsed.
#[derive(Debug, Clone)]
pub struct Received {
    /// Method, path and version.
    pub line: String,
    /// Headers by lowercase name.
    pub headers: HashMap<String, String>,
    /// The body, verbatim.
    pub text: String,
    /// The body as JSON.
    pub body: Value,
}

impl Received {
    pub fn of(message: &Message) -> Self {
        let mut lines = message.head.lines();
        let line = lines.next().unwrap_or_default().to_owned();
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
        let text = String::from_utf8_lossy(&message.body).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { line, headers, text, body }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn event(&self) -> &str {
        self.header("x-service-event")
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

/// Gives every request the same response, which can be changed.
#[derive(Debug)]
pub struct Receiver {
    pub url: String,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
    /// The response; without one, requests wait.
    answer: watch::Sender<Option<String>>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Starts a receiver that immediately responds with 200.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn start() -> Self {
        Self::start_with(Some(response_text(200, ""))).await
    }

    /// Starts a receiver that does not respond until a response is set.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn hanging() -> Self {
        Self::start_with(None).await
    }

    async fn start_with(answer: Option<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap_or_else(|error| panic!("no port: {error}"));
        let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
        let (answer, responses) = watch::channel(answer);
        let arrivals = Arc::default();
        let task = tokio::spawn(serve(listener, Arc::clone(&arrivals), responses));
        Self { url: format!("http://{address}/hook"), arrivals, answer, task }
    }

    /// Sets the status of further responses.
    pub fn answer(&self, status: u16) {
        self.answer_with(status, "");
    }

    /// Sets status and additional headers of further responses; each header ends with a line break.
    pub fn answer_with(&self, status: u16, headers: &str) {
        self.answer.send_replace(Some(response_text(status, headers)));
    }

    /// All requests in order of arrival.
    pub fn arrivals(&self) -> MutexGuard<'_, Vec<Arrival>> {
        self.arrivals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All requests so far, parsed.
    pub fn received(&self) -> Vec<Received> {
        self.arrivals().iter().map(|arrival| Received::of(&arrival.message)).collect()
    }

    /// Waits for `count` requests and returns all.
    ///
    /// # Panics
    /// If they do not arrive.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        let check = async || if self.arrivals().len() >= count { Ok(()) } else { Err(String::new()) };
        let have_arrived = poll(check).await.is_ok();
        let received = self.received();
        assert!(have_arrived, "{} of {count} arrived: {received:?}", received.len());
        received
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
        let distinct = self.count_distinct();
        let duplicates = self.arrivals().len() - distinct;
        Tally { expected, lost: expected.saturating_sub(distinct), duplicates }
    }

    /// Counts distinct deliveries only once enough requests have arrived, since counting slows the receiver down.
    fn has(&self, expected: usize) -> bool {
        let count = self.arrivals().len();
        count >= expected && self.count_distinct() >= expected
    }

    fn count_distinct(&self) -> usize {
        let arrivals = self.arrivals();
        let mut ids: Vec<_> = arrivals.iter().map(Arrival::delivery).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn response_text(status: u16, headers: &str) -> String {
    format!("HTTP/1.1 {status} Whatever\r\n{headers}Content-Length: 2\r\n\r\nok")
}

type Responses = watch::Receiver<Option<String>>;

async fn serve(listener: TcpListener, arrivals: Arc<Mutex<Vec<Arrival>>>, responses: Responses) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(converse(stream, Arc::clone(&arrivals), responses.clone()));
    }
}

/// Responds to the requests of one connection until it ends.
async fn converse(stream: TcpStream, arrivals: Arc<Mutex<Vec<Arrival>>>, mut responses: Responses) {
    let Ok(mut connection) = Connection::new(stream) else { return };
    while let Ok(Some(message)) = connection.read().await {
        let arrival = Arrival { at: Instant::now(), message };
        arrivals.lock().unwrap_or_else(PoisonError::into_inner).push(arrival);
        let Ok(Some(answer)) = responses.wait_for(Option::is_some).await.map(|answer| answer.clone()) else { return };
        if connection.stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}
