//! Adds a comment to a task or a ticket.

use super::send::SendOptions;
use super::{Comment, CommentFields, CommentedRecord, Visibility};
use crate::events::EventBuilder;
use crate::identity::access::{CreateComments, Permit};
use crate::kernel::IssueKind;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, Tx, transact_idempotent};
use crate::records::Resource;
use crate::work::issues::{self, Issue, IssueStatus};
use crate::{CommentId, Error, IssueId};

/// Adds a comment to a task or a ticket. A public comment is mailed to the ticket's requester.
///
/// # Errors
/// [`Error::NotFound`] for the issue, [`Error::Invalid`] for a public comment on a task,
/// [`Error::InvalidStateChange`] for a public comment on a closed ticket.
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    once: Option<IdempotentRequest<Comment>>,
    issue_id: IssueId,
    fields: CommentFields,
) -> Result<IdempotentResult<Comment>, Error> {
    create_as(ports, permit, once, issue_id, fields, |comment| comment, SendOptions::default()).await
}

/// Like [`create`], with what sending adds to it. Returns the comment as `convert` returns it.
pub(super) async fn create_as<T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    once: Option<IdempotentRequest<T>>,
    issue_id: IssueId,
    fields: CommentFields,
    convert: fn(Comment) -> T,
    options: SendOptions,
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
        let is_public = comment.visibility == Visibility::Public;
        let found = read_issue(tx, issue_id, is_public)?;
        let mut issue = found.filter(|issue| acting.reaches(issue.kind)).ok_or(Error::NotFound("issue"))?;
        if is_public {
            check_takes_public_comments(&issue)?;
            options.check(tx, issue_id)?;
        }
        tx.comments().insert(&comment)?;
        if issue.kind == IssueKind::Ticket {
            if is_public {
                issue.conversation.answered(now);
            } else {
                issue.conversation.noted(now);
            }
            tx.records::<Issue>().save(&issue)?;
        }
        options.remove_draft(tx, CommentedRecord::Issue(issue_id), comment.visibility)?;
        issues::queue_answer_email(&outside, acting.workspace(), tx, &issue, &comment)?;
        tx.emit(&[reporter.commented(&comment, &issue)])?;
        Ok(convert(comment.clone()))
    })
    .await
}

/// Reads the issue. A ticket is locked, so that it cannot be closed between the check and the comment, and its conversation misses no
/// message.
fn read_issue(tx: &mut dyn Tx, id: IssueId, is_public: bool) -> Result<Option<Issue>, Error> {
    if !is_public {
        let found = tx.records::<Issue>().get(id)?;
        if found.as_ref().is_none_or(|issue| issue.kind == IssueKind::Task) {
            return Ok(found);
        }
    }
    Ok(tx.records::<Issue>().get_for_update(id)?)
}

/// Tasks have no customers, and the customer of a closed ticket could not reply.
fn check_takes_public_comments(issue: &Issue) -> Result<(), Error> {
    match (issue.kind, issue.status) {
        (IssueKind::Task, _) => Err(Error::invalid(
            "visibility",
            "tickets_only",
            "a comment on a task is always internal; only tickets have public comments",
        )),
        (IssueKind::Ticket, IssueStatus::Closed) => Err(Error::InvalidStateChange(
            "the ticket is closed, so its customer could not reply: reopen it first (status open), or comment on it \
             internally (visibility internal)"
                .to_owned(),
        )),
        (IssueKind::Ticket, _) => Ok(()),
    }
}
