//! Query plans of the filters of contacts, deals, projects and issues, each alone.

use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter, ContactType};
use domain::crm::deals::{Deal, DealFilter, DealGroup, DealOrder, DealStatus};
use domain::kernel::IssueKind;
use domain::kernel::input::{Currency, EmailKey, HostName, Line, Number, Problems, Read, Tag, Value};
use domain::kernel::paging::{PageRequest, Position};
use domain::kernel::search::SearchQuery;
use domain::support::kb::{Article, ArticleFilter};
use domain::work::issues::{
    AssigneeChoice, Issue, IssueFilter, IssueGroup, IssueStatus, RequesterKey, TicketReference,
};
use domain::work::projects::{Priority, Project, ProjectFilter, ProjectStatus};
use domain::{CompanyId, ContactId, CycleId, DealId, IssueId, UserId};
use rust_decimal::Decimal;
use time::macros::{date, datetime};
use uuid::Uuid;

use super::{BIG, HEAD, LIMIT, PAGE, ROWS, SMALL, check, check_generic, pages, seeded, steps};
use crate::crm::{contacts, deals};
use crate::directory::{email_keys, search_reindex};
use crate::records::ListedTable;
use crate::work::issues;

fn external_id() -> Option<Line<255>> {
    Line::parse("x77", "external_id").ok()
}

fn members_up_to(last: u32) -> Vec<UserId> {
    (1..=last).map(|number| UserId(seeded(BIG, number))).collect()
}

fn tag(text: &str) -> Vec<Tag> {
    vec![text.parse().unwrap()]
}

pub(super) fn currency_of(code: &str) -> Currency {
    match Currency::read(code.into(), "currency", &mut Problems::default()) {
        Read::Value(currency) => currency,
        Read::Empty | Read::Invalid => panic!("{code}"),
    }
}

#[test]
fn contacts_by_any_one_filter_read_the_page() {
    let of_types =
        |types: &[ContactType]| ContactFilter { contact_type: types.to_vec().into(), ..ContactFilter::default() };
    let email = Some(format!("{}@e.x", seeded(BIG, 7)).parse().unwrap());
    let company_id = Some(CompanyId(seeded(BIG, 7)));
    let assigned = |members: u32| ContactFilter { assignee: members_up_to(members).into(), ..ContactFilter::default() };
    for page in pages() {
        for (filter, index, values) in [
            (of_types(&[ContactType::New]), "contacts_by_type", 1),
            (of_types(&[ContactType::Partner]), "contacts_by_type", 1),
            (of_types(ContactType::ALL), "contacts_by_type", 9),
            (ContactFilter { email: email.clone(), ..ContactFilter::default() }, "contacts_email_key", 1),
            (ContactFilter { external_id: external_id(), ..ContactFilter::default() }, "contacts_external_id_key", 1),
            (ContactFilter { company_id, ..ContactFilter::default() }, "contacts_by_company", 1),
            (assigned(1), "contacts_by_assignee", 1),
            (assigned(50), "contacts_by_assignee", 50),
        ] {
            check(Contact::list_query(BIG, &filter, &page), index, PAGE * values);
            check_generic(&Contact::list_query(BIG, &filter, &page), index);
        }
    }
}

#[test]
fn deals_by_any_one_filter_read_the_page() {
    let currency = |codes: &[&str]| {
        let codes: Vec<_> = codes.iter().map(|code| currency_of(code)).collect();
        DealFilter { currency: codes.into(), ..DealFilter::default() }
    };
    for page in pages() {
        for (filter, index, values) in [
            (currency(&["USD"]), "deals_by_currency", 1),
            (currency(&["CHF"]), "deals_by_currency", 1),
            (currency(&["USD", "EUR", "CHF"]), "deals_by_currency", 3),
            (DealFilter { external_id: external_id(), ..DealFilter::default() }, "deals_external_id_key", 1),
        ] {
            check(Deal::list_query(BIG, &filter, &page), index, PAGE * values);
            check_generic(&Deal::list_query(BIG, &filter, &page), index);
        }
    }
}

