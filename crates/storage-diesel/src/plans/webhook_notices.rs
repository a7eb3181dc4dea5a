//! Query plans of notices about webhooks, with far more webhooks than any statement may read.

use std::sync::LazyLock;

use domain::identity::access::{Actor, ActorKind};
use time::macros::datetime;
use uuid::Uuid;

use super::{check_both_in, check_in, common, filled, seed_workspaces};
use crate::webhooks::notices::{maker_ended_query, take_query, workspaces_query};

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
const NOW: time::OffsetDateTime = datetime!(2025-06-01 00:00 UTC);
/// A workspace has at most 100 webhooks; an index also has entries of row versions from rolled-back statements.
const WEBHOOKS: u32 = 200;
/// Workspaces per search.
const LIMIT: u32 = 20;

/// 20,000 webhooks in 200 workspaces. All of them fail or are disabled, and all makers end some day; of each kind, every tenth has
/// a pending notice.
const SEED: &str = "
    INSERT INTO webhook_subscriptions (workspace_id, id, module, url, events, enabled, disabled_reason, secret_key_id, secret,
            version, created_at, updated_at, created_by_type, failing_since, failing_told_at, disabled_told_at,
            maker_notice_at)
        SELECT ('00000000-0000-7000-8000-' || lpad((number % 200 + 1)::text, 12, '0'))::uuid, gen_random_uuid(), 'crm',
            'https://e.x', '{*}', number % 2 = 0, CASE number % 2 WHEN 1 THEN 'failing' END, 'k', '', 1, '2025-01-01Z',
            timestamptz '2025-01-01Z' + number * interval '1 minute', 'system',
            timestamptz '2025-01-01Z' + number * interval '1 minute',
            CASE WHEN number % 10 <> 0 THEN timestamptz '2025-05-01Z' END,
            CASE WHEN number % 10 <> 1 THEN timestamptz '2025-05-01Z' END,
            CASE number % 10 WHEN 2 THEN timestamptz '2025-05-01Z' + number * interval '1 minute' END
        FROM generate_series(0, 19999) AS number;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(200) + SEED)));

#[test]
fn workspaces_are_found_by_the_heads_of_three_indexes() {
    for index in [
        "webhook_subscriptions_failing_untold",
        "webhook_subscriptions_disabled_untold",
        "webhook_subscriptions_maker_notice",
    ] {
        check_both_in(&DATABASE, workspaces_query(NOW, NOW, LIMIT), index, 3 * LIMIT);
    }
}

#[test]
fn notices_are_taken_from_one_workspace() {
    let maker = [Actor { kind: ActorKind::ApiKey, id: Some(WORKSPACE) }];
    check_in(&DATABASE, take_query(WORKSPACE, NOW, NOW), "webhook_subscriptions_newest", WEBHOOKS);
    check_in(&DATABASE, maker_ended_query(WORKSPACE, &maker, NOW), "webhook_subscriptions_newest", WEBHOOKS);
}
