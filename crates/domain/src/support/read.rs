//! Reads one ticket by its reference.

use super::{MAX_COMMENTS, TicketView};
use crate::Error;
use crate::identity::access::{Permit, ReadPublicTickets};
use crate::kernel::IssueKind;
use crate::ports::{Ports, read_only};
use crate::work::issues::TicketReference;

/// One ticket opened from outside, with its newest public comments if the key may read them.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(
    ports: &Ports,
    permit: &Permit<ReadPublicTickets>,
    reference: Option<TicketReference>,
) -> Result<TicketView, Error> {
    // Text that is not a reference is treated like an unknown one.
    let reference = reference.ok_or(Error::NotFound("ticket"))?;
    let shows_comments = permit.shows_comments_on(IssueKind::Ticket);
    read_only(ports, permit, move |tx| {
        let ticket = tx.tickets().find(reference.as_str())?.ok_or(Error::NotFound("ticket"))?;
        let comments =
            if shows_comments { tx.tickets().public_comments(ticket.issue.id, MAX_COMMENTS + 1)? } else { Vec::new() };
        Ok(TicketView::new(ticket, comments))
    })
    .await
}
