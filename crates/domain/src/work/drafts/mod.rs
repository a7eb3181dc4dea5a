//! Drafts: unsent comments. A user has one per record and visibility, so an answer to a customer and an internal note can be written at
//! the same time.
//!
//! They are saved on the server as they are typed, so that no reload, sign-out or change by others loses them. Saving a draft takes the
//! permission to comment on the record. [`comments::send`](crate::work::comments::send) turns a draft into a comment.

use time::OffsetDateTime;

use super::comments::{CommentedRecord, Visibility};
use crate::Error;
use crate::crm::comments::CrmRecord;
use crate::identity::access::{CreateComments, Permit};
use crate::kernel::input::{LongText, fields};
use crate::ports::{Ports, read_only, statement};

/// The maximum number of drafts per user. Beyond that, the least recently written are removed.
pub const MAX_DRAFTS: u32 = 200;
/// The maximum size of all drafts of a user. Beyond that, the least recently written are removed.
pub const MAX_DRAFT_BYTES: u32 = 1024 * 1024;

fields! {
    /// What somebody has written so far. Without a text there is no draft.
    pub struct DraftFields {
        /// The text.
        body: LongText<10_000>,
        /// Who is to read it; tickets only.
        /// Default: internal.
        visibility: Visibility,
    }
}

/// An unsent comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub record: CommentedRecord,
    pub body: String,
    /// Always internal, except on tickets.
    pub visibility: Visibility,
    /// Increases with each save.
    pub version: i64,
    pub updated_at: OffsetDateTime,
}

/// Saves the text that the caller has written so far, in place of the earlier draft. An empty text removes the draft and returns `None`.
///
/// # Errors
/// [`Error::NotFound`] for the record, [`Error::SessionNeeded`].
pub async fn save(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    record: CommentedRecord,
    fields: DraftFields,
) -> Result<Option<Draft>, Error> {
    let (user, updated_at) = (permit.session_user()?, ports.clock.now());
    let visibility = match record {
        CommentedRecord::Issue(_) => fields.visibility.set().copied().unwrap_or(Visibility::Internal),
        CommentedRecord::Crm(_) => Visibility::Internal,
    };
    let draft = fields.body.set().map(|body| {
        let body = body.clone().into();
        Draft { record, body, visibility, version: 1, updated_at }
    });
    let acting = permit.clone();
    statement(ports, permit, move |tx| {
        record.check(tx, &acting, CrmRecord::may_be_written)?;
        let Some(draft) = &draft else {
            tx.drafts().delete(user, record, visibility)?;
            return Ok(None);
        };
        let version = tx.drafts().save(user, draft)?;
        Ok(Some(Draft { version, ..draft.clone() }))
    })
    .await
}

/// The caller's drafts of comments on a record: at most one of each visibility, the public one last. They can be read even if the
/// record was deleted, because the texts belong to the caller.
///
/// # Errors
/// [`Error::SessionNeeded`].
pub async fn read(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    record: CommentedRecord,
) -> Result<Vec<Draft>, Error> {
    let user = permit.session_user()?;
    read_only(ports, permit, move |tx| Ok(tx.drafts().on(user, record)?)).await
}

/// Removes the caller's draft; returns whether there was one.
///
/// # Errors
/// [`Error::SessionNeeded`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    record: CommentedRecord,
    visibility: Visibility,
) -> Result<bool, Error> {
    let user = permit.session_user()?;
    statement(ports, permit, move |tx| Ok(tx.drafts().delete(user, record, visibility)?)).await
}

/// All drafts of the caller, the most recently written first.
///
/// # Errors
/// [`Error::SessionNeeded`].
pub async fn list(ports: &Ports, permit: &Permit<CreateComments>) -> Result<Vec<Draft>, Error> {
    let user = permit.session_user()?;
    read_only(ports, permit, move |tx| Ok(tx.drafts().list(user)?)).await
}
