//! Reading the event log backwards from the newest event.

use serde_json::json;

use super::{new, start};
use domain::events::{self, EventFilter, LogPlace, Module, NewestRequest};
use domain::identity::access::{Caller, FollowEvents, ToolGrants};
use domain::identity::workspaces::Role;
use domain::testing::{self, caller_in, caller_with, session_of};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;
use time::Duration;

/// More events than one read scans.
const MANY: i64 = 5_010;

fn owner(world: &TestWorkspace) -> Caller {
    let role = Role::Owner;
    caller_with(world.workspace.clone(), session_of(role), "An owner", role.scopes(), ToolGrants::default())
}

/// The event names on all pages, and the number of pages.
fn read(test: &TestPorts, caller: &Caller, filter: &EventFilter, limit: u32) -> (Vec<String>, usize) {
    let permit = caller.permit::<FollowEvents>().unwrap();
    let (mut names, mut pages, mut upto) = (Vec::new(), 0, None);
    loop {
        let request = NewestRequest { upto, limit };
        let page = test.block_on(events::list_newest(&test.ports, &permit, filter, request)).unwrap();
        pages += 1;
        names.extend(page.items.iter().map(|event| event.event.clone()));
        if !page.has_more {
            return (names, pages);
        }
        upto = Some(page.next);
    }
}

#[test]
fn a_rare_event_is_found_among_thousands_and_paging_ends() {
    let (test, world) = start();
    let now = test.ports.clock.now();
    let rare = testing::event(Module::Crm, "deal.won", now);
    let usual =
        (1..=MANY).map(|micros| testing::event(Module::Crm, "deal.updated", now + Duration::microseconds(micros)));
    let last = testing::event(Module::Projects, "task.created", now + Duration::seconds(1));
    test.block_on(world.emit([rare].into_iter().chain(usual).chain([last]).collect()));
    let filter = |json| new::<EventFilter>(json);
    let owner = owner(&world);
    assert_eq!(read(&test, &owner, &filter(json!({"event": ["deal.won"]})), 50), (vec!["deal.won".to_owned()], 3));
    assert_eq!(read(&test, &owner, &filter(json!({"event": ["deal.lost"]})), 50), (Vec::new(), 3));
    assert_eq!(read(&test, &owner, &filter(json!({"module": ["projects"]})), 1).0, ["task.created"]);
    let (all, pages) = read(&test, &owner, &EventFilter::default(), 1_000);
    assert_eq!((all.len(), pages), (5_012, 6));
    assert_eq!((all[0].as_str(), all[5_011].as_str()), ("task.created", "deal.won"));
    let key = caller_in(world.workspace.clone(), &["projects.read", "issues.read"]);
    let (names, _) = read(&test, &key, &EventFilter::default(), 50);
    assert_eq!(names, ["task.created"], "only events that the caller may read");
}

#[test]
fn a_position_after_the_end_counts_as_the_end() {
    let (test, world) = start();
    let permit = owner(&world).permit::<FollowEvents>().unwrap();
    let list = |upto| {
        let request = NewestRequest { upto, ..NewestRequest::default() };
        test.block_on(events::list_newest(&test.ports, &permit, &EventFilter::default(), request)).unwrap()
    };
    assert!(list(None).items.is_empty() && !list(None).has_more);
    test.block_on(world.emit(vec![testing::event(Module::Crm, "deal.won", test.ports.clock.now())]));
    assert_eq!(list(Some(LogPlace::at(1_000))).items.len(), 1);
    assert_eq!(list(Some(LogPlace::START)).items.len(), 0);
}
