//! Every kind of invalid input gets the documented error, never a 500 and never a closed connection.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use domain::identity::workspaces::Role;
use http_actix::OPERATIONS;
use serde_json::json;
use test_support::{ApiResponse, App, assert_members};

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

/// Removes invisible characters that come from copied text, and those by which identical-looking tags would differ.
#[tokio::test]
async fn invisible_characters_are_removed_from_texts() {
    let (_app, client) = App::with_client().await;
    for character in ["\u{200e}", "\u{200f}", "\u{202a}", "\u{202d}", "\u{202e}", "\u{2066}", "\u{2068}", "\u{2069}"] {
        let wrapped = |text: &str| format!("{character}{text}{character}");
        let body = json!({"title": wrapped("a b"), "tags": [wrapped("t")], "description": wrapped(&wrapped("long"))});
        let new = client.post("/api/v1/crm/deals", body).await.expect(201).data().clone();
        assert_members(&new, &json!({"title": "a b", "tags": ["t"], "description": "long"}));
        let body = json!({"title": format!("a{character}b"), "description": format!("a{character}b")});
        let new = client.post("/api/v1/crm/deals", body).await.expect(201).data().clone();
        assert_eq!((&new["title"], &new["description"]), (&json!("ab"), &json!(format!("a{character}b"))));
        let refused = client.post("/api/v1/crm/deals", json!({"title": wrapped("")})).await.expect(422);
        assert_eq!(refused.details(), ["title:required"]);
    }
    let phone = json!({"email": "\u{202a}p@x.example\u{202c}", "phone": "\u{202d}+49 30 1234\u{202c}", "external_id": "\u{200e}7"});
    let new = client.post("/api/v1/crm/contacts", phone).await.expect(201).body;
    assert_members(&new, &json!({"email": "p@x.example", "phone": "+49 30 1234", "external_id": "7"}));
    for query in ["email=%E2%80%AAp@x.example%E2%80%AC", "external_id=%E2%80%8E7"] {
        let results = client.get(&format!("/api/v1/crm/contacts?{query}")).await.expect(200);
        assert_eq!(results.ids().len(), 1, "{query}");
    }
    let tags = json!(["cafe\u{301}", "vip\u{200b}", "\u{feff}x", "👩\u{200d}🔬", "ΟΔΟΣ"]);
    let new = client.post("/api/v1/crm/deals", json!({"title": "a\u{300}\u{200b}", "tags": tags})).await.expect(201);
    assert_eq!(new.data()["tags"], json!(["caf\u{e9}", "vip", "x", "👩\u{200d}🔬", "ΟΔΟΣ"]));
    // Titles are not normalized.
    assert_eq!(new.data()["title"], json!("a\u{300}\u{200b}"));
    for tag in
        ["cafe%CC%81", "CAF%C3%89", "VIP", "vip%E2%80%8B", "%CE%BF%CE%B4%CE%BF%CF%83", "%CE%BF%CE%B4%CE%BF%CF%82"]
    {
        let results = client.get(&format!("/api/v1/crm/deals?tag={tag}")).await.expect(200);
        assert_eq!(results.ids(), [new.id()], "{tag}");
    }
}

/// Schemes are case-insensitive.
#[tokio::test]
async fn urls_are_stored_with_their_scheme_in_lower_case() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    for (path, member, given, stored) in [
        ("/api/v1/crm/companies", "website", "Https://Acme.example/A", "https://Acme.example/A"),
        ("/api/v1/crm/contacts", "social_linkedin", "HTTP://www.linkedin.com/in/x", "http://www.linkedin.com/in/x"),
        ("/api/v1/projects", "github_url", "HTTPS://GitHub.com/Acme/b", "https://github.com/Acme/b"),
    ] {
        let body = json!({"name": "n", "email": "u@x.example", member: given});
        let mut body = body.as_object().cloned().unwrap();
        body.remove(if path.ends_with("contacts") { "name" } else { "email" });
        let created = client.post(path, json!(body)).await.expect(201).body;
        let created = created.get("data").unwrap_or(&created);
        assert_eq!(created[member], stored, "{path}");
    }
    let owner = tenant.user(Role::Owner).await.client;
    let hook = json!({"module": "crm", "events": ["*"], "url": "HTTPS://Hooks.example.com/In"});
    let created = owner.post("/api/settings/webhooks", hook).await.expect(201);
    assert_eq!(created.data()["url"], "https://Hooks.example.com/In");
}

#[tokio::test]
async fn bodies_that_are_not_json() {
    let (_app, client) = AllCallers::start().await;
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
    let (_app, client) = AllCallers::start().await;
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
    for (number, text) in
        ["'; DROP TABLE deals; --", "\\", "\"", "<script>", "%s%n", "${x}", "👩\u{200d}🔬", "😀"].iter().enumerate()
    {
        let created = client
            .post(
                "/api/v1/crm/deals",
                json!({"title": text, "tags": [text], "custom_fields": {*text: text}, "source": text}),
            )
            .await
            .expect(201);
        assert_eq!((&created.data()["title"], &created.data()["tags"][0]), (&json!(text), &json!(text)));
        assert_eq!(client.get(created.header("location")).await.data(), created.data());
        let body = json!({"email": format!("a{number}@example.com"), "first_name": text, "company_name": text});
        let _ = client.post("/api/v1/crm/contacts", body).await.expect(201);
        let url = reqwest::Url::parse_with_params("http://x/", [("search", text)]).unwrap();
        let _ = client.get(&format!("/api/v1/crm/contacts?{}", url.query().unwrap())).await.expect(200);
        let _ = client.get(&format!("/api/v1/issues?{}", url.query().unwrap())).await.expect(200);
    }
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
            let length = stream.read(&mut answer).unwrap();
            answers += usize::from(answer[..length].starts_with(b"HTTP/1.1 "));
        }
        answers
    });
    assert_eq!(count.await.unwrap(), 5);
}
