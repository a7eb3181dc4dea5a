//! Pages by number and by cursor, on every list.

use serde_json::json;
use test_support::{ApiResponse, App};

use crate::support::all_pages;

#[tokio::test]
async fn every_list_is_paged_by_number_and_by_cursor() {
    let (_app, client) = App::with_client().await;
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let issue = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "t"})).await;
    let company = client.create("/api/v1/crm/companies", json!({"name": "first"})).await;
    let deal = client.create("/api/v1/crm/deals", json!({"title": "d"})).await;
    for number in 0..7 {
        let day = format!("2030-01-0{}", number + 1);
        for (path, body) in [
            ("/api/v1/crm/contacts".to_owned(), json!({"email": format!("a{number}@example.com")})),
            ("/api/v1/crm/deals".to_owned(), json!({"title": "d"})),
            ("/api/v1/crm/companies".to_owned(), json!({"name": "c"})),
            (format!("/api/v1/crm/companies/{company}/comments"), json!({"body": "b"})),
            (format!("/api/v1/crm/deals/{deal}/comments"), json!({"body": "b"})),
            ("/api/v1/projects".to_owned(), json!({"name": "p"})),
            (format!("/api/v1/projects/{project}/cycles"), json!({"name": "c", "start_date": day, "end_date": day})),
            ("/api/v1/issues".to_owned(), json!({"kind": "task", "title": "t", "project_id": project})),
            (format!("/api/v1/issues/{issue}/comments"), json!({"body": "b"})),
        ] {
            let _ = client.post(&path, body).await.expect(201);
        }
        for path in [
            format!("/api/v1/crm/companies/{company}"),
            format!("/api/v1/crm/deals/{deal}"),
            format!("/api/v1/projects/{project}"),
            format!("/api/v1/issues/{issue}"),
        ] {
            let member = if path.contains("deals") || path.contains("issues") { "title" } else { "name" };
            let _ = client.patch(&path, json!({ member: format!("changed {number}") })).await.expect(200);
        }
    }
    for list in [
        "/api/v1/crm/contacts?".to_owned(),
        "/api/v1/crm/contacts?status=active&status=blocked&".to_owned(),
        "/api/v1/crm/contacts?search=a&".to_owned(),
        "/api/v1/crm/deals?".to_owned(),
        "/api/v1/crm/deals?status=open&status=on_hold&stage=discovery&stage=proposal&".to_owned(),
        "/api/v1/crm/companies?".to_owned(),
        "/api/v1/crm/companies?search=c&".to_owned(),
        format!("/api/v1/crm/companies/{company}/comments?"),
        format!("/api/v1/crm/deals/{deal}/comments?"),
        "/api/v1/projects?".to_owned(),
        "/api/v1/issues?".to_owned(),
        "/api/v1/issues?search=t&".to_owned(),
        format!("/api/v1/projects/{project}/cycles?"),
        format!("/api/v1/projects/{project}/issues?"),
        format!("/api/v1/issues/{issue}/comments?"),
        format!("/api/v1/crm/companies/{company}/history?"),
        format!("/api/v1/crm/deals/{deal}/history?"),
        format!("/api/v1/projects/{project}/history?"),
        format!("/api/v1/issues/{issue}/history?"),
    ] {
        let all = client.get(&list).await.expect(200);
        let expected = all.ids();
        assert!(expected.len() >= 7, "{list}");
        assert_eq!(
            all.body["pagination"],
            json!({"page": 1, "limit": 50, "hasMore": false, "nextCursor": null}),
            "{list}"
        );
        let mut by_page = Vec::new();
        let mut page = 1;
        loop {
            let reply = client.get(&format!("{list}limit=3&page={page}")).await.expect(200);
            by_page.extend(reply.ids());
            assert_eq!(reply.body["pagination"]["page"], page, "{list}");
            if reply.body["pagination"]["hasMore"] == false {
                assert!(reply.body["pagination"]["nextCursor"].is_null());
                break;
            }
            page += 1;
        }
        let pages = all_pages(&client, &format!("{list}limit=3")).await;
        assert!(!pages[0].body["pagination"]["page"].is_null(), "{list}");
        assert!(pages[1..].iter().all(|reply| reply.body["pagination"]["page"].is_null()), "{list}");
        let by_cursor: Vec<_> = pages.iter().flat_map(ApiResponse::ids).collect();
        assert_eq!(by_page, expected, "{list}");
        assert_eq!(by_cursor, expected, "{list}");
        assert_eq!(client.get(&format!("{list}limit=7&page=9")).await.expect(200).ids().len(), 0, "{list}");
    }
}

#[tokio::test]
async fn invalid_pages_limits_and_cursors_are_rejected_on_every_list() {
    let (_app, client) = App::with_client().await;
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let issue = client.create("/api/v1/issues", json!({"kind": "task", "title": "t"})).await;
    let company = client.create("/api/v1/crm/companies", json!({"name": "c"})).await;
    let deal = client.create("/api/v1/crm/deals", json!({"title": "d"})).await;
    let _ = client.post("/api/v1/projects", json!({"name": "p"})).await;
    let foreign =
        client.get("/api/v1/projects?limit=1").await.body["pagination"]["nextCursor"].as_str().unwrap().to_owned();
    for list in [
        "/api/v1/crm/contacts".to_owned(),
        "/api/v1/crm/deals".to_owned(),
        "/api/v1/crm/companies".to_owned(),
        format!("/api/v1/crm/companies/{company}/comments"),
        format!("/api/v1/crm/deals/{deal}/comments"),
        "/api/v1/projects".to_owned(),
        "/api/v1/issues".to_owned(),
        format!("/api/v1/projects/{project}/cycles"),
        format!("/api/v1/projects/{project}/issues"),
        format!("/api/v1/issues/{issue}/comments"),
        format!("/api/v1/crm/companies/{company}/history"),
        format!("/api/v1/crm/deals/{deal}/history"),
        format!("/api/v1/projects/{project}/history"),
        format!("/api/v1/issues/{issue}/history"),
    ] {
        for (query, field) in [
            ("page=0", "page"),
            ("page=-1", "page"),
            ("page=x", "page"),
            ("page=", "page"),
            ("page=1.0", "page"),
            ("page=1&page=2", "page"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("limit=-5", "limit"),
            ("limit=ten", "limit"),
            ("limit=1&limit=1", "limit"),
            ("cursor=x", "cursor"),
            ("cursor=", "cursor"),
            ("page=1001&limit=100", "page"),
            ("page=99999999999", "page"),
        ] {
            let reply = client.get(&format!("{list}?{query}")).await.expect(400);
            assert_eq!(reply.code(), "invalid_value", "{list}?{query}");
            assert_eq!(reply.body["error"]["details"][0]["field"], field, "{list}?{query}");
        }
        let deep = client.get(&format!("{list}?page=1001&limit=100")).await;
        assert!(deep.text.contains("cursor"), "{}", deep.text);
        let both = client.get(&format!("{list}?page=1&cursor={foreign}")).await.expect(400);
        assert_eq!(both.body["error"]["details"][0]["field"], "cursor");
        if list != "/api/v1/projects" {
            assert_eq!(client.get(&format!("{list}?cursor={foreign}")).await.status, 400, "{list}");
        }
        let _ = client.get(&format!("{list}?page=1000&limit=100")).await.expect(200);
    }
}
