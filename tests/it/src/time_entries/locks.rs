//! Locked periods, and days in the time zone of the workspace.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::App;

use super::{ENTRIES, WORKSPACE, duration, entry, entry_path, start, times};

#[tokio::test]
async fn a_locked_period_is_closed_to_everybody_until_an_owner_reopens_it() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Admin).await.client);
    let user = tenant.user(Role::Member).await;
    let key = tenant.full_access().await;
    let inside = entry(&user.client, duration("2030-01-31", 60)).await.id();
    let deleted = entry(&user.client, duration("2030-01-30", 60)).await.id();
    let _ = user.client.delete(&entry_path(&deleted)).await.expect(200);
    let outside = entry(&user.client, duration("2030-02-01", 60)).await.id();
    let locked = admin.patch(WORKSPACE, json!({"time_locked_until": "2030-01-31"})).await.expect(200);
    assert_eq!(locked.data()["time_locked_until"], "2030-01-31");
    let mut of_user = duration("2030-01-31", 60);
    of_user["member_id"] = json!(user.id);
    for client in [&owner, &admin, &user.client, &key] {
        for refused in [
            client.post(ENTRIES, of_user.clone()).await,
            client.patch(&entry_path(&inside), json!({"note": "n"})).await,
            client.patch(&entry_path(&inside), json!({"date": "2030-02-01"})).await,
            client.patch(&entry_path(&outside), json!({"date": "2030-01-31"})).await,
            client.delete(&entry_path(&inside)).await,
            client.post(&format!("{}/restore", entry_path(&deleted)), json!({})).await,
        ] {
            assert_eq!((refused.status, refused.code()), (409, "invalid_state_change"), "{}", refused.text);
            assert!(refused.text.contains("2030-01-31"), "{}", refused.text);
        }
    }
    let _ = user.client.patch(&entry_path(&outside), json!({"note": "n"})).await.expect(200);
    assert_eq!(user.client.get(&entry_path(&inside)).await.expect(200).data()["version"], json!(1));
    // Only owners reopen it: not members, keys or admins.
    for until in [Value::Null, json!("2030-01-30")] {
        let body = json!({ "time_locked_until": until });
        for client in [&admin, &user.client, &key] {
            assert_eq!(client.patch(WORKSPACE, body.clone()).await.expect(403).code(), "forbidden", "{body}");
        }
    }
    let _ = admin.patch(WORKSPACE, json!({"time_locked_until": "2030-02-28"})).await.expect(200);
    let _ = owner.patch(WORKSPACE, json!({"time_locked_until": "2030-01-30"})).await.expect(200);
    let _ = user.client.patch(&entry_path(&inside), json!({"note": "n"})).await.expect(200);
    let _ = owner.patch(WORKSPACE, json!({"time_locked_until": null})).await.expect(200);
    let _ = user.client.post(&format!("{}/restore", entry_path(&deleted)), json!({})).await.expect(200);
}

#[tokio::test]
async fn no_timer_starts_in_a_locked_period() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (owner, user) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Member).await.client);
    let _ = owner.patch(WORKSPACE, json!({"time_locked_until": "2100-12-31"})).await.expect(200);
    assert_eq!(start(&user, json!({})).await.expect(409).code(), "invalid_state_change");
}

#[tokio::test]
async fn days_follow_the_workspaces_time_zone() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (owner, user) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Member).await.client);
    let in_utc = entry(&user, times("07T23:30", "07T23:45")).await;
    assert_eq!(in_utc.data()["date"], "2030-01-07");
    let zone = owner.patch(WORKSPACE, json!({"time_zone": "europe/zurich"})).await.expect(200);
    assert_eq!(zone.data()["time_zone"], "Europe/Zurich");
    let created = entry(&user, times("08T23:30", "08T23:45")).await;
    assert_eq!(created.data()["date"], "2030-01-09", "half past midnight");
    // The hour skipped when summer time starts, and the longest day.
    for (start, end, seconds, date) in [
        ("2030-03-31T00:30:00Z", "2030-03-31T01:30:00Z", 3_600, "2030-03-31"),
        ("2030-10-26T22:00:00Z", "2030-10-27T22:00:00Z", 86_400, "2030-10-27"),
    ] {
        let created = entry(&user, json!({"started_at": start, "ended_at": end})).await.data().clone();
        assert_eq!((&created["seconds"], &created["date"]), (&json!(seconds), &json!(date)));
    }
    // An existing entry keeps its day.
    let changed = user.patch(&entry_path(&in_utc.id()), json!({"ended_at": "2030-01-07T23:50:00Z"})).await.expect(200);
    assert_eq!(changed.data()["date"], "2030-01-07");
    for wrong in ["Europe", "Mars/Olympus", "+02:00"] {
        let refused = owner.patch(WORKSPACE, json!({ "time_zone": wrong })).await.expect(422);
        assert_eq!(refused.details(), ["time_zone:unknown_time_zone"], "{wrong}");
    }
    let reset = owner.patch(WORKSPACE, json!({"time_zone": null})).await.expect(200);
    assert_eq!(reset.data()["time_zone"], "UTC");
}
