use serde_json::json;
use time::Duration;

use super::{create, delete, list, read, refusal, start, update};
use domain::crm::deals::Deal;
use domain::identity::access::ReadProjectIssues;
use domain::kernel::IssueKind;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Clock;
use domain::work::issues::{self, Issue};
use domain::work::projects::{Project, ProjectFields, ProjectFilter, ProjectStatus};

#[test]
fn a_create_checks_dates_and_references() {
    let (test, world) = start();
    let body = json!({"name": "P", "start_date": "2030-02-02", "end_date": "2030-02-01"});
    assert_eq!(super::refused_body::<ProjectFields>(body), "validation_failed end_date:before_start");
    let id = world.id();
    let body = json!({"name": "P", "lead_user_id": id, "deal_id": id, "company_id": id, "team_id": id});
    let expected = "validation_failed lead_user_id:not_found deal_id:not_found company_id:not_found";
    assert_eq!(refusal(create::<Project>(&test, &world, body)), expected);
    let body = json!({"name": "P", "status": "started", "lead_user_id": world.member});
    assert_eq!(create::<Project>(&test, &world, body).unwrap().status, ProjectStatus::Active);
}

#[test]
fn dates_are_checked_against_stored_ones() {
    let (test, world) = start();
    let project = create::<Project>(&test, &world, json!({"name": "P", "start_date": "2030-02-02"})).unwrap();
    let early = update::<Project>(&test, &world, project.id, json!({"end_date": "2030-02-01"}));
    assert_eq!(refusal(early), "validation_failed end_date:before_start");
    assert_eq!(read::<Project>(&test, &world, project.id).unwrap(), project);
    update::<Project>(&test, &world, project.id, json!({"end_date": "2030-02-01", "start_date": null})).unwrap();
}

#[test]
fn an_update_increments_the_version_only_if_something_changes() {
    let (test, world) = start();
    let project = create::<Project>(&test, &world, json!({"name": "P", "progress": 5})).unwrap();
    test.clock.advance(Duration::MINUTE);
    let same = json!({"progress": 5, "status": "planned", "hosted": null, "description": null});
    assert_eq!(update::<Project>(&test, &world, project.id, same).unwrap(), project);
    let changed =
        update::<Project>(&test, &world, project.id, json!({"progress": null, "status": "archived"})).unwrap();
    assert_eq!((changed.version, changed.progress, changed.updated_at), (2, 0, test.clock.now()));
    let back = update::<Project>(&test, &world, project.id, json!({"status": "planning"}));
    assert_eq!(refusal(back), "invalid_state_change");
    assert_eq!(refusal(update::<Project>(&test, &world, project.id, json!({"status": null}))), "invalid_state_change");
    assert_eq!(read::<Project>(&test, &world, project.id).unwrap(), changed);
    assert_eq!(update::<Project>(&test, &world, project.id, json!({"status": "active"})).unwrap().version, 3);
}

#[test]
fn a_deleted_deal_keeps_old_references_and_gets_no_new_ones() {
    let (test, world) = start();
    let deal = test.block_on(world.add(world.bare_deal())).id;
    let project = create::<Project>(&test, &world, json!({"name": "P", "deal_id": deal})).unwrap();
    test.block_on(world.delete::<Deal>(deal));
    let renamed = update::<Project>(&test, &world, project.id, json!({"deal_id": deal, "name": "Q"})).unwrap();
    assert_eq!(renamed.deal_id, Some(deal));
    let refused = create::<Project>(&test, &world, json!({"name": "P", "deal_id": deal}));
    assert_eq!(refusal(refused), "validation_failed deal_id:not_found");
}

#[test]
fn deleting_a_project_deletes_its_tasks() {
    let (test, world) = start();
    let project = create::<Project>(&test, &world, json!({"name": "P", "external_id": "x"})).unwrap();
    let tasks = |project| {
        let (permit, all) = (world.permit::<ReadProjectIssues>(), CreatedFilter::default());
        test.block_on(issues::list_of_project(&test.ports, &permit, project, all, PageRequest::first(10)))
    };
    assert!(tasks(project.id).unwrap().items.is_empty());
    let bare = test.block_on(world.bare_issue(IssueKind::Task));
    let task = test.block_on(world.add(Issue { project_id: Some(project.id), ..bare }));
    assert_eq!(tasks(project.id).unwrap().items, [task]);
    delete::<Project>(&test, &world, project.id, ExpectedVersion::Any).unwrap();
    assert_eq!(refusal(delete::<Project>(&test, &world, project.id, ExpectedVersion::Any)), "not_found");
    assert_eq!(refusal(read::<Project>(&test, &world, project.id)), "not_found");
    assert_eq!(refusal(update::<Project>(&test, &world, project.id, json!({"name": "Q"}))), "not_found");
    assert_eq!(refusal(tasks(project.id)), "not_found");
    create::<Project>(&test, &world, json!({"name": "P", "external_id": "x"})).unwrap();
    assert_eq!(list::<Project>(&test, &world, ProjectFilter::default()).len(), 1);
}
