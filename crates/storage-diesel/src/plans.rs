//! Tests of query plans: each list uses an index that has the page's rows in order, or the search index.

mod audit_log;
mod board;
mod canned_replies;
mod cascades;
mod changes;
#[expect(dead_code, reason = "only a part is used here")]
#[path = "../tests/store/common/mod.rs"]
pub(crate) mod common;
mod console;
mod credentials;
mod deleted;
mod email;
mod events;
mod filters;
mod following;
mod idempotency;
mod imports;
mod kb;
mod keys;
mod link_requests;
mod literals;
mod nodes;
mod orders;
mod parts;
mod people;
mod queue;
mod quota;
mod searches;
mod sign_ins;
mod tickets;
mod time_entries;
mod unique;
mod webhook_notices;
mod webhook_replays;
mod workspaces;

use std::sync::{LazyLock, Mutex, PoisonError};

use diesel::connection::SimpleConnection;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Json, Text};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter, ContactStatus};
use domain::crm::deals::{Deal, DealFilter, DealStage, DealStatus};
use domain::identity::audit::AuditFilter;
use domain::kernel::input::{CreatedFilter, Number};
use domain::kernel::paging::{PageRequest, Position};
use domain::kernel::{IssueKind, search};
use domain::work::issues::{Issue, IssueFilter, IssueStatus};
use domain::work::projects::{Project, ProjectFilter};
use domain::{CompanyId, ContactId, CycleId, IssueId, ProjectId, UserId, with_kinds};
use nodes::{is_partition, nodes, number, walk};
use rust_decimal::Decimal;
use serde_json::Value;
use time::macros::{date, datetime};
use uuid::Uuid;

use crate::crm::contacts;
use crate::engine::statement::Statement;
use crate::identity::{api_keys, audit, members};
use crate::kinds::for_each;
use crate::records::ListedTable;
use crate::work::{cycles, issues};

/// Rows of the large workspace.
const ROWS: u32 = 20_000;
const BIG: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
const SMALL: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0002);

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&seed()));

/// A filled database whose tables were never analysed, like a new service that is being filled.
static NEW: LazyLock<common::Database> = LazyLock::new(|| never_analysed(&seed()));

/// Rows for the two workspaces.
fn seed() -> String {
    include_str!("../tests/store/common/seed.sql").replace("{rows}", &ROWS.to_string())
}

/// The statement that adds workspaces, whose ids end with their numbers from 1.
fn seed_workspaces(count: u32) -> String {
    format!(
        "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
         SELECT ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, number, 'W', 'starter', 'active', 'USD',
             now(), now() FROM generate_series(1, {count}) AS number;"
    )
}

/// A filled database without statistics for the planner.
fn never_analysed(seed: &str) -> common::Database {
    let database = common::Database::migrated();
    database.connection().batch_execute(seed).unwrap();
    database
}

/// A filled database with up-to-date statistics for the planner.
fn filled(seed: &str) -> common::Database {
    let database = never_analysed(seed);
    // Separate from the seed: several statements sent together are one transaction.
    database.connection().batch_execute("VACUUM ANALYZE").unwrap();
    database
}

/// Runs a statement under EXPLAIN ANALYZE.
struct Explain<ST>(Statement<ST>);

impl<ST> QueryFragment<Pg> for Explain<ST> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("EXPLAIN (ANALYZE, FORMAT JSON) ");
        self.0.walk_ast(out)
    }
}

impl<ST> QueryId for Explain<ST> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<ST> Query for Explain<ST> {
    type SqlType = Text;
}

impl<ST> RunQueryDsl<PgConnection> for Explain<ST> {}

/// Checks that a statement has no sequential scan, touches at most `most` rows in any step, and uses `index`.
fn check<ST>(sql: Statement<ST>, index: &str, most: u32) {
    check_in(&DATABASE, sql, index, most);
}

fn check_in<ST>(database: &common::Database, sql: Statement<ST>, index: &str, most: u32) {
    // Statements skip rows that others have locked, so they run one by one and leave nothing locked.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let query = diesel::debug_query::<Pg, _>(&sql).to_string();
    let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let plan = database.connection().test_transaction(|connection| Explain(sql).get_result::<String>(connection));
    drop(turn);
    let plan = serde_json::from_str(&plan).unwrap();
    let nodes = nodes(&plan);
    assert!(nodes.iter().any(|(_, used, _)| used == index), "{query}\n{nodes:#?}");
    walk(&plan[0]["Plan"], &mut |node| {
        let reads_none = ["Actual Rows", "Rows Removed by Filter"].iter().all(|name| number(node, name) == 0.0);
        let is_empty = number(node, "Actual Loops") == 0.0 || is_partition(node) && reads_none;
        assert!(node["Node Type"] != "Seq Scan" || is_empty, "{query}\n{nodes:#?}");
    });
    for (_, _, rows) in &nodes {
        assert!(*rows <= f64::from(most), "{query}\n{nodes:#?}");
    }
}

