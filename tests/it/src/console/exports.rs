//! Exports of lists: the file contains what the list shows.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Browser, Tenant};

/// The bytes by which Excel recognizes UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The rows of a file after its header; no cell has a comma or a quotation mark.
async fn file_at(browser: &Browser, path: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let answer = browser.request("GET", path).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200, "{path}");
    let bytes = answer.bytes().await.unwrap();
    assert!(bytes.starts_with(BYTE_ORDER_MARK), "{path}");
    let text = String::from_utf8(bytes[BYTE_ORDER_MARK.len()..].to_vec()).unwrap();
    let cells = |line: &str| line.split(',').map(|cell| cell.trim_matches('"').to_owned()).collect::<Vec<_>>();
    let mut lines = text.lines().map(cells);
    (lines.next().unwrap(), lines.collect())
}

/// The URLs of the two exports of a list.
async fn exports_of(browser: &Browser, list: &str) -> [String; 2] {
    let page = browser.open(list).await.expect(200);
    let links = page.links().into_iter().filter(|link| link.starts_with("/export/"));
    links.collect::<Vec<_>>().try_into().unwrap_or_else(|links| panic!("{list}: {links:?}"))
}

async fn add_deals(tenant: &Tenant) {
    let key = tenant.full_access().await;
    let company = key.post("/api/v1/crm/companies", json!({"name": "Jörg GmbH"})).await.expect(201);
    let company = company.data()["id"].clone();
    for (title, stage, value) in [("Small", "proposal", 10), ("Large", "proposal", 900), ("Early", "discovery", 5)] {
        let deal = json!({"title": title, "stage": stage, "value": value, "company_id": company});
        let _ = key.post("/api/v1/crm/deals", deal).await.expect(201);
    }
}

#[tokio::test]
async fn a_file_has_the_filters_order_and_columns_of_its_list() {
    let (_app, tenant) = App::with_workspace().await;
    add_deals(&tenant).await;
    let viewer = tenant.signed_in(Role::Viewer).await;
    let list = "/deals?stage=proposal&order=value&columns=company_id&limit=1";
    let [all, shown] = exports_of(&viewer, list).await;
    let (header, rows) = file_at(&viewer, &shown).await;
    assert_eq!(header, ["id", "title", "company_id", "company_name"]);
    let titles: Vec<_> = rows.iter().map(|row| (&*row[1], &*row[3])).collect();
    assert_eq!(titles, [("Large", "Jörg GmbH"), ("Small", "Jörg GmbH")]);
    let (header, rows) = file_at(&viewer, &all).await;
    assert_eq!(rows.len(), 2);
    for column in ["value", "company_name", "company_external_id", "assigned_to_name", "created_by_name"] {
        assert!(header.contains(&column.to_owned()), "{column}: {header:?}");
    }
    let [all, _] = exports_of(&viewer, "/deals?search=earl").await;
    assert_eq!(file_at(&viewer, &all).await.1.len(), 1);
    for list in ["/contacts", "/companies", "/projects", "/tasks", "/tickets", "/articles"] {
        for path in exports_of(&viewer, list).await {
            assert_eq!(file_at(&viewer, &path).await.1.len(), usize::from(list == "/companies"), "{path}");
        }
    }
}

#[tokio::test]
async fn deleted_records_are_exported_as_their_list_shows_them() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    for title in ["Kept", "Gone"] {
        let _ = key.post("/api/v1/crm/deals", json!({"title": title})).await.expect(201);
    }
    let deleted = key.get("/api/v1/crm/deals?search=gone").await.expect(200).data()[0]["id"].clone();
    let _ = key.delete(&format!("/api/v1/crm/deals/{}", deleted.as_str().unwrap())).await.expect(200);
    let owner = tenant.signed_in(Role::Owner).await;
    let [all, _] = exports_of(&owner, "/deals?deleted=true").await;
    let (header, rows) = file_at(&owner, &all).await;
    assert_eq!((rows.len(), &*rows[0][1]), (1, "Gone"));
    let index = header.iter().position(|column| column == "deleted_at").unwrap();
    assert!(rows[0][index].starts_with("20"), "{rows:?}");
}

#[tokio::test]
async fn exports_with_invalid_parameters_are_refused() {
    let (_app, tenant, member) = App::with_browser(Role::Member).await;
    for (path, status, reason) in [
        ("/export/deals?stage=nowhere", 400, "stage"),
        ("/export/deals?columns=title,shoe_size", 400, "shoe_size"),
        ("/export/deals?colour=red", 400, "colour"),
        ("/export/deals?cursor=abc", 400, "cursor"),
        ("/export/contacts?deleted=true", 403, ""),
    ] {
        let answer = member.send(member.request("GET", path)).await.expect(status);
        assert!(answer.text.to_lowercase().contains(reason), "{path}: {}", answer.text);
    }
    let log = tenant.user(Role::Owner).await.client.get("/api/settings/audit-log").await.expect(200);
    assert!(!log.text.contains("records.exported"), "{}", log.text);
}

#[tokio::test]
async fn the_audit_log_says_who_exported_what_and_how_much() {
    let (_app, tenant) = App::with_workspace().await;
    add_deals(&tenant).await;
    let member = tenant.signed_in(Role::Member).await;
    let (_, rows) = file_at(&member, "/export/deals?stage=proposal&search=large&columns=title").await;
    assert_eq!(rows.len(), 1);
    let owner = tenant.user(Role::Owner).await.client;
    let log = "/api/settings/audit-log?action=records.exported&action=export.finished";
    let log = owner.get(log).await.expect(200).data().clone();
    let ended = json!({"kind": "deals", "rows": 1, "complete": true});
    let expected = json!({
        "kinds": ["deals"], "filter": {"stage": ["proposal"], "search": ["large"]}, "columns": ["id", "title"],
    });
    let details: Vec<&Value> = log.as_array().unwrap().iter().map(|entry| &entry["details"]).collect();
    assert_eq!(details, [&ended, &expected], "{log}");
    assert!(log.as_array().unwrap().iter().all(|entry| entry["actor"]["type"] == "user"), "{log}");
}
