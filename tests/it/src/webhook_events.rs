//! Which events are emitted, and for which subscriptions they are queued.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, Received, Receiver, Tenant};

use crate::database::execute;
use crate::tools::run;

/// Subscribes a hook to events of a module.
pub(crate) async fn subscribe(tenant: &Tenant, hook: &Receiver, module: &str, events: Value) -> ApiResponse {
    let owner = tenant.user(Role::Owner).await;
    let body = json!({"module": module, "url": hook.url, "events": events});
    owner.client.post("/api/settings/webhooks", body).await.expect(201)
}

/// The names of the received events, sorted, because the order is not guaranteed.
fn names(received: &[Received]) -> Vec<&str> {
    let mut names: Vec<_> = received.iter().map(Received::event).collect();
    names.sort_unstable();
    names
}

fn find<'a>(received: &'a [Received], event: &str) -> &'a Value {
    &received.iter().find(|one| one.event() == event).unwrap_or_else(|| panic!("no {event}")).body["payload"]
}

#[tokio::test]
async fn an_event_arrives_signed_with_the_resource_as_rest_shows_it() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let created = subscribe(&tenant, &hook, "projects", json!(["*"])).await;
    let secret = created.data()["secret"].as_str().unwrap().to_owned();
    let (client, key) = tenant.key(json!({"preset": "full_access"})).await;
    let project = client.post("/api/v1/projects", json!({"name": "P"})).await.expect(201);
    let delivery = &hook.wait_for(1).await[0];
    let id = delivery.header("x-service-delivery-id");
    let time: i64 = delivery.header("x-service-timestamp").parse().unwrap();
    assert_eq!((delivery.event(), delivery.header("x-service-module")), ("project.created", "projects"));
    assert_eq!(delivery.header("content-type"), "application/json");
    assert!(delivery.text.starts_with(&format!("{{\"id\":\"{id}\"")), "{}", delivery.text);
    assert_eq!(
        delivery.body,
        json!({
            "id": id, "event": "project.created", "event_id": delivery.header("x-service-event-id"),
            "workspace_id": tenant.workspace.id,
            "created_at": project.data()["created_at"],
            "payload": {
                "data": project.data(), "changes": {}, "actor": {"type": "api_key", "id": key, "name": "test"},
            },
        })
    );
    let secret = domain::webhooks::PlainSecret::parse(&secret).unwrap();
    let signature = domain::webhooks::sign(&secret, time, delivery.text.as_bytes());
    assert_eq!(delivery.header("x-service-signature"), signature);
    assert_eq!((delivery.header("webhook-id"), delivery.header("webhook-timestamp")), (id, &*time.to_string()));
    let standard = domain::webhooks::sign_standard(&secret, id, time, delivery.text.as_bytes());
    assert_eq!(delivery.header("webhook-signature"), standard);
    assert_eq!(delivery.header("x-service-signature-next"), "");
}

