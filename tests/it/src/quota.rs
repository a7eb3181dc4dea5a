//! The monthly quota of CRM records.

use domain::limits::{LimitName, Plan};
use serde_json::json;
use test_support::{ApiResponse, App, AppOptions, Client, Tenant};
use time::Duration;

use crate::support::statuses_in_parallel;

const DEALS: &str = "/api/v1/crm/deals";

/// A workspace with this monthly quota of CRM records.
pub(crate) async fn tenant_with(app: &App, quota: u64) -> Tenant {
    let limits = [(LimitName::CrmQuotaPerMonth, quota), (LimitName::RequestsPerMinute, 1_000_000)];
    app.workspace_of(Plan::Starter).await.limit_to(&limits).await
}

async fn deal(client: &Client) -> ApiResponse {
    client.post(DEALS, json!({"title": "d"})).await
}

async fn create_in_parallel(count: usize, clients: [&Client; 2]) -> Vec<u16> {
    let create = |number: usize| clients[number % 2].request("POST", DEALS).json(&json!({"title": "d"}));
    statuses_in_parallel((0..count).map(create)).await
}

#[tokio::test]
async fn an_exhausted_quota_is_a_flat_429() {
    let app = App::start().await;
    let tenant = tenant_with(&app, 3).await;
    let client = tenant.full_access().await;
    let contact = |email: &str| client.post("/api/v1/crm/contacts", json!({ "email": email }));
    let _ = contact("a@example.com").await.expect(201);
    let _ = contact("A@example.com").await.expect(409);
    let _ = deal(&client).await.expect(201);
    let keyed = async || {
        let request = client.request("POST", "/api/v1/crm/deals").header("Idempotency-Key", "k");
        ApiResponse::of(request.json(&json!({"title": "e"}))).await
    };
    let first = keyed().await.expect(201);
    let refused = deal(&client).await.expect(429);
    assert_eq!(refused.body["error"], "quota_exceeded");
    assert!(refused.body["message"].as_str().unwrap().contains('3'), "{}", refused.text);
    let wait = refused.body["retry_after"].as_i64().unwrap();
    assert_eq!(refused.header("retry-after"), wait.to_string());
    assert!((1..=31 * 86_400).contains(&wait));
    assert_eq!(refused.body["request_id"], refused.header("x-request-id"));
    assert_eq!(contact("b@example.com").await.status, 429);
    // Stored responses are still replayed, and everything else keeps working.
    assert_eq!(keyed().await.expect(201).id(), first.id());
    let _ = client.post("/api/v1/projects", json!({"name": "p"})).await.expect(201);
    let _ = client.delete(&format!("/api/v1/crm/deals/{}", first.id())).await.expect(200);
    assert_eq!(deal(&client).await.status, 429, "a deletion releases no quota");
    app.advance(Duration::seconds(wait - 10)).await;
    assert_eq!(deal(&client).await.status, 429);
    app.advance(Duration::seconds(10)).await;
    let _ = deal(&client).await.expect(201);
}

#[tokio::test]
async fn two_instances_together_reach_the_quota_exactly() {
    const QUOTA: usize = 120;
    let app = App::start().await;
    let other = app.another(AppOptions::default()).await;
    let tenant = tenant_with(&app, 120).await;
    let first = tenant.full_access().await;
    let second = other.with_key(first.key().unwrap());
    let statuses = create_in_parallel(160, [&first, &second]).await;
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), QUOTA, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 201 | 429)), "{statuses:?}");
}

#[tokio::test]
async fn a_changed_limit_takes_effect_immediately() {
    let app = App::start().await;
    let tenant = tenant_with(&app, 2).await;
    let client = tenant.full_access().await;
    for status in [201, 201, 429] {
        assert_eq!(deal(&client).await.status, status);
    }
    let tenant = tenant.limit_to(&[(LimitName::CrmQuotaPerMonth, 3)]).await;
    for status in [201, 429] {
        assert_eq!(deal(&client).await.status, status);
    }
    let _tenant = tenant.limit_to(&[(LimitName::CrmQuotaPerMonth, 1)]).await;
    assert_eq!(deal(&client).await.status, 429);
}

#[tokio::test]
async fn a_change_to_a_smaller_plan_under_load_is_exact() {
    let app = App::start().await;
    let other = app.another(AppOptions::default()).await;
    let tenant = tenant_with(&app, 1_000_000).await;
    let first = tenant.full_access().await;
    let second = other.with_key(first.key().unwrap());
    for client in [&first, &second] {
        let _ = deal(client).await.expect(201);
    }
    let _tenant = tenant.limit_to(&[(LimitName::CrmQuotaPerMonth, 30)]).await;
    // Neither instance was notified: the other one still has the old limit of a million.
    let statuses = create_in_parallel(60, [&first, &second]).await;
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 28, "{statuses:?}");
}
