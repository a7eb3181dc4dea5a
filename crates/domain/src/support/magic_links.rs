//! Requests for links to tickets, which need no credential (docs/adr/0017). Customers get the links by e-mail.

use std::collections::HashMap;

use time::Duration;
use uuid::Uuid;

use super::emails::link_message;
use crate::email::link_requests::{
    self, BATCH, LinkRequest, LinkRequestOutcome, REQUEST_TTL, RecentLinks, RequestedLink,
};
use crate::email::{EmailPurpose, Enqueued, QueuedEmail};
use crate::identity::accounts::{self, Client};
use crate::identity::workspaces::{WorkspaceStatus, is_slug};
use crate::kernel::input::{EmailAddress, EmailKey, Field, Line, fields};
use crate::ports::{Ports, StoreError, transact_in};
use crate::work::issues::{TRACKING_LINK_TTL, TicketReference, TrackingLink, new_link, url_of};
use crate::{Error, LinkRequestId, WorkspaceId};

/// While a mailed link is unused, no other link is mailed within this time.
const LINK_REUSE_WINDOW: Duration = Duration::minutes(5);

fields! {
    /// The body of a link request.
    pub struct MagicLinkFields {
        /// The workspace that has the ticket.
        workspace_id: WorkspaceId = required,
        /// The e-mail address that the ticket was opened with.
        email: EmailAddress = required,
        /// The ticket's reference.
        reference: Line<200> = required,
    }
}

fields! {
    /// The form of a customer who has no link, and so does not know the id of the workspace.
    pub struct LostLinkFields {
        /// The address of the workspace's help centre, or the last part of it.
        help_centre: Line<300> = required,
        /// The e-mail address that the ticket was opened with.
        email: EmailAddress = required,
        /// The ticket's reference.
        reference: Line<200> = required,
    }
}

/// Requests a link by e-mail for a customer who names the workspace by its help centre. A request for an unknown workspace is queued
/// like any other.
pub async fn request_lost_link(ports: &Ports, client: &Client, fields: LostLinkFields) -> Result<(), Error> {
    let slug = fields.help_centre.set().map(|address| slug_in(address.as_str())).unwrap_or_default();
    let found = if is_slug(&slug) { ports.directory.find_workspace(&slug).await? } else { None };
    let workspace = found.map_or(WorkspaceId(Uuid::nil()), |found| found.id);
    let LostLinkFields { email, reference, .. } = fields;
    request_magic_link(ports, client, MagicLinkFields { workspace_id: Field::Set(workspace), email, reference }).await
}

/// The slug in the address of a help centre, or in the text typed in its place.
fn slug_in(address: &str) -> String {
    let rest = address.split_once("/kb/").map_or(address, |(_, rest)| rest);
    rest.trim().split(['/', '?', '#']).next().unwrap_or_default().to_lowercase()
}

/// Requests a link by e-mail. Nothing is looked up, so that the response time does not reveal whether the ticket exists.
pub async fn request_magic_link(ports: &Ports, client: &Client, fields: MagicLinkFields) -> Result<(), Error> {
    let (Some(workspace), Some(email), Some(reference)) =
        (fields.workspace_id.set(), fields.email.set(), fields.reference.set())
    else {
        return Ok(());
    };
    // Text that is not a reference matches nothing, but is queued like any other.
    let canonical = TicketReference::parse(reference.as_str());
    let reference = canonical.as_ref().map_or(reference.as_str(), TicketReference::as_str).to_owned();
    let link = RequestedLink::Ticket { workspace: *workspace, reference, email: email.key().into() };
    link_requests::submit(ports, client.network(), link).await
}

