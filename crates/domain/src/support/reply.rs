//! A customer's reply to their ticket.

use std::sync::Arc;

use super::{PortalVisitor, PublicComment};
use crate::events::EventBuilder;
use crate::identity::access::{Actor, Principal};
use crate::identity::notifications::{CustomerReply, notify_replied};
use crate::identity::workspaces::Workspace;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{Field, LongText, fields};
use crate::ports::{Ports, Tx, transact_idempotent_in};
use crate::records::Kind;
use crate::work::comments::{Comment, Visibility};
use crate::work::issues::{Issue, IssueStatus, queue_resolution_emails};
use crate::{CommentId, Error};

fields! {
    /// The body of a reply.
    pub struct ReplyFields {
        /// The text.
        body: LongText<10_000> = required,
    }
}

/// Adds a public comment by the customer and reopens a ticket that was `pending` or `resolved`.
///
/// # Errors
/// [`Error::InvalidStateChange`] for a closed ticket, [`Error::PortalTokenNeeded`] for a deleted one and after the customer's data
/// was erased.
pub async fn reply(
    ports: &Ports,
    visitor: &PortalVisitor,
    once: Option<IdempotentRequest<PublicComment>>,
    fields: ReplyFields,
) -> Result<IdempotentResult<PublicComment>, Error> {
    let now = ports.clock.now();
    let Field::Set(body) = fields.body else {
        return Err(Error::malformed("body", "required", "body is required"));
    };
    let id = CommentId(ports.ids.new_id());
    let blank = Comment::blank(id, visitor.issue, Actor::CUSTOMER, Actor::SYSTEM, now);
    let comment = Comment { body: body.into(), visibility: Visibility::Public, ..blank };
    let (id, address, request_id) = (visitor.issue, visitor.address, visitor.request_id.clone());
    let owner = visitor.idempotency_owner();
    let (outside, workspace) = (ports.clone(), Arc::clone(&visitor.workspace));
    transact_idempotent_in(ports, visitor.workspace_id(), owner, once, move |tx| {
        let stored = tx.records::<Issue>().get_for_update(id)?.ok_or(Error::PortalTokenNeeded)?;
        let requester =
            stored.requester.clone().filter(|requester| !requester.is_erased()).ok_or(Error::PortalTokenNeeded)?;
        let issue = answered_by_customer(&stored, now)?;
        tx.comments().insert(&comment)?;
        let principal = Principal::named(Actor::CUSTOMER, &requester.name, address).in_request(request_id.clone());
        let reporter = EventBuilder::new(&principal, now);
        let mut events = vec![reporter.commented(&comment, &issue)];
        tx.records::<Issue>().save(&issue)?;
        if issue.version != stored.version {
            events.extend(reporter.updated(&stored, &issue));
        }
        tx.emit(&events)?;
        queue_resolution_emails(&outside, &workspace, tx, &[(&stored, &issue)])?;
        notify_assignee(&outside, &workspace, tx, &issue, &comment)?;
        Ok(PublicComment::from(comment.clone()))
    })
    .await
}

/// Notifies the assignee of the ticket, if there is one.
fn notify_assignee(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    ticket: &Issue,
    comment: &Comment,
) -> Result<(), Error> {
    let (Some(assignee), Some(requester)) = (ticket.assignee_id, &ticket.requester) else {
        return Ok(());
    };
    let reply = CustomerReply {
        ticket: ticket.id,
        reference: ticket.reference.as_deref().unwrap_or_default(),
        title: &ticket.title,
        assignee,
        comment: comment.id,
        customer: &requester.name,
        body: &comment.body,
    };
    notify_replied(ports, workspace, tx, &reply)
}

/// The ticket after a reply by its customer.
fn answered_by_customer(stored: &Issue, now: time::OffsetDateTime) -> Result<Issue, Error> {
    let mut issue = stored.clone();
    issue.conversation.customer_wrote(now);
    match stored.status {
        IssueStatus::Closed => {
            let message = "a closed ticket cannot be replied to: open a new ticket and mention this one's reference";
            return Err(Error::InvalidStateChange(message.to_owned()));
        }
        IssueStatus::Pending | IssueStatus::Resolved => {
            issue.move_to(IssueStatus::Open, now)?;
            issue.bump_version(now);
        }
        _ => {}
    }
    Ok(issue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::IssueKind;
    use crate::testing;
    use time::OffsetDateTime;

    #[test]
    fn a_reply_reopens_pending_and_resolved_tickets_only() {
        for (before, after) in [
            (IssueStatus::Open, Some(IssueStatus::Open)),
            (IssueStatus::Pending, Some(IssueStatus::Open)),
            (IssueStatus::OnHold, Some(IssueStatus::OnHold)),
            (IssueStatus::Resolved, Some(IssueStatus::Open)),
            (IssueStatus::Closed, None),
        ] {
            let stored = testing::issue(IssueKind::Ticket, before);
            let issue = answered_by_customer(&stored, OffsetDateTime::UNIX_EPOCH).ok();
            assert_eq!(issue.as_ref().map(|issue| issue.status), after, "{before}");
            let moved = after.is_some_and(|after| after != before);
            assert!(issue.is_none_or(|issue| issue.version == stored.version + i64::from(moved)));
        }
    }
}
