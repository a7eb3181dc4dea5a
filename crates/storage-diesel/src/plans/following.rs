//! Query plans of the event log: the cost of a reader is independent of the size of the log.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Text, Uuid as SqlUuid};
use diesel::{Connection, PgConnection, RunQueryDsl};
use domain::events::{EventFilter, EventMatcher, EventReach};
use domain::ports::EventScan;
use uuid::Uuid;

use super::{common, filled, never_analysed, seed_workspaces};
use crate::engine::statement::Statement;
use crate::events::chunk_rows::{contents_query, existing_query};
use crate::events::scan::{bounds_query, count_query, newest_query, scan_query, window_query};

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);

/// 40,000 events of one workspace and 200 of another, each with a position; every 4,000th belongs to one record.
const SEED: &str = "
    INSERT INTO events (workspace_id, id, module, event, record_type, record_id, version, internal, actor_type, actor_name,
            payload, created_at)
        SELECT ('00000000-0000-7000-8000-' || lpad(workspace::text, 12, '0'))::uuid, event_id(at, number), 'crm',
            'deal.updated', 'deal', md5((number % 4000)::text)::uuid, number, false, 'user', 'Ann', repeat('x', 300), at
        FROM (VALUES (1, 40000), (2, 200)) AS log (workspace, events)
        CROSS JOIN LATERAL generate_series(1, events) AS number
        CROSS JOIN LATERAL (SELECT now() - interval '1 hour' + number * interval '10 milliseconds' AS at) AS time;
    INSERT INTO event_chunks (workspace_id, record_id, month, digest, content)
        SELECT '00000000-0000-7000-8000-000000000001', md5((number % 400)::text)::uuid,
            uuid_v7_floor(date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'), md5(number::text), repeat('x', 300)
        FROM generate_series(1, 20000) AS number;
    INSERT INTO event_positions (workspace_id, position, event_id, latest)
        SELECT workspace_id, row_number() OVER (PARTITION BY workspace_id ORDER BY id), id, id FROM events;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(2) + SEED)));

/// The same database without statistics.
static NEVER_ANALYSED: LazyLock<common::Database> = LazyLock::new(|| {
    let database = never_analysed("ALTER TABLE events_default SET (autovacuum_enabled = off)");
    database.connection().batch_execute(&(seed_workspaces(2) + SEED)).unwrap();
    database
});

fn record(connection: &mut PgConnection) -> Uuid {
    diesel::select(diesel::dsl::sql::<SqlUuid>("md5('7')::uuid")).get_result(connection).unwrap()
}

fn scan(after: i64, upto: i64, record: Option<Uuid>) -> EventScan {
    let matcher = EventMatcher { record, ..EventMatcher::new(&EventFilter::default(), None) };
    EventScan {
        after,
        upto,
        by_record: record.is_some(),
        matcher: Arc::new(matcher),
        reach: Arc::new(EventReach::everything()),
        limit: 50,
        bytes: 1_000_000,
    }
}

/// The long values of this month's events: 50 per record.
#[test]
fn chunks_are_read_by_their_keys() {
    for database in [&*DATABASE, &*NEVER_ANALYSED] {
        let mut connection = database.connection();
        let sql = "SELECT workspace_id, record_id, month, digest FROM event_chunks WHERE record_id = md5('7')::uuid";
        let sql = Statement::<(SqlUuid, SqlUuid, SqlUuid, Text)>::once(sql);
        let keys = BTreeSet::from_iter(sql.load::<(Uuid, Uuid, Uuid, String)>(&mut connection).unwrap());
        assert_eq!(keys.len(), 50);
        check_any_partition(database, contents_query(false, &keys), 50);
        check_any_partition(database, existing_query(false, &keys), 50);
    }
}

#[test]
fn a_page_reads_its_events_by_their_keys() {
    for database in [&*DATABASE, &*NEVER_ANALYSED] {
        for after in [0, 20_000, 39_000] {
            // One more than the page shows whether there are more.
            check_any_partition(database, scan_query(WORKSPACE, &scan(after, after + 5_000, None)), 60);
            check_any_partition(database, newest_query(WORKSPACE, &scan(after, after + 5_000, None)), 60);
        }
        check_any_partition(database, window_query(WORKSPACE, 20_000, 5_000), 2);
    }
}

