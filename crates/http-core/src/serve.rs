//! The HTTP server.

use std::io;
use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::{App, HttpServer};

use crate::{AppState, Routes, configure};

/// Serves all surfaces on a listener until the returned server is stopped through its handle;
/// the caller handles signals.
///
/// # Errors
/// If the listener cannot be used.
pub fn serve(
    listener: TcpListener,
    state: AppState,
    surfaces: &'static [Routes],
    workers: usize,
) -> io::Result<Server> {
    let workers = workers.max(1);
    let settings = state.settings.clone();
    let server = HttpServer::new(move || App::new().configure(|config| configure(config, state.clone(), surfaces)))
        .workers(workers)
        .keep_alive(settings.keep_alive)
        .client_request_timeout(settings.head_timeout)
        .client_disconnect_timeout(settings.disconnect_timeout)
        .max_connections((settings.max_connections / workers).max(1))
        .shutdown_timeout(settings.shutdown_seconds)
        .tcp_nodelay(true)
        .disable_signals()
        .listen(listener)?;
    Ok(server.run())
}
