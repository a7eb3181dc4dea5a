//! The repository of tickets as customers see them, and of the tokens that let customers in.

use time::OffsetDateTime;

use super::StoreError;
use crate::kernel::paging::PageRequest;
use crate::support::{PortalSession, Ticket, TicketFilter};
use crate::work::comments::Comment;
use crate::work::issues::TrackingLink;
use crate::{ContactId, IssueId};

/// Tickets that somebody asked for from outside; they are added and changed by [`IssueRepo`](super::IssueRepo).
pub trait TicketRepo {
    /// The live ticket with this reference, if somebody asked for it. By an index.
    fn find(&mut self, reference: &str) -> Result<Option<Ticket>, StoreError>;
    /// Live tickets that somebody asked for, newest first, one more than the limit. One statement.
    fn list(&mut self, filter: &TicketFilter, page: &PageRequest) -> Result<Vec<Ticket>, StoreError>;
    /// The newest `limit` of a live ticket's public comments, oldest first. One statement.
    fn public_comments(&mut self, id: IssueId, limit: u32) -> Result<Vec<Comment>, StoreError>;
    /// The live contact with this address in lower case, kept from being deleted until the transaction ends.
    fn contact_with(&mut self, email_key: &str) -> Result<Option<ContactId>, StoreError>;
    /// Keeps a link to a ticket.
    fn add_link(&mut self, link: &TrackingLink) -> Result<(), StoreError>;
    /// Uses up a link that is still unused; says whether it was. Exactly one of several at once is told so.
    fn use_link(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Keeps a customer's session.
    fn add_session(&mut self, session: &PortalSession) -> Result<(), StoreError>;
}
