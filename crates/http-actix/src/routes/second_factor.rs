//! `/api/account/second-factor`, and the second step of a sign-in.

use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{
    self, ChallengeFields, ConfirmationFields, NewSecondFactor, RecoveryCodes, RemovalFields,
};
use http_core::admission::Anonymous;
use http_core::body::{Create, Empty};
use http_core::description::{CreatedWithoutLocation, Shown};
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::{LimitPolicy, operation, responses};

use super::auth::{DoneResponse, SignInView};

// No idempotency keys: responses that contain secrets are never stored.
operation! {
    /// Start setting up a second factor.
    Begin = "POST /api/account/second-factor", contract: additional,
    limits: LimitPolicy::CRITICAL, access: ManageOwnAccount, body: Empty, errors: [Conflict]
    => begin -> CreatedWithoutLocation<NewSecondFactor>
}

async fn begin(call: EndpointRequest<Begin>) -> HandlerResult {
    let begun = accounts::begin_second_factor(&call.ports, &call.permit).await?;
    Ok(responses::ok_with_secret(&begun))
}

operation! {
    /// Confirm the second factor.
    Confirm = "POST /api/account/second-factor/confirm", contract: additional,
    limits: LimitPolicy::CRITICAL, access: ManageOwnAccount, body: Create<ConfirmationFields>, errors: [Conflict]
    => shown(accounts::confirm_second_factor(body)) -> RecoveryCodes
}

operation! {
    /// Remove the second factor.
    Remove = "DELETE /api/account/second-factor", contract: additional,
    limits: LimitPolicy::CRITICAL.by_address(), access: ManageOwnAccount, body: Create<RemovalFields>, errors: [NotFound]
    => remove -> Shown<DoneResponse>
}

async fn remove(call: EndpointRequest<Remove>) -> HandlerResult {
    accounts::remove_second_factor(&call.ports, &call.permit, call.body.0).await?;
    Ok(responses::ok(&DoneResponse { done: true }))
}

operation! {
    /// Complete a sign-in with the second factor.
    FinishSignIn = "POST /api/auth/second-factor", contract: additional,
    limits: LimitPolicy::CRITICAL, access: Anonymous, body: Create<ChallengeFields>, errors: [Unauthorized, Forbidden]
    => finish -> Shown<SignInView<'static>>
}

async fn finish(call: EndpointRequest<FinishSignIn>) -> HandlerResult {
    let login = accounts::finish_sign_in(&call.ports, &call.permit, call.body.0).await?;
    Ok(responses::ok(&SignInView::from(&login)))
}
