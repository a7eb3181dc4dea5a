//! Counts deals and adds up their values.

use super::DealFilter;
use crate::Error;
use crate::identity::access::{Permit, ReadDeals};
use crate::kernel::Weight;
use crate::kernel::input::{choices, readable_choices};
use crate::kernel::summary::{Summary, SummaryRows};
use crate::ports::{Ports, weighed_read_only};
use crate::records::RecordFilter;

choices! {
    /// What deals are grouped by.
    pub enum DealGroup {
        /// By status.
        Status = "status",
        /// By stage.
        Stage = "stage",
        /// By currency.
        Currency = "currency",
        /// By the member they are assigned to.
        Assignee = "assignee",
    }
}

readable_choices!(DealGroup);

/// Counts the deals that match a filter, and adds up their values by currency.
///
/// # Errors
/// [`Error::SearchTooSlow`] if there are too many.
pub async fn summarize(
    ports: &Ports,
    permit: &Permit<ReadDeals>,
    filter: DealFilter,
    group_by: Vec<DealGroup>,
) -> Result<Summary, Error> {
    let members: Vec<_> = group_by.iter().map(|group| group.as_str()).collect();
    if filter.matches_nothing() {
        return Ok(Summary::of(SummaryRows::default(), &members));
    }
    let filter = filter.with_comments();
    // All deals may have to be read, even if few match.
    let rows =
        weighed_read_only(ports, permit, Weight::Search, move |tx| Ok(tx.deals().summarize(&filter, &group_by)?));
    Ok(Summary::of(rows.await?, &members))
}
