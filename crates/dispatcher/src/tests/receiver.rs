//! Misbehaving receivers on loopback, over plain sockets.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use test_support::Received;
use test_support::load::http::Connection;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// How a receiver reacts to a request.
#[derive(Clone)]
pub(super) enum ScriptedResponse {
    /// A status without a body.
    Status(u16),
    /// These bytes, verbatim.
    Raw(Vec<u8>),
    /// These bytes, then closes.
    Cut(&'static str),
    /// 200 once a permit is available.
    Gated(Arc<Semaphore>),
    /// Never responds.
    Hang,
    /// Closes the connection without a response.
    Close,
    /// These bytes, repeated endlessly.
    Endless(&'static str, &'static str),
    /// The first bytes, then one byte of the second every few milliseconds.
    Drip(&'static str, &'static str),
}

#[derive(Default)]
struct State {
    seen: Vec<Received>,
    connections: usize,
    at_once: usize,
    peak: usize,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changes: watch::Sender<u64>,
}

impl Shared {
    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.state.lock().unwrap());
        self.changes.send_modify(|count| *count += 1);
        result
    }
}

pub(super) struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
    _tasks: JoinSet<()>,
}

impl Receiver {
    /// Responds to every request in the same way.
    pub(super) async fn always(response: ScriptedResponse) -> Self {
        Self::with(move |_| response.clone()).await
    }

    pub(super) async fn with(respond: impl Fn(&Received) -> ScriptedResponse + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, shared) = (listener.local_addr().unwrap(), Arc::<Shared>::default());
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, Arc::clone(&shared), Arc::new(respond)));
        Self { address, shared, _tasks: tasks }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/hook?key=1", self.address)
    }

    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(super) fn seen(&self) -> Vec<Received> {
        self.shared.with(|state| state.seen.clone())
    }

    pub(super) fn connections(&self) -> usize {
        self.shared.with(|state| state.connections)
    }

    /// The maximum number of concurrent requests so far.
    pub(super) fn peak(&self) -> usize {
        self.shared.state.lock().unwrap().peak
    }

    pub(super) async fn until_seen(&self, count: usize) {
        super::until(&self.shared.changes, || self.shared.state.lock().unwrap().seen.len() >= count).await;
    }

    pub(super) async fn until_at_once(&self, count: usize) {
        super::until(&self.shared.changes, || self.shared.state.lock().unwrap().at_once == count).await;
    }
}

type Decide = Arc<dyn Fn(&Received) -> ScriptedResponse + Send + Sync>;

async fn accept(listener: TcpListener, shared: Arc<Shared>, respond: Decide) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let connection = Connection::new(stream).unwrap();
        shared.with(|state| state.connections += 1);
        connections.spawn(serve(connection, Arc::clone(&shared), Arc::clone(&respond)));
    }
}

async fn serve(mut connection: Connection, shared: Arc<Shared>, respond: Decide) {
    while let Ok(Some(message)) = connection.read().await {
        let request = Received::of(&message);
        let response = respond(&request);
        shared.with(|state| {
            state.seen.push(request);
            state.at_once += 1;
            state.peak = state.peak.max(state.at_once);
        });
        // Also ends when the client disconnects.
        let stays_open = write_response(&mut connection.stream, response).await;
        shared.with(|state| state.at_once -= 1);
        if !stays_open {
            return;
        }
    }
}

/// Responds; returns whether the connection stays open.
async fn write_response(stream: &mut TcpStream, response: ScriptedResponse) -> bool {
    match response {
        ScriptedResponse::Status(status) => {
            let head = format!("HTTP/1.1 {status} Such\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(head.as_bytes()).await.is_ok()
        }
        ScriptedResponse::Raw(bytes) => stream.write_all(&bytes).await.is_ok(),
        ScriptedResponse::Cut(text) => {
            let _ = stream.write_all(text.as_bytes()).await;
            false
        }
        ScriptedResponse::Gated(gate) => {
            tokio::select! {
                permit = gate.acquire() => permit.unwrap().forget(),
                // The client disconnected.
                _ = stream.readable() => return false,
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.is_ok()
        }
        ScriptedResponse::Hang => {
            // Wait until the client disconnects.
            let _ = stream.read(&mut [0]).await;
            false
        }
        ScriptedResponse::Close => false,
        ScriptedResponse::Endless(head, more) => {
            let mut result = stream.write_all(head.as_bytes()).await;
            while result.is_ok() {
                result = stream.write_all(more.as_bytes()).await;
            }
            false
        }
        ScriptedResponse::Drip(head, more) => {
            let mut result = stream.write_all(head.as_bytes()).await;
            for byte in more.bytes().cycle() {
                tokio::time::sleep(Duration::from_millis(5)).await;
                result = result.and(stream.write_all(&[byte]).await);
                if result.is_err() {
                    break;
                }
            }
            false
        }
    }
}
