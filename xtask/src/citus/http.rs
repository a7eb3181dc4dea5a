//! Requests to the service, one connection each.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value as Json;

/// Longer than the service's own time limit.
const TIMEOUT: Duration = Duration::from_secs(40);

/// A caller with a key, or with an empty one.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) address: String,
    pub(super) key: String,
}

type Header<'a> = (&'a str, &'a str);

/// A status, and the body, or null.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Json,
}

impl Answer {
    pub(super) fn as_json(&self) -> Json {
        serde_json::json!({"status": self.status, "body": self.body})
    }

    /// That of the record in it.
    pub(super) fn id(&self) -> Option<String> {
        // Of some records, the body is the record.
        self.body["data"]["id"].as_str().or_else(|| self.body["id"].as_str()).map(str::to_owned)
    }
}

impl Client {
    pub(super) fn send(&self, method: &str, path: &str, body: Option<&Json>) -> Result<Answer> {
        self.send_with(method, path, body, &[])
    }

    pub(super) fn send_with(
        &self,
        method: &str,
        path: &str,
        body: Option<&Json>,
        headers: &[Header<'_>],
    ) -> Result<Answer> {
        let mut stream = TcpStream::connect(&self.address).context("cannot connect to the service")?;
        stream.set_read_timeout(Some(TIMEOUT)).context("cannot set a time limit")?;
        let body = body.map(Json::to_string).unwrap_or_default();
        let bearer = format!("Bearer {}", self.key);
        let key = (!self.key.is_empty()).then_some(("Authorization", bearer.as_str()));
        let lines: Vec<_> = key.iter().chain(headers).map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let headers = lines.concat();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{headers}Content-Type: application/json\r\nConnection: close\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).context("cannot send a request")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).context("cannot read an answer")?;
        parse(&answer).with_context(|| format!("{method} {path}: no HTTP: {}", String::from_utf8_lossy(&answer)))
    }
}

fn parse(answer: &[u8]) -> Option<Answer> {
    let text = std::str::from_utf8(answer).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { joined(body)? } else { body.to_owned() };
    Some(Answer { status, body: serde_json::from_str(&body).unwrap_or(Json::Null) })
}

/// The chunks of a body as one.
fn joined(mut chunks: &str) -> Option<String> {
    let mut body = String::new();
    loop {
        let (size, rest) = chunks.split_once("\r\n")?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.push_str(rest.get(..size)?);
        chunks = rest.get(size + 2..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_whole_and_in_chunks() {
        let expected = Answer { status: 200, body: serde_json::json!({"a": 1}) };
        assert_eq!(parse(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n{\"a\": 1}"), Some(expected.clone()));
        let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n4\r\n: 1}\r\n0\r\n\r\n";
        assert_eq!(parse(chunked), Some(expected));
        assert_eq!(parse(b"nothing"), None);
    }
}
