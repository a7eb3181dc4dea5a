//! Query plans of the event log: a history reads its page, whatever else the log holds.

use std::sync::LazyLock;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use domain::events::HistoryQuery;
use domain::kernel::paging::PageRequest;
use uuid::Uuid;

use super::{Explain, PAGE, common, filled, nodes};
use crate::events::log::{EventTypes, history_query};
use crate::statement::Statement;

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
const BUSY: Uuid = Uuid::from_u128(1);
const QUIET: Uuid = Uuid::from_u128(2);

/// 30,000 events of two workspaces and several months: 5,000 of a busy record, two of a quiet one, the rest of 1,000 others.
const SEED: &str = "
    INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
        SELECT ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, number, 'W', 'starter', 'active', 'USD',
            now(), now() FROM generate_series(1, 2) AS number;
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

static ANALYSED: LazyLock<common::Database> = LazyLock::new(|| filled(SEED));

/// As after an import, before autovacuum has seen it.
static NEVER_ANALYSED: LazyLock<common::Database> = LazyLock::new(|| {
    let database = common::Database::migrated();
    database.connection().batch_execute(SEED).unwrap();
    database
});

fn check(database: &common::Database, sql: Statement<EventTypes>) {
    let shown = diesel::debug_query::<diesel::pg::Pg, _>(&sql).to_string();
    let plan: String = Explain(sql).get_result(&mut database.connection()).unwrap();
    let nodes = nodes(&serde_json::from_str(&plan).unwrap());
    let scans: Vec<_> = nodes.iter().filter(|(kind, ..)| kind.contains("Scan") && kind != "Subquery Scan").collect();
    assert!(!scans.is_empty(), "{shown}\n{nodes:#?}");
    for (_, index, rows) in scans {
        assert!(index.ends_with("record_id_id_idx"), "{shown}\n{nodes:#?}");
        assert!(*rows <= f64::from(PAGE), "{shown}\n{nodes:#?}");
    }
}

#[test]
fn a_history_reads_its_page() {
    for database in [&*ANALYSED, &*NEVER_ANALYSED] {
        for record in [BUSY, QUIET, Uuid::from_u128(3)] {
            let query = HistoryQuery { record, nouns: vec!["deal"], has_comments: true };
            let first = PageRequest::first(50);
            let middle: Uuid = diesel::select(diesel::dsl::sql::<diesel::sql_types::Uuid>(
                "(SELECT id FROM events WHERE version = 15000)",
            ))
            .get_result(&mut database.connection())
            .unwrap();
            let deep = PageRequest::after(time::OffsetDateTime::UNIX_EPOCH, middle, 50);
            for page in [first, deep] {
                check(database, history_query(WORKSPACE, &query, &page));
            }
        }
    }
}

/// The plan that a connection keeps for all records, and the one for all that a new connection plans.
#[test]
fn the_generic_plan_of_a_history_uses_the_index_of_records() {
    for database in [&*ANALYSED, &*NEVER_ANALYSED] {
        let query = HistoryQuery { record: BUSY, nouns: vec!["deal"], has_comments: true };
        let sql = history_query(WORKSPACE, &query, &PageRequest::first(50));
        let index = "events_default_workspace_id_record_id_id_idx";
        super::check_generic_in(database, &sql, index);
    }
}
