//! A forgotten password: requesting a link, and setting a new password with it.

use domain::identity::accounts::{self, ResetFields, ResetRequestFields};

use super::invitation::ByTokenPage;
use crate::page::Visitor;
use crate::prelude::*;

pages! {
    RequestForm = "GET /forgotten-password", access: Visitor => request_form;
    Request = "POST /forgotten-password", class: Class::Critical, access: Visitor => request_link;
    New = "GET /reset-password", access: Visitor => new;
    Set = "POST /reset-password", class: Class::Critical, access: Visitor => set;
}

#[derive(Template)]
#[template(path = "sign_in/forgotten.html")]
struct AskPage {
    shell: Shell,
    form: FormView,
}

fn ask_form() -> FormView {
    FormView::new::<ResetRequestFields>().without_help().with_autocomplete(&[("email", "username")])
}

fn ask_page(browser: &Browser, form: FormView) -> AskPage {
    AskPage { shell: browser.shell(text("forgotten-title")), form }
}

async fn request_form(request: PageRequest<RequestForm>) -> PageResult {
    responses::page(&request.browser, ask_page(&request.browser, ask_form()))
}

/// The response does not reveal whether the account exists.
async fn request_link(request: PageRequest<Request>) -> PageResult {
    let PageRequest { ports, permit: client, form: sent, browser, .. } = request;
    let result = async { accounts::request_password_reset(&ports, &client, sent.read_new(&browser)?).await };
    match result.await {
        Ok(()) => {
            let key = if ports.settings.has_mail_server { "forgotten-sent" } else { "forgotten-sent-file" };
            responses::success(&browser, "/sign-in", text(key))
        }
        Err(error) => {
            let view = ask_form().with_input(&sent).with_error(error)?;
            responses::unprocessable(&browser, ask_page(&browser, view))
        }
    }
}

fn new_form() -> FormView {
    let form = FormView::new::<ResetFields>().without_help();
    form.with_autocomplete(&[("new_password", "new-password"), ("token", "off")])
        .with_help("new_password", "password-rules")
}

fn new_page(browser: &Browser, form: FormView) -> ByTokenPage {
    let shell = browser.shell(text("reset-title"));
    ByTokenPage { shell, form, action: "/reset-password", button: text("reset-set"), is_sent_at_once: false }
}

async fn new(request: PageRequest<New>) -> PageResult {
    responses::page(&request.browser, new_page(&request.browser, new_form()))
}

async fn set(request: PageRequest<Set>) -> PageResult {
    let PageRequest { ports, permit: client, form: sent, browser, .. } = request;
    let result = async { accounts::reset_password(&ports, client.address, sent.read_new(&browser)?).await };
    match result.await {
        Ok(()) => responses::success(&browser, "/sign-in", text("reset-done")),
        Err(error) => {
            let view = new_form().with_input(&sent).with_error(error)?;
            responses::unprocessable(&browser, new_page(&browser, view))
        }
    }
}
