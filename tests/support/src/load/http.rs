//! Minimal HTTP/1.1 for client and receiver: messages with a `Content-Length` over keep-alive connections.
//!
//! A full client or server would use more CPU than the service under measurement.

use std::fmt::Write;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Timeout of one request; bulk requests take longest.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);
/// For patient clients: maximum number of retries while the service is busy, and the pause before each.
const MAX_RETRIES: usize = 20;
const BUSY_PAUSE: Duration = Duration::from_millis(500);
/// Large enough to read a typical message at once.
const USUAL_SIZE: usize = 16 * 1_024;

/// A message: its head as text, and its body.
#[derive(Debug)]
pub struct Message {
    pub head: String,
    pub body: Vec<u8>,
}

/// Messages from a connection.
#[derive(Debug)]
pub struct Connection {
    pub stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub fn new(stream: TcpStream) -> std::io::Result<Self> {
        // Avoids Nagle's delay for small messages.
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(USUAL_SIZE) })
    }

    /// Whether the connection can be reused. Unread bytes count as closed: they belong to no request.
    fn is_open(&self) -> bool {
        let mut byte = [0];
        let unread = self.stream.try_read(&mut byte);
        self.buffer.is_empty() && unread.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    }

    pub(crate) async fn exchange(&mut self, request: &str) -> anyhow::Result<Message> {
        self.stream.write_all(request.as_bytes()).await?;
        self.read().await?.context("the service closed the connection")
    }

    /// The next message; `None` at the end of the connection.
    pub async fn read(&mut self) -> std::io::Result<Option<Message>> {
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

/// A response, with its timing.
#[derive(Debug)]
pub struct TimedResponse {
    pub sent_at: Instant,
    /// Time from the request to the complete response.
    pub took: Duration,
    pub status: u16,
    pub head: String,
    /// `Null` if the body is not JSON, or was not parsed.
    pub body: Value,
    /// Size of the body in bytes.
    pub size: usize,
}

impl TimedResponse {
    /// The id of the record in the body.
    pub fn id(&self) -> anyhow::Result<String> {
        Ok(text(&self.body, "/data/id")?.to_owned())
    }

    /// The value of a header, empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next().unwrap_or("")
    }
}

/// A client with one connection, opened on demand.
#[derive(Debug)]
pub struct Client {
    service: SocketAddr,
    source: Option<IpAddr>,
    headers: String,
    /// The header lines that identify the caller.
    caller: String,
    accept: &'static str,
    is_patient: bool,
    parses_bodies: bool,
    connection: Option<Connection>,
}

impl Client {
    pub fn new(service: SocketAddr) -> Self {
        Self {
            service,
            source: None,
            headers: String::new(),
            caller: String::new(),
            accept: "application/json, text/event-stream",
            is_patient: false,
            parses_bodies: true,
            connection: None,
        }
    }

    pub async fn connect(service: SocketAddr, credential: Option<&str>) -> anyhow::Result<Self> {
        let mut client = Self::new(service);
        if let Some(credential) = credential {
            client = client.with_key(credential);
        }
        client.connection = Some(client.open().await?);
        Ok(client)
    }

