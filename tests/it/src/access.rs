//! Authentication and authorization: every operation × every kind of invalid credential, × every scope, × every role.

use domain::identity::access::{AccessRequirement, Area, Level, PlainToken, Scope, TokenKind};
use domain::identity::workspaces::{Role, SettableStatus};
use http_actix::OPERATIONS;
use http_core::Operation;
use http_core::admission::AuthScheme;
use serde_json::json;
use test_support::{ApiResponse, App, Client, SimpleKind, simple_kinds};
use time::Duration;

use crate::all_callers::{customer_of, link_to, open_ticket};
use crate::support::{UNKNOWN_ID, path_of};

const LOG_OUT: &str = "/api/auth/logout";

/// Calls an operation without effect: if it takes a body, the body is malformed.
pub(crate) async fn call(client: &Client, operation: &Operation) -> ApiResponse {
    let request = client.request(operation.method, &path_of(operation.pattern));
    let request = if operation.has_body { request.json(&json!({"nope": 1})) } else { request };
    ApiResponse::of(request).await
}

/// The status of operations that take neither key nor access token if one is sent; it is ignored, valid or not. `None`
/// for all others.
fn customer_status(operation: &Operation) -> Option<u16> {
    match operation.auth_scheme {
        AuthScheme::Caller => None,
        AuthScheme::Anonymous => Some(400),
        AuthScheme::PortalToken => Some(401),
        AuthScheme::WidgetPage => Some(403),
        AuthScheme::Browser => unreachable!("{} is a page of the console", operation.pattern),
    }
}

/// The requirement of an operation at the path of `path_of`.
fn requirement(operation: &Operation) -> Option<AccessRequirement> {
    const REPORTS: &[Scope] = &[Scope::write(Area::Time)];
    if operation.pattern == "/api/modules/{module}/events" {
        return Some(AccessRequirement::Scopes(REPORTS));
    }
    operation.needs
}

