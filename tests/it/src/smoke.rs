//! The shortest test: a key, a record, a list.

use serde_json::json;
use test_support::App;

#[tokio::test]
async fn a_contact_is_created_and_listed() {
    let (_app, client) = App::with_client().await;
    let created = client.post("/api/v1/crm/contacts", json!({"email": "ann@example.com"})).await.expect(201);
    assert_eq!(created.body["email"], "ann@example.com");
    let list = client.get("/api/v1/crm/contacts?search=ann").await.expect(200);
    assert_eq!(list.body["data"][0]["id"], created.body["id"]);
    assert_eq!(list.body["pagination"], json!({"page": 1, "limit": 50, "hasMore": false, "nextCursor": null}));
}
