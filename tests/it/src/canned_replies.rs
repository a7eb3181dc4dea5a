//! `/api/v1/support/canned-replies`: replies of all and of one member alone.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Client};

use crate::tools::{fail, with_all_tools};

const PATH: &str = "/api/v1/support/canned-replies";

async fn create(client: &Client, title: &str, shared: bool) -> String {
    client.create(PATH, json!({"title": title, "body": "Hello", "shared": shared})).await
}

/// How many events of a record the log has.
async fn events_of(client: &Client, id: &str) -> usize {
    client.get(&format!("/api/v1/events?record_id={id}")).await.expect(200).ids().len()
}

#[tokio::test]
async fn an_unshared_reply_is_visible_only_to_its_creator() {
    let (_app, tenant) = App::with_workspace().await;
    let (maker, owner) = (tenant.user(Role::Member).await.client, tenant.user(Role::Owner).await.client);
    let key = with_all_tools(&tenant).await;
    let private = create(&maker, "Own", false).await;
    let shared = create(&owner, "Shared", true).await;
    let path = format!("{PATH}/{private}");
    assert_eq!(maker.get(PATH).await.expect(200).ids(), [shared.clone(), private.clone()]);
    assert_eq!(
        maker.get(&format!("{PATH}?shared=false&search=own")).await.expect(200).ids(),
        std::slice::from_ref(&private)
    );
    let _ = maker.patch(&path, json!({"title": "Mine"})).await.expect(200);
    for (other, name) in [(&owner, "owner"), (&key, "key")] {
        assert_eq!(other.get(PATH).await.expect(200).ids(), std::slice::from_ref(&shared), "{name}");
        assert!(other.get(&format!("{PATH}?ids={private}")).await.expect(200).ids().is_empty(), "{name}");
        assert!(other.get(&format!("{PATH}?shared=false")).await.expect(200).ids().is_empty(), "{name}");
        let _ = other.get(&path).await.expect(404);
        let _ = other.patch(&path, json!({"title": "Theirs"})).await.expect(404);
        let _ = other.delete(&path).await.expect(404);
        let _ = other.get(&format!("{path}/history")).await.expect(404);
    }
    for tool in ["get_canned_reply", "delete_canned_reply"] {
        let refusal = fail(&key, tool, json!({ "id": private })).await;
        assert_eq!(refusal["error"], "not_found", "{tool}: {refusal}");
        assert!(!refusal.to_string().contains("this is a canned reply"), "{refusal}");
    }
    assert!(maker.get(&format!("{path}/history")).await.expect(200).ids().is_empty());
    assert_eq!(events_of(&owner, &private).await, 0);
    let _ = maker.delete(&path).await.expect(200);
    assert!(owner.get(&format!("{PATH}?deleted=true")).await.expect(200).ids().is_empty());
    let _ = owner.post(&format!("{path}/restore"), json!({})).await.expect(404);
    let _ = maker.post(&format!("{path}/restore"), json!({})).await.expect(200);
    assert_eq!(events_of(&owner, &private).await, 0);
}

#[tokio::test]
async fn a_shared_reply_reaches_others_as_new_and_stays_shared() {
    let (_app, tenant) = App::with_workspace().await;
    let (maker, owner) = (tenant.user(Role::Member).await.client, tenant.user(Role::Owner).await.client);
    let private = create(&maker, "Secret", false).await;
    let path = format!("{PATH}/{private}");
    let _ = maker.patch(&path, json!({"title": "Public", "shared": true})).await.expect(200);
    let history = owner.get(&format!("{path}/history")).await.expect(200);
    assert_eq!(history.data()[0]["event"], "canned_reply.created", "{}", history.text);
    assert!(!history.text.contains("Secret"), "what it was before is nobody's business: {}", history.text);
    let stale = owner.patch(&path, json!({"shared": false})).await.expect(409);
    assert_eq!(stale.code(), "invalid_state_change");
    assert_eq!(events_of(&owner, &private).await, 1);
}

#[tokio::test]
async fn keys_share_their_replies_and_variables_are_known() {
    let (_app, key) = App::with_client().await;
    let private = json!({"title": "t", "body": "b", "shared": false});
    assert_eq!(key.post(PATH, private).await.expect(422).details(), ["shared:invalid_value"]);
    let unknown = json!({"title": "t", "body": "Dear {{customer.password}}"});
    assert_eq!(key.post(PATH, unknown).await.expect(422).details(), ["body:invalid_value"]);
    let known = json!({"title": "t", "body": "Dear {{ customer.name }}", "shortcut": "dear"});
    let reply = key.post(PATH, known).await.expect(201);
    assert_eq!(key.get(&format!("{PATH}?shortcut=dear")).await.expect(200).ids(), [reply.id()]);
    assert_eq!(reply.data()["body"], "Dear {{ customer.name }}");
}

#[tokio::test]
async fn a_shortcut_at_the_end_of_an_answer_becomes_its_reply() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let ticket = json!({"name": "Ann", "email": "ann@acme.example", "subject": "Late"});
    let opened = key.post("/api/public/tickets", ticket).await.expect(201);
    let reference = opened.data()["reference"].as_str().unwrap();
    let results = key.get(&format!("/api/v1/issues?kind=ticket&reference={reference}")).await.expect(200);
    let path = format!("/tickets/{}", results.ids()[0]);
    let reply = json!({"title": "Late", "shortcut": "late", "body": "{{customer.name}}, {{ticket.number}}"});
    let _ = key.post(PATH, reply).await.expect(201);
    let browser = tenant.signed_in(Role::Member).await;
    let (answer, insert) = (format!("{path}/answer"), format!("{path}/draft/insert"));
    for (typed, status, expected) in
        [("Dear /none", 422, "Dear /none".to_owned()), ("Dear /late", 303, format!("Dear Ann, {reference}"))]
    {
        let page = browser.open(&path).await.expect(200);
        let fields = page.fields_with(&answer, &[("body", typed)]);
        let response = browser.send(browser.post(&insert, &fields)).await;
        assert_eq!(response.status, status, "{typed}: {}", response.text);
        let shown = if status == 303 { browser.open(&path).await.html().to_owned() } else { response.text };
        assert!(shown.contains(&expected), "{typed}: {shown}");
    }
}
