//! `/api/v1/support/canned-replies`: replies of all and of one member alone.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client};

use crate::tools::{call, details, fail, run, with_all_tools};

const PATH: &str = "/api/v1/support/canned-replies";

async fn create(client: &Client, title: &str, shared: bool) -> String {
    client.create(PATH, json!({"title": title, "body": "Hello", "shared": shared})).await
}

/// The path of a new ticket of Ann, and its reference.
async fn ticket(key: &Client) -> (String, String) {
    ticket_from(key, "ann@acme.example").await
}

async fn ticket_from(key: &Client, email: &str) -> (String, String) {
    let ticket = json!({"name": "Ann", "email": email, "subject": "Late"});
    let opened = key.post("/api/public/tickets", ticket).await.expect(201);
    let reference = opened.data()["reference"].as_str().unwrap().to_owned();
    let results = key.get(&format!("/api/v1/issues?kind=ticket&reference={reference}")).await.expect(200);
    (format!("/tickets/{}", results.ids()[0]), reference)
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
    let (path, reference) = ticket(&key).await;
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
        let is_refused = shown.contains("No canned reply has the shortcut “none”");
        assert_eq!(is_refused, status == 422, "{typed}: {shown}");
    }
}

#[tokio::test]
async fn a_reply_without_a_shortcut_is_chosen_from_a_list() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let (path, reference) = ticket(&key).await;
    let user = tenant.user(Role::Member).await;
    let others = tenant.user(Role::Member).await.client;
    let _ = create(&key, "Shared refund", true).await;
    let _ = create(&others, "Secret refund", false).await;
    let own = json!({"title": "Refund", "body": "{{ customer.name }}, {{ticket.number}}", "shared": false});
    let own = user.client.create(PATH, own).await;
    let browser = app.browser_of(&user).await;
    let (insert, list) = (format!("{path}/draft/insert"), format!("{path}/replies"));
    let page = browser.open(&path).await.expect(200);
    let typed = page.fields_with(&format!("{path}/answer"), &[("body", "Hello.")]);
    let opened = browser.send(browser.post(&insert, &typed)).await;
    assert_eq!(opened.status, 303, "{}", opened.text);
    assert!(opened.header("location").ends_with(&list), "{}", opened.header("location"));
    let page = browser.open(&list).await.expect(200);
    let place = |title: &str| page.html().find(&format!(">{title}<"));
    assert!(place("Refund").is_some() && place("Refund") < place("Shared refund"), "own first: {}", page.html());
    assert_eq!(place("Secret refund"), None);
    page.assert_contains(&[&format!("Ann, {reference}")]);
    for (typed, shown) in [("refu", &["Refund", "Shared refund"][..]), ("shared", &["Shared refund"]), ("x", &[])] {
        let found = browser.open(&format!("{list}?q={typed}")).await.expect(200);
        let is_shown = |title: &&str| found.html().contains(&format!(">{title}<"));
        let titles: Vec<_> = ["Refund", "Shared refund"].into_iter().filter(is_shown).collect();
        assert_eq!(titles, shown, "{typed}");
    }
    let gone = page.fields_with(&insert, &[("_reply", crate::support::UNKNOWN_ID)]);
    let gone = browser.send(browser.post(&insert, &gone)).await;
    assert_eq!(gone.status, 422, "{}", gone.text);
    assert!(gone.text.contains("This canned reply was deleted"), "{}", gone.text);
    let chosen = browser.send(browser.post(&insert, &page.fields_with(&insert, &[("_reply", &own)]))).await;
    assert_eq!(chosen.status, 303, "{}", chosen.text);
    browser.open(&path).await.expect(200).assert_contains(&[&format!("Hello.\n\nAnn, {reference}")]);
}

