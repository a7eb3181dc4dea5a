//! Workspaces are isolated: another workspace's id is 404 in a path, and in a body the same 422 as an unknown one.

use domain::identity::workspaces::Role;
use http_actix::OPERATIONS;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, simple_kinds};

use crate::support::UNKNOWN_ID;

struct Records {
    company: String,
    contact: String,
    deal: String,
    project: String,
    cycle: String,
    task: String,
    ticket: String,
    member: String,
}

async fn fill(client: &Client, member: String) -> Records {
    let company = client.create("/api/v1/crm/companies", json!({"name": "c", "domain": "c.example"})).await;
    let contact = client.create("/api/v1/crm/contacts", json!({"email": "a@example.com", "external_id": "x"})).await;
    let deal = client.create("/api/v1/crm/deals", json!({"title": "d", "external_id": "x"})).await;
    let project = client.create("/api/v1/projects", json!({"name": "p", "external_id": "x"})).await;
    let cycles = format!("/api/v1/projects/{project}/cycles");
    let cycle =
        client.post(&cycles, json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-14"})).await.id();
    let task = client.create("/api/v1/issues", json!({"kind": "task", "title": "t", "project_id": project})).await;
    let ticket = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "t"})).await;
    Records { company, contact, deal, project, cycle, task, ticket, member }
}

#[tokio::test]
async fn another_workspaces_record_is_404_in_every_path() {
    let app = App::start().await;
    let (mine, theirs) = (app.workspace().await, app.workspace().await);
    let (me, other) = (mine.user(Role::Owner).await.client, theirs.user(Role::Owner).await.client);
    let records = fill(&other, theirs.member("m@example.com").await.to_string()).await;
    let (_, key) = theirs.key(json!({"preset": "crm"})).await;
    let subscription = json!({"module": "crm", "url": "https://example.com/", "events": ["*"]});
    let webhook = other.post("/api/settings/webhooks", subscription).await.id();
    let delivery = other.post(&format!("/api/settings/webhooks/{webhook}/test"), json!({})).await.id();
    let since = json!({"since": "2000-01-01T00:00:00Z"});
    let replay = other.post(&format!("/api/settings/webhooks/{webhook}/replay"), since).await.expect(202).id();
    let article = other.post("/api/settings/kb/articles", json!({"title": "theirs"})).await.id();
    let mut of_simple_kinds = Vec::new();
    for kind in simple_kinds() {
        of_simple_kinds.push((kind.id, other.post(kind.path, (kind.body)(1)).await.id()));
    }
    let entry = other.post("/api/v1/time/entries", json!({"date": "2030-01-07", "seconds": 60})).await.id();
    let session = other.get("/api/account/sessions").await.ids().remove(0);
    let person = other.create("/api/v1/crm/contacts", json!({"email": "gone@example.com"})).await;
    let erasure = other.create("/api/settings/erasures", json!({"contact_id": person})).await;
    let comment = async |path: String| other.post(&path, json!({"body": "b"})).await.id();
    let on_issue = comment(format!("/api/v1/issues/{}/comments", records.task)).await;
    let on_company = comment(format!("/api/v1/crm/companies/{}/comments", records.company)).await;
    let on_deal = comment(format!("/api/v1/crm/deals/{}/comments", records.deal)).await;
    let mut walked = 0;
    // `operators.rs` tests the access of operators.
    let of_records = |operation: &&http_core::Operation| {
        let is_operators = operation.pattern.starts_with("/api/operator/");
        operation.pattern.contains("_id}") && operation.needs.is_some() && !is_operators
    };
    for operation in OPERATIONS.iter().filter(of_records) {
        let path = operation
            .pattern
            .replace("{member_id}", &records.member)
            .replace("{key_id}", &key.to_string())
            .replace("{webhook_id}", &webhook)
            .replace("{delivery_id}", &delivery)
            .replace("{replay_id}", &replay)
            .replace("{article_id}", &article)
            .replace("{entry_id}", &entry)
            .replace("{session_id}", &session)
            .replace("{erasure_id}", &erasure)
            .replace("issue_id}/comments/{comment_id}", &format!("issue_id}}/comments/{on_issue}"))
            .replace("company_id}/comments/{comment_id}", &format!("company_id}}/comments/{on_company}"))
            .replace("deal_id}/comments/{comment_id}", &format!("deal_id}}/comments/{on_deal}"))
            .replace("{company_id}", &records.company)
            .replace("{cycle_id}", &records.cycle)
            .replace("{deal_id}", &records.deal)
            .replace("{project_id}", &records.project)
            .replace("{issue_id}", &records.task);
        let path = of_simple_kinds.iter().fold(path, |path, (name, id)| path.replace(&format!("{{{name}}}"), id));
        let body = match (operation.method, operation.pattern.rsplit('/').next()) {
            ("PATCH", _) if path.contains("members") => json!({"role": "viewer"}),
            ("PATCH", _) if path.contains("webhooks") => json!({"description": "mine"}),
            (_, Some("rotate-secret")) => json!({}),
            (_, Some("replay")) => json!({"since": "2000-01-01T00:00:00Z", "dry_run": true}),
            ("PATCH", _) if path.contains("time/entries") => json!({"note": "mine"}),
            ("PATCH", _) if path.contains("comments") => json!({"body": "mine"}),
            ("PATCH", _) if path.contains("companies") => json!({"name": "mine"}),
            ("PATCH", _) if path.contains("projects") || path.contains("api-keys") => json!({"name": "mine"}),
            ("PATCH", _) => json!({"title": "mine"}),
            (_, Some("cycles")) => json!({"name": "c", "start_date": "2031-01-01", "end_date": "2031-01-14"}),
            (_, Some("comments")) => json!({"body": "b"}),
            _ => Value::Null,
        };
        let send = |client: &Client| {
            let request = client.request(operation.method, &path);
            if operation.has_body { request.json(&body) } else { request }
        };
        let refused = ApiResponse::of(send(&me)).await;
        assert_eq!(refused.status, 404, "{} {path}: {}", operation.method, refused.text);
        assert_eq!(refused.code(), "not_found", "{} {path}: {}", operation.method, refused.text);
        // The record is unchanged, and its own workspace can reach it with the same request (except deletions).
        if operation.pattern.ends_with("/restore") {
            assert_eq!(ApiResponse::of(send(&other)).await.code(), "invalid_state_change", "it is not deleted");
        } else if operation.method != "DELETE" {
            assert!(ApiResponse::of(send(&other)).await.status < 300, "{} {path}", operation.method);
        }
        walked += 1;
    }
    assert_eq!(walked, 64 + 5 * simple_kinds().len(), "a new route with an id needs a body above");
    let _ = other.get(&format!("/api/v1/crm/deals/{}", records.deal)).await.expect(200);
}