#[tokio::test]
async fn every_change_of_projects_cycles_and_tasks_emits_an_event() {
    let (_app, tenant, hook) = App::with_receiver().await;
    subscribe(&tenant, &hook, "projects", json!(["*"])).await;
    let client = tenant.full_access().await;
    let member = tenant.member("m@example.com").await;
    let project = client.create("/api/v1/projects", json!({"name": "P"})).await;
    let path = format!("/api/v1/projects/{project}");
    let change = json!({"status": "active", "progress": 5, "name": "Q"});
    let _ = client.patch(&path, change.clone()).await.expect(200);
    let _ = client.patch(&path, change).await.expect(200);
    let days = json!({"name": "C", "start_date": "2030-01-01", "end_date": "2030-01-02"});
    let _ = client.post(&format!("{path}/cycles"), days).await.expect(201);
    let new = json!({"kind": "task", "title": "T", "project_id": project});
    let task = client.create("/api/v1/issues", new).await;
    let issue = format!("/api/v1/issues/{task}");
    let change = json!({"status": "done", "assignee_id": member, "title": "U"});
    let _ = client.patch(&issue, change).await.expect(200);
    let comment = client.post(&format!("{issue}/comments"), json!({"body": "B"})).await.expect(201);
    let bulk = json!({"issueIds": [task], "patch": {"status": "todo", "add_labels": ["x"]}});
    let _ = client.post("/api/v1/issues/bulk-update", bulk).await.expect(200);
    let _ = client.delete(&issue).await.expect(200);
    let _ = client.delete(&path).await.expect(200);
    let received = hook.wait_for(14).await;
    assert_eq!(
        names(&received),
        [
            "cycle.created",
            "cycle.deleted",
            "project.created",
            "project.deleted",
            "project.status_changed",
            "project.updated",
            "task.assigned",
            "task.comment_added",
            "task.created",
            "task.deleted",
            "task.status_changed",
            "task.status_changed",
            "task.updated",
            "task.updated",
        ]
    );
    let updated = find(&received, "project.updated");
    assert_eq!(updated["changes"], json!({"name": {"from": "P", "to": "Q"}, "progress": {"from": 0, "to": 5}}));
    assert_eq!(updated["data"]["status"], "active", "the whole resource after the change");
    let version = |event: &str| find(&received, event)["data"]["version"].as_i64().unwrap();
    assert_eq!(version("project.deleted"), version("project.updated") + 1, "a deletion has the highest version");
    let moved = find(&received, "project.status_changed");
    assert_eq!(moved["changes"], json!({"status": {"from": "planning", "to": "active"}}));
    let assigned = find(&received, "task.assigned");
    assert_eq!(assigned["changes"], json!({"assignee_id": {"from": null, "to": member}}));
    assert_eq!(&find(&received, "task.comment_added")["data"], comment.data());
    let versions: Vec<_> = received
        .iter()
        .filter(|one| one.event() == "task.updated")
        .map(|one| &one.body["payload"]["data"]["version"])
        .collect();
    assert_eq!(versions.len(), 2);
    assert_ne!(versions[0], versions[1]);
}

#[tokio::test]
async fn every_change_of_tickets_contacts_and_deals_emits_an_event() {
    let (_app, tenant, hook) = App::with_receiver().await;
    for module in ["support", "crm"] {
        subscribe(&tenant, &hook, module, json!(["*"])).await;
    }
    let client = tenant.full_access().await;
    let ticket = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "T"})).await;
    let issue = format!("/api/v1/issues/{ticket}");
    let _ = client.patch(&issue, json!({"status": "pending", "priority": "high"})).await.expect(200);
    for visibility in ["internal", "public"] {
        let comment = json!({"body": visibility, "visibility": visibility});
        let _ = client.post(&format!("{issue}/comments"), comment).await.expect(201);
    }
    let _ = client.post("/api/v1/crm/contacts", json!({"email": "a@example.com"})).await.expect(201);
    let deal = client.create("/api/v1/crm/deals", json!({"title": "D"})).await;
    let path = format!("/api/v1/crm/deals/{deal}");
    for change in [
        json!({"stage": "proposal"}),
        json!({"title": "E"}),
        json!({"status": "closed_won"}),
        json!({"status": "open"}),
        json!({"status": "closed_lost", "lost_reason": "price", "value": 5}),
    ] {
        let _ = client.patch(&path, change).await.expect(200);
    }
    let _ = client.delete(&path).await.expect(200);
    let received = hook.wait_for(13).await;
    assert_eq!(
        names(&received),
        [
            "contact.created",
            "deal.created",
            "deal.deleted",
            "deal.lost",
            "deal.stage_changed",
            "deal.stage_changed",
            "deal.updated",
            "deal.updated",
            "deal.won",
            "ticket.comment_added",
            "ticket.created",
            "ticket.status_changed",
            "ticket.updated",
        ]
    );
    let won_deal = find(&received, "deal.won");
    assert_eq!(won_deal["changes"]["status"], json!({"from": "open", "to": "closed_won"}));
    assert!(won_deal["changes"]["actual_close_date"]["to"].is_string());
    assert_eq!(find(&received, "ticket.comment_added")["data"]["body"], "public");
}

