//! Contacts, member by member.

use kit::{App, Client};
use serde_json::{Value, json};

use crate::support::{Case, NOWHERE, bad, broken, check_members, good, text, text_cases, word_cases};
use crate::text_details;

const PATH: &str = "/api/v1/crm/contacts";

/// Creates a contact per case, each with its own e-mail.
async fn check(client: &Client, cases: Vec<Case>) {
    for (number, case) in cases.into_iter().enumerate() {
        let email = format!("{}-{number}@example.com", case.member.replace('_', "-"));
        check_members(client, PATH, &json!({"email": email}), None, vec![case]).await;
    }
}

#[tokio::test]
async fn every_text_has_its_bound() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    check(&client, text_cases("first_name", 120, false, text_details!("first_name"))).await;
    check(&client, text_cases("last_name", 120, false, text_details!("last_name"))).await;
    check(&client, text_cases("phone", 50, false, text_details!("phone"))).await;
    check(&client, text_cases("job_title", 180, false, text_details!("job_title"))).await;
    check(&client, text_cases("company_name", 255, false, text_details!("company_name"))).await;
    check(&client, text_cases("lead_source", 180, false, text_details!("lead_source"))).await;
    check(&client, text_cases("industry", 180, false, text_details!("industry"))).await;
    check(&client, text_cases("notes", 10_000, true, text_details!("notes"))).await;
    check(&client, text_cases("external_id", 255, false, text_details!("external_id"))).await;
    check(&client, text_cases("country", 120, false, text_details!("country"))).await;
    check(&client, text_cases("state", 120, false, text_details!("state"))).await;
    check(&client, text_cases("city", 120, false, text_details!("city"))).await;
}

#[tokio::test]
async fn allowed_values_are_matched_exactly() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let types = ["new", "engaged", "qualified", "customer", "inactive", "lead", "prospect", "partner", "vendor"];
    check(&client, word_cases("contact_type", &types, &["contact_type:invalid_value"])).await;
    check(&client, word_cases("status", &["active", "inactive", "blocked", "pending"], &["status:invalid_value"]))
        .await;
}

#[tokio::test]
async fn formats_lists_and_objects_are_validated() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let url = |length: usize| json!(format!("https://example.com/{}", "a".repeat(length - 20)));
    let tags = |count: usize| json!(vec!["t"; count]);
    let nested = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({ "a": inner }));
    let sized = |bytes: usize| json!({"a": "x".repeat(bytes - 8)});
    let cases = vec![
        good("social_linkedin", url(500)),
        broken("social_linkedin", url(501), &["social_linkedin:too_long"]),
        broken("social_linkedin", json!("linkedin.com/in/x"), &["social_linkedin:invalid_url"]),
        bad("social_linkedin", json!({}), &["social_linkedin:invalid_type"]),
        bad("company_id", json!("x"), &["company_id:invalid_uuid"]),
        bad("company_id", json!(1), &["company_id:invalid_uuid"]),
        broken("company_id", json!(NOWHERE), &["company_id:not_found"]),
        good("tags", tags(50)),
        broken("tags", tags(51), &["tags:too_many"]),
        good("tags", json!([text(100)])),
        broken("tags", json!(["ok", text(101)]), &["tags[1]:too_long"]),
        broken("tags", json!(["", "a\u{0}"]), &["tags[0]:required", "tags[1]:control_character"]),
        bad("tags", json!([1]), &["tags[0]:invalid_type"]),
        bad("tags", json!("a"), &["tags:invalid_type"]),
        good("custom_fields", json!({"a": {"b": [1, 2.5, null, true, "ü"]}})),
        good("custom_fields", nested(8)),
        broken("custom_fields", nested(9), &["custom_fields:too_deep"]),
        good("custom_fields", sized(65_536)),
        broken("custom_fields", sized(65_537), &["custom_fields:too_long"]),
        broken("custom_fields", json!({"a": "\u{0}"}), &["custom_fields:control_character"]),
        bad("custom_fields", json!([]), &["custom_fields:invalid_type"]),
        bad("company", json!("Acme"), &["company:unknown_field"]),
    ];
    check(&client, cases).await;
}

