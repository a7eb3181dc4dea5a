//! Searches in lists: their cost for words of any frequency and position, and the completeness of their results.

use diesel::connection::SimpleConnection;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use domain::CompanyId;
use domain::console::RecordSearch;
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter, ContactStatus, ContactType};
use domain::crm::deals::{Deal, DealFilter};
use domain::kernel::IssueKind;
use domain::kernel::input::Tag;
use domain::kernel::paging::{PageRequest, Position};
use domain::kernel::search::SearchQuery;
use domain::records::RecordKind;
use domain::work::issues::{Issue, IssueFilter, IssueStatus};
use time::macros::datetime;
use uuid::Uuid;

use super::{BIG, DATABASE, Explain, HEAD, LIMIT, NEW, common, nodes, seeded};
use crate::console::matched_comments::matched_query;
use crate::console::search;
use crate::crm::contacts;
use crate::engine::pool::SEARCH_PLANS;
use crate::engine::statement::Statement;
use crate::records::ListedTable;
use crate::support::lexemes::Prefix;
use crate::work::issues;

/// The newest rows that lack the common words (`seed.sql`), rounded to whole parts, plus the next part.
const WALKED: u32 = 2_000;
/// The comments of the workspace.
const COMMENTS: u32 = 20_000;
/// The longest walk.
const LONGEST: u32 = 10_000;

fn words(text: &str) -> Option<SearchQuery> {
    SearchQuery::parse(text).unwrap()
}

fn tags<const N: usize>(tags: [&str; N]) -> Vec<Tag> {
    tags.map(|tag| tag.parse().unwrap()).into()
}

/// Plans statements like the search connections.
fn connection(database: &common::Database) -> PgConnection {
    let mut connection = database.connection();
    connection.batch_execute(SEARCH_PLANS).unwrap();
    connection
}

/// The workspace and texts that a statement binds, as arguments for EXECUTE, which accepts no placeholders.
fn execute_arguments(query: &str) -> String {
    let (workspace, texts) = query.rsplit_once("binds: [").unwrap().1.split_once(", ").unwrap();
    let texts: Vec<String> = serde_json::from_str(&format!("[{texts}")).unwrap();
    format!("('{workspace}', $text${}$text$)", texts.join("$text$, $text$"))
}

/// Checks that a search scans no table and reads at most `most` rows in any step, except for entries of the search index. Also
/// checks whether it uses that index, and the list's own order. If the search is prepared, checks its generic plan too.
fn check_read<ST>(database: &common::Database, sql: Statement<ST>, newest: &str, found_by: Option<&str>, most: u32) {
    let mut connection = connection(database);
    let query = diesel::debug_query::<Pg, _>(&sql).to_string();
    if sql.is_cacheable() {
        let prepare = format!("SET plan_cache_mode = force_generic_plan; PREPARE it AS {}", sql.text());
        connection.batch_execute(&prepare).unwrap();
        let explain = format!("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE it {}", execute_arguments(&query));
        let plan = diesel::dsl::sql::<Text>(&explain).get_result::<String>(&mut connection).unwrap();
        check_plan(&plan, &query, newest, found_by, most);
    }
    let plan: String = Explain(sql).get_result(&mut connection).unwrap();
    check_plan(&plan, &query, newest, found_by, most);
}

fn check_plan(plan: &str, query: &str, newest: &str, found_by: Option<&str>, most: u32) {
    let nodes = nodes(&serde_json::from_str(plan).unwrap());
    let uses = |index: &str| nodes.iter().any(|(_, used, _)| used == index);
    assert!(uses(newest), "{query}\n{nodes:#?}");
    assert_eq!(nodes.iter().any(|(kind, ..)| kind == "Bitmap Index Scan"), found_by.is_some(), "{query}\n{nodes:#?}");
    assert!(found_by.is_none_or(uses), "{query}\n{nodes:#?}");
    for (kind, _, rows) in &nodes {
        assert!(kind != "Seq Scan", "{query}\n{nodes:#?}");
        assert!(kind == "Bitmap Index Scan" || *rows <= f64::from(most), "{query}\n{nodes:#?}");
    }
}

