//! Filters and orders of lists beyond the interface's parameters, over REST and in tools.

use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client};

use crate::all_callers::{issue_of, open_ticket};
use crate::support::{UNKNOWN_ID, all_pages};
use crate::tools::run;

/// Ids of records in the order of creation.
pub(crate) type Ids = Vec<String>;

pub(crate) async fn create_all(client: &Client, path: &str, bodies: &[Value]) -> Ids {
    let mut ids = Vec::new();
    for body in bodies {
        ids.push(client.create(path, body.clone()).await);
    }
    ids
}

/// A filter as a query and as tool arguments, and the indices of the matching records.
pub(crate) struct Case<'a>(pub(crate) &'a str, pub(crate) Value, pub(crate) &'a [usize]);

/// Checks that a route and a tool return the same records, newest first.
pub(crate) async fn check(client: &Client, (path, tool): (&str, &str), ids: &[String], cases: Vec<Case<'_>>) {
    for Case(query, arguments, expected) in cases {
        let expected: Vec<_> = expected.iter().map(|index| ids[*index].clone()).collect();
        let separator = if path.contains('?') { '&' } else { '?' };
        let results = client.get(&format!("{path}{separator}{query}")).await.expect(200).ids();
        assert_eq!(results, expected, "{path}{separator}{query}");
        let results = run(client, tool, arguments.clone()).await;
        let rows = results["data"].as_array().unwrap();
        let results: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(results, expected, "{tool} {arguments}");
    }
}

/// Checks that each query returns 400 with this detail.
async fn check_invalid(client: &Client, path: &str, cases: &[(&str, &str)]) {
    for (query, detail) in cases {
        let reply = client.get(&format!("{path}{query}")).await.expect(400);
        assert_eq!(reply.details(), [*detail], "{path}{query}");
        assert!(matches!(reply.code(), "invalid_value" | "unknown_parameter"), "{}", reply.text);
    }
}

#[tokio::test]
async fn contacts_by_address_id_tag_company_and_type() {
    let (_app, client) = App::with_client().await;
    let company = run(&client, "create_company", json!({"name": "Acme"})).await["id"].as_str().unwrap().to_owned();
    let path = "/api/v1/crm/contacts";
    let ids = create_all(
        &client,
        path,
        &[
            json!({"email": "Ada@Example.com", "external_id": "X-1", "tags": ["VIP", "Größe"], "contact_type": "lead"}),
            json!({"email": "ben@example.com", "external_id": "x-1", "tags": ["vip-2"], "company_id": company}),
            json!({"email": "eve@example.com", "tags": ["vip"], "company_id": company, "contact_type": "partner"}),
        ],
    )
    .await;
    let cases = vec![
        Case("email=ADA%40example.COM", json!({"email": "ADA@example.COM"}), &[0]),
        Case("email=nobody%40example.com", json!({"email": "nobody@example.com"}), &[]),
        Case("external_id=X-1", json!({"external_id": "X-1"}), &[0]),
        Case("external_id=X", json!({"external_id": "X"}), &[]),
        Case("tag=vip", json!({"tag": ["vip"]}), &[2, 0]),
        Case("tag=gr%C3%B6SSE", json!({"tag": ["gröSSE"]}), &[]),
        Case("tag=GR%C3%96%C3%9FE", json!({"tag": ["GRÖßE"]}), &[0]),
        Case("tag=vip-2&tag=gr%C3%B6%C3%9Fe", json!({"tag": ["vip-2", "größe"]}), &[1, 0]),
        Case("contact_type=lead", json!({"contact_type": ["lead"]}), &[0]),
        Case("contact_type=lead&contact_type=partner", json!({"contact_type": ["lead", "partner"]}), &[2, 0]),
        Case(
            "tag=vip&contact_type=partner&search=eve",
            json!({"tag": ["vip"], "contact_type": ["partner"], "search": "eve"}),
            &[2],
        ),
        // The search does not match tags, and tag filters do not match words.
        Case("search=vip", json!({"search": "vip"}), &[]),
        Case("tag=ada", json!({"tag": ["ada"]}), &[]),
    ];
    check(&client, (path, "list_contacts"), &ids, cases).await;
    let by_company = format!("company_id={company}");
    let cases = vec![Case(&by_company, json!({"company_id": company}), &[2, 1])];
    check(&client, (path, "list_contacts"), &ids, cases).await;
    let changed = json!({"id": ids[1], "tags": ["New"]});
    let _ = run(&client, "update_contact", changed).await;
    check(&client, (path, "list_contacts"), &ids, vec![Case("tag=new", json!({"tag": ["new"]}), &[1])]).await;
    check(&client, (path, "list_contacts"), &ids, vec![Case("tag=vip-2", json!({"tag": ["vip-2"]}), &[])]).await;
    check_invalid(
        &client,
        path,
        &[
            ("?email=x", "email:invalid_value"),
            ("?email=", "email:invalid_value"),
            ("?email=a%40example.com&email=b%40example.com", "email:invalid_value"),
            ("?external_id=", "external_id:invalid_value"),
            ("?tag=", "tag:invalid_value"),
            ("?contact_type=Lead", "contact_type:invalid_value"),
            ("?company_id=x", "company_id:invalid_uuid"),
            ("?tags=vip", "tags:unknown_parameter"),
        ],
    )
    .await;
    let tags = (0..21).map(|number| format!("tag=t{number}")).collect::<Vec<_>>().join("&");
    check_invalid(&client, &format!("{path}?"), &[(tags.as_str(), "tag:too_many")]).await;
}

