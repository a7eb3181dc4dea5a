//! Query plans of the delivery queue, with far more rows than any statement may read.

use std::collections::HashMap;
use std::sync::LazyLock;

use diesel::sql_types::{BigInt, Bool, Uuid as SqlUuid};
use diesel::{Connection, PgConnection, RunQueryDsl};
use domain::events::Module;
use domain::kernel::paging::PageRequest;
use domain::webhooks::{ClaimRequest, DEFAULT_MAX_WAITING, DeliveryFilter, DeliveryState, WebhookReach};
use domain::{DeliveryId, SubscriptionId, WorkspaceId};
use time::Duration;
use time::macros::datetime;
use uuid::Uuid;

use super::{
    ANY_TIME, FIFTY_MINUTES, PAGE, check_both_in, check_generic_in, check_in, common, filled, pages, seed_workspaces,
};
use crate::directory::queue_depths::{MAX_COUNTED, behind_query, deliveries_query};
use crate::events::append;
use crate::webhooks::deliveries::{backlog_query, get_query, redeliver_query};
use crate::webhooks::makers::RecordRow;
use crate::webhooks::queue::{
    Candidate, bring_back_query, expire_query, expired_query, next_due_query, overlong_query, prune_query, scan_query,
    take_query, workspaces_query,
};
use crate::webhooks::samples::samples_query;
use crate::webhooks::{deliveries, subscriptions};

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
const NOW: time::OffsetDateTime = datetime!(2025-06-01 00:00 UTC);

/// 100,000 due deliveries of the first subscription; 40,000 future retries of the second; 10,000 and one test of the third,
/// which is disabled; one due delivery for each of fifty more in the same workspace; eight claimed; 10,000 finished.
const SEED: &str = "
    INSERT INTO webhook_subscriptions (workspace_id, id, module, url, events, enabled, secret_key_id, secret, version,
            created_at, updated_at, created_by_type)
        SELECT ('00000000-0000-7000-8000-' || lpad((number / 54 + 1)::text, 12, '0'))::uuid, md5(number::text)::uuid,
            'crm', 'https://e.x', '{*}', number <> 3, 'k', '', 1, '2025-01-01Z', '2025-01-01Z', 'system'
            FROM generate_series(1, 5000) AS number;
    INSERT INTO users (id, email, email_key, name, created_at)
        SELECT md5(number::text)::uuid, number, number, 'U', now() FROM generate_series(1, 5000) AS number;
    INSERT INTO members (workspace_id, user_id, role, created_at, joined_at, updated_at)
        SELECT '00000000-0000-7000-8000-000000000001', id, 'admin', now(), now(), now() FROM users;
    INSERT INTO api_keys (workspace_id, id, name, lookup_id, secret_hash, scopes, created_at, updated_at,
            created_by_type, created_by_id)
        SELECT workspace_id, user_id, 'k', user_id, decode(repeat('00', 32), 'hex'), '{}', now(), now(), 'user', user_id
        FROM members;
    INSERT INTO webhook_deliveries (workspace_id, id, subscription_id, event, body, state, attempts, next_attempt_at,
            created_at, lease_owner, lease_until, finished_at)
        SELECT '00000000-0000-7000-8000-000000000001'::uuid, gen_random_uuid(), md5(subscription::text)::uuid,
            CASE WHEN number % 10 = 0 THEN 'deal.won' ELSE 'deal.updated' END, repeat('x', 200), state,
            CASE state WHEN 'pending' THEN 0 ELSE 1 END,
            CASE WHEN state <> 'succeeded' THEN due + number * interval '1 second' END,
            timestamptz '2025-01-01Z' + number * interval '1 second',
            CASE state WHEN 'delivering' THEN gen_random_uuid() END,
            CASE state WHEN 'delivering' THEN timestamptz '2025-06-01 00:01Z' END,
            CASE state WHEN 'succeeded' THEN timestamptz '2025-05-01Z' END
        FROM (VALUES (1, 100000, 'pending', timestamptz '2025-01-01Z'), (2, 40000, 'retrying', '2025-07-01Z'),
                (3, 10000, 'pending', '2025-01-01Z'), (4, 8, 'delivering', '2025-01-01Z'),
                (1, 10000, 'succeeded', '2025-01-01Z')) AS kind (subscription, rows, state, due)
            CROSS JOIN LATERAL generate_series(1, kind.rows) AS number
        UNION ALL SELECT '00000000-0000-7000-8000-000000000001'::uuid, gen_random_uuid(), md5(number::text)::uuid,
            CASE number WHEN 3 THEN 'webhook.test' ELSE 'deal.won' END, 'x', 'pending', 0, timestamptz '2025-05-01Z', timestamptz '2025-05-01Z',
            NULL, NULL, NULL FROM generate_series(3, 53) AS number;
    INSERT INTO webhook_attempts (workspace_id, delivery_id, number, started_at, duration_ms)
        SELECT workspace_id, id, number, created_at, number FROM webhook_deliveries CROSS JOIN generate_series(1, 3) AS number
        WHERE state = 'succeeded';
    INSERT INTO events (workspace_id, id, module, event, payload, created_at)
        SELECT ('00000000-0000-7000-8000-' || lpad((number % 100 + 1)::text, 12, '0'))::uuid, uuid_v7(at, number), 'crm',
            'deal.won', repeat('x', 200), at
        FROM generate_series(1, 3000) AS number
        CROSS JOIN (SELECT timestamptz '2025-05-01Z' AS at UNION ALL
            SELECT date_trunc('month', now()) + step * interval '1 month' + interval '1 day'
            FROM generate_series(0, 3) AS step) AS months;
    INSERT INTO webhook_backlog (workspace_id, event_id, created_at)
        SELECT workspace_id, id, created_at FROM events
        WHERE workspace_id > '00000000-0000-7000-8000-000000000001'::uuid;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(100) + SEED)));

