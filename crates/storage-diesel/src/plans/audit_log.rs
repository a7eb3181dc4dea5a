//! Query plans of the audit log's filters, in a log in which most entries are sign-ins of one member.

use std::sync::LazyLock;

use diesel::connection::SimpleConnection;
use domain::identity::audit::{AuditAction, AuditFilter};
use time::macros::datetime;
use uuid::Uuid;

use super::{PAGE, check_both_in, check_in, common, filled, pages};
use crate::identity::audit::{counts, list_query};

const WORKSPACE: Uuid = Uuid::from_u128(1);
const NEWEST: &str = "audit_log_default_workspace_id_created_at_id_idx";
const BY_ACTION: &str = "audit_log_default_workspace_id_action_created_at_id_idx";
const BY_ACTOR: &str = "audit_log_default_workspace_id_actor_id_created_at_id_idx";
const BUSY: Uuid = Uuid::from_u128(7);
const RARE: Uuid = Uuid::from_u128(8);

const SEED: &str = "
    INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
        SELECT lpad(number::text, 32, '0')::uuid, 'w' || number, 'w', 'starter', 'active', 'USD', now(), now()
        FROM generate_series(1, 3) AS number;
    INSERT INTO audit_log (workspace_id, id, action, actor_type, actor_id, actor_name, subject_type, subject_id, details,
            created_at)
        SELECT lpad((number % 3 + 1)::text, 32, '0')::uuid, gen_random_uuid(),
            CASE WHEN number % 1000 < 3 THEN 'api_key.created' ELSE 'session.started' END, 'user',
            CASE WHEN number % 1000 < 3 THEN '00000000-0000-0000-0000-000000000008'
                ELSE '00000000-0000-0000-0000-000000000007' END::uuid,
            'a', 'workspace', '00000000-0000-0000-0000-000000000001', '{}',
            timestamptz '2025-01-01Z' + number * interval '1 minute'
        FROM generate_series(1, 30000) AS number;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(SEED));

fn of_actions(actions: &[AuditAction]) -> AuditFilter {
    AuditFilter { action: actions.to_vec().into(), ..AuditFilter::default() }
}

fn of_actor(actor: Uuid) -> AuditFilter {
    AuditFilter { actor_id: Some(actor), ..AuditFilter::default() }
}

#[test]
fn each_filter_alone_reads_the_page() {
    let since = AuditFilter { since: Some(datetime!(2025-01-02 00:00 UTC)), ..AuditFilter::default() };
    let until = AuditFilter { until: Some(datetime!(2025-01-10 00:00 UTC)), ..AuditFilter::default() };
    for page in pages() {
        for (filter, index, values) in [
            (of_actions(&[AuditAction::KeyCreated]), BY_ACTION, 1),
            (of_actions(&[AuditAction::SessionStarted, AuditAction::KeyCreated]), BY_ACTION, 2),
            (of_actor(RARE), BY_ACTOR, 1),
        ] {
            check_both_in(&DATABASE, list_query(WORKSPACE, &filter, &page), index, PAGE * values);
        }
        // Almost all entries are by this member, so the unfiltered list reads no more rows.
        check_in(&DATABASE, list_query(WORKSPACE, &of_actor(BUSY), &page), NEWEST, PAGE + 2);
        for filter in [&since, &until] {
            check_in(&DATABASE, list_query(WORKSPACE, filter, &page), NEWEST, PAGE);
        }
    }
}

/// Counts of past hours are found without reading those of this hour, however many there are.
#[test]
fn counts_of_past_hours_are_found() {
    let database = filled(&format!(
        "{SEED}
        INSERT INTO audit_counts
            SELECT lpad((number % 3 + 1)::text, 32, '0')::uuid,
                timestamptz '2025-01-01 00:00Z' + (number % 100 / 98) * interval '1 hour', 'user',
                md5(number::text)::uuid, 'session.started', 'a', 60, (number % 100 = 97)::int
            FROM generate_series(1, 20000) AS number;"
    ));
    database.connection().batch_execute("VACUUM ANALYZE audit_counts").unwrap();
    let an_hour_later = datetime!(2025-01-01 01:00 UTC);
    check_in(&database, counts::find_query(an_hour_later, 50), "audit_counts_left_out", 50);
    check_in(&database, counts::prune_query(an_hour_later, 100), "audit_counts_oldest", 300);
    check_in(&database, counts::take_query(WORKSPACE, an_hour_later, 50), "audit_counts_left_out", 200);
}

/// In a table that was never analysed, the planner knows nothing about its values.
#[test]
fn a_new_log_uses_the_same_indexes() {
    let database = common::Database::migrated();
    for (filter, index) in [
        (of_actions(&[AuditAction::KeyCreated]), BY_ACTION),
        (of_actor(RARE), BY_ACTOR),
        (AuditFilter::default(), NEWEST),
    ] {
        check_in(&database, list_query(WORKSPACE, &filter, &pages()[0]), index, PAGE);
    }
}
