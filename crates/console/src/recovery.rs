//! Responses in place of an error, if the browser has no session in the workspace, or if a form is over the rate limit
//! or not answered in time. They lead to the page, and keep everything that was typed.

use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, HeaderName, HeaderValue, REFERER, RETRY_AFTER};
use actix_web::http::{Method, StatusCode};
use actix_web::rt::time::timeout;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use askama::Template;
use domain::identity::access::{Caller, ManageOwnAccount};
use domain::identity::accounts;
use domain::{Error, UserId};
use http_core::admission::hold_for;
use http_core::errors::HttpError;
use http_core::{AppState, Renderer, body};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::errors::sign_in_address;
use crate::form::{Form, number_of};
use crate::layout::{Browser, Shell};
use crate::page::{NEXT, PageResult, is_https};
use crate::pages::{form_summary, kinds};
use crate::responses::{self, is_own_path};
use crate::same_site::{self, FORM_TOKEN, TOKEN_HEADER};
use crate::sessions::{self, Workspaces};
use crate::texts::{text, text_with};
use crate::{addresses, filters, rendering};

/// Tells scripts that the session has ended, and where to sign in.
const SIGN_IN: HeaderName = HeaderName::from_static("x-sign-in");
/// Tells scripts that another user is signed in now than when the page was opened, with that user's name.
const NOW_SIGNED_IN: HeaderName = HeaderName::from_static("x-now-signed-in");

/// How long rendering the page with an unanswered form may take.
const KEPT_PAGE_TIMEOUT: Duration = Duration::from_secs(2);

/// A form that was not accepted, because its session has ended or another one has begun.
#[derive(Debug)]
pub(crate) struct KeptForm(pub(crate) Form);

/// The submitted form of a request that is being handled.
struct SubmittedForm(Form);

/// Why a form was not accepted, or may not have been.
struct Rejection {
    title: &'static str,
    status: StatusCode,
    reason: String,
    /// How many seconds to wait before sending it again.
    wait: Option<i64>,
}

#[derive(Template)]
#[template(path = "sign_in/other_workspace.html")]
struct OtherWorkspacePage {
    shell: Shell,
    /// Slug and name of the workspace, if the user is a member of it.
    own: Option<(String, String)>,
    /// The requested address.
    next: String,
    sign_in: String,
}

#[derive(Template)]
#[template(path = "sign_in/kept.html")]
struct KeptPage {
    shell: Shell,
    action: String,
    /// All fields that are sent again.
    hidden: Vec<(String, String)>,
    /// The typed values, in words.
    shown: Vec<form_summary::Line>,
    /// Whether a password or a code has to be typed again.
    lacks_secrets: bool,
    /// Where to sign in first.
    sign_in: Option<String>,
    /// The name of the signed-in user, if another user opened the form.
    signed_in_as: Option<String>,
    /// Why the form was not accepted, if not because of the session.
    reason: Option<String>,
    /// The page to go to if the form is discarded.
    discard: String,
}

/// Responds to an error for which a better page exists.
///
/// # Errors
/// Those of [`without_session`] and [`keep_rate_limited`], and every other error.
pub(crate) async fn recover(error: HttpError, request: &HttpRequest, state: &AppState) -> PageResult {
    match error {
        HttpError::Domain(Error::Unauthorized) => without_session(request, state).await,
        HttpError::Domain(Error::RateLimited(_)) => keep_rate_limited(request, state, error).await,
        other => Err(other),
    }
}

/// Responds to a request without a session in the workspace: redirects, offers the other workspace, or keeps the form.
///
/// # Errors
/// [`Error::Unauthorized`] if the browser has no session at all, and for every form.
async fn without_session(request: &HttpRequest, state: &AppState) -> PageResult {
    let workspaces = Workspaces::of(request, is_https(state));
    let slug = sessions::slug_of(request);
    if request.method() == Method::POST {
        keep_form(request, state, slug.is_none(), &workspaces).await?;
        return Err(Error::Unauthorized.into());
    }
    match slug {
        Some(slug) => offer_workspace(request, state, &slug, &workspaces).await,
        None => redirect_without_workspace(request, state, &workspaces).await,
    }
}

/// Redirects an address without a workspace, such as an old bookmark, to the last used workspace with a valid session.
async fn redirect_without_workspace(request: &HttpRequest, state: &AppState, workspaces: &Workspaces) -> PageResult {
    let caller = sessions::next_valid_session(request, state, workspaces, &mut 0).await.ok_or(Error::Unauthorized)?;
    let base = addresses::base_of(&caller.workspace().slug);
    Ok(responses::redirect_from(&base, &request.uri().to_string(), Browser::of(request, state, None).is_htmx).finish())
}

