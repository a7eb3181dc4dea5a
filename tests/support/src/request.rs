//! Requests without an async runtime, each on its own connection.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// Longer than the service's own time limit.
const TIMEOUT: Duration = Duration::from_secs(40);

/// A response with its complete body.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub status: u16,
    pub head: String,
    /// Null if it is not JSON.
    pub body: Value,
}

/// Sends a request with these header lines, and returns the response verbatim.
pub fn exchange(address: &str, method: &str, path: &str, headers: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes())?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    Ok(response)
}

/// The header lines of a JSON request with a key or token.
pub fn bearer(key: &str) -> String {
    format!("Authorization: Bearer {key}\r\nContent-Type: application/json\r\n")
}

/// Sends a request with these header lines. `None` if there is no response.
pub fn request(address: &str, method: &str, path: &str, headers: &str, body: &str) -> Option<Response> {
    parse(&exchange(address, method, path, headers, body).ok()?)
}

/// Parses a response. `None` if it is incomplete.
pub fn parse(response: &str) -> Option<Response> {
    let (head, body) = response.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    let head = head.to_ascii_lowercase();
    let body = if head.contains("transfer-encoding: chunked") { joined(body)? } else { body.to_owned() };
    Some(Response { status, head, body: serde_json::from_str(&body).unwrap_or_default() })
}

/// Joins the chunks of a body.
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
    fn responses_are_parsed_complete_and_in_chunks() {
        let parsed = |text| parse(text).map(|response| (response.status, response.body));
        let expected = Some((200, serde_json::json!({"a": 1})));
        assert_eq!(parsed("HTTP/1.1 200 OK\r\nA: b\r\n\r\n{\"a\": 1}"), expected);
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n4\r\n: 1}\r\n0\r\n\r\n";
        assert_eq!(parsed(chunked), expected);
        assert_eq!(parsed("nothing"), None);
    }
}
