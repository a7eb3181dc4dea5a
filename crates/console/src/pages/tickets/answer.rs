//! Writing on a ticket: answers to the customer and notes for colleagues, each with its own form and draft.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use domain::identity::access::{CreateComments, Permit, UpdateIssues};
use domain::kernel::IssueKind;
use domain::kernel::input::Field;
use domain::kernel::input::json::Json;
use domain::kernel::versions::ExpectedVersion;
use domain::work::comments::{self, AnyComment, CommentFields, CommentedRecord, Visibility};
use domain::work::drafts::{self, DraftFields};
use domain::work::issues::{self, IssueFields, IssueStatus};
use domain::{IssueId, UndoId, UserId};

use super::Tickets;
use super::conversation::{SEEN, parse_seen};
use super::position::ListPosition;
use super::show::{self, Rejection};
use crate::errors::message_of;
use crate::form::{id_response, once_with};
use crate::prelude::*;
use crate::records::{id_of, keep_change, stored};

page! {
    Answer = "POST /tickets/{issue_id}/answer", access: CreateComments, path: IssueId => answer;
    AddNote = "POST /tickets/{issue_id}/note", access: CreateComments, path: IssueId => add_note;
    SaveDraft = "POST /tickets/{issue_id}/draft", access: CreateComments, path: IssueId => save_draft;
    DiscardDraft = "POST /tickets/{issue_id}/draft/discard", access: CreateComments, path: IssueId => discard_draft;
}

async fn answer(request: PageRequest<Answer>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    send(&ports, &browser, &permit, path, form, Visibility::Public).await
}

async fn add_note(request: PageRequest<AddNote>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    send(&ports, &browser, &permit, path, form, Visibility::Internal).await
}

/// Only the form that was sent decides who reads the text, never anything left over from before.
async fn send(
    ports: &Ports,
    browser: &Browser,
    permit: &Permit<CreateComments>,
    id: IssueId,
    mut form: Form,
    visibility: Visibility,
) -> PageResult {
    form.set("visibility", visibility.as_str());
    let route = if visibility == Visibility::Public { Answer::ROUTE } else { AddNote::ROUTE };
    let once = once_with(&form, route, |comment: &AnyComment| id_response(&json!(comment.id())));
    let seen = (visibility == Visibility::Public).then(|| parse_seen(form.value(SEEN).unwrap_or_default()));
    let assigns = visibility == Visibility::Public && form.has("_assign");
    let mut undo = None;
    let sent: Result<_, Error> = async {
        let fields = form.read_new::<CommentFields>(browser)?;
        // The status is checked first, so that nothing is sent with an invalid one.
        let status = status_in(&form)?;
        undo = reopen(ports, browser, id, &form, assigns).await?;
        comments::send(ports, permit, once, CommentedRecord::Issue(id), fields, seen).await.map(drop)?;
        Ok(status)
    }
    .await;
    match sent {
        Ok(status) => {
            let mut message = match visibility {
                Visibility::Public => text("tickets-sent"),
                Visibility::Internal => text("tickets-noted"),
            };
            match update_after_sending(ports, browser, id, status, assigns && undo.is_none()).await? {
                Ok(moved) => undo = moved.or(undo),
                Err(problem) => message = format!("{message} {problem}"),
            }
            if undo.is_some() {
                message = format!("{message} {}", text("tickets-undo-of-sent"));
            }
            // After an answer, the page suggests the next ticket. After a note, it does not.
            let position = ListPosition::of_form(&form);
            let position = if visibility == Visibility::Public { position } else { position.without_cursor() };
            let notice = Notice::new(message).with_undo_of(undo);
            Ok(responses::redirect(browser, &format!("{}#write", position.ticket(id)), Some(notice)))
        }
        Err(error) => {
            // Saved as a draft, so that the text is still there if the user leaves the page.
            if matches!(error, Error::CrossedComments { .. } | Error::InvalidStateChange(_)) {
                let draft = form.read_new::<DraftFields>(browser)?;
                drafts::save(ports, permit, CommentedRecord::Issue(id), draft).await?;
            }
            let body = form.value("body").unwrap_or_default().to_owned();
            let rejection = Rejection { position: position_of(&form), ..refusal(error, visibility, body)? };
            show::rejected_page(ports, browser, id, rejection).await
        }
    }
}

/// The status that the button sets.
///
/// # Errors
/// [`Error::Malformed`] for one that tickets do not have.
fn status_in(form: &Form) -> Result<Option<IssueStatus>, Error> {
    let Some(status) = form.value("status").filter(|status| !status.is_empty()) else { return Ok(None) };
    let status = IssueStatus::parse(status).filter(|status| status.kind() == IssueKind::Ticket);
    status.map(Some).ok_or_else(|| Error::malformed("status", "invalid_value", text("tickets-no-such-status")))
}

