//! Connections of libpq to the sockets.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWriteExt, copy_bidirectional_with_sizes};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::Way;
use super::connect::{Stream, no_answer};
use super::messages::{FirstPacket, ServerMessage, refusal};

/// After a failure to accept, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);
/// As much as a record of TLS holds.
const BUFFER: usize = 16_384;

/// Accepts as many connections as there are permits.
pub(super) async fn accept(listener: UnixListener, way: Arc<Way>, permits: Arc<Semaphore>) {
    while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
        match listener.accept().await {
            Ok((client, _)) if is_own(&client) => {
                let way = Arc::clone(&way);
                tokio::spawn(async move {
                    pass_on(client, &way).await;
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

async fn pass_on(mut client: UnixStream, way: &Way) {
    let patience = way.options.patience();
    let Ok(Ok(first)) = timeout(patience, FirstPacket::read(&mut client)).await else { return };
    let greeted = timeout(patience, greet(&mut client, &first, way)).await;
    match greeted.unwrap_or_else(|_| Err(way.unreachable(&no_answer(patience)))) {
        // How it ends, libpq sees by itself, as it would without the tunnel.
        Ok(mut server) => match copy_bidirectional_with_sizes(&mut client, &mut server, BUFFER, BUFFER).await {
            Ok(_) => {}
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
