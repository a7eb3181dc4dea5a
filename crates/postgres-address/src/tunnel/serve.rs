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
use super::{Task, Way};

/// After a failure to accept, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);
/// How long libpq has to end its session by itself when the tunnel closes.
const GRACE: Duration = Duration::from_millis(100);
/// As much as a record of TLS holds.
const BUFFER: usize = 16_384;

/// Accepts as many connections as there are permits, until the tunnel closes.
pub(super) async fn accept(listener: UnixListener, way: Arc<Way>, permits: Arc<Semaphore>, mut task: Task) {
    loop {
        let next = async { (Arc::clone(&permits).acquire_owned().await, listener.accept().await) };
        let of_connection = task.clone();
        let (permit, accepted) = tokio::select! {
            next = next => next,
            () = task.closing() => return,
        };
        match accepted {
            Ok((client, _)) if is_own(&client) => {
                let way = Arc::clone(&way);
                tokio::spawn(async move {
                    pass_on(client, &way, of_connection).await;
                    drop(permit);
                });
            }
            Ok(_) => log::warn!("refused another account's connection to the tunnel to {}", way.host),
            Err(error) => {
                log::warn!("the tunnel to {} cannot accept a connection: {error}", way.host);
                sleep(PAUSE).await;
            }
        }
    }
}

/// Whether the other end belongs to the account of this process. The folder's mode says so already.
fn is_own(client: &UnixStream) -> bool {
    client.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw())
}

async fn pass_on(mut client: UnixStream, way: &Way, task: Task) {
    let patience = way.options.patience();
    let Ok(Ok(first)) = timeout(patience, FirstPacket::read(&mut client)).await else { return };
    let greeted = timeout(patience, greet(&mut client, &first, way)).await;
    match greeted.unwrap_or_else(|_| Err(way.unreachable(&no_answer(patience)))) {
        // How it ends, libpq sees by itself, as it would without the tunnel.
        Ok(mut server) => match until_closed(&mut client, &mut server, task).await {
            Ok(()) => {}
            Err(error) => log::debug!("a connection to {} broke: {error}", way.host),
        },
        Err(reason) if first.is_cancel() => log::debug!("no statement was cancelled: {reason}"),
        Err(reason) => {
            // A client that has gone needs no answer.
            let _ = client.write_all(&refusal(&reason)).await;
            let _ = client.shutdown().await;
        }
    }
}

/// Passes on bytes until either end closes, or the tunnel does: then it ends the session, unless libpq just has.
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
    // What is left unread would reset the connection.
    copy(server, &mut sink()).await.map(drop)
}

/// Begins the session up to where the server asks for a login.
async fn greet(client: &mut UnixStream, first: &FirstPacket, way: &Way) -> Result<Box<dyn Stream>, String> {
    let broken = |error: io::Error| way.broken(&error);
    let mut server = way.connect().await?;
    server.write_all(&first.0).await.map_err(broken)?;
    server.flush().await.map_err(broken)?;
    if first.is_cancel() {
        return Ok(server);
    }
    loop {
        let message = ServerMessage::read(&mut server).await.map_err(broken)?;
        let ends = message.ends_greeting();
        let Some(message) = message.without_channel_binding() else {
            return Err(format!("{} offers only SCRAM with channel binding: let it offer scram-sha-256", way.host));
        };
        client.write_all(&message.0).await.map_err(|error| way.unreachable(&error.to_string()))?;
        if ends {
            return Ok(server);
        }
    }
}
