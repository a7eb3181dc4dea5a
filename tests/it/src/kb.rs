//! `/api/settings/kb/articles` and `/api/public/kb/search`.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{ApiResponse, App, eventually};

use crate::support::UNKNOWN_ID;

const PATH: &str = "/api/settings/kb/articles";
const SEARCH: &str = "/api/public/kb/search";

#[tokio::test]
async fn an_article_is_written_changed_and_deleted() {
    let (_app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let made =
        owner.post(PATH, json!({"title": "Reset your password", "body": "# Steps", "tags": ["a"]})).await.expect(201);
    let path = format!("{PATH}/{}", made.id());
    assert_eq!(made.header("location"), path);
    assert_eq!((&made.data()["slug"], &made.data()["status"]), (&json!("reset-your-password"), &json!("draft")));
    let stored = owner.get(&path).await.expect(200);
    assert_eq!((stored.data(), stored.header("etag")), (made.data(), "\"1\""));
    let known = ApiResponse::of(owner.request("GET", &path).header("If-None-Match", "\"1\"")).await;
    assert_eq!((known.status, &*known.text), (304, ""));
    let stale = owner.request("PATCH", &path).header("If-Match", "\"9\"").json(&json!({"status": "published"}));
    assert_eq!(ApiResponse::of(stale).await.code(), "concurrent_update");
    let changed = owner.patch(&path, json!({"status": "published", "slug": "reset"})).await.expect(200);
    assert_eq!((changed.header("etag"), &changed.data()["slug"]), ("\"2\"", &json!("reset")));
    assert_eq!(owner.patch(&path, json!({"status": "published"})).await.expect(200).header("etag"), "\"2\"");
    let conflict = owner.post(PATH, json!({"title": "x", "slug": "reset"})).await.expect(409);
    assert_eq!((conflict.code(), conflict.details()), ("duplicate", vec!["slug:duplicate".to_owned()]));
    let draft = owner.post(PATH, json!({"title": "Draft"})).await.id();
    for (query, expected) in [("", 2), ("?status=draft", 1), ("?status=published", 1)] {
        assert_eq!(owner.get(&format!("{PATH}{query}")).await.expect(200).ids().len(), expected, "{query}");
    }
    assert_eq!(owner.get(&format!("{PATH}?status=draft")).await.ids(), [draft]);
    assert_eq!(owner.get(&format!("{PATH}?status=x")).await.expect(400).details(), ["status:invalid_value"]);
    let stale = ApiResponse::of(owner.request("DELETE", &path).header("If-Match", "\"1\"")).await.expect(409);
    assert_eq!(stale.code(), "concurrent_update");
    let deleted = owner.delete(&path).await.expect(200);
    assert_eq!(deleted.data(), &json!({"id": made.id(), "deleted": true}));
    for reply in [owner.get(&path).await, owner.delete(&path).await, owner.patch(&path, json!({"title": "x"})).await] {
        assert_eq!((reply.status, reply.code()), (404, "not_found"));
    }
    let log = owner.get("/api/settings/audit-log").await.expect(200);
    for action in ["kb_article.created", "kb_article.updated", "kb_article.deleted"] {
        assert!(log.text.contains(action), "{action}: {}", log.text);
    }
}

#[tokio::test]
async fn only_published_articles_of_the_workspace_are_found() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let owner = tenant.user(Role::Owner).await.client;
    let body = "Turn the <b>printer</b> on & wait.";
    for status in ["published", "draft"] {
        let article = json!({"title": format!("Printer {status}"), "body": body, "status": status});
        let _ = owner.post(PATH, article).await.expect(201);
    }
    let theirs = json!({"title": "Printer of others", "status": "published"});
    let _ = other.user(Role::Owner).await.client.post(PATH, theirs).await.expect(201);
    let client = tenant.with_scopes(&["tickets.read"]).await;
    let results = client.get(&format!("{SEARCH}?q=print")).await.expect(200);
    let hits = results.body["data"].as_array().unwrap();
    assert_eq!(hits.len(), 1, "{}", results.text);
    let members: Vec<_> = hits[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["excerpt", "id", "score", "slug", "title", "url"]);
    assert_eq!(hits[0]["excerpt"], "Turn the <mark>printer</mark> on &amp; wait.");
    let url = format!("https://work.example.com/kb/{}/printer-published", tenant.workspace.slug);
    assert_eq!(hits[0]["url"], url);
    for (query, detail) in [
        ("", "q:required"),
        ("q=", "q:required"),
        (&*format!("q={}", "x".repeat(201)), "q:too_long"),
        ("q=a&limit=51", "limit:invalid_value"),
        ("q=a&limit=0", "limit:invalid_value"),
        ("q=a&q=b", "q:invalid_value"),
        ("q=a&page=1", "page:unknown_parameter"),
    ] {
        let reply = client.get(&format!("{SEARCH}?{query}")).await.expect(400);
        assert!(reply.details().contains(&detail.to_owned()), "{query}: {}", reply.text);
    }
    assert_eq!(client.get(&format!("{SEARCH}?q=%26&limit=50")).await.expect(200).body, json!({"data": []}));
    assert_eq!(tenant.with_scopes(&["issues.write"]).await.get(&format!("{SEARCH}?q=a")).await.status, 403);
    assert_eq!(client.get(&format!("{PATH}/{UNKNOWN_ID}")).await.status, 403, "articles require a session");
}