/// The seeded deals have neither date, so these indexes are empty and nothing else is read.
#[test]
fn deals_by_a_day_of_closing_read_the_range() {
    let (first, last) = (Some(date!(2025 - 01 - 01)), Some(date!(2025 - 02 - 01)));
    let closed = DealFilter { closed_since: first, closed_before: last, ..DealFilter::default() };
    let expected = DealFilter { expected_close_since: first, expected_close_before: last, ..DealFilter::default() };
    for (filter, index) in [(closed, "deals_by_close"), (expected, "deals_by_expected_close")] {
        check(Deal::list_query(BIG, &filter, &PageRequest::first(LIMIT)), index, 1);
    }
}

#[test]
fn records_by_id_or_creation_time_read_only_matches() {
    let page = PageRequest::first(LIMIT);
    let first = |count: u32| (1..=count).map(|number| seeded(BIG, number));
    for count in [1, 100] {
        let ids = first(count).map(DealId).collect::<Vec<_>>().into();
        check(Deal::list_query(BIG, &DealFilter { ids, ..DealFilter::default() }, &page), "deals_pkey", 100);
        let ids = first(count).map(ContactId).collect::<Vec<_>>().into();
        check(
            Contact::list_query(BIG, &ContactFilter { ids, ..ContactFilter::default() }, &page),
            "contacts_pkey",
            100,
        );
        let ids = first(count).map(IssueId).collect::<Vec<_>>().into();
        let tasks = IssueFilter { ids, ..IssueFilter::all(IssueKind::Task) };
        check(Issue::list_query(BIG, &tasks, &page), "issues_kind_id_key", 100);
    }
    let (since, before) = (Some(datetime!(2025-01-03 00:00 UTC)), Some(datetime!(2025-01-05 00:00 UTC)));
    let range = DealFilter { created_since: since, created_before: before, ..DealFilter::default() };
    check(Deal::list_query(BIG, &range, &page), "deals_newest", PAGE);
    let range = IssueFilter { created_since: since, created_before: before, ..IssueFilter::all(IssueKind::Task) };
    check(Issue::list_query(BIG, &range, &page), "issues_newest", PAGE);
}

#[test]
fn deals_by_value_are_read_in_order() {
    let by_value = || DealFilter { order: Some(DealOrder::Value), ..DealFilter::default() };
    let behind = |value| PageRequest::at(Position::AfterValue(value, Uuid::max()), LIMIT);
    for page in [PageRequest::first(LIMIT), behind(Some(Decimal::from(50))), behind(None)] {
        check(Deal::list_query(BIG, &by_value(), &page), "deals_by_value", PAGE);
        check_generic(&Deal::list_query(BIG, &by_value(), &page), "deals_by_value");
    }
    // A common value is found soon, and a range is read from its start.
    let open = DealFilter { status: vec![DealStatus::Open].into(), ..by_value() };
    check(Deal::list_query(BIG, &open, &PageRequest::first(LIMIT)), "deals_by_value", 2 * PAGE);
    let most = DealFilter { value_max: Some(Number(Decimal::TEN)), ..by_value() };
    check(Deal::list_query(BIG, &most, &PageRequest::first(LIMIT)), "deals_by_value", PAGE);
    // Few rows are sorted instead of being searched for in order.
    let rare = DealFilter { currency: vec![currency_of("CHF")].into(), ..by_value() };
    check(Deal::list_query(BIG, &rare, &PageRequest::first(LIMIT)), "deals_by_currency", 200);
}

#[test]
fn projects_by_any_one_filter_read_the_page() {
    let statuses =
        |statuses: &[ProjectStatus]| ProjectFilter { status: statuses.to_vec().into(), ..ProjectFilter::default() };
    for page in pages() {
        for (filter, index, values) in [
            (statuses(&[ProjectStatus::Active]), "projects_by_status", 1),
            (statuses(&[ProjectStatus::Archived]), "projects_by_status", 1),
            (statuses(ProjectStatus::ALL), "projects_by_status", 6),
            (ProjectFilter { external_id: external_id(), ..ProjectFilter::default() }, "projects_external_id_key", 1),
        ] {
            check(Project::list_query(BIG, &filter, &page), index, PAGE * values);
            check_generic(&Project::list_query(BIG, &filter, &page), index);
        }
    }
}

