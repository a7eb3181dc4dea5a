//! Erasing a person's data: looking them up, confirming, and following the progress.

use domain::ErasureId;
use domain::identity::access::{EraseContacts, Permit};
use domain::kernel::input::Input;
use domain::support::erasure::{
    self, ErasedCounts, ErasureFields, ErasurePreview, ErasureState, ErasureView, ListedErasure, MAX_PREVIEWED,
    PersonErasure,
};
use http_core::query::Paged;

use crate::lists::{ListView, NoFilter};
use crate::parts::pick;
use crate::prelude::*;
use crate::records::{Cell, actor};

pages! {
    New = "GET /settings/erasures", access: EraseContacts, query: Paged<PersonErasure> => new;
    LookUp = "POST /settings/erasures/look", class: Class::Bulk, access: EraseContacts => look_up;
    Create = "POST /settings/erasures", class: Class::Bulk, access: EraseContacts => create;
    Show = "GET /settings/erasures/{erasure_id}", access: EraseContacts, path: ErasureId => show;
}

#[derive(Template)]
#[template(path = "settings/erasure_new.html")]
struct NewPage {
    shell: Shell,
    form: FormView,
    /// The data about the person, after a lookup.
    found: Option<Lookup>,
    /// Earlier erasures, if nobody was looked up.
    earlier: Option<EarlierErasures>,
}

struct EarlierErasures {
    list: ListView,
    rows: Vec<Row>,
}

/// An erasure, who requested it, and how much of each kind it has erased.
struct Row {
    erasure: ErasureView,
    actor: Cell,
    counts: Vec<(&'static str, u64)>,
}

impl Row {
    fn of(ListedErasure { erasure, created_by_name }: ListedErasure) -> Self {
        let counts = counts_of(&erasure.erased).into_iter().filter(|(_, count)| *count > 0).collect();
        Self { actor: actor(created_by_name, erasure.created_by.kind.as_str(), None), counts, erasure }
    }
}

/// The field with the text that the user has to type.
const PERSON: &str = "person";

/// A person, and the text that confirms the erasure.
struct Lookup {
    preview: ErasurePreview,
    /// Their e-mail address, or the id of their contact if no address is known.
    person: String,
    email: String,
    contact_id: String,
    /// Why the confirmation was rejected.
    error: Option<String>,
}

impl Lookup {
    fn tickets(&self) -> String {
        let tickets = self.preview.tickets;
        if tickets < MAX_PREVIEWED { tickets.to_string() } else { format!("{tickets}+") }
    }
}

#[derive(Template)]
#[template(path = "settings/erasure.html")]
struct ErasurePage {
    shell: Shell,
    erasure: ErasureView,
    is_running: bool,
    path: String,
}

impl ErasurePage {
    fn counts(&self) -> [(&'static str, u64); 8] {
        counts_of(&self.erasure.erased)
    }
}

/// The counts of an erasure, with the keys of their texts.
fn counts_of(erased: &ErasedCounts) -> [(&'static str, u64); 8] {
    [
        ("erased-contacts", erased.contacts),
        ("erased-tickets", erased.tickets),
        ("erased-comments", erased.comments),
        ("erased-events", erased.events),
        ("erased-deliveries", erased.deliveries),
        ("erased-emails", erased.emails),
        ("erased-answers", erased.answers),
        ("erased-audit-entries", erased.audit_entries),
    ]
}

fn new_page(browser: &Browser, form: FormView, found: Option<Lookup>) -> NewPage {
    NewPage { shell: browser.shell(text("settings-erasures")), form, found, earlier: None }
}

/// The form without empty fields, since either field is enough to identify the person.
fn person(form: &Form) -> Form {
    let mut person = form.clone();
    for name in ["email", "contact_id"] {
        if form.value(name).is_none_or(|value| value.trim().is_empty()) {
            person.remove(name);
        }
    }
    person
}

async fn new(request: PageRequest<New>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let page = erasure::list(&ports, &permit, query.page).await?;
    let list = ListView::new::<NoFilter, _>(&browser.address, &page, &browser.preferences.zone);
    let earlier = Some(EarlierErasures { list, rows: page.items.into_iter().map(Row::of).collect() });
    let view = NewPage { earlier, ..new_page(&browser, FormView::new::<ErasureFields>(), None) };
    responses::page(&browser, view)
}

async fn look_up(request: PageRequest<LookUp>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    show_person(&ports, &permit, &browser, &form, None).await
}

/// Shows the data about a person, and the error of the confirmation if there is one.
async fn show_person(
    ports: &Ports,
    permit: &Permit<EraseContacts>,
    browser: &Browser,
    form: &Form,
    error: Option<String>,
) -> PageResult {
    let is_refused = error.is_some();
    let mut named = person(form);
    let result = async {
        pick::resolve(ports, browser, &mut named, &ErasureFields::members()).await?;
        erasure::preview(ports, permit, named.read_new(browser)?).await
    };
    match result.await {
        Ok(preview) => {
            let view = FormView::new::<ErasureFields>().with_input(form);
            let page = new_page(browser, view, Some(found(&named, preview, error)));
            if is_refused { responses::unprocessable(browser, page) } else { responses::page(browser, page) }
        }
        Err(error) => refuse(browser, form, error),
    }
}

fn refuse(browser: &Browser, form: &Form, error: Error) -> PageResult {
    let view = FormView::new::<ErasureFields>().with_input(form).with_error(explain_not_found(error))?;
    responses::unprocessable(browser, new_page(browser, view, None))
}

/// If there is no data about the person, the page says so.
fn explain_not_found(error: Error) -> Error {
    match error {
        Error::NotFound(_) => Error::Conflict(text("erasure-nothing")),
        other => other,
    }
}

fn found(form: &Form, preview: ErasurePreview, error: Option<String>) -> Lookup {
    let value = |name: &str| form.value(name).unwrap_or_default().trim().to_owned();
    let (email, contact_id) = (value("email"), value("contact_id"));
    let known = preview.contacts.first().map(|contact| contact.email.clone());
    let person = if email.is_empty() { known.unwrap_or_else(|| contact_id.clone()) } else { email.clone() };
    Lookup { preview, person, email, contact_id, error }
}

async fn create(request: PageRequest<Create>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let typed = form.value("confirmation").unwrap_or_default().trim();
    let meant = form.value(PERSON).unwrap_or_default().trim();
    if meant.is_empty() || typed != meant {
        let error = Some(text("erasure-unconfirmed"));
        return show_person(&ports, &permit, &browser, &form, error).await;
    }
    let result = async { erasure::erase(&ports, &permit, person(&form).read_new(&browser)?).await };
    match result.await {
        Ok(begun) => {
            let path = format!("/settings/erasures/{}", begun.id);
            responses::success(&browser, &path, text("erasure-begun"))
        }
        Err(error) => refuse(&browser, &form, error),
    }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let erasure = erasure::read(&request.ports, &request.permit, request.path).await?;
    let browser = request.browser;
    let page = ErasurePage {
        shell: browser.shell(text("erasure-title")),
        is_running: erasure.state == ErasureState::Running,
        path: format!("/settings/erasures/{}", erasure.id),
        erasure,
    };
    responses::page(&browser, page)
}
