//! Reading one issue.

use super::Issue;
use crate::access::{Permit, ReadIssues};
use crate::ports::{Ports, statement};
use crate::{Error, IssueId};

/// One task or ticket of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadIssues>, id: IssueId) -> Result<Issue, Error> {
    statement(ports, permit, move |tx| tx.issues().get(id)?.ok_or(Error::NotFound("issue"))).await
}
