//! Erasing a person's data: none of it remains in any table, and nothing else is missing.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client, Receiver, Tenant, assert_members, eventually};

use crate::all_callers::{customer_of, issue_of};
use crate::database::{count, execute, texts};
use crate::tools::{fail, run};

pub(crate) const ERASURES: &str = "/api/settings/erasures";
const EMAIL: &str = "Zephyrine@person.example";
/// Texts about the person in lower case, which nothing else contains.
const TEXTS: [&str; 9] =
    ["zephyrine", "quux", "550199", "beekeeper", "allergies", "toaster", "at night", "crm-person-7", "very loudly"];

/// All tables in the schema that contain a text in any column of any row.
pub(crate) fn tables_with(app: &App, text: &str) -> Vec<String> {
    let mut tables = texts(
        app,
        "SELECT relname::text FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname",
    );
    tables.retain(|table| count(app, &format!("{table} AS row WHERE strpos(lower(row::text), '{text}') > 0")) > 0);
    tables
}

pub(crate) async fn start() -> (App, Tenant) {
    let answer_delay = std::time::Duration::from_mins(1);
    let options = AppOptions { delivers: true, has_mail_server: true, answer_delay, ..AppOptions::default() };
    let app = App::start_as(options).await;
    let tenant = app.workspace().await;
    (app, tenant)
}

/// A ticket opened by a customer with this address: its reference and id.
pub(crate) async fn ticket(client: &Client, email: &str) -> (String, String) {
    let body =
        json!({"name": "Zephyrine Quux", "email": email, "subject": "My toaster", "description": "It sings at night"});
    let request = client.request("POST", "/api/public/tickets").header("Idempotency-Key", "ticket").json(&body);
    let created = ApiResponse::of(request).await.expect(201);
    let reference = created.data()["reference"].as_str().unwrap().to_owned();
    let issue = issue_of(client, &reference).await;
    (reference, issue)
}

/// Waits until an erasure is done, and returns it.
pub(crate) async fn finished(owner: &Client, id: &str) -> Value {
    let path = format!("{ERASURES}/{id}");
    eventually("the erasure is done", async || owner.get(&path).await.expect(200).data()["state"] == "done").await;
    owner.get(&path).await.data().clone()
}