/// Executes a statement and returns the steps of its plan.
fn steps<ST>(sql: Statement<ST>) -> Vec<(String, String, f64)> {
    let plan: String = Explain(sql).get_result(&mut DATABASE.connection()).unwrap();
    nodes(&serde_json::from_str(&plan).unwrap())
}

/// Checks the generic plan, which a prepared statement uses for all values.
fn check_generic<ST>(sql: &Statement<ST>, index: &str) {
    check_generic_in(&DATABASE, sql, index);
}

fn check_generic_in<ST>(database: &common::Database, sql: &Statement<ST>, index: &str) {
    let text = sql.text();
    let binds = (1..=99).take_while(|number| text.contains(&format!("${number}"))).map(|_| "NULL").collect::<Vec<_>>();
    let mut connection = database.connection();
    let prepare = format!("SET plan_cache_mode = force_generic_plan; PREPARE it AS {text}");
    connection.batch_execute(&prepare).unwrap();
    let arguments = if binds.is_empty() { String::new() } else { format!("({})", binds.join(", ")) };
    let explain = format!("EXPLAIN (FORMAT JSON) EXECUTE it {arguments}");
    let plan: Value = Statement::<Json>::once(explain).get_result(&mut connection).unwrap();
    let nodes = nodes(&plan);
    assert!(nodes.iter().any(|(_, used, _)| used == index), "{text}\n{nodes:#?}");
    walk(&plan[0]["Plan"], &mut |node| {
        // The other checks cover the number of rows read.
        assert!(node["Node Type"] != "Seq Scan" || is_partition(node), "{text}\n{nodes:#?}");
    });
}

/// Checks the plan for the bound values, and the generic one.
fn check_both<ST>(sql: Statement<ST>, index: &str, most: u32) {
    check_both_in(&DATABASE, sql, index, most);
}

fn check_both_in<ST>(database: &common::Database, sql: Statement<ST>, index: &str, most: u32) {
    check_generic_in(database, &sql, index);
    check_in(database, sql, index, most);
}

/// Checks the first page of a list of the large workspace.
fn check_first<K: ListedTable>(filter: &K::Filter, index: &str, most: u32) {
    check(K::list_query(BIG, filter, &PageRequest::first(LIMIT)), index, most);
}

/// Checks lists of the large workspace by filter: each reads a page per value of the filter from the index.
fn check_pages<K: ListedTable>(lists: &[(K::Filter, &str, u32)]) {
    for (filter, index, values) in lists {
        for page in pages() {
            check_both(K::list_query(BIG, filter, &page), index, PAGE * values);
        }
    }
}

/// Checks that no step of a plan scans a table or reads more than `most` rows.
fn check_steps<ST>(sql: Statement<ST>, most: u32) {
    let query = diesel::debug_query::<Pg, _>(&sql).to_string();
    for (kind, index, rows) in steps(sql) {
        assert!(kind != "Seq Scan" && rows <= f64::from(most), "{query}\n{kind} {index} {rows}");
    }
}

const LIMIT: u32 = 50;
/// One page plus one row.
const PAGE: u32 = 51;
/// The rows in a part of a search's walk: a search reads two parts before it uses the search index.
const HEAD: u32 = 500;

/// No filter by creation time.
const ANY_TIME: CreatedFilter = CreatedFilter { created_since: None, created_before: None };
/// Records created in some of the minutes of `seed.sql`.
const FIFTY_MINUTES: CreatedFilter = CreatedFilter {
    created_since: Some(datetime!(2025-01-01 05:00 UTC)),
    created_before: Some(datetime!(2025-01-01 05:50 UTC)),
};

/// The first page and a deep one.
fn pages() -> [PageRequest; 2] {
    let deep = Position::After(datetime!(2025-01-05 00:00 UTC), Uuid::max());
    [PageRequest::first(LIMIT), PageRequest::at(deep, LIMIT)]
}

