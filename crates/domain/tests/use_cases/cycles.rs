use serde_json::json;
use time::Duration;

use super::{new, refusal, start};
use domain::identity::access::{CreateCycles, ReadCycles};
use domain::kernel::IssueKind;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{Page, PageRequest};
use domain::work::cycles;
use domain::work::cycles::{CycleFields, CycleStatus, CycleView};
use domain::work::issues::{Issue, IssueStatus};
use domain::work::projects::Project;
use domain::{CycleId, Error, ProjectId};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

fn create(
    test: &TestPorts,
    world: &TestWorkspace,
    project: ProjectId,
    start: &str,
    end: &str,
) -> Result<CycleView, Error> {
    let fields = new(json!({"name": "C", "start_date": start, "end_date": end}));
    let permit = world.permit::<CreateCycles>();
    let created = cycles::create(&test.ports, &permit, None, project, fields);
    test.block_on(created).map(|outcome| outcome.fresh().unwrap())
}

fn list(test: &TestPorts, world: &TestWorkspace, project: ProjectId) -> Result<Page<CycleView>, Error> {
    let (all, first) = (CreatedFilter::default(), PageRequest::first(10));
    test.block_on(cycles::list(&test.ports, &world.permit::<ReadCycles>(), project, all, first))
}

#[test]
fn cycles_are_numbered_and_do_not_overlap() {
    let (test, world) = start();
    let project = test.block_on(world.add(world.bare_project())).id;
    let first = create(&test, &world, project, "2030-01-25", "2030-01-31").unwrap();
    assert_eq!((first.number, first.status, first.issue_count), (1, CycleStatus::Active, 0));
    assert_eq!(refusal(create(&test, &world, project, "2030-01-31", "2030-02-07")), "conflict");
    let second = create(&test, &world, project, "2030-02-01", "2030-02-07").unwrap();
    assert_eq!((second.number, second.status), (2, CycleStatus::Upcoming));
    let reversed = json!({"name": "C", "start_date": "2030-03-02", "end_date": "2030-03-01"});
    assert_eq!(super::refused_body::<CycleFields>(reversed), "validation_failed end_date:before_start");
    let other = test.block_on(world.add(world.bare_project())).id;
    assert_eq!(create(&test, &world, other, "2030-01-31", "2030-02-07").unwrap().number, 1);
    test.clock.advance(Duration::DAY);
    let statuses: Vec<_> =
        list(&test, &world, project).unwrap().items.iter().map(|cycle| (cycle.number, cycle.status)).collect();
    assert_eq!(statuses, [(2, CycleStatus::Active), (1, CycleStatus::Completed)]);
}

#[test]
fn a_cycle_needs_a_live_project() {
    let (test, world) = start();
    let project = test.block_on(world.add(world.bare_project())).id;
    assert!(list(&test, &world, project).unwrap().items.is_empty());
    test.block_on(world.delete::<Project>(project));
    for absent in [project, ProjectId(world.id())] {
        assert_eq!(refusal(create(&test, &world, absent, "2030-01-01", "2030-01-02")), "not_found");
        assert_eq!(refusal(list(&test, &world, absent)), "not_found");
    }
}

#[test]
fn a_burn_up_ends_today() {
    let (test, world) = start();
    let project = test.block_on(world.add(world.bare_project())).id;
    let today = world.now().date();
    let days = |number| (today + Duration::days(number)).to_string();
    let cycle = create(&test, &world, project, &days(0), &days(9)).unwrap();
    let burn_up = |id| {
        let (_, days) = test.block_on(cycles::read_with_burn_up(&test.ports, &world.permit::<ReadCycles>(), id))?;
        Ok::<_, Error>(days.iter().map(|day| (day.issues, day.completed)).collect::<Vec<_>>())
    };
    assert_eq!(burn_up(cycle.id).unwrap(), [(0, 0)]);
    let task = test.block_on(world.bare_issue(IssueKind::Task));
    test.block_on(world.add(Issue { project_id: Some(project), cycle_id: Some(cycle.id), ..task }));
    test.clock.advance(Duration::days(2));
    let finished_task = test.block_on(world.bare_issue(IssueKind::Task));
    let status = IssueStatus::Done;
    test.block_on(world.add(Issue { project_id: Some(project), cycle_id: Some(cycle.id), status, ..finished_task }));
    assert_eq!(burn_up(cycle.id).unwrap(), [(1, 0), (1, 0), (2, 1)]);
    let upcoming = create(&test, &world, project, &days(20), &days(29)).unwrap();
    assert_eq!(burn_up(upcoming.id).unwrap(), [], "it has not started");
    assert_eq!(refusal(burn_up(CycleId(world.id()))), "not_found");
}
