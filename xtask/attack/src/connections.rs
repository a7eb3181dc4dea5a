//! Connections of misbehaving clients, which read nothing, send nothing, or send slowly.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use test_support::load::http::Client;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Connections that are opened at the same time.
const AT_ONCE: usize = 64;
/// How long the kernel may take to accept a connection, and the service to read a few bytes.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Opens a connection per address and writes some bytes to each. Skips those that cannot be opened.
pub(crate) async fn open(
    service: SocketAddr,
    sources: impl IntoIterator<Item = IpAddr>,
    bytes: &[u8],
) -> Vec<TcpStream> {
    let mut sources = sources.into_iter();
    let mut opening = JoinSet::new();
    let mut open = Vec::new();
    loop {
        while opening.len() < AT_ONCE
            && let Some(source) = sources.next()
        {
            opening.spawn(open_one(service, source, bytes.to_vec()));
        }
        match opening.join_next().await {
            Some(Ok(Some(stream))) => open.push(stream),
            Some(_) => {}
            None => return open,
        }
    }
}

async fn open_one(service: SocketAddr, source: IpAddr, bytes: Vec<u8>) -> Option<TcpStream> {
    let connection = tokio::time::timeout(TIMEOUT, Client::new(service).from(source).open()).await.ok()?.ok()?;
    let mut stream = connection.stream;
    // Ignores errors and the timeout: the service may answer or close before it has read all bytes.
    let _ = tokio::time::timeout(TIMEOUT, stream.write_all(&bytes)).await;
    Some(stream)
}

/// Connections that the service has neither answered nor closed.
pub(crate) fn unanswered(streams: &[TcpStream]) -> u64 {
    let waits = |stream: &&TcpStream| {
        let mut byte = [0];
        stream.try_read(&mut byte).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    streams.iter().filter(waits).count() as u64
}
