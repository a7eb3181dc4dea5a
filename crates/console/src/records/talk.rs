//! Comments on records.

use domain::CommentId;
use domain::identity::access::{DeleteComments, UpdateComments};
use domain::kernel::idempotency::StoredResponse;
use domain::kernel::input::InputMode;
use domain::kernel::paging::PageRequest as Paging;
use domain::records::CommentChange;
use domain::work::comments::{self, AnyComment, CommentFields};
use domain::work::drafts::{self, DraftFields};
use http_core::path::RecordPath;
use serde_json::json;

use super::{Comment, Draft, Kind, path_of, show};
use crate::answers::{self, Notice, is_own_path};
use crate::form::{kept, once_with};
use crate::page::{PageRequest, PageResult, PageRoute, page};
use crate::texts::text;

page! {
    ChangeComment = "POST /comments/{comment_id}", access: UpdateComments, path: CommentId => change;
    DeleteComment = "POST /comments/{comment_id}/delete", access: DeleteComments, path: CommentId => delete;
}

/// What is kept of a comment that was made.
pub(crate) fn kept_comment(comment: &AnyComment) -> StoredResponse {
    match comment {
        AnyComment::OnIssue(comment) => kept(&json!(comment.id)),
        AnyComment::OnRecord(comment) => kept(&json!(comment.id)),
    }
}

/// How many comments the page of a refused one shows.
const SHOWN: u32 = 50;

pub(super) async fn comment<K: Kind>(request: PageRequest<Comment<K>>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let id = path.record();
    let uuid = id.to_string().parse().unwrap_or_default();
    let Some(commented) = K::SHOWN.commented else {
        return Err(domain::Error::NotFound(K::KIND.as_str()).into());
    };
    let result = match form.read::<CommentFields>(InputMode::Create, &ports, &browser.preferences.zone) {
        Ok(fields) => {
            let once = once_with(&form, Comment::<K>::ROUTE, kept_comment);
            comments::send(&ports, &permit, once, commented(uuid), fields, None).await
        }
        Err(error) => Err(error),
    };
    match result {
        Ok(_) => Ok(answers::redirect(&browser, &format!("{}#comments", path_of::<K>(id)), None)),
        Err(error) => {
            let permit = browser.permit::<K::Read>().ok_or(domain::Error::NotFound(K::KIND.as_str()))?;
            let (record, beside) = K::read_for_page(&ports, &permit, id).await?;
            show::page_of::<K>(&ports, &browser, (&json!(record), beside), Paging::first(SHOWN), Some((&form, error)))
                .await
        }
    }
}

/// Keeps what somebody has written so far.
pub(super) async fn draft<K: Kind>(request: PageRequest<Draft<K>>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let id = path.record();
    let Some(commented) = K::SHOWN.commented else {
        return Err(domain::Error::NotFound(K::KIND.as_str()).into());
    };
    let fields = form.read::<DraftFields>(InputMode::Patch, &ports, &browser.preferences.zone)?;
    drafts::save(&ports, &permit, commented(id.to_string().parse().unwrap_or_default()), fields).await?;
    if browser.is_htmx {
        return Ok(actix_web::HttpResponse::NoContent().finish());
    }
    let notice = Notice::new(text("draft-saved"));
    Ok(answers::redirect(&browser, &format!("{}#comments", path_of::<K>(id)), Some(notice)))
}

async fn change(request: PageRequest<ChangeComment>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let change = form.read::<CommentChange>(InputMode::Patch, &ports, &browser.preferences.zone)?;
    comments::update_any(&ports, &permit, path, form.version()?, change).await?;
    let next = form.value("_next").filter(|next| is_own_path(next)).unwrap_or("/");
    Ok(answers::redirect(&browser, next, Some(Notice::new(text("comment-saved")))))
}

async fn delete(request: PageRequest<DeleteComment>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    comments::delete_any(&ports, &permit, path, form.version()?).await?;
    let next = form.value("_next").filter(|next| is_own_path(next)).unwrap_or("/");
    Ok(answers::redirect(&browser, next, Some(Notice::new(text("comment-deleted")))))
}
