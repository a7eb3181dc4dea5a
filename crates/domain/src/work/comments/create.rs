//! Adding a comment.

use super::{Comment, CommentFields, Visibility};
use crate::identity::access::{CreateComments, Permit};
use crate::kernel::IssueKind;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, transact_idempotent};
use crate::records::Resource;
use crate::webhooks::EventBuilder;
use crate::work::issues;
use crate::{CommentId, Error, IssueId};

/// Adds a comment to a task or a ticket. A public one is mailed to the ticket's requester.
///
/// # Errors
/// [`Error::NotFound`] for the issue, [`Error::Invalid`] for a public comment on a task.
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    once: Option<IdempotentRequest<Comment>>,
    issue_id: IssueId,
    fields: CommentFields,
) -> Result<IdempotentResult<Comment>, Error> {
    create_as(ports, permit, once, issue_id, fields, |comment| comment).await
}

/// Like [`create`], with the comment in another form.
pub(super) async fn create_as<T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    once: Option<IdempotentRequest<T>>,
    issue_id: IssueId,
    fields: CommentFields,
    shown: fn(Comment) -> T,
) -> Result<IdempotentResult<T>, Error> {
    let now = ports.clock.now();
    if fields.body.set().is_none() {
        return Err(Error::malformed("body", "required", "body is required"));
    }
    let mut comment = Comment::blank(CommentId(ports.ids.new_id()), issue_id, permit.actor(), permit.actor(), now);
    comment.apply(fields);
    let reporter = EventBuilder::new(&permit.principal(), now);
    let (acting, outside) = (permit.clone(), ports.clone());
    transact_idempotent(ports, permit, once, move |tx| {
        let issue = tx.issues().get(issue_id)?.filter(|issue| acting.reaches(issue.kind));
        let issue = issue.ok_or(Error::NotFound("issue"))?;
        if issue.kind == IssueKind::Task && comment.visibility == Visibility::Public {
            return Err(Error::invalid(
                "visibility",
                "tickets_only",
                "a comment on a task is always internal; only tickets have public ones",
            ));
        }
        tx.comments().insert(&comment)?;
        issues::queue_answer_email(&outside, acting.workspace(), tx, &issue, &comment)?;
        tx.emit(&reporter.commented(&comment, &issue));
        Ok(shown(comment.clone()))
    })
    .await
}
