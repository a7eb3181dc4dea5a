//! Links requested by e-mail without a credential: queued first, resolved later by a worker (docs/adr/0017).
//!
//! The request is acknowledged after one statement that is always the same, so neither the response nor its time
//! reveals whether a ticket or an account exists.

use time::{Duration, OffsetDateTime};

use crate::limits::AddressGroup;
use crate::ports::{Ports, StoreError};
use crate::{Error, LinkRequestId, WorkspaceId};

/// Maximum queued requests; further ones are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueBounds {
    /// For all clients together.
    pub total: u32,
    /// Per site, which is an IPv4 address or an IPv6 /56, then per wider network around it ([`networks_of`]).
    pub per_network: [u32; 3],
}

impl QueueBounds {
    /// No provider uses more than a quarter of the queue, and no site more than a two-hundredth.
    pub const DEFAULT: Self = Self { total: 10_000, per_network: [50, 500, 2_500] };
}

/// How many requests a worker claims at once.
pub const BATCH: u32 = 200;
/// Requests older than this are dropped: an e-mail that arrives so late is useless.
pub const REQUEST_TTL: Duration = Duration::hours(1);
/// When a request is claimed again after a failure or a crash of its worker.
pub const RETRY_DELAY: Duration = Duration::seconds(30);

/// The networks of a client that share a bound: its site (IPv4 /32, IPv6 /56), then IPv4 /24 and /16, IPv6 /48 and /32.
pub fn networks_of(site: AddressGroup) -> [AddressGroup; 3] {
    let site = site.site();
    let wider = site.wider().unwrap_or(site);
    [site, wider, wider.wider().unwrap_or(wider)]
}

/// A requested link, as sent by the client and not yet verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedLink {
    /// A link to a ticket.
    Ticket {
        /// The claimed workspace; it may not exist.
        workspace: WorkspaceId,
        /// The claimed reference of the ticket.
        reference: String,
        /// The claimed address of the requester in lower case.
        email: String,
    },
    /// A link to set a new password.
    PasswordReset {
        /// The address of the account in lower case.
        email: String,
    },
}

/// A request in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRequest {
    pub id: LinkRequestId,
    pub link: RequestedLink,
    pub created_at: OffsetDateTime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkRequestOutcome {
    /// Resolved: an e-mail was queued, or nothing matched.
    Answered,
    /// Dropped because it was older than [`REQUEST_TTL`].
    TooLate,
}

/// Queues a request from a client in this network.
pub(crate) async fn submit(ports: &Ports, network: AddressGroup, link: RequestedLink) -> Result<(), Error> {
    let request = LinkRequest { id: LinkRequestId(ports.ids.new_id()), link, created_at: ports.clock.now() };
    Ok(ports.directory.put_link_request(&request, network, &QueueBounds::DEFAULT).await?)
}

/// Claims at most `limit` due requests, taking networks in turn. Claimed requests become due again after [`RETRY_DELAY`], behind the
/// others, so a crash loses no request, and a request that always fails does not block the rest.
pub async fn take(ports: &Ports, limit: u32) -> Result<Vec<LinkRequest>, StoreError> {
    let now = ports.clock.now();
    ports.directory.take_link_requests(now, now + RETRY_DELAY, limit).await
}

/// Links that expire later than these times were mailed recently. While one of them is unused, no other link is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecentLinks {
    pub resets_expire_after: OffsetDateTime,
    pub ticket_links_expire_after: OffsetDateTime,
}
