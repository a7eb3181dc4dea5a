use serde_json::json;
use time::Duration;

use super::{new, patch, refusal, refused_body, start};
use domain::identity::access::{CreateComments, CreateIssues, DeleteIssues, ReadComments, ReadIssues, UpdateIssues};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Clock;
use domain::work::comments;
use domain::work::comments::Comment;
use domain::work::issues::{self, BulkUpdated, Issue, IssueFields, IssueStatus, NewIssue};
use domain::work::projects::Project;
use domain::{Error, IssueId};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

fn create(test: &TestPorts, world: &TestWorkspace, body: serde_json::Value) -> Result<Issue, Error> {
    let permit = world.permit::<CreateIssues>();
    let created = issues::create(&test.ports, &permit, None, new(body));
    test.block_on(created).map(|outcome| outcome.fresh().unwrap())
}

fn task(test: &TestPorts, world: &TestWorkspace) -> Issue {
    create(test, world, json!({"kind": "task", "title": "T"})).unwrap()
}

fn ticket(test: &TestPorts, world: &TestWorkspace) -> Issue {
    create(test, world, json!({"kind": "ticket", "title": "T"})).unwrap()
}

fn update(test: &TestPorts, world: &TestWorkspace, id: IssueId, body: serde_json::Value) -> Result<Issue, Error> {
    let permit = world.permit::<UpdateIssues>();
    test.block_on(issues::update(&test.ports, &permit, id, ExpectedVersion::Any, patch::<IssueFields>(body)))
}

fn read(test: &TestPorts, world: &TestWorkspace, id: IssueId) -> Result<Issue, Error> {
    test.block_on(issues::read(&test.ports, &world.permit::<ReadIssues>(), id))
}

fn delete(test: &TestPorts, world: &TestWorkspace, id: IssueId, expected: ExpectedVersion) -> Result<(), Error> {
    test.block_on(issues::delete(&test.ports, &world.permit::<DeleteIssues>(), id, expected))
}

fn bulk(
    test: &TestPorts,
    world: &TestWorkspace,
    ids: &[IssueId],
    patch: serde_json::Value,
) -> Result<BulkUpdated, Error> {
    let mut body = json!({"issueIds": ids});
    body["patch"] = patch;
    let permit = world.permit::<UpdateIssues>();
    let updated = issues::bulk_update(&test.ports, &permit, None, new(body));
    test.block_on(updated).map(|outcome| outcome.fresh().unwrap())
}

fn failures(updated: &BulkUpdated) -> Vec<(IssueId, &'static str)> {
    updated.failed.iter().map(|failure| (failure.id, failure.code)).collect()
}

#[test]
fn each_kind_is_numbered_and_tickets_have_references() {
    let (test, world) = start();
    let (first, second, ticket) = (task(&test, &world), task(&test, &world), ticket(&test, &world));
    assert_eq!((first.number, second.number, ticket.number), (1, 2, 1));
    assert_eq!((first.reference, first.status), (None, IssueStatus::Todo));
    assert!(ticket.reference.as_ref().is_some_and(|reference| reference.starts_with("TKT-")));
    assert_eq!(read(&test, &world, ticket.id).unwrap(), ticket);
    let done = create(&test, &world, json!({"kind": "task", "title": "T", "status": "done"})).unwrap();
    assert_eq!(done.completed_at, Some(test.clock.now()));
}

#[test]
fn references_are_checked_by_kind_and_project() {
    let (test, world) = start();
    let (project, other) =
        (test.block_on(world.add(world.bare_project())).id, test.block_on(world.add(world.bare_project())).id);
    let cycle = test.block_on(world.add(world.cycle(project, 1))).id;
    let parent = ticket(&test, &world).id;
    let id = world.id();
    let body = json!({"kind": "task", "title": "T", "project_id": id, "assignee_id": id, "parent_id": parent});
    let expected = "validation_failed project_id:not_found assignee_id:not_found parent_id:not_found";
    assert_eq!(refusal(create(&test, &world, body)), expected);
    let in_cycle = |project: Option<_>| json!({"kind": "task", "title": "T", "cycle_id": cycle, "project_id": project});
    assert_eq!(refused_body::<NewIssue>(in_cycle(None)), "validation_failed cycle_id:needs_project");
    assert_eq!(refusal(create(&test, &world, in_cycle(Some(other)))), "validation_failed cycle_id:not_found");
    create(&test, &world, in_cycle(Some(project))).unwrap();
}

