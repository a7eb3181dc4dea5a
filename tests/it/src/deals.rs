//! Deals over REST.

use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, assert_members};
use tokio::task::JoinSet;

use crate::support::UNKNOWN_ID;

const PATH: &str = "/api/v1/crm/deals";

async fn deal(client: &Client, body: Value) -> (String, String) {
    let id = client.create(PATH, body).await;
    (format!("{PATH}/{id}"), id)
}

#[tokio::test]
async fn money_is_exact_to_the_digit() {
    let (_app, client) = App::with_client().await;
    for text in ["0.1", "0.01", "999999999999.99", "123456789012.34", "19.99", "5000", "0"] {
        let request = client.request("POST", PATH).header("Content-Type", "application/json");
        let created = ApiResponse::of(request.body(format!(r#"{{"title":"d","value":{text}}}"#))).await.expect(201);
        let shown = format!(r#""value":{text},"#);
        assert!(created.text.contains(&shown), "{text}: {}", created.text);
        let stored = client.get(created.header("location")).await.expect(200);
        assert!(stored.text.contains(&shown), "{text}: {}", stored.text);
    }
}

#[tokio::test]
async fn a_patch_changes_only_its_members_and_null_resets_to_the_default() {
    let (_app, client) = App::with_client().await;
    let full = json!({
        "title": "d", "description": "x", "value": 10, "currency": "EUR", "probability": 5, "tags": ["a"], "custom_fields": {"a": 1},
        "status": "on_hold", "stage": "proposal", "source": "s", "external_id": "e", "commission_pct": 1.5, "expected_close_date": "2030-01-01",
    });
    let (path, id) = deal(&client, full).await;
    let before = client.get(&path).await.data().clone();
    let patched = client.patch(&path, json!({"title": "new"})).await.expect(200);
    let mut expected = before.clone();
    expected["title"] = json!("new");
    expected["version"] = json!(2);
    expected["updated_at"] = patched.data()["updated_at"].clone();
    assert_eq!(patched.data(), &expected);
    assert_eq!(patched.header("etag"), "\"2\"");
    let nulls = json!({
        "description": null, "value": null, "currency": null, "probability": null, "tags": null, "custom_fields": null, "status": null,
        "stage": null, "source": null, "external_id": null, "commission_pct": null, "expected_close_date": null,
    });
    let cleared = client.patch(&path, nulls).await.expect(200).data().clone();
    for member in
        ["description", "value", "probability", "source", "external_id", "commission_pct", "expected_close_date"]
    {
        assert_eq!(cleared[member], Value::Null, "{member}");
    }
    assert_members(&cleared, &json!({"currency": "USD", "status": "open", "stage": "discovery", "tags": []}));
    assert_members(&cleared, &json!({"custom_fields": {}}));
    assert_eq!(client.patch(&path, json!({"title": null})).await.expect(422).details(), ["title:required"]);
    let empty = client.patch(&path, json!({})).await.expect(422);
    assert_eq!((empty.code(), empty.details()), ("validation_failed", vec![":empty_patch".to_owned()]));
    assert_eq!(client.get(&path).await.data()["id"], json!(id));
}

#[tokio::test]
async fn numbers_that_cannot_be_stored_exactly_are_refused() {
    let (_app, client) = App::with_client().await;
    let fine = format!("12.{}1", "0".repeat(70));
    for (members, expected) in [
        (r#""value":1e309"#, "value:out_of_range"),
        (r#""value":-1e309"#, "value:out_of_range"),
        (r#""value":1e-324"#, "value:too_many_decimals"),
        (&format!(r#""value":{fine}"#), "value:too_many_decimals"),
        (r#""custom_fields":{"a":99999999999999999999}"#, "custom_fields:out_of_range"),
        (&format!(r#""custom_fields":{{"a":{fine}}}"#), "custom_fields:out_of_range"),
    ] {
        let request = client.request("POST", PATH).header("Content-Type", "application/json");
        let reply = ApiResponse::of(request.body(format!(r#"{{"title":"d",{members}}}"#))).await.expect(422);
        assert_eq!(reply.details(), [expected], "{members}");
        let call = format!(r#"{{"name":"create_deal","arguments":{{"title":"d",{members}}}}}"#);
        let request = client.request("POST", "/api/mcp/tools/call").header("Content-Type", "application/json");
        let reply = ApiResponse::of(request.body(call)).await;
        assert!(reply.text.contains(expected.split_once(':').unwrap().1), "{members}: {}", reply.text);
    }
    assert!(client.get(PATH).await.ids().is_empty());
}

/// Concurrent writes do not lose each other's fields.
#[tokio::test]
async fn custom_fields_that_are_set_concurrently_are_all_kept() {
    let (_app, client) = App::with_client().await;
    let (path, _) = deal(&client, json!({"title": "d", "external_id": "d", "custom_fields": {"first": 0}})).await;
    let mut changes = JoinSet::new();
    for number in 0..20 {
        let (client, path) = (client.clone(), path.clone());
        changes.spawn(async move {
            let fields = json!({ format!("n{number}"): number });
            if number % 2 == 0 {
                let _ = client.patch(&path, json!({ "custom_fields": fields })).await.expect(200);
            } else {
                let items = json!([{ "external_id": "d", "custom_fields": fields }]);
                let call = json!({ "name": "upsert_deals", "arguments": { "items": items } });
                let result = client.post("/api/mcp/tools/call", call).await.expect(200);
                assert_eq!(result.body["structuredContent"]["outcomes"], json!(["updated"]), "{}", result.text);
            }
        });
    }
    let _ = changes.join_all().await;
    let stored = client.get(&path).await.data().clone();
    let mut expected: Value = (0..20).map(|number| (format!("n{number}"), json!(number))).collect();
    expected["first"] = json!(0);
    assert_eq!((&stored["custom_fields"], &stored["version"]), (&expected, &json!(21)));
}

/// The date of an open deal may already be set, such as by an import.
#[tokio::test]
async fn closing_keeps_the_date_that_an_open_deal_has() {
    let (_app, client) = App::with_client().await;
    for (number, closing) in [json!({"status": "closed_won"}), json!({"stage": "closed_lost"})].into_iter().enumerate()
    {
        let external = format!("d{number}");
        let open = json!({"title": "d", "external_id": external, "actual_close_date": "2020-01-31"});
        let (path, _) = deal(&client, open).await;
        assert_eq!(client.get(&path).await.data()["actual_close_date"], "2020-01-31");
        let closed = client.patch(&path, closing).await.expect(200);
        assert_eq!(closed.data()["actual_close_date"], "2020-01-31");
        // A reopened deal no longer has a close date.
        let reopened = client.patch(&path, json!({"status": "open"})).await.expect(200);
        assert_eq!(reopened.data()["actual_close_date"], Value::Null);
        let reply = client.patch(&path, json!({"status": "closed_won"})).await.expect(200);
        assert!(reply.data()["actual_close_date"].as_str().is_some_and(|date| date != "2020-01-31"), "{}", reply.text);
    }
}

#[tokio::test]
async fn deleting_is_soft_and_once() {
    let (_app, client) = App::with_client().await;
    let (path, id) = deal(&client, json!({"title": "d", "external_id": "e"})).await;
    let project = client.post("/api/v1/projects", json!({"name": "p", "deal_id": id})).await.expect(201);
    assert_eq!(client.delete(&path).await.expect(200).body, json!({"data": {"id": id, "deleted": true}}));
    for reply in [client.get(&path).await, client.delete(&path).await, client.patch(&path, json!({"title": "x"})).await]
    {
        assert_eq!((reply.status, reply.code()), (404, "not_found"));
    }
    assert!(client.get(PATH).await.ids().is_empty());
    // The external id is available again; records that refer to the deal keep its id, and other members can be patched.
    let _ = client.post(PATH, json!({"title": "d", "external_id": "e"})).await.expect(201);
    let project_path = format!("/api/v1/projects/{}", project.id());
    assert_eq!(
        client.patch(&project_path, json!({"name": "q", "deal_id": id})).await.expect(200).data()["deal_id"],
        json!(id)
    );
    let other = client.post("/api/v1/projects", json!({"name": "p", "deal_id": id})).await.expect(422);
    assert_eq!(other.details(), ["deal_id:not_found"]);
}

#[tokio::test]
async fn filters_work_alone_and_combined() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let (ann, ben) =
        (tenant.member("ann@example.com").await.to_string(), tenant.member("ben@example.com").await.to_string());
    let contact = client.create("/api/v1/crm/contacts", json!({"email": "c@example.com"})).await;
    let mut ids = Vec::new();
    for body in [
        json!({"title": "0", "value": 10, "assigned_to": ann}),
        json!({"title": "1", "value": 20.5, "assigned_to": ben, "status": "on_hold", "stage": "proposal"}),
        json!({"title": "2", "value": 30, "contact_id": contact, "status": "closed_won"}),
        json!({"title": "3", "status": "closed_lost", "assigned_to": ann}),
    ] {
        ids.push(deal(&client, body).await.1);
    }
    let cases = [
        ("status=open".to_owned(), vec![0]),
        ("status=open&status=closed_won".to_owned(), vec![2, 0]),
        ("stage=proposal".to_owned(), vec![1]),
        ("stage=proposal&stage=closed_lost&stage=discovery".to_owned(), vec![3, 1, 0]),
        (format!("assignee={ann}"), vec![3, 0]),
        (format!("assignee={ann}&assignee={ben}"), vec![3, 1, 0]),
        (format!("contact_id={contact}"), vec![2]),
        (format!("company_id={UNKNOWN_ID}"), vec![]),
        ("value_min=20.5".to_owned(), vec![2, 1]),
        ("value_max=20.5".to_owned(), vec![1, 0]),
        ("value_min=10&value_max=20".to_owned(), vec![0]),
        ("value_min=-1".to_owned(), vec![2, 1, 0]),
        ("value_min=1e1&value_max=2.05e1".to_owned(), vec![1, 0]),
        ("value_min=30&value_max=10".to_owned(), vec![]),
        ("value_min=30&value_max=10&order=value".to_owned(), vec![]),
        (format!("assignee={ann}&status=open"), vec![0]),
        (format!("assignee={ann}&assignee={ben}&status=open&status=on_hold&stage=proposal"), vec![1]),
    ];
    for (query, expected) in cases {
        let expected: Vec<_> = expected.into_iter().map(|index: usize| ids[index].clone()).collect();
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.expect(200).ids(), expected, "{query}");
    }
    for (query, detail) in [
        ("stage=won", "stage:invalid_value"),
        ("value_max=1e", "value_max:invalid_value"),
        ("value_min=01", "value_min:invalid_value"),
        ("value_max=%2B1", "value_max:invalid_value"),
    ] {
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.expect(400).details(), [detail], "{query}");
    }
    let reply = client.get(&format!("{PATH}?contact_id={contact}&contact_id={contact}")).await.expect(400);
    assert_eq!(reply.code(), "invalid_value");
}

#[tokio::test]
async fn lists_filter_by_ranges_of_actual_and_expected_close_dates() {
    let (_app, client) = App::with_client().await;
    let mut ids = Vec::new();
    for body in [
        json!({"title": "0", "status": "closed_won", "actual_close_date": "2020-01-31"}),
        json!({"title": "1", "status": "closed_lost", "actual_close_date": "2020-02-01"}),
        json!({"title": "2", "expected_close_date": "2030-06-30"}),
        json!({"title": "3", "expected_close_date": "2030-07-01"}),
    ] {
        ids.push(deal(&client, body).await.1);
    }
    for (query, expected) in [
        ("closed_since=2020-01-31&closed_before=2020-02-01", vec![0]),
        ("closed_since=2020-02-01", vec![1]),
        ("status=closed_won&closed_before=2021-01-01", vec![0]),
        ("expected_close_since=2030-06-01&expected_close_before=2030-07-01", vec![2]),
        ("expected_close_since=2030-07-01", vec![3]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|index: usize| ids[index].clone()).collect();
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.expect(200).ids(), expected, "{query}");
    }
    for (query, detail) in [
        ("closed_since=2020-02-30", "closed_since:invalid_date"),
        ("closed_since=2020-02-01&closed_before=2020-02-01", "closed_before:invalid_value"),
        ("expected_close_since=2020-02-02&expected_close_before=2020-02-01", "expected_close_before:invalid_value"),
    ] {
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.expect(400).details(), [detail], "{query}");
    }
    let won_deal = json!({"status": "closed_won", "closed_since": "2020-01-01", "closed_before": "2020-04-01"});
    let listed = crate::tools::run(&client, "list_deals", won_deal).await;
    assert_eq!((&listed["data"][0]["id"], listed["data"].as_array().map(Vec::len)), (&json!(ids[0]), Some(1)));
}