/// Claims a batch of requests and drops those that get no e-mail: those that match nothing, repeat another of the batch, or whose
/// mailbox just got a link. That takes two statements, so unauthenticated clients cannot fill the queue by asking for many addresses.
/// Returns the rest, beginning with those from a network where their user has signed in before; `None` if nothing was due.
pub async fn take_link_requests(ports: &Ports) -> Result<Option<Vec<LinkRequest>>, StoreError> {
    let claimed = link_requests::take(ports, BATCH).await?;
    if claimed.is_empty() {
        return Ok(None);
    }
    let now = ports.clock.now();
    let recent = RecentLinks {
        resets_expire_after: accounts::reused_resets_expire_after(now),
        ticket_links_expire_after: now + TRACKING_LINK_TTL - LINK_REUSE_WINDOW,
    };
    let ids: Vec<_> = claimed.iter().map(|request| request.id).collect();
    let remaining = ports.directory.sift_link_requests(&ids, recent).await?;
    let mut claimed: HashMap<_, _> = claimed.into_iter().map(|request| (request.id, request)).collect();
    Ok(Some(remaining.iter().filter_map(|id| claimed.remove(id)).collect()))
}

/// Handles a claimed request: the row is deleted in the transaction that creates link and e-mail, so each request is
/// handled once, even if several workers have claimed it.
///
/// # Errors
/// Store errors; the request then becomes due again.
pub async fn answer_link_request(ports: &Ports, request: &LinkRequest) -> Result<LinkRequestOutcome, Error> {
    let id = request.id;
    if request.created_at + REQUEST_TTL <= ports.clock.now() {
        ports.directory.drop_link_request(id).await?;
        return Ok(LinkRequestOutcome::TooLate);
    }
    let is_done = match &request.link {
        RequestedLink::Ticket { workspace, reference, email } => {
            answer_magic_link(ports, id, *workspace, reference, email).await?
        }
        RequestedLink::PasswordReset { email } => accounts::answer_password_reset(ports, id, email).await?,
    };
    if !is_done {
        ports.directory.drop_link_request(id).await?;
    }
    Ok(LinkRequestOutcome::Answered)
}

/// Mails a link if workspace, address and reference match, unless a recent link is unused. Returns whether that completed the request.
async fn answer_magic_link(
    ports: &Ports,
    id: LinkRequestId,
    workspace: WorkspaceId,
    reference: &str,
    email: &str,
) -> Result<bool, Error> {
    let Some(reference) = TicketReference::parse(reference) else {
        return Ok(false);
    };
    let found = ports.directory.find_workspace(&workspace.to_string()).await?;
    let Some(workspace) = found.filter(|found| found.status == WorkspaceStatus::Active) else {
        return Ok(false);
    };
    let (outside, email_key) = (ports.clone(), String::from(EmailKey::of(email)));
    transact_in(ports, workspace.id, move |tx| {
        // If several workers have claimed the request, only one continues.
        if !tx.link_requests().end(id)? {
            return Ok(());
        }
        let ticket = tx.tickets().find(reference.as_str())?;
        let Some(ticket) = ticket.filter(|ticket| ticket.requester.email_key() == email_key) else {
            return Ok(());
        };
        // A recently mailed, unused link is enough. So mailboxes are not flooded, and others cannot use up the e-mails that the customer
        // may need.
        let (token, link) = new_link(&outside, ticket.issue.id);
        if tx.tickets().has_requested_link(ticket.issue.id, link.expires_at - LINK_REUSE_WINDOW)? {
            return Ok(());
        }
        let message = link_message(&outside.settings, &workspace, &ticket, &url_of(&outside, &token));
        let Some(message) = message else {
            return Ok(());
        };
        let queued = QueuedEmail::seal(&outside, workspace.email_source(EmailPurpose::TicketLink), &message)?;
        if tx.emails().enqueue(&queued)? == Enqueued::Queued {
            tx.tickets().add_link(&TrackingLink { is_requested: true, ..link })?;
        }
        Ok(())
    })
    .await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_centres_are_found_by_address_or_slug() {
        for typed in ["acme", " Acme/", "https://example.com/kb/acme", "example.com/kb/acme/-/sent?reference=x#y"] {
            assert_eq!(slug_in(typed), "acme", "{typed}");
        }
        assert!(!is_slug(&slug_in("https://example.com")));
    }
}
