//! Query plans of the records written by imports, with many large imports.

use std::sync::LazyLock;

use domain::transfer::ImportDigest;
use uuid::Uuid;

use super::{check_both_in, common, filled, seed_workspaces};
use crate::transfer::{forget_written_query, written_query};

const WORKSPACE: Uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);

/// 50 workspaces with 900 imports each, every hundredth of them unfinished. One workspace has 1,000 records for each of its
/// unfinished imports and for a finished one.
const SEED: &str = "
    INSERT INTO imports (workspace_id, digest, kind, created, updated, unchanged, skipped, refused, started_at, finished_at)
        SELECT id, md5(number::text) || md5(number::text), 'contacts', 0, 0, 0, 0, 0,
            now() - number * interval '1 minute', CASE WHEN number % 100 <> 0 THEN now() END
        FROM workspaces, generate_series(1, 900) AS number;
    INSERT INTO import_records (workspace_id, import_id, record_id, line)
        SELECT workspaces.id, md5(import::text)::uuid, md5(number::text)::uuid, number
        FROM workspaces, generate_series(1, 900) AS import, generate_series(1, 1000) AS number
        WHERE workspaces.slug = '1' AND (import % 100 = 0 OR import = 7);";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(50) + SEED)));

#[test]
fn the_lines_of_records_are_found_by_their_ids() {
    let digest = ImportDigest::new([0; 32]);
    let records: Vec<_> = (1..=100).map(Uuid::from_u128).collect();
    check_both_in(&DATABASE, written_query(WORKSPACE, &digest, &records), "import_records_pkey", 500);
}

#[test]
fn records_of_finished_imports_are_found_by_an_index() {
    check_both_in(&DATABASE, forget_written_query(WORKSPACE, 200), "import_records_pkey", 1_000);
}
