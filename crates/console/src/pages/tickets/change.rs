//! Changes on a ticket's page by a single click: status, priority, assignee, labels; and links for the customer.

use domain::IssueId;
use domain::identity::access::{ReadIssues, UpdateIssues};
use domain::kernel::input::{Input, InputMode, Problems};
use domain::support;
use domain::work::issues::{self, BulkUpdate, IssueFields, TicketReference};
use time::OffsetDateTime;

use super::position::ListPosition;
use super::show::{self, Rejection};
use super::{Tickets, path_of};
use crate::errors::message_of;
use crate::parts::pick;
use crate::prelude::*;
use crate::records::{UseCases, keep_change, stored};

page! {
    /// Sets the members that the form has.
    Set = "POST /tickets/{issue_id}/set", access: UpdateIssues, path: IssueId => set;
    Labels = "POST /tickets/{issue_id}/labels", access: UpdateIssues, path: IssueId => labels;
    Link = "POST /tickets/{issue_id}/link", access: UpdateIssues, path: IssueId => link;
}

async fn set(request: PageRequest<Set>) -> PageResult {
    let PageRequest { ports, permit, path, mut form, browser, .. } = request;
    let position = ListPosition::of_form(&form).without_cursor();
    let resolved = pick::resolve(&ports, &browser, &mut form, &IssueFields::members()).await;
    let fields = resolved.and_then(|()| form.read_patch::<IssueFields>(&browser));
    let before = stored::<Tickets>(&ports, &browser, path).await?;
    let result = match fields {
        Ok(fields) => issues::update(&ports, &permit, path, form.version()?, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(ticket) => {
            let undo = keep_change::<Tickets>(&ports, &browser, &before, &json!(ticket)).await;
            let notice = Notice::new(text_named("record-saved", &ticket.title));
            Ok(responses::redirect(&browser, &position.ticket(path), Some(notice.with_undo_of(undo))))
        }
        Err(error) => {
            show::rejected_page(&ports, &browser, path, Rejection::problem(position, problem_of(error)?)).await
        }
    }
}

/// The message for a failed change.
fn problem_of(error: Error) -> Result<String, Error> {
    match &error {
        Error::ConcurrentUpdate { .. } => Ok(text("tickets-changed-before")),
        Error::Malformed(_) | Error::Invalid(_) | Error::InvalidStateChange(_) | Error::Conflict(_) => {
            Ok(error.details().into_iter().next().map_or_else(|| message_of(&error), |one| one.message))
        }
        _ => Err(error),
    }
}

/// The labels in a comma-separated text.
fn labels_in(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).filter(|label| !label.is_empty()).collect()
}

/// The labels that the user added and removed. Labels that others have added or removed are not touched.
fn label_change(form: &Form) -> (Vec<String>, Vec<String>) {
    let (was, now) = (form.value("_labels").unwrap_or_default(), form.value("labels").unwrap_or_default());
    let (was, now) = (labels_in(was), labels_in(now));
    let beyond = |these: &[&str], those: &[&str]| -> Vec<String> {
        let is_new = |label: &&&str| !those.iter().any(|other| other.eq_ignore_ascii_case(label));
        these.iter().filter(is_new).map(|label| (*label).to_owned()).collect()
    };
    (beyond(&now, &was), beyond(&was, &now))
}

async fn labels(request: PageRequest<Labels>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let position = ListPosition::of_form(&form).without_cursor();
    let (added, removed) = label_change(&form);
    if added.is_empty() && removed.is_empty() {
        return Ok(responses::redirect(&browser, &position.ticket(path), None));
    }
    let body = json!({ "issueIds": [path], "patch": { "add_labels": added, "remove_labels": removed } });
    let before = stored::<Tickets>(&ports, &browser, path).await?;
    let result = async {
        let (body, problems) = (body.as_object().cloned().unwrap_or_default(), Problems::in_context(&ports));
        let update = BulkUpdate::from_object_with(body, InputMode::Create, problems)?;
        issues::bulk_update(&ports, &permit, None, update).await?.made_now()
    };
    match result.await {
        Ok(outcome) => match outcome.failed.into_iter().next() {
            None => {
                let after = stored::<Tickets>(&ports, &browser, path).await?;
                let undo = keep_change::<Tickets>(&ports, &browser, &before, &after).await;
                let notice = Notice::new(text("tickets-labels-saved")).with_undo_of(undo);
                Ok(responses::redirect(&browser, &position.ticket(path), Some(notice)))
            }
            Some(failure) => {
                show::rejected_page(&ports, &browser, path, Rejection::problem(position, failure.message)).await
            }
        },
        Err(error) => {
            show::rejected_page(&ports, &browser, path, Rejection::problem(position, problem_of(error)?)).await
        }
    }
}

#[derive(Template)]
#[template(path = "tickets/link.html")]
struct LinkPage {
    shell: Shell,
    path: String,
    title: String,
    url: String,
    expires_at: OffsetDateTime,
}

/// A link is shown once, because only its hash is stored.
async fn link(request: PageRequest<Link>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let reads = browser.permit::<ReadIssues>().ok_or(Error::NotFound("ticket"))?;
    let ticket = Tickets::read(&ports, &reads, path).await?;
    let reference = ticket.reference.as_deref().and_then(TicketReference::parse);
    let workspace = permit.workspace().id;
    let link = support::share_link(&ports, &permit, reference).await?;
    let view = LinkPage {
        shell: browser.shell(text("tickets-link")),
        path: path_of(path),
        title: ticket.title,
        // With these parameters, the page can offer to send a new link when this one has expired.
        url: format!(
            "{}&workspace={workspace}&reference={}",
            link.url,
            ticket.reference.as_deref().unwrap_or_default()
        ),
        expires_at: link.expires_at,
    };
    responses::page(&browser, view)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_others_changed_are_kept() {
        let change = |text: &[u8]| label_change(&Form::parse(text));
        let of = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>();
        assert_eq!(change(b"_labels=a,+b&labels=B,+c"), (of(&["c"]), of(&["a"])));
        assert_eq!(change(b"_labels=&labels="), (of(&[]), of(&[])));
        assert_eq!(change(b"_labels=a&labels="), (of(&[]), of(&["a"])));
    }
}