/// The id that `seed.sql` assigns to a number.
fn seeded(workspace: Uuid, number: u32) -> Uuid {
    let sql = format!("SELECT md5('{workspace}' || {number})::uuid");
    diesel::select(diesel::dsl::sql::<diesel::sql_types::Uuid>(sql.trim_start_matches("SELECT ")))
        .get_result(&mut DATABASE.connection())
        .unwrap()
}

#[test]
fn unfiltered_lists_read_the_page() {
    for page in pages() {
        for workspace in [BIG, SMALL] {
            check(Contact::list_query(workspace, &ContactFilter::default(), &page), "contacts_newest", PAGE);
            check(Deal::list_query(workspace, &DealFilter::default(), &page), "deals_newest", PAGE);
            for kind in [IssueKind::Task, IssueKind::Ticket] {
                check(Issue::list_query(workspace, &IssueFilter::all(kind), &page), "issues_newest", PAGE);
            }
            let entries = audit::list_query(workspace, &AuditFilter::default(), &page);
            check_both(entries, "audit_log_default_workspace_id_created_at_id_idx", PAGE);
        }
        check_both(members::list_query(BIG, &ANY_TIME, &page), "members_newest", PAGE);
        check_both(api_keys::list_query(BIG, &ANY_TIME, &page), "api_keys_newest", PAGE);
        check(Project::list_query(BIG, &ProjectFilter::default(), &page), "projects_newest", PAGE);
        check(Company::list_query(BIG, &CompanyFilter::default(), &page), "companies_newest", PAGE);
    }
    with_kinds!(for_each!(listed check_newest));
}

fn check_newest<K: ListedTable<Filter: Default>>() {
    for page in pages() {
        check_generic(&K::list_query(BIG, &K::Filter::default(), &page), &format!("{}_newest", K::TABLE));
    }
}

#[test]
fn members_are_looked_up_by_address_and_named_by_id() {
    for page in pages() {
        check_both(members::joined_query(BIG, None, &ANY_TIME, &page), "members_joined", PAGE);
    }
    let page = PageRequest::first(LIMIT);
    let email = format!("{}@e.x", seeded(BIG, 7));
    check_both(members::joined_query(BIG, Some(&email), &ANY_TIME, &page), "users_email_key", 1);
    let emails: Vec<_> = (1..=100).map(|number| format!("{}@e.x", seeded(BIG, number))).collect();
    check_both(members::ids_query(BIG, emails), "users_email_key", 100);
    let ids: Vec<_> = (1..=100).map(|number| seeded(BIG, number)).collect();
    check_both(members::names_query(BIG, ids.clone()), "users_pkey", 200);
    let recipients: Vec<_> = ids.into_iter().map(UserId).collect();
    check_both(members::recipients_query(BIG, &recipients), "users_pkey", 200);
}

#[test]
fn only_active_keys_are_counted() {
    check_both(api_keys::active_query(BIG, datetime!(2025-06-01 00:00 UTC)), "api_keys_active", 100);
}

#[test]
fn contacts_by_status_read_the_page() {
    for page in pages() {
        for statuses in ContactStatus::ALL.iter().map(|status| vec![*status]).chain([ContactStatus::ALL.to_vec()]) {
            let most = PAGE * u32::try_from(statuses.len()).unwrap();
            let filter = ContactFilter { status: statuses.into(), ..ContactFilter::default() };
            for workspace in [BIG, SMALL] {
                check_both(Contact::list_query(workspace, &filter, &page), "contacts_by_status", most);
            }
        }
    }
}

#[test]
fn deals_by_any_one_filter_read_the_page() {
    let user = |number| UserId(seeded(BIG, number));
    let statuses = |statuses: &[DealStatus]| DealFilter { status: statuses.to_vec().into(), ..DealFilter::default() };
    let stages = |stages: &[DealStage]| DealFilter { stage: stages.to_vec().into(), ..DealFilter::default() };
    let assignees = |assignees: Vec<UserId>| DealFilter { assignee: assignees.into(), ..DealFilter::default() };
    let contact = DealFilter { contact_id: Some(ContactId(seeded(BIG, 7))), ..DealFilter::default() };
    let company = DealFilter { company_id: Some(CompanyId(seeded(BIG, 7))), ..DealFilter::default() };
    check_pages::<Deal>(&[
        (statuses(&[DealStatus::Open]), "deals_by_status", 1),
        (statuses(&[DealStatus::OnHold]), "deals_by_status", 1),
        (statuses(DealStatus::ALL), "deals_by_status", 4),
        (stages(&[DealStage::Discovery]), "deals_by_stage", 1),
        (stages(&[DealStage::Negotiation]), "deals_by_stage", 1),
        (stages(DealStage::ALL), "deals_by_stage", 6),
        (assignees(vec![user(1)]), "deals_by_assignee", 1),
        (assignees((1..=50).map(user).collect()), "deals_by_assignee", 50),
        (contact, "deals_by_contact", 1),
        (company, "deals_by_company", 1),
    ]);
}

