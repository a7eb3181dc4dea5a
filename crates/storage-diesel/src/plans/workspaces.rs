//! Query plans of operators' statements and of the erasure of workspaces, with far more rows than any statement may read.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::identity::workspaces::{WorkspaceFilter, WorkspaceStatus};
use domain::kernel::input::CreatedFilter;
use domain::kernel::search::SearchQuery;
use time::macros::datetime;

use super::{
    BIG, DATABASE, FIFTY_MINUTES, HEAD, PAGE, check, check_both_in, check_generic_in, check_in, check_steps, common,
    filled, never_analysed, pages,
};
use crate::directory::{due_query, erased, erasure_statements, operators_query, workspaces_query};
use crate::engine::statement::Statement;
use crate::kinds::{KindTable, TABLES};

const NOW: time::OffsetDateTime = datetime!(2025-06-01 00:00 UTC);

/// 20,000 workspaces: every tenth is suspended, every hundredth deleted, and 20 of these are due.
const SEED: &str = "
    INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at, erase_at, search)
        SELECT gen_random_uuid(), 'w-' || number, 'W ' || number, 'starter',
            CASE WHEN number % 100 = 0 THEN 'deleted' WHEN number % 10 = 0 THEN 'suspended' ELSE 'active' END, 'USD',
            timestamptz '2025-01-01' + number * interval '1 minute', now(),
            CASE WHEN number % 100 = 0 THEN timestamptz '2025-06-01 00:30' - number * interval '1 minute'
                + interval '13 days' END,
            array_to_tsvector(ARRAY[repeat('A', 22) || 'w', repeat('A', 22) || number])
        FROM generate_series(1, 20000) AS number;
    INSERT INTO users (id, email, email_key, name, created_at, is_operator)
        SELECT gen_random_uuid(), number, number, 'U', now(), number % 2000 = 0
        FROM generate_series(1, 20000) AS number";

static WORKSPACES: LazyLock<common::Database> = LazyLock::new(|| filled(SEED));
/// The same rows without statistics.
static NEVER_ANALYSED: LazyLock<common::Database> = LazyLock::new(|| never_analysed(SEED));

#[test]
fn operators_lists_read_the_page() {
    for page in pages() {
        for database in [&*WORKSPACES, &*NEVER_ANALYSED] {
            let unfiltered = workspaces_query(&WorkspaceFilter::default(), &page);
            check_in(database, unfiltered, "workspaces_newest", PAGE);
            // Few rows may be sorted instead of being read in order: 1,800 are suspended, 200 deleted.
            for status in [WorkspaceStatus::Deleted, WorkspaceStatus::Suspended] {
                let filter = WorkspaceFilter { status: vec![status].into(), ..WorkspaceFilter::default() };
                check_in(database, workspaces_query(&filter, &page), "workspaces_by_status", 1_800);
            }
        }
        let active = WorkspaceFilter { status: vec![WorkspaceStatus::Active].into(), ..WorkspaceFilter::default() };
        check_in(&WORKSPACES, workspaces_query(&active, &page), "workspaces_newest", 2 * PAGE);
        check_generic_in(&WORKSPACES, &workspaces_query(&WorkspaceFilter::default(), &page), "workspaces_newest");
    }
    let page = domain::kernel::paging::PageRequest::first(50);
    let CreatedFilter { created_since, created_before } = FIFTY_MINUTES;
    let filter_by_creation = WorkspaceFilter { created_since, created_before, ..WorkspaceFilter::default() };
    check_in(&WORKSPACES, workspaces_query(&filter_by_creation, &page), "workspaces_newest", PAGE);
    let filter = WorkspaceFilter { search: SearchQuery::parse("12345").unwrap(), ..WorkspaceFilter::default() };
    check_in(&WORKSPACES, workspaces_query(&filter, &page), "workspaces_search", HEAD);
}

