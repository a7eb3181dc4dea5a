//! Reads one issue, alone or with the issues below it.

use super::{Issue, IssueFilter, TicketReference};
use crate::identity::access::{Permit, ReadHistory, ReadIssues};
use crate::kernel::IssueKind;
use crate::kernel::paging::PageRequest;
use crate::ports::{Ports, read_only};
use crate::records::RecordKind;
use crate::{Error, IssueId};

/// One task or ticket of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadIssues>, id: IssueId) -> Result<Issue, Error> {
    let acting = permit.clone();
    read_only(ports, permit, move |tx| {
        let found = tx.records::<Issue>().get(id)?.filter(|issue| acting.reaches(issue.kind));
        found.ok_or(Error::NotFound("issue"))
    })
    .await
}

/// The id of the ticket with this reference, for its history.
///
/// # Errors
/// [`Error::NotFound`], also for a caller who may not read tickets.
pub async fn id_by_reference(
    ports: &Ports,
    permit: &Permit<ReadHistory>,
    reference: TicketReference,
) -> Result<IssueId, Error> {
    let permit = permit.permit_if_covered::<ReadIssues>().filter(|permit| permit.may_read(RecordKind::Ticket.reads()));
    let permit = permit.ok_or(Error::NotFound("issue"))?;
    Ok(read_by_reference(ports, &permit, reference).await?.id)
}

/// The ticket of the caller's workspace with this reference.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read_by_reference(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    reference: TicketReference,
) -> Result<Issue, Error> {
    permit.check_kind(IssueKind::Ticket)?;
    let filter = IssueFilter { reference: Some(reference), ..IssueFilter::all(IssueKind::Ticket) };
    read_only(ports, permit, move |tx| {
        let found = tx.lists::<Issue>().list(&filter, &PageRequest::first(1))?;
        found.into_iter().next().ok_or(Error::NotFound("issue"))
    })
    .await
}

/// The maximum number of listed issues per relation.
pub const MAX_CHILDREN: u32 = 200;

/// The issues directly below another issue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChildIssues {
    /// The issues whose parent it is.
    pub parts: Vec<Issue>,
    /// The issues whose epic it is, except its parts.
    pub in_epic: Vec<Issue>,
}

/// An issue of a kind with the live issues of that kind directly below it: at most [`MAX_CHILDREN`] per relation, oldest first. One
/// statement.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for a kind that the caller does not reach.
pub async fn read_with_children(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    kind: IssueKind,
    id: IssueId,
) -> Result<(Issue, ChildIssues), Error> {
    permit.check_kind(kind)?;
    let found = read_only(ports, permit, move |tx| Ok(tx.issues().with_children(kind, id, MAX_CHILDREN)?)).await?;
    let (issue, below) = found.ok_or(Error::NotFound("issue"))?;
    let (subtasks, in_epic) = below.into_iter().partition(|issue| issue.parent_id == Some(id));
    Ok((issue, ChildIssues { parts: subtasks, in_epic }))
}
