//! The steps that may follow the password: choosing a workspace, and the second factor. The token that stands for the
//! password is in a form field, never in a URL.

use domain::identity::accounts::{self, ChallengeFields, Client, SignIn};

use super::{continue_sign_in, start_over};
use crate::page::Visitor;
use crate::prelude::*;

pages! {
    Choose = "POST /sign-in/workspace", class: Class::Critical, access: Visitor => choose;
    SendCode = "POST /sign-in/code", class: Class::Critical, access: Visitor => send_code;
}

#[derive(Template)]
#[template(path = "sign_in/workspace.html")]
struct ChoosePage {
    shell: Shell,
    token: String,
    /// Slug and name of each.
    workspaces: Vec<(String, String)>,
    next: String,
}

#[derive(Template)]
#[template(path = "sign_in/code.html")]
struct CodePage {
    shell: Shell,
    form: FormView,
    token: String,
    next: String,
}

/// Asks for one of the user's workspaces.
pub(super) fn choose_page(browser: &Browser, token: &str, workspaces: Vec<(String, String)>, next: &str) -> PageResult {
    let shell = browser.shell(text("sign-in-choose"));
    responses::page(browser, ChoosePage { shell, token: token.to_owned(), workspaces, next: next.to_owned() })
}

/// Asks for the code of the authenticator app.
pub(in crate::pages) fn code_page(browser: &Browser, token: &str, next: &str) -> PageResult {
    responses::page(browser, filled_code_page(browser, form(), token, next))
}

fn filled_code_page(browser: &Browser, form: FormView, token: &str, next: &str) -> CodePage {
    CodePage { shell: browser.shell(text("sign-in-code")), form, token: token.to_owned(), next: next.to_owned() }
}

fn form() -> FormView {
    FormView::new::<ChallengeFields>().only(&["code"]).with_autocomplete(&[("code", "one-time-code")])
}

/// Whether the token was used already or has expired.
pub(super) fn is_token_spent(error: &Error) -> bool {
    matches!(error, Error::Malformed(_) | Error::Invalid(_)) && error.details().iter().any(|one| one.field == "token")
}

async fn choose(request: PageRequest<Choose>) -> PageResult {
    let PageRequest { ports, permit: client, form: submitted, browser, .. } = request;
    let chosen = (token_of(&submitted), submitted.value("workspace").unwrap_or_default());
    enter(&ports, &client, &browser, chosen, submitted.value("next").unwrap_or_default()).await
}

/// Signs in to a workspace, with the token that stands for the password.
pub(super) async fn enter(
    ports: &Ports,
    client: &Client,
    browser: &Browser,
    (token, workspace): (&str, &str),
    next: &str,
) -> PageResult {
    let mut chosen = Form::default();
    chosen.set("token", token);
    chosen.set("workspace", workspace);
    let result = async { accounts::choose_workspace(ports, client, chosen.read_new(browser)?).await };
    match result.await {
        Ok(entered) => continue_sign_in(browser, &entered, next, None),
        Err(Error::Malformed(_) | Error::Invalid(_)) => start_over(browser, "sign-in-again", next),
        Err(error) => Err(error.into()),
    }
}

async fn send_code(request: PageRequest<SendCode>) -> PageResult {
    let PageRequest { ports, permit: client, form: submitted, browser, .. } = request;
    let next = submitted.value("next").unwrap_or_default();
    let result = async { accounts::finish_sign_in(&ports, &client, submitted.read_new(&browser)?).await };
    match result.await {
        Ok(login) => continue_sign_in(&browser, &SignIn::Done(login), next, None),
        Err(error) if is_token_spent(&error) => start_over(&browser, "sign-in-again", next),
        Err(error) => {
            let view = form().with_input(&submitted).with_error(error)?;
            responses::unprocessable(&browser, filled_code_page(&browser, view, token_of(&submitted), next))
        }
    }
}

fn token_of(submitted: &Form) -> &str {
    submitted.value("token").unwrap_or_default()
}
