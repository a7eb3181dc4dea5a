//! `/api/auth`: sign-in, sign-out and passwords.

use actix_web::HttpResponse;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{
    self, AcceptanceFields, Login, LoginFields, PasswordFields, ResetFields, ResetRequestFields, SignIn, SignedIn,
};
use domain::kernel::input::schema::TimestampText;
use http_core::admission::Anonymous;
use http_core::body::{Create, Empty};
use http_core::description::{Accepted, Shown};
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::{LimitPolicy, operation, responses};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

/// The response to a sign-in. Only this response shows the token.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SignIn")]
pub(crate) struct SignInView<'a> {
    access_token: &'a str,
    #[serde(flatten)]
    signed_in: &'a SignedIn,
}

impl<'a> From<&'a Login> for SignInView<'a> {
    fn from(login: &'a Login) -> Self {
        Self { access_token: login.token.reveal(), signed_in: &login.signed_in }
    }
}

/// The response to a sign-in that needs a second step.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PendingSignIn")]
pub(crate) struct PendingView<'a> {
    /// Always null: the response to the second step has the token.
    access_token: Option<&'a str>,
    second_factor: SecondStep<'a>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct SecondStep<'a> {
    token: &'a str,
    #[serde(with = "TimestampText")]
    expires_at: OffsetDateTime,
}

/// The response to a sign-in with the right password.
fn sign_in_response(result: &SignIn) -> HttpResponse {
    match result {
        SignIn::Done(login) => responses::ok(&SignInView::from(login)),
        SignIn::SecondFactor(pending) => {
            let second_factor = SecondStep { token: pending.token.reveal(), expires_at: pending.expires_at };
            responses::ok(&PendingView { access_token: None, second_factor })
        }
    }
}

/// The response of operations without a result.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Done")]
pub(crate) struct DoneResponse {
    pub(super) done: bool,
}

operation! {
    /// Sign in.
    LogIn = "POST /api/auth/login", limits: LimitPolicy::CRITICAL, access: Anonymous, body: Create<LoginFields>,
    errors: [Unauthorized, Forbidden]
    => log_in -> (Shown<SignInView<'static>>, Shown<PendingView<'static>>)
}

async fn log_in(call: EndpointRequest<LogIn>) -> HandlerResult {
    Ok(sign_in_response(&accounts::login(&call.ports, &call.permit, call.body.0).await?))
}

operation! {
    /// Sign out.
    LogOut = "POST /api/auth/logout",
    limits: LimitPolicy::CRITICAL.by_address(), access: ManageOwnAccount, body: Empty
    => log_out -> Shown<DoneResponse>
}

async fn log_out(call: EndpointRequest<LogOut>) -> HandlerResult {
    accounts::logout(&call.ports, &call.permit).await?;
    Ok(responses::ok(&DoneResponse { done: true }))
}

operation! {
    /// Change your own password.
    ChangePassword = "POST /api/auth/password",
    limits: LimitPolicy::CRITICAL.by_address(), access: ManageOwnAccount, body: Create<PasswordFields>
    => change_password -> Shown<DoneResponse>
}

async fn change_password(call: EndpointRequest<ChangePassword>) -> HandlerResult {
    accounts::change_password(&call.ports, &call.permit, call.body.0).await?;
    Ok(responses::ok(&DoneResponse { done: true }))
}

operation! {
    /// Accept an invitation.
    AcceptInvitation = "POST /api/auth/accept-invitation",
    limits: LimitPolicy::CRITICAL, access: Anonymous, body: Create<AcceptanceFields>,
    errors: [Unauthorized, Forbidden, CapabilityConsumed]
    => accept_invitation -> (Shown<SignInView<'static>>, Shown<PendingView<'static>>)
}

async fn accept_invitation(call: EndpointRequest<AcceptInvitation>) -> HandlerResult {
    Ok(sign_in_response(&accounts::accept_invitation(&call.ports, &call.permit, call.body.0).await?))
}

operation! {
    /// Request a link that resets the password.
    RequestPasswordReset = "POST /api/auth/password-resets",
    limits: LimitPolicy::CRITICAL, access: Anonymous, body: Create<ResetRequestFields>
    => request_password_reset -> Accepted<DoneResponse>
}

/// Timing-safe: reads no account, so that neither response nor duration reveals whether the address has one.
async fn request_password_reset(call: EndpointRequest<RequestPasswordReset>) -> HandlerResult {
    accounts::request_password_reset(&call.ports, &call.permit, call.body.0).await?;
    Ok(responses::accepted(&DoneResponse { done: true }))
}

operation! {
    /// Reset the password.
    ResetPassword = "POST /api/auth/reset-password",
    limits: LimitPolicy::CRITICAL, access: Anonymous, body: Create<ResetFields>,
    errors: [CapabilityConsumed]
    => reset_password -> Shown<DoneResponse>
}

async fn reset_password(call: EndpointRequest<ResetPassword>) -> HandlerResult {
    accounts::reset_password(&call.ports, call.permit.address, call.body.0).await?;
    Ok(responses::ok(&DoneResponse { done: true }))
}