#[test]
fn an_issue_must_leave_its_cycle_before_its_project() {
    let (test, world) = start();
    let (project, other) =
        (test.block_on(world.add(world.bare_project())).id, test.block_on(world.add(world.bare_project())).id);
    let cycle = test.block_on(world.add(world.cycle(project, 1))).id;
    let body = json!({"kind": "task", "title": "T", "cycle_id": cycle, "project_id": project});
    let issue = create(&test, &world, body).unwrap();
    let moved = update(&test, &world, issue.id, json!({"project_id": other}));
    assert_eq!(refusal(moved), "validation_failed cycle_id:not_found");
    let cleared = update(&test, &world, issue.id, json!({"project_id": null}));
    assert_eq!(refusal(cleared), "validation_failed cycle_id:needs_project");
    assert_eq!(read(&test, &world, issue.id).unwrap(), issue);
    let moved = update(&test, &world, issue.id, json!({"project_id": other, "cycle_id": null})).unwrap();
    assert_eq!((moved.project_id, moved.cycle_id, moved.version), (Some(other), None, 2));
}

#[test]
fn a_ticket_of_a_deleted_project_can_still_be_changed() {
    let (test, world) = start();
    let project = test.block_on(world.add(world.bare_project())).id;
    let cycle = test.block_on(world.add(world.cycle(project, 1))).id;
    let body = json!({"kind": "ticket", "title": "T", "cycle_id": cycle, "project_id": project});
    let issue = create(&test, &world, body).unwrap();
    test.block_on(world.delete::<Project>(project));
    let same = json!({"title": "U", "project_id": project, "cycle_id": cycle});
    assert_eq!(update(&test, &world, issue.id, same).unwrap().version, 2);
    let moved = update(&test, &world, ticket(&test, &world).id, json!({"project_id": project}));
    assert_eq!(refusal(moved), "validation_failed project_id:not_found");
}

#[test]
fn an_update_increments_the_version_only_if_something_changes() {
    let (test, world) = start();
    let issue = create(&test, &world, json!({"kind": "task", "title": "T", "estimate_hours": 0.1})).unwrap();
    test.clock.advance(Duration::MINUTE);
    let same = json!({"title": " T ", "estimate_hours": 0.10, "status": null, "priority": "medium", "due_at": null});
    assert_eq!(update(&test, &world, issue.id, same).unwrap(), issue);
    let done = update(&test, &world, issue.id, json!({"status": "done"})).unwrap();
    assert_eq!((done.version, done.completed_at, done.updated_at), (2, Some(test.clock.now()), test.clock.now()));
    let reopened = update(&test, &world, issue.id, json!({"status": null})).unwrap();
    assert_eq!((reopened.version, reopened.status, reopened.completed_at), (3, IssueStatus::Todo, None));
    let ticket_status = update(&test, &world, issue.id, json!({"status": "open"}));
    assert_eq!(refusal(ticket_status), "invalid_value status:invalid_value");
    let closed = create(&test, &world, json!({"kind": "ticket", "title": "T", "status": "closed"})).unwrap();
    assert_eq!(refusal(update(&test, &world, closed.id, json!({"status": "pending"}))), "invalid_state_change");
}

#[test]
fn parents_cannot_form_a_loop() {
    let (test, world) = start();
    let (top, middle, bottom) = (task(&test, &world), task(&test, &world), task(&test, &world));
    update(&test, &world, bottom.id, json!({"parent_id": middle.id})).unwrap();
    update(&test, &world, middle.id, json!({"parent_id": top.id})).unwrap();
    for (issue, parent) in [(&top, &bottom), (&top, &middle), (&top, &top), (&middle, &bottom)] {
        assert_eq!(refusal(update(&test, &world, issue.id, json!({"parent_id": parent.id}))), "conflict");
    }
    let kind = update(&test, &world, top.id, json!({"parent_id": ticket(&test, &world).id}));
    assert_eq!(refusal(kind), "validation_failed parent_id:not_found");
    // A deleted issue in between still counts.
    delete(&test, &world, middle.id, ExpectedVersion::Any).unwrap();
    assert_eq!(refusal(update(&test, &world, top.id, json!({"parent_id": bottom.id}))), "conflict");
    update(&test, &world, bottom.id, json!({"parent_id": null})).unwrap();
    update(&test, &world, top.id, json!({"parent_id": bottom.id})).unwrap();
}

