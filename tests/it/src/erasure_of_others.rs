//! An erasure keeps the data of others, and completes despite failures.

use std::sync::Arc;
use std::time::Duration;

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, eventually};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::database::execute;
use crate::erasure::{ERASURES, finished, start, tables_with, ticket};

/// Adds an entry with these details to the audit log of the only workspace with contacts.
fn log_details(app: &App, details: &Value) {
    let details = details.to_string().replace('\'', "''");
    execute(
        app,
        &format!(
            "INSERT INTO audit_log SELECT workspace_id, gen_random_uuid(), 'member.invited', 'system', NULL, 'operator',
                 'workspace', workspace_id, '{details}', NULL, now()
             FROM contacts LIMIT 1"
        ),
    );
}

async fn erase(owner: &Client, body: Value) -> Value {
    let erasure = owner.post(ERASURES, body).await.expect(201);
    finished(owner, erasure.data()["id"].as_str().unwrap()).await
}

#[tokio::test]
async fn a_name_in_quotes_is_erased_from_the_audit_log() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, key) = (tenant.user(Role::Owner).await.client, tenant.full_access().await);
    for (email, first, last) in [
        ("z@quo.example", "Zed", "\"Quo\""),
        ("y@quo.example", "\"Yves\"", "Qua"),
        ("b@quo.example", "Back\\", "(Sla.sh"),
    ] {
        let person = json!({"email": email, "first_name": first, "last_name": last});
        let contact = key.create("/api/v1/crm/contacts", person).await;
        let name = format!("{first} {last}");
        log_details(&app, &json!({"name": format!("Shop of {name}"), "to": [email, 7], "kept": "O'Neil \"Quo\""}));
        let erasure = erase(&owner, json!({ "contact_id": contact })).await;
        assert_eq!(erasure["erased"]["audit_entries"], json!(1), "{name}");
    }
    let log = owner.get("/api/settings/audit-log?limit=100").await.expect(200);
    let entries = log.data().as_array().unwrap().iter().filter(|entry| entry["action"] == "member.invited");
    let expected = json!({"name": "Shop of erased", "to": ["erased", 7], "kept": "O'Neil \"Quo\""});
    assert_eq!(entries.map(|entry| &entry["details"]).collect::<Vec<_>>(), [&expected; 3]);
}

#[tokio::test]
async fn a_failing_erasure_does_not_block_others() {
    let app = App::start().await;
    let (broken, other) = (app.workspace().await, app.workspace().await);
    let (owner, neighbour) = (broken.user(Role::Owner).await.client, other.user(Role::Owner).await.client);
    let failing = app.ports.ids.new_id();
    execute(
        &app,
        &format!(
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
             CREATE TRIGGER fail BEFORE UPDATE ON person_erasures FOR EACH ROW
                 WHEN (NEW.id = '{failing}' AND NEW.turn_at = OLD.turn_at) EXECUTE FUNCTION fail();
             INSERT INTO person_erasures VALUES ('{}', '{failing}', NULL, 'contacts', NULL, '{{}}', '{{}}', 0, 0, 0, 0, 0,
                 0, 0, 0, 'system', NULL, 'operator', now() - interval '1 day', NULL, now() - interval '1 day')",
            broken.workspace.id
        ),
    );
    for (tenant, owner) in [(&broken, &owner), (&other, &neighbour)] {
        let key = tenant.full_access().await;
        let contact = key.create("/api/v1/crm/contacts", json!({"email": "ann@lee.example"})).await;
        let _ = erase(owner, json!({ "contact_id": contact })).await;
    }
    let path = format!("{ERASURES}/{failing}");
    assert_eq!(owner.get(&path).await.expect(200).data()["state"], "running");
    execute(&app, "DROP TRIGGER fail ON person_erasures");
    let _ = finished(&owner, &failing.to_string()).await;
}

