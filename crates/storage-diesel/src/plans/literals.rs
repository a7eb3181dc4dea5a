//! Every statement can be pasted into psql: Postgres parses it as is and infers all types.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use domain::crm::comments::CrmRecord;
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter, ContactStatus, ContactType};
use domain::crm::deals::{Deal, DealFilter, DealGroup, DealOrder, DealStage, DealStatus};
use domain::identity::audit::{AuditAction, AuditFilter};
use domain::kernel::input::{EmailKey, Line, Number};
use domain::kernel::paging::{ChangePosition, Direction, KeyPosition, PageRequest, Position, Sort, SortKey};
use domain::kernel::{IssueKind, search};
use domain::records::RecordKind;
use domain::support::TicketFilter;
use domain::support::kb::{Article, ArticleFilter};
use domain::webhooks::{DeliveryFilter, DeliveryState, WebhookReach};
use domain::work::issues::{
    AssigneeChoice, InboxReader, Issue, IssueFilter, IssueGroup, IssueOrder, IssueStatus, TicketReference, TicketType,
};
use domain::work::projects::{Priority, Project, ProjectFilter, ProjectOrder, ProjectStatus};
use domain::{
    CompanyId, ContactId, CycleId, DealId, IssueId, ProjectId, RecordOrder, Reference, SubscriptionId, UserId,
};
use rust_decimal::Decimal;
use time::OffsetDateTime;
use time::macros::{date, datetime};
use uuid::Uuid;

use super::{BIG, DATABASE, FIFTY_MINUTES, pages};
use crate::console::matched_comments::matched_query;
use crate::crm::{comments as record_comments, deals};
use crate::engine::statement::{Literal, Statement, sql};
use crate::identity::{api_keys, audit, members};
use crate::kernel::references::exist_query;
use crate::records::ListedTable;
use crate::support::tickets;
use crate::webhooks::{deliveries, subscriptions};
use crate::work::{comments, cycles, inbox, issues};

/// The errors of Postgres for the texts, each with its source location.
fn faults<'t>(texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Vec<String> {
    let mut connection = DATABASE.connection();
    let mut fault = |(text, location)| {
        let error = connection.batch_execute(&format!("PREPARE pasted AS {text}; DEALLOCATE pasted")).err()?;
        Some(format!("{location}: {error}\n{text}"))
    };
    texts.into_iter().filter_map(&mut fault).collect()
}

