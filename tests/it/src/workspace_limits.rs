//! Limits that all keys and sessions of a workspace share.

use domain::identity::workspaces::Role;
use domain::limits::{LimitName, Plan};
use serde_json::json;
use test_support::{ApiResponse, App, Client, Tenant};
use time::Duration;

use crate::support::{UNKNOWN_ID, send_in_parallel};

const LIST: &str = "/api/v1/projects";
const KEYS: &str = "/api/settings/api-keys";

/// A workspace whose keys may send `limit` requests a minute each.
async fn limited(app: &App, limit: u64) -> Tenant {
    app.workspace_of(Plan::Starter).await.limit_to(&[(LimitName::RequestsPerMinute, limit)]).await
}

/// `limit remaining` of a response.
fn rate_limit(reply: &ApiResponse) -> String {
    format!("{} {}", reply.header("x-ratelimit-limit"), reply.header("x-ratelimit-remaining"))
}

#[tokio::test]
async fn more_keys_allow_at_most_five_times_the_requests() {
    let app = App::with_real_limits().await;
    let tenant = limited(&app, 4).await;
    for number in 0..5 {
        let client = tenant.full_access().await;
        for remaining in (0..4).rev() {
            assert_eq!(rate_limit(&client.get(LIST).await.expect(200)), format!("4 {remaining}"), "key {number}");
        }
    }
    let (key, session) = (tenant.full_access().await, tenant.user(Role::Member).await.client);
    for client in [&key, &session] {
        let refused = client.get(LIST).await.expect(429);
        let wait = refused.body["retry_after"].as_i64().unwrap();
        let message =
            format!("the keys and sessions of this workspace together sent too many requests: try again in {wait} s");
        assert_eq!(
            refused.body,
            json!({
                "error": "rate_limit_exceeded", "message": message, "retry_after": wait,
                "request_id": refused.header("x-request-id"),
            })
        );
        assert_eq!((rate_limit(&refused), refused.header("retry-after")), ("4 0".to_owned(), &*wait.to_string()));
        assert_eq!(client.get("/api/v1/nope").await.status, 404, "the route is checked first");
    }
    // Tools count in the same window.
    let call = json!({"name": "list_projects", "arguments": {}});
    assert_eq!(key.post("/api/mcp/tools/call", call).await.status, 429);
    // Each class and each workspace has its own window.
    assert_eq!(rate_limit(&key.post(LIST, json!({"name": "p"})).await.expect(201)), "2 1");
    let other = limited(&app, 4).await.full_access().await;
    assert_eq!(rate_limit(&other.get(LIST).await.expect(200)), "4 3");
    app.advance(Duration::seconds(60)).await;
    assert_eq!(rate_limit(&key.get(LIST).await.expect(200)), "4 3");
}

#[tokio::test]
async fn refused_requests_of_one_key_do_not_count_against_others() {
    let app = App::with_real_limits().await;
    let tenant = limited(&app, 2).await;
    let runaway = tenant.full_access().await;
    for number in 0..30 {
        assert_eq!(runaway.get(LIST).await.status, if number < 2 { 200 } else { 429 });
    }
    for _ in 0..4 {
        let client = tenant.full_access().await;
        for _ in 0..2 {
            let _ = client.get(LIST).await.expect(200);
        }
    }
    assert_eq!(tenant.full_access().await.get(LIST).await.status, 429);
}

#[tokio::test]
async fn headers_show_the_remaining_limit_of_the_workspace_if_it_is_lower() {
    let app = App::with_real_limits().await;
    let tenant = limited(&app, 3).await;
    for _ in 0..4 {
        let client = tenant.full_access().await;
        for _ in 0..3 {
            let _ = client.get(LIST).await.expect(200);
        }
    }
    let (one, two) = (tenant.full_access().await, tenant.full_access().await);
    assert_eq!(rate_limit(&one.get(LIST).await.expect(200)), "3 2");
    assert_eq!(rate_limit(&two.get(LIST).await.expect(200)), "3 1");
    assert_eq!(rate_limit(&one.get(LIST).await.expect(200)), "3 0");
    assert_eq!(rate_limit(&two.get(LIST).await.expect(429)), "3 0");
}

#[tokio::test]
async fn bulk_updates_and_key_changes_have_five_times_their_limit() {
    let app = App::with_real_limits().await;
    let tenant = app.workspace_of(Plan::Enterprise).await;
    let bulk = json!({"issueIds": [UNKNOWN_ID], "patch": {"priority": "low"}});
    let mut owners = Vec::new();
    for _ in 0..6 {
        owners.push(tenant.user(Role::Owner).await.client);
        // Log-ins count by address.
        app.advance(Duration::seconds(60)).await;
    }
    let change = async |client: &Client| client.post(KEYS, json!({"name": "k", "preset": "crm"})).await;
    for (number, owner) in owners.iter().enumerate() {
        for remaining in (0..10).rev() {
            let expected = if number < 5 { (201, format!("10 {remaining}")) } else { (429, "10 0".to_owned()) };
            let created = change(owner).await;
            assert_eq!((created.status, rate_limit(&created)), expected, "owner {number}");
            let updated = owner.post("/api/v1/issues/bulk-update", bulk.clone()).await;
            assert_eq!(updated.status, if number < 5 { 200 } else { 429 }, "owner {number}");
        }
    }
}

#[tokio::test]
async fn a_workspace_has_at_most_two_hundred_active_keys() {
    let (app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let other = app.workspace().await.user(Role::Owner).await.client;
    let mut ids = Vec::new();
    for _ in 0..190 {
        ids.push(tenant.key(json!({"preset": "crm"})).await.1);
    }
    let body = json!({"name": "k", "preset": "crm"});
    let replies = send_in_parallel((0..20).map(|_| owner.request("POST", KEYS).json(&body))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 10, "exact under parallel creates");
    for refused in replies.iter().filter(|reply| reply.status != 201) {
        assert_eq!((refused.status, refused.code()), (409, "conflict"));
        let message = "a workspace has at most 200 active API keys: revoke one first";
        assert_eq!(refused.body["error"]["message"], message);
    }
    let _ = other.post(KEYS, body.clone()).await.expect(201);
    tenant.revoke(ids[0]).await;
    let _ = owner.post(KEYS, body.clone()).await.expect(201);
    assert_eq!(owner.post(KEYS, body).await.status, 409);
}