/// Says that the page belongs to another workspace. Only its members learn whether that workspace exists.
async fn offer_workspace(request: &HttpRequest, state: &AppState, slug: &str, workspaces: &Workspaces) -> PageResult {
    let visitor = Browser::of(request, state, None);
    if visitor.is_htmx {
        return Ok(signed_out(&visitor, request, &Form::default()));
    }
    let (mut tried, mut signed_in, mut own) = (0, None::<Caller>, None);
    while let Some(caller) = sessions::next_valid_session(request, state, workspaces, &mut tried).await {
        let Ok(permit) = caller.permit::<ManageOwnAccount>() else { continue };
        let all = accounts::list_workspaces(&state.ports, &permit).await?;
        own = all.into_iter().map(|one| one.workspace).find(|one| one.slug == slug).map(|one| (one.slug, one.name));
        if own.is_some() {
            signed_in = Some(caller);
            break;
        }
        signed_in = signed_in.or(Some(caller));
    }
    let browser = Browser::of(request, state, Some(signed_in.ok_or(Error::Unauthorized)?));
    let next = addresses::with_base(&addresses::base_of(slug), &browser.address).into_owned();
    let next = if is_own_path(&next) { next } else { "/".to_owned() };
    let (shell, sign_in) = (browser.shell(text("elsewhere-title")), sign_in_address(request));
    responses::page_with(StatusCode::FORBIDDEN, &browser, OtherWorkspacePage { shell, own, next, sign_in })
}

/// Stores a form that one of our own pages sent, so that [`kept_form_response`] can return it.
async fn keep_form(
    request: &HttpRequest,
    state: &AppState,
    is_old: bool,
    workspaces: &Workspaces,
) -> Result<(), HttpError> {
    if same_site::is_own_origin(request, &state.ports.settings.public_url) {
        let form = Form::receive(&body::receive_form(request).await?)?;
        // The page was opened before URLs contained the workspace.
        if is_old && let Some(caller) = sessions::next_valid_session(request, state, workspaces, &mut 0).await {
            request.extensions_mut().insert(caller);
        }
        request.extensions_mut().insert(KeptForm(form));
    }
    Ok(())
}

/// The response to a form that was kept, if there is one.
pub(crate) async fn kept_form_response(request: &HttpRequest, state: &AppState) -> Option<PageResult> {
    let KeptForm(form) = request.extensions_mut().remove::<KeptForm>()?;
    let caller = request.extensions().get::<Caller>().cloned();
    Some(kept_page(&Browser::of(request, state, caller), request, state, &form, None).await)
}

/// Responds to a form over the rate limit with the page that keeps it, unless a script sent the form.
///
/// # Errors
/// The rate limit error if the form cannot be kept, and for forms from other sites.
async fn keep_rate_limited(request: &HttpRequest, state: &AppState, refusal: HttpError) -> PageResult {
    let (Some(seconds), Some(slug)) = (refusal.retry_after(), sessions::slug_of(request)) else {
        return Err(refusal);
    };
    let is_form = request.method() == Method::POST && !request.headers().contains_key(TOKEN_HEADER);
    let is_own = same_site::is_own_origin(request, &state.ports.settings.public_url);
    let Some(caller) = sessions::valid_session(request, state, &slug).await.filter(|_| is_form && is_own) else {
        return Err(refusal);
    };
    let browser = Browser::of(request, state, Some(caller.clone()));
    if browser.is_htmx {
        return Err(refusal);
    }
    hold_for(request, state, &caller)?;
    let form = Form::receive(&body::receive_form(request).await?)?;
    // If a page has already read the body and failed, the form is lost.
    if form.pairs().next().is_none() {
        return Err(refusal);
    }
    let reason = text_with("kept-too-many", [("seconds", seconds.into())]);
    let rejection =
        Rejection { title: "kept-title", status: StatusCode::TOO_MANY_REQUESTS, reason, wait: Some(seconds) };
    kept_page(&browser, request, state, &form, Some(rejection)).await
}

/// Remembers a submitted form for [`keep_unconfirmed_form`]. Scripts still have their page.
pub(crate) fn store_submission(request: &HttpRequest, browser: &Browser, form: &Form) {
    let is_by_script = browser.is_htmx || request.headers().contains_key(TOKEN_HEADER);
    if browser.caller.is_some() && !is_by_script {
        request.extensions_mut().insert(SubmittedForm(form.clone()));
    }
}

/// Replaces the error of an unavailable service by the page that keeps the form. It is not known whether the form was
/// saved. If the form has a number, it can safely be sent again.
pub(crate) async fn keep_unconfirmed_form(
    answer: HttpResponse,
    request: &HttpRequest,
    state: &AppState,
) -> HttpResponse {
    let sent = request.extensions_mut().remove::<SubmittedForm>();
    let status = answer.status();
    let Some(SubmittedForm(form)) = sent.filter(|_| status == StatusCode::SERVICE_UNAVAILABLE) else { return answer };
    let caller = request.extensions().get::<Caller>().cloned();
    let browser = Browser::of(request, state, caller);
    let reason = text(if number_of(&form).is_some() { "kept-unanswered-once" } else { "kept-unanswered" });
    let rejection = Rejection { title: "kept-unanswered-title", status, reason, wait: None };
    let page = async {
        let page = kept_page(&browser, request, state, &form, Some(rejection)).await?;
        rendering::complete(page, &Renderer::of(request, state)).await
    };
    match timeout(KEPT_PAGE_TIMEOUT, page).await {
        Ok(Ok(page)) => page,
        _ => answer,
    }
}