#[tokio::test]
async fn nothing_remains_of_an_erased_person_and_nothing_else_is_missing() {
    let (app, tenant) = start().await;
    let (member, key) = (tenant.user(Role::Owner).await, tenant.full_access().await);
    let owner = &member.client;
    let hook = Receiver::start().await;
    for module in ["crm", "support"] {
        let body = json!({"module": module, "url": hook.url, "events": ["*"]});
        let _ = owner.post("/api/settings/webhooks", body).await.expect(201);
    }
    let person = json!({
        "email": EMAIL, "first_name": "Zephyrine", "last_name": "Quux", "phone": "+49 550199", "notes": "A beekeeper",
        "tags": ["Quux"], "custom_fields": {"zephyrine": "Quux"}, "external_id": "crm-person-7", "city": "Quuxhausen",
    });
    let request = key.request("POST", "/api/v1/crm/contacts").header("Idempotency-Key", "c").json(&person);
    let contact = ApiResponse::of(request).await.expect(201).id();
    let _ = run(&key, "update_contact", json!({"id": contact, "job_title": "Chief beekeeper"})).await;
    let _ = run(&key, "add_comment", json!({"contact_id": contact, "body": "Asked about allergies"})).await;
    let deal = key.create("/api/v1/crm/deals", json!({"title": "Big", "contact_id": contact})).await;
    let (reference, issue) = ticket(&key, "zephyrine@PERSON.example").await;
    let path = format!("/api/v1/issues/{issue}");
    let assigned = tenant.user(Role::Admin).await;
    let _ = key.patch(&path, json!({"assignee_id": assigned.id, "title": "Toaster again"})).await.expect(200);
    let customer = customer_of(&app, &key, &reference).await;
    let reply = json!({"body": "It sings very loudly"});
    let request = customer.request("POST", "/api/portal/ticket/replies").header("Idempotency-Key", "r").json(&reply);
    let _ = ApiResponse::of(request).await.expect(201);
    let answer =
        json!({"body": "Dear ZEPHYRINE QUUX, we look at it. <zephyrine@person.example>", "visibility": "public"});
    let comments = format!("{path}/comments");
    let _ = key.post(&comments, answer).await.expect(201);
    let booking = json!({"event": "booking.created", "payload": {"guest": {"mail": EMAIL}, "seats": 2}});
    let _ = key.post("/api/modules/scheduling/events", booking).await.expect(202);
    execute(
        &app,
        &format!(
            "INSERT INTO audit_log SELECT workspace_id, gen_random_uuid(), 'member.invited', 'system', NULL, 'operator',
                 'workspace', workspace_id, '{{\"note\": \"for {EMAIL}\", \"kept\": 1}}', NULL, now()
             FROM contacts WHERE id = '{contact}'"
        ),
    );
    // Another person in the same texts.
    let other = json!({"email": "other@neighbour.example", "first_name": "Nadia", "notes": "Also keeps bees"});
    let other = key.post("/api/v1/crm/contacts", other).await.expect(201).body["id"].clone();
    let other_ticket = json!({"name": "Nadia N", "email": "other@neighbour.example", "subject": "Kettle"});
    let _ = key.post("/api/public/tickets", other_ticket).await.expect(201);
    let _ = hook.wait_for(9).await;

    for (text, tables) in [
        ("zephyrine", vec!["audit_log", "comments", "contacts", "events", "idempotency_keys", "issues", "mails"]),
        ("allergies", vec!["events", "record_comments"]),
    ] {
        let results = tables_with(&app, text);
        assert!(tables.iter().all(|table| results.iter().any(|one| one == table)), "{text}: {results:?}");
    }
    let neighbours = tables_with(&app, "nadia");

    let started = owner.post(ERASURES, json!({"contact_id": contact})).await.expect(201);
    assert_eq!(started.data()["contact_id"], json!(contact));
    let erasure = finished(owner, started.data()["id"].as_str().unwrap()).await;
    let erased = &erasure["erased"];
    assert_eq!((&erased["contacts"], &erased["tickets"], &erased["comments"]), (&json!(1), &json!(1), &json!(3)));
    assert!(erased["emails"].as_u64() > Some(0) && erased["answers"] == json!(3), "{erased}");
    assert_eq!(erased["audit_entries"], json!(1));
    for text in TEXTS {
        assert_eq!(tables_with(&app, text), Vec::<String>::new(), "{text} is left");
    }
    assert_eq!(tables_with(&app, "nadia"), neighbours, "the other person's data stays");
    assert_eq!(run(&key, "get_contact", json!({ "id": other })).await["notes"], "Also keeps bees");

    // Ids remain, and the remaining records say that data was erased.
    assert_eq!(fail(&key, "get_contact", json!({ "id": contact })).await["error"], "not_found");
    assert_eq!(key.get(&format!("/api/v1/crm/deals/{deal}")).await.expect(200).data()["contact_id"], json!(contact));
    let remaining = key.get(&path).await.expect(200);
    let remaining = remaining.data();
    assert_eq!((&remaining["title"], &remaining["description"]), (&json!("erased"), &json!("erased")));
    let requester = json!({"name": "erased", "email": "erased", "type": "question", "contact_id": contact});
    assert_eq!(remaining["requester"], requester);
    let bodies: Vec<_> = key.get(&comments).await.expect(200).data().as_array().unwrap().clone();
    let bodies: Vec<_> = bodies.iter().map(|comment| comment["body"].as_str().unwrap()).collect();
    assert_eq!(bodies, ["erased", "Dear erased, we look at it. <erased>"]);
    assert_eq!(customer.get("/api/portal/ticket").await.status, 401, "their session has ended");
    // Followers learn of the erasure, without the erased data.
    eventually("webhooks are notified", async || hook.received().iter().any(|one| one.event() == "contact.deleted"))
        .await;
    let delivery = hook.received().into_iter().find(|one| one.event() == "contact.deleted").unwrap();
    assert_members(&delivery.body["payload"]["data"], &json!({"id": contact, "email": "erased"}));
    // Members can continue with the ticket; nobody gets e-mails.
    let _ = key.post(&comments, json!({"body": "Closed", "visibility": "public"})).await.expect(201);
    // Retrying a create does not restore the person.
    let request = key.request("POST", "/api/v1/crm/contacts").header("Idempotency-Key", "c").json(&person);
    let replayed = ApiResponse::of(request).await.expect(201);
    assert_eq!((&replayed.body["id"], &replayed.body["email"]), (&json!(contact), &json!("erased")));

    let log = owner.get("/api/settings/audit-log?limit=100").await.expect(200);
    let entry = log.data().as_array().unwrap().iter().find(|entry| entry["action"] == "contact.erased").unwrap();
    assert_eq!(entry["details"], json!({ "contact_id": contact }));
    assert_eq!(entry["actor"]["id"], json!(member.id));
    for body in [json!({ "contact_id": contact }), json!({ "email": EMAIL })] {
        assert_eq!(owner.post(ERASURES, body).await.expect(404).code(), "not_found");
    }
    let _ = key.post("/api/v1/crm/contacts", json!({ "email": EMAIL })).await.expect(201);
}

