//! Lists tickets opened from outside.

use super::{Ticket, TicketSummary};
use crate::Error;
use crate::identity::access::{Permit, ReadPublicTickets};
use crate::kernel::IssueKind;
use crate::kernel::input::{CreatedFilter, EmailKey, Problems, Read, Value};
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, weighed_read_only};
use crate::work::issues::{IssueStatus, TicketType};

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
