//! Query plans of lists sorted by a field, in both directions.

use domain::RecordOrder;
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter, DealOrder, DealStatus};
use domain::kernel::IssueKind;
use domain::kernel::paging::{KeyPosition, ListOrder, NameKey, PageRequest, Position, Sort, SortKey};
use domain::kernel::totals::MAX_COUNTED;
use domain::work::issues::{Issue, IssueFilter, IssueOrder};
use domain::work::projects::{Project, ProjectFilter, ProjectOrder};
use rust_decimal::Decimal;
use time::macros::{date, datetime};
use uuid::Uuid;

use super::{BIG, DATABASE, LIMIT, NEW, PAGE, SMALL, check_both, check_first, check_generic, check_in};
use crate::records::ListedTable;

/// Both halves of a list, or its page.
const HALVES: u32 = 2 * PAGE;

/// The first page, one in the middle, and one among the rows without a value.
pub(super) fn pages(order: ListOrder) -> Vec<PageRequest> {
    let ListOrder::By(by, direction) = order else { panic!("{order:?} is not by a field") };
    let key = match by {
        Sort::Created | Sort::Changed => SortKey::Time(datetime!(2025-01-08 00:00 UTC)),
        Sort::Due => SortKey::Time(datetime!(2030-01-01 00:00 UTC)),
        // No customer waits on the seeded tickets; this is the time of the last message on a ticket in the middle.
        Sort::Turn => SortKey::Time(datetime!(2974-12-28 00:00 UTC)),
        Sort::Value => SortKey::Amount(Decimal::from(50)),
        Sort::Name => SortKey::Name(NameKey::of("m")),
        Sort::Day => SortKey::Day(date!(2030 - 01 - 01)),
        Sort::Priority => SortKey::Rank(2),
    };
    let after_key = |key| Position::AfterKey(KeyPosition { by, direction, key, id: Uuid::from_u128(u128::MAX / 2) });
    let lacking = matches!(by, Sort::Value | Sort::Day | Sort::Due).then(|| after_key(SortKey::Nothing));
    let positions = [Position::Page(1), after_key(key)].into_iter().chain(lacking);
    positions.map(|position| PageRequest::at(position, LIMIT)).collect()
}

#[test]
fn deals_by_a_member_are_read_in_order() {
    for (order, index) in [
        (DealOrder::Oldest, "deals_newest"),
        (DealOrder::UpdatedDown, "deals_by_change"),
        (DealOrder::ValueUp, "deals_by_value"),
        (DealOrder::CloseUp, "deals_in_order_of_close"),
        (DealOrder::CloseDown, "deals_in_order_of_close"),
    ] {
        let filter = DealFilter { order: Some(order), ..DealFilter::default() };
        for page in pages(filter.sorted_by()) {
            for (database, workspace) in [(&DATABASE, BIG), (&DATABASE, SMALL), (&NEW, BIG)] {
                check_in(database, Deal::list_query(workspace, &filter, &page), index, HALVES);
            }
            check_generic(&Deal::list_query(BIG, &filter, &page), index);
        }
    }
    // A common value is found soon.
    let open =
        DealFilter { status: vec![DealStatus::Open].into(), order: Some(DealOrder::ValueUp), ..DealFilter::default() };
    check_first::<Deal>(&open, "deals_by_value", 2 * HALVES);
}

#[test]
fn records_by_name_are_read_in_order() {
    for order in [RecordOrder::NameUp, RecordOrder::NameDown] {
        let contact_filter = ContactFilter { order: Some(order), ..ContactFilter::default() };
        let company_filter = CompanyFilter { order: Some(order), ..CompanyFilter::default() };
        for page in pages(contact_filter.sorted_by()) {
            for database in [&DATABASE, &NEW] {
                check_in(database, Contact::list_query(BIG, &contact_filter, &page), "contacts_by_name", PAGE);
                check_in(database, Company::list_query(BIG, &company_filter, &page), "companies_by_name", PAGE);
            }
            check_generic(&Contact::list_query(BIG, &contact_filter, &page), "contacts_by_name");
            check_generic(&Company::list_query(BIG, &company_filter, &page), "companies_by_name");
        }
    }
}

#[test]
fn projects_and_issues_by_a_member_are_read_in_order() {
    for (order, index) in [
        (ProjectOrder::NameUp, "projects_by_name"),
        (ProjectOrder::NameDown, "projects_by_name"),
        (ProjectOrder::EndUp, "projects_in_order_of_end"),
        (ProjectOrder::EndDown, "projects_in_order_of_end"),
    ] {
        let filter = ProjectFilter { order: Some(order), ..ProjectFilter::default() };
        for page in pages(filter.sorted_by()) {
            check_both(Project::list_query(BIG, &filter, &page), index, HALVES);
        }
    }
    for (order, index) in [
        (IssueOrder::DueUp, "issues_in_order_of_due"),
        (IssueOrder::DueDown, "issues_in_order_of_due"),
        (IssueOrder::PriorityUp, "issues_in_order_of_priority"),
        (IssueOrder::PriorityDown, "issues_in_order_of_priority"),
    ] {
        let filter = IssueFilter { order: Some(order), ..IssueFilter::all(IssueKind::Task) };
        for page in pages(filter.sorted_by()) {
            for database in [&DATABASE, &NEW] {
                check_in(database, Issue::list_query(BIG, &filter, &page), index, HALVES);
            }
            check_generic(&Issue::list_query(BIG, &filter, &page), index);
        }
    }
}

/// Either the filter has few rows, or rows are counted in list order up to the limit.
#[test]
fn totals_read_only_the_counted_rows() {
    let open = DealFilter { status: vec![DealStatus::Open].into(), ..DealFilter::default() };
    for database in [&DATABASE, &NEW] {
        for (filter, index) in [(DealFilter::default(), "deals_newest"), (open.clone(), "deals_by_status")] {
            check_in(database, Deal::totals_query(BIG, &filter), index, MAX_COUNTED + 1);
        }
        let tasks = IssueFilter::all(IssueKind::Task);
        check_in(database, Issue::totals_query(BIG, &tasks), "issues_newest", MAX_COUNTED + 1);
    }
}
