//! Query plans of link requests, with a full queue.

use std::net::IpAddr;
use std::sync::LazyLock;

use domain::LinkRequestId;
use domain::email::link_requests::{BATCH, LinkRequest, QueueBounds, RecentLinks, RequestedLink};
use domain::limits::AddressGroup;
use time::macros::datetime;
use uuid::Uuid;

use super::{BIG, check_both_in, common, filled, seed};
use crate::directory::link_requests::{put_query, sift_query, take_query};

const NOW: time::OffsetDateTime = datetime!(2025-06-01 00:00 UTC);

/// Requests from three addresses in one /16; two of them are in the same /24 and have a quarter each.
const SEED: &str = "
    INSERT INTO users (id, email, email_key, name, password_hash, created_at)
        SELECT lpad(to_hex(number), 32, '0')::uuid, number || '@e.x', number || '@e.x', 'n', 'x', '2025-01-01Z'
        FROM generate_series(1, 20000) AS number;
    INSERT INTO sign_ins (user_id, network, device, first_seen_at, last_seen_at)
        SELECT id, '192.0.2.' || number, 'curl', '2025-01-01Z', '2025-01-01Z'
        FROM users CROSS JOIN generate_series(1, 3) AS number;
    INSERT INTO password_resets (user_id, lookup_id, secret_hash, expires_at)
        SELECT id, id::text, decode(repeat('00', 32), 'hex'), '2025-01-01Z' FROM users;
    -- The tickets themselves are not read: without triggers, nothing asks for them.
    SET session_replication_role = replica;
    INSERT INTO tracking_links (workspace_id, lookup_id, issue_id, secret_hash, expires_at, is_requested)
        SELECT '{big}', number, lpad(to_hex(number / 3), 32, '0')::uuid, decode(repeat('00', 32), 'hex'),
            '2025-06-01Z', number % 2 = 0
        FROM generate_series(1, 20000) AS number;
    SET session_replication_role = origin;
    INSERT INTO link_requests (id, wanted, email, workspace_id, reference, network, created_at, next_attempt_at, turn_at)
        SELECT lpad(to_hex(number), 32, '0')::uuid, CASE number % 2 WHEN 0 THEN 'ticket' ELSE 'password_reset' END,
            CASE number % 2 WHEN 0 THEN 'p' || number * 5 % 300 || '@example.com' ELSE number || '@e.x' END,
            CASE number % 2 WHEN 0 THEN '{big}'::uuid END, CASE number % 2 WHEN 0 THEN 'TKT-' || lpad((number * 5)::text, 10, '0') END,
            CASE number % 4 WHEN 0 THEN '192.0.2.1' WHEN 1 THEN '192.0.2.2' ELSE '192.0.3.1' END::inet, due, due, due
        FROM generate_series(1, 10000) AS number
            CROSS JOIN LATERAL (SELECT timestamptz '2025-05-31Z' + number * interval '1 second' AS due) AS at;";

static DATABASE: LazyLock<common::Database> =
    LazyLock::new(|| filled(&format!("{}\n{}", seed(), SEED.replace("{big}", &BIG.to_string()))));

#[test]
fn only_the_next_requests_are_read() {
    check_both_in(&DATABASE, take_query(NOW, NOW, 20), "link_requests_turn", 20);
}

#[test]
fn an_insert_reads_at_most_the_limits() {
    let link = RequestedLink::PasswordReset { email: "a@e.x".to_owned() };
    let request = LinkRequest { id: LinkRequestId(Uuid::max()), link, created_at: NOW };
    let network = |address: &str| AddressGroup::from(address.parse::<IpAddr>().unwrap());
    let bounds = QueueBounds { total: 50, per_network: [50, 50, 50] };
    for address in ["192.0.2.1", "192.0.2.77", "192.0.77.1", "198.51.100.1", "2001:db8::1"] {
        check_both_in(&DATABASE, put_query(&request, network(address), &bounds), "link_requests_network", 50);
    }
}

#[test]
fn a_batch_is_looked_up_by_key() {
    // Without the first requests, which the other tests lock.
    let ids: Vec<_> = (2_001..=2_000 + BATCH).map(|number| LinkRequestId(Uuid::from_u128(number.into()))).collect();
    let recent = RecentLinks { resets_expire_after: NOW, ticket_links_expire_after: NOW };
    for index in ["link_requests_pkey", "users_email_key", "issues_reference_key"] {
        check_both_in(&DATABASE, sift_query(&ids, recent), index, BATCH);
    }
}