#[test]
fn operators_are_found_among_all_users() {
    check_both_in(&WORKSPACES, operators_query(100), "users_operators", 10);
}

#[test]
fn workspaces_due_for_erasure_are_found_by_time() {
    check_both_in(&WORKSPACES, due_query(NOW), "workspaces_erasing", 200);
    check_in(&NEVER_ANALYSED, due_query(NOW), "workspaces_erasing", 200);
}

/// Erases a workspace with as many rows as the limit and one without rows, among 20,000 rows of others.
#[test]
fn an_erasure_reads_no_rows_of_others() {
    for statement in erasure_statements() {
        let text = statement.text().to_owned();
        for table in ["issues", "deals", "contacts", "companies", "comments"] {
            if text.starts_with(&format!("DELETE FROM {table} ")) {
                let index = format!("{table}_pkey");
                let statement_copy = || crate::engine::statement::Statement::new(text.clone());
                check(statement_copy().bind(BIG).bind(10_i64), &index, 20);
                let nobody = uuid::Uuid::from_u128(0x7000_8000_0000_0000_0999);
                // No row is read, whichever index is used.
                check_steps(statement_copy().bind(nobody).bind(10_i64), 20);
            }
        }
    }
}

fn lines(sql: &'static str) -> Vec<String> {
    Statement::<Text>::once(sql).load(&mut DATABASE.connection()).unwrap()
}

/// A new table with a `workspace_id` fails this until `erased!` in `directory/erasure.rs` names it.
#[test]
fn every_table_of_a_workspace_is_erased() {
    let tables = lines(
        "SELECT relname::text AS line FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
             AND attname = 'workspace_id' AND NOT attisdropped",
    );
    // Members are deleted with their users in a separate step. A link request lives for seconds, and its workspace may not exist.
    let exceptions = ["members", "link_requests"];
    let expected: BTreeSet<_> = tables.iter().map(String::as_str).filter(|table| !exceptions.contains(table)).collect();
    let erased_tables: Vec<_> = erased().map(|(table, _)| table).collect();
    assert_eq!(erased_tables.iter().copied().collect::<BTreeSet<_>>(), expected);
    assert_eq!(erased_tables.len(), expected.len(), "a table is listed twice");
}

#[test]
fn tables_are_erased_before_those_they_refer_to() {
    let references = lines(
        "SELECT conrelid::regclass::text || ' ' || confrelid::regclass::text AS line FROM pg_constraint
         WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0",
    );
    let position_of = |table: &str| erased().position(|(erased, _)| erased == table);
    let mut checked = 0;
    for reference in &references {
        let (from, to) = reference.split_once(' ').unwrap();
        if let (Some(from_place), Some(to_place)) = (position_of(from), position_of(to)) {
            // Issues refer to issues: these references are cleared first.
            assert!(from_place < to_place || (from, to) == ("issues", "issues"), "{reference}");
            checked += 1;
        }
    }
    assert!(checked > 15, "{references:?}");
}

/// A new column of a record fails this until `erased!` in the file of its kind says whether it is erased.
#[test]
fn every_column_of_a_deletable_record_is_erased_or_kept() {
    let columns = lines(
        "SELECT relname || ' ' || attname AS line FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
         WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
             AND EXISTS (SELECT FROM pg_attribute AS other
                 WHERE other.attrelid = pg_class.oid AND other.attname = 'deleted_at' AND NOT other.attisdropped)
             AND relname <> 'webhook_subscriptions'",
    );
    let columns_of = |table: &KindTable| {
        let names = (table.erasure)().columns.concat().into_iter();
        names.map(|column| format!("{} {column}", table.name)).collect::<Vec<_>>()
    };
    let erased_columns: Vec<_> = TABLES.iter().flat_map(columns_of).collect();
    let sorted = |lines: &[String]| lines.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(sorted(&erased_columns), sorted(&columns));
    assert_eq!(erased_columns.len(), columns.len(), "a column is listed twice");
}
