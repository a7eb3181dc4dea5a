//! Tasks that are linked to a deal, a contact or a company.

use serde_json::{Value, json};
use test_support::{App, Client};

use crate::support::UNKNOWN_ID;
use crate::tools::{call, run};

const ISSUES: &str = "/api/v1/issues";
const LINKS: [&str; 3] = ["deal_id", "contact_id", "company_id"];

/// A deal, a contact and a company, in the order of [`LINKS`].
async fn records(client: &Client, number: u32) -> [String; 3] {
    let contact = json!({"email": format!("a{number}@example.com")});
    [
        client.create("/api/v1/crm/deals", json!({"title": "d"})).await,
        client.create("/api/v1/crm/contacts", contact).await,
        client.create("/api/v1/crm/companies", json!({"name": "c"})).await,
    ]
}

#[tokio::test]
async fn a_task_is_linked_only_to_existing_records() {
    let (_app, client) = App::with_client().await;
    let [deal, contact, company] = records(&client, 1).await;
    let body = json!({
        "kind": "task", "title": "Call them", "deal_id": deal, "contact_id": contact, "company_id": company,
    });
    let created = client.post(ISSUES, body.clone()).await.expect(201);
    let path = format!("{ISSUES}/{}", created.id());
    for member in LINKS {
        assert_eq!(created.data()[member], body[member], "{member}");
        let refused = client.patch(&path, json!({member: UNKNOWN_ID})).await.expect(422);
        assert_eq!(refused.details(), [format!("{member}:not_found")]);
        let refused = client.patch(&path, json!({member: "x"})).await.expect(400);
        assert_eq!(refused.details(), [format!("{member}:invalid_uuid")]);
    }
    let all = json!({"kind": "task", "title": "t", "deal_id": UNKNOWN_ID, "contact_id": UNKNOWN_ID, "company_id": UNKNOWN_ID});
    let missing = client.post(ISSUES, all).await.expect(422);
    assert_eq!(missing.details(), LINKS.map(|member| format!("{member}:not_found")));
    // A linked record may be deleted: the task keeps its id, and no other task can be linked to it.
    let _ = client.delete(&format!("/api/v1/crm/deals/{deal}")).await.expect(200);
    let stored = client.patch(&path, json!({"deal_id": deal, "title": "u"})).await.expect(200);
    assert_eq!(stored.data()["deal_id"], json!(deal));
    let other = client.post(ISSUES, json!({"kind": "task", "title": "t", "deal_id": deal})).await.expect(422);
    assert_eq!(other.details(), ["deal_id:not_found"]);
    let cleared =
        client.patch(&path, json!({"deal_id": null, "contact_id": null, "company_id": null})).await.expect(200);
    for member in LINKS {
        assert_eq!(cleared.data()[member], Value::Null, "{member}");
    }
    // A bulk update keeps links, and cannot set them.
    let tied = client.patch(&path, json!({"company_id": company})).await.expect(200);
    let bulk =
        |patch: Value| client.post("/api/v1/issues/bulk-update", json!({"issueIds": [created.id()], "patch": patch}));
    let _ = bulk(json!({"priority": "high"})).await.expect(200);
    assert_eq!(client.get(&path).await.expect(200).data()["company_id"], tied.data()["company_id"]);
    assert_eq!(bulk(json!({"company_id": null})).await.expect(400).details(), ["patch.company_id:unknown_field"]);
}

#[tokio::test]
async fn tickets_have_no_links() {
    let (_app, client) = App::with_client().await;
    let records = records(&client, 1).await;
    let ticket = client.post(ISSUES, json!({"kind": "ticket", "title": "t"})).await.expect(201);
    let path = format!("{ISSUES}/{}", ticket.id());
    for (member, id) in LINKS.iter().zip(&records) {
        assert_eq!(ticket.data()[member], Value::Null, "{member}");
        let detail = format!("{member}:tasks_only");
        let create = json!({"kind": "ticket", "title": "t", *member: id});
        assert_eq!(client.post(ISSUES, create).await.expect(422).details(), std::slice::from_ref(&detail));
        assert_eq!(client.patch(&path, json!({*member: id})).await.expect(422).details(), [detail]);
        let unchanged = client.patch(&path, json!({*member: null})).await.expect(200);
        assert_eq!(unchanged.data()["version"], 1, "{member}");
        let refused = client.get(&format!("{ISSUES}?kind=ticket&{member}={id}")).await.expect(400);
        assert_eq!(refused.details(), [format!("{member}:invalid_value")]);
        for (tool, arguments) in [
            ("create_ticket", json!({"title": "t", *member: id})),
            ("update_ticket", json!({"id": ticket.id(), *member: id})),
            ("list_tickets", json!({*member: id})),
        ] {
            let reply = call(&client, tool, arguments).await;
            assert_eq!((reply.status, &reply.body["error"]), (400, &json!("invalid_arguments")), "{tool} {member}");
        }
    }
}

#[tokio::test]
async fn tasks_are_found_by_their_links() {
    let (_app, client) = App::with_client().await;
    let (mine, others) = (records(&client, 1).await, records(&client, 2).await);
    let mut expected = Vec::new();
    for number in 0..2 {
        let mut task = json!({"title": format!("t{number}")});
        for (member, id) in LINKS.iter().zip(&mine) {
            task[member] = json!(id);
        }
        expected.insert(0, run(&client, "create_task", task).await["id"].as_str().unwrap().to_owned());
    }
    let _ = run(&client, "create_task", json!({"title": "other", "deal_id": others[0]})).await;
    for ((member, id), other) in LINKS.iter().zip(&mine).zip(&others) {
        let results = client.get(&format!("{ISSUES}?{member}={id}")).await.expect(200);
        assert_eq!(results.ids(), expected, "{member}");
        let first = client.get(&format!("{ISSUES}?{member}={id}&limit=1")).await.expect(200);
        let cursor = first.body["pagination"]["nextCursor"].as_str().unwrap();
        let next = client.get(&format!("{ISSUES}?{member}={id}&limit=1&cursor={cursor}")).await.expect(200);
        assert_eq!([first.ids(), next.ids()].concat(), expected, "{member}");
        let by_tool = run(&client, "list_tasks", json!({*member: id})).await;
        let ids: Vec<_> = by_tool["data"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(ids, expected, "{member}");
        let of_other = client.get(&format!("{ISSUES}?{member}={other}")).await.expect(200).ids().len();
        assert_eq!(of_other, usize::from(*member == "deal_id"), "{member}");
        let refused = client.get(&format!("{ISSUES}?{member}=x")).await.expect(400);
        assert_eq!(refused.details(), [format!("{member}:invalid_uuid")]);
    }
    let updated = run(&client, "update_task", json!({"id": expected[0], "deal_id": null})).await;
    assert_eq!(updated["deal_id"], Value::Null);
    assert_eq!(client.get(&format!("{ISSUES}?deal_id={}", mine[0])).await.expect(200).ids(), expected[1..]);
}