#[tokio::test]
async fn deals_by_words_id_tag_and_currency() {
    let (_app, client) = App::with_client().await;
    let path = "/api/v1/crm/deals";
    let ids = create_all(
        &client,
        path,
        &[
            json!({"title": "Größere Pumpe", "external_id": "e1", "tags": ["Q1"], "currency": "EUR"}),
            json!({"title": "Renewal", "description": "Two pumps", "tags": ["q1", "hot"], "currency": "USD"}),
            json!({"title": "Licences", "external_id": "e2", "currency": "CHF"}),
        ],
    )
    .await;
    let cases = vec![
        Case("search=pump", json!({"search": "pump"}), &[1, 0]),
        Case("search=GROSSERE+pu", json!({"search": "GROSSERE pu"}), &[0]),
        Case("search=ump", json!({"search": "ump"}), &[]),
        Case("search=-", json!({"search": "-"}), &[]),
        Case("external_id=e2", json!({"external_id": "e2"}), &[2]),
        Case("tag=Q1", json!({"tag": ["Q1"]}), &[1, 0]),
        Case("tag=hot&search=two", json!({"tag": ["hot"], "search": "two"}), &[1]),
        Case("currency=EUR&currency=CHF", json!({"currency": ["EUR", "CHF"]}), &[2, 0]),
        Case("currency=USD", json!({"currency": ["USD"]}), &[1]),
    ];
    check(&client, (path, "list_deals"), &ids, cases).await;
    let _ = client.patch(&format!("{path}/{}", ids[2]), json!({"title": "Quartz"})).await.expect(200);
    check(&client, (path, "list_deals"), &ids, vec![Case("search=quar", json!({"search": "quar"}), &[2])]).await;
    check(&client, (path, "list_deals"), &ids, vec![Case("search=licen", json!({"search": "licen"}), &[])]).await;
    check_invalid(
        &client,
        path,
        &[
            ("?currency=eur", "currency:invalid_value"),
            ("?search=1+2+3+4+5+6+7+8+9", "search:too_many_tokens"),
            ("?order=price", "order:invalid_value"),
            ("?order=value&order=value", "order:invalid_value"),
        ],
    )
    .await;
}

/// Follows the cursor in pages of two.
async fn walk(client: &Client, query: &str) -> (Ids, Vec<String>) {
    let pages = all_pages(client, &format!("/api/v1/crm/deals?{query}&limit=2")).await;
    let cursors = pages.iter().filter_map(|page| page.body["pagination"]["nextCursor"].as_str().map(ToOwned::to_owned));
    (pages.iter().flat_map(ApiResponse::ids).collect(), cursors.collect())
}

