//! Limits on the connections and memory that one client can use, over real connections.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use http_core::testing::TestApp;
use http_core::{AnswerLimits, HttpSettings, TrustedProxies};
use serde_json::{Value, json};

use super::SURFACES;
use super::wire::{connect, head, read_response, start};

const KIB: usize = 1024;
const ISSUES: &str = "/api/v1/issues?limit=100";

fn app(settings: HttpSettings) -> TestApp {
    TestApp::new(SURFACES).with_settings(settings)
}

/// Creates tasks whose descriptions have this many characters.
async fn fill(app: &TestApp, tasks: usize, characters: usize) {
    for number in 0..tasks {
        let task = json!({"kind": "task", "title": format!("{number}"), "description": "x".repeat(characters)});
        assert_eq!(app.answer(app.json("POST", "/api/v1/issues", &task.to_string())).await.status, 201);
    }
}

/// A server with a list of tasks that takes more than 5 MB.
async fn start_with_tasks(settings: HttpSettings) -> (TestApp, SocketAddr) {
    let app = app(settings);
    fill(&app, 100, 50_000).await;
    let address = start(&app);
    (app, address)
}

fn get(address: SocketAddr, path: &str, key: &str) -> TcpStream {
    let mut stream = connect(address);
    stream.write_all(head("GET", path, key, 0, "").as_bytes()).unwrap();
    stream
}

/// Requests the list of tasks and reads only the first line.
fn get_unread(address: SocketAddr, key: &str) -> TcpStream {
    let mut stream = get(address, ISSUES, key);
    let mut first = [0; 15];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    stream
}

/// Polls until the check passes; the bound only ends a hanging test.
fn eventually<T>(condition: &str, mut check: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(value) = check() {
            return value;
        }
        assert!(Instant::now() < end, "timed out: {condition}");
        std::thread::yield_now();
    }
}

/// `Some` if a new connection is accepted and answered.
fn is_served(address: SocketAddr) -> Option<()> {
    let mut stream = connect(address);
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").ok()?;
    let mut reply = [0; 12];
    stream.read_exact(&mut reply).ok()?;
    (&reply[9..] == b"200").then_some(())
}

/// Whether the server has closed a connection on which the client has read nothing.
fn is_closed(stream: &mut TcpStream) -> bool {
    // Sending fails once the reset has arrived.
    stream.write_all(b"\r\n").is_err()
}

#[actix_web::test]
async fn a_client_that_reads_nothing_is_disconnected_and_its_memory_is_freed() {
    let settings = HttpSettings {
        stall_timeout: Duration::from_millis(300),
        answers: AnswerLimits { process: 64 * KIB * KIB, workspace: 20 * KIB * KIB, caller: 20 * KIB * KIB },
        ..HttpSettings::default()
    };
    let (app, address) = start_with_tasks(settings).await;
    // Twice, so that the second is admitted by the size of the first and both hold memory.
    let mut stalled = [get_unread(address, &app.key), get(address, ISSUES, &app.key)];
    for stream in &mut stalled {
        eventually("it is closed", || is_closed(stream).then_some(()));
    }
    // All memory is free again: a response that needs more than half of it is admitted.
    for _ in 0..3 {
        let reply = read_response(&mut get(address, ISSUES, &app.key));
        assert!(reply.starts_with("HTTP/1.1 200") && reply.len() > 5_000_000, "{}", &reply[..200]);
    }
}

#[actix_web::test]
async fn pipelined_requests_are_not_accepted_for_long_if_responses_are_not_read() {
    let settings = HttpSettings { stall_timeout: Duration::from_millis(300), ..HttpSettings::default() };
    let app = app(settings);
    let address = start(&app);
    let mut stream = connect(address);
    stream.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
    let request = b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n".repeat(64);
    // The server either stops reading or closes; no more than the socket buffers ever get through.
    let sent = (0..100_000).take_while(|_| stream.write_all(&request).is_ok()).count();
    assert!(sent < 100_000);
    eventually("it is closed", || is_closed(&mut stream).then_some(()));
}

