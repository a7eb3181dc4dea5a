//! Timers: one per member; starting another stops the first.

use domain::identity::workspaces::Role;
use domain::work::time_entries::stop_forgotten_timers;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, eventually};
use time::Duration;
use tokio::task::JoinSet;

use super::{ENTRIES, duration, entry, entry_path, start, stop, task};
use crate::support::UNKNOWN_ID;

#[tokio::test]
async fn a_timer_is_started_and_stopped() {
    let app = App::start().await;
    let user = app.workspace().await.user(Role::Member).await;
    let task = task(&user.client, None).await;
    let running = start(&user.client, json!({"task_id": task, "note": "Draft"})).await.expect(201);
    assert_eq!(running.header("location"), entry_path(&running.id()));
    let shown = running.data();
    assert_eq!(
        (&shown["status"], &shown["ended_at"], &shown["seconds"]),
        (&json!("running"), &Value::Null, &Value::Null)
    );
    assert_eq!((&shown["member_id"], &shown["task_id"]), (&json!(user.id), &json!(task)));
    app.advance(Duration::minutes(5)).await;
    let stopped = stop(&user.client, json!({})).await.expect(200);
    assert_eq!((stopped.id(), &stopped.data()["version"]), (running.id(), &json!(2)));
    assert_eq!((&stopped.data()["status"], &stopped.data()["started_at"]), (&json!("stopped"), &shown["started_at"]));
    let seconds = stopped.data()["seconds"].as_i64().unwrap();
    assert!((300..360).contains(&seconds), "{seconds}");
    let none = stop(&user.client, json!({})).await.expect(409);
    assert_eq!(none.code(), "invalid_state_change");
    assert_eq!(stop(&user.client, json!({"nope": 1})).await.expect(400).details(), ["nope:unknown_field"]);
}

#[tokio::test]
async fn a_second_start_stops_only_the_same_members_timer() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (ada, bob) = (tenant.user(Role::Member).await.client, tenant.user(Role::Member).await.client);
    let of_bob = start(&bob, json!({})).await.expect(201).id();
    let first = start(&ada, json!({"note": "one"})).await.expect(201).id();
    app.advance(Duration::minutes(1)).await;
    let second = start(&ada, json!({"note": "two"})).await.expect(201);
    let former = ada.get(&entry_path(&first)).await.expect(200).data().clone();
    assert_eq!((&former["status"], &former["ended_at"]), (&json!("stopped"), &second.data()["started_at"]));
    let mut running = ada.get(&format!("{ENTRIES}?status=running")).await.expect(200).ids();
    let mut expected = vec![of_bob, second.id()];
    running.sort();
    expected.sort();
    assert_eq!(running, expected);
    // A timer that cannot start does not stop the running one.
    let wrong = json!({"task_id": UNKNOWN_ID});
    assert_eq!(start(&ada, wrong).await.expect(422).details(), ["task_id:not_found"]);
    assert_eq!(ada.get(&entry_path(&second.id())).await.expect(200).data()["status"], "running");
    // Nobody can stop another member's timer.
    let of_other = json!({"member_id": ada.get(&entry_path(&first)).await.data()["member_id"]});
    assert_eq!(stop(&bob, of_other.clone()).await.expect(403).code(), "forbidden");
    assert_eq!(start(&bob, of_other).await.expect(403).code(), "forbidden");
}

#[tokio::test]
async fn many_concurrent_starts_leave_one_timer() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let user = tenant.user(Role::Member).await;
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let client = user.client.clone();
        calls.spawn(async move { start(&client, json!({})).await.status });
    }
    let statuses = calls.join_all().await;
    // A start that was received first but handled second begins at the time of the other.
    assert_eq!(statuses, [201; 8]);
    let running = user.client.get(&format!("{ENTRIES}?status=running")).await.expect(200);
    assert_eq!(running.ids().len(), 1, "{}", running.text);
}

#[tokio::test]
async fn a_repeated_start_is_the_same_timer() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Member).await.client;
    let path = format!("{ENTRIES}/start");
    let request = || client.request("POST", &path).header("Idempotency-Key", "k").json(&json!({"note": "n"}));
    let first = ApiResponse::of(request()).await.expect(201);
    let repeated = ApiResponse::of(request()).await.expect(201);
    assert_eq!((repeated.id(), repeated.header("idempotent-replayed")), (first.id(), "true"));
    assert_eq!(client.get(ENTRIES).await.expect(200).ids(), [first.id()]);
    // A retry after a lost response gets the same response, not "no timer is running".
    let path = format!("{ENTRIES}/stop");
    let request = || client.request("POST", &path).header("Idempotency-Key", "stop").json(&json!({}));
    let stopped = ApiResponse::of(request()).await.expect(200);
    let repeated = ApiResponse::of(request()).await.expect(200);
    assert_eq!((&repeated.text, repeated.header("idempotent-replayed")), (&stopped.text, "true"));
}

#[tokio::test]
async fn a_timer_does_not_begin_within_another_entry() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Member).await.client;
    let now = app.ports.clock.now();
    let offset = |minutes: i64| domain::kernel::input::format_timestamp(now + Duration::minutes(minutes));
    let _ = entry(&client, json!({"started_at": offset(-60), "ended_at": offset(60)})).await;
    assert_eq!(start(&client, json!({})).await.expect(409).code(), "conflict");
    // While a timer runs, all later time counts as taken.
    app.advance(Duration::hours(2)).await;
    let _ = start(&client, json!({})).await.expect(201);
    let later = json!({"started_at": offset(600), "ended_at": offset(660)});
    assert_eq!(client.post(ENTRIES, later).await.expect(409).code(), "conflict");
    let _ = entry(&client, duration("2030-01-07", 60)).await;
}

#[tokio::test]
async fn a_forgotten_timer_stops_after_twelve_hours_and_its_member_is_notified() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let user = tenant.user(Role::Member).await;
    let key = tenant.full_access().await;
    let timer = start(&user.client, json!({})).await.expect(201).id();
    let other = tenant.user(Role::Member).await;
    app.advance(Duration::hours(13)).await;
    let fresh = start(&key, json!({"member_id": other.id})).await.expect(201).id();
    // The member's session has expired by now. The background job may have stopped the timer first.
    let _ = stop_forgotten_timers(&app.ports).await.unwrap();
    eventually("the timer stops", async || key.get(&entry_path(&timer)).await.data()["status"] == "stopped").await;
    let stopped = key.get(&entry_path(&timer)).await.expect(200).data().clone();
    assert_eq!(stopped["seconds"], json!(12 * 3_600));
    assert_eq!(key.get(&entry_path(&fresh)).await.expect(200).data()["status"], "running");
    eventually("the member is notified", async || {
        app.inbox.to(&user.email).iter().any(|email| email.text().contains("12 hours"))
    })
    .await;
    assert!(app.inbox.to(&other.email).iter().all(|email| !email.text().contains("12 hours")));
    let history = key.get(&format!("{}/history", entry_path(&timer))).await.expect(200);
    assert_eq!(history.body["data"][0]["event"], "time_entry.stopped");
    assert_eq!(history.body["data"][0]["actor"]["type"], "system");
}
