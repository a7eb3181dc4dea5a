//! The sub-tasks of an issue, and what belongs to an epic.

use super::Issue;
use crate::identity::access::{Permit, ReadIssues};
use crate::kernel::IssueKind;
use crate::ports::{Ports, read_only};
use crate::{Error, IssueId};

/// The maximum number of issues that are listed by each relation.
pub const MAX_BELOW: u32 = 200;

/// The issues below another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Below {
    /// Those that are parts of it.
    pub parts: Vec<Issue>,
    /// Those that belong to it as an epic, without its parts.
    pub in_epic: Vec<Issue>,
}

/// An issue of a kind, with the live ones of that kind right below it, the oldest first, at most [`MAX_BELOW`] by each
/// relation. One statement.
///
/// # Errors
/// [`Error::NotFound`] if there is none, [`Error::Forbidden`] for a kind that the caller does not reach.
pub async fn read_with_below(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    kind: IssueKind,
    id: IssueId,
) -> Result<(Issue, Below), Error> {
    permit.check_kind(kind)?;
    let found = read_only(ports, permit, move |tx| Ok(tx.issues().with_below(kind, id, MAX_BELOW)?)).await?;
    let (issue, below) = found.ok_or(Error::NotFound("issue"))?;
    let (children, in_epic) = below.into_iter().partition(|issue| issue.parent_id == Some(id));
    Ok((issue, Below { parts: children, in_epic }))
}
