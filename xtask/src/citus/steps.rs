//! The requests that are sent to a service on a cluster: every operation, and cases that once failed there.

use serde_json::json;

use super::drive::{Step, delete, get, patch, post, tool};

pub(super) const TOOL_CALLS: &str = "/api/mcp/tools/call";
pub(super) const WIDGET: &str = "/api/widget/";

pub(super) fn all() -> Vec<Step> {
    let parts = [signing_in(), crm(), tools(), work(), time(), support(), webhooks(), log(), settings(), account()];
    parts.into_iter().flatten().collect()
}

fn signing_in() -> Vec<Step> {
    vec![
        post("/api/auth/login", json!({"workspace": "{slug}", "email": "{email}", "password": "{password}"}))
            .keep_at("owner", "/data/access_token"),
        get("/api/settings/workspace").keep("workspace"),
        patch(
            "/api/settings/workspace",
            json!({"widget_enabled": true, "widget_origins": ["https://help.example.com"]}),
        ),
    ]
}

fn crm() -> Vec<Step> {
    let company = "/api/v1/crm/companies/{company}";
    let deal = "/api/v1/crm/deals/{deal}";
    vec![
        post("/api/v1/crm/companies", json!({"name": "Acme", "domain": "acme.example"})).keep("company"),
        post("/api/v1/crm/companies", json!({"name": "Other", "domain": "acme.example"})),
        get("/api/v1/crm/companies?search=acme"),
        get(company),
        patch(company, json!({"industry": "Tools"})),
        post("/api/v1/crm/contacts", json!({"email": "ada@acme.example", "company_id": "{company}"})).keep("contact"),
        post("/api/v1/crm/contacts", json!({"email": "ADA@acme.example"})),
        post("/api/v1/crm/contacts", json!({"email": "b@acme.example", "company_id": "{contact}"})),
        get("/api/v1/crm/contacts?search=ada"),
        post("/api/v1/crm/deals", json!({"title": "Pilot", "value": 120.5, "contact_id": "{contact}"})).keep("deal"),
        get(deal),
        patch(deal, json!({"status": "closed_won"})),
        get("/api/v1/crm/deals?status=closed_won"),
        get("/api/v1/crm/deals?stage=discovery&value_min=1&updated_since=2026-01-01T00:00:00Z"),
        post("/api/v1/crm/deals/{deal}/comments", json!({"body": "Well done"})).keep("note"),
        get("/api/v1/crm/deals/{deal}/comments"),
        patch("/api/v1/crm/deals/{deal}/comments/{note}", json!({"body": "Very well done"})),
        delete("/api/v1/crm/deals/{deal}/comments/{note}"),
        post("/api/v1/crm/companies/{company}/comments", json!({"body": "A good one"})).keep("note"),
        get("/api/v1/crm/companies/{company}/comments"),
        patch("/api/v1/crm/companies/{company}/comments/{note}", json!({"body": "The best one"})),
        delete("/api/v1/crm/companies/{company}/comments/{note}"),
        delete(deal),
        get(deal),
        get("/api/v1/crm/deals?deleted=true"),
        post("/api/v1/crm/deals/{deal}/restore", json!({})),
        get("/api/v1/crm/deals/{deal}/history").settled(),
        delete(company),
        post("/api/v1/crm/companies/{company}/restore", json!({})),
        get("/api/v1/crm/companies/{company}/history").settled(),
    ]
}

fn tools() -> Vec<Step> {
    let items = json!({"items": [{"external_id": "c-1", "email": "grace@acme.example"}, {"email": "nobody"}]});
    vec![
        get("/api/mcp/session"),
        get("/api/mcp/tools/list?features=support"),
        post("/api/mcp/tools/list", json!({"features": ["support"]})),
        post("/api/mcp", json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})),
        tool("whoami", &json!({})),
        tool("list_contacts", &json!({"search": "ada"})),
        tool("get_contact", &json!({"id": "{contact}"})),
        tool("update_contact", &json!({"id": "{contact}", "phone": "+44 20 7946 0018"})),
        tool("delete_contact", &json!({"id": "{contact}"})),
        tool("get_contact", &json!({"id": "{contact}"})),
        tool("restore_record", &json!({"type": "contact", "id": "{contact}"})),
        tool("upsert_contacts", &items),
        tool("upsert_contacts", &items),
        tool("upsert_companies", &json!({"items": [{"external_id": "a-1", "name": "Borealis"}]})),
        tool(
            "upsert_deals",
            &json!({"items": [{"external_id": "d-1", "title": "Renewal"}, {"external_id": "d-2", "title": "More"}]}),
        ),
        tool("summarize_deals", &json!({})),
        tool("get_history", &json!({"type": "deal", "id": "{deal}"})).settled(),
    ]
}