#[tokio::test]
async fn a_tool_fills_in_a_reply_and_sends_no_variables_to_customers() {
    let (_app, tenant) = App::with_workspace().await;
    let key = with_all_tools(&tenant).await;
    let (path, reference) = ticket(&key).await;
    let ticket = path.trim_start_matches("/tickets/");
    let raw = "Dear {{ customer.name }}, {{ticket.number}}";
    let reply = key.create(PATH, json!({"title": "t", "body": raw})).await;
    let read = run(&key, "get_canned_reply", json!({ "id": reply })).await;
    assert_eq!((&read["body"], read.get("filled_body")), (&json!(raw), None));
    let read = run(&key, "get_canned_reply", json!({"id": reply, "ticket_id": ticket})).await;
    let filled = json!(format!("Dear Ann, {reference}"));
    assert_eq!((&read["body"], &read["filled_body"]), (&json!(raw), &filled));
    let task = run(&key, "create_task", json!({"title": "No ticket"})).await["id"].clone();
    let refusal = fail(&key, "get_canned_reply", json!({"id": reply, "ticket_id": task})).await;
    assert_eq!(details(&refusal), ["ticket_id:not_found"]);
    let refused = call(&key, "get_canned_reply", json!({"id": reply, "expand": "filled_body"})).await.expect(400);
    assert_eq!(details(&refused.body), ["expand:invalid_value"]);

    let answer = |body: &serde_json::Value| json!({"issue_id": ticket, "body": body, "visibility": "public"});
    let refusal = fail(&key, "add_comment", answer(&json!(raw))).await;
    assert_eq!(details(&refusal), ["body:invalid_value"]);
    let message = refusal["details"][0]["message"].as_str().unwrap();
    for part in ["{{customer.name}}, {{ticket.number}}", "get_canned_reply with ticket_id"] {
        assert!(message.contains(part), "{message}");
    }
    let internal = run(&key, "add_comment", json!({"issue_id": ticket, "body": raw})).await["id"].clone();
    let _ = run(&key, "add_comment", answer(&json!("Write {{size}} here"))).await;
    let sent = run(&key, "add_comment", answer(&filled)).await["id"].clone();
    let refusal = fail(&key, "update_comment", json!({"id": sent, "body": raw})).await;
    assert_eq!(details(&refusal), ["body:invalid_value"]);
    assert!(refusal["details"][0]["message"].as_str().unwrap().contains("{{customer.name}}"), "{refusal}");
    let _ = run(&key, "update_comment", json!({"id": internal, "body": "{{customer.name}} has called"})).await;
    let _ = run(&key, "update_comment", json!({"id": sent, "body": "Write {{size}} there"})).await;
    let comments = format!("/api/v1/issues/{ticket}/comments");
    let _ = key.post(&comments, json!({"body": raw, "visibility": "public"})).await.expect(201);
}

#[tokio::test]
async fn a_tool_returns_a_filled_in_reply_whole_or_not_at_all() {
    let (_app, tenant) = App::with_workspace().await;
    let key = with_all_tools(&tenant).await;
    let (path, _) = ticket(&key).await;
    let ticket = path.trim_start_matches("/tickets/");
    for filler in ["x", "𝄞", "\""] {
        let rest = filler.repeat(10_000 - "{{customer.name}}".len());
        let reply = key.create(PATH, json!({"title": "t", "body": format!("{{{{customer.name}}}}{rest}")})).await;
        let read = run(&key, "get_canned_reply", json!({"id": reply, "ticket_id": ticket})).await;
        assert!(read["filled_body"] == format!("Ann{rest}"), "{filler}: not whole");
        assert_eq!((&read["cut"][0]["member"], &read["cut"][1]), (&json!("body"), &Value::Null), "{filler}");
        let part = json!({"id": reply, "ticket_id": ticket, "expand": "body"});
        assert!(run(&key, "get_canned_reply", part).await["filled_body"] == read["filled_body"], "{filler}");
    }
    // An e-mail address may be longer than its variable.
    let (path, _) = ticket_from(&key, &format!("{}@acme.example", "a".repeat(60))).await;
    let ticket = path.trim_start_matches("/tickets/");
    let body = format!("{{{{customer.email}}}}{}", "x".repeat(9_980));
    let reply = key.create(PATH, json!({"title": "t", "body": body})).await;
    let refusal = fail(&key, "get_canned_reply", json!({"id": reply, "ticket_id": ticket})).await;
    assert_eq!(details(&refusal), ["ticket_id:too_long"]);
    let _ = run(&key, "get_canned_reply", json!({ "id": reply })).await;
}

#[tokio::test]
async fn only_keys_that_read_tickets_fill_in_replies() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let (path, _) = ticket(&key).await;
    let reply = key.create(PATH, json!({"title": "t", "body": "{{customer.email}}"})).await;
    let permissions = json!({"scopes": ["tickets.read"], "permissions": {"read_canned_replies": true}});
    let blind = tenant.key(permissions).await.0;
    let arguments = json!({"id": reply, "ticket_id": path.trim_start_matches("/tickets/")});
    assert_eq!(details(&fail(&blind, "get_canned_reply", arguments).await), ["ticket_id:not_found"]);
    let _ = run(&blind, "get_canned_reply", json!({ "id": reply })).await;
}

#[tokio::test]
async fn pages_show_and_edit_replies_as_plain_text() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let reply = key.create(PATH, json!({"title": "t", "body": "**Best regards**\nAnn"})).await;
    let browser = tenant.signed_in(Role::Member).await;
    let page = browser.open(&format!("/canned_replies/{reply}")).await.expect(200);
    page.assert_contains(&["**Best regards**\nAnn"]);
    assert!(!page.html().contains("<strong>Best"), "{}", page.html());
    for form in ["/canned_replies/new".to_owned(), format!("/canned_replies/{reply}/edit")] {
        let page = browser.open(&form).await.expect(200);
        page.assert_contains(&["Plain text", "{{customer.name}}", "You cannot take this back"]);
        for absent in ["Markdown", "/preview\""] {
            assert!(!page.html().contains(absent), "{absent}: {}", page.html());
        }
    }
}
