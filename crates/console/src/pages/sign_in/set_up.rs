//! The first page of an installation. It creates the first workspace and its owner, using the code that the service
//! printed.

use domain::identity::set_up::{self, SetUpFields, needs_set_up};

use super::begin;
use crate::page::Visitor;
use crate::prelude::*;

pages! {
    Show = "GET /set-up", access: Visitor => show;
    /// The use case counts all attempts.
    SetUp = "POST /set-up", access: Visitor => set_up;
}

#[derive(Template)]
#[template(path = "sign_in/set_up.html")]
struct SetUpPage {
    shell: Shell,
    form: FormView,
}

fn form() -> FormView {
    let form = FormView::new::<SetUpFields>().without_help().with_help("code", "set-up-code-hint");
    let form = form.with_autocomplete(&[
        ("code", "off"),
        ("workspace_name", "organization"),
        ("slug", "off"),
        ("name", "name"),
        ("email", "username"),
        ("password", "new-password"),
    ]);
    form.with_label("code", "set-up-code")
        .with_label("name", "your-name")
        .with_help("slug", "slug-rules")
        .with_help("password", "password-rules")
        .with_usual(&[])
}

fn set_up_page(browser: &Browser, form: FormView) -> SetUpPage {
    SetUpPage { shell: browser.shell(text("set-up-title")), form }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    if !needs_set_up(&request.ports).await? {
        return Ok(responses::redirect(&request.browser, "/sign-in", None));
    }
    responses::page(&request.browser, set_up_page(&request.browser, form()))
}

async fn set_up(request: PageRequest<SetUp>) -> PageResult {
    let PageRequest { ports, permit: client, form: sent, browser, .. } = request;
    let result = async { set_up::set_up(&ports, &client, sent.read_new(&browser)?).await };
    match result.await {
        Ok(login) => Ok(begin(&browser, &login, "/", None)),
        Err(error @ Error::Conflict(_)) => Err(error.into()),
        Err(error) => {
            let view = form().with_input(&sent).with_error(error)?;
            responses::unprocessable(&browser, set_up_page(&browser, view))
        }
    }
}