#[tokio::test]
async fn deals_by_value_are_the_highest_first() {
    let (_app, client) = App::with_client().await;
    let values = [json!(5), json!(null), json!(999_999_999_999.99), json!(5.01), json!(0), json!(null), json!(5)];
    let bodies = values.map(|value| json!({"title": "d", "value": value}));
    let ids = create_all(&client, "/api/v1/crm/deals", &bodies).await;
    // Equal values and missing values are ordered by id, newest first.
    let expected: Vec<_> = [2, 3, 6, 0, 4, 5, 1].iter().map(|index: &usize| ids[*index].clone()).collect();
    let (results, cursors) = walk(&client, "order=value").await;
    assert_eq!(results, expected);
    let page = client.get("/api/v1/crm/deals?order=value&page=2&limit=3").await.expect(200);
    assert_eq!(page.ids(), expected[3..6]);
    let tool = run(&client, "list_deals", json!({"order": "value", "value_min": 5})).await;
    let rows: Vec<_> = tool["data"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
    assert_eq!(rows, expected[..4].iter().map(|id| json!(id)).collect::<Vec<_>>());
    let (newest, by_time) = walk(&client, "order=newest").await;
    assert_eq!(newest, ids.iter().rev().cloned().collect::<Vec<_>>());
    // A cursor is valid only for its own order.
    for (query, cursor) in [("", &cursors[0]), ("order=newest&", &cursors[0]), ("order=value&", &by_time[0])] {
        check_invalid(&client, "/api/v1/crm/deals", &[(&format!("?{query}cursor={cursor}"), "cursor:invalid_value")])
            .await;
    }
    check_invalid(&client, "/api/v1/projects", &[(&format!("?cursor={}", cursors[0]), "cursor:invalid_value")]).await;
}

#[tokio::test]
async fn projects_by_words_status_and_id() {
    let (_app, client) = App::with_client().await;
    let path = "/api/v1/projects";
    let ids = create_all(
        &client,
        path,
        &[
            json!({"name": "Website relaunch", "status": "active", "external_id": "p1"}),
            json!({"name": "Café", "description": "New web shop", "status": "done"}),
            json!({"name": "Archive"}),
        ],
    )
    .await;
    let cases = vec![
        Case("search=web", json!({"search": "web"}), &[1, 0]),
        Case("search=cafe", json!({"search": "cafe"}), &[1]),
        Case("status=active", json!({"status": ["active"]}), &[0]),
        Case("status=completed&status=planning", json!({"status": ["completed", "planning"]}), &[2, 1]),
        Case("status=in_progress", json!({"status": ["in_progress"]}), &[0]),
        Case("external_id=p1", json!({"external_id": "p1"}), &[0]),
        Case("search=web&status=completed", json!({"search": "web", "status": ["completed"]}), &[1]),
    ];
    check(&client, (path, "list_projects"), &ids, cases).await;
    check_invalid(&client, path, &[("?status=Active", "status:invalid_value"), ("?tag=a", "tag:unknown_parameter")])
        .await;
}

#[tokio::test]
async fn issues_by_assignee_priority_label_cycle_and_due_time() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let (ann, ben) =
        (tenant.member("ann@example.com").await.to_string(), tenant.member("ben@example.com").await.to_string());
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let days = json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-14"});
    let cycle = client.create(&format!("/api/v1/projects/{project}/cycles"), days).await;
    for (kind, tool, statuses) in
        [("task", "list_tasks", ["todo", "done"]), ("ticket", "list_tickets", ["open", "closed"])]
    {
        let issue = |more: Value| {
            let mut body = json!({"title": "i", "kind": kind});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            body
        };
        let bodies = [
            issue(json!({"assignee_id": ann, "priority": "low", "due_at": "2030-01-10T00:00:00Z"})),
            issue(json!({"priority": "urgent", "due_at": "2030-01-20T00:00:00Z", "status": statuses[1]})),
            issue(json!({"assignee_id": ben, "project_id": project, "cycle_id": cycle})),
        ];
        let ids = create_all(&client, "/api/v1/issues", &bodies).await;
        let labels = json!({"issueIds": [ids[0]], "patch": {"add_labels": ["Bug", "UI"]}});
        let _ = client.post("/api/v1/issues/bulk-update", labels).await.expect(200);
        let path = format!("/api/v1/issues?kind={kind}");
        let (of_ann, of_both) = (format!("assignee={ann}"), format!("assignee=none&assignee={}", ben.to_uppercase()));
        let of_cycle = format!("cycle_id={cycle}");
        let ten = "2030-01-10T00:00:00Z";
        let cases = vec![
            Case(&of_ann, json!({"assignee": [ann]}), &[0]),
            Case("assignee=none", json!({"assignee": ["none"]}), &[1]),
            Case(&of_both, json!({"assignee": ["none", ben]}), &[2, 1]),
            Case("priority=urgent&priority=medium", json!({"priority": ["urgent", "medium"]}), &[2, 1]),
            Case("label=bug", json!({"label": ["bug"]}), &[0]),
            Case("label=none&label=ui", json!({"label": ["none", "ui"]}), &[0]),
            Case("label=bu", json!({"label": ["bu"]}), &[]),
            Case(&of_cycle, json!({"cycle_id": cycle}), &[2]),
            Case("due_before=2030-01-20T00:00:00Z", json!({"due_before": "2030-01-20T00:00:00Z"}), &[0]),
            Case("due_after=2030-01-10T01:00:00%2B01:00", json!({"due_after": ten}), &[1, 0]),
            Case("due_after=2030-01-10T00:00:01Z", json!({"due_after": "2030-01-10T00:00:01Z"}), &[1]),
        ];
        check(&client, (&path, tool), &ids, cases).await;
        // Only tools accept several statuses: the interface's parameter takes one.
        let results = run(&client, tool, json!({ "status": statuses })).await;
        assert_eq!(results["data"].as_array().unwrap().len(), 3, "{results}");
        let results = run(&client, tool, json!({"status": [statuses[1]]})).await;
        assert_eq!((&results["data"][0]["id"], results["data"].as_array().unwrap().len()), (&json!(ids[1]), 1));
        let one = client.get(&format!("{path}&status={}", statuses[1])).await.expect(200);
        assert_eq!(one.ids(), ids[1..2]);
        let twice = format!("&status={}&status={}", statuses[0], statuses[1]);
        check_invalid(&client, &path, &[(&twice, "status:invalid_value")]).await;
        let removed = json!({"issueIds": [ids[0]], "patch": {"remove_labels": ["bug"]}});
        let _ = client.post("/api/v1/issues/bulk-update", removed).await.expect(200);
        check(&client, (&path, tool), &ids, vec![Case("label=bug", json!({"label": ["bug"]}), &[])]).await;
        check(&client, (&path, tool), &ids, vec![Case("label=ui", json!({"label": ["ui"]}), &[0])]).await;
    }
    check_invalid(
        &client,
        "/api/v1/issues",
        &[
            ("?assignee=nobody", "assignee:invalid_uuid"),
            ("?priority=High", "priority:invalid_value"),
            ("?label=", "label:invalid_value"),
            ("?cycle_id=x", "cycle_id:invalid_uuid"),
            ("?due_before=tomorrow", "due_before:invalid_timestamp"),
            ("?due_after=2030-01-02T00:00:00Z&due_before=2030-01-02T00:00:00Z", "due_before:invalid_value"),
            ("?reference=TKT-0123456789", "reference:invalid_value"),
            ("?requester=a%40example.com", "requester:invalid_value"),
            ("?waiting=true", "waiting:invalid_value"),
            ("?order=waiting", "order:invalid_value"),
            ("?overdue=yes", "overdue:invalid_value"),
            ("?kind=ticket&reference=TKT", "reference:invalid_value"),
            ("?kind=ticket&requester=x", "requester:invalid_value"),
        ],
    )
    .await;
}

