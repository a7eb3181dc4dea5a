//! Admission of requests: authentication, rate limit, then authorization, in this order.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::http::header::USER_AGENT;
use actix_web::rt::time::timeout;
use domain::Error;
use domain::identity::access::{AccessRequirement, Caller, Permission, Permit, PlainToken, TokenKind, authenticate};
use domain::identity::accounts::{Client, UserAgent};
use domain::identity::audit::note_refused_request;
use domain::identity::workspaces::Workspace;
use domain::kernel::RateLimitStatus;
use domain::limits::{self, AddressGroup, Class, Cost, LimitedCaller};
use domain::ports::StoreError;
use telemetry::log_context::Context;

use crate::answers::Owner;
use crate::errors::HttpError;
use crate::limit_policy::LimitPolicy;
use crate::request_context::RequestContext;
use crate::state::AppState;
use crate::{client_address, credential};

/// Bounds the authentication of requests that match no operation.
const IDENTIFY_TIMEOUT: Duration = Duration::from_millis(500);

/// How a request authenticates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthScheme {
    /// No credential.
    Anonymous,
    /// An API key or a user's access token.
    Caller,
    /// A customer's token for one ticket.
    PortalToken,
    /// The origin of a page that embeds a workspace's widget.
    WidgetPage,
    /// The session cookie of a browser, which opens pages of the console and nothing else.
    Browser,
}

/// An authentication scheme with its authorization.
pub trait Admission {
    /// What the operation receives.
    type Granted;
    /// The requirement shown in the table of operations; `None` if no credential is needed.
    const NEEDS: Option<AccessRequirement>;
    const AUTH_SCHEME: AuthScheme;

    /// Authenticates, counts and authorizes a request under its operation's policy.
    fn admit(
        request: &HttpRequest,
        state: &AppState,
        policy: LimitPolicy,
    ) -> impl Future<Output = Result<Self::Granted, HttpError>>;
}

impl<P: Permission> Admission for P {
    type Granted = Permit<P>;
    const NEEDS: Option<AccessRequirement> = Some(P::NEEDS);
    const AUTH_SCHEME: AuthScheme = AuthScheme::Caller;

    async fn admit(request: &HttpRequest, state: &AppState, policy: LimitPolicy) -> Result<Permit<P>, HttpError> {
        let caller = if policy.by_address {
            let caller = identify(request, state).await?;
            count_address(request, state, policy.class).await?;
            state.guards.hold(request, owner_of(&caller))?;
            note_activity(state, &caller);
            caller
        } else {
            admit_caller(request, state, policy.class).await?
        };
        if let Some(class) = policy.public_class {
            count_in_workspace(request, state, caller.workspace(), class).await?;
        }
        Ok(caller.permit::<P>().inspect_err(|error| note_refusal(state, &caller, error))?)
    }
}

/// Notes in the audit log that the caller was refused, if the error says so.
pub fn note_refusal(state: &AppState, caller: &Caller, error: &Error) {
    note_refused_request(&state.ports, caller, Context::current().operation(), error);
}

/// No credential: requests count by client address.
#[derive(Debug)]
pub enum Anonymous {}

impl Admission for Anonymous {
    type Granted = Client;
    const NEEDS: Option<AccessRequirement> = None;
    const AUTH_SCHEME: AuthScheme = AuthScheme::Anonymous;

    async fn admit(request: &HttpRequest, state: &AppState, policy: LimitPolicy) -> Result<Client, HttpError> {
        admit_visitor(request, state, policy.class).await
    }
}

/// Authenticates a caller and counts the request in a class. Permissions are checked on the [`Caller`] afterwards.
/// Errors: 401 without a valid credential, 429 above the limit.
pub async fn admit_caller(request: &HttpRequest, state: &AppState, class: Class) -> Result<Caller, HttpError> {
    let caller = identify(request, state).await?;
    count_caller(request, state, &caller, class).await?;
    Ok(caller)
}

