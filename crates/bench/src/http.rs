//! Minimal HTTP/1.1 for client and receiver: messages with a `Content-Length` over keep-alive connections.
//!
//! A full client or server would use more CPU than the service under measurement.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long one request may take; bulk requests take longest.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);
/// Large enough to read a typical message at once.
const USUAL_SIZE: usize = 16 * 1_024;

/// A message: its head as text, and its body.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// Messages from a connection.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> std::io::Result<Self> {
        // Without Nagle's delay for small messages.
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(USUAL_SIZE) })
    }

    /// The next message; `None` at the end of the connection.
    pub(crate) async fn read(&mut self) -> std::io::Result<Option<Message>> {
        loop {
            if let Some((message, length)) = parse(&self.buffer) {
                self.buffer.drain(..length);
                return Ok(Some(message));
            }
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Ok(None);
            }
        }
    }
}

/// A complete message at the start of the buffer, and its length.
fn parse(buffer: &[u8]) -> Option<(Message, usize)> {
    let end = buffer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
    let is_length = |(name, value): (&str, &str)| {
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok()).flatten()
    };
    let length = head.lines().skip(1).filter_map(|line| line.split_once(':')).find_map(is_length).unwrap_or(0);
    let body = buffer.get(end..end + length)?.to_vec();
    Some((Message { head, body }, end + length))
}

/// A response of the service.
#[derive(Debug)]
pub(crate) struct TimedResponse {
    pub(crate) sent_at: Instant,
    /// Time from the request to the complete response.
    pub(crate) took: Duration,
    pub(crate) body: Value,
}

/// One connection to the service with one credential.
#[derive(Debug)]
pub(crate) struct Client {
    connection: Connection,
    credential: Option<String>,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr, credential: Option<&str>) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.context("cannot connect to the service")?;
        Ok(Self { connection: Connection::new(stream)?, credential: credential.map(ToOwned::to_owned) })
    }

    /// Sends a request; any other status is an error.
    pub(crate) async fn send(
        &mut self,
        method: &str,
        path: &str,
        body: &Value,
        status: u16,
    ) -> anyhow::Result<TimedResponse> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let credential = self.credential.as_ref().map(|it| format!("Authorization: Bearer {it}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: bench\r\n{}Content-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
            credential.unwrap_or_default(),
            body.len()
        );
        let sent_at = Instant::now();
        let message = tokio::time::timeout(RESPONSE_TIMEOUT, self.exchange(&request)).await;
        let took = sent_at.elapsed();
        let message = message.with_context(|| format!("{method} {path} timed out"))??;
        let body = serde_json::from_slice(&message.body).unwrap_or(Value::Null);
        if !message.head.starts_with(&format!("HTTP/1.1 {status} ")) {
            bail!("{method} {path}: {} {body}", message.head.lines().next().unwrap_or_default());
        }
        Ok(TimedResponse { sent_at, took, body })
    }

    /// POST; expects 201.
    pub(crate) async fn create(&mut self, path: &str, body: &Value) -> anyhow::Result<TimedResponse> {
        self.send("POST", path, body, 201).await
    }

    async fn exchange(&mut self, request: &str) -> anyhow::Result<Message> {
        self.connection.stream.write_all(request.as_bytes()).await?;
        self.connection.read().await?.context("the service closed the connection")
    }
}

/// A member that must be a string.
pub(crate) fn text<'a>(value: &'a Value, pointer: &str) -> anyhow::Result<&'a str> {
    value.pointer(pointer).and_then(Value::as_str).with_context(|| format!("no {pointer} in the response"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_whole_with_its_body() {
        let text = b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nokHTTP";
        let (message, length) = parse(text).unwrap();
        assert_eq!((message.body.as_slice(), length), (&b"ok"[..], text.len() - 4));
        assert!(parse(&text[..text.len() - 5]).is_none(), "half a body");
        assert!(parse(b"POST / HTTP/1.1\r\n").is_none(), "half a head");
    }
}
