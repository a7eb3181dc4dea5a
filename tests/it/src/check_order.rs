//! The order in which every change is checked: shape, rules, references, version, state; and the order for reported events.

use domain::identity::workspaces::Role;
use http_actix::OPERATIONS;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, TestUser, simple_kinds};

use crate::support::UNKNOWN_ID;

/// A change with a stale version that must be refused, and the expected reason.
struct Fault {
    body: Value,
    status: u16,
    /// The code of the error, or `field:code` of its details.
    expected: &'static str,
}

fn broken(body: Value, expected: &'static str) -> Fault {
    Fault { body, status: 422, expected }
}

/// A change whose first failing check is the version.
fn stale(body: Value) -> Fault {
    Fault { body, status: 409, expected: "concurrent_update" }
}

/// The ids in a record's path, and changes to the record that also fail a later check.
async fn faults_of(operator: &TestUser, pattern: &str) -> Option<(Vec<String>, Vec<Fault>)> {
    let client = &operator.client;
    let create = async |path: &str, body: Value| client.create(path, body).await;
    Some(match pattern {
        "/api/v1/crm/companies/{company_id}" => {
            let _ = create("/api/v1/crm/companies", json!({"name": "c", "domain": "taken.example"})).await;
            let company = create("/api/v1/crm/companies", json!({"name": "c"})).await;
            (
                vec![company],
                vec![broken(json!({"name": ""}), "name:required"), stale(json!({"domain": "taken.example"}))],
            )
        }
        "/api/v1/crm/deals/{deal_id}" => {
            let won_deal = json!({"title": "d", "status": "closed_won"});
            (vec![create("/api/v1/crm/deals", won_deal).await], deal_faults())
        }
        "/api/v1/projects/{project_id}" => {
            let project = json!({"name": "p", "status": "archived", "start_date": "2030-01-02"});
            (vec![create("/api/v1/projects", project).await], project_faults())
        }
        "/api/v1/projects/{project_id}/cycles/{cycle_id}" => {
            let project = create("/api/v1/projects", json!({"name": "p"})).await;
            let path = format!("/api/v1/projects/{project}/cycles");
            let days = |month: u8| json!({"name": "c", "start_date": format!("2030-0{month}-01"), "end_date": format!("2030-0{month}-02")});
            let _ = create(&path, days(2)).await;
            (vec![project, create(&path, days(1)).await], cycle_faults())
        }
        "/api/v1/issues/{issue_id}" => {
            let issue = create("/api/v1/issues", json!({"kind": "task", "title": "t"})).await;
            let child = create("/api/v1/issues", json!({"kind": "task", "title": "t", "parent_id": issue})).await;
            (vec![issue], issue_faults(&child))
        }
        "/api/v1/crm/companies/{company_id}/comments/{comment_id}" => {
            comment_on(client, "/api/v1/crm/companies", json!({"name": "c"})).await
        }
        "/api/v1/crm/deals/{deal_id}/comments/{comment_id}" => {
            comment_on(client, "/api/v1/crm/deals", json!({"title": "d"})).await
        }
        "/api/v1/issues/{issue_id}/comments/{comment_id}" => {
            comment_on(client, "/api/v1/issues", json!({"kind": "task", "title": "t"})).await
        }
        "/api/settings/workspace" => (vec![], workspace_faults()),
        // The last owner cannot be removed.
        "/api/settings/members/{member_id}" => {
            let faults = vec![broken(json!({"role": null}), "role:required"), stale(json!({"role": "member"}))];
            (vec![operator.id.to_string()], faults)
        }
        "/api/settings/api-keys/{key_id}" => {
            let key = create("/api/settings/api-keys", json!({"name": "k", "preset": "crm"})).await;
            let networks = json!({"allowed_networks": ["10.0.0.1/8"]});
            (vec![key], vec![broken(networks, "allowed_networks[0]:invalid_network"), stale(json!({"name": "l"}))])
        }
        "/api/settings/webhooks/{webhook_id}" => {
            let hook = json!({"module": "projects", "url": "https://hooks.invalid/", "events": ["*"]});
            (vec![create("/api/settings/webhooks", hook).await], webhook_faults())
        }
        "/api/settings/kb/articles/{article_id}" => {
            let _ = create("/api/settings/kb/articles", json!({"title": "a", "slug": "taken"})).await;
            let article = create("/api/settings/kb/articles", json!({"title": "b"})).await;
            (vec![article], vec![broken(json!({"slug": "A b"}), "slug:invalid_slug"), stale(json!({"slug": "taken"}))])
        }
        "/api/v1/time/entries/{entry_id}" => {
            let day = json!({"date": "2030-01-01", "seconds": 60});
            (vec![create("/api/v1/time/entries", day).await], time_entry_faults())
        }
        "/api/operator/workspaces/{workspace_id}" => {
            let workspace = create("/api/operator/workspaces", json!({"name": "w", "slug": "another"})).await;
            let faults = vec![broken(json!({"status": null}), "status:required"), stale(json!({"plan": "starter"}))];
            (vec![workspace], faults)
        }
        one => {
            let kind = simple_kinds().into_iter().find(|kind| kind.one() == one)?;
            let code: &str = format!("{}:required", kind.required).leak();
            let faults = vec![broken(json!({ kind.required: "" }), code), stale((kind.body)(2))];
            (vec![create(kind.path, (kind.body)(1)).await], faults)
        }
    })
}

