//! Rules for comments on any kind of record: who may change and delete them, and how the audit log records it.

use serde_json::json;
use time::OffsetDateTime;

use crate::events::EventBuilder;
use crate::identity::access::{Actor, ActorKind, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::input::{Field, LongText, fields};
use crate::ports::{Ports, Tx};
use crate::{CommentId, Error};

/// The maximum length of a comment, in characters.
pub const MAX_COMMENT: usize = 10_000;

fields! {
    /// A change of a comment. Only its text changes, never who may read it.
    pub struct CommentChange {
        /// The new text.
        body: LongText<MAX_COMMENT> = required,
    }
}

impl CommentChange {
    /// The new text.
    ///
    /// # Errors
    /// [`Error::Malformed`] without one.
    pub(crate) fn into_body(self) -> Result<String, Error> {
        match self.body {
            Field::Set(body) => Ok(body.into()),
            _ => Err(Error::malformed("body", "required", "body is required")),
        }
    }
}

/// Whether the record whose comments are listed is known to exist. If not, an empty list may mean that there is no such record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParentRecord {
    Unverified,
    /// The same request has read the record.
    Verified,
}

/// In which role a caller may change or delete a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditorRole {
    Author,
    /// An owner, an admin or an operator.
    Administrator,
}

/// A caller who is about to change or delete one comment.
pub(crate) struct Editor<P> {
    permit: Permit<P>,
    entry: AuditEntry,
    pub(crate) now: OffsetDateTime,
}

impl<P> Editor<P> {
    pub(crate) fn new(ports: &Ports, permit: &Permit<P>, action: AuditAction, id: CommentId) -> Self {
        let entry = AuditEntry::new(ports, &permit.principal(), action, AuditSubject::comment(id), json!({}));
        Self { permit: permit.clone(), entry, now: ports.clock.now() }
    }

    /// Builds the events about the comment.
    pub(crate) fn reporter(&self) -> EventBuilder {
        EventBuilder::new(&self.permit.principal(), self.now)
    }

    pub(crate) const fn permit(&self) -> &Permit<P> {
        &self.permit
    }

    /// Authors may change and delete their own comments; owners and admins may change and delete all. An API key is the author of the
    /// comments that it wrote.
    ///
    /// # Errors
    /// [`Error::Forbidden`]; [`Error::Unauthorized`] for a session that has ended.
    pub(crate) fn check(&self, tx: &mut dyn Tx, author: Actor) -> Result<EditorRole, Error> {
        if author.kind != ActorKind::Customer && author == self.permit.actor() {
            return Ok(EditorRole::Author);
        }
        match self.permit.confirm(tx, self.now) {
            Ok(_) => Ok(EditorRole::Administrator),
            Err(Error::SessionNeeded | Error::RoleNeeded) => {
                let message = "only its author, or an owner or admin who is signed in, can change or delete a comment";
                Err(Error::Forbidden(message.to_owned()))
            }
            Err(error) => Err(error),
        }
    }

    /// Writes a change or deletion of another author's comment to the audit log. The details name the record, never the text.
    pub(crate) fn note(
        &self,
        tx: &mut dyn Tx,
        role: EditorRole,
        author: Actor,
        record: &serde_json::Value,
    ) -> Result<(), Error> {
        if role == EditorRole::Administrator {
            tx.audit().append(&self.entry.with(json!({ "record": record, "author": author })))?;
        }
        Ok(())
    }
}