/// Every won deal emits an event, however it was won.
#[tokio::test]
async fn a_deal_that_is_created_closed_is_reported_as_won_or_lost() {
    let (_app, tenant, hook) = App::with_receiver().await;
    subscribe(&tenant, &hook, "crm", json!(["*"])).await;
    let client = tenant.full_access().await;
    let won_deal = client.post("/api/v1/crm/deals", json!({"title": "W", "stage": "closed_won"})).await.expect(201);
    let lost = json!({"items": [{"title": "L", "external_id": "l", "status": "closed_lost", "lost_reason": "price"}]});
    let _ = run(&client, "upsert_deals", lost).await;
    let received = hook.wait_for(4).await;
    assert_eq!(names(&received), ["deal.created", "deal.created", "deal.lost", "deal.won"]);
    let delivery = find(&received, "deal.won");
    assert_eq!((&delivery["data"], &delivery["changes"]), (won_deal.data(), &json!({})));
    assert_eq!(find(&received, "deal.lost")["data"]["lost_reason"], "price");
    let history = client.get(&format!("/api/v1/crm/deals/{}/history", won_deal.id())).await.expect(200);
    let listed = history.data().as_array().unwrap().iter().map(|it| (it["event"].clone(), it["version"].clone()));
    let expected = [(json!("deal.won"), json!(1)), (json!("deal.created"), json!(1))];
    assert_eq!(listed.collect::<Vec<_>>(), expected, "newest first");
}

