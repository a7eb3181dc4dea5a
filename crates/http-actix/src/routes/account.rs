//! `/api/account`: the caller's own account and sessions, with an access token.

use domain::SessionId;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{self, AccountFields};
use domain::limits::Class;
use http_core::body::Patch;
use http_core::{LimitPolicy, operation};

// The account and its sessions are the user's own, so they count by session, as keys do.
const CRITICAL: LimitPolicy = LimitPolicy::new(Class::Critical);

operation! {
    Read = "GET /api/account", access: ManageOwnAccount
    => shown(accounts::read())
}

operation! {
    Update = "PATCH /api/account", limits: CRITICAL, access: ManageOwnAccount, body: Patch<AccountFields>
    => shown(accounts::update(body))
}

operation! {
    ListSessions = "GET /api/account/sessions", access: ManageOwnAccount
    => shown(accounts::list_sessions())
}

operation! {
    EndSession = "DELETE /api/account/sessions/{session_id}",
    limits: CRITICAL, access: ManageOwnAccount, path: SessionId
    => deleted(accounts::end_session(path))
}
