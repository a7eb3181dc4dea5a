//! Links requested by e-mail without a credential: queued first, resolved later by a worker (docs/adr/0017).
//!
//! The request is acknowledged after one statement that is always the same, so neither the response nor its time
//! reveals whether a ticket or an account exists.

use time::{Duration, OffsetDateTime};

use crate::ports::{Ports, StoreError};
use crate::{Error, LinkRequestId, WorkspaceId};

/// Maximum requests in the queue; further ones are dropped.
pub const MAX_PENDING_REQUESTS: u32 = 10_000;
/// Requests older than this are dropped: so late an e-mail is of no use.
pub const REQUEST_TTL: Duration = Duration::hours(1);
/// When a request is claimed again after a failure or a crash of its worker.
pub const RETRY_DELAY: Duration = Duration::seconds(30);

/// A requested link, as sent by the client and not yet verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedLink {
    /// A link to a ticket.
    Ticket {
        /// The claimed workspace; it may not exist.
        workspace: WorkspaceId,
        /// The claimed reference of the ticket.
        reference: String,
        /// The claimed address of the requester.
        email: String,
    },
    /// A link to set a new password.
    PasswordReset {
        /// The address of the account.
        email: String,
    },
}

/// A request in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRequest {
    pub id: LinkRequestId,
    pub wanted: RequestedLink,
    pub created_at: OffsetDateTime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkRequestOutcome {
    /// Resolved: an e-mail was queued, or nothing matched.
    Answered,
    /// Dropped because it was older than [`REQUEST_TTL`].
    TooLate,
}

/// Queues a request.
pub(crate) async fn submit(ports: &Ports, wanted: RequestedLink) -> Result<(), Error> {
    let request = LinkRequest { id: LinkRequestId(ports.ids.new_id()), wanted, created_at: ports.clock.now() };
    Ok(ports.directory.put_link_request(&request, MAX_PENDING_REQUESTS).await?)
}

/// Claims the request that has been due for the longest time. It becomes due again after [`RETRY_DELAY`], behind the
/// others: a crash loses no request, and one that always fails does not block the rest.
///
/// # Errors
/// Store errors.
pub async fn take(ports: &Ports) -> Result<Option<LinkRequest>, StoreError> {
    let now = ports.clock.now();
    ports.directory.take_link_request(now, now + RETRY_DELAY).await
}
