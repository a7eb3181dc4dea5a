//! `/api/portal`: customers read their ticket and reply, without an account.

use domain::kernel::input::format_timestamp;
use domain::limits::Class;
use domain::support::{self, MagicLinkFields, PublicComment, ReplyFields, SessionFields};
use http_core::admission::Anonymous;
use http_core::body::Create;
use http_core::customer_auth::PortalToken;
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::{LimitPolicy, action, operation, responses};
use serde::Serialize;
use serde_json::json;

/// A new session. Only this response shows the token.
#[derive(Serialize)]
struct SessionView<'a> {
    token: &'a str,
    expires_at: String,
}

operation! {
    SendMagicLink = "POST /api/portal/magic-links",
    limits: LimitPolicy::new(Class::Critical), access: Anonymous, body: Create<MagicLinkFields>
    => send_magic_link
}

/// Timing-safe: reads no ticket, so that neither response nor duration reveals whether it exists.
async fn send_magic_link(call: EndpointRequest<SendMagicLink>) -> HandlerResult {
    support::request_magic_link(&call.ports, &call.permit, call.body.0).await?;
    Ok(responses::accepted(&json!({ "done": true })))
}

operation! {
    BeginSession = "POST /api/portal/sessions",
    limits: LimitPolicy::new(Class::Critical), access: Anonymous, body: Create<SessionFields>
    => begin_session
}

async fn begin_session(call: EndpointRequest<BeginSession>) -> HandlerResult {
    let login = support::begin_session(&call.ports, call.body.0).await?;
    Ok(responses::ok_with_secret(&SessionView {
        token: login.token.reveal(),
        expires_at: format_timestamp(login.expires_at),
    }))
}

operation! {
    ReadTicket = "GET /api/portal/ticket", access: PortalToken
    => shown(support::read_own())
}

// No `Location`: the comment is read as a part of its ticket only.
action! {
    ReplyToTicket = "POST /api/portal/ticket/replies", access: PortalToken, body: Create<ReplyFields>
    => support::reply(body) -> PublicComment, |comment| responses::created_without_location(comment)
}
