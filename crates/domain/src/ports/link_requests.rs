//! The end of a request for a link, in a transaction. Requests cross workspaces: the rest is [`Directory`](super::Directory)'s.

use super::StoreError;
use crate::LinkRequestId;

/// Requests for links to tickets of the workspace.
pub trait LinkRequestRepo {
    /// Ends a request, as part of the transaction that answers it; says whether it was still there. Exactly one of several
    /// at once is told so.
    fn end(&mut self, id: LinkRequestId) -> Result<bool, StoreError>;
}