async fn comment_on(client: &Client, list: &str, record: Value) -> (Vec<String>, Vec<Fault>) {
    let id = client.create(list, record).await;
    let comment = client.create(&format!("{list}/{id}/comments"), json!({"body": "b"})).await;
    (vec![id, comment], vec![broken(json!({"body": ""}), "body:required"), stale(json!({"body": "c"}))])
}

/// A pattern with ids in place of its parameters.
fn filled(pattern: &str, ids: Vec<String>) -> String {
    let mut ids = ids.into_iter();
    let fill = |segment: &str| if segment.starts_with('{') { ids.next().unwrap() } else { segment.to_owned() };
    pattern.split('/').map(fill).collect::<Vec<_>>().join("/")
}

fn cycle_faults() -> Vec<Fault> {
    vec![
        broken(json!({"name": "", "end_date": "2029-01-01"}), "name:required"),
        broken(json!({"end_date": "2029-01-01"}), "end_date:before_start"),
        // Would overlap the other cycle.
        stale(json!({"end_date": "2030-02-01"})),
    ]
}

fn deal_faults() -> Vec<Fault> {
    vec![
        broken(json!({"probability": 101, "lost_reason": "x", "contact_id": UNKNOWN_ID}), "probability:out_of_range"),
        // A rule that depends on the stored status is checked with the rules, not with the state.
        broken(json!({"lost_reason": "x", "contact_id": UNKNOWN_ID}), "lost_reason:not_lost"),
        broken(json!({"contact_id": UNKNOWN_ID, "stage": "proposal"}), "contact_id:not_found"),
        stale(json!({"status": "closed_lost"})),
    ]
}

fn project_faults() -> Vec<Fault> {
    vec![
        broken(json!({"progress": 101, "end_date": "2030-01-01"}), "progress:out_of_range"),
        broken(json!({"end_date": "2030-01-01", "deal_id": UNKNOWN_ID}), "end_date:before_start"),
        broken(json!({"deal_id": UNKNOWN_ID, "status": "planning"}), "deal_id:not_found"),
        stale(json!({"status": "planning"})),
    ]
}

fn issue_faults(child: &str) -> Vec<Fault> {
    vec![
        broken(json!({"estimate_hours": 10_001, "cycle_id": UNKNOWN_ID}), "estimate_hours:out_of_range"),
        broken(json!({"cycle_id": UNKNOWN_ID, "assignee_id": UNKNOWN_ID}), "cycle_id:needs_project"),
        broken(json!({"assignee_id": UNKNOWN_ID, "parent_id": child}), "assignee_id:not_found"),
        stale(json!({"parent_id": child})),
        // The stored kind determines the valid statuses, so this is a check of the shape.
        Fault {
            body: json!({"status": "open", "cycle_id": UNKNOWN_ID}),
            status: 400,
            expected: "status:invalid_value",
        },
    ]
}

fn time_entry_faults() -> Vec<Fault> {
    vec![
        broken(json!({"seconds": 0, "project_id": UNKNOWN_ID}), "seconds:out_of_range"),
        broken(json!({"project_id": UNKNOWN_ID}), "project_id:not_found"),
        stale(json!({"note": "n"})),
    ]
}

fn workspace_faults() -> Vec<Fault> {
    vec![
        broken(json!({"name": "", "allowed_networks": ["192.0.2.0/24"]}), "name:required"),
        broken(json!({"require_second_factor": true}), "require_second_factor:needs_second_factor"),
        broken(json!({"allowed_networks": ["192.0.2.0/24"]}), "allowed_networks:excludes_caller"),
        stale(json!({"name": "n"})),
    ]
}

fn webhook_faults() -> Vec<Fault> {
    let nowhere = json!({"project_id": UNKNOWN_ID});
    vec![
        broken(json!({"url": "ftp://hooks.invalid/", "events": ["deal.won"]}), "url:invalid_target"),
        broken(json!({"events": ["deal.won"], "scope": nowhere}), "events[0]:unknown_event"),
        broken(json!({"module": "crm"}), "module:immutable"),
        broken(json!({"scope": nowhere}), "scope.project_id:not_found"),
        stale(json!({"description": "d"})),
    ]
}

