//! Companies over REST.

use serde_json::{Value, json};
use test_support::App;

use crate::tools::{run, start_with_all_tools};

const COMPANIES: &str = "/api/v1/crm/companies";

#[tokio::test]
async fn the_five_operations_work_on_the_same_records_as_the_tools() {
    let (_app, _, client) = start_with_all_tools().await;
    let body = json!({
        "name": "Acme", "domain": "ACME.example", "industry": "Steel", "phone": "1", "website": "https://acme.example",
        "notes": "a\nb", "external_id": "x",
    });
    let created = client.post(COMPANIES, body).await.expect(201);
    let path = format!("{COMPANIES}/{}", created.id());
    assert_eq!(created.header("location"), path);
    assert_eq!((&created.data()["domain"], &created.data()["version"]), (&json!("acme.example"), &json!(1)));
    assert_eq!(created.data().as_object().unwrap().len(), 13);
    let stored = client.get(created.header("location")).await.expect(200);
    assert_eq!((stored.data(), stored.header("etag")), (created.data(), "\"1\""));
    let by_tool = run(&client, "get_company", json!({"id": created.id()})).await;
    for (member, value) in stored.data().as_object().unwrap() {
        assert_eq!(&by_tool[member], value, "{member}");
    }
    let changed = client.patch(&path, json!({"phone": null, "industry": "Iron"})).await.expect(200);
    assert_eq!((&changed.data()["phone"], &changed.data()["industry"]), (&Value::Null, &json!("Iron")));
    assert_eq!(changed.header("etag"), "\"2\"");
    let contact = json!({"email": "a@example.com", "company_id": created.id()});
    let _ = client.post("/api/v1/crm/contacts", contact).await.expect(201);
    let referring = json!({"deals": 0, "tasks": 0, "tickets": 0, "contacts": 1});
    let expected = json!({"id": created.id(), "deleted": true, "referring": referring});
    assert_eq!(*client.delete(&path).await.expect(200).data(), expected);
    for reply in [client.get(&path).await, client.delete(&path).await, client.patch(&path, json!({"name": "n"})).await]
    {
        assert_eq!((reply.status, reply.code()), (404, "not_found"));
    }
    assert!(client.get(COMPANIES).await.expect(200).ids().is_empty());
    let contacts = client.get("/api/v1/crm/contacts").await.expect(200);
    assert_eq!(contacts.body["data"][0]["company_id"], json!(created.id()), "records that refer to it stay");
}

/// The response to a deletion names the records that still refer to the deleted one, if the caller may read them.
#[tokio::test]
async fn a_deletion_reports_what_refers_to_the_record() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let contact = json!({"email": "mara@example.com"});
    let contact = client.post("/api/v1/crm/contacts", contact).await.expect(201).body["id"].clone();
    let deal = json!({"title": "d", "contact_id": contact});
    let _ = client.post("/api/v1/crm/deals", deal).await.expect(201);
    let task = json!({"kind": "task", "title": "t", "contact_id": contact});
    let _ = client.post("/api/v1/issues", task).await.expect(201);
    let deleted = run(&client, "delete_contact", json!({ "id": contact })).await;
    assert_eq!(deleted["referring"], json!({"deals": 1, "tasks": 1, "tickets": 0, "contacts": 0}));
    let company = client.create(COMPANIES, json!({"name": "c"})).await;
    let _ = client.post("/api/v1/crm/deals", json!({"title": "d", "company_id": company})).await.expect(201);
    let key = tenant.with_scopes(&["crm.read", "crm.write"]).await;
    let deleted = key.delete(&format!("{COMPANIES}/{company}")).await.expect(200);
    assert_eq!(deleted.data()["referring"]["deals"], Value::Null, "the key may not read deals");
}

#[tokio::test]
async fn domain_and_external_id_are_unique_among_live_companies() {
    let (_app, client) = App::with_client().await;
    for (member, value, same) in [("domain", "acme.example", "Acme.Example"), ("external_id", "x", "x")] {
        let first = client.create(COMPANIES, json!({"name": "a", member: value})).await;
        let second = client.create(COMPANIES, json!({"name": "b"})).await;
        let conflict = client.post(COMPANIES, json!({"name": "c", member: same})).await.expect(409);
        assert_eq!((conflict.code(), conflict.details()), ("duplicate", vec![format!("{member}:duplicate")]));
        let patch = json!({ member: same });
        assert_eq!(client.patch(&format!("{COMPANIES}/{second}"), patch.clone()).await.status, 409, "{member}");
        let _ = client.delete(&format!("{COMPANIES}/{first}")).await.expect(200);
        let _ = client.patch(&format!("{COMPANIES}/{second}"), patch).await.expect(200);
    }
}

#[tokio::test]
async fn companies_are_found_by_search() {
    let (_app, client) = App::with_client().await;
    let acme = client.post(COMPANIES, json!({"name": "Größe AG", "domain": "shop.acme.example"})).await.id();
    let other = client.post(COMPANIES, json!({"name": "Globex"})).await.id();
    for (query, expected) in [
        ("search=grosse", vec![&acme]),
        ("search=acme", vec![&acme]),
        ("search=glob", vec![&other]),
        ("search=%2D%2D", vec![]),
        ("search=", vec![&other, &acme]),
    ] {
        let found = client.get(&format!("{COMPANIES}?{query}")).await.expect(200).ids();
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{query}");
    }
    let named = client.post(COMPANIES, json!({"name": "Initech", "external_id": "X-1"})).await.id();
    for (query, arguments, expected) in [
        ("domain=Shop.ACME.example", json!({"domain": "Shop.ACME.example"}), vec![&acme]),
        ("domain=acme.example", json!({"domain": "acme.example"}), vec![]),
        ("external_id=X-1", json!({"external_id": "X-1"}), vec![&named]),
        ("external_id=x-1", json!({"external_id": "x-1"}), vec![]),
        ("external_id=X-1&search=ini", json!({"external_id": "X-1", "search": "ini"}), vec![&named]),
    ] {
        let found = client.get(&format!("{COMPANIES}?{query}")).await.expect(200).ids();
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{query}");
        let rows = run(&client, "list_companies", arguments).await["data"].clone();
        let ids: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(ids, expected, "{query}");
    }
    for (query, detail) in [
        ("domain=acme", "domain:invalid_value"),
        ("domain=", "domain:invalid_value"),
        ("domain=a.example&domain=b.example", "domain:invalid_value"),
    ] {
        assert_eq!(client.get(&format!("{COMPANIES}?{query}")).await.expect(400).details(), [detail], "{query}");
    }
    assert_eq!(client.get(&format!("{COMPANIES}?status=open")).await.expect(400).code(), "unknown_parameter");
}
