//! `/api/portal`: customers read their ticket and reply, without an account.

use domain::kernel::input::format_timestamp;
use domain::kernel::input::schema::TimestampText;
use domain::support::{self, MagicLinkFields, PublicComment, ReplyFields, SessionFields, TicketView};
use http_core::admission::Anonymous;
use http_core::body::Create;
use http_core::customer_auth::PortalToken;
use http_core::description::{Accepted, CreatedWithoutLocation};
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::{LimitPolicy, action, operation, responses};
use schemars::JsonSchema;
use serde::Serialize;

use super::auth::DoneResponse;

/// A new session. Only this response shows the token.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PortalSession")]
pub(crate) struct SessionView<'a> {
    token: &'a str,
    #[schemars(with = "TimestampText")]
    expires_at: String,
}

operation! {
    /// Send a customer the link to a ticket.
    SendMagicLink = "POST /api/portal/magic-links",
    limits: LimitPolicy::CRITICAL, access: Anonymous, body: Create<MagicLinkFields>
    => send_magic_link -> Accepted<DoneResponse>
}

/// Timing-safe: reads no ticket, so that neither response nor duration reveals whether it exists.
async fn send_magic_link(call: EndpointRequest<SendMagicLink>) -> HandlerResult {
    support::request_magic_link(&call.ports, &call.permit, call.body.0).await?;
    Ok(responses::accepted(&DoneResponse { done: true }))
}

operation! {
    /// Start a portal session with the token of a link.
    BeginSession = "POST /api/portal/sessions",
    limits: LimitPolicy::CRITICAL, access: Anonymous, body: Create<SessionFields>,
    errors: [Unauthorized, CapabilityConsumed]
    => begin_session -> CreatedWithoutLocation<SessionView<'static>>
}

async fn begin_session(call: EndpointRequest<BeginSession>) -> HandlerResult {
    let login = support::begin_session(&call.ports, call.body.0).await?;
    Ok(responses::ok_with_secret(&SessionView {
        token: login.token.reveal(),
        expires_at: format_timestamp(login.expires_at),
    }))
}

operation! {
    /// Read the ticket of the portal session.
    ReadTicket = "GET /api/portal/ticket", access: PortalToken
    => shown(support::read_own()) -> TicketView
}

// No `Location`: the comment can only be read as part of its ticket.
action! {
    /// Reply to the ticket of the portal session.
    ReplyToTicket = "POST /api/portal/ticket/replies", access: PortalToken, body: Create<ReplyFields>,
    errors: [InvalidStateChange]
    => support::reply(body) -> PublicComment, created_without_location
}
