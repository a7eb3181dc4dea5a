//! Query plans of replays, in a log with many more events and deliveries than a step may read.

use std::sync::LazyLock;

use diesel::sql_types::BigInt;
use diesel::{Connection, RunQueryDsl};
use domain::events::Module;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::webhooks::ReplaySelection;
use domain::{SubscriptionId, WorkspaceId};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{ANY_TIME, PAGE, check_both_in, check_generic_in, check_in, common, filled, seed_workspaces};
use crate::webhooks::queue::{prune_replays_query, queue_replay_query, running_replays_query};
use crate::webhooks::replays::{count_query, list_query, running_query};

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
const SUBSCRIPTION: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0002);
const NOW: OffsetDateTime = datetime!(2025-06-01 00:00 UTC);

/// 40,000 events of the workspace, ten seconds apart, and as many of others; 20,000 deliveries, every 200th of them failed; one
/// running replay and many ended ones.
const SEED: &str = "
    INSERT INTO webhook_subscriptions (workspace_id, id, module, url, events, enabled, secret_key_id, secret, version,
            created_at, updated_at, created_by_type)
        SELECT id, '00000000-0000-7000-8000-000000000002', 'crm', 'https://e.x', '{*}', true, 'k', '', 1, '2025-01-01Z',
            '2025-01-01Z', 'system' FROM workspaces;
    INSERT INTO events (workspace_id, id, module, event, payload, created_at, internal)
        SELECT ('00000000-0000-7000-8000-' || lpad(of::text, 12, '0'))::uuid, event_id(at, number), 'crm', 'deal.won',
            repeat('x', 200), at, false
        FROM generate_series(1, 40000) AS number
        CROSS JOIN LATERAL (SELECT timestamptz '2025-05-01Z' + number * interval '10 seconds' AS at) AS times
        CROSS JOIN LATERAL (SELECT 1 AS of UNION ALL SELECT 2 + number % 99) AS workspace;
    INSERT INTO webhook_deliveries (workspace_id, id, subscription_id, event, event_id, state, attempts, created_at,
            finished_at)
        SELECT workspace_id, gen_random_uuid(), '00000000-0000-7000-8000-000000000002', event, id,
            CASE WHEN row_number() OVER (ORDER BY id) % 200 = 0 THEN 'failed' ELSE 'succeeded' END, 1, created_at, created_at
        FROM (SELECT * FROM events WHERE workspace_id = '00000000-0000-7000-8000-000000000001' ORDER BY id LIMIT 20000)
            AS first;
    INSERT INTO webhook_replays (workspace_id, id, subscription_id, since, only_failed, state, matched, queued, examined_to,
            last_event_id, created_by_type, created_at, finished_at)
        SELECT id, gen_random_uuid(), '00000000-0000-7000-8000-000000000002', '2025-05-01Z', false,
            CASE number WHEN 1 THEN 'running' ELSE 'completed' END, 1, 1, uuid_v7_floor('2025-05-01Z'),
            'ffffffff-ffff-ffff-ffff-ffffffffffff', 'system', timestamptz '2025-05-01Z' + number * interval '1 minute',
            CASE WHEN number > 1 THEN timestamptz '2025-06-01Z' END
        FROM workspaces CROSS JOIN generate_series(1, 100) AS number;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(100) + SEED)));

fn selection(only_failed: bool) -> ReplaySelection {
    let since = datetime!(2025-05-01 00:00 UTC);
    ReplaySelection {
        subscription: SubscriptionId(SUBSCRIPTION),
        module: Module::Crm,
        scope: None,
        names: None,
        since,
        until: Some(since + Duration::days(1)),
        only_failed,
    }
}

#[test]
fn a_count_reads_only_its_range() {
    let database = &*DATABASE;
    // In a day, the workspace has 8,640 events, and 43 of their deliveries failed.
    check_in(database, count_query(WORKSPACE, &selection(false), 100_000), "events_default_pkey", 8_700);
    check_in(database, count_query(WORKSPACE, &selection(true), 100_000), "webhook_deliveries_to_replay", 50);
    check_generic_in(database, &count_query(WORKSPACE, &selection(true), 1_000), "webhook_deliveries_to_replay");
}

#[test]
fn replays_are_found_by_index() {
    let database = &*DATABASE;
    for after in [None, Some((WorkspaceId(WORKSPACE), SubscriptionId(SUBSCRIPTION)))] {
        check_both_in(database, running_replays_query(after), "webhook_replays_running", 8);
    }
    check_in(database, running_query(WORKSPACE), "webhook_replays_running", 1);
    let page = PageRequest::first(50);
    let half_an_hour = CreatedFilter {
        created_since: Some(datetime!(2025-05-01 00:10 UTC)),
        created_before: Some(datetime!(2025-05-01 00:40 UTC)),
    };
    for created in [ANY_TIME, half_an_hour] {
        let query = list_query(WORKSPACE, SubscriptionId(SUBSCRIPTION), &created, &page);
        check_in(database, query, "webhook_replays_newest", PAGE);
    }
    // Running replays are read and skipped: each of the 100 workspaces has one.
    check_in(database, prune_replays_query(NOW, 50).all, "webhook_replays_oldest", 200);
}

/// The cost does not depend on the size of the log. The function is called repeatedly, because its plans are cached.
#[test]
fn a_step_reads_a_bounded_part_of_the_log() {
    let mut connection = DATABASE.connection();
    connection.begin_test_transaction().unwrap();
    for _ in 0..7 {
        let step: (i64, i64) = queue_replay_query(WORKSPACE, SUBSCRIPTION, NOW).get_result(&mut connection).unwrap();
        assert_eq!(step, (500, 2_000));
        let mark_sent = "UPDATE webhook_deliveries SET state = 'succeeded', finished_at = now(), next_attempt_at = NULL \
                    WHERE state = 'pending'";
        diesel::sql_query(mark_sent).execute(&mut connection).unwrap();
    }
    for table in ["events_default", "webhook_replays"] {
        let read =
            format!("(SELECT coalesce(seq_tup_read, 0) FROM pg_stat_xact_user_tables WHERE relname = '{table}')");
        let read: i64 = diesel::select(diesel::dsl::sql::<BigInt>(&read)).get_result(&mut connection).unwrap();
        assert_eq!(read, 0, "{table}");
    }
    let read = "(SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'events_default')";
    let read: i64 = diesel::select(diesel::dsl::sql::<BigInt>(read)).get_result(&mut connection).unwrap();
    assert!(read <= 7 * 4_000, "each event of a step is read once: {read}");
}
