//! Tasks and tickets over REST.

use serde_json::{Value, json};
use test_support::{App, Client, assert_members};

use crate::support::{UNKNOWN_ID, send_in_parallel};

const PATH: &str = "/api/v1/issues";
const TASK: [&str; 6] = ["backlog", "todo", "in_progress", "in_review", "done", "cancelled"];
const TICKET: [&str; 5] = ["open", "pending", "on_hold", "resolved", "closed"];

async fn issue(client: &Client, body: Value) -> String {
    format!("{PATH}/{}", client.create(PATH, body).await)
}

fn id_of(path: &str) -> Value {
    json!(path.rsplit('/').next())
}

#[tokio::test]
async fn the_kind_is_required_and_never_changes() {
    let (_app, client) = App::with_client().await;
    assert_eq!(client.post(PATH, json!({"title": "t"})).await.expect(400).details(), ["kind:required"]);
    for kind in [json!("Task"), json!("TICKET"), json!("bug"), json!("")] {
        let refused = client.post(PATH, json!({"title": "t", "kind": kind})).await.expect(400);
        assert_eq!(refused.details(), ["kind:invalid_value"]);
    }
    let path = issue(&client, json!({"title": "t", "kind": "task"})).await;
    let reply = client.patch(&path, json!({"kind": "ticket"})).await.expect(400);
    assert_eq!((reply.code(), reply.details()), ("unknown_field", vec!["kind:unknown_field".to_owned()]));
    let data = client.get(&path).await.data().clone();
    assert_members(&data, &json!({"kind": "task", "status": "todo", "reference": null, "priority": "medium"}));
    assert_eq!((&data["requester"], data.as_object().unwrap().len()), (&Value::Null, 27));
    let ticket = client.get(&issue(&client, json!({"title": "t", "kind": "ticket"})).await).await.data().clone();
    assert_eq!((&ticket["status"], &ticket["requester"]), (&json!("open"), &Value::Null));
    let reference = ticket["reference"].as_str().unwrap();
    assert!(reference.starts_with("TKT-") && reference.len() == 14, "{reference}");
}

#[tokio::test]
async fn a_status_of_the_other_kind_is_rejected() {
    let (_app, client) = App::with_client().await;
    for (kind, foreign) in [("task", TICKET.as_slice()), ("ticket", TASK.as_slice())] {
        let path = issue(&client, json!({"title": "t", "kind": kind})).await;
        for status in foreign {
            for reply in [
                client.post(PATH, json!({"title": "t", "kind": kind, "status": status})).await,
                client.patch(&path, json!({"status": status})).await,
                client.get(&format!("{PATH}?kind={kind}&status={status}")).await,
            ] {
                assert_eq!((reply.status, reply.code()), (400, "invalid_value"), "{kind} {status}: {}", reply.text);
                assert_eq!(reply.details(), ["status:invalid_value"]);
            }
        }
    }
}

