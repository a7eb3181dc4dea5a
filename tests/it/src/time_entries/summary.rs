//! Totals for every grouping, and which amounts a caller sees.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client, TestUser};

use super::{duration, entry, merged, start, task};

const SUMMARY: &str = "/api/v1/time/summary";

async fn rows(client: &Client, query: &str) -> Vec<Value> {
    let path = format!("{SUMMARY}?from=2030-01-01&to=2030-01-31&{query}");
    client.get(&path).await.expect(200).data()["rows"].as_array().unwrap().clone()
}

fn row(key: &Value, seconds: i64, billable: i64, amounts: &Value) -> Value {
    json!({"key": key, "seconds": seconds, "billable_seconds": billable, "amounts": amounts})
}

/// Time of two members: Ada's for a company with a rate of her own in its project, and Bob's for nothing, without a rate.
struct LoggedTime {
    owner: TestUser,
    ada: TestUser,
    bob: TestUser,
    company: String,
    project: String,
    task: String,
}

impl LoggedTime {
    async fn of(app: &App) -> Self {
        let tenant = app.workspace().await;
        let owner = tenant.user(Role::Owner).await;
        let (ada, bob) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await);
        let client = &owner.client;
        let company = client.post("/api/v1/crm/companies", json!({"name": "Acme"})).await.expect(201).id();
        let project = json!({"name": "p", "company_id": company});
        let project = client.post("/api/v1/projects", project).await.expect(201).id();
        let task = task(client, Some(&project)).await;
        for rate in [
            json!({"member_id": ada.id, "rate": 100, "currency": "EUR"}),
            json!({"member_id": ada.id, "project_id": project, "rate": 99.99, "currency": "CHF"}),
        ] {
            let _ = client.post("/api/settings/time-rates", rate).await.expect(200);
        }
        // The Mondays of two weeks, and the Sunday before the second.
        let _ = entry(&ada.client, merged(duration("2030-01-07", 3_600), json!({"task_id": task}))).await;
        let _ = entry(&ada.client, merged(duration("2030-01-13", 1_800), json!({"project_id": project}))).await;
        let _ =
            entry(&ada.client, merged(duration("2030-01-14", 900), json!({"task_id": task, "billable": false}))).await;
        let _ = entry(&ada.client, duration("2030-01-14", 1_800)).await;
        let _ = entry(&bob.client, duration("2030-01-14", 600)).await;
        // Outside the range, and still running.
        let _ = entry(&bob.client, duration("2030-02-01", 600)).await;
        let _ = start(&bob.client, json!({})).await.expect(201);
        Self { owner, ada, bob, company, project, task }
    }
}

fn money(currency: &str, value: f64) -> Value {
    json!({"currency": currency, "value": value})
}

#[tokio::test]
async fn time_adds_up_by_every_group() {
    let app = App::start().await;
    let logged = LoggedTime::of(&app).await;
    let LoggedTime { ada, bob, company, project, task, .. } = &logged;
    let client = &logged.owner.client;
    let (chf, eur) = (money("CHF", 149.99), json!({"currency": "EUR", "value": 50}));
    let none = json!([]);
    // 5,400 s at 99.99 is 149.985, rounded half away from zero.
    for (group, expected) in [
        (
            "member",
            vec![
                row(&json!({"member": ada.id}), 8_100, 7_200, &json!([chf, eur])),
                row(&json!({"member": bob.id}), 600, 600, &none),
            ],
        ),
        (
            "project",
            vec![
                row(&json!({"project": project}), 6_300, 5_400, &json!([chf])),
                row(&json!({"project": null}), 2_400, 2_400, &json!([eur])),
            ],
        ),
        (
            "company",
            vec![
                row(&json!({"company": company}), 6_300, 5_400, &json!([chf])),
                row(&json!({"company": null}), 2_400, 2_400, &json!([eur])),
            ],
        ),
        (
            "task",
            vec![
                row(&json!({"task": task}), 4_500, 3_600, &json!([money("CHF", 99.99)])),
                row(&json!({"task": null}), 4_200, 4_200, &json!([money("CHF", 50.0), eur])),
            ],
        ),
        (
            "week",
            vec![
                row(&json!({"week": "2030-01-07"}), 5_400, 5_400, &json!([chf])),
                row(&json!({"week": "2030-01-14"}), 3_300, 2_400, &json!([eur])),
            ],
        ),
        (
            "billable",
            vec![
                row(&json!({"billable": true}), 7_800, 7_800, &json!([chf, eur])),
                row(&json!({"billable": false}), 900, 0, &none),
            ],
        ),
    ] {
        let results = rows(client, &format!("group_by={group}")).await;
        assert_eq!(comparable(results), comparable(expected), "{group}");
    }
}

