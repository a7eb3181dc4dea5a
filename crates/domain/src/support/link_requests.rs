//! Handles requests for links, which need no credential (docs/adr/0017).

use std::collections::HashMap;

use super::magic_links::reused_ticket_links_expire_after;
use crate::email::link_requests::{
    self, BATCH, LinkRequest, LinkRequestOutcome, REQUEST_TTL, RecentLinks, RequestedLink,
};
use crate::identity::accounts;
use crate::ports::{Ports, StoreError};
use crate::{Error, support};

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
        ticket_links_expire_after: reused_ticket_links_expire_after(now),
    };
    let ids: Vec<_> = claimed.iter().map(|request| request.id).collect();
    let kept = ports.directory.sift_link_requests(&ids, recent).await?;
    let mut claimed: HashMap<_, _> = claimed.into_iter().map(|request| (request.id, request)).collect();
    Ok(Some(kept.iter().filter_map(|id| claimed.remove(id)).collect()))
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
    let is_done = match &request.wanted {
        RequestedLink::Ticket { workspace, reference, email } => {
            support::answer_magic_link(ports, id, *workspace, reference, email).await?
        }
        RequestedLink::PasswordReset { email } => accounts::answer_password_reset(ports, id, email).await?,
    };
    if !is_done {
        ports.directory.drop_link_request(id).await?;
    }
    Ok(LinkRequestOutcome::Answered)
}
