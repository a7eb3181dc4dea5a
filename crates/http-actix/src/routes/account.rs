//! `/api/account`: the caller's own account and sessions, with an access token.

use domain::SessionId;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{self, AccountFields};
use http_core::body::Patch;
use http_core::operation;

operation! {
    Read = "GET /api/account", access: ManageOwnAccount
    => shown(accounts::read())
}

operation! {
    Update = "PATCH /api/account", access: ManageOwnAccount, body: Patch<AccountFields>
    => shown(accounts::update(body))
}

operation! {
    ListSessions = "GET /api/account/sessions", access: ManageOwnAccount
    => shown(accounts::list_sessions())
}

operation! {
    EndSession = "DELETE /api/account/sessions/{session_id}", access: ManageOwnAccount, path: SessionId
    => deleted(accounts::end_session(path))
}
