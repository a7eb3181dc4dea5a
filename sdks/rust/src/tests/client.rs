use serde_json::{Value, json};

use super::support::{answered, nothing, scripted};
use crate::types::{ContactChanges, ContactsListQuery, DealStatus, DealUpdate, DealsListQuery, UpsertContactsItem};
use crate::{Client, Error, Patch};

fn page(ids: &[&str], cursor: Option<&str>, has_more: bool) -> Value {
    let data: Vec<_> = ids.iter().map(|id| json!({ "id": id })).collect();
    json!({ "data": data, "pagination": { "page": null, "limit": 2, "hasMore": has_more, "nextCursor": cursor } })
}

#[test]
fn settings_are_checked_and_no_message_shows_the_key() {
    let build = |key: &str, url: &str| Client::builder().api_key(key).base_url(url).build();
    let client = build("svc_marker", "http://service.example.com/base/").unwrap();
    assert_eq!(client.base_url(), "http://service.example.com/base");
    let debug = format!("{client:?} {:?} {:?}", client.transport.settings, Client::builder().api_key("svc_marker"));
    assert!(!debug.contains("marker"), "{debug}");
    for url in ["", "nonsense", "ftp://a", "https://user:svc_marker@a", "https://a?b", "https://a#b", "https://["] {
        let error = build("svc_marker", url).unwrap_err();
        assert!(matches!(error, Error::Configuration(_)), "{url}: {error:?}");
        assert!(!format!("{error} {error:?}").contains("marker"), "{error:?}");
    }
    let error = build("svc_marker\n", "https://a").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("marker"), "{error:?}");
    assert!(build("svc_marker", "https://service.example.com").is_ok(), "TLS has a provider");
}

#[tokio::test]
async fn a_request_has_the_key_path_query_body_and_version() {
    let (client, updated) = scripted([nothing(422)]);
    let changes = DealUpdate { title: Some("New".to_owned()), description: Patch::Clear, ..DealUpdate::default() };
    client.deals().update("a/b", &changes).if_version(3).await.unwrap_err();
    let call = &updated.requests()[0];
    assert_eq!((call.method.as_str(), &*call.url), ("PATCH", "https://service.example.com/api/v1/crm/deals/a%2Fb"));
    assert_eq!(call.headers["authorization"], "Bearer svc_secret");
    assert_eq!(call.headers["if-match"], "\"3\"");
    assert!(!call.headers.contains_key("idempotency-key"));
    assert!(!format!("{call:?}").contains("svc_secret"));
    assert_eq!(updated.body(0), json!({ "title": "New", "description": null }));
    let (client, listed) = scripted([answered(200, &page(&[], None, false))]);
    let query = DealsListQuery {
        status: vec![DealStatus::Open, DealStatus::OnHold],
        search: Some("a&b".to_owned()),
        deleted: Some(true),
        ..DealsListQuery::default()
    };
    client.deals().list(&query).await.unwrap();
    assert_eq!(listed.sorted_queries(), ["deleted=true&search=a%26b&status=on_hold&status=open"]);
}

#[tokio::test]
async fn options_that_an_operation_does_not_have_are_refused_before_sending() {
    let (client, exchange) = scripted([nothing(200)]);
    let calls = [
        client.request("deals_read").path("deal_id", "d").idempotency_key("k"),
        client.request("deals_create").body(&json!({ "title": "a" })).if_version(1),
        client.request("nonsense"),
        client.request("deals_read"),
        client.request("deals_read").path("deal_id", ".."),
    ];
    for call in calls {
        assert!(matches!(call.await, Err(Error::Configuration(_))));
    }
    assert_eq!(exchange.attempts(), 0);
}

#[tokio::test]
async fn lists_follow_the_cursor_to_the_end_even_if_the_last_page_has_one() {
    let replies = [
        answered(200, &page(&["a", "b"], Some("c1"), true)),
        answered(200, &page(&[], Some("c2"), true)),
        answered(200, &page(&["c"], Some("c3"), false)),
    ];
    let (client, exchange) = scripted(replies.clone());
    let list = || {
        let query = ContactsListQuery { page: Some(1), limit: Some(2), ..ContactsListQuery::default() };
        crate::List::<Value>::new(&client, "contacts_list", &[]).with_query(&query)
    };
    let items = list().items().collect().await.unwrap();
    assert_eq!(items, [json!({ "id": "a" }), json!({ "id": "b" }), json!({ "id": "c" })]);
    assert_eq!(exchange.sorted_queries(), ["limit=2&page=1", "cursor=c1&limit=2", "cursor=c2&limit=2"]);
    let pages = list().pages().collect().await.unwrap();
    assert_eq!(pages.last().map(|page| (page.next_cursor(), page.has_more())), Some((Some("c3"), false)));
}

#[tokio::test]
async fn created_contacts_come_without_data_and_other_records_inside_it() {
    let deleted = json!({ "id": "d", "deleted": true });
    let (client, _) = scripted([answered(200, &json!({ "data": deleted }))]);
    assert_eq!(client.deals().delete("d").await.unwrap().id, "d");
    let (client, _) = scripted([answered(201, &json!({ "id": "c" }))]);
    assert_eq!(client.request("contacts_create").body(&json!({})).await.unwrap()["id"], "c");
}

#[tokio::test]
async fn an_update_of_a_contact_and_an_upsert_are_one_call_of_their_tools() {
    let result = json!({ "isError": false, "content": [], "structuredContent": {
        "dry_run": true, "outcomes": ["created"], "created": 1, "updated": 0, "unchanged": 0, "failed": [], "ids": ["c"],
    } });
    let (client, exchange) = scripted([answered(200, &result)]);
    let item = UpsertContactsItem { email: Some("a@example.com".to_owned()), ..UpsertContactsItem::default() };
    let _ = client.contacts().upsert(&[item]).dry_run(true).await;
    let arguments = json!({ "items": [{ "email": "a@example.com" }], "dry_run": true });
    assert_eq!(exchange.body(0), json!({ "name": "upsert_contacts", "arguments": arguments }));
    let changes = ContactChanges { notes: "n".into(), ..ContactChanges::default() };
    let _ = client.contacts().update("c", &changes).if_version(2).await;
    let arguments = json!({ "notes": "n", "id": "c", "expected_version": 2 });
    assert_eq!(exchange.body(1), json!({ "name": "update_contact", "arguments": arguments }));
}