    /// Sends a header with every request.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        // Writing to a string cannot fail.
        let _ = write!(self.headers, "{name}: {value}\r\n");
        self
    }

    #[must_use]
    pub fn with_key(mut self, credential: &str) -> Self {
        self.caller(None, Some(credential), None);
        self
    }

    /// Calls from this address through a trusted proxy.
    #[must_use]
    pub fn forwarded_for(mut self, address: &str) -> Self {
        self.caller(Some(address), None, None);
        self
    }

    /// Sends the next requests as another caller behind the same proxy, over the same connection.
    pub fn caller(&mut self, address: Option<&str>, credential: Option<&str>, idempotency_key: Option<&str>) {
        let line =
            |name: &str, value: Option<String>| value.map(|value| format!("{name}: {value}\r\n")).unwrap_or_default();
        self.caller = line("X-Forwarded-For", address.map(ToOwned::to_owned))
            + &line("Authorization", credential.map(|it| format!("Bearer {it}")))
            + &line("Idempotency-Key", idempotency_key.map(ToOwned::to_owned));
    }

    /// Sends the next requests with these cookies, until [`Client::caller`] sets another caller.
    pub fn add_cookies(&mut self, cookies: &str) {
        // Writing to a string cannot fail.
        let _ = write!(self.caller, "Cookie: {cookies}\r\n");
    }

    /// Accepts only JSON responses, never a stream.
    #[must_use]
    pub const fn without_streams(mut self) -> Self {
        self.accept = "application/json";
        self
    }

    /// Requests pages like a browser with these cookies, and does not decompress them.
    #[must_use]
    pub fn as_browser(mut self, cookies: &str) -> Self {
        self.accept = "text/html";
        self.parses_bodies = false;
        self.with_header("Cookie", cookies).with_header("Accept-Encoding", "gzip")
    }

    /// Connects from this local address.
    #[must_use]
    pub fn from(mut self, source: IpAddr) -> Self {
        self.source = Some(source);
        self
    }

    /// A new connection, for requests other than [`Client::request`].
    pub async fn open(&self) -> anyhow::Result<Connection> {
        let socket = if self.service.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        if let Some(source) = self.source {
            socket.bind(SocketAddr::new(source, 0))?;
        }
        let stream = socket.connect(self.service).await.context("cannot connect to the service")?;
        Ok(Connection::new(stream)?)
    }

    /// Does not parse bodies: parsing megabytes takes longer than serving them.
    #[must_use]
    pub const fn without_bodies(mut self) -> Self {
        self.parses_bodies = false;
        self
    }

    /// Makes [`Client::send`] retry while the service is busy (503).
    #[must_use]
    pub fn patient(mut self) -> Self {
        self.is_patient = true;
        self
    }

    /// Sends a request and expects this status.
    pub async fn send(&mut self, method: &str, path: &str, body: &Value, status: u16) -> anyhow::Result<TimedResponse> {
        let mut response = self.request(method, path, body).await?;
        for _ in 0..MAX_RETRIES {
            if !self.is_patient || response.status != 503 {
                break;
            }
            tokio::time::sleep(BUSY_PAUSE).await;
            response = self.request(method, path, body).await?;
        }
        if response.status != status {
            bail!("{method} {path}: {} {}", response.head.lines().next().unwrap_or_default(), response.body);
        }
        Ok(response)
    }

    pub async fn create(&mut self, path: &str, body: &Value) -> anyhow::Result<TimedResponse> {
        self.send("POST", path, body, 201).await
    }

    /// GET; accepts any status.
    pub async fn get(&mut self, path: &str) -> anyhow::Result<TimedResponse> {
        self.request("GET", path, &Value::Null).await
    }

    /// GET for a text response.
    pub async fn text(&mut self, path: &str) -> anyhow::Result<String> {
        let request = self.text_of("GET", path, &Value::Null);
        let message = tokio::time::timeout(RESPONSE_TIMEOUT, self.open().await?.exchange(&request)).await??;
        Ok(String::from_utf8_lossy(&message.body).into_owned())
    }

    /// POST; accepts any status.
    pub async fn post(&mut self, path: &str, body: &Value) -> anyhow::Result<TimedResponse> {
        self.request("POST", path, body).await
    }

    /// The bytes of a request.
    pub fn text_of(&self, method: &str, path: &str, body: &Value) -> String {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.request_text(method, path, "Content-Type: application/json", &body)
    }

    /// The bytes of a request with these header lines about its body.
    fn request_text(&self, method: &str, path: &str, lines: &str, body: &str) -> String {
        let path = in_workspace(&[&*self.headers, &*self.caller].concat(), path);
        format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{}{}{lines}\r\nAccept: {}\r\nContent-Length: {}\r\n\r\n{body}",
            self.headers,
            self.caller,
            self.accept,
            body.len()
        )
    }

    /// Sends a request, over a new connection if the last one was closed.
    ///
    /// # Errors
    /// If there is no response in time.
    pub async fn request(&mut self, method: &str, path: &str, body: &Value) -> anyhow::Result<TimedResponse> {
        let request = self.text_of(method, path, body);
        self.exchange(&format!("{method} {path}"), &request).await
    }

    /// Sends a form like a console page; accepts any status.
    ///
    /// # Errors
    /// If there is no response in time.
    pub async fn send_form(&mut self, path: &str, form: &str) -> anyhow::Result<TimedResponse> {
        let lines = "Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded";
        let request = self.request_text("POST", path, lines, form);
        self.exchange(&format!("POST {path}"), &request).await
    }

    async fn exchange(&mut self, label: &str, request: &str) -> anyhow::Result<TimedResponse> {
        let mut connection = match self.connection.take().filter(Connection::is_open) {
            Some(connection) => connection,
            None => self.open().await?,
        };
        let sent_at = Instant::now();
        let message = tokio::time::timeout(RESPONSE_TIMEOUT, connection.exchange(request)).await;
        let took = sent_at.elapsed();
        let message = message.with_context(|| format!("{label} timed out"))??;
        let status = message.head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.with_context(|| format!("{label}: no status"))?;
        let body = self.parses_bodies.then(|| serde_json::from_slice(&message.body).ok()).flatten();
        let body = body.unwrap_or(Value::Null);
        let response = TimedResponse { sent_at, took, status, head: message.head, body, size: message.body.len() };
        if !response.header("connection").eq_ignore_ascii_case("close") {
            self.connection = Some(connection);
        }
        Ok(response)
    }
}

/// Prefixes of addresses outside workspaces.
const OUTSIDE_WORKSPACES: [&str; 8] =
    ["/api/", "/assets/", "/kb/", "/sign-in", "/w/", "/healthz", "/readyz", "/metrics"];

/// The path of a page for a browser with these cookies: in the workspace of its session.
pub fn in_workspace(cookies: &str, path: &str) -> String {
    let slug = cookies.split_once("session-").and_then(|(_, rest)| rest.split('=').next());
    match slug {
        Some(slug) if !OUTSIDE_WORKSPACES.iter().any(|start| path.starts_with(start)) => format!("/w/{slug}{path}"),
        _ => path.to_owned(),
    }
}

/// A member that must be a string.
pub fn text<'a>(value: &'a Value, pointer: &str) -> anyhow::Result<&'a str> {
    value.pointer(pointer).and_then(Value::as_str).with_context(|| format!("no {pointer} in the response"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_complete_with_its_body() {
        let text = b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nokHTTP";
        let (message, length) = parse(text).unwrap();
        assert_eq!((message.body.as_slice(), length), (&b"ok"[..], text.len() - 4));
        assert!(parse(&text[..text.len() - 5]).is_none(), "half a body");
        assert!(parse(b"POST / HTTP/1.1\r\n").is_none(), "half a head");
    }
}
