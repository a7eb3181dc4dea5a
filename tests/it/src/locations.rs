//! `Location` of creates: it names only addresses that can be read, and is followed.

use domain::identity::workspaces::Role;
use http_actix::OPERATIONS;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, SimpleKind, simple_kinds};

use crate::all_callers::{AllCallers, intake, link_to, open_session, open_ticket};

/// POSTs that create nothing, or only a token.
const NO_RECORD: [&str; 30] = [
    "/api/v1/issues/bulk-update",
    "/api/v1/crm/companies/{company_id}/restore",
    "/api/v1/crm/deals/{deal_id}/restore",
    "/api/v1/projects/{project_id}/restore",
    "/api/v1/issues/{issue_id}/restore",
    "/api/v1/time/entries/{entry_id}/restore",
    "/api/v1/time/entries/stop",
    "/api/v1/time/entries/submit",
    "/api/v1/time/entries/approve",
    "/api/v1/time/entries/reject",
    "/api/v1/time/entries/export",
    "/api/auth/login",
    "/api/auth/second-factor",
    "/api/auth/logout",
    "/api/auth/password",
    "/api/auth/accept-invitation",
    "/api/auth/password-resets",
    "/api/auth/reset-password",
    "/api/account/second-factor",
    "/api/account/second-factor/confirm",
    "/api/settings/time-rates",
    "/api/settings/time-rates/remove",
    "/api/settings/api-keys/{key_id}/revoke",
    "/api/settings/webhooks/{webhook_id}/rotate-secret",
    "/api/settings/webhooks/{webhook_id}/test",
    "/api/settings/webhooks/deliveries/{delivery_id}/redeliver",
    "/api/settings/webhooks/{webhook_id}/replay",
    "/api/settings/webhooks/{webhook_id}/replays/{replay_id}/cancel",
    "/api/modules/{module}/events",
    "/api/portal/magic-links",
];

/// Records in the paths of creates.
struct Parents {
    company: String,
    deal: String,
    project: String,
    issue: String,
    ticket: String,
    link: String,
}

/// The path and body of a create, and whether the created object has its own address.
fn create_of(pattern: &str, parents: &Parents) -> Option<(String, Value, bool)> {
    let day = json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-01"});
    let (body, is_readable) = match pattern {
        "/api/v1/crm/companies" => (json!({"name": "c"}), true),
        "/api/v1/crm/deals" => (json!({"title": "d"}), true),
        "/api/v1/projects" => (json!({"name": "p"}), true),
        "/api/v1/issues" => (json!({"kind": "task", "title": "t"}), true),
        "/api/v1/time/entries" => (json!({"date": "2030-01-01", "seconds": 60}), true),
        "/api/v1/time/entries/start" => (json!({}), true),
        "/api/settings/kb/articles" => (json!({"title": "a"}), true),
        "/api/settings/erasures" => (json!({"email": "a@example.com"}), true),
        "/api/settings/webhooks" => (json!({"module": "crm", "url": "https://hooks.invalid/", "events": ["*"]}), true),
        "/api/public/tickets" => (intake("a@example.com"), true),
        "/api/operator/workspaces" => (json!({"name": "w", "slug": "another"}), true),
        "/api/v1/crm/contacts" => (json!({"email": "a@example.com"}), false),
        "/api/v1/projects/{project_id}/cycles" => (day, false),
        "/api/v1/crm/companies/{company_id}/comments"
        | "/api/v1/crm/deals/{deal_id}/comments"
        | "/api/v1/issues/{issue_id}/comments"
        | "/api/portal/ticket/replies" => (json!({"body": "b"}), false),
        "/api/settings/members" => (json!({"email": "m@example.com", "role": "member"}), false),
        "/api/settings/api-keys" => (json!({"name": "k", "preset": "crm"}), false),
        "/api/public/tickets/{ticket_ref}/tracking-links" => (json!({}), false),
        "/api/portal/sessions" => (json!({"token": parents.link}), false),
        "/api/widget/{workspace_id}/tickets" => (intake("w@example.com"), false),
        path => ((simple_kinds().into_iter().find(|kind| kind.path == path)?.body)(1), true),
    };
    let path = pattern
        .replace("{company_id}", &parents.company)
        .replace("{deal_id}", &parents.deal)
        .replace("{project_id}", &parents.project)
        .replace("{issue_id}", &parents.issue)
        .replace("{ticket_ref}", &parents.ticket)
        .replace("{workspace_id}", crate::support::UNKNOWN_ID);
    Some((path, body, is_readable))
}

#[tokio::test]
async fn only_creates_of_readable_objects_return_their_address() {
    let (app, tenant) = App::with_workspace().await;
    let callers = AllCallers::of(&app, &tenant).await;
    let (owner, key) = (tenant.user(Role::Owner).await.client, tenant.full_access().await);
    let ticket = open_ticket(&key, "c@example.com").await;
    let parents = Parents {
        company: owner.create("/api/v1/crm/companies", json!({"name": "c"})).await,
        deal: owner.create("/api/v1/crm/deals", json!({"title": "d"})).await,
        project: owner.create("/api/v1/projects", json!({"name": "p"})).await,
        issue: owner.create("/api/v1/issues", json!({"kind": "task", "title": "t"})).await,
        link: link_to(&key, &ticket).await,
        ticket,
    };
    for operation in OPERATIONS.iter().filter(|operation| operation.method == "POST") {
        let pattern = operation.pattern;
        let Some((path, body, is_readable)) = create_of(pattern, &parents) else {
            let restores = |kind: &SimpleKind| pattern == format!("{}/restore", kind.one());
            let is_known = NO_RECORD.contains(&pattern) || simple_kinds().iter().any(restores);
            assert!(is_known, "POST {pattern} is in neither table of this test");
            continue;
        };
        let ask = |method: &str, path: &str| callers.request(method, path);
        let send = async |request: RequestBuilder| ApiResponse::of(request.header("Idempotency-Key", "k")).await;
        let created = send(ask("POST", &path).json(&body)).await.expect(201);
        let location = created.header("location");
        assert_eq!(!location.is_empty(), is_readable, "{pattern}: {location}");
        if is_readable {
            let stored = ApiResponse::of(ask("GET", location)).await.expect(200);
            let name = if pattern == "/api/public/tickets" { "reference" } else { "id" };
            assert!(
                stored.data()[name].is_string() && stored.data()[name] == created.data()[name],
                "{pattern}: {}",
                stored.text
            );
        }
        if operation.takes_idempotency_key {
            let repeated = send(ask("POST", &path).json(&body)).await.expect(201);
            assert_eq!(repeated.header("idempotent-replayed"), "true", "{pattern}");
            assert_eq!(repeated.header("location"), location, "{pattern}");
        }
    }
    // The one-time link above has been used.
    assert_eq!(open_session(&app, &parents.link).await.status, 409);
}