#[tokio::test]
async fn tickets_by_reference_and_requester() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let contact = client.create("/api/v1/crm/contacts", json!({"email": "grace@example.org"})).await;
    let mut ids = Vec::new();
    let mut references = Vec::new();
    for email in ["Grace@example.org", "ada@example.org"] {
        let reference = open_ticket(&client, email).await;
        ids.push(issue_of(&client, &reference).await);
        references.push(reference);
    }
    ids.push(client.create("/api/v1/issues", json!({"title": "own", "kind": "ticket"})).await);
    // The contact has a new address; its earlier tickets are still found by both.
    let _ = run(&client, "update_contact", json!({"id": contact, "email": "hopper@example.org"})).await;
    let path = "/api/v1/issues?kind=ticket";
    let by_reference = format!("reference={}", references[1].to_lowercase());
    let cases = vec![
        Case("requester=GRACE%40example.org", json!({"requester": "GRACE@example.org"}), &[0]),
        Case("requester=Hopper%40example.org", json!({"requester": "Hopper@example.org"}), &[0]),
        Case("requester=ada%40example.org", json!({"requester": "ada@example.org"}), &[1]),
        Case("requester=nobody%40example.org", json!({"requester": "nobody@example.org"}), &[]),
        Case(&by_reference, json!({"reference": references[1].to_lowercase()}), &[1]),
        Case("reference=TKT-0000000000", json!({"reference": "TKT-0000000000"}), &[]),
    ];
    check(&client, (path, "list_tickets"), &ids, cases).await;
    // Callers who may not read contacts learn nothing about their addresses.
    let narrow = tenant.with_scopes(&["issues.read"]).await;
    for (email, expected) in [("hopper%40example.org", &ids[..0]), ("grace%40example.org", &ids[..1])] {
        assert_eq!(narrow.get(&format!("{path}&requester={email}")).await.expect(200).ids(), expected, "{email}");
    }
    let expected = run(&client, "get_ticket", json!({"reference": references[0].to_lowercase()})).await;
    assert_eq!(expected["id"], json!(ids[0]));
    // A ticket opened by the workspace also has a reference.
    let own_reference = client.get(&format!("/api/v1/issues/{}", ids[2])).await.expect(200).data()["reference"].clone();
    assert_eq!(run(&client, "get_ticket", json!({ "reference": own_reference })).await["id"], json!(ids[2]));
    assert_eq!(run(&client, "get_ticket", json!({"id": ids[2]})).await["reference"], own_reference);
    let call = async |arguments: Value| -> ApiResponse {
        client.post("/api/mcp/tools/call", json!({"name": "get_ticket", "arguments": arguments})).await
    };
    for arguments in [json!({"reference": "TKT"}), json!({"id": null, "reference": references[0]}), json!({"id": "x"})]
    {
        assert_eq!(call(arguments.clone()).await.expect(400).body["error"], json!("invalid_arguments"), "{arguments}");
    }
    for arguments in [
        json!({}),
        json!({"id": ids[0], "reference": references[0]}),
        json!({"reference": "TKT-0000000000"}),
        json!({"id": UNKNOWN_ID}),
    ] {
        assert_eq!(call(arguments.clone()).await.expect(200).body["isError"], json!(true), "{arguments}");
    }
}

