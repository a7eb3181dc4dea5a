//! Many records at once, by several callers at once.

use serde_json::json;
use test_support::{App, AppOptions};

use super::calls::{call, create, run, start_with_all_tools, with_all_tools};
use super::upserts::{counts, failures, record, upsert};
use crate::quota::tenant_with;

#[tokio::test]
async fn a_quota_that_ends_in_the_middle_is_exact_even_in_parallel() {
    let app = App::start().await;
    let other = app.another(AppOptions::default()).await;
    let tenant = tenant_with(&app, 230).await;
    let first = with_all_tools(&tenant).await;
    let second = other.with_key(first.key().unwrap());
    let _ = create(&first, "create_deal", json!({"title": "one", "external_id": "one"})).await;
    let mut calls = tokio::task::JoinSet::new();
    for batch in 0..8 {
        let client = if batch % 2 == 0 { first.clone() } else { second.clone() };
        let items: Vec<_> =
            (0..40).map(|number| json!({"external_id": format!("{batch}-{number}"), "title": "d"})).collect();
        calls.spawn(async move { upsert(&client, "deals", json!(items)).await });
        let client = if batch % 2 == 0 { second.clone() } else { first.clone() };
        calls.spawn(async move {
            let reply = call(&client, "create_deal", json!({"title": "single"})).await;
            assert!(matches!(reply.status, 200 | 429), "{}", reply.text);
            json!({"created": if reply.status == 200 { vec![1] } else { vec![] }, "failed": []})
        });
    }
    let results = calls.join_all().await;
    let created: usize = results.iter().map(|result| result["created"].as_array().unwrap().len()).sum();
    assert_eq!(created, 229, "{results:?}");
    for failure in results.iter().flat_map(|result| result["failed"].as_array().unwrap()) {
        assert_eq!(failure["code"], "quota_exceeded");
    }
    // Changes that need no quota still work.
    let done =
        upsert(&first, "deals", json!([{"external_id": "new", "title": "d"}, {"external_id": "one", "source": "s"}]))
            .await;
    assert_eq!(failures(&done), ["0:quota_exceeded"]);
}

#[tokio::test]
async fn overlapping_upserts_in_any_order_create_each_record_once() {
    let app = App::start().await;
    let other = app.another(AppOptions::default()).await;
    let tenant = app.workspace().await;
    let first = with_all_tools(&tenant).await;
    let second = other.with_key(first.key().unwrap());
    let mut calls = tokio::task::JoinSet::new();
    for round in 0..6 {
        let mut items: Vec<_> = (0..60)
            .map(|number| {
                json!({"external_id": format!("x{number}"), "email": format!("p{number}@example.com"), "city": format!("c{round}")})
            })
            .collect();
        if round % 2 == 0 {
            items.reverse();
        }
        let client = if round % 3 == 0 { first.clone() } else { second.clone() };
        calls.spawn(async move { counts(&upsert(&client, "contacts", json!(items)).await) });
        // Single writes of the same addresses run in between.
        let client = first.clone();
        calls.spawn(async move {
            let contact =
                json!({"email": format!("p{}@example.com", round * 7), "external_id": format!("x{}", round * 7)});
            let reply = call(&client, "create_contact", contact).await;
            assert_eq!(reply.status, 200, "{}", reply.text);
            [usize::from(reply.body["isError"] == json!(false)), 0, 0, 0]
        });
    }
    let all = calls.join_all().await;
    assert_eq!(all.iter().map(|counts| counts[0]).sum::<usize>(), 60, "{all:?}");
    assert_eq!(all.iter().map(|counts| counts[3]).sum::<usize>(), 0, "{all:?}");
    let listed = run(&first, "list_contacts", json!({"limit": 100})).await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 60);
}

#[tokio::test]
async fn five_hundred_large_records_are_changed_at_once() {
    let (_app, _, client) = start_with_all_tools().await;
    // 36 KB each: together more than one batch of changes.
    let notes = "𝄞".repeat(9_000);
    for part in 0..20 {
        let items: Vec<_> = (0..25)
            .map(|number| json!({"external_id": format!("{part}-{number}"), "name": "n", "notes": notes}))
            .collect();
        assert_eq!(counts(&upsert(&client, "companies", json!(items)).await), [25, 0, 0, 0]);
    }
    let items: Vec<_> = (0..500)
        .map(|number| json!({"external_id": format!("{}-{}", number / 25, number % 25), "phone": number.to_string()}))
        .collect();
    let result = upsert(&client, "companies", json!(items)).await;
    assert_eq!(counts(&result), [0, 500, 0, 0]);
    let last = record(&client, "company", &result["updated"][499]).await;
    assert_eq!((&last["phone"], &last["external_id"], &last["version"]), (&json!("499"), &json!("19-24"), &json!(2)));
    assert_eq!(counts(&upsert(&client, "companies", json!(items)).await), [0, 0, 500, 0]);
}
