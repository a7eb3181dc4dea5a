//! The declaration of a page, the checked request that it receives, and the code that runs it.

use std::pin::Pin;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use domain::Error;
use domain::identity::access::{AccessRequirement, Caller, Permission, Permit};
use domain::identity::accounts::Client;
use domain::kernel::input::{Problem, Problems};
use domain::limits::Class;
use domain::ports::Ports;
use http_core::admission::{AuthScheme, admit_visitor, client_of, note_refusal};
use http_core::endpoint::run_guarded_with;
use http_core::errors::HttpError;
use http_core::path::PathIds;
use http_core::query::{self, Query};
use http_core::request_context::RequestContext;
use http_core::{AppState, Operation, Renderer, ResponseFuture, body};
use jiff::tz::TimeZone;
use telemetry::log_context::Context;

use crate::form::{Form, ZONE, bound_of, number_of};
use crate::layout::Browser;
use crate::{addresses, errors, lists, recovery, rendering, same_site, sessions};

/// The field with the address to which a form leads.
pub(crate) const NEXT: &str = "_next";

pub(crate) type PageResult = Result<HttpResponse, HttpError>;

/// One method on one route of the console. `GET` shows a page; `POST` does something and redirects to a page.
pub(crate) trait PageRoute: Sized + 'static {
    /// Method and pattern, such as `GET /deals`.
    const ROUTE: &'static str;
    /// The class under which its requests are counted.
    const CLASS: Class = Class::Console;
    /// Whether a `GET` has an effect, such as an export that is written to the audit log. Other sites cannot link to it.
    const HAS_EFFECT: bool = matches!(Self::CLASS, Class::Bulk);
    /// The permission that the caller needs, or [`Visitor`].
    type Access: PageAccess;
    type Path: PathIds;
    type Query: Query;

    /// Handles a request that has passed every check that needs no record.
    fn handle(request: PageRequest<Self>) -> impl Future<Output = PageResult>;
}

/// Who may open a page.
pub(crate) trait PageAccess {
    type Granted;
    const NEEDS: Option<AccessRequirement>;
    const AUTH_SCHEME: AuthScheme;
    /// Whether the page is the same for everybody. Such a page reads and sets no cookies, and its forms need no token,
    /// because another site could not act on behalf of anybody.
    const IS_PUBLIC: bool = false;

    /// Authenticates the browser, counts the request, and checks the permission.
    async fn admit(
        request: &HttpRequest,
        state: &AppState,
        class: Class,
    ) -> Result<(Self::Granted, Option<Caller>), HttpError>;
}

impl<P: Permission> PageAccess for P {
    type Granted = Permit<P>;
    const NEEDS: Option<AccessRequirement> = Some(P::NEEDS);
    const AUTH_SCHEME: AuthScheme = AuthScheme::Browser;

    async fn admit(
        request: &HttpRequest,
        state: &AppState,
        class: Class,
    ) -> Result<(Permit<P>, Option<Caller>), HttpError> {
        let slug = sessions::slug_of(request);
        let (caller, _) = sessions::admit(request, state, slug.as_deref(), class).await?;
        // The error page shows the caller's navigation.
        request.extensions_mut().insert(caller.clone());
        let permit = caller.permit::<P>().inspect_err(|error| note_refusal(state, &caller, error))?;
        Ok((permit, Some(caller)))
    }
}

/// Anybody, with or without a session.
#[derive(Debug)]
pub(crate) enum Visitor {}

impl PageAccess for Visitor {
    type Granted = Client;
    const NEEDS: Option<AccessRequirement> = None;
    const AUTH_SCHEME: AuthScheme = AuthScheme::Anonymous;

    async fn admit(
        request: &HttpRequest,
        state: &AppState,
        class: Class,
    ) -> Result<(Client, Option<Caller>), HttpError> {
        Ok((admit_visitor(request, state, class).await?, None))
    }
}

