//! Writing on a ticket: answers to the customer and notes for colleagues, each with a form and a draft of its own.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use domain::identity::access::{CreateComments, Permit, ReadIssues, UpdateIssues};
use domain::kernel::input::{Field, InputMode};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use domain::work::comments::{self, CommentFields, CommentedRecord, Visibility};
use domain::work::drafts::{self, DraftFields};
use domain::work::issues::{self, IssueFields, IssueStatus};
use domain::{Error, IssueId};

use super::conversation::{SEEN, parse_seen};
use super::place::Place;
use super::show::{self, Refused};
use crate::answers::{self, Notice};
use crate::errors::message_of;
use crate::form::{Form, once_with};
use crate::layout::Browser;
use crate::page::{PageRequest, PageResult, PageRoute, page};
use crate::records::kept_comment;
use crate::texts::text;

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

/// Who reads it follows from the form that was sent, and from nothing that could be left from before.
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
    let once = once_with(&form, route, kept_comment);
    let seen = (visibility == Visibility::Public).then(|| parse_seen(form.value(SEEN).unwrap_or_default()));
    let sent = match form.read::<CommentFields>(InputMode::Create, ports, &browser.preferences.zone) {
        Ok(fields) => match reopen(ports, browser, id, &form).await {
            Ok(()) => comments::send(ports, permit, once, CommentedRecord::Issue(id), fields, seen).await,
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };
    match sent {
        Ok(_) => {
            let mut said = match visibility {
                Visibility::Public => text("tickets-sent"),
                Visibility::Internal => text("tickets-noted"),
            };
            if let Some(problem) = move_on(ports, browser, id, &form, visibility).await? {
                said = format!("{said} {problem}");
            }
            // After an answer the next ticket is what to do; after a note it need not be.
            let place = Place::of_form(&form);
            let place = if visibility == Visibility::Public { place } else { place.list_alone() };
            Ok(answers::redirect(browser, &format!("{}#write", place.ticket(id)), Some(Notice::new(said))))
        }
        Err(error) => {
            // Whoever leaves the page finds the text again.
            if matches!(error, Error::CrossedComments { .. } | Error::InvalidStateChange(_)) {
                let draft = form.read::<DraftFields>(InputMode::Create, ports, &browser.preferences.zone)?;
                drafts::save(ports, permit, CommentedRecord::Issue(id), draft).await?;
            }
            let body = form.value("body").unwrap_or_default().to_owned();
            let refused = Refused { place: list_of(&form), ..refusal(error, visibility, body)? };
            show::refused(ports, browser, id, refused).await
        }
    }
}

/// Opens the ticket again if the button that sends the answer says so.
async fn reopen(ports: &Ports, browser: &Browser, id: IssueId, form: &Form) -> Result<(), Error> {
    if form.value("_reopen").is_none() {
        return Ok(());
    }
    let Some(permit) = browser.permit::<UpdateIssues>() else { return Ok(()) };
    let fields = IssueFields { status: Field::Set(IssueStatus::Open), ..IssueFields::default() };
    issues::update(ports, &permit, id, ExpectedVersion::Any, fields).await.map(drop)
}

/// What the page shows of a text that was not sent.
fn refusal(error: Error, visibility: Visibility, body: String) -> Result<Refused, Error> {
    match error {
        Error::CrossedComments { newer } => {
            Ok(Refused { crossed: newer, text: Some((visibility, body, None)), ..Refused::default() })
        }
        // Only a closed ticket takes no answer.
        Error::InvalidStateChange(_) => {
            let message = text("tickets-closed-before");
            Ok(Refused { text: Some((visibility, body, Some(message))), ..Refused::default() })
        }
        Error::Malformed(_) | Error::Invalid(_) | Error::Conflict(_) => {
            let message = error.details().into_iter().next().map_or_else(|| message_of(&error), |one| one.message);
            Ok(Refused { text: Some((visibility, body, Some(message))), ..Refused::default() })
        }
        other => Err(other),
    }
}

/// Sets the status that the button asks for in addition to sending, and assigns an unassigned ticket to the person who answers if
/// they want that; returns why not.
async fn move_on(
    ports: &Ports,
    browser: &Browser,
    id: IssueId,
    form: &Form,
    visibility: Visibility,
) -> Result<Option<String>, Error> {
    let Some(permit) = browser.permit::<UpdateIssues>() else { return Ok(None) };
    let status = form.value("status").and_then(IssueStatus::parse).map_or(Field::Absent, Field::Set);
    let mut fields = IssueFields { status, ..IssueFields::default() };
    if visibility == Visibility::Public && form.has("_assign") && is_free(ports, browser, id).await? {
        fields.assignee_id = browser.user().map_or(Field::Absent, Field::Set);
    }
    if fields == IssueFields::default() {
        return Ok(None);
    }
    match issues::update(ports, &permit, id, ExpectedVersion::Any, fields).await {
        Ok(_) => Ok(None),
        Err(Error::Store(error)) => Err(Error::Store(error)),
        Err(error) => Ok(Some(message_of(&error))),
    }
}

/// Whether a ticket is unassigned.
async fn is_free(ports: &Ports, browser: &Browser, id: IssueId) -> Result<bool, Error> {
    let Some(permit) = browser.permit::<ReadIssues>() else { return Ok(false) };
    Ok(issues::read(ports, &permit, id).await?.assignee_id.is_none())
}

/// Whose text it is, from the form: a note, unless it is said to be an answer.
fn visibility_of(form: &Form) -> Visibility {
    form.value("visibility").and_then(Visibility::parse).unwrap_or(Visibility::Internal)
}

async fn save_draft(request: PageRequest<SaveDraft>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let on = CommentedRecord::Issue(path);
    let saved = match form.read::<DraftFields>(InputMode::Create, &ports, &browser.preferences.zone) {
        Ok(fields) => drafts::save(&ports, &permit, on, fields).await,
        Err(error) => Err(error),
    };
    match saved {
        // Scripts save while typing, and need no page.
        Ok(_) if browser.is_htmx => Ok(done()),
        Ok(_) => {
            let notice = Notice::new(text("tickets-draft-saved"));
            Ok(answers::redirect(&browser, &format!("{}#write", list_of(&form).ticket(path)), Some(notice)))
        }
        Err(error) => {
            let body = form.value("body").unwrap_or_default().to_owned();
            let refused = Refused { place: list_of(&form), ..refusal(error, visibility_of(&form), body)? };
            show::refused(&ports, &browser, path, refused).await
        }
    }
}

async fn discard_draft(request: PageRequest<DiscardDraft>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    drafts::delete(&ports, &permit, CommentedRecord::Issue(path), visibility_of(&form)).await?;
    let notice = Notice::new(text("tickets-draft-discarded"));
    Ok(answers::redirect(&browser, &format!("{}#write", list_of(&form).ticket(path)), Some(notice)))
}

/// The list to which the ticket of a form belongs.
fn list_of(form: &Form) -> Place {
    Place::of_form(form).list_alone()
}

fn done() -> HttpResponse {
    HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish()
}