#[tokio::test]
async fn rules_and_references_are_checked_before_the_version_and_the_version_before_the_state() {
    let (_app, tenant) = App::with_workspace().await;
    let owner = tenant.operator(Role::Owner).await;
    for operation in OPERATIONS.iter().filter(|operation| operation.method == "PATCH") {
        let Some((ids, faults)) = faults_of(&owner, operation.pattern).await else {
            // An account has no version.
            assert_eq!(operation.pattern, "/api/account", "a new PATCH needs a row above");
            continue;
        };
        let path = filled(operation.pattern, ids);
        assert!(faults.iter().any(|fault| fault.status == 409) && faults[0].status == 422, "{path}");
        let change = async |body: &Value| {
            let request = owner.client.request("PATCH", &path).header("If-Match", "\"99\"");
            ApiResponse::of(request.json(body)).await
        };
        let mut shape = faults[0].body.clone();
        shape["nope"] = json!(1);
        assert_eq!(change(&shape).await.expect(400).details(), ["nope:unknown_field"], "{path}");
        for Fault { body, status, expected } in faults {
            let reply = change(&body).await;
            let shown = reply.details().first().cloned().unwrap_or_else(|| reply.code().to_owned());
            assert_eq!((reply.status, &*shown), (status, expected), "{path} {body}: {}", reply.text);
        }
    }
}

/// This includes rules that span several fields.
#[tokio::test]
async fn all_broken_rules_of_a_create_are_reported_at_once() {
    let app = App::start().await;
    let owner = app.workspace().await.user(Role::Owner).await.client;
    for (path, body, details) in [
        (
            "/api/v1/issues",
            json!({"kind": "task", "title": "", "cycle_id": UNKNOWN_ID}),
            &["title:required", "cycle_id:needs_project"][..],
        ),
        ("/api/v1/crm/deals", json!({"title": "", "lost_reason": "x"}), &["title:required", "lost_reason:not_lost"]),
        (
            "/api/v1/projects",
            json!({"name": "", "start_date": "2030-01-02", "end_date": "2030-01-01"}),
            &["name:required", "end_date:before_start"],
        ),
        ("/api/settings/api-keys", json!({"name": ""}), &["name:required", "scopes:required"]),
        (
            "/api/settings/api-keys",
            json!({"name": "", "preset": "crm", "expires_at": "2020-01-01T00:00:00Z"}),
            &["name:required", "expires_at:out_of_range"],
        ),
        (
            "/api/settings/webhooks",
            json!({"module": "crm", "url": "ftp://hooks.invalid/", "events": ["nope"]}),
            &["url:invalid_target", "events[0]:unknown_event"],
        ),
        (
            "/api/settings/api-keys",
            json!({"name": "", "scopes": ["stock.products.read"]}),
            &["name:required", "scopes[0]:unknown_scope"],
        ),
    ] {
        assert_eq!(owner.post(path, body.clone()).await.expect(422).details(), details, "{path} {body}");
    }
}

#[tokio::test]
async fn a_stale_delete_is_refused_before_the_state_is_checked() {
    let (_app, client) = App::with_client().await;
    let ticket = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "t"})).await;
    let delete = |tag: &str| client.request("DELETE", &format!("/api/v1/issues/{ticket}")).header("If-Match", tag);
    assert_eq!(ApiResponse::of(delete("\"99\"")).await.expect(409).code(), "concurrent_update");
    assert_eq!(ApiResponse::of(delete("\"1\"")).await.expect(409).code(), "invalid_state_change");
}

#[tokio::test]
async fn callers_who_may_not_report_events_are_refused_before_the_body_is_read() {
    let (app, tenant) = App::with_workspace().await;
    let (narrow, full) = (tenant.with_scopes(&["bookings.write"]).await, tenant.full_access().await);
    let (owner, viewer) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Viewer).await.client);
    let anonymous = app.anonymous();
    let text = |client: &Client, module: &str| {
        let path = format!("/api/modules/{module}/events?nope=1");
        client.request("POST", &path).header("Content-Type", "text/plain").body("{")
    };
    for (client, module, status, code) in [
        (&anonymous, "nope", 401, "unauthorized"),
        (&full, "nope", 404, "not_found"),
        (&full, "crm", 404, "not_found"),
        (&narrow, "projects", 404, "not_found"),
        (&narrow, "time", 403, "forbidden"),
        (&viewer, "time", 403, "forbidden"),
        (&full, "contracts", 403, "forbidden"),
        (&owner, "contracts", 415, "unsupported_media_type"),
        (&narrow, "scheduling", 415, "unsupported_media_type"),
        (&full, "time", 415, "unsupported_media_type"),
    ] {
        let reply = ApiResponse::of(text(client, module)).await;
        assert_eq!((reply.status, reply.code()), (status, code), "{module}: {}", reply.text);
        for body in [json!({"nope": 1}), json!({"event": "Bad", "payload": 1, "scope_id": UNKNOWN_ID})] {
            let reply = client.post(&format!("/api/modules/{module}/events"), body.clone()).await;
            let expected = if status == 415 { [400, 422].contains(&reply.status) } else { reply.status == status };
            assert!(expected, "{module} {body}: {}", reply.text);
        }
    }
    let missing = narrow.post("/api/modules/time/events", json!({})).await.expect(403);
    assert_eq!(missing.details(), ["scopes:missing_scope"]);
}
