//! A proxy that adds the key, which the conformance suite cannot send.
//!
//! It handles one request per connection, so that it only has to parse the request headers.

use std::io::{Read, Write, copy};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

const MAX_HEAD_BYTES: usize = 64 * 1024;
const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

pub(super) struct Proxy(TcpListener);

impl Proxy {
    /// Binds a free port.
    pub(super) fn bind() -> Result<Self> {
        TcpListener::bind("127.0.0.1:0").map(Self).context("cannot bind a port for the proxy")
    }

    pub(super) fn url(&self) -> Result<String> {
        let address = self.0.local_addr().context("the proxy has no address")?;
        Ok(format!("http://{address}"))
    }

    /// Forwards requests until the process ends.
    pub(super) fn serve(self, target: String, key: String) {
        thread::spawn(move || {
            for client in self.0.incoming().flatten() {
                let (target, key) = (target.clone(), key.clone());
                thread::spawn(move || {
                    if let Err(error) = forward(&client, &target, &key) {
                        eprintln!("xtask: the proxy lost a connection: {error}");
                    }
                });
            }
        });
    }
}

fn forward(client: &TcpStream, target: &str, key: &str) -> std::io::Result<()> {
    client.set_read_timeout(Some(WAIT_TIMEOUT))?;
    let Some((head, rest)) = read_head(client)? else { return Ok(()) };
    let service = TcpStream::connect(target)?;
    service.set_read_timeout(Some(WAIT_TIMEOUT))?;
    let mut to_service = service.try_clone()?;
    to_service.write_all(with_key(&head, key).as_bytes())?;
    to_service.write_all(&rest)?;
    let mut from_client = client.try_clone()?;
    let sending = thread::spawn(move || copy(&mut from_client, &mut to_service));
    // Ends after the response, since the request asks the service to close the connection.
    let response = copy(&mut &service, &mut &*client);
    let _ = client.shutdown(Shutdown::Both);
    let _ = service.shutdown(Shutdown::Both);
    let _ = sending.join();
    response.map(|_| ())
}

/// The request headers with the empty line, and the part of the body read with them; `None` on an empty connection.
fn read_head(mut client: &TcpStream) -> std::io::Result<Option<(String, Vec<u8>)>> {
    let mut read = Vec::new();
    let mut chunk = [0; 4096];
    while read.len() < MAX_HEAD_BYTES {
        let count = client.read(&mut chunk)?;
        if count == 0 {
            return Ok(None);
        }
        read.extend_from_slice(&chunk[..count]);
        if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
            let rest = read.split_off(end + 4);
            return Ok(Some((String::from_utf8_lossy(&read).into_owned(), rest)));
        }
    }
    Err(std::io::Error::other("the request headers are incomplete"))
}

/// Adds the key and `Connection: close` to the headers.
fn with_key(head: &str, key: &str) -> String {
    let (first, fields) = head.split_once("\r\n").unwrap_or((head, "\r\n"));
    let is_connection = |line: &&str| line.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("connection:"));
    let other_fields: String = fields.split_inclusive("\r\n").filter(|line| !is_connection(line)).collect();
    format!("{first}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n{other_fields}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_added_and_the_rest_stays() {
        let head = "POST /api/mcp HTTP/1.1\r\nHost: a\r\nconnection: keep-alive\r\nOrigin: http://b\r\n\r\n";
        let forwarded = "POST /api/mcp HTTP/1.1\r\nAuthorization: Bearer k\r\nConnection: close\r\n\
            Host: a\r\nOrigin: http://b\r\n\r\n";
        assert_eq!(with_key(head, "k"), forwarded);
    }

    #[test]
    fn a_request_and_its_response_pass() {
        let service = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Proxy::bind().unwrap();
        let address = proxy.0.local_addr().unwrap();
        proxy.serve(service.local_addr().unwrap().to_string(), "k".to_owned());
        let mut client = TcpStream::connect(address).unwrap();
        client.write_all(b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi").unwrap();
        let (mut served, _) = service.accept().unwrap();
        let expected =
            b"POST / HTTP/1.1\r\nAuthorization: Bearer k\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi";
        let mut got = vec![0; expected.len()];
        served.read_exact(&mut got).unwrap();
        assert_eq!(got, expected);
        served.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap();
        drop(served);
        let mut response = String::new();
        client.read_to_string(&mut response).unwrap();
        assert_eq!(response, "HTTP/1.1 204 No Content\r\n\r\n");
    }
}