#[test]
fn companies_by_any_one_filter_read_the_page() {
    let domain = HostName::read("n77.example".into(), "domain", &mut Problems::default());
    let Read::Value(domain) = domain else { panic!("no host name") };
    for page in pages() {
        for (filter, index) in [
            (CompanyFilter { domain: Some(domain.clone()), ..CompanyFilter::default() }, "companies_domain_key"),
            (CompanyFilter { external_id: external_id(), ..CompanyFilter::default() }, "companies_external_id_key"),
        ] {
            check(Company::list_query(BIG, &filter, &page), index, 1);
            check_generic(&Company::list_query(BIG, &filter, &page), index);
        }
        for members in [1, 50] {
            let filter = CompanyFilter { assignee: members_up_to(members).into(), ..CompanyFilter::default() };
            check(Company::list_query(BIG, &filter, &page), "companies_by_assignee", PAGE * members);
            check_generic(&Company::list_query(BIG, &filter, &page), "companies_by_assignee");
        }
    }
}

#[test]
fn issues_by_any_one_filter_read_the_page() {
    let member = |number| AssigneeChoice::Member(UserId(seeded(BIG, number)));
    let all = || IssueFilter::all(IssueKind::Task);
    let assignee = |choices: Vec<AssigneeChoice>| IssueFilter { assignee: choices.into(), ..all() };
    let priority = |priorities: &[Priority]| IssueFilter { priority: priorities.to_vec().into(), ..all() };
    let of_cycle = IssueFilter { cycle_id: Some(CycleId(seeded(BIG, 7))), ..all() };
    let two = IssueFilter { status: vec![IssueStatus::Done, IssueStatus::Todo].into(), ..all() };
    for page in pages() {
        for (filter, index, values) in [
            (assignee(vec![member(2)]), "issues_by_assignee", 1),
            (assignee(vec![AssigneeChoice::Nobody]), "issues_by_assignee", 1),
            (assignee((1..50).map(member).chain([AssigneeChoice::Nobody]).collect()), "issues_by_assignee", 50),
            (priority(&[Priority::Medium]), "issues_by_priority", 1),
            (priority(&[Priority::Urgent]), "issues_by_priority", 1),
            (priority(Priority::ALL), "issues_by_priority", 4),
            (of_cycle.clone(), "issues_of_cycle", 1),
            (IssueFilter { deal_id: Some(DealId(seeded(BIG, 7))), ..all() }, "issues_by_deal", 1),
            (IssueFilter { contact_id: Some(ContactId(seeded(BIG, 7))), ..all() }, "issues_by_contact", 1),
            (IssueFilter { company_id: Some(CompanyId(seeded(BIG, 7))), ..all() }, "issues_by_company", 1),
            (two.clone(), "issues_by_status", 2),
        ] {
            check(Issue::list_query(BIG, &filter, &page), index, PAGE * values);
            check_generic(&Issue::list_query(BIG, &filter, &page), index);
        }
    }
}

#[test]
fn issues_by_due_time_read_the_range_or_the_page() {
    let page = PageRequest::first(LIMIT);
    let due = |after, before| IssueFilter {
        due_after: Some(after),
        due_before: Some(before),
        ..IssueFilter::all(IssueKind::Task)
    };
    let hour = due(datetime!(2025-02-01 00:00 UTC), datetime!(2025-02-01 01:00 UTC));
    check(Issue::list_query(BIG, &hour, &page), "issues_by_due", 60);
    let ever = due(datetime!(2024-02-01 00:00 UTC), datetime!(2026-02-01 01:00 UTC));
    check(Issue::list_query(BIG, &ever, &page), "issues_newest", 4 * PAGE);
}

#[test]
fn tickets_by_reference_or_requester_read_the_page() {
    let reference = TicketReference::parse("TKT-0000000005");
    let filter = IssueFilter { reference, ..IssueFilter::all(IssueKind::Ticket) };
    check(Issue::list_query(BIG, &filter, &PageRequest::first(LIMIT)), "issues_reference_key", 1);
    check_generic(&Issue::list_query(BIG, &filter, &PageRequest::first(LIMIT)), "issues_reference_key");
    let by_contact = format!("{}@e.x", seeded(BIG, 7));
    for page in pages() {
        for (email, index) in
            [("p7@example.com", "issues_requested_by_email"), (&by_contact, "issues_by_requester_contact")]
        {
            let requester = email.parse::<EmailKey>().ok().map(RequesterKey::from);
            let filter = IssueFilter { requester: requester.clone(), ..IssueFilter::all(IssueKind::Ticket) };
            check(Issue::list_query(BIG, &filter, &page), index, 2 * PAGE);
            check_generic(&Issue::list_query(BIG, &filter, &page), index);
            let sent = requester.map(|requester| RequesterKey { by_contact: false, ..requester });
            let filter = IssueFilter { requester: sent, ..IssueFilter::all(IssueKind::Ticket) };
            check(Issue::list_query(BIG, &filter, &page), "issues_requested_by_email", PAGE);
            check_generic(&Issue::list_query(BIG, &filter, &page), "issues_requested_by_email");
        }
    }
}