#[test]
fn common_words_that_the_newest_rows_lack_are_searched_in_list_order() {
    let page = PageRequest::first(LIMIT);
    for database in [&*DATABASE, &*NEW] {
        let filter = ContactFilter { search: words("early"), ..ContactFilter::default() };
        let contacts = Contact::list_query(BIG, &filter, &page);
        check_read(database, contacts, "contacts_newest", Some("contacts_search"), WALKED);
        let filter = IssueFilter { label: tags(["early"]).into(), ..IssueFilter::all(IssueKind::Task) };
        check_read(database, Issue::list_query(BIG, &filter, &page), "issues_newest", Some("issues_search"), WALKED);
    }
}

#[test]
fn words_of_the_oldest_rows_are_sorted_after_a_bounded_walk() {
    let filter = ContactFilter { search: words("oldest"), ..ContactFilter::default() };
    let query = Contact::list_query(BIG, &filter, &PageRequest::first(LIMIT));
    check_read(&DATABASE, query, "contacts_newest", Some("contacts_search"), LONGEST);
}

#[test]
fn the_search_index_is_not_read_while_matches_keep_coming() {
    // 2 % of the rows.
    let tag: Vec<Tag> = (1..=20).map(|number| format!("tag{number}").parse().unwrap()).collect();
    let filter = ContactFilter { tag: tag.into(), ..ContactFilter::default() };
    for database in [&*DATABASE, &*NEW] {
        let query = Contact::list_query(BIG, &filter, &PageRequest::first(LIMIT));
        check_read(database, query, "contacts_newest", None, 4_000);
    }
}

#[test]
fn a_rare_word_is_found_by_the_search_index_of_tables_that_were_never_analysed() {
    let page = PageRequest::first(LIMIT);
    for text in ["rare12345", "nothing"] {
        let search = || words(text);
        let filter = ContactFilter { search: search(), ..ContactFilter::default() };
        check_read(&NEW, Contact::list_query(BIG, &filter, &page), "contacts_newest", Some("contacts_search"), HEAD);
        let filter = CompanyFilter { search: search(), ..CompanyFilter::default() };
        let query = Company::list_query(BIG, &filter, &page);
        check_read(&NEW, query, "companies_newest", Some("companies_search"), HEAD);
        let filter = DealFilter { search: search(), ..DealFilter::default() };
        check_read(&NEW, Deal::list_query(BIG, &filter, &page), "deals_newest", Some("deals_search"), HEAD);
        let filter = IssueFilter { search: search(), ..IssueFilter::all(IssueKind::Ticket) };
        check_read(&NEW, Issue::list_query(BIG, &filter, &page), "issues_newest", Some("issues_search"), HEAD);
    }
}

fn said(text: &str) -> Option<SearchQuery> {
    words(text).map(|words| words.in_comments(true))
}

/// Finds rare words with the index of comments, and common words among the newest comments, which are read in order.
#[test]
fn records_are_found_by_comments_within_bounds() {
    let page = PageRequest::first(LIMIT);
    // Without statistics, Postgres sorts all comments of a workspace if that costs no more than reading the newest in order.
    for (database, issues_read, contacts_read) in [(&*DATABASE, LONGEST, WALKED), (&*NEW, COMMENTS, COMMENTS)] {
        for text in ["once12345", "nothing", "often77", "said", "oldest"] {
            let filter = IssueFilter { search: said(text), ..IssueFilter::all(IssueKind::Task) };
            let query = Issue::list_query(BIG, &filter, &page);
            check_read(database, query, "issues_newest", Some("comments_search"), issues_read);
        }
        for text in ["once12345", "nothing", "often77", "said"] {
            let filter = ContactFilter { search: said(text), ..ContactFilter::default() };
            let query = Contact::list_query(BIG, &filter, &page);
            check_read(database, query, "contacts_newest", Some("record_comments_search"), contacts_read);
        }
    }
}