#[actix_web::test]
async fn many_pipelined_requests_are_answered_in_order() {
    let app = TestApp::new(SURFACES);
    let address = start(&app);
    let mut stream = connect(address);
    let mut reader = stream.try_clone().unwrap();
    let requests = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000);
    let sender = std::thread::spawn(move || stream.write_all(requests.as_bytes()).unwrap());
    for number in 0..1_000 {
        assert!(read_response(&mut reader).contains(r#"{"status":"ok"}"#), "{number}");
        assert!(read_response(&mut reader).contains(r#""error""#), "{number}");
    }
    sender.join().unwrap();
}

#[actix_web::test]
async fn a_request_without_memory_for_its_response_is_refused_and_does_nothing() {
    let limits = AnswerLimits { process: 64 * KIB * KIB, workspace: 9 * KIB * KIB, caller: 9 * KIB * KIB };
    let settings = HttpSettings { answers: limits, ..HttpSettings::default() };
    let (app, address) = start_with_tasks(settings).await;
    let unread = get_unread(address, &app.key);
    let refused = read_response(&mut get(address, ISSUES, &app.key));
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    let head = refused.to_lowercase();
    assert!(head.contains("retry-after: 1") && head.contains("\"code\":\"unavailable\""), "{refused}");
    // A small response still fits, and so does a write.
    for (method, path, body) in
        [("GET", "/api/v1/crm/deals", ""), ("POST", "/api/v1/crm/deals", r#"{"title": "small"}"#)]
    {
        let mut stream = connect(address);
        let request = super::wire::head(method, path, &app.key, body.len(), "") + body;
        stream.write_all(request.as_bytes()).unwrap();
        let reply = read_response(&mut stream);
        assert!(reply.starts_with("HTTP/1.1 20"), "{method} {path}: {reply}");
    }
    // Once the response is read or its client disconnects, the memory is free again.
    drop(unread);
    eventually("there is room", || {
        read_response(&mut get(address, ISSUES, &app.key)).starts_with("HTTP/1.1 200").then_some(())
    });
}

#[actix_web::test]
async fn a_page_by_cursor_ends_early_and_a_page_by_number_does_not() {
    let app = TestApp::new(SURFACES);
    fill(&app, 101, 50_000).await;
    let list = async |query: &str| app.answer(app.request("GET", &format!("{ISSUES}{query}"))).await;
    let first = list("").await;
    assert_eq!(first.json()["data"].as_array().map(Vec::len), Some(100));
    assert!(first.text.len() > 5_000_000);
    let newest = app.answer(app.request("GET", "/api/v1/issues?limit=1")).await.json();
    let mut titles = vec![newest["data"][0]["title"].clone()];
    let mut cursor = newest["pagination"]["nextCursor"].clone();
    let mut sizes = Vec::new();
    while let Some(next) = cursor.as_str() {
        let page = list(&format!("&cursor={next}")).await;
        assert_eq!(page.status, 200);
        assert!(page.text.len() <= 4 * KIB * KIB + 200, "{}", page.text.len());
        let json = page.json();
        let rows = json["data"].as_array().unwrap();
        sizes.push(rows.len());
        titles.extend(rows.iter().map(|row| row["title"].clone()));
        cursor = json["pagination"]["nextCursor"].clone();
        assert_eq!(json["pagination"]["hasMore"], Value::Bool(cursor.is_string()));
    }
    assert!(sizes.len() == 2 && sizes[0] < 100, "{sizes:?}");
    let expected: Vec<_> = (0..101).rev().map(|number| Value::from(number.to_string())).collect();
    assert_eq!(titles, expected, "every record once, in order");
}

#[actix_web::test]
async fn connections_per_address_are_limited_except_for_trusted_proxies() {
    let bounded = HttpSettings { connections_per_address: 3, ..HttpSettings::default() };
    let proxied = HttpSettings { trusted_proxies: TrustedProxies::parse(["127.0.0.1"]).unwrap(), ..bounded.clone() };
    for (settings, beyond) in [(bounded, "503"), (proxied, "200")] {
        let app = app(settings);
        let address = start(&app);
        let mut held: Vec<_> = (0..3).map(|_| connect(address)).collect();
        for stream in &mut held {
            stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            assert!(read_response(stream).starts_with("HTTP/1.1 200"));
        }
        let mut next = connect(address);
        let _ = next.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
        let mut reply = [0; 12];
        next.read_exact(&mut reply).unwrap();
        assert_eq!(String::from_utf8_lossy(&reply[9..]), beyond);
        drop(held);
        eventually("there is room", || is_served(address));
    }
}

#[actix_web::test]
async fn the_service_stays_reachable_when_idle_connections_reach_the_limit() {
    let settings = HttpSettings { max_connections: 64, ..HttpSettings::default() };
    let app = app(settings);
    let address = start(&app);
    // Most send nothing; some send half of a request head.
    let mut idle = Vec::new();
    for number in 0..200 {
        let mut stream = connect(address);
        if number % 3 == 0 {
            let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nHo");
        }
        idle.push(stream);
        if number % 50 == 49 {
            eventually("it is served", || is_served(address));
        }
    }
}

#[actix_web::test]
async fn busy_connections_per_credential_are_limited() {
    let settings = HttpSettings { connections_per_credential: 2, ..HttpSettings::default() };
    let (app, address) = start_with_tasks(settings).await;
    let held = [get_unread(address, &app.key), get_unread(address, &app.key)];
    let mut beyond = get(address, "/api/v1/crm/deals", &app.key);
    let refused = read_response(&mut beyond);
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(refused.to_lowercase().contains("connection: close"), "{refused}");
    assert_eq!(beyond.read(&mut [0; 1]).unwrap(), 0);
    // Other callers are not affected.
    let mut other = connect(address);
    other.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    assert!(read_response(&mut other).starts_with("HTTP/1.1 200"));
    drop(held);
    eventually("there is room", || {
        read_response(&mut get(address, "/api/v1/crm/deals", &app.key)).starts_with("HTTP/1.1 200").then_some(())
    });
    // Idle connections are displaced: a client that reconnects is not blocked by its abandoned ones.
    let mut idle = Vec::new();
    for _ in 0..5 {
        let mut stream = get(address, "/api/v1/crm/deals", &app.key);
        assert!(read_response(&mut stream).starts_with("HTTP/1.1 200"));
        idle.push(stream);
    }
}

#[actix_web::test]
async fn behind_a_proxy_the_requests_of_a_credential_are_counted() {
    let settings = HttpSettings {
        connections_per_credential: 1,
        trusted_proxies: TrustedProxies::parse(["127.0.0.1"]).unwrap(),
        ..HttpSettings::default()
    };
    let (app, address) = start_with_tasks(settings).await;
    let _unread = get_unread(address, &app.key);
    let mut shared = get(address, "/api/v1/crm/deals", &app.key);
    let refused = read_response(&mut shared);
    assert!(refused.starts_with("HTTP/1.1 503") && !refused.to_lowercase().contains("connection: close"), "{refused}");
    // The proxy keeps using the connection, for other clients.
    shared.write_all(head("GET", "/healthz", "none", 0, "").as_bytes()).unwrap();
    assert!(read_response(&mut shared).starts_with("HTTP/1.1 200"));
}

#[actix_web::test]
async fn the_head_of_a_later_request_also_has_a_deadline() {
    let settings = HttpSettings { head_timeout: Duration::from_millis(300), ..HttpSettings::default() };
    let address = start(&app(settings));
    let mut stream = connect(address);
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 200"));
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHo").unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    // The connection was closed or reset: this is not a read timeout.
    let end = stream.read(&mut [0; 1]).map_err(|error| error.kind());
    assert!(matches!(end, Ok(0) | Err(std::io::ErrorKind::ConnectionReset)), "{end:?}");
}
