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

use super::{
    BIG, HEAD, LIMIT, PAGE, ROWS, SMALL, check, check_both, check_first, check_generic, check_pages, check_steps,
    pages, seeded,
};
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
    check_pages::<Contact>(&[
        (of_types(&[ContactType::New]), "contacts_by_type", 1),
        (of_types(&[ContactType::Partner]), "contacts_by_type", 1),
        (of_types(ContactType::ALL), "contacts_by_type", 9),
        (ContactFilter { email, ..ContactFilter::default() }, "contacts_email_key", 1),
        (ContactFilter { external_id: external_id(), ..ContactFilter::default() }, "contacts_external_id_key", 1),
        (ContactFilter { company_id, ..ContactFilter::default() }, "contacts_by_company", 1),
        (assigned(1), "contacts_by_assignee", 1),
        (assigned(50), "contacts_by_assignee", 50),
    ]);
}

#[test]
fn deals_by_any_one_filter_read_the_page() {
    let currency = |codes: &[&str]| {
        let codes: Vec<_> = codes.iter().map(|code| currency_of(code)).collect();
        DealFilter { currency: codes.into(), ..DealFilter::default() }
    };
    check_pages::<Deal>(&[
        (currency(&["USD"]), "deals_by_currency", 1),
        (currency(&["CHF"]), "deals_by_currency", 1),
        (currency(&["USD", "EUR", "CHF"]), "deals_by_currency", 3),
        (DealFilter { external_id: external_id(), ..DealFilter::default() }, "deals_external_id_key", 1),
    ]);
}

/// The seeded deals have neither date, so these indexes are empty and nothing else is read.
#[test]
fn deals_by_a_day_of_closing_read_the_range() {
    let (first, last) = (Some(date!(2025 - 01 - 01)), Some(date!(2025 - 02 - 01)));
    let closed_in_range = DealFilter { closed_since: first, closed_before: last, ..DealFilter::default() };
    let expected = DealFilter { expected_close_since: first, expected_close_before: last, ..DealFilter::default() };
    check_first::<Deal>(&closed_in_range, "deals_by_close", 1);
    check_first::<Deal>(&expected, "deals_by_expected_close", 1);
}

#[test]
fn records_by_id_or_creation_time_read_only_matches() {
    let first = |count: u32| (1..=count).map(|number| seeded(BIG, number));
    for count in [1, 100] {
        let ids = first(count).map(DealId).collect::<Vec<_>>().into();
        check_first::<Deal>(&DealFilter { ids, ..DealFilter::default() }, "deals_pkey", 100);
        let ids = first(count).map(ContactId).collect::<Vec<_>>().into();
        check_first::<Contact>(&ContactFilter { ids, ..ContactFilter::default() }, "contacts_pkey", 100);
        let ids = first(count).map(IssueId).collect::<Vec<_>>().into();
        let tasks = IssueFilter { ids, ..IssueFilter::all(IssueKind::Task) };
        check_first::<Issue>(&tasks, "issues_kind_id_key", 100);
    }
    let created_since = Some(datetime!(2025-01-03 00:00 UTC));
    let created_before = Some(datetime!(2025-01-05 00:00 UTC));
    let deals = DealFilter { created_since, created_before, ..DealFilter::default() };
    check_first::<Deal>(&deals, "deals_newest", PAGE);
    let tasks = IssueFilter { created_since, created_before, ..IssueFilter::all(IssueKind::Task) };
    check_first::<Issue>(&tasks, "issues_newest", PAGE);
}

#[test]
fn deals_by_value_are_read_in_order() {
    let by_value = || DealFilter { order: Some(DealOrder::Value), ..DealFilter::default() };
    let after_value = |value| PageRequest::at(Position::AfterValue(value, Uuid::max()), LIMIT);
    for page in [PageRequest::first(LIMIT), after_value(Some(Decimal::from(50))), after_value(None)] {
        check_both(Deal::list_query(BIG, &by_value(), &page), "deals_by_value", PAGE);
    }
    // A common value is found soon, and a range is read from its start.
    let open = DealFilter { status: vec![DealStatus::Open].into(), ..by_value() };
    check_first::<Deal>(&open, "deals_by_value", 2 * PAGE);
    let most = DealFilter { value_max: Some(Number(Decimal::TEN)), ..by_value() };
    check_first::<Deal>(&most, "deals_by_value", PAGE);
    // Few rows are sorted instead of being searched for in order.
    let rare = DealFilter { currency: vec![currency_of("CHF")].into(), ..by_value() };
    check_first::<Deal>(&rare, "deals_by_currency", 200);
}

#[test]
fn projects_by_any_one_filter_read_the_page() {
    let statuses =
        |statuses: &[ProjectStatus]| ProjectFilter { status: statuses.to_vec().into(), ..ProjectFilter::default() };
    check_pages::<Project>(&[
        (statuses(&[ProjectStatus::Active]), "projects_by_status", 1),
        (statuses(&[ProjectStatus::Archived]), "projects_by_status", 1),
        (statuses(ProjectStatus::ALL), "projects_by_status", 6),
        (ProjectFilter { external_id: external_id(), ..ProjectFilter::default() }, "projects_external_id_key", 1),
    ]);
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
            check_both(Company::list_query(BIG, &filter, &page), index, 1);
        }
    }
    let assigned = |members: u32| CompanyFilter { assignee: members_up_to(members).into(), ..CompanyFilter::default() };
    check_pages::<Company>(&[(assigned(1), "companies_by_assignee", 1), (assigned(50), "companies_by_assignee", 50)]);
}