#[tokio::test]
async fn lists_show_only_the_workspaces_records() {
    let app = App::start().await;
    let (mine, theirs) = (app.workspace().await, app.workspace().await);
    let (me, other) = (mine.full_access().await, theirs.full_access().await);
    let _ = fill(&other, String::new()).await;
    for path in [
        "/api/v1/crm/contacts",
        "/api/v1/crm/contacts?search=a",
        "/api/v1/crm/companies",
        "/api/v1/crm/companies?search=c",
        "/api/v1/crm/deals",
        "/api/v1/projects",
        "/api/v1/issues",
        "/api/v1/issues?kind=ticket",
        "/api/v1/issues?search=t",
    ] {
        assert_eq!(me.get(path).await.expect(200).ids().len(), 0, "{path}");
        assert_eq!(other.get(path).await.expect(200).ids().len(), 1, "{path}");
    }
    // Unique values are unique per workspace.
    let _ = fill(&me, String::new()).await;
}

#[tokio::test]
async fn a_reference_into_another_workspace_is_like_an_unknown_one() {
    let app = App::start().await;
    let (mine, theirs) = (app.workspace().await, app.workspace().await);
    let (me, other) = (mine.full_access().await, theirs.full_access().await);
    let foreign = fill(&other, theirs.member("m@example.com").await.to_string()).await;
    let own_records = fill(&me, mine.member("n@example.com").await.to_string()).await;
    let deal = format!("/api/v1/crm/deals/{}", own_records.deal);
    let company = format!("/api/v1/crm/companies/{}", own_records.company);
    let project = format!("/api/v1/projects/{}", own_records.project);
    let (task, ticket) =
        (format!("/api/v1/issues/{}", own_records.task), format!("/api/v1/issues/{}", own_records.ticket));
    let hour = json!({"member_id": own_records.member, "date": "2030-01-07", "seconds": 3_600});
    let entry = me.create("/api/v1/time/entries", hour).await;
    let entry = format!("/api/v1/time/entries/{entry}");
    let cases = [
        (&company, "assigned_to", &foreign.member, Some(&own_records.member)),
        (&deal, "contact_id", &foreign.contact, Some(&own_records.contact)),
        (&deal, "company_id", &foreign.contact, None),
        (&deal, "company_id", &foreign.company, Some(&own_records.company)),
        (&deal, "assigned_to", &foreign.member, Some(&own_records.member)),
        (&deal, "rep_id", &foreign.member, Some(&own_records.member)),
        (&project, "deal_id", &foreign.deal, Some(&own_records.deal)),
        (&project, "company_id", &foreign.contact, None),
        (&project, "lead_user_id", &foreign.member, Some(&own_records.member)),
        (&task, "assignee_id", &foreign.member, Some(&own_records.member)),
        (&task, "cycle_id", &foreign.cycle, Some(&own_records.cycle)),
        (&task, "deal_id", &foreign.deal, Some(&own_records.deal)),
        (&task, "contact_id", &foreign.contact, Some(&own_records.contact)),
        (&task, "company_id", &foreign.company, Some(&own_records.company)),
        (&task, "parent_id", &foreign.task, None),
        (&task, "parent_id", &own_records.ticket, None),
        (&ticket, "parent_id", &own_records.task, None),
        (&ticket, "project_id", &foreign.project, Some(&own_records.project)),
        (&entry, "member_id", &foreign.member, Some(&own_records.member)),
        (&entry, "task_id", &foreign.task, None),
        (&entry, "task_id", &own_records.ticket, None),
        (&entry, "ticket_id", &foreign.ticket, None),
        (&entry, "project_id", &foreign.project, None),
        (&entry, "deal_id", &foreign.deal, None),
    ];
    for (path, member, foreign_id, own_id) in cases {
        let missing = me.patch(path, json!({ member: UNKNOWN_ID })).await.expect(422);
        let crossing = me.patch(path, json!({ member: foreign_id })).await.expect(422);
        assert_eq!(crossing.details(), [format!("{member}:not_found")], "{path}");
        assert_eq!(crossing.body["error"]["details"], missing.body["error"]["details"]);
        if let Some(id) = own_id {
            let reply = me.patch(path, json!({ member: id })).await.expect(200);
            assert_eq!(reply.data()[member], *id);
        }
    }
    let many = me
        .post(
            "/api/v1/crm/deals",
            json!({"title": "d", "contact_id": foreign.contact, "assigned_to": UNKNOWN_ID, "rep_id": own_records.member}),
        )
        .await
        .expect(422);
    assert_eq!(many.details(), ["contact_id:not_found", "assigned_to:not_found"]);
}

#[tokio::test]
async fn a_bulk_update_reaches_only_the_workspaces_issues() {
    let app = App::start().await;
    let (mine, theirs) = (app.workspace().await, app.workspace().await);
    let (me, other) = (mine.full_access().await, theirs.full_access().await);
    let foreign = fill(&other, String::new()).await;
    let own_records = fill(&me, String::new()).await;
    let body = json!({"issueIds": [foreign.task, own_records.task], "patch": {"priority": "urgent"}});
    let reply = me.post("/api/v1/issues/bulk-update", body).await.expect(200);
    assert_eq!(reply.data()["updated"], json!([own_records.task]));
    assert_eq!(reply.data()["failed"][0]["code"], "not_found");
    assert_eq!(other.get(&format!("/api/v1/issues/{}", foreign.task)).await.data()["priority"], "medium");
    for (member, id) in [("assignee_id", UNKNOWN_ID), ("cycle_id", &foreign.cycle), ("epic_id", &foreign.task)] {
        let body = json!({"issueIds": [own_records.task], "patch": {member: id}});
        let reply = me.post("/api/v1/issues/bulk-update", body).await.expect(422);
        assert_eq!(reply.details(), [format!("patch.{member}:not_found")]);
    }
}
