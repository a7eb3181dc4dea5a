//! Accepting an invitation, which signs in.

use askama::Template;
use domain::identity::accounts::{self, AcceptanceFields};
use domain::kernel::input::InputMode;
use domain::limits::Class;

use super::go_on;
use crate::answers::{self, Notice};
use crate::filters;
use crate::form::FormView;
use crate::layout::{Browser, Shell};
use crate::page::{PageRequest, PageResult, Visitor, page};
use crate::texts::text;

page! {
    Show = "GET /accept-invitation", access: Visitor => show
}

page! {
    Accept = "POST /accept-invitation", class: Class::Critical, access: Visitor => accept
}

/// The form that a link of an e-mail opens.
#[derive(Template)]
#[template(path = "sign_in/by_token.html")]
pub(super) struct ByTokenPage {
    pub(super) shell: Shell,
    pub(super) form: FormView,
    /// Where it is sent.
    pub(super) action: &'static str,
    pub(super) button: String,
}

fn form() -> FormView {
    let form = FormView::new::<AcceptanceFields>().without_help();
    let form = form.with_autocomplete(&[("name", "name"), ("password", "new-password"), ("token", "off")]);
    form.with_label("name", "your-name").with_help("password", "invitation-password")
}

fn invitation_page(browser: &Browser, form: FormView) -> ByTokenPage {
    let shell = browser.shell(text("invitation-title"));
    ByTokenPage { shell, form, action: "/accept-invitation", button: text("invitation-accept") }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    answers::page(&request.browser, &invitation_page(&request.browser, form()))
}

async fn accept(request: PageRequest<Accept>) -> PageResult {
    let PageRequest { ports, permit: client, form: sent, browser, .. } = request;
    let result = match sent.read::<AcceptanceFields>(InputMode::Create, &ports, &browser.preferences.zone) {
        Ok(fields) => accounts::accept_invitation(&ports, &client, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(entered) => go_on(&browser, &entered, "/", Some(Notice::new(text("invitation-done")))),
        Err(error) => {
            let view = form().typed(&sent).with_error(error)?;
            answers::refused(&browser, &invitation_page(&browser, view))
        }
    }
}