#[test]
fn issues_by_any_one_filter_read_the_page() {
    let member = |number| AssigneeChoice::Member(UserId(seeded(BIG, number)));
    let all = || IssueFilter::all(IssueKind::Task);
    let assignee = |choices: Vec<AssigneeChoice>| IssueFilter { assignee: choices.into(), ..all() };
    let priority = |priorities: &[Priority]| IssueFilter { priority: priorities.to_vec().into(), ..all() };
    let id = seeded(BIG, 7);
    check_pages::<Issue>(&[
        (assignee(vec![member(2)]), "issues_by_assignee", 1),
        (assignee(vec![AssigneeChoice::Nobody]), "issues_by_assignee", 1),
        (assignee((1..50).map(member).chain([AssigneeChoice::Nobody]).collect()), "issues_by_assignee", 50),
        (priority(&[Priority::Medium]), "issues_by_priority", 1),
        (priority(&[Priority::Urgent]), "issues_by_priority", 1),
        (priority(Priority::ALL), "issues_by_priority", 4),
        (IssueFilter { cycle_id: Some(CycleId(id)), ..all() }, "issues_of_cycle", 1),
        (IssueFilter { deal_id: Some(DealId(id)), ..all() }, "issues_by_deal", 1),
        (IssueFilter { contact_id: Some(ContactId(id)), ..all() }, "issues_by_contact", 1),
        (IssueFilter { company_id: Some(CompanyId(id)), ..all() }, "issues_by_company", 1),
        (IssueFilter { status: vec![IssueStatus::Done, IssueStatus::Todo].into(), ..all() }, "issues_by_status", 2),
    ]);
}

#[test]
fn issues_by_due_time_read_the_range_or_the_page() {
    let due = |after, before| IssueFilter {
        due_after: Some(after),
        due_before: Some(before),
        ..IssueFilter::all(IssueKind::Task)
    };
    let hour = due(datetime!(2025-02-01 00:00 UTC), datetime!(2025-02-01 01:00 UTC));
    check_first::<Issue>(&hour, "issues_by_due", 60);
    let all_dates = due(datetime!(2024-02-01 00:00 UTC), datetime!(2026-02-01 01:00 UTC));
    check_first::<Issue>(&all_dates, "issues_newest", 4 * PAGE);
}

#[test]
fn tickets_by_reference_or_requester_read_the_page() {
    let reference = TicketReference::parse("TKT-0000000005");
    let filter = IssueFilter { reference, ..IssueFilter::all(IssueKind::Ticket) };
    check_both(Issue::list_query(BIG, &filter, &PageRequest::first(LIMIT)), "issues_reference_key", 1);
    let by_contact = format!("{}@e.x", seeded(BIG, 7));
    for page in pages() {
        for (email, index) in
            [("p7@example.com", "issues_requested_by_email"), (&by_contact, "issues_by_requester_contact")]
        {
            let requester = email.parse::<EmailKey>().ok().map(RequesterKey::from);
            let filter = IssueFilter { requester: requester.clone(), ..IssueFilter::all(IssueKind::Ticket) };
            check_both(Issue::list_query(BIG, &filter, &page), index, 2 * PAGE);
            let as_sent = requester.map(|requester| RequesterKey { by_contact: false, ..requester });
            let filter = IssueFilter { requester: as_sent, ..IssueFilter::all(IssueKind::Ticket) };
            check_both(Issue::list_query(BIG, &filter, &page), "issues_requested_by_email", PAGE);
        }
    }
}

#[test]
fn rare_words_and_tags_are_found_by_the_search_index() {
    let search = |text: &str| SearchQuery::parse(text).unwrap();
    for text in ["rare12345", "nothing"] {
        check_first::<Deal>(&DealFilter { search: search(text), ..DealFilter::default() }, "deals_search", HEAD);
        let projects = ProjectFilter { search: search(text), ..ProjectFilter::default() };
        check_first::<Project>(&projects, "projects_search", HEAD);
        let articles = ArticleFilter { search: search(text), ..ArticleFilter::default() };
        check_first::<Article>(&articles, "kb_articles_by_word", HEAD);
    }
    for text in ["tag777", "nothing"] {
        let contacts = ContactFilter { tag: tag(text).into(), ..ContactFilter::default() };
        check_first::<Contact>(&contacts, "contacts_search", HEAD);
        let deals = DealFilter { tag: tag(text).into(), ..DealFilter::default() };
        check_first::<Deal>(&deals, "deals_search", HEAD);
        check_first::<Deal>(&DealFilter { order: Some(DealOrder::Value), ..deals }, "deals_search", HEAD);
        let articles = ArticleFilter { tag: tag(text).into(), ..ArticleFilter::default() };
        check_first::<Article>(&articles, "kb_articles_by_word", HEAD);
        let tasks = IssueFilter { label: tag(text).into(), ..IssueFilter::all(IssueKind::Task) };
        check_first::<Issue>(&tasks, "issues_search", HEAD);
    }
    // Matches of a tag on every record are not collected from the index.
    let contacts = ContactFilter { tag: tag("all").into(), ..ContactFilter::default() };
    check_first::<Contact>(&contacts, "contacts_newest", HEAD);
}

#[test]
fn a_summary_reads_only_rows_of_its_workspace() {
    // The planner may use any index to find all rows of a small workspace; each node has few rows.
    check_steps(deals::summary_query(SMALL, &DealFilter::default(), DealGroup::ALL), ROWS / 20);
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        check_steps(issues::summary_query(SMALL, &IssueFilter::all(kind), IssueGroup::ALL), ROWS / 20);
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