#[tokio::test]
async fn articles_follow_the_language_of_their_workspace() {
    let (_app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let article = json!({"title": "Rechnungen", "body": "Die Preise der Häuser.", "status": "published"});
    let created = owner.post(PATH, article).await.expect(201);
    let client = tenant.with_scopes(&["tickets.read"]).await;
    let found = async |text: &str| client.get(&format!("{SEARCH}?q={text}")).await.expect(200).ids();
    assert_eq!(found("haus%20preis").await, Vec::<String>::new());
    let settings = "/api/settings/workspace";
    let changed = owner.patch(settings, json!({"kb_language": "german"})).await.expect(200);
    assert_eq!(changed.data()["kb_language"], "german");
    // Whole words match immediately, other forms after reindexing.
    assert_eq!(found("rechnungen%20preise").await, [created.id()]);
    eventually("found in German", async || found("haus%20preis").await == [created.id()]).await;
    // New articles are found immediately.
    let next = owner.post(PATH, json!({"title": "Bäume", "status": "published"})).await.expect(201);
    assert_eq!(found("baum%20baum").await, [next.id()]);
}

#[tokio::test]
async fn text_pasted_from_an_article_finds_it() {
    let (_app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let body = "Set `<timeout>` in /etc/app.conf, see https://docs.example.com/setup/printers or [more](https://e.x/elsewhere).";
    let created = owner.post(PATH, json!({"title": "T", "body": body, "status": "published"})).await.expect(201);
    let client = tenant.with_scopes(&["tickets.read"]).await;
    for (query, marked) in [
        ("%3Ctimeout%3E", "Set &lt;<mark>timeout</mark>&gt; in"),
        ("%2Fetc%2Fapp.conf", "/<mark>etc</mark>/<mark>app</mark>.<mark>conf</mark>,"),
        ("https%3A%2F%2Fdocs.example.com%2Fsetup%2Fprinters", "/<mark>setup</mark>/<mark>printers</mark> or more."),
    ] {
        let results = client.get(&format!("{SEARCH}?q={query}")).await.expect(200);
        assert_eq!(results.ids(), [created.id()], "{query}");
        let excerpt = results.body["data"][0]["excerpt"].as_str().unwrap().to_owned();
        assert!(excerpt.contains(marked), "{excerpt}");
    }
    assert_eq!(client.get(&format!("{SEARCH}?q=elsewhere")).await.expect(200).ids(), Vec::<String>::new());
}
