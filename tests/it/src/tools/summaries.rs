//! Counts and sums, compared with the lists.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use test_support::Client;

use super::calls::{call, details, run, start_with_all_tools};
use crate::database::OtherTransaction;

/// All rows of a list tool.
async fn rows(client: &Client, tool: &str, filter: &Value) -> Vec<Value> {
    let mut arguments = filter.clone();
    arguments["limit"] = json!(100);
    run(client, tool, arguments).await["data"].as_array().unwrap().clone()
}

/// By key and currency: the number of deals and their value in cents.
type Groups = BTreeMap<String, BTreeMap<String, (u64, i64)>>;

fn cents(value: &Value) -> i64 {
    // As text, so that values are not rounded twice.
    let text = value.as_f64().map_or_else(|| "0".to_owned(), |value| format!("{value:.2}"));
    text.replace('.', "").parse().unwrap()
}

/// A key as text, with its members in a fixed order.
fn key_of(members: impl Iterator<Item = (String, Value)>) -> String {
    // The id of a member comes with a name.
    let members: BTreeMap<_, _> = members.filter(|(name, _)| !name.ends_with("_name")).collect();
    format!("{members:?}")
}

/// Groups rows by these members.
fn expected(rows: &[Value], members: &[(&str, &str)]) -> Groups {
    let mut groups = Groups::new();
    for row in rows {
        let key = members.iter().map(|(name, member)| ((*name).to_owned(), row[*member].clone()));
        let key = key_of(key);
        let currency = row["currency"].as_str().unwrap_or_default().to_owned();
        let sum = groups.entry(key).or_default().entry(currency).or_default();
        *sum = (sum.0 + 1, sum.1 + cents(&row["value"]));
    }
    groups
}

fn totals(part: &Value) -> BTreeMap<String, (u64, i64)> {
    let count = part["count"].as_u64().unwrap();
    let Some(values) = part["values"].as_array() else { return [(String::new(), (count, 0))].into() };
    let sum = |sum: &Value| {
        let currency = sum["currency"].as_str().unwrap().to_owned();
        (currency, (sum["count"].as_u64().unwrap(), cents(&sum["value"])))
    };
    let sums: BTreeMap<_, _> = values.iter().map(sum).collect();
    assert_eq!(sums.values().map(|(count, _)| count).sum::<u64>(), count, "{part}");
    sums
}

/// The groups of a summary, which are ordered by size.
fn shown(summary: &Value) -> Groups {
    let groups = summary["groups"].as_array().unwrap();
    let sizes: Vec<_> = groups.iter().map(|group| group["count"].as_u64().unwrap()).collect();
    assert!(sizes.is_sorted_by(|one, next| one >= next), "{summary}");
    let key = |group: &Value| key_of(group["key"].as_object().unwrap().clone().into_iter());
    groups.iter().map(|group| (key(group), totals(group))).collect()
}

async fn deals(client: &Client, members: &[String]) {
    let values = [json!(0.1), json!(0.2), json!(null), json!(123_456.78), json!(999_999_999_999.99)];
    let stages = ["discovery", "proposal", "negotiation"];
    let currencies = ["EUR", "USD", "JPY"];
    for index in 0..24 {
        let body = json!({
            "title": format!("Deal {index}"), "value": values[index % 5], "currency": currencies[index % 3],
            "stage": stages[index / 2 % 3], "tags": if index % 2 == 0 { vec!["even"] } else { vec![] },
            "assigned_to": members.get(index % 4), "status": if index % 7 == 0 { "on_hold" } else { "open" },
        });
        let _ = client.post("/api/v1/crm/deals", body).await.expect(201);
    }
    let deleted = client.create("/api/v1/crm/deals", json!({"title": "Deal", "value": 1})).await;
    let _ = client.delete(&format!("/api/v1/crm/deals/{deleted}")).await.expect(200);
}

#[tokio::test]
async fn deals_are_counted_and_summed_by_currency() {
    let (_app, tenant, client) = start_with_all_tools().await;
    let mut members = Vec::new();
    for name in ["ann", "ben", "cid"] {
        members.push(tenant.member(&format!("{name}@example.com")).await.to_string());
    }
    deals(&client, &members).await;
    let names = [("status", "status"), ("stage", "stage"), ("currency", "currency"), ("assignee", "assigned_to")];
    let filters = [
        json!({}),
        json!({"status": ["on_hold"]}),
        json!({"stage": ["discovery", "proposal"], "currency": ["EUR", "USD"]}),
        json!({"assignee": [members[0]], "value_min": 0.2}),
        json!({"search": "deal", "tag": ["EVEN"]}),
        json!({"search": "deal 7"}),
        json!({"search": "nothing"}),
        json!({"search": "-"}),
    ];
    for filter in &filters {
        let results = rows(&client, "list_deals", filter).await;
        let mut sets: Vec<Vec<_>> = names.iter().map(|name| vec![*name]).collect();
        sets.extend([vec![names[1], names[2]], vec![names[3], names[0]], names.to_vec()]);
        for members in sets {
            let mut arguments = filter.clone();
            arguments["group_by"] = members.iter().map(|(name, _)| *name).collect();
            let summary = run(&client, "summarize_deals", arguments.clone()).await;
            assert_eq!(shown(&summary), expected(&results, &members), "{arguments}");
            assert_eq!(summary["omitted_groups"], json!(0));
            let whole = expected(&results, &[]).into_values().next().unwrap_or_default();
            let total = if results.is_empty() { BTreeMap::new() } else { totals(&summary["total"]) };
            assert_eq!((&total, &summary["total"]["count"]), (&whole, &json!(results.len())), "{arguments}");
        }
        let alone = run(&client, "summarize_deals", filter.clone()).await;
        assert_eq!((&alone["groups"], &alone["total"]["count"]), (&json!([]), &json!(results.len())), "{filter}");
    }
}