const COMMENTED: [(RecordKind, &str); 5] = [
    (RecordKind::Contact, "record_comments"),
    (RecordKind::Company, "record_comments"),
    (RecordKind::Deal, "record_comments"),
    (RecordKind::Task, "comments"),
    (RecordKind::Ticket, "comments"),
];

fn steps<ST>(database: &common::Database, sql: Statement<ST>) -> Vec<(String, String, f64)> {
    let plan: String = Explain(sql).get_result(&mut connection(database)).unwrap();
    nodes(&serde_json::from_str(&plan).unwrap())
}

/// Finds rare words with the index of comments, and common words among the newest comments, which are read in order.
fn check_comments<ST>(sql: impl Fn(RecordKind, SearchQuery) -> Statement<ST>, database: &common::Database, most: u32) {
    for (kind, table) in COMMENTED {
        for text in ["once12345", "said", "often77", "nothing"] {
            let rows_read = steps(database, sql(kind, words(text).unwrap()));
            let is_found = rows_read.iter().any(|(_, index, _)| *index == format!("{table}_search"));
            assert!(is_found, "{text} {kind}: {rows_read:#?}");
            for (step, _, rows) in &rows_read {
                let is_bounded = step == "Bitmap Index Scan" || *rows <= f64::from(most);
                assert!(step != "Seq Scan" && is_bounded, "{text} {kind}: {rows_read:#?}");
            }
        }
    }
}

#[test]
fn a_search_over_comments_reads_indexes() {
    let query = |kind, words| {
        let search = RecordSearch { words, kinds: vec![kind], drafts: true, comments: vec![kind] };
        search::search_query(BIG, &search).unwrap()
    };
    check_comments(query, &DATABASE, WALKED);
}

/// The records of a page are looked up one by one, and their comments are found like in a search. If no record lacks the words, no
/// comment is read.
#[test]
fn the_comments_that_match_on_a_page_are_found_by_indexes() {
    let page: Vec<_> = (1..=LIMIT).map(|number| seeded(BIG, number)).collect();
    for (database, most) in [(&*DATABASE, WALKED), (&*NEW, COMMENTS)] {
        check_comments(|kind, words| matched_query(BIG, kind, &page, &words).unwrap(), database, most);
        for (kind, table) in COMMENTED {
            let rows_read = steps(database, matched_query(BIG, kind, &[], &words("said").unwrap()).unwrap());
            assert!(rows_read.iter().all(|(_, index, _)| !index.starts_with(table)), "{kind}: {rows_read:#?}");
        }
    }
}

/// A search by comments finds the records of all comments with the words, or of those among the newest 2,000.
#[test]
fn a_search_finds_the_records_of_comments_in_order() {
    for (text, newest) in
        [("once12345", 20_000), ("often77", 20_000), ("oldest", 2_000), ("said", 2_000), ("late", 2_000)]
    {
        let search = Prefix::of(BIG).query(&words(text).unwrap()).unwrap();
        let tsquery = Prefix::of_kind(BIG, 'k').query(&words(text).unwrap()).unwrap();
        for status in [None, Some(IssueStatus::Open)] {
            let condition = status.map_or("true", |_| "status = 'open'");
            let query = format!(
                "SELECT id FROM issues
                 WHERE workspace_id = $1 AND kind = 'ticket' AND deleted_at IS NULL AND {condition}
                     AND (search @@ $3::tsquery OR id IN (
                         SELECT issue_id FROM (
                             SELECT * FROM comments WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT {newest}
                         ) AS comments WHERE search @@ $2::tsquery))
                 ORDER BY created_at DESC, id DESC LIMIT 100"
            );
            let query = Statement::<SqlUuid>::once(query).bind(BIG).bind(search.clone()).bind(tsquery.clone());
            let expected: Vec<Uuid> = query.load(&mut DATABASE.connection()).unwrap();
            let status = status.into_iter().collect::<Vec<_>>().into();
            let filter = IssueFilter { search: said(text), status, ..IssueFilter::all(IssueKind::Ticket) };
            let mut ids = Vec::new();
            for number in 1..=2 {
                let page = PageRequest::at(Position::Page(number), 50);
                let query = Issue::list_query(BIG, &filter, &page);
                let rows: Vec<issues::IssueRow> = query.load(&mut connection(&DATABASE)).unwrap();
                ids.extend(rows.into_iter().take(50).map(|row| row.into_issue().unwrap().id.0));
            }
            assert_eq!(ids, expected, "{text}, {condition}");
        }
    }
}

