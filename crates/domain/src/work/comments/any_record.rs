//! Comments on records of any kind, for tools that handle several kinds.
//!
//! A comment on a task or a ticket takes the permission on comments of that kind; one on a contact, company or deal takes the
//! permission on the record. Records and comments that the caller does not reach are treated as missing.

use time::OffsetDateTime;
use uuid::Uuid;

use super::send::SendOptions;
use super::{Comment, CommentFields, Visibility, list, write};
use crate::crm::comments::{self as crm_comments, CrmRecord, RecordComment, RecordCommentFields};
use crate::identity::access::{CreateComments, DeleteComments, Permit, ReadComments, UpdateComments};
use crate::identity::audit::AuditAction;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{ListName, Page, PageRequest, Paginated};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::{CommentChange, Editor, ParentRecord, RecordKind};
use crate::{CommentId, Error, IssueId};

/// A record that can have comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentedRecord {
    /// A task or a ticket.
    Issue(IssueId),
    /// A contact, company or deal.
    Crm(CrmRecord),
}

impl CommentedRecord {
    /// The record of a kind with this id; `None` for kinds that have no comments.
    pub fn of(kind: RecordKind, id: Uuid) -> Option<Self> {
        Some(match kind {
            RecordKind::Task | RecordKind::Ticket => Self::Issue(id.into()),
            RecordKind::Contact => Self::Crm(CrmRecord::Contact(id.into())),
            RecordKind::Company => Self::Crm(CrmRecord::Company(id.into())),
            RecordKind::Deal => Self::Crm(CrmRecord::Deal(id.into())),
            _ => return None,
        })
    }

    /// The name of its kind.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Issue(_) => "issue",
            Self::Crm(record) => record.noun(),
        }
    }

    /// The id of the record itself.
    pub const fn id(self) -> Uuid {
        match self {
            Self::Issue(id) => id.0,
            Self::Crm(record) => record.id(),
        }
    }

    /// Checks that the record is live and that the caller reaches it. Access to a task or ticket depends on its kind, access to
    /// another record on `reaches`.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub(in crate::work) fn check<P>(
        self,
        tx: &mut dyn Tx,
        permit: &Permit<P>,
        reaches: fn(CrmRecord, &Permit<P>) -> bool,
    ) -> Result<(), Error> {
        let is_reachable = match self {
            Self::Issue(id) => tx.issues().kind_of(id)?.is_some_and(|kind| permit.reaches(kind)),
            Self::Crm(record) => reaches(record, permit) && record.is_live(tx)?,
        };
        if is_reachable { Ok(()) } else { Err(Error::NotFound(self.noun())) }
    }
}

/// A comment on any record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyComment {
    /// On a task or a ticket.
    OnIssue(Comment),
    /// On a contact, company or deal.
    OnRecord(RecordComment),
}

impl AnyComment {
    pub const fn id(&self) -> CommentId {
        match self {
            Self::OnIssue(comment) => comment.id,
            Self::OnRecord(comment) => comment.id,
        }
    }

    pub const fn version(&self) -> i64 {
        match self {
            Self::OnIssue(comment) => comment.version,
            Self::OnRecord(comment) => comment.version,
        }
    }

    pub fn body(&self) -> &str {
        match self {
            Self::OnIssue(comment) => &comment.body,
            Self::OnRecord(comment) => &comment.body,
        }
    }

    /// Who may read it; `None` on contacts, companies and deals.
    pub const fn visibility(&self) -> Option<Visibility> {
        match self {
            Self::OnIssue(comment) => Some(comment.visibility),
            Self::OnRecord(_) => None,
        }
    }

    /// The record that it is on.
    pub const fn record(&self) -> CommentedRecord {
        match self {
            Self::OnIssue(comment) => CommentedRecord::Issue(comment.issue_id),
            Self::OnRecord(comment) => CommentedRecord::Crm(comment.record),
        }
    }
}

impl Paginated for AnyComment {
    const LIST: ListName = ListName::COMMENTS;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        match self {
            Self::OnIssue(comment) => comment.cursor_key(),
            Self::OnRecord(comment) => comment.cursor_key(),
        }
    }
}

/// A page of a record's comments, oldest first.
///
/// # Errors
/// [`Error::NotFound`] for the record.
pub async fn list_any(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    on: CommentedRecord,
    page: PageRequest,
) -> Result<Page<AnyComment>, Error> {
    list_of_parent(ports, permit, on, page, ParentRecord::Unverified).await
}

/// Like [`list_any`], for a record that was read in the same request. If the record is gone by now, the list is empty. One statement.
///
/// # Errors
/// [`Error::NotFound`] for a record that the caller does not reach.
pub async fn list_of_loaded(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    on: CommentedRecord,
    page: PageRequest,
) -> Result<Page<AnyComment>, Error> {
    list_of_parent(ports, permit, on, page, ParentRecord::Verified).await
}