/// Every operation that `docs/interface.md` names: the methods of each path.
const DOCUMENTED: &[(&str, &str)] = &[
    ("/api/v1/me", "GET"),
    ("/api/v1/members", "GET"),
    ("/api/v1/event-types", "GET"),
    ("/api/v1/events", "GET"),
    ("/api/v1/crm/contacts", "GET POST"),
    ("/api/v1/crm/companies", "GET POST"),
    ("/api/v1/crm/companies/{company_id}", "GET PATCH DELETE"),
    ("/api/v1/crm/companies/{company_id}/history", "GET"),
    ("/api/v1/crm/companies/{company_id}/restore", "POST"),
    ("/api/v1/crm/companies/{company_id}/comments", "GET POST"),
    ("/api/v1/crm/companies/{company_id}/comments/{comment_id}", "PATCH DELETE"),
    ("/api/v1/crm/deals/{deal_id}/history", "GET"),
    ("/api/v1/crm/deals/{deal_id}/comments", "GET POST"),
    ("/api/v1/crm/deals/{deal_id}/comments/{comment_id}", "PATCH DELETE"),
    ("/api/v1/crm/deals", "GET POST"),
    ("/api/v1/crm/deals/{deal_id}", "GET PATCH DELETE"),
    ("/api/v1/crm/deals/{deal_id}/restore", "POST"),
    ("/api/v1/projects", "GET POST"),
    ("/api/v1/projects/{project_id}", "GET PATCH DELETE"),
    ("/api/v1/projects/{project_id}/history", "GET"),
    ("/api/v1/projects/{project_id}/restore", "POST"),
    ("/api/v1/issues", "GET POST"),
    ("/api/v1/issues/{issue_id}", "GET PATCH DELETE"),
    ("/api/v1/issues/{issue_id}/history", "GET"),
    ("/api/v1/issues/{issue_id}/restore", "POST"),
    ("/api/v1/projects/{project_id}/cycles", "GET POST"),
    ("/api/v1/projects/{project_id}/cycles/{cycle_id}", "PATCH DELETE"),
    ("/api/v1/projects/{project_id}/issues", "GET"),
    ("/api/v1/issues/{issue_id}/comments", "GET POST"),
    ("/api/v1/issues/{issue_id}/comments/{comment_id}", "PATCH DELETE"),
    ("/api/v1/issues/bulk-update", "POST"),
    ("/api/v1/time/entries", "GET POST"),
    ("/api/v1/time/entries/{entry_id}", "GET PATCH DELETE"),
    ("/api/v1/time/entries/{entry_id}/history", "GET"),
    ("/api/v1/time/entries/{entry_id}/restore", "POST"),
    ("/api/v1/time/entries/start", "POST"),
    ("/api/v1/time/entries/stop", "POST"),
    ("/api/v1/time/entries/submit", "POST"),
    ("/api/v1/time/entries/approve", "POST"),
    ("/api/v1/time/entries/reject", "POST"),
    ("/api/v1/time/entries/export", "POST"),
    ("/api/v1/time/summary", "GET"),
    ("/api/auth/login", "POST"),
    ("/api/auth/logout", "POST"),
    ("/api/auth/password", "POST"),
    ("/api/auth/accept-invitation", "POST"),
    ("/api/auth/password-resets", "POST"),
    ("/api/auth/reset-password", "POST"),
    ("/api/account", "GET PATCH"),
    ("/api/account/sessions", "GET"),
    ("/api/account/sessions/{session_id}", "DELETE"),
    ("/api/account/second-factor", "POST DELETE"),
    ("/api/account/second-factor/confirm", "POST"),
    ("/api/auth/second-factor", "POST"),
    ("/api/operator/workspaces", "GET POST"),
    ("/api/operator/workspaces/{workspace_id}", "GET PATCH DELETE"),
    ("/api/settings/workspace", "GET PATCH"),
    ("/api/settings/members", "GET POST"),
    ("/api/settings/members/{member_id}", "PATCH DELETE"),
    ("/api/settings/api-keys", "GET POST"),
    ("/api/settings/api-keys/{key_id}", "PATCH"),
    ("/api/settings/api-keys/{key_id}/revoke", "POST"),
    ("/api/settings/time-rates", "GET POST"),
    ("/api/settings/time-rates/remove", "POST"),
    ("/api/settings/usage", "GET"),
    ("/api/settings/audit-log", "GET"),
    ("/api/settings/erasures", "POST"),
    ("/api/settings/erasures/{erasure_id}", "GET"),
    ("/api/settings/webhooks", "GET POST"),
    ("/api/settings/webhooks/{webhook_id}", "GET PATCH DELETE"),
    ("/api/settings/webhooks/{webhook_id}/group", "DELETE"),
    ("/api/settings/webhooks/{webhook_id}/rotate-secret", "POST"),
    ("/api/settings/webhooks/{webhook_id}/test", "POST"),
    ("/api/settings/webhooks/{webhook_id}/deliveries", "GET"),
    ("/api/settings/webhooks/deliveries/{delivery_id}", "GET"),
    ("/api/settings/webhooks/deliveries/{delivery_id}/redeliver", "POST"),
    ("/api/settings/webhooks/{webhook_id}/replay", "POST"),
    ("/api/settings/webhooks/{webhook_id}/replays", "GET"),
    ("/api/settings/webhooks/{webhook_id}/replays/{replay_id}", "GET"),
    ("/api/settings/webhooks/{webhook_id}/replays/{replay_id}/cancel", "POST"),
    ("/api/modules/{module}/events", "POST"),
    ("/api/settings/kb/articles", "GET POST"),
    ("/api/settings/kb/articles/{article_id}", "GET PATCH DELETE"),
    ("/api/public/tickets", "GET POST"),
    ("/api/public/tickets/{ticket_ref}", "GET"),
    ("/api/public/tickets/{ticket_ref}/tracking-links", "POST"),
    ("/api/public/kb/search", "GET"),
    ("/api/portal/magic-links", "POST"),
    ("/api/portal/sessions", "POST"),
    ("/api/portal/ticket", "GET"),
    ("/api/portal/ticket/replies", "POST"),
    ("/api/widget/{workspace_id}/tickets", "POST OPTIONS"),
    ("/api/widget/{workspace_id}/kb/search", "GET OPTIONS"),
];

