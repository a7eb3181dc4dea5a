//! Replaying a history from the start gives the current record, whatever was done to it.

use std::collections::BTreeMap;

use domain::identity::workspaces::Role;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use test_support::{App, Client, eventually};

use crate::all_callers::{customer_of, intake, issue_of};
use crate::support::all_pages;
use crate::tools::call;

/// A step: the action, the kind of record, the record, and the value.
type Step = (u8, u8, u8, u8);

/// The records of a run by kind, oldest first.
type CreatedRecords = BTreeMap<&'static str, Vec<String>>;

const KINDS: [&str; 8] = ["contact", "company", "deal", "project", "cycle", "task", "ticket", "article"];

/// The suffix of the tools of a kind.
fn tool(verb: &str, kind: &str) -> String {
    if kind == "article" { format!("{verb}_kb_article") } else { format!("{verb}_{kind}") }
}

struct Run<'a> {
    app: &'a App,
    key: Client,
    owner: Client,
    member: String,
    made: CreatedRecords,
}

impl Run<'_> {
    /// Picks one of the records created so far, including deleted ones.
    fn pick(&self, kind: &str, number: u8) -> Option<&String> {
        let of_kind = self.made.get(kind)?;
        of_kind.get(usize::from(number) % of_kind.len().max(1))
    }

    /// Calls a tool. Some calls are refused by rules: a loop, a taken value, a final state.
    async fn tool(&self, name: &str, arguments: Value) -> Option<Value> {
        let reply = call(&self.key, name, arguments.clone()).await;
        assert!(reply.status == 200, "{name} {arguments}: {}", reply.text);
        (reply.body["isError"] == json!(false)).then(|| reply.body["structuredContent"].clone())
    }

    async fn create(&mut self, kind: &'static str, number: u8, value: u8) {
        let serial = self.made.values().map(Vec::len).sum::<usize>();
        let day = |day: usize| format!("2030-{:02}-{:02}", day / 28 % 12 + 1, day % 28 + 1);
        let arguments = match kind {
            "contact" => json!({"email": format!("c{serial}@example.com"), "company_id": self.pick("company", value)}),
            "company" => json!({"name": format!("Company {serial}"), "external_id": format!("e{}", value % 6)}),
            "deal" => {
                json!({"title": "Deal", "company_id": self.pick("company", value), "value": f64::from(value) / 4.0})
            }
            "project" => json!({"name": "Project", "company_id": self.pick("company", value)}),
            "cycle" => {
                let Some(project) = self.pick("project", number) else { return };
                json!({"project_id": project, "name": "Cycle", "start_date": day(serial * 2), "end_date": day(serial * 2)})
            }
            "task" => json!({"title": "Task", "project_id": self.pick("project", value), "parent_id": null}),
            "ticket" => json!({"title": "Ticket", "requester_email": format!("r{}@example.com", value % 3)}),
            _ => json!({"title": format!("Article {serial}"), "body": "# Text"}),
        };
        let without_nulls = arguments.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
        let arguments: Map<_, _> = without_nulls.map(|(name, value)| (name.clone(), value.clone())).collect();
        if let Some(made) = self.tool(&tool("create", kind), arguments.into()).await {
            self.made.entry(kind).or_default().push(made["id"].as_str().unwrap().to_owned());
        }
    }

    /// A change to one or two fields. Some have no effect or also change other fields.
    fn change(&self, kind: &str, value: u8) -> Value {
        let text = format!("text {}", value % 4);
        let choose = |choices: &[&str]| choices[usize::from(value / 8) % choices.len()].to_owned();
        let nobody_or = |is_set: bool| if is_set { json!(self.member) } else { Value::Null };
        match (kind, value % 8) {
            ("contact", 0..4) => json!({"job_title": text, "tags": [text]}),
            ("contact", 4..6) => {
                json!({"status": choose(&["active", "blocked"]), "custom_fields": {format!("n{}", value % 3): value}})
            }
            ("contact", 6) => json!({"custom_fields": {"n0": null, "n.1": text}}),
            ("contact", _) => json!({"custom_fields": null, "status": choose(&["active", "blocked"])}),
            ("company", 0..4) => json!({"name": text, "notes": null}),
            ("company", _) => json!({"external_id": format!("e{}", value % 6), "notes": text}),
            ("deal", 0..2) => json!({"title": text, "tags": [text]}),
            ("deal", 2..5) => json!({"status": choose(&["open", "on_hold", "closed_won", "closed_lost"])}),
            ("deal", 5) => json!({"stage": choose(&["discovery", "proposal", "closed_lost"]), "value": 1.25}),
            ("deal", _) => json!({"assigned_to": nobody_or(value > 99), "title": text}),
            ("project", 0..4) => json!({"status": choose(&["planning", "active", "completed", "archived"])}),
            ("project", _) => json!({"progress": value % 101, "lead_user_id": nobody_or(value > 99)}),
            ("cycle", _) => json!({"name": text, "goal": text}),
            ("task", 0..2) => json!({"status": choose(&["todo", "in_progress", "done"]), "title": text}),
            ("task", 2) => json!({"project_id": self.pick("project", value), "cycle_id": null}),
            ("task", 3) => json!({"cycle_id": self.pick("cycle", value)}),
            ("task", 4) => json!({"parent_id": self.pick("task", value)}),
            ("task", 5) => json!({"deal_id": self.pick("deal", value), "company_id": self.pick("company", value)}),
            ("ticket", 0..4) => json!({"status": choose(&["open", "pending", "resolved", "closed"]), "title": text}),
            ("task" | "ticket", _) => json!({"assignee_id": nobody_or(value > 99), "estimate_hours": 1.5}),
            (_, 0..4) => json!({"status": choose(&["draft", "published"])}),
            _ => json!({"title": text, "body": text, "tags": [text]}),
        }
    }

    async fn bulk(&self, number: u8, value: u8) {
        let issues = ["task", "ticket"].into_iter().filter_map(|kind| self.made.get(kind)).flatten();
        let issues: Vec<_> = issues.skip(usize::from(number) % 4).step_by(1 + usize::from(number) % 3).collect();
        let patch = match value % 5 {
            0 => json!({"add_labels": [format!("l{}", value / 16)], "priority": "high"}),
            1 => json!({"remove_labels": ["l1", "l2"]}),
            2 => json!({"status": if value > 99 { "done" } else { "resolved" }}),
            3 => json!({"cycle_id": self.pick("cycle", value / 16)}),
            _ => json!({"assignee_id": self.member, "start_date": "2030-01-01"}),
        };
        if !issues.is_empty() {
            let _ = self.tool("bulk_update_issues", json!({"issueIds": issues, "patch": patch})).await;
        }
    }

    async fn upsert(&mut self, kind: &'static str, number: u8, value: u8) {
        let external = format!("e{}", value % 6);
        let (name, items) = match kind {
            "contact" => {
                ("upsert_contacts", json!([{"email": format!("u{number}@example.com"), "external_id": external}]))
            }
            "company" => ("upsert_companies", json!([{"name": format!("U{number}"), "external_id": external}])),
            _ => ("upsert_deals", json!([{"title": format!("U{number}"), "external_id": external, "value": 2}])),
        };
        let Some(done) = self.tool(name, json!({ "items": items })).await else { return };
        let created = done["created"].as_array().unwrap().iter();
        let kind = if ["contact", "company"].contains(&kind) { kind } else { "deal" };
        self.made.entry(kind).or_default().extend(created.map(|id| id.as_str().unwrap().to_owned()));
    }

    async fn comment(&self, kind: &str, number: u8, value: u8) {
        let member = match kind {
            "contact" | "company" | "deal" => format!("{kind}_id"),
            "task" | "ticket" => "issue_id".to_owned(),
            _ => return,
        };
        let Some(record) = self.pick(kind, number) else { return };
        let Some(added) = self.tool("add_comment", json!({ member: record, "body": "Text" })).await else { return };
        if !value.is_multiple_of(3) {
            let _ = self.tool("update_comment", json!({"id": added["id"], "body": format!("Text {value}")})).await;
        }
        if value % 3 > 1 {
            let _ = self.tool("delete_comment", json!({"id": added["id"]})).await;
        }
    }

    /// A ticket opened by a customer.
    async fn open_ticket(&mut self, value: u8) {
        let created = self.key.post("/api/public/tickets", intake(&format!("i{value}@example.org"))).await.expect(201);
        let id = issue_of(&self.key, created.data()["reference"].as_str().unwrap()).await;
        self.made.entry("ticket").or_default().push(id);
    }

    /// A reply by a customer, which reopens a pending or resolved ticket.
    async fn reply_as_customer(&self, number: u8) {
        let Some(id) = self.pick("ticket", number) else { return };
        let ticket = self.key.get(&format!("/api/v1/issues/{id}")).await.expect(200);
        let reference = ticket.data()["reference"].as_str().unwrap();
        if ticket.data()["status"] != "closed" && ticket.data()["requester"].is_object() {
            let customer = customer_of(self.app, &self.key, reference).await;
            let _ = customer.post("/api/portal/ticket/replies", json!({"body": "Reply"})).await.expect(201);
        }
    }

    async fn step(&mut self, (action, kind, number, value): Step) {
        let kind = KINDS[usize::from(kind) % KINDS.len()];
        match action % 18 {
            0..4 => self.create(kind, number, value).await,
            4..10 => {
                let Some(id) = self.pick(kind, number) else { return };
                let mut arguments = self.change(kind, value);
                arguments["id"] = json!(id);
                let _ = self.tool(&tool("update", kind), arguments).await;
            }
            10 | 11 => self.bulk(number, value).await,
            12 => self.upsert(kind, number, value).await,
            13 | 14 => self.comment(kind, number, value).await,
            15 => self.open_ticket(value).await,
            16 => self.reply_as_customer(number).await,
            _ => {
                if let Some(id) = self.pick(kind, number).filter(|_| kind != "ticket" && value % 2 == 0) {
                    let _ = self.tool(&tool("delete", kind), json!({ "id": id })).await;
                }
            }
        }
    }

    /// The record as returned by REST; `None` if it is deleted.
    async fn record(&self, kind: &str, id: &str) -> Option<Value> {
        let one = match kind {
            "company" => format!("/api/v1/crm/companies/{id}"),
            "deal" => format!("/api/v1/crm/deals/{id}"),
            "project" => format!("/api/v1/projects/{id}"),
            "task" | "ticket" => format!("/api/v1/issues/{id}"),
            "article" => format!("/api/settings/kb/articles/{id}"),
            "contact" => {
                let listed = self.owner.get("/api/v1/crm/contacts?limit=100").await.expect(200);
                return listed.body["data"].as_array().unwrap().iter().find(|contact| contact["id"] == id).cloned();
            }
            _ => {
                for project in self.made.get("project").into_iter().flatten() {
                    let listed = self.owner.get(&format!("/api/v1/projects/{project}/cycles?limit=100")).await;
                    let cycles = listed.body["data"].as_array().cloned().unwrap_or_default();
                    if let Some(found) = cycles.into_iter().find(|cycle| cycle["id"] == id) {
                        return Some(found);
                    }
                }
                return None;
            }
        };
        let reply = self.owner.get(&one).await;
        (reply.status == 200).then(|| reply.data().clone())
    }

    /// The history, oldest first. Kinds without a REST route use the tool, which returns short values in full.
    async fn history(&self, kind: &str, id: &str) -> Vec<Value> {
        let path = match kind {
            "company" => format!("/api/v1/crm/companies/{id}/history"),
            "deal" => format!("/api/v1/crm/deals/{id}/history"),
            "project" => format!("/api/v1/projects/{id}/history"),
            "task" | "ticket" => format!("/api/v1/issues/{id}/history"),
            _ => return self.history_by_tool(kind, id).await,
        };
        let pages = all_pages(&self.owner, &format!("{path}?limit=3")).await;
        let newest_first = pages.iter().flat_map(|page| page.body["data"].as_array().unwrap());
        newest_first.rev().cloned().collect()
    }

    async fn history_by_tool(&self, kind: &str, id: &str) -> Vec<Value> {
        let (mut events, mut cursor) = (Vec::new(), Value::Null);
        loop {
            let arguments = json!({"type": kind, "id": id, "cursor": cursor});
            let page = self.tool("get_history", arguments).await.unwrap();
            for mut event in page["data"].as_array().unwrap().clone() {
                let changes = event["changes"].as_array().unwrap().iter();
                let change = |it: &Value| {
                    (it["member"].as_str().unwrap().to_owned(), json!({"from": it["from"], "to": it["to"]}))
                };
                event["changes"] = Value::Object(changes.map(change).collect());
                events.push(event);
            }
            cursor = page["pagination"]["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        events.reverse();
        events
    }

    /// The current texts of the comments on a record.
    async fn comments(&self, kind: &str, id: &str) -> BTreeMap<String, Value> {
        let member = match kind {
            "task" | "ticket" => "issue_id".to_owned(),
            "contact" | "company" | "deal" => format!("{kind}_id"),
            _ => return BTreeMap::new(),
        };
        let listed = self.tool("list_comments", json!({ member: id, "limit": 100 })).await.unwrap();
        let rows = listed["data"].as_array().unwrap().iter();
        rows.map(|row| (row["id"].as_str().unwrap().to_owned(), row["body"].clone())).collect()
    }

    /// The history of a record, once it contains deletions and restorations with a project.
    async fn whole_history(&self, kind: &str, id: &str, is_live: bool) -> Vec<Value> {
        let is_deletion = |event: &Value| event["event"].as_str().is_some_and(|name| name.ends_with(".deleted"));
        let is_whole = |history: &[Value]| is_live || history.iter().any(is_deletion);
        eventually("a deletion is announced", async || is_whole(&self.history(kind, id).await)).await;
        self.history(kind, id).await
    }

    async fn check(&self) {
        for (kind, ids) in &self.made {
            for id in ids {
                let record = self.record(kind, id).await;
                let history = self.whole_history(kind, id, record.is_some()).await;
                let (folded, is_deleted) = replay(kind, &history);
                match record {
                    Some(record) => {
                        assert!(!is_deleted, "{kind} {id} is live: {history:#?}");
                        assert_eq!(comparable(kind, &folded), comparable(kind, &record), "{kind} {id}: {history:#?}");
                        assert_eq!(comments_of(&history), self.comments(kind, id).await, "{kind} {id}: {history:#?}");
                    }
                    None => assert!(is_deleted, "{kind} {id}: {history:#?}"),
                }
            }
        }
    }
}

/// The members that a history contains: counts and values that depend on the date are excluded. The tool omits
/// members without a value.
fn comparable(kind: &str, record: &Value) -> Map<String, Value> {
    let derived: &[&str] = if kind == "cycle" { &["issue_count", "completed_issue_count", "status"] } else { &[] };
    let by_tool = ["contact", "cycle", "article"].contains(&kind);
    let is_said = |(name, value): &(&String, &Value)| {
        let is_empty = value.is_null() || **value == json!([]) || **value == json!({});
        !derived.contains(&name.as_str())
            && !(by_tool && (is_empty || ["version", "updated_at"].contains(&name.as_str())))
    };
    let members = record.as_object().unwrap().iter().filter(is_said);
    members.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The texts of the comments that result from a history.
fn comments_of(history: &[Value]) -> BTreeMap<String, Value> {
    let mut comments = BTreeMap::<String, Value>::new();
    for event in history.iter().filter(|event| event["version"].is_null()) {
        let verb = event["event"].as_str().unwrap().split_once('.').unwrap().1;
        let id = event["data"]["id"].as_str().unwrap().to_owned();
        let known = match verb {
            "comment_added" => comments.insert(id, event["data"]["body"].clone()).is_none(),
            "comment_deleted" => comments.remove(&id).is_some_and(|body| body == event["data"]["body"]),
            _ => {
                let before = comments.insert(id, event["changes"]["body"]["to"].clone());
                before.as_ref() == Some(&event["changes"]["body"]["from"])
            }
        };
        assert!(known, "{event:#} of {history:#?}");
    }
    comments
}

/// The result of the events, and whether the record was deleted. Each change must start from the result of the earlier ones,
/// and each event must contain the record as of its time.
fn replay(kind: &str, history: &[Value]) -> (Value, bool) {
    let versions: Vec<_> = history.iter().filter(|event| !event["version"].is_null()).collect();
    let (mut record, mut is_deleted) = (Value::Null, false);
    for (index, version) in versions.chunk_by(|one, other| one["version"] == other["version"]).enumerate() {
        assert_eq!(version[0]["version"], json!(index + 1), "versions without a gap: {history:#?}");
        assert!(!is_deleted, "nothing happens to a deleted record: {history:#?}");
        for event in version {
            let verb = event["event"].as_str().unwrap().split_once('.').unwrap().1;
            let changes = event["changes"].as_object().unwrap();
            assert_eq!(changes.is_empty(), ["created", "deleted"].contains(&verb), "{event:#}");
            is_deleted |= verb == "deleted";
            if index == 0 {
                assert_eq!(verb, "created", "{history:#?}");
                record = event["data"].clone();
            }
            for (member, change) in changes {
                if let Some(name) = member.strip_prefix("custom_fields.") {
                    replay_custom_field(&mut record, name, change);
                    continue;
                }
                let before = record.get(member).cloned().unwrap_or_default();
                let is_empty = before.is_null() && (change["from"] == json!([]) || change["from"] == json!({}));
                assert!(change["from"] == before || is_empty, "{member} of {event:#}\nwas {before}");
                record[member] = change["to"].clone();
            }
        }
        for event in version.iter().filter(|event| !event["data"].is_null()) {
            record["version"] = event["data"]["version"].clone();
            record["updated_at"] = event["data"]["updated_at"].clone();
            assert_eq!(comparable(kind, &record), comparable(kind, &event["data"]), "{history:#?}");
        }
    }
    (record, is_deleted)
}

/// A null field is absent. The tool omits an object without members.
fn replay_custom_field(record: &mut Value, name: &str, change: &Value) {
    if !record["custom_fields"].is_object() {
        record["custom_fields"] = json!({});
    }
    let fields = record["custom_fields"].as_object_mut().unwrap();
    assert_eq!(fields.get(name).cloned().unwrap_or_default(), change["from"], "custom_fields.{name}: {change}");
    if change["to"].is_null() {
        fields.remove(name);
    } else {
        fields.insert(name.to_owned(), change["to"].clone());
    }
}

#[test]
fn histories_replayed_from_the_start_give_the_current_records() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let app = runtime.block_on(App::start());
    // Failing cases are shrunk.
    let config = Config { cases: 8, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let steps = proptest::collection::vec(any::<Step>(), 1..60);
    let checked = TestRunner::new(config).run(&steps, |steps| {
        runtime.block_on(async {
            let tenant = app.workspace().await;
            let (key, owner) = (tenant.full_access().await, tenant.user(Role::Owner).await.client);
            let member = tenant.user(Role::Member).await.id.to_string();
            let mut run = Run { app: &app, key, owner, member, made: CreatedRecords::new() };
            for kind in KINDS {
                run.create(kind, 0, 0).await;
            }
            for step in steps {
                run.step(step).await;
            }
            run.check().await;
        });
        Ok(())
    });
    checked.unwrap();
}
