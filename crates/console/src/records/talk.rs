//! Comments on records.

use domain::console::undos;
use domain::identity::access::{DeleteComments, Permit, UpdateComments};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, Problems};
use domain::kernel::paging::PageRequest as Paging;
use domain::kernel::versions::ExpectedVersion;
use domain::records::{CommentChange, FormerValues, RecordKind, former_values};
use domain::work::comments::{self, AnyComment, CommentedRecord};
use domain::work::drafts::{self, DraftFields};
use domain::{CommentId, UndoId};
use http_core::path::RecordPath;

use super::{Comment, Draft, Kind, divide, path_of, report_undo, show};
use crate::form::{id_response, once_with};
use crate::prelude::*;

page! {
    ChangeComment = "POST /comments/{comment_id}", access: UpdateComments, path: CommentId => change;
    DeleteComment = "POST /comments/{comment_id}/delete", access: DeleteComments, path: CommentId => delete;
}

/// The record that a comment belongs to.
fn commented<K: Kind>(id: K::Id) -> Result<CommentedRecord, Error> {
    let id = id.to_string().parse().unwrap_or_default();
    CommentedRecord::of(K::KIND, id).ok_or(Error::NotFound(K::KIND.as_str()))
}

pub(super) async fn comment<K: Kind>(request: PageRequest<Comment<K>>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let id = path.record();
    let commented = commented::<K>(id)?;
    let result = async {
        let once = once_with(&form, Comment::<K>::ROUTE, |comment: &AnyComment| id_response(&json!(comment.id())));
        comments::send(&ports, &permit, once, commented, form.read_new(&browser)?, None).await
    };
    match result.await {
        Ok(_) => Ok(responses::redirect(&browser, &format!("{}#comments", path_of::<K>(id)), None)),
        Err(error) => {
            let permit = browser.permit::<K::Read>().ok_or(Error::NotFound(K::KIND.as_str()))?;
            let (record, data) = K::read_for_page(&ports, &permit, id).await?;
            let first = Paging::first(show::COMMENTS_PER_PAGE);
            show::page_of::<K>(&ports, &browser, (&json!(record), data), first, Some((&form, error))).await
        }
    }
}

/// Saves an unfinished comment.
pub(super) async fn draft<K: Kind>(request: PageRequest<Draft<K>>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let id = path.record();
    let commented = commented::<K>(id)?;
    let fields = form.read_patch::<DraftFields>(&browser)?;
    drafts::save(&ports, &permit, commented, fields).await?;
    if browser.is_htmx {
        return Ok(actix_web::HttpResponse::NoContent().finish());
    }
    responses::success(&browser, &format!("{}#comments", path_of::<K>(id)), text("draft-saved"))
}

async fn change(request: PageRequest<ChangeComment>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let change = form.read_patch::<CommentChange>(&browser)?;
    let before = comments::read_any(&ports, &permit, path).await?;
    let after = comments::update_any(&ports, &permit, path, form.version()?, change).await?;
    let undo = FormerText::keep(&ports, &permit, &before, &after).await;
    let next = form.next_path().unwrap_or("/");
    Ok(responses::redirect(&browser, next, Some(Notice::new(text("comment-saved")).with_undo_of(undo))))
}

/// The former text of a comment, kept for an undo. It is stored under the record's id, so that it is erased with the
/// record's data.
pub(crate) struct FormerText {
    comment: CommentId,
    entry: FormerValues,
}

/// The member of the entry with the comment's id.
const COMMENT: &str = "_comment";

/// What can be changed in a comment, and its version.
fn changeable(comment: &AnyComment) -> Json {
    json!({ "body": comment.body(), "version": comment.version() })
}

impl FormerText {
    /// The former text in an entry, if the entry belongs to a comment.
    pub(crate) fn of(entry: &FormerValues) -> Option<Self> {
        let mut entry = entry.clone();
        let comment = entry.patch.remove(COMMENT)?.as_str()?.parse().ok().map(CommentId)?;
        Some(Self { comment, entry })
    }

    async fn keep(
        ports: &Ports,
        permit: &Permit<UpdateComments>,
        before: &AnyComment,
        after: &AnyComment,
    ) -> Option<UndoId> {
        if before.version().checked_add(1) != Some(after.version()) {
            return None;
        }
        let record = after.record();
        let (members, values) = (CommentChange::members(), [before, after].map(changeable));
        let mut entry = former_values(record.id(), &members, &values[0], &values[1]);
        entry.patch.insert(COMMENT.to_owned(), json!(after.id()));
        // Whether an issue is a task or a ticket makes no difference here.
        let kind = RecordKind::parse(record.noun()).unwrap_or(RecordKind::Task);
        undos::keep(ports, permit, kind, vec![entry]).await.unwrap_or_default()
    }

    pub(crate) async fn restore(self, ports: &Ports, browser: &Browser, undo: UndoId, back: &str) -> PageResult {
        let permit = browser.permit::<UpdateComments>().ok_or(Error::RoleNeeded)?;
        let Self { comment, entry } = self;
        let outcome = async {
            let before = comments::read_any(ports, &permit, comment).await?;
            let Some(divided) = divide(&entry, &changeable(&before))? else { return Ok((None, Map::new())) };
            let problems = Problems::in_context(ports);
            let change = CommentChange::from_object_with(divided.to_put_back, InputMode::Patch, problems)?;
            let expected = ExpectedVersion::OneOf(vec![before.version()]);
            let after = comments::update_any(ports, &permit, comment, expected, change).await?;
            Ok((Self::keep(ports, &permit, &before, &after).await, divided.changed_since))
        };
        let outcome = outcome.await;
        report_undo(ports, &permit, browser, (undo, entry, back), outcome).await
    }
}

async fn delete(request: PageRequest<DeleteComment>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    comments::delete_any(&ports, &permit, path, form.version()?).await?;
    let next = form.next_path().unwrap_or("/");
    responses::success(&browser, next, text("comment-deleted"))
}