#[test]
fn a_filter_that_matches_nothing_reads_only_the_scanned_part() {
    for database in [&*DATABASE, &*NEVER_ANALYSED] {
        let nothing = EventMatcher {
            names: Some(vec!["deal.won".to_owned()]),
            ..EventMatcher::new(&EventFilter::default(), None)
        };
        let scan = EventScan { matcher: Arc::new(nothing), ..scan(20_000, 25_000, None) };
        check_any_partition(database, scan_query(WORKSPACE, &scan), 5_000);
        check_any_partition(database, newest_query(WORKSPACE, &scan), 5_000);
    }
}

#[test]
fn a_records_events_are_found_by_the_record() {
    for database in [&*DATABASE, &*NEVER_ANALYSED] {
        let record = record(&mut database.connection());
        check_any_partition(database, scan_query(WORKSPACE, &scan(0, i64::MAX / 4, Some(record))), 20);
        check_any_partition(database, newest_query(WORKSPACE, &scan(0, i64::MAX / 4, Some(record))), 20);
        check_any_partition(database, count_query(WORKSPACE, record, 5_000), 20);
        check_any_partition(database, bounds_query(WORKSPACE, None, Some(record), 5_000), 20);
        check_any_partition(database, bounds_query(WORKSPACE, None, None, 5_000), 20);
    }
}

/// EXPLAIN does not show the statements inside the numbering function, so the rows that it reads are counted. Thousands of events
/// of other workspaces wait; the planner has no statistics about them, or outdated ones from when they were few.
#[test]
fn numbering_reads_only_what_it_numbers_and_scans_no_table() {
    for is_analysed in [false, true] {
        let database = common::Database::migrated();
        let mut connection = database.connection();
        let waiting = "INSERT INTO events_unnumbered SELECT md5((number % 5)::text)::uuid, event_id(now(), number)
            FROM generate_series(1, 20000) AS number;
            INSERT INTO events_unnumbered SELECT '00000000-0000-7000-8000-000000000001', event_id(now(), number)
            FROM generate_series(1, 30) AS number";
        if is_analysed {
            connection.batch_execute("ANALYZE events_unnumbered").unwrap();
        }
        connection.batch_execute(waiting).unwrap();
        for (most, numbered) in [(10, 10), (5_000, 30)] {
            connection.begin_test_transaction().unwrap();
            let call = format!("SELECT numbered::bigint FROM number_events('{WORKSPACE}', {most})");
            let returned: i64 = Statement::<BigInt>::once(call).get_result(&mut connection).unwrap();
            assert_eq!(returned, numbered);
            let read =
                "SELECT seq_tup_read, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'events_unnumbered'";
            let read = Statement::<(BigInt, BigInt)>::once(read);
            let (scanned, fetched): (i64, i64) = read.get_result(&mut connection).unwrap();
            assert_eq!(scanned, 0, "analysed: {is_analysed}");
            assert!(fetched <= 3 * returned + 10, "analysed: {is_analysed}, {fetched}");
            connection.batch_execute("ROLLBACK").unwrap();
        }
    }
}

/// Indexes of partitions have different names, so this only checks that no table is scanned, and how many rows are read.
fn check_any_partition<ST>(database: &common::Database, sql: Statement<ST>, most: u32) {
    let mut connection = database.connection();
    connection.begin_test_transaction().unwrap();
    let plan: String = super::Explain(sql).get_result(&mut connection).unwrap();
    for (kind, index, rows) in super::nodes(&serde_json::from_str(&plan).unwrap()) {
        let is_empty_partition = rows < 1.0;
        assert!(kind != "Seq Scan" || is_empty_partition, "{plan}");
        assert!(rows <= f64::from(most), "{kind} {index}: {rows}\n{plan}");
    }
}