#[test]
fn rare_words_and_tags_are_found_by_the_search_index() {
    let page = PageRequest::first(LIMIT);
    let search = |text: &str| SearchQuery::parse(text).unwrap();
    for text in ["rare12345", "nothing"] {
        let filter = DealFilter { search: search(text), ..DealFilter::default() };
        check(Deal::list_query(BIG, &filter, &page), "deals_search", HEAD);
        let filter = ProjectFilter { search: search(text), ..ProjectFilter::default() };
        check(Project::list_query(BIG, &filter, &page), "projects_search", HEAD);
        let filter = ArticleFilter { search: search(text), ..ArticleFilter::default() };
        check(Article::list_query(BIG, &filter, &page), "kb_articles_by_word", HEAD);
    }
    for text in ["tag777", "nothing"] {
        let filter = ContactFilter { tag: tag(text).into(), ..ContactFilter::default() };
        check(Contact::list_query(BIG, &filter, &page), "contacts_search", HEAD);
        let filter = DealFilter { tag: tag(text).into(), ..DealFilter::default() };
        check(Deal::list_query(BIG, &filter, &page), "deals_search", HEAD);
        let by_value = DealFilter { order: Some(DealOrder::Value), ..filter };
        check(Deal::list_query(BIG, &by_value, &page), "deals_search", HEAD);
        let filter = ArticleFilter { tag: tag(text).into(), ..ArticleFilter::default() };
        check(Article::list_query(BIG, &filter, &page), "kb_articles_by_word", HEAD);
        let filter = IssueFilter { label: tag(text).into(), ..IssueFilter::all(IssueKind::Task) };
        check(Issue::list_query(BIG, &filter, &page), "issues_search", HEAD);
    }
    // Matches of a tag on every record are not collected from the index.
    let filter = ContactFilter { tag: tag("all").into(), ..ContactFilter::default() };
    check(Contact::list_query(BIG, &filter, &page), "contacts_newest", HEAD);
}

#[test]
fn a_summary_reads_only_rows_of_its_workspace() {
    // The planner may use any index to find all rows of a small workspace; each node has few rows.
    let rows = ROWS / 20;
    let deals = deals::summary_query(SMALL, &DealFilter::default(), DealGroup::ALL);
    assert!(steps(deals).iter().all(|(kind, _, count)| kind != "Seq Scan" && *count <= f64::from(rows)));
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let issues = issues::summary_query(SMALL, &IssueFilter::all(kind), IssueGroup::ALL);
        assert!(steps(issues).iter().all(|(kind, _, count)| kind != "Seq Scan" && *count <= f64::from(rows)));
    }
    let chf = DealFilter { currency: vec![currency_of("CHF")].into(), ..DealFilter::default() };
    check(deals::summary_query(BIG, &chf, DealGroup::ALL), "deals_by_currency", 200);
}

#[test]
fn a_walk_over_search_words_reads_the_next_rows_by_primary_key() {
    // This database has too few workspaces for the planner to use an index.
    for table in search_reindex::tables().into_iter().filter(|table| table.name != "workspaces") {
        let index = format!("{}_pkey", table.name);
        for after in [(Uuid::nil(), Uuid::nil()), (BIG, seeded(BIG, 7))] {
            check((table.next_query)(after, 100), &index, 100);
        }
    }
}

#[test]
fn address_keys_to_renew_are_found_by_a_partial_index() {
    check_generic(&email_keys::stale_contacts(100).all, "contacts_email_key_earlier");
    check_generic(&email_keys::stale_requesters(100).all, "issues_requester_email_key_earlier");
    check_generic(&email_keys::stale_users(100), "users_email_key_earlier");
    check_generic(&email_keys::accounts_query(5), "users_email_key_earlier");
    check_generic(&email_keys::sharing_query(), "contacts_email_key_shared");
    check_generic(&contacts::shared_query(BIG, 100), "contacts_email_key_shared");
}
