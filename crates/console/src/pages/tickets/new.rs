//! A ticket that the team opens, for a customer or for itself.

use domain::identity::access::CreateIssues;
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::Input;
use domain::work::issues::{self, IssueFields, RequesterFields};

use super::path_of;
use crate::form::once_as_typed;
use crate::parts::form_page::FormPage;
use crate::parts::{people, pick};
use crate::prelude::*;

page! {
    New = "GET /tickets/new", access: CreateIssues, query: Prefilled => new;
    Create = "POST /tickets", access: CreateIssues => create;
}

/// The members of the form besides those of the requester.
const FIELDS: [&str; 5] = ["title", "description", "priority", "assignee_id", "due_at"];

/// The customer's e-mail address, if the form was opened from a contact.
pub(crate) struct Prefilled(Option<String>);

impl Query for Prefilled {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(Parameters::single(query, REQUESTER))
    }
}

const REQUESTER: &str = "requester_email";

fn blank() -> FormView {
    let mut form = FormView::new::<IssueFields>().only(&FIELDS).with_help_for("help-record");
    form.fields.splice(0..0, FormView::new::<RequesterFields>().fields);
    form
}

async fn page_of(ports: &Ports, browser: &Browser, form: FormView) -> Result<FormPage, Error> {
    let form = form.in_zone(&browser.preferences.zone).with_members(&people::choices(ports, browser).await?);
    let (shell, list) = (browser.shell(text("tickets-new")), "/tickets".to_owned());
    let above = (text("tickets-title"), list.clone());
    Ok(FormPage { shell, form, above, action: list, button: "tickets-open-it", is_new: true })
}

async fn new(request: PageRequest<New>) -> PageResult {
    let mut form = blank();
    if let (Some(field), Some(email)) = (form.field_mut(REQUESTER), request.query.0) {
        field.set(&[email]);
    }
    let page = page_of(&request.ports, &request.browser, form).await?;
    responses::page(&request.browser, page)
}

async fn create(request: PageRequest<Create>) -> PageResult {
    let PageRequest { ports, permit, mut form, browser, .. } = request;
    let typed = form.clone();
    let resolved = pick::resolve(&ports, &browser, &mut form, &IssueFields::members()).await;
    let fields = resolved.and_then(|()| form.read_new::<IssueFields>(&browser));
    let requester = form.read_new::<RequesterFields>(&browser);
    let result = match (fields, requester) {
        (Ok(fields), Ok(requester)) => {
            let once = once_as_typed(&typed, Create::ROUTE);
            issues::create_ticket(&ports, &permit, once, fields, requester.into_requester()).await
        }
        (fields, requester) => {
            // All errors are shown at once.
            let mut view = blank().with_input(&typed);
            for error in [fields.err(), requester.err()].into_iter().flatten() {
                view = view.with_error(error)?;
            }
            return responses::unprocessable(&browser, page_of(&ports, &browser, view).await?);
        }
    };
    match result {
        Ok(IdempotentResult::Replayed(response)) => {
            responses::success(&browser, &path_of(response.body), text("made-already"))
        }
        Ok(IdempotentResult::Fresh(ticket)) => {
            responses::success(&browser, &path_of(ticket.id), text_named("record-created", &ticket.title))
        }
        Err(error) => {
            let view = blank().with_input(&typed).with_error(error)?;
            responses::unprocessable(&browser, page_of(&ports, &browser, view).await?)
        }
    }
}
