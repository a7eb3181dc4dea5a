//! Adds, changes and deletes comments on tasks and tickets.

use serde_json::json;

use super::send::SendOptions;
use super::{Comment, CommentFields, CommentedRecord, Visibility};
use crate::events::EventBuilder;
use crate::identity::access::{ActorKind, CreateComments, DeleteComments, Permit, UpdateComments};
use crate::identity::audit::AuditAction;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::versions::ExpectedVersion;
use crate::kernel::{IssueKind, later};
use crate::ports::{Ports, Tx, transact, transact_idempotent};
use crate::records::{self, CommentChange, Editor, Resource};
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

/// Like [`create`], with the options of sending. Returns the comment as `convert` returns it.
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
                issue.conversation.team_answered(now);
            } else {
                issue.conversation.message_added(now);
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

/// Changes the text of a comment on a task or a ticket, even if it was already mailed to the customer. The same text changes nothing,
/// not even the version.
///
/// # Errors
/// [`Error::NotFound`] for the issue or the comment, [`Error::Forbidden`] for the comment of another author,
/// [`Error::ConcurrentUpdate`].
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateComments>,
    (issue, id): (IssueId, CommentId),
    expected: ExpectedVersion,
    change: CommentChange,
) -> Result<Comment, Error> {
    let body = change.into_body()?;
    let editor = Editor::new(ports, permit, AuditAction::CommentUpdated, id);
    transact(ports, permit, move |tx| {
        let stored = find(tx, editor.permit(), issue, id)?;
        update_in(tx, &editor, stored, &expected, &body)
    })
    .await
}

/// Finds and locks a comment on a live issue that the caller reaches.
fn find<P>(tx: &mut dyn Tx, permit: &Permit<P>, issue: IssueId, id: CommentId) -> Result<Comment, Error> {
    let kind = tx.issues().kind_of(issue)?.filter(|kind| permit.reaches(*kind));
    kind.ok_or(Error::NotFound("issue"))?;
    let stored = tx.comments().get_for_update(id)?.filter(|comment| comment.issue_id == issue);
    stored.ok_or(Error::NotFound("comment"))
}

/// Changes a locked comment.
pub(super) fn update_in<P>(
    tx: &mut dyn Tx,
    editor: &Editor<P>,
    stored: Comment,
    expected: &ExpectedVersion,
    body: &str,
) -> Result<Comment, Error> {
    if stored.author.kind == ActorKind::Customer {
        let message = "a customer's comment cannot be changed; an owner or admin who is signed in can delete it";
        return Err(Error::Forbidden(message.to_owned()));
    }
    let role = editor.check(tx, stored.author)?;
    expected.check(stored.version)?;
    if stored.body == body {
        return Ok(stored);
    }
    let changed = Comment {
        body: body.to_owned(),
        edited_at: Some(editor.now),
        version: stored.version + 1,
        updated_at: later(stored.updated_at, editor.now),
        ..stored.clone()
    };
    tx.comments().save(&changed)?;
    let issue = tx.records::<Issue>().get(changed.issue_id)?.ok_or(Error::NotFound("issue"))?;
    tx.emit(&editor.reporter().comment_updated(&stored, &changed, &issue))?;
    let record = json!({ "type": "issue", "id": changed.issue_id });
    editor.note(tx, role, changed.author, &record)?;
    Ok(changed)
}

/// Permanently deletes a comment on a task or a ticket. The remaining messages decide whether the customer waits for an answer.
///
/// # Errors
/// [`Error::NotFound`] for the issue or the comment, [`Error::Forbidden`] for the comment of another author,
/// [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteComments>,
    (issue, id): (IssueId, CommentId),
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let editor = Editor::new(ports, permit, AuditAction::CommentDeleted, id);
    transact(ports, permit, move |tx| {
        let stored = find(tx, editor.permit(), issue, id)?;
        delete_in(tx, &editor, &stored, &expected)
    })
    .await
}

/// Deletes a locked comment.
pub(super) fn delete_in<P>(
    tx: &mut dyn Tx,
    editor: &Editor<P>,
    stored: &Comment,
    expected: &ExpectedVersion,
) -> Result<(), Error> {
    let role = editor.check(tx, stored.author)?;
    expected.check(stored.version)?;
    tx.comments().delete(stored.id)?;
    let issue = tx.records::<Issue>().get(stored.issue_id)?.ok_or(Error::NotFound("issue"))?;
    if issue.kind == IssueKind::Ticket {
        update_conversation(tx, stored)?;
    }
    tx.emit(&[editor.reporter().comment_deleted(stored, &issue, editor.now)])?;
    editor.note(tx, role, stored.author, &json!({ "type": "issue", "id": stored.issue_id }))
}

/// Updates the conversation of a ticket after a comment was deleted.
fn update_conversation(tx: &mut dyn Tx, deleted: &Comment) -> Result<(), Error> {
    let mut ticket: Issue = records::lock(tx, deleted.issue_id)?;
    let is_answer = deleted.visibility == Visibility::Public && deleted.author.kind != ActorKind::Customer;
    let answer = is_answer.then_some(deleted.created_at);
    let remaining = tx.comments().message_times(ticket.id, ticket.waits_from(answer))?;
    ticket.message_deleted(answer, remaining);
    Ok(tx.records::<Issue>().save(&ticket)?)
}
