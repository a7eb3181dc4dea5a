//! `/api/portal`: customers see their ticket and reply, without an account.

use domain::kernel::input::format_timestamp;
use domain::limits::Class;
use domain::support::{self, MagicLinkFields, PublicComment, ReplyFields, SessionFields};
use http_core::admission::Open;
use http_core::body::Create;
use http_core::customers::PortalToken;
use http_core::endpoint::{Call, HandlerResult};
use http_core::{LimitPolicy, action, operation, reply};
use serde::Serialize;
use serde_json::json;

/// A new session: its token is shown this once.
#[derive(Serialize)]
struct SessionView<'a> {
    token: &'a str,
    expires_at: String,
}

operation! {
    SendMagicLink = "POST /api/portal/magic-links",
    limits: LimitPolicy::new(Class::Critical), access: Open, body: Create<MagicLinkFields>
    => send_magic_link
}

/// Looks nothing up: neither the answer nor its time says whether there is such a ticket.
async fn send_magic_link(call: Call<SendMagicLink>) -> HandlerResult {
    support::request_magic_link(&call.ports, call.body.0).await?;
    Ok(reply::accepted(&json!({ "done": true })))
}

operation! {
    BeginSession = "POST /api/portal/sessions",
    limits: LimitPolicy::new(Class::Critical), access: Open, body: Create<SessionFields>
    => begin_session
}

async fn begin_session(call: Call<BeginSession>) -> HandlerResult {
    let login = support::begin_session(&call.ports, call.body.0).await?;
    Ok(reply::shown_once(&SessionView { token: login.token.reveal(), expires_at: format_timestamp(login.expires_at) }))
}

operation! {
    ReadTicket = "GET /api/portal/ticket", access: PortalToken
    => shown(support::read_own())
}

// The comment is read with its ticket.
action! {
    ReplyToTicket = "POST /api/portal/ticket/replies", access: PortalToken, body: Create<ReplyFields>
    => support::reply(body) -> PublicComment, |comment| reply::created(comment, "/api/portal/ticket".to_owned())
}