/// Drops zero amounts, and formats each value as text without a zero fraction.
fn comparable(mut rows: Vec<Value>) -> Vec<Value> {
    for row in &mut rows {
        let amounts = row["amounts"].as_array().cloned().unwrap_or_default();
        let nonzero = amounts.into_iter().filter(|one| one["value"].as_f64() != Some(0.0)).map(|mut one| {
            one["value"] = json!(format!("{:.2}", one["value"].as_f64().unwrap_or_default()));
            one
        });
        row["amounts"] = nonzero.collect();
    }
    rows
}

#[tokio::test]
async fn two_groups_make_a_row_for_each_pair() {
    let app = App::start().await;
    let logged = LoggedTime::of(&app).await;
    let LoggedTime { ada, bob, .. } = &logged;
    let results = rows(&logged.owner.client, "group_by=member&group_by=week").await;
    let keys: Vec<_> = results.iter().map(|row| (row["key"].clone(), row["seconds"].clone())).collect();
    let key = |member: &TestUser, week: &str| json!({"member": member.id, "week": week});
    let expected = [
        (key(ada, "2030-01-07"), json!(5_400)),
        (key(ada, "2030-01-14"), json!(2_700)),
        (key(bob, "2030-01-14"), json!(600)),
    ];
    assert_eq!(keys, expected);
}

#[tokio::test]
async fn a_summary_is_filtered_like_the_list() {
    let app = App::start().await;
    let logged = LoggedTime::of(&app).await;
    let LoggedTime { owner, ada, bob, company, project, task } = &logged;
    for (query, seconds) in [
        (format!("member={}", bob.id), 600),
        (format!("member={}&member={}", ada.id, bob.id), 8_700),
        (format!("project_id={project}"), 6_300),
        (format!("company_id={company}"), 6_300),
        (format!("task_id={task}"), 4_500),
        ("billable=false".to_owned(), 900),
        ("billable=true".to_owned(), 7_800),
        ("status=stopped".to_owned(), 8_700),
        ("status=approved&status=exported".to_owned(), 0),
    ] {
        let results = rows(&owner.client, &format!("group_by=member&{query}")).await;
        let total: i64 = results.iter().map(|row| row["seconds"].as_i64().unwrap()).sum();
        assert_eq!(total, seconds, "{query}");
    }
}

#[tokio::test]
async fn amounts_include_only_rates_visible_to_the_caller() {
    let app = App::start().await;
    let logged = LoggedTime::of(&app).await;
    let amounts = async |client: &Client| {
        let results = rows(client, "group_by=billable").await;
        results.iter().map(|row| row["amounts"].as_array().unwrap().len()).sum::<usize>() > 0
    };
    assert!(amounts(&logged.owner.client).await && amounts(&logged.ada.client).await);
    assert!(!amounts(&logged.bob.client).await, "he has no rate and does not see hers");
}

#[tokio::test]
async fn a_summary_needs_its_range_and_one_or_two_groups() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Viewer).await.client;
    for (query, details) in [
        ("", &["from:required", "to:required", "group_by:required"][..]),
        ("group_by=member&from=2030-01-01", &["to:required"]),
        ("group_by=nope&from=2030-01-01&to=2030-01-02", &["group_by[0]:invalid_value"]),
        ("group_by=week&group_by=task&group_by=member&from=2030-01-01&to=2030-01-02", &["group_by:invalid_value"]),
        ("group_by=member&from=2030-01-02&to=2030-01-01", &["to:invalid_value"]),
        ("group_by=member&from=2030-01-01&to=2031-01-02", &["to:invalid_value"]),
        ("group_by=member&from=yesterday&to=2030-01-01", &["from:invalid_date"]),
        ("group_by=member&from=2030-01-01&to=2030-01-01&member=x", &["member[0]:invalid_uuid"]),
        ("group_by=member&from=2030-01-01&to=2030-01-01&billable=maybe", &["billable:invalid_value"]),
        ("group_by=member&from=2030-01-01&from=2030-01-02&to=2030-01-03", &["from:invalid_value"]),
    ] {
        let refused = client.get(&format!("{SUMMARY}?{query}")).await.expect(400);
        assert_eq!(refused.details()[..details.len()], *details, "{query}");
    }
    let year = client.get(&format!("{SUMMARY}?group_by=member&from=2028-01-01&to=2028-12-31")).await.expect(200);
    assert_eq!(year.body, json!({"data": {"rows": [], "omitted_rows": 0}}));
}
