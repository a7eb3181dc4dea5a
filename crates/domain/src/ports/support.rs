//! The repository of tickets as customers see them, and of customers' links and sessions.

use time::OffsetDateTime;

use super::StoreError;
use crate::kernel::paging::PageRequest;
use crate::support::{PortalSession, Ticket, TicketFilter};
use crate::work::comments::Comment;
use crate::work::issues::TrackingLink;
use crate::{ContactId, IssueId};

/// Tickets opened from outside. [`RecordRepo`](super::RecordRepo) adds and changes them.
pub trait TicketRepo {
    /// The live ticket with this reference, if it was opened from outside. Uses an index.
    fn find(&mut self, reference: &str) -> Result<Option<Ticket>, StoreError>;
    /// Live tickets opened from outside, newest first, one more than the limit. One statement.
    fn list(&mut self, filter: &TicketFilter, page: &PageRequest) -> Result<Vec<Ticket>, StoreError>;
    /// The newest `limit` of a live ticket's public comments, oldest first. One statement.
    fn public_comments(&mut self, id: IssueId, limit: u32) -> Result<Vec<Comment>, StoreError>;
    /// The live contact with this address in lower case, protected from deletion until the transaction ends.
    fn contact_with(&mut self, email_key: &str) -> Result<Option<ContactId>, StoreError>;
    /// Stores links to tickets. One statement.
    fn add_links(&mut self, links: &[TrackingLink]) -> Result<(), StoreError>;
    /// Stores a link to a ticket.
    fn add_link(&mut self, link: &TrackingLink) -> Result<(), StoreError> {
        self.add_links(std::slice::from_ref(link))
    }
    /// Whether the ticket has an unused link that its customer requested and that expires after `expires_after`.
    fn has_requested_link(&mut self, issue: IssueId, expires_after: OffsetDateTime) -> Result<bool, StoreError>;
    /// Consumes a link if it is unused; returns whether it was. Of several concurrent calls, exactly one gets `true`.
    fn use_link(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Stores a customer's session.
    fn add_session(&mut self, session: &PortalSession) -> Result<(), StoreError>;
}