fn work() -> Vec<Step> {
    let (project, task) = ("/api/v1/projects/{project}", "/api/v1/issues/{task}");
    let dates = json!({"name": "One", "start_date": "2026-01-01", "end_date": "2026-01-14"});
    vec![
        post("/api/v1/projects", json!({"name": "Rollout", "deal_id": "{deal}"})).keep("project"),
        get("/api/v1/projects?search=rollout"),
        get(project),
        patch(project, json!({"status": "active"})),
        post("/api/v1/projects/{project}/cycles", dates).keep("cycle"),
        get("/api/v1/projects/{project}/cycles"),
        post("/api/v1/issues", json!({"kind": "task", "title": "Epic", "project_id": "{project}"})).keep("epic"),
        post(
            "/api/v1/issues",
            json!({"kind": "task", "title": "Task", "project_id": "{project}", "parent_id": "{epic}", "cycle_id": "{cycle}"}),
        )
        .keep("task"),
        patch("/api/v1/issues/{epic}", json!({"parent_id": "{task}"})),
        get(task),
        patch(task, json!({"status": "done"})),
        get("/api/v1/issues?kind=task&project_id={project}"),
        get("/api/v1/issues?kind=task&search=task"),
        get("/api/v1/projects/{project}/issues"),
        post("/api/v1/issues/bulk-update", json!({"issueIds": ["{task}", "{epic}"], "patch": {"priority": "high"}})),
        tool("summarize_tasks", &json!({"project_id": "{project}"})),
        post("/api/v1/issues/{task}/comments", json!({"body": "Tomorrow"})).keep("comment"),
        get("/api/v1/issues/{task}/comments"),
        patch("/api/v1/issues/{task}/comments/{comment}", json!({"body": "Today"})),
        delete("/api/v1/issues/{task}/comments/{comment}"),
        delete(task),
        post("/api/v1/issues/{task}/restore", json!({})),
        get("/api/v1/issues/{task}/history").settled(),
        patch("/api/v1/projects/{project}/cycles/{cycle}", json!({"end_date": "2026-01-15"})),
        // With tasks in the cycle, the order of their events would vary.
        patch(task, json!({"cycle_id": null})),
        delete("/api/v1/projects/{project}/cycles/{cycle}"),
        delete(project),
        post("/api/v1/projects/{project}/restore", json!({})),
        get("/api/v1/projects/{project}/history").settled(),
    ]
}

/// Sent as the owner: it is the owner's time.
fn time() -> Vec<Step> {
    let entry = "/api/v1/time/entries/{entry}";
    let ids = || json!({"ids": ["{entry}"]});
    vec![
        get("/api/v1/members").keep_at("worker", "/data/0/id"),
        post(
            "/api/settings/time-rates",
            json!({"member_id": "{worker}", "project_id": "{project}", "rate": 120.5, "currency": "CHF"}),
        ),
        get("/api/settings/time-rates"),
        post("/api/v1/time/entries", json!({"task_id": "{task}", "date": "2026-01-05", "seconds": 5400})).keep("entry"),
        get(entry),
        patch(entry, json!({"note": "Kick-off"})),
        delete(entry),
        post("/api/v1/time/entries/{entry}/restore", json!({})),
        post("/api/v1/time/entries/start", json!({"project_id": "{project}"})),
        get("/api/v1/time/entries?status=running&project_id={project}"),
        post("/api/v1/time/entries/stop", json!({})),
        post("/api/v1/time/entries/stop", json!({})),
        post("/api/v1/time/entries/start", json!({"project_id": "{project}"})),
        patch("/api/settings/workspace", json!({"time_locked_until": "2100-01-01"})),
        get("/api/v1/time/entries?status=running&project_id={project}"),
        patch("/api/settings/workspace", json!({"time_locked_until": null})),
        post("/api/v1/time/entries/submit", ids()),
        post("/api/v1/time/entries/reject", ids()),
        post("/api/v1/time/entries/approve", ids()),
        post("/api/v1/time/entries/export", ids()),
        get("/api/v1/time/entries?from=2026-01-01&to=2026-01-31&order=date_asc"),
        get("/api/v1/time/summary?group_by=project&group_by=week&from=2026-01-01&to=2026-01-31"),
        get("/api/v1/time/entries/{entry}/history").settled(),
        tool("list_time_entries", &json!({"project_id": "{project}"})),
        tool("summarize_time", &json!({"group_by": ["member"], "from": "2026-01-01", "to": "2026-01-31"})),
        post("/api/settings/time-rates/remove", json!({"member_id": "{worker}", "project_id": "{project}"})),
    ]
}

