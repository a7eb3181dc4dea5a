//! A store that fails a test when a record is written without an event about it.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use domain::WorkspaceId;
use domain::ports::{Job, Store, StoreError};
use domain::work::cycles::Cycle;
use domain::work::issues::Issue;
use uuid::Uuid;

use super::MemoryStore;
use super::state::Records;
use super::table::Table;

/// The store, for use cases: each of their writes has its event in the same transaction. Fixtures write to the
/// [`MemoryStore`] itself.
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
    macro_rules! records {
        ($($table:ident: $noun:expr, hidden: $hidden:expr;)+) => { $(
            for (id, value, is_deleted) in written(&before.$table, &after.$table) {
                let hidden: &dyn Fn(&_) -> bool = &$hidden;
                if !(is_deleted && hidden(value)) {
                    // The deletion is a version of its own, which the row does not have.
                    assert(($noun)(value), id.0, Some(value.version + i64::from(is_deleted)));
                }
            }
        )+ };
    }
    // A project takes its cycles and tasks out of sight.
    let is_gone = |id| before.projects.has(id) && !after.projects.has(id);
    records! {
        companies: |_| "company", hidden: |_| false;
        contacts: |_| "contact", hidden: |_| false;
        deals: |_| "deal", hidden: |_| false;
        projects: |_| "project", hidden: |_| false;
        cycles: |_| "cycle", hidden: |cycle: &Cycle| is_gone(cycle.project_id);
        kb_articles: |_| "article", hidden: |_| false;
    }
    for (id, issue, is_deleted) in written(&before.issues, &after.issues) {
        // Whose turn it is in a conversation is no version of its own: the comment is told of.
        let conversation = issue.conversation;
        let is_only_turn =
            !is_deleted && before.issues.get(id).is_some_and(|was| Issue { conversation, ..was.clone() } == *issue);
        if !(is_only_turn || is_deleted && issue.project_id.is_some_and(is_gone)) {
            assert(issue.kind.as_str(), id.0, Some(issue.version + i64::from(is_deleted)));
        }
    }
    for comment in removed_or_written(&before.comments, &after.comments) {
        let issue = after.issues.get_any(comment.issue_id);
        assert(issue.map_or("issue", |issue| issue.kind.as_str()), comment.issue_id.0, None);
    }
    for comment in removed_or_written(&before.record_comments, &after.record_comments) {
        assert(comment.record.noun(), comment.record.id(), None);
    }
}

/// The rows that were added, changed or deleted, and whether they are deleted now and were not before.
fn written<'a, K: Ord + Copy, T: Clone + PartialEq + Debug>(
    before: &'a Table<K, T>,
    after: &'a Table<K, T>,
) -> impl Iterator<Item = (K, &'a T, bool)> {
    after.ids().filter_map(|id| {
        let (now, is_deleted) = (after.get_any(id)?, before.has(id) && !after.has(id));
        (is_deleted || before.get_any(id) != Some(now)).then_some((id, now, is_deleted))
    })
}

fn removed_or_written<'a, K: Ord + Copy, T: Clone + PartialEq + Debug>(
    before: &'a Table<K, T>,
    after: &'a Table<K, T>,
) -> impl Iterator<Item = &'a T> {
    let removed = before.ids().filter(|id| after.get_any(*id).is_none()).filter_map(|id| before.get_any(id));
    removed.chain(written(before, after).map(|(_, value, _)| value))
}
