//! Password, second factor and sessions.

use domain::SessionId;
use domain::identity::access::{ManageOwnAccount, Permit};
use domain::identity::accounts::{self, AccountView, FirstPasswordFields, PasswordFields, RemovalFields, SessionView};

use crate::cookies::Cookie;
use crate::prelude::*;

pages! {
    Show = "GET /account/security", access: ManageOwnAccount => show;
    ChangePassword = "POST /account/password", class: Class::Critical, access: ManageOwnAccount => change_password;
    SetPassword = "POST /account/first-password", class: Class::Critical, access: ManageOwnAccount => set_password;
    EndAllSessions = "POST /account/sessions/end-all", class: Class::Critical, access: ManageOwnAccount
    => end_all_sessions;
    EndSession = "POST /account/sessions/{session_id}/end", class: Class::Critical, access: ManageOwnAccount,
    path: SessionId => end_session;
}

#[derive(Template)]
#[template(path = "account/security.html")]
pub(super) struct SecurityPage {
    shell: Shell,
    account: AccountView,
    sessions: Vec<SessionView>,
    forms: Forms,
}

impl SecurityPage {
    fn codes_left(&self) -> usize {
        self.account.second_factor.recovery_codes_left
    }
}

/// The forms of the page, one of which may have been rejected.
pub(super) struct Forms {
    pub(super) password: FormView,
    /// The form for an account that has no password yet, instead of the one above.
    pub(super) first_password: FormView,
    pub(super) removal: FormView,
    pub(super) is_removing: bool,
}

impl Default for Forms {
    fn default() -> Self {
        let (password, removal) = (FormView::new::<PasswordFields>(), FormView::new::<RemovalFields>());
        Self { password, first_password: first_password(), removal, is_removing: false }
    }
}

fn first_password() -> FormView {
    let form = FormView::new::<FirstPasswordFields>();
    let form = form.with_autocomplete(&[("email", "username"), ("new_password", "new-password")]);
    form.with_label("email", "account-email-own").with_help("email", "account-email-own-hint")
}

pub(super) async fn security_page(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    browser: &Browser,
    forms: Forms,
) -> Result<SecurityPage, Error> {
    Ok(SecurityPage {
        shell: browser.shell(text("account-title")).part("account-security"),
        account: accounts::read(ports, permit).await?,
        sessions: accounts::list_sessions(ports, permit).await?,
        forms,
    })
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, browser, .. } = request;
    responses::page(&browser, security_page(&ports, &permit, &browser, Forms::default()).await?)
}

async fn change_password(request: PageRequest<ChangePassword>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let result = async { accounts::change_password(&ports, &permit, form.read_new(&browser)?).await };
    match result.await {
        Ok(()) => Ok(signed_out(&browser, "account-password-changed")),
        Err(error) => {
            let password = FormView::new::<PasswordFields>().with_error(error)?;
            let forms = Forms { password, ..Forms::default() };
            responses::unprocessable(&browser, security_page(&ports, &permit, &browser, forms).await?)
        }
    }
}

async fn set_password(request: PageRequest<SetPassword>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let result = async { accounts::set_first_password(&ports, &permit, form.read_new(&browser)?).await };
    match result.await {
        Ok(()) => Ok(signed_out(&browser, "account-password-set")),
        Err(error) => {
            let forms =
                Forms { first_password: first_password().with_input(&form).with_error(error)?, ..Forms::default() };
            responses::unprocessable(&browser, security_page(&ports, &permit, &browser, forms).await?)
        }
    }
}

async fn end_session(request: PageRequest<EndSession>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    accounts::end_session(&ports, &permit, path).await?;
    if permit.session().is_some_and(|(own, _)| own == path) {
        return Ok(signed_out(&browser, "account-session-ended"));
    }
    responses::success(&browser, "/account/security", text("account-session-ended"))
}

async fn end_all_sessions(request: PageRequest<EndAllSessions>) -> PageResult {
    let PageRequest { ports, permit, browser, .. } = request;
    accounts::end_all_sessions(&ports, &permit).await?;
    Ok(signed_out(&browser, "account-signed-out"))
}

/// Redirects to the sign-in page, with the reason.
pub(in crate::pages) fn signed_out(browser: &Browser, why: &'static str) -> actix_web::HttpResponse {
    let mut response = responses::redirect_to(browser, "/sign-in");
    responses::append_cookie(&mut response, Cookie::Session(&browser.slug).remove(browser.is_https));
    responses::append_notice(&mut response, browser, "", &Notice::new(text(why)));
    response.finish()
}
