//! A client of server-sent events.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;
use test_support::load::http::Client;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Heartbeats are more frequent.
const MAX_SILENCE: Duration = Duration::from_secs(25);
const USUAL_SIZE: usize = 64 * 1_024;

/// The lines between two blank lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) id: Option<String>,
    pub(crate) data: Option<String>,
}

/// An open response.
#[derive(Debug)]
pub(crate) struct EventStream {
    stream: TcpStream,
    unread: ReadBuffer,
}

impl EventStream {
    /// Follows the event log, after the last id if there is one.
    ///
    /// # Errors
    /// A status other than 200, or a failure of the connection.
    pub(crate) async fn open(
        service: SocketAddr,
        key: &str,
        last_id: Option<&str>,
    ) -> anyhow::Result<Result<Self, u16>> {
        let mut client = Client::new(service).with_key(key);
        if let Some(id) = last_id {
            client = client.with_header("Last-Event-ID", id);
        }
        let mut stream = client.open().await?.stream;
        stream.write_all(client.text_of("GET", "/api/v1/events", &Value::Null).as_bytes()).await?;
        let mut unread = ReadBuffer::default();
        let head = loop {
            if let Some(head) = unread.head() {
                break head;
            }
            unread.more(&mut stream).await?;
        };
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).context("no status")?;
        if status != 200 {
            return Ok(Err(status));
        }
        ensure!(head.to_ascii_lowercase().contains("transfer-encoding: chunked"), "not a stream: {head}");
        Ok(Ok(Self { stream, unread }))
    }

    /// Waits for the next block.
    pub(crate) async fn next(&mut self) -> anyhow::Result<Block> {
        loop {
            if let Some(block) = self.unread.block() {
                return Ok(block);
            }
            self.unread.more(&mut self.stream).await?;
        }
    }
}

/// Received bytes that are not yet parsed.
#[derive(Debug, Default)]
struct ReadBuffer {
    /// As received, in chunks.
    raw: Vec<u8>,
    text: Vec<u8>,
    /// No block ends before this position.
    searched: usize,
}

impl ReadBuffer {
    async fn more(&mut self, stream: &mut TcpStream) -> anyhow::Result<()> {
        self.raw.reserve(USUAL_SIZE);
        let read = tokio::time::timeout(MAX_SILENCE, stream.read_buf(&mut self.raw)).await;
        ensure!(read.context("nothing arrived, not even a heartbeat")?? > 0, "the stream has ended");
        Ok(())
    }

    fn head(&mut self) -> Option<String> {
        let end = find(&self.raw, b"\r\n\r\n")? + 4;
        Some(String::from_utf8_lossy(&self.raw.drain(..end).collect::<Vec<_>>()).into_owned())
    }

    /// The next complete block. A truncated one is never returned.
    fn block(&mut self) -> Option<Block> {
        loop {
            if let Some(length) = find(&self.text[self.searched..], b"\n\n") {
                let end = self.searched + length + 2;
                let block = parse(&String::from_utf8_lossy(&self.text[..end]));
                self.text.drain(..end);
                self.searched = 0;
                return Some(block);
            }
            self.searched = self.text.len().saturating_sub(1);
            self.unchunk()?;
        }
    }

    /// Moves one complete chunk into the text.
    fn unchunk(&mut self) -> Option<()> {
        let line = find(&self.raw, b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&self.raw[..line]).ok()?, 16).ok()?;
        let (begin, end) = (line + 2, line + 2 + length);
        self.text.extend_from_slice(self.raw.get(..end + 2)?.get(begin..end)?);
        self.raw.drain(..end + 2);
        Some(())
    }
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

fn parse(text: &str) -> Block {
    let mut block = Block::default();
    for (name, value) in text.lines().filter_map(|line| line.split_once(": ")) {
        match name {
            "id" => block.id = Some(value.to_owned()),
            "data" => block.data = Some(value.to_owned()),
            _ => {}
        }
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_not_depend_on_how_the_body_is_chunked() {
        let mut unread = ReadBuffer::default();
        let stream = b"HTTP/1.1 200 OK\r\n\r\nd\r\nid: 1\ndata: {\r\n6\r\n}\n\nid:\r\n8\r\n 2\n\nid: \r\n";
        let mut blocks = Vec::new();
        let mut has_head = false;
        for byte in stream {
            unread.raw.push(*byte);
            has_head = has_head || unread.head().is_some();
            if has_head {
                blocks.extend(unread.block());
            }
        }
        let one = Block { id: Some("1".to_owned()), data: Some("{}".to_owned()) };
        assert_eq!(blocks, [one, Block { id: Some("2".to_owned()), data: None }]);
    }
}