async fn list_of_parent(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    on: CommentedRecord,
    page: PageRequest,
    parent: ParentRecord,
) -> Result<Page<AnyComment>, Error> {
    const ALL: CreatedFilter = CreatedFilter { created_since: None, created_before: None };

    match on {
        CommentedRecord::Issue(id) => {
            Ok(list::list_of_parent(ports, permit, id, ALL, page, parent).await?.map(AnyComment::OnIssue))
        }
        CommentedRecord::Crm(record) if record.may_be_read(permit) => {
            let found = crm_comments::list_of_parent(ports, permit, record, ALL, page, parent).await?;
            Ok(found.map(AnyComment::OnRecord))
        }
        CommentedRecord::Crm(record) => Err(Error::NotFound(record.noun())),
    }
}

/// Adds a comment to a record.
///
/// # Errors
/// [`Error::NotFound`] for the record; [`Error::Invalid`] for a visibility on a record whose comments have none.
pub async fn create_any(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    once: Option<IdempotentRequest<AnyComment>>,
    on: CommentedRecord,
    fields: CommentFields,
) -> Result<IdempotentResult<AnyComment>, Error> {
    create_any_as(ports, permit, once, on, fields, SendOptions::default()).await
}

/// Like [`create_any`], with the options of sending.
pub(super) async fn create_any_as(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    once: Option<IdempotentRequest<AnyComment>>,
    on: CommentedRecord,
    fields: CommentFields,
    options: SendOptions,
) -> Result<IdempotentResult<AnyComment>, Error> {
    let record = match on {
        CommentedRecord::Issue(id) => {
            return write::create_as(ports, permit, once, id, fields, AnyComment::OnIssue, options).await;
        }
        CommentedRecord::Crm(record) => record,
    };
    if fields.visibility.set().is_some() {
        let message = format!("a comment on a {} has no visibility: omit it", record.noun());
        return Err(Error::invalid("visibility", "tickets_only", message));
    }
    if !record.may_be_written(permit) {
        return Err(Error::NotFound(record.noun()));
    }
    let fields = RecordCommentFields { body: fields.body };
    let remove_draft = move |tx: &mut dyn Tx| options.remove_draft(tx, on, Visibility::Internal);
    crm_comments::create_as(ports, permit, once, record, fields, AnyComment::OnRecord, remove_draft).await
}

/// Reads a comment by its id, for a caller who is about to change it.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read_any(ports: &Ports, permit: &Permit<UpdateComments>, id: CommentId) -> Result<AnyComment, Error> {
    let acting = permit.clone();
    transact(ports, permit, move |tx| find(tx, &acting, id, CrmRecord::may_be_written)).await
}

/// Changes the text of the comment with this id.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for the comment of another author, [`Error::ConcurrentUpdate`].
pub async fn update_any(
    ports: &Ports,
    permit: &Permit<UpdateComments>,
    id: CommentId,
    expected: ExpectedVersion,
    change: CommentChange,
) -> Result<AnyComment, Error> {
    let body = change.into_body()?;
    let editor = Editor::new(ports, permit, AuditAction::CommentUpdated, id);
    transact(ports, permit, move |tx| match find(tx, editor.permit(), id, CrmRecord::may_be_written)? {
        AnyComment::OnIssue(stored) => write::update_in(tx, &editor, stored, &expected, &body).map(AnyComment::OnIssue),
        AnyComment::OnRecord(stored) => {
            crm_comments::update_in(tx, &editor, stored, &expected, &body).map(AnyComment::OnRecord)
        }
    })
    .await
}

/// Permanently deletes the comment with this id.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for the comment of another author, [`Error::ConcurrentUpdate`].
pub async fn delete_any(
    ports: &Ports,
    permit: &Permit<DeleteComments>,
    id: CommentId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let editor = Editor::new(ports, permit, AuditAction::CommentDeleted, id);
    transact(ports, permit, move |tx| match find(tx, editor.permit(), id, CrmRecord::may_be_deleted_from)? {
        AnyComment::OnIssue(stored) => write::delete_in(tx, &editor, &stored, &expected),
        AnyComment::OnRecord(stored) => crm_comments::delete_in(tx, &editor, stored, &expected),
    })
    .await
}

/// Finds and locks a comment on a live record that the caller reaches.
fn find<P>(
    tx: &mut dyn Tx,
    permit: &Permit<P>,
    id: CommentId,
    reaches: fn(CrmRecord, &Permit<P>) -> bool,
) -> Result<AnyComment, Error> {
    if let Some(comment) = tx.comments().get_for_update(id)? {
        let kind = tx.issues().kind_of(comment.issue_id)?.filter(|kind| permit.reaches(*kind));
        return kind.map(|_| AnyComment::OnIssue(comment)).ok_or(Error::NotFound("comment"));
    }
    let comment = tx.record_comments().get_for_update(id)?.filter(|comment| reaches(comment.record, permit));
    let comment = comment.ok_or(Error::NotFound("comment"))?;
    if comment.record.is_live(tx)? { Ok(AnyComment::OnRecord(comment)) } else { Err(Error::NotFound("comment")) }
}
