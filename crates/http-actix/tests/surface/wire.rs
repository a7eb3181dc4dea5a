//! Tests over real connections: bodies that are not read.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use http_core::testing::TestApp;

use super::SURFACES;
use http_core::serve;

const LARGE: usize = 2_000_000;

pub(super) fn start(app: &TestApp) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let state = app.state.clone();
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
pub(super) fn read_response(stream: &mut TcpStream) -> String {
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

pub(super) fn head(method: &str, path: &str, key: &str, length: usize, extra_headers: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{extra_headers}\r\n"
    )
}

#[test]
fn a_large_body_gets_its_response_and_the_connection_stays_open() {
    let app = TestApp::new(SURFACES);
    let address = start(&app);
    let mut stream = connect(address);
    for (method, path, key, status) in [
        ("POST", "/api/v1/crm/contacts", &*app.key, "413"),
        ("POST", "/api/v1/nope", &*app.key, "404"),
        ("PUT", "/api/v1/crm/contacts", &*app.key, "405"),
        ("POST", "/api/v1/crm/contacts", "nope", "401"),
        ("GET", "/api/v1/crm/contacts", &*app.key, "200"),
    ] {
        stream.write_all(head(method, path, key, LARGE, "").as_bytes()).unwrap();
        stream.write_all(&vec![b' '; LARGE]).unwrap();
        let response = read_response(&mut stream);
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path}: {response}");
        assert!(!response.to_lowercase().contains("connection: close"), "{response}");
    }
}

#[test]
fn a_client_that_expects_100_continue_gets_its_response() {
    let app = TestApp::new(SURFACES);
    let address = start(&app);
    for (path, status) in [("/api/v1/crm/contacts", "413"), ("/api/v1/nope", "404")] {
        let mut stream = connect(address);
        let extra_headers = "Expect: 100-continue\r\n";
        stream.write_all(head("POST", path, &app.key, LARGE, extra_headers).as_bytes()).unwrap();
        assert!(read_response(&mut stream).starts_with("HTTP/1.1 100 "));
        stream.write_all(&vec![b' '; LARGE]).unwrap();
        let response = read_response(&mut stream);
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {response}");
    }
}

#[test]
fn a_chunked_body_is_counted_as_it_arrives() {
    let app = TestApp::new(SURFACES);
    let mut stream = connect(start(&app));
    let head = head("POST", "/api/v1/crm/contacts", &app.key, 0, "")
        .replace("Content-Length: 0", "Transfer-Encoding: chunked");
    stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..200 {
        stream.write_all(b"2710\r\n").unwrap();
        stream.write_all(&[b' '; 10_000]).unwrap();
        stream.write_all(b"\r\n").unwrap();
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 413 "));
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_stalled_body_hits_the_deadline() {
    let mut app = TestApp::new(SURFACES);
    app.state.settings.deadline = Duration::from_millis(100);
    app.state.settings.discard_deadline = Duration::from_millis(100);
    let mut stream = connect(start(&app));
    stream.write_all(head("POST", "/api/v1/crm/contacts", &app.key, 1_000, "").as_bytes()).unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 503 "));
}

#[test]
fn a_huge_body_gets_its_response_and_then_the_connection_closes() {
    let app = TestApp::new(SURFACES);
    let mut stream = connect(start(&app));
    let huge = 20 * 1024 * 1024;
    stream.write_all(head("POST", "/api/v1/crm/contacts", &app.key, huge, "").as_bytes()).unwrap();
    stream.write_all(&vec![b' '; huge]).unwrap();
    let response = read_response(&mut stream);
    assert!(
        response.starts_with("HTTP/1.1 413 ") && response.to_lowercase().contains("connection: close"),
        "{response}"
    );
}

#[test]
fn a_stalled_chunked_body_does_not_keep_its_connection() {
    let mut app = TestApp::new(SURFACES);
    app.state.settings.discard_deadline = Duration::from_millis(100);
    app.state.settings.disconnect_timeout = Duration::from_millis(100);
    let address = start(&app);
    for close in ["", "Connection: close\r\n"] {
        let mut stream = connect(address);
        let head = format!("POST /x HTTP/1.1\r\nHost: x\r\n{close}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let response = read_response(&mut stream);
        assert!(response.starts_with("HTTP/1.1 404 "), "{response}");
        // End of the connection, not a read timeout.
        assert_eq!(stream.read(&mut [0]).unwrap(), 0);
    }
}