#[tokio::test]
async fn the_email_is_required_valid_and_unique_ignoring_case() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    for (body, status, details) in [
        (json!({}), 400, vec!["email:required"]),
        (json!({"email": null}), 422, vec!["email:required"]),
        (json!({"email": " "}), 422, vec!["email:required"]),
        (json!({"email": 1}), 400, vec!["email:invalid_type"]),
        (json!({"email": "nope"}), 422, vec!["email:invalid_email"]),
        (json!({"email": format!("{}@example.com", "a".repeat(320))}), 422, vec!["email:too_long"]),
    ] {
        let reply = client.post(PATH, body.clone()).await;
        assert_eq!(
            (reply.status, reply.details()),
            (status, details.iter().map(ToString::to_string).collect()),
            "{body}"
        );
    }
    let made = client.post(PATH, json!({"email": " Ann@Example.com ", "external_id": "x"})).await.expect(201);
    assert_eq!(made.body["email"], "Ann@Example.com");
    let again = client.post(PATH, json!({"email": "aNN@example.COM"})).await.expect(409);
    assert_eq!((again.code(), again.details()), ("duplicate", vec!["email:duplicate".to_owned()]));
    let again = client.post(PATH, json!({"email": "b@example.com", "external_id": "x"})).await.expect(409);
    assert_eq!((again.code(), again.details()), ("duplicate", vec!["external_id:duplicate".to_owned()]));
}

#[tokio::test]
async fn a_new_contact_is_returned_unwrapped_with_every_member() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let made = client
        .post(PATH, json!({"email": "a@example.com", "company_id": "", "first_name": null, "phone": ""}))
        .await
        .expect(201);
    assert!(made.body.get("data").is_none());
    let null_members = [
        "first_name",
        "last_name",
        "phone",
        "job_title",
        "company_id",
        "company_name",
        "lead_source",
        "industry",
        "notes",
        "external_id",
        "country",
        "state",
        "city",
        "social_linkedin",
    ];
    for member in null_members {
        assert_eq!(made.body.get(member), Some(&Value::Null), "{member}");
    }
    assert_eq!((&made.body["contact_type"], &made.body["status"]), (&json!("new"), &json!("active")));
    assert_eq!((&made.body["tags"], &made.body["custom_fields"]), (&json!([]), &json!({})));
    assert_eq!(made.body["version"], 1);
    assert_eq!(made.body["created_by"]["type"], "api_key");
    let created_at = made.body["created_at"].as_str().unwrap();
    assert!(created_at.len() == 27 && created_at.ends_with('Z'), "{created_at}");
    assert_eq!(made.body["created_at"], made.body["updated_at"]);
    assert_eq!(made.body.as_object().unwrap().len(), 24);
    assert_eq!(client.get(PATH).await.body["data"][0], made.body);
}

#[tokio::test]
async fn all_rule_violations_are_reported_together() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let reply = client
        .post(PATH, json!({"email": "nope", "phone": "1".repeat(51), "tags": ["a", ""], "social_linkedin": "x"}))
        .await
        .expect(422);
    assert_eq!(
        reply.details(),
        ["email:invalid_email", "phone:too_long", "tags[1]:required", "social_linkedin:invalid_url"]
    );
    let reply =
        client.post(PATH, json!({"status": "Active", "phone": 1, "nope": 1, "first_name": "\u{1}"})).await.expect(400);
    assert_eq!(reply.details(), ["email:required", "phone:invalid_type", "status:invalid_value", "nope:unknown_field"]);
}

