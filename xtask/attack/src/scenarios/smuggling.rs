//! Requests whose end a proxy and the service might see at different places.

use std::time::Duration;

use test_support::load::http::Client;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Findings, Lab, Target};

const READ_TIMEOUT: Duration = Duration::from_secs(2);
/// Read as a second request if the first one ends early.
const HIDDEN: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let length = HIDDEN.len();
    let mut findings = Findings::default();
    for (what, headers, body) in [
        ("two lengths", format!("Content-Length: 0\r\nContent-Length: {length}\r\n"), String::new()),
        (
            "a length and chunks",
            format!("Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n"),
            "0\r\n\r\n".into(),
        ),
        ("an unknown encoding", "Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n".to_owned(), String::new()),
        (
            "chunks twice",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n".to_owned(),
            "0\r\n\r\n".into(),
        ),
        ("a signed length", "Content-Length: +0\r\n".to_owned(), String::new()),
        ("a space before the colon", format!("Content-Length : {length}\r\n"), String::new()),
        ("a folded header", format!("X-A: b\r\n Content-Length: {length}\r\n"), String::new()),
        ("a chunk size beyond 64 bits", "Transfer-Encoding: chunked\r\n".to_owned(), "10000000000000000\r\n".into()),
    ] {
        let request = format!("POST /api/auth/logout HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n{body}{HIDDEN}");
        let responses = exchange(&target, &request).await?;
        let hidden = responses.contains("\"ok\"");
        let first = responses.lines().next().unwrap_or("closed").trim_end();
        let measured = format!("{first}{}", if hidden { ", and the hidden one answered" } else { "" });
        findings.expect(&format!("a request hidden behind {what}"), "not answered", &measured, !hidden);
    }
    Ok(findings)
}

async fn exchange(target: &Target, request: &str) -> anyhow::Result<String> {
    let mut stream = Client::new(target.address).open().await?.stream;
    stream.write_all(request.as_bytes()).await?;
    let mut responses = Vec::new();
    // The service may keep the connection open.
    let _ = tokio::time::timeout(READ_TIMEOUT, stream.read_to_end(&mut responses)).await;
    Ok(String::from_utf8_lossy(&responses).into_owned())
}
