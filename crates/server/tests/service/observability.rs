//! What operators see of a running service: log lines in JSON, and metrics.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use serde_json::{Value, json};

use crate::exposition;
use crate::support::{Service, body_of, create_user, data_dir, eventually, log_in, log_of};

const PASSWORD: &str = "correct horse battery";
const SETTINGS: [(&str, &str); 4] = [
    ("SERVICE_LOG", "debug"),
    ("SERVICE_LOG_FORMAT", "json"),
    ("SERVICE_WEBHOOK_ALLOW_HTTP", "true"),
    ("SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "true"),
];

/// All log lines. Checks that each one is an object with the common members.
fn lines_of(folder: &Path) -> Vec<Value> {
    let log = log_of(folder);
    let lines = log.lines().map(|line| {
        let json: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        for member in ["timestamp", "level", "target", "message"] {
            assert!(json[member].is_string(), "{line}");
        }
        let timestamp = json["timestamp"].as_str().unwrap();
        assert!(timestamp.len() == 27 && timestamp.ends_with('Z'), "microseconds, UTC: {line}");
        json
    });
    lines.collect()
}

/// Creates a webhook to a closed port, so that deliveries fail; returns the subscription's id.
fn subscribe(service: &Service, folder: &Path) -> String {
    assert!(create_user(folder, "demo", "ann@example.com", "owner", PASSWORD).status.success());
    let session = log_in(service, "ann@example.com", PASSWORD);
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let webhook = json!({"module": "crm", "url": format!("http://{closed}/"), "events": ["*"]}).to_string();
    let created = body_of(&service.post("/api/settings/webhooks", &session, &webhook), 201);
    created["data"]["id"].as_str().unwrap().to_owned()
}

#[test]
fn log_lines_are_json_objects_with_ids_and_metrics_are_exported() {
    let folder = data_dir();
    let mut service = Service::start_with(folder.path(), &SETTINGS);
    let key = service.key.clone().unwrap();
    let subscription = subscribe(&service, folder.path());
    let _ = body_of(&service.post("/api/v1/crm/deals", &key, r#"{"title": "told"}"#), 201);
    eventually("an attempt failed, and the request is logged", || {
        let log = log_of(folder.path());
        log.contains("attempt 1") && log.contains(r#""/api/v1/crm/deals""#)
    });
    let lines = lines_of(folder.path());
    let attempt = lines.iter().find(|line| line["message"].as_str().unwrap().starts_with("attempt 1")).unwrap();
    assert_eq!((&attempt["target"], &attempt["level"]), (&json!("dispatcher::send"), &json!("DEBUG")));
    assert_eq!(attempt["subscription_id"], subscription.as_str());
    for id in ["delivery_id", "workspace_id"] {
        assert_eq!(attempt[id].as_str().map(str::len), Some(36), "{attempt}");
    }
    let is_request_line = |line: &&Value| line["target"] == "request" && line["route"] == "/api/v1/crm/deals";
    let request = lines.iter().find(is_request_line).unwrap_or_else(|| panic!("{lines:#?}"));
    assert_eq!((&request["method"], &request["status"]), (&json!("POST"), &json!(201)));
    assert_eq!((&request["level"], &request["message"]), (&json!("INFO"), &json!("request")));
    assert!(request["duration_ms"].is_u64() && request["bytes"].as_u64() > Some(0), "{request}");
    assert_eq!((&request["workspace_id"], &request["user_id"]), (&attempt["workspace_id"], &Value::Null));
    assert!(request["key_id"].is_string() && request["request_id"].as_str().map(str::len) == Some(36), "{request}");
    assert!(!log_of(folder.path()).contains(&key));
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));

    // The queues are counted at startup.
    let service = Service::start_with(folder.path(), &SETTINGS);
    let _ = body_of(&service.get("/api/v1/crm/deals", &key), 200);
    let page = || service.metrics();
    eventually("the queues are counted and the background work began", || {
        let page = page();
        page.contains("service_webhook_deliveries{") && page.contains(r#"operation="claim_emails",outcome="ok""#)
    });
    let page = page();
    assert!(
        page.starts_with("HTTP/1.1 200") && page.to_lowercase().contains("content-type: text/plain; version=0.0.4")
    );
    check_metrics(page.split_once("\r\n\r\n").unwrap().1);
}

fn check_metrics(text: &str) {
    let families = exposition::parse(text);
    let family = |name: &str, kind: &str| {
        let family = families.get(name).unwrap_or_else(|| panic!("no {name}:\n{text}"));
        assert_eq!(family.kind, kind, "{name}");
        family
    };
    let requests = [("pool", "requests")];
    let max = family("service_db_pool_max_connections", "gauge").value("", &requests);
    let connections = family("service_db_pool_connections", "gauge");
    let idle = connections.value("", &[requests[0], ("state", "idle")]).unwrap();
    let in_use = connections.value("", &[requests[0], ("state", "in_use")]).unwrap();
    assert!(max == Some(10.0) && idle >= 1.0 && in_use >= 0.0 && idle + in_use <= 10.0, "{connections:?}");
    let pools = ["requests", "searches", "queues", "background", "link_requests", "events", "readiness"];
    assert_eq!(connections.values_of("pool"), pools.into());
    assert_eq!(family("service_db_pool_waiting", "gauge").value("", &requests), Some(0.0));
    assert_eq!(family("service_db_pool_timeouts_total", "counter").value("", &requests), Some(0.0));
    for name in ["service_db_pool_wait_seconds", "service_db_pool_checkout_seconds"] {
        assert!(family(name, "histogram").value("_count", &requests) >= Some(1.0), "{name}");
    }
    let jobs = family("service_store_job_seconds", "histogram");
    let list = [("operation", "GET /api/v1/crm/deals"), ("outcome", "ok")];
    assert!(jobs.value("_count", &list) >= Some(1.0), "{jobs:?}");
    let sum = jobs.value("_sum", &list).unwrap();
    assert!(sum > 0.0 && sum < 60.0, "{sum}");
    assert!(jobs.value("_count", &[("operation", "claim_emails"), ("outcome", "ok")]) >= Some(1.0), "{jobs:?}");
    let odd = |name: &&str| name.contains(['{', '<', ':']) && !name.contains(' ');
    assert_eq!(jobs.values_of("operation").into_iter().find(odd), None);
    let deliveries = family("service_webhook_deliveries", "gauge");
    let count_of = |state| deliveries.value("", &[("state", state)]).unwrap();
    assert!((count_of("due") + count_of("retrying") + count_of("in_flight") - 1.0).abs() < 0.5, "{deliveries:?}");
    let age = family("service_webhook_oldest_due_age_seconds", "gauge").value("", &[]).unwrap();
    assert!((0.0..600.0).contains(&age), "{age}");
    assert_eq!(family("service_emails_waiting", "gauge").value("", &[]), Some(0.0));
    assert_eq!(family("service_emails_oldest_age_seconds", "gauge").value("", &[]), Some(0.0));
    family("http_request_duration_seconds", "histogram");
    family("service_webhook_deliveries_claimed", "gauge");
}

/// A client can send malformed request heads as fast as its network allows. They must not fill the log.
#[test]
fn malformed_heads_are_counted_in_the_log() {
    const HEADS: usize = 60;
    let folder = data_dir();
    let service = Service::start_with(folder.path(), &[("SERVICE_LOG", "info")]);
    for _ in 0..HEADS {
        let mut stream = TcpStream::connect(&service.address).unwrap();
        stream.write_all(b"this is not HTTP\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.starts_with("HTTP/1.1 400 "), "{response}");
    }
    let lines = |part: &str| log_of(folder.path()).lines().filter(|line| line.contains(part)).count();
    let counted = || {
        let log = log_of(folder.path());
        let counts = log.lines().filter_map(|line| line.split_once("refused=head: ")?.1.split_once(" more"));
        counts.filter_map(|(count, _)| count.parse::<usize>().ok()).sum::<usize>()
    };
    eventually("all heads are in the log", || lines("refused a request head") + counted() == HEADS);
    assert_eq!(lines("stream error"), 0, "{}", log_of(folder.path()));
}

/// Without this, `increase()` would miss the first occurrence.
#[test]
fn counters_begin_at_zero() {
    let folder = data_dir();
    let service = Service::start_with(folder.path(), &SETTINGS);
    eventually("background jobs have begun", || service.metrics().contains("service_background_failures_total{"));
    let page = service.metrics();
    let documented = documented_counters();
    assert!(documented.len() > 15, "{documented:?}");
    // These exist only with Redis or replicas.
    let optional_metrics =
        ["service_limiter_fallbacks_total", "service_db_reads_total", "service_db_replica_fallbacks_total"];
    for name in documented.iter().filter(|name| !optional_metrics.contains(&name.as_str())) {
        let starts_at_zero = page.lines().any(|line| line.starts_with(&**name) && line.ends_with(" 0"));
        assert!(starts_at_zero, "{name} does not begin at 0:\n{page}");
    }
}

/// The counters in the tables of the documentation of metrics.
fn documented_counters() -> Vec<String> {
    let page = include_str!("../../../../docs/observability.md");
    let rows = page.lines().filter(|line| line.starts_with("| `") && line.contains("| counter |"));
    let names = rows.flat_map(|row| row.split('|').nth(1).unwrap_or_default().split(','));
    names.map(|name| name.trim().trim_matches('`').to_owned()).collect()
}

/// What was posted to a collector of traces, one request at a time.
fn receive_spans(collector: &TcpListener) -> Vec<u8> {
    collector.set_nonblocking(true).unwrap();
    let accepted = std::cell::RefCell::new(None);
    eventually("spans are exported", || {
        *accepted.borrow_mut() = collector.accept().ok();
        accepted.borrow().is_some()
    });
    let (mut stream, _) = accepted.take().unwrap();
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(5))).unwrap();
    let (mut request, mut buffer) = (Vec::new(), [0; 16_384]);
    loop {
        let read = stream.read(&mut buffer).unwrap();
        request.extend_from_slice(&buffer[..read]);
        let head_end = request.windows(4).position(|window| window == b"\r\n\r\n");
        let Some(head_end) = head_end.filter(|_| read > 0) else { continue };
        let head = String::from_utf8_lossy(&request[..head_end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.unwrap_or_else(|| panic!("{head}")).trim().parse().unwrap();
        if request.len() >= head_end + 4 + length {
            break;
        }
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
    request
}

#[test]
fn traces_go_to_the_collector_as_children_of_the_callers_span() {
    let folder = data_dir();
    let collector = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", collector.local_addr().unwrap());
    let settings = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &*endpoint),
        ("OTEL_BSP_SCHEDULE_DELAY", "50"),
        ("SERVICE_LOG_FORMAT", "json"),
    ];
    let service = Service::start_with(folder.path(), &settings);
    let key = service.key.clone().unwrap();
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let mut stream = TcpStream::connect(&service.address).unwrap();
    let request = format!(
        "GET /api/v1/crm/deals HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\
         traceparent: 00-{trace}-00f067aa0ba902b7-01\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    let has = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    let trace_id: Vec<u8> =
        (0..trace.len()).step_by(2).map(|index| u8::from_str_radix(&trace[index..index + 2], 16).unwrap()).collect();
    let parts = [
        b"GET /api/v1/crm/deals".as_slice(),
        b"workspace-service",
        b"database job",
        b"http.response.status_code",
        &trace_id,
    ];
    let mut received = Vec::new();
    // The demo's own requests may come first, and a busy service exports its spans one by one.
    while !parts.iter().all(|part| has(&received, part)) {
        received.extend(receive_spans(&collector));
    }
    assert!(has(&received, b"POST /v1/traces HTTP/1.1"), "the standard's path");
    assert!(!has(&received, key.as_bytes()));
    let lines = lines_of(folder.path());
    let traced = lines.iter().find(|line| line["trace_id"] == trace).unwrap_or_else(|| panic!("{lines:#?}"));
    assert_eq!((&traced["target"], &traced["route"]), (&json!("request"), &json!("/api/v1/crm/deals")));
}
