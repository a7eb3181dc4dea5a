//! Completing a link request in a transaction. The rest crosses workspaces: see [`Directory`](super::Directory).

use super::StoreError;
use crate::LinkRequestId;

/// Requests for ticket links of the workspace.
pub trait LinkRequestRepo {
    /// Completes a request in the transaction that handles it; returns whether it still existed. Of several concurrent
    /// calls, exactly one gets `true`.
    fn end(&mut self, id: LinkRequestId) -> Result<bool, StoreError>;
}