/// The id that the seed assigns to a number.
fn seeded(number: u32) -> Uuid {
    let sql = format!("md5('{number}')::uuid");
    diesel::select(diesel::dsl::sql::<SqlUuid>(&sql)).get_result(&mut DATABASE.connection()).unwrap()
}

fn request() -> ClaimRequest {
    let (limit, limit_per_subscription) = (256, 16);
    ClaimRequest {
        owner: Uuid::max(),
        limit,
        limit_per_subscription,
        excluded: Vec::new(),
        after: None,
        releases_expired: true,
        now: NOW,
    }
}

/// Maximum number of rows that a claim may touch: each subscription, the claimed deliveries, and eight in flight.
const CLAIM: u32 = 256;

#[test]
fn a_claim_reads_only_what_it_claims() {
    let database = &*DATABASE;
    let after_first = Some((WorkspaceId(WORKSPACE), SubscriptionId(seeded(1))));
    for after in [None, after_first] {
        let request = ClaimRequest { after, ..request() };
        check_in(database, scan_query(&request), "webhook_deliveries_waiting", CLAIM);
        check_in(database, scan_query(&request), "webhook_deliveries_tests", CLAIM);
    }
    check_generic_in(database, &scan_query(&request()), "webhook_deliveries_waiting");
}

#[test]
fn claimed_deliveries_are_found_by_index() {
    let database = &*DATABASE;
    let page = subscriptions::list_query(WORKSPACE, &WebhookReach::everything(), &ANY_TIME, &PageRequest::first(100));
    let rows: Vec<RecordRow> = page.load(&mut database.connection()).unwrap();
    let mut subscriptions: HashMap<_, _> = rows
        .into_iter()
        .map(|(row, ..)| row.into_subscription().unwrap())
        .map(|subscription| (subscription.id.0, subscription))
        .collect();
    let mut candidate = |number| {
        let subscription = subscriptions.remove(&seeded(number)).unwrap();
        Candidate { workspace: WORKSPACE, subscription, takes: 16 }
    };
    let all_candidates: Vec<_> = (1..=53).map(&mut candidate).collect();
    let take = |candidates: &[Candidate]| take_query(false, &request(), candidates);
    for (candidates, index) in [
        (&all_candidates[..1], "webhook_deliveries_waiting"),
        (&all_candidates[1..2], "webhook_deliveries_waiting"),
        (&all_candidates[2..3], "webhook_deliveries_tests"),
        (&all_candidates[..], "webhook_deliveries_waiting"),
    ] {
        check_in(database, take(candidates), index, CLAIM);
    }
    check_generic_in(database, &take(&all_candidates), "webhook_deliveries_waiting");
}

#[test]
fn maintenance_reads_only_due_rows() {
    let database = &*DATABASE;
    check_in(database, next_due_query(), "webhook_deliveries_waiting", CLAIM);
    for now in [NOW, NOW + Duration::HOUR] {
        check_in(database, expired_query(now).all, "webhook_deliveries_delivering", CLAIM);
    }
    check_both_in(database, prune_query(NOW, 200).all, "webhook_deliveries_oldest", 200);
}

#[test]
fn history_reads_the_page() {
    let database = &*DATABASE;
    let event = |name: &str| DeliveryFilter { event: Some(name.to_owned()), ..DeliveryFilter::default() };
    let states = |states: &[DeliveryState]| DeliveryFilter { states: states.to_vec(), ..DeliveryFilter::default() };
    for page in pages() {
        for (filter, index, values) in [
            (DeliveryFilter::default(), "webhook_deliveries_newest", 1),
            (DeliveryFilter { created: FIFTY_MINUTES, ..DeliveryFilter::default() }, "webhook_deliveries_newest", 1),
            (event("deal.won"), "webhook_deliveries_by_event", 1),
            (event("deal.nothing"), "webhook_deliveries_by_event", 1),
            (states(&[DeliveryState::Succeeded]), "webhook_deliveries_by_state", 1),
            (states(&[DeliveryState::Failed]), "webhook_deliveries_by_state", 1),
            (states(DeliveryState::ALL), "webhook_deliveries_by_state", 6),
        ] {
            let query = deliveries::list_query(WORKSPACE, SubscriptionId(seeded(1)), &filter, &page);
            check_both_in(database, query, index, PAGE * values);
        }
        for created in [ANY_TIME, FIFTY_MINUTES] {
            let subscriptions = subscriptions::list_query(WORKSPACE, &WebhookReach::everything(), &created, &page);
            check_generic_in(database, &subscriptions, "webhook_subscriptions_newest");
        }
    }
}

