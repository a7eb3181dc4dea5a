//! The project and company that time counts towards, and the member's rate, all as they were when the time was recorded.

use super::TimeEntry;
use crate::kernel::input::Masked;
use crate::ports::Tx;
use crate::{CompanyId, DealId, Error, IssueId, ProjectId};

/// What was worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryTarget {
    /// A task or a ticket.
    Issue(IssueId),
    Project(ProjectId),
    Deal(DealId),
}

/// What time counts towards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attribution {
    pub project: Option<ProjectId>,
    pub company: Option<CompanyId>,
}

/// Sets project, company and rate of an entry whose target or member is not the stored one.
pub(super) fn attribute(entry: &mut TimeEntry, stored: Option<&TimeEntry>, tx: &mut dyn Tx) -> Result<(), Error> {
    let is_as_before = |before: &TimeEntry| before.target() == entry.target() && before.member_id == entry.member_id;
    if stored.is_some_and(is_as_before) {
        return Ok(());
    }
    let attribution = match entry.target() {
        Some(target) => tx.time_entries().attribution(target)?,
        None => Attribution::default(),
    };
    (entry.in_project_id, entry.for_company_id) = (attribution.project, attribution.company);
    let rate = tx.time_entries().rate_for(entry.member_id, attribution.project)?;
    let (value, currency) = rate.map(|rate| (rate.rate, rate.currency)).unzip();
    (entry.rate, entry.rate_currency) = (Masked::new(value), Masked::new(currency));
    Ok(())
}
