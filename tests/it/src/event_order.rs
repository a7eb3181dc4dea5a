//! No gaps and no repetitions: late commits, concurrent changes, several instances, many followers.

use std::collections::HashMap;

use event_feed::FeedLimits;
use serde_json::{Value, json};
use test_support::{App, AppOptions, Tenant};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::database::OtherTransaction;
use crate::event_following::{cursor, names, new_deal, page};
use crate::event_streams::EventStream;
use crate::support::statuses_in_parallel;

/// Appends an event, as the store does.
fn append(tenant: &Tenant, record: Uuid) -> String {
    format!(
        "SELECT append_events('{}', ARRAY['crm'], ARRAY['deal.won'], ARRAY[NULL]::uuid[], ARRAY[NULL]::uuid[],
             ARRAY['deal'], ARRAY['{record}']::uuid[], ARRAY[1]::bigint[], ARRAY[false], ARRAY['user'],
             ARRAY[NULL]::uuid[], ARRAY['Ann'], ARRAY[NULL]::text[], ARRAY[NULL]::text[],
             ARRAY['{{\"data\":{{}},\"changes\":{{}},\"actor\":{{}}}}'], ARRAY[now()], 10000)",
        tenant.workspace.id
    )
}

#[tokio::test]
async fn an_event_that_commits_after_later_ones_were_read_still_arrives() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let mut stream = EventStream::open(&client, "", None).await;
    let start = cursor(&page(&client, "").await);
    let late_id = Uuid::from_u128(7);
    let slow = OtherTransaction::begin(&app, &append(&tenant, late_id));
    // Its id is smaller than those of the later events.
    let mut early = Vec::new();
    for number in 0..3 {
        early.push(json!(new_deal(&client, &format!("D{number}")).await));
    }
    let records = |events: &[Value]| events.iter().map(|event| event["record"]["id"].clone()).collect::<Vec<_>>();
    assert_eq!(records(&stream.events(3).await), early);
    let first = page(&client, &format!("cursor={start}")).await;
    assert_eq!(records(first["data"].as_array().unwrap()), early);
    slow.commit();
    // No instance was notified of the commit, as if its instance had been killed.
    let streamed = stream.events(1).await;
    assert_eq!(records(&streamed), [json!(late_id)]);
    let rest = page(&client, &format!("cursor={}", cursor(&first))).await;
    assert_eq!(records(rest["data"].as_array().unwrap()), [json!(late_id)]);
    assert!(streamed[0]["id"].as_str() < first["data"][0]["id"].as_str(), "its id is smaller");
    assert_eq!(names(&page(&client, &format!("cursor={}", cursor(&rest))).await), Vec::<&str>::new());
}

#[tokio::test]
async fn a_records_events_arrive_in_the_order_of_its_versions() {
    let (_app, client) = App::with_client().await;
    let deal = new_deal(&client, "Pilot").await;
    let mut stream = EventStream::open(&client, &format!("record_id={deal}"), None).await;
    let path = format!("/api/v1/crm/deals/{deal}");
    let change = |number| client.request("PATCH", &path).json(&json!({"title": format!("T{number}")}));
    // Changes that lose too many conflicts are refused.
    let statuses = statuses_in_parallel((0..40).map(change)).await;
    let succeeded = i64::try_from(statuses.iter().filter(|status| **status == 200).count()).unwrap();
    assert!(succeeded > 1, "{statuses:?}");
    let streamed = stream.events(usize::try_from(succeeded).unwrap() + 1).await;
    let versions: Vec<_> = streamed.iter().map(|event| event["version"].as_i64().unwrap()).collect();
    assert_eq!(versions, (1..=succeeded + 1).collect::<Vec<_>>());
    let listed = page(&client, &format!("record_id={deal}&limit=100")).await;
    assert_eq!(listed["data"].as_array().unwrap(), &streamed);
}

#[tokio::test]
async fn followers_of_either_instance_see_the_changes_of_both() {
    let shared = || AppOptions { is_shared: true, ..AppOptions::default() };
    let app = App::start_as(shared()).await;
    let other = app.another(shared()).await;
    let tenant = app.workspace().await;
    let first = tenant.full_access().await;
    let second = other.with_key(first.key().unwrap());
    let mut streams = [EventStream::open(&first, "", None).await, EventStream::open(&second, "", None).await];
    let mut changes = JoinSet::new();
    for number in 0..30 {
        let client = if number % 2 == 0 { first.clone() } else { second.clone() };
        changes.spawn(async move { new_deal(&client, &format!("D{number}")).await });
    }
    let mut created = changes.join_all().await;
    created.sort();
    let mut orders = Vec::new();
    for stream in &mut streams {
        let events = stream.events(30).await;
        let ids: Vec<_> = events.iter().map(|event| event["record"]["id"].as_str().unwrap().to_owned()).collect();
        let mut sorted = ids.clone();
        sorted.sort();
        assert_eq!(sorted, created, "each once");
        orders.push(ids);
    }
    assert_eq!(orders[0], orders[1], "one order for all");
}

#[tokio::test]
async fn many_followers_need_no_connections_and_see_every_event() {
    const FOLLOWERS: usize = 200;
    const DEALS: usize = 60;
    let followers = FeedLimits { per_credential: FOLLOWERS, ..FeedLimits::default() };
    let app = App::start_as(AppOptions { followers, pool_size: 4, ..AppOptions::default() }).await;
    let client = app.workspace().await.full_access().await;
    let mut following = JoinSet::new();
    for _ in 0..FOLLOWERS {
        let mut stream = EventStream::open(&client, "", None).await;
        following.spawn(async move {
            let events = stream.events(DEALS * 2).await;
            let mut versions: HashMap<String, i64> = HashMap::new();
            for event in &events {
                let (id, version) = (event["record"]["id"].as_str().unwrap(), event["version"].as_i64().unwrap());
                let before = versions.insert(id.to_owned(), version).unwrap_or(0);
                assert_eq!(version, before + 1);
            }
            assert_eq!(versions.len(), DEALS);
            events.iter().map(|event| event["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        });
    }
    let mut changes = JoinSet::new();
    // At most one per connection, so that none is refused on a busy machine.
    for writer in 0..4 {
        let client = client.clone();
        changes.spawn(async move {
            for number in (writer..DEALS).step_by(4) {
                let deal = new_deal(&client, &format!("D{number}")).await;
                let _ = client.patch(&format!("/api/v1/crm/deals/{deal}"), json!({"title": "T"})).await.expect(200);
            }
        });
    }
    let _ = changes.join_all().await;
    let mut orders = following.join_all().await;
    orders.dedup();
    assert_eq!(orders.len(), 1, "all see the same order");
}
