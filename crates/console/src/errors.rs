//! Error pages.

use actix_web::http::header::RETRY_AFTER;
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use askama::Template;
use domain::Error;
use domain::identity::access::Caller;
use domain::kernel::input::Problem;
use domain::limits::Class;
use http_core::admission::count_only;
use http_core::endpoint::run_guarded_with;
use http_core::errors::{self, HttpError};
use http_core::request_context::RequestContext;
use http_core::{AppState, ResponseFuture};

use crate::form::Form;
use crate::layout::{Browser, Shell};
use crate::page::is_https;
use crate::recovery;
use crate::responses::{self, is_own_path};
use crate::sessions::{self, Workspaces};
use crate::{addresses, filters, rendering, texts};

/// What a page says about an error.
struct ErrorText {
    status: u16,
    message: String,
    details: Vec<String>,
    request_id: String,
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    shell: Shell,
    error: ErrorText,
}

/// The error page of signed-in users.
#[derive(Template)]
#[template(path = "error_signed_in.html")]
struct SignedInErrorPage {
    shell: Shell,
    error: ErrorText,
}

/// The error page on public pages, which are the same for everybody.
#[derive(Template)]
#[template(path = "help_centre/error.html")]
struct PublicErrorPage {
    title: String,
    error: ErrorText,
}

impl PublicErrorPage {
    /// The URL of an asset.
    #[expect(clippy::unused_self, reason = "templates call it as a method")]
    fn asset(&self, name: &str) -> String {
        assets::address_of(name)
    }
}

/// How many details of an error a page shows, and the characters of each. Both may come from the request.
const MAX_DETAILS: usize = 20;
const MAX_DETAIL_LENGTH: usize = 300;

/// The message of an error, as a sentence.
pub(crate) fn message_of(error: &Error) -> String {
    match error {
        // Forms have numbers, not idempotency keys.
        Error::IdempotencyConflict(_) => texts::text("made-meanwhile"),
        _ => texts::sentence(&errors::message_of(error)),
    }
}

/// The error page, or a redirect to the sign-in.
pub(crate) fn respond(failure: &HttpError, request: &HttpRequest, state: &AppState) -> HttpResponse {
    respond_to(&Browser::of(request, state, None), failure, request)
}

/// The error page for this browser.
pub(crate) fn respond_to(browser: &Browser, failure: &HttpError, request: &HttpRequest) -> HttpResponse {
    if matches!(failure, HttpError::Domain(Error::Unauthorized)) {
        return if browser.is_htmx {
            recovery::signed_out(browser, request, &Form::default())
        } else {
            responses::redirect_from("", &sign_in_address(request), false).finish()
        };
    }
    let exchange = RequestContext::of(request);
    let status = failure.status();
    let details = failure.details().into_iter().take(MAX_DETAILS);
    let details = details.map(|problem| texts::shortened(&detail_of(&problem), MAX_DETAIL_LENGTH));
    let title = texts::text(title_of(status));
    let message = match failure {
        HttpError::UnknownRoute => texts::text("error-no-page"),
        _ => texts::sentence(&failure.message()),
    };
    let request_id = exchange.request_id.to_string();
    let error = ErrorText { status: status.as_u16(), message, details: details.collect(), request_id };
    let page = if browser.is_public() {
        responses::page_with(status, browser, PublicErrorPage { title, error })
    } else if browser.caller.is_some() {
        responses::page_with(status, browser, SignedInErrorPage { shell: browser.shell(title), error })
    } else {
        responses::page_with(status, browser, ErrorPage { shell: browser.shell(title), error })
    };
    let Ok(mut response) = page.and_then(rendering::complete_inline) else {
        return HttpResponse::InternalServerError().finish();
    };
    if let Some(seconds) = failure.retry_after() {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

/// The message about a parameter or field, with the label of its field.
fn detail_of(problem: &Problem) -> String {
    let message = match problem.code {
        "invalid_uuid" => texts::text("error-incomplete-id"),
        _ => problem.message.clone(),
    };
    format!("{}: {message}", texts::label("member", &problem.field))
}

/// The sign-in URL that leads back to the requested page. Only `GET` requests are repeated after signing in.
pub(crate) fn sign_in_address(request: &HttpRequest) -> String {
    let base = sessions::slug_of(request).map(|slug| addresses::base_of(&slug)).unwrap_or_default();
    let address = request.uri().to_string();
    let address = addresses::with_base(&base, &address);
    if request.method() != Method::GET || address == "/" || !is_own_path(&address) {
        return "/sign-in".to_owned();
    }
    let next: String = form_urlencoded::byte_serialize(address.as_bytes()).collect();
    format!("/sign-in?next={next}")
}

fn title_of(status: StatusCode) -> &'static str {
    match status.as_u16() {
        403 => "error-forbidden",
        404 => "error-not-found",
        429 => "error-too-many",
        500.. => "error-ours",
        _ => "error-other",
    }
}

/// The page for an unknown path, with the navigation if the browser is signed in.
pub(crate) fn not_found(request: HttpRequest, state: web::Data<AppState>) -> ResponseFuture {
    Box::pin(async move {
        let respond = |failure| {
            let caller = request.extensions().get::<Caller>().cloned();
            respond_to(&Browser::of(&request, &state, caller), &failure, &request)
        };
        let work = async {
            count_unknown(&request, &state).await;
            let right = addresses::with_slug_in_lower_case(&request.uri().to_string());
            let right = right.filter(|_| request.method() == Method::GET && sessions::slug_of(&request).is_none());
            right.map(|right| responses::redirect_from("", &right, false).finish()).ok_or(HttpError::UnknownRoute)
        };
        run_guarded_with(&request, state.settings.deadline_of(Class::Console), work, respond).await
    })
}

/// Counts a request for an unknown path, and stores who sent it. It is answered even over the rate limit.
async fn count_unknown(request: &HttpRequest, state: &AppState) {
    let workspaces = Workspaces::of(request, is_https(state));
    let slug = sessions::slug_of(request).or_else(|| workspaces.last().map(str::to_owned));
    let Some(slug) = slug.filter(|slug| workspaces.has(slug)) else {
        return count_only(request, state).await;
    };
    if let Ok((caller, _)) = sessions::admit(request, state, Some(&slug), Class::Console).await {
        request.extensions_mut().insert(caller);
    }
}
