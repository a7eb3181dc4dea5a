//! Reading one issue.

use super::Issue;
use crate::identity::access::{Permit, ReadIssues};
use crate::ports::{Ports, statement};
use crate::{Error, IssueId};

/// One task or ticket of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadIssues>, id: IssueId) -> Result<Issue, Error> {
    let acting = permit.clone();
    statement(ports, permit, move |tx| {
        let found = tx.issues().get(id)?.filter(|issue| acting.reaches(issue.kind));
        found.ok_or(Error::NotFound("issue"))
    })
    .await
}
