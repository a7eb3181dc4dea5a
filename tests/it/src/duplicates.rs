//! A conflict over a unique value names the record that has it, if the caller may read it.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{ApiResponse, App};

use crate::tools::{details, fail, run};

/// Checks that a 409 names a record, or does not.
#[track_caller]
fn check(reply: &ApiResponse, field: &str, existing_id: Option<&str>) {
    assert_eq!((reply.status, reply.code()), (409, "duplicate"), "{}", reply.text);
    assert_eq!(reply.details(), [format!("{field}:duplicate")]);
    let error = &reply.body["error"];
    assert_eq!(error.get("existing_id"), existing_id.map(|id| json!(id)).as_ref(), "{}", reply.text);
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(field) && existing_id.is_none_or(|id| message.contains(id)), "{message}");
}

#[tokio::test]
async fn conflicts_over_rest_name_the_record() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    for (path, first, second, field) in [
        ("/api/v1/crm/contacts", json!({"email": "ada@example.com"}), json!({"email": "ADA@example.com"}), "email"),
        (
            "/api/v1/crm/contacts",
            json!({"email": "b@example.com", "external_id": "x"}),
            json!({"email": "c@example.com", "external_id": "x"}),
            "external_id",
        ),
        (
            "/api/v1/crm/deals",
            json!({"title": "a", "external_id": "x"}),
            json!({"title": "b", "external_id": "x"}),
            "external_id",
        ),
        (
            "/api/v1/projects",
            json!({"name": "a", "external_id": "x"}),
            json!({"name": "b", "external_id": "x"}),
            "external_id",
        ),
    ] {
        let id = client.create(path, first).await;
        check(&client.post(path, second).await, field, Some(&id));
        if path != "/api/v1/crm/contacts" {
            let bare = if path.ends_with("deals") { json!({"title": "c"}) } else { json!({"name": "c"}) };
            let other = client.create(path, bare).await;
            let patched = client.patch(&format!("{path}/{other}"), json!({"external_id": "x"})).await;
            check(&patched, field, Some(&id));
            let _ = client.delete(&format!("{path}/{id}")).await.expect(200);
            let _ = client.patch(&format!("{path}/{other}"), json!({"external_id": "x"})).await.expect(200);
        }
    }
    let owner = tenant.user(Role::Owner).await;
    let articles = "/api/settings/kb/articles";
    let id = owner.client.create(articles, json!({"title": "a", "slug": "how"})).await;
    check(&owner.client.post(articles, json!({"title": "b", "slug": "how"})).await, "slug", Some(&id));
    let member = tenant.user(Role::Member).await;
    let invitation = json!({"email": member.email, "role": "member"});
    check(&owner.client.post("/api/settings/members", invitation).await, "email", Some(&member.id.to_string()));
}

#[tokio::test]
async fn conflicts_of_tools_name_the_record_to_keys_that_may_read_it() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let scopes = json!(["contacts.write", "crm.write", "deals.write"]);
    let blind = json!({"create_contacts": true, "create_companies": true, "create_deals": true});
    let blind = tenant.key(json!({"scopes": scopes, "permissions": blind})).await.0;
    for (tool, first, second, field) in [
        ("create_contact", json!({"email": "ada@example.com"}), json!({"email": "Ada@example.com"}), "email"),
        (
            "create_company",
            json!({"name": "a", "domain": "a.example"}),
            json!({"name": "b", "domain": "A.example"}),
            "domain",
        ),
        (
            "create_company",
            json!({"name": "a", "external_id": "x"}),
            json!({"name": "b", "external_id": "x"}),
            "external_id",
        ),
        (
            "create_deal",
            json!({"title": "a", "external_id": "x"}),
            json!({"title": "b", "external_id": "x"}),
            "external_id",
        ),
    ] {
        let id = run(&client, tool, first).await["id"].clone();
        let refusal = fail(&client, tool, second.clone()).await;
        assert_eq!((&refusal["error"], &refusal["existing_id"]), (&json!("duplicate"), &id), "{tool}");
        assert_eq!(details(&refusal), [format!("{field}:duplicate")]);
        let refusal = fail(&blind, tool, second).await;
        assert_eq!((&refusal["error"], refusal.get("existing_id")), (&json!("duplicate"), None), "{tool}");
        assert!(!refusal.to_string().contains(id.as_str().unwrap()), "{tool}");
    }
}

#[tokio::test]
async fn errors_about_unknown_names_list_the_known_ones() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let detail = |reply: ApiResponse| reply.body["error"]["details"][0]["message"].as_str().unwrap().to_owned();
    let message = detail(client.get("/api/v1/crm/deals?sort=x").await.expect(400));
    for parameter in ["page", "limit", "cursor", "status", "stage", "assignee", "value_min", "value_max"] {
        assert!(message.contains(parameter), "{message}");
    }
    let message = detail(client.post("/api/v1/crm/deals?sort=x", json!({"title": "d"})).await.expect(400));
    assert!(message.contains("takes none"), "{message}");
    let owner = tenant.user(Role::Owner).await;
    let keys = "/api/settings/api-keys";
    let message = detail(owner.client.post(keys, json!({"name": "k", "scopes": ["deal.read"]})).await.expect(422));
    for scope in domain::identity::access::Scope::all() {
        assert!(message.contains(&scope.to_string()), "{message}");
    }
    let map = json!({"name": "k", "scopes": ["deals.read"], "permissions": {"read_deal": true}});
    let message = detail(owner.client.post(keys, map).await.expect(422));
    assert!(message.contains("read_deals") && message.contains("delete_webhooks"), "{message}");
}
