//! Success responses.

use serde_json::{Value, json};

use http_core::testing::TestApp;

use super::SURFACES;

#[actix_web::test]
async fn a_deal_is_created_read_changed_and_deleted() {
    let world = TestApp::new(SURFACES);
    let made = world.answer(world.json("POST", "/api/v1/crm/deals", "{\"title\":\"A\"}")).await;
    assert_eq!(made.status, 201);
    let location = made.header("location").to_owned();
    let id = made.json()["data"]["id"].clone();
    assert_eq!(location, format!("/api/v1/crm/deals/{}", id.as_str().unwrap()));
    let read = world.answer(world.request("GET", &location)).await;
    assert_eq!((read.status, read.header("etag"), read.json()), (200, "\"1\"", made.json()));
    let known = world.answer(world.request("GET", &location).insert_header(("If-None-Match", "W/\"1\""))).await;
    assert_eq!((known.status, known.header("etag"), &*known.text), (304, "\"1\"", ""));
    let stale = world.json("PATCH", &location, "{\"title\":\"B\"}").insert_header(("If-Match", "\"9\""));
    assert_eq!(world.answer(stale).await.code(), "concurrent_update");
    let changed = world.json("PATCH", &location, "{\"title\":\"B\"}").insert_header(("If-Match", "\"1\""));
    let changed = world.answer(changed).await;
    assert_eq!((changed.status, changed.header("etag")), (200, "\"2\""));
    assert_eq!(changed.json()["data"]["title"], "B");
    let gone = world.answer(world.request("DELETE", &location)).await;
    assert_eq!((gone.status, gone.json()), (200, json!({"data": {"id": id, "deleted": true}})));
    assert_eq!(world.answer(world.request("GET", &location)).await.status, 404);
}

#[actix_web::test]
async fn lists_have_pages_and_cursors() {
    let world = TestApp::new(SURFACES);
    for number in 0..3 {
        let body = json!({"email": format!("a{number}@example.com")}).to_string();
        let made = world.answer(world.json("POST", "/api/v1/crm/contacts", &body)).await;
        assert_eq!((made.status, made.json()["email"].clone()), (201, json!(format!("a{number}@example.com"))));
    }
    let first = world.answer(world.request("GET", "/api/v1/crm/contacts?limit=2&status=active")).await.json();
    let pagination = &first["pagination"];
    assert_eq!(
        (&pagination["page"], &pagination["limit"], &pagination["hasMore"]),
        (&json!(1), &json!(2), &json!(true))
    );
    let cursor = pagination["nextCursor"].as_str().unwrap();
    let path = format!("/api/v1/crm/contacts?limit=2&cursor={cursor}");
    let second = world.answer(world.request("GET", &path)).await.json();
    assert_eq!(second["pagination"], json!({"page": null, "limit": 2, "hasMore": false, "nextCursor": null}));
    assert_eq!(second["data"].as_array().map(Vec::len), Some(1));
    let crossed = world.answer(world.request("GET", "/api/v1/crm/deals?value_min=2&value_max=1.5")).await;
    assert_eq!(crossed.details(), ["value_max:invalid_value"]);
}

#[actix_web::test]
async fn a_replayed_response_equals_the_first_one_byte_for_byte() {
    let world = TestApp::new(SURFACES);
    let project = world.answer(world.json("POST", "/api/v1/projects", "{\"name\":\"P\"}")).await;
    let task = world.answer(world.json("POST", "/api/v1/issues", "{\"kind\":\"task\",\"title\":\"T\"}")).await;
    let id = |made: &Value| made["data"]["id"].as_str().unwrap().to_owned();
    let (project, task) = (id(&project.json()), id(&task.json()));
    let bulk = json!({"issueIds": [task], "patch": {"priority": "high"}}).to_string();
    for (path, body) in [
        ("/api/v1/crm/contacts".to_owned(), "{\"email\":\"a@example.com\"}"),
        ("/api/v1/crm/deals".to_owned(), "{\"title\":\"D\"}"),
        ("/api/v1/projects".to_owned(), "{\"name\":\"P\"}"),
        (
            format!("/api/v1/projects/{project}/cycles"),
            "{\"name\":\"C\",\"start_date\":\"2030-01-01\",\"end_date\":\"2030-01-31\"}",
        ),
        ("/api/v1/issues".to_owned(), "{\"kind\":\"ticket\",\"title\":\"T\"}"),
        (format!("/api/v1/issues/{task}/comments"), "{\"body\":\"B\"}"),
        ("/api/v1/issues/bulk-update".to_owned(), &*bulk),
    ] {
        let keyed = |body: &str| world.json("POST", &path, body).insert_header(("Idempotency-Key", "k"));
        let first = world.answer(keyed(body)).await;
        let again = world.answer(keyed(body)).await;
        assert!(first.status < 300, "{path}: {}", first.text);
        assert_eq!((first.status, &first.text), (again.status, &again.text), "{path}");
        for name in ["location", "content-type"] {
            assert_eq!(first.header(name), again.header(name), "{path}");
        }
        let is_readable = ["/deals", "/projects", "/issues"].iter().any(|end| path.ends_with(end));
        assert_eq!(first.header("location").starts_with(&path), is_readable, "{path}");
        assert_eq!((first.header("idempotent-replayed"), again.header("idempotent-replayed")), ("", "true"), "{path}");
        let other = world.answer(keyed(&format!("{body} "))).await;
        assert_eq!((other.status, &*other.code()), (409, "idempotency_conflict"), "{path}");
    }
}
