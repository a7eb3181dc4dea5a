//! One member of each type over REST, in creates and in changes. All other values of a type are tested where it is
//! declared (`domain::kernel::input`), and `docs/openapi.json` has the type and the bounds of every member.

use serde_json::json;
use test_support::App;

use crate::support::{Case, UNKNOWN_ID, bad, broken, check_members, good, text};

fn deal_cases() -> Vec<Case> {
    vec![
        good("title", text(255)),
        broken("title", text(256), &["title:too_long"]),
        broken("title", json!("one\ntwo"), &["title:control_character"]),
        bad("title", json!(["a"]), &["title:invalid_type"]),
        good("description", text(10_000)),
        good("description", json!("one\n\ttwo")),
        broken("description", text(10_001), &["description:too_long"]),
        broken("description", json!("a\u{1b}b"), &["description:control_character"]),
        good("value", json!(999_999_999_999.99)),
        broken("value", json!(-0.01), &["value:out_of_range"]),
        broken("value", json!(0.001), &["value:too_many_decimals"]),
        bad("value", json!("1"), &["value:invalid_type"]),
        good("currency", json!("EUR")),
        broken("currency", json!("eur"), &["currency:invalid_currency"]),
        good("probability", json!(100)),
        broken("probability", json!(101), &["probability:out_of_range"]),
        bad("probability", json!(1.5), &["probability:invalid_type"]),
        good("commission_pct", json!(100)),
        good("expected_close_date", json!("2030-02-28")),
        bad("expected_close_date", json!("2030-02-30"), &["expected_close_date:invalid_date"]),
        good("tags", json!(["a", text(100)])),
        broken("tags", json!(vec!["t"; 51]), &["tags:too_many"]),
        broken("tags", json!(["", "a\u{0}"]), &["tags[0]:required", "tags[1]:control_character"]),
        bad("tags", json!([1]), &["tags[0]:invalid_type"]),
        good("custom_fields", json!({"a": {"b": [1, 2.5, null, true, "ü"]}})),
        good("custom_fields", json!({"a": "x".repeat(65_528)})),
        broken("custom_fields", json!({"a": "x".repeat(65_529)}), &["custom_fields:too_long"]),
        bad("custom_fields", json!([]), &["custom_fields:invalid_type"]),
        good("custom_fields", json!({"a": u64::MAX, "b": i64::MIN})),
        broken("custom_fields", json!({"a": [1e20]}), &["custom_fields:out_of_range"]),
        good("price_book_id", json!(UNKNOWN_ID)),
        bad("price_book_id", json!("x"), &["price_book_id:invalid_uuid"]),
        broken("assigned_to", json!(UNKNOWN_ID), &["assigned_to:not_found"]),
        good("status", json!("on_hold")),
        bad("status", json!("Open"), &["status:invalid_value"]),
        bad("stage", json!(""), &["stage:invalid_value"]),
        bad("target_date", json!("2030-01-01"), &["target_date:unknown_field"]),
    ]
}

#[tokio::test]
async fn each_type_is_checked_in_creates_and_changes() {
    let (_app, client) = App::with_client().await;
    let (deal, company, project) = (json!({"title": "d"}), json!({"name": "c"}), json!({"name": "p"}));
    let task = json!({"kind": "task", "title": "t"});
    for (path, minimal, cases) in [
        ("/api/v1/crm/deals", deal, deal_cases()),
        (
            "/api/v1/crm/companies",
            company,
            vec![
                broken("domain", json!("https://acme.example"), &["domain:invalid_domain"]),
                good("website", json!("https://acme.example/")),
                broken("website", json!("ftp://acme.example"), &["website:invalid_url"]),
            ],
        ),
        (
            "/api/v1/projects",
            project,
            vec![
                good("hosted", json!(true)),
                bad("hosted", json!("true"), &["hosted:invalid_type"]),
                good("github_url", json!("https://github.com/a/b")),
                broken("github_url", json!("https://gitlab.com/a/b"), &["github_url:invalid_url"]),
            ],
        ),
        (
            "/api/v1/issues",
            task,
            vec![
                good("description", text(50_000)),
                good("estimate_hours", json!(10_000)),
                good("due_at", json!("2030-01-31T09:00:00.123456Z")),
                bad("due_at", json!("2030-01-31"), &["due_at:invalid_timestamp"]),
                broken("cycle_id", json!(UNKNOWN_ID), &["cycle_id:needs_project"]),
            ],
        ),
    ] {
        let changed = format!("{path}/{}", client.create(path, minimal.clone()).await);
        check_members(&client, path, &minimal, Some(&changed), cases).await;
    }
    let contact = json!({"email": "a@example.com"});
    let cases = vec![
        bad("company_id", json!("x"), &["company_id:invalid_uuid"]),
        broken("company_id", json!(UNKNOWN_ID), &["company_id:not_found"]),
        bad("company", json!("Acme"), &["company:unknown_field"]),
    ];
    check_members(&client, "/api/v1/crm/contacts", &contact, None, cases).await;
}

#[tokio::test]
async fn status_changes_follow_the_rules() {
    let (_app, client) = App::with_client().await;
    for (path, body, refused, allowed) in [
        ("/api/v1/crm/deals", json!({"title": "d", "status": "closed_won"}), "on_hold", "open"),
        ("/api/v1/projects", json!({"name": "p", "status": "archived"}), "planning", "active"),
        ("/api/v1/issues", json!({"kind": "ticket", "title": "t", "status": "closed"}), "pending", "open"),
    ] {
        let created = client.post(path, body).await.expect(201);
        let path = format!("{path}/{}", created.id());
        let reply = client.patch(&path, json!({ "status": refused })).await.expect(409);
        assert_eq!(reply.code(), "invalid_state_change", "{path}");
        assert_eq!(client.get(&path).await.data(), created.data(), "{path}");
        let reply = client.patch(&path, json!({ "status": allowed })).await.expect(200);
        assert_eq!(reply.data()["status"], allowed, "{path}");
    }
}
