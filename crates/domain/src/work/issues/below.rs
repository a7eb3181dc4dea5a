//! The sub-tasks of an issue, and the issues of an epic.

use super::Issue;
use crate::identity::access::{Permit, ReadIssues};
use crate::kernel::IssueKind;
use crate::ports::{Ports, read_only};
use crate::{Error, IssueId};

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
    let found = read_only(ports, permit, move |tx| Ok(tx.issues().with_below(kind, id, MAX_CHILDREN)?)).await?;
    let (issue, below) = found.ok_or(Error::NotFound("issue"))?;
    let (children, in_epic) = below.into_iter().partition(|issue| issue.parent_id == Some(id));
    Ok((issue, ChildIssues { parts: children, in_epic }))
}
