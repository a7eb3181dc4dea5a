//! How instances inform each other of writes.

use async_trait::async_trait;
use uuid::Uuid;

/// Shares with the other instances whose recent writes replicas may not have yet.
#[async_trait]
pub trait SharedWrites: Send + Sync {
    /// Reports that these holders or workspaces have written just now.
    async fn share(&self, ids: &[Uuid]);

    /// For each id, a number that changes with every shared write; 0 if the last write is so old that every replica in use has it.
    /// `None` if this is currently unknown.
    async fn latest(&self, ids: &[Uuid]) -> Option<Vec<u64>>;
}