/// The expected result of a search, from the simplest statement.
fn expected(filter: &ContactFilter, condition: &str, page: &PageRequest) -> Vec<Uuid> {
    let after = match page.position {
        Position::After(at, id) => format!("AND (created_at, id) < ('{at}', '{id}')"),
        _ => String::new(),
    };
    let query = format!(
        "SELECT id FROM contacts
         WHERE workspace_id = $1 AND deleted_at IS NULL AND search @@ $2::tsquery {after} AND {condition}
         ORDER BY created_at DESC, id DESC LIMIT {}",
        page.limit + 1
    );
    let words = Prefix::of(BIG).query_with_tags(filter.search.as_ref(), &filter.tag.0).unwrap();
    Statement::<SqlUuid>::once(query).bind(BIG).bind(words).load(&mut DATABASE.connection()).unwrap()
}

fn id_of(row: contacts::ContactRow) -> Uuid {
    row.into_contact().unwrap().id.0
}

#[test]
fn a_search_returns_the_same_as_a_plain_statement() {
    let company_id = Some(CompanyId(seeded(BIG, 7)));
    let of_company = format!("company_id = '{}'", seeded(BIG, 7));
    let (active, partner) = (ContactStatus::Active, ContactType::Partner);
    let rare = vec![ContactStatus::Pending, ContactStatus::Inactive];
    let blank = ContactFilter::default;
    for text in ["ann", "late", "early", "oldest", "old word7", "word77", "word777", "rare1", "rare12345", "nothing"] {
        for (filter, condition) in [
            (blank(), "true"),
            (ContactFilter { status: vec![active].into(), ..blank() }, "status = 'active'"),
            (ContactFilter { company_id, ..blank() }, of_company.as_str()),
            (ContactFilter { status: rare.clone().into(), ..blank() }, "status IN ('pending', 'inactive')"),
            (
                ContactFilter { status: vec![active].into(), contact_type: vec![partner].into(), ..blank() },
                "status = 'active' AND contact_type = 'partner'",
            ),
            (ContactFilter { tag: tags(["all", "tag7"]).into(), ..blank() }, "true"),
        ] {
            let filter = ContactFilter { search: words(text), ..filter };
            // From shortly before the oldest rows, from among those without a common word, and from the start.
            for (minutes, limit) in [(6_000, 100), (19_000, 10), (20_001, 1), (20_001, 50)] {
                let at = datetime!(2025-01-01 00:00 UTC) + time::Duration::minutes(minutes);
                let position = if minutes > 20_000 { Position::Page(1) } else { Position::After(at, Uuid::nil()) };
                let page = PageRequest::at(position, limit);
                let query = Contact::list_query(BIG, &filter, &page);
                let rows: Vec<contacts::ContactRow> = query.load(&mut connection(&DATABASE)).unwrap();
                let ids: Vec<_> = rows.into_iter().take(limit as usize + 1).map(id_of).collect();
                assert_eq!(ids, expected(&filter, condition, &page), "{text}, {condition}, {page:?}");
            }
        }
    }
}
