//! A store that fails a test when a record is written without an event about it.

use std::sync::Arc;

use async_trait::async_trait;
use domain::WorkspaceId;
use domain::ports::{Job, Store, StoreError};
use domain::work::issues::Issue;
use domain::work::projects::Project;
use uuid::Uuid;

use super::MemoryStore;
use super::state::Records;
use super::table::{Table, written};

/// The store for use cases, which must write an event in the same transaction as each change. Fixtures write to the
/// [`MemoryStore`] directly.
#[derive(Debug)]
pub struct CheckedStore(pub Arc<MemoryStore>);

#[async_trait]
impl Store for CheckedStore {
    async fn run(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.0.run_with(workspace, job, &check)
    }

    async fn statement(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        let records = || self.0.with(|state| state.records.get(&workspace).cloned().unwrap_or_default());
        let before = records();
        self.0.statement(workspace, job).await?;
        check(&before, &records());
        Ok(())
    }
}

/// Compares a workspace's records before and after a transaction.
///
/// # Panics
/// If a record was written without an event about it.
fn check(before: &Records, after: &Records) {
    let emitted: Vec<_> = after.events.iter().filter(|(id, _)| !before.events.contains_key(id)).collect();
    let has_event = |noun: &str, id: Uuid, version: Option<i64>| {
        emitted.iter().any(|(_, event)| {
            let record = event.record.filter(|record| record.noun == noun && record.id == id);
            record.is_some() && event.version == version
        })
    };
    let assert = |noun: &str, id: Uuid, version: Option<i64>| {
        assert!(has_event(noun, id, version), "{noun} {id} was written without an event of version {version:?}");
    };
    let is_gone = |id| before.of::<Project>().has(id) && !after.of::<Project>().has(id);
    for table in after.tables.all() {
        for (kind, id, version) in table.written(&before.tables, &is_gone) {
            assert(kind.as_str(), id, Some(version));
        }
    }
    for comment in removed_or_written(&before.comments, &after.comments) {
        let issue = after.of::<Issue>().get_any(comment.issue_id);
        assert(issue.map_or("issue", |issue| issue.kind.as_str()), comment.issue_id.0, None);
    }
    for comment in removed_or_written(&before.record_comments, &after.record_comments) {
        assert(comment.record.noun(), comment.record.id(), None);
    }
}

fn removed_or_written<'a, K: Ord + Copy, T: Clone + PartialEq>(
    before: &'a Table<K, T>,
    after: &'a Table<K, T>,
) -> impl Iterator<Item = &'a T> {
    let removed = before.ids().filter(|id| after.get_any(*id).is_none()).filter_map(|id| before.get_any(id));
    removed.chain(written(before, after).map(|(_, value, _)| value))
}