#[tokio::test]
async fn parents_form_no_loop() {
    let (_app, client) = App::with_client().await;
    let mut chain = vec![issue(&client, json!({"kind": "task", "title": "0"})).await];
    for number in 1..4 {
        let parent = id_of(&chain[number - 1]);
        chain.push(issue(&client, json!({"kind": "task", "title": "n", "parent_id": parent})).await);
    }
    for below in &chain {
        let reply = client.patch(&chain[0], json!({"parent_id": id_of(below)})).await.expect(409);
        assert_eq!(reply.code(), "conflict", "{}", reply.text);
    }
    let _ = client.patch(&chain[3], json!({"parent_id": id_of(&chain[0])})).await.expect(200);
    // Two moves, each valid, that together form a loop: one must fail.
    let (one, other) = (
        issue(&client, json!({"kind": "task", "title": "a"})).await,
        issue(&client, json!({"kind": "task", "title": "b"})).await,
    );
    for _ in 0..5 {
        let (remaining, right) = tokio::join!(
            client.patch(&one, json!({"parent_id": id_of(&other)})),
            client.patch(&other, json!({"parent_id": id_of(&one)}))
        );
        let mut statuses = [remaining.status, right.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        let _ = client.patch(&one, json!({"parent_id": null})).await.expect(200);
        let _ = client.patch(&other, json!({"parent_id": null})).await.expect(200);
    }
}

#[tokio::test]
async fn a_cycle_must_belong_to_the_issues_project() {
    let (_app, client) = App::with_client().await;
    let mut projects = Vec::new();
    for _ in 0..2 {
        let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
        let body = json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"});
        let cycle = client.post(&format!("/api/v1/projects/{project}/cycles"), body).await.id();
        projects.push((project, cycle));
    }
    let [(project, cycle), (other_project, other_cycle)] = projects.as_slice() else { panic!() };
    let reply = client
        .post(PATH, json!({"kind": "task", "title": "t", "project_id": project, "cycle_id": other_cycle}))
        .await
        .expect(422);
    assert_eq!(reply.details(), ["cycle_id:not_found"]);
    let path = issue(&client, json!({"kind": "task", "title": "t", "project_id": project, "cycle_id": cycle})).await;
    let refused = client.patch(&path, json!({"cycle_id": other_cycle})).await.expect(422);
    assert_eq!(refused.details(), ["cycle_id:not_found"]);
    let refused = client.patch(&path, json!({"project_id": other_project})).await.expect(422);
    assert_eq!(refused.details(), ["cycle_id:not_found"]);
    let refused = client.patch(&path, json!({"project_id": null})).await.expect(422);
    assert_eq!(refused.details(), ["cycle_id:needs_project"]);
    let moved = client.patch(&path, json!({"project_id": other_project, "cycle_id": other_cycle})).await.expect(200);
    assert_eq!(moved.data()["cycle_id"], json!(other_cycle));
    let _ = client.patch(&path, json!({"project_id": null, "cycle_id": null})).await.expect(200);
}

#[tokio::test]
async fn only_tasks_are_deleted() {
    let (_app, client) = App::with_client().await;
    let task = issue(&client, json!({"kind": "task", "title": "t"})).await;
    let child = issue(&client, json!({"kind": "task", "title": "c", "parent_id": id_of(&task)})).await;
    let ticket = issue(&client, json!({"kind": "ticket", "title": "t"})).await;
    assert_eq!(client.delete(&task).await.expect(200).body, json!({"data": {"id": id_of(&task), "deleted": true}}));
    assert_eq!(client.delete(&task).await.status, 404);
    assert_eq!(client.get(&task).await.status, 404);
    assert_eq!(client.get(&child).await.expect(200).data()["parent_id"], id_of(&task));
    let reply = client.delete(&ticket).await.expect(409);
    assert_eq!(reply.code(), "invalid_state_change");
    assert!(reply.body["error"]["message"].as_str().unwrap().contains("closed"));
    let _ = client.get(&ticket).await.expect(200);
}

#[tokio::test]
async fn lists_have_one_kind_and_every_filter() {
    let (_app, client) = App::with_client().await;
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let mut ids = Vec::new();
    for body in [
        json!({"kind": "task", "title": "Fix the Überlauf", "project_id": project}),
        json!({"kind": "task", "title": "Other", "description": "see überlauf-bug, \"quoted\"", "status": "done"}),
        json!({"kind": "ticket", "title": "Printer", "project_id": project}),
        json!({"kind": "ticket", "title": "Überlauf", "status": "pending"}),
    ] {
        ids.push(client.create(PATH, body).await);
    }
    for (query, expected) in [
        (String::new(), vec![1, 0]),
        ("?kind=task".to_owned(), vec![1, 0]),
        ("?kind=ticket".to_owned(), vec![3, 2]),
        ("?status=done".to_owned(), vec![1]),
        ("?kind=ticket&status=pending".to_owned(), vec![3]),
        (format!("?project_id={project}"), vec![0]),
        (format!("?kind=ticket&project_id={project}"), vec![2]),
        (format!("?project_id={UNKNOWN_ID}"), vec![]),
        ("?search=uberl".to_owned(), vec![1, 0]),
        ("?search=bug".to_owned(), vec![1]),
        ("?search=quoted".to_owned(), vec![1]),
        ("?search=fix%20the".to_owned(), vec![0]),
        ("?kind=ticket&search=uberlauf".to_owned(), vec![3]),
        ("?search=uberlauf&status=done".to_owned(), vec![1]),
        ("?search=printer".to_owned(), vec![]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|index: usize| ids[index].clone()).collect();
        assert_eq!(client.get(&format!("{PATH}{query}")).await.expect(200).ids(), expected, "{query}");
    }
    assert_eq!(client.get(&format!("/api/v1/projects/{project}/issues")).await.expect(200).ids(), [ids[0].clone()]);
    for query in
        ["kind=Task", "kind=task&kind=ticket", "status=Done", "status=done&status=todo", "project_id=x", "labels=a"]
    {
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.status, 400, "{query}");
    }
    // A changed title is found only by its new words.
    let _ = client.patch(&format!("{PATH}/{}", ids[0]), json!({"title": "Nothing"})).await.expect(200);
    assert_eq!(client.get(&format!("{PATH}?search=uberl")).await.ids(), [ids[1].clone()]);
    assert_eq!(client.get(&format!("{PATH}?search=noth")).await.ids(), [ids[0].clone()]);
}

#[tokio::test]
async fn numbers_increase_per_workspace_and_kind_under_concurrency() {
    let (app, client) = App::with_client().await;
    for (kind, expected) in [("task", 1), ("task", 2), ("ticket", 1), ("task", 3)] {
        assert_eq!(client.post(PATH, json!({"kind": kind, "title": "t"})).await.data()["number"], expected);
    }
    let requests = (0..20).map(|_| client.request("POST", PATH).json(&json!({"kind": "task", "title": "t"})));
    let replies = send_in_parallel(requests).await;
    let mut numbers: Vec<_> = replies.iter().map(|reply| reply.data()["number"].as_i64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (4..24).collect::<Vec<_>>());
    let other = app.workspace().await.full_access().await;
    assert_eq!(other.post(PATH, json!({"kind": "task", "title": "t"})).await.data()["number"], 1);
}
