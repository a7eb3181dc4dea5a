//! Signing in and out.

use askama::Template;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{self, Login, LoginFields, SignIn as SignInResult};
use domain::kernel::input::InputMode;
use domain::kernel::input::Parameters;
use http_core::query::{Query, QueryReader};

use crate::answers::{self, is_own_path};
use crate::cookies::Cookie;
use crate::filters;
use crate::form::FormView;
use crate::layout::{Browser, Shell};
use crate::page::{PageRequest, PageResult, Visitor, page};
use crate::texts::text;

page! {
    Show = "GET /sign-in", access: Visitor, query: Next => show
}

page! {
    SignIn = "POST /sign-in", access: Visitor => sign_in
}

page! {
    SignOut = "POST /sign-out", access: ManageOwnAccount => sign_out
}

/// Where to go on after signing in.
#[derive(Debug)]
pub(crate) struct Next(Option<String>);

impl Query for Next {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(Parameters::single(query, "next"))
    }
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    shell: Shell,
    form: FormView,
    next: String,
}

impl SignInPage {
    fn new(browser: &Browser, form: FormView, next: &str) -> Self {
        Self { shell: browser.shell(text("sign-in")), form, next: next.to_owned() }
    }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let next = request.query.0.unwrap_or_default();
    answers::page(&request.browser, &SignInPage::new(&request.browser, FormView::new::<LoginFields>(), &next))
}

async fn sign_in(request: PageRequest<SignIn>) -> PageResult {
    let PageRequest { ports, permit: client, form, browser, .. } = request;
    let next = form.value("next").unwrap_or_default();
    let fields = form.read::<LoginFields>(InputMode::Create, &ports, &browser.preferences.zone);
    let result = match fields {
        Ok(fields) => accounts::login(&ports, &client, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(SignInResult::Done(login)) => Ok(begin(&browser, &login, next)),
        // The page of the second step is still to be written.
        Ok(SignInResult::SecondFactor(_)) => Ok(answers::redirect(&browser, "/sign-in", None)),
        Err(error) => {
            let view = FormView::new::<LoginFields>().typed(&form).with_error(error)?;
            answers::refused(&browser, &SignInPage::new(&browser, view, next))
        }
    }
}

/// Gives the browser the session and goes on to the page that was asked for.
fn begin(browser: &Browser, login: &Login, next: &str) -> actix_web::HttpResponse {
    let next = if is_own_path(next) { next } else { "/" };
    let mut response = answers::redirect_to(next, browser.is_htmx);
    answers::append_cookie(&mut response, Cookie::Session.set(login.token.reveal(), None, browser.is_https));
    answers::append_cookie(&mut response, Cookie::Visit.remove(browser.is_https));
    response.finish()
}

async fn sign_out(request: PageRequest<SignOut>) -> PageResult {
    accounts::logout(&request.ports, &request.permit).await?;
    let mut response = answers::redirect_to("/sign-in", request.browser.is_htmx);
    answers::append_cookie(&mut response, Cookie::Session.remove(request.browser.is_https));
    Ok(response.finish())
}
