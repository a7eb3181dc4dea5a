//! Making a key.

use askama::Template;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys::{self, KeyFields};
use domain::kernel::input::InputMode;
use domain::limits::Class;

use super::choices::{KeyChoices, body_of};
use super::{key_page, tabs};
use crate::answers;
use crate::filters;
use crate::form::{Form, FormView};
use crate::layout::{Browser, Shell};
use crate::navigation::Section;
use crate::page::{PageRequest, PageResult, page};
use crate::texts::text;

page! {
    New = "GET /settings/keys/new", access: ManageKeys => new
}

page! {
    Create = "POST /settings/keys", class: Class::Critical, access: ManageKeys => create
}

#[derive(Template)]
#[template(path = "settings/key_new.html")]
struct NewPage {
    shell: Shell,
    tabs: Vec<Section>,
    form: FormView,
    choices: KeyChoices,
}

fn new_page(browser: &Browser, form: FormView, typed: &Form) -> NewPage {
    NewPage { shell: browser.shell(text("keys-new")), tabs: tabs(browser), form, choices: KeyChoices::of(typed) }
}

async fn new(request: PageRequest<New>) -> PageResult {
    let form = FormView::new::<KeyFields>();
    answers::page(&request.browser, &new_page(&request.browser, form, &request.form))
}

/// Shows the key with its text at once: only this response has it, and no address leads back to it.
async fn create(request: PageRequest<Create>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let body = body_of(form, ports.clock.now());
    let result = match body.read(InputMode::Create, &ports, &browser.preferences.zone) {
        Ok(fields) => api_keys::create(&ports, &permit, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(created) => {
            let key = created.key.to_view(created.key.created_at);
            let secret = Some(created.plain.reveal().to_owned());
            answers::page(&browser, &key_page(&ports, &browser, key, None, secret).await?)
        }
        Err(error) => {
            let view = FormView::new::<KeyFields>().typed(&body).with_error(error)?;
            answers::refused(&browser, &new_page(&browser, view, &body))
        }
    }
}
