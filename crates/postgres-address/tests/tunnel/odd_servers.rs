//! Servers that behave unlike Postgres.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use crate::ask;

const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

/// The error message of psql if a server answers the request for TLS with these bytes and then stays silent.
fn psql_error(reply: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 8];
        stream.read_exact(&mut request).unwrap();
        assert_eq!(request, SSL_REQUEST);
        stream.write_all(reply).unwrap();
        // Wait until the tunnel gives up.
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let address = format!("postgres://work:secret@127.0.0.1:{port}/work?sslmode=require&connect_timeout=2");
    let message = ask(&address, "SELECT 1").unwrap_err();
    server.join().unwrap();
    assert!(message.contains(&format!("127.0.0.1:{port}")) && !message.contains("secret"), "{message}");
    message
}

#[test]
fn messages_before_tls_are_not_accepted() {
    // CVE-2021-23222: an AuthenticationOk and a ReadyForQuery, which a man-in-the-middle could have injected.
    let message = psql_error(b"SR\0\0\0\x08\0\0\0\0Z\0\0\0\x05I");
    assert!(message.contains("no TLS with"), "{message}");
}

#[test]
fn the_message_of_an_unverified_server_is_not_shown() {
    let message = psql_error(b"E\0\0\0\x0fMcall 555\0\0");
    assert!(message.contains("answered the request for TLS with an error") && !message.contains("555"), "{message}");
}

#[test]
fn another_protocol_is_reported() {
    assert!(psql_error(b"HTTP/1.1 400 Bad Request\r\n\r\n").contains("does not speak the protocol of Postgres"));
}

#[test]
fn a_silent_server_times_out_before_libpq_does() {
    let message = psql_error(b"S");
    assert!(message.contains("no answer within 1.8 s"), "{message}");
}
