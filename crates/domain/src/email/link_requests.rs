//! Links that people without a credential ask for by mail: written down first, and looked up by a worker (docs/adr/0017).
//!
//! Whoever asks is answered once the request is written down, always by the same one statement: neither the answer nor
//! its time tells whether anything fits.

use time::{Duration, OffsetDateTime};

use crate::ports::{Ports, StoreError};
use crate::{Error, LinkRequestId, WorkspaceId};

/// How many requests may wait at the most; what comes beyond is dropped.
pub const MAX_PENDING_REQUESTS: u32 = 10_000;
/// How long a request may wait for its answer; nobody looks for the letter after that.
pub const REQUEST_TTL: Duration = Duration::hours(1);
/// When a request whose answer failed, or whose worker died, is taken again.
pub const RETRY_DELAY: Duration = Duration::seconds(30);

/// A link that somebody wants, as they asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedLink {
    /// To a ticket.
    Ticket {
        /// The workspace that is said to have it; perhaps there is none.
        workspace: WorkspaceId,
        /// The reference that it is said to have.
        reference: String,
        /// The address that it is said to have been opened with.
        email: String,
    },
    /// To set a new password.
    PasswordReset {
        /// The address of the person.
        email: String,
    },
}

/// A request that waits for its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRequest {
    /// Its id.
    pub id: LinkRequestId,
    /// What is asked for.
    pub wanted: RequestedLink,
    /// When it was asked for.
    pub created_at: OffsetDateTime,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkRequestOutcome {
    /// It is over: with a letter, or without one where nothing fits.
    Answered,
    /// It had waited for too long, and is over without an answer.
    TooLate,
}

/// Writes a request down.
pub(crate) async fn submit(ports: &Ports, wanted: RequestedLink) -> Result<(), Error> {
    let request = LinkRequest { id: LinkRequestId(ports.ids.new_id()), wanted, created_at: ports.clock.now() };
    Ok(ports.directory.put_link_request(&request, MAX_PENDING_REQUESTS).await?)
}

/// The request that has been due for the longest time. It is due again after [`RETRY_DELAY`], behind the others, in
/// case that its answer fails: so nothing is lost with a worker, and nothing that always fails holds up the rest.
///
/// # Errors
/// The store's.
pub async fn take(ports: &Ports) -> Result<Option<LinkRequest>, StoreError> {
    let now = ports.clock.now();
    ports.directory.take_link_request(now, now + RETRY_DELAY).await
}