/// A request that has passed every check that needs no record.
pub(crate) struct PageRequest<P: PageRoute> {
    pub(crate) ports: Arc<Ports>,
    /// Proof that the caller may open the page.
    pub(crate) permit: <P::Access as PageAccess>::Granted,
    pub(crate) path: P::Path,
    pub(crate) query: P::Query,
    /// The submitted form; empty for `GET`.
    pub(crate) form: Form,
    /// The device, for sessions that the page begins.
    pub(crate) client: Client,
    /// The caller, the workspace and the preferences.
    pub(crate) browser: Browser,
    /// Renders large texts and files.
    pub(crate) renderer: Renderer,
}

/// The part of a request that is read in the same way for every page. Not generic, so that it is compiled only once.
struct CommonParts {
    browser: Browser,
    form: Form,
    /// The query without empty fields.
    query: String,
}

impl CommonParts {
    async fn read(
        request: &HttpRequest,
        state: &AppState,
        caller: Option<Caller>,
        is_public: bool,
        has_effect: bool,
    ) -> Result<Self, HttpError> {
        let mut browser = browser_of(request, state, caller, is_public);
        let form = if request.method() == Method::POST {
            let mut form = Form::receive(&body::receive_form(request).await?)?;
            same_site::check(request, state, &browser, &form, is_public)?;
            recovery::store_submission(request, &browser, &form);
            browser.once = number_of(&form);
            if let Some(next) = form.value(NEXT).map(|next| addresses::without_base(&browser.slug, next).into_owned()) {
                form.set(NEXT, &next);
            }
            form
        } else {
            if has_effect && same_site::is_linked_by_other_site(request) {
                let message = "another site linked here: open this page from within this site";
                return Err(Error::Forbidden(message.to_owned()).into());
            }
            Form::default()
        };
        let query = with_instants(request.query_string(), &browser.preferences.zone);
        if query != request.query_string() {
            // Links to more pages and saved views contain instants, so that they mean the same in other zones.
            let path = browser.path();
            browser.address = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
        }
        Ok(Self { browser, form, query: without_empty(&query) })
    }
}

impl<P: PageRoute> PageRequest<P> {
    fn of(
        common: CommonParts,
        permit: <P::Access as PageAccess>::Granted,
        request: &HttpRequest,
        state: &AppState,
    ) -> Result<Self, HttpError> {
        let CommonParts { mut browser, form, query } = common;
        let path = path_of(request, state)?;
        let (query, wrong) = query_of(&query, state)?;
        if !wrong.is_empty() {
            browser.address = lists::without_invalid_position(&browser.address, &wrong);
        }
        browser.wrong = wrong;
        let client = client_of(request, state);
        let renderer = Renderer::of(request, state);
        Ok(Self { ports: Arc::clone(&state.ports), permit, path, query, form, client, browser, renderer })
    }
}

fn path_of<I: PathIds>(request: &HttpRequest, state: &AppState) -> Result<I, HttpError> {
    let mut problems = Problems::in_context(&state.ports);
    let path = I::read(request, &mut problems);
    // A truncated or mistyped id is an unknown route.
    problems.into_result().map_err(|_| HttpError::UnknownRoute)?;
    Ok(path)
}

/// The query without the parameters whose errors the page shows itself, and these errors.
fn query_of<Q: Query>(text: &str, state: &AppState) -> Result<(Q, Vec<Problem>), HttpError> {
    let read = |text: &str| {
        let mut problems = Problems::in_context(&state.ports);
        let query = query::read::<Q>(text, &mut problems);
        problems.into_result().map(|()| query)
    };
    let error = match read(text) {
        Ok(query) => return Ok((query, Vec::new())),
        Err(error) => error,
    };
    let wrong = error.details();
    if !wrong.iter().all(Q::says) {
        return Err(error.into());
    }
    let is_right = |pair: &&str| {
        let name = form_urlencoded::parse(pair.as_bytes()).next().map(|(name, _)| name);
        wrong.iter().all(|problem| name.as_deref() != Some(&*problem.field))
    };
    let right: Vec<_> = text.split('&').filter(is_right).collect();
    Ok((read(&right.join("&"))?, wrong))
}

