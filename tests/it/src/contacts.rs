//! Contacts over REST.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, assert_members};

use crate::support::UNKNOWN_ID;
use crate::tools::{run, with_all_tools};

const PATH: &str = "/api/v1/crm/contacts";

#[tokio::test]
async fn the_email_is_required_valid_and_unique_ignoring_case() {
    let (_app, client) = App::with_client().await;
    for (body, status, details) in [
        (json!({}), 400, vec!["email:required"]),
        (json!({"email": null}), 422, vec!["email:required"]),
        (json!({"email": " "}), 422, vec!["email:required"]),
        (json!({"email": 1}), 400, vec!["email:invalid_type"]),
        (json!({"email": "nope"}), 422, vec!["email:invalid_email"]),
        (json!({"email": format!("{}@example.com", "a".repeat(320))}), 422, vec!["email:too_long"]),
    ] {
        let reply = client.post(PATH, body.clone()).await;
        assert_eq!(reply.status, status, "{body}");
        assert_eq!(reply.details(), details, "{body}");
    }
    let created = client.post(PATH, json!({"email": " Ann@Example.com ", "external_id": "x"})).await.expect(201);
    assert_eq!(created.body["email"], "Ann@Example.com");
    let duplicate = client.post(PATH, json!({"email": "aNN@example.COM"})).await.expect(409);
    assert_eq!((duplicate.code(), duplicate.details()), ("duplicate", vec!["email:duplicate".to_owned()]));
    let duplicate = client.post(PATH, json!({"email": "b@example.com", "external_id": "x"})).await.expect(409);
    assert_eq!((duplicate.code(), duplicate.details()), ("duplicate", vec!["external_id:duplicate".to_owned()]));
}

#[tokio::test]
async fn spellings_of_an_address_are_equal_and_returned_as_given() {
    let (_app, client) = App::with_client().await;
    let created = client.post(PATH, json!({"email": "Ann@München.example"})).await.expect(201);
    assert_eq!(created.body["email"], "Ann@München.example");
    for (spelling, encoded) in [
        ("ann@xn--mnchen-3ya.example", "ann@xn--mnchen-3ya.example"),
        ("ann@MÜNCHEN.example", "ann@M%C3%9CNCHEN.example"),
        ("ann@mu\u{308}nchen.example", "ann@mu%CC%88nchen.example"),
    ] {
        let again = client.post(PATH, json!({ "email": spelling })).await.expect(409);
        assert_eq!((again.code(), again.details()), ("duplicate", vec!["email:duplicate".to_owned()]), "{spelling}");
        for query in [format!("email={encoded}"), format!("search={encoded}")] {
            let results = client.get(&format!("{PATH}?{query}")).await.expect(200);
            assert_eq!(results.body["data"].as_array().map(Vec::len), Some(1), "{query}: {}", results.text);
            assert_eq!(results.body["data"][0]["email"], "Ann@München.example");
        }
    }
    for (refused, reason) in [
        ("a@1.2.3.4", "the last part of the domain is not a number"),
        ("a@example.123", "the last part of the domain is not a number"),
        ("pelé@example.com", "only ASCII characters before the @"),
        ("a@example.com.", "without a dot at the end"),
        ("a＠example.com", "with @ and not ＠"),
    ] {
        let reply = client.post(PATH, json!({ "email": refused })).await.expect(422);
        assert_eq!(reply.details(), ["email:invalid_email"]);
        assert!(reply.text.contains(reason), "{refused}: {}", reply.text);
    }
}

#[tokio::test]
async fn a_new_contact_is_returned_unwrapped_with_every_member() {
    let (_app, client) = App::with_client().await;
    let created = client
        .post(PATH, json!({"email": "a@example.com", "company_id": "", "first_name": null, "phone": ""}))
        .await
        .expect(201);
    assert!(created.body.get("data").is_none());
    let null_members = [
        "first_name",
        "last_name",
        "phone",
        "job_title",
        "company_id",
        "company_name",
        "assigned_to",
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
        assert_eq!(created.body.get(member), Some(&Value::Null), "{member}");
    }
    assert_members(&created.body, &json!({"contact_type": "new", "status": "active", "tags": [], "custom_fields": {}}));
    assert_members(&created.body, &json!({"version": 1}));
    assert_eq!(created.body["created_by"]["type"], "api_key");
    let created_at = created.body["created_at"].as_str().unwrap();
    assert!(created_at.len() == 27 && created_at.ends_with('Z'), "{created_at}");
    assert_eq!(created.body["created_at"], created.body["updated_at"]);
    assert_eq!(created.body.as_object().unwrap().len(), 25);
    assert_eq!(client.get(PATH).await.body["data"][0], created.body);
}

