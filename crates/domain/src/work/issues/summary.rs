//! Counts tasks and tickets.

use super::IssueFilter;
use crate::Error;
use crate::identity::access::{Permit, ReadIssues};
use crate::kernel::Weight;
use crate::kernel::input::{choices, readable_choices};
use crate::kernel::summary::{Summary, SummaryRows};
use crate::ports::{Ports, weighed_read_only};

choices! {
    /// What issues are grouped by.
    pub enum IssueGroup {
        Status = "status",
        Priority = "priority",
        Assignee = "assignee",
        Project = "project",
    }
}

readable_choices!(IssueGroup);

/// Counts the tasks or the tickets that match a filter.
///
/// # Errors
/// [`Error::Malformed`] for a status or a filter of the other kind; [`Error::SearchTooSlow`] if there are too many.
pub async fn summarize(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    filter: IssueFilter,
    group_by: Vec<IssueGroup>,
) -> Result<Summary, Error> {
    permit.check_kind(filter.kind())?;
    filter.check_kind()?;
    let filter = filter.of_caller(permit, ports.clock.now());
    let members: Vec<_> = group_by.iter().map(|group| group.as_str()).collect();
    if filter.matches_nothing() {
        return Ok(Summary::of(SummaryRows::default(), &members));
    }
    // All issues may have to be read, even if few match.
    let rows =
        weighed_read_only(ports, permit, Weight::Search, move |tx| Ok(tx.issues().summarize(&filter, &group_by)?));
    Ok(Summary::of(rows.await?, &members))
}