/// Converts the query of a page to a query of the API, without checking it.
pub(crate) fn api_query(query: &str, zone: &TimeZone) -> String {
    without_empty(&with_instants(query, zone))
}

/// Converts local times in the query to instants, in the zone that the form sent with them or else in `zone`.
fn with_instants(query: &str, zone: &TimeZone) -> String {
    if !query.contains('T') && !query.contains(ZONE) {
        return query.to_owned();
    }
    let form = Form::parse(query.as_bytes());
    let pairs = query.split('&').filter(|pair| !pair.starts_with(ZONE));
    let pairs = pairs.map(|pair| {
        let Some((name, value)) = form_urlencoded::parse(pair.as_bytes()).next() else { return pair.to_owned() };
        // A search text is never read as a time.
        let instant =
            if name == "search" { None } else { form.zone_of(&name, zone).and_then(|zone| bound_of(&value, &zone)) };
        let raw_name = pair.split('=').next().unwrap_or_default();
        instant.map_or_else(|| pair.to_owned(), |instant| format!("{raw_name}={}", instant.replace(':', "%3A")))
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// Removes the empty fields that browsers also send.
fn without_empty(query: &str) -> String {
    let is_filled = |pair: &&str| pair.split_once('=').is_some_and(|(_, value)| !value.is_empty());
    query.split('&').filter(is_filled).collect::<Vec<_>>().join("&")
}

pub(crate) fn is_https(state: &AppState) -> bool {
    state.ports.settings.public_url.starts_with("https://")
}

fn browser_of(request: &HttpRequest, state: &AppState, caller: Option<Caller>, is_public: bool) -> Browser {
    if is_public { Browser::without_cookies(request, state) } else { Browser::of(request, state, caller) }
}

fn run<P: PageRoute>(request: HttpRequest, state: web::Data<AppState>) -> ResponseFuture {
    let work = Box::pin(receive_and_handle::<P>(request.clone(), state.clone()));
    let context =
        PageContext { route: P::ROUTE, class: P::CLASS, is_public: P::Access::IS_PUBLIC, needs: P::Access::NEEDS };
    Box::pin(respond_to(request, state, context, work))
}

async fn receive_and_handle<P: PageRoute>(request: HttpRequest, state: web::Data<AppState>) -> PageResult {
    let (permit, caller) = P::Access::admit(&request, &state, P::CLASS).await?;
    let common = CommonParts::read(&request, &state, caller, P::Access::IS_PUBLIC, P::HAS_EFFECT).await?;
    P::handle(PageRequest::<P>::of(common, permit, &request, &state)?).await
}

/// What is known about a page before its request is read.
struct PageContext {
    route: &'static str,
    class: Class,
    is_public: bool,
    needs: Option<AccessRequirement>,
}

/// Runs a page between the checks before and the response headers after it. Not generic, so that it is compiled only
/// once.
async fn respond_to(
    request: HttpRequest,
    state: web::Data<AppState>,
    PageContext { route, class, is_public, needs }: PageContext,
    work: Pin<Box<dyn Future<Output = PageResult>>>,
) -> HttpResponse {
    RequestContext::of(&request).set_route(pattern_of(route));
    let work = async {
        let response = match work.await {
            Err(error) if needs.is_some() => Box::pin(recovery::recover(error, &request, &state)).await,
            response => response,
        };
        let page = match response {
            Err(error) => Box::pin(recovery::kept_form_response(&request, &state)).await.unwrap_or(Err(error))?,
            Ok(page) => page,
        };
        sessions::end_removed(&request, &state, &page).await;
        rendering::complete(page, &Renderer::of(&request, &state)).await
    };
    let respond = |failure| {
        let caller = request.extensions().get::<Caller>().cloned();
        errors::respond_to(&browser_of(&request, &state, caller, is_public), &failure, &request)
    };
    let response = run_guarded_with(&request, state.settings.deadline_of(class), work, respond);
    let response = Context::current().with_operation(route).scope(response).await;
    Box::pin(recovery::keep_unconfirmed_form(response, &request, &state)).await
}

fn pattern_of(route: &'static str) -> &'static str {
    route.split_once(' ').map_or(route, |(_, pattern)| pattern)
}

/// The entry of a page in the table of operations.
pub(crate) const fn operation<P: PageRoute>() -> Operation {
    Operation::page(P::ROUTE, P::Access::NEEDS, P::Access::AUTH_SCHEME, P::CLASS, run::<P>)
}

/// Declares pages: each becomes a type with this name that implements [`PageRoute`].
///
/// ```text
/// page! {
///     Show = "GET /companies/{company_id}", access: ReadCompanies, path: CompanyId => show;
///     Delete = "POST /companies/{company_id}/delete", access: DeleteCompanies, path: CompanyId => delete;
/// }
/// ```
///
/// Parts that a page does not need are omitted. `show` is an async function that receives the [`PageRequest`].
macro_rules! page {
    (@part) => { () };
    (@part $part:ty) => { $part };
    ($(
        $(#[$attribute:meta])*
        $name:ident = $route:literal $(, class: $class:expr)?, access: $access:ty
        $(, path: $path:ty)? $(, query: $query:ty)? => $handler:path
    );+ $(;)?) => { $(
        $(#[$attribute])*
        pub(crate) struct $name;

        impl $crate::page::PageRoute for $name {
            const ROUTE: &'static str = $route;
            $(const CLASS: domain::limits::Class = $class;)?
            type Access = $access;
            type Path = $crate::page::page!(@part $($path)?);
            type Query = $crate::page::page!(@part $($query)?);

            fn handle(
                request: $crate::page::PageRequest<Self>,
            ) -> impl Future<Output = $crate::page::PageResult> {
                $handler(request)
            }
        }
    )+ };
}
pub(crate) use page;

/// Declares pages like `page!`, and the table of all of them.
macro_rules! pages {
    ($(
        $(#[$attribute:meta])*
        $name:ident = $route:literal $(, class: $class:expr)?, access: $access:ty
        $(, path: $path:ty)? $(, query: $query:ty)? => $handler:path
    );+ $(;)?) => {
        $crate::page::page! { $(
            $(#[$attribute])*
            $name = $route $(, class: $class)?, access: $access $(, path: $path)? $(, query: $query)? => $handler
        );+ }

        pub(crate) const OPERATIONS: &[http_core::Operation] = &[$($crate::page::operation::<$name>()),+];
    };
}
pub(crate) use pages;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_drop_empty_fields_and_convert_local_times() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let query = with_instants("search=&since=2026-07-01T09%3A30&until=2026-07-01T09%3A30%3A00Z&a=b=c&d", &berlin);
        assert_eq!(query, "search=&since=2026-07-01T07%3A30%3A00Z&until=2026-07-01T09%3A30%3A00Z&a=b=c&d");
        let filled = "since=2026-07-01T07%3A30%3A00Z&until=2026-07-01T09%3A30%3A00Z&a=b=c";
        assert_eq!(without_empty(&query), filled);
    }

    #[test]
    fn query_times_are_read_in_the_zone_shown_by_the_form() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        for (query, read) in [
            (
                "since=2026-07-01T09%3A30&_zone.since=UTC&until=&_zone.until=UTC",
                "since=2026-07-01T09%3A30%3A00Z&until=",
            ),
            ("_zone.since=Asia%2FTokyo&since=2026-07-01T09:30", "since=2026-07-01T00%3A30%3A00Z"),
            // Clocks skip this time.
            ("since=2026-03-29T02%3A30", "since=2026-03-29T01%3A00%3A00Z"),
            // The filter rejects values that are not times.
            ("since=2026-07-01T09%3A30&_zone.since=Mars", "since=2026-07-01T09%3A30"),
            ("search=2026-07-01T09%3A30", "search=2026-07-01T09%3A30"),
            ("_zone.since=UTC", ""),
            ("", ""),
        ] {
            assert_eq!(with_instants(query, &berlin), read, "{query}");
        }
    }
}
