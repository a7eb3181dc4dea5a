//! Tickets opened from outside, and the customers' tokens.

use time::OffsetDateTime;

use super::state::MemoryTx;
use super::table::{Order, page};
use domain::crm::contacts::Contact;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{StoreError, TicketRepo};
use domain::support::{PortalSession, Ticket, TicketFilter};
use domain::work::comments::{Comment, Visibility};
use domain::work::issues::{Issue, TrackingLink};
use domain::{ContactId, IssueId};

impl MemoryTx<'_> {
    fn live_tickets(&self) -> impl Iterator<Item = Ticket> {
        self.records.of::<Issue>().live().cloned().filter_map(Ticket::of)
    }
}

impl TicketRepo for MemoryTx<'_> {
    fn find(&mut self, reference: &str) -> Result<Option<Ticket>, StoreError> {
        Ok(self.live_tickets().find(|ticket| ticket.reference() == reference))
    }

    fn list(&mut self, filter: &TicketFilter, request: &PageRequest) -> Result<Vec<Ticket>, StoreError> {
        let fits = |ticket: &Ticket| {
            filter.status.is_none_or(|status| ticket.issue().status == status)
                && filter.email_key.as_ref().is_none_or(|key| ticket.requester().email_key() == *key)
                && filter.ticket_type.is_none_or(|wanted| ticket.requester().ticket_type == wanted)
                && filter.created.accepts(ticket.issue().created_at)
        };
        let chosen: Vec<_> = self.live_tickets().filter(fits).collect();
        Ok(page(chosen.iter(), Ticket::cursor_key, Order::NewestFirst, request))
    }

    fn public_comments(&mut self, id: IssueId, limit: u32) -> Result<Vec<Comment>, StoreError> {
        let live = self.records.of::<Issue>().has(id);
        let public = |comment: &&Comment| live && comment.issue_id == id && comment.visibility == Visibility::Public;
        let mut found: Vec<_> = self.records.comments.live().filter(public).cloned().collect();
        found.sort_by_key(Comment::cursor_key);
        Ok(found.split_off(found.len().saturating_sub(limit as usize)))
    }

    fn contact_with(&mut self, email_key: &str) -> Result<Option<ContactId>, StoreError> {
        let mut contacts = self.records.of::<Contact>().live();
        Ok(contacts.find(|contact| contact.email_key() == email_key).map(|contact| contact.id))
    }

    fn add_links(&mut self, links: &[TrackingLink]) -> Result<(), StoreError> {
        self.records.links.extend(links.iter().map(|link| (link.lookup_id.clone(), link.clone())));
        Ok(())
    }

    fn has_requested_link(&mut self, issue: IssueId, expires_after: OffsetDateTime) -> Result<bool, StoreError> {
        let mut links = self.records.links.values();
        Ok(links.any(|link| {
            link.issue_id == issue && link.is_requested && link.used_at.is_none() && link.expires_at > expires_after
        }))
    }

    fn use_link(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
        let unused = self.records.links.get_mut(lookup_id).filter(|link| link.used_at.is_none());
        Ok(unused.map(|link| link.used_at = Some(now)).is_some())
    }

    fn add_session(&mut self, session: &PortalSession) -> Result<(), StoreError> {
        self.records.portal_sessions.insert(session.id, session.clone());
        Ok(())
    }
}