#[test]
fn the_tables_contain_every_documented_operation() {
    let mut found: Vec<_> =
        OPERATIONS.iter().map(|operation| format!("{} {}", operation.method, operation.pattern)).collect();
    found.sort();
    let of_kind = |kind: SimpleKind| {
        let (list, one) = (kind.path, kind.one());
        let of_one = ["GET", "PATCH", "DELETE"].map(|method| format!("{method} {one}"));
        let of_list = ["GET", "POST"].map(|method| format!("{method} {list}"));
        [&of_one[..], &of_list, &[format!("GET {one}/history"), format!("POST {one}/restore")]].concat()
    };
    let of_path = |(path, methods): &(&str, &'static str)| {
        let path = (*path).to_owned();
        methods.split(' ').map(move |method| format!("{method} {path}"))
    };
    let mut expected: Vec<_> = DOCUMENTED.iter().flat_map(of_path).collect();
    expected.extend(simple_kinds().into_iter().flat_map(of_kind));
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// A client per kind of invalid credential.
async fn bad_clients(app: &App) -> Vec<(&'static str, Client)> {
    let tenant = app.workspace().await;
    let suspended = app.workspace().await;
    let (suspended_key, suspended_session) = (suspended.full_access().await, suspended.user(Role::Owner).await);
    let (expired, _) = tenant.expiring(Duration::seconds(1)).await;
    let old_session = tenant.user(Role::Owner).await;
    app.advance(Duration::hours(12)).await;
    let (revoked, id) = tenant.expiring(Duration::days(1)).await;
    let ended = tenant.user(Role::Owner).await;
    for client in [&revoked, &ended.client] {
        let _ = client.get("/api/v1/projects").await.expect(200);
    }
    let _ = ended.client.post(LOG_OUT, json!({})).await.expect(200);
    tenant.revoke(id).await;
    suspended.set_status(SettableStatus::Suspended).await;
    let good = tenant.full_access().await.key().map(ToOwned::to_owned).unwrap();
    let mut broken = good.clone();
    broken.replace_range(20..21, if &good[20..21] == "a" { "b" } else { "a" });
    // Well-formed and with a valid checksum, but unknown.
    let random = domain::testing::SequenceRandom::default();
    let unknown = |kind| app.with_key(PlainToken::generate(kind, &random).reveal());
    // The lookup id of an existing key with another secret, and a valid checksum.
    let forged = PlainToken::forged(TokenKind::ApiKey, &good[4..16], &random);
    vec![
        ("none", app.anonymous()),
        ("malformed", app.with_key("nope")),
        ("broken checksum", app.with_key(&broken)),
        ("unknown key", unknown(TokenKind::ApiKey)),
        ("unknown session", unknown(TokenKind::Session)),
        ("one-time token", unknown(TokenKind::Invitation)),
        ("token of a link", unknown(TokenKind::TrackingLink)),
        ("unknown customer", unknown(TokenKind::PortalSession)),
        ("forged secret", app.with_key(forged.reveal())),
        ("key of another kind", app.with_key(&good.replace("svc_", "svs_"))),
        ("expired key", expired),
        ("expired session", old_session.client),
        ("revoked", revoked),
        ("signed out", ended.client),
        ("suspended key", suspended_key),
        ("suspended session", suspended_session.client),
    ]
}

#[tokio::test]
async fn every_bad_credential_gets_the_same_401() {
    let app = App::start().await;
    let clients = bad_clients(&app).await;
    for (name, client) in &clients {
        // Takes effect within two seconds, as `revocation.rs` measures.
        test_support::eventually(name, async || client.get("/api/v1/projects").await.status == 401).await;
    }
    for operation in OPERATIONS {
        for (name, client) in &clients {
            let context = format!("{name}: {} {}", operation.method, operation.pattern);
            let reply = call(client, operation).await;
            if let Some(status) = customer_status(operation) {
                assert_eq!(reply.status, status, "{context}");
                continue;
            }
            assert_eq!((reply.status, reply.code()), (401, "unauthorized"), "{context}");
            assert_eq!(reply.header("www-authenticate"), "Bearer", "{context}");
            assert_eq!(
                reply.body["error"]["message"],
                "a valid API key is required: send it as Authorization: Bearer <API_KEY>"
            );
        }
    }
}

#[tokio::test]
async fn a_portal_token_reaches_its_ticket_and_nothing_else() {
    let (app, full) = App::with_client().await;
    let reference = open_ticket(&full, "ada@example.org").await;
    let customer = customer_of(&app, &full, &reference).await;
    let link = app.with_key(&link_to(&full, &reference).await);
    for operation in OPERATIONS {
        let context = format!("{} {}", operation.method, operation.pattern);
        let reply = call(&customer, operation).await;
        match operation.auth_scheme {
            AuthScheme::Caller => assert_eq!((reply.status, reply.code()), (401, "unauthorized"), "{context}"),
            AuthScheme::PortalToken => assert!(matches!(reply.status, 200 | 400), "{context}: {}", reply.text),
            AuthScheme::Anonymous | AuthScheme::WidgetPage | AuthScheme::Browser => {
                assert_eq!(Some(reply.status), customer_status(operation), "{context}");
            }
        }
        let status = customer_status(operation).unwrap_or(401);
        assert_eq!(call(&link, operation).await.status, status, "{context}");
    }
}

#[tokio::test]
async fn the_header_has_exactly_one_form() {
    let app = App::start().await;
    let key = app.workspace().await.full_access().await.key().map(ToOwned::to_owned).unwrap();
    for (header, status) in [
        (format!("Bearer {key}"), 200),
        (format!("bearer {key}"), 200),
        (format!("Basic {key}"), 401),
        (key.clone(), 401),
        (format!("Bearer {key} x"), 401),
        ("Bearer".to_owned(), 401),
        (String::new(), 401),
    ] {
        let request = app.anonymous().request("GET", "/api/v1/projects").header("Authorization", &header);
        assert_eq!(ApiResponse::of(request).await.status, status, "{}", header.replace(&key, "KEY"));
    }
    let in_query = app.anonymous().get(&format!("/api/v1/projects?api_key={key}")).await;
    assert_eq!(in_query.status, 401);
}

#[tokio::test]
async fn every_operation_needs_exactly_its_scopes_and_no_scope_reaches_settings() {
    let (_app, tenant) = App::with_workspace().await;
    for scope in Scope::all() {
        let client = tenant.with_scopes(&[&scope.to_string()]).await;
        for operation in OPERATIONS {
            let context = format!("{scope}: {} {}", operation.method, operation.pattern);
            let reply = call(&client, operation).await;
            let Some(needs) = requirement(operation) else {
                assert_eq!(Some(reply.status), customer_status(operation), "{context}");
                continue;
            };
            let allows = |needed: &Scope| {
                needed.area == scope.area && (needed.level == scope.level || scope.level == Level::Write)
            };
            let missing: Vec<_> =
                needs.scopes().iter().filter(|needed| !allows(needed)).map(ToString::to_string).collect();
            let suffices = match needs {
                AccessRequirement::Scopes(_) | AccessRequirement::KeyScopes(_) => missing.is_empty(),
                AccessRequirement::AnyScope(scopes) => scopes.iter().any(allows),
                AccessRequirement::Credential | AccessRequirement::CredentialButTrial => true,
                AccessRequirement::Session
                | AccessRequirement::SessionScopes(_)
                | AccessRequirement::Administrator
                | AccessRequirement::AdministratorOrGrant(_)
                | AccessRequirement::Operator => false,
            };
            if suffices {
                assert!(!matches!(reply.status, 401 | 403), "{context}: {}", reply.text);
                continue;
            }
            assert_eq!((reply.status, reply.code()), (403, "forbidden"), "{context}");
            let message = reply.body["error"]["message"].as_str().unwrap();
            assert!(missing.iter().all(|name| message.contains(name)), "{context}: {}", reply.text);
            assert_eq!(reply.details().len(), missing.len(), "{context}");
        }
    }
}

#[tokio::test]
async fn every_role_reaches_exactly_what_it_is_allowed_to() {
    let (_app, tenant) = App::with_workspace().await;
    for role in Role::ALL.iter().copied() {
        let user = tenant.user(role).await;
        for operation in OPERATIONS {
            // Signing out would end the test's session, so another user does it.
            let leaver = if operation.pattern == LOG_OUT { Some(tenant.user(role).await) } else { None };
            let client = leaver.as_ref().map_or(&user.client, |leaver| &leaver.client);
            let reply = call(client, operation).await;
            if let Some(status) = customer_status(operation) {
                assert_eq!(reply.status, status, "{} {}", operation.method, operation.pattern);
                continue;
            }
            let allowed = match requirement(operation) {
                None
                | Some(
                    AccessRequirement::Session | AccessRequirement::Credential | AccessRequirement::CredentialButTrial,
                ) => true,
                // No role grants operator access.
                Some(AccessRequirement::KeyScopes(_) | AccessRequirement::Operator) => false,
                Some(AccessRequirement::Administrator | AccessRequirement::AdministratorOrGrant(_)) => {
                    matches!(role, Role::Owner | Role::Admin)
                }
                Some(
                    AccessRequirement::Scopes(scopes)
                    | AccessRequirement::SessionScopes(scopes)
                    | AccessRequirement::AnyScope(scopes),
                ) => role != Role::Viewer || scopes.iter().all(|scope| scope.level == Level::Read),
            };
            let context = format!("{role}: {} {}: {}", operation.method, operation.pattern, reply.text);
            assert_eq!(reply.status != 403, allowed, "{context}");
            assert_ne!(reply.status, 401, "{context}");
        }
    }
}

#[tokio::test]
async fn a_projects_tasks_need_both_scopes() {
    let (_app, tenant) = App::with_workspace().await;
    let path = format!("/api/v1/projects/{UNKNOWN_ID}/issues");
    assert_eq!(tenant.with_scopes(&["projects.read", "issues.read"]).await.get(&path).await.status, 404);
    assert_eq!(tenant.with_scopes(&["projects.write", "issues.write"]).await.get(&path).await.status, 404);
    assert_eq!(tenant.with_scopes(&["projects.write"]).await.get(&path).await.status, 403);
}