#[tokio::test]
async fn tasks_and_tickets_are_counted_by_kind() {
    let (_app, tenant, client) = start_with_all_tools().await;
    let ann = tenant.member("ann@example.com").await.to_string();
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let priorities = ["low", "high"];
    for index in 0..12 {
        for (kind, statuses) in [("task", ["todo", "in_progress", "done"]), ("ticket", ["open", "pending", "closed"])] {
            let body = json!({
                "title": format!("Issue {index}"), "kind": kind, "status": statuses[index % 3],
                "priority": priorities[index % 2], "project_id": (index % 4 == 0).then_some(&project),
                "assignee_id": (index % 3 == 0).then_some(&ann),
            });
            let _ = client.post("/api/v1/issues", body).await.expect(201);
        }
    }
    let names =
        [("status", "status"), ("priority", "priority"), ("assignee", "assignee_id"), ("project", "project_id")];
    for (list, tool, status) in
        [("list_tasks", "summarize_tasks", "todo"), ("list_tickets", "summarize_tickets", "open")]
    {
        for filter in [json!({}), json!({"status": [status], "assignee": ["none"]}), json!({"search": "issue 1"})] {
            let results = rows(&client, list, &filter).await;
            for members in [vec![names[0]], vec![names[1], names[2]], names.to_vec()] {
                let mut arguments = filter.clone();
                arguments["group_by"] = members.iter().map(|(name, _)| *name).collect();
                let summary = run(&client, tool, arguments.clone()).await;
                assert_eq!(shown(&summary), expected(&results, &members), "{tool} {arguments}");
                assert_eq!(summary["total"], json!({"count": results.len()}), "{tool} {arguments}");
            }
        }
    }
}

#[tokio::test]
async fn a_summary_shows_the_largest_groups_and_the_number_of_others() {
    let (_app, _, client) = start_with_all_tools().await;
    for number in 0..203 {
        let name = format!("Project {number}");
        let id = client.create("/api/v1/projects", json!({ "name": name })).await;
        let _ =
            client.post("/api/v1/issues", json!({"title": "t", "kind": "task", "project_id": id})).await.expect(201);
        if number == 0 {
            let body = json!({"title": "t", "kind": "task", "project_id": id});
            let _ = client.post("/api/v1/issues", body).await.expect(201);
        }
    }
    let summary = run(&client, "summarize_tasks", json!({"group_by": ["project"]})).await;
    let groups = summary["groups"].as_array().unwrap();
    assert_eq!(groups[0]["count"], json!(2));
    assert_eq!(summary["total"]["count"], json!(204));
    assert_eq!(summary["omitted_groups"].as_u64().unwrap() + groups.len() as u64, 203);
    assert!(groups.len() <= 200 && summary["omitted_groups"].as_u64().unwrap() >= 3, "{}", groups.len());
}

#[tokio::test]
async fn a_summary_has_the_arguments_of_the_list_without_its_order() {
    let (_app, _, client) = start_with_all_tools().await;
    for (tool, arguments, detail) in [
        ("summarize_deals", json!({"group_by": {"is": "stage"}}), "group_by:invalid_type"),
        ("summarize_deals", json!({"group_by": ["owner"]}), "group_by[0]:invalid_value"),
        ("summarize_deals", json!({"group_by": ["stage", "stage", "stage", "stage", "stage"]}), "group_by:too_many"),
        ("summarize_deals", json!({"order": "value"}), "order:unknown_field"),
        ("summarize_deals", json!({"limit": 5}), "limit:unknown_field"),
        ("summarize_deals", json!({"value_min": 1e300}), "value_min:out_of_range"),
        ("summarize_tasks", json!({"status": ["open"]}), "status[0]:invalid_value"),
        ("summarize_tasks", json!({"requester": "a@example.com"}), "requester:unknown_field"),
        ("summarize_tickets", json!({"group_by": ["stage"]}), "group_by[0]:invalid_value"),
        ("list_tasks", json!({"reference": "TKT-0123456789"}), "reference:unknown_field"),
        ("list_tasks", json!({"kind": "task"}), "kind:unknown_field"),
    ] {
        let reply = call(&client, tool, arguments.clone()).await.expect(400);
        assert_eq!(details(&reply.body), [detail], "{tool} {arguments}");
    }
    let twice = run(&client, "summarize_deals", json!({"group_by": ["stage", "stage"]})).await;
    assert_eq!(twice["groups"], json!([]));
}

/// Like a search, it runs on separate connections and times out after 2 seconds.
#[tokio::test]
async fn a_summary_that_takes_too_long_times_out() {
    let (app, _, client) = start_with_all_tools().await;
    let blocker = OtherTransaction::begin(&app, "LOCK TABLE deals, issues IN ACCESS EXCLUSIVE MODE");
    for tool in ["summarize_deals", "summarize_tasks", "summarize_tickets"] {
        let reply = call(&client, tool, json!({})).await.expect(503);
        assert_eq!((&reply.body["error"], reply.header("retry-after")), (&json!("unavailable"), "1"), "{tool}");
        assert!(reply.body["message"].as_str().unwrap().contains("took too long"), "{tool}: {}", reply.text);
    }
    blocker.commit();
    let _ = run(&client, "summarize_deals", json!({})).await;
}
