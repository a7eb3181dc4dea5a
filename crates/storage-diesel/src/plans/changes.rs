//! Query plans of lists by change, and of the search for late changes.

use diesel::connection::SimpleConnection;
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter, DealOrder, DealStatus};
use domain::kernel::IssueKind;
use domain::kernel::paging::{ChangePosition, PageRequest, Position};
use domain::kernel::search::SearchQuery;
use domain::work::issues::{Issue, IssueFilter, IssueOrder, IssueStatus};
use domain::work::projects::{Project, ProjectFilter, ProjectOrder};
use domain::{DealId, RecordOrder};
use time::OffsetDateTime;
use time::macros::datetime;
use uuid::Uuid;

use super::{
    BIG, DATABASE, HEAD, LIMIT, NEW, PAGE, SMALL, check, check_both, check_first, check_generic, check_in,
    never_analysed, seeded,
};
use crate::events::log::earliest_query;
use crate::records::ListedTable;

/// A time in the middle of the large workspace's rows.
const MIDDLE: OffsetDateTime = datetime!(2025-01-08 00:00 UTC);
const UPDATED: Option<RecordOrder> = Some(RecordOrder::Updated);

fn pages() -> [PageRequest; 2] {
    let position = Position::AfterChange(ChangePosition { at: MIDDLE, id: Uuid::max(), logged: 7 });
    [PageRequest::first(LIMIT), PageRequest::at(position, LIMIT)]
}

fn by_change() -> DealFilter {
    DealFilter { order: Some(DealOrder::Updated), ..DealFilter::default() }
}

fn issues_by_change(kind: IssueKind) -> IssueFilter {
    IssueFilter { order: Some(IssueOrder::Updated), ..IssueFilter::all(kind) }
}

#[test]
fn lists_by_change_read_the_page() {
    for page in pages() {
        for workspace in [BIG, SMALL] {
            for database in [&DATABASE, &NEW] {
                let filter = CompanyFilter { order: UPDATED, ..CompanyFilter::default() };
                check_in(database, Company::list_query(workspace, &filter, &page), "companies_by_change", PAGE);
                let filter = ContactFilter { order: UPDATED, ..ContactFilter::default() };
                check_in(database, Contact::list_query(workspace, &filter, &page), "contacts_by_change", PAGE);
                check_in(database, Deal::list_query(workspace, &by_change(), &page), "deals_by_change", PAGE);
                for kind in [IssueKind::Task, IssueKind::Ticket] {
                    let issues = Issue::list_query(workspace, &issues_by_change(kind), &page);
                    check_in(database, issues, "issues_by_change", PAGE);
                }
            }
        }
        let of_projects = ProjectFilter { order: Some(ProjectOrder::Updated), ..ProjectFilter::default() };
        check_both(Project::list_query(BIG, &of_projects, &page), "projects_by_change", PAGE);
        check_generic(&Deal::list_query(BIG, &by_change(), &page), "deals_by_change");
        check_generic(&Issue::list_query(BIG, &issues_by_change(IssueKind::Task), &page), "issues_by_change");
    }
}

#[test]
fn changes_since_a_time_are_read_from_that_time() {
    let page = PageRequest::first(LIMIT);
    for database in [&DATABASE, &NEW] {
        let since = DealFilter { updated_since: Some(MIDDLE), ..by_change() };
        check_in(database, Deal::list_query(BIG, &since, &page), "deals_by_change", PAGE);
        let tickets = IssueFilter { updated_since: Some(MIDDLE), ..issues_by_change(IssueKind::Ticket) };
        check_in(database, Issue::list_query(BIG, &tickets, &page), "issues_by_change", PAGE);
    }
    // Even in order of creation, a few records are found by the time of their change.
    let recent = DealFilter { updated_since: Some(datetime!(2025-01-14 21:00 UTC)), ..DealFilter::default() };
    check_first::<Deal>(&recent, "deals_by_change", 300);
}

#[test]
fn lists_by_change_with_other_filters_read_few_rows() {
    let words = |text: &str| SearchQuery::parse(text).unwrap();
    for page in pages() {
        // A common value is found soon.
        let open = DealFilter { status: vec![DealStatus::Open].into(), ..by_change() };
        check(Deal::list_query(BIG, &open, &page), "deals_by_change", 2 * PAGE);
        let todo = IssueFilter { status: vec![IssueStatus::Todo].into(), ..issues_by_change(IssueKind::Task) };
        check(Issue::list_query(BIG, &todo, &page), "issues_by_change", 10 * PAGE);
        // Few rows are sorted instead of being searched for in order.
        let chf = DealFilter { currency: vec![super::filters::currency_of("CHF")].into(), ..by_change() };
        check(Deal::list_query(BIG, &chf, &page), "deals_by_currency", 200);
        let of_deal = IssueFilter { deal_id: Some(DealId(seeded(BIG, 7))), ..issues_by_change(IssueKind::Task) };
        check(Issue::list_query(BIG, &of_deal, &page), "issues_by_deal", 200);
    }
    check_first::<Deal>(&DealFilter { search: words("rare12345"), ..by_change() }, "deals_search", HEAD);
    let rare = IssueFilter { search: words("rare12345"), ..issues_by_change(IssueKind::Ticket) };
    check_first::<Issue>(&rare, "issues_search", HEAD);
}

/// 200,000 events of the last hours in one workspace, with their positions.
const EVENTS: &str = "
    INSERT INTO event_positions (workspace_id, position, event_id, latest)
    SELECT '00000000-0000-7000-8000-000000000001', number, id, id
    FROM (SELECT number, event_id(now() - interval '6 hours' + number * interval '100 milliseconds', number) AS id
        FROM generate_series(1, 200000) AS number) AS events;";

#[test]
fn late_changes_are_searched_only_among_the_requested_positions() {
    let (database, analysed) = (never_analysed(EVENTS), never_analysed(EVENTS));
    analysed.connection().batch_execute("ANALYZE event_positions").unwrap();
    for database in [&database, &analysed] {
        for (after, last, at, most) in [
            // A reader that keeps up, and one that is far behind.
            (199_990, 200_000, datetime!(2100-01-01 00:00 UTC), 10),
            (199_990, 200_000, datetime!(2020-01-01 00:00 UTC), 10),
            (5_000, 15_000, datetime!(2100-01-01 00:00 UTC), 10_000),
        ] {
            let sql = earliest_query(BIG, after, last, at);
            let mut connection = database.connection();
            let plan: String = diesel::RunQueryDsl::get_result(super::Explain(sql), &mut connection).unwrap();
            let nodes = super::nodes(&serde_json::from_str(&plan).unwrap());
            for (kind, _, rows) in &nodes {
                assert!(*rows <= f64::from(most), "{after} to {last}: {nodes:#?}");
                // A partition without rows is scanned without an index.
                assert!(kind != "Seq Scan" || *rows == 0.0, "{after} to {last}: {nodes:#?}");
            }
        }
    }
}
