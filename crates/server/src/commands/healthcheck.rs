//! `healthcheck`: asks the service on this machine or in this container whether it is ready.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use anyhow::{Context, ensure};

use crate::config::Config;

/// The timeout for connecting, and for each read.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Longer than the first line of any response.
const MAX_READ: u64 = 1_024;

pub(super) fn run(config: &Config) -> anyhow::Result<()> {
    let address = config.admin_bind.address().context(
        "there is no probe to query: admin_bind (SERVICE_ADMIN_BIND) is off; set it to an address such as 127.0.0.1:9464",
    )?;
    let status_line = query_readiness(address).with_context(|| format!("the service does not answer on {address}"))?;
    let status = status_line.split_ascii_whitespace().nth(1).unwrap_or_default();
    ensure!(status == "200", "the service on {address} is not ready: {status_line:?}");
    println!("ready");
    Ok(())
}

/// The first line of the response.
fn query_readiness(address: &str) -> anyhow::Result<String> {
    let socket = address.to_socket_addrs()?.next().context("this is not an address and port")?;
    let mut stream = TcpStream::connect_timeout(&socket, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    stream.write_all(format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())?;
    let mut line = String::new();
    BufReader::new(stream.take(MAX_READ)).read_line(&mut line).map_err(explain)?;
    Ok(line.trim_end().to_owned())
}

/// Replaces `EAGAIN`, the error of a read that takes too long, because its own message does not mention a timeout.
fn explain(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::WouldBlock => {
            io::Error::new(ErrorKind::TimedOut, format!("no response within {} s", TIMEOUT.as_secs()))
        }
        _ => error,
    }
}
