//! `/api/account`: the caller's own account and sessions, with an access token. Requests count towards the limits by session.

use domain::SessionId;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{self, AccountFields, AccountView, SessionView};
use http_core::body::Patch;
use http_core::{LimitPolicy, operation};

operation! {
    /// Read your own account.
    Read = "GET /api/account", contract: additional, access: ManageOwnAccount
    => shown(accounts::read()) -> AccountView
}

operation! {
    /// Change your own account.
    Update = "PATCH /api/account", contract: additional,
    limits: LimitPolicy::CRITICAL, access: ManageOwnAccount, body: Patch<AccountFields>
    => shown(accounts::update(body)) -> AccountView
}

operation! {
    /// List your own sessions.
    ListSessions = "GET /api/account/sessions", contract: additional, access: ManageOwnAccount
    => shown(accounts::list_sessions()) -> Vec<SessionView>
}

operation! {
    /// End one of your own sessions.
    EndSession = "DELETE /api/account/sessions/{session_id}", contract: additional,
    limits: LimitPolicy::CRITICAL, access: ManageOwnAccount, path: SessionId
    => deleted(accounts::end_session(path))
}
