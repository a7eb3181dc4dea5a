//! Query plans of stored responses, with far more of them than any statement may read.

use std::sync::LazyLock;

use domain::WorkspaceId;
use domain::kernel::idempotency::{IdempotencyClaim, ResponseBudget, StoredResponse};
use time::Duration;
use time::macros::datetime;
use uuid::Uuid;

use super::{check_in, common, filled, seed_workspaces};
use crate::directory::activity::prune_bytes_query;
use crate::kernel::idempotency::store_query;

const WORKSPACE: WorkspaceId = WorkspaceId(Uuid::from_u128(0x7000_8000_0000_0000_0001));
const NOW: time::OffsetDateTime = datetime!(2025-06-01 00:30 UTC);

/// 500 workspaces with four rows in each of 25 hours.
const SEED: &str = "
    INSERT INTO idempotency_bytes (workspace_id, hour, bytes)
        SELECT id, timestamptz '2025-06-01Z' - hours * interval '1 hour', 1000
        FROM workspaces, generate_series(0, 24) AS hours, generate_series(1, 4);";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(500) + SEED)));

#[test]
fn storing_a_response_reads_the_counts_of_its_workspace() {
    let claim = IdempotencyClaim {
        credential: Uuid::max(),
        route: "POST /x",
        key: "k".to_owned(),
        fingerprint: [0; 32],
        now: NOW,
        oldest: NOW - Duration::DAY,
        budget: ResponseBudget::default(),
    };
    let answer = StoredResponse { status: 201, location: None, body: "{}".to_owned() };
    for limit in [0, 1_000_000] {
        check_in(&DATABASE, store_query(WORKSPACE.0, &claim, &answer, limit).unwrap(), "idempotency_bytes_pkey", 100);
    }
}

#[test]
fn pruning_reads_only_what_it_deletes() {
    check_in(&DATABASE, prune_bytes_query(NOW, 10, false), "idempotency_bytes_oldest", 10);
}