#[test]
fn postgres_parses_every_literal() {
    let literals: Vec<_> = inventory::iter::<Literal>.into_iter().map(|it| (it.text, it.place)).collect();
    // The linker collects the literals, so all could be missing at once.
    assert!(literals.len() > 60, "{}", literals.len());
    let faults = faults(literals);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

fn text<ST>(statement: &Statement<ST>) -> String {
    statement.text().to_owned()
}

#[expect(clippy::too_many_lines, reason = "one text after the other, of filters that they share")]
fn lists(page: &PageRequest) -> Vec<String> {
    let words = || search::SearchQuery::parse("two words").unwrap();
    let comments = || words().map(|words| words.in_comments(true));
    let line = |text: &str| Line::parse(text, "external_id").ok();
    let tags = || ["a".parse().unwrap(), "b".parse().unwrap()].to_vec().into();
    let deal_filter = DealFilter {
        contact_id: Some(ContactId(BIG)),
        company_id: Some(CompanyId(BIG)),
        assignee: vec![UserId(BIG), UserId(Uuid::max())].into(),
        status: DealStatus::ALL.to_vec().into(),
        stage: DealStage::ALL.to_vec().into(),
        value_min: Some(Number(Decimal::ONE)),
        value_max: Some(Number(Decimal::TEN)),
        closed_since: Some(date!(2029 - 01 - 01)),
        closed_before: Some(date!(2030 - 01 - 01)),
        expected_close_since: Some(date!(2029 - 01 - 01)),
        expected_close_before: Some(date!(2030 - 01 - 01)),
        external_id: line("x"),
        created_since: Some(datetime!(2028-01-01 00:00 UTC)),
        created_before: Some(datetime!(2029-01-01 00:00 UTC)),
        updated_since: Some(datetime!(2029-01-01 00:00 UTC)),
        ..DealFilter::default()
    };
    let several = DealFilter { contact_id: None, company_id: None, external_id: None, ..deal_filter.clone() };
    let searched = DealFilter { search: words(), tag: tags(), ..several.clone() };
    let of_ids = DealFilter { ids: vec![DealId(BIG), DealId(Uuid::max())].into(), ..several.clone() };
    let by_value = DealFilter { order: Some(DealOrder::Value), ..several.clone() };
    let found_by_value = DealFilter { order: Some(DealOrder::Value), ..searched.clone() };
    let contact_filter = |search| ContactFilter {
        search,
        status: ContactStatus::ALL.to_vec().into(),
        contact_type: ContactType::ALL.to_vec().into(),
        assignee: vec![UserId(BIG), UserId(Uuid::max())].into(),
        email: Some("a@e.x".parse().unwrap()),
        external_id: line("x"),
        tag: tags(),
        company_id: Some(CompanyId(BIG)),
        created_since: Some(datetime!(2028-01-01 00:00 UTC)),
        created_before: Some(datetime!(2029-01-01 00:00 UTC)),
        updated_since: Some(datetime!(2029-01-01 00:00 UTC)),
        ..ContactFilter::default()
    };
    let project_filter = ProjectFilter {
        search: words(),
        status: ProjectStatus::ALL.to_vec().into(),
        external_id: line("x"),
        created_since: Some(datetime!(2028-01-01 00:00 UTC)),
        created_before: Some(datetime!(2029-01-01 00:00 UTC)),
        updated_since: Some(datetime!(2029-01-01 00:00 UTC)),
        ..ProjectFilter::default()
    };
    let issue_filter = |search| IssueFilter {
        search,
        status: vec![IssueStatus::Open, IssueStatus::Closed].into(),
        project_id: Some(ProjectId(BIG)),
        cycle_id: Some(CycleId(BIG)),
        assignee: vec![AssigneeChoice::Nobody, AssigneeChoice::Member(UserId(BIG))].into(),
        priority: Priority::ALL.to_vec().into(),
        due_before: Some(datetime!(2030-01-01 00:00 UTC)),
        due_after: Some(datetime!(2029-01-01 00:00 UTC)),
        waiting: Some(true),
        reference: TicketReference::parse("TKT-0000000005"),
        deal_id: Some(DealId(BIG)),
        contact_id: Some(ContactId(BIG)),
        company_id: Some(CompanyId(BIG)),
        created_since: Some(datetime!(2028-01-01 00:00 UTC)),
        created_before: Some(datetime!(2029-01-01 00:00 UTC)),
        updated_since: Some(datetime!(2029-01-01 00:00 UTC)),
        ..IssueFilter::all(IssueKind::Ticket)
    };
    let of_requester = IssueFilter {
        requester: Some("a@e.x".parse::<EmailKey>().unwrap().into()),
        label: tags(),
        ..issue_filter(words())
    };
    let ticket_filter = TicketFilter {
        status: Some(IssueStatus::Open),
        email_key: Some("a@e.x".to_owned()),
        ticket_type: Some(TicketType::Question),
        created: FIFTY_MINUTES,
    };
    let of_actor = AuditFilter {
        actor_id: Some(BIG),
        since: Some(datetime!(2029-01-01 00:00 UTC)),
        until: Some(datetime!(2030-01-01 00:00 UTC)),
        ..AuditFilter::default()
    };
    let of_actions = AuditFilter { action: AuditAction::ALL[..2].to_vec().into(), ..AuditFilter::default() };
    let delivery_filter = DeliveryFilter {
        states: DeliveryState::ALL.to_vec(),
        event: Some("deal.won".to_owned()),
        created: FIFTY_MINUTES,
    };
    // The same page in another order, if it follows a record.
    let in_order = |position: &dyn Fn(OffsetDateTime, Uuid) -> Position| match page.position {
        Position::After(at, id) => PageRequest { position: position(at, id), ..*page },
        _ => *page,
    };
    let value_page = in_order(&|_, id| Position::AfterValue(None, id));
    let change_page = in_order(&|at, id| Position::AfterChange(ChangePosition { at, id, logged: 0 }));
    let after_key =
        |by, key| in_order(&|_, id| Position::AfterKey(KeyPosition { by, direction: Direction::Up, key, id }));
    let updated = Some(RecordOrder::Updated);
    let deals_by_change = |filter: &DealFilter| DealFilter { order: Some(DealOrder::Updated), ..filter.clone() };
    let contacts_by_change = |search| ContactFilter { order: updated, ..contact_filter(search) };
    let updated_issues = Some(IssueOrder::Updated);
    let issues_by_change = IssueFilter { order: updated_issues, ..issue_filter(None) };
    let issues_by = |order| IssueFilter { order: Some(order), ..issue_filter(None) };
    let requests_by_change = IssueFilter { order: updated_issues, ..of_requester.clone() };
    let projects_by_change = ProjectFilter { order: Some(ProjectOrder::Updated), ..project_filter.clone() };
    let key_page = after_key(Sort::Day, SortKey::Nothing);
    let turn_page = after_key(Sort::Turn, SortKey::Time(datetime!(2974-12-28 00:00 UTC)));
    let reading = InboxReader { user: UserId(BIG), unread_since: datetime!(2028-01-01 00:00 UTC) };
    vec![
        text(&deals::summary_query(BIG, &deal_filter, DealGroup::ALL)),
        text(&deals::summary_query(BIG, &searched, &[])),
        text(&Deal::totals_query(BIG, &searched)),
        text(&Deal::totals_query(BIG, &DealFilter { search: comments(), ..searched.clone() })),
        text(&Issue::totals_query(BIG, &of_requester)),
        text(&issues::summary_query(BIG, &of_requester, IssueGroup::ALL)),
        text(&Deal::list_query(BIG, &deals_by_change(&deal_filter), &change_page)),
        text(&Deal::list_query(BIG, &deals_by_change(&searched), &change_page)),
        text(&Contact::list_query(BIG, &contacts_by_change(None), &change_page)),
        text(&Contact::list_query(BIG, &contacts_by_change(words()), &change_page)),
        text(&Issue::list_query(BIG, &issues_by_change, &change_page)),
        text(&Issue::list_query(BIG, &issues_by(IssueOrder::Waiting), &turn_page)),
        text(&inbox::list_query(BIG, &issues_by(IssueOrder::Waiting), &turn_page, reading)),
        text(&inbox::list_query(BIG, &of_requester, page, reading)),
        text(&inbox::list_query(
            BIG,
            &IssueFilter { search: comments(), ..issues_by(IssueOrder::DueUp) },
            page,
            reading,
        )),
        text(&Issue::list_query(BIG, &requests_by_change, &change_page)),
        text(&Project::list_query(BIG, &projects_by_change, &change_page)),
        text(&Deal::list_query(BIG, &DealFilter { order: Some(DealOrder::CloseDown), ..several.clone() }, &key_page)),
        text(&Deal::list_query(BIG, &DealFilter { order: Some(DealOrder::CloseUp), ..searched.clone() }, &key_page)),
        text(&Deal::list_query(BIG, &DealFilter { order: Some(DealOrder::CloseDown), ..searched.clone() }, &key_page)),
        text(&Contact::list_query(
            BIG,
            &ContactFilter { order: Some(RecordOrder::NameUp), ..contact_filter(words()) },
            page,
        )),
        text(&Issue::list_query(BIG, &IssueFilter { order: Some(IssueOrder::DueDown), ..of_requester.clone() }, page)),
        text(&Deal::list_query(BIG, &by_value, &value_page)),
        text(&Deal::list_query(BIG, &found_by_value, &value_page)),
        text(&Deal::list_query(BIG, &DealFilter::default(), page)),
        text(&Deal::list_query(BIG, &deal_filter, page)),
        text(&Deal::list_query(BIG, &several, page)),
        text(&Deal::list_query(BIG, &of_ids, page)),
        text(&Deal::list_query(BIG, &DealFilter { search: comments(), ..of_ids.clone() }, page)),
        text(&Deal::list_query(BIG, &searched, page)),
        text(&Contact::list_query(BIG, &contact_filter(None), page)),
        text(&Contact::list_query(BIG, &contact_filter(words()), page)),
        text(&Company::list_query(BIG, &CompanyFilter { search: words(), ..CompanyFilter::default() }, page)),
        text(&Issue::list_query(BIG, &issue_filter(None), page)),
        text(&Issue::list_query(BIG, &issue_filter(words()), page)),
        text(&Issue::list_query(BIG, &of_requester, page)),
        text(&Deal::list_query(BIG, &DealFilter { search: comments(), ..searched.clone() }, page)),
        text(&Deal::list_query(BIG, &DealFilter { search: comments(), ..found_by_value.clone() }, &value_page)),
        text(&deals::summary_query(BIG, &DealFilter { search: comments(), ..searched.clone() }, DealGroup::ALL)),
        text(&Contact::list_query(BIG, &contact_filter(comments()), page)),
        text(&Contact::list_query(BIG, &ContactFilter { search: comments(), ..ContactFilter::default() }, page)),
        text(&Contact::list_query(BIG, &contacts_by_change(comments()), &change_page)),
        text(&Company::list_query(BIG, &CompanyFilter { search: comments(), ..CompanyFilter::default() }, page)),
        text(&Issue::list_query(BIG, &issue_filter(comments()), page)),
        text(&Issue::list_query(BIG, &IssueFilter { search: comments(), ..of_requester.clone() }, page)),
        text(&issues::summary_query(BIG, &IssueFilter { search: comments(), ..of_requester.clone() }, IssueGroup::ALL)),
        text(&matched_query(BIG, RecordKind::Contact, &[BIG], &words().unwrap()).unwrap()),
        text(&matched_query(BIG, RecordKind::Ticket, &[BIG], &words().unwrap()).unwrap()),
        text(&tickets::list_query(BIG, &ticket_filter, page)),
        text(&deliveries::list_query(BIG, SubscriptionId(BIG), &delivery_filter, page)),
        text(&deliveries::list_query(BIG, SubscriptionId(BIG), &DeliveryFilter::default(), page)),
        text(&Article::list_query(BIG, &ArticleFilter::default(), page)),
        text(&subscriptions::list_query(BIG, &WebhookReach::everything(), &FIFTY_MINUTES, page)),
        text(&Project::list_query(BIG, &project_filter, page)),
        text(&cycles::list_query(BIG, ProjectId(BIG), &FIFTY_MINUTES, page)),
        text(&comments::list_query(BIG, IssueId(BIG), &FIFTY_MINUTES, page)),
        text(&record_comments::list_query(BIG, CrmRecord::Contact(ContactId(BIG)), &FIFTY_MINUTES, page)),
        text(&record_comments::list_query(BIG, CrmRecord::Company(CompanyId(BIG)), &FIFTY_MINUTES, page)),
        text(&record_comments::list_query(BIG, CrmRecord::Deal(DealId(BIG)), &FIFTY_MINUTES, page)),
        text(&members::list_query(BIG, &FIFTY_MINUTES, page)),
        text(&api_keys::list_query(BIG, &FIFTY_MINUTES, page)),
        text(&audit::list_query(BIG, &AuditFilter::default(), page)),
        text(&audit::list_query(BIG, &of_actions, page)),
        text(&audit::list_query(BIG, &of_actor, page)),
    ]
}

#[test]
fn postgres_parses_every_list_template() {
    let by_number: PageRequest = PageRequest::at(domain::kernel::paging::Position::Page(3), 50);
    let texts: Vec<_> = pages().into_iter().chain([by_number]).flat_map(|page| lists(&page)).collect();
    let faults = faults(texts.iter().map(|text| (text.as_str(), "a list")));
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(texts.iter().all(|text| !text.contains('{') && !text.contains("$n")), "{texts:#?}");
}

#[test]
fn postgres_parses_reference_checks() {
    let references = [
        Reference::Company(CompanyId(BIG)),
        Reference::Cycle(ProjectId(BIG), CycleId(BIG)),
        Reference::Contact(ContactId(BIG)),
        Reference::Issue(IssueKind::Task, IssueId(BIG)),
        Reference::Deal(DealId(BIG)),
        Reference::Project(ProjectId(BIG)),
        Reference::Member(UserId(BIG)),
    ];
    let query = exist_query(BIG, &references);
    let faults = faults([(query.text(), "references")]);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Diesel prepares cached statements under a name, and only these are listed here.
#[test]
fn statements_are_prepared_once_unless_planned_each_time() {
    let mut connection = DATABASE.connection();
    for _ in 0..2 {
        let no_op = || sql!("UPDATE deals SET version = version WHERE workspace_id = $1 AND false");
        assert_eq!(no_op().bind(Uuid::nil()).execute(&mut connection), Ok(0));
        let planned = sql!("UPDATE projects SET version = version WHERE workspace_id = $1 AND false");
        assert_eq!(planned.planned_each_time().bind(Uuid::nil()).execute(&mut connection), Ok(0));
        let one = sql!("SELECT count(*) FROM deals WHERE workspace_id = $1 OR $1 IS NULL").returns::<BigInt>();
        let _: i64 = one.bind(Uuid::nil()).get_result(&mut connection).unwrap();
    }
    let prepared = "SELECT statement FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prepared%' ORDER BY 1";
    let texts: Vec<String> = Statement::<Text>::once(prepared).load(&mut connection).unwrap();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].starts_with("SELECT count(*) FROM deals") && texts[1].starts_with("UPDATE deals"), "{texts:?}");
}