#[tokio::test]
async fn filters_reveal_nothing_of_another_workspace() {
    let app = App::start().await;
    let (mine, other) = (app.workspace().await, app.workspace().await);
    let (mine, other) = (mine.full_access().await, other.full_access().await);
    let contact = json!({"email": "ada@example.com", "external_id": "x", "tags": ["vip"]});
    let _ = other.post("/api/v1/crm/contacts", contact).await.expect(201);
    let deal = json!({"title": "Pump", "external_id": "x", "tags": ["vip"], "value": 1});
    let _ = other.post("/api/v1/crm/deals", deal).await.expect(201);
    let _ = other.post("/api/v1/projects", json!({"name": "Pump", "external_id": "x"})).await.expect(201);
    let reference = open_ticket(&other, "ada@example.com").await;
    for path in [
        "crm/contacts?email=ada%40example.com",
        "crm/contacts?external_id=x",
        "crm/contacts?tag=vip",
        "crm/deals?search=pump",
        "crm/deals?external_id=x",
        "crm/deals?tag=vip",
        "crm/deals?order=value",
        "projects?search=pump",
        "projects?external_id=x",
        "issues?kind=ticket&requester=ada%40example.com",
        &format!("issues?kind=ticket&reference={reference}"),
    ] {
        assert_eq!(mine.get(&format!("/api/v1/{path}")).await.expect(200).ids(), [""; 0], "{path}");
        assert_eq!(other.get(&format!("/api/v1/{path}")).await.expect(200).ids().len(), 1, "{path}");
    }
    let summary = run(&mine, "summarize_deals", json!({})).await;
    assert_eq!(summary["total"]["count"], json!(0));
}
