//! Query plans of deleted records: their lists, and their erasure.

use domain::crm::deals::{Deal, DealFilter, DealStatus};
use domain::work::cycles::Cycle;
use domain::{CompanyId, ContactId, ProjectId, Reference, with_kinds};
use time::OffsetDateTime;
use time::macros::datetime;

use super::{BIG, check, check_generic, pages, seeded, steps};
use crate::directory::records_erasure::{ErasedRecords, due_query, statements};
use crate::kernel::referring::count_query;
use crate::kinds::{TABLES, for_each};
use crate::records::{ListedTable, StoredKind};
use crate::support::erasure;
use crate::work::cascades::restored_queries;
use crate::work::projects::{self, restoration_statements};

#[test]
fn records_to_erase_are_found_by_a_partial_index() {
    for table in TABLES {
        let name = table.name;
        // Nothing was deleted long ago, so the planner's estimates are meaningless.
        check_generic(&due_query(table, datetime!(2020-01-01 00:00 UTC), 100).all, &format!("{name}_erasable"));
        let rows = ErasedRecords { workspaces: vec![BIG; 3], ids: (1..=3).map(|number| seeded(BIG, number)).collect() };
        let [comments, drafts, events, chunks, members] =
            statements(table, &rows, datetime!(2025-06-01 00:00 UTC), 100);
        let dependents = [comments, drafts, events, chunks].into_iter().flatten();
        for sql in dependents {
            // A month without rows is scanned without an index.
            let is_bounded = |step: &str, rows: f64| rows <= if step == "Seq Scan" { 0.0 } else { 500.0 };
            assert!(steps(sql).iter().all(|(step, _, rows)| is_bounded(step, *rows)), "{name}");
        }
        if let Some(members) = members {
            check(members, &format!("{name}_pkey"), 10);
        }
    }
}

/// A deletion counts the referring records first.
#[test]
fn records_that_refer_to_a_deleted_one_are_counted_by_index() {
    let (company, contact) =
        (Reference::Company(CompanyId(seeded(BIG, 1))), Reference::Contact(ContactId(seeded(BIG, 1))));
    for (record, indexes) in [
        (company, ["deals_by_company", "issues_by_company", "contacts_by_company"]),
        (contact, ["deals_by_contact", "issues_by_contact", "issues_by_requester_contact"]),
    ] {
        for index in indexes {
            check_generic(&count_query(BIG, record, 1_000).unwrap(), index);
        }
    }
}

const SINCE: OffsetDateTime = datetime!(2024-01-01 00:00 UTC);

fn check_deleted<K: ListedTable<Filter: Default>>() {
    for page in pages() {
        let index = format!("{}_deleted", K::TABLE);
        check_generic(&K::deleted_query(BIG, &K::Filter::default(), SINCE, &page), &index);
    }
}

/// Nothing is deleted here, so the planner's estimates are meaningless.
#[test]
fn lists_of_deleted_records_use_a_partial_index() {
    with_kinds!(for_each!(listed check_deleted));
    let project = ProjectId(seeded(BIG, 3));
    let won = DealFilter { status: vec![DealStatus::ClosedWon].into(), ..DealFilter::default() };
    for page in pages() {
        check_generic(&Deal::deleted_query(BIG, &won, SINCE, &page), "deals_deleted");
        check_generic(&Cycle::deleted_query(BIG, &project, SINCE, &page), "cycles_deleted");
        check_generic(&erasure::list_query(BIG, &page), "person_erasures_newest");
    }
    let [cycles, issues] = restoration_statements(BIG, project, SINCE, SINCE);
    check_generic(&cycles, "cycles_deleted");
    check_generic(&issues, "issues_deleted_with_project");
    check_generic(&projects::deleted_with_query(BIG, project, SINCE), "issues_deleted_with_project");
    let [cycles, issues] = restored_queries(BIG, project, SINCE, 3);
    check_generic(&cycles, "cycles_deleted");
    check_generic(&issues, "issues_deleted_with_project");
}