fn support() -> Vec<Step> {
    let article = "/api/settings/kb/articles/{article}";
    let reply = "/api/v1/support/canned-replies/{reply}";
    vec![
        post("/api/v1/support/canned-replies", json!({"title": "Thanks", "body": "Thank you.", "shared": true}))
            .keep("reply"),
        get("/api/v1/support/canned-replies"),
        get(reply),
        patch(reply, json!({"shortcut": "thanks"})),
        get("/api/v1/support/canned-replies/{reply}/history"),
        delete(reply),
        post("/api/v1/support/canned-replies/{reply}/restore", json!({})),
        post(
            "/api/settings/kb/articles",
            json!({"title": "How to descale", "body": "Press *Clean*.", "status": "published", "tags": ["care"]}),
        )
        .keep("article"),
        get("/api/settings/kb/articles"),
        get(article),
        patch(article, json!({"tags": ["care", "espresso"]})),
        get("/api/public/kb/search?q=descale"),
        get("/api/widget/{workspace}/kb/search?q=descale"),
        delete(article),
        post("/api/v1/issues", json!({"kind": "ticket", "title": "Help"})).keep("ticket"),
        post("/api/v1/issues/{ticket}/comments", json!({"body": "Looking", "visibility": "internal"})),
        get("/api/v1/issues/{ticket}"),
        post("/api/public/tickets", json!({"name": "Mona", "email": "mona@acme.example", "subject": "It drips"}))
            .keep_at("reference", "/data/reference"),
        get("/api/public/tickets?email=mona@acme.example"),
        get("/api/public/tickets/{reference}"),
        post("/api/public/tickets/{reference}/tracking-links", json!({})).keep_at("link", "/data/token"),
        post("/api/portal/sessions", json!({"token": "{link}"})).keep_at("customer", "/data/token"),
        get("/api/portal/ticket"),
        post("/api/portal/ticket/replies", json!({"body": "It stopped."})),
        post(
            "/api/portal/magic-links",
            json!({"workspace_id": "{workspace}", "reference": "{reference}", "email": "mona@acme.example"}),
        ),
        post(
            "/api/widget/{workspace}/tickets",
            json!({"name": "Jonas", "email": "jonas@example.org", "subject": "Do you repair?"}),
        ),
        tool("search_kb", &json!({"query": "descale"})),
        tool("summarize_tickets", &json!({})),
    ]
}

/// Nothing is delivered: the host name is reserved, and no dispatcher runs.
fn webhooks() -> Vec<Step> {
    let webhook = "/api/settings/webhooks/{webhook}";
    vec![
        post("/api/settings/webhooks", json!({"module": "crm", "url": "https://hook.example/", "events": ["*"]}))
            .keep("webhook"),
        get("/api/settings/webhooks"),
        get(webhook),
        post("/api/v1/crm/deals", json!({"title": "Heard of"})),
        post("/api/settings/webhooks/{webhook}/test", json!({})).keep("delivery"),
        get("/api/settings/webhooks/{webhook}/deliveries").settled(),
        get("/api/settings/webhooks/deliveries/{delivery}"),
        post("/api/settings/webhooks/deliveries/{delivery}/redeliver", json!({})),
        patch(webhook, json!({"events": ["deal.created"]})),
        post(
            "/api/settings/webhooks/{webhook}/replay",
            json!({"since": "2026-01-01T00:00:00Z", "events": ["deal.created"]}),
        )
        .keep("replay"),
        get("/api/settings/webhooks/{webhook}/replays"),
        get("/api/settings/webhooks/{webhook}/replays/{replay}"),
        post("/api/settings/webhooks/{webhook}/replays/{replay}/cancel", json!({})),
        post("/api/settings/webhooks/{webhook}/rotate-secret", json!({"overlap_seconds": 3600})),
        delete(webhook),
        post("/api/settings/webhooks", json!({"modules": ["crm", "support"], "url": "https://hook.example/", "events": ["deal.created", "ticket.created"]}))
            .keep("webhook"),
        delete("/api/settings/webhooks/{webhook}/group"),
    ]
}