#[tokio::test]
async fn only_matching_subscriptions_get_an_event() {
    let app = App::delivering().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let owner = tenant.user(Role::Owner).await.client;
    let client = tenant.full_access().await;
    let project = client.create("/api/v1/projects", json!({"name": "P"})).await;
    let [all, named, aliased, scoped, disabled, foreign, elsewhere] = {
        let mut hooks = Vec::new();
        for _ in 0..7 {
            hooks.push(Receiver::start().await);
        }
        <[Receiver; 7]>::try_from(hooks).unwrap()
    };
    let subscribe_as = async |client: &Client, hook: &Receiver, more: Value| {
        let mut body = json!({"module": "projects", "url": hook.url, "events": ["*"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.post("/api/settings/webhooks", body).await.expect(201)
    };
    subscribe_as(&owner, &all, json!({})).await;
    subscribe_as(&owner, &named, json!({"events": ["task.deleted"]})).await;
    let alias = subscribe_as(&owner, &aliased, json!({"events": ["issue.created", "task.created"]})).await;
    assert_eq!(alias.data()["events"], json!(["task.created"]));
    subscribe_as(&owner, &scoped, json!({"scope": {"project_id": project}})).await;
    subscribe_as(&owner, &disabled, json!({"enabled": false})).await;
    subscribe_as(&other.user(Role::Owner).await.client, &foreign, json!({})).await;
    subscribe_as(&owner, &elsewhere, json!({"module": "support"})).await;
    let _ = client.post("/api/v1/issues", json!({"kind": "task", "title": "T"})).await.expect(201);
    let inside = json!({"kind": "task", "title": "U", "project_id": project});
    let _ = client.post("/api/v1/issues", inside).await.expect(201);
    assert_eq!(names(&all.wait_for(2).await), ["task.created", "task.created"]);
    assert_eq!(aliased.wait_for(2).await.len(), 2);
    let deliveries = scoped.wait_for(1).await;
    assert_eq!(deliveries[0].body["payload"]["data"]["title"], "U");
    // A last event, which only the first and the project's webhook receive, shows that nothing else was queued for the others.
    let task = all.received()[0].body["payload"]["data"]["id"].as_str().unwrap().to_owned();
    let _ = client.delete(&format!("/api/v1/issues/{task}")).await.expect(200);
    assert_eq!(named.wait_for(1).await.len(), 1);
    all.wait_for(3).await;
    for (name, hook) in [("disabled", &disabled), ("foreign", &foreign), ("elsewhere", &elsewhere)] {
        assert!(hook.received().is_empty(), "{name}");
    }
    assert_eq!(aliased.received().len(), 2);
}

#[tokio::test]
async fn a_moved_task_is_reported_to_both_projects_and_once_to_the_workspace() {
    let app = App::delivering().await;
    let tenant = app.workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let (old, new, everywhere) = (Receiver::start().await, Receiver::start().await, Receiver::start().await);
    let project = async || owner.create("/api/v1/projects", json!({"name": "P"})).await;
    let (from, to) = (project().await, project().await);
    for (hook, scope) in
        [(&old, json!({"project_id": from})), (&new, json!({"project_id": to})), (&everywhere, json!(null))]
    {
        let events = ["task.updated", "task.status_changed"];
        let body = json!({"module": "projects", "url": hook.url, "events": events, "scope": scope});
        let _ = owner.post("/api/settings/webhooks", body).await.expect(201);
    }
    let task = owner.create("/api/v1/issues", json!({"kind": "task", "title": "T", "project_id": from})).await;
    let path = format!("/api/v1/issues/{task}");
    let change = json!({"project_id": to, "title": "U", "status": "done"});
    let _ = owner.patch(&path, change).await.expect(200);
    let changes = json!({"project_id": {"from": from, "to": to}, "title": {"from": "T", "to": "U"}});
    // Other changes of the task are only reported to the new project.
    for (hook, events) in [
        (&old, &["task.updated"][..]),
        (&new, &["task.status_changed", "task.updated"]),
        (&everywhere, &["task.status_changed", "task.updated"]),
    ] {
        let received = hook.wait_for(events.len()).await;
        assert_eq!(names(&received), events);
        assert_eq!(find(&received, "task.updated")["changes"], changes);
    }
    // Out of any project and back: one project each. The workspace's webhook gets each event once.
    let _ = owner.patch(&path, json!({"project_id": null})).await.expect(200);
    assert_eq!(find(&new.wait_for(3).await[2..], "task.updated")["changes"]["project_id"]["to"], Value::Null);
    let _ = owner.patch(&path, json!({"project_id": from})).await.expect(200);
    assert_eq!(find(&old.wait_for(2).await[1..], "task.updated")["changes"]["project_id"]["to"], json!(from));
    everywhere.wait_for(4).await;
    for (hook, count) in [(&old, 2), (&new, 3), (&everywhere, 4)] {
        assert_eq!(hook.received().len(), count, "{:?}", names(&hook.received()));
    }
}

#[tokio::test]
async fn rejected_and_ineffective_changes_emit_nothing() {
    let (_app, tenant, hook) = App::with_receiver().await;
    subscribe(&tenant, &hook, "crm", json!(["*"])).await;
    let client = tenant.full_access().await;
    let deal = client.create("/api/v1/crm/deals", json!({"title": "D", "external_id": "x"})).await;
    let path = format!("/api/v1/crm/deals/{deal}");
    let _ = client.post("/api/v1/crm/deals", json!({"title": "E", "external_id": "x"})).await.expect(409);
    let _ = client.patch(&path, json!({"title": "D"})).await.expect(200);
    let _ = client.patch(&path, json!({"title": "E", "status": "closed_won", "stage": "discovery"})).await;
    let _ = client.delete(&path).await.expect(200);
    let received = hook.wait_for(2).await;
    assert_eq!(names(&received), ["deal.created", "deal.deleted"]);
}

#[tokio::test]
async fn a_broken_queue_does_not_undo_the_change() {
    let (app, tenant, hook) = App::with_receiver().await;
    subscribe(&tenant, &hook, "crm", json!(["*"])).await;
    let client = tenant.full_access().await;
    execute(&app, "ALTER TABLE webhook_deliveries RENAME TO webhook_deliveries_gone");
    let created = client.post("/api/v1/crm/deals", json!({"title": "D"})).await.expect(201);
    let path = format!("/api/v1/crm/deals/{}", created.id());
    let _ = client.patch(&path, json!({"title": "E"})).await.expect(200);
    assert_eq!(client.get(&path).await.expect(200).data()["title"], "E");
    execute(&app, "ALTER TABLE webhook_deliveries_gone RENAME TO webhook_deliveries");
    let _ = client.delete(&path).await.expect(200);
    // Events that could not be queued follow.
    assert_eq!(names(&hook.wait_for(3).await), ["deal.created", "deal.deleted", "deal.updated"]);
}

#[tokio::test]
async fn external_systems_report_events_of_their_modules() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let owner = tenant.user(Role::Owner).await.client;
    let link = "01890a5d-ac96-774b-bcce-b302099a8057";
    for (module, scope) in [("scheduling", json!({"booking_link_id": link})), ("contracts", Value::Null)] {
        let body = json!({"module": module, "url": hook.url, "events": ["*"], "scope": scope});
        let _ = owner.post("/api/settings/webhooks", body).await.expect(201);
    }
    let report = |module: &str| format!("/api/modules/{module}/events");
    let event = json!({"event": "booking.confirmed", "scope_id": link, "payload": {"b": [1, 2.50], "a": null}});
    let bookings = tenant.with_scopes(&["bookings.write"]).await;
    let accepted = bookings.post(&report("scheduling"), event.clone()).await.expect(202);
    assert_eq!(*accepted.data(), json!({"accepted": true}));
    let unscoped = json!({"event": "booking.confirmed", "payload": 1});
    let _ = bookings.post(&report("scheduling"), unscoped).await.expect(202);
    let signed = json!({"event": "contract.signed", "payload": "x"});
    let _ = owner.post(&report("contracts"), signed.clone()).await.expect(202);
    let received = hook.wait_for(2).await;
    assert_eq!(names(&received), ["booking.confirmed", "contract.signed"]);
    assert_eq!(*find(&received, "booking.confirmed"), event["payload"]);
    // Byte for byte: the order of members, numbers beyond 64 bits, and white space.
    let verbatim = r#"{"z": 1.10, "a":123456789012345678901234567890,"e":1E5, "t":"\u00e9"}"#;
    let body = format!(r#"{{"event":"contract.amended","payload":{verbatim}}}"#);
    let request = owner.request("POST", &report("contracts")).header("Content-Type", "application/json").body(body);
    let _ = ApiResponse::of(request).await.expect(202);
    let last = hook.wait_for(3).await.pop().unwrap();
    assert!(last.text.ends_with(&format!(",\"payload\":{verbatim}}}")), "{}", last.text);
    for (client, module, body, status) in [
        (&bookings, "contracts", &signed, 403),
        (&bookings, "time", &signed, 403),
        (&owner, "projects", &signed, 404),
        (&owner, "support", &signed, 404),
        (&owner, "crm", &signed, 404),
        (&owner, "nope", &signed, 404),
        (&owner, "time", &json!({"event": "x.y", "scope_id": link, "payload": 1}), 422),
        (&owner, "time", &json!({"event": "Booking", "payload": 1}), 422),
        (&owner, "time", &json!({"event": "x.y"}), 400),
        (&owner, "time", &json!({"event": 1, "payload": 1}), 400),
        (&owner, "time", &json!({"event": "x.y", "payload": 1, "nope": 1}), 400),
    ] {
        let reply = client.post(&report(module), body.clone()).await;
        assert_eq!(reply.status, status, "{module} {body}: {}", reply.text);
    }
}
