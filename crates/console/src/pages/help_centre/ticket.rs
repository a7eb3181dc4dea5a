//! The form that opens a ticket.

use domain::kernel::idempotency::IdempotentResult;
use domain::support::help_centre::{self, Reader};
use domain::support::{IntakeFields, TicketReference, TicketSummary};

use super::{Frame, Public};
use crate::form::{id_response, once_with};
use crate::prelude::*;

pages! {
    TicketForm = "GET /kb/{workspace}/-/ticket", access: Public => show;
    OpenTicket = "POST /kb/{workspace}/-/ticket", class: Class::PublicTickets, access: Public => open;
    Sent = "GET /kb/{workspace}/-/sent", access: Public, query: Reference => sent;
}

/// The reference of the new ticket.
pub(crate) struct Reference(Option<TicketReference>);

impl Query for Reference {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(Parameters::single(query, "reference").and_then(|text| TicketReference::parse(&text)))
    }
}

#[derive(Template)]
#[template(path = "help_centre/ticket.html")]
struct FormPage {
    frame: Frame,
    form: FormView,
}

fn form_page(reader: &Reader, form: FormView) -> FormPage {
    FormPage { frame: Frame::new(reader, text("help-centre-contact")), form }
}

/// The empty form with labels and help for customers, since those of the API are for developers.
fn blank(ports: &Ports) -> FormView {
    let mut form = FormView::new::<IntakeFields>().only(&["name", "email", "subject", "description", "type"]);
    form = form.once(ports.ids.new_id());
    for field in &mut form.fields {
        field.label = text(&format!("help-centre-field-{}", field.name));
        field.help.clear();
    }
    form
}

async fn show(request: PageRequest<TicketForm>) -> PageResult {
    let PageRequest { ports, permit: reader, browser, .. } = request;
    responses::page(&browser, form_page(&reader, blank(&ports)))
}

async fn open(request: PageRequest<OpenTicket>) -> PageResult {
    let PageRequest { ports, permit: reader, form, browser, .. } = request;
    let opened = async {
        let once = once_with(&form, OpenTicket::ROUTE, |ticket: &TicketSummary| {
            id_response(&json!(ticket.reference.as_str()))
        });
        help_centre::open_ticket(&ports, &reader, once, form.read_new(&browser)?).await
    };
    match opened.await {
        Ok(opened) => Ok(thanks(&browser, &reader, opened)),
        Err(error) => {
            let view = blank(&ports).with_input(&form).with_error(error)?;
            responses::unprocessable(&browser, form_page(&reader, view))
        }
    }
}

fn thanks(browser: &Browser, reader: &Reader, opened: IdempotentResult<TicketSummary>) -> actix_web::HttpResponse {
    let reference = match opened {
        IdempotentResult::Fresh(ticket) => ticket.reference.as_str().to_owned(),
        IdempotentResult::Replayed(response) => response.body,
    };
    let path = format!("/kb/{}/-/sent?reference={reference}", reader.workspace().slug);
    responses::redirect(browser, &path, None)
}

#[derive(Template)]
#[template(path = "help_centre/sent.html")]
struct SentPage {
    frame: Frame,
    reference: String,
    /// The page where the customer opens the ticket with its reference.
    portal: String,
}

async fn sent(request: PageRequest<Sent>) -> PageResult {
    let PageRequest { permit: reader, query, browser, .. } = request;
    let reference = query.0.ok_or(Error::NotFound("ticket"))?.as_str().to_owned();
    let frame = Frame::new(&reader, text("help-centre-sent"));
    let portal = format!("/portal?workspace={}#reference={reference}", reader.workspace().id);
    responses::page(&browser, SentPage { frame, reference, portal })
}
