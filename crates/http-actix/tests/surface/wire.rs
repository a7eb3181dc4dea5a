//! Tests over real connections: bodies that are not read.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use http_core::testing::TestApp;

use super::SURFACES;
use http_core::serve;

const LARGE: usize = 2_000_000;

pub(super) fn start(world: &TestApp) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let state = world.state.clone();
    let (started, start) = mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = serve(listener, state, SURFACES, 1).unwrap();
            started.send(()).unwrap();
            let _ = server.await;
        });
    });
    start.recv().unwrap();
    address
}

pub(super) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
}

/// Reads one response: its headers and the declared length of the body.
pub(super) fn answer(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        text.push(byte[0]);
    }
    let head = String::from_utf8(text).unwrap();
    let length = head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

pub(super) fn head(method: &str, path: &str, key: &str, length: usize, more: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{more}\r\n"
    )
}

#[test]
fn a_large_body_gets_its_response_and_the_connection_stays_open() {
    let world = TestApp::new(SURFACES);
    let address = start(&world);
    let mut stream = connect(address);
    for (method, path, key, status) in [
        ("POST", "/api/v1/crm/contacts", &*world.key, "413"),
        ("POST", "/api/v1/nope", &*world.key, "404"),
        ("PUT", "/api/v1/crm/contacts", &*world.key, "405"),
        ("POST", "/api/v1/crm/contacts", "nope", "401"),
        ("GET", "/api/v1/crm/contacts", &*world.key, "200"),
    ] {
        stream.write_all(head(method, path, key, LARGE, "").as_bytes()).unwrap();
        stream.write_all(&vec![b' '; LARGE]).unwrap();
        let answer = answer(&mut stream);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path}: {answer}");
        assert!(!answer.to_lowercase().contains("connection: close"), "{answer}");
    }
}

#[test]
fn a_client_that_expects_100_continue_gets_its_response() {
    let world = TestApp::new(SURFACES);
    let address = start(&world);
    for (path, status) in [("/api/v1/crm/contacts", "413"), ("/api/v1/nope", "404")] {
        let mut stream = connect(address);
        let more = "Expect: 100-continue\r\n";
        stream.write_all(head("POST", path, &world.key, LARGE, more).as_bytes()).unwrap();
        assert!(answer(&mut stream).starts_with("HTTP/1.1 100 "));
        stream.write_all(&vec![b' '; LARGE]).unwrap();
        let answer = answer(&mut stream);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {answer}");
    }
}

#[test]
fn a_chunked_body_is_counted_as_it_arrives() {
    let world = TestApp::new(SURFACES);
    let mut stream = connect(start(&world));
    let head = head("POST", "/api/v1/crm/contacts", &world.key, 0, "")
        .replace("Content-Length: 0", "Transfer-Encoding: chunked");
    stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..200 {
        stream.write_all(b"2710\r\n").unwrap();
        stream.write_all(&[b' '; 10_000]).unwrap();
        stream.write_all(b"\r\n").unwrap();
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    assert!(answer(&mut stream).starts_with("HTTP/1.1 413 "));
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    assert!(answer(&mut stream).starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_stalled_body_hits_the_deadline() {
    let mut world = TestApp::new(SURFACES);
    world.state.settings.deadline = Duration::from_millis(100);
    world.state.settings.discard_deadline = Duration::from_millis(100);
    let mut stream = connect(start(&world));
    stream.write_all(head("POST", "/api/v1/crm/contacts", &world.key, 1_000, "").as_bytes()).unwrap();
    assert!(answer(&mut stream).starts_with("HTTP/1.1 503 "));
}

#[test]
fn a_huge_body_gets_its_response_and_then_the_connection_closes() {
    let world = TestApp::new(SURFACES);
    let mut stream = connect(start(&world));
    let huge = 20 * 1024 * 1024;
    stream.write_all(head("POST", "/api/v1/crm/contacts", &world.key, huge, "").as_bytes()).unwrap();
    stream.write_all(&vec![b' '; huge]).unwrap();
    let answer = answer(&mut stream);
    assert!(answer.starts_with("HTTP/1.1 413 ") && answer.to_lowercase().contains("connection: close"), "{answer}");
}

#[test]
fn a_stalled_chunked_body_does_not_keep_its_connection() {
    let mut world = TestApp::new(SURFACES);
    world.state.settings.discard_deadline = Duration::from_millis(100);
    world.state.settings.disconnect_timeout = Duration::from_millis(100);
    let address = start(&world);
    for close in ["", "Connection: close\r\n"] {
        let mut stream = connect(address);
        let head = format!("POST /x HTTP/1.1\r\nHost: x\r\n{close}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let answer = answer(&mut stream);
        assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
        // End of the connection, not a read timeout.
        assert_eq!(stream.read(&mut [0]).unwrap(), 0);
    }
}
