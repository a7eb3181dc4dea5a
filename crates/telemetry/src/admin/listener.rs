//! Serves `/healthz`, `/readyz` and `/metrics`.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

/// The maximum number of connections. Each one serves one request.
const CONNECTIONS: usize = 32;
/// How long a connection may take, from its start to the last byte of the response.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause after a failed `accept`, such as when the process has run out of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";
const JSON: &str = "application/json";

/// Says whether the process should receive traffic.
#[async_trait]
pub trait Readiness: Send + Sync {
    /// `Err` with a single word that says why it should not.
    async fn check(&self) -> Result<(), &'static str>;
}

struct Pages {
    readiness: Arc<dyn Readiness>,
    metrics: Arc<dyn Fn() -> String + Send + Sync>,
}

/// A running listener; dropping it stops it.
#[derive(Debug)]
pub struct AdminListener {
    pub address: SocketAddr,
    /// Dropping it stops the thread.
    _running: oneshot::Sender<()>,
}

impl AdminListener {
    /// Serves on its own thread and runtime.
    pub fn start(
        listener: TcpListener,
        readiness: Arc<dyn Readiness>,
        metrics: Arc<dyn Fn() -> String + Send + Sync>,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(2).build()?;
        let (running, ended) = oneshot::channel::<()>();
        let pages = Arc::new(Pages { readiness, metrics });
        std::thread::Builder::new().name("admin".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    failed = accept(listener, pages) => {
                        if let Err(error) = failed {
                            log::error!("probes and metrics are no longer served: {error}");
                        }
                    }
                    _ = ended => {}
                }
            });
            // A probe that waits for the database must not delay the process's exit.
            runtime.shutdown_background();
        })?;
        Ok(Self { address, _running: running })
    }
}

async fn accept(listener: TcpListener, pages: Arc<Pages>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Connections over the limit are closed at once.
        let Ok(permit) = Arc::clone(&free).try_acquire_owned() else { continue };
        let pages = Arc::clone(&pages);
        tokio::spawn(async move {
            let service = service_fn(move |request| handle(request, Arc::clone(&pages)));
            let connection = http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), service);
            // A client's error ends only its own connection.
            let _ = timeout(CONNECTION_TIMEOUT, connection).await;
            drop(permit);
        });
    }
}

async fn handle(request: Request<Incoming>, pages: Arc<Pages>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path();
    if !["/healthz", "/readyz", "/metrics"].contains(&path) {
        return Ok(respond(StatusCode::NOT_FOUND, JSON, status("not_found")));
    }
    if request.method() != Method::GET {
        let mut response = respond(StatusCode::METHOD_NOT_ALLOWED, JSON, status("method_not_allowed"));
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET"));
        return Ok(response);
    }
    Ok(match path {
        "/healthz" => respond(StatusCode::OK, JSON, status("ok")),
        "/metrics" => respond(StatusCode::OK, TEXT, (pages.metrics)()),
        _ => match pages.readiness.check().await {
            Ok(()) => respond(StatusCode::OK, JSON, status("ready")),
            Err(code) => {
                let mut response = respond(StatusCode::SERVICE_UNAVAILABLE, JSON, status(code));
                response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
                response
            }
        },
    })
}

fn status(code: &str) -> String {
    format!("{{\"status\":\"{code}\"}}")
}

fn respond(code: StatusCode, content_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = code;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;

    struct FixedReadiness(Result<(), &'static str>);

    #[async_trait]
    impl Readiness for FixedReadiness {
        async fn check(&self) -> Result<(), &'static str> {
            self.0
        }
    }

    fn start(ready: Result<(), &'static str>) -> AdminListener {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        AdminListener::start(listener, Arc::new(FixedReadiness(ready)), Arc::new(|| "a 1\n".to_owned())).unwrap()
    }

    fn get(server: &AdminListener, line: &str) -> String {
        let mut stream = TcpStream::connect(server.address).unwrap();
        write!(stream, "{line} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    #[test]
    fn the_three_paths_are_served_and_nothing_else() {
        let (ready, draining) = (start(Ok(())), start(Err("draining")));
        for (server, line, code, body) in [
            (&ready, "GET /healthz", 200, r#"{"status":"ok"}"#),
            (&ready, "GET /readyz", 200, r#"{"status":"ready"}"#),
            (&draining, "GET /readyz", 503, r#"{"status":"draining"}"#),
            (&ready, "GET /metrics", 200, "a 1\n"),
            (&ready, "POST /metrics", 405, r#"{"status":"method_not_allowed"}"#),
            (&ready, "GET /api/v1/crm/deals", 404, r#"{"status":"not_found"}"#),
        ] {
            let reply = get(server, line);
            assert!(reply.starts_with(&format!("HTTP/1.1 {code} ")), "{line}: {reply}");
            assert_eq!(reply.split_once("\r\n\r\n").unwrap().1, body, "{line}");
        }
    }

    #[test]
    fn connections_are_bounded_and_idle_ones_do_not_block_others_for_long() {
        let server = start(Ok(()));
        let idle: Vec<_> = (0..CONNECTIONS).map(|_| TcpStream::connect(server.address).unwrap()).collect();
        let mut beyond = TcpStream::connect(server.address).unwrap();
        // Closed without a response.
        assert_eq!(beyond.read(&mut [0; 1]).unwrap_or(0), 0);
        drop(idle);
        let end = std::time::Instant::now() + Duration::from_mins(1);
        let responds = || {
            let mut stream = TcpStream::connect(server.address).ok()?;
            write!(stream, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").ok()?;
            let mut response = String::new();
            stream.read_to_string(&mut response).ok()?;
            response.starts_with("HTTP/1.1 200 ").then_some(())
        };
        while responds().is_none() {
            assert!(std::time::Instant::now() < end, "idle connections were not closed");
            std::thread::yield_now();
        }
    }
}
