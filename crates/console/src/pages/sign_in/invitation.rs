//! Accepting an invitation, which also signs in. A form first sends the link's token, so that the token is in no URL on
//! the server. Then the page says who invites the user, and to which workspace.

use actix_web::http::StatusCode;
use domain::identity::accounts::{self, AcceptanceFields, Client, InvitationTokenFields, OpenInvitation};

use super::continue_sign_in;
use super::steps::is_token_spent;
use crate::page::Visitor;
use crate::prelude::*;

pages! {
    Show = "GET /accept-invitation", access: Visitor => show;
    Accept = "POST /accept-invitation", class: Class::Critical, access: Visitor => accept;
}

/// The form that a link in an e-mail opens.
#[derive(Template)]
#[template(path = "sign_in/by_token.html")]
pub(super) struct ByTokenPage {
    pub(super) shell: Shell,
    pub(super) form: FormView,
    /// Where the form is sent.
    pub(super) action: &'static str,
    pub(super) button: String,
    /// Whether a script sends the form as soon as it has read the token.
    pub(super) is_sent_at_once: bool,
}

/// The form that accepts the invitation.
#[derive(Template)]
#[template(path = "sign_in/join.html")]
struct JoinPage {
    shell: Shell,
    form: FormView,
    token: String,
    email: String,
    has_account: bool,
    /// Who invites, and for which role.
    invites: String,
}

impl JoinPage {
    fn new(browser: &Browser, invitation: &OpenInvitation, token: &str, form: FormView) -> Self {
        let role = ("role", invitation.role.as_str().into());
        let invites = match &invitation.inviter {
            Some(name) => text_with("invitation-by", [("name", name.as_str().into()), role]),
            None => text_with("invitation-by-nobody", [role]),
        };
        Self {
            shell: browser.shell(text_with("invitation-join", [("workspace", invitation.workspace.as_str().into())])),
            form,
            token: token.to_owned(),
            email: invitation.email.clone(),
            has_account: invitation.has_account,
            invites,
        }
    }
}

/// The page for an invitation that was already accepted.
#[derive(Template)]
#[template(path = "sign_in/invitation_used.html")]
struct UsedPage {
    shell: Shell,
}

fn token_page(browser: &Browser, form: FormView) -> ByTokenPage {
    let (shell, button) = (browser.shell(text("invitation-title")), text("invitation-open"));
    ByTokenPage { shell, form, action: "/accept-invitation", button, is_sent_at_once: true }
}

fn token_form() -> FormView {
    FormView::new::<InvitationTokenFields>().without_help().with_autocomplete(&[("token", "off")])
}

/// An existing account keeps its name, and only needs its password.
fn join_form(invitation: &OpenInvitation) -> FormView {
    let form = FormView::new::<AcceptanceFields>().without_help();
    let form = if invitation.has_account {
        form.only(&["password"]).with_autocomplete(&[("password", "current-password")])
    } else {
        let form = form.only(&["name", "password"]).with_label("name", "your-name");
        let form = form.with_help("password", "password-rules");
        form.with_autocomplete(&[("name", "name"), ("password", "new-password")])
    };
    form.with_usual(&[])
}

async fn show(request: PageRequest<Show>) -> PageResult {
    responses::page(&request.browser, token_page(&request.browser, token_form()))
}

async fn accept(request: PageRequest<Accept>) -> PageResult {
    let PageRequest { ports, permit: client, form: sent, browser, .. } = request;
    let token = sent.value("token").unwrap_or_default();
    // A form with only the token asks for the details of the invitation.
    if !sent.has("password") {
        return match find(&ports, &client, &sent, &browser).await {
            Ok(found) => responses::page(&browser, JoinPage::new(&browser, &found, token, join_form(&found))),
            Err(error) => refuse_token(&browser, &sent, error),
        };
    }
    let result = async { accounts::accept_invitation(&ports, &client, sent.read_new(&browser)?).await };
    let error = match result.await {
        Ok(entered) => return continue_sign_in(&browser, &entered, "/", Some(Notice::new(text("invitation-done")))),
        Err(error) => error,
    };
    match find(&ports, &client, &sent, &browser).await {
        Ok(found) => {
            let form = join_form(&found).with_input(&sent).with_error(error)?;
            responses::unprocessable(&browser, JoinPage::new(&browser, &found, token, form))
        }
        Err(error) => refuse_token(&browser, &sent, error),
    }
}

async fn find(ports: &Ports, client: &Client, sent: &Form, browser: &Browser) -> Result<OpenInvitation, Error> {
    let fields = sent.read_new::<InvitationTokenFields>(browser)?;
    accounts::find_invitation(ports, client, fields).await
}

/// Says why a link does not work, and what to do.
fn refuse_token(browser: &Browser, sent: &Form, error: Error) -> PageResult {
    if matches!(error, Error::CapabilityConsumed(_)) {
        let page = UsedPage { shell: browser.shell(text("invitation-used")) };
        return responses::page_with(StatusCode::CONFLICT, browser, page);
    }
    let (is_token_spent, is_empty) = (is_token_spent(&error), sent.value("token").is_none_or(str::is_empty));
    let mut form = token_form().with_input(sent).with_error(error)?;
    if let Some(field) = form.field_mut("token").filter(|_| is_token_spent && !is_empty) {
        field.error = Some(text("invitation-over"));
        form.error = None;
    }
    responses::unprocessable(browser, token_page(browser, form))
}