/// Reopens the ticket if the button that sends the answer says so, and assigns it in the same change. Returns the undo.
async fn reopen(
    ports: &Ports,
    browser: &Browser,
    id: IssueId,
    form: &Form,
    assigns: bool,
) -> Result<Option<UndoId>, Error> {
    match browser.permit::<UpdateIssues>().filter(|_| form.has("_reopen")) {
        Some(permit) => {
            let before = stored::<Tickets>(ports, browser, id).await?;
            let assignee_id = new_assignee(browser, &before, assigns);
            let fields = IssueFields { status: Field::Set(IssueStatus::Open), assignee_id, ..IssueFields::default() };
            update(ports, browser, &permit, &before, fields).await
        }
        None => Ok(None),
    }
}

/// The new assignee, if the user takes an unassigned ticket.
fn new_assignee(browser: &Browser, before: &Json, assigns: bool) -> Field<UserId> {
    let user = browser.user().filter(|_| assigns && before["assignee_id"].is_null());
    user.map_or(Field::Absent, Field::Set)
}

/// Changes a ticket regardless of its version. Returns the undo.
async fn update(
    ports: &Ports,
    browser: &Browser,
    permit: &Permit<UpdateIssues>,
    before: &Json,
    fields: IssueFields,
) -> Result<Option<UndoId>, Error> {
    let id = id_of(&before["id"]).map(IssueId).ok_or(Error::NotFound("ticket"))?;
    let after = issues::update(ports, permit, id, ExpectedVersion::Any, fields).await?;
    Ok(keep_change::<Tickets>(ports, browser, before, &json!(after)).await)
}

/// The form that the page shows for a text that was not sent.
fn refusal(error: Error, visibility: Visibility, body: String) -> Result<Rejection, Error> {
    match error {
        Error::CrossedComments { newer } => {
            Ok(Rejection { crossed: newer, text: Some((visibility, body, None)), ..Rejection::default() })
        }
        // Only a closed ticket rejects answers.
        Error::InvalidStateChange(_) => {
            let message = text("tickets-closed-before");
            Ok(Rejection { text: Some((visibility, body, Some(message))), ..Rejection::default() })
        }
        Error::Malformed(_) | Error::Invalid(_) | Error::Conflict(_) | Error::IdempotencyConflict(_) => {
            let message = error.details().into_iter().next().map_or_else(|| message_of(&error), |one| one.message);
            Ok(Rejection { text: Some((visibility, body, Some(message))), ..Rejection::default() })
        }
        other => Err(other),
    }
}

/// After sending, sets the status that the button asks for, and assigns an unassigned ticket to the user if they want
/// that. Returns the undo, or why it was not done.
async fn update_after_sending(
    ports: &Ports,
    browser: &Browser,
    id: IssueId,
    status: Option<IssueStatus>,
    assigns: bool,
) -> Result<Result<Option<UndoId>, String>, Error> {
    let Some(permit) = browser.permit::<UpdateIssues>().filter(|_| assigns || status.is_some()) else {
        return Ok(Ok(None));
    };
    let before = stored::<Tickets>(ports, browser, id).await?;
    let assignee_id = new_assignee(browser, &before, assigns);
    let status = status.map_or(Field::Absent, Field::Set);
    let fields = IssueFields { status, assignee_id, ..IssueFields::default() };
    if fields == IssueFields::default() {
        return Ok(Ok(None));
    }
    match update(ports, browser, &permit, &before, fields).await {
        Ok(undo) => Ok(Ok(undo)),
        Err(Error::Store(error)) => Err(Error::Store(error)),
        Err(error) => Ok(Err(message_of(&error))),
    }
}

/// The visibility in the form. Anything that is not clearly an answer is a note.
fn visibility_of(form: &Form) -> Visibility {
    form.value("visibility").and_then(Visibility::parse).unwrap_or(Visibility::Internal)
}

async fn save_draft(request: PageRequest<SaveDraft>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let to = format!("{}#write", position_of(&form).ticket(path));
    keep(&ports, &browser, &permit, path, &form, &to, Some("tickets-draft-saved")).await
}

/// Keeps the text of a form as a draft, and leads to a page, which shows the text with the key if there is one.
pub(super) async fn keep(
    ports: &Ports,
    browser: &Browser,
    permit: &Permit<CreateComments>,
    id: IssueId,
    form: &Form,
    to: &str,
    said: Option<&str>,
) -> PageResult {
    let saved = async { drafts::save(ports, permit, CommentedRecord::Issue(id), form.read_new(browser)?).await };
    match saved.await {
        // Scripts save while typing, and need no page.
        Ok(_) if browser.is_htmx => Ok(done()),
        Ok(_) => Ok(responses::redirect(browser, to, said.map(|key| Notice::new(text(key))))),
        Err(error) => {
            let body = form.value("body").unwrap_or_default().to_owned();
            let rejection = Rejection { position: position_of(form), ..refusal(error, visibility_of(form), body)? };
            show::rejected_page(ports, browser, id, rejection).await
        }
    }
}

async fn discard_draft(request: PageRequest<DiscardDraft>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    drafts::delete(&ports, &permit, CommentedRecord::Issue(path), visibility_of(&form)).await?;
    responses::success(&browser, &format!("{}#write", position_of(&form).ticket(path)), text("tickets-draft-discarded"))
}

/// The list from which the ticket of a form was opened.
pub(super) fn position_of(form: &Form) -> ListPosition {
    ListPosition::of_form(form).without_cursor()
}

fn done() -> HttpResponse {
    HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish()
}
