//! Deleted records: who sees and restores them, and what remains after 30 days.

use domain::identity::workspaces::Role;
use domain::records::restorable_since;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, Receiver, Tenant};
use time::Duration;

use crate::database::texts;
use crate::support::{UNKNOWN_ID, ids_of_pages};
use crate::tools::{call, fail, run, start_with_all_tools, with_all_tools};
use crate::webhook_events::subscribe;

/// The lists of records that REST restores, with a body and the required permission.
fn kinds() -> [(&'static str, Value, &'static str, &'static str); 4] {
    [
        ("/api/v1/crm/companies", json!({"name": "Acme"}), "delete_companies", "crm"),
        ("/api/v1/crm/deals", json!({"title": "Pilot", "value": 12.5}), "delete_deals", "deals"),
        ("/api/v1/projects", json!({"name": "Launch"}), "delete_projects", "projects"),
        ("/api/v1/issues", json!({"kind": "task", "title": "Write"}), "delete_tasks", "issues"),
    ]
}

async fn listed(client: &Client, path: &str) -> Vec<String> {
    client.get(&format!("{path}?deleted=true")).await.expect(200).ids()
}

async fn restore(client: &Client, record: &str) -> ApiResponse {
    client.post(&format!("{record}/restore"), json!({})).await
}

#[tokio::test]
async fn deleted_records_are_listed_by_those_who_may_delete_them() {
    let (app, tenant, client) = App::with_workspace_client().await;
    for (path, body, permission, area) in kinds() {
        let live = client.create(path, body.clone()).await;
        let created = client.post(path, body).await.expect(201);
        let _ = client.delete(&format!("{path}/{}", created.id())).await.expect(200);
        for role in [Role::Owner, Role::Admin] {
            assert_eq!(listed(&tenant.user(role).await.client, path).await, [created.id()], "{path} {role}");
        }
        let page = client.get(&format!("{path}?deleted=true")).await.expect(200);
        let mut shown = page.body["data"][0].clone();
        assert!(shown["deleted_at"].as_str().is_some_and(|at| at.ends_with('Z')), "{}", page.text);
        shown.as_object_mut().unwrap().remove("deleted_at");
        assert_eq!(&shown, created.data(), "{path}: as it was");
        for query in ["", "?deleted=false"] {
            let page = client.get(&format!("{path}{query}")).await.expect(200);
            assert_eq!(page.ids(), std::slice::from_ref(&live), "{path}{query}");
            assert_eq!(page.body["data"][0].get("deleted_at"), None, "{path}{query}");
        }
        for role in [Role::Member, Role::Viewer] {
            let refused = tenant.user(role).await.client.get(&format!("{path}?deleted=true")).await.expect(403);
            assert!(refused.text.contains("owner or admin"), "{}", refused.text);
        }
        let reader = tenant.with_scopes(&[&format!("{area}.read")]).await;
        let refused = reader.get(&format!("{path}?deleted=true")).await.expect(403);
        assert!(refused.text.contains(permission), "{}", refused.text);
        let other = app.workspace().await.full_access().await;
        assert!(listed(&other, path).await.is_empty(), "{path}");
        let details = client.get(&format!("{path}?deleted=maybe")).await.expect(400).details();
        assert_eq!(details, ["deleted:invalid_value"], "{path}");
    }
}

#[tokio::test]
async fn lists_of_deleted_records_have_filters_and_pages() {
    let (_app, client) = App::with_client().await;
    let deals = "/api/v1/crm/deals";
    let mut newest_first = Vec::new();
    for number in 0..5 {
        let stage = if number % 2 == 0 { "proposal" } else { "discovery" };
        let deal = json!({"title": format!("Deal number{number}"), "stage": stage, "tags": ["gone"]});
        let id = client.create(deals, deal).await;
        let _ = client.delete(&format!("{deals}/{id}")).await.expect(200);
        newest_first.insert(0, id);
    }
    let results = async |query: &str| client.get(&format!("{deals}?deleted=true&{query}")).await.expect(200).ids();
    assert_eq!(results("stage=proposal").await, [0, 2, 4].map(|index| newest_first[index].clone()));
    assert_eq!(results("stage=proposal&stage=discovery").await, newest_first);
    assert_eq!(results("search=number3").await, newest_first[1..2]);
    assert_eq!(results("tag=GONE&limit=2").await, newest_first[..2]);
    assert_eq!(ids_of_pages(&client, &format!("{deals}?deleted=true&limit=2")).await, newest_first);
    let by_value = client.get(&format!("{deals}?deleted=true&order=value")).await.expect(400);
    assert_eq!(by_value.details(), ["order:invalid_value"]);
    let tickets = client.get("/api/v1/issues?kind=ticket&deleted=true").await.expect(400);
    assert_eq!(tickets.details(), ["deleted:invalid_value"]);
}

#[tokio::test]
async fn lists_of_deleted_records_reject_cursors_of_another_order() {
    let (_app, client) = App::with_client().await;
    for (path, member) in [
        ("/api/v1/crm/contacts", "email"),
        ("/api/v1/crm/companies", "name"),
        ("/api/v1/crm/deals", "title"),
        ("/api/v1/projects", "name"),
    ] {
        for number in 0..2 {
            let _ = client.post(path, json!({ member: format!("ann{number}@example.com") })).await.expect(201);
        }
        let page = client.get(&format!("{path}?order=updated&limit=1")).await.expect(200);
        let cursor = page.body["pagination"]["nextCursor"].as_str().unwrap().to_owned();
        let refused = client.get(&format!("{path}?deleted=true&cursor={cursor}")).await.expect(400);
        assert_eq!(refused.details(), ["cursor:invalid_value"], "{path}");
    }
}

#[tokio::test]
async fn a_restored_record_is_as_it_was_two_versions_later() {
    let app = App::delivering().await;
    let tenant = app.workspace().await;
    let hook = Receiver::start().await;
    for module in ["crm", "projects"] {
        let _ = subscribe(&tenant, &hook, module, json!(["*"])).await;
    }
    let client = tenant.full_access().await;
    let mut event_count = 0;
    for (path, body, ..) in kinds() {
        let created = client.post(path, body).await.expect(201);
        let record = format!("{path}/{}", created.id());
        let live = restore(&client, &record).await.expect(409);
        assert_eq!(live.code(), "invalid_state_change", "{path}");
        let _ = client.delete(&record).await.expect(200);
        let request = || client.request("POST", &format!("{record}/restore")).header("Idempotency-Key", "once");
        let restored = ApiResponse::of(request()).await.expect(200);
        let mut expected = created.data().clone();
        expected["version"] = json!(3);
        expected["updated_at"] = restored.data()["updated_at"].clone();
        assert_eq!(restored.data(), &expected, "{path}");
        assert!(restored.data()["updated_at"].as_str() > created.data()["updated_at"].as_str(), "{path}");
        assert_eq!(client.get(&record).await.expect(200).data(), restored.data(), "{path}");
        let repeated = ApiResponse::of(request()).await.expect(200);
        assert_eq!((repeated.header("idempotent-replayed"), &repeated.text), ("true", &restored.text), "{path}");
        assert!(listed(&client, path).await.is_empty(), "{path}");
        event_count += 3;
        let mut versions: Vec<_> = hook
            .wait_for(event_count)
            .await
            .iter()
            .filter(|got| got.body["payload"]["data"]["id"] == json!(created.id()))
            .map(|got| {
                let verb = got.event().split_once('.').unwrap().1.to_owned();
                (got.body["payload"]["data"]["version"].as_i64().unwrap(), verb, got.body["payload"]["changes"].clone())
            })
            .collect();
        versions.sort_by_key(|(version, ..)| *version);
        let event = |version, verb: &str| (version, verb.to_owned(), json!({}));
        assert_eq!(versions, [event(1, "created"), event(2, "deleted"), event(3, "restored")], "{path}");
        let _ = client.delete(&record).await.expect(200);
        event_count += 1;
        for unknown in [format!("{path}/{UNKNOWN_ID}"), record.replace(&created.id(), UNKNOWN_ID)] {
            assert_eq!(restore(&client, &unknown).await.expect(404).code(), "not_found", "{path}");
        }
        let other = app.workspace().await.full_access().await;
        let _ = restore(&other, &record).await.expect(404);
    }
    let company = client.create("/api/v1/crm/companies", json!({"name": "c"})).await;
    let _ = restore(&client, "/api/v1/crm/companies/x").await.expect(400);
    let reader = tenant.with_scopes(&["crm.read"]).await;
    let _ = restore(&reader, &format!("/api/v1/crm/companies/{company}")).await.expect(403);
}

#[tokio::test]
async fn restoring_a_value_that_another_record_has_taken_is_a_duplicate() {
    let (_app, client) = App::with_client().await;
    for (path, body, field, value) in [
        ("/api/v1/crm/companies", json!({"name": "a"}), "domain", "acme.example"),
        ("/api/v1/crm/companies", json!({"name": "a"}), "external_id", "x1"),
        ("/api/v1/crm/deals", json!({"title": "a"}), "external_id", "x1"),
        ("/api/v1/projects", json!({"name": "a"}), "external_id", "x1"),
    ] {
        let mut body = body;
        body[field] = json!(value);
        let deleted = client.create(path, body.clone()).await;
        let _ = client.delete(&format!("{path}/{deleted}")).await.expect(200);
        let other = client.create(path, body).await;
        let conflict = restore(&client, &format!("{path}/{deleted}")).await.expect(409);
        assert_eq!(conflict.code(), "duplicate", "{path}");
        assert_eq!(conflict.details(), [format!("{field}:duplicate")], "{path}");
        assert!(conflict.text.contains(&other), "{path}: {}", conflict.text);
        let _ = client.delete(&format!("{path}/{other}")).await.expect(200);
        let _ = restore(&client, &format!("{path}/{deleted}")).await.expect(200);
        let _ = client.delete(&format!("{path}/{deleted}")).await.expect(200);
    }
}

#[tokio::test]
async fn a_project_is_restored_with_everything_that_was_deleted_with_it() {
    let (app, client) = App::with_client().await;
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let (path, cycles) = (format!("/api/v1/projects/{project}"), format!("/api/v1/projects/{project}/cycles"));
    let days = json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"});
    let cycle = client.create(&cycles, days).await;
    let task = async |title: &str| {
        let body = json!({"kind": "task", "title": title, "project_id": project, "cycle_id": cycle});
        format!("/api/v1/issues/{}", client.create("/api/v1/issues", body).await)
    };
    let (stored, before) = (task("kept").await, task("before").await);
    let _ = client.delete(&before).await.expect(200);
    app.advance(Duration::SECOND).await;
    let _ = client.delete(&path).await.expect(200);
    for task in [&stored, &before] {
        let refused = restore(&client, task).await.expect(409);
        assert_eq!(refused.code(), "invalid_state_change");
        assert!(refused.text.contains("restore the project first"), "{}", refused.text);
    }
    let _ = restore(&client, &path).await.expect(200);
    let restored_task = client.get(&stored).await.expect(200);
    assert_eq!((&restored_task.data()["version"], &restored_task.data()["cycle_id"]), (&json!(3), &json!(cycle)));
    assert_eq!(client.get(&cycles).await.expect(200).ids(), std::slice::from_ref(&cycle));
    let _ = client.get(&before).await.expect(404);
    // The cycle was deleted separately, so the issue has no cycle.
    let _ = client.delete(&format!("{cycles}/{cycle}")).await.expect(200);
    let restored = restore(&client, &before).await.expect(200);
    assert_eq!((&restored.data()["cycle_id"], &restored.data()["version"]), (&Value::Null, &json!(3)));
    let history = client.get(&format!("/api/v1/issues/{}/history?limit=1", restored.id())).await.expect(200);
    let changes = json!({"cycle_id": {"from": cycle, "to": null}});
    assert_eq!((&history.data()[0]["event"], &history.data()[0]["changes"]), (&json!("task.restored"), &changes));
}

#[tokio::test]
async fn the_tool_restores_every_kind() {
    let (_app, tenant, client) = start_with_all_tools().await;
    let project = run(&client, "create_project", json!({"name": "p"})).await["id"].clone();
    let cycle = json!({"project_id": project, "name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"});
    for (kind, noun, new, name) in [
        ("contact", "contact", json!({"email": "ada@example.com"}), "ada@example.com"),
        ("company", "company", json!({"name": "Acme"}), "Acme"),
        ("deal", "deal", json!({"title": "Pilot"}), "Pilot"),
        ("project", "project", json!({"name": "Launch"}), "Launch"),
        ("task", "task", json!({"title": "Write"}), "Write"),
        ("article", "kb_article", json!({"title": "Reset"}), "Reset"),
        ("cycle", "cycle", cycle.clone(), "c"),
    ] {
        let id = run(&client, &format!("create_{noun}"), new).await["id"].clone();
        let arguments = json!({"type": kind, "id": id});
        let live = fail(&client, "restore_record", arguments.clone()).await;
        assert_eq!(live["error"], json!("invalid_state_change"), "{kind}");
        let _ = run(&client, &format!("delete_{noun}"), json!({ "id": id })).await;
        if kind != "cycle" {
            let plural = if noun == "company" { "companies".to_owned() } else { format!("{noun}s") };
            let rows = run(&client, &format!("list_{plural}"), json!({"deleted": true})).await["data"].clone();
            assert_eq!((&rows[0]["id"], rows[0]["deleted_at"].is_string()), (&id, true), "{kind}: {rows}");
        }
        // Restoring needs the permission to delete records of this kind.
        let wrong = if kind == "deal" { "delete_contacts" } else { "delete_deals" };
        let permissions = json!({wrong: true, "read_deals": true});
        let narrowed = tenant.key(json!({"preset": "full_access", "permissions": permissions})).await.0;
        let denied = call(&narrowed, "restore_record", arguments.clone()).await;
        assert_eq!(denied.status, 403, "{kind}: {}", denied.text);
        let restored = run(&client, "restore_record", arguments.clone()).await;
        assert_eq!(restored, json!({"type": kind, "id": id, "name": name, "version": 3}), "{kind}");
        let deleted = fail(&client, "restore_record", json!({"type": kind, "id": UNKNOWN_ID})).await;
        assert_eq!(deleted["error"], json!("not_found"), "{kind}");
    }
    // Another cycle may have the same days by now.
    let deleted = run(&client, "list_cycles", json!({"project_id": project})).await["data"][0]["id"].clone();
    let _ = run(&client, "delete_cycle", json!({ "id": deleted })).await;
    let _ = run(&client, "create_cycle", cycle).await;
    let overlap = fail(&client, "restore_record", json!({"type": "cycle", "id": deleted})).await;
    assert_eq!(overlap["error"], json!("conflict"));
    let audit = tenant.user(Role::Owner).await.client.get("/api/settings/audit-log").await.expect(200);
    assert!(audit.text.contains("kb_article.restored"), "{}", audit.text);
    let summary = call(&client, "summarize_deals", json!({"deleted": true})).await;
    assert_eq!(summary.status, 400, "{}", summary.text);
}

/// Every row in the record tables and the event log, as text.
fn stored(app: &App, tenant: &Tenant) -> String {
    let id = tenant.workspace.id;
    let of_records = "SELECT relname::text FROM pg_class JOIN pg_attribute ON attrelid = oid
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attname = 'erased_at'";
    let tables = texts(app, of_records).into_iter().chain(["comments", "record_comments", "events"].map(String::from));
    let rows = |table: String| format!("SELECT row_to_json({table})::text FROM {table} WHERE workspace_id = '{id}'");
    tables.flat_map(|table| texts(app, &rows(table))).collect()
}

#[tokio::test]
async fn after_30_days_only_the_id_remains() {
    let (app, tenant, client) = start_with_all_tools().await;
    let company = json!({"name": "Secretive", "domain": "secretive.example", "notes": "Secretive"});
    let company = client.create("/api/v1/crm/companies", company).await;
    let record = format!("/api/v1/crm/companies/{company}");
    let _ = client.post(&format!("{record}/comments"), json!({"body": "Secretive"})).await.expect(201);
    let _ = client.patch(&record, json!({"industry": "Secretive"})).await.expect(200);
    let deal = json!({"title": "Pilot", "company_id": company});
    let deal = format!("/api/v1/crm/deals/{}", client.create("/api/v1/crm/deals", deal).await);
    let contact = json!({"email": "secretive@example.com"});
    let contact = run(&client, "create_contact", contact).await["id"].clone();
    let task = json!({"kind": "task", "title": "Secretive"});
    let task = format!("/api/v1/issues/{}", client.create("/api/v1/issues", task).await);
    let _ = client.post(&format!("{task}/comments"), json!({"body": "Secretive"})).await.expect(201);
    let _ = client.delete(&record).await.expect(200);
    let _ = client.delete(&task).await.expect(200);
    let _ = run(&client, "delete_contact", json!({ "id": contact })).await;
    let erase = async || {
        let now = app.ports.clock.now();
        while app.ports.directory.erase_deleted_records(restorable_since(now), now, 3).await.unwrap() > 0 {}
    };
    app.advance(Duration::days(30) - Duration::seconds(10)).await;
    erase().await;
    let client = with_all_tools(&tenant).await;
    assert_eq!(listed(&client, "/api/v1/crm/companies").await, std::slice::from_ref(&company), "on the last day");
    assert!(stored(&app, &tenant).contains("Secretive"));
    app.advance(Duration::seconds(10)).await;
    // Inaccessible immediately, even before it is erased.
    assert!(listed(&client, "/api/v1/crm/companies").await.is_empty());
    let _ = restore(&client, &record).await.expect(404);
    erase().await;
    let remaining = stored(&app, &tenant);
    assert!(!remaining.to_lowercase().contains("secretive"), "{remaining}");
    let _ = restore(&client, &record).await.expect(404);
    let missing = fail(&client, "restore_record", json!({"type": "contact", "id": contact})).await;
    assert_eq!(missing["error"], json!("not_found"));
    // Records that refer to it keep its id and can be changed.
    let deal = client.patch(&deal, json!({"value": 5})).await.expect(200);
    assert_eq!(deal.data()["company_id"], json!(company));
    assert!(remaining.contains(&company) && remaining.contains(r#"\"erased\":true"#), "{remaining}");
    // Its unique value is available again.
    let another = json!({"name": "Another", "domain": "secretive.example"});
    let _ = client.post("/api/v1/crm/companies", another).await.expect(201);
}
