//! A fixture with one record of every kind, and valid arguments for every tool.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use test_support::{App, Client, Tenant, simple_kinds};

use super::calls::{create, run, with_all_tools};
use crate::all_callers::{issue_of, open_ticket};

/// Webhook target of these tests; nothing is sent unless the test runs a dispatcher.
const URL: &str = "http://127.0.0.1:9/hook";

/// One record of every kind.
pub(super) struct ToolWorld {
    pub(super) client: Client,
    pub(super) contact: String,
    pub(super) company: String,
    pub(super) deal: String,
    pub(super) project: String,
    pub(super) cycle: String,
    pub(super) task: String,
    pub(super) ticket: String,
    pub(super) comment: String,
    pub(super) article: String,
    pub(super) time_entry: String,
    pub(super) webhook: String,
    pub(super) delivery: String,
    pub(super) member: String,
    next: AtomicU32,
}

impl ToolWorld {
    pub(super) async fn start() -> (App, Tenant, Self) {
        let (app, tenant) = App::with_workspace().await;
        let world = Self::of(&tenant).await;
        (app, tenant, world)
    }

    pub(super) async fn of(tenant: &Tenant) -> Self {
        let client = with_all_tools(tenant).await;
        let webhook = new_webhook(&client).await;
        let project = create(&client, "create_project", json!({"name": "Launch"})).await;
        let days =
            json!({"project_id": project, "name": "Week 1", "start_date": "2029-01-01", "end_date": "2029-01-07"});
        let article = json!({"title": "Reset a password", "body": "Open settings.", "status": "published"});
        let task = json!({"title": "Write copy", "project_id": project});
        let mut world = Self {
            cycle: create(&client, "create_cycle", days).await,
            comment: String::new(),
            time_entry: String::new(),
            contact: create(&client, "create_contact", json!({"email": "ada@example.com"})).await,
            company: create(&client, "create_company", json!({"name": "Acme"})).await,
            deal: create(&client, "create_deal", json!({"title": "Licences"})).await,
            task: create(&client, "create_task", task).await,
            // Created by intake, so that it has a requester.
            ticket: issue_of(&client, &open_ticket(&client, "grace@example.org").await).await,
            article: create(&client, "create_kb_article", article).await,
            delivery: create(&client, "test_webhook", json!({"id": webhook})).await,
            member: tenant.member(&format!("member@{}.example", tenant.workspace.slug)).await.to_string(),
            next: AtomicU32::new(1),
            client,
            project,
            webhook,
        };
        world.comment = create(&world.client, "add_comment", json!({"deal_id": world.deal, "body": "Hi"})).await;
        let entry = json!({"member_id": world.member, "task_id": world.task, "duration": "1h30", "date": "2029-01-02"});
        world.time_entry = create(&world.client, "log_time", entry).await;
        let _ = create(&world.client, "add_comment", json!({"issue_id": world.task, "body": "First"})).await;
        let _ = create(&world.client, "add_comment", json!({"issue_id": world.ticket, "body": "Hello"})).await;
        world
    }

