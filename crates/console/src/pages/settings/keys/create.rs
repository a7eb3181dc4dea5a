//! Creating a key.

use domain::identity::access::ManageKeys;
use domain::identity::api_keys::{self, ApiKey, CreatedKey, KeyFields};
use domain::kernel::idempotency::{IdempotentResult, StoredResponse};

use super::choices::{KeyChoices, body_of};
use super::key_page;
use crate::form::{id_response, once_with};
use crate::prelude::*;

pages! {
    New = "GET /settings/keys/new", access: ManageKeys => new;
    Create = "POST /settings/keys", class: Class::Critical, access: ManageKeys => create;
}

#[derive(Template)]
#[template(path = "settings/key_new.html")]
struct NewPage {
    shell: Shell,
    form: FormView,
    choices: KeyChoices,
}

fn new_page(browser: &Browser, form: FormView, typed: &Form) -> NewPage {
    NewPage { shell: browser.shell(text("keys-new")), form, choices: KeyChoices::of(typed) }
}

async fn new(request: PageRequest<New>) -> PageResult {
    let form = FormView::new::<KeyFields>().once(request.ports.ids.new_id()).in_zone(&request.browser.preferences.zone);
    responses::page(&request.browser, new_page(&request.browser, form, &request.form))
}

/// The response to a form that has already created its key.
pub(in crate::pages::settings) fn already_created(browser: &Browser, response: &StoredResponse) -> PageResult {
    responses::success(browser, &format!("/settings/keys/{}", response.body), text("keys-made-already"))
}

/// Creates the key of a form, once.
pub(in crate::pages::settings) async fn make<P: PageRoute<Access = ManageKeys>>(
    request: &PageRequest<P>,
    members: &Form,
) -> Result<IdempotentResult<CreatedKey>, Error> {
    let fields = members.read_new(&request.browser)?;
    let once = once_with(&request.form, P::ROUTE, |key: &ApiKey| id_response(&json!(key.id)));
    api_keys::create_once(&request.ports, &request.permit, once, fields).await
}

/// Shows the key right away. Only this response contains it, and no URL leads back to it.
async fn create(request: PageRequest<Create>) -> PageResult {
    let body = body_of(request.form.clone(), request.ports.clock.now());
    let result = make(&request, &body).await;
    let PageRequest { ports, browser, .. } = request;
    match result {
        Ok(IdempotentResult::Replayed(response)) => already_created(&browser, &response),
        Ok(IdempotentResult::Fresh(created)) => {
            let key = created.key.to_view(created.key.created_at);
            let secret = Some(created.plain.reveal().to_owned());
            responses::page(&browser, key_page(&ports, &browser, key, None, secret).await?)
        }
        Err(error) => {
            let view = FormView::new::<KeyFields>().once(ports.ids.new_id()).with_input(&body);
            let view = view.in_zone(&browser.preferences.zone).with_error(error)?;
            responses::unprocessable(&browser, new_page(&browser, view, &body))
        }
    }
}
