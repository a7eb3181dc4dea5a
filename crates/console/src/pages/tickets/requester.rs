//! The requester of a ticket: their contact, company and other tickets.

use domain::IssueId;
use domain::console::WantedNames;
use domain::crm::contacts::Contact;
use domain::identity::access::{ReadContacts, ReadIssues};
use domain::kernel::IssueKind;
use domain::kernel::input::{Problems, Read, Value};
use domain::kernel::paging::PageRequest as Paging;
use domain::records::{self, RecordKind};
use domain::work::issues::{self, Issue, IssueFilter, Requester, RequesterKey};

use super::{Tickets, Tinted, path_of, tinted_status};
use crate::lists::with;
use crate::parts::people;
use crate::prelude::*;
use crate::records::UseCases;

page! {
    /// A separate page, which the ticket's page also loads as a part.
    Show = "GET /tickets/{issue_id}/requester", access: ReadIssues, path: IssueId => show
}

/// How many other tickets are shown.
const MAX_OTHERS: u32 = 6;

#[derive(Template)]
#[template(path = "tickets/requester.html")]
struct RequesterPage {
    shell: Shell,
    path: String,
    title: String,
    name: String,
    email: String,
    is_erased: bool,
    kind: String,
    contact: Option<ContactCard>,
    others: Vec<Other>,
    /// The URL of all tickets of the customer.
    all: String,
}

struct Other {
    href: String,
    title: String,
    status: Tinted,
}

struct ContactCard {
    href: String,
    name: String,
    phone: Option<String>,
    job: Option<String>,
    company: Option<(String, String)>,
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let ticket = Tickets::read(&ports, &permit, path).await?;
    let requester = ticket.requester.clone().ok_or(Error::NotFound("requester"))?;
    let contact = contact_of(&ports, &browser, &requester).await?;
    let mut others = Vec::new();
    if let Some(key) = key_of(&requester) {
        let filter = IssueFilter { requester: Some(key), ..IssueFilter::all(IssueKind::Ticket) };
        others = issues::list(&ports, &permit, filter, Paging::first(MAX_OTHERS + 1)).await?.items;
        others.retain(|other| other.id != ticket.id);
        others.truncate(MAX_OTHERS as usize);
    }
    let mut wanted = WantedNames::default();
    let company = contact.as_ref().and_then(|contact| contact.company_id);
    wanted.records.extend(company.map(|id| (RecordKind::Company, id.0)));
    let names = people::names(&ports, &browser, wanted).await?;
    let row = |other: &Issue| Other {
        href: path_of(other.id),
        title: other.title.clone(),
        status: tinted_status(other.status),
    };
    let view = RequesterPage {
        shell: browser.shell(text("tickets-requester")),
        path: path_of(path),
        title: ticket.title.clone(),
        is_erased: requester.is_erased(),
        kind: crate::texts::label("value", requester.ticket_type.as_str()),
        all: with("/tickets", "", "requester", &requester.email),
        contact: contact.map(|contact| {
            let name = company.and_then(|id| names.records.get(&(RecordKind::Company, id.0)));
            let company = company.zip(name).map(|(id, name)| (format!("/companies/{id}"), name.clone()));
            card_of(contact, company)
        }),
        others: others.iter().map(row).collect(),
        name: requester.name,
        email: requester.email,
    };
    responses::page(&browser, view)
}

/// The filter for the customer's tickets; `None` if the customer's data was erased.
fn key_of(requester: &Requester) -> Option<RequesterKey> {
    match RequesterKey::read(json!(requester.email), "requester", &mut Problems::default()) {
        Read::Value(key) if !requester.is_erased() => Some(key),
        _ => None,
    }
}

async fn contact_of(ports: &Ports, browser: &Browser, requester: &Requester) -> Result<Option<Contact>, Error> {
    let (Some(id), Some(permit)) = (requester.contact_id, browser.permit::<ReadContacts>()) else { return Ok(None) };
    match records::read::<Contact>(ports, &permit, id).await {
        Ok(contact) => Ok(Some(contact)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn card_of(contact: Contact, company: Option<(String, String)>) -> ContactCard {
    let names: Vec<_> = [contact.first_name, contact.last_name].into_iter().flatten().collect();
    ContactCard {
        href: format!("/contacts/{}", contact.id),
        name: if names.is_empty() { contact.email } else { names.join(" ") },
        phone: contact.phone,
        job: contact.job_title,
        company,
    }
}