/// A process that is killed after the request committed, or between two steps, leaves a row. Any process can continue it.
#[tokio::test]
async fn an_erasure_whose_process_died_is_completed_by_another() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, key) = (tenant.user(Role::Owner).await.client, tenant.full_access().await);
    let contact = key.create("/api/v1/crm/contacts", json!({"email": EMAIL, "notes": "A beekeeper"})).await;
    let (_, issue) = ticket(&key, EMAIL).await;
    let id = app.ports.ids.new_id();
    execute(
        &app,
        &format!(
            "INSERT INTO person_erasures VALUES ('{}', '{id}', '{contact}', 'contacts', NULL, '{{}}', '{{}}', 0, 0, 0, 0, 0,
                 0, 0, 0, 'system', NULL, 'operator', now(), NULL)",
            tenant.workspace.id
        ),
    );
    let erased = finished(&owner, &id.to_string()).await["erased"].clone();
    assert_eq!((&erased["contacts"], &erased["tickets"]), (&json!(1), &json!(1)));
    assert_eq!(key.get(&format!("/api/v1/issues/{issue}")).await.expect(200).data()["requester"]["name"], "erased");
    for text in ["zephyrine", "beekeeper", "toaster"] {
        assert_eq!(tables_with(&app, text), Vec::<String>::new(), "{text} is left");
    }
}

#[tokio::test]
async fn a_person_is_identified_by_contact_or_address_and_erased_by_admins_and_a_tool() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, key) = (tenant.user(Role::Owner).await.client, tenant.full_access().await);
    let nobody = app.ports.ids.new_id();
    for (body, status) in [
        (json!({}), 422),
        (json!({"contact_id": nobody, "email": EMAIL}), 422),
        (json!({"contact_id": "x"}), 400),
        (json!({"email": "x"}), 422),
        (json!({ "contact_id": nobody }), 404),
        (json!({ "email": EMAIL }), 404),
    ] {
        assert_eq!(owner.post(ERASURES, body.clone()).await.status, status, "{body}");
    }
    assert_eq!(owner.get(&format!("{ERASURES}/{nobody}")).await.status, 404);
    // A person without a contact, erased with the tool.
    let (_, issue) = ticket(&key, EMAIL).await;
    let deleted = key.create("/api/v1/crm/contacts", json!({"email": EMAIL})).await;
    let _ = run(&key, "delete_contact", json!({ "id": deleted })).await;
    let erased = run(&key, "erase_contact", json!({"email": "ZEPHYRINE@person.example"})).await;
    assert_eq!(erased["contact_id"], json!(deleted), "deleted contacts are erased too");
    let erasure = finished(&owner, erased["id"].as_str().unwrap()).await;
    assert_eq!(erasure["created_by"]["type"], "api_key");
    assert_eq!(key.get(&format!("/api/v1/issues/{issue}")).await.expect(200).data()["title"], "erased");
    assert_eq!(tables_with(&app, "zephyrine"), Vec::<String>::new());
    // A key may erase only records that it may change completely.
    let (narrow, _) = tenant.key(json!({"name": "narrow", "preset": "crm"})).await;
    let call = json!({"name": "erase_contact", "arguments": {"email": EMAIL}});
    assert_eq!(narrow.post("/api/mcp/tools/call", call).await.status, 403);
}
