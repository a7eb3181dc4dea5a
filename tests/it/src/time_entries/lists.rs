//! The list of entries: every filter, orders and pages, over REST and as a tool.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::App;

use super::{ENTRIES, duration, entry, merged, start, step};
use crate::tools::{run, with_all_tools};

#[tokio::test]
async fn every_filter_finds_its_entries() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let (ada, bob) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await);
    let create = async |path: &str, body: Value| owner.post(path, body).await.expect(201).id();
    let company = create("/api/v1/crm/companies", json!({"name": "Acme"})).await;
    let project = create("/api/v1/projects", json!({"name": "p", "company_id": company})).await;
    let deal = create("/api/v1/crm/deals", json!({"title": "d"})).await;
    let task = super::task(&owner, Some(&project)).await;
    let ticket = create("/api/v1/issues", json!({"kind": "ticket", "title": "t"})).await;
    let day = |date: &str, more: Value| merged(duration(date, 60), more);
    let mut ids = Vec::new();
    for (client, body) in [
        (&ada.client, day("2030-01-07", json!({"task_id": task}))),
        (&ada.client, day("2030-01-08", json!({"ticket_id": ticket, "billable": false}))),
        (&bob.client, day("2030-01-09", json!({"project_id": project}))),
        (&bob.client, day("2030-01-10", json!({"deal_id": deal}))),
    ] {
        ids.push(entry(client, body).await.id());
    }
    let _ = step(&owner, "approve", &[&ids[0]]).await.expect(200);
    ids.push(start(&bob.client, json!({})).await.expect(201).id());
    let tools = with_all_tools(&tenant).await;
    for (query, arguments, expected) in [
        (String::new(), json!({}), &[4, 3, 2, 1, 0][..]),
        (format!("member={}", ada.id), json!({"member": [ada.id]}), &[1, 0]),
        (
            format!("member={}&member={}&from=2030-01-01", ada.id, bob.id),
            json!({"member": [ada.id, bob.id], "from": "2030-01-01"}),
            &[3, 2, 1, 0],
        ),
        (format!("task_id={task}"), json!({"task_id": task}), &[0]),
        (format!("ticket_id={ticket}"), json!({"ticket_id": ticket}), &[1]),
        (format!("project_id={project}"), json!({"project_id": project}), &[2, 0]),
        (format!("deal_id={deal}"), json!({"deal_id": deal}), &[3]),
        (format!("company_id={company}"), json!({"company_id": company}), &[2, 0]),
        ("status=approved".to_owned(), json!({"status": "approved"}), &[0]),
        ("status=approved&status=running".to_owned(), json!({"status": ["approved", "running"]}), &[4, 0]),
        ("billable=false".to_owned(), json!({"billable": false}), &[1]),
        ("from=2030-01-08&to=2030-01-09".to_owned(), json!({"from": "2030-01-08", "to": "2030-01-09"}), &[2, 1]),
        ("from=2030-01-08&to=2030-01-08".to_owned(), json!({"from": "2030-01-08", "to": "2030-01-08"}), &[1]),
        (
            "from=2030-01-01&order=date_asc".to_owned(),
            json!({"from": "2030-01-01", "order": "date_asc"}),
            &[0, 1, 2, 3],
        ),
        (
            "from=2030-01-01&order=date_desc".to_owned(),
            json!({"from": "2030-01-01", "order": "date_desc"}),
            &[3, 2, 1, 0],
        ),
        ("order=oldest&billable=true".to_owned(), json!({"order": "oldest", "billable": true}), &[0, 2, 3, 4]),
    ] {
        let expected: Vec<_> = expected.iter().map(|index: &usize| ids[*index].clone()).collect();
        assert_eq!(owner.get(&format!("{ENTRIES}?{query}")).await.expect(200).ids(), expected, "{query}");
        let rows = run(&tools, "list_time_entries", arguments.clone()).await["data"].as_array().unwrap().clone();
        let results: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(results, expected, "{arguments}");
    }
    let by_id = owner.get(&format!("{ENTRIES}?ids={}&ids={}&fields=note", ids[0], ids[3])).await.expect(200);
    assert_eq!(by_id.body["data"], json!([{"id": ids[3], "note": ""}, {"id": ids[0], "note": ""}]));
    let reversed = owner.get(&format!("{ENTRIES}?from=2030-01-09&to=2030-01-08")).await.expect(400);
    assert!(reversed.text.contains("must not be before from"), "{}", reversed.text);
    for (query, details) in [
        ("from=2030-01-09&to=2030-01-08", "to:invalid_value"),
        ("status=nope", "status:invalid_value"),
        ("billable=maybe", "billable:invalid_value"),
        ("order=value", "order:invalid_value"),
        ("search=a", "search:unknown_parameter"),
    ] {
        assert_eq!(owner.get(&format!("{ENTRIES}?{query}")).await.expect(400).details(), [details], "{query}");
    }
}

#[tokio::test]
async fn pages_continue_by_cursor_in_every_order() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Member).await.client;
    let mut ids = Vec::new();
    for day in ["07", "09", "08", "08"] {
        ids.push(entry(&client, duration(&format!("2030-01-{day}"), 60)).await.id());
    }
    for (order, expected) in [("newest", &[3, 2, 1, 0][..]), ("oldest", &[0, 1, 2, 3])] {
        let expected: Vec<_> = expected.iter().map(|index: &usize| ids[*index].clone()).collect();
        assert_eq!(walk(&client, order).await, expected, "{order}");
    }
    for (order, first, last) in [("date_asc", 0, 1), ("date_desc", 1, 0)] {
        let ids_seen = walk(&client, order).await;
        assert_eq!((ids_seen.len(), &ids_seen[0], &ids_seen[3]), (4, &ids[first], &ids[last]), "{order}");
    }
}

async fn walk(client: &test_support::Client, order: &str) -> Vec<String> {
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("{ENTRIES}?limit=1&order={order}{cursor}")).await.expect(200);
        seen.extend(page.ids());
        let Some(next) = page.body["pagination"]["nextCursor"].as_str() else { return seen };
        cursor = format!("&cursor={next}");
    }
}

#[tokio::test]
async fn entries_of_another_workspace_are_not_found() {
    let app = App::start().await;
    let mine = app.workspace().await.user(Role::Owner).await.client;
    let theirs = app.workspace().await.user(Role::Owner).await.client;
    let id = entry(&theirs, duration("2030-01-07", 60)).await.id();
    let path = super::entry_path(&id);
    for reply in [
        mine.get(&path).await,
        mine.patch(&path, json!({"note": "n"})).await,
        mine.delete(&path).await,
        mine.get(&format!("{path}/history")).await,
        mine.post(&format!("{path}/restore"), json!({})).await,
    ] {
        assert_eq!((reply.status, reply.code()), (404, "not_found"), "{}", reply.text);
    }
    assert!(mine.get(ENTRIES).await.expect(200).ids().is_empty());
}
