//! Lists and reads tickets opened from outside.

use super::{MAX_COMMENTS, Ticket, TicketSummary, TicketView};
use crate::Error;
use crate::identity::access::{Permit, ReadPublicTickets};
use crate::kernel::IssueKind;
use crate::kernel::input::{CreatedFilter, EmailKey, Problems, Read, Value};
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, read_only, weighed_read_only};
use crate::work::issues::{IssueStatus, TicketReference, TicketType};

/// Filters of the list of tickets opened from outside.
#[derive(Debug, Clone, Default)]
pub struct TicketFilter {
    pub status: Option<IssueStatus>,
    /// The key of the requester's address.
    pub email_key: Option<String>,
    pub ticket_type: Option<TicketType>,
    pub created: CreatedFilter,
}

/// Parses the address filter and collects its errors.
pub fn parse_email(field: &str, text: Option<&str>, problems: &mut Problems) -> Option<String> {
    let mut found = Problems::default();
    match EmailKey::read(text?.into(), field, &mut found) {
        Read::Value(email) => Some(email.into()),
        Read::Empty | Read::Invalid => {
            problems.shape(field, "invalid_value", "must be a valid e-mail address");
            None
        }
    }
}

/// A page of tickets, newest first.
///
/// # Errors
/// [`Error::Malformed`] for the status of a task.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadPublicTickets>,
    filter: TicketFilter,
    page: PageRequest,
) -> Result<Page<TicketSummary>, Error> {
    if let Some(status) = filter.status {
        status.check_kind(IssueKind::Ticket, "status")?;
    }
    let weight = Weight::of_page(&page);
    let rows = weighed_read_only(ports, permit, weight, move |tx| Ok(tx.tickets().list(&filter, &page)?)).await?;
    Ok(Page::<Ticket>::from_rows(rows, &page).map(TicketSummary::from))
}

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