    fn number(&self) -> u32 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Arguments with which the tool succeeds; different ones on each call.
    ///
    /// # Panics
    /// For a tool that is not in the table.
    #[expect(clippy::too_many_lines, reason = "a row for each tool")]
    pub(super) async fn arguments(&self, tool: &str) -> Value {
        let (client, number) = (&self.client, self.number());
        let id_of = |id: &str| json!({ "id": id });
        match tool {
            "list_contacts" => json!({
                "search": "ada", "status": ["active"], "limit": 5, "email": "ADA@example.com", "tag": ["vip"],
                "contact_type": ["new", "lead"], "external_id": "x1", "company_id": self.company,
            }),
            "list_members" => json!({"search": "mem", "limit": 5}),
            "get_history" => json!({"type": "deal", "id": self.deal, "limit": 5}),
            "list_events" => json!({
                "module": ["crm"], "event": ["deal.created", "deal.won"], "record_id": self.deal, "actor": "api_key",
                "since": "2020-01-01T00:00:00Z", "limit": 5,
            }),
            "get_contact" => id_of(&self.contact),
            "create_contact" => json!({
                "email": format!("c{number}@example.com"), "first_name": "Ada", "last_name": "Löwe", "tags": ["vip"],
                "company_id": self.company, "contact_type": "lead", "custom_fields": {"size": 3}, "notes": "Met\nonce",
                "social_linkedin": "https://www.linkedin.com/in/ada", "phone": "+49 30 123",
            }),
            "update_contact" => json!({"id": self.contact, "job_title": format!("Engineer {number}"), "notes": null}),
            "delete_contact" => {
                id_of(&create(client, "create_contact", json!({"email": format!("d{number}@example.com")})).await)
            }
            "erase_contact" => json!({
                "contact_id": create(client, "create_contact", json!({"email": format!("e{number}@example.com")})).await,
            }),
            "upsert_contacts" => json!({"items": [
                {"email": format!("u{number}@example.com"), "external_id": format!("u{number}"), "tags": ["synced"]},
                {"email": "ada@example.com", "city": format!("City {number}"), "notes": null},
            ], "dry_run": false}),
            "list_companies" => json!({"search": "acm"}),
            "get_company" => id_of(&self.company),
            "create_company" => json!({
                "name": "Globex", "domain": format!("globex{number}.example"), "website": "https://globex.example",
                "industry": "Energy", "notes": "n", "external_id": format!("x{number}"), "phone": "1",
            }),
            "update_company" => json!({"id": self.company, "industry": format!("Steel {number}")}),
            "delete_company" => id_of(&create(client, "create_company", json!({"name": "Gone"})).await),
            "upsert_companies" => json!({"items": [
                {"name": "Initech", "domain": format!("initech{number}.example"), "external_id": format!("u{number}")},
            ]}),
            "list_deals" => json!({
                "status": ["open", "on_hold"], "stage": ["discovery"], "assignee": [self.member], "value_min": 0,
                "value_max": 1000.5, "contact_id": self.contact, "company_id": self.company, "search": "lic",
                "currency": ["EUR", "USD"], "external_id": "x1", "tag": ["q1"], "order": "value",
            }),
            "summarize_deals" => json!({
                "group_by": ["status", "stage", "currency", "assignee"], "status": ["open"], "search": "lic",
            }),
            "get_deal" => id_of(&self.deal),
            "create_deal" => json!({
                "title": "Renewal", "value": 1234.56, "currency": "EUR", "probability": 60, "stage": "proposal",
                "contact_id": self.contact, "company_id": self.company, "assigned_to": self.member,
                "expected_close_date": "2030-01-31", "commission_pct": 2.5, "tags": ["q1"],
            }),
            "update_deal" => json!({"id": self.deal, "title": format!("Licences {number}"), "value": 10}),
            "restore_record" => {
                let deleted = create(client, "create_deal", json!({"title": "Gone"})).await;
                let _ = run(client, "delete_deal", id_of(&deleted)).await;
                json!({"type": "deal", "id": deleted})
            }
            "delete_deal" => id_of(&create(client, "create_deal", json!({"title": "Gone"})).await),
            "list_projects" => json!({"limit": 1, "search": "lau", "status": ["planning"], "external_id": "p0"}),
            "upsert_deals" => json!({"items": [
                {"title": "Synced", "external_id": format!("u{number}"), "value": 12.5, "stage": "proposal"},
            ]}),
            "get_project" => id_of(&self.project),
            "create_project" => json!({
                "name": "Site", "status": "active", "priority": "high", "progress": 10, "start_date": "2030-01-01",
                "end_date": "2030-02-01", "lead_user_id": self.member, "deal_id": self.deal, "company_id": self.company,
                "github_url": "https://github.com/acme/site", "hosted": true, "external_id": format!("p{number}"),
            }),
            "update_project" => json!({"id": self.project, "description": format!("Text {number}")}),
            "delete_project" => id_of(&create(client, "create_project", json!({"name": "Gone"})).await),
            "list_cycles" => json!({"project_id": self.project}),
            "create_cycle" => json!({
                "project_id": create(client, "create_project", json!({"name": "Sprints"})).await, "name": "Sprint 1",
                "goal": "Ship", "start_date": "2030-01-01", "end_date": "2030-01-14",
            }),
            "list_tasks" => json!({
                "status": ["todo", "in_progress"], "project_id": self.project, "search": "write", "priority": ["high"],
                "assignee": ["none", self.member], "label": ["bug"], "due_after": "2030-01-01T00:00:00Z",
                "due_before": "2030-02-01T00:00:00Z", "cycle_id": self.project,
            }),
            "summarize_tasks" => json!({
                "group_by": ["status", "priority", "assignee", "project"], "assignee": ["none"], "search": "write",
            }),
            "update_cycle" => json!({"id": self.cycle, "name": format!("Week {number}"), "goal": null}),
            "delete_cycle" => {
                let project = create(client, "create_project", json!({"name": "Sprints"})).await;
                let days = json!({"start_date": "2030-01-01", "end_date": "2030-01-14"});
                let mut cycle = json!({"project_id": project, "name": "Gone"});
                cycle.as_object_mut().unwrap().extend(days.as_object().unwrap().clone());
                id_of(&create(client, "create_cycle", cycle).await)
            }
            "get_task" => id_of(&self.task),
            "create_task" => json!({
                "title": "Test", "description": "d", "status": "in_progress", "priority": "urgent", "due_at": "2030-01-01T10:00:00+02:00",
                "project_id": self.project, "assignee_id": self.member, "parent_id": self.task, "estimate_hours": 2.25,
            }),
            "update_task" => json!({"id": self.task, "title": format!("Write copy {number}"), "estimate_hours": 1}),
            "delete_task" => id_of(&create(client, "create_task", json!({"title": "Gone"})).await),
            "bulk_update_issues" => json!({
                "issueIds": [self.task, self.ticket],
                "patch": {"priority": "low", "add_labels": [format!("l{number}")], "assignee_id": self.member},
            }),
            "list_comments" => json!({"issue_id": self.ticket, "body_characters": 100}),
            "add_comment" => json!({"issue_id": self.ticket, "body": "We are on it", "visibility": "public"}),
            "list_tickets" => json!({
                "status": ["open", "pending"], "search": "print", "requester": "Grace@example.org",
                "reference": "TKT-0123456789",
            }),
            "summarize_tickets" => json!({"group_by": ["status"], "requester": "grace@example.org"}),
            "update_comment" => json!({"id": self.comment, "body": format!("Hi {number}")}),
            "delete_comment" => {
                id_of(&create(client, "add_comment", json!({"contact_id": self.contact, "body": "Gone"})).await)
            }
            "get_ticket" => id_of(&self.ticket),
            "create_ticket" => json!({
                "title": "Broken", "status": "pending", "priority": "high", "description": "d",
                "requester_email": "ada@example.com", "requester_name": "Ada L.",
            }),
            "update_ticket" => json!({"id": self.ticket, "title": format!("Does not print {number}")}),
            "search_kb" => json!({"q": "password", "limit": 3}),
            "list_kb_articles" => json!({"status": "published"}),
            "get_kb_article" => id_of(&self.article),
            "create_kb_article" => json!({"title": format!("How {number}"), "body": "# How\n\nSo.", "tags": ["a"]}),
            "update_kb_article" => json!({"id": self.article, "body": format!("Open settings {number}.")}),
            "delete_kb_article" => {
                id_of(&create(client, "create_kb_article", json!({"title": format!("Gone {number}")})).await)
            }
            "list_time_entries" => json!({
                "member": [self.member], "task_id": self.task, "from": "2029-01-01", "to": "2029-01-31",
                "status": ["stopped", "submitted"], "billable": true, "limit": 5,
            }),
            "summarize_time" => json!({"group_by": ["member", "week"], "from": "2029-01-01", "to": "2029-01-31"}),
            "log_time" => json!({
                "member_id": self.member, "project_id": self.project, "duration": "45m", "date": "2029-01-03",
                "billable": false, "note": format!("Call {number}"),
            }),
            "start_timer" => json!({"member_id": self.member, "task_id": self.task, "note": format!("Draft {number}")}),
            "stop_timer" => {
                let timer = json!({"member_id": self.member, "deal_id": self.deal});
                let _ = run(client, "start_timer", timer).await;
                json!({"member_id": self.member})
            }
            "update_time_entry" => json!({"id": self.time_entry, "note": format!("Copy {number}"), "duration": "2:15"}),
            "delete_time_entry" => {
                let entry = json!({"member_id": self.member, "duration": "5m", "date": "2029-01-04"});
                id_of(&create(client, "log_time", entry).await)
            }
            "whoami" | "list_webhooks" => json!({}),
            "get_webhook" | "rotate_webhook_secret" | "test_webhook" => id_of(&self.webhook),
            "create_webhook" => json!({
                "module": "projects", "url": URL, "events": ["task.created", "project.updated"], "description": "d",
                "scope": {"project_id": self.project}, "enabled": true,
            }),
            "update_webhook" => json!({"id": self.webhook, "description": format!("Hook {number}")}),
            "delete_webhook" => id_of(&new_webhook(client).await),
            "list_webhook_deliveries" => {
                json!({"webhook_id": self.webhook, "state": ["pending"], "event": "webhook.test"})
            }
            "get_webhook_delivery" | "redeliver_webhook" => id_of(&self.delivery),
            other => simple_arguments(client, other, number).await,
        }
    }
}

/// Arguments for a tool of a simple kind.
async fn simple_arguments(client: &Client, tool: &str, number: u32) -> Value {
    let (verb, noun) = tool.split_once('_').unwrap();
    let kind = simple_kinds().into_iter().find(|kind| [kind.noun, kind.plural].contains(&noun));
    let kind = kind.unwrap_or_else(|| panic!("no arguments for {tool}"));
    let body = || (kind.body)(u8::try_from(number % 50 + 1).unwrap());
    if verb == "list" {
        return json!({"search": "nothing", "limit": 5});
    }
    if verb == "create" {
        return body();
    }
    let id = create(client, &format!("create_{}", kind.noun), body()).await;
    if verb == "update" { json!({"id": id, kind.required: format!("Text {number}")}) } else { json!({ "id": id }) }
}

async fn new_webhook(client: &Client) -> String {
    create(client, "create_webhook", json!({"module": "crm", "url": URL, "events": ["*"]})).await
}
