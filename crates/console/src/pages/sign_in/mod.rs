//! Signing in and out, and other pages for visitors.

pub(super) mod invitation;
pub(super) mod link;
pub(super) mod password;
pub(super) mod set_up;
pub(super) mod steps;

use actix_web::HttpResponse;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{self, FirstStep, Login, LoginFields, SignIn as SignInResult, WorkspaceChoice};
use domain::identity::set_up::needs_set_up;

use crate::addresses;
use crate::cookies::Cookie;
use crate::page::Visitor;
use crate::prelude::*;

pages! {
    Show = "GET /sign-in", access: Visitor, query: Next => show;
    SignIn = "POST /sign-in", class: Class::Critical, access: Visitor => sign_in;
    SignOut = "POST /sign-out", access: ManageOwnAccount => sign_out;
}

/// The page to open after signing in.
#[derive(Debug)]
pub(crate) struct Next(Option<String>);

impl Query for Next {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(Parameters::single(query, "next"))
    }
}

#[derive(Template)]
#[template(path = "sign_in/page.html")]
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

fn form() -> FormView {
    let form = FormView::new::<LoginFields>().only(&["email", "password"]).without_help();
    form.with_autocomplete(&[("email", "username"), ("password", "current-password")])
}

async fn show(request: PageRequest<Show>) -> PageResult {
    // Every page that needs a session redirects here. Before the first workspace exists, this page redirects to the
    // set-up.
    if needs_set_up(&request.ports).await? {
        return Ok(responses::redirect(&request.browser, "/set-up", None));
    }
    let next = request.query.0.unwrap_or_default();
    responses::page(&request.browser, SignInPage::new(&request.browser, form(), &next))
}

async fn sign_in(request: PageRequest<SignIn>) -> PageResult {
    let PageRequest { ports, permit: client, form: sent, browser, .. } = request;
    let next = sent.value("next").unwrap_or_default();
    let result = async { accounts::login_by_steps(&ports, &client, sent.read_new(&browser)?).await };
    match result.await {
        Ok(FirstStep::Entered(entered)) => continue_sign_in(&browser, &entered, next, None),
        Ok(FirstStep::Choice(WorkspaceChoice { pending, workspaces })) => {
            // The requested URL tells which workspace, if it is one of the user's.
            let wanted = addresses::split(next)
                .map(|(slug, _)| slug)
                .filter(|slug| workspaces.iter().any(|one| one.slug == **slug));
            if let Some(slug) = wanted {
                return steps::enter(&ports, &client, &browser, (pending.token.reveal(), slug), next).await;
            }
            let workspaces = workspaces.into_iter().map(|one| (one.slug, one.name)).collect();
            steps::choose_page(&browser, pending.token.reveal(), workspaces, next)
        }
        Err(error) => {
            let view = form().with_input(&sent).with_error(error)?;
            responses::unprocessable(&browser, SignInPage::new(&browser, view, next))
        }
    }
}

/// Begins a session, or asks for the second factor.
pub(super) fn continue_sign_in(
    browser: &Browser,
    entered: &SignInResult,
    next: &str,
    notice: Option<Notice>,
) -> PageResult {
    match entered {
        SignInResult::Done(login) => Ok(begin(browser, login, next, notice)),
        SignInResult::SecondFactor(pending) => steps::code_page(browser, pending.token.reveal(), next),
    }
}

/// The sign-in page, with the reason why signing in has to start over.
pub(super) fn start_over(browser: &Browser, key: &str, next: &str) -> PageResult {
    let mut view = form();
    view.error = Some(text(key));
    responses::unprocessable(browser, SignInPage::new(browser, view, next))
}

/// Gives the browser the session, and redirects to the requested page.
pub(super) fn begin(browser: &Browser, login: &Login, next: &str, notice: Option<Notice>) -> HttpResponse {
    let slug = &login.signed_in.workspace.slug;
    let next = addresses::without_base(slug, next);
    // A page of another workspace cannot be opened in the workspace that was chosen.
    let is_other_workspace = addresses::split(&next).is_some();
    let next = if is_own_path(&next) && !is_other_workspace { &*next } else { "/" };
    let notice = notice.or_else(|| is_other_workspace.then(|| Notice::new(text("sign-in-elsewhere"))));
    let mut response = responses::redirect_from(&addresses::base_of(slug), next, browser.is_htmx);
    responses::append_cookie(&mut response, Cookie::Session(slug).set(login.token.reveal(), None, browser.is_https));
    responses::append_last_used(&mut response, browser, slug);
    if let Some(notice) = notice {
        responses::append_notice(&mut response, browser, slug, &notice);
    }
    response.finish()
}

async fn sign_out(request: PageRequest<SignOut>) -> PageResult {
    accounts::logout(&request.ports, &request.permit).await?;
    let browser = &request.browser;
    let mut response = responses::redirect_to(browser, "/sign-in");
    for cookie in [Cookie::Session(&browser.slug), Cookie::Visit] {
        responses::append_cookie(&mut response, cookie.remove(browser.is_https));
    }
    Ok(response.finish())
}