#[tokio::test]
async fn people_with_longer_names_and_addresses_are_not_affected() {
    let (app, tenant) = start().await;
    let (owner, key) = (tenant.user(Role::Owner).await.client, tenant.full_access().await);
    let person = json!({"email": "ann@lee.example", "first_name": "Ann", "last_name": "Lee"});
    let contact = key.create("/api/v1/crm/contacts", person).await;
    let (_, issue) = ticket(&key, "ann@lee.example").await;
    let before = "joann@lee.example, Joann Leeds, ann@lee.example.org, x.ann@lee.example; Ann Lee, <ANN@lee.example>.";
    let after = "joann@lee.example, Joann Leeds, ann@lee.example.org, x.ann@lee.example; erased, <erased>.";
    let comments = format!("/api/v1/issues/{issue}/comments");
    let _ = key.post(&comments, json!({"body": before, "visibility": "internal"})).await.expect(201);
    let payload = json!({"guests": format!("{before} (garden)"), "for ann@lee.example in the hall": 1});
    let booking = json!({"event": "booking.created", "payload": payload});
    let _ = key.post("/api/modules/scheduling/events", booking).await.expect(202);
    // JSON in the format of other systems.
    let escaped = r#"{"event": "booking.created", "payload": {"guest": "\u0061nn@lee.example (loft)"}}"#;
    let request = key.request("POST", "/api/modules/scheduling/events").header("Content-Type", "application/json");
    let _ = ApiResponse::of(request.body(escaped)).await.expect(202);
    log_details(&app, &json!({"note": before, "ann@lee.example": 1}));
    let company = json!({"name": "Joann Leeds Ltd", "notes": before});
    let create = async || {
        let request = key.request("POST", "/api/v1/crm/companies").header("Idempotency-Key", "c").json(&company);
        ApiResponse::of(request).await.expect(201)
    };
    let _ = create().await;
    let invited = json!({"email": "ann@lee.example", "role": "member"});
    let _ = owner.post("/api/settings/members", invited).await.expect(201);

    let _ = erase(&owner, json!({ "contact_id": contact })).await;
    let bodies = key.get(&comments).await.expect(200);
    assert_eq!(bodies.data()[0]["body"], after);
    let log = owner.get("/api/settings/audit-log?limit=100").await.expect(200);
    let entry = log.data().as_array().unwrap().iter().find(|entry| entry["details"]["note"].is_string()).unwrap();
    assert_eq!(entry["details"], json!({"note": after, "erased": 1}));
    let recreated = create().await;
    assert_eq!((&recreated.data()["name"], &recreated.data()["notes"]), (&json!("Joann Leeds Ltd"), &json!(after)));
    for text in [&format!("{after} (garden)").to_lowercase(), "for erased in the hall", "erased (loft)"] {
        assert_eq!(tables_with(&app, text), ["events"], "{text}");
    }
    let mails = tables_with(&app, "ann@lee.example");
    assert!(mails.contains(&"mails".to_owned()), "the invitation's e-mail stays: {mails:?}");
}

/// A receiver that echoes requests once the test allows it.
async fn echo(may_answer: Arc<Semaphore>, arrived: Arc<Semaphore>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (may_answer, arrived) = (Arc::clone(&may_answer), Arc::clone(&arrived));
            tokio::spawn(async move {
                let mut request = Vec::new();
                // The body is JSON, and ends with its last brace.
                while !request.ends_with(b"}") {
                    if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
                        return;
                    }
                }
                arrived.add_permits(1);
                may_answer.acquire().await.unwrap().forget();
                let body = request.windows(4).position(|end| end == b"\r\n\r\n").map_or(0, |start| start + 4);
                let body = String::from_utf8_lossy(&request[body..]).into_owned();
                let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
                let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
            });
        }
    });
    url
}

#[tokio::test]
async fn a_receivers_response_after_the_erasure_is_not_stored() {
    let app = App::delivering().await;
    let tenant = app.workspace().await;
    let (owner, key) = (tenant.user(Role::Owner).await.client, tenant.full_access().await);
    let (may_answer, arrived) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let url = echo(Arc::clone(&may_answer), Arc::clone(&arrived)).await;
    let mut hooks = Vec::new();
    for (module, event) in [("crm", "contact.created"), ("scheduling", "*")] {
        let body = json!({"module": module, "url": url, "events": [event]});
        hooks.push(
            owner.post("/api/settings/webhooks", body).await.expect(201).data()["id"].as_str().unwrap().to_owned(),
        );
    }
    let person = json!({"email": "ann@lee.example", "first_name": "Ann", "last_name": "Lee"});
    let contact = key.create("/api/v1/crm/contacts", person).await;
    let booking = json!({"event": "booking.created", "payload": {"guest": "ann@lee.example"}});
    let _ = key.post("/api/modules/scheduling/events", booking).await.expect(202);
    let both = tokio::time::timeout(Duration::from_secs(20), arrived.acquire_many(2)).await;
    both.expect("both deliveries arrive").unwrap().forget();
    let _ = erase(&owner, json!({ "contact_id": contact })).await;
    may_answer.add_permits(100);
    for hook in hooks {
        let path = format!("/api/settings/webhooks/{hook}/deliveries");
        let delivered = async || owner.get(&path).await.expect(200).data()[0]["state"] == "succeeded";
        eventually("the answer is recorded", delivered).await;
    }
    assert_eq!(tables_with(&app, "ann@lee.example"), Vec::<String>::new());
}
