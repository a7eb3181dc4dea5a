//! Every kind of invalid input gets the documented error, never a 500 and never a closed connection.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use domain::identity::workspaces::Role;
use http_actix::OPERATIONS;
use serde_json::json;
use test_support::{ApiResponse, App};

use crate::all_callers::AllCallers;
use crate::support::path_of;

/// Operations with a body, with unknown ids in their paths.
fn paths() -> Vec<(&'static str, String)> {
    OPERATIONS
        .iter()
        .filter(|operation| operation.has_body)
        .map(|operation| (operation.method, path_of(operation.pattern)))
        .collect()
}

async fn send_as(
    callers: &AllCallers,
    method: &str,
    path: &str,
    media_type: &str,
    body: impl Into<reqwest::Body>,
) -> ApiResponse {
    ApiResponse::of(callers.request(method, path).header("Content-Type", media_type).body(body)).await
}

#[tokio::test]
async fn bodies_that_are_not_json() {
    let app = App::start().await;
    let client = AllCallers::of(&app, &app.workspace().await).await;
    let deep = format!("{}{}", "{\"a\":".repeat(200), "1".to_owned() + &"}".repeat(200));
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"{".to_vec(),
        b"nope".to_vec(),
        b"{'a':1}".to_vec(),
        b"{\"a\":1}{".to_vec(),
        b"{\"a\":1,\"a\":1}".to_vec(),
        b"{\"custom_fields\":{\"a\":1,\"a\":2}}".to_vec(),
        b"{\"a\":NaN}".to_vec(),
        b"{\"a\":\"\\ud800\"}".to_vec(),
        b"{\"a\":\"\xff\"}".to_vec(),
        b"\xef\xbb\xbf{}".to_vec(),
        deep.into_bytes(),
        vec![0; 100],
        vec![b'['; 100_000],
    ];
    for (method, path) in paths() {
        for body in &bodies {
            let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
            let reply = send_as(&client, method, &path, "application/json", body.clone()).await;
            assert_eq!((reply.status, reply.code()), (400, "invalid_json"), "{method} {path} {shown}: {}", reply.text);
        }
        for body in ["[]", "1", "null", "\"x\"", "true"] {
            let reply = send_as(&client, method, &path, "application/json", body).await;
            assert_eq!((reply.status, reply.code()), (400, "invalid_value"), "{method} {path} {body}: {}", reply.text);
        }
    }
}

#[tokio::test]
async fn media_types_and_sizes() {
    let app = App::start().await;
    let client = AllCallers::of(&app, &app.workspace().await).await;
    for (method, path) in paths() {
        for media_type in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/json5",
            "application/xml",
            "x",
            "application/json; charset=latin1",
        ] {
            let reply = send_as(&client, method, &path, media_type, "{}").await;
            assert_eq!((reply.status, reply.code()), (415, "unsupported_media_type"), "{method} {path} {media_type}");
        }
        let none = ApiResponse::of(client.request(method, &path).body("{}")).await;
        assert_eq!(none.status, 415, "{method} {path}");
        for media_type in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/json;charset=\"UTF-8\"",
        ] {
            assert_ne!(send_as(&client, method, &path, media_type, "{}").await.status, 415, "{media_type}");
        }
        for size in [1_048_577, 2_000_000] {
            let reply = send_as(&client, method, &path, "application/json", vec![b' '; size]).await;
            assert_eq!((reply.status, reply.code()), (413, "payload_too_large"), "{method} {path}");
        }
        let at_the_bound = send_as(&client, method, &path, "application/json", vec![b' '; 1_048_576]).await;
        assert_eq!((at_the_bound.status, at_the_bound.code()), (400, "invalid_json"), "{method} {path}");
    }
}

#[tokio::test]
async fn hostile_text_is_stored_as_text() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Owner).await.client;
    for (number, text) in [
        "'; DROP TABLE deals; --",
        "\\",
        "\"",
        "<script>",
        "%s%n",
        "${x}",
        "\u{200f}abc",
        "👩\u{200d}🔬",
        "😀",
        "\u{feff}x",
        "a\u{300}",
    ]
    .iter()
    .enumerate()
    {
        let made = client
            .post(
                "/api/v1/crm/deals",
                json!({"title": text, "tags": [text], "custom_fields": {*text: text}, "source": text}),
            )
            .await
            .expect(201);
        assert_eq!((&made.data()["title"], &made.data()["tags"][0]), (&json!(text), &json!(text)));
        assert_eq!(client.get(made.header("location")).await.data(), made.data());
        let body = json!({"email": format!("a{number}@example.com"), "first_name": text, "company_name": text});
        let _ = client.post("/api/v1/crm/contacts", body).await.expect(201);
        let url = reqwest::Url::parse_with_params("http://x/", [("search", text)]).unwrap();
        let _ = client.get(&format!("/api/v1/crm/contacts?{}", url.query().unwrap())).await.expect(200);
        let _ = client.get(&format!("/api/v1/issues?{}", url.query().unwrap())).await.expect(200);
    }
    // Bidirectional controls are rejected in single-line texts, kept in long ones, and match nothing in a search.
    let turned = "\u{202e}abc";
    let refused = client.post("/api/v1/crm/deals", json!({"title": turned, "tags": [turned]})).await.expect(422);
    assert_eq!(refused.details(), ["title:control_character", "tags[0]:control_character"]);
    let made = client.post("/api/v1/crm/deals", json!({"title": "t", "description": turned})).await.expect(201);
    assert_eq!(made.data()["description"], turned);
    let _ = client.get("/api/v1/crm/contacts?search=%E2%80%AEabc").await.expect(200);
    // Invisible text counts as empty.
    let refused = client.post("/api/v1/crm/deals", json!({"title": "\u{200b}\u{feff}"})).await.expect(422);
    assert_eq!(refused.details(), ["title:required"]);
    for query in [
        "search=%00",
        "search=a%00b",
        "status=%00",
        "page=%00",
        "limit=1%00",
        "search=%ff",
        "search=%",
        "%00=1",
        "=",
        "&",
        "&&page=1",
        "search=a=b",
        "search",
    ] {
        let reply = client.get(&format!("/api/v1/crm/contacts?{query}")).await;
        assert!(matches!(reply.status, 200 | 400), "{query}: {}", reply.text);
    }
}

#[tokio::test]
async fn a_connection_stays_open_after_an_error() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Owner).await.client;
    let address = app.base_url.trim_start_matches("http://").to_owned();
    let key = client.key().unwrap().to_owned();
    let count = tokio::task::spawn(async move {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let bodies = ["{", "[]", "{\"nope\":1}", "{\"title\":\"\"}", "{\"title\":\"d\"}"];
        let mut answers = 0;
        for body in bodies {
            let request = format!(
                "POST /api/v1/crm/deals HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = vec![0; 8_192];
            let read = stream.read(&mut answer).unwrap();
            answers += usize::from(answer[..read].starts_with(b"HTTP/1.1 "));
        }
        answers
    });
    assert_eq!(count.await.unwrap(), 5);
}
