//! Entries of one member do not overlap, unless the workspace allows it.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::App;
use tokio::task::JoinSet;

use super::{ENTRIES, WORKSPACE, duration, entry, entry_path, merged, times};

#[tokio::test]
async fn entries_of_one_member_do_not_overlap() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (ada, bob) = (tenant.user(Role::Member).await.client, tenant.user(Role::Member).await.client);
    let first = entry(&ada, times("07T09:00", "07T10:00")).await.id();
    for (from, to) in [
        ("07T09:00", "07T10:00"),
        ("07T08:00", "07T09:01"),
        ("07T09:59", "07T11:00"),
        ("07T09:15", "07T09:45"),
        ("07T08:00", "07T12:00"),
    ] {
        let refused = ada.post(ENTRIES, times(from, to)).await.expect(409);
        assert_eq!(refused.code(), "conflict", "{from} {to}");
        assert_eq!(refused.body["error"]["existing_id"], json!(first), "{from} {to}: {}", refused.text);
        assert_eq!(refused.body["error"]["message"], "it overlaps another time entry of the member on 2030-01-07");
    }
    // One may begin when another ends. Entries without times and entries of other members never overlap.
    let before = entry(&ada, times("07T08:00", "07T09:00")).await.id();
    let _ = entry(&ada, times("07T10:00", "07T11:00")).await;
    let _ = entry(&ada, duration("2030-01-07", 86_400)).await;
    let of_bob = entry(&bob, times("07T09:00", "07T10:00")).await.id();
    let longer = ada.patch(&entry_path(&before), json!({"ended_at": "2030-01-07T09:01:00Z"})).await.expect(409);
    assert_eq!(longer.code(), "conflict");
    let _ = ada.patch(&entry_path(&first), json!({"started_at": "2030-01-07T09:30:00Z"})).await.expect(200);
    let _ = ada.patch(&entry_path(&before), json!({"ended_at": "2030-01-07T09:30:00Z"})).await.expect(200);
    // An entry that is reassigned is compared with the new member's entries.
    let owner = tenant.user(Role::Owner).await.client;
    let member = owner.get(&entry_path(&first)).await.expect(200).data()["member_id"].clone();
    let moved = owner.patch(&entry_path(&of_bob), json!({ "member_id": member })).await.expect(409);
    assert_eq!(moved.code(), "conflict");
}

#[tokio::test]
async fn a_workspace_may_allow_overlaps() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (owner, ada) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Member).await.client);
    let _ = entry(&ada, times("07T09:00", "07T10:00")).await;
    let _ = owner.patch(WORKSPACE, json!({"time_overlaps_allowed": true})).await.expect(200);
    let _ = entry(&ada, times("07T09:00", "07T10:00")).await;
    let _ = owner.patch(WORKSPACE, json!({"time_overlaps_allowed": null})).await.expect(200);
    assert_eq!(ada.post(ENTRIES, times("07T09:00", "07T10:00")).await.expect(409).code(), "conflict");
}

#[tokio::test]
async fn concurrent_entries_for_the_same_time_leave_one() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let user = tenant.user(Role::Member).await;
    let key = tenant.full_access().await;
    let mut calls = JoinSet::new();
    for number in 0..8 {
        // By the member and by a key.
        let client = if number % 2 == 0 { user.client.clone() } else { key.clone() };
        let body = merged(times("07T09:00", "07T10:00"), json!({"member_id": user.id}));
        calls.spawn(async move { client.post(ENTRIES, body).await.status });
    }
    let mut statuses = calls.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
}
