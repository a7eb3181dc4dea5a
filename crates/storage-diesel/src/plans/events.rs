//! Query plans of the event log: a history reads only its page, regardless of the rest of the log.

use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::{Json, Uuid as SqlUuid};
use serde_json::Value;
use uuid::Uuid;

use super::{common, filled, never_analysed, seed_workspaces};
use crate::engine::statement::Statement;

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
const BUSY: Uuid = Uuid::from_u128(1);
const QUIET: Uuid = Uuid::from_u128(2);

/// 30,000 events of two workspaces and several months: 5,000 of a busy record, two of a quiet one, the rest of 1,000 others.
const SEED: &str = "
    INSERT INTO events (workspace_id, id, module, event, record_type, record_id, version, internal, actor_type, actor_name,
            payload, created_at)
        SELECT ('00000000-0000-7000-8000-' || lpad((number % 2 + 1)::text, 12, '0'))::uuid, event_id(at, number), 'crm',
            'deal.updated', 'deal',
            CASE WHEN number % 3 = 0 THEN '00000000-0000-0000-0000-000000000001'::uuid
                WHEN number IN (2, 20000) THEN '00000000-0000-0000-0000-000000000002'::uuid
                ELSE md5((number % 1000)::text)::uuid END,
            number, false, 'system', 'service', repeat('x', 300), at
        FROM generate_series(1, 30000) AS number
        CROSS JOIN LATERAL (SELECT date_trunc('month', now()) - interval '20 days' + number * interval '5 minutes' AS at) AS a;";

static ANALYSED: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(2) + SEED)));

/// The state after an import, before autovacuum runs.
static NEVER_ANALYSED: LazyLock<common::Database> = LazyLock::new(|| never_analysed(&(seed_workspaces(2) + SEED)));

/// How many pages of 8 KiB a statement reads: each event is on at most 3 separate pages.
fn pages_read(connection: &mut PgConnection, sql: &str) -> u64 {
    let explain = format!("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}");
    let plan: Value = Statement::<Json>::once(explain).get_result(connection).unwrap();
    let count = |name: &str| plan[0]["Plan"][name].as_u64().unwrap();
    count("Shared Hit Blocks") + count("Shared Read Blocks")
}

/// The plan does not show statements inside the function, so the pages it reads are counted. The busy record's events are on
/// 1,500 pages.
#[test]
fn a_history_reads_its_page() {
    for database in [&*ANALYSED, &*NEVER_ANALYSED] {
        let mut connection = database.connection();
        let since = Uuid::nil();
        for record in [QUIET, BUSY, Uuid::from_u128(3)] {
            let middle = "(SELECT id FROM events WHERE version = 15000)";
            for id in ["'ffffffff-ffff-ffff-ffff-ffffffffffff'", middle] {
                let id = Statement::<SqlUuid>::once(format!("SELECT {id}::uuid"));
                let id: Uuid = id.get_result(&mut connection).unwrap();
                let sql = format!(
                    "SELECT * FROM record_history('{WORKSPACE}', '{record}', '{{deal}}', true, '{since}', '{id}', 51, 0, 4194304)"
                );
                // The first call plans.
                let _ = pages_read(&mut connection, &sql);
                let pages = pages_read(&mut connection, &sql);
                assert!(pages < 100, "{pages} pages for {sql}");
            }
        }
    }
}