#[test]
fn deals_by_value_read_the_range_or_the_page() {
    let in_range = |low: i64, high: i64| DealFilter {
        value_min: Some(Number(Decimal::from(low))),
        value_max: Some(Number(Decimal::from(high))),
        ..DealFilter::default()
    };
    check_first::<Deal>(&in_range(10, 10), "deals_by_value", 1);
    check_first::<Deal>(&in_range(10, 11), "deals_by_value", 101);
    check_first::<Deal>(&in_range(0, 1_000_000), "deals_newest", PAGE);
}

#[test]
fn issues_by_any_one_filter_read_the_page() {
    let status = |status: IssueStatus| IssueFilter { status: vec![status].into(), ..IssueFilter::all(status.kind()) };
    let project = Some(ProjectId(seeded(BIG, 3)));
    check_pages::<Issue>(&[
        (status(IssueStatus::Done), "issues_by_status", 1),
        (status(IssueStatus::InReview), "issues_by_status", 1),
        (status(IssueStatus::Closed), "issues_by_status", 1),
        (status(IssueStatus::Pending), "issues_by_status", 1),
        (IssueFilter { project_id: project, ..IssueFilter::all(IssueKind::Task) }, "issues_by_project", 1),
    ]);
}

#[test]
fn issues_of_a_cycle_are_found_by_index() {
    let cycle = CycleId(seeded(BIG, 3));
    check_both(cycles::counts_query(BIG, cycle), "issues_by_cycle", ROWS / 10);
    let (first, last) = (date!(2025 - 01 - 01), date!(2025 - 01 - 14));
    check_both(cycles::burn_up_query(BIG, cycle, first, last), "cycle_history_pkey", ROWS / 10);
    check_generic(&cycles::burn_up_query(BIG, cycle, first, last), "issues_by_cycle");
    check_both(issues::in_cycle_query(BIG, cycle), "issues_by_cycle", ROWS / 10);
}

#[test]
fn child_issues_are_found_by_index() {
    let family_query = || issues::with_children_query(BIG, IssueKind::Task, IssueId(seeded(BIG, 7)), 200);
    check(family_query(), "issues_kind_id_key", HEAD);
    for index in ["issues_by_parent", "issues_by_epic"] {
        check_both(family_query(), index, HEAD);
    }
}

#[test]
fn a_rare_word_is_found_by_the_search_index() {
    let query = |text: &str| search::SearchQuery::parse(text).unwrap();
    let contacts = |text| ContactFilter { search: query(text), ..ContactFilter::default() };
    let companies = |text| CompanyFilter { search: query(text), ..CompanyFilter::default() };
    for text in ["rare12345", "nothing", "word777 ann"] {
        check_first::<Contact>(&contacts(text), "contacts_search", HEAD);
        check_first::<Company>(&companies(text), "companies_search", HEAD);
        let tickets = IssueFilter { search: query(text), ..IssueFilter::all(IssueKind::Ticket) };
        check_first::<Issue>(&tickets, "issues_search", HEAD);
    }
    // Matches of a word in every record are not collected from the index.
    check_first::<Contact>(&contacts("ann"), "contacts_newest", HEAD);
    check_first::<Company>(&companies("ann"), "companies_newest", HEAD);
}

#[test]
fn a_search_finds_rows_after_the_head() {
    let page = PageRequest::first(LIMIT);
    for (text, matches) in [("rare7", 1_111), ("rare77", 111), ("rare1234", 11), ("rare12345", 1), ("ann", ROWS)] {
        let filter = ContactFilter { search: search::SearchQuery::parse(text).unwrap(), ..ContactFilter::default() };
        let rows = Contact::list_query(BIG, &filter, &page).load(&mut DATABASE.connection()).unwrap();
        let rows: Vec<contacts::ContactRow> = rows;
        assert_eq!(rows.len(), PAGE.min(matches) as usize, "{text}");
    }
}
