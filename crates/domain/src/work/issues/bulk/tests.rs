use super::*;
use crate::kernel::input::{Input, InputMode};
use crate::testing;
use serde_json::{Value as Json, json};

fn read(body: Json) -> Result<BulkUpdate, Vec<String>> {
    let Json::Object(object) = body else { panic!() };
    BulkUpdate::from_object(object, InputMode::Create).map_err(|error| {
        error.details().into_iter().map(|problem| format!("{}:{}", problem.field, problem.code)).collect()
    })
}

fn ids(count: u128) -> Vec<String> {
    (0..count).map(|number| uuid::Uuid::from_u128(number).to_string()).collect()
}

#[test]
fn the_body_is_bounded_and_strict() {
    let patch = json!({"priority": "high"});
    assert_eq!(read(json!({"issueIds": ids(500), "patch": patch})).unwrap().ids.len(), 500);
    assert_eq!(read(json!({"issueIds": ids(501), "patch": patch})).unwrap_err(), ["issueIds:out_of_range"]);
    assert_eq!(read(json!({"issueIds": [], "patch": patch})).unwrap_err(), ["issueIds:out_of_range"]);
    assert_eq!(read(json!({"issueIds": [ids(1)[0], ids(1)[0]], "patch": patch})).unwrap().ids.len(), 1);
    assert_eq!(read(json!({})).unwrap_err(), ["issueIds:required", "patch:required"]);
    assert_eq!(read(json!({"issueIds": ids(1), "patch": {}})).unwrap_err(), ["patch:empty_patch"]);
    assert_eq!(
        read(json!({"issueIds": ["x"], "patch": {"title": "x"}, "y": 1})).unwrap_err(),
        ["issueIds[0]:invalid_uuid", "patch.title:unknown_field", "y:unknown_field"]
    );
    assert_eq!(
        read(json!({"issueIds": ids(1), "patch": {"status": "nope"}})).unwrap_err(),
        ["patch.status:invalid_value"]
    );
    assert_eq!(
        read(json!({"issueIds": ids(1), "patch": {"add_labels": ["Bug"], "remove_labels": ["bug"]}})).unwrap_err(),
        ["patch.remove_labels:contradicts_add_labels"]
    );
}

#[test]
fn labels_ignore_case_and_are_bounded() {
    let patch = |body| read(json!({"issueIds": ids(1), "patch": body})).unwrap().patch;
    let old = ["Bug".to_owned(), "ui".to_owned()];
    assert_eq!(relabelled(&old, &patch(json!({"add_labels": ["bug", "New", "new"]}))).unwrap(), ["Bug", "ui", "New"]);
    assert_eq!(relabelled(&old, &patch(json!({"remove_labels": ["BUG", "absent"]}))).unwrap(), ["ui"]);
    let many: Vec<_> = (0..49).map(|number| number.to_string()).collect();
    assert_eq!(relabelled(&old, &patch(json!({"add_labels": many}))), None);
    assert_eq!(relabelled(&old, &patch(json!({"add_labels": many[..48]}))).unwrap().len(), 50);
}

#[test]
fn issues_are_checked_one_by_one() {
    let context = Context { cycle_project: None, epic_kind: Some(IssueKind::Task), above_epic: HashSet::new() };
    let patch = |body| read(json!({"issueIds": ids(1), "patch": body})).unwrap().patch;
    let code = |issue: &Issue, body| {
        apply_to(issue, &patch(body), &context, OffsetDateTime::UNIX_EPOCH).map_err(|(code, _)| code)
    };
    let task = testing::issue(IssueKind::Task, IssueStatus::Todo);
    let ticket = testing::issue(IssueKind::Ticket, IssueStatus::Closed);
    assert_eq!(code(&ticket, json!({"status": "done"})), Err("invalid_status_for_kind"));
    assert_eq!(code(&ticket, json!({"status": "pending"})), Err("invalid_state_change"));
    assert_eq!(code(&ticket, json!({"epic_id": ids(1)[0]})), Err("not_found"));
    assert_eq!(code(&task, json!({"status": "todo"})), Ok(None));
    assert!(code(&task, json!({"status": "done"})).unwrap().unwrap().completed_at.is_some());
}
