//! What differs in the tools: durations, and naming the member.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::App;

use super::{duration, entry, merged, step};
use crate::tools::{call, details, fail, run, with_all_tools};

#[tokio::test]
async fn durations_accept_common_notations() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let client = with_all_tools(&tenant).await;
    let member = tenant.member("ada@example.org").await.to_string();
    let log = |duration: &str| json!({"member_id": member, "date": "2030-01-07", "duration": duration});
    for (duration, seconds) in [
        ("1h30", 5_400),
        ("90m", 5_400),
        ("90 min", 5_400),
        ("1:30", 5_400),
        ("1.5h", 5_400),
        ("1.5", 5_400),
        ("1 hour", 3_600),
        ("24h", 86_400),
    ] {
        let logged = run(&client, "log_time", log(duration)).await;
        assert_eq!(logged["seconds"], json!(seconds), "{duration}");
    }
    for duration in ["90", "25h", "0m", "soon", "1h90", "1:75"] {
        let refusal = fail(&client, "log_time", log(duration)).await;
        assert_eq!(details(&refusal), ["duration:invalid_duration"], "{duration}");
    }
    let no_duration = fail(&client, "log_time", json!({"member_id": member, "date": "2030-01-07"})).await;
    assert_eq!(details(&no_duration), ["duration:required"]);
    assert!(!no_duration.to_string().contains("seconds"), "{no_duration}");
    let in_seconds = json!({"member_id": member, "date": "2030-01-07", "seconds": 60});
    let refusal = call(&client, "log_time", in_seconds).await.expect(400);
    assert_eq!(details(&refusal.body), ["seconds:unknown_field"]);
    let without = json!({"date": "2030-01-07", "duration": "1h"});
    assert_eq!(details(&fail(&client, "log_time", without).await), ["member_id:required"]);
    let id = run(&client, "log_time", log("1h")).await["id"].clone();
    let changed = run(&client, "update_time_entry", json!({"id": id, "duration": "2:15"})).await;
    assert_eq!((&changed["seconds"], &changed["date"]), (&json!(8_100), &json!("2030-01-07")));
    let empty = fail(&client, "update_time_entry", json!({ "id": id })).await;
    assert_eq!(details(&empty), [":empty_patch"]);
    let times = json!({
        "member_id": member, "started_at": "2030-01-08T09:00:00Z", "ended_at": "2030-01-08T10:15:00Z",
    });
    let with_times = run(&client, "log_time", times).await;
    assert_eq!(with_times["seconds"], json!(4_500));
    let contradiction = json!({"id": with_times["id"], "duration": "1h"});
    assert_eq!(details(&fail(&client, "update_time_entry", contradiction).await), ["duration:contradicts_times"]);
}

#[tokio::test]
async fn each_timer_belongs_to_a_member() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let client = with_all_tools(&tenant).await;
    let member = tenant.member("ada@example.org").await.to_string();
    let whose = || json!({ "member_id": member });
    let none = fail(&client, "stop_timer", whose()).await;
    assert_eq!(none["error"], "invalid_state_change");
    let first = run(&client, "start_timer", merged(whose(), json!({"note": "one"}))).await;
    assert_eq!(first["stopped"], Value::Null);
    let first = first["id"].clone();
    let second = run(&client, "start_timer", merged(whose(), json!({"note": "two"}))).await;
    assert_eq!((&second["status"], &second["member_name"]), (&json!("running"), &json!("A member")));
    assert_eq!((&second["stopped"]["id"], &second["stopped"]["note"]), (&first, &json!("one")));
    let stopped = run(&client, "stop_timer", whose()).await;
    assert_eq!((&stopped["id"], &stopped["status"]), (&second["id"], &json!("stopped")));
    let listed = run(&client, "list_time_entries", json!({"member": member})).await;
    let ids: Vec<Value> = listed["data"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, [second["id"].clone(), first]);
    let missing = fail(&client, "stop_timer", json!({})).await;
    assert_eq!(details(&missing), ["member_id:required"]);
}

#[tokio::test]
async fn tools_total_and_delete_entries_except_approved_ones() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let client = with_all_tools(&tenant).await;
    let user = tenant.user(Role::Owner).await;
    let id = entry(&user.client, duration("2030-01-07", 3_600)).await.id();
    let range = json!({"from": "2030-01-01", "to": "2030-01-31", "group_by": ["member", "project"]});
    let summary = run(&client, "summarize_time", range).await;
    assert_eq!(summary["rows"][0]["key"]["member"], json!(user.id));
    assert_eq!(summary["rows"][0]["key"]["project"], Value::Null);
    assert_eq!((&summary["rows"][0]["seconds"], &summary["omitted_rows"]), (&json!(3_600), &json!(0)));
    assert_eq!(summary["rows"][0]["key"]["project_name"], Value::Null);
    let _ = step(&user.client, "approve", &[&id]).await.expect(200);
    for (tool, arguments) in
        [("update_time_entry", json!({"id": id, "note": "n"})), ("delete_time_entry", json!({ "id": id }))]
    {
        assert_eq!(fail(&client, tool, arguments).await["error"], "invalid_state_change", "{tool}");
    }
    let _ = step(&user.client, "reject", &[&id]).await.expect(200);
    let _ = run(&client, "delete_time_entry", json!({ "id": id })).await;
    let restored = run(&client, "restore_record", json!({"type": "time_entry", "id": id})).await;
    assert_eq!(restored["id"], json!(id));
    let history = run(&client, "get_history", json!({"type": "time_entry", "id": id})).await;
    assert_eq!(history["data"][0]["event"], "time_entry.restored");
}

#[tokio::test]
async fn a_summary_has_the_names_of_what_it_is_grouped_by() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let client = with_all_tools(&tenant).await;
    let user = tenant.user(Role::Owner).await;
    let company = run(&client, "create_company", json!({"name": "Globex"})).await["id"].clone();
    let project = run(&client, "create_project", json!({"name": "Site", "company_id": company})).await["id"].clone();
    let task = run(&client, "create_task", json!({"title": "Copy", "project_id": project})).await["id"].clone();
    let body = merged(duration("2030-01-07", 3_600), json!({ "task_id": task }));
    let _ = entry(&user.client, body).await;
    for (group, id, name) in [("project", &project, "Site"), ("company", &company, "Globex"), ("task", &task, "Copy")] {
        let range = json!({"from": "2030-01-01", "to": "2030-01-31", "group_by": [group]});
        let summary = run(&client, "summarize_time", range.clone()).await;
        let expected = json!({group: id, format!("{group}_name"): name});
        assert_eq!(summary["rows"][0]["key"], expected);
        // Only over what the key may read.
        let (limited, _) = tenant.key(json!({"scopes": ["time.read"]})).await;
        let summary = run(&limited, "summarize_time", range).await;
        let expected = json!({group: id, format!("{group}_name"): null});
        assert_eq!(summary["rows"][0]["key"], expected);
    }
}