/// How many deliveries the transaction has read by table scans and by an index. EXPLAIN does not show statements inside a
/// function.
fn deliveries_read(connection: &mut PgConnection) -> (i64, i64) {
    let mut read_count = |column: &str| {
        let sql = format!("(SELECT {column} FROM pg_stat_xact_user_tables WHERE relname = 'webhook_deliveries')");
        diesel::select(diesel::dsl::sql::<BigInt>(&sql)).get_result(connection).unwrap()
    };
    (read_count("seq_tup_read"), read_count("idx_tup_fetch"))
}

/// Each claim checks this for each of its subscriptions.
#[test]
fn the_holder_of_a_subscription_is_found_by_index() {
    let mut connection = DATABASE.connection();
    connection.begin_test_transaction().unwrap();
    for (number, expected) in [(1, false), (4, true)] {
        let sql = format!(
            "webhook_is_held_by_another('{WORKSPACE}', '{}', '{}', timestamptz '2025-01-01Z')",
            seeded(number),
            Uuid::max()
        );
        let is_held: bool = diesel::select(diesel::dsl::sql::<Bool>(&sql)).get_result(&mut connection).unwrap();
        assert_eq!(is_held, expected, "{number}");
    }
    let (scanned, fetched) = deliveries_read(&mut connection);
    assert!(scanned == 0 && fetched <= 8, "{scanned} {fetched}");
}

#[test]
fn queueing_reads_few_rows_and_scans_no_table() {
    let event = domain::testing::event(Module::Crm, "deal.won", NOW);
    let mut connection = DATABASE.connection();
    connection.begin_test_transaction().unwrap();
    let enqueued: (i64, i64, Option<String>) =
        append::append_many_query(WORKSPACE, &vec![event; 4], &["{}"; 4]).get_result(&mut connection).unwrap();
    assert_eq!(enqueued, (0, 4, None), "no room");
    let (scanned, fetched) = deliveries_read(&mut connection);
    assert_eq!(scanned, 0);
    assert!(fetched <= i64::from(DEFAULT_MAX_WAITING), "the count ends at the bound: {fetched}");
}

#[test]
fn events_are_read_by_their_keys() {
    let database = &*DATABASE;
    check_in(database, get_query(WORKSPACE, DeliveryId(seeded(7))), "webhook_deliveries_pkey", 2);
    check_both_in(database, redeliver_query(WORKSPACE, DeliveryId(seeded(7)), NOW), "webhook_deliveries_pkey", 2);
    let subscription = subscriptions::get_query(WORKSPACE, SubscriptionId(seeded(7)));
    check_both_in(database, subscription, "webhook_subscriptions_pkey", 2);
    check_in(database, workspaces_query(None), "webhook_backlog_pkey", 20);
    check_in(database, behind_query(), "webhook_backlog_oldest", MAX_COUNTED);
    check_in(database, backlog_query(WORKSPACE), "webhook_backlog_pkey", MAX_COUNTED);
    check_in(database, expire_query(NOW, NOW, 1_000).all, "webhook_deliveries_waiting", 5_000);
}

/// Deliveries that are due too late are found without reading the others, however many are waiting.
#[test]
fn deliveries_due_too_late_are_found_by_index() {
    let slow_clock = NOW - Duration::days(40);
    for now in [NOW, slow_clock] {
        check_in(&DATABASE, bring_back_query(now, 1_000).all, "webhook_deliveries_waiting", 1_000);
    }
    check_in(&DATABASE, overlong_query(slow_clock).all, "webhook_deliveries_delivering", CLAIM);
}

#[test]
fn the_queue_depth_is_counted_by_index_up_to_a_bound() {
    check_both_in(&DATABASE, deliveries_query(NOW), "webhook_deliveries_waiting", MAX_COUNTED);
    check_in(&DATABASE, deliveries_query(NOW), "webhook_deliveries_delivering", MAX_COUNTED);
    let depths: (i64, i64, i64, Option<time::OffsetDateTime>) =
        deliveries_query(NOW).get_result(&mut DATABASE.connection()).unwrap();
    let most = i64::from(MAX_COUNTED);
    assert_eq!(depths, (most, most, 8, Some(datetime!(2025-01-01 00:00:01 UTC))));
}

/// For charts: reads the newest deliveries of each period, and the last attempt of each.
#[test]
fn deliveries_of_each_period_are_found_by_their_time() {
    let (database, most) = (&*DATABASE, 200);
    let starts: Vec<_> = (0..28).map(|hour| datetime!(2025-01-01 00:00 UTC) + Duration::HOUR * hour).collect();
    let query = || samples_query(WORKSPACE, SubscriptionId(seeded(1)), &starts, Duration::HOUR, most);
    for index in ["webhook_deliveries_newest", "webhook_attempts_pkey"] {
        check_both_in(database, query(), index, 28 * most);
    }
}
