//! Query plans of sessions and keys, with far more rows than any statement may read.

use std::sync::LazyLock;

use diesel::RunQueryDsl;
use diesel::connection::SimpleConnection;
use time::macros::datetime;
use uuid::Uuid;

use super::{Explain, check_both_in, check_in, common, filled, nodes, seed_workspaces};
use crate::directory::sessions_query;
use crate::identity::{api_keys, challenges, sessions, set_up};

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
const USER: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0007);
const NOW: time::OffsetDateTime = datetime!(2025-06-01 00:00 UTC);

/// 2,000 workspaces, one with 2,000 members, each with 10 sessions, and 10 active and 10 revoked keys.
const SEED: &str = "
    INSERT INTO users (id, email, email_key, name, created_at)
        SELECT ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, number, number, 'U', now()
        FROM generate_series(1, 2000) AS number;
    INSERT INTO members (workspace_id, user_id, role, created_at, joined_at, updated_at)
        SELECT '00000000-0000-7000-8000-000000000001', id, 'admin', now(), now(), now() FROM users;
    INSERT INTO sessions (workspace_id, id, user_id, lookup_id, secret_hash, created_at, expires_at)
        SELECT workspace_id, gen_random_uuid(), user_id, gen_random_uuid(), decode(repeat('00', 32), 'hex'),
            timestamptz '2025-05-31Z' + number * interval '1 minute', '2025-06-02Z'
        FROM members, generate_series(1, 10) AS number;
    INSERT INTO sign_in_challenges (workspace_id, lookup_id, user_id, secret_hash, expires_at, tries, awaits, first_proof)
        SELECT workspace_id, gen_random_uuid(), user_id, decode(repeat('00', 32), 'hex'),
            timestamptz '2025-06-01Z' + number * interval '1 minute', 0, 'code', 'password'
        FROM members, generate_series(1, 10) AS number;
    INSERT INTO api_keys (workspace_id, id, name, lookup_id, secret_hash, scopes, created_at, updated_at,
            created_by_type, created_by_id, revoked_at)
        SELECT workspace_id, gen_random_uuid(), 'k', gen_random_uuid(), decode(repeat('00', 32), 'hex'), '{}',
            timestamptz '2025-05-01Z' + number * interval '1 minute', now(), 'user', user_id,
            CASE WHEN number % 2 = 0 THEN now() END
        FROM members, generate_series(1, 20) AS number;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(2_000) + SEED)));

#[test]
fn a_users_sessions_are_found_by_the_user() {
    check_both_in(&DATABASE, sessions_query(USER, NOW, 500), "sessions_by_user", 10);
    check_in(&DATABASE, sessions::surplus_query(WORKSPACE, USER, 3), "sessions_by_user", 10);
}

#[test]
fn a_users_live_session_is_found_by_its_user() {
    check_both_in(&DATABASE, sessions::alive_query(USER, Uuid::from_u128(9), NOW), "sessions_by_user", 10);
}

/// One row per step is enough, regardless of the number of rows. Members who joined before the demo was created are skipped; there are few.
#[test]
fn first_steps_scan_no_table() {
    let mut connection = DATABASE.connection();
    // These tables are scanned only because they have few rows here.
    connection.batch_execute("SET enable_seqscan = off").unwrap();
    let query = Explain(set_up::first_steps_query(WORKSPACE, USER));
    let plan: String = query.get_result(&mut connection).unwrap();
    let nodes = nodes(&serde_json::from_str(&plan).unwrap());
    assert!(nodes.iter().all(|(kind, _, _)| kind != "Seq Scan"), "{nodes:#?}");
    for index in ["members_by_user", "api_keys_used_by_tools"] {
        assert!(nodes.iter().any(|(_, used, _)| used == index), "{index}: {nodes:#?}");
    }
}

#[test]
fn a_users_challenges_are_found_by_the_user() {
    check_in(&DATABASE, challenges::surplus_query(WORKSPACE, USER, 3), "sign_in_challenges_by_user", 10);
}

#[test]
fn a_users_keys_are_found_by_the_user() {
    check_both_in(&DATABASE, api_keys::active_of_query(WORKSPACE, USER, NOW, 500), "api_keys_by_creator", 10);
    check_in(&DATABASE, api_keys::revoke_query(WORKSPACE, USER, NOW), "api_keys_by_creator", 10);
}
