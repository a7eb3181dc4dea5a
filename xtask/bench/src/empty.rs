//! A server that only responds, to measure the HTTP library and this machine's loopback.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::Context;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// About the size of a deal.
const BODY_BYTES: usize = 700;
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Serves until the process is killed. Prints its address first.
pub(crate) fn serve() -> anyhow::Result<()> {
    let body = format!("{{\"data\":\"{}\"}}", "x".repeat(BODY_BYTES));
    actix_web::rt::System::new().block_on(async move {
        let server = HttpServer::new(move || {
            let body = body.clone();
            App::new().default_service(web::to(move || {
                let response = HttpResponse::Ok().content_type("application/json").body(body.clone());
                async move { response }
            }))
        });
        let server = server.bind("127.0.0.1:0").context("cannot listen on a port of loopback")?;
        for address in server.addrs() {
            println!("{address}");
        }
        server.run().await.context("the empty server failed")
    })
}

/// The empty server in its own process, killed on drop.
pub(crate) struct EmptyServer {
    pub(crate) address: SocketAddr,
    _process: Child,
}

impl EmptyServer {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(crate::SERVE_EMPTY).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().context("cannot start the empty server")?;
        let stdout = process.stdout.take().context("the empty server has no output")?;
        let mut lines = BufReader::new(stdout).lines();
        let line = tokio::time::timeout(START_TIMEOUT, lines.next_line()).await;
        let line = line.context("the empty server did not start")??.context("the empty server ended at once")?;
        let address = line.trim().parse().with_context(|| format!("the empty server printed {line:?}"))?;
        Ok(Self { address, _process: process })
    }
}
