//! What instances tell each other of writes.

use async_trait::async_trait;
use uuid::Uuid;

/// Tells the other instances of the service whose writes replicas may not have yet.
#[async_trait]
pub trait SharedWrites: Send + Sync {
    /// Tells them that these holders or workspaces have written until now.
    async fn share(&self, ids: &[Uuid]);

    /// Of each id a number that changes with every write that was shared; 0 if there was none for so long that every replica
    /// that is used has it. `None` if that cannot be known now.
    async fn latest(&self, ids: &[Uuid]) -> Option<Vec<u64>>;
}
