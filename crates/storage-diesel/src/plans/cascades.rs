//! Query plans of pending events for deleted and restored projects, with one large project.

use std::sync::LazyLock;

use domain::ProjectId;
use domain::work::cascades::{CascadeVerb, ProjectChange};
use uuid::Uuid;

use super::{check_both_in, check_in, common, filled, seed_workspaces};
use crate::work::cascades::{next_query, take_query, workspaces_query};

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
const PROJECT: Uuid = Uuid::from_u128(7);

/// 50 workspaces that deleted a project: the first one of 20,000 tasks, the others of 10.
const SEED: &str = "
    INSERT INTO cascades (workspace_id, project_id, project_version, record_id, kind, version, verb)
        SELECT workspaces.id, '00000000-0000-0000-0000-000000000007', 2, md5(number::text)::uuid, 'task', 2, 'deleted'
        FROM workspaces, generate_series(1, 20000) AS number
        WHERE workspaces.slug = '1' OR number <= 10;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(50) + SEED)));

#[test]
fn the_next_notes_are_found_by_key() {
    let change = ProjectChange { project: ProjectId(PROJECT), version: 2, verb: CascadeVerb::Deleted };
    check_both_in(&DATABASE, next_query(WORKSPACE), "cascades_pkey", 10);
    check_both_in(&DATABASE, take_query(WORKSPACE, &change, 500), "cascades_pkey", 1_000);
}

#[test]
fn workspaces_with_notes_are_found_one_by_one() {
    check_in(&DATABASE, workspaces_query(100, false), "cascades_pkey", 100);
}
