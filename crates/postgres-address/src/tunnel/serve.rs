//! Connections of libpq to the sockets.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWriteExt, copy, copy_bidirectional_with_sizes, sink};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::connect::{Stream, no_answer};
use super::messages::{FirstPacket, ServerMessage, TERMINATE, refusal};
use super::{Task, Upstream};

/// The pause after a failed `accept`, such as with too many open files.
const PAUSE: Duration = Duration::from_millis(100);
/// How long libpq may take to end its session when the tunnel closes.
const GRACE: Duration = Duration::from_millis(100);
/// The size of a TLS record.
const BUFFER: usize = 16_384;

/// Accepts as many connections as there are permits, until the tunnel closes.
pub(super) async fn accept(listener: UnixListener, upstream: Arc<Upstream>, permits: Arc<Semaphore>, mut task: Task) {
    loop {
        let next = async { (Arc::clone(&permits).acquire_owned().await, listener.accept().await) };
        let of_connection = task.clone();
        let (permit, accepted) = tokio::select! {
            next = next => next,
            () = task.closing() => return,
        };
        match accepted {
            Ok((client, _)) if is_own(&client) => {
                let upstream = Arc::clone(&upstream);
                tokio::spawn(async move {
                    pass_on(client, &upstream, of_connection).await;
                    drop(permit);
                });
            }
            Ok(_) => log::warn!("refused another account's connection to the tunnel to {}", upstream.host),
            Err(error) => {
                log::warn!("the tunnel to {} cannot accept a connection: {error}", upstream.host);
                sleep(PAUSE).await;
            }
        }
    }
}

/// Whether the client belongs to the account of this process. The mode of the folder already ensures this.
fn is_own(client: &UnixStream) -> bool {
    client.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw())
}

async fn pass_on(mut client: UnixStream, upstream: &Upstream, task: Task) {
    let patience = upstream.options.timeout();
    let Ok(Ok(first)) = timeout(patience, FirstPacket::read(&mut client)).await else { return };
    let greeted = timeout(patience, greet(&mut client, &first, upstream)).await;
    match greeted.unwrap_or_else(|_| Err(upstream.unreachable(&no_answer(patience)))) {
        // libpq sees the end of the session itself, as without the tunnel.
        Ok(mut server) => match until_closed(&mut client, &mut server, task).await {
            Ok(()) => {}
            Err(error) => log::debug!("a connection to {} broke: {error}", upstream.host),
        },
        Err(reason) if first.is_cancel() => log::debug!("no statement was cancelled: {reason}"),
        Err(reason) => {
            // Fails if the client has disconnected.
            let _ = client.write_all(&refusal(&reason)).await;
            let _ = client.shutdown().await;
        }
    }
}

/// Forwards bytes until either end or the tunnel closes. If the tunnel closes, it ends the session unless libpq has just done so.
async fn until_closed(client: &mut UnixStream, server: &mut Box<dyn Stream>, mut task: Task) -> io::Result<()> {
    {
        let passed = copy_bidirectional_with_sizes(client, server, BUFFER, BUFFER);
        tokio::pin!(passed);
        tokio::select! {
            passed = &mut passed => return passed.map(drop),
            () = task.closing() => {}
        }
        if let Ok(passed) = timeout(GRACE, passed).await {
            return passed.map(drop);
        }
    }
    server.write_all(&TERMINATE).await?;
    server.shutdown().await?;
    // Unread bytes would reset the connection.
    copy(server, &mut sink()).await.map(drop)
}

/// Begins the session, up to the point where the server asks for a log-in.
async fn greet(client: &mut UnixStream, first: &FirstPacket, upstream: &Upstream) -> Result<Box<dyn Stream>, String> {
    let broken = |error: io::Error| upstream.broken(&error);
    let mut server = upstream.connect().await?;
    server.write_all(&first.0).await.map_err(broken)?;
    server.flush().await.map_err(broken)?;
    if first.is_cancel() {
        return Ok(server);
    }
    loop {
        let message = ServerMessage::read(&mut server).await.map_err(broken)?;
        let ends = message.ends_greeting();
        let Some(message) = message.without_channel_binding() else {
            return Err(format!(
                "{} offers only SCRAM with channel binding: let it offer scram-sha-256",
                upstream.host
            ));
        };
        client.write_all(&message.0).await.map_err(|error| upstream.unreachable(&error.to_string()))?;
        if ends {
            return Ok(server);
        }
    }
}
