//! Query plans of sign-ins and requested links, with many users and tickets.

use std::sync::LazyLock;

use domain::{IssueId, UserId};
use time::macros::datetime;
use uuid::Uuid;

use super::{check_both_in, check_in, common, filled};
use crate::identity::sign_ins::{earlier_query, prune_query};
use crate::support::tickets::requested_link_query;

const BEFORE: time::OffsetDateTime = datetime!(2025-05-31 23:00 UTC);
const USER: UserId = UserId(Uuid::from_u128(7));

const SEED: &str = "
    INSERT INTO users (id, email, email_key, name, created_at)
        SELECT lpad(to_hex(number), 32, '0')::uuid, number || '@e.x', number || '@e.x', 'n', '2025-01-01Z'
        FROM generate_series(1, 2000) AS number;
    INSERT INTO sign_ins (user_id, network, device, first_seen_at, last_seen_at)
        SELECT id, '192.0.2.' || number, 'curl', '2025-01-01Z', timestamptz '2025-01-01Z' + number * interval '1 hour'
        FROM users CROSS JOIN generate_series(1, 50) AS number;
    -- The tickets themselves are not read: without triggers, nothing asks for them.
    SET session_replication_role = replica;
    INSERT INTO tracking_links (workspace_id, lookup_id, issue_id, secret_hash, expires_at, is_requested)
        SELECT lpad(to_hex(number % 3), 32, '0')::uuid, number, lpad(to_hex(number / 3), 32, '0')::uuid,
            decode(repeat('00', 32), 'hex'), '2025-06-01Z', number % 2 = 0
        FROM generate_series(1, 20000) AS number;
    SET session_replication_role = origin;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(SEED));

#[test]
fn only_the_sign_ins_of_one_user_are_read() {
    check_both_in(&DATABASE, earlier_query(USER), "sign_ins_pkey", 50);
    check_in(&DATABASE, prune_query(USER, 49), "sign_ins_pkey", 50);
}

#[test]
fn a_requested_link_is_looked_up() {
    let link = requested_link_query(Uuid::from_u128(1), IssueId(Uuid::from_u128(7)), BEFORE);
    check_both_in(&DATABASE, link, "tracking_links_requested", 1);
}