#[tokio::test]
async fn tools_set_the_owner_and_lists_show_and_filter_by_it() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, user) = (with_all_tools(&tenant).await, tenant.user(Role::Member).await);
    let body = json!({"email": "a@example.com", "assigned_to": user.id, "nope": 1});
    let refused = client.post(PATH, body).await.expect(400);
    assert_eq!(refused.details(), ["assigned_to:unknown_field", "nope:unknown_field"]);
    assert!(!refused.text.contains(", assigned_to"), "no field of a create: {}", refused.text);
    let created = run(&client, "create_contact", json!({"email": "a@example.com", "assigned_to": user.email})).await;
    let _ = client.post(PATH, json!({"email": "b@example.com"})).await.expect(201);
    let mine = client.get(&format!("{PATH}?assignee={}", user.id)).await.expect(200);
    assert_eq!(mine.ids(), [created["id"].as_str().unwrap()]);
    assert_eq!(mine.body["data"][0]["assigned_to"], json!(user.id));
    let results = run(&client, "list_contacts", json!({"assignee": [user.email]})).await;
    assert_eq!(results["data"].as_array().map(Vec::len), Some(1), "{results}");
    // Reassigning changes the version and emits an event, too.
    let upserted = json!({"items": [{"email": "a@example.com", "assigned_to": null}]});
    assert_eq!(run(&client, "upsert_contacts", upserted).await["updated"], json!([created["id"]]));
    assert_eq!(client.get(&format!("{PATH}?assignee={}", user.id)).await.expect(200).ids().len(), 0);
    let log = client.get("/api/v1/events?event=contact.updated").await.expect(200);
    let change = json!({"from": user.id, "to": null});
    assert_eq!(log.data()[0]["changes"]["assigned_to"], change, "{}", log.text);
}

#[tokio::test]
async fn all_rule_violations_are_reported_together() {
    let (_app, client) = App::with_client().await;
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
async fn search_matches_word_prefixes() {
    let (_app, client) = App::with_client().await;
    let ann = client
        .post(PATH, json!({"email": "ann.lee@north.example", "first_name": "Anne-Marie", "last_name": "Größe", "company_name": "Ölwerk GmbH", "phone": "+49 (30) 123-45", "job_title": "Head of R&D"}))
        .await
        .id();
    let bob = client
        .post(PATH, json!({"email": "bob@south.example", "first_name": "Bob", "notes": "Anne", "status": "blocked"}))
        .await
        .id();
    for (query, expected) in [
        ("search=ANNE", vec![&ann]),
        ("search=gr%C3%B6ss", vec![&ann]),
        ("search=ann.lee@", vec![&ann]),
        ("search=%2B4930", vec![&ann]),
        ("search=r%26d", vec![&ann]),
        ("search=%20%20", vec![&bob, &ann]),
        ("search=a%00nne", vec![&ann]),
        ("search=%25", vec![]),
        ("search=bob%20%26%20!x", vec![]),
        ("search=bob&status=active&status=blocked", vec![&bob]),
        ("status=active", vec![&ann]),
    ] {
        let reply = client.get(&format!("{PATH}?{query}")).await.expect(200);
        assert_eq!(reply.ids().iter().collect::<Vec<_>>(), expected, "{query}");
    }
    for bad in ["1+2+3+4+5+6+7+8+9".to_owned(), "x".repeat(201)] {
        let reply = client.get(&format!("{PATH}?search={bad}")).await.expect(400);
        assert_eq!(reply.code(), "invalid_value");
    }
}

#[tokio::test]
async fn the_tool_lists_contacts_with_their_companys_name() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let company = run(&client, "create_company", json!({"name": "Northwind"})).await["id"].clone();
    for (email, own) in [("a@example.com", None), ("b@example.com", Some("Northwind Trading, formerly"))] {
        let contact = json!({"email": email, "company_id": company, "company_name": own});
        let _ = run(&client, "create_contact", contact).await;
    }
    let alone = json!({"email": "c@example.com", "company_name": "Contoso"});
    let _ = run(&client, "create_contact", alone).await;
    let names = async |client: &Client| {
        let listed = run(client, "list_contacts", json!({})).await;
        let rows = listed["data"].as_array().unwrap().clone();
        rows.iter().map(|row| row["company_name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&client).await, [json!("Contoso"), json!("Northwind"), json!("Northwind")]);
    // Callers who may not read companies do not see their names.
    let contacts = tenant.with_scopes(&["contacts.read"]).await;
    assert_eq!(names(&contacts).await, [json!("Contoso"), json!("Northwind Trading, formerly"), json!(null)]);
}

#[tokio::test]
async fn the_404_for_one_contact_names_the_documented_alternative() {
    let (app, client) = App::with_client().await;
    let mut said = String::new();
    for method in ["GET", "PATCH", "DELETE"] {
        let request = client.request(method, &format!("{PATH}/{UNKNOWN_ID}"));
        let reply = ApiResponse::of(request.json(&json!({"first_name": "A"}))).await.expect(404);
        assert_eq!(reply.code(), "not_found");
        said = reply.body["error"]["message"].as_str().unwrap().to_owned();
        assert!(said.contains("get_contact") && said.contains("POST /api/mcp/tools/call"), "{method}: {said}");
    }
    // Access tokens cannot call tools.
    let member = app.workspace().await.user(Role::Member).await.client;
    let error = member.get(&format!("{PATH}/{UNKNOWN_ID}")).await.expect(404).body["error"]["message"].to_string();
    assert!(error.contains("in the console, or by an API key with the tools") && !error.contains("POST"), "{error}");
    let (_, words) = said.split_once(": ").unwrap();
    for document in [
        include_str!("../../../docs/interface.md"),
        include_str!("../../../docs/api.md"),
        include_str!("../../../docs/sdks.md"),
        include_str!("../../../sdks/python/README.md"),
        include_str!("../../../sdks/typescript/README.md"),
        include_str!("../../../sdks/rust/README.md"),
    ] {
        let text = document.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let title: String = text.chars().take(40).collect();
        assert!(text.contains(&words.to_lowercase()), "{title}");
    }
    assert_eq!(client.get("/api/v1/crm/contactz/x").await.body["error"]["message"], "there is no such route");
}