#[test]
fn a_bulk_update_checks_each_issue_in_the_order_of_the_request() {
    let (test, world) = start();
    let (todo, done) = (task(&test, &world), task(&test, &world));
    let done = update(&test, &world, done.id, json!({"status": "done"})).unwrap();
    let (ticket, absent) = (ticket(&test, &world), IssueId(world.id()));
    test.clock.advance(Duration::MINUTE);
    let ids = [absent, done.id, ticket.id, todo.id, done.id];
    let updated = bulk(&test, &world, &ids, json!({"status": "done"})).unwrap();
    assert_eq!(updated.updated, [done.id, todo.id]);
    assert_eq!(failures(&updated), [(absent, "not_found"), (ticket.id, "invalid_status_for_kind")]);
    assert_eq!((updated.updated_count, updated.failed_count), (2, 2));
    let stored = read(&test, &world, todo.id).unwrap();
    assert_eq!((stored.status, stored.version, stored.updated_at), (IssueStatus::Done, 2, test.clock.now()));
    assert_eq!(read(&test, &world, done.id).unwrap(), done);
    assert_eq!(read(&test, &world, ticket.id).unwrap(), ticket);
}

#[test]
fn a_bulk_update_enforces_the_rules_for_cycles_epics_and_statuses() {
    let (test, world) = start();
    let project = test.block_on(world.add(world.bare_project())).id;
    let cycle = test.block_on(world.add(world.cycle(project, 1))).id;
    let inside = create(&test, &world, json!({"kind": "task", "title": "T", "project_id": project})).unwrap().id;
    let (outside, epic, closed) = (task(&test, &world).id, task(&test, &world).id, ticket(&test, &world).id);
    update(&test, &world, closed, json!({"status": "closed"})).unwrap();

    let updated = bulk(&test, &world, &[outside, inside], json!({"cycle_id": cycle})).unwrap();
    assert_eq!(updated.updated, [inside]);
    assert_eq!(failures(&updated), [(outside, "cycle_of_another_project")]);
    let updated = bulk(&test, &world, &[closed, epic, inside], json!({"epic_id": epic})).unwrap();
    assert_eq!(updated.updated, [inside]);
    assert_eq!(failures(&updated), [(closed, "not_found"), (epic, "loop")]);
    let updated = bulk(&test, &world, &[epic, outside], json!({"epic_id": inside})).unwrap();
    assert_eq!((updated.updated.as_slice(), failures(&updated)), (&[outside][..], vec![(epic, "loop")]));
    let updated = bulk(&test, &world, &[closed], json!({"status": "on_hold"})).unwrap();
    assert_eq!(failures(&updated), [(closed, "invalid_state_change")]);

    let body = json!({"add_labels": ["Bug", "bug", "ui"], "cycle_id": null, "assignee_id": world.member});
    assert_eq!(bulk(&test, &world, &[inside, closed], body).unwrap().failed_count, 0);
    let stored = read(&test, &world, inside).unwrap();
    assert_eq!((stored.labels, stored.cycle_id, stored.epic_id), (vec!["Bug".into(), "ui".into()], None, Some(epic)));
    assert_eq!((stored.assignee_id, stored.version), (Some(world.member), 4));
}

#[test]
fn a_bulk_update_with_missing_references_changes_nothing() {
    let (test, world) = start();
    let issue = task(&test, &world);
    let id = world.id();
    let body = json!({"priority": "high", "assignee_id": id, "cycle_id": id, "epic_id": id});
    let expected = "validation_failed patch.assignee_id:not_found patch.cycle_id:not_found patch.epic_id:not_found";
    assert_eq!(refusal(bulk(&test, &world, &[issue.id], body)), expected);
    assert_eq!(read(&test, &world, issue.id).unwrap(), issue);
}

#[test]
fn public_comments_are_for_tickets() {
    let (test, world) = start();
    let (task, ticket) = (task(&test, &world).id, ticket(&test, &world).id);
    let comment = |issue, body| -> Result<Comment, Error> {
        let permit = world.permit::<CreateComments>();
        let created = comments::create(&test.ports, &permit, None, issue, new(body));
        test.block_on(created).map(|outcome| outcome.fresh().unwrap())
    };
    let public = json!({"body": "b", "visibility": "public"});
    assert_eq!(refusal(comment(task, public.clone())), "validation_failed visibility:tickets_only");
    let first = comment(ticket, public).unwrap();
    test.clock.advance(Duration::MINUTE);
    let second = comment(ticket, json!({"body": "b"})).unwrap();
    comment(task, json!({"body": "b", "visibility": "internal"})).unwrap();
    let list = |issue| {
        let (permit, all) = (world.permit::<ReadComments>(), CreatedFilter::default());
        let page = comments::list(&test.ports, &permit, issue, all, PageRequest::first(10));
        test.block_on(page).map(|page| page.items)
    };
    assert_eq!(list(ticket).unwrap(), [first, second]);
    let absent = IssueId(world.id());
    assert_eq!(refusal(list(absent)), "not_found");
    assert_eq!(refusal(comment(absent, json!({"body": "b"}))), "not_found");
    delete(&test, &world, task, ExpectedVersion::Any).unwrap();
    assert_eq!(refusal(list(task)), "not_found");
}