#[tokio::test]
async fn rules_over_several_members_are_reported_with_the_others() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let deal = json!({"title": "x".repeat(256), "status": "open", "stage": "closed_won", "lost_reason": "r"});
    let reply = client.post("/api/v1/crm/deals", deal).await.expect(422);
    assert_eq!(reply.details(), ["title:too_long", "stage:contradicts_status", "lost_reason:not_lost"]);
    let project = json!({"name": "x".repeat(201), "start_date": "2026-02-02", "end_date": "2026-02-01"});
    let reply = client.post("/api/v1/projects", project.clone()).await.expect(422);
    assert_eq!(reply.details(), ["name:too_long", "end_date:before_start"]);
    let id = client.post("/api/v1/projects", json!({"name": "p"})).await.id();
    let reply = client.post(&format!("/api/v1/projects/{id}/cycles"), project).await.expect(422);
    assert_eq!(reply.details(), ["name:too_long", "end_date:before_start"]);
}

#[tokio::test]
async fn search_matches_word_prefixes() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let ann = client
        .post(PATH, json!({"email": "ann.lee@north.example", "first_name": "Anne-Marie", "last_name": "Größe", "company_name": "Ölwerk GmbH", "phone": "+49 (30) 123-45", "job_title": "Head of R&D"}))
        .await
        .id();
    let bob = client
        .post(PATH, json!({"email": "bob@south.example", "first_name": "Bob", "notes": "Anne", "status": "blocked"}))
        .await
        .id();
    for (search, expected) in [
        ("anne", vec![&ann]),
        ("MARIE", vec![&ann]),
        ("grosse", vec![&ann]),
        ("gröss", vec![&ann]),
        ("olwerk", vec![&ann]),
        ("ann.lee@", vec![&ann]),
        ("north", vec![&ann]),
        ("%2B4930", vec![&ann]),
        ("30123", vec![&ann]),
        ("r%26d", vec![&ann]),
        ("head%20anne", vec![&ann]),
        ("bo", vec![&bob]),
        ("", vec![&bob, &ann]),
        ("%20%20", vec![&bob, &ann]),
        ("rie", vec![]),
        ("anne%20bob", vec![]),
        ("-", vec![]),
        ("%25", vec![]),
        ("a%00nne", vec![&ann]),
        ("'%3B--", vec![]),
        ("a%27%7C%27b", vec![]),
        ("bob%3A*", vec![&bob]),
        ("%5C", vec![]),
        ("bob%5C", vec![&bob]),
        ("%F0%9F%98%80", vec![]),
        ("bob%20%26%20!x", vec![]),
    ] {
        let reply = client.get(&format!("{PATH}?search={search}")).await.expect(200);
        assert_eq!(reply.ids().iter().collect::<Vec<_>>(), expected, "{search}");
    }
    let both = client.get(&format!("{PATH}?search=bob&status=active&status=blocked")).await.expect(200);
    assert_eq!(both.ids(), [bob]);
    for bad in ["1+2+3+4+5+6+7+8+9".to_owned(), "x".repeat(201)] {
        let reply = client.get(&format!("{PATH}?search={bad}")).await.expect(400);
        assert_eq!(reply.code(), "invalid_value");
    }
}

#[tokio::test]
async fn the_list_filters_by_any_of_several_statuses() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let mut ids = Vec::new();
    for status in ["active", "inactive", "blocked", "pending"] {
        ids.push(client.post(PATH, json!({"email": format!("{status}@example.com"), "status": status})).await.id());
    }
    for (query, expected) in [
        ("status=blocked", vec![2]),
        ("status=active&status=pending", vec![3, 0]),
        ("status=active&status=active", vec![0]),
        ("status=active&status=inactive&status=blocked&status=pending", vec![3, 2, 1, 0]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|index: usize| ids[index].clone()).collect();
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.expect(200).ids(), expected, "{query}");
    }
    for query in ["status=Active", "status=", "status=active,pending", "status=nope"] {
        let reply = client.get(&format!("{PATH}?{query}")).await.expect(400);
        assert_eq!(
            (reply.code(), reply.details()),
            ("invalid_value", vec!["status:invalid_value".to_owned()]),
            "{query}"
        );
    }
}