fn log() -> Vec<Step> {
    vec![
        get("/api/v1/events?limit=100").settled(),
        get("/api/v1/events?record_id={deal}").settled(),
        get("/api/v1/events?module=crm&event=deal.created&limit=2").settled(),
        post("/api/modules/time/events", json!({"event": "timesheet.closed", "payload": {"minutes": 45}})),
        get("/api/v1/event-types"),
        get("/api/v1/me"),
        get("/api/v1/members"),
    ]
}

fn settings() -> Vec<Step> {
    let member = "/api/settings/members/{member}";
    vec![
        post("/api/settings/members", json!({"email": "sam@{slug}.example", "role": "member"})).keep("member"),
        get("/api/settings/members"),
        patch(member, json!({"role": "admin"})),
        delete(member),
        post("/api/settings/api-keys", json!({"name": "Form", "preset": "read_only"})).keep("other_key"),
        get("/api/settings/api-keys"),
        patch("/api/settings/api-keys/{other_key}", json!({"name": "Website"})),
        post("/api/settings/api-keys/{other_key}/revoke", json!({})),
        get("/api/settings/audit-log?limit=3"),
        get("/api/settings/audit-log?action=api_key.renamed"),
        get("/api/settings/usage"),
        post("/api/settings/erasures", json!({"email": "mona@acme.example"})).keep("erasure"),
        get("/api/settings/erasures/{erasure}").settled(),
        post("/api/operator/workspaces", json!({"name": "Harbour", "slug": "{slug}-b", "plan": "starter"}))
            .keep("harbour"),
        get("/api/operator/workspaces?search={slug}-b"),
        get("/api/operator/workspaces/{harbour}"),
        patch("/api/operator/workspaces/{harbour}", json!({"plan": "professional"})),
        delete("/api/operator/workspaces/{harbour}").with_body(json!({"slug": "{slug}-b"})),
    ]
}

fn account() -> Vec<Step> {
    let sign_in = |password| {
        post("/api/auth/login", json!({"workspace": "{slug}", "email": "{email}", "password": password}))
            .keep_at("owner", "/data/access_token")
    };
    vec![
        get("/api/account"),
        patch("/api/account", json!({"name": "Ada L."})),
        sign_in("{password}"),
        get("/api/account/sessions").keep_at("session", "/data/1/id"),
        delete("/api/account/sessions/{session}"),
        post("/api/auth/password-resets", json!({"email": "{email}"})),
        post("/api/auth/password", json!({"current_password": "{password}", "new_password": "another horse battery"})),
        sign_in("another horse battery"),
        post("/api/auth/logout", json!({})),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    /// Operations without a step, with the reason.
    const NOT_SENT: &[(&str, &str)] = &[
        ("POST /api/auth/accept-invitation", "needs the token in an e-mail"),
        ("POST /api/auth/reset-password", "needs the token in an e-mail"),
        ("POST /api/auth/second-factor", "needs a code from an authenticator app"),
        ("POST /api/account/second-factor", "the step after it needs a code from an authenticator app"),
        ("POST /api/account/second-factor/confirm", "needs a code from an authenticator app"),
        ("DELETE /api/account/second-factor", "there is no second factor to remove"),
    ];

    const DOCUMENT: &str = include_str!("../../../docs/openapi.json");

    /// The path with the same placeholder for all parameters.
    fn pattern(path: &str) -> String {
        let path = path.split('?').next().unwrap();
        let parts = path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part });
        parts.collect::<Vec<_>>().join("/")
    }

    #[test]
    fn every_operation_is_sent() {
        let document: Value = serde_json::from_str(DOCUMENT).unwrap();
        let mut names = BTreeSet::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            let path = path.replace("/modules/{module}/", "/modules/time/");
            names.extend(
                methods
                    .as_object()
                    .unwrap()
                    .keys()
                    .map(|method| format!("{} {}", method.to_uppercase(), pattern(&path))),
            );
        }
        let mut covered: BTreeSet<_> =
            all().iter().map(|step| format!("{} {}", step.route().0, pattern(step.route().1))).collect();
        for (operation, _) in NOT_SENT {
            assert!(covered.insert(pattern(operation)), "{operation} is sent");
        }
        let missing: Vec<_> = names.difference(&covered).collect();
        assert!(missing.is_empty(), "operations without a step: {missing:?}");
        let unknown: Vec<_> = covered.difference(&names).collect();
        assert!(unknown.is_empty(), "steps without an operation: {unknown:?}");
    }
}