/// The page that keeps what was typed and sends it again. Scripts get what they need to send it again from the page
/// that is open.
async fn kept_page(
    browser: &Browser,
    request: &HttpRequest,
    state: &AppState,
    form: &Form,
    rejection: Option<Rejection>,
) -> PageResult {
    let is_signed_in = browser.caller.is_some();
    if browser.is_htmx && !is_signed_in {
        return Ok(signed_out(browser, request, form));
    }
    let writer = writer_of(request, form);
    let title = rejection.as_ref().map_or("kept-title", |rejection| rejection.title);
    let (action, mut shell) = (browser.address.clone(), browser.shell(text(title)));
    if !is_signed_in {
        shell.token = browser.token_for(writer);
    }
    let signed_in_as = browser.caller.as_ref().filter(|_| writer.is_some() && writer != browser.user());
    let signed_in_as = signed_in_as.map(|caller| caller.name().to_owned());
    let lacks_secrets = form.pairs().any(|(name, value)| form_summary::is_secret(name) && !value.is_empty());
    let pairs = form.pairs().filter(|(name, _)| !form_summary::is_secret(name) && *name != FORM_TOKEN);
    let hidden: Vec<_> = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let shown = form_summary::lines(&state.ports, browser, form).await;
    let discard = discard_target(browser, request, state, form);
    let sign_in = (!is_signed_in).then(|| new_tab_sign_in_url(request));
    let renewed = [
        (HeaderName::from_static(TOKEN_HEADER), Some(shell.token.clone())),
        (NOW_SIGNED_IN, encoded(signed_in_as.as_deref())),
    ];
    let status = rejection.as_ref().map_or(StatusCode::FORBIDDEN, |rejection| rejection.status);
    let wait = rejection.as_ref().and_then(|rejection| rejection.wait);
    let reason = rejection.map(|rejection| rejection.reason);
    let page = KeptPage { shell, action, hidden, shown, lacks_secrets, sign_in, signed_in_as, reason, discard };
    let mut response = responses::page_with(status, browser, page)?;
    if let Some(seconds) = wait {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    if !is_signed_in {
        response.headers_mut().insert(SIGN_IN, HeaderValue::from_static("/sign-in"));
    } else if browser.is_htmx {
        for (name, value) in renewed {
            if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
                response.headers_mut().insert(name, value);
            }
        }
    }
    Ok(response)
}

fn encoded(name: Option<&str>) -> Option<String> {
    name.map(|name| utf8_percent_encode(name, NON_ALPHANUMERIC).to_string())
}

/// The user who opened the page, according to the form token. The form is accepted without asking only in a session of
/// this user.
fn writer_of(request: &HttpRequest, form: &Form) -> Option<UserId> {
    same_site::token_in(request, form).and_then(same_site::person_of)
}

/// Where to sign in while the page stays open.
fn new_tab_sign_in_url(request: &HttpRequest) -> String {
    let base = sessions::slug_of(request).map(|slug| addresses::base_of(&slug)).unwrap_or_default();
    let next: String = form_urlencoded::byte_serialize(addresses::with_base(&base, "/").as_bytes()).collect();
    format!("/sign-in?next={next}")
}

/// The page to go to if a form is discarded: the one that the form would have led to, or else the one it came from.
fn discard_target(browser: &Browser, request: &HttpRequest, state: &AppState, form: &Form) -> String {
    let own_path = |address: &str| {
        let address = addresses::without_base(&browser.slug, address).into_owned();
        Some(address).filter(|address| is_own_path(address))
    };
    let page = request.headers().get(REFERER).and_then(|page| page.to_str().ok());
    let page = page.and_then(|page| page.strip_prefix(state.ports.settings.public_url.trim_end_matches('/')));
    // A form that is kept a second time came from the page that kept it, which no link leads to.
    let page = page.and_then(own_path).filter(|page| page.split('?').next() != Some(browser.path()));
    form.value(NEXT).and_then(own_path).or(page).unwrap_or_else(|| {
        let area = browser.path().split('/').nth(1).unwrap_or_default();
        let is_part = kinds::by_plural(area).is_some_and(|pages| pages.list.is_none());
        let has_page = !is_part && !matches!(area, "undo" | "comments" | "views");
        format!("/{}", if has_page { area } else { "" })
    })
}

/// The response to a script whose session has ended. Its page stays open, with a token that is valid in the user's next
/// session.
pub(crate) fn signed_out(browser: &Browser, request: &HttpRequest, form: &Form) -> HttpResponse {
    let mut response = HttpResponse::build(StatusCode::UNAUTHORIZED);
    response.insert_header((CACHE_CONTROL, "no-store")).insert_header((SIGN_IN, new_tab_sign_in_url(request)));
    if let Some(writer) = writer_of(request, form) {
        response.insert_header((TOKEN_HEADER, browser.token_for(Some(writer))));
        responses::append_visit(&mut response, browser);
    }
    response.finish()
}
