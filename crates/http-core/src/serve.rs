//! The HTTP server.
//!
//! Does what `actix_web::HttpServer` does, with our own stream between the socket and actix: `HttpServer` can neither
//! refuse a connection nor close a stalled one.

use std::future::ready;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol};
use actix_server::ServerBuilder;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::dev::{AppConfig, Server};
use actix_web::rt::net::TcpStream;
use actix_web::{App, Error};

use crate::answers::CHUNK_BYTES;
use crate::connections::{ClientTimeouts, GuardedStream, Refused};
use crate::guards::Guards;
use crate::refusal_log::{Refusal, RefusalLog};
use crate::{AppState, Routes, configure};

/// The response on a connection that is not admitted: nothing was read, so the client can retry.
const TOO_MANY_CONNECTIONS: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 1\r\n\r\n";

/// Serves all surfaces on a listener until the returned server is stopped through its handle;
/// the caller handles signals. Fails if the listener cannot be used.
pub fn serve(
    listener: TcpListener,
    state: AppState,
    surfaces: &'static [&'static Routes],
    workers: usize,
) -> io::Result<Server> {
    let settings = state.settings.clone();
    actix_web::rt::spawn(RefusalLog::report_each_second(Arc::downgrade(&state.guards.refusals)));
    let builder = ServerBuilder::new()
        .workers(workers.max(1))
        // `Connections` enforces the limit across all workers; a worker must not stop accepting before that.
        .max_concurrent_connections(settings.max_connections.saturating_mul(2))
        .shutdown_timeout(settings.shutdown_seconds)
        .disable_signals();
    let shutdown = builder.graceful_shutdown_signal();
    let server = builder.listen("surfaces", listener, move || {
        let (state, guards, shutdown) = (state.clone(), Arc::clone(&state.guards), shutdown.clone());
        let timeouts = ClientTimeouts { stall: settings.stall_timeout, head: settings.head_timeout };
        let app = App::new().configure(|config| configure(config, state, surfaces));
        let app = app.into_factory().map_err(|error: Error| error.error_response());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let shutdown = shutdown.clone();
                async move { shutdown.notified().await }
            })
            .keep_alive(settings.keep_alive)
            .client_request_timeout(settings.head_timeout)
            .client_disconnect_timeout(settings.disconnect_timeout)
            // Together with one chunk, this is all that a connection copies of a response.
            .h1_write_buffer_size(CHUNK_BYTES / 2)
            .on_connect_ext(|stream: &GuardedStream, data| drop(data.insert(stream.connection())))
            .finish(map_config(app, |()| AppConfig::default()));
        let refusals = Arc::clone(&guards.refusals);
        fn_service(move |stream: TcpStream| ready(admit(stream, &guards, timeouts))).and_then(http).map_err(
            move |error: DispatchError| {
                log_end(&error, &refusals);
                error
            },
        )
    })?;
    Ok(server.run())
}

/// Admits a connection, or answers that there are too many.
fn admit(
    stream: TcpStream,
    guards: &Guards,
    timeouts: ClientTimeouts,
) -> Result<(GuardedStream, Protocol, Option<SocketAddr>), DispatchError> {
    let peer = stream.peer_addr()?;
    match guards.connections.open(peer.ip()) {
        Ok(open) => Ok((GuardedStream::new(stream, open, timeouts), Protocol::Http1, Some(peer))),
        Err(refused) => {
            refuse(stream, refused, &guards.refusals);
            Err(DispatchError::Io(io::ErrorKind::ConnectionRefused.into()))
        }
    }
}

/// Logs the end of a connection if a client can cause it at no cost. actix's own log line for each is off by default.
fn log_end(error: &DispatchError, log: &RefusalLog) {
    if let DispatchError::Parse(error) = error
        && log.admits(Refusal::Head)
    {
        log::info!("refused a request head: {error}");
    }
}

fn refuse(stream: TcpStream, refused: Refused, log: &RefusalLog) {
    refused.count();
    if log.admits(Refusal::Connection) {
        log::info!("refused a connection: {refused}");
    }
    // Best effort, and without waiting: the socket's buffer is empty.
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write(TOO_MANY_CONNECTIONS);
    }
}
