//! `/api/account/second-factor`, and the second step of a sign-in.

use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{self, ChallengeFields, ConfirmationFields, RemovalFields};
use domain::limits::Class;
use http_core::admission::Anonymous;
use http_core::body::{Create, Empty};
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::{LimitPolicy, operation, responses};

use super::auth::{DoneResponse, SignInView};

const CRITICAL: LimitPolicy = LimitPolicy::new(Class::Critical);

// No idempotency keys: responses that contain secrets are never stored.
operation! {
    Begin = "POST /api/account/second-factor", limits: CRITICAL, access: ManageOwnAccount, body: Empty
    => begin
}

async fn begin(call: EndpointRequest<Begin>) -> HandlerResult {
    let begun = accounts::begin_second_factor(&call.ports, &call.permit).await?;
    Ok(responses::ok_with_secret(&begun))
}

operation! {
    Confirm = "POST /api/account/second-factor/confirm",
    limits: CRITICAL, access: ManageOwnAccount, body: Create<ConfirmationFields>
    => shown(accounts::confirm_second_factor(body))
}

operation! {
    Remove = "DELETE /api/account/second-factor",
    limits: CRITICAL.by_address(), access: ManageOwnAccount, body: Create<RemovalFields>
    => remove
}

async fn remove(call: EndpointRequest<Remove>) -> HandlerResult {
    accounts::remove_second_factor(&call.ports, &call.permit, call.body.0).await?;
    Ok(responses::ok(&DoneResponse { done: true }))
}

operation! {
    FinishSignIn = "POST /api/auth/second-factor", limits: CRITICAL, access: Anonymous, body: Create<ChallengeFields>
    => finish
}

async fn finish(call: EndpointRequest<FinishSignIn>) -> HandlerResult {
    let login = accounts::finish_sign_in(&call.ports, &call.permit, call.body.0).await?;
    Ok(responses::ok(&SignInView::from(&login)))
}
