//! A webhook receiver on loopback that records requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::eventually::WAIT_TIMEOUT;

const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A request as received.
#[derive(Debug, Clone)]
pub struct Received {
    /// Headers by lowercase name.
    pub headers: HashMap<String, String>,
    /// The body, verbatim.
    pub text: String,
    /// The body as JSON.
    pub body: Value,
}

impl Received {
    /// A header; empty if absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// The event's name.
    pub fn event(&self) -> &str {
        self.header("x-service-event")
    }
}

/// Responds to every request in the same way, which can be changed.
#[derive(Debug)]
pub struct Receiver {
    pub url: String,
    answer: Arc<Mutex<String>>,
    received: Arc<Mutex<Vec<Received>>>,
    serving: JoinHandle<()>,
}

impl Receiver {
    /// Starts to listen.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap_or_else(|error| panic!("no port: {error}"));
        let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
        let (answer, received) = (Arc::new(Mutex::new(answer_of(200, ""))), Arc::new(Mutex::default()));
        let serving = tokio::spawn(serve(listener, Arc::clone(&answer), Arc::clone(&received)));
        Self { url: format!("http://{address}/hook"), answer, received, serving }
    }

    /// Sets the status of further responses.
    pub fn answer(&self, status: u16) {
        self.answer_with(status, "");
    }

    /// Sets status and further headers of further responses; each header ends with a line break.
    pub fn answer_with(&self, status: u16, headers: &str) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = answer_of(status, headers);
    }

    /// All requests so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for `count` requests and returns all.
    ///
    /// # Panics
    /// If they do not arrive.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        let waiting = async {
            let mut looks = tokio::time::interval(POLL_INTERVAL);
            loop {
                looks.tick().await;
                let received = self.received();
                if received.len() >= count {
                    return received;
                }
            }
        };
        let got = tokio::time::timeout(WAIT_TIMEOUT, waiting).await;
        got.unwrap_or_else(|_| panic!("{} of {count} arrived: {:?}", self.received().len(), self.received()))
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn answer_of(status: u16, headers: &str) -> String {
    format!("HTTP/1.1 {status} Whatever\r\n{headers}Content-Length: 2\r\n\r\nok")
}

async fn serve(listener: TcpListener, answer: Arc<Mutex<String>>, received: Arc<Mutex<Vec<Received>>>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(converse(stream, Arc::clone(&answer), Arc::clone(&received)));
    }
}

/// Responds to the requests of one connection until it ends.
async fn converse(mut stream: TcpStream, answer: Arc<Mutex<String>>, received: Arc<Mutex<Vec<Received>>>) {
    let mut buffer = Vec::new();
    loop {
        let Some((request, length)) = parse(&buffer) else {
            match stream.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => continue,
            }
        };
        buffer.drain(..length);
        received.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        let answer = answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// A complete request at the start of the buffer, and its length.
fn parse(buffer: &[u8]) -> Option<(Received, usize)> {
    let end = buffer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&buffer[..end]);
    let headers: HashMap<_, _> = head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.get("content-length").and_then(|value| value.parse::<usize>().ok()).unwrap_or(0);
    let body = buffer.get(end..end + length)?;
    let text = String::from_utf8_lossy(body).into_owned();
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Some((Received { headers, text, body }, end + length))
}