/// Authenticates a caller: the first half of [`admit_caller`], for requests whose class is determined later. A request
/// without a valid credential counts by its address. Errors: 401 without a valid credential, 403 from a network that
/// is not allowed, 429 above the limit for such requests.
pub async fn identify(request: &HttpRequest, state: &AppState) -> Result<Caller, HttpError> {
    match verify(request, state).await {
        Ok(caller) => {
            RequestContext::of(request).set_caller(&caller);
            Ok(caller)
        }
        // A credential used from a network that is not allowed may be stolen, so it must not count for its owner.
        Err(error @ (Error::Unauthorized | Error::AddressNotAllowed)) => {
            count_address(request, state, Class::Anonymous).await?;
            Err(error.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Authenticates a browser's session by its access token, which does not come from a header here, and counts the request.
/// API keys are for programs and cannot open pages. Errors: 401 without a valid session, 403 from a network that is
/// not allowed, 429 above the limit, 503 if the caller's memory or connection budget is used up.
pub async fn admit_browser(
    request: &HttpRequest,
    state: &AppState,
    token: Option<&str>,
    class: Class,
) -> Result<Caller, HttpError> {
    let token = token.filter(|token| PlainToken::parse(token).is_some_and(|token| token.kind() == TokenKind::Session));
    let verified = match token {
        Some(token) => verify_token(request, state, token).await,
        None => Err(Error::Unauthorized),
    };
    match verified {
        Ok(caller) => {
            RequestContext::of(request).set_caller(&caller);
            count_caller(request, state, &caller, class).await?;
            Ok(caller)
        }
        Err(error @ (Error::Unauthorized | Error::AddressNotAllowed)) => {
            count_address(request, state, class).await?;
            hold_for_address(request, state)?;
            Err(error.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Counts a browser request that needs no session, by its address. Errors: 429 above the limit, 503 if the address's
/// memory or connection budget is used up.
pub async fn admit_visitor(request: &HttpRequest, state: &AppState, class: Class) -> Result<Client, HttpError> {
    count_address(request, state, class).await?;
    hold_for_address(request, state)?;
    Ok(client_of(request, state))
}

/// The device that sent a request.
pub fn client_of(request: &HttpRequest, state: &AppState) -> Client {
    Client {
        address: address_of(request, state),
        user_agent: user_agent_of(request),
        is_behind_unlisted_proxy: client_address::is_behind_unlisted_proxy(request, &state.settings.trusted_proxies),
    }
}

/// Counts the cost of a caller's request, sets the rate-limit headers and records the credential's last use: the second half
/// of [`admit_caller`]. Errors: 429 above the limit, 503 if the caller's memory or connection budget is used up.
pub async fn count_caller(
    request: &HttpRequest,
    state: &AppState,
    caller: &Caller,
    cost: impl Into<Cost>,
) -> Result<(), HttpError> {
    let rate_limit = count_for_caller(state, caller, cost.into()).await;
    RequestContext::of(request).set_rate_limit(rate_limit);
    rate_limit.check()?;
    state.guards.hold(request, owner_of(caller))?;
    note_activity(state, caller);
    Ok(())
}

/// Counts a request by its address in a class and sets the rate-limit headers. Errors: 429 above the limit.
pub async fn count_address(request: &HttpRequest, state: &AppState, class: Class) -> Result<(), HttpError> {
    let rate_limit = count_for_address(request, state, class).await;
    RequestContext::of(request).set_rate_limit(rate_limit);
    Ok(rate_limit.check()?)
}

/// Counts a request by workspace and address in a class and sets the rate-limit headers. Errors: 429 above the
/// limit.
pub(crate) async fn count_in_workspace(
    request: &HttpRequest,
    state: &AppState,
    workspace: &Workspace,
    class: Class,
) -> Result<(), HttpError> {
    let limit = limits::limit_of(class, &workspace.allowance(), &state.ports.settings.limits);
    let group = group_of(request, state);
    let rate_limit = limits::count_address(&state.ports, class, Some(workspace.id), group, limit).await;
    RequestContext::of(request).set_rate_limit(rate_limit);
    Ok(rate_limit.check()?)
}

/// Counts a request that matches no operation. It gets its response (404, 405 or a page) even above the limit, because
/// the route is checked before everything else.
pub async fn count_only(request: &HttpRequest, state: &AppState) {
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    let class = if reads { Class::Read } else { Class::Write };
    let exchange = RequestContext::of(request);
    // An unresponsive store must not delay a 404 for long.
    let verified = timeout(IDENTIFY_TIMEOUT, verify(request, state)).await;
    match verified.unwrap_or_else(|_| Err(StoreError::Busy.into())) {
        Ok(caller) => {
            exchange.set_caller(&caller);
            exchange.set_rate_limit(count_for_caller(state, &caller, class.into()).await);
        }
        Err(Error::Unauthorized | Error::AddressNotAllowed) => {
            exchange.set_rate_limit(count_for_address(request, state, Class::Anonymous).await);
        }
        Err(error) => log::debug!("could not count the request: {error}"),
    }
}

pub(crate) async fn verify(request: &HttpRequest, state: &AppState) -> Result<Caller, Error> {
    verify_token(request, state, credential::bearer(request.headers())?).await
}

pub(crate) async fn verify_token(request: &HttpRequest, state: &AppState, token: &str) -> Result<Caller, Error> {
    let caller = authenticate(&state.ports, token, address_of(request, state)).await?;
    Ok(caller.in_request(Arc::clone(&RequestContext::of(request).request_id)))
}

pub(crate) fn address_of(request: &HttpRequest, state: &AppState) -> Option<IpAddr> {
    client_address::client_ip(request, &state.settings.trusted_proxies)
}

/// A `User-Agent` header that is not text counts as absent.
fn user_agent_of(request: &HttpRequest) -> Option<UserAgent> {
    request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok()).and_then(UserAgent::parse)
}

fn owner_of(caller: &Caller) -> Owner {
    (caller.workspace().id, caller.credential()).into()
}

/// Reserves a connection and memory for a response to a caller above its limit, if it is more than an error. Fails with
/// 503 if the caller's memory or connection budget is used up.
pub fn hold_for(request: &HttpRequest, state: &AppState, caller: &Caller) -> Result<(), HttpError> {
    state.guards.hold(request, owner_of(caller))
}

/// Reserves a connection and memory for an unauthenticated request, by its address.
pub(crate) fn hold_for_address(request: &HttpRequest, state: &AppState) -> Result<(), HttpError> {
    state.guards.hold(request, Owner::Address(group_of(request, state)))
}

pub(crate) fn group_of(request: &HttpRequest, state: &AppState) -> AddressGroup {
    // Requests without an address share one count, so that none bypasses the limit.
    address_of(request, state).into()
}

fn note_activity(state: &AppState, caller: &Caller) {
    state.ports.activity.note(caller, state.ports.clock.now());
}

async fn count_for_caller(state: &AppState, caller: &Caller, cost: Cost) -> RateLimitStatus {
    let workspace = caller.workspace();
    let limited = LimitedCaller {
        credential: caller.credential().id(),
        workspace: workspace.id,
        allowance: workspace.allowance(),
    };
    limits::count_caller(&state.ports, &limited, cost).await
}

async fn count_for_address(request: &HttpRequest, state: &AppState, class: Class) -> RateLimitStatus {
    let group = group_of(request, state);
    let fixed = &state.ports.settings.limits;
    let limit = match class {
        Class::Anonymous => fixed.anonymous,
        Class::Console => fixed.console,
        _ => fixed.critical,
    };
    limits::count_address(&state.ports, class, None, group, limit).await
}
