use std::time::Duration;

use serde_json::{Value, json};

use super::support::{Reply, answered, headers, nothing, played};
use crate::{ApiError, Client, ErrorKind};

fn nested(status: u16, code: &str, more: &Value) -> Reply {
    let mut error = json!({ "code": code, "message": "m", "request_id": "r" });
    error.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    answered(status, &json!({ "error": error }))
}

fn flat(status: u16, code: &str, more: &Value) -> Reply {
    let mut error = json!({ "error": code, "message": "m", "request_id": "r" });
    error.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    answered(status, &error)
}

async fn error_of(reply: Reply) -> ApiError {
    let (client, _) = played([reply]);
    let call = client.request("deals_read").path("deal_id", "d").max_retries(0);
    call.await.unwrap_err().api().unwrap().clone()
}

#[tokio::test]
async fn errors_have_a_kind_by_status_and_code_in_both_forms() {
    use ErrorKind as Kind;
    let none = Value::Null;
    for (reply, kind) in [
        (nested(400, "unknown_field", &none), Kind::BadRequest),
        (nested(401, "unauthorized", &none), Kind::Authentication),
        (nested(403, "forbidden", &none), Kind::PermissionDenied),
        (flat(403, "permission_denied", &none), Kind::PermissionDenied),
        (nested(404, "not_found", &none), Kind::NotFound),
        (nested(409, "duplicate", &none), Kind::Duplicate),
        (nested(409, "concurrent_update", &none), Kind::ConcurrentUpdate),
        (nested(409, "conflict", &none), Kind::Conflict),
        (nested(413, "payload_too_large", &none), Kind::BadRequest),
        (nested(422, "validation_failed", &none), Kind::Validation),
        (flat(429, "rate_limit_exceeded", &none), Kind::RateLimit),
        (flat(429, "quota_exceeded", &none), Kind::QuotaExceeded),
        (nothing(503), Kind::Server),
        (nothing(418), Kind::Other),
    ] {
        assert_eq!(error_of(reply).await.kind, kind);
    }
}

#[tokio::test]
async fn errors_have_their_details() {
    let details = json!({ "details": [{ "field": "x", "code": "unknown_field", "message": "m" }] });
    let error = error_of(nested(400, "unknown_field", &details)).await;
    assert_eq!((&*error.details[0].field, &*error.details[0].code), ("x", "unknown_field"));
    assert_eq!(error.request_id.as_deref(), Some("r"));
    for reply in [
        nested(409, "duplicate", &json!({ "existing_id": "e" })),
        flat(409, "duplicate", &json!({ "existing_id": "e" })),
    ] {
        assert_eq!(error_of(reply).await.existing_id.as_deref(), Some("e"));
    }
    let limited = flat(429, "quota_exceeded", &json!({ "retry_after": 9000 }));
    assert_eq!(error_of(limited).await.retry_after, Some(Duration::from_mins(150)));
    assert_eq!(error_of(nothing(418)).await.code, "unknown");
    let elsewhere = Reply::Answer(302, headers(&[("location", "https://elsewhere.example")]), Vec::new());
    assert_eq!(error_of(elsewhere).await.status, 302);
}

#[tokio::test]
async fn the_text_of_an_error_describes_the_problem() {
    let detail = |at: usize| json!({ "field": format!("tags[{at}]"), "code": "too_long", "message": "at most 100" });
    let ten: Vec<_> = (0..10).map(|at| format!("tags[{at}]: at most 100")).collect();
    for (count, expected) in [
        (0, "422 validation_failed: m".to_owned()),
        (1, "422 validation_failed: m (tags[0]: at most 100)".to_owned()),
        (12, format!("422 validation_failed: m ({}; and 2 more)", ten.join("; "))),
    ] {
        let details: Vec<_> = (0..count).map(detail).collect();
        let error = error_of(nested(422, "validation_failed", &json!({ "details": details }))).await;
        assert_eq!((error.to_string(), error.details.len()), (expected, count));
    }
}

#[tokio::test]
async fn every_tool_takes_arguments() {
    let body = json!({ "isError": false, "content": [], "structuredContent": { "now": "n" } });
    let (client, played) = played([answered(200, &body)]);
    // The response may be incomplete here.
    let _ = client.tools().whoami(&crate::types::WhoamiArguments::default()).await;
    assert_eq!(played.body(0), json!({ "name": "whoami", "arguments": {} }));
}

#[tokio::test]
async fn a_failed_tool_has_the_same_error_as_rest() {
    for (code, kind, status) in [
        ("not_found", ErrorKind::NotFound, 404),
        ("validation_failed", ErrorKind::Validation, 422),
        ("invalid_value", ErrorKind::BadRequest, 400),
        ("duplicate", ErrorKind::Duplicate, 409),
        ("concurrent_update", ErrorKind::ConcurrentUpdate, 409),
    ] {
        let text = json!({ "error": code, "message": "m" }).to_string();
        let body = json!({ "isError": true, "content": [{ "type": "text", "text": text }] });
        let (client, _) =
            played([Reply::Answer(200, headers(&[("x-request-id", "r")]), body.to_string().into_bytes())]);
        let error = client.contacts().delete("c").await.unwrap_err().api().unwrap().clone();
        assert_eq!((error.kind, error.status, error.tool.as_deref()), (kind, status, Some("delete_contact")));
        assert_eq!(error.request_id.as_deref(), Some("r"));
    }
}

/// The redirected request would contain the key.
#[tokio::test]
async fn redirects_are_not_followed() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        use std::io::{Read as _, Write as _};
        let (mut connection, _) = listener.accept().unwrap();
        let mut read = [0; 4096];
        let _ = connection.read(&mut read).unwrap();
        write!(connection, "HTTP/1.1 302 Found\r\nlocation: http://{address}/stolen\r\ncontent-length: 0\r\n\r\n")
            .unwrap();
        listener.set_nonblocking(true).unwrap();
        listener
    });
    let client = Client::builder().api_key("svc_secret").base_url(format!("http://{address}")).build().unwrap();
    let error = client.request("me_read").max_retries(0).await.unwrap_err();
    assert_eq!(error.api().unwrap().status, 302);
    assert!(server.join().unwrap().accept().is_err(), "no second connection");
}
